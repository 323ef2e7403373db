//===- SplitLayers.cpp - Connected layers block by block ------------------===//

#include "Layout/ViewsOfConcat.h"
#include "Split/JoinedColumns.h"
#include "Split/LayerRegions.h"
#include "Split/RepeatedColumns.h"
#include "ane/Dialect/Zin/IR/Views.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"

namespace ane::zin {
#define GEN_PASS_DEF_SPLITLAYERS
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Puts the layers of blocks in place of a region.
class Splitter {
public:
  Splitter(LayerRegion &region, const RegionFinder &finder,
           const TargetDescription &target)
      : region(region), finder(finder), target(target),
        builder(region.layers.back().first) {}

  /// Layers that are gone when it has run.
  SmallVector<Operation *> erased;
  /// Those of blocks that are to run in parts.
  SmallVector<LayerRegion> parted;

  unsigned run() {
    moveReadersBehind();
    for (Value value : region.shared)
      shared[value] = copyOf(builder, value.getLoc(), value);
    unsigned blocks = 0;
    for (int64_t begin = 0; begin < region.extent;
         begin += region.blockCount, ++blocks)
      emit({begin, std::min(region.blockCount, region.extent - begin)});
    for (auto &[layer, dim] : region.layers)
      joinParts(layer->getResult(0), dim.dim);
    for (auto &[layer, dim] : llvm::reverse(region.layers)) {
      erased.push_back(layer);
      if (const RowBands *rows = finder.bandsOf(layer, dim))
        if (MatMulOp columns = rows->columnsInBlocks(region.blockCount))
          erased.push_back(columns);
    }
    for (Operation *layer : erased)
      layer->erase();
    return blocks;
  }

private:
  /// Layers between those of the region that need their results come after all
  /// of them.
  void moveReadersBehind() {
    Operation *last = region.layers.back().first, *end = last;
    llvm::DenseSet<Operation *> late;
    for (Operation *layer = region.layers.front().first; layer != last;) {
      Operation *next = layer->getNextNode();
      bool isLate = region.contains(layer) ||
                    llvm::any_of(layer->getOperands(), [&](Value operand) {
                      return late.contains(operand.getDefiningOp());
                    });
      if (isLate)
        late.insert(layer);
      if (isLate && !region.contains(layer)) {
        layer->moveAfter(end);
        end = layer;
      }
      layer = next;
    }
  }

  /// Some indices of a value in a block.
  struct Part {
    Value value;
    IndexRange indices;
  };

  Value viewOfPart(Location location, const Part &part, unsigned dim,
                   IndexRange indices) {
    return viewAlong(builder, location, part.value, dim,
                     indices.begin - part.indices.begin, indices.count);
  }

  /// The indices of an operand that a layer needs for those of its result.
  static IndexRange neededBy(Operation *layer, Value operand, BlockDim dim,
                             IndexRange indices) {
    if (operand != layer->getOperand(0))
      return indices;
    Halo window = windowOf(layer, dim.dim);
    int64_t begin = std::max<int64_t>(indices.begin - window.before, 0);
    int64_t end =
        std::min(indices.end() + window.after, shapeOf(operand)[dim.dim]);
    return {begin, end - begin};
  }

