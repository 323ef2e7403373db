//===- CountingPattern.h - Patterns that count what they did ----*- C++ -*-===//

#ifndef ANE_SUPPORT_COUNTINGPATTERN_H
#define ANE_SUPPORT_COUNTINGPATTERN_H

#include "ane/Support/PassStatistic.h"
#include "mlir/IR/PatternMatch.h"

namespace ane {

/// A pattern of a pass that adds to one of its statistics.
template <typename Op> struct CountingPattern : mlir::OpRewritePattern<Op> {
  CountingPattern(mlir::MLIRContext *context, PassStatistic &count)
      : mlir::OpRewritePattern<Op>(context), count(count) {}

  PassStatistic &count;
};

} // namespace ane

#endif // ANE_SUPPORT_COUNTINGPATTERN_H
