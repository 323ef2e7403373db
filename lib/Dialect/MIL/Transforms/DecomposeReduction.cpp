//===- DecomposeReduction.cpp - Reductions by sum and maximum -------------===//

#include "Decompose.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// A rule of a reduction: gets its input, axes and `keep_dims`, gives its
/// value.
template <typename Op> struct ReductionRule : OpRewritePattern<Op> {
  using Rule = Value (*)(Replacer &, Value, ArrayRef<int64_t>, bool);
  ReductionRule(MLIRContext *context, Rule rule)
      : OpRewritePattern<Op>(context), rule(rule) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX());
    if (!type || !isa<FloatType>(type.getElementType()))
      return rewriter.notifyMatchFailure(op, "no static tensor of floats");
    std::optional<SmallVector<int64_t>> axes =
        reducedAxes(op.getAxes(), type.getRank());
    std::optional<bool> keepDims = getBoolOr(op.getKeepDims(), false);
    if (!axes || !keepDims)
      return rewriter.notifyMatchFailure(op, "an attribute is computed");
    Replacer r(rewriter, op);
    return r.replace(rule(r, op.getX(), *axes, *keepDims));
  }

  Rule rule;
};

/// min(x) = -max(-x).
Value minimum(Replacer &r, Value x, ArrayRef<int64_t> axes, bool keepDims) {
  Value largest = r.reduce<ReduceMaxOp>(r.binary<MulOp>(x, -1), axes, keepDims);
  return r.binary<MulOp>(largest, -1);
}

Value l1Norm(Replacer &r, Value x, ArrayRef<int64_t> axes, bool keepDims) {
  return r.reduce<ReduceSumOp>(r.unary<AbsOp>(x), axes, keepDims);
}

} // namespace

void ane::mil::populateDecomposeReduction(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ReductionRule<ReduceMinOp>>(context, minimum);
  patterns.add<ReductionRule<ReduceL1NormOp>>(context, l1Norm);
}
