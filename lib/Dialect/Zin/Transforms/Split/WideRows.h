//===- WideRows.h - Convolutions of rows that L2 does not hold --*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_WIDEROWS_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_WIDEROWS_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Target/Target.h"
#include "mlir/IR/PatternMatch.h"

namespace ane::zin {

/// Adds the rules of zin-legalize for convolutions of which L2 does not hold
/// the rows of one window.
void populateWideRowPatterns(mlir::RewritePatternSet &patterns,
                             const TargetDescription &target);

/// A convolution of each channel with its own kernel that takes the place of
/// `op`: several of parts of the channels, side by side, where L2 does not hold
/// the rows of a window of all. `op` itself if it does.
mlir::Value splitWideChannels(mlir::OpBuilder &builder, ConvOp op,
                              const TargetDescription &target);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_WIDEROWS_H
