//===- RowMoves.h - Chains of moves as one move of whole rows ---*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYOUT_ROWMOVES_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYOUT_ROWMOVES_H

#include "mlir/IR/PatternMatch.h"

namespace ane::zin {

/// Makes reshapes and transposes that follow each other a move of rows, turned
/// to lie there and back where need be, if that turns elements fewer times.
void populateRowMoves(mlir::RewritePatternSet &patterns);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYOUT_ROWMOVES_H
