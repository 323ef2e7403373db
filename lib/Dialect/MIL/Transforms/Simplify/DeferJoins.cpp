//===- DeferJoins.cpp - Join what follows from images, not these ----------===//
//
// A detector joins the pixels of images of several sizes, each a row, and
// computes boxes and scores of all of them at once. Rows that long fill neither
// the engines nor the scratchpad, which images do.
//
//===----------------------------------------------------------------------===//

#include "Simplify/FlatImages.h"
#include "Simplify/OpsBetween.h"
#include "Simplify/PartOps.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Support/Inventory.h"
#include <queue>

namespace ane::mil {
#define GEN_PASS_DEF_DEFERJOINS
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Columns of an image, at least: fewer fill memory and engines less than a row
/// of all of them. Assigned.
constexpr int64_t leastColumns = 8;
/// Images that are joined, at most: each op becomes as many. Assigned.
constexpr size_t mostParts = 8;
/// Ops behind a join that are looked at, at most. Assigned.
constexpr size_t mostOps = 128;
/// The part of L2 that joined values take at least: smaller ones stay there.
/// Assigned.
constexpr int64_t leastDenominator = 32;

/// Ops behind images that are joined, which compute each pixel by itself.
class PixelRegion {
public:
  /// Whether there are such ops, and no more elements are joined behind them. A
  /// reshape alone joins one image.
  bool find(Operation *join, int64_t l2Bytes);
  void rewrite();

private:
  bool findParts();
  void findOps();
  bool contains(Operation *op) const { return ops.contains(op); }
  bool isWorthIt();
  bool isLeft(Value value) const {
    return llvm::any_of(value.getUsers(),
                        [&](Operation *user) { return !contains(user); });
  }
  Value joined(Replacer &r, Value value) const;
  Value valueOf(PatternRewriter &rewriter, const JoinedPart &part) const;
  void setInsertionPoint(PatternRewriter &rewriter, Operation *op,
                         const llvm::DenseMap<Value, Value> &values) const;

  Operation *join = nullptr;
  int64_t axis = 0, bytes = 0;
  SmallVector<JoinedPart> parts;
  std::optional<PartOps> rules;
  llvm::SetVector<Operation *> ops;
  /// What each part has in the place of a value.
  SmallVector<llvm::DenseMap<Value, Value>> made;
};

/// The dimensions that a reshape makes one of; others in front may be parted.
/// Without those a value is a part as it is.
JoinedPart partOf(Value value, int64_t axis) {
  ArrayRef<int64_t> to = shapeOf(value);
  JoinedPart part = {value, {to[axis]}};
  auto reshape = value.getDefiningOp<ReshapeOp>();
  RankedTensorType from =
      reshape ? staticType(reshape.getX()) : RankedTensorType();
  size_t behind = to.size() - axis - 1;
  if (!from || from.getRank() <= int64_t(behind) ||
      from.getShape().take_back(behind) != to.take_back(behind))
    return part;
  ArrayRef<int64_t> extents = from.getShape().drop_back(behind);
  int64_t places = 1;
  size_t count = 0;
  while (count < extents.size() && places < to[axis])
    places *= extents[extents.size() - ++count];
  if (places != to[axis] || count < 2 || extents.back() < leastColumns ||
      to.size() + count - 1 > mostDims)
    return part;
  extents = extents.take_back(count);
  return {reshape.getX(), {extents.begin(), extents.end()}};
}

} // namespace