  void emit(IndexRange block) {
    llvm::DenseMap<Value, Part> copies;
    llvm::DenseMap<std::pair<Value, BlockDim>, Part> views;
    auto fetch = [&](Operation *layer, Value value, BlockDim dim,
                     IndexRange indices) {
      Part &part = views[{value, dim}];
      auto staged = region.staged.find({value, dim});
      bool isStaged = staged != region.staged.end();
      if (!part.value || (!isStaged && part.indices != indices)) {
        part.indices = isStaged
                           ? dim.indices(region.around(block, staged->second))
                           : indices;
        if (isStaged && isOfRows({value, dim})) {
          part.value =
              copyOfColumns(builder, layer->getLoc(), value, part.indices);
        } else {
          part.value =
              blockOf(builder, layer->getLoc(), value, dim.dim, part.indices);
          if (isStaged && !region.isReadAlike({value, dim}))
            part.value = copyOf(builder, layer->getLoc(), part.value);
        }
      }
      return viewOfPart(layer->getLoc(), part, dim.dim, indices);
    };
    for (auto [layer, dim] : region.layers) {
      Location location = layer->getLoc();
      IndexRange indices =
          dim.indices(region.around(block, region.halos.lookup(layer)));
      Value copy;
      if (const RowBands *rows = finder.bandsOf(layer, dim)) {
        copy = multiplyBand(builder, *rows, indices, region.blockCount, target);
      } else {
        SmallVector<Value, 3> operands;
        std::optional<OperandDims> dims = operandDims(layer, dim);
        for (auto [operand, needed] : llvm::zip(layer->getOperands(), *dims)) {
          if (!needed) {
            operands.push_back(shared.lookup_or(operand, operand));
            continue;
          }
          IndexRange wanted =
              neededBy(layer, operand, *needed,
                       needed->indices({indices.begin / dim.unit,
                                        indices.count / dim.unit}));
          operands.push_back(region.contains(operand.getDefiningOp())
                                 ? viewOfPart(location, copies.at(operand),
                                              needed->dim, wanted)
                                 : fetch(layer, operand, *needed, wanted));
        }
        copy = cloneForBlock(builder, layer, operands, dim.dim, indices);
      }
      Part part = {copy, indices};
      copies[layer->getResult(0)] = part;
      if (isReadBehind(layer, region))
        parts[layer->getResult(0)].push_back(
            viewOfPart(location, part, dim.dim, dim.indices(block)));
    }
    for (OutputGroup group : region.groups) {
      SmallVector<Operation *> layers;
      for (const auto &[layer, dim] :
           region.layers.getArrayRef().slice(group.first, group.size()))
        layers.push_back(copies.at(layer->getResult(0)).value.getDefiningOp());
      parted.push_back(partsOf(layers));
    }
  }

  /// What layers outside read is joined: in a concatenation that is there
  /// already if nobody could read it from that.
  void joinParts(Value value, unsigned dim) {
    for (Operation *user : llvm::to_vector(value.getUsers())) {
      if (region.contains(user) || !joinsOutput(user, dim))
        continue;
      SmallVector<Value> operands;
      for (Value operand : user->getOperands())
        if (operand == value)
          llvm::append_range(operands, parts[value]);
        else
          operands.push_back(operand);
      user->setOperands(operands);
    }
    auto isOutside = [&](OpOperand &use) {
      return !region.contains(use.getOwner());
    };
    if (llvm::any_of(value.getUses(), isOutside))
      value.replaceUsesWithIf(
          concatAlong(builder, value.getLoc(), parts[value], dim), isOutside);
  }

  LayerRegion &region;
  const RegionFinder &finder;
  const TargetDescription &target;
  OpBuilder builder;
  llvm::DenseMap<Value, SmallVector<Value>> parts;
  llvm::DenseMap<Value, Value> shared; ///< in L2
};

class SplitLayers : public ane::zin::impl::SplitLayersBase<SplitLayers> {
public:
  using SplitLayersBase::SplitLayersBase;

  void runOnOperation() override {
    const TargetDescription *description =
        findTargetFor(getOperation(), target);
    if (!description)
      return signalPassFailure();
    RegionFinder finder(*description);
    numJoined += joinColumns(getOperation(), finder);
    // Products of bands come before what they may have in their blocks, which
    // blocks of its own might take away.
    SmallVector<Operation *> seeds, others;
    for (Operation &layer : getOperation().getBody().front())
      if (layer.getNumResults() == 1 && !isa<ConstantOp>(layer))
        (finder.bandsOf(&layer, {H}) ? seeds : others).push_back(&layer);
    llvm::append_range(seeds, others);
    llvm::DenseSet<Operation *> gone;
    for (Operation *seed : seeds) {
      if (gone.contains(seed))
        continue;
      SmallVector<LayerRegion, 1> regions = finder.around(seed);
      for (LayerRegion &region : regions)
        split(region, finder, *description, gone);
      numSplit += regions.size();
    }
    partJoinedSlices(getOperation().getBody());
    // Images of batches are single ones only now.
    auto [groups, parts] = partRepeatedColumns(getOperation(), finder);
    numSplit += groups;
    numBlocks += parts;
  }

private:
  /// Puts blocks in the place of layers, and of what runs a part of the outputs
  /// at a time in these such parts.
  void split(LayerRegion &region, RegionFinder &finder,
             const TargetDescription &target,
             llvm::DenseSet<Operation *> &gone) {
    finder.update(region);
    Splitter splitter(region, finder, target);
    numBlocks += splitter.run();
    gone.insert_range(splitter.erased);
    finder.forget();
    numParted += splitter.parted.size();
    for (LayerRegion &parts : splitter.parted)
      split(parts, finder, target, gone);
  }
};

} // namespace
