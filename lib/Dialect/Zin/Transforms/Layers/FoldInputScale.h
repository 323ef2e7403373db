//===- FoldInputScale.h - Scales and offsets of channels --------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_FOLDINPUTSCALE_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_FOLDINPUTSCALE_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace ane::zin {

/// layer(x * scale + offset), both with a number for each index that the layer
/// contracts -> layer(x) with other coefficients and another bias.
void populateFoldInputScale(mlir::RewritePatternSet &patterns,
                            mlir::Pass::Statistic &count);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_FOLDINPUTSCALE_H
