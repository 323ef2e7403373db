//===- Recognize.h - What programs write out --------------------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_RECOGNIZE_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_RECOGNIZE_H

#include "mlir/IR/PatternMatch.h"

namespace ane::mil {

/// Makes a `gelu` of the ops around a `tanh` or an `erf` that say the same, if
/// nothing else reads what is between; false where they do not.
bool recognizeGelu(mlir::PatternRewriter &rewriter, mlir::Operation *op);

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_RECOGNIZE_H
