//===- Fixtures.h - Small programs that the tests share ---------*- C++ -*-===//

#ifndef ANE_TEST_UNIT_ENGINE_FIXTURES_H
#define ANE_TEST_UNIT_ENGINE_FIXTURES_H

#include "Plan/Plan.h"
#include "ane/Engine/Program.h"
#include "ane/Object/Builder.h"
#include "ane/TaskDescriptor/Values.h"
#include <map>
#include <optional>
#include <string>

namespace ane::engine::test {

using td::Field;

/// A dense array in the order groups (or batch), depth, channels, rows,
/// columns. Values are whatever the test wants; storing rounds to fp16.
struct Array {
  Extents extents;
  std::vector<double> values;

  Array() = default;
  explicit Array(const Extents &extents)
      : extents(extents), values(extents.elements()) {}

  double &at(uint32_t g, uint32_t d, uint32_t c, uint32_t h, uint32_t w) {
    return values[index(g, d, c, h, w)];
  }
  double at(uint32_t g, uint32_t d, uint32_t c, uint32_t h, uint32_t w) const {
    return values[index(g, d, c, h, w)];
  }

private:
  size_t index(uint32_t g, uint32_t d, uint32_t c, uint32_t h,
               uint32_t w) const {
    return ((((size_t(g) * extents.depth + d) * extents.channels + c) *
                 extents.height +
             h) *
            extents.width) +
           w;
  }
};

/// Pseudo-random multiples of 1/64 in [low, high], fp16 numbers all.
Array randomArray(const Extents &extents, unsigned seed, double low = -2,
                  double high = 2);

/// Calls `body(g, d, c, h, w)` for every element.
template <typename Body> void forEach(const Extents &extents, Body body) {
  for (uint32_t g = 0; g < extents.groups; ++g)
    for (uint32_t d = 0; d < extents.depth; ++d)
      for (uint32_t c = 0; c < extents.channels; ++c)
        for (uint32_t h = 0; h < extents.height; ++h)
          for (uint32_t w = 0; w < extents.width; ++w)
            body(g, d, c, h, w);
}

/// The fp16 bits of a number, and back.
uint16_t halfBits(double value);
double rounded(double value);

/// Appends fp16 numbers to bytes.
void appendHalves(std::vector<uint8_t> &bytes, llvm::ArrayRef<double> values);

/// The layout that Apple's compiler gives a tensor.
object::TensorLayout packedLayout(const Extents &extents);
Extents extentsOf(const object::TensorLayout &layout);

/// A tensor of the model in device memory.
void store(const Array &array, const object::TensorLayout &layout,
           llvm::MutableArrayRef<uint8_t> surface);
Array load(const object::TensorLayout &layout, llvm::ArrayRef<uint8_t> surface);

/// A task of ours, not read from a text.
inline td::TaskDescriptor makeTask(const td::RegisterImage &image) {
  td::TaskDescriptor task;
  task.image = image;
  return task;
}

/// A program as the compiler would hand it to the container builder.
struct Model {
  std::vector<object::PortSpec> ports;
  std::vector<td::TaskDescriptor> tasks;
  std::vector<uint8_t> constants;
  uint64_t scratchBytes = 0;

  /// Ports must all be there before the first `bar` is asked for.
  void input(const std::string &name, const Extents &extents);
  void output(const std::string &name, const Extents &extents);
  const object::PortSpec &port(llvm::StringRef name) const;
  unsigned bar(llvm::StringRef name) const;

  void add(const td::RegisterImage &image) { tasks.push_back(makeTask(image)); }

  /// Lets a task read or write a port.
  void readFirst(td::RegisterImage &image, llvm::StringRef port) const;
  void readSecond(td::RegisterImage &image, llvm::StringRef port) const;
  void write(td::RegisterImage &image, llvm::StringRef port) const;

  /// The container file.
  std::string container(td::Format format) const;
};

/// A task of either engine with all it needs but operands.
td::RegisterImage neuralTask(const Extents &in, const Extents &out);
td::RegisterImage planarTask(td::TaskType type, const Extents &extents);
/// A task of the NE that passes its operand on, without coefficients.
td::RegisterImage passTask(const Extents &extents);

/// y = ln x in two tasks: a table of the binary logarithm, whose result the
/// scale of the second takes before fp16 has to hold it.
Model naturalLogarithm(const Extents &extents);

/// The file of a container, which must be one.
std::string fileOf(const object::ContainerSpec &spec);

/// Sets base and strides of a DMA direction.
void setSource(td::RegisterImage &image, unsigned bar,
               const object::TensorLayout &layout, int64_t base = 0);
void setSecondSource(td::RegisterImage &image, unsigned bar,
                     const object::TensorLayout &layout, int64_t base = 0);
void setResult(td::RegisterImage &image, unsigned bar,
               const object::TensorLayout &layout, int64_t base = 0);

/// The layout of a tensor with `factor` channels side by side.
object::TensorLayout interleavedLayout(const Extents &extents, uint32_t factor);
/// Says so in a task that reads, or writes, a surface of such a layout.
void setSourceInterleave(td::RegisterImage &image, uint32_t factor);
void setResultInterleave(td::RegisterImage &image, uint32_t factor);

/// Lets a task read the surface of fp16 numbers of source 1 as bytes.
void readBytes(td::RegisterImage &image, bool isSigned);

/// The bytes of an array that is stored as fp16, as elements of their own.
Array bytesOf(const Array &halves, bool isSigned);

/// Places of operands in the scratchpad: base, channel and row stride.
void setL2Source(td::RegisterImage &image, int64_t base, int64_t channel,
                 int64_t row, uint32_t type = 0);
void setL2SecondSource(td::RegisterImage &image, int64_t base, int64_t channel,
                       int64_t row);
void setL2Result(td::RegisterImage &image, int64_t base, int64_t channel,
                 int64_t row);

/// Enables `count` lanes of `bytes` bytes from `base` on, `step` bytes apart,
/// in the BAR of the constants.
void setLanes(td::RegisterImage &image, unsigned count, int64_t bytes,
              int64_t step, int64_t base = 0);

using Arrays = std::map<std::string, Array>;

/// Runs the program in both formats, with one thread and with three, and
/// expects the same bytes. Yields the outputs.
Arrays run(const Model &model, const Arrays &inputs,
           Numerics numerics = Numerics::Documented);

/// Loads the program in the v7 format; the message of the refusal, empty if it
/// is taken.
std::string refusal(const Model &model);

/// Reads container bytes under the name `test.hwx`.
llvm::Expected<std::unique_ptr<LoadedProgram>> loadBytes(llvm::StringRef bytes);

/// Expects every element to be within `absolute + relative * |expected|`.
/// Yields the largest error.
double expectNear(const Array &actual, const Array &expected, double absolute,
                  double relative);

/// Expects just the fp16 numbers nearest to `expected`.
void expectRounded(const Array &actual, Array expected);

/// A program of one NE task from port x to port y.
struct Unary {
  Model model;
  td::RegisterImage task;

  Unary(const Extents &in, const Extents &out);
  /// Makes it the pass of real programs.
  void pass();
  Array run(const Array &x);
};

} // namespace ane::engine::test

#endif // ANE_TEST_UNIT_ENGINE_FIXTURES_H
