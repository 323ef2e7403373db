//===- EnginePrograms.h - Programs to measure the executor with -*- C++ -*-===//

#ifndef ANE_BENCH_ENGINEPROGRAMS_H
#define ANE_BENCH_ENGINEPROGRAMS_H

#include "ane/Engine/Machine.h"
#include "ane/Object/Object.h"
#include "ane/TaskDescriptor/RegisterImage.h"
#include <array>

namespace ane::bench {

/// The extents of a tensor.
using Shape = std::array<uint32_t, 3>; ///< channels, rows, columns

/// Geometry of a convolution; the padding keeps the size.
struct Window {
  uint32_t size = 1;
  bool channelwise = false;
};

/// A program that is put together task by task, without a container.
class Program {
public:
  /// A tensor in memory of its own; its number.
  unsigned tensor(const Shape &shape);

  /// Values in C order, which tasks only read.
  void set(unsigned tensor, llvm::ArrayRef<float> values);
  std::vector<float> get(unsigned tensor);

  /// Weights by output channel, input channel (but for channel-wise ones), row
  /// and column.
  void convolve(unsigned x, unsigned y, const Window &window,
                llvm::ArrayRef<float> weights);
  void add(unsigned a, unsigned b, unsigned y);
  /// The pass of a table through the NE.
  void activate(unsigned x, unsigned y, llvm::ArrayRef<uint16_t> record);
  /// Over the columns; five tasks, as in real programs.
  void softmax(unsigned x, unsigned y, llvm::ArrayRef<uint16_t> exp2);

  /// Makes the machine; exits with the refusal if there is one.
  void finish();
  void run(unsigned threads, engine::Numerics numerics) {
    llvm::cantFail(machine->run(threads, numerics));
  }

private:
  void addTask(td::RegisterImage image, unsigned x, const unsigned *second,
               unsigned y, bool rowsAsGroups = false);
  uint64_t addLanes(td::RegisterImage &image, unsigned lanes,
                    uint64_t laneBytes);

  std::vector<object::TensorLayout> layouts;
  std::vector<uint8_t> constants;
  std::vector<td::TaskDescriptor> tasks;
  std::vector<uint8_t> text;
  std::vector<uint64_t> bars;
  std::vector<std::pair<unsigned, std::vector<float>>> contents;
  std::unique_ptr<engine::Machine> machine;
};

} // namespace ane::bench

#endif // ANE_BENCH_ENGINEPROGRAMS_H
