//===- CheckSupport.cpp - What the target can run -------------------------===//

#include "Check/CheckSupport.h"
#include "ane/Dialect/MIL/Transforms/FoldLimits.h"
#include "ane/Dialect/MIL/Transforms/UncutRows.h"
#include "ane/Support/Constraint.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

/// Whether shapes of inputs, which the user may give, are missing.
static bool hasDynamicInputs(Operation *op) {
  auto func = dyn_cast<mil::FuncOp>(op);
  if (!func)
    func = op->getParentOfType<mil::FuncOp>();
  return func &&
         llvm::any_of(func.getBody().getArgumentTypes(), mil::isDynamic);
}

/// That the engine holds a type; `shown` is what the program calls it.
static LogicalResult checkHeld(Operation *op, const Twine &what, Type type,
                               Type shown, const TargetDescription &target) {
  auto id = [&](StringRef constraint) { return target.rule(constraint); };
  auto tensor = dyn_cast<RankedTensorType>(type);
  Type element = tensor ? tensor.getElementType() : Type();
  if (!element || (!element.isF16() && !element.isF32() &&
                   !element.isSignlessInteger(1) && !isCarriedInteger(element)))
    return refuse(op, id("type-c1"),
                  what + " is " + mil::formatType(shown) +
                      "; the engine computes on tensors of fp16, which fp16, "
                      "fp32, bool and integers of 8 to 32 bits become: give it "
                      "one of these types");
  if (!tensor.hasStaticShape())
    return refuse(
        op, id("shape-c4"),
        what + " is " + mil::formatType(shown) +
            (hasDynamicInputs(op)
                 ? "; every dimension must be known: bind the inputs with "
                   "--shape"
                 : "; every dimension must be known, and here one depends on "
                   "values: make the result an input"));
  if (tensor.getRank() > target.maxRank)
    return refuse(op, id("shape-c1"),
                  what + " has rank " + Twine(tensor.getRank()) +
                      "; the engine has " + Twine(target.maxRank) +
                      " dimensions: join some of them");
  Shape5 shape = alignShape(tensor.getShape(), tensor.getRank());
  const int64_t limits[] = {target.maxBatch, target.maxDepth,
                            target.maxChannels, target.maxHeight,
                            target.maxWidth};
  for (unsigned dim = 0; dim < zin::numDims; ++dim) {
    if (shape[dim] == 0)
      return refuse(op, id("shape-c2"),
                    what + " is " + mil::formatType(shown) +
                        "; a dimension of extent 0 has nothing to compute: "
                        "leave the value out");
    if (shape[dim] > limits[dim])
      return refuse(op, id("shape-c3"),
                    what + " is " + mil::formatType(shown) +
                        "; its dimension " + zin::stringifyDim(dim) + " is " +
                        Twine(shape[dim]) + ", the limit " +
                        Twine(limits[dim]) +
                        "; reshape it or split the tensor");
  }
  return success();
}

LogicalResult ane::checkEngineType(Operation *op, const Twine &what, Type type,
                                   const TargetDescription &target) {
  return checkHeld(op, what, type, type, target);
}

/// The same of a port, all of which is in memory. Passes may have given it
/// another shape than the host sees.
static LogicalResult checkPort(Operation *op, const Twine &what, Type type,
                               DictionaryAttr attrs,
                               const TargetDescription &target) {
  Type shown = hostTypeOf(attrs, type);
  if (failed(checkHeld(op, what, type, shown, target)))
    return failure();
  uint64_t bytes = zin::elementBytes;
  for (int64_t extent : cast<RankedTensorType>(type).getShape())
    bytes = llvm::SaturatingMultiply<uint64_t>(bytes, extent);
  if (bytes <= uint64_t(target.maxProgramBytes))
    return success();
  return refuse(op, target.rule("memory-c3"),
                what + " takes " + Twine(bytes) +
                    " bytes, the limit of all that a program has in memory "
                    "is " +
                    Twine(target.maxProgramBytes) + "; split it");
}

/// Whether the engine could take the result of an op from elsewhere. What
/// integers can be is not known of those that were refused.
static bool couldBeInput(OpResult result, const TargetDescription &target) {
  ScopedDiagnosticHandler silence(result.getContext(),
                                  [](Diagnostic &) { return success(); });
  return isa<FloatType>(getElementTypeOrSelf(result)) &&
         succeeded(checkPort(result.getOwner(), "the result", result.getType(),
                             DictionaryAttr::get(result.getContext()), target));
}

