//===- LayerRegionBlocks.cpp - How large the blocks of a region are -------===//

#include "Split/RegionLives.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <numeric>

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// The parts of L2 that what lies between the layers of a block may take beside
/// tiles, the least being tried first. Assigned.
constexpr std::array<int64_t, 6> blockPercents = {25, 33, 50, 75, 85, 90};
/// Blocks have to save this part of what moves. Assigned.
constexpr int64_t leastSavedDenominator = 8;
/// Larger blocks have to save this part more than smaller ones. Assigned.
constexpr int64_t leastGainDenominator = 10;
/// Coefficients come again for each block, and tasks cost time; blocks of whole
/// planes take no longer to access than all of them. Assigned.
constexpr int64_t mostBlocks = 64, mostBlocksOfPlanes = 256;
/// Outputs of constant coefficients that a block has a multiple of: as many as
/// the neural engine accumulates at a time, or where these are too many a part
/// for each engine; one for each engine where no block has more (assigned). Of
/// computed ones as many as a task has.
constexpr int64_t manyOutputs[] = {256, 64}, fewOutputs[] = {16};

/// What several blocks compute is at most the inverse of this part of a block.
/// Assigned, as for zin-tile-rows.
constexpr int64_t leastBlockInHalos = 4;

/// Of rows that are cut blocks have so many bytes, or a multiple of it: what
/// memory fetches at a time is more than the alignment (assigned).
constexpr int64_t leastRowBytes = 128;

} // namespace

/// What the units of a block are a multiple of, where a block has a multiple
/// of so many outputs of constant coefficients.
int64_t RegionFinder::stepOf(const LayerRegion &region, int64_t outputs) const {
  int64_t step = 1;
  for (auto [layer, dim] : region.layers) {
    std::optional<OperandDims> dims = operandDims(layer, dim);
    auto include = [&](int64_t indices) {
      step = std::max<int64_t>(step, llvm::divideCeil(indices, dim.unit));
    };
    auto isOfColumns = [](std::optional<BlockDim> needed) {
      return needed && needed->dim == W;
    };
    if (dim.dim == W || llvm::any_of(*dims, isOfColumns))
      include(leastRowBytes / elementBytes);
    if (isa<ConvOp, MatMulOp>(layer) && !(*dims)[0] && !bandsOf(layer, dim))
      include(isConstant(layer->getOperand(1)) ? outputs : computedOutputs);
  }
  for (const auto &[staged, halo] : region.staged)
    if (isOfRows(staged))
      step = llvm::alignTo(
          step, columnsOfRow / std::gcd(staged.second.unit, columnsOfRow));
  return step;
}

/// The most units, a multiple of `step`, of which L2 has so many bytes; 0 if
/// there are none.
int64_t RegionFinder::blockCountFor(const LayerRegion &region,
                                    const RegionLives &lives, int64_t step,
                                    int64_t bytes) const {
  auto countOf = [&](int64_t blocks) {
    return int64_t(
        llvm::alignTo(llvm::divideCeil(region.extent, blocks), step));
  };
  int64_t mostBytes = target.l2Bytes * blockPercents.back() / 100;
  auto fits = [&](int64_t blocks) {
    int64_t count = countOf(blocks);
    return count < region.extent && lives.peakBytes(count) <= bytes &&
           lives.peakBytes(count, /*withExponentials=*/true) <= mostBytes;
  };
  // More blocks take less.
  bool cutsPlanes = llvm::any_of(region.layers, [](const auto &entry) {
    return entry.second.dim == H || entry.second.dim == W;
  });
  auto numbers =
      llvm::seq<int64_t>(2, (cutsPlanes ? mostBlocks : mostBlocksOfPlanes) + 1);
  auto found = llvm::partition_point(
      numbers, [&](int64_t blocks) { return !fits(blocks); });
  if (found == numbers.end())
    return 0;
  int64_t widest = 0;
  for (const auto &[layer, halo] : region.halos)
    widest = std::max(widest, halo.size());
  int64_t count = countOf(*found);
  return count < widest * leastBlockInHalos ? 0 : count;
}

