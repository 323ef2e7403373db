//===- LayerRegionChoice.cpp - Which layers are a region ------------------===//

#include "Split/LayerRegions.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Layers with coefficients of a part of a region, and of one whose blocks are
/// images: what several blocks need does not grow with their number there.
/// Assigned.
constexpr size_t mostCuts = 12, mostCutsOfImages = 32;
/// Blocks of another dimension have to save this part more than those of bands.
/// Assigned.
constexpr int64_t leastGainDenominator = 8;
/// So do blocks whose columns are fetched as rows, which is a copy more, of
/// blocks of another dimension. Assigned.
constexpr int64_t leastGainOfRowsDenominator = 4;

} // namespace

int64_t RegionFinder::chooseWhole(LayerRegion &region) const {
  bool isNew = llvm::any_of(region.layers, [&](const auto &entry) {
    return !isView(entry.first) && touchesLarge(entry.first) &&
           !hasBlocksOfRows(entry.first);
  });
  if (!isNew || region.layers.size() < 2)
    return 0;
  update(region);
  return chooseBlocks(region);
}

RegionFinder::Choice
RegionFinder::chooseParts(const LayerRegion &region) const {
  auto layers = region.layers.getArrayRef();
  auto hasCoefficients = [](Operation *layer) {
    return isa<ConvOp, MatMulOp>(layer);
  };
  size_t mostHere = region.isOfImages() ? mostCutsOfImages : mostCuts;
  SmallVector<size_t> cuts = {0};
  for (size_t index = 1; index < layers.size(); ++index) {
    Operation *before = layers[index - 1].first;
    if (hasCoefficients(layers[index].first) ||
        (!isView(before) && isLarge(before->getResult(0)) &&
         isReadBehind(before, region)))
      cuts.push_back(index);
  }
  cuts.push_back(layers.size());
  // What the layers in front of each cut save at most, and the last part of
  // them.
  SmallVector<int64_t> most(cuts.size(), 0);
  SmallVector<size_t> begins(cuts.size());
  SmallVector<LayerRegion> parts(cuts.size());
  for (size_t end = 1; end < cuts.size(); ++end) {
    most[end] = most[end - 1];
    begins[end] = end - 1;
    for (size_t begin = end; begin-- > 0 && end - begin <= mostHere;) {
      LayerRegion part;
      part.extent = region.extent;
      for (auto [layer, dim] :
           layers.slice(cuts[begin], cuts[end] - cuts[begin]))
        part.layers[layer] = dim;
      trim(part);
      int64_t saved = chooseWhole(part);
      if (saved == 0 || most[begin] + saved <= most[end])
        continue;
      most[end] = most[begin] + saved;
      begins[end] = begin;
      parts[end] = std::move(part);
    }
  }
  Choice choice = {{}, most.back()};
  for (size_t end = cuts.size() - 1; end > 0; end = begins[end])
    if (most[end] > most[begins[end]])
      choice.parts.push_back(std::move(parts[end]));
  std::reverse(choice.parts.begin(), choice.parts.end());
  return choice;
}

void RegionFinder::tryAround(Operation *seed, ArrayRef<unsigned> dims,
                             Choice &best) {
  if (!isLarge(seed->getResult(0)) || isView(seed))
    return;
  ArrayRef<int64_t> shape = shapeOf(seed->getResult(0));
  for (unsigned dim : dims) {
    if (shape[dim] == 1 || !seen.insert({seed, BlockDim{dim}}).second)
      continue;
    LayerRegion region = grow(seed, BlockDim{dim});
    makeConvex(region, seed);
    trim(region);
    for (auto [layer, layerDim] : region.layers)
      seen.insert({layer, layerDim});
    Choice choice = chooseParts(region);
    // Of bands blocks are as small as they need be, and all of what they come
    // from need not be there.
    bool hasBands = llvm::any_of(best.parts, [&](const LayerRegion &part) {
      return llvm::any_of(part.layers, [&](const auto &entry) {
        return bandsOf(entry.first, entry.second) != nullptr;
      });
    });
    int64_t leastGain = hasBands ? best.saved / leastGainDenominator : 0;
    bool hasRows = llvm::any_of(choice.parts, [](const LayerRegion &part) {
      return llvm::any_of(
          part.staged, [](const auto &entry) { return isOfRows(entry.first); });
    });
    if (hasRows)
      leastGain = std::max(leastGain, best.saved / leastGainOfRowsDenominator);
    if (choice.saved > best.saved + leastGain)
      best = std::move(choice);
  }
}

SmallVector<Operation *> RegionFinder::Choice::layers() const {
  SmallVector<Operation *> all;
  for (const LayerRegion &part : parts)
    llvm::append_range(all, llvm::make_first_range(part.layers));
  return all;
}

RegionFinder::Choice RegionFinder::choose(Operation *seed,
                                          ArrayRef<unsigned> dims) {
  Choice best;
  tryAround(seed, dims, best);
  // Blocks of another dimension that only some of the layers keep apart may
  // take more of those behind them. Those of columns are the last to be good.
  for (Operation *layer : best.layers())
    tryAround(layer, dims.drop_back(), best);
  return best;
}

int64_t RegionFinder::savedByOthers(const Choice &images,
                                    ArrayRef<unsigned> dims) {
  int64_t saved = 0;
  llvm::DenseSet<Operation *> taken;
  for (Operation *layer : images.layers()) {
    if (taken.contains(layer))
      continue;
    Choice choice;
    tryAround(layer, dims, choice);
    SmallVector<Operation *> layers = choice.layers();
    if (llvm::any_of(layers,
                     [&](Operation *each) { return taken.contains(each); }))
      continue;
    taken.insert_range(layers);
    saved += choice.saved;
  }
  return saved;
}

SmallVector<LayerRegion, 1> RegionFinder::around(Operation *seed) {
  constexpr unsigned dims[] = {N, D, C, H, W};
  ArrayRef<unsigned> others = ArrayRef(dims).drop_front();
  Choice best = choose(seed, dims);
  auto isOfImages = [](const LayerRegion &part) { return part.isOfImages(); };
  if (!llvm::any_of(best.parts, isOfImages))
    return std::move(best.parts);
  // Layers of all images that each have other blocks may save more together.
  seen.clear();
  bool isBest = best.saved >= savedByOthers(best, others.drop_back());
  seen.clear();
  if (isBest)
    return std::move(best.parts);
  for (Operation *layer : best.layers())
    seen.insert({layer, BlockDim{N}});
  return choose(seed, others).parts;
}
