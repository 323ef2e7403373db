//===- LayerRegions.cpp - Layers that blocks go through together ----------===//

#include "LayerRegions.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// The part of L2 beyond which a value is worth to be cut. Assigned.
constexpr int64_t largeDenominator = 4;
/// The part that what lies between the layers of a block may take beside tiles,
/// the least being tried first. Assigned.
constexpr int64_t blockDenominators[] = {4, 3, 2};
/// The part of L2 that an operand of all blocks may take. Assigned.
constexpr int64_t sharedDenominator = 4;
/// Blocks have to save this part of what moves. Assigned.
constexpr int64_t leastSavedDenominator = 8;
/// Coefficients come again for each block, and tasks cost time. Assigned.
constexpr int64_t mostBlocks = 64;
/// Layers of a region: all of a program may hang together. Assigned.
constexpr size_t mostLayers = 256;
/// Outputs of constant coefficients that a block has a multiple of: as many as
/// the neural engine accumulates at a time, or where these are too many a part
/// for each engine (assigned). Of computed ones as many as a task has.
constexpr int64_t outputsOfBlock[] = {256, 64}, computedOutputs = 16;

/// Of rows that are cut blocks have so many bytes, or a multiple of it: what
/// memory fetches at a time is more than the alignment (assigned).
constexpr int64_t leastRowBytes = 128;

/// Bytes that a value is in memory, without what is between its rows.
int64_t dmaBytes(Value value) {
  return elementBytes * llvm::product_of(shapeOf(value));
}

bool isConstant(Value value) { return bool(value.getDefiningOp<ConstantOp>()); }

/// What zin-tile-rows cuts.
bool keepsRowsApart(Operation *layer) {
  ArrayRef<int64_t> shape = shapeOf(layer->getResult(0));
  return isa<ConvOp, PoolOp, ElementWiseOp, GOCOp, NeuronOp, ConcatOp>(layer) &&
         shape[N] == 1 && shape[D] == 1 && shape[H] > 1;
}

/// Whether an operand holds the coefficients of a layer, which come from memory
/// each time.
bool isWeighed(Operation *layer, Value operand) {
  return isa<ConvOp, MatMulOp>(layer) && operand == layer->getOperand(1);
}

/// Whether several tasks each read the first operand.
bool readsAgain(Operation *layer) {
  auto product = dyn_cast<MatMulOp>(layer);
  return product && !isConstant(product.getKernel()) &&
         product.getContractRows() &&
         shapeOf(product.getKernel())[H] > computedOutputs;
}

