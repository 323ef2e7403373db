//===- RewriteOps.h - Patterns over the ops of a program --------*- C++ -*-===//

#ifndef ANE_SUPPORT_REWRITEOPS_H
#define ANE_SUPPORT_REWRITEOPS_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace ane {

/// Applies patterns to the ops of a region until none matches any more. Every
/// pattern has a kind of op that it is for.
///
/// MLIR's driver for regions visits all ops, moves constants together, whose
/// places in the source are lost then, and looks for blocks that nothing
/// reaches, whatever the patterns are for. This one begins with the ops that
/// some pattern is for and those that nobody needs, and goes on to what
/// changes.
inline llvm::LogicalResult
rewriteOps(mlir::Region &region, const mlir::FrozenRewritePatternSet &patterns,
           mlir::GreedyRewriteConfig config = {}) {
  const auto &patternsOf = patterns.getOpSpecificNativePatterns();
  config.setScope(&region);
  // A pattern may look further than to the neighbours of what changes.
  bool changed = true;
  while (changed) {
    llvm::SmallVector<mlir::Operation *> ops;
    region.walk([&](mlir::Operation *op) {
      if (patternsOf.contains(op->getName()) || mlir::isOpTriviallyDead(op))
        ops.push_back(op);
    });
    if (failed(mlir::applyOpPatternsGreedily(ops, patterns, config, &changed)))
      return llvm::failure();
  }
  return llvm::success();
}

} // namespace ane

#endif // ANE_SUPPORT_REWRITEOPS_H
