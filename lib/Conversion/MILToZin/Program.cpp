//===- Program.cpp - Functions to procedures ------------------------------===//

#include "IntegerRanges.h"
#include "Lowering.h"

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

namespace {

/// What the host calls a port, and the tensor it passes there.
DictionaryAttr portAttrs(Builder &builder, StringRef name, Type hostType) {
  return builder.getDictionaryAttr(
      {builder.getNamedAttr(zin::ProcedureOp::portNameAttrName,
                            builder.getStringAttr(name)),
       builder.getNamedAttr(zin::ProcedureOp::hostTypeAttrName,
                            TypeAttr::get(hostType))});
}

struct FuncRule : OpConversionPattern<mil::FuncOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::FuncOp func, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    TypeConverter::SignatureConversion signature(func.getNumArguments());
    SmallVector<Type> results;
    if (failed(getTypeConverter()->convertSignatureArgs(func.getArgumentTypes(),
                                                        signature)) ||
        failed(
            getTypeConverter()->convertTypes(func.getResultTypes(), results)))
      return rewriter.notifyMatchFailure(func, "a type has no fp16 form");

    SmallVector<Attribute> argAttrs, resAttrs;
    for (auto [i, limit] : llvm::enumerate(IntegerRanges::inputLimits(func))) {
      Type type = func.getArgumentTypes()[i];
      if (holdsIntegers(func.getArgument(i)))
        type =
            RankedTensorType::get(cast<RankedTensorType>(type).getShape(),
                                  cast<RankedTensorType>(type).getElementType(),
                                  rewriter.getI64IntegerAttr(limit));
      argAttrs.push_back(portAttrs(rewriter, func.getParameterName(i), type));
    }
    for (unsigned i = 0, e = func.getNumResults(); i < e; ++i)
      resAttrs.push_back(
          portAttrs(rewriter, func.getOutputName(i), func.getResultTypes()[i]));

    auto procedure = zin::ProcedureOp::create(
        rewriter, func.getLoc(), func.getSymName(),
        rewriter.getFunctionType(signature.getConvertedTypes(), results),
        rewriter.getArrayAttr(argAttrs), rewriter.getArrayAttr(resAttrs));
    if (func->hasAttr(mil::MILDialect::palettizedAttrName))
      procedure->setAttr(zin::ZinDialect::palettizedAttrName,
                         rewriter.getUnitAttr());
    if (func->hasAttr(mil::MILDialect::sparseAttrName))
      procedure->setAttr(zin::ZinDialect::sparseAttrName,
                         rewriter.getUnitAttr());
    rewriter.inlineRegionBefore(func.getBody(), procedure.getBody(),
                                procedure.getBody().end());
    rewriter.applySignatureConversion(&procedure.getBody().front(), signature,
                                      getTypeConverter());
    rewriter.eraseOp(func);
    return success();
  }
};

struct ReturnRule : OpConversionPattern<mil::ReturnOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::ReturnOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> values;
    for (auto [original, value] :
         llvm::zip_equal(op.getOperands(), adaptor.getOperands())) {
      // A returned constant is the only place where one is a plain value.
      if (mil::getConstantElements(original))
        value =
            materializeHalf(rewriter, op.getLoc(), original,
                            cast<RankedTensorType>(value.getType()).getShape());
      values.push_back(value);
    }
    rewriter.replaceOpWithNewOp<zin::ReturnOp>(op, values);
    return success();
  }
};

} // namespace

void ane::lowering::populateProgramPatterns(
    const MILToZinTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<FuncRule, ReturnRule>(converter, patterns.getContext());
}
