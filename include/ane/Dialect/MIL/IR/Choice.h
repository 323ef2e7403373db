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

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_IR_CHOICE_H
