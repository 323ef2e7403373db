//===- LayerRegions.cpp - Layers that blocks go through together ----------===//

#include "Split/LayerRegions.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "ane/Support/OpsBehind.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// The part of L2 that an operand of all blocks may take. Assigned.
constexpr int64_t sharedDenominator = 2;
/// Blocks of fewer rows take longer to access than to move. What computes with
/// numbers of channels, as a norm, comes behind all of its image, so that there
/// is no product in front whose rows it could go on from, and needs more.
/// Assigned.
constexpr int64_t fewRows = 8, fewRowsOfNorms = 16;
/// The part of L2 that so many rows of one value may take. Assigned.
constexpr int64_t fewRowsDenominator = 2;
/// Layers of a region: all of a program may hang together. Assigned.
constexpr size_t mostLayers = 256;

/// The dimension of a user's result that goes with `dim` of this operand, of
/// which both have `extent` units.
std::optional<BlockDim> resultDim(OpOperand &use, BlockDim dim,
                                  int64_t extent) {
  Operation *user = use.getOwner();
  if (user->getNumResults() != 1)
    return std::nullopt;
  ArrayRef<int64_t> shape = shapeOf(user->getResult(0));
  for (unsigned other = 0; other < numDims; ++other) {
    BlockDim found = {other, shape[other] / extent};
    if (found.unit == 0 || shape[other] % extent != 0)
      continue;
    std::optional<OperandDims> dims = operandDims(user, found);
    if (dims && (*dims)[use.getOperandNumber()] == dim)
      return found;
  }
  return std::nullopt;
}

bool isReturned(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    auto reshape = dyn_cast<ReshapeOp>(user);
    return isa<zin::ReturnOp>(user) ||
           (reshape && isReturned(reshape.getResult()));
  });
}

/// Whether a value is, in another shape or joined with others, an output and
/// nothing else.
bool isWrittenOut(Value value) {
  if (!value.hasOneUse())
    return false;
  Operation *user = *value.user_begin();
  return isa<zin::ReturnOp>(user) ||
         (isa<ReshapeOp, ConcatOp>(user) && isWrittenOut(user->getResult(0)));
}

/// What has the rows of a layer's task: where channels become the columns of an
/// output, what it reads.
Value imageOf(Operation *layer) {
  auto turn = dyn_cast<TransposeOp>(layer);
  if (turn && turn.getPermutation()[W] == C && isWrittenOut(turn))
    return turn.getX();
  return layer->getResult(0);
}

/// Whether zin-tile-rows can cut a layer, of one image. Scaled pairs, which it
/// could cut as well, are not left to it: places of the best of many channels
/// are cheaper in the blocks of a region (assigned).
bool isLeftToRows(Operation *layer) {
  ArrayRef<int64_t> shape = shapeOf(imageOf(layer));
  bool isRowWise =
      isa<ConvOp, PoolOp, ElementWiseOp, GOCOp, NeuronOp, ConcatOp>(layer) ||
      imageOf(layer) != layer->getResult(0);
  return isRowWise && shape[D] == 1 && shape[H] > 1;
}

} // namespace

bool zin::isOfRows(std::pair<Value, BlockDim> staged) {
  return staged.second.dim == W && hasColumnsInRows(staged.first);
}

bool zin::isConstant(Value value) {
  return bool(value.getDefiningOp<ConstantOp>());
}

bool RegionFinder::hasBlocksOfRows(Operation *layer, int64_t images) const {
  auto isOfChannels = [](Value value) {
    ArrayRef<int64_t> shape = shapeOf(value);
    return !isConstant(value) && shape[C] > 1 && shape[H] == 1 && shape[W] == 1;
  };
  bool isOfNorm = isa<ElementWiseOp>(layer) &&
                  llvm::any_of(layer->getOperands(), isOfChannels);
  Value image = imageOf(layer);
  ArrayRef<int64_t> shape = shapeOf(image);
  int64_t few = std::min(isOfNorm ? fewRowsOfNorms : fewRows, shape[H]);
  return isLeftToRows(layer) && shape[N] == images &&
         bytesOf(image) / images * few / shape[H] <=
             target.l2Bytes / fewRowsDenominator;
}

bool zin::joinsInPlace(Operation *layer) {
  auto concat = dyn_cast<ConcatOp>(layer);
  return concat && !concat.getInterleave() && concat.getAxis() != W &&
         llvm::all_of(concat.getValues(), [](Value value) {
           Operation *producer = value.getDefiningOp();
           return producer && !isView(producer) && !isConstant(value) &&
                  value.hasOneUse();
         });
}

bool zin::isWeighed(Operation *layer, Value operand) {
  return isa<ConvOp, MatMulOp>(layer) && operand == layer->getOperand(1);
}

bool zin::readsAgain(Operation *layer) {
  auto product = dyn_cast<MatMulOp>(layer);
  return product && !isConstant(product.getKernel()) &&
         product.getContractRows() &&
         shapeOf(product.getKernel())[H] > computedOutputs;
}

bool zin::joinsOutput(Operation *user, unsigned dim) {
  auto concat = dyn_cast<ConcatOp>(user);
  return concat && concat.getAxis() == dim && !concat.getInterleave() &&
         isReturned(concat.getResult());
}

