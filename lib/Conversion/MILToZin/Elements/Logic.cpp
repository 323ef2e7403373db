//===- Logic.cpp - Comparisons, truth values and choices ------------------===//
//
// A truth value is 0 or 1 in fp16.
//
//===----------------------------------------------------------------------===//

#include "Check/IntegerRanges.h"
#include "Elements/ElementLayers.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::lowering;
using zin::EWType;
using zin::NonLinearMode;

namespace {

/// Operands of an op that broadcasts, aligned to the rank of its result.
class Operands {
public:
  Operands(const ElementLayers &layers, Operation *op)
      : layers(layers), rank(milShape(op->getResult(0)).size()) {}

  Value operator()(Value original, Value converted) const {
    return operandAs(layers.builder, layers.location, original, converted,
                     alignShape(milShape(original), rank));
  }

private:
  const ElementLayers &layers;
  size_t rank;
};

/// x `op` y by the difference, which is 0 only for equal numbers: fp16 has
/// numbers between the smallest normal one and 0, and infinities of one sign
/// have the difference 0 on the engine (measured). `factor` is that of the
/// difference.
template <typename MILOp, NonLinearMode Mode, int Factor>
struct ComparisonRule : OpConversionPattern<MILOp> {
  using OpConversionPattern<MILOp>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MILOp op, typename MILOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ElementLayers layers{rewriter, op.getLoc()};
    Operands operand(layers, op);
    Value difference = layers.sub(operand(op.getX(), adaptor.getX()),
                                  operand(op.getY(), adaptor.getY()));
    rewriter.replaceOp(op, layers.neuron(Mode, difference, Factor));
    return success();
  }
};

template <typename MILOp, EWType Kind>
struct LogicalRule : OpConversionPattern<MILOp> {
  using OpConversionPattern<MILOp>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MILOp op, typename MILOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ElementLayers layers{rewriter, op.getLoc()};
    Operands operand(layers, op);
    Value y = layers.binary(Kind, operand(op.getX(), adaptor.getX()),
                            operand(op.getY(), adaptor.getY()));
    // What is left of a difference is its distance from 0.
    if (Kind == EWType::Sub)
      y = layers.neuron(NonLinearMode::abs, y);
    rewriter.replaceOp(op, y);
    return success();
  }
};

Value negation(const ElementLayers &layers, Value x) {
  return layers.scaled(x, -1, 1);
}

/// cond * a + (1 - cond) * b. On the engine 0 times infinity is 0 (measured),
/// so the value that is not taken may be infinite.
struct SelectRule : OpConversionPattern<mil::SelectOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::SelectOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ElementLayers layers{rewriter, op.getLoc()};
    Operands operand(layers, op);
    Value cond = operand(op.getCond(), adaptor.getCond());
    auto taken = [&](Value original, Value converted, Value where) {
      return layers.mul(operand(original, converted), where);
    };
    Shape5 shape =
        alignShape(milShape(op.getResult()), milShape(op.getResult()).size());
    // 0 is there already where nothing else is taken.
    if (milShape(cond) == ArrayRef<int64_t>(shape) && isZero(op.getB()))
      rewriter.replaceOp(op, taken(op.getA(), adaptor.getA(), cond));
    else if (milShape(cond) == ArrayRef<int64_t>(shape) && isZero(op.getA()))
      rewriter.replaceOp(
          op, taken(op.getB(), adaptor.getB(), negation(layers, cond)));
    else
      rewriter.replaceOp(op, layers.add(taken(op.getA(), adaptor.getA(), cond),
                                        taken(op.getB(), adaptor.getB(),
                                              negation(layers, cond))));
    return success();
  }

private:
  /// Whether a value is one number, and that is 0.
  static bool isZero(Value value) {
    return mil::getConstantNumber(value) == 0.0;
  }
};

/// Both sides are fp16 on the engine, whatever the program calls them. Of a
/// truth value every number other than 0 is 1; of an integer nothing is left
/// behind the point, and a narrow one ends where its type does; from one
/// integer to another the low bits stay.
struct CastRule : OpConversionPattern<mil::CastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::CastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type from = getElementTypeOrSelf(op.getX()),
         to = getElementTypeOrSelf(op.getResult());
    ElementLayers layers{rewriter, op.getLoc()};
    Value x = adaptor.getX();
    if (to.isInteger(1) && !from.isInteger(1))
      x = layers.neuron(NonLinearMode::not_equal_zero, x);
    else if (isa<FloatType>(from) && isCarriedInteger(to))
      x = truncate(layers, x, cast<IntegerType>(to));
    else if (op->hasAttr(wrapsAttrName))
      x = wrap(layers, x, cast<IntegerType>(to));
    rewriter.replaceOp(op, x);
    return success();
  }

private:
  static Value truncate(const ElementLayers &layers, Value x,
                        IntegerType type) {
    // An end beyond fp16 is none: it is rounded to an infinity.
    unsigned width = type.getWidth();
    double low = -std::exp2(width - 1), high = -low - 1;
    if (type.isUnsigned())
      low = 0, high = std::exp2(width) - 1;
    constexpr unsigned widest = 32;
    if (type.isUnsigned() || width < widest)
      x = layers.neuron(NonLinearMode::clamped_relu, low, high, x);
    return layers.neuron(NonLinearMode::Int, x);
  }

  /// x less the multiple of 2^bits that brings it into the range of the type.
  /// That is exact for integers up to 2048, of which fp16 has all quotients by
  /// 2^bits; half an integer more moves no quotient past another one.
  static Value wrap(const ElementLayers &layers, Value x, IntegerType type) {
    double period = std::exp2(type.getWidth());
    Value periods = roundDown(
        layers, layers.scaled(x, 1 / period, type.isUnsigned() ? 0 : 0.5));
    return layers.add(x, layers.scaled(periods, -period));
  }
};

} // namespace

void ane::lowering::populateLogicPatterns(
    const MILToZinTypeConverter &converter, RewritePatternSet &patterns) {
  constexpr NonLinearMode positive = NonLinearMode::greater_than_zero;
  constexpr NonLinearMode notPositive = NonLinearMode::less_than_equal_zero;
  MLIRContext *context = patterns.getContext();
  patterns
      .add<ComparisonRule<mil::GreaterOp, positive, 1>,
           ComparisonRule<mil::LessOp, positive, -1>,
           ComparisonRule<mil::LessEqualOp, notPositive, 1>,
           ComparisonRule<mil::GreaterEqualOp, notPositive, -1>,
           ComparisonRule<mil::EqualOp, NonLinearMode::equal_zero, 1>,
           ComparisonRule<mil::NotEqualOp, NonLinearMode::not_equal_zero, 1>,
           LogicalRule<mil::LogicalAndOp, EWType::Mult>,
           LogicalRule<mil::LogicalOrOp, EWType::Max>,
           LogicalRule<mil::LogicalXorOp, EWType::Sub>, SelectRule, CastRule>(
          converter, context);
  patterns.add<UnaryRule<mil::LogicalNotOp>>(converter, context, negation);
}
