//===- CheckConstants.cpp - What must be known, and fit fp16 --------------===//
//
// Constants beyond fp16 are refused but where they come to the same as an
// infinity: as bounds that no element passes, and as masks of what saturates.
//
//===----------------------------------------------------------------------===//

#include "Check/CheckSupport.h"
#include "ane/Dialect/MIL/IR/Slice.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <climits>
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

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
  double side = 0;
  if (isa<mil::MaximumOp, mil::ThresholdOp>(op))
    side = -1;
  else if (isa<mil::MinimumOp>(op))
    side = 1;
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