int64_t RegionFinder::bytesOf(Value value) const {
  return bytesInL2(shapeOf(value), target);
}

bool zin::isReadBehind(Operation *layer, const LayerRegion &region) {
  return llvm::any_of(layer->getUsers(),
                      [&](Operation *user) { return !region.contains(user); });
}

bool RegionFinder::isLarge(Value value) const {
  return !isConstant(value) && bytesOf(value) > target.largeL2Bytes();
}

bool RegionFinder::touchesLarge(Operation *layer) const {
  return isLarge(layer->getResult(0)) ||
         llvm::any_of(layer->getOperands(),
                      [&](Value value) { return isLarge(value); });
}

bool RegionFinder::comesOfLarge(Operation *layer) const {
  // No region has what is farther away.
  for (size_t count = 0; layer && count < mostLayers; ++count) {
    if (touchesLarge(layer))
      return true;
    bool isFunction =
        layer->hasTrait<Elementwise>() && layer->getNumOperands() == 1;
    layer = isFunction ? layer->getOperand(0).getDefiningOp() : nullptr;
  }
  return false;
}

const RowBands *RegionFinder::bandsOf(Operation *layer, BlockDim dim) const {
  if (!isa<MatMulOp>(layer) || dim != BlockDim{H})
    return nullptr;
  auto [found, isNew] = bands.try_emplace(layer);
  if (isNew)
    if (std::optional<RowBands> rows = RowBands::find(layer, H))
      found->second = std::make_unique<RowBands>(std::move(*rows));
  return found->second.get();
}

/// Whether a layer can be in the region with these blocks of its result.
bool RegionFinder::fits(const LayerRegion &region, Operation *layer,
                        BlockDim dim) const {
  std::optional<OperandDims> dims = operandDims(layer, dim);
  if (!dims)
    return false;
  for (auto [operand, needed] : llvm::zip(layer->getOperands(), *dims)) {
    Operation *producer = operand.getDefiningOp();
    // Columns of a parameter that begin within a row lose large numbers.
    if (needed && needed->dim == W && isOfParameter(operand) &&
        !hasColumnsInRows(operand))
      return false;
    if (region.contains(producer)) {
      if (needed != region.layers.lookup(producer))
        return false;
    } else if (!needed && !isConstant(operand) && !bandsOf(layer, dim) &&
               bytesOf(operand) > target.l2Bytes / sharedDenominator) {
      return false;
    }
  }
  return llvm::all_of(layer->getResult(0).getUses(), [&](OpOperand &use) {
    if (!region.contains(use.getOwner()))
      return true;
    std::optional<OperandDims> needed =
        operandDims(use.getOwner(), region.layers.lookup(use.getOwner()));
    return (*needed)[use.getOperandNumber()] == dim;
  });
}

LayerRegion RegionFinder::grow(Operation *seed, BlockDim dim) const {
  LayerRegion region;
  region.extent = shapeOf(seed->getResult(0))[dim.dim] / dim.unit;
  SmallVector<Operation *> work;
  auto add = [&](Operation *layer, BlockDim layerDim) {
    if (region.layers.size() == mostLayers || region.contains(layer) ||
        !fits(region, layer, layerDim))
      return;
    region.layers[layer] = layerDim;
    work.push_back(layer);
  };
  add(seed, dim);
  while (!work.empty()) {
    Operation *layer = work.pop_back_val();
    BlockDim layerDim = region.layers.lookup(layer);
    std::optional<OperandDims> dims = operandDims(layer, layerDim);
    for (auto [operand, needed] : llvm::zip(layer->getOperands(), *dims))
      if (Operation *producer = operand.getDefiningOp();
          producer && needed && (isLarge(operand) || comesOfLarge(producer)))
        add(producer, *needed);
    for (OpOperand &use : layer->getResult(0).getUses())
      if (std::optional<BlockDim> next =
              resultDim(use, layerDim, region.extent))
        add(use.getOwner(), *next);
  }
  llvm::MapVector<Operation *, BlockDim> ordered;
  auto layers = region.layers.takeVector();
  llvm::sort(layers, [](const auto &a, const auto &b) {
    return a.first->isBeforeInBlock(b.first);
  });
  for (auto [layer, layerDim] : layers)
    ordered[layer] = layerDim;
  region.layers = std::move(ordered);
  return region;
}

void RegionFinder::makeConvex(LayerRegion &region, Operation *seed) const {
  if (region.layers.empty())
    return;
  // In front of the seed, layers that it needs and that are outside, and what
  // these need.
  llvm::DenseSet<Operation *> ahead, kept;
  for (Operation *layer = seed,
                 *end = region.layers.front().first->getPrevNode();
       layer != end; layer = layer->getPrevNode()) {
    bool isAhead = false, isKept = false;
    for (Operation *user : layer->getUsers()) {
      isAhead |= ahead.contains(user);
      isKept |= kept.contains(user);
    }
    if (isAhead || (isKept && !region.contains(layer)))
      ahead.insert(layer);
    else if (region.contains(layer))
      kept.insert(layer);
  }
  region.layers.remove_if(
      [&](const auto &entry) { return ahead.contains(entry.first); });
  auto behind =
      opsBehind(region.layers.front().first, region.layers.back().first,
                [&](Operation *layer) { return region.contains(layer); });
  region.layers.remove_if(
      [&](const auto &entry) { return behind.contains(entry.first); });
}

