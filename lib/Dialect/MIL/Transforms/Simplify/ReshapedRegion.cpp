//===- ReshapedRegion.cpp - Ops between reshapes --------------------------===//

#include "Simplify/ReshapedRegion.h"
#include "Simplify/OpsBetween.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

int64_t mil::movedElements(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  bool keepsRows =
      (from.empty() ? 1 : from.back()) == (to.empty() ? 1 : to.back());
  return keepsRows ? 0 : llvm::product_of(from);
}

int64_t mil::movedElements(Operation *reshape) {
  return movedElements(shapeOf(reshape->getOperand(0)),
                       shapeOf(reshape->getResult(0)));
}

/// Dimensions of what is moved, reduced or joined.
static int64_t rankOf(Operation *op) {
  return shapeOf(op->getOperand(0)).size();
}

bool ReshapedRegion::hasOtherResults(Operation *op) const {
  return op->getNumResults() > 0 &&
         llvm::all_of(op->getResults(), [&](Value value) {
           return changes(value) && fitsEngine(otherShape(value));
         });
}

bool ReshapedRegion::goesAlong(Operation *op) const {
  if (op->getNumOperands() == 0 || !hasOtherResults(op))
    return false;
  if (op->hasTrait<Elementwise>())
    return !op->hasTrait<ChannelParameters>() &&
           llvm::all_of(op->getOperands(),
                        [&](Value value) { return canBeOperand(value); });
  if (!changes(op->getOperand(0)))
    return false;
  int64_t rank = rankOf(op), kept = keptDims(rank);
  auto isKept = [&](Value axis) {
    std::optional<int64_t> given = getConstantInt(axis);
    return given && fromFront(*given, rank) < kept;
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<Reduction, LayerNormOp>([&](auto op) {
        auto axes = reducedAxes(op.getAxes(), rank);
        return axes && !axes->empty() && axes->back() < kept;
      })
      .Case([&](SoftmaxOp softmax) {
        return softmax.getAxis() && isKept(softmax.getAxis());
      })
      .Case([&](ConcatOp concat) {
        return isKept(concat.getAxis()) &&
               concat.getInterleaveOrDefault() == false;
      })
      .Case([&](SplitOp split) { return isKept(split.getAxis()); })
      .Default(false);
}

bool ReshapedRegion::find(Operation *entry) {
  if (!changes(entry->getResult(0)))
    return false;
  ops = opsBetween(
      entry, [&](Operation *op) { return goesAlong(op); },
      [&](Operation *op) { return isExit(op); });
  return !ops.empty() && isWorthIt();
}

/// Whether reshapes move fewer elements than before.
bool ReshapedRegion::isWorthIt() const {
  int64_t saved = 0;
  llvm::SmallDenseSet<Value> counted;
  for (Operation *op : ops) {
    for (Value operand : op->getOperands()) {
      if (isConst(operand) || !changes(operand) ||
          contains(operand.getDefiningOp()) || !counted.insert(operand).second)
        continue;
      Value source = sourceOf(operand);
      // It undoes itself, and is of what the region has.
      if (contains(source.getDefiningOp()))
        return false;
      saved -= movedElements(shapeOf(source), otherShape(operand));
      if (source != operand &&
          llvm::all_of(operand.getUsers(), [&](Operation *user) {
            return contains(user) || isExit(user);
          }))
        saved += movedElements(operand.getDefiningOp());
    }
    for (Value result : op->getResults()) {
      Shape shape = otherShape(result);
      bool isLeft = false;
      for (Operation *user : result.getUsers())
        if (readsOther(user))
          saved += movedElements(user) -
                   movedElements(shape, shapeOf(user->getResult(0)));
        else
          isLeft |= !contains(user);
      if (isLeft)
        saved -= movedElements(shape, shapeOf(result));
    }
  }
  return saved > 0;
}

Value ReshapedRegion::other(Replacer &r, Value value) {
  RankedTensorType type = staticType(value);
  if (!type || type.getRank() == 0)
    return value;
  Value &changed = made[value];
  if (changed)
    return changed;
  Shape shape = otherShape(value);
  if (auto constant = value.getDefiningOp<ConstOp>())
    if (auto elements = dyn_cast<ElementsAttr>(constant.getValue()))
      if (ElementsAttr reshapedElements = reshaped(elements, shape))
        return r.constant(reshapedElements);
  Value source = sourceOf(value);
  return changed = shapeOf(source) == ArrayRef(shape)
                       ? source
                       : r.reshape(source, shape);
}

Operation *ReshapedRegion::convert(Replacer &r, Operation *op) {
  IRMapping mapping;
  auto mapAll = [&](ValueRange operands) {
    for (Value operand : operands)
      mapping.map(operand, other(r, operand));
  };
  auto mapAxis = [&](Value axis) {
    mapping.map(axis, r.integer(fromFront(*getConstantInt(axis), rankOf(op))));
  };
  if (op->hasTrait<Elementwise>())
    mapAll(op->getOperands());
  else
    llvm::TypeSwitch<Operation *>(op)
        .Case<Reduction, LayerNormOp>([&](auto each) {
          mapAll(each.getX());
          mapping.map(each.getAxes(),
                      r.ints(*reducedAxes(each.getAxes(), rankOf(op))));
        })
        .Case<SoftmaxOp, SplitOp>([&](auto each) {
          mapAll(each.getX());
          mapAxis(each.getAxis());
        })
        .Case([&](ConcatOp concat) {
          mapAll(concat.getValues());
          mapAxis(concat.getAxis());
        });
  Operation *copy = r.rewriter.clone(*op, mapping);
  dropNames(copy);
  return copy;
}

/// Gives those outside what they read of a result of the region.
void ReshapedRegion::leave(OpResult result) {
  Value changed = made.lookup(result);
  PatternRewriter rewriter(result.getContext());
  for (Operation *user : llvm::to_vector(result.getUsers())) {
    if (!readsOther(user))
      continue;
    Replacer r(rewriter, user);
    ArrayRef<int64_t> shape = shapeOf(user->getResult(0));
    (void)r.replace(shapeOf(changed) == shape ? changed
                                              : r.reshape(changed, shape));
  }
  auto isOutside = [&](OpOperand &use) { return !contains(use.getOwner()); };
  if (llvm::none_of(result.getUses(), isOutside))
    return;
  Replacer r(rewriter, result.getOwner());
  Value back = r.reshape(changed, shapeOf(result));
  takeNames(cast<OpResult>(back), result);
  result.replaceUsesWithIf(back, isOutside);
}

void ReshapedRegion::rewrite() {
  PatternRewriter rewriter(ops.front()->getContext());
  for (Operation *op : ops) {
    Replacer r(rewriter, op);
    Operation *copy = convert(r, op);
    for (auto [changed, result] :
         llvm::zip_equal(copy->getResults(), op->getResults())) {
      changed.setType(
          cast<RankedTensorType>(result.getType()).clone(otherShape(result)));
      made[result] = changed;
    }
  }
  for (Operation *op : ops)
    for (OpResult result : op->getResults())
      leave(result);
  llvm::SmallSetVector<Operation *, 4> reshapes;
  for (Operation *op : llvm::reverse(ops)) {
    for (Value operand : op->getOperands())
      if (isReshape(operand.getDefiningOp()))
        reshapes.insert(operand.getDefiningOp());
    op->erase();
  }
  for (Operation *reshape : reshapes)
    if (reshape->use_empty())
      reshape->erase();
}
