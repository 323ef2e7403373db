//===- FoldLoneRows.cpp - Values of one row, as several rows --------------===//
//
// Parameters of a network in one list, such as those an optimizer steps, are
// one row. An access has eight elements of it, and as many of each of several
// rows at once. Rows that lie one behind the other are the same list.
//
//===----------------------------------------------------------------------===//

#include "LongRows/LongRows.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Support/Divisors.h"
#include "ane/Support/Inventory.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

namespace ane::mil {
#define GEN_PASS_DEF_FOLDLONEROWS
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// As many rows as keep all banks of L2 busy, and hide what a row costs.
/// Assigned.
constexpr int64_t wantedRows = 256;

/// Of how many elements of the longest row one may be moved for ops that have
/// no rule. Assigned.
constexpr int64_t elementsForOneMoved = 8;

/// Whether rows of a value leave no gap in memory.
bool hasDenseRows(Value value) {
  RankedTensorType type = staticType(value);
  return type && type.getRank() > 0 &&
         type.getShape().back() % denseElements == 0;
}

/// Whether a value is one row, which the program computes.
bool isRow(Value value) {
  RankedTensorType type = staticType(value);
  return type && type.getRank() > 0 && type.getShape().back() > 1 &&
         !value.getDefiningOp<ConstOp>() &&
         llvm::product_of(type.getShape().drop_back()) == 1;
}

/// What a slice takes of the row; nothing where it has a step.
std::optional<SliceDim> takenOfRow(Operation *op) {
  auto dims =
      llvm::TypeSwitch<Operation *, std::optional<SmallVector<SliceDim>>>(op)
          .Case<SliceByIndexOp, SliceBySizeOp>(
              [](auto slice) { return getSlice(slice); })
          .Default(std::nullopt);
  if (!dims || dims->back().step != 1 || dims->back().extent < 1)
    return std::nullopt;
  return dims->back();
}

/// Lone rows that ops connect.
struct Group {
  SmallVector<Operation *> ops;
  llvm::SmallPtrSet<Operation *, 4> others; ///< of these, what has no rule
  SmallVector<BlockArgument> parameters;
  int64_t step = 0;    ///< of which what is cut and joined are multiples
  int64_t longest = 0; ///< row
  int64_t moved = 0;   ///< elements that others read and make
  bool computes = false;
  bool canFold = true;
  int64_t columns = 0; ///< of the rows to be
};

class LoneRowFolder {
public:
  /// Of rows that end with a line of memory, or of others. Of these the last
  /// one to be has elements behind the end, which only what is computed element
  /// by element may have.
  LoneRowFolder(FuncOp func, int64_t limit, int64_t shortest, bool endsLine)
      : func(func), limit(limit), shortest(shortest), endsLine(endsLine) {}

  /// The number of groups that were folded.
  int64_t run();

private:
  bool isLone(Value value) const {
    return isRow(value) && hasDenseRows(value) == endsLine;
  }
  SmallVector<Value> loneValues(Operation *op) const;
  bool hasRule(Operation *op) const;
  bool hasElementRule(Operation *op) const;
  Value afterRun(BlockArgument parameter);
  void connect();
  void findGroups();
  void add(Group &group, Operation *op);
  bool isOfHost(DictionaryAttr attrs) const;
  void chooseColumns(Group &group) const;

  SmallVector<int64_t> foldedShape(ArrayRef<int64_t> shape) const;
  Operation *foldParameter(BlockArgument parameter);
  void foldReturn(ReturnOp op);
  void foldGroup(const Group &group);
  void fold(Operation *op);
  void foldAround(Operation *op);
  Value foldElements(Replacer &r, Operation *op);
  Value foldPart(Replacer &r, Value x, Value part, const SliceDim &taken);
  Value foldReduction(Replacer &r, Reduction op);
  Value foldConcat(Replacer &r, ConcatOp op);
  Value foldReshape(Replacer &r, Operation *op);
  void setFolded(OpResult row, Value rows);
  Value operandOf(Replacer &r, Value operand);

  FuncOp func;
  const int64_t limit, shortest;
  const bool endsLine;
  llvm::EquivalenceClasses<Value> connected;
  llvm::MapVector<Value, Group> groups; ///< by the leader of the values
  llvm::DenseMap<Value, Value> folded;
  int64_t columns = 0; ///< of the group that is being folded
};

} // namespace

SmallVector<Value> LoneRowFolder::loneValues(Operation *op) const {
  SmallVector<Value> values;
  for (ValueRange range :
       {ValueRange(op->getOperands()), ValueRange(op->getResults())})
    llvm::copy_if(range, std::back_inserter(values),
                  [&](Value value) { return isLone(value); });
  return values;
}

