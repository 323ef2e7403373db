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

constexpr int64_t planeAxes[] = {H, W}, channelAxis[] = {C},
                  channelRowAxes[] = {C, H}, noAxis[] = {W};

/// (x - mean(x)) * 1 / sqrt(mean((x - mean(x)) ^ 2) + epsilon), of groups that
/// lie one behind the other.
struct Norm {
  Value x;
  ElementWiseOp difference;
  ReductionOp mean, deviation;
  ElementWiseOp result;
  int64_t groups; ///< that each have a mean
};

bool isMeanOf(ReductionOp reduction, Value x) {
  return reduction && reduction.getX() == x &&
         reduction.getKind() == ReductionType::Avg && !reduction.getScale();
}

/// The product of the dimensions in front of those that are reduced, if none of
/// these lies in front of one that stays.
std::optional<int64_t> groupsOf(ReductionOp mean) {
  int64_t groups = 1;
  bool isBehind = false;
  for (auto [dim, extent] : llvm::enumerate(shapeOf(mean.getX()))) {
    bool isReduced = llvm::is_contained(mean.getAxes(), int64_t(dim));
    if (extent == 1)
      continue;
    if (!isReduced && isBehind)
      return std::nullopt;
    isBehind |= isReduced;
    if (!isReduced)
      groups *= extent;
  }
  return groups;
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
      norm.mean.getPost() || norm.mean.getEpsilon() ||
      norm.mean.getAxes() != deviation.getAxes() || !norm.mean->hasOneUse())
    return std::nullopt;
  std::optional<int64_t> groups = groupsOf(norm.mean);
  if (!groups)
    return std::nullopt;
  norm.groups = *groups;
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

/// The image that a norm has the channels of, if a reshape made groups of them.
/// Empty if there is none.
Value imageOf(const Norm &norm) {
  auto isImage = [&](ArrayRef<int64_t> shape) {
    return shape[N] == 1 && shape[D] == 1 && shape[H] * shape[W] > 1 &&
           shape[C] % norm.groups == 0;
  };
  if (auto before = norm.x.getDefiningOp<ReshapeOp>();
      before && isImage(shapeOf(before.getX())))
    return before.getX();
  ArrayRef<int64_t> shape = shapeOf(norm.x);
  if (isImage(shape))
    return norm.x;
  // Groups in front of channels have no reshape if a parameter has them.
  return shape[N] == 1 && shape[D] == norm.groups && shape[C] > 1 ? norm.x
                                                                  : Value();
}

/// Whether all that reads a value, but for a layer that scales its channels,
/// needs another block of it than the norm has, or is the end.
bool endsBehind(Value value, bool isScaled = false) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (isa<ReshapeOp>(user))
      return endsBehind(user->getResult(0), isScaled);
    auto conv = dyn_cast<ConvOp>(user);
    if (conv && int64_t(conv.getGroups()) == shapeOf(value)[C])
      return !isScaled && endsBehind(user->getResult(0), /*isScaled=*/true);
    return isa<ConvOp, MatMulOp, TransposeOp, ReturnOp>(user);
  });
}

/// Takes a norm by its parts, which are the channels of an image, or as many
/// rows of each.
class Parter {
public:
  Parter(Norm &norm, Value image)
      : norm(norm), builder(norm.result), location(norm.result.getLoc()),
        image(image) {
    ArrayRef<int64_t> shape = shapeOf(image);
    planes = {1, 1, shape[D] * shape[C], shape[H], shape[W]};
  }

  /// Whether groups are too large for L2, which does not hold all of them, and
  /// consist of parts that are not.
  bool findParts(const TargetDescription &target) {
    int64_t most = target.largeL2Bytes();
    auto bytesOf = [&](int64_t channels, int64_t rows) {
      return bytesInL2({1, 1, channels, rows, planes[W]}, target);
    };
    int64_t channels = planes[C] / norm.groups;
    int64_t group = bytesOf(channels, planes[H]);
    if (group <= most || bytesOf(1, 1) > most ||
        bytesOf(planes[C], planes[H]) <= target.wholeL2Bytes())
      return false;
    // Where little else is computed there is room for a larger group.
    if (channels > 1 && group <= target.wholeL2Bytes() &&
        shapeOf(norm.x)[W] == planes[W] && endsBehind(norm.result.getResult()))
      return false;
    while (planes[H] % perChannel != 0 ||
           bytesOf(1, planes[H] / perChannel) > most)
      ++perChannel;
    perGroup = channels * perChannel;
    return perGroup > 1 && planes[C] * perChannel <= target.maxChannels;
  }

