//===- AttentionBlocks.h - Layers of blocks of attention --------*- C++ -*-===//
//
// A block of attention has some matrices of its batch, or some rows of one.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_ATTENTIONBLOCKS_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_ATTENTIONBLOCKS_H

#include "Split/SharedOperands.h"
#include "llvm/ADT/DenseMap.h"

namespace ane::zin {

/// A part of the matrices of a batch and of their rows.
struct Part {
  IndexRange matrices; ///< neighbours
  IndexRange rows;
};

/// The operand that a product with ones repeats along its batch, if a layer is
/// one.
mlir::Value repeatedBy(mlir::Operation *layer);

/// Emits the layers of blocks.
class BlockEmitter {
public:
  BlockEmitter(mlir::OpBuilder &builder, Attention &attention,
               const SharedOperands &shared)
      : builder(builder), attention(attention), shared(shared) {}

  /// The blocks of neighbours, the same rows of all of them one after the
  /// other; what they give, of each block of matrices.
  llvm::SmallVector<mlir::Value> emit(IndexRange matrices, BlockSize size);

private:
  /// An operand that all blocks of some matrices read.
  struct ForAll {
    mlir::Value value;
    bool turned = false;
  };
  /// What all blocks of some matrices read.
  struct Matrices {
    IndexRange range;
    ForAll keys, values;
  };

  /// In front of the blocks of matrices; `again` says that there are several.
  Matrices begin(IndexRange matrices, bool again);
  mlir::Value emit(const Matrices &matrices, IndexRange rows);
  ForAll operandForAll(MatMulOp product, unsigned operand, IndexRange matrices,
                       bool again);
  mlir::Value operandOf(mlir::OpOperand &operand, llvm::ArrayRef<int64_t> whole,
                        const Part &block);
  mlir::Value planesOf(mlir::Value value, llvm::ArrayRef<int64_t> whole,
                       const Part &block);
  mlir::Value emitScores(const ForAll &keys, const Part &block);
  mlir::Value emitProduct(MatMulOp product, const ForAll &forAll,
                          bool ownIsKernel, mlir::Value own, const Part &block,
                          unsigned rowsDim);

  /// A part of a shared operand, in L2.
  struct Copy {
    std::array<IndexRange, 3> place;
    IndexRange rows;
    mlir::Value value;
  };

  mlir::OpBuilder &builder;
  Attention &attention;
  const SharedOperands &shared;
  /// With planes, in their shape.
  llvm::DenseMap<mlir::Value, mlir::Value> joined;
  llvm::DenseMap<mlir::OpOperand *, Copy> copies; ///< the last of each
};

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_ATTENTIONBLOCKS_H
