//===- Machine.h - The register-level machine -------------------*- C++ -*-===//
//
// Executes a program of task descriptors over device memory: sections, base
// address registers (BARs) and registers, nothing else. Where the program came
// from is of no concern here; Program.h makes one from a container.
//
// Arithmetic is that of docs/numerics.md: operands are fp16; a
// multiply-accumulate sums in one of two models; a reduction of the planar
// engine sums in fp64. Scales, biases and activations work on the wide value,
// and a result is rounded to fp16 once, to nearest even. Results do not depend
// on the number of threads or on what vector instructions the processor has.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_ENGINE_MACHINE_H
#define ANE_ENGINE_MACHINE_H

#include "ane/Engine/Numerics.h"
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
  /// The index of a section of as many bytes, none of them contents, whose
  /// memory this one has.
  std::optional<unsigned> sharesWith = std::nullopt;
};

/// What a machine runs.
struct DeviceProgram {
  /// The text, its lane bases relative to the kernel BAR and its slots
  /// resolved, and the BARs.
  td::EncodedText text;
  std::vector<DeviceSection> sections;
};

/// Is told of every task of a run, in order. An error ends the run.
class RunObserver {
public:
  virtual ~RunObserver();
  /// Before the task reads anything.
  virtual llvm::Error before(unsigned task);
  /// When its result is where it belongs.
  virtual llvm::Error after(unsigned task);
};

struct MachineState;

/// Device memory and the tasks that work on it, checked.
class Machine {
public:
  /// Bytes of device memory that a program may ask for.
  static constexpr uint64_t maxMemory = uint64_t(64) << 30;

  /// Decodes the text, allocates the memory and checks every task, so that
  /// running cannot fail but for one reason: registers and bits whose meaning
  /// is not known, accesses outside a section or outside the scratchpad,
  /// coefficient lanes that do not hold the kernel, groups of tasks that do not
  /// close, waits for a task that does not come before. Errors are located at
  /// the descriptor and name task, register and value. docs/engine.md describes
  /// the model.
  static llvm::Expected<std::unique_ptr<Machine>>
  create(const DeviceProgram &program);

  ~Machine();

  unsigned numTasks() const;

  /// The bytes of a section without contents, by its index in
  /// DeviceProgram::sections; empty for one with contents.
  llvm::MutableArrayRef<uint8_t> memory(unsigned index);

  /// Runs all tasks in order with up to `threads` threads; 0 stands for the
  /// number of processors. Scratch and scratchpad start as zeros.
  /// Threads and memory for intermediate values are kept: a further run with as
  /// many threads allocates nothing, as long as those values take less than 256
  /// MiB and no other machine runs at the same time.
  /// Fails at a number that a result of 8 bits is not known to hold, and leaves
  /// out the tasks behind it.
  llvm::Error run(unsigned threads = 0, Numerics numerics = defaultNumerics);

  /// The same, watched. Fails with the observer, too.
  llvm::Error run(RunObserver &observer, unsigned threads = 0,
                  Numerics numerics = defaultNumerics);

  /// The registers that each task works with.
  llvm::ArrayRef<td::RegisterImage> registers() const;

  /// An error at the descriptor of a task.
  llvm::Error taskError(unsigned task, const llvm::Twine &message) const;

  /// For what watches runs, in lib/Engine/Watch.
  const MachineState &internals() const { return *state; }

private:
  explicit Machine(std::unique_ptr<MachineState> state);

  void start(unsigned threads, Numerics numerics);
  llvm::Error execute(unsigned task);

  std::unique_ptr<MachineState> state;
};

} // namespace ane::engine

#endif // ANE_ENGINE_MACHINE_H