bool PixelRegion::findParts() {
  RankedTensorType type = staticType(join->getResult(0));
  if (!type || type.getRank() == 0)
    return false;
  auto concat = dyn_cast<ConcatOp>(join);
  if (!concat) {
    // Images that their pixels become again can be images all the way.
    if (flattensImages(join) && leadsToImages(join))
      return false;
    axis = type.getRank() - 1;
    parts.push_back(partOf(join->getResult(0), axis));
    // Rows that fill their memory are one row as they are.
    ArrayRef<int64_t> extents = parts.front().extents;
    return extents.size() > 1 && extents.back() % h13.rowStep() != 0;
  }
  std::optional<int64_t> given = getConstantInt(concat.getAxis());
  if (!given || concat.getInterleaveOrDefault() != false ||
      concat.getValues().size() < 2 || concat.getValues().size() > mostParts)
    return false;
  axis = fromFront(*given, type.getRank());
  // Pixels with channels as columns are rows as well as one row.
  if (axis + 1 != type.getRank())
    return false;
  bool hasImage = false;
  int64_t begin = 0;
  for (Value value : concat.getValues()) {
    // Numbers without a dimension can be joined as well.
    RankedTensorType own = staticType(value);
    if (!own || own.getRank() != type.getRank())
      return false;
    JoinedPart part = partOf(value, axis);
    part.begin = begin;
    begin += part.places();
    hasImage |= part.extents.size() > 1;
    parts.push_back(std::move(part));
  }
  return hasImage;
}

/// In the order of the program, so that of each op all operands are known that
/// have places.
void PixelRegion::findOps() {
  auto isLater = [](Operation *a, Operation *b) {
    return b->isBeforeInBlock(a);
  };
  std::priority_queue<Operation *, std::vector<Operation *>, decltype(isLater)>
      open(isLater);
  llvm::DenseSet<Operation *> seen;
  auto addUsers = [&](Value value) {
    for (Operation *user : value.getUsers())
      if (user->getBlock() == join->getBlock() && seen.insert(user).second)
        open.push(user);
  };
  auto fits = [&](Operation *op) {
    return llvm::all_of(op->getResults(), [&](Value value) {
      return llvm::all_of(parts, [&](const JoinedPart &part) {
        return fitsEngine(PartOps::shapeOfPart(
            shapeOf(value), rules->dimOf(value), part.extents));
      });
    });
  };
  addUsers(join->getResult(0));
  while (!open.empty() && ops.size() < mostOps) {
    Operation *op = open.top();
    open.pop();
    if (!rules->follow(op) || !fits(op)) {
      rules->forget(op);
      continue;
    }
    ops.insert(op);
    for (Value result : op->getResults())
      addUsers(result);
  }
}

bool PixelRegion::isWorthIt() {
  // Pixels that become rows need not have been one row before.
  auto isTurned = [&](Operation *op) {
    auto isLast = [&](Value value) {
      return rules->dimOf(value) + 1 == int64_t(shapeOf(value).size());
    };
    return isa<TransposeOp>(op) && isLast(op->getOperand(0)) &&
           !isLast(op->getResult(0));
  };
  // One op on elements alone is done sooner for all pixels where L2 holds
  // these.
  unsigned numComputed = 0;
  bool isWanted = bytes > h13.wholeL2Bytes() / 2;
  for (Operation *op : ops) {
    isWanted |= (isTurned(op) && parts.size() > 1) ||
                isa<SoftmaxOp, ConvOp, Reduction>(op);
    numComputed += !op->hasTrait<MovesElements>() && !isa<ConcatOp>(op);
  }
  isWanted = (isWanted && !ops.empty()) || numComputed > 1;
  int64_t left = 0;
  for (Operation *op : ops)
    for (Value result : op->getResults()) {
      if (isLeft(result))
        left += staticType(result).getNumElements();
      // The pixels of an attention are rows and columns of its products.
      if (parts.size() == 1 &&
          llvm::any_of(result.getUsers(), llvm::IsaPred<MatmulOp>))
        return false;
    }
  return isWanted && left <= staticType(join->getResult(0)).getNumElements();
}

bool PixelRegion::find(Operation *op, int64_t l2Bytes) {
  join = op;
  if (!findParts())
    return false;
  RankedTensorType type = staticType(join->getResult(0));
  bytes = type.getNumElements() * elementBytes;
  if (!isa<FloatType>(type.getElementType()) ||
      bytes < l2Bytes / leastDenominator)
    return false;
  rules.emplace(type.getDimSize(axis));
  rules->setDim(join->getResult(0), axis);
  findOps();
  return isWorthIt();
}

