//===- SplitBroadcasts.cpp - Products of what is repeated, once -----------===//

#include "Simplify/JoinedProducts.h"
#include "ane/Dialect/MIL/IR/Resampling.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Support/CountingPattern.h"
#include "ane/Support/Inventory.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace ane::mil {
#define GEN_PASS_DEF_SPLITBROADCASTS
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Whether an op resizes dimensions of one element: every way to do that gives
/// this element.
bool resizesOnePixel(Operation *op) {
  std::optional<Resampling> resampling = getResampling(op);
  RankedTensorType type =
      resampling ? staticType(op->getOperand(0)) : RankedTensorType();
  return type && llvm::all_of(type.getShape().take_back(resampling->dims),
                              [](int64_t extent) { return extent == 1; });
}

/// What a value has once and repeats along other dimensions than `axis`; null
/// where there is nothing such.
Value repeatedAlongOthers(Value value, int64_t axis) {
  Operation *op = value.getDefiningOp();
  if (!op || !(isa<TileOp>(op) || resizesOnePixel(op)))
    return {};
  Value once = op->getOperand(0);
  RankedTensorType to = staticType(value);
  RankedTensorType from = staticType(once);
  if (!to || !from || from.getRank() != to.getRank() || from == to)
    return {};
  for (int64_t dim = 0; dim < to.getRank(); ++dim)
    if (from.getDimSize(dim) != to.getDimSize(dim) &&
        (dim == axis || from.getDimSize(dim) != 1))
      return {};
  return once;
}

/// f(concat(x, repeat(s)), w) -> f(x, wx) + f(s, ws), where f is linear and
/// works on each element alone along all dimensions but `axis`.
template <typename Op> struct SplitRule : CountingPattern<Op> {
  using CountingPattern<Op>::CountingPattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    auto concat = op.getX().template getDefiningOp<ConcatOp>();
    RankedTensorType type = staticType(op.getResult());
    std::optional<int64_t> axis = axisOf(op);
    if (!concat || !concat->hasOneUse() || !type || !axis)
      return rewriter.notifyMatchFailure(op, "no product of a concatenation");
    if (!joinsAlong(concat, *axis))
      return rewriter.notifyMatchFailure(op, "values joined along other axes");

    SmallVector<Value> sources;
    int64_t repeated = 0;
    ArrayRef<int64_t> shape;
    for (Value value : concat.getValues()) {
      Value once = repeatedAlongOthers(value, *axis);
      // All of them are one product.
      if (once && repeated > 0 && !fits(shape, shapeOf(once), *axis))
        once = {};
      sources.push_back(once);
      if (!once)
        continue;
      shape = shapeOf(once);
      repeated += shape[*axis];
    }
    // The sum of both products costs twice the results, what is repeated as
    // much to write as to read.
    if (repeated == 0 ||
        llvm::all_of(sources, [](Value v) { return bool(v); }) ||
        2 * repeated < type.getDimSize(*axis))
      return rewriter.notifyMatchFailure(op, "too little is repeated");

    SmallVector<int64_t> small(type.getShape());
    for (auto [dim, extent] : llvm::enumerate(small))
      if (int64_t(dim) != *axis && shape[dim] != shapeOf(op.getX())[dim])
        extent = 1;
    Replacer r(rewriter, op);
    JoinedParts whole, once;
    int64_t begin = 0;
    for (auto [value, source] : llvm::zip_equal(concat.getValues(), sources)) {
      (source ? once : whole)
          .add(r, source ? source : value, op.getWeight(), *axis, begin);
      begin += shapeOf(value)[*axis];
    }
    Value results = product(r, op, whole, type.getShape(), op.getBias());
    ++this->count;
    return r.replace(r.template binary<AddOp>(
        results, product(r, op, once, small, Value())));
  }

private:
  /// The dimension that weights are about; nothing where more than that decides
  /// a result.
  static std::optional<int64_t> axisOf(ConvOp op) {
    return pointwiseWindow(op) ? std::optional(int64_t(1)) : std::nullopt;
  }
  static std::optional<int64_t> axisOf(LinearOp op) {
    RankedTensorType x = staticType(op.getX());
    return x && x.getRank() > 0 && getConstantElements(op.getWeight())
               ? std::optional(x.getRank() - 1)
               : std::nullopt;
  }

  static bool fits(ArrayRef<int64_t> a, ArrayRef<int64_t> b, int64_t axis) {
    for (auto [dim, extents] : llvm::enumerate(llvm::zip_equal(a, b)))
      if (int64_t(dim) != axis && std::get<0>(extents) != std::get<1>(extents))
        return false;
    return true;
  }

  static Value product(Replacer &r, ConvOp op, const JoinedParts &parts,
                       ArrayRef<int64_t> shape, Value bias) {
    return makePointwise(r, op, parts, shape, bias);
  }
  static Value product(Replacer &r, LinearOp op, const JoinedParts &parts,
                       ArrayRef<int64_t> shape, Value bias) {
    return LinearOp::create(r.rewriter, op.getLoc(),
                            cast<RankedTensorType>(op.getType()).clone(shape),
                            r.concat(parts.values, shape.size() - 1),
                            r.concat(parts.columns, 1), bias);
  }
};

class SplitBroadcasts : public mil::impl::SplitBroadcastsBase<SplitBroadcasts> {
public:
  void runOnOperation() override {
    const auto &inventory = getAnalysis<Inventory>();
    if (!inventory.hasAny<ConcatOp>() ||
        !(inventory.hasAny<TileOp>() || hasResize(inventory)))
      return markAllAnalysesPreserved();
    RewritePatternSet patterns(&getContext());
    patterns.add<SplitRule<ConvOp>, SplitRule<LinearOp>>(&getContext(),
                                                         numSplit);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
