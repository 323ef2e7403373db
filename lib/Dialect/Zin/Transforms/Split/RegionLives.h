//===- RegionLives.h - What of a region lies in L2 at a time ----*- C++ -*-===//
//
// How long the values of a block live does not depend on its size, so that many
// sizes are tried with what is found out once.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_REGIONLIVES_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_REGIONLIVES_H

#include "Split/LayerRegions.h"

namespace ane::zin {

class RegionLives {
public:
  RegionLives(const LayerRegion &region, const RegionFinder &finder);

  /// Bytes of L2 that a block of so many units takes at most, the exponentials
  /// of softmaxes left out or not.
  int64_t peakBytes(int64_t count, bool withExponentials = false) const;

private:
  /// A value of a block from the layer that makes it to the last that reads it.
  struct Life {
    int64_t bytes; ///< of all units
    Halo halo;
    size_t first, last;
    /// What the first layer reads last lies where it does.
    bool isWrittenOver = false;
  };
  /// What a layer has for itself while it runs: tiles, and turned copies.
  struct Passing {
    size_t layer;
    int64_t bytes; ///< of all units
    Halo halo;
  };
  /// The rows that a product weighs.
  struct Weighed {
    size_t layer;
    const RowBands *rows;
    int64_t bytes, extent; ///< of all rows
    Halo halo;
  };

  void findLives();
  void findPassing(size_t index, mlir::Operation *layer, BlockDim dim);
  int64_t blockBytes(int64_t bytes, Halo halo, int64_t count) const;
  /// The group that a layer of the region is of.
  std::optional<OutputGroup> groupOf(size_t layer) const;
  void findLifeInGroup(Life &life, size_t maker) const;
  /// Whether a layer is a product that turns its operand first.
  bool turns(size_t layer) const;

  const LayerRegion &region;
  const RegionFinder &finder;
  llvm::SmallVector<Life> lives;
  llvm::SmallVector<Passing> passing;
  /// Of each softmax: they lie beside what they are made from, then beside the
  /// results.
  llvm::SmallVector<Passing> exponentials;
  llvm::SmallVector<Weighed> weighed;
  int64_t sharedBytes = 0; ///< of operands of all blocks
};

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_REGIONLIVES_H
