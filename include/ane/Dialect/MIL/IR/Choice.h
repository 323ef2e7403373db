//===- Choice.h - What gathers and scatters choose in -----------*- C++ -*-===//

#ifndef ANE_DIALECT_MIL_IR_CHOICE_H
#define ANE_DIALECT_MIL_IR_CHOICE_H

#include "ane/Dialect/MIL/IR/MIL.h"

namespace ane::mil {

/// The indices of a gather or a scatter.
struct Choice {
  mlir::Value indices;
  /// The extent that they choose in; of tuples, along the last dimension of the
  /// indices, one for each number.
  llvm::SmallVector<int64_t> extents;
};

/// How an op chooses among elements. Nothing for one that does not, and where
/// a shape or an axis is not known at compile time.
std::optional<Choice> getChoice(mlir::Operation *op);

/// The lowest index that an op takes in a dimension of `extent` elements. Up to
/// ios16 one below 0 counts from the end. From ios17 on it is out of bounds,
/// which without `validate_indices` has no meaning: it counts from the end then
/// too (assigned).
int64_t lowestIndex(mlir::Operation *op, int64_t extent);

/// That no index which is known at compile time is out of bounds: constraint
/// `mil-index-c1`.
llvm::LogicalResult requireKnownIndices(mlir::Operation *op);

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_IR_CHOICE_H
