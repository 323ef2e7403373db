//===- FoldOutputScale.h - Scales and offsets of outputs --------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_FOLDOUTPUTSCALE_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_FOLDOUTPUTSCALE_H

#include "ane/Support/PassStatistic.h"
#include "mlir/IR/Region.h"

namespace ane::zin {

/// layer(x) * scale + offset, both with one number or one for each output ->
/// layer(x) with other coefficients and another bias; also where moves are in
/// between, or several layers side by side.
llvm::LogicalResult foldOutputScales(mlir::Region &region,
                                     PassStatistic &count);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_FOLDOUTPUTSCALE_H