/// What has one result for each element of a row.
bool LoneRowFolder::hasElementRule(Operation *op) const {
  auto follows = [&](Value operand) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    return !type || isLone(operand) ||
           (type.hasStaticShape() && type.getNumElements() == 1) ||
           (endsLine && operand.getDefiningOp<ConstOp>());
  };
  return !op->hasTrait<ChannelParameters>() && isLone(op->getResult(0)) &&
         llvm::all_of(op->getOperands(), follows);
}

/// Whether an op works on several rows as on one, as far as that is to be seen
/// before there are such.
bool LoneRowFolder::hasRule(Operation *op) const {
  if (op->hasTrait<Elementwise>())
    return hasElementRule(op);
  if (!endsLine)
    return false;
  // Rows that leave gaps would be made of these element by element.
  if (op->hasTrait<Reshapes>())
    return hasDenseRows(op->getOperand(0)) && hasDenseRows(op->getResult(0));
  // What is a row only behind other ops has no rows to take.
  if (!isLone(op->getOperand(0)))
    return false;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([](Reduction reduction) {
        int64_t last = lastAxis(reduction.getX());
        auto axes = reducedAxes(reduction.getAxes(), last + 1);
        return axes && llvm::is_contained(*axes, last);
      })
      .Case<SliceByIndexOp, SliceBySizeOp>(
          [&](auto) { return takenOfRow(op).has_value(); })
      .Case([&](SplitOp split) {
        return getParts(split).has_value() &&
               llvm::all_of(op->getResults(),
                            [&](Value value) { return isLone(value); });
      })
      .Case([&](ConcatOp concat) {
        return concat.getInterleaveOrDefault() == false &&
               isLone(concat.getResult()) &&
               llvm::all_of(concat.getValues(),
                            [&](Value value) { return isLone(value); });
      })
      .Default(false);
}

/// The value behind a run of what was a state before it; null of another
/// parameter, and of a state that is only read.
Value LoneRowFolder::afterRun(BlockArgument parameter) {
  unsigned number = parameter.getArgNumber();
  if (func.getArgAttr(number, MILDialect::stateAttrName))
    for (auto [index, value] :
         llvm::enumerate(parameter.getOwner()->getTerminator()->getOperands()))
      if (func.getOutputName(index) == func.getParameterName(number))
        return value;
  return {};
}

/// Values of one op are connected, and those before and behind a run of what
/// was a state. A return has values that have nothing else in common.
void LoneRowFolder::connect() {
  Block &body = func.getBody().front();
  for (Operation &op : body.without_terminator()) {
    SmallVector<Value> values = loneValues(&op);
    for (Value value : values)
      connected.unionSets(values.front(), value);
  }
  for (Value value : body.getTerminator()->getOperands())
    if (isLone(value))
      connected.insert(value);
  for (BlockArgument argument : body.getArguments())
    if (Value after = afterRun(argument);
        after && isLone(argument) && isLone(after))
      connected.unionSets(argument, after);
}

/// Whether the host's tensor is not stated to be another one.
bool LoneRowFolder::isOfHost(DictionaryAttr attrs) const {
  return !attrs || (!attrs.contains(MILDialect::layoutAttrName) &&
                    !attrs.contains(MILDialect::hostTypeAttrName));
}

void LoneRowFolder::add(Group &group, Operation *op) {
  group.ops.push_back(op);
  bool isOther = !hasRule(op);
  if (isOther)
    group.others.insert(op);
  // Elements behind the end are not to be told from others.
  group.canFold &= !isOther || endsLine;
  group.computes |= !op->hasTrait<Reshapes>();
  for (Value value : loneValues(op)) {
    int64_t extent = shapeOf(value).back();
    group.step = std::gcd(group.step, extent);
    group.longest = std::max(group.longest, extent);
    group.moved += isOther ? extent : 0;
  }
  // What begins elsewhere may still be within a row to be.
  std::optional<SliceDim> taken = takenOfRow(op);
  if (taken && !isOther && isLone(op->getResult(0)))
    group.step = std::gcd(group.step, taken->begin);
  group.canFold &= !endsLine || group.step % denseElements == 0;
}

