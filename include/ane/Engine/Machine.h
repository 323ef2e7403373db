//===- Machine.h - The register-level machine -------------------*- C++ -*-===//
//
// Executes a program of task descriptors over device memory: sections, base
// address registers (BARs) and registers, nothing else. Where the program came
// from is of no concern here; Program.h makes one from a container.
//
// Arithmetic ("documented" numerics): operands are fp16, their products exact.
// A multiply-accumulate sums in fp32, tap after tap in the order of the
// coefficient stream; a reduction of the planar engine sums in fp64. Scales,
// biases and activations work on the wide value, and a result is rounded to
// fp16 once, to nearest even. A NaN among the operands counts as +infinity and
// an indeterminate result as +0 (both measured on M1). Results do not depend on
// the number of threads or on what vector instructions the processor has.
//
// Not modelled: the overflow of the accumulator at 2^15, and denormals that the
// multiply-accumulate flushes (both measured on M1).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_ENGINE_MACHINE_H
#define ANE_ENGINE_MACHINE_H

#include "ane/TaskDescriptor/TaskDescriptor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace ane::engine {

/// A contiguous piece of device memory.
struct DeviceSection {
  std::string name; ///< for errors
  uint64_t address = 0;
  uint64_t size = 0;
  /// `size` bytes that must outlive the machine and are never written; empty
  /// for memory that starts as zeros.
  llvm::ArrayRef<uint8_t> contents;
  bool writable = false; ///< tasks may write it
  bool scratch = false;  ///< zero again at the start of every run
};

/// What a machine runs.
struct DeviceProgram {
  /// The text, its lane bases relative to the kernel BAR and its slots
  /// resolved, and the BARs.
  td::EncodedText text;
  std::vector<DeviceSection> sections;
};

/// Device memory and the tasks that work on it, checked.
class Machine {
public:
  /// Bytes of device memory that a program may ask for.
  static constexpr uint64_t maxMemory = uint64_t(64) << 30;

  /// Decodes the text, allocates the memory and checks every task, so that
  /// running cannot fail: registers and bits whose meaning is not known,
  /// accesses outside a section or outside the scratchpad, coefficient lanes
  /// that do not hold the kernel. Errors are located at the descriptor and name
  /// task, register and value.
  static llvm::Expected<std::unique_ptr<Machine>>
  create(const DeviceProgram &program);

  ~Machine();

  unsigned numTasks() const;

  /// The bytes of a section without contents, by its index in
  /// DeviceProgram::sections; empty for one with contents.
  llvm::MutableArrayRef<uint8_t> memory(unsigned index);

  /// Runs all tasks in order with up to `threads` threads; 0 stands for the
  /// number of processors. Scratch and scratchpad start as zeros.
  void run(unsigned threads = 0);

private:
  struct State;
  explicit Machine(std::unique_ptr<State> state);

  std::unique_ptr<State> state;
};

} // namespace ane::engine

#endif // ANE_ENGINE_MACHINE_H
