//===- LayerRegionBlocks.cpp - How large the blocks of a region are -------===//

#include "RegionLives.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// The parts of L2 that what lies between the layers of a block may take beside
/// tiles, the least being tried first. Assigned.
constexpr int64_t blockPercents[] = {25, 33, 50, 75, 85};
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

/// How many times as long products take that several blocks compute as where
/// all NEs compute all the time: their tasks have few rows. Assigned.
constexpr int64_t slowdownOfRepeated = 8;

/// What several blocks compute is at most the inverse of this part of a block.
/// Assigned, as for zin-tile-rows.
constexpr int64_t leastBlockInHalos = 4;

/// Of rows that are cut blocks have so many bytes, or a multiple of it: what
/// memory fetches at a time is more than the alignment (assigned).
constexpr int64_t leastRowBytes = 128;

/// Bytes that a value is in memory, without what is between its rows.
int64_t dmaBytes(Value value) {
  return elementBytes * llvm::product_of(shapeOf(value));
}

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
  auto fits = [&](int64_t blocks) {
    int64_t count = countOf(blocks);
    return count < region.extent && lives.peakBytes(count) <= bytes;
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
  RegionLives lives(region, *this);
  // Values of a region probably stay there as a whole.
  if (lives.peakBytes(region.extent) <= target.usableL2Bytes())
    return 0;
  int64_t saved = chooseBlocks(region, lives, manyOutputs);
  return saved > 0 ? saved : chooseBlocks(region, lives, fewOutputs);
}

/// The same for blocks with a multiple of one of these numbers of outputs.
int64_t RegionFinder::chooseBlocks(LayerRegion &region,
                                   const RegionLives &lives,
                                   ArrayRef<int64_t> outputsOfBlock) const {
  llvm::SmallDenseSet<int64_t> tried;
  // Larger blocks have to be worth more than what may not fit.
  int64_t most = 0;
  for (int64_t percent : blockPercents)
    for (int64_t outputs : outputsOfBlock) {
      int64_t count = blockCountFor(region, lives, stepOf(region, outputs),
                                    target.l2Bytes * percent / 100);
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

/// What moves while the products of a layer are computed.
int64_t RegionFinder::productBytes(Operation *layer) const {
  if (!isa<ConvOp, MatMulOp>(layer))
    return 0;
  ArrayRef<int64_t> kernel = shapeOf(layer->getOperand(1));
  int64_t taps =
      isa<ConvOp>(layer) ? llvm::product_of(kernel.drop_front(C)) : kernel[W];
  return target.memoryBytes(
      slowdownOfRepeated *
      target.productCycles(llvm::product_of(shapeOf(layer->getResult(0))) *
                           taps));
}

/// Bytes of DMA as it is, and in blocks of so many units.
std::pair<int64_t, int64_t> RegionFinder::trafficOf(const LayerRegion &region,
                                                    int64_t count) const {
  int64_t whole = 0, inBlocks = 0;
  int64_t again = llvm::divideCeil(region.extent, count) - 1;
  llvm::DenseSet<std::pair<Value, BlockDim>> fetched;
  // Of what several blocks need, the bytes that all but the first one take.
  auto bytesAgain = [&](int64_t bytes, Halo halo) {
    return bytes * again * halo.size() / region.extent;
  };
  // Of layers that zin-tile-rows runs block by block as they are, what lies
  // between them stays in L2, and what several read comes once.
  auto isTiled = [&](Operation *layer) {
    return layer && isElementByElement(layer) && !isa<SoftmaxOp>(layer) &&
           hasBlocksOfRows(layer);
  };
  llvm::DenseSet<Value> readTiled;
  // An access of L2 has a row from each bank, so blocks of few rows take as
  // long as those of many.
  auto accessBytes = [&](Value value, int64_t rows) {
    ArrayRef<int64_t> shape = shapeOf(value);
    return target.memoryBytes(
        llvm::product_of(shape.take_front(H)) *
        int64_t(llvm::divideCeil(shape[W] * elementBytes, target.l2Granule)) *
        int64_t(llvm::divideCeil(rows, target.l2Banks)));
  };
  for (auto [layer, dim] : region.layers) {
    // Memory moves while L2 is accessed.
    int64_t accessed = 0, accessedInBlocks = 0;
    llvm::scope_exit addLonger([&, before = whole, beforeInBlocks = inBlocks] {
      whole = std::max(whole, before + accessed);
      inBlocks = std::max(inBlocks, beforeInBlocks + accessedInBlocks);
    });
    if (!isView(layer) && dim.dim == H)
      for (Value value : {Value(layer->getResult(0)), layer->getOperand(0)})
        if (isLarge(value) && value.getDefiningOp() && !bandsOf(layer, dim)) {
          accessed += accessBytes(value, shapeOf(value)[H]);
          accessedInBlocks +=
              (again + 1) * accessBytes(value, count * dim.unit);
        }
    std::optional<OperandDims> dims = operandDims(layer, dim);
    Value result = layer->getResult(0);
    bool moves = !isView(layer) && !joinsInPlace(layer);
    if (moves)
      inBlocks += again * target.taskBytes() +
                  bytesAgain(productBytes(layer), region.halos.lookup(layer));
    for (auto [operand, needed] : llvm::zip(layer->getOperands(), *dims)) {
      // Coefficients come for each block, as they do for each part of what L2
      // does not hold.
      if (!needed && isWeighed(layer, operand)) {
        inBlocks += again * dmaBytes(operand);
        if (readsAgain(layer))
          whole += bytesOf(layer->getOperand(0)) / target.wholeL2Bytes() *
                   dmaBytes(operand);
      }
      const RowBands *rows = bandsOf(layer, dim);
      if (rows && operand == layer->getOperand(0)) {
        MatMulOp columns = rows->columnsInBlocks(count);
        // What makes the rows writes none of them any more.
        if (isLarge(operand))
          whole += dmaBytes(operand) * (columns ? 2 : 1);
        Value source = columns ? columns.getX() : operand;
        if (isLarge(source))
          inBlocks +=
              dmaBytes(source) * rows->allRows(count) / shapeOf(source)[H];
        if (columns)
          inBlocks +=
              again * (target.taskBytes() + dmaBytes(columns.getKernel()));
        continue;
      }
      if (!isLarge(operand))
        continue;
      bool isNear = isTiled(layer) && (isTiled(operand.getDefiningOp()) ||
                                       !readTiled.insert(operand).second);
      if (moves && !isNear)
        whole += dmaBytes(operand) * (isa<SoftmaxOp>(layer) ? 2 : 1);
      if (needed && !region.contains(operand.getDefiningOp()) &&
          fetched.insert({operand, *needed}).second)
        inBlocks += dmaBytes(operand) +
                    bytesAgain(dmaBytes(operand), region.haloOfOperands(layer));
    }
    if (!isLarge(result))
      continue;
    if (moves && !(isTiled(layer) && llvm::all_of(result.getUsers(), isTiled)))
      whole += dmaBytes(result);
    bool isWritten = false;
    for (Operation *user : result.getUsers())
      if (joinsOutput(user, dim.dim)) {
        inBlocks += dmaBytes(result);
        whole += dmaBytes(result) * (result.hasOneUse() ? 0 : 2);
      } else if (!region.contains(user)) {
        isWritten = true;
      }
    // What windows need beside a block is not for others, who have a copy.
    if (isWritten)
      inBlocks +=
          dmaBytes(result) * (region.halos.lookup(layer).size() > 0 ? 3 : 1);
  }
  return {whole, inBlocks};
}
