//===- Unary.cpp - Powers, rounding and trigonometry ----------------------===//

#include "Elements/ElementLayers.h"
#include "ane/Support/Half.h"
#include <cmath>
#include <limits>
#include <numbers>

using namespace mlir;
using namespace ane;
using namespace ane::lowering;
using zin::NonLinearMode;

namespace {

template <NonLinearMode Mode>
Value function(const ElementLayers &layers, Value x) {
  return layers.neuron(Mode, x);
}

/// 2^(x log2(e)): the engine has powers of two.
Value exponential(const ElementLayers &layers, Value x) {
  return layers.neuron(NonLinearMode::exp2, x, std::numbers::log2e);
}

Value square(const ElementLayers &layers, Value x) { return layers.mul(x, x); }

//===----------------------------------------------------------------------===//
// Trigonometry
//===----------------------------------------------------------------------===//

/// sin(x + turns * 2 * pi). The factor 1 / (2 * pi) is the sum of two fp16
/// numbers; what counts is the fraction of the turns.
Value sine(const ElementLayers &layers, Value x, double turns) {
  constexpr double factor = 0.5 / std::numbers::pi;
  double first = roundToHalf(factor);
  Value whole = layers.neuron(NonLinearMode::frac, x, first);
  Value rest = layers.scaled(x, factor - first);
  Value angle = layers.add(whole, rest);
  if (turns != 0)
    angle = layers.scaled(angle, 1, turns);
  angle = layers.neuron(NonLinearMode::frac, angle);
  // From (-1, 1) to [-0.5, 0.5].
  angle = layers.sub(angle, layers.neuron(NonLinearMode::Int, angle, 2));
  return layers.neuron(NonLinearMode::sin, angle);
}

Value sine(const ElementLayers &layers, Value x) { return sine(layers, x, 0); }
Value cosine(const ElementLayers &layers, Value x) {
  return sine(layers, x, 0.25);
}

/// Up to |x| = 1 atan(x), beyond pi/4 and what 1/x says is left to pi/2. The
/// bounds keep the sign of an infinity, which 1/x would lose.
Value arcTangent(const ElementLayers &layers, Value x) {
  Value near = layers.neuron(NonLinearMode::atan_part1, x);
  Value finite =
      layers.neuron(NonLinearMode::clamped_relu, -largestHalf, largestHalf, x);
  Value inverse = layers.neuron(NonLinearMode::inv, finite);
  return layers.add(near, layers.neuron(NonLinearMode::atan_part2, inverse));
}

//===----------------------------------------------------------------------===//
// x + epsilon
//===----------------------------------------------------------------------===//

/// An op that applies a function to x + epsilon.
template <typename MILOp> struct ShiftedRule : OpConversionPattern<MILOp> {
  ShiftedRule(const TypeConverter &converter, MLIRContext *context,
              NonLinearMode mode, double factor)
      : OpConversionPattern<MILOp>(converter, context), mode(mode),
        factor(factor) {}

  LogicalResult
  matchAndRewrite(MILOp op, typename MILOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    std::optional<double> known = op.getEpsilonOrDefault();
    if (!known)
      return rewriter.notifyMatchFailure(op, "epsilon is not constant");
    double epsilon = *known;
    bool isZero = roundToHalf(epsilon) == 0;
    ElementLayers layers{rewriter, op.getLoc()};
    // In a layer of its own, or in the one before: one that has both a bias and
    // a table is a sum of products, which takes denormals as 0. Apple's
    // compiler makes that of the root of an input (verified).
    Value x = adaptor.getX();
    bool isSum = mode == NonLinearMode::rsqrt && isa<BlockArgument>(x);
    if (!isSum && !isZero)
      x = layers.scaled(x, 1, epsilon);
    Value y = layers.neuron(mode, x, 1, isSum ? epsilon : 0);
    if (factor != 1)
      y = layers.scaled(y, factor);
    // An epsilon of fp32 that is 0 in fp16 still says what a zero gives.
    Type element = cast<RankedTensorType>(op.getX().getType()).getElementType();
    if (mode == NonLinearMode::log2 && element.isF32() && epsilon > 0 && isZero)
      y = layers.neuron(NonLinearMode::clamped_relu,
                        std::log(double(float(epsilon))),
                        std::numeric_limits<double>::infinity(), y);
    rewriter.replaceOp(op, y);
    return success();
  }

  NonLinearMode mode;
  double factor;
};

} // namespace

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

/// As the real program of ceil does: the integer part, and 1 if a fraction of
/// the direction was cut off.
Value ane::lowering::roundUp(const ElementLayers &layers, Value x) {
  Value integer = layers.neuron(NonLinearMode::Int, x);
  Value fraction = layers.neuron(NonLinearMode::frac, x);
  return layers.add(integer,
                    layers.neuron(NonLinearMode::greater_than_zero, fraction));
}

Value ane::lowering::roundDown(const ElementLayers &layers, Value x) {
  Value integer = layers.neuron(NonLinearMode::Int, x);
  Value fraction = layers.neuron(NonLinearMode::frac, x);
  return layers.sub(integer, layers.neuron(NonLinearMode::greater_than_zero,
                                           fraction, /*scale=*/-1));
}

/// x is an even integer and a rest in (-2, 2). It is the rest that is rounded.
Value ane::lowering::roundNearest(const ElementLayers &layers, Value x) {
  Value even = layers.scaled(layers.neuron(NonLinearMode::Int, x, 0.5), 2);
  Value rest = layers.scaled(layers.sub(x, even), 1, integersOnly);
  return layers.add(even, layers.scaled(rest, 1, -integersOnly));
}

void ane::lowering::populateUnaryPatterns(
    const MILToZinTypeConverter &converter, RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  auto add = [&]<typename Op>(Value (*rule)(const ElementLayers &, Value)) {
    patterns.add<UnaryRule<Op>>(converter, context, rule);
  };
  add.operator()<mil::AbsOp>(function<NonLinearMode::abs>);
  add.operator()<mil::AtanOp>(arcTangent);
  add.operator()<mil::CeilOp>(roundUp);
  add.operator()<mil::CosOp>(cosine);
  add.operator()<mil::ErfOp>(function<NonLinearMode::erf>);
  add.operator()<mil::ExpOp>(exponential);
  add.operator()<mil::Exp2Op>(function<NonLinearMode::exp2>);
  add.operator()<mil::FloorOp>(roundDown);
  add.operator()<mil::RoundOp>(roundNearest);
  add.operator()<mil::SignOp>(function<NonLinearMode::sign>);
  add.operator()<mil::SinOp>(sine);
  add.operator()<mil::SqrtOp>(function<NonLinearMode::sqrt>);
  add.operator()<mil::SquareOp>(square);

  patterns.add<ShiftedRule<mil::InverseOp>>(converter, context,
                                            NonLinearMode::inv, 1);
  patterns.add<ShiftedRule<mil::LogOp>>(converter, context, NonLinearMode::log2,
                                        std::numbers::ln2);
  patterns.add<ShiftedRule<mil::RsqrtOp>>(converter, context,
                                          NonLinearMode::rsqrt, 1);
}
