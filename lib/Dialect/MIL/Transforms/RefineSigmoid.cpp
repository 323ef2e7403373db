//===- RefineSigmoid.cpp - Sigmoids from the table of tanh ----------------===//

#include "Decompose.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace ane::mil {
#define GEN_PASS_DEF_REFINESIGMOID
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// min(max(tanh(x / 2) / 2 + 1 / 2, 0), 1).
Value refined(Replacer &r, Value x) {
  Value bent = r.unary<TanhOp>(r.binary<MulOp>(x, 0.5));
  return r.with<SigmoidHardOp>(bent, r.scalar(0.5, x), r.scalar(0.5, x));
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
    Value sigmoid = refined(r, x);
    ++count;
    if constexpr (std::is_same_v<Op, SiluOp>)
      return r.replace(r.binary<MulOp>(x, sigmoid));
    else
      return r.replace(sigmoid);
  }

  Pass::Statistic &count;
};

class RefineSigmoid : public mil::impl::RefineSigmoidBase<RefineSigmoid> {
public:
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<RefineRule<SigmoidOp>, RefineRule<SiluOp>>(&getContext(),
                                                            numRefined);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
