//===- LowerStandardize.cpp - Mean and variance of columns ----------------===//
//
// (x - mean) / sqrt(variance + epsilon) over the last dimensions is three tasks
// of the planar engine: means, what divides, and both applied at once as a pair
// of vectors. Differences are squared before anything is rounded. Verified for
// columns, for rows and columns of channels, and for everything.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace mlir;
using namespace ane;
using namespace ane::tasks;
using namespace ane::zin;

namespace {

/// The layers behind a mean.
struct Layers {
  ElementWiseOp difference;
  ReductionOp factor;
  ElementWiseOp product;
};

/// x - mean, 1 / sqrt(mean((x - mean)^2) + epsilon), and their product, none of
/// which anything else reads.
std::optional<Layers> findLayers(ReductionOp mean) {
  auto isPlain = [](ReductionOp op) {
    return op.getKind() == ReductionType::Avg && !op.getSquare() &&
           !op.getScaleAttr() && !op.getEpsilonAttr();
  };
  if (!isPlain(mean) || mean.getPost().value_or(PEPost::none) != PEPost::none ||
      !mean.getResult().hasOneUse())
    return std::nullopt;
  Layers layers;
  layers.difference = dyn_cast<ElementWiseOp>(*mean.getResult().user_begin());
  if (!layers.difference || layers.difference.getKind() != EWType::Sub ||
      layers.difference.getX() != mean.getX() ||
      layers.difference.getY() != mean.getResult())
    return std::nullopt;
  for (Operation *user : layers.difference.getResult().getUsers()) {
    if (auto factor = dyn_cast<ReductionOp>(user))
      layers.factor = factor;
    else
      layers.product = dyn_cast<ElementWiseOp>(user);
  }
  if (!layers.factor || !layers.product ||
      !llvm::hasNItems(layers.difference.getResult().getUses(), 2) ||
      layers.product.getKind() != EWType::Mult ||
      !layers.factor.getResult().hasOneUse() ||
      *layers.factor.getResult().user_begin() != layers.product)
    return std::nullopt;
  if (layers.factor.getKind() != ReductionType::Avg ||
      !layers.factor.getSquare() || layers.factor.getScaleAttr() ||
      layers.factor.getPost().value_or(PEPost::none) != PEPost::rsqrt ||
      layers.factor.getAxes() != mean.getAxes())
    return std::nullopt;
  return layers;
}

} // namespace

std::optional<Lowering::Standardized>
Lowering::standardizedViews(ReductionOp mean) {
  View x = viewOf(mean.getX());
  // What stays are the dimensions in front of those that are reduced.
  int64_t kept = 1, rows = 1;
  for (unsigned dim = 0; dim < W; ++dim) {
    if (x.shape[dim] == 1)
      continue;
    if (!llvm::is_contained(mean.getAxes(), int64_t(dim))) {
      if (rows > 1)
        return std::nullopt;
      kept *= x.shape[dim];
    } else {
      rows *= x.shape[dim];
    }
  }
  bool overColumns = llvm::is_contained(mean.getAxes(), int64_t(W));
  if (!overColumns ? x.shape[W] > 1 : rows * x.shape[W] == 1)
    return std::nullopt;

  bool isWhole = kept == 1 && x.shape[N] == 1 && x.shape[D] == 1;
  bool turns = isWhole && x.shape[C] > 1;
  auto fits = [&](int64_t extent) {
    return extent != pairRows && extent <= b.target.maxHeight;
  };
  std::optional<View> whole = turns ? wholeOf(x) : std::nullopt;
  if ((turns && !whole) || !fits(turns ? whole->shape[H] : rows) ||
      !fits(isWhole ? x.shape[H] : rows))
    return std::nullopt;

  x = b.linearize(x);
  Standardized views;
  views.applied = isWhole ? x : x.withRows(1, 1, kept, rows);
  views.reduced = turns ? *wholeOf(x) : views.applied;
  views.count = rows * x.shape[W];
  views.isVector = rows > 1 && kept > 1;
  views.repeatsChannel =
      kept == 1 && llvm::is_contained(mean.getAxes(), int64_t(C));
  return views;
}

bool Lowering::standardize(ReductionOp op) {
  std::optional<Layers> layers = findLayers(op);
  if (!layers)
    return false;
  std::optional<Standardized> views = standardizedViews(op);
  if (!views)
    return false;

  take(layers->difference);
  take(layers->factor);
  take(layers->product);
  const View &x = views->applied;
  PEParams apply;
  View y = resultView(takeRelu(layers->product.getResult(), apply));
  bool direct = y.linearPitch().has_value();
  View target = direct ? y : b.makeScratch(y.shape);
  View results = target.withRows(1, 1, x.shape[C], x.shape[H]);

  PEParams average;
  average.reduce = PEReduce::sum;
  average.finalScale = 1.0 / views->count;
  average.vectorResult = views->isVector;
  PEParams inverse = average;
  inverse.op = PEOp::square;
  inverse.negate1 = true;
  inverse.vector1 = views->isVector;
  inverse.post = PEPost::rsqrt;
  if (std::optional<APFloat> epsilon = layers->factor.getEpsilon())
    inverse.epsilon = epsilon->convertToDouble();
  apply.negate2 = true;
  apply.repeatsChannel2 = views->repeatsChannel;
  apply.vector2 = views->isVector;
  int64_t channels =
      b.target.maxTileChannels(x.shape[W], b.target.peStreamBytes);
  int64_t step = b.target.rowStep();
  if (views->repeatsChannel) // what has one mean stays together
    channels = x.shape[C];
  else if (views->isVector)
    channels = std::max(channels / step * step, step);
  for (int64_t begin = 0; begin < x.shape[C]; begin += channels) {
    int64_t count = std::min(channels, x.shape[C] - begin);
    View part = x.sliced(C, begin, count);
    View reduced = views->repeatsChannel ? views->reduced : part;
    int64_t means = views->repeatsChannel ? 1 : count;
    View pair = views->isVector ? b.makeScratch({1, 1, 1, pairRows, means})
                                : b.makeScratch({1, 1, means, pairRows, 1});
    View mean = pair.sliced(H, 0, 1), factor = pair.sliced(H, 1, 1);
    b.emitPE(Opcode::PEFUSED_POOL, UnitType::PEPool, average, reduced, nullptr,
             mean);
    b.emitPE(Opcode::PEFUSED_POOL, UnitType::PEPool, inverse, mean, &reduced,
             factor);
    b.emitPE(Opcode::PEFUSED_ELEMENTWISE, UnitType::PEElementWise, apply, part,
             &pair, results.sliced(C, begin, count));
  }
  if (!direct)
    b.emitCopy(target, y);
  return true;
}
