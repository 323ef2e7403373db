//===- LowerStandardize.cpp - Mean and variance of columns ----------------===//
//
// (x - mean) / sqrt(variance + epsilon) along columns is three tasks of the
// planar engine: means, what divides, and both applied at once as a pair of
// vectors. Differences are squared before anything is rounded. Verified for one
// mean; pairs of many channels are verified with constants.
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
    return op.getKind() == ReductionType::Avg && !op.getSquare();
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
      !layers.factor.getSquare() ||
      layers.factor.getPost().value_or(PEPost::none) != PEPost::rsqrt ||
      layers.factor.getAxes() != mean.getAxes())
    return std::nullopt;
  return layers;
}

} // namespace

bool Lowering::standardize(ReductionOp mean) {
  std::optional<Layers> layers = findLayers(mean);
  if (!layers)
    return false;
  View x = viewOf(mean.getX());
  for (int64_t axis : mean.getAxes())
    if (axis != W && x.shape[axis] > 1)
      return false;
  int64_t channels =
      b.target.maxTileChannels(x.shape[W], b.target.peStreamBytes);
  if (!llvm::is_contained(mean.getAxes(), int64_t(W)) || x.shape[W] == 1)
    return false;

  done.insert(layers->difference);
  done.insert(layers->factor);
  done.insert(layers->product);
  View y = resultView(layers->product.getResult());
  bool direct = y.linearPitch().has_value();
  View target = direct ? y : b.makeScratch(y.shape);
  x = b.linearize(x);
  View rows = x.withRows(1, 1, x.rows(), 1),
       results = target.withRows(1, 1, x.rows(), 1);

  PEParams average;
  average.reduce = PEReduce::sum;
  average.finalScale = 1.0 / x.shape[W];
  PEParams inverse = average;
  inverse.op = PEOp::square;
  inverse.negate1 = true;
  inverse.post = PEPost::rsqrt;
  if (std::optional<APFloat> epsilon = layers->factor.getEpsilon())
    inverse.epsilon = epsilon->convertToDouble();
  PEParams apply;
  apply.negate2 = true;
  apply.repeatsChannel2 =
      x.rows() == 1 && llvm::is_contained(mean.getAxes(), int64_t(C));
  for (int64_t begin = 0; begin < x.rows(); begin += channels) {
    int64_t count = std::min(channels, x.rows() - begin);
    View part = rows.sliced(C, begin, count);
    View pair = b.makeScratch({1, 1, count, 2, 1});
    View means = pair.sliced(H, 0, 1), factors = pair.sliced(H, 1, 1);
    b.emitPE(Opcode::PEFUSED_POOL, UnitType::PEPool, average, part, nullptr,
             means);
    b.emitPE(Opcode::PEFUSED_POOL, UnitType::PEPool, inverse, means, &part,
             factors);
    b.emitPE(Opcode::PEFUSED_ELEMENTWISE, UnitType::PEElementWise, apply, part,
             &pair, results.sliced(C, begin, count));
  }
  if (!direct)
    b.emitCopy(target, y);
  return true;
}
