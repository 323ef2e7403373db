//===- ShapeParams.h - Parameters that decide shapes ------------*- C++ -*-===//
//
// Axes, sizes and lists of them, read from inputs that may be constant, may be
// computed, or may be the wrong thing altogether. An extent that is not known
// is ShapedType::kDynamic, as in a type.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_MIL_IR_SHAPEPARAMS_H
#define ANE_LIB_DIALECT_MIL_IR_SHAPEPARAMS_H

#include "Inference.h"

namespace ane::mil {

/// A number, or nothing for one that is computed.
using MaybeInt = std::optional<int64_t>;
using MaybeInts = std::optional<llvm::SmallVector<int64_t>>;

/// That an input, if present, has one element. Constraint `mil-scalar-c1`.
llvm::LogicalResult requireScalar(mlir::Operation *op, mlir::Value value,
                                  llvm::StringRef name);

/// That an input, if present, has one dimension and `count` entries; any number
/// of them without a count. Constraint `mil-vector-c1`.
llvm::LogicalResult requireList(mlir::Operation *op, mlir::Value value,
                                llvm::StringRef name,
                                MaybeInt count = std::nullopt);

/// An integer input or its default. Constraint `mil-scalar-c1`.
llvm::FailureOr<MaybeInt> scalarInt(mlir::Operation *op, mlir::Value value,
                                    llvm::StringRef name,
                                    MaybeInt defaultValue = std::nullopt);

/// The entries of an integer list. Constraint `mil-vector-c1`.
llvm::FailureOr<MaybeInts> listInts(mlir::Operation *op, mlir::Value value,
                                    llvm::StringRef name,
                                    MaybeInt count = std::nullopt);

/// The input `name` or its default, in [0, rank). Constraints `mil-scalar-c1`
/// and `mil-axes-c1`.
llvm::FailureOr<MaybeInt> scalarAxis(mlir::Operation *op, mlir::Value value,
                                     MaybeInt defaultValue, int64_t rank,
                                     llvm::StringRef name = "axis");

/// Sums and products of extents. One that does not fit 64 bits becomes a number
/// that `addResult` refuses.
int64_t addExtents(int64_t x, int64_t y);
int64_t multiplyExtents(int64_t x, int64_t y);
int64_t countElements(llvm::ArrayRef<int64_t> shape);

/// Whether two extents can be the same at run time.
inline bool agree(int64_t x, int64_t y) {
  return x == y || mlir::ShapedType::isDynamic(x) ||
         mlir::ShapedType::isDynamic(y);
}
inline bool agree(llvm::ArrayRef<int64_t> x, llvm::ArrayRef<int64_t> y) {
  return succeeded(mlir::verifyCompatibleShape(x, y));
}

/// Adds a result type, whose extents lie between 0 and 2^31 - 1 where they are
/// known. Constraint `mil-extent-c1`.
llvm::LogicalResult addResult(mlir::Operation *op,
                              llvm::SmallVectorImpl<mlir::Type> &types,
                              llvm::ArrayRef<int64_t> shape,
                              mlir::Type elementType);

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_IR_SHAPEPARAMS_H