/// Chooses the size of blocks; the bytes of DMA that they save, by estimate.
int64_t RegionFinder::chooseBlocks(LayerRegion &region) const {
  // What is beside a block would begin within a row.
  if (llvm::any_of(region.staged, [](const auto &entry) {
        return isOfRows(entry.first) && entry.second.size() > 0;
      }))
    return 0;
  RegionLives lives(region, *this);
  // Values of a region probably stay there as a whole. What comes from outside
  // and is read again need not.
  int64_t kept =
      region.staged.empty() ? target.usableL2Bytes() : target.wholeL2Bytes();
  if (lives.peakBytes(region.extent) <= kept)
    return 0;
  int64_t saved = chooseBlocks(region, lives);
  if (SmallVector<OutputGroup> groups = findOutputGroups(region);
      !groups.empty()) {
    LayerRegion parted = region;
    parted.groups = std::move(groups);
    int64_t savedByParts = chooseBlocks(parted, RegionLives(parted, *this));
    if (savedByParts > saved + saved / leastGainDenominator) {
      region = std::move(parted);
      saved = savedByParts;
    }
  }
  return saved ? saved : chooseImages(region);
}

/// The same for blocks with many outputs each, or with few.
int64_t RegionFinder::chooseBlocks(LayerRegion &region,
                                   const RegionLives &lives) const {
  for (auto outputs : {ArrayRef(manyOutputs), ArrayRef(fewOutputs)})
    if (int64_t saved = chooseBlocks(region, lives, outputs))
      return saved;
  return 0;
}

/// The same for blocks with a multiple of one of these numbers of outputs.
int64_t RegionFinder::chooseBlocks(LayerRegion &region,
                                   const RegionLives &lives,
                                   ArrayRef<int64_t> outputsOfBlock) const {
  llvm::SmallSetVector<int64_t, 4> steps;
  for (int64_t outputs : outputsOfBlock)
    steps.insert(stepOf(region, outputs));
  llvm::SmallDenseSet<int64_t> tried;
  // Larger blocks have to be worth more than what may not fit.
  int64_t most = 0;
  for (int64_t percent : blockPercents)
    for (int64_t step : steps) {
      int64_t count =
          blockCountFor(region, lives, step, target.l2Bytes * percent / 100);
      if (count == 0 || !tried.insert(count).second)
        continue;
      auto [whole, inBlocks] = trafficOf(region, count);
      int64_t saved = whole - inBlocks - whole / leastSavedDenominator;
      if (saved < most + (most ? whole / leastGainDenominator : 1))
        continue;
      most = saved;
      region.blockCount = count;
    }
  return most;
}

int64_t RegionFinder::chooseImages(LayerRegion &region) const {
  int64_t images = region.extent;
  if (!region.isOfImages())
    return 0;
  auto isCut = [&](Operation *layer) {
    return isView(layer) || hasBlocksOfRows(layer, images);
  };
  auto isLargeImage = [&](Value value) {
    return !isConstant(value) &&
           bytesOf(value) / images > target.largeL2Bytes();
  };
  auto [whole, inBlocks] = trafficOf(region, 1);
  llvm::DenseSet<Value> fetched;
  for (const auto &[layer, dim] : region.layers) {
    if (isView(layer))
      continue;
    // Coefficients come again for each block of rows.
    Value result = layer->getResult(0);
    if (isa<ConvOp>(layer)) {
      int64_t most = std::max(bytesOf(result), bytesOf(layer->getOperand(0)));
      int64_t blocks = llvm::divideCeil(most, images * target.wholeL2Bytes());
      inBlocks += images * (blocks - 1) * dmaBytes(layer->getOperand(1));
    }
    // To and from what is not cut values move, twice to a softmax.
    int64_t times = isa<SoftmaxOp>(layer) ? 2 : 1;
    llvm::SmallDenseSet<Value> operands(layer->operand_begin(),
                                        layer->operand_end());
    for (Value operand : operands) {
      Operation *producer = operand.getDefiningOp();
      if (!isLargeImage(operand) ||
          (isCut(layer) && (!producer || isCut(producer))))
        continue;
      bool isFirst =
          !region.contains(producer) && fetched.insert(operand).second;
      inBlocks += dmaBytes(operand) * (times - isFirst);
    }
    auto isMovedTo = [&](Operation *user) {
      return !isCut(layer) || !isCut(user);
    };
    if (isLargeImage(result) && !isReadBehind(layer, region) &&
        llvm::any_of(result.getUsers(), isMovedTo))
      inBlocks += dmaBytes(result);
  }
  int64_t saved = whole - inBlocks - whole / leastSavedDenominator;
  if (saved <= 0)
    return 0;
  region.blockCount = 1;
  return saved;
}
