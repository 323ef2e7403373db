//===- FoldLongRows.cpp - Long rows between reshapes, as two dimensions ---===//
//
// A group norm that is written as a reshape to [1, groups, n], a norm along the
// last dimension and a reshape back has rows that the engine does not, where
// the image had short ones. They stay short: [1, groups, n / m, m].
//
//===----------------------------------------------------------------------===//

#include "LongRows/LongRows.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Support/Inventory.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ane::mil {
#define GEN_PASS_DEF_FOLDLONGROWS
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Values of one row length that ops connect.
struct Group {
  SmallVector<Operation *> ops;
  /// Extents of the rows that reshapes make long ones of, or make of those.
  SmallVector<int64_t> shortRows;
  bool canFold = true;
};

class RowFolder {
public:
  RowFolder(FuncOp func, int64_t limit) : func(func), rows(limit) {}

  /// The number of reshapes between which there are no long rows now.
  int64_t run();

private:
  bool isLong(Value value) const {
    return rows.isLong(value) && !getConstantElements(value);
  }
  /// Whether an op with long rows works on two dimensions as well as on one.
  bool hasRule(Operation *op) const;
  void findGroups();
  /// The shorter rows of those of a group; 0 where there is no such length.
  int64_t columnsOf(int64_t extent, const Group &group) const;
  void fold(Operation *op);
  /// An operand that follows the rows, with their two dimensions.
  Value operandOf(Replacer &r, Operation *op, unsigned index);
  SmallVector<int64_t> foldedShape(ArrayRef<int64_t> shape) const;

  FuncOp func;
  LongRows rows;
  llvm::MapVector<Value, Group> groups; ///< by the leader of the values
  llvm::DenseMap<Value, Value> folded;
  int64_t columns = 0; ///< of the group that is being folded
};

} // namespace

bool RowFolder::hasRule(Operation *op) const {
  // One dimension more must be one that the engine has.
  constexpr size_t mostFolded = mostDims - 1;
  auto isLarge = [&](Value value) {
    return isLong(value) && shapeOf(value).size() > mostFolded;
  };
  if (llvm::any_of(op->getOperands(), isLarge) ||
      llvm::any_of(op->getResults(), isLarge))
    return false;
  auto isKnown = [](Value parameter) {
    return !parameter || getConstantElements(parameter);
  };
  if (op->hasTrait<Elementwise>())
    return true;
  // Rows of two lengths have no common group.
  if (op->hasTrait<Reshapes>())
    return !isLong(op->getOperand(0)) || !isLong(op->getResult(0)) ||
           shapeOf(op->getOperand(0)).back() ==
               shapeOf(op->getResult(0)).back();
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](Reduction reduction) {
        int64_t last = lastAxis(reduction.getX());
        auto axes = reducedAxes(reduction.getAxes(), last + 1);
        // Without them the dimension in front may be one of long rows.
        return axes && reduction.getKeepDimsOrDefault() &&
               !(llvm::is_contained(*axes, last) && isLong(op->getResult(0)));
      })
      .Case([&](LayerNormOp norm) {
        return isKnown(norm.getGamma()) && isKnown(norm.getBeta()) &&
               reducedAxes(norm.getAxes(), lastAxis(norm.getX()) + 1);
      })
      // One spatial dimension becomes two, which is as many as there may be.
      .Case([&](InstanceNormOp norm) { return lastAxis(norm.getX()) == 2; })
      .Default(false);
}

void RowFolder::findGroups() {
  llvm::EquivalenceClasses<Value> connected;
  auto longOnes = [&](Operation *op) {
    SmallVector<Value> values;
    for (Value value : op->getOperands())
      if (isLong(value))
        values.push_back(value);
    for (Value value : op->getResults())
      if (isLong(value))
        values.push_back(value);
    return values;
  };
  Block &body = func.getBody().front();
  for (Operation &op : body) {
    SmallVector<Value> values = longOnes(&op);
    for (Value value : values)
      connected.unionSets(values.front(), value);
  }
  for (Operation &op : body) {
    SmallVector<Value> values = longOnes(&op);
    if (isa<ConstOp>(op) || values.empty())
      continue;
    Group &group = groups[connected.getLeaderValue(values.front())];
    group.ops.push_back(&op);
    // What enters or leaves the function has the shape that it has there.
    group.canFold &= hasRule(&op) && llvm::none_of(values, [](Value value) {
                       return isa<BlockArgument>(value);
                     });
    if (op.hasTrait<Reshapes>())
      for (Value value : {op.getOperand(0), Value(op.getResult(0))})
        if (!rows.isLong(value) && !shapeOf(value).empty())
          group.shortRows.push_back(shapeOf(value).back());
  }
}

