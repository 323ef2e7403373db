//===- MILToZin.cpp - Turn MIL functions into procedures of layers --------===//

#include "Check/CheckSupport.h"
#include "Lowering.h"
#include "ane/Conversion/Passes.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/FormatVariadic.h"
#include <climits>
#include <utility>

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
    if (!element.isF16() && !element.isF32() && !element.isSignlessInteger(1) &&
        !isCarriedInteger(element))
      return std::nullopt;
    if (!type.hasStaticShape() || type.getRank() > int64_t(zin::numDims))
      return std::nullopt;
    return halfType(type.getContext(),
                    alignShape(type.getShape(), type.getRank()));
  });
  // A constant that a pattern does not read as one becomes a value, but not
  // here: MLIR asks in the order of addresses, in which the elements would be
  // numbered otherwise from run to run.
  addTargetMaterialization([](OpBuilder &builder, Type type, ValueRange inputs,
                              Location location) -> Value {
    return UnrealizedConversionCastOp::create(builder, location, type, inputs)
        .getResult(0);
  });
}

void ane::populateMILToZinPatterns(const MILToZinTypeConverter &converter,
                                   RewritePatternSet &patterns,
                                   int64_t refineMeansUpTo,
                                   int64_t longestRow) {
  populateActivationPatterns(converter, patterns);
  populateConvPatterns(converter, patterns, longestRow);
  populateConvTransposePatterns(converter, patterns);
  populateElementwisePatterns(converter, patterns);
  populateGatherPatterns(converter, patterns, longestRow);
  populateLinearPatterns(converter, patterns);
  populateNormalizationPatterns(converter, patterns, refineMeansUpTo);
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
  populateMILToZinPatterns(converter, patterns, /*refineMeansUpTo=*/0,
                           /*longestRow=*/1);
  return mil::getRootOps(patterns);
}

namespace {

/// Whether an op computes such values, or takes computed ones.
bool computesWith(Operation &op, llvm::function_ref<bool(Value)> isSuch) {
  return !isa<mil::ConstOp>(op) &&
         (llvm::any_of(op.getResults(), isSuch) ||
          llvm::any_of(op.getOperands(), [&](Value operand) {
            return isSuch(operand) && !mil::getConstantElements(operand);
          }));
}

/// What was warned of. Functions that are one of the program in several shapes
/// have its statements, and segments are parts of one.
class Warnings {
public:
  /// Whether nobody was told of an op.
  bool isFirst(Operation &op) {
    return isa<UnknownLoc>(op.getLoc()) || places.insert(op.getLoc()).second;
  }
  /// The same of the function that its own is a segment of, if it is.
  bool isFirstOfSegments(Operation &op) {
    auto func = op.getParentOfType<mil::FuncOp>();
    bool isSegment = func->hasAttr(mil::MILDialect::segmentAttrName);
    return isFirst(op) && !(isSegment && std::exchange(hasSegments, true));
  }

private:
  llvm::DenseSet<Location> places;
  bool hasSegments = false;
};

/// Says, once, that a function computes in fp32; `strict` refuses it.
LogicalResult checkPrecision(mil::FuncOp func, const TargetDescription &target,
                             bool strict, Warnings &warnings) {
  auto isWide = [](Value value) {
    return getElementTypeOrSelf(value.getType()).isF32();
  };
  for (Operation &op : func.getBody().front()) {
    if (isa<mil::CastOp, mil::ReturnOp>(op) || !computesWith(op, isWide))
      continue;
    std::string what = ("function '" + func.getName() +
                        "' computes in fp32, first here; the engine computes "
                        "in fp16")
                           .str();
    if (strict)
      return mil::refuse(&op, target.rule("precision-c1"),
                         what + "; cast the inputs, or allow it");
    if (warnings.isFirstOfSegments(op))
      op.emitWarning() << what;
    return success();
  }
  return success();
}

/// Says, once, that a function has integers which fp16 holds only in part;
/// `strict` refuses them. Those of 8 bits it holds all.
LogicalResult checkIntegers(mil::FuncOp func, ArrayRef<IntegerLimit> limits,
                            const TargetDescription &target, bool strict,
                            Warnings &warnings) {
  auto isWide = [](Value value) {
    return holdsIntegers(value) &&
           getElementTypeOrSelf(value).getIntOrFloatBitWidth() > CHAR_BIT;
  };
  std::string inputs;
  for (auto [index, limit] : llvm::enumerate(limits))
    if (isWide(func.getArgument(index)))
      inputs += llvm::formatv(limit.hasNegative
                                  ? "; input '{0}' takes magnitudes up to {1}"
                                  : "; input '{0}' takes 0 to {1}",
                              func.getParameterName(index), limit.most);
  for (Operation &op : func.getBody().front()) {
    if (!computesWith(op, isWide))
      continue;
    std::string what =
        llvm::formatv("function '{0}' has integers, first here; the engine "
                      "holds them as fp16, exactly up to {1}",
                      func.getName(), largestExactInteger);
    if (strict)
      return mil::refuse(&op, target.rule("precision-c2"),
                         what + "; use 8 bits, or allow it");
    if (warnings.isFirst(op))
      op.emitWarning() << what << inputs;
    return success();
  }
  return success();
}

/// What patterns make of a function tells no ranges. So they find them there:
/// how far inputs go in the types of the host, and a mark at casts that wrap.
void writeDown(const IntegerRanges &ranges, mil::FuncOp func) {
  Builder builder(func.getContext());
  for (auto [index, limit] : llvm::enumerate(ranges.limits())) {
    if (!holdsIntegers(func.getArgument(index)))
      continue;
    auto type = cast<RankedTensorType>(
        hostTypeOf(func.getArgAttrDict(index), func.getArgumentTypes()[index]));
    func.setArgAttr(
        index, mil::MILDialect::hostTypeAttrName,
        TypeAttr::get(RankedTensorType::get(
            type.getShape(), type.getElementType(),
            builder.getI64ArrayAttr({limit.least(), int64_t(limit.most)}))));
  }
  for (Operation *cast : ranges.wrappingCasts())
    cast->setDiscardableAttr(wrapsAttrName, builder.getUnitAttr());
}

class ConvertMILToZin : public ane::impl::ConvertMILToZinBase<ConvertMILToZin> {
public:
  using ConvertMILToZinBase::ConvertMILToZinBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const TargetDescription *description = findTargetFor(module, target);
    if (!description)
      return signalPassFailure();
    if (failed(checkNumbers(module, *description)))
      return signalPassFailure();

