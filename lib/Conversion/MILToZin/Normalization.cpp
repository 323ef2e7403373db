//===- Normalization.cpp - Normalisation ----------------------------------===//

#include "Lowering.h"
#include "ane/Dialect/MIL/IR/ChannelAffine.h"

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

namespace {

/// A batch norm is a factor and an addend per channel. Up to two spatial
/// dimensions that is a channel-wise 1x1 convolution, one task with one
/// rounding; with three it is two element-wise layers.
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

    if (x.size() == zin::numDims) {
      Shape5 shape = {1, channels, 1, 1, 1};
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
    Value result = zin::ConvOp::create(
        rewriter, location, input.getType(), input, scale, bias,
        rewriter.getDenseI64ArrayAttr({1, 1}),
        rewriter.getDenseI64ArrayAttr({0, 0}),
        rewriter.getDenseI64ArrayAttr({1, 1}),
        rewriter.getI64IntegerAttr(channels), zin::NeuronAttr());
    rewriter.replaceOp(
        op, reshapeTo(rewriter, location, result, alignShape(x, x.size())));
    return success();
  }
};

} // namespace

void ane::lowering::populateNormalizationPatterns(
    const MILToZinTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<BatchNormRule>(converter, patterns.getContext());
}
