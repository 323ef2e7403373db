//===- CancelReshapes.cpp - Ops between reshapes that undo each other -----===//
//
// The last dimension of a value is its rows, so a matrix [M, D] that becomes
// [M, D, 1, 1] has an element in each row and D channels. Where all between two
// such reshapes can be said of the matrix, neither is needed. FlatImages.cpp
// has those between images.
//
//===----------------------------------------------------------------------===//

#include "Replacer.h"
#include "Simplify/FlatImages.h"
#include "Simplify/OpsBetween.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Support/Inventory.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ane::mil {
#define GEN_PASS_DEF_CANCELRESHAPES
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Elements that move in a reshape: none where rows stay rows.
int64_t movedElements(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  bool keepsRows =
      (from.empty() ? 1 : from.back()) == (to.empty() ? 1 : to.back());
  return keepsRows ? 0 : llvm::product_of(from);
}

int64_t movedElements(Operation *reshape) {
  return movedElements(shapeOf(reshape->getOperand(0)),
                       shapeOf(reshape->getResult(0)));
}

/// Ops on values with so many extents of 1 at the end, as ops without these.
class NarrowRegion {
public:
  /// The ops on the ways from `entry` to reshapes that move less without those
  /// extents; false if there are none, or more would move than now does.
  bool find(Operation *entry);
  void rewrite();

private:
  bool isNarrow(Value value) const;
  /// Its shape without the last dimensions.
  ArrayRef<int64_t> wideShape(Value value) const {
    return shapeOf(value).drop_back(ones);
  }
  /// Dimensions from the front that stay; nothing if one of them does not.
  std::optional<SmallVector<int64_t>> axesOf(Value axes, int64_t rank) const;
  bool isAxis(Value axis, int64_t rank) const;
  bool canWiden(Operation *op) const;
  bool isExit(Operation *op) const;
  bool contains(Operation *op) const { return op && ops.contains(op); }
  bool isWorthIt() const;
  Value widen(Replacer &r, Value value);
  void widen(Replacer &r, Operation *op);
  void leave(OpResult narrow);

  int64_t ones = 0;
  llvm::SetVector<Operation *> ops;
  llvm::DenseMap<Value, Value> made; ///< values without the last dimensions
};

} // namespace

bool NarrowRegion::isNarrow(Value value) const {
  RankedTensorType type = staticType(value);
  return type && type.getRank() > ones &&
         llvm::all_of(type.getShape().take_back(ones),
                      [](int64_t extent) { return extent == 1; });
}

std::optional<SmallVector<int64_t>> NarrowRegion::axesOf(Value axes,
                                                         int64_t rank) const {
  auto all = reducedAxes(axes, rank);
  if (!all || all->empty() || all->back() >= rank - ones)
    return std::nullopt;
  return all;
}

bool NarrowRegion::isAxis(Value axis, int64_t rank) const {
  std::optional<int64_t> given = getConstantInt(axis);
  return given && fromFront(*given, rank) < rank - ones;
}

bool NarrowRegion::canWiden(Operation *op) const {
  if (op->getNumResults() == 0 || op->getNumOperands() == 0 ||
      !llvm::all_of(op->getResults(), [&](Value value) {
        return isNarrow(value) && fitsEngine(wideShape(value));
      }))
    return false;
  if (op->hasTrait<Elementwise>())
    return !op->hasTrait<ChannelParameters>() &&
           llvm::all_of(op->getOperands(), [](Value value) {
             return isConst(value) || staticType(value);
           });
  Value x = op->getOperand(0);
  if (!isNarrow(x))
    return false;
  int64_t rank = shapeOf(x).size();
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<Reduction, LayerNormOp>(
          [&](auto op) { return axesOf(op.getAxes(), rank).has_value(); })
      .Case([&](SoftmaxOp softmax) {
        return softmax.getAxis() && isAxis(softmax.getAxis(), rank);
      })
      .Case([&](ConcatOp concat) {
        return isAxis(concat.getAxis(), rank) &&
               concat.getInterleaveOrDefault() == false;
      })
      .Case([&](SplitOp split) { return isAxis(split.getAxis(), rank); })
      .Default(false);
}

/// Whether no more moves without the last dimensions.
bool NarrowRegion::isExit(Operation *op) const {
  return isReshape(op) && isNarrow(op->getOperand(0)) &&
         movedElements(wideShape(op->getOperand(0)),
                       shapeOf(op->getResult(0))) <= movedElements(op);
}

bool NarrowRegion::find(Operation *entry) {
  for (int64_t extent : llvm::reverse(shapeOf(entry->getResult(0)))) {
    if (extent != 1)
      break;
    ++ones;
  }
  if (ones == 0 || !isNarrow(entry->getResult(0)))
    return false;
  ops = opsBetween(
      entry, [&](Operation *op) { return canWiden(op); },
      [&](Operation *op) { return isExit(op); });
  return !ops.empty() && isWorthIt();
}

