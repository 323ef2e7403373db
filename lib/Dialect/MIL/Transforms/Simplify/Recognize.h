//===- Recognize.h - What programs write out --------------------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_RECOGNIZE_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_RECOGNIZE_H

#include "ane/Dialect/MIL/IR/MIL.h"
#include "mlir/IR/PatternMatch.h"

namespace ane::mil {

/// Makes a `gelu` of the ops around a `tanh` or an `erf` that say the same, if
/// nothing else reads what is between; false where they do not.
bool recognizeGelu(mlir::PatternRewriter &rewriter, mlir::Operation *op);

/// Makes a `concat` of the values that are padded with zeros to be summed, if
/// each place has one of them and nothing else reads what is between; false
/// where they are not.
bool recognizeJoin(mlir::PatternRewriter &rewriter, AddOp sum);

/// Makes a `softmax` of a quotient, or of a product with an inverse, that says
/// the same, if nothing else reads what is between; false where it does not.
bool recognizeSoftmax(mlir::PatternRewriter &rewriter, mlir::Operation *op);

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_RECOGNIZE_H
