//===- Quantize.cpp - Integers of 8 bits from numbers ---------------------===//
//
// The numbers from 1024 to 2047 are those of fp16 that end at the point: what
// is added to 1536 in fp32 and rounded to fp16 is rounded to an integer, the
// even one of two. So one task multiplies by 1 / scale and rounds, and the next
// one takes 1536 off, adds the zero point and clips. What is below 1024 or
// above 2047 is less than any integer of 8 bits, or more.
//
//===----------------------------------------------------------------------===//

#include "Elements/ElementLayers.h"
#include "ane/Support/Half.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::lowering;
using zin::EWType;
using zin::NonLinearMode;

namespace {

struct QuantizeRule : OpConversionPattern<mil::QuantizeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::QuantizeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    std::optional<SmallVector<double>> scales = mil::getConstantNumbers(
                                           op.getScale()),
                                       zeros = SmallVector<double>{0};
    if (op.getZeroPoint())
      zeros = mil::getConstantNumbers(op.getZeroPoint());
    if (!scales || !zeros)
      return rewriter.notifyMatchFailure(op, "a parameter is computed");
    ArrayRef<int64_t> shape = milShape(op.getInput());
    int64_t rank = shape.size();
    unsigned dim = zin::W;
    if (std::optional<int64_t> axis = mil::getConstantInt(op.getAxis()))
      dim = alignAxis(mil::fromFront(*axis, rank), rank);
    ElementLayers layers{rewriter, op.getLoc()};
    Value x = operandAs(rewriter, op.getLoc(), op.getInput(),
                        adaptor.getInput(), alignShape(shape, rank));

    SmallVector<double> factors =
        llvm::map_to_vector(*scales, [](double scale) { return 1 / scale; });
    Value scaled = withoutExtremes(layers, x, factors, dim);
    Value integers = factors.size() == 1
                         ? rounded(layers, scaled, factors.front())
                         : rounded(layers, scaled, along(layers, factors, dim));

    bool isUnsigned = cast<RankedTensorType>(op.getResult().getType())
                          .getElementType()
                          .isUnsignedInteger();
    auto half = [&](double value) {
      return rewriter.getFloatAttr(rewriter.getF16Type(), value);
    };
    double zero = 0;
    for (double &each : *zeros)
      each -= integersOnly;
    if (zeros->size() == 1)
      zero = zeros->front();
    else
      integers = layers.add(integers, along(layers, *zeros, dim));
    auto clip =
        zin::NeuronAttr::get(op.getContext(), NonLinearMode::clamped_relu,
                             half(isUnsigned ? 0 : INT8_MIN),
                             half(isUnsigned ? UINT8_MAX : INT8_MAX));
    rewriter.replaceOpWithNewOp<zin::NeuronOp>(
        op, integers, clip, FloatAttr(), zero == 0 ? FloatAttr() : half(zero));
    return success();
  }

private:
  /// One number for each element along a dimension.
  static Value along(const ElementLayers &layers, ArrayRef<double> numbers,
                     unsigned dim) {
    Shape5 shape(zin::numDims, 1);
    shape[dim] = numbers.size();
    return materializeHalf(layers.builder, layers.location, numbers, shape);
  }

  /// x times powers of two, which are taken from the factors, where fp16 does
  /// not hold a factor, or not precisely.
  static Value withoutExtremes(const ElementLayers &layers, Value x,
                               MutableArrayRef<double> factors, unsigned dim) {
    constexpr double largest = 0x1p15, precise = 0x1p-5;
    constexpr int up = 15, down = -8;
    SmallVector<double> powers;
    for (double &factor : factors) {
      double magnitude = std::fabs(factor);
      int power = magnitude > largest ? up : magnitude < precise ? down : 0;
      powers.push_back(std::ldexp(1, power));
      // A scale below 2^-30 makes a large number of what fp16 does not flush.
      factor =
          std::clamp(std::ldexp(factor, -power), -largestHalf, largestHalf);
    }
    if (llvm::all_equal(powers))
      return powers.front() == 1 ? x : layers.scaled(x, powers.front());
    return layers.mul(x, along(layers, powers, dim));
  }

  /// 1536 + round(x * factor). The factor is the sum of two fp16 numbers: what
  /// the second one adds is too small to be rounded twice. It has the sign of
  /// the first one, so that of an infinity, or of an x that makes one, both add
  /// the same infinity.
  static Value rounded(const ElementLayers &layers, Value x, double factor) {
    uint16_t bits = halfFromDouble(factor);
    if (std::fabs(halfToDouble(bits)) > std::fabs(factor))
      --bits;
    double high = halfToDouble(bits), low = roundToHalf(factor - high);
    if (low == 0)
      return layers.scaled(x, high, integersOnly);
    return scaledPair(layers, EWType::Add, x, layers.scaled(x, low), high);
  }

  /// The same with a factor for each element along a dimension, each rounded to
  /// fp16.
  static Value rounded(const ElementLayers &layers, Value x, Value factors) {
    return scaledPair(layers, EWType::Mult, x, factors, 1);
  }

  static Value scaledPair(const ElementLayers &layers, EWType kind, Value x,
                          Value y, double scale) {
    Type f16 = layers.builder.getF16Type();
    return zin::ScaledElementWiseOp::create(
        layers.builder, layers.location, x.getType(),
        zin::EWTypeAttr::get(layers.builder.getContext(), kind), x, y,
        layers.builder.getFloatAttr(f16, scale),
        layers.builder.getFloatAttr(f16, integersOnly));
  }
};

} // namespace

void ane::lowering::populateQuantizePatterns(
    const MILToZinTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<QuantizeRule>(converter, patterns.getContext());
}