/// Whether reshapes move fewer elements than before.
bool NarrowRegion::isWorthIt() const {
  int64_t saved = 0;
  llvm::SmallDenseSet<Value> counted;
  for (Operation *op : ops) {
    for (Value operand : op->getOperands()) {
      Operation *maker = operand.getDefiningOp();
      if (!isNarrow(operand) || isConst(operand) || contains(maker) ||
          !counted.insert(operand).second)
        continue;
      if (!isReshape(maker)) {
        saved -= movedElements(shapeOf(operand), wideShape(operand));
        continue;
      }
      // It undoes itself, and is of what the region has.
      Value source = maker->getOperand(0);
      if (contains(source.getDefiningOp()))
        return false;
      saved -= movedElements(shapeOf(source), wideShape(operand));
      if (llvm::all_of(maker->getUsers(), [&](Operation *user) {
            return contains(user) || isExit(user);
          }))
        saved += movedElements(maker);
    }
    for (Value result : op->getResults()) {
      ArrayRef<int64_t> wide = wideShape(result);
      bool isLeft = false;
      for (Operation *user : result.getUsers())
        if (isReshape(user))
          saved += movedElements(user) -
                   movedElements(wide, shapeOf(user->getResult(0)));
        else
          isLeft |= !contains(user);
      if (isLeft)
        saved -= movedElements(wide, shapeOf(result));
    }
  }
  return saved > 0;
}

/// A value without its last dimensions. One with fewer has one element along
/// those that it lacks, and those that it has.
Value NarrowRegion::widen(Replacer &r, Value value) {
  RankedTensorType type = staticType(value);
  if (!type || type.getRank() == 0)
    return value;
  Value &wide = made[value];
  if (wide)
    return wide;
  SmallVector<int64_t> kept(
      type.getShape().drop_back(std::min(ones, type.getRank())));
  if (kept.empty())
    kept.push_back(1);
  if (auto constant = value.getDefiningOp<ConstOp>())
    if (auto elements = dyn_cast<ElementsAttr>(constant.getValue()))
      if (ElementsAttr other = reshaped(elements, kept))
        return r.constant(other);
  Operation *maker = value.getDefiningOp();
  Value source = isReshape(maker) ? maker->getOperand(0) : value;
  return wide = shapeOf(source) == ArrayRef(kept) ? source
                                                  : r.reshape(source, kept);
}

void NarrowRegion::widen(Replacer &r, Operation *op) {
  IRMapping mapping;
  auto widenAll = [&](ValueRange operands) {
    for (Value operand : operands)
      mapping.map(operand, widen(r, operand));
  };
  auto mapAxis = [&](Value axis, Value x) {
    mapping.map(axis,
                r.integer(fromFront(*getConstantInt(axis), shapeOf(x).size())));
  };
  if (op->hasTrait<Elementwise>())
    widenAll(op->getOperands());
  else
    llvm::TypeSwitch<Operation *>(op)
        .Case<Reduction, LayerNormOp>([&](auto op) {
          widenAll(op.getX());
          mapping.map(op.getAxes(),
                      r.ints(*axesOf(op.getAxes(), shapeOf(op.getX()).size())));
        })
        .Case([&](SoftmaxOp softmax) {
          widenAll(softmax.getX());
          mapAxis(softmax.getAxis(), softmax.getX());
        })
        .Case([&](ConcatOp concat) {
          widenAll(concat.getValues());
          mapAxis(concat.getAxis(), concat.getValues().front());
        })
        .Case([&](SplitOp split) {
          widenAll(split.getX());
          mapAxis(split.getAxis(), split.getX());
        });
  Operation *copy = r.rewriter.clone(*op, mapping);
  dropNames(copy);
  for (auto [wide, narrow] :
       llvm::zip_equal(copy->getResults(), op->getResults())) {
    wide.setType(
        cast<RankedTensorType>(narrow.getType()).clone(wideShape(narrow)));
    made[narrow] = wide;
  }
}

/// Gives those outside what they read of a result of the region.
void NarrowRegion::leave(OpResult narrow) {
  Value wide = made.lookup(narrow);
  PatternRewriter rewriter(narrow.getContext());
  for (Operation *user : llvm::to_vector(narrow.getUsers())) {
    if (!isReshape(user))
      continue;
    Replacer r(rewriter, user);
    ArrayRef<int64_t> shape = shapeOf(user->getResult(0));
    (void)r.replace(shapeOf(wide) == shape ? wide : r.reshape(wide, shape));
  }
  auto isOutside = [&](OpOperand &use) { return !contains(use.getOwner()); };
  if (llvm::none_of(narrow.getUses(), isOutside))
    return;
  Replacer r(rewriter, narrow.getOwner());
  Value back = r.reshape(wide, shapeOf(narrow));
  takeNames(cast<OpResult>(back), narrow);
  narrow.replaceUsesWithIf(back, isOutside);
}

void NarrowRegion::rewrite() {
  PatternRewriter rewriter(ops.front()->getContext());
  for (Operation *op : ops) {
    Replacer r(rewriter, op);
    widen(r, op);
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

namespace {

class CancelReshapes : public mil::impl::CancelReshapesBase<CancelReshapes> {
public:
  void runOnOperation() override {
    if (!getAnalysis<Inventory>().hasAny<ReshapeOp, ExpandDimsOp, SqueezeOp>())
      return markAllAnalysesPreserved();
    if (!cancelFromEntries(getOperation().getBody().front(), isReshape,
                           [&](Operation *op) { return cancelFrom(op); }))
      markAllAnalysesPreserved();
  }

private:
  bool cancelFrom(Operation *entry) {
    if (!cancelFlatImages(entry)) {
      NarrowRegion region;
      if (!region.find(entry))
        return false;
      region.rewrite();
    }
    ++numRegions;
    return true;
  }
};

} // namespace
