//===- PartNorms.cpp - Norms of large groups channel by channel -----------===//

#include "HalfConstant.h"
#include "ane/Dialect/Zin/IR/Views.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "ane/Support/Half.h"
#include "ane/Support/Inventory.h"
#include "ane/Target/Target.h"

namespace ane::zin {
#define GEN_PASS_DEF_PARTNORMS
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

constexpr int64_t groupAxes[] = {C, H, W}, planeAxes[] = {H, W},
                  channelAxis[] = {C}, noAxis[] = {W};

/// (x - mean(x)) * 1 / sqrt(mean((x - mean(x)) ^ 2) + epsilon), of groups of
/// channels.
struct Norm {
  Value x; ///< [1, groups, channels of a group, rows, columns]
  ElementWiseOp difference;
  ReductionOp mean, deviation;
  ElementWiseOp result;
};

bool isMeanOf(ReductionOp reduction, Value x) {
  return reduction && reduction.getX() == x &&
         reduction.getKind() == ReductionType::Avg && !reduction.getScale() &&
         reduction.getAxes() == ArrayRef(groupAxes);
}

std::optional<Norm> normBehind(ReductionOp deviation) {
  Norm norm;
  norm.deviation = deviation;
  norm.difference = deviation.getX().getDefiningOp<ElementWiseOp>();
  if (!norm.difference || norm.difference.getKind() != EWType::Sub ||
      !isMeanOf(deviation, norm.difference.getResult()) ||
      !deviation.getSquare() || !deviation.getEpsilon() ||
      deviation.getPost().value_or(PEPost::none) != PEPost::rsqrt ||
      !deviation->hasOneUse())
    return std::nullopt;
  norm.x = norm.difference.getX();
  norm.mean = norm.difference.getY().getDefiningOp<ReductionOp>();
  if (!isMeanOf(norm.mean, norm.x) || norm.mean.getSquare() ||
      norm.mean.getPost() || norm.mean.getEpsilon() || !norm.mean->hasOneUse())
    return std::nullopt;
  norm.result = dyn_cast<ElementWiseOp>(*deviation->user_begin());
  auto isReader = [&](Operation *user) {
    return user == deviation || user == norm.result;
  };
  bool isProduct = norm.result && norm.result.getKind() == EWType::Mult &&
                   norm.result.getX() == norm.difference.getResult() &&
                   norm.result.getY() == deviation.getResult();
  return isProduct && llvm::all_of(norm.difference->getUsers(), isReader)
             ? std::optional(norm)
             : std::nullopt;
}

class Parter {
public:
  explicit Parter(Norm &norm)
      : norm(norm), builder(norm.result), location(norm.result.getLoc()) {
    ArrayRef<int64_t> shape = shapeOf(norm.x);
    groups = shape[D];
    channels = shape[C];
    planes = {1, 1, groups * channels, shape[H], shape[W]};
  }

  void run() {
    auto before = norm.x.getDefiningOp<ReshapeOp>();
    Value x = before && shapeOf(before.getX()) == ArrayRef(planes)
                  ? before.getX()
                  : reshapeTo(builder, location, norm.x, planes);
    Value mean =
        ofChannels(reduced(ofGroups(reduced(x, planeAxes)), channelAxis));
    FloatAttr epsilon = norm.deviation.getEpsilonAttr();
    Value inverse = reduced(difference(x, mean), planeAxes, /*square=*/true,
                            PEPost::rsqrt, epsilon);
    Value root = reduced(inverse, noAxis, /*square=*/false, PEPost::reciprocal);
    Value scale = ofChannels(reduced(ofGroups(root), channelAxis,
                                     /*square=*/true, PEPost::rsqrt));
    // The difference once more: the first one then is of no layer that needs
    // all of the deviations.
    Value result =
        ElementWiseOp::create(builder, location, x.getType(), EWType::Mult,
                              difference(x, mean), scale);
    // Mostly a reshape back follows.
    for (Operation *user : llvm::to_vector(norm.result->getUsers()))
      if (auto reshape = dyn_cast<ReshapeOp>(user);
          reshape && reshape.getType() == result.getType()) {
        reshape.replaceAllUsesWith(result);
        reshape.erase();
      }
    if (!norm.result.use_empty())
      norm.result.replaceAllUsesWith(
          reshapeTo(builder, location, result, shapeOf(norm.result)));
    for (Operation *layer :
         {norm.result.getOperation(), norm.deviation.getOperation(),
          norm.difference.getOperation(), norm.mean.getOperation()})
      layer->erase();
    if (before && before.use_empty())
      before.erase();
  }

private:
  Value difference(Value x, Value mean) {
    return ElementWiseOp::create(builder, location, x.getType(), EWType::Sub, x,
                                 mean);
  }

  Value reduced(Value x, ArrayRef<int64_t> axes, bool square = false,
                std::optional<PEPost> post = std::nullopt,
                FloatAttr epsilon = {}) {
    SmallVector<int64_t> shape(shapeOf(x));
    for (int64_t axis : axes)
      shape[axis] = 1;
    return ReductionOp::create(
        builder, location, RankedTensorType::get(shape, builder.getF16Type()),
        ReductionType::Avg, x, axes, square,
        post ? PEPostAttr::get(builder.getContext(), *post) : PEPostAttr(),
        epsilon, /*scale=*/FloatAttr());
  }

  /// Numbers of channels by groups.
  Value ofGroups(Value x) {
    return reshapeTo(builder, location, x, {1, groups, channels, 1, 1});
  }

  /// Numbers of groups, each for all of its channels.
  Value ofChannels(Value x) {
    if (!ones)
      ones = makeConstant(builder, location, {1, 1, channels, 1, 1},
                          std::vector<uint16_t>(channels, halfFromDouble(1)));
    Value repeated =
        ElementWiseOp::create(builder, location,
                              RankedTensorType::get({1, groups, channels, 1, 1},
                                                    builder.getF16Type()),
                              EWType::Mult, x, ones);
    return reshapeTo(builder, location, repeated,
                     {1, 1, groups * channels, 1, 1});
  }

  Norm &norm;
  OpBuilder builder;
  Location location;
  int64_t groups, channels;
  SmallVector<int64_t> planes;
  Value ones; ///< of the channels of a group
};

class PartNorms : public ane::zin::impl::PartNormsBase<PartNorms> {
public:
  using PartNormsBase::PartNormsBase;

  void runOnOperation() override {
    const TargetDescription *description =
        findTargetFor(getOperation(), target);
    if (!description)
      return signalPassFailure();
    if (!getAnalysis<Inventory>().hasAny<ReductionOp>())
      return markAllAnalysesPreserved();
    unsigned count = 0;
    Block &body = getOperation().getBody().front();
    for (auto reduction : llvm::to_vector(body.getOps<ReductionOp>())) {
      std::optional<Norm> norm = normBehind(reduction);
      if (!norm || !isLarge(shapeOf(norm->x), *description))
        continue;
      Parter(*norm).run();
      ++count;
    }
    numParted += count;
    if (count == 0)
      markAllAnalysesPreserved();
  }

private:
  static bool isLarge(ArrayRef<int64_t> shape,
                      const TargetDescription &target) {
    int64_t most = target.largeL2Bytes();
    return shape[N] == 1 && shape[C] > 1 &&
           shape[D] * shape[C] <= target.maxChannels &&
           bytesInL2({1, 1, shape[C], shape[H], shape[W]}, target) > most &&
           bytesInL2({1, 1, 1, shape[H], shape[W]}, target) <= most;
  }
};

} // namespace