void LoneRowFolder::findGroups() {
  Block &body = func.getBody().front();
  for (Operation &op : body.without_terminator()) {
    SmallVector<Value> values = loneValues(&op);
    if (!values.empty())
      add(groups[connected.getLeaderValue(values.front())], &op);
  }
  for (BlockArgument argument : body.getArguments())
    if (isLone(argument) && connected.contains(argument)) {
      Group &group = groups[connected.getLeaderValue(argument)];
      group.parameters.push_back(argument);
      group.computes = true;
      DictionaryAttr attrs = func.getArgAttrDict(argument.getArgNumber());
      // Another function has the same bytes of a state, not of what is behind.
      bool isState = attrs && attrs.contains(MILDialect::stateAttrName);
      Value after = afterRun(argument);
      group.canFold &= (!after || isLone(after)) && (endsLine || !isState) &&
                       isOfHost(attrs);
    }
  for (auto [index, value] :
       llvm::enumerate(body.getTerminator()->getOperands()))
    if (isLone(value)) {
      Group &group = groups[connected.getLeaderValue(value)];
      group.computes = true;
      // A parameter that is returned is a copy, which has no op of its own.
      group.canFold &=
          !isa<BlockArgument>(value) && isOfHost(func.getResultAttrDict(index));
    }
}

void LoneRowFolder::chooseColumns(Group &group) const {
  if (!group.canFold || !group.computes || group.longest < shortest ||
      group.moved > group.longest / elementsForOneMoved)
    return;
  int64_t wanted = std::max<int64_t>(
      std::min(group.longest / wantedRows, limit) / denseElements, 1);
  int64_t lines =
      endsLine ? largestDivisor(group.step / denseElements, wanted) : wanted;
  int64_t columns = lines * denseElements;
  auto leavesRow = [&](Operation *op) {
    std::optional<SliceDim> taken = takenOfRow(op);
    return taken && !isLone(op->getResult(0)) &&
           taken->begin % columns + taken->extent > columns;
  };
  if (columns >= group.longest || group.longest / columns >= limit ||
      llvm::any_of(group.ops, leavesRow))
    return;
  group.columns = columns;
}

/// A dimension of one element in front of the row has the rows.
SmallVector<int64_t> LoneRowFolder::foldedShape(ArrayRef<int64_t> shape) const {
  SmallVector<int64_t> made(shape.drop_back(shape.size() > 1 ? 2 : 1));
  made.push_back(llvm::divideCeil(shape.back(), columns));
  made.push_back(columns);
  return made;
}

/// The parameter has the rows. What its ops were about keeps its type till they
/// are folded, and is made by the op that this gives.
Operation *LoneRowFolder::foldParameter(BlockArgument parameter) {
  auto type = cast<RankedTensorType>(parameter.getType());
  func.setArgAttr(parameter.getArgNumber(), MILDialect::hostTypeAttrName,
                  TypeAttr::get(type));
  OpBuilder builder = OpBuilder::atBlockBegin(parameter.getOwner());
  auto row = UnrealizedConversionCastOp::create(
      builder, parameter.getLoc(), TypeRange(type), ValueRange(parameter));
  parameter.replaceAllUsesExcept(row.getResult(0), row);
  parameter.setType(type.clone(foldedShape(type.getShape())));
  folded[row.getResult(0)] = parameter;
  return row;
}

void LoneRowFolder::foldReturn(ReturnOp op) {
  for (auto [index, value] : llvm::enumerate(op.getOperands()))
    if (Value made = folded.lookup(value)) {
      func.setResultAttr(index, MILDialect::hostTypeAttrName,
                         TypeAttr::get(value.getType()));
      op->setOperand(index, made);
    }
}

/// Rows in the place of what an op made, which have its name.
void LoneRowFolder::setFolded(OpResult row, Value rows) {
  takeNames(cast<OpResult>(rows), row);
  folded[row] = rows;
}

/// An operand that is a row, or a constant in the place of one, as rows.
Value LoneRowFolder::operandOf(Replacer &r, Value operand) {
  if (Value known = folded.lookup(operand))
    return known;
  auto type = dyn_cast<RankedTensorType>(operand.getType());
  if (!type || type.getNumElements() == 1)
    return operand;
  return r.reshape(operand, foldedShape(type.getShape()));
}

Value LoneRowFolder::foldElements(Replacer &r, Operation *op) {
  auto operands = llvm::map_to_vector(
      op->getOperands(), [&](Value operand) { return operandOf(r, operand); });
  Operation *made = r.rewriter.clone(*op);
  made->setOperands(operands);
  Value result = made->getResult(0);
  auto type = cast<RankedTensorType>(result.getType());
  result.setType(type.clone(foldedShape(type.getShape())));
  return result;
}

/// Whole rows, or elements of one of them, in the place of a part.
Value LoneRowFolder::foldPart(Replacer &r, Value x, Value part,
                              const SliceDim &taken) {
  int64_t last = lastAxis(x), first = taken.begin / columns;
  if (isLone(part))
    return r.reshape(r.slice(x, last - 1, first, taken.extent / columns),
                     foldedShape(shapeOf(part)));
  Value row = r.slice(x, last - 1, first, 1);
  return r.reshape(r.slice(row, last, taken.begin % columns, taken.extent),
                   shapeOf(part));
}