void RegionFinder::trim(LayerRegion &region) const {
  llvm::DenseSet<Operation *> inside;
  for (auto [layer, dim] : region.layers)
    inside.insert(layer);
  auto leaveOut = [&](Operation *layer, bool isBorder) {
    return isBorder &&
           (isView(layer) || joinsInPlace(layer) || !touchesLarge(layer)) &&
           inside.erase(layer);
  };
  // A layer that goes may leave those around it at the border.
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [layer, dim] : llvm::reverse(region.layers))
      changed |= leaveOut(
          layer, llvm::none_of(layer->getUsers(), [&](Operation *user) {
            return inside.contains(user);
          }));
    for (auto [layer, dim] : region.layers)
      changed |= leaveOut(
          layer, llvm::none_of(layer->getOperands(), [&](Value operand) {
            return inside.contains(operand.getDefiningOp());
          }));
  }
  region.layers.remove_if(
      [&](const auto &entry) { return !inside.contains(entry.first); });
}

/// So many indices in units.
static Halo inUnits(Halo halo, int64_t unit) {
  return {int64_t(llvm::divideCeil(halo.before, unit)),
          int64_t(llvm::divideCeil(halo.after, unit))};
}

Halo LayerRegion::haloOfOperands(Operation *layer) const {
  BlockDim dim = layers.lookup(layer);
  Halo halo = halos.lookup(layer);
  Halo window = inUnits(windowOf(layer, dim.dim), dim.unit);
  return {halo.before + window.before, halo.after + window.after};
}

bool LayerRegion::isOfImages() const {
  return llvm::all_of(
      layers, [](const auto &entry) { return entry.second == BlockDim{N}; });
}

bool LayerRegion::isReadAlike(std::pair<Value, BlockDim> value) const {
  const Halo &needed = staged.find(value)->second;
  auto readsIt = [&](OpOperand &use) {
    return isa<ConvOp>(use.getOwner()) && use.getOperandNumber() == 0 &&
           haloOfOperands(use.getOwner()) == needed;
  };
  return value.second.dim == H &&
         llvm::all_of(value.first.getUses(), [&](OpOperand &use) {
           return !contains(use.getOwner()) || readsIt(use);
         });
}

IndexRange LayerRegion::around(IndexRange block, Halo halo) const {
  int64_t begin = std::max<int64_t>(block.begin - halo.before, 0);
  return {begin, std::min(block.end() + halo.after, extent) - begin};
}

void RegionFinder::findHalos(LayerRegion &region) {
  for (auto [layer, dim] : llvm::reverse(region.layers)) {
    Halo halo = region.haloOfOperands(layer);
    for (Value operand : layer->getOperands())
      if (region.contains(operand.getDefiningOp()))
        region.halos[operand.getDefiningOp()].include(halo);
  }
}

void RegionFinder::stageInputs(LayerRegion &region) const {
  // A part of what is in memory; zin-place-l2 keeps all of an input.
  auto comesFromMemory = [&](Value value) {
    bool isPart = false;
    for (Operation *layer; (layer = value.getDefiningOp()) && isView(layer);) {
      isPart |= isa<InputViewOp>(layer);
      value = layer->getOperand(0);
    }
    return isPart && (!value.getDefiningOp() || isLarge(value));
  };
  llvm::DenseMap<std::pair<Value, BlockDim>, Halo> once;
  for (auto [layer, dim] : region.layers) {
    std::optional<OperandDims> dims = operandDims(layer, dim);
    for (auto [index, operand] : llvm::enumerate(layer->getOperands())) {
      if (isConstant(operand) || region.contains(operand.getDefiningOp()))
        continue;
      std::optional<BlockDim> needed = (*dims)[index];
      if (!needed) {
        if (!isWeighed(layer, operand) && !bandsOf(layer, dim) &&
            comesFromMemory(operand))
          region.shared.insert(operand);
      } else if (isOfRows({operand, *needed})) {
        region.staged[{operand, *needed}].include(region.haloOfOperands(layer));
      } else if (isLarge(operand)) {
        auto [halo, isFirst] = once.try_emplace({operand, *needed});
        halo->second.include(region.haloOfOperands(layer));
        if (!isFirst || (index == 0 && readsAgain(layer)))
          region.staged[{operand, *needed}] = halo->second;
      }
    }
  }
}

void RegionFinder::update(LayerRegion &region) const {
  region.halos.clear();
  region.staged.clear();
  region.shared.clear();
  findHalos(region);
  stageInputs(region);
  // An image for which L2 has no room is a view of all of them.
  if (region.isOfImages() && region.blockCount == 1)
    region.staged.remove_if([&](const auto &entry) {
      return bytesOf(entry.first.first) / region.extent > target.wholeL2Bytes();
    });
}
