//===- RefineSigmoid.cpp - Sigmoid, silu and gelu by closer tables --------===//

#include "ane/Dialect/Zin/IR/TableScale.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "ane/Support/CountingPattern.h"
#include "ane/Support/Half.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include <numbers>

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

using Sigmoids = llvm::DenseSet<Operation *>;

bool isSigmoidOrSilu(NonLinearMode mode) {
  return mode == NonLinearMode::sigmoid || mode == NonLinearMode::swish;
}

/// Sigmoids, and silus, that are results of the program, perhaps moved or
/// scaled.
Sigmoids findReturned(ProcedureOp procedure) {
  Operation *end = procedure.getBody().front().getTerminator();
  SmallVector<Value> values;
  for (OpOperand &use : end->getOpOperands())
    if (!procedure.getResultAttr(use.getOperandNumber(),
                                 ProcedureOp::askedAttrName))
      values.push_back(use.get());
  Sigmoids sigmoids;
  llvm::DenseSet<Operation *> seen;
  while (!values.empty()) {
    Operation *op = values.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (auto neuron = dyn_cast<NeuronOp>(op)) {
      if (isSigmoidOrSilu(neuron.getFunction().getMode()))
        sigmoids.insert(op);
    } else if (op->hasTrait<MovesElements>() || isa<GOCOp>(op)) {
      llvm::append_range(values, op->getOperands());
    }
  }
  return sigmoids;
}

/// A pattern that asks which sigmoids are returned.
struct FunctionRule : CountingPattern<NeuronOp> {
  FunctionRule(MLIRContext *context, PassStatistic &count,
               const Sigmoids &returned)
      : CountingPattern(context, count), returned(returned) {}

  static FloatAttr half(OpBuilder &builder, double number) {
    return builder.getF16FloatAttr(roundToHalf(number));
  }
  static double numberOf(FloatAttr attribute, double absent) {
    return attribute ? attribute.getValueAsDouble() : absent;
  }
  NeuronAttr function(NonLinearMode mode) const {
    return NeuronAttr::get(getContext(), mode, FloatAttr(), FloatAttr());
  }

  /// What a function is of: (value + bias) * scale.
  struct Argument {
    Value value;
    double scale;
    FloatAttr bias;
  };
  /// That of an activation, as a value where it is a factor as well.
  static Argument argumentOf(NeuronOp neuron, bool isFactor,
                             PatternRewriter &rewriter) {
    double scale = numberOf(neuron.getScaleAttr(), 1),
           bias = numberOf(neuron.getBiasAttr(), 0);
    if (!isFactor || neuron.isPlain())
      return {neuron.getX(), scale, neuron.getBiasAttr()};
    return {GOCOp::create(rewriter, neuron.getLoc(), neuron.getX(), scale,
                          bias * scale),
            1,
            {}};
  }
  static Value product(NeuronOp neuron, const Argument &x, Value share,
                       PatternRewriter &rewriter) {
    return ElementWiseOp::create(rewriter, neuron.getLoc(), neuron.getType(),
                                 EWType::Mult, x.value, share);
  }

  const Sigmoids &returned;
};

/// Sigmoid as 1 / (1 + 2^(-x * log2(e))), and silu as x times that, with a
/// small error of each result rather than of all of them alike.
struct InvertRule : FunctionRule {
  using FunctionRule::FunctionRule;

  LogicalResult matchAndRewrite(NeuronOp neuron,
                                PatternRewriter &rewriter) const override {
    if (!returned.contains(neuron))
      return rewriter.notifyMatchFailure(neuron, "no sigmoid that is returned");
    bool isShare = neuron.getFunction().getMode() == NonLinearMode::swish;
    Argument x = argumentOf(neuron, isShare, rewriter);
    Value power = NeuronOp::create(
        rewriter, neuron.getLoc(), x.value, function(NonLinearMode::exp2),
        half(rewriter, -std::numbers::log2e * x.scale), x.bias);
    Value y = NeuronOp::create(rewriter, neuron.getLoc(), power,
                               function(NonLinearMode::inv), FloatAttr(),
                               half(rewriter, 1));
    rewriter.replaceOp(neuron, isShare ? product(neuron, x, y, rewriter) : y);
    ++count;
    return success();
  }
};

struct RefineRule : FunctionRule {
  using FunctionRule::FunctionRule;

  LogicalResult matchAndRewrite(NeuronOp neuron,
                                PatternRewriter &rewriter) const override {
    std::optional<Closer> closer = closerTo(neuron.getFunction().getMode());
    if (!closer || returned.contains(neuron))
      return rewriter.notifyMatchFailure(neuron, "no table is closer");
    Argument x = argumentOf(neuron, closer->isShare, rewriter);
    Value y = NeuronOp::create(
        rewriter, neuron.getLoc(), x.value, function(closer->mode),
        half(rewriter, x.scale * closer->factor), x.bias);
    rewriter.replaceOp(neuron,
                       closer->isShare ? product(neuron, x, y, rewriter) : y);
    ++count;
    return success();
  }
};

class RefineSigmoid : public zin::impl::RefineSigmoidBase<RefineSigmoid> {
public:
  void runOnOperation() override {
    Sigmoids returned = findReturned(getOperation());
    RewritePatternSet patterns(&getContext());
    patterns.add<RefineRule>(&getContext(), numRefined, returned);
    patterns.add<InvertRule>(&getContext(), numInverted, returned);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
