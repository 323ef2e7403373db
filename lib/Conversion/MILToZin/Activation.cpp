//===- Activation.cpp - Activations and softmax ---------------------------===//

#include "Lowering.h"

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

namespace {

FloatAttr half(Builder &builder, double value) {
  return builder.getFloatAttr(builder.getF16Type(), value);
}

/// An activation without parameters is the neuron of the same name.
template <typename MILOp, zin::NonLinearMode Mode>
struct NeuronRule : OpConversionPattern<MILOp> {
  using OpConversionPattern<MILOp>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MILOp op, typename MILOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<zin::NeuronOp>(
        op, adaptor.getX().getType(), adaptor.getX(),
        zin::NeuronAttr::get(op.getContext(), Mode, {}, {}));
    return success();
  }
};

/// relu6 is a clamp.
struct Relu6Rule : OpConversionPattern<mil::Relu6Op> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::Relu6Op op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<zin::NeuronOp>(
        op, adaptor.getX().getType(), adaptor.getX(),
        zin::NeuronAttr::get(op.getContext(), zin::NonLinearMode::clamped_relu,
                             half(rewriter, 0), half(rewriter, 6)));
    return success();
  }
};

struct ClipRule : OpConversionPattern<mil::ClipOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::ClipOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    std::optional<double> alpha = mil::getConstantFloat(op.getAlpha());
    std::optional<double> beta = mil::getConstantFloat(op.getBeta());
    if (!alpha || !beta)
      return rewriter.notifyMatchFailure(op, "a bound is not constant");
    rewriter.replaceOpWithNewOp<zin::NeuronOp>(
        op, adaptor.getX().getType(), adaptor.getX(),
        zin::NeuronAttr::get(op.getContext(), zin::NonLinearMode::clamped_relu,
                             half(rewriter, *alpha), half(rewriter, *beta)));
    return success();
  }
};

struct LeakyReluRule : OpConversionPattern<mil::LeakyReluOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::LeakyReluOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    std::optional<double> alpha = mil::getConstantFloat(op.getAlpha());
    if (!alpha)
      return rewriter.notifyMatchFailure(op, "the slope is not constant");
    rewriter.replaceOpWithNewOp<zin::NeuronOp>(
        op, adaptor.getX().getType(), adaptor.getX(),
        zin::NeuronAttr::get(op.getContext(), zin::NonLinearMode::prelu,
                             half(rewriter, *alpha), {}));
    return success();
  }
};

struct SoftmaxRule : OpConversionPattern<mil::SoftmaxOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::SoftmaxOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    int64_t rank = milShape(op.getX()).size();
    std::optional<int64_t> axis = mil::getIntOr(op.getAxis(), -1);
    if (!axis)
      return rewriter.notifyMatchFailure(op, "the axis is not constant");
    rewriter.replaceOpWithNewOp<zin::SoftmaxOp>(
        op, adaptor.getX().getType(), adaptor.getX(),
        alignAxis(*axis < 0 ? *axis + rank : *axis, rank));
    return success();
  }
};

} // namespace

void ane::lowering::populateActivationPatterns(
    const MILToZinTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<NeuronRule<mil::ReluOp, zin::NonLinearMode::relu>,
               NeuronRule<mil::SigmoidOp, zin::NonLinearMode::sigmoid>,
               NeuronRule<mil::TanhOp, zin::NonLinearMode::tanh>,
               NeuronRule<mil::SiluOp, zin::NonLinearMode::swish>, Relu6Rule,
               ClipRule, LeakyReluRule, SoftmaxRule>(converter,
                                                     patterns.getContext());
}