/// What the parts have of a value, joined.
Value PixelRegion::joined(Replacer &r, Value value) const {
  SmallVector<Value> values;
  int64_t dim = rules->dimOf(value);
  for (auto [part, values_] : llvm::zip_equal(parts, made))
    values.push_back(part.extents.size() == 1
                         ? values_.lookup(value)
                         : r.reshape(values_.lookup(value),
                                     PartOps::shapeOfPart(shapeOf(value), dim,
                                                          part.places())));
  return r.concat(values, dim);
}

/// Behind the last of what an op reads of a part, so that this may go soon.
void PixelRegion::setInsertionPoint(
    PatternRewriter &rewriter, Operation *op,
    const llvm::DenseMap<Value, Value> &values) const {
  Block *block = join->getBlock();
  Operation *last = nullptr;
  SmallVector<Operation *> constants;
  for (Value operand : op->getOperands()) {
    Value read = values.lookup_or(operand, operand);
    Operation *maker = read.getDefiningOp();
    if (!maker || maker->getBlock() != block)
      continue;
    if (isa<ConstOp>(maker))
      constants.push_back(maker);
    else if (!last || last->isBeforeInBlock(maker))
      last = maker;
  }
  for (Operation *constant : constants) {
    if (last && constant->isBeforeInBlock(last))
      continue;
    if (last)
      constant->moveAfter(last);
    else
      constant->moveBefore(&block->front());
    last = constant;
  }
  if (last)
    rewriter.setInsertionPointAfter(last);
  else
    rewriter.setInsertionPointToStart(block);
}

/// A part with its dimensions in the place of the joined one.
Value PixelRegion::valueOf(PatternRewriter &rewriter,
                           const JoinedPart &part) const {
  SmallVector<int64_t> shape =
      PartOps::shapeOfPart(shapeOf(join->getResult(0)), axis, part.extents);
  if (shapeOf(part.value) == ArrayRef(shape))
    return part.value;
  Replacer r(rewriter, join);
  rewriter.setInsertionPointAfterValue(part.value);
  return r.reshape(part.value, shape);
}

void PixelRegion::rewrite() {
  PatternRewriter rewriter(join->getContext());
  made.resize(parts.size());
  for (auto [part, values] : llvm::zip_equal(parts, made)) {
    values[join->getResult(0)] = valueOf(rewriter, part);
    for (Operation *op : ops) {
      Replacer r(rewriter, op);
      setInsertionPoint(rewriter, op, values);
      for (auto [result, value] :
           llvm::zip_equal(op->getResults(), rules->make(r, op, part, values)))
        values[result] = value;
    }
  }
  for (Operation *op : ops)
    for (OpResult result : op->getResults()) {
      if (!isLeft(result))
        continue;
      Replacer r(rewriter, op);
      Value whole = joined(r, result);
      takeNames(cast<OpResult>(whole), result);
      result.replaceUsesWithIf(
          whole, [&](OpOperand &use) { return !contains(use.getOwner()); });
    }
  for (Operation *op : llvm::reverse(ops))
    op->erase();
  if (join->use_empty())
    join->erase();
}

namespace {

class DeferJoins : public mil::impl::DeferJoinsBase<DeferJoins> {
public:
  using DeferJoinsBase::DeferJoinsBase;

  void runOnOperation() override {
    if (!getAnalysis<Inventory>().hasAny<ConcatOp, ReshapeOp>())
      return markAllAnalysesPreserved();
    bool changed = cancelFromEntries(
        getOperation().getBody().front(),
        [](Operation *op) { return isa<ConcatOp, ReshapeOp>(op); },
        [&](Operation *op) { return defer(op); });
    if (!changed)
      return markAllAnalysesPreserved();
    // Only now: ops in front of a join tell where the next one is looked for.
    for (Operation &op : llvm::make_early_inc_range(
             llvm::reverse(getOperation().getBody().front().getOperations())))
      if (isa<ReshapeOp>(op) && op.use_empty())
        op.erase();
  }

private:
  bool defer(Operation *join) {
    PixelRegion region;
    if (!region.find(join, l2Bytes))
      return false;
    region.rewrite();
    ++numJoins;
    return true;
  }
};

} // namespace
