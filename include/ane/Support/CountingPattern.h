//===- CountingPattern.h - Patterns that count what they did ----*- C++ -*-===//

#ifndef ANE_SUPPORT_COUNTINGPATTERN_H
#define ANE_SUPPORT_COUNTINGPATTERN_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace ane {

/// A pattern of a pass that adds to one of its statistics.
template <typename Op> struct CountingPattern : mlir::OpRewritePattern<Op> {
  CountingPattern(mlir::MLIRContext *context, mlir::Pass::Statistic &count)
      : mlir::OpRewritePattern<Op>(context), count(count) {}

  mlir::Pass::Statistic &count;
};

} // namespace ane

#endif // ANE_SUPPORT_COUNTINGPATTERN_H
