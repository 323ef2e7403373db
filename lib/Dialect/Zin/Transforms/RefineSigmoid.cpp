//===- RefineSigmoid.cpp - Sigmoid, silu and gelu by closer tables --------===//

#include "ane/Dialect/Zin/IR/TableScale.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "ane/Support/CountingPattern.h"
#include "ane/Support/Half.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace ane::zin {
#define GEN_PASS_DEF_REFINESIGMOID
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// A table of our own for a mode, and what its x is multiplied by.
struct Closer {
  NonLinearMode mode;
  double factor;
  /// Whether the function is x times that of the table.
  bool isShare;
};

std::optional<Closer> closerTo(NonLinearMode mode) {
  constexpr auto sigmoid = NonLinearMode::sigmoid_high_precision;
  switch (mode) {
  case NonLinearMode::sigmoid:
    return Closer{sigmoid, sigmoidTableScale, /*isShare=*/false};
  case NonLinearMode::swish:
    return Closer{sigmoid, sigmoidTableScale, /*isShare=*/true};
  case NonLinearMode::gelu:
    return Closer{NonLinearMode::custom_lut, geluShareTableScale,
                  /*isShare=*/true};
  default:
    return std::nullopt;
  }
}

struct RefineRule : CountingPattern<NeuronOp> {
  using CountingPattern::CountingPattern;

  LogicalResult matchAndRewrite(NeuronOp neuron,
                                PatternRewriter &rewriter) const override {
    std::optional<Closer> closer = closerTo(neuron.getFunction().getMode());
    if (!closer)
      return rewriter.notifyMatchFailure(neuron, "no sigmoid, silu or gelu");
    auto numberOf = [](FloatAttr attribute, double absent) {
      return attribute ? attribute.getValueAsDouble() : absent;
    };
    double scale = numberOf(neuron.getScaleAttr(), 1),
           bias = numberOf(neuron.getBiasAttr(), 0);
    auto half = [&](double number) {
      return rewriter.getF16FloatAttr(halfToDouble(halfFromDouble(number)));
    };
    Value x = neuron.getX();
    FloatAttr biasAttr = neuron.getBiasAttr();
    if (closer->isShare && !neuron.isPlain()) {
      x = GOCOp::create(rewriter, neuron.getLoc(), x, scale, bias * scale);
      scale = 1;
      biasAttr = {};
    }
    Value y = NeuronOp::create(
        rewriter, neuron.getLoc(), x,
        NeuronAttr::get(getContext(), closer->mode, FloatAttr(), FloatAttr()),
        half(scale * closer->factor), biasAttr);
    if (closer->isShare)
      y = ElementWiseOp::create(rewriter, neuron.getLoc(), neuron.getType(),
                                EWType::Mult, x, y);
    rewriter.replaceOp(neuron, y);
    ++count;
    return success();
  }
};

class RefineSigmoid : public zin::impl::RefineSigmoidBase<RefineSigmoid> {
public:
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<RefineRule>(&getContext(), numRefined);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
