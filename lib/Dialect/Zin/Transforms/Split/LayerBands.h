//===- LayerBands.h - Products that weigh a few rows each -------*- C++ -*-===//
//
// A resize along rows is a product with constants, most of which are zeros:
// each output weighs two or three rows. A block of outputs then needs a band of
// rows, and of a product along columns in front of it what makes these.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_LAYERBANDS_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_LAYERBANDS_H

#include "Split/LayerBlocks.h"
#include "ane/Target/Target.h"

namespace ane::zin {

class RowBands {
public:
  /// Nothing where a layer is no such product, or weighs more than a few rows.
  static std::optional<RowBands> find(mlir::Operation *layer, unsigned dim);

  /// The rows that a block of outputs weighs.
  IndexRange rowsFor(IndexRange outputs) const;
  /// The most that one of blocks of `count` outputs weighs.
  int64_t mostRows(int64_t count) const;
  /// Those of all blocks of `count` outputs.
  int64_t allRows(int64_t count) const;
  /// The product along columns that each block of `count` outputs has for its
  /// rows, if there is one: nobody else reads it, and not much of it is
  /// computed several times.
  MatMulOp columnsInBlocks(int64_t count) const;

  MatMulOp getProduct() const { return product; }

private:
  explicit RowBands(MatMulOp product) : product(product) {}

  MatMulOp product;
  llvm::SmallVector<IndexRange> bands; ///< of each output
};

/// The product for a block of outputs, one of blocks of `count`.
mlir::Value multiplyBand(mlir::OpBuilder &builder, const RowBands &bands,
                         IndexRange outputs, int64_t count,
                         const TargetDescription &target);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_LAYERBANDS_H
