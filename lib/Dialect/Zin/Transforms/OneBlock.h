//===- OneBlock.h - Rewriting layers --------------------------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_ONEBLOCK_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_ONEBLOCK_H

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace ane::zin {

/// How patterns rewrite layers. A procedure has one block: there are no regions
/// to simplify, and to look for them walks the program once more for each
/// round. A long chain of layers may take many rounds.
inline mlir::GreedyRewriteConfig oneBlockRewrites() {
  return mlir::GreedyRewriteConfig()
      .setRegionSimplificationLevel(mlir::GreedySimplifyRegionLevel::Disabled)
      .setMaxIterations(mlir::GreedyRewriteConfig::kNoLimit);
}

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_ONEBLOCK_H