/// The dimension of a user's result that goes with `dim` of this operand.
std::optional<unsigned> resultDim(OpOperand &use, unsigned dim,
                                  int64_t extent) {
  Operation *user = use.getOwner();
  if (user->getNumResults() != 1)
    return std::nullopt;
  ArrayRef<int64_t> shape = shapeOf(user->getResult(0));
  for (unsigned other = 0; other < numDims; ++other) {
    if (shape[other] != extent)
      continue;
    std::optional<OperandDims> dims = operandDims(user, other);
    if (dims && (*dims)[use.getOperandNumber()] == dim)
      return other;
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

} // namespace

bool zin::joinsOutput(Operation *user, unsigned dim) {
  auto concat = dyn_cast<ConcatOp>(user);
  return concat && concat.getAxis() == dim && !concat.getInterleave() &&
         isReturned(concat.getResult());
}

int64_t RegionFinder::bytesOf(Value value) const {
  return bytesInL2(shapeOf(value), target);
}

bool RegionFinder::isLarge(Value value) const {
  return !isConstant(value) &&
         bytesOf(value) > target.l2Bytes / largeDenominator;
}

bool RegionFinder::touchesLarge(Operation *layer) const {
  return isLarge(layer->getResult(0)) ||
         llvm::any_of(layer->getOperands(),
                      [&](Value value) { return isLarge(value); });
}

/// Whether a layer can be in the region with these blocks of its result.
bool RegionFinder::fits(const LayerRegion &region, Operation *layer,
                        unsigned dim) const {
  std::optional<OperandDims> dims = operandDims(layer, dim);
  if (!dims)
    return false;
  for (auto [operand, needed] : llvm::zip(layer->getOperands(), *dims)) {
    Operation *producer = operand.getDefiningOp();
    if (region.contains(producer)) {
      if (needed != region.layers.lookup(producer))
        return false;
    } else if (!needed && !isConstant(operand) &&
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

LayerRegion RegionFinder::grow(Operation *seed, unsigned dim) const {
  LayerRegion region;
  region.extent = shapeOf(seed->getResult(0))[dim];
  SmallVector<Operation *> work;
  auto add = [&](Operation *layer, unsigned layerDim) {
    if (region.layers.size() == mostLayers || region.contains(layer) ||
        !fits(region, layer, layerDim))
      return;
    region.layers[layer] = layerDim;
    work.push_back(layer);
  };
  add(seed, dim);
  while (!work.empty()) {
    Operation *layer = work.pop_back_val();
    unsigned layerDim = region.layers.lookup(layer);
    std::optional<OperandDims> dims = operandDims(layer, layerDim);
    for (auto [operand, needed] : llvm::zip(layer->getOperands(), *dims))
      if (Operation *producer = operand.getDefiningOp();
          producer && needed && (isLarge(operand) || touchesLarge(producer)))
        add(producer, *needed);
    for (OpOperand &use : layer->getResult(0).getUses())
      if (std::optional<unsigned> next =
              resultDim(use, layerDim, region.extent))
        add(use.getOwner(), *next);
  }
  llvm::MapVector<Operation *, unsigned> ordered;
  auto layers = region.layers.takeVector();
  llvm::sort(layers, [](const auto &a, const auto &b) {
    return a.first->isBeforeInBlock(b.first);
  });
  for (auto [layer, layerDim] : layers)
    ordered[layer] = layerDim;
  region.layers = std::move(ordered);
  return region;
}

void RegionFinder::makeConvex(LayerRegion &region) const {
  if (region.layers.empty())
    return;
  Operation *last = region.layers.back().first;
  // Layers that need something of the region and are outside.
  llvm::DenseSet<Operation *> behind;
  for (Operation *layer = region.layers.front().first;;
       layer = layer->getNextNode()) {
    bool needsBehind = false, needsInside = false;
    for (Value operand : layer->getOperands()) {
      needsBehind |= behind.contains(operand.getDefiningOp());
      needsInside |= region.contains(operand.getDefiningOp());
    }
    if (needsBehind || (needsInside && !region.contains(layer)))
      behind.insert(layer);
    if (layer == last)
      break;
  }
  region.layers.remove_if(
      [&](const auto &entry) { return behind.contains(entry.first); });
}

void RegionFinder::trim(LayerRegion &region) const {
  llvm::DenseSet<Operation *> inside;
  for (auto [layer, dim] : region.layers)
    inside.insert(layer);
  auto leaveOut = [&](Operation *layer, bool isBorder) {
    return isBorder && (isView(layer) || !touchesLarge(layer)) &&
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
  llvm::DenseSet<std::pair<Value, unsigned>> once;
  for (auto [layer, dim] : region.layers) {
    std::optional<OperandDims> dims = operandDims(layer, dim);
    for (auto [index, operand] : llvm::enumerate(layer->getOperands())) {
      if (isConstant(operand) || region.contains(operand.getDefiningOp()))
        continue;
      std::optional<unsigned> needed = (*dims)[index];
      if (!needed) {
        if (!isWeighed(layer, operand) && comesFromMemory(operand))
          region.shared.insert(operand);
      } else if (isLarge(operand) && (!once.insert({operand, *needed}).second ||
                                      (index == 0 && readsAgain(layer)))) {
        region.staged.insert({operand, *needed});
      }
    }
  }
}

/// Whether the tasks of a layer may write over what they read.
static bool isElementByElement(Operation *layer) {
  return isa<ElementWiseOp, ScaledElementWiseOp, GOCOp, NeuronOp, SoftmaxOp>(
      layer);
}

int64_t RegionFinder::peakBytes(const LayerRegion &region,
                                int64_t count) const {
  auto blockBytes = [&](Value value) {
    return llvm::divideCeil(bytesOf(value) * count, region.extent);
  };
  // Until which layer a value is read, through views of it.
  llvm::MapVector<Value, size_t> lastRead;
  llvm::DenseMap<Value, Value> viewed;
  auto rootOf = [&](Value value) {
    auto root = viewed.find(value);
    return root == viewed.end() ? value : root->second;
  };
  llvm::DenseMap<Operation *, size_t> indexOf;
  llvm::SetVector<Value> shared;
  for (auto [index, entry] : llvm::enumerate(region.layers)) {
    auto [layer, dim] = entry;
    indexOf[layer] = index;
    std::optional<OperandDims> dims = operandDims(layer, dim);
    for (auto [operand, needed] : llvm::zip(layer->getOperands(), *dims)) {
      Value root = rootOf(operand);
      bool isInside = region.contains(root.getDefiningOp());
      if (!needed && !isConstant(operand) && !isWeighed(layer, operand))
        shared.insert(operand);
      else if (needed &&
               (isInside || region.staged.contains({operand, *needed})))
        lastRead[root] = index;
      if (isView(layer))
        viewed[layer->getResult(0)] = root;
    }
  }
  SmallVector<int64_t> changes(region.layers.size() + 1, 0);
  for (auto [value, last] : lastRead) {
    Operation *producer = value.getDefiningOp();
    size_t first = region.contains(producer) ? indexOf.lookup(producer) : 0;
    changes[first] += blockBytes(value);
    changes[last + 1] -= blockBytes(value);
    if (!region.contains(producer) || !isElementByElement(producer))
      continue;
    // It is written over an operand that nothing reads later.
    for (Value operand : producer->getOperands()) {
      auto read = lastRead.find(rootOf(operand));
      if (read == lastRead.end() || read->second != first ||
          bytesOf(read->first) != bytesOf(value))
        continue;
      changes[first] -= blockBytes(value);
      changes[first + 1] += blockBytes(value);
      break;
    }
  }
  for (Value value : shared)
    changes.front() += bytesOf(value);
  int64_t alive = 0, peak = 0;
  for (auto [index, entry] : llvm::enumerate(region.layers)) {
    alive += changes[index];
    Operation *layer = entry.first;
    int64_t inside = 0;
    // Operands and results that are turned.
    if (auto product = dyn_cast<MatMulOp>(layer))
      inside =
          (product.getOutputsOnRows() ? 0 : blockBytes(product.getResult())) +
          (product.getContractRows() ? 0 : blockBytes(product.getX()));
    peak = std::max(peak, alive + inside);
  }
  return peak;
}

/// What the indices of a block are a multiple of, where a block has a multiple
/// of so many outputs of constant coefficients.
int64_t RegionFinder::stepOf(const LayerRegion &region, int64_t outputs) const {
  int64_t step = 1;
  for (auto [layer, dim] : region.layers) {
    std::optional<OperandDims> dims = operandDims(layer, dim);
    if (dim == W || llvm::is_contained(*dims, std::optional<unsigned>(W)))
      step = std::max(step, leastRowBytes / elementBytes);
    if (isa<ConvOp, MatMulOp>(layer) && !(*dims)[0])
      step = std::max(step, isConstant(layer->getOperand(1)) ? outputs
                                                             : computedOutputs);
  }
  return step;
}

/// The most indices, a multiple of `step`, of which L2 has so many bytes; 0 if
/// there are none.
int64_t RegionFinder::blockCountFor(const LayerRegion &region, int64_t step,
                                    int64_t bytes) const {
  for (int64_t blocks = 2; blocks <= mostBlocks; ++blocks) {
    int64_t count =
        llvm::alignTo(llvm::divideCeil(region.extent, blocks), step);
    if (count < region.extent && peakBytes(region, count) <= bytes)
      return count;
  }
  return 0;
}

/// Chooses the size of blocks; the bytes of DMA that they save, by estimate.
int64_t RegionFinder::chooseBlocks(LayerRegion &region) const {
  // Values of a region probably stay there as a whole.
  if (peakBytes(region, region.extent) <= target.usableL2Bytes())
    return 0;
  // Larger blocks have to be worth more than what may not fit.
  int64_t most = 0;
  for (int64_t denominator : blockDenominators)
    for (int64_t outputs : outputsOfBlock) {
      int64_t count = blockCountFor(region, stepOf(region, outputs),
                                    target.l2Bytes / denominator);
      if (count == 0)
        continue;
      auto [whole, inBlocks] = trafficOf(region, count);
      int64_t saved = whole - inBlocks - whole / leastSavedDenominator;
      if (saved < most + (most ? whole / leastSavedDenominator : 1))
        continue;
      most = saved;
      region.blockCount = count;
    }
  return most;
}

/// Bytes of DMA as it is, and in blocks of so many indices.
std::pair<int64_t, int64_t> RegionFinder::trafficOf(const LayerRegion &region,
                                                    int64_t count) const {
  int64_t whole = 0, inBlocks = 0;
  int64_t again = llvm::divideCeil(region.extent, count) - 1;
  int64_t taskBytes = target.taskOverheadCycles *
                      target.memoryMegabytesPerSecond / target.clockMegahertz;
  llvm::DenseSet<std::pair<Value, unsigned>> fetched;
  for (auto [layer, dim] : region.layers) {
    std::optional<OperandDims> dims = operandDims(layer, dim);
    Value result = layer->getResult(0);
    if (!isView(layer))
      inBlocks += again * taskBytes;
    for (auto [operand, needed] : llvm::zip(layer->getOperands(), *dims)) {
      // Coefficients come for each block, as they do for each part of what L2
      // does not hold.
      if (!needed && isWeighed(layer, operand)) {
        inBlocks += again * dmaBytes(operand);
        if (readsAgain(layer))
          whole += bytesOf(layer->getOperand(0)) / target.wholeL2Bytes() *
                   dmaBytes(operand);
      }
      if (!isLarge(operand))
        continue;
      if (!isView(layer))
        whole += dmaBytes(operand) * (isa<SoftmaxOp>(layer) ? 2 : 1);
      if (needed && !region.contains(operand.getDefiningOp()) &&
          fetched.insert({operand, *needed}).second)
        inBlocks += dmaBytes(operand);
    }
    if (!isLarge(result))
      continue;
    if (!isView(layer))
      whole += dmaBytes(result);
    bool isWritten = false;
    for (Operation *user : result.getUsers())
      if (joinsOutput(user, dim)) {
        inBlocks += dmaBytes(result);
        whole += dmaBytes(result) * (result.hasOneUse() ? 0 : 2);
      } else if (!region.contains(user)) {
        isWritten = true;
      }
    if (isWritten)
      inBlocks += dmaBytes(result);
  }
  return {whole, inBlocks};
}

std::optional<LayerRegion> RegionFinder::around(Operation *seed) {
  std::optional<LayerRegion> best;
  int64_t mostSaved = 0;
  if (!isLarge(seed->getResult(0)) || isView(seed))
    return best;
  ArrayRef<int64_t> shape = shapeOf(seed->getResult(0));
  for (unsigned dim = 0; dim < numDims; ++dim) {
    if (shape[dim] == 1 || !seen.insert({seed, dim}).second)
      continue;
    LayerRegion region = grow(seed, dim);
    makeConvex(region);
    trim(region);
    for (auto [layer, layerDim] : region.layers)
      seen.insert({layer, layerDim});
    bool isNew = llvm::any_of(region.layers, [&](const auto &entry) {
      return !isView(entry.first) && touchesLarge(entry.first) &&
             !keepsRowsApart(entry.first);
    });
    if (!isNew || region.layers.size() < 2)
      continue;
    stageInputs(region);
    int64_t saved = chooseBlocks(region);
    if (saved > mostSaved) {
      mostSaved = saved;
      best = std::move(region);
    }
  }
  return best;
}
