//===- DecomposeScatter.cpp - Updates by gathering and writing back -------===//
//
// The engine adds updates, subtracts them or puts them in place. For other
// modes the elements are gathered, joined with their updates, and take their
// places again, one after the other; extremes of several updates are those of
// all of them at once. Known indices have rules of their own.
//
//===----------------------------------------------------------------------===//

#include "Decompose/Decompose.h"
#include "Decompose/ScatterExtremes.h"
#include "Decompose/ScatterMode.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/Transforms/DecomposeLimits.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// What a mode makes of an element and its update; null for those that the
/// engine has.
template <typename Op> Combine otherCombineOf(Op op) {
  StringRef mode = scatterModeOf(op);
  return isScatterOfProducts(mode) ? nullptr : combineOf(mode);
}

/// Joins `count` updates, which lie along `updateAxis`, with elements.
/// `take(data, indices)` gathers, `put(data, indices, elements)` writes back.
template <typename Take, typename Put>
Value joinUpdates(Replacer &r, Combine combine, Value data, Value indices,
                  int64_t indexAxis, Value updates, int64_t updateAxis,
                  int64_t count, Take take, Put put) {
  for (int64_t update = 0; update < count; ++update) {
    Value places = r.slice(indices, indexAxis, update, 1);
    Value own = r.slice(updates, updateAxis, update, 1);
    data =
        put(data, places, combine(r, take(data, places, own.getType()), own));
  }
  return data;
}

struct ScatterRule : OpRewritePattern<ScatterOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ScatterOp op,
                                PatternRewriter &rewriter) const override {
    Combine combine = otherCombineOf(op);
    std::optional<int64_t> axis = knownScatterAxis(op);
    if (!combine || !axis || !isStaticScatter(op))
      return rewriter.notifyMatchFailure(op, "not subject to the rule");
    ArrayRef<int64_t> shape = shapeOf(op.getData());
    int64_t count = staticType(op.getIndices()).getNumElements();
    auto extremes =
        ScatterExtremes::ofTuples(op.getLoc(), op.getData(), op.getIndices(),
                                  scatterModeOf(op), *axis, 1);
    if (!extremes && count > mostRounds)
      return rewriter.notifyMatchFailure(op, "too many updates");
    Replacer r(rewriter, op);
    if (extremes && count > 1)
      return r.replace(extremes->join(r, op.getUpdates()));
    // One dimension of indices.
    Value indices = op.getIndices(), updates = op.getUpdates();
    if (shapeOf(indices).size() != 1) {
      SmallVector<int64_t> flat(shape);
      flat[*axis] = count;
      indices = r.reshape(indices, count);
      updates = r.reshape(updates, flat);
    }
    auto take = [&](Value data, Value places, Type type) {
      return GatherOp::create(rewriter, op.getLoc(), type, data, places,
                              r.integer(*axis), /*batch_dims=*/Value(),
                              /*validate_indices=*/Value());
    };
    auto put = [&](Value data, Value places, Value elements) {
      return ScatterOp::create(rewriter, op.getLoc(), data.getType(), data,
                               places, elements, r.integer(*axis),
                               r.string("update"),
                               /*validate_indices=*/Value());
    };
    return r.replace(joinUpdates(r, combine, op.getData(), indices, 0, updates,
                                 *axis, count, take, put));
  }
};

struct ScatterAlongAxisRule : OpRewritePattern<ScatterAlongAxisOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ScatterAlongAxisOp op,
                                PatternRewriter &rewriter) const override {
    Combine combine = otherCombineOf(op);
    std::optional<int64_t> axis = knownScatterAxis(op);
    if (!combine || !axis || !isStaticScatter(op))
      return rewriter.notifyMatchFailure(op, "not subject to the rule");
    int64_t count = shapeOf(op.getIndices())[*axis];
    auto extremes = ScatterExtremes::alongAxis(
        op.getLoc(), op.getData(), op.getIndices(), scatterModeOf(op), *axis);
    if (!extremes && count > mostRounds)
      return rewriter.notifyMatchFailure(op, "too many updates");
    Replacer r(rewriter, op);
    if (extremes && count > 1)
      return r.replace(extremes->join(r, op.getUpdates()));
    auto take = [&](Value data, Value places, Type type) {
      return GatherAlongAxisOp::create(rewriter, op.getLoc(), type, data,
                                       places, r.integer(*axis),
                                       /*validate_indices=*/Value());
    };
    auto put = [&](Value data, Value places, Value elements) {
      return ScatterAlongAxisOp::create(rewriter, op.getLoc(), data.getType(),
                                        data, places, elements,
                                        r.integer(*axis), r.string("update"),
                                        /*validate_indices=*/Value());
    };
    return r.replace(joinUpdates(r, combine, op.getData(), op.getIndices(),
                                 *axis, op.getUpdates(), *axis, count, take,
                                 put));
  }
};

struct ScatterNdRule : OpRewritePattern<ScatterNdOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ScatterNdOp op,
                                PatternRewriter &rewriter) const override {
    Combine combine = otherCombineOf(op);
    if (!combine || !isStaticScatter(op))
      return rewriter.notifyMatchFailure(op, "not subject to the rule");
    ArrayRef<int64_t> shape = shapeOf(op.getData()),
                      tuples = shapeOf(op.getIndices());
    int64_t length = tuples.back(),
            count = llvm::product_of(tuples.drop_back());
    auto extremes =
        ScatterExtremes::ofTuples(op.getLoc(), op.getData(), op.getIndices(),
                                  scatterModeOf(op), /*axis=*/0, length);
    if (!extremes && count > mostRounds)
      return rewriter.notifyMatchFailure(op, "too many updates");
    Replacer r(rewriter, op);
    if (extremes && count > 1)
      return r.replace(extremes->join(r, op.getUpdates()));
    SmallVector<int64_t> flat = {count};
    llvm::append_range(flat, shape.drop_front(length));
    auto take = [&](Value data, Value places, Type type) {
      return GatherNdOp::create(rewriter, op.getLoc(), type, data, places,
                                /*batch_dims=*/Value(),
                                /*validate_indices=*/Value());
    };
    auto put = [&](Value data, Value places, Value elements) {
      return ScatterNdOp::create(rewriter, op.getLoc(), data.getType(), data,
                                 places, elements, r.string("update"),
                                 /*validate_indices=*/Value());
    };
    return r.replace(joinUpdates(
        r, combine, op.getData(), r.reshape(op.getIndices(), {count, length}),
        0, r.reshape(op.getUpdates(), flat), 0, count, take, put));
  }
};

} // namespace

void ane::mil::populateDecomposeScatter(RewritePatternSet &patterns) {
  patterns.add<ScatterRule, ScatterAlongAxisRule, ScatterNdRule>(
      patterns.getContext());
}