Value LoneRowFolder::foldReduction(Replacer &r, Reduction op) {
  int64_t last = lastAxis(op.getX());
  SmallVector<int64_t> axes = *reducedAxes(op.getAxes(), last + 1);
  if (last == 0)
    axes = {0, 1};
  else if (!llvm::is_contained(axes, last - 1))
    axes.insert(axes.end() - 1, last - 1);
  return r.reshape(
      r.reduce(op, folded.lookup(op.getX()), axes, /*keepDims=*/true),
      shapeOf(op->getResult(0)));
}

Value LoneRowFolder::foldConcat(Replacer &r, ConcatOp op) {
  auto rows = llvm::map_to_vector(op.getValues(), [&](Value row) {
    return r.reshape(folded.lookup(row), foldedShape(shapeOf(row)));
  });
  return r.concat(rows, std::max<int64_t>(lastAxis(op.getResult()) - 1, 0));
}

Value LoneRowFolder::foldReshape(Replacer &r, Operation *op) {
  Value x = op->getOperand(0), y = op->getResult(0);
  Value known = folded.lookup(x);
  return r.reshape(known ? known : x, isLone(y)
                                          ? foldedShape(shapeOf(y))
                                          : SmallVector<int64_t>(shapeOf(y)));
}

void LoneRowFolder::fold(Operation *op) {
  PatternRewriter rewriter(op->getContext());
  Replacer r(rewriter, op);
  Value x = folded.lookup(op->getOperand(0));
  SmallVector<Value> made;
  if (auto split = dyn_cast<SplitOp>(op)) {
    auto parts = *getParts(split);
    for (auto [part, result] : llvm::zip_equal(parts, op->getResults()))
      made.push_back(foldPart(r, x, result, part.back()));
  } else {
    made.push_back(
        llvm::TypeSwitch<Operation *, Value>(op)
            .Case([&](Reduction reduction) {
              return foldReduction(r, reduction);
            })
            .Case<SliceByIndexOp, SliceBySizeOp>([&](auto) {
              return foldPart(r, x, op->getResult(0), *takenOfRow(op));
            })
            .Case([&](ConcatOp concat) { return foldConcat(r, concat); })
            .Default([&](Operation *) {
              return op->hasTrait<Reshapes>() ? foldReshape(r, op)
                                              : foldElements(r, op);
            }));
  }
  if (!isLone(op->getResult(0)))
    return (void)r.replace(made);
  for (auto [value, result] : llvm::zip_equal(made, op->getResults()))
    setFolded(result, value);
}

/// An op without a rule has rows as they were, and makes such.
void LoneRowFolder::foldAround(Operation *op) {
  PatternRewriter rewriter(op->getContext());
  Replacer before(rewriter, op);
  for (OpOperand &operand : op->getOpOperands())
    if (Value known = folded.lookup(operand.get()))
      operand.set(before.reshape(known, shapeOf(operand.get())));
  Replacer behind(rewriter, op->getNextNode());
  for (OpResult result : op->getResults())
    if (isLone(result))
      setFolded(result, behind.reshape(result, foldedShape(shapeOf(result))));
}

void LoneRowFolder::foldGroup(const Group &group) {
  columns = group.columns;
  auto makers = llvm::map_to_vector(group.parameters, [&](BlockArgument each) {
    return foldParameter(each);
  });
  for (Operation *op : group.ops)
    if (!group.others.contains(op) && isLone(op->getResult(0)))
      makers.push_back(op);
  for (Operation *op : group.ops)
    group.others.contains(op) ? foldAround(op) : fold(op);
  foldReturn(cast<ReturnOp>(func.getBody().front().getTerminator()));
  folded.clear();
  for (Operation *op : llvm::reverse(makers))
    op->erase();
}

int64_t LoneRowFolder::run() {
  connect();
  findGroups();
  int64_t count = 0;
  for (auto &[leader, group] : groups) {
    chooseColumns(group);
    if (group.columns == 0)
      continue;
    foldGroup(group);
    ++count;
  }
  if (count > 0)
    func.updateFunctionType();
  return count;
}

namespace {

class FoldLoneRows : public mil::impl::FoldLoneRowsBase<FoldLoneRows> {
public:
  using FoldLoneRowsBase::FoldLoneRowsBase;

  void runOnOperation() override {
    const auto &inventory = getAnalysis<Inventory>();
    if (inventory.hasBlocks() || !inventory.hasExtentAbove(shortest - 1))
      return markAllAnalysesPreserved();
    int64_t count = 0;
    for (bool endsLine : {true, false})
      count += LoneRowFolder(getOperation(), limit, shortest, endsLine).run();
    numFolded += count;
    if (count == 0)
      markAllAnalysesPreserved();
  }
};

} // namespace
