//===- JoinedPhases.h - Transposed convolutions as one ----------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_JOINEDPHASES_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_JOINEDPHASES_H

#include "Replacer.h"

namespace ane::mil {

/// Puts a convolution and a move of its channels in the place of a transposed
/// one that has few outputs and large strides. Fails where that is no gain.
llvm::LogicalResult joinPhases(mlir::PatternRewriter &rewriter,
                               ConvTransposeOp op);

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_JOINEDPHASES_H
