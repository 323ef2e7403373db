//===- LayerBlocks.h - Layers on blocks of one dimension --------*- C++ -*-===//
//
// Most layers compute a block of their result, some indices of one dimension,
// from a block of their operands, from whole operands that all blocks share, or
// from both. Behind a reshape several indices may stand for one: 8 channels for
// a group of them. A window needs some rows beside those of its block.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_LAYERBLOCKS_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_LAYERBLOCKS_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Target/H13.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMapInfo.h"
#include <optional>

namespace ane::zin {

/// Indices [begin, begin + count) of a dimension.
struct IndexRange {
  int64_t begin, count;
  int64_t end() const { return begin + count; }
  bool operator==(const IndexRange &) const = default;
};

/// A dimension along which blocks lie. `unit` indices of it stay together, and
/// ranges of blocks count units.
struct BlockDim {
  unsigned dim;
  int64_t unit = 1;

  IndexRange indices(IndexRange units) const {
    return {units.begin * unit, units.count * unit};
  }
  bool operator==(const BlockDim &) const = default;
};

/// Of each operand the dimension along which a block of it is needed, or
/// nothing where all blocks need all of it.
using OperandDims = llvm::SmallVector<std::optional<BlockDim>, 3>;

/// What a layer needs for a block of its result along `dim`; nothing if it does
/// not keep the indices of that dimension apart, but for those that are near.
std::optional<OperandDims> operandDims(mlir::Operation *layer, BlockDim dim);

/// Indices that are needed in front of those of a block and behind them.
struct Halo {
  int64_t before = 0, after = 0;

  bool operator==(const Halo &) const = default;
  int64_t size() const { return before + after; }
  void include(Halo other) {
    before = std::max(before, other.before);
    after = std::max(after, other.after);
  }
};

/// What a layer needs of its first operand beside the indices of a block.
Halo windowOf(mlir::Operation *layer, unsigned dim);

/// Whether each output of a convolution has one input channel of its own.
bool isChannelwise(ConvOp op);

/// Whether a layer moves nothing where views allow it.
bool isView(mlir::Operation *layer);

/// What a value is a view of; itself where it is none.
mlir::Value viewedBy(mlir::Value value);

/// Whether a value is a parameter, or a view of one.
bool isOfParameter(mlir::Value value);

/// A block of a value: a view of it, or a constant of its own for what has to
/// be at hand, as kernels.
mlir::Value blockOf(mlir::OpBuilder &builder, mlir::Location location,
                    mlir::Value value, unsigned dim, IndexRange range);

/// Columns of a line of memory: of a parameter these are fetched as a row.
constexpr int64_t columnsOfRow = h13.rowStep();

/// Whether columns of a parameter can be fetched as rows of `columnsOfRow`:
/// those that begin within a row lose large numbers.
bool hasColumnsInRows(mlir::Value value);

/// A copy of such columns; begin and count are multiples of `columnsOfRow`.
mlir::Value copyOfColumns(mlir::OpBuilder &builder, mlir::Location location,
                          mlir::Value value, IndexRange columns);

/// A copy of a layer with other operands and a result of another shape.
mlir::Operation *cloneWith(mlir::OpBuilder &builder, mlir::Operation *layer,
                           mlir::ValueRange operands,
                           llvm::ArrayRef<int64_t> shape);

/// The sum of a layer with coefficients for parts of the `taps` indices that it
/// contracts, `perPart` of them at a time, which its operand has along `xDim`
/// and its kernel along `kernelDim`. A bias is added once.
mlir::Value sumOfParts(mlir::OpBuilder &builder, mlir::Operation *layer,
                       unsigned xDim, unsigned kernelDim, int64_t taps,
                       int64_t perPart);

/// The layer for a block of its result along `dim`, from the blocks of its
/// operands with what its window needs of them.
mlir::Value cloneForBlock(mlir::OpBuilder &builder, mlir::Operation *layer,
                          mlir::ValueRange operands, unsigned dim,
                          IndexRange range);

} // namespace ane::zin

template <> struct llvm::DenseMapInfo<ane::zin::BlockDim> {
  using BlockDim = ane::zin::BlockDim;
  static BlockDim getEmptyKey() { return {~0u}; }
  static BlockDim getTombstoneKey() { return {~0u - 1}; }
  static unsigned getHashValue(BlockDim key) {
    return llvm::DenseMapInfo<std::pair<unsigned, int64_t>>::getHashValue(
        {key.dim, key.unit});
  }
  static bool isEqual(BlockDim a, BlockDim b) { return a == b; }
};

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_LAYERBLOCKS_H
