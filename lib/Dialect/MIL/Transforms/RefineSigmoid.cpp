//===- RefineSigmoid.cpp - Sigmoids and gelu from closer tables -----------===//

#include "Decompose.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include <numbers>

namespace ane::mil {
#define GEN_PASS_DEF_REFINESIGMOID
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// min(max(bent / 2 + 1 / 2, 0), 1).
Value shareOf(Replacer &r, Value bent) {
  return r.with<SigmoidHardOp>(bent, r.scalar(0.5, bent), r.scalar(0.5, bent));
}

/// By tanh(x / 2).
Value sigmoidOf(Replacer &r, Value x) {
  return shareOf(r, r.unary<TanhOp>(r.binary<MulOp>(x, 0.5)));
}

/// What an op multiplies x with, or is itself.
Value refined(SigmoidOp op, Replacer &r) { return sigmoidOf(r, op.getX()); }
Value refined(SiluOp op, Replacer &r) { return sigmoidOf(r, op.getX()); }
Value refined(GeluOp op, Replacer &r) {
  constexpr double sigmoidFactor = 1.702;
  if (getConstantString(op.getMode()) == "SIGMOID_APPROXIMATION")
    return sigmoidOf(r, r.binary<MulOp>(op.getX(), sigmoidFactor));
  // The approximation by tanh is closer to this than to a table of its own.
  return shareOf(
      r, r.unary<ErfOp>(r.binary<MulOp>(op.getX(), 1 / std::numbers::sqrt2)));
}

template <typename Op> struct RefineRule : OpRewritePattern<Op> {
  RefineRule(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern<Op>(context), count(count) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Value x = op.getX();
    if (!staticType(x))
      return rewriter.notifyMatchFailure(op, "no static tensor");
    Replacer r(rewriter, op);
    Value share = refined(op, r);
    ++count;
    if constexpr (std::is_same_v<Op, SigmoidOp>)
      return r.replace(share);
    else
      return r.replace(r.binary<MulOp>(x, share));
  }

  Pass::Statistic &count;
};

class RefineSigmoid : public mil::impl::RefineSigmoidBase<RefineSigmoid> {
public:
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<RefineRule<SigmoidOp>, RefineRule<SiluOp>, RefineRule<GeluOp>>(
        &getContext(), numRefined);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
