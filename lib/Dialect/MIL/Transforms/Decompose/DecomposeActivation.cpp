//===- DecomposeActivation.cpp - Activations and transcendental functions -===//

#include "Decompose/Decompose.h"
#include "ane/Support/Half.h"
#include <cmath>
#include <numbers>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// A rule of an op of one float tensor `x` that may have further inputs.
template <typename Op> struct FunctionRule : OpRewritePattern<Op> {
  using Rule = Value (*)(Replacer &, Op);
  FunctionRule(MLIRContext *context, Rule rule)
      : OpRewritePattern<Op>(context), rule(rule) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX());
    if (!type || !isa<FloatType>(type.getElementType()))
      return rewriter.notifyMatchFailure(op, "no static tensor of floats");
    Replacer r(rewriter, op);
    Value value = rule(r, op);
    if (!value)
      return rewriter.notifyMatchFailure(op, "a parameter is computed");
    return r.replace(value);
  }

  Rule rule;
};

/// One number a channel, dimension 1, with the rank of `x`.
Value perChannel(Replacer &r, Value x, ArrayRef<double> numbers) {
  SmallVector<int64_t> shape(cast<RankedTensorType>(x.getType()).getRank() - 1,
                             1);
  shape.front() = numbers.size();
  return r.tensor(numbers, shape, x);
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

/// max(x, 0) + alpha * (exp(min(x, 0)) - 1).
Value elu(Replacer &r, EluOp op) {
  std::optional<double> alpha = getConstantFloat(op.getAlpha());
  if (!alpha)
    return {};
  Value below = r.unary<ExpOp>(r.binary<MinimumOp>(op.getX(), 0));
  below = r.binary<MulOp>(r.binary<SubOp>(below, 1), *alpha);
  return r.binary<AddOp>(r.unary<ReluOp>(op.getX()), below);
}

/// max(x, 0) + log(1 + exp(-|x|)): no exponential overflows.
Value softplusOf(Replacer &r, Value x) {
  Value small = r.unary<ExpOp>(r.binary<MulOp>(r.unary<AbsOp>(x), -1));
  Value rest = r.with<LogOp>(r.binary<AddOp>(small, 1), r.scalar(0, x));
  return r.binary<AddOp>(r.unary<ReluOp>(x), rest);
}

Value softplus(Replacer &r, SoftplusOp op) { return softplusOf(r, op.getX()); }

Value softplusParametric(Replacer &r, SoftplusParametricOp op) {
  auto alpha = getConstantNumbers(op.getAlpha()),
       beta = getConstantNumbers(op.getBeta());
  if (!alpha || !beta)
    return {};
  Value x = op.getX();
  Value scaled = r.binary<MulOp>(x, perChannel(r, x, *beta));
  return r.binary<MulOp>(softplusOf(r, scaled), perChannel(r, x, *alpha));
}

Value softsign(Replacer &r, SoftsignOp op) {
  Value x = op.getX();
  return r.binary<RealDivOp>(x, r.binary<AddOp>(r.unary<AbsOp>(x), 1));
}

/// max(x, 0) + alpha * min(x, 0), or one slope for all channels.
Value prelu(Replacer &r, PreluOp op) {
  std::optional<SmallVector<double>> alpha = getConstantNumbers(op.getAlpha());
  if (!alpha)
    return {};
  Value x = op.getX();
  if (llvm::all_equal(*alpha))
    return r.with<LeakyReluOp>(x, r.scalar(alpha->front(), x));
  Value below =
      r.binary<MulOp>(r.binary<MinimumOp>(x, 0), perChannel(r, x, *alpha));
  return r.binary<AddOp>(r.unary<ReluOp>(x), below);
}

Value clampedRelu(Replacer &r, ClampedReluOp op) {
  std::optional<double> alpha = getConstantFloat(op.getAlpha());
  std::optional<double> beta = getConstantFloat(op.getBeta());
  if (!alpha || !beta)
    return {};
  Value x = op.getX();
  return r.binary<MinimumOp>(r.with<LeakyReluOp>(x, r.scalar(*alpha, x)),
                             *beta);
}

/// log(softmax(x)) of fp32 is x - max - log(sum(exp(x - max))): a probability
/// that fp32 holds may be 0 in fp16, and so may an epsilon, which is added to
/// it. Of fp16 the program itself says that small ones are 0.
Value logSoftmax(Replacer &r, LogOp op) {
  auto softmax = op.getX().getDefiningOp<SoftmaxOp>();
  std::optional<double> epsilon = op.getEpsilonOrDefault();
  std::optional<int64_t> axis =
      softmax ? softmax.getAxisOrDefault() : std::nullopt;
  if (!axis || !epsilon || *epsilon < 0 || roundToHalf(*epsilon) != 0 ||
      !getElementTypeOrSelf(op.getResult()).isF32())
    return {};
  takeLocations(op, softmax.getOperation());
  Value x = softmax.getX();
  int64_t dim = fromFront(*axis, shapeOf(x).size()), extent = shapeOf(x)[dim];
  Value below =
      r.binary<SubOp>(x, r.reduce<ReduceMaxOp>(x, dim, /*keepDims=*/true));
  // A mean is in the range of its elements.
  Value exponentials = r.unary<ExpOp>(below);
  Value mean = r.reduce<ReduceMeanOp>(exponentials, dim, /*keepDims=*/true);
  Value logOfSum = r.binary<AddOp>(r.with<LogOp>(mean, r.scalar(0, x)),
                                   std::log(double(extent)));
  Value result = r.binary<SubOp>(below, logOfSum);
  if (*epsilon <= 0)
    return result;
  double least = std::log(double(float(*epsilon)));
  // Few probabilities are about as small as the default, 1e-45.
  constexpr double negligible = 1e-30;
  if (*epsilon < negligible)
    return r.binary<MaximumOp>(result, least);
  return r.binary<AddOp>(softplusOf(r, r.binary<SubOp>(result, least)), least);
}

//===----------------------------------------------------------------------===//
// Transcendental functions
//===----------------------------------------------------------------------===//

/// exp(factor * x) / 2 as a product, which overflows no earlier than the
/// function does.
Value halfExponential(Replacer &r, Value x, double factor) {
  Value root = r.unary<ExpOp>(r.binary<MulOp>(x, factor / 2));
  return r.binary<MulOp>(r.binary<MulOp>(root, 0.5), root);
}

Value hyperbolicSine(Replacer &r, SinhOp op) {
  return r.binary<SubOp>(halfExponential(r, op.getX(), 1),
                         halfExponential(r, op.getX(), -1));
}

Value hyperbolicCosine(Replacer &r, CoshOp op) {
  return r.binary<AddOp>(halfExponential(r, op.getX(), 1),
                         halfExponential(r, op.getX(), -1));
}

Value tangent(Replacer &r, TanOp op) {
  return r.binary<RealDivOp>(r.unary<SinOp>(op.getX()),
                             r.unary<CosOp>(op.getX()));
}

/// atan(x / sqrt((1 - x) * (1 + x))).
Value arcSineOf(Replacer &r, Value x) {
  Value above = r.binary<AddOp>(x, 1);
  Value below = r.binary<AddOp>(r.binary<MulOp>(x, -1), 1);
  Value factor = r.with<RsqrtOp>(r.binary<MulOp>(above, below), r.scalar(0, x));
  return r.unary<AtanOp>(r.binary<MulOp>(x, factor));
}

Value arcSine(Replacer &r, AsinOp op) { return arcSineOf(r, op.getX()); }

Value arcCosine(Replacer &r, AcosOp op) {
  Value angle = r.binary<MulOp>(arcSineOf(r, op.getX()), -1);
  return r.binary<AddOp>(angle, std::numbers::pi / 2);
}

/// log((1 + x) / (1 - x)) / 2.
Value hyperbolicArcTangent(Replacer &r, AtanhOp op) {
  Value x = op.getX();
  Value ratio = r.binary<RealDivOp>(r.binary<AddOp>(x, 1),
                                    r.binary<AddOp>(r.binary<MulOp>(x, -1), 1));
  return r.binary<MulOp>(r.with<LogOp>(ratio, r.scalar(0, x)), 0.5);
}

} // namespace

void ane::mil::populateDecomposeActivation(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<FunctionRule<EluOp>>(context, elu);
  patterns.add<FunctionRule<SoftplusOp>>(context, softplus);
  patterns.add<FunctionRule<SoftplusParametricOp>>(context, softplusParametric);
  patterns.add<FunctionRule<SoftsignOp>>(context, softsign);
  patterns.add<FunctionRule<PreluOp>>(context, prelu);
  patterns.add<FunctionRule<ClampedReluOp>>(context, clampedRelu);
  patterns.add<FunctionRule<LogOp>>(context, logSoftmax);
  patterns.add<FunctionRule<SinhOp>>(context, hyperbolicSine);
  patterns.add<FunctionRule<CoshOp>>(context, hyperbolicCosine);
  patterns.add<FunctionRule<TanOp>>(context, tangent);
  patterns.add<FunctionRule<AsinOp>>(context, arcSine);
  patterns.add<FunctionRule<AcosOp>>(context, arcCosine);
  patterns.add<FunctionRule<AtanhOp>>(context, hyperbolicArcTangent);
}