    MILToZinTypeConverter converter;
    RewritePatternSet patterns(&getContext());
    populateMILToZinPatterns(converter, patterns, refineMeansUpTo,
                             description->maxWidth);
    ConversionTarget conversion(getContext());
    conversion.addLegalDialect<zin::ZinDialect>();
    conversion.addLegalOp<ModuleOp, UnrealizedConversionCastOp>();
    conversion.addIllegalDialect<mil::MILDialect>();
    // Patterns read constants where they need them; what is left over goes
    // below.
    conversion.addLegalOp<mil::ConstOp>();
    // A host may have other things in the module.
    conversion.markUnknownOpDynamicallyLegal([](Operation *op) {
      return !op->getParentOfType<mil::FuncOp>() &&
             !op->getParentOfType<zin::ProcedureOp>();
    });
    // Functions of a module in it have not been checked.
    conversion.markOpRecursivelyLegal<ModuleOp>(
        [module](ModuleOp op) { return op != module; });
    // No op but a constant, which is legal, folds; to try takes a copy of each.
    ConversionConfig config;
    config.foldingMode = DialectConversionFoldingMode::Never;
    // A pattern here that does not match has changed nothing, so there is
    // nothing to take back, for which MLIR would keep a record of all changes.
    config.allowPatternRollback = false;
    if (failed(applyFullConversion(module, conversion, std::move(patterns),
                                   config)))
      return signalPassFailure();
    eraseLeftovers(module);
  }

private:
  /// Refuses what the target cannot run, says what it computes in fp16, and
  /// writes down for patterns what integers can be.
  LogicalResult checkNumbers(ModuleOp module, const TargetDescription &target) {
    std::vector<IntegerRanges> rangesOf;
    for (auto func : module.getOps<mil::FuncOp>())
      rangesOf.emplace_back(func);
    if (failed(checkMILSupport(module, target, rangesOf)))
      return failure();
    bool isPrecise = true;
    Warnings ofPrecision, ofIntegers;
    for (auto [func, ranges] :
         llvm::zip_equal(module.getOps<mil::FuncOp>(), rangesOf)) {
      isPrecise &= succeeded(checkPrecision(func, target, strictPrecision,
                                            ofPrecision)) &&
                   succeeded(checkIntegers(func, ranges.limits(), target,
                                           strictPrecision, ofIntegers));
      writeDown(ranges, func);
    }
    return success(isPrecise);
  }

  /// What stands for constants that patterns did not read becomes such: casts,
  /// and constants of rank 5, which have the type of a layer as they are.
  /// Counts the layers on the way.
  void eraseLeftovers(ModuleOp module) {
    unsigned count = 0;
    for (auto procedure : module.getOps<zin::ProcedureOp>())
      for (Operation &op : llvm::make_early_inc_range(
               llvm::reverse(procedure.getBody().front()))) {
        if (!isa<mil::ConstOp, UnrealizedConversionCastOp>(op)) {
          count += !isa<zin::ConstantOp, zin::ReturnOp>(op);
          continue;
        }
        if (!op.use_empty())
          makeConstant(op);
        if (op.use_empty())
          op.erase();
      }
    numLayers += count;
  }

  static void makeConstant(Operation &op) {
    Value result = op.getResult(0);
    auto cast = dyn_cast<UnrealizedConversionCastOp>(op);
    ElementsAttr elements =
        halfConstant(cast ? cast.getInputs().front() : result,
                     mlir::cast<RankedTensorType>(result.getType()).getShape());
    if (!elements)
      return;
    OpBuilder builder(&op);
    result.replaceAllUsesWith(zin::ConstantOp::create(
        builder, op.getLoc(), mlir::cast<TypedAttr>(elements)));
  }
};

} // namespace
