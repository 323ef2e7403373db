//===- LayerRegions.h - Layers that blocks go through together --*- C++ -*-===//
//
// Connected layers that keep the indices of a dimension apart can run block by
// block: of what lies between them L2 then holds a block. Which dimension that
// is differs from value to value where reshapes and transposes are between.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_LAYERREGIONS_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_LAYERREGIONS_H

#include "Split/LayerBands.h"
#include "Split/OutputGroups.h"
#include "ane/Target/Target.h"
#include "ane/TaskDescriptor/Fields.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include <memory>

namespace ane::zin {

struct LayerRegion {
  /// The layers in the order of the program, and the dimension of their results
  /// along which blocks lie.
  llvm::MapVector<mlir::Operation *, BlockDim> layers;
  int64_t extent = 0;     ///< units of that dimension, of all of them the same
  int64_t blockCount = 0; ///< units in a block, the last having what is left
  /// Units beside those of a block that layers compute for windows behind them.
  llvm::DenseMap<mlir::Operation *, Halo> halos;
  /// Values from outside of which a block is fetched once for several tasks,
  /// and what these need beside it.
  llvm::MapVector<std::pair<mlir::Value, BlockDim>, Halo> staged;
  /// Layers that a block runs a part of the outputs at a time.
  llvm::SmallVector<OutputGroup> groups;
  /// Operands of all blocks that would come from memory for each.
  llvm::SetVector<mlir::Value> shared;

  bool contains(mlir::Operation *layer) const {
    return layer && layers.contains(layer);
  }
  /// Whether a staged value is rows that convolutions alone read, all of them
  /// the same: the first one leaves them in L2 for the others.
  bool isReadAlike(std::pair<mlir::Value, BlockDim> value) const;
  /// What a layer needs beside a block of its operands along this dimension.
  Halo haloOfOperands(mlir::Operation *layer) const;
  /// Whether blocks are images of a batch, for all layers.
  bool isOfImages() const;
  /// A block with what is beside it.
  IndexRange around(IndexRange block, Halo halo) const;
};

/// Outputs of computed coefficients that a task has: a row of them in each
/// lane.
constexpr int64_t computedOutputs = td::numLanes;

bool isConstant(mlir::Value value);

/// Bytes that a value is in memory, without what is between its rows.
int64_t dmaBytes(mlir::Value value);

/// Whether blocks of an operand from outside are columns that are fetched as
/// rows: such blocks begin and end with rows.
bool isOfRows(std::pair<mlir::Value, BlockDim> staged);

/// Whether layers that make the parts of a concatenation write them there.
bool joinsInPlace(mlir::Operation *layer);

/// Whether an operand holds the coefficients of a layer, which come from memory
/// each time.
bool isWeighed(mlir::Operation *layer, mlir::Value operand);

/// Whether several tasks each read the first operand.
bool readsAgain(mlir::Operation *layer);

/// Whether a concatenation joins along `dim` what is then a result of the
/// procedure: no task can read that.
bool joinsOutput(mlir::Operation *user, unsigned dim);

/// Whether layers outside of a region read what one of it computes.
bool isReadBehind(mlir::Operation *layer, const LayerRegion &region);

/// Whether the tasks of a layer may write over what they read.
bool isElementByElement(mlir::Operation *layer);

class RegionLives;

class RegionFinder {
public:
  explicit RegionFinder(const TargetDescription &target) : target(target) {}

  /// The layers around this one, in blocks that L2 holds, if that moves fewer
  /// bytes: parts of them in the order of the program, each with blocks of its
  /// own.
  llvm::SmallVector<LayerRegion, 1> around(mlir::Operation *seed);

  /// Finds out again what comes from outside of a part and what is beside its
  /// blocks: layers in front of it have been replaced.
  void update(LayerRegion &region) const;

  /// What is known of a product that weighs a few rows for each output; null of
  /// other layers. Valid until it is forgotten.
  const RowBands *bandsOf(mlir::Operation *layer, BlockDim dim) const;

  /// Whether zin-tile-rows can cut a layer, if each of its images is computed
  /// for itself, and L2 has room for more than a few rows.
  bool hasBlocksOfRows(mlir::Operation *layer, int64_t images = 1) const;

  /// Bytes of a value in L2.
  int64_t bytesOf(mlir::Value value) const;

  /// Has to be called when layers have been erased.
  void forget() {
    seen.clear();
    bands.clear();
  }

private:
  struct Choice {
    llvm::SmallVector<LayerRegion, 1> parts;
    int64_t saved = 0; ///< bytes of DMA, by estimate

    llvm::SmallVector<mlir::Operation *> layers() const;
  };

  /// The layers around this one, if blocks of them along one of these
  /// dimensions of its result save more than the choice.
  void tryAround(mlir::Operation *seed, llvm::ArrayRef<unsigned> dims,
                 Choice &best);
  /// What is best around a layer of blocks along these dimensions of the
  /// layers, of which the last is one for its own result alone.
  Choice choose(mlir::Operation *seed, llvm::ArrayRef<unsigned> dims);
  /// What blocks along these dimensions save of layers that could have images
  /// for blocks, each group of them with blocks of its own.
  int64_t savedByOthers(const Choice &images, llvm::ArrayRef<unsigned> dims);
  bool isLarge(mlir::Value value) const;
  bool touchesLarge(mlir::Operation *layer) const;
  /// Whether a layer does, or computes functions of what one that does gives.
  bool comesOfLarge(mlir::Operation *layer) const;
  bool fits(const LayerRegion &region, mlir::Operation *layer,
            BlockDim dim) const;
  LayerRegion grow(mlir::Operation *seed, BlockDim dim) const;
  /// Leaves out what would need the results of blocks before all are there, and
  /// in front of the seed what this needs by way of layers outside.
  void makeConvex(LayerRegion &region, mlir::Operation *seed) const;
  /// Leaves out layers at the border that move nothing large.
  void trim(LayerRegion &region) const;
  static void findHalos(LayerRegion &region);
  void stageInputs(LayerRegion &region) const;
  int64_t stepOf(const LayerRegion &region, int64_t outputs) const;
  int64_t blockCountFor(const LayerRegion &region, const RegionLives &lives,
                        int64_t step, int64_t bytes) const;
  int64_t chooseBlocks(LayerRegion &region) const;
  int64_t chooseBlocks(LayerRegion &region, const RegionLives &lives) const;
  int64_t chooseBlocks(LayerRegion &region, const RegionLives &lives,
                       llvm::ArrayRef<int64_t> outputsOfBlock) const;
  /// The same for single images of a batch, larger than L2, whose rows
  /// zin-tile-rows cuts.
  int64_t chooseImages(LayerRegion &region) const;
  /// The same where something is in the region that zin-tile-rows does not cut.
  int64_t chooseWhole(LayerRegion &region) const;
  /// Parts of a region that each have blocks of their own, as coefficients that
  /// come again for each block are worth it.
  Choice chooseParts(const LayerRegion &region) const;
  /// Bytes of DMA, as it is and in blocks.
  struct Traffic {
    int64_t whole = 0, inBlocks = 0;
  };
  class TrafficSum;
  Traffic trafficOf(const LayerRegion &region, int64_t count) const;

  const TargetDescription &target;
  /// Layers and dimensions that have been looked at.
  llvm::DenseSet<std::pair<mlir::Operation *, BlockDim>> seen;
  /// What has been found out of products along rows, null of those that are no
  /// bands. It stays where it is when the table grows.
  mutable llvm::DenseMap<mlir::Operation *, std::unique_ptr<RowBands>> bands;
};

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_LAYERREGIONS_H