LogicalResult SupportChecker::check(mil::FuncOp func,
                                    const IntegerRanges &found) {
  ranges = &found;
  // One mistake gets one report: what is computed from these values is not
  // looked at, and neither are other ops that a refused one became.
  llvm::DenseSet<Value> refused;
  llvm::DenseSet<Location> refusedAt;
  // Long rows and columns are refused once, where the op is that has no rule
  // for them.
  Uncut rows = uncutOf(func, mil::uncutRowsAttr),
        columns = uncutOf(func, mil::unfoldedColumnsAttr);
  bool hasUncut = false;
  auto isUncut = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return false;
    ArrayRef<int64_t> shape = type.getShape();
    // Where columns are not folded no rows are cut.
    bool isLong =
        (rows || columns) && !shape.empty() && shape.back() > target.maxWidth;
    isLong |= columns && shape.size() > 1 &&
              shape[shape.size() - 2] > target.maxHeight;
    if (!isLong || hasUncut)
      return isLong;
    if (refuseCounted(func, columns ? columns : rows))
      return hasUncut = true;
    if (columns)
      (void)refuseColumns(columns);
    else
      (void)refuseRows(rows, type);
    return hasUncut = true;
  };
  for (auto [index, argument] : llvm::enumerate(func.getArguments())) {
    std::string what = ("input '" + func.getParameterName(index) + "'").str();
    Type type = argument.getType();
    if (isUncut(argument) ||
        failed(
            checkPort(func, what, type, func.getArgAttrDict(index), target)) ||
        failed(checkLayout(argument.getLoc(), what, func.getArgAttrDict(index),
                           type)))
      refused.insert(argument);
  }
  bool legal = refused.empty();
  findSaturated(func);
  for (Operation &op : func.getBody().front()) {
    bool isPart = refusedAt.contains(op.getLoc());
    bool follows = llvm::any_of(op.getOperands(), [&](Value operand) {
      return refused.contains(operand);
    });
    if (!isPart && !follows && !isa<mil::ConstOp>(op) &&
        !mil::isTooLargeConstant(&op) && !mil::isTooMuchWork(&op) &&
        llvm::any_of(op.getResults(), isUncut))
      follows = true;
    if (!isPart && !follows && succeeded(check(&op)))
      continue;
    legal = false;
    if (!follows && !isa<UnknownLoc>(op.getLoc()))
      refusedAt.insert(op.getLoc());
    for (OpResult result : op.getResults())
      if (!couldBeInput(result, target))
        refused.insert(result);
  }
  return success(legal);
}

SupportChecker::Uncut SupportChecker::uncutOf(mil::FuncOp func,
                                              StringRef mark) {
  auto parts = func->getAttrOfType<ArrayAttr>(mark);
  if (!parts || parts.size() < 2)
    return {};
  Uncut uncut = {
      dyn_cast<StringAttr>(parts[0]), dyn_cast<LocationAttr>(parts[1]), {}};
  auto type = parts.size() > 2 ? dyn_cast<TypeAttr>(parts[2]) : TypeAttr();
  if (type)
    uncut.type = dyn_cast<RankedTensorType>(type.getValue());
  bool isWhole =
      mark == mil::uncutRowsAttr || (uncut.type && uncut.type.getRank() > 1);
  return uncut && isWhole ? uncut : Uncut();
}

LogicalResult SupportChecker::refuseRows(const Uncut &uncut,
                                         RankedTensorType type) {
  return emitError(uncut.location)
         << uncut.op.getValue() << ": the op has no rule for rows of more than "
         << target.maxWidth << " elements, and " << mil::formatType(type)
         << " has such; reshape it or split the tensor"
         << ConstraintId(target.rule("shape-c3"));
}

LogicalResult SupportChecker::refuseColumns(const Uncut &uncut) {
  int64_t rows = uncut.type.getShape().drop_back().back();
  if (!mil::canFoldColumns(rows, target.maxHeight))
    return emitError(uncut.location)
           << uncut.op.getValue() << ": " << mil::formatType(uncut.type)
           << " has " << rows << " rows, the limit is " << target.maxHeight
           << " or a product of two such numbers; pad it or split the tensor"
           << ConstraintId(target.rule("shape-c3"));
  if (uncut.type.getRank() >= target.maxRank)
    return emitError(uncut.location)
           << uncut.op.getValue() << ": " << mil::formatType(uncut.type)
           << " has " << rows << " rows, the limit is " << target.maxHeight
           << " where rows cannot become two of " << target.maxRank
           << " dimensions; join two others"
           << ConstraintId(target.rule("shape-c3"));
  return emitError(uncut.location)
         << uncut.op.getValue() << ": the op has no rule for more than "
         << target.maxHeight << " rows, and " << mil::formatType(uncut.type)
         << " has such; reshape it or split the tensor"
         << ConstraintId(target.rule("shape-c3"));
}

