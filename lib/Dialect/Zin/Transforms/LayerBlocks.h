//===- LayerBlocks.h - Layers on blocks of one dimension --------*- C++ -*-===//
//
// Most layers compute a block of their result, some indices of one dimension,
// from a block of their operands, from whole operands that all blocks share, or
// from both.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERBLOCKS_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERBLOCKS_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "mlir/IR/Builders.h"
#include <optional>

namespace ane::zin {

/// Of each operand the dimension along which a block of it is needed, or
/// nothing where all blocks need all of it.
using OperandDims = llvm::SmallVector<std::optional<unsigned>, 3>;

/// What a layer needs for a block of its result along `dim`; nothing if it does
/// not keep the indices of that dimension apart.
std::optional<OperandDims> operandDims(mlir::Operation *layer, unsigned dim);

/// Whether each output of a convolution has one input channel of its own.
bool isChannelwise(ConvOp op);

/// Whether a layer moves nothing where views allow it.
bool isView(mlir::Operation *layer);

/// Indices [begin, begin + count) of a dimension.
struct IndexRange {
  int64_t begin, count;
};

/// A block of a value: a view of it, or a constant of its own for what has to
/// be at hand, as kernels.
mlir::Value blockOf(mlir::OpBuilder &builder, mlir::Location location,
                    mlir::Value value, unsigned dim, IndexRange range);

/// A copy of a layer with other operands and a result of another shape.
mlir::Operation *cloneWith(mlir::OpBuilder &builder, mlir::Operation *layer,
                           mlir::ValueRange operands,
                           llvm::ArrayRef<int64_t> shape);

/// The layer for a block of its result along `dim`.
mlir::Value cloneForBlock(mlir::OpBuilder &builder, mlir::Operation *layer,
                          mlir::ValueRange operands, unsigned dim,
                          IndexRange range);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERBLOCKS_H
