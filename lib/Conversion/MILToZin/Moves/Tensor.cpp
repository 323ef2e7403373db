//===- Tensor.cpp - Shape and storage -------------------------------------===//

#include "Lowering.h"

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

namespace {

/// Ops that only give their input another shape.
template <typename MILOp> struct ReshapeRule : OpConversionPattern<MILOp> {
  using OpConversionPattern<MILOp>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MILOp op, typename MILOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ArrayRef<int64_t> shape = milShape(op.getResult());
    rewriter.replaceOp(op, reshapeTo(rewriter, op.getLoc(), adaptor.getX(),
                                     alignShape(shape, shape.size())));
    return success();
  }
};

struct IdentityRule : OpConversionPattern<mil::IdentityOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::IdentityOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value x = adaptor.getX();
    if (op->hasAttr(mil::MILDialect::copiedAttrName))
      x = zin::copyOf(rewriter, op.getLoc(), x);
    rewriter.replaceOp(op, x);
    return success();
  }
};

struct ConcatRule : OpConversionPattern<mil::ConcatOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::ConcatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ArrayRef<int64_t> shape = milShape(op.getResult());
    int64_t rank = shape.size();
    std::optional<int64_t> axis = mil::getConstantInt(op.getAxis());
    std::optional<bool> interleave = op.getInterleaveOrDefault();
    if (!axis || !interleave)
      return rewriter.notifyMatchFailure(op, "an attribute is not constant");
    SmallVector<Value> values;
    for (auto [original, value] :
         llvm::zip_equal(op.getValues(), adaptor.getValues()))
      values.push_back(operandAs(rewriter, op.getLoc(), original, value,
                                 alignShape(milShape(original), rank)));
    // Of one layer's result it would be a copy.
    if (values.size() == 1) {
      rewriter.replaceOp(op, values);
      return success();
    }
    rewriter.replaceOpWithNewOp<zin::ConcatOp>(
        op, halfType(op.getContext(), alignShape(shape, rank)), values,
        alignAxis(mil::fromFront(*axis, rank), rank), *interleave);
    return success();
  }
};

} // namespace

void ane::lowering::populateTensorPatterns(
    const MILToZinTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ReshapeRule<mil::ReshapeOp>, ReshapeRule<mil::ExpandDimsOp>,
               ReshapeRule<mil::SqueezeOp>, ReshapeRule<mil::Flatten2dOp>,
               ReshapeRule<mil::ReshapeLikeOp>, IdentityRule, ConcatRule>(
      converter, patterns.getContext());
}
