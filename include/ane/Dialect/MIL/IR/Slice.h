//===- Slice.h - What slices take -------------------------------*- C++ -*-===//

#ifndef ANE_DIALECT_MIL_IR_SLICE_H
#define ANE_DIALECT_MIL_IR_SLICE_H

#include "ane/Dialect/MIL/IR/MIL.h"

namespace ane::mil {

/// The elements of one dimension that a slice takes: `extent` of them, `step`
/// apart, which is not 0. A squeezed dimension has one.
struct SliceDim {
  int64_t begin;
  int64_t step;
  int64_t extent;
};

/// Each dimension of `x`. Nothing where its shape or a bound is not known at
/// compile time.
std::optional<llvm::SmallVector<SliceDim>> getSlice(SliceByIndexOp op);
std::optional<llvm::SmallVector<SliceDim>> getSlice(SliceBySizeOp op);
std::optional<llvm::SmallVector<SliceDim>> getSlice(SliceUpdateOp op);

/// The extents of a slice of static type that is computed, before dimensions
/// are squeezed. Nothing where its elements are not side by side, or a type
/// leaves them open.
std::optional<llvm::SmallVector<int64_t>> getSliceExtents(SliceByIndexOp op);
std::optional<llvm::SmallVector<int64_t>> getSliceExtents(SliceBySizeOp op);
std::optional<llvm::SmallVector<int64_t>> getSliceExtents(SliceUpdateOp op);
/// The parts, in the order of the results.
std::optional<llvm::SmallVector<llvm::SmallVector<SliceDim>>>
getParts(SplitOp op);

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_IR_SLICE_H
