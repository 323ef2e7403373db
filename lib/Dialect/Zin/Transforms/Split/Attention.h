//===- Attention.h - A softmax with the products around it ------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_ATTENTION_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_ATTENTION_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include <optional>

namespace ane::zin {

/// A layer and the operand of which a row makes the same row of the result.
struct Step {
  mlir::Operation *layer;
  unsigned operand;

  mlir::Value input() const { return layer->getOperand(operand); }
  mlir::Value result() const { return layer->getResult(0); }
};

/// A softmax over columns with the products around it, every value in between
/// having one reader.
struct Attention {
  MatMulOp scores;               ///< its rows are queries
  llvm::SmallVector<Step> steps; ///< behind it, the softmax among them
  MatMulOp context; ///< the last step; null if probabilities go elsewhere

  mlir::Value result() const { return steps.back().result(); }
  /// In front of the softmax with the scores of each query in a row.
  llvm::ArrayRef<int64_t> shape() {
    llvm::ArrayRef<int64_t> first = shapeOf(steps.front().result());
    return isPlane(first) ? shapeOf(scores.getResult()) : first;
  }
  /// Whether a value between the products has the scores of each query in a
  /// plane of its own.
  bool isPlane(llvm::ArrayRef<int64_t> of) {
    return of[W] != shapeOf(scores.getResult())[W];
  }

  bool hasQueriesInKernel() { return scores.getOutputsOnRows(); }
  bool hasProbabilitiesInKernel() {
    return steps.back().operand == kernelOperand;
  }
  /// The dimension of the result along which queries lie.
  unsigned rowsOfResult() {
    if (!context)
      return H;
    return hasProbabilitiesInKernel() == context.getOutputsOnRows() ? H : W;
  }

  static constexpr unsigned kernelOperand = 1;
};

/// Whether both operands of a product are computed and have their matrices
/// along channels: attention is made of such.
bool isMatrixProduct(MatMulOp op);

/// The attention that a softmax over columns is of; nothing if it is of none.
std::optional<Attention> attentionAround(SoftmaxOp softmax);

/// What is joined with planes, of `queries` neighbours for each matrix, as a
/// value [matrices or 1, 1, queries, rows, columns]; nothing if it is no such
/// one. One for all stays as it is.
std::optional<llvm::SmallVector<int64_t>>
shapeOfPlanes(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> whole,
              int64_t queries);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_ATTENTION_H
