//===- L2Candidates.h - What could stay in the scratchpad -------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_L2CANDIDATES_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_L2CANDIDATES_H

#include "ane/Dialect/Zin/IR/L2Place.h"
#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Target/Target.h"

namespace ane::zin {

/// A buffer that could stay in L2 for some of its accesses.
struct L2Candidate {
  struct Use {
    size_t task;
    Access::Role role;
    ViewAttr view;
  };

  BufferOp buffer;
  llvm::SmallVector<Use> uses; ///< those that find it in L2
  L2Layout layout;
  /// The tasks while it lies there, with a neighbour that may run beside the
  /// first or the last.
  size_t first = 0, last = 0;
  int64_t saving = 0;         ///< bytes of DMA
  bool staysInMemory = false; ///< some access reads it from there
  bool isScratch = false;
  /// Candidates that may have the same place, one after the other: a task that
  /// is the last to read the first computes the second from it element by
  /// element. Their layouts are equal.
  llvm::SmallVector<size_t, 2> partners;
  bool isPlaced = false;
  int64_t base = 0; ///< once it is placed

  /// Bytes of L2 times tasks.
  double area() const { return double(layout.bytes) * (last - first + 1); }
};

/// Buffers that save DMA if they stay in L2, by the order of their first use.
/// `passes` has the times that a task reads its first source.
llvm::SmallVector<L2Candidate, 0>
findL2Candidates(llvm::MutableArrayRef<TaskOp> tasks, llvm::ArrayRef<int64_t> passes,
                 mlir::SymbolTable &symbols, const TargetDescription &target);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_L2CANDIDATES_H
