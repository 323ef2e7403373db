//===- NameAhead.h - Kernels named while passes go on -----------*- C++ -*-===//

#ifndef ANE_CODEGEN_NAMEAHEAD_H
#define ANE_CODEGEN_NAMEAHEAD_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/TaskDescriptor/KernelStream.h"
#include "llvm/Support/ThreadPool.h"
#include <memory>
#include <optional>

namespace ane::codegen {
struct NamedKernel;
} // namespace ane::codegen

namespace ane {

/// Packs kernels and hashes them for their names on a thread of its own, while
/// passes go on: these order and place tasks, which changes no kernel. What it
/// says of one holds for an op with the same properties alone, so that other
/// passes only cost the time.
class NameAhead {
public:
  NameAhead();
  /// Leaves what is not begun.
  ~NameAhead();

  /// Begins with the kernels of a program, if they are large. Those that cannot
  /// be packed are left to code generation, which says why.
  void begin(zin::ProgramOp program);
  /// Goes on with all threads until all that have begun have a name.
  void finish();
  /// A kernel that has a name, if it is known, for tasks with this window; not
  /// again.
  std::unique_ptr<codegen::NamedKernel> take(zin::KernelOp op,
                                             const td::KernelWindow &window);

private:
  struct Kernel;
  struct Batch;

  /// Of each program.
  std::vector<std::unique_ptr<Batch>> batches;
  llvm::DenseMap<mlir::Operation *, Kernel *> kernelOf;
  /// The last member: it ends before what it uses.
  std::optional<llvm::DefaultThreadPool> thread;
};

} // namespace ane

#endif // ANE_CODEGEN_NAMEAHEAD_H
