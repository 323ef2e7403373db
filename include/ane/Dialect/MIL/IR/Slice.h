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
std::optional<llvm::SmallVector<SliceDim>> getSlice(CropOp op);

/// One dimension of a slice of which a bound is computed: `extent` elements,
/// `step` apart. Where they begin may follow from the extents and the masks.
struct ComputedDim {
  int64_t extent;
  int64_t step;
  std::optional<int64_t> begin;
  /// Whether a computed `begin` that is beyond the edge stands for the edge.
  bool clamps;
};

/// Each dimension of a slice of static type, before any is squeezed. Nothing
/// where a step is computed, or a type leaves extents open.
std::optional<llvm::SmallVector<ComputedDim>>
getComputedSlice(SliceByIndexOp op);
std::optional<llvm::SmallVector<ComputedDim>>
getComputedSlice(SliceBySizeOp op);
std::optional<llvm::SmallVector<ComputedDim>>
getComputedSlice(SliceUpdateOp op);

/// The part of a list that has an entry, and the place of that in it, where the
/// list is joined of lists of known extents, or of scalars.
std::optional<std::pair<mlir::Value, int64_t>> joinedPart(mlir::Value list,
                                                          int64_t index);

/// The parts, in the order of the results.
std::optional<llvm::SmallVector<llvm::SmallVector<SliceDim>>>
getParts(SplitOp op);

/// What a slice, or a result of a split, has of one dimension of `whole`.
struct Cut {
  mlir::Value whole;
  SliceDim dim;
};

/// Nothing where another dimension is cut as well; -1 is the last one.
std::optional<Cut> getCut(mlir::Value value, int64_t dim);

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_IR_SLICE_H