LogicalResult SupportChecker::checkResults(Operation *op) {
  for (Type type : op->getResultTypes())
    if (failed(checkEngineType(op, "the result", type, target)))
      return failure();
  return success();
}

LogicalResult SupportChecker::checkLeft(Operation *op) {
  if (mil::isTooLargeConstant(op))
    return refuse(op, id("const-c3"),
                  "the result is " +
                      mil::formatType(op->getResult(0).getType()) +
                      "; what is computed at compile time has up to " +
                      Twine(mil::mostFoldedElements) +
                      " elements: make it smaller, or an input");
  if (mil::isTooMuchWork(op))
    return refuse(
        op, id("const-c4"),
        llvm::formatv("it is computed of constants, which takes about "
                      "{0:e1} operations; the limit at compile time "
                      "is {1:e1}: compute it outside the program, or "
                      "make it smaller",
                      mil::foldingWork(op), double(mil::mostFoldingWork)));
  auto limit =
      op->getAttrOfType<IntegerAttr>(mil::MILDialect::unrollLimitAttrName);
  if (limit && !isa<mil::WhileLoopOp>(op))
    return refuse(op, id("unroll-c1"),
                  "the layer has " +
                      Twine(milShape(op->getOperand(0)).front()) +
                      " steps, the limit of those written out is " +
                      Twine(limit.getInt()) +
                      "; raise it with --unroll-limit, or cut the sequence "
                      "into several calls that hand the state on");
  return success();
}

LogicalResult SupportChecker::checkOutputs(mil::ReturnOp result) {
  auto func = result->getParentOfType<mil::FuncOp>();
  for (auto [index, operand] : llvm::enumerate(result.getOperands())) {
    std::string what = ("output '" + func.getOutputName(index) + "'").str();
    if (failed(checkPort(result, what, operand.getType(),
                         func.getResultAttrDict(index), target)) ||
        failed(checkLayout(operand.getLoc(), what,
                           func.getResultAttrDict(index), operand.getType())))
      return failure();
  }
  return success();
}

LogicalResult SupportChecker::check(Operation *op) {
  // A constant is looked at where it is used.
  if (isa<mil::ConstOp>(op))
    return success();
  if (failed(checkLeft(op)))
    return failure();
  if (!lowered.contains(op->getName()))
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<mil::PowOp, mil::ReduceLogSumOp, mil::ReduceLogSumExpOp,
              mil::TopkOp, mil::ArgsortOp, mil::OneHotOp, mil::ResampleOp,
              mil::AffineOp, mil::BandPartOp, mil::ConvQuantizedOp,
              mil::CropResizeOp, mil::GruOp, mil::L2PoolOp, mil::LstmOp,
              mil::ReverseSequenceOp, mil::RnnOp, mil::WhileLoopOp>(
            [&](auto typed) { return checkOp(typed); })
        .Default([&](Operation *) { return refuseUnknown(op); });
  if (auto result = dyn_cast<mil::ReturnOp>(op))
    if (failed(checkOutputs(result)))
      return failure();
  if (failed(checkResults(op)) || failed(checkConstants(op)))
    return failure();
  if (const RangeProblem *problem = ranges->problemOf(op))
    return refuse(op, id(problem->constraint), problem->message);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<mil::ConvOp, mil::ConvTransposeOp, mil::MaxPoolOp, mil::AvgPoolOp,
            mil::BatchNormOp, mil::SliceByIndexOp, mil::SliceBySizeOp,
            mil::SliceUpdateOp, mil::GatherOp, mil::GatherAlongAxisOp,
            mil::GatherNdOp, mil::ScatterOp, mil::ScatterAlongAxisOp,
            mil::ScatterNdOp, mil::TileOp, mil::PadOp, mil::ReshapeOp,
            mil::ReshapeLikeOp, mil::LocalResponseNormOp, mil::CumsumOp,
            mil::ReduceArgmaxOp, mil::ReduceArgminOp, mil::ResizeOp,
            mil::RealDivOp, mil::FloorDivOp, mil::ModOp>(
          [&](auto typed) { return checkOp(typed); })
      .Case<mil::UpsampleNearestNeighborOp, mil::ResizeNearestNeighborOp,
            mil::UpsampleBilinearOp, mil::ResizeBilinearOp>([&](auto typed) {
        return checkResampling(typed, *mil::getResampling(typed));
      })
      .Default(success());
}

LogicalResult ane::lowering::checkMILSupport(ModuleOp program,
                                             const TargetDescription &target,
                                             ArrayRef<IntegerRanges> ranges) {
  SupportChecker checker(program.getContext(), target);
  bool legal = true;
  for (auto [func, found] :
       llvm::zip_equal(program.getOps<mil::FuncOp>(), ranges))
    legal &= succeeded(checker.check(func, found));
  return success(legal);
}
