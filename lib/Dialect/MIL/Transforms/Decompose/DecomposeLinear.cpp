//===- DecomposeLinear.cpp - Products by other products -------------------===//

#include "Decompose/Decompose.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// softmax(query * key^T / sqrt(E) + mask) * value. The factor goes to the
/// query, so that scores do not pass fp16 where the scaled ones do not.
struct AttentionRule : OpRewritePattern<ScaledDotProductAttentionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ScaledDotProductAttentionOp op,
                                PatternRewriter &rewriter) const override {
    for (Value operand : op->getOperands())
      if (!staticType(operand))
        return rewriter.notifyMatchFailure(op, "no static tensor");
    Location location = op.getLoc();
    Replacer r(rewriter, op);
    Value query = op.getQuery();
    query = r.binary<MulOp>(query, 1 / std::sqrt(shapeOf(query).back()));
    Value scores = r.product(query, op.getKey(), true);
    if (Value mask = op.getAttnMask()) {
      if (staticType(mask).getElementType().isInteger(1)) {
        // A score as low as this has no weight beside any other.
        constexpr double hidden = 30000;
        Value shown = r.convert(mask, scores);
        mask = r.binary<MulOp>(r.binary<SubOp>(shown, 1), hidden);
      }
      scores = r.binary<AddOp>(scores, mask);
    }
    Value weights = SoftmaxOp::create(rewriter, location, scores.getType(),
                                      scores, r.integer(-1));
    return r.replace(r.product(weights, op.getValue()));
  }
};

/// nchw,nwhu->nchu: a product for each n and h.
struct EinsumRule : OpRewritePattern<EinsumOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(EinsumOp op,
                                PatternRewriter &rewriter) const override {
    for (Value operand : op.getValues())
      if (!staticType(operand))
        return rewriter.notifyMatchFailure(op, "no static tensor");
    Replacer r(rewriter, op);
    Value x = op.getValues()[0], y = op.getValues()[1];
    auto order = llvm::to_vector(llvm::seq<int64_t>(0, shapeOf(x).size()));
    std::swap(order[order.size() - 3], order[order.size() - 2]);
    Value product = r.product(r.transpose(x, order), r.transpose(y, order));
    return r.replace(r.transpose(product, order));
  }
};

} // namespace

void ane::mil::populateDecomposeLinear(RewritePatternSet &patterns) {
  patterns.add<AttentionRule, EinsumRule>(patterns.getContext());
}
