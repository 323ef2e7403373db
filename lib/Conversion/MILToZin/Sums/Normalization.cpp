//===- Normalization.cpp - Normalisation ----------------------------------===//

#include "AlongDim.h"
#include "Elements/ElementLayers.h"
#include "ane/Dialect/MIL/IR/ChannelAffine.h"
#include "ane/Support/Coefficients.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

namespace {

/// A batch norm is a factor and an addend per channel. Up to two spatial
/// dimensions that is a channel-wise 1x1 convolution, one task with one
/// rounding; with three, and where a factor is denormal in fp16, it is two
/// element-wise layers.
struct BatchNormRule : OpConversionPattern<mil::BatchNormOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::BatchNormOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location location = op.getLoc();
    ArrayRef<int64_t> x = milShape(op.getX());
    int64_t channels = x[1];
    std::optional<mil::ChannelAffine> affine = mil::getChannelAffine(op);
    if (!affine)
      return rewriter.notifyMatchFailure(op, "a parameter is not constant");

    if (x.size() == zin::numDims ||
        !llvm::all_of(affine->scale, isCoefficient)) {
      Shape5 shape = {1, 1, 1, 1, 1};
      shape[alignAxis(1, x.size())] = channels;
      Value scale = materializeHalf(rewriter, location, affine->scale, shape);
      Value bias = materializeHalf(rewriter, location, affine->bias, shape);
      Type type = adaptor.getX().getType();
      Value scaled = zin::ElementWiseOp::create(
          rewriter, location, type, zin::EWType::Mult, adaptor.getX(), scale);
      rewriter.replaceOpWithNewOp<zin::ElementWiseOp>(
          op, type, zin::EWType::Add, scaled, bias);
      return success();
    }

    Shape5 shape = windowShape(x);
    Value scale = materializeHalf(rewriter, location, affine->scale,
                                  {channels, 1, 1, 1, 1});
    Value bias = materializeHalf(rewriter, location, affine->bias,
                                 {1, 1, channels, 1, 1});
    Value input = reshapeTo(rewriter, location, adaptor.getX(), shape);
    Value result = zin::ConvOp::create(rewriter, location, input, scale, bias);
    rewriter.replaceOp(
        op, reshapeTo(rewriter, location, result, alignShape(x, x.size())));
    return success();
  }
};

Value elementwise(OpBuilder &builder, Location location, zin::EWType kind,
                  Value x, Value y) {
  return zin::ElementWiseOp::create(builder, location, x.getType(), kind, x, y);
}

/// x / sqrt(f + epsilon), where f is the sum or mean of the squares over some
/// dimensions. Those are added up before anything is rounded.
Value divideByNorm(OpBuilder &builder, Location location,
                   zin::ReductionType kind, Value x, ArrayRef<int64_t> axes,
                   double epsilon) {
  Value factor = reduceOver(builder, location, kind, x, axes, /*square=*/true,
                            zin::PEPost::rsqrt, epsilon);
  return elementwise(builder, location, zin::EWType::Mult, x, factor);
}

/// (x - mean) / sqrt(variance + epsilon) over some dimensions. Of up to
/// `refineMeansUpTo` numbers the mean of the differences is subtracted as well.
Value standardize(OpBuilder &builder, Location location, Value x,
                  ArrayRef<int64_t> axes, double epsilon,
                  int64_t refineMeansUpTo) {
  Value centred = x;
  int64_t numbers = 1;
  for (int64_t axis : axes)
    numbers *= zin::shapeOf(x)[axis];
  for (int i = 0; i < (numbers <= refineMeansUpTo ? 2 : 1); ++i)
    centred = elementwise(
        builder, location, zin::EWType::Sub, centred,
        reduceOver(builder, location, zin::ReductionType::Avg, centred, axes));
  return divideByNorm(builder, location, zin::ReductionType::Avg, centred, axes,
                      epsilon);
}

bool isSplat(Value constant, double number) {
  return llvm::all_of(
      *mil::getConstantFloats(mil::getConstantElements(constant)),
      [&](double element) { return element == number; });
}

/// x * gamma + beta, with constants that are absent or broadcast as `shape`.
Value scaleAndShift(OpBuilder &builder, Location location, Value x, Value gamma,
                    Value beta, ArrayRef<int64_t> shape) {
  if (gamma && !isSplat(gamma, 1))
    x = elementwise(builder, location, zin::EWType::Mult, x,
                    materializeHalf(builder, location, gamma, shape));
  if (beta && !isSplat(beta, 0))
    x = elementwise(builder, location, zin::EWType::Add, x,
                    materializeHalf(builder, location, beta, shape));
  return x;
}

struct LayerNormRule : OpConversionPattern<mil::LayerNormOp> {
  LayerNormRule(const MILToZinTypeConverter &converter, MLIRContext *context,
                int64_t refineMeansUpTo)
      : OpConversionPattern(converter, context),
        refineMeansUpTo(refineMeansUpTo) {}

