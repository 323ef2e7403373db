//===- MovedBiases.h - Biases that another product adds ---------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_MOVEDBIASES_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_MOVEDBIASES_H

#include "ane/Dialect/Zin/IR/Zin.h"

namespace ane::zin {

/// Columns of a product where a layer reads them that is no view.
struct ReadColumns {
  mlir::OpOperand *use;
  int64_t begin, count;
};

/// All reads of a value, through views; nothing if one of these does not keep
/// columns side by side.
std::optional<llvm::SmallVector<ReadColumns>> readsOfColumns(mlir::Value value);

/// The bias of a product, zeros where it has none.
std::vector<uint16_t> biasOf(MatMulOp op);

/// A constant row for a product; null where all of it is 0.
mlir::Value makeBias(mlir::OpBuilder &builder, MatMulOp op,
                     llvm::ArrayRef<uint16_t> bits);

/// For products that have one bias: where their results are added to those of
/// products with a constant kernel that are read nowhere else, as a state and
/// an input are in a step of a recurrent layer, these take the bias over. The
/// products keep what of it is left, if any.
void moveBiases(llvm::ArrayRef<MatMulOp> products);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_MOVEDBIASES_H
