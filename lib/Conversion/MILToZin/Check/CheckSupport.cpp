//===- CheckSupport.cpp - What the target can run -------------------------===//

#include "Check/CheckSupport.h"
#include "ane/Dialect/MIL/IR/Limits.h"
#include "ane/Dialect/MIL/IR/Slice.h"
#include "ane/Dialect/MIL/Transforms/FoldLimits.h"
#include "ane/Dialect/MIL/Transforms/UncutRows.h"
#include "ane/Support/Constraint.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <climits>
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::lowering;
using mil::refuse;

namespace {

bool isConstant(Value value) { return bool(mil::getConstantElements(value)); }

/// Whether an op moves elements by copies, which keep infinities and what is
/// beside them. Other movers may become products with zeros and ones.
bool copies(Operation *op) {
  if (op->hasTrait<mil::Reshapes>())
    return true;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<mil::IdentityOp, mil::TransposeOp, mil::SplitOp>(
          [](auto) { return true; })
      .Case<mil::SliceBySizeOp, mil::SliceByIndexOp>([](auto op) {
        auto slice = mil::getSlice(op);
        return slice && llvm::all_of(*slice, [](const mil::SliceDim &dim) {
                 return dim.step > 0;
               });
      })
      .Case([](mil::TileOp tile) {
        auto x = cast<RankedTensorType>(tile.getX().getType());
        auto y = cast<RankedTensorType>(tile.getType());
        // Of one element there is nothing beside it.
        return x.getRank() == y.getRank() &&
               llvm::all_of(llvm::zip_equal(x.getShape(), y.getShape()),
                            [](auto extents) {
                              auto [once, all] = extents;
                              return once == all || once == 1;
                            });
      })
      .Default(false);
}

/// Whether an op moves floats or chooses some.
bool movesOrChooses(Operation *op) {
  if (isa<mil::CastOp>(op))
    return isa<FloatType>(getElementTypeOrSelf(op->getResult(0)));
  return copies(op) || isa<mil::SelectOp>(op);
}

/// Whether a constant operand has no elements but those of fp16 and such that
/// are infinite in it and pass it from its other end, too, when they are added.
bool addsHalfOrInfinity(Operation *op) {
  constexpr double width = 0x1p18;
  return llvm::all_of(op->getOperands(), [](Value operand) {
    std::optional<SmallVector<double>> numbers =
        mil::getConstantNumbers(operand);
    return !numbers || llvm::all_of(*numbers, [](double number) {
      return std::fabs(number) >= width || std::fabs(number) <= largestHalf;
    });
  });
}

/// Whether an op puts constants in the place of elements, or makes them as
/// large as any that fp16 does not have: masks of a softmax do.
bool hides(Operation *op) {
  return isa<mil::SelectOp>(op) ||
         (isa<mil::AddOp, mil::SubOp>(op) && addsHalfOrInfinity(op));
}

/// Ops between a mask of integers and the one that it is multiplied in.
/// Assigned.
constexpr unsigned deepestMask = 8;

/// Whether all elements of a value are integers, as those of a mask are.
bool isIntegral(Value value, unsigned depth = 0) {
  if (!isa<FloatType>(getElementTypeOrSelf(value)))
    return true;
  if (std::optional<SmallVector<double>> numbers =
          mil::getConstantNumbers(value))
    return llvm::all_of(
        *numbers, [](double number) { return number == std::floor(number); });
  Operation *op = value.getDefiningOp();
  if (!op || depth == deepestMask)
    return false;
  if (isa<mil::AddOp, mil::SubOp, mil::MulOp>(op))
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      return isIntegral(operand, depth + 1);
    });
  return (op->hasTrait<mil::MovesElements>() || isa<mil::CastOp>(op)) &&
         isIntegral(op->getOperand(0), depth + 1);
}

/// Whether an op makes of integers what hides where they are not 0: an infinity
/// times 0 is 0 on the engine (measured).
bool makesMask(Operation *op) {
  return isa<mil::MulOp>(op) &&
         llvm::any_of(op->getOperands(),
                      [](Value operand) {
                        return findHalfOverflow(operand).has_value();
                      }) &&
         addsHalfOrInfinity(op) &&
         llvm::all_of(op->getOperands(),
                      [](Value operand) { return isIntegral(operand); });
}

/// Whether an op bounds elements by numbers that fp16 has, and by others that
/// no element passes: those are infinite in fp16.
bool boundsByOthers(Operation *op) {
  double side = isa<mil::MaximumOp>(op) ? -1 : isa<mil::MinimumOp>(op) ? 1 : 0;
  return side != 0 && llvm::all_of(op->getOperands(), [&](Value operand) {
           if (!findHalfOverflow(operand))
             return true;
           std::optional<SmallVector<double>> numbers =
               mil::getConstantNumbers(operand);
           return numbers && llvm::all_of(*numbers, [&](double number) {
                    return std::fabs(number) <= largestHalf ||
                           number * side > 0;
                  });
         });
}