  LogicalResult
  matchAndRewrite(mil::LayerNormOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location location = op.getLoc();
    ArrayRef<int64_t> x = milShape(op.getX());
    int64_t rank = x.size();
    SmallVector<int64_t> axes;
    if (op.getAxes())
      axes = *mil::getConstantInts(op.getAxes());
    else
      llvm::append_range(axes, llvm::seq<int64_t>(0, rank));
    SmallVector<int64_t> parameters(rank, 1);
    for (int64_t &axis : axes) {
      axis = mil::fromFront(axis, rank);
      parameters[axis] = x[axis];
      axis = alignAxis(axis, rank);
    }
    Value y = standardize(rewriter, location, adaptor.getX(), axes,
                          *op.getEpsilonOrDefault(), refineMeansUpTo);
    rewriter.replaceOp(op, scaleAndShift(rewriter, location, y, op.getGamma(),
                                         op.getBeta(),
                                         alignShape(parameters, rank)));
    return success();
  }

  int64_t refineMeansUpTo;
};

struct InstanceNormRule : OpConversionPattern<mil::InstanceNormOp> {
  InstanceNormRule(const MILToZinTypeConverter &converter, MLIRContext *context,
                   int64_t refineMeansUpTo)
      : OpConversionPattern(converter, context),
        refineMeansUpTo(refineMeansUpTo) {}

  LogicalResult
  matchAndRewrite(mil::InstanceNormOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location location = op.getLoc();
    ArrayRef<int64_t> shape = milShape(op.getX());
    Value x = reshapeTo(rewriter, location, adaptor.getX(), windowShape(shape));
    Value y = standardize(rewriter, location, x, {zin::H, zin::W},
                          *op.getEpsilonOrDefault(), refineMeansUpTo);
    y = scaleAndShift(rewriter, location, y, op.getGamma(), op.getBeta(),
                      {1, 1, shape[1], 1, 1});
    rewriter.replaceOp(
        op, reshapeTo(rewriter, location, y, alignShape(shape, shape.size())));
    return success();
  }

  int64_t refineMeansUpTo;
};

struct L2NormRule : OpConversionPattern<mil::L2NormOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::L2NormOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, divideByNorm(rewriter, op.getLoc(),
                                        zin::ReductionType::Sum, adaptor.getX(),
                                        {zin::C, zin::H, zin::W},
                                        *op.getEpsilonOrDefault()));
    return success();
  }
};

/// x * z^-beta with z = k + alpha / size * sum of squares over nearby channels.
/// The factor goes into the squares, so that they do not pass fp16 where z does
/// not; the sum is a product with a matrix of zeros and ones; the power is
/// 2^(-beta * log2(z)).
struct LocalResponseNormRule : OpConversionPattern<mil::LocalResponseNormOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::LocalResponseNormOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location location = op.getLoc();
    int64_t size = mil::getConstantInts(op.getSize())->front();
    double alpha = *op.getAlphaOrDefault();
    double beta = *op.getBetaOrDefault(), k = *op.getKOrDefault();
    Value x = adaptor.getX();
    int64_t rank = milShape(op.getX()).size();
    unsigned dim = alignAxis(1, rank);
    int64_t channels = milShape(x)[dim];

    ElementLayers layers{rewriter, location};
    Value scaled = layers.scaled(x, std::sqrt(std::fabs(alpha) / size));
    std::vector<double> near(channels * channels, 0);
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t i = std::max<int64_t>(c - size / 2, 0);
           i <= std::min(c + (size - 1) / 2, channels - 1); ++i)
        near[c * channels + i] = alpha < 0 ? -1 : 1;
    auto sumOfSquares = [&](Value values) {
      return multiplyAlong(rewriter, location, layers.mul(values, values), dim,
                           near);
    };
    Value sum = sumOfSquares(scaled);
    // A sum takes squares below 2^-14 as 0, which shows beside a small k. So
    // small numbers have a sum of their own, of squares 2^8 times as large.
    constexpr double lost = 0x1p-14, shows = 0x1p-11, up = 0x1p4;
    if (lost * size > std::fabs(k) * shows) {
      double most = std::sqrt(accumulatorLimit / 2 / size);
      Value small = layers.neuron(zin::NonLinearMode::clamped_relu, -most, most,
                                  layers.scaled(scaled, up));
      sum = layers.binary(alpha < 0 ? zin::EWType::Min : zin::EWType::Max, sum,
                          layers.scaled(sumOfSquares(small), 1 / (up * up)));
    }
    Value z = layers.scaled(sum, 1, k);
    // Below 0 there are powers to integers alone.
    bool hasSign = (k < 0 || alpha < 0) && beta == std::floor(beta);
    Value magnitude = hasSign ? layers.neuron(zin::NonLinearMode::abs, z) : z;
    Value exponent = layers.scaled(
        layers.neuron(zin::NonLinearMode::log2, magnitude), -beta);
    Value power = layers.neuron(zin::NonLinearMode::exp2, exponent);
    if (hasSign && std::fmod(beta, 2) != 0)
      power = layers.mul(power, layers.neuron(zin::NonLinearMode::sign, z));
    rewriter.replaceOp(op, layers.mul(x, power));
    return success();
  }
};

} // namespace

void ane::lowering::populateNormalizationPatterns(
    const MILToZinTypeConverter &converter, RewritePatternSet &patterns,
    int64_t refineMeansUpTo) {
  patterns.add<BatchNormRule, L2NormRule, LocalResponseNormRule>(
      converter, patterns.getContext());
  patterns.add<InstanceNormRule, LayerNormRule>(
      converter, patterns.getContext(), refineMeansUpTo);
}
