//===- EarlyNeurons.h - Activations in front of moves -----------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYOUT_EARLYNEURONS_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYOUT_EARLYNEURONS_H

#include "mlir/IR/PatternMatch.h"

namespace ane::zin {

/// f(moves(layers)) -> moves(f(layers)) for convolutions and products, which
/// take an activation, behind reshapes, transposes and concatenations.
void populateEarlyNeurons(mlir::RewritePatternSet &patterns);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYOUT_EARLYNEURONS_H
