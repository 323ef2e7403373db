//===- FoldInputScale.h - Scales and offsets of channels --------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_FOLDINPUTSCALE_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_FOLDINPUTSCALE_H

#include "ane/Support/PassStatistic.h"
#include "mlir/IR/PatternMatch.h"

namespace ane::zin {

/// layer(x * scale + offset), both with a number for each index that the layer
/// contracts -> layer(x) with other coefficients and another bias.
void populateFoldInputScale(mlir::RewritePatternSet &patterns,
                            PassStatistic &count);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_FOLDINPUTSCALE_H
