//===- Inference.h - Shared pieces of type inference ------------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_MIL_IR_INFERENCE_H
#define ANE_LIB_DIALECT_MIL_IR_INFERENCE_H

#include "ane/Dialect/MIL/IR/MIL.h"

namespace ane::mil {

/// The ranked tensor type of an input; null for a list or the like.
inline mlir::RankedTensorType tensorType(mlir::Value value) {
  return mlir::dyn_cast<mlir::RankedTensorType>(value.getType());
}

/// The shape two shapes broadcast to. Constraint `mil-broadcast-c1`.
llvm::FailureOr<llvm::SmallVector<int64_t>>
broadcast(mlir::Operation *op, llvm::ArrayRef<int64_t> x,
          llvm::ArrayRef<int64_t> y);

/// An axis in [-rank, rank) as one in [0, rank). Constraint `mil-axes-c1`.
llvm::FailureOr<int64_t> normalizeAxis(mlir::Operation *op, int64_t axis,
                                       int64_t rank);

/// Whether a value is a constant or computed from constants. Gives up, with no,
/// on a value that more than 256 ops or operands lead to, so that checking a
/// program takes linear time.
bool isKnownAtCompileTime(mlir::Value value);

/// The axes of a constant input, normalised and sorted. Constraints
/// `mil-axes-c1` and `mil-axes-c2`.
llvm::FailureOr<llvm::SmallVector<int64_t>>
normalizeAxes(mlir::Operation *op, mlir::Value axes, int64_t rank);

/// That a parameter is absent or has one element for each channel of `x`, which
/// has rank 2 or more.
llvm::LogicalResult requireChannels(mlir::Operation *op,
                                    llvm::StringRef constraint,
                                    mlir::RankedTensorType x,
                                    mlir::Value parameter,
                                    llvm::StringRef name);

/// The shape that remains of `shape` without the dimensions `axes`, or with
/// extent 1 in their place.
llvm::SmallVector<int64_t> reducedShape(llvm::ArrayRef<int64_t> shape,
                                        llvm::ArrayRef<int64_t> axes,
                                        bool keepDims);

/// Adds the type of an input: the result has the same.
inline llvm::LogicalResult
sameTypeAs(mlir::Value input, llvm::SmallVectorImpl<mlir::Type> &types) {
  types.push_back(input.getType());
  return llvm::success();
}

/// Adds the result's declared type: inference has nothing to say.
inline llvm::LogicalResult
keepDeclared(mlir::Operation *op, llvm::SmallVectorImpl<mlir::Type> &types) {
  llvm::append_range(types, op->getResultTypes());
  return llvm::success();
}

/// Whether a value of one type may be declared with the other: extents agree
/// where both are known.
bool areCompatible(mlir::Type declared, mlir::Type inferred);

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_IR_INFERENCE_H
