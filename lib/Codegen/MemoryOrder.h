//===- MemoryOrder.h - Which transfers wait for others ----------*- C++ -*-===//

#ifndef ANE_LIB_CODEGEN_MEMORYORDER_H
#define ANE_LIB_CODEGEN_MEMORYORDER_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/TaskDescriptor/Values.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace ane::codegen {

/// What the transfers of a task wait for.
struct MemoryWaits {
  td::DependencyMode sources = td::DependencyMode::None;
  td::DependencyMode result = td::DependencyMode::None;
};

/// Follows a program through memory. A task waits if it fetches what an earlier
/// one stored, unless a task since then has waited, which is for all before it;
/// it says so with source 1, whichever source it is: verified in eight
/// programs. A result waits if it replaces bytes of scratch that were fetched
/// since, or that were ever a kernel: verified, and that fetching comes second,
/// assigned. So is a wait for what is stored over.
class MemoryOrder {
public:
  explicit MemoryOrder(llvm::ArrayRef<zin::BufferOp> buffers);

  /// The next task; whether its result has an image in memory, and source 1.
  MemoryWaits next(zin::TaskOp task, bool savesResult, bool restoresSource);

private:
  /// The bytes of a buffer in scratch; none elsewhere.
  struct Bytes {
    int64_t begin = 0, end = 0;
  };
  using Buffers = llvm::SmallMapVector<mlir::StringAttr, Bytes, 4>;

  bool isStored(zin::ViewAttr view) const;
  bool meets(const Buffers &buffers, mlir::StringAttr written) const;

  llvm::DenseMap<mlir::StringAttr, Bytes> scratch;
  /// Since the last wait.
  llvm::DenseMap<mlir::StringAttr, llvm::SmallVector<zin::ViewAttr, 2>> stored;
  Buffers fetched;
  Buffers kernels; ///< ever
};

} // namespace ane::codegen

#endif // ANE_LIB_CODEGEN_MEMORYORDER_H
