//===- Program.cpp - Functions to procedures ------------------------------===//

#include "Lowering.h"

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

namespace {

/// What the host calls a port, the tensor it passes there, how that lies if the
/// program says so, and whether it is a state or asked for beside the results.
/// `attrs` are those of the parameter or result.
DictionaryAttr portAttrs(Builder &builder, StringRef name, DictionaryAttr attrs,
                         Type type) {
  NamedAttrList port;
  port.append(zin::ProcedureOp::portNameAttrName, builder.getStringAttr(name));
  port.append(zin::ProcedureOp::hostTypeAttrName,
              TypeAttr::get(hostTypeOf(attrs, type)));
  if (mil::BufferLayoutAttr layout = mil::getPortLayout(attrs))
    port.append(zin::ProcedureOp::hostStridesAttrName,
                builder.getDenseI64ArrayAttr(layout.getStrides()));
  if (attrs && attrs.contains(mil::MILDialect::stateAttrName))
    port.append(zin::ProcedureOp::stateAttrName, builder.getUnitAttr());
  if (attrs && attrs.contains(mil::MILDialect::askedAttrName))
    port.append(zin::ProcedureOp::askedAttrName, builder.getUnitAttr());
  return port.getDictionary(builder.getContext());
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
    for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
      argAttrs.push_back(portAttrs(rewriter, func.getParameterName(i),
                                   func.getArgAttrDict(i), type));
    SmallVector<Type> portTypes;
    auto terminator =
        cast<mil::ReturnOp>(func.getBody().front().getTerminator());
    SmallVector<unsigned> ports = mil::portsOf(terminator);
    for (unsigned i : ports) {
      resAttrs.push_back(portAttrs(rewriter, func.getOutputName(i),
                                   func.getResultAttrDict(i),
                                   func.getResultTypes()[i]));
      portTypes.push_back(results[i]);
    }

    // Here, as values that differ may become one before the return is
    // rewritten.
    llvm::BitVector repeated(terminator->getNumOperands(), true);
    for (unsigned i : ports)
      repeated.reset(i);
    rewriter.modifyOpInPlace(terminator,
                             [&] { terminator->eraseOperands(repeated); });

    auto procedure = zin::ProcedureOp::create(
        rewriter, func.getLoc(), func.getSymName(),
        rewriter.getFunctionType(signature.getConvertedTypes(), portTypes),
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
    for (auto [original, converted] :
         llvm::zip_equal(op.getOperands(), adaptor.getOperands())) {
      Value value = converted;
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

Type ane::lowering::hostTypeOf(DictionaryAttr attrs, Type type) {
  auto given = attrs ? attrs.getAs<TypeAttr>(mil::MILDialect::hostTypeAttrName)
                     : TypeAttr();
  return given ? given.getValue() : type;
}

void ane::lowering::populateProgramPatterns(
    const MILToZinTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<FuncRule, ReturnRule>(converter, patterns.getContext());
}