  void run() {
    image = reshaped(image, planes);
    Value x = reshaped(image, {1, 1, norm.groups * perGroup,
                               planes[H] / perChannel, planes[W]});
    Value means = reduced(x, planeAxes);
    FloatAttr epsilon = norm.deviation.getEpsilonAttr();
    Value inverses = reduced(difference(x, means), planeAxes, /*square=*/true,
                             PEPost::rsqrt, epsilon);
    // The mean square of a group is that of its parts and of the distances of
    // their means.
    means = ofGroups(means);
    Value mean = reduced(means, channelAxis);
    Value roots = reduced(ofGroups(inverses), noAxis, /*square=*/false,
                          PEPost::reciprocal);
    // Of both together there are twice as many squares as parts.
    Value inverse = reduced(
        concatAlong(builder, location, {roots, difference(means, mean)}, H),
        channelRowAxes, /*square=*/true, PEPost::rsqrt,
        /*epsilon=*/{}, builder.getF16FloatAttr(2));
    // One task subtracts the first row of a pair and multiplies by the second.
    Value pair = concatAlong(builder, location,
                             {ofChannels(mean), ofChannels(inverse)}, H);
    auto row = [&](int64_t index) {
      return viewAlong(builder, location, pair, H, index, 1);
    };
    replaceResult(ElementWiseOp::create(builder, location, image.getType(),
                                        EWType::Mult, difference(image, row(0)),
                                        row(1)));
  }

private:
  void replaceResult(Value result) {
    // Mostly a reshape back follows.
    for (Operation *user : llvm::to_vector(norm.result->getUsers()))
      if (auto reshape = dyn_cast<ReshapeOp>(user);
          reshape && reshape.getType() == result.getType()) {
        reshape.replaceAllUsesWith(result);
        reshape.erase();
      }
    if (!norm.result.use_empty())
      norm.result.replaceAllUsesWith(
          reshaped(result, shapeOf(norm.result.getResult())));
    auto before = norm.x.getDefiningOp<ReshapeOp>();
    for (Operation *layer :
         {norm.result.getOperation(), norm.deviation.getOperation(),
          norm.difference.getOperation(), norm.mean.getOperation()})
      layer->erase();
    if (before && before.use_empty())
      before.erase();
  }

  Value reshaped(Value x, ArrayRef<int64_t> shape) {
    return shapeOf(x) == shape ? x : reshapeTo(builder, location, x, shape);
  }

  Value difference(Value x, Value mean) {
    return ElementWiseOp::create(builder, location, x.getType(), EWType::Sub, x,
                                 mean);
  }

  Value reduced(Value x, ArrayRef<int64_t> axes, bool square = false,
                std::optional<PEPost> post = std::nullopt,
                FloatAttr epsilon = {}, FloatAttr scale = {}) {
    SmallVector<int64_t> shape(shapeOf(x));
    for (int64_t axis : axes)
      shape[axis] = 1;
    return ReductionOp::create(
        builder, location, RankedTensorType::get(shape, builder.getF16Type()),
        ReductionType::Avg, x, axes, square,
        post ? PEPostAttr::get(builder.getContext(), *post) : PEPostAttr(),
        epsilon, scale);
  }

  /// Numbers of parts by groups.
  Value ofGroups(Value x) {
    return reshaped(x, {1, norm.groups, perGroup, 1, 1});
  }

  /// Numbers of groups, each for all of its channels.
  Value ofChannels(Value x) {
    int64_t channels = planes[C] / norm.groups;
    if (!ones)
      ones = makeConstant(builder, location, {1, 1, channels, 1, 1},
                          std::vector<uint16_t>(channels, halfFromDouble(1)));
    Value repeated = ElementWiseOp::create(
        builder, location,
        RankedTensorType::get({1, norm.groups, channels, 1, 1},
                              builder.getF16Type()),
        EWType::Mult, x, ones);
    return reshaped(repeated, {1, 1, planes[C], 1, 1});
  }

  Norm &norm;
  OpBuilder builder;
  Location location;
  Value image;
  SmallVector<int64_t> planes;
  int64_t perChannel = 1, perGroup = 1; ///< parts
  Value ones;                           ///< of the channels of a group
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
      Value image = norm ? imageOf(*norm) : Value();
      if (!image)
        continue;
      Parter parter(*norm, image);
      if (!parter.findParts(*description))
        continue;
      parter.run();
      ++count;
    }
    numParted += count;
    if (count == 0)
      markAllAnalysesPreserved();
  }
};

} // namespace
