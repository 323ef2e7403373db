//===- AlongDim.h - What happens along one dimension ------------*- C++ -*-===//
//
// Slices, reversals, padding, gathers with known indices and resizing all work
// on one dimension after the other: they take elements by index, or weigh them.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_MILTOZIN_ALONGDIM_H
#define ANE_LIB_CONVERSION_MILTOZIN_ALONGDIM_H

#include "Lowering.h"

namespace ane::lowering {

/// Repeats the one element of some dimensions so many times, that of others
/// once.
mlir::Value repeat(mlir::OpBuilder &builder, mlir::Location location,
                   mlir::Value x, const Shape5 &counts);

/// The elements of `x` at `indices` along a dimension of the unit level.
/// Indices that ascend in equal steps are one view; few such runs are joined,
/// many are a product with a matrix of zeros and ones. Where each element comes
/// as often, a few times, copies of all are interleaved.
mlir::Value takeAlong(mlir::OpBuilder &builder, mlir::Location location,
                      mlir::Value x, unsigned dim,
                      llvm::ArrayRef<int64_t> indices);

/// The image whose pixels are in turn those of `rows * columns` smaller ones:
/// the rows of each row of them, and in these their columns.
mlir::Value imagesInTurns(
    mlir::OpBuilder &builder, mlir::Location location, int64_t rows,
    int64_t columns,
    llvm::function_ref<mlir::Value(int64_t row, int64_t column)> makeImage);

/// The elements of the matrices that takeAlong makes of a dimension of `extent`
/// elements.
int64_t takenMatrixElements(llvm::ArrayRef<int64_t> indices, int64_t extent);

/// A dimension of K elements multiplied by a matrix, [M, K] in row-major order:
/// element m of the result is the sum of `matrix[m, k] * x[k]`.
mlir::Value multiplyAlong(mlir::OpBuilder &builder, mlir::Location location,
                          mlir::Value x, unsigned dim,
                          llvm::ArrayRef<double> matrix);

/// Products of matrices, [1, 1, batch or 1, rows, K] and [1, 1, batch or 1, K,
/// columns].
mlir::Value multiplyMatrices(mlir::OpBuilder &builder, mlir::Location location,
                             mlir::Value x, mlir::Value y);

/// `count` equal numbers with the extents of `x` but in `dim`.
mlir::Value splatLike(mlir::OpBuilder &builder, mlir::Location location,
                      mlir::Value x, unsigned dim, int64_t count, double value);

} // namespace ane::lowering

#endif // ANE_LIB_CONVERSION_MILTOZIN_ALONGDIM_H
