//===- KernelRows.h - Rows of a computed kernel -----------------*- C++ -*-===//
//
// A lane of a task has one row of a computed matrix, or several that lie side
// by side. Verified by two products and an attention of Apple's compiler: a
// task copies rows so that 8 lie side by side, or 4, and then one makes 128
// outputs, or 64; by the numbers of tasks that products of 16 to 512 rows take,
// what is left is cut likewise.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_ZINTOTASKS_KERNELROWS_H
#define ANE_LIB_CONVERSION_ZINTOTASKS_KERNELROWS_H

#include "TaskBuilder.h"

namespace ane::tasks {

/// Rows of a computed matrix that follow each other, an output each.
struct KernelRows {
  int64_t begin, count;
  int64_t interleave; ///< of them in each lane

  int64_t end() const { return begin + count; }
};

/// The rows of each task; with `interleaves` several in a lane, as many as its
/// memory holds.
llvm::SmallVector<KernelRows> kernelRows(const TargetDescription &target,
                                         int64_t outputs, int64_t taps,
                                         bool interleaves);

/// The rows that lie in the lanes alike, for a copy.
llvm::SmallVector<KernelRows> copiedRows(llvm::ArrayRef<KernelRows> tasks);

/// How many rows of all lie side by side in a lane of each task; 1 if not of
/// all as many.
int64_t interleaveOf(const TargetDescription &target, int64_t outputs,
                     int64_t taps);

/// The kernel of a task, [matrices, 1, outputs of a lane, lanes, taps]. `rows`
/// are [matrices, 1, 1, rows, taps] from `first` on.
View kernelOf(const View &rows, int64_t first, const KernelRows &task);

/// What a computed product is made of.
struct ProductExtents {
  int64_t matrices, outputs, taps;
  int64_t kept;       ///< columns of the source and the result
  int64_t runs;       ///< of the columns, which L2 holds one at a time
  int64_t kernels;    ///< matrices of the kernel: all or one
  bool isInterleaved; ///< rows lie side by side already
  bool isNear;        ///< L2 is expected to hold the kernels
  bool mayStream;     ///< the source can come from memory for each task
};

/// How it is made.
struct ProductPlan {
  bool interleaves = false; ///< rows lie side by side
  bool streams = false;     ///< the source comes for each task, not in runs
};

/// The way that takes the least time between engine and memory.
ProductPlan planProduct(const TargetDescription &target,
                        const ProductExtents &product);

} // namespace ane::tasks

#endif // ANE_LIB_CONVERSION_ZINTOTASKS_KERNELROWS_H
