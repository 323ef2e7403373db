//===- Activation.cpp - Activations and softmax ---------------------------===//

#include "Elements/ElementLayers.h"
#include <limits>

using namespace mlir;
using namespace ane;
using namespace ane::lowering;
using zin::NonLinearMode;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// An activation without parameters is the neuron of the same name.
template <NonLinearMode Mode>
Value function(const ElementLayers &layers, Value x) {
  return layers.neuron(Mode, x);
}

Value relu6(const ElementLayers &layers, Value x) {
  return layers.neuron(NonLinearMode::clamped_relu, 0, 6, x);
}

//===----------------------------------------------------------------------===//
// With numbers
//===----------------------------------------------------------------------===//

Value clip(const ElementLayers &layers, Value x, ArrayRef<double> bounds) {
  return layers.clamped(bounds[0], bounds[1], x);
}

Value threshold(const ElementLayers &layers, Value x, ArrayRef<double> bound) {
  return layers.clamped(bound[0], infinity, x);
}

Value leakyRelu(const ElementLayers &layers, Value x, ArrayRef<double> slope) {
  return layers.neuron(NonLinearMode::prelu, slope[0], std::nullopt, x);
}

Value thresholdedRelu(const ElementLayers &layers, Value x,
                      ArrayRef<double> alpha) {
  return layers.neuron(NonLinearMode::thresholded_relu, alpha[0], std::nullopt,
                       x);
}

Value sigmoidHard(const ElementLayers &layers, Value x, ArrayRef<double> line) {
  return layers.neuron(NonLinearMode::sigmoid_hard, line[0], line[1], x);
}

Value linear(const ElementLayers &layers, Value x, ArrayRef<double> line) {
  return layers.scaled(x, line[0], line[1]);
}

Value scaledTanh(const ElementLayers &layers, Value x,
                 ArrayRef<double> factors) {
  return layers.scaled(layers.neuron(NonLinearMode::tanh, x, factors[1]),
                       factors[0]);
}

/// A rule for an op with `alpha` and maybe `beta`, which it gets as numbers.
template <typename MILOp> struct ScalarRule : OpConversionPattern<MILOp> {
  using Rule = Value (*)(const ElementLayers &, Value, ArrayRef<double>);
  ScalarRule(const TypeConverter &converter, MLIRContext *context, Rule rule)
      : OpConversionPattern<MILOp>(converter, context), rule(rule) {}

  LogicalResult
  matchAndRewrite(MILOp op, typename MILOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value, 2> inputs = {op.getAlpha()};
    if constexpr (requires { op.getBeta(); })
      inputs.push_back(op.getBeta());
    SmallVector<double, 2> numbers;
    for (Value input : inputs) {
      std::optional<double> number = mil::getConstantFloat(input);
      if (!number)
        return rewriter.notifyMatchFailure(op, "a parameter is not constant");
      numbers.push_back(*number);
    }
    rewriter.replaceOp(op,
                       rule({rewriter, op.getLoc()}, adaptor.getX(), numbers));
    return success();
  }

  Rule rule;
};

//===----------------------------------------------------------------------===//
// With more
//===----------------------------------------------------------------------===//

/// The table of gelu serves the tanh approximation as well, which is closer to
/// the exact function than the table.
struct GeluRule : OpConversionPattern<mil::GeluOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::GeluOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ElementLayers layers{rewriter, op.getLoc()};
    Value x = adaptor.getX();
    std::optional<StringRef> mode = mil::getConstantString(op.getMode());
    if (mode != "SIGMOID_APPROXIMATION") {
      rewriter.replaceOp(op, layers.neuron(NonLinearMode::gelu, x));
      return success();
    }
    constexpr double factor = 1.702;
    Value weight = layers.neuron(NonLinearMode::sigmoid, x, factor);
    rewriter.replaceOp(op, layers.mul(x, weight));
    return success();
  }
};

struct SoftmaxRule : OpConversionPattern<mil::SoftmaxOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::SoftmaxOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    int64_t rank = milShape(op.getX()).size();
    std::optional<int64_t> axis = op.getAxisOrDefault();
    if (!axis)
      return rewriter.notifyMatchFailure(op, "the axis is not constant");
    rewriter.replaceOpWithNewOp<zin::SoftmaxOp>(
        op, adaptor.getX().getType(), adaptor.getX(),
        alignAxis(mil::fromFront(*axis, rank), rank), FloatAttr());
    return success();
  }
};

} // namespace

void ane::lowering::populateActivationPatterns(
    const MILToZinTypeConverter &converter, RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  auto add = [&]<typename Op>(Value (*rule)(const ElementLayers &, Value)) {
    patterns.add<UnaryRule<Op>>(converter, context, rule);
  };
  add.operator()<mil::ReluOp>(function<NonLinearMode::relu>);
  add.operator()<mil::Relu6Op>(relu6);
  add.operator()<mil::SigmoidOp>(function<NonLinearMode::sigmoid>);
  add.operator()<mil::SiluOp>(function<NonLinearMode::swish>);
  add.operator()<mil::TanhOp>(function<NonLinearMode::tanh>);

  auto addScalar = [&]<typename Op>(Value (*rule)(const ElementLayers &, Value,
                                                  ArrayRef<double>)) {
    patterns.add<ScalarRule<Op>>(converter, context, rule);
  };
  addScalar.operator()<mil::ClipOp>(clip);
  addScalar.operator()<mil::LeakyReluOp>(leakyRelu);
  addScalar.operator()<mil::LinearActivationOp>(linear);
  addScalar.operator()<mil::ScaledTanhOp>(scaledTanh);
  addScalar.operator()<mil::SigmoidHardOp>(sigmoidHard);
  addScalar.operator()<mil::ThresholdedReluOp>(thresholdedRelu);
  addScalar.operator()<mil::ThresholdOp>(threshold);
  patterns.add<GeluRule, SoftmaxRule>(converter, context);
}
