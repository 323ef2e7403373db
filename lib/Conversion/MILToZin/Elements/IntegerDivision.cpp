//===- IntegerDivision.cpp - Quotients and rests of integers --------------===//
//
// For integers up to 2048 each step but the first is exact. That is a product
// with the reciprocal of the divisor, less than 1 off, since quotients by 3 and
// more are at most 682, and reciprocals of 1 and 2 are exact. Rounded down and
// less one it is at most the quotient, and no more than two below it: so its
// product with the divisor is at most 2048, and what is left says the rest.
//
//===----------------------------------------------------------------------===//

#include "Check/IntegerRanges.h"
#include "Elements/ElementLayers.h"

using namespace mlir;
using namespace ane;
using namespace ane::lowering;
using zin::NonLinearMode;

namespace {

/// Magnitudes of a quotient without fraction and of what it leaves.
struct Division {
  Value quotient, rest;
};

Division divide(const ElementLayers &layers, Value x, Value y) {
  Value guess = layers.mul(x, layers.neuron(NonLinearMode::inv, y));
  guess = layers.scaled(roundDown(layers, guess), 1, -1);
  guess = layers.neuron(NonLinearMode::relu, guess);
  Value rest = layers.sub(x, layers.mul(guess, y));
  for (int i = 0; i < 2; ++i) {
    // 1 where the divisor is contained once more.
    Value more =
        layers.neuron(NonLinearMode::less_than_equal_zero, layers.sub(y, rest));
    guess = layers.add(guess, more);
    rest = layers.sub(rest, layers.mul(more, y));
  }
  return {guess, rest};
}

enum class Rounding { ToZero, Down, Rest };

template <typename MILOp, Rounding Kind>
struct DivisionRule : OpConversionPattern<MILOp> {
  using OpConversionPattern<MILOp>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MILOp op, typename MILOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!holdsIntegers(op.getResult()))
      return rewriter.notifyMatchFailure(op, "no integers");
    ElementLayers layers{rewriter, op.getLoc()};
    size_t rank = milShape(op.getResult()).size();
    auto operand = [&](Value original, Value converted) {
      return operandAs(rewriter, op.getLoc(), original, converted,
                       alignShape(milShape(original), rank));
    };
    Value x = operand(op.getX(), adaptor.getX());
    Value y = operand(op.getY(), adaptor.getY());
    auto [quotient, rest] = divide(layers, layers.neuron(NonLinearMode::abs, x),
                                   layers.neuron(NonLinearMode::abs, y));
    Value signX = layers.neuron(NonLinearMode::sign, x);
    Value signY = layers.neuron(NonLinearMode::sign, y);
    // Rounded down, a quotient below 0 that leaves a rest is one less, and the
    // rest what is missing to the divisor.
    Value differ = layers.neuron(NonLinearMode::greater_than_zero,
                                 layers.mul(signX, signY), -1);
    Value below =
        layers.mul(differ, layers.neuron(NonLinearMode::not_equal_zero, rest));
    Value result;
    if (Kind == Rounding::Rest) {
      result = layers.add(layers.mul(rest, signX), layers.mul(below, y));
    } else {
      result = layers.mul(layers.mul(quotient, signX), signY);
      if (Kind == Rounding::Down)
        result = layers.sub(result, below);
    }
    // Divided by 0 there is 0.
    result =
        layers.mul(result, layers.neuron(NonLinearMode::not_equal_zero, y));
    rewriter.replaceOp(op, result);
    return success();
  }
};

} // namespace

void ane::lowering::populateIntegerPatterns(
    const MILToZinTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<DivisionRule<mil::RealDivOp, Rounding::ToZero>,
               DivisionRule<mil::FloorDivOp, Rounding::Down>,
               DivisionRule<mil::ModOp, Rounding::Rest>>(converter,
                                                         patterns.getContext());
}
