//===- FuseInputScale.h - Scales of what layers read ------------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_FUSEINPUTSCALE_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_FUSEINPUTSCALE_H

#include "ane/Support/PassStatistic.h"
#include "mlir/IR/PatternMatch.h"

namespace ane::zin {

/// layer(x * scale) -> layer(x) with a scale behind its sums, for layers that
/// have their biases and activations.
void populateInputScalePatterns(mlir::RewritePatternSet &patterns,
                                PassStatistic &count);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_FUSEINPUTSCALE_H