int64_t RowFolder::columnsOf(int64_t extent, const Group &group) const {
  auto fits = [&](int64_t count) {
    return count > 1 && count <= rows.limit && extent % count == 0 &&
           extent / count <= rows.limit;
  };
  // With the rows that are there no element moves.
  for (int64_t row : group.shortRows)
    if (fits(row))
      return row;
  return rows.commonRow(extent, extent);
}

SmallVector<int64_t> RowFolder::foldedShape(ArrayRef<int64_t> shape) const {
  SmallVector<int64_t> made(shape.drop_back());
  made.push_back(shape.back() == 1 ? 1 : shape.back() / columns);
  made.push_back(shape.back() == 1 ? 1 : columns);
  return made;
}

Value RowFolder::operandOf(Replacer &r, Operation *op, unsigned index) {
  Value operand = op->getOperand(index);
  if (Value known = folded.lookup(operand))
    return known;
  auto type = dyn_cast<RankedTensorType>(operand.getType());
  if (!type || type.getRank() == 0)
    return operand;
  bool follows = false;
  if (auto norm = dyn_cast<LayerNormOp>(op)) {
    int64_t last = lastAxis(norm.getX());
    follows = (operand == norm.getGamma() || operand == norm.getBeta()) &&
              llvm::is_contained(*reducedAxes(norm.getAxes(), last + 1), last);
  } else if (op->hasTrait<Elementwise>()) {
    follows = index == 0 || !op->hasTrait<ChannelParameters>();
  }
  return follows ? r.reshape(operand, foldedShape(type.getShape())) : operand;
}

void RowFolder::fold(Operation *op) {
  PatternRewriter rewriter(op->getContext());
  Replacer r(rewriter, op);
  Value x = op->getOperand(0), y = op->getResult(0);
  auto type = cast<RankedTensorType>(y.getType());
  if (op->hasTrait<Reshapes>()) {
    Value from = folded.lookup(x);
    if (!isLong(y))
      (void)r.replace(r.reshape(from, type.getShape()));
    else
      folded[y] = r.reshape(from ? from : x, foldedShape(type.getShape()));
    return;
  }
  SmallVector<Value> operands;
  for (unsigned index = 0; index < op->getNumOperands(); ++index)
    operands.push_back(operandOf(r, op, index));
  // The last axis is two; the others count from the front as they did.
  auto foldedAxes = [&](auto typed) {
    int64_t last = lastAxis(x);
    SmallVector<int64_t> axes = *reducedAxes(typed.getAxes(), last + 1);
    if (llvm::is_contained(axes, last))
      axes.push_back(last + 1);
    return r.ints(axes);
  };
  Value axes;
  bool keepsDims = false;
  if (auto norm = dyn_cast<LayerNormOp>(op))
    axes = foldedAxes(norm);
  if (auto reduction = dyn_cast<Reduction>(op)) {
    axes = foldedAxes(reduction);
    keepsDims = *reduction.getKeepDimsOrDefault();
  }
  Operation *made = rewriter.clone(*op);
  dropNames(made);
  made->setOperands(operands);
  Value result = made->getResult(0);
  if (auto norm = dyn_cast<LayerNormOp>(made))
    norm.getAxesMutable().assign(axes);
  if (auto reduction = dyn_cast<Reduction>(made))
    reduction.setAxes(axes);
  if (isLong(y)) {
    result.setType(type.clone(foldedShape(type.getShape())));
    folded[y] = result;
    return;
  }
  if (keepsDims) {
    result.setType(type.clone(foldedShape(type.getShape())));
    result = r.reshape(result, type.getShape());
  }
  (void)r.replace(result);
}

int64_t RowFolder::run() {
  findGroups();
  int64_t count = 0;
  for (auto &[leader, group] : groups) {
    if (!group.canFold || group.shortRows.empty())
      continue;
    columns = columnsOf(shapeOf(leader).back(), group);
    if (columns == 0)
      continue;
    SmallVector<Operation *> makers;
    for (Operation *op : group.ops)
      if (isLong(op->getResult(0)))
        makers.push_back(op);
    for (Operation *op : group.ops)
      fold(op);
    // Values of other groups may get the addresses of these.
    folded.clear();
    for (Operation *op : llvm::reverse(makers))
      op->erase();
    ++count;
  }
  return count;
}

namespace {

class FoldLongRows : public mil::impl::FoldLongRowsBase<FoldLongRows> {
public:
  using FoldLongRowsBase::FoldLongRowsBase;

  void runOnOperation() override {
    const auto &inventory = getAnalysis<Inventory>();
    if (inventory.hasBlocks() ||
        !inventory.hasExtentAbove(std::min<int64_t>(limit, longestOuter)))
      return markAllAnalysesPreserved();
    int64_t count = foldLongChannels(getOperation());
    count += RowFolder(getOperation(), limit).run();
    numFolded += count;
    if (count == 0)
      markAllAnalysesPreserved();
  }
};

} // namespace
