//===- StackTaps.h - Long and dilated windows of one row --------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_STACKTAPS_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_STACKTAPS_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Target/Target.h"
#include "mlir/IR/PatternMatch.h"

namespace ane::zin {

class MadeKernels;

/// What so many taps of a window see, with what is between them.
constexpr int64_t dilatedExtent(int64_t taps, int64_t dilation) {
  return (taps - 1) * dilation + 1;
}

/// Whether L2 does not have what a convolution reads.
bool comesFromMemory(ConvOp op, const TargetDescription &target);

/// Makes dilated windows of one row, whose taps are lines of memory apart,
/// windows of rows.
void populateStepsAsRows(mlir::RewritePatternSet &patterns,
                         const TargetDescription &target, MadeKernels &kernels);

/// Makes windows of larger strides than a task has windows over the elements of
/// a step as channels. Sets `addsZeros` if a kernel gets some.
void populateStepsAsChannels(mlir::RewritePatternSet &patterns,
                             const TargetDescription &target, bool &addsZeros,
                             MadeKernels &kernels);

/// Makes windows of one row that have more columns than a kernel, or zeros
/// between them, windows of several copies of it.
void populateStackTaps(mlir::RewritePatternSet &patterns,
                       const TargetDescription &target, MadeKernels &kernels);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_STACKTAPS_H