/// Whether a constant has its elements: they can lie in a weight file that
/// nobody loaded, or be left out of the text of the IR.
bool isAtHand(mil::ConstOp op) {
  auto elements = dyn_cast<ElementsAttr>(op.getValue());
  auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(elements);
  if (!resource)
    return bool(elements);
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob || !isa<FloatType>(elements.getElementType()))
    return bool(blob);
  uint64_t bits = uint64_t(elements.getNumElements()) *
                  elements.getElementType().getIntOrFloatBitWidth();
  return blob->getData().size() == bits / CHAR_BIT;
}

} // namespace

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

LogicalResult SupportChecker::check(mil::FuncOp func) {
  // Values that were refused. What is computed from them is not looked at:
  // one mistake gets one report.
  llvm::DenseSet<Value> refused;
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
  ranges.emplace(func);
  findSaturated(func);
  for (Operation &op : func.getBody().front()) {
    bool follows = llvm::any_of(op.getOperands(), [&](Value operand) {
      return refused.contains(operand);
    });
    if (!follows && !isa<mil::ConstOp>(op) && !mil::isTooLargeConstant(&op) &&
        !mil::isTooMuchWork(&op) && llvm::any_of(op.getResults(), isUncut))
      follows = true;
    if (!follows && succeeded(check(&op)))
      continue;
    legal = false;
    refused.insert_range(op.getResults());
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
           << " of as many dimensions; join two of them"
           << ConstraintId(target.rule("shape-c3"));
  return emitError(uncut.location)
         << uncut.op.getValue() << ": the op has no rule for more than "
         << target.maxHeight << " rows, and " << mil::formatType(uncut.type)
         << " has such; reshape it or split the tensor"
         << ConstraintId(target.rule("shape-c3"));
}

void SupportChecker::findSaturated(mil::FuncOp func) {
  saturated.clear();
  // Readers come behind, so one walk backwards sees them first.
  for (Operation &op : llvm::reverse(func.getBody().front())) {
    bool passes = movesOrChooses(&op) || boundsByOthers(&op);
    if (op.use_empty() || (!passes && !hides(&op) && !makesMask(&op)))
      continue;
    if (llvm::all_of(op.getUsers(), [&](Operation *user) {
          if (isa<mil::SoftmaxOp, mil::SigmoidOp, mil::TanhOp>(user))
            return true;
          if (user->getNumResults() != 1 ||
              !saturated.contains(user->getResult(0)))
            return false;
          // What is added to something is as large with it.
          return movesOrChooses(user) || boundsByOthers(user) ||
                 (isa<mil::AddOp, mil::SubOp>(user) && addsHalfOrInfinity(&op));
        }))
      saturated.insert(op.getResult(0));
  }
}

LogicalResult SupportChecker::checkResults(Operation *op) {
  for (Type type : op->getResultTypes())
    if (failed(checkEngineType(op, "the result", type, target)))
      return failure();
  return success();
}

LogicalResult SupportChecker::check(Operation *op) {
  // A constant is looked at where it is used.
  if (isa<mil::ConstOp>(op))
    return success();
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
  auto limit = op->getAttrOfType<IntegerAttr>(mil::unrollLimitAttr);
  if (limit && !isa<mil::WhileLoopOp>(op))
    return refuse(op, id("unroll-c1"),
                  "the layer has " +
                      Twine(milShape(op->getOperand(0)).front()) +
                      " steps, the limit of those written out is " +
                      Twine(limit.getInt()) +
                      "; raise it with --unroll-limit, or cut the sequence "
                      "into several calls that hand the state on");
  if (!lowered.contains(op->getName()))
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<mil::PowOp, mil::ReduceLogSumOp, mil::ReduceLogSumExpOp,
              mil::TopkOp, mil::ArgsortOp, mil::OneHotOp, mil::ResampleOp,
              mil::AffineOp, mil::BandPartOp, mil::ConvQuantizedOp,
              mil::CropResizeOp, mil::GruOp, mil::L2PoolOp, mil::LstmOp,
              mil::ReverseSequenceOp, mil::RnnOp, mil::WhileLoopOp>(
            [&](auto typed) { return checkOp(typed); })
        .Default([&](Operation *) { return refuseUnknown(op); });
  if (auto result = dyn_cast<mil::ReturnOp>(op)) {
    auto func = result->getParentOfType<mil::FuncOp>();
    for (auto [index, operand] : llvm::enumerate(result.getOperands())) {
      std::string what = ("output '" + func.getOutputName(index) + "'").str();
      if (failed(checkPort(op, what, operand.getType(),
                           func.getResultAttrDict(index), target)) ||
          failed(checkLayout(operand.getLoc(), what,
                             func.getResultAttrDict(index), operand.getType())))
        return failure();
    }
  }
  if (failed(checkResults(op)))
    return failure();
  if (failed(checkConstants(op)))
    return failure();
  if (const RangeProblem *problem = ranges->problemOf(op))
    return refuse(op, id(problem->constraint), problem->message);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<mil::ConvOp, mil::ConvTransposeOp, mil::MaxPoolOp, mil::AvgPoolOp,
            mil::BatchNormOp, mil::SliceByIndexOp, mil::SliceBySizeOp,
            mil::SliceUpdateOp, mil::GatherOp, mil::GatherAlongAxisOp,
            mil::GatherNdOp, mil::ScatterOp, mil::ScatterAlongAxisOp,
            mil::ScatterNdOp, mil::TileOp, mil::PadOp, mil::ReshapeOp,
            mil::LocalResponseNormOp, mil::CumsumOp, mil::ReduceArgmaxOp,
            mil::ReduceArgminOp>([&](auto typed) { return checkOp(typed); })
      .Case<mil::UpsampleNearestNeighborOp, mil::ResizeNearestNeighborOp,
            mil::UpsampleBilinearOp, mil::ResizeBilinearOp, mil::ResizeOp>(
          [&](auto typed) {
            return checkResampling(typed, *mil::getResampling(typed));
          })
      .Default(success());
}

LogicalResult SupportChecker::requireConstant(Operation *op, Value value,
                                              StringRef name) {
  if (!value || isConstant(value))
    return success();
  return refuse(op, id("const-c2"),
                "'" + name +
                    "' is not a constant; it must be known at compile time");
}

LogicalResult
SupportChecker::requireConstants(Operation *op,
                                 ArrayRef<std::pair<StringRef, Value>> inputs) {
  for (auto [name, value] : inputs)
    if (failed(requireConstant(op, value, name)))
      return failure();
  return success();
}

LogicalResult SupportChecker::requireHalf(Operation *op, StringRef what,
                                          std::optional<double> tooLarge) {
  if (!tooLarge)
    return success();
  return refuse(op, id("const-c1"),
                what + llvm::formatv(" is {0:e6}, beyond {1}, the largest "
                                     "fp16; the engine has nothing wider",
                                     *tooLarge, int64_t(largestHalf))
                           .str());
}

LogicalResult SupportChecker::checkConstants(Operation *op) {
  for (Value operand : op->getOperands())
    if (auto constant = operand.getDefiningOp<mil::ConstOp>();
        constant && !isAtHand(constant))
      return refuse(op, id("const-c2"),
                    "the elements of a constant operand are not at hand; run "
                    "the pass mil-load-weights first, and do not elide "
                    "constants");
  // Others have a result without elements then, or take extents.
  bool needsElements =
      isa<mil::ConcatOp, mil::GatherOp, mil::GatherAlongAxisOp, mil::GatherNdOp,
          mil::ScatterOp, mil::ScatterAlongAxisOp, mil::ScatterNdOp>(op);
  auto hasNothing = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return needsElements && type && llvm::is_contained(type.getShape(), 0);
  };
  if (auto milOp = dyn_cast<mil::MILOp>(op))
    for (auto [index, arg] : llvm::enumerate(milOp.getOpSpec().args))
      for (Value value : milOp.getInput(index)) {
        if (arg.isConstantIn(mil::getOpset(op))) {
          if (failed(requireConstant(op, value, arg.name)))
            return failure();
        } else if (hasNothing(value)) {
          return refuse(op, id("shape-c2"),
                        "input '" + Twine(arg.name) + "' is " +
                            mil::formatType(value.getType()) +
                            "; a dimension of extent 0 has nothing to "
                            "compute: leave the op out");
        }
      }
  // A bound that is infinite in fp16 is none.
  if (isa<mil::ClipOp>(op) || boundsByOthers(op) ||
      ((hides(op) || makesMask(op)) && saturated.contains(op->getResult(0))))
    return success();
  for (Value operand : op->getOperands())
    if (failed(requireHalf(op, "an element of a constant operand",
                           findHalfOverflow(operand))))
      return failure();
  return success();
}

LogicalResult ane::checkMILSupport(ModuleOp program,
                                   const TargetDescription &target) {
  SupportChecker checker(program.getContext(), target);
  bool legal = true;
  for (auto func : program.getOps<mil::FuncOp>())
    legal &= succeeded(checker.check(func));
  return success(legal);
}
