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

/// Sigmoids that are results of the program, perhaps moved or scaled.
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
      if (neuron.getFunction().getMode() == NonLinearMode::sigmoid)
        sigmoids.insert(op);
    } else if (op->hasTrait<MovesElements>() || isa<GOCOp>(op)) {
      llvm::append_range(values, op->getOperands());
    }
  }
  return sigmoids;
}

/// A pattern that asks which sigmoids are returned.
struct FunctionRule : CountingPattern<NeuronOp> {
  FunctionRule(MLIRContext *context, Pass::Statistic &count,
               const Sigmoids &returned)
      : CountingPattern(context, count), returned(returned) {}

  static FloatAttr half(OpBuilder &builder, double number) {
    return builder.getF16FloatAttr(halfToDouble(halfFromDouble(number)));
  }
  static double numberOf(FloatAttr attribute, double absent) {
    return attribute ? attribute.getValueAsDouble() : absent;
  }
  NeuronAttr function(NonLinearMode mode) const {
    return NeuronAttr::get(getContext(), mode, FloatAttr(), FloatAttr());
  }

  const Sigmoids &returned;
};

/// Sigmoid as 1 / (1 + 2^(-x * log2(e))), with a small error of each result
/// rather than of all of them alike.
struct InvertRule : FunctionRule {
  using FunctionRule::FunctionRule;

  LogicalResult matchAndRewrite(NeuronOp neuron,
                                PatternRewriter &rewriter) const override {
    if (neuron.getFunction().getMode() != NonLinearMode::sigmoid ||
        !returned.contains(neuron))
      return rewriter.notifyMatchFailure(neuron, "no sigmoid that is returned");
    double scale = -std::numbers::log2e * numberOf(neuron.getScaleAttr(), 1);
    Value power = NeuronOp::create(rewriter, neuron.getLoc(), neuron.getX(),
                                   function(NonLinearMode::exp2),
                                   half(rewriter, scale), neuron.getBiasAttr());
    rewriter.replaceOpWithNewOp<NeuronOp>(neuron, power,
                                          function(NonLinearMode::inv),
                                          FloatAttr(), half(rewriter, 1));
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
    double scale = numberOf(neuron.getScaleAttr(), 1),
           bias = numberOf(neuron.getBiasAttr(), 0);
    Value x = neuron.getX();
    FloatAttr biasAttr = neuron.getBiasAttr();
    if (closer->isShare && !neuron.isPlain()) {
      x = GOCOp::create(rewriter, neuron.getLoc(), x, scale, bias * scale);
      scale = 1;
      biasAttr = {};
    }
    Value y =
        NeuronOp::create(rewriter, neuron.getLoc(), x, function(closer->mode),
                         half(rewriter, scale * closer->factor), biasAttr);
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
    Sigmoids returned = findReturned(getOperation());
    RewritePatternSet patterns(&getContext());
    patterns.add<RefineRule>(&getContext(), numRefined, returned);
    patterns.add<InvertRule>(&getContext(), numInverted, returned);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
