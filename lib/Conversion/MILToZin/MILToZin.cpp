//===- MILToZin.cpp - Turn MIL functions into procedures of layers --------===//

#include "Lowering.h"
#include "ane/Conversion/Passes.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"

namespace ane {
#define GEN_PASS_DEF_CONVERTMILTOZIN
#include "ane/Conversion/Passes.h.inc"
} // namespace ane

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

MILToZinTypeConverter::MILToZinTypeConverter() {
  addConversion([](Type type) { return type; });
  addConversion([](RankedTensorType type) -> std::optional<Type> {
    Type element = type.getElementType();
    if (!element.isF16() && !element.isF32() && !element.isInteger(1))
      return std::nullopt;
    if (!type.hasStaticShape() || type.getRank() > int64_t(zin::numDims))
      return std::nullopt;
    return halfType(type.getContext(),
                    alignShape(type.getShape(), type.getRank()));
  });
  // A constant that a pattern does not read as one becomes a value. Most are
  // read; the casts that stand for them have no users and disappear.
  addTargetMaterialization([](OpBuilder &builder, Type type, ValueRange inputs,
                              Location location) -> Value {
    if (ElementsAttr elements = halfConstant(
            inputs.front(), cast<RankedTensorType>(type).getShape()))
      return zin::ConstantOp::create(builder, location,
                                     cast<TypedAttr>(elements));
    return UnrealizedConversionCastOp::create(builder, location, type, inputs)
        .getResult(0);
  });
}

void ane::populateMILToZinPatterns(const MILToZinTypeConverter &converter,
                                   RewritePatternSet &patterns) {
  populateActivationPatterns(converter, patterns);
  populateConvPatterns(converter, patterns);
  populateConvTransposePatterns(converter, patterns);
  populateElementwisePatterns(converter, patterns);
  populateLinearPatterns(converter, patterns);
  populateNormalizationPatterns(converter, patterns);
  populateProgramPatterns(converter, patterns);
  populateRearrangePatterns(converter, patterns);
  populateReductionPatterns(converter, patterns);
  populateResizePatterns(converter, patterns);
  populateSlicePatterns(converter, patterns);
  populateTensorPatterns(converter, patterns);
}

llvm::DenseSet<OperationName> ane::getLoweredOps(MLIRContext *context) {
  MILToZinTypeConverter converter;
  RewritePatternSet patterns(context);
  populateMILToZinPatterns(converter, patterns);
  return mil::getRootOps(patterns);
}

namespace {

/// Says, once, that a function computes in fp32; `strict` refuses it.
LogicalResult checkPrecision(mil::FuncOp func, const TargetDescription &target,
                             bool strict) {
  for (Operation &op : func.getBody().front()) {
    if (isa<mil::ConstOp, mil::CastOp, mil::ReturnOp>(op))
      continue;
    for (Type type : op.getResultTypes()) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor || !tensor.getElementType().isF32())
        continue;
      std::string what = ("function '" + func.getName() +
                          "' computes in fp32, first here; the engine computes "
                          "in fp16")
                             .str();
      if (strict)
        return mil::refuse(&op, (target.name + "-precision-c1").str(),
                           what + "; cast the inputs, or allow it");
      op.emitWarning() << what;
      return success();
    }
  }
  return success();
}

class ConvertMILToZin : public ane::impl::ConvertMILToZinBase<ConvertMILToZin> {
public:
  using ConvertMILToZinBase::ConvertMILToZinBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const TargetDescription *description = findTarget(target);
    if (!description) {
      module.emitError() << "target '" << target << "' is not known";
      return signalPassFailure();
    }
    if (failed(checkMILSupport(module, *description)))
      return signalPassFailure();
    bool isPrecise = true;
    for (auto func : module.getOps<mil::FuncOp>())
      isPrecise &=
          succeeded(checkPrecision(func, *description, strictPrecision));
    if (!isPrecise)
      return signalPassFailure();

    MILToZinTypeConverter converter;
    RewritePatternSet patterns(&getContext());
    populateMILToZinPatterns(converter, patterns);
    ConversionTarget conversion(getContext());
    conversion.addLegalDialect<zin::ZinDialect>();
    conversion.addLegalOp<ModuleOp, UnrealizedConversionCastOp>();
    conversion.addIllegalDialect<mil::MILDialect>();
    // Patterns read constants where they need them; what is left over has no
    // users and goes below.
    conversion.addLegalOp<mil::ConstOp>();
    if (failed(applyFullConversion(module, conversion, std::move(patterns))))
      return signalPassFailure();
    eraseLeftovers(module);
  }

private:
  static void eraseLeftovers(ModuleOp module) {
    for (auto procedure : module.getOps<zin::ProcedureOp>())
      for (Operation &op : llvm::make_early_inc_range(
               llvm::reverse(procedure.getBody().front())))
        if (isa<mil::ConstOp, UnrealizedConversionCastOp>(op) && op.use_empty())
          op.erase();
  }
};

} // namespace
