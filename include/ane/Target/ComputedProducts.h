//===- ComputedProducts.h - Products of two computed matrices ---*- C++ -*-===//
//
// One of the matrices is the kernel. A lane of a task has one row of it, or
// several that lie side by side. Verified by two products and an attention of
// Apple's compiler: a task copies rows so that 8 lie side by side, or 4, and
// then one makes 128 outputs, or 64; by the numbers of tasks that products of
// 16 to 512 rows take, what is left is cut likewise.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TARGET_COMPUTEDPRODUCTS_H
#define ANE_TARGET_COMPUTEDPRODUCTS_H

#include "ane/Target/Target.h"
#include "llvm/ADT/SmallVector.h"

namespace ane {

/// The bytes to and from memory that a task less is worth. Apple's compiler
/// copies 64 rows of 64 numbers so that a task has them in the place of four:
/// 16,384 bytes more for two tasks less (verified: a product and an attention).
/// So this is the least that a task can be worth to it; that it is worth no
/// more, and as much beside other matrices, is assigned. The cost model has 44
/// cycles for it, 1,569 bytes.
inline constexpr int64_t savedTaskBytes = 8192;

/// What a task more has to save where operands change places for less traffic.
/// A product of 128 rows with 64 x 64 takes two tasks of Apple's compiler,
/// where three would move 16,384 bytes less; an attention of 128 rows takes 9,
/// where 11 would move 32,640 less (both reported). More is assigned.
inline constexpr int64_t exchangeTaskBytes = 16384;

/// Rows of a computed matrix that follow each other, an output each.
struct KernelRows {
  int64_t begin, count;
  int64_t interleave; ///< of them in each lane

  int64_t end() const { return begin + count; }
  /// Those of a task, and the tasks that have all.
  int64_t perTask(const TargetDescription &target) const {
    return interleave * target.neuralEngines;
  }
  int64_t tasks(const TargetDescription &target) const;
};

/// All rows, those that lie in the lanes alike together; with `interleaves`
/// several in a lane, as many as its memory holds.
llvm::SmallVector<KernelRows> kernelRows(const TargetDescription &target,
                                         int64_t outputs, int64_t taps,
                                         bool interleaves);

/// How many rows of all lie side by side in a lane of each task; 1 if not of
/// all as many.
int64_t interleaveOf(const TargetDescription &target, int64_t outputs,
                     int64_t taps);

/// What a computed product is made of.
struct ProductExtents {
  int64_t matrices, outputs, taps;
  int64_t kept;               ///< columns of the source and the result
  int64_t runs;               ///< of the columns, which L2 holds one at a time
  int64_t kernels;            ///< matrices of the kernel: all or one
  bool isInterleaved = false; ///< rows lie side by side already
  bool isNear = false;        ///< L2 is expected to hold the kernels
  bool isSourceNear = false;  ///< and the source
  bool mayStream = false;     ///< the source can come from memory for each task
  bool turnsBack = false;     ///< outputs lie along the columns of the result
};

/// What tasks cost. In floating point: extents may still be any.
struct ProductCost {
  double bytes = 0; ///< that memory moves
  double tasks = 0;

  /// Less with its tasks as bytes, or as much with fewer tasks.
  bool isLessThan(const ProductCost &other,
                  int64_t taskBytes = savedTaskBytes) const;
};

/// How it is made.
struct ProductPlan {
  bool interleaves = false; ///< rows lie side by side
  bool streams = false;     ///< the source comes for each task, not in runs
  bool turnsApart = false;  ///< a copy turns the result back, not the products
  ProductCost cost;
};

/// The way that costs least.
ProductPlan planProduct(const TargetDescription &target,
                        const ProductExtents &product);

} // namespace ane

#endif // ANE_TARGET_COMPUTEDPRODUCTS_H
