//===- Views.h - Parts of values and values of parts ------------*- C++ -*-===//
//
// Passes and lowerings that cut values and join them again make the layers
// here. What would change nothing makes none: the value itself is the result.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ZIN_IR_VIEWS_H
#define ANE_DIALECT_ZIN_IR_VIEWS_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "mlir/IR/Builders.h"
#include <array>

namespace ane::zin {

/// The permutation of a transpose that turns matrices.
inline constexpr std::array<int64_t, numDims> rowsAndColumns = {N, D, C, W, H};

/// Whether an op is such a transpose; null is none.
bool turnsMatrices(mlir::Operation *op);

/// The `shape` elements of `x` from `begin` on that are `strides` apart, each
/// an entry for every `Dim`. Without strides they are next to each other.
mlir::Value viewOf(mlir::OpBuilder &builder, mlir::Location location,
                   mlir::Value x, llvm::ArrayRef<int64_t> begin,
                   llvm::ArrayRef<int64_t> shape,
                   llvm::ArrayRef<int64_t> strides = {});

/// The same of one dimension; of the others all elements.
mlir::Value viewAlong(mlir::OpBuilder &builder, mlir::Location location,
                      mlir::Value x, unsigned dim, int64_t begin, int64_t count,
                      int64_t stride = 1);

/// The elements of a value, in their order, in another shape.
mlir::Value reshapeTo(mlir::OpBuilder &builder, mlir::Location location,
                      mlir::Value value, llvm::ArrayRef<int64_t> shape);

/// A value with its dimensions in another order: dimension i of the result is
/// dimension `permutation[i]`.
mlir::Value transposeBy(mlir::OpBuilder &builder, mlir::Location location,
                        mlir::Value value, llvm::ArrayRef<int64_t> permutation);

/// Values joined along a dimension: one behind the other or, if `interleave`,
/// in turns.
mlir::Value concatAlong(mlir::OpBuilder &builder, mlir::Location location,
                        llvm::ArrayRef<mlir::Value> values, unsigned dim,
                        bool interleave = false);

/// A copy of a value, which L2 may keep: a concatenation of it alone.
mlir::Value copyOf(mlir::OpBuilder &builder, mlir::Location location,
                   mlir::Value value);

} // namespace ane::zin

#endif // ANE_DIALECT_ZIN_IR_VIEWS_H
