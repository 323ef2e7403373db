//===- TurnPairs.cpp - Pairs of a row as pairs of channels ----------------===//
//
// Rotary positions turn pairs of numbers of a row: neighbours, or one of the
// first half and one of the second. A row cannot be read with gaps, and its
// halves are copied to be exchanged. Channels are read in any order.
//
//===----------------------------------------------------------------------===//

#include "Replacer.h"
#include "TransposeSteps.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/IR/Slice.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Support/Inventory.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace ane::mil {
#define GEN_PASS_DEF_TURNPAIRS
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Ops that are looked at around a pair, so that long chains of others take no
/// time. Assigned.
constexpr size_t mostOps = 32;

/// The channels of an image or a volume, from behind.
constexpr int64_t channelsFromBack = 3;

/// Columns that halves are turned to: heads, not what would be rows of more.
/// Assigned.
constexpr int64_t leastColumns = 4, mostColumns = 64;

using Shape = SmallVector<int64_t>;

/// How parts make a row: element by element in turns, or one behind the other.
enum class Order { Turns, Blocks };

/// Every `step`-th element of the rows of `whole`, from `begin` on.
struct Part {
  Value whole;
  int64_t begin, step;
};

/// The parts of a row, in order.
struct Parts {
  Order order;
  SmallVector<Value> values;
  /// Whether rows and columns of a part are one dimension.
  bool isMerged = false;
};

/// The value without a last dimension of one element that only this op adds, or
/// null.
Value withoutLastOne(Operation *op) {
  if (!op || !op->hasTrait<Reshapes>() || !staticType(op->getOperand(0)) ||
      !staticType(op->getResult(0)))
    return {};
  ArrayRef<int64_t> from = shapeOf(op->getOperand(0)),
                    to = shapeOf(op->getResult(0));
  if (from.size() > to.size())
    std::swap(from, to);
  bool isSame =
      from.size() + 1 == to.size() && to.back() == 1 && from == to.drop_back();
  return isSame ? op->getOperand(0) : Value();
}

/// Whether a shape has the elements of rows in one more dimension, or with as
/// many dimensions: then rows and what is left of columns are one.
bool hasPairsOf(ArrayRef<int64_t> shape, ArrayRef<int64_t> rows) {
  if (shape.size() < 2)
    return false;
  Shape joined(shape.drop_back());
  joined.back() *= shape.back();
  if (rows == ArrayRef(joined))
    return true;
  return rows.size() == shape.size() && rows.back() % shape.back() == 0 &&
         rows.drop_back(2) == shape.drop_back(2) &&
         joined.back() == rows.back() * rows[rows.size() - 2];
}

/// Of what a value is one of the parts.
std::optional<Part> partOf(Value value, Order order) {
  if (Value before = withoutLastOne(value.getDefiningOp()))
    value = before;
  std::optional<Cut> cut = getCut(value, /*dim=*/-1);
  if (!cut)
    return std::nullopt;
  auto [x, dim] = *cut;
  int64_t columns = shapeOf(x).back();
  if (order == Order::Blocks)
    return dim.step == 1 && dim.extent < columns && columns % dim.extent == 0 &&
                   dim.begin % dim.extent == 0
               ? std::optional(Part{x, dim.begin, dim.step})
               : std::nullopt;
  if (dim.step > 1 && dim.begin < dim.step && dim.extent * dim.step == columns)
    return Part{x, dim.begin, dim.step};
  // The pairs may have been made a dimension.
  auto reshape = x.getDefiningOp<ReshapeOp>();
  if (!reshape || dim.extent != 1 || columns == 1 ||
      !staticType(reshape.getX()) ||
      !hasPairsOf(shapeOf(x), shapeOf(reshape.getX())))
    return std::nullopt;
  return Part{reshape.getX(), dim.begin, columns};
}

/// What is joined along the last dimension of a result; nothing if that has
/// other elements as well.
SmallVector<Value> joinedInRows(Operation *op) {
  if (!isa_and_present<StackOp, ConcatOp>(op) ||
      !staticType(op->getResult(0)) || shapeOf(op->getResult(0)).empty())
    return {};
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
  std::optional<int64_t> axis;
  SmallVector<Value> values;
  if (auto stack = dyn_cast<StackOp>(op)) {
    axis = getConstantInt(stack.getAxis());
    llvm::append_range(values, stack.getValues());
  } else if (auto concat = cast<ConcatOp>(op);
             concat.getInterleaveOrDefault() == false) {
    axis = getConstantInt(concat.getAxis());
    llvm::append_range(values, concat.getValues());
  }
  if (!axis || fromFront(*axis, shape.size()) + 1 != int64_t(shape.size()) ||
      values.size() < 2 ||
      !llvm::all_of(values, [](Value value) { return staticType(value); }) ||
      !llvm::all_equal(llvm::map_range(values, shapeOf)))
    return {};
  return values;
}

/// The parts that an op makes rows of.
std::optional<Parts> partsOf(Operation *op) {
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    SmallVector<Value> values = joinedInRows(reshape.getX().getDefiningOp());
    if (values.empty() || !staticType(reshape.getResult()))
      return std::nullopt;
    ArrayRef<int64_t> shape = shapeOf(reshape.getX()),
                      rows = shapeOf(reshape.getResult());
    if (shape.back() != int64_t(values.size()) || !hasPairsOf(shape, rows))
      return std::nullopt;
    return Parts{Order::Turns, values, shape.size() == rows.size()};
  }
  if (!isa<ConcatOp>(op))
    return std::nullopt;
  SmallVector<Value> values = joinedInRows(op);
  if (values.empty())
    return std::nullopt;
  return Parts{Order::Blocks, values};
}

/// What is computed of parts of rows until they are rows again, and of these
/// rows after that.
class PairRegion {
public:
  explicit PairRegion(int64_t l2Bytes) : l2Bytes(l2Bytes) {}

  /// The region of the parts that `exit` makes rows of; false if there is none
  /// that is worth it.
  bool find(Operation *exit);
  void rewrite();

private:
  int64_t rank() const { return whole.size(); }
  int64_t channels() const { return rank() - channelsFromBack; }
  SmallVector<int64_t> exchanged(int64_t one, int64_t other) const;
  Shape mergedPart() const;
  bool isPart(ArrayRef<int64_t> shape) const;
  bool addFew(Value value, int64_t opRank);
  bool addElementwise(Operation *op, bool isOfParts,
                      llvm::function_ref<bool(Value)> visit);
  bool visitPart(Value value, int64_t opRank);
  bool visitRow(Value value, int64_t opRank);
  void follow();
  bool isWorthIt() const;

  Value turnFew(Replacer &r, Value value, ArrayRef<int64_t> opShape) const;
  Value turned(Replacer &r, Value value, ArrayRef<int64_t> opShape);
  void turnElementwise(Replacer &r, Operation *op);
  Value join(Replacer &r);

  Shape whole, part;         ///< the shapes of rows and of parts of them
  SmallVector<int64_t> perm; ///< from rows to channels
  int64_t l2Bytes;
  Operation *exit;
  Parts parts; ///< what `exit` makes rows of
  Value last;  ///< what is rows again
  llvm::SetVector<Value> sources;
  llvm::SetVector<Operation *> ops; ///< operands first
  llvm::SmallDenseSet<Value> few;
  int64_t fewElements = 0;
  size_t numVisits = 0;
  llvm::DenseMap<Value, Value> made;
};

} // namespace

/// The permutation that exchanges two dimensions.
SmallVector<int64_t> PairRegion::exchanged(int64_t one, int64_t other) const {
  auto order = llvm::to_vector(llvm::seq<int64_t>(rank()));
  std::swap(order[one], order[other]);
  return order;
}

/// The shape of a part whose rows and columns are one dimension.
Shape PairRegion::mergedPart() const {
  Shape shape(ArrayRef(part).drop_back());
  shape.back() *= part.back();
  return shape;
}

/// Whether a shape is that of a part, or has one more dimension of one element.
bool PairRegion::isPart(ArrayRef<int64_t> shape) const {
  Shape wanted = parts.isMerged ? mergedPart() : part;
  if (shape.size() == wanted.size() + 1 && shape.back() == 1)
    shape = shape.drop_back();
  return shape == ArrayRef(wanted);
}

/// A constant, or a value that broadcasts and is turned at little cost.
bool PairRegion::addFew(Value value, int64_t opRank) {
  if (few.contains(value))
    return true;
  if (!value.getDefiningOp<ConstOp>()) {
    RankedTensorType type = staticType(value);
    if (!type || type.getRank() > opRank ||
        fewElements + type.getNumElements() > llvm::product_of(whole))
      return false;
    fewElements += type.getNumElements();
  }
  few.insert(value);
  return true;
}

/// Adds an op whose result is a part, or rows, behind what makes its operands.
bool PairRegion::addElementwise(Operation *op, bool isOfParts,
                                llvm::function_ref<bool(Value)> visit) {
  if (ops.contains(op))
    return true;
  if (!op || op->getBlock() != exit->getBlock() || ++numVisits > mostOps ||
      !op->hasTrait<Elementwise>() || op->hasTrait<ChannelParameters>() ||
      !staticType(op->getResult(0)))
    return false;
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
  size_t opsBefore = ops.size(), sourcesBefore = sources.size();
  if ((isOfParts ? isPart(shape) : shape == ArrayRef(whole)) &&
      llvm::all_of(op->getOperands(), visit)) {
    ops.insert(op);
    return true;
  }
  while (ops.size() > opsBefore)
    ops.pop_back();
  while (sources.size() > sourcesBefore)
    sources.pop_back();
  return false;
}

bool PairRegion::visitPart(Value value, int64_t opRank) {
  RankedTensorType type = staticType(value);
  if (type && type.getRank() == opRank) {
    if (std::optional<Part> of = partOf(value, parts.order)) {
      if (shapeOf(of->whole) != ArrayRef(whole) || !isPart(type.getShape()))
        return false;
      sources.insert(of->whole);
      return true;
    }
    Operation *op = value.getDefiningOp();
    // What broadcasts has other dimensions, and one may be missing in front.
    Value before = isPart(type.getShape()) ? withoutLastOne(op) : Value();
    if (before && isPart(shapeOf(before))) {
      if (++numVisits <= mostOps && visitPart(before, shapeOf(before).size()))
        return true;
    } else if (addElementwise(op, /*isOfParts=*/true, [&](Value operand) {
                 return visitPart(operand, opRank);
               })) {
      return true;
    }
  }
  return addFew(value, opRank);
}

bool PairRegion::visitRow(Value value, int64_t opRank) {
  if (sources.contains(value) || value == last)
    return true;
  return (value.hasOneUse() && opRank == rank() &&
          addElementwise(
              value.getDefiningOp(), /*isOfParts=*/false,
              [&](Value operand) { return visitRow(operand, opRank); })) ||
         addFew(value, opRank);
}

/// Ops on rows behind the parts, as long as there is one: rows are turned
/// either way, and so their sources need not be turned back.
void PairRegion::follow() {
  while (last.hasOneUse()) {
    Operation *user = *last.user_begin();
    if (user->getNumResults() != 1 || !staticType(user->getResult(0)) ||
        shapeOf(user->getResult(0)) != ArrayRef(whole) ||
        !addElementwise(user, /*isOfParts=*/false, [&](Value operand) {
          return visitRow(operand, rank());
        }))
      return;
    last = user->getResult(0);
  }
}

/// Halves are copied side by side in L2, which is as much as to turn them, but
/// for values of which it does not hold two and a part: rows of these are not
/// cut into blocks behind the copies.
bool PairRegion::isWorthIt() const {
  if (parts.order == Order::Turns)
    return true;
  auto type = cast<RankedTensorType>(last.getType());
  int64_t bytes = type.getNumElements() * elementBytes;
  int64_t columns = whole[channels()];
  return !ops.empty() && columns >= leastColumns && columns <= mostColumns &&
         2 * bytes + bytes / 2 > l2Bytes;
}

bool PairRegion::find(Operation *op) {
  std::optional<Parts> found = partsOf(op);
  if (!found)
    return false;
  exit = op;
  parts = *found;
  whole = Shape(shapeOf(op->getResult(0)));
  part = whole;
  part.back() /= parts.values.size();
  // With the dimension that parts take turns in there is one more.
  if (rank() < channelsFromBack || rank() >= mostDims)
    return false;
  perm = exchanged(channels(), rank() - 1);
  Shape between = applyPermutation(part, perm);
  between.insert(between.begin() + channels() + 1, parts.values.size());
  if (!fitsEngine(applyPermutation(whole, perm)) || !fitsEngine(between))
    return false;
  if (!llvm::all_of(parts.values,
                    [this](Value value) {
                      return visitPart(value, shapeOf(value).size());
                    }) ||
      sources.empty())
    return false;
  last = op->getResult(0);
  follow();
  if (!isWorthIt())
    return false;
  // One that exchanges rows and channels behind is to make of all that one
  // exchange, in which the shorter dimension lies along columns.
  if (last.hasOneUse() && whole[rank() - 2] < whole[channels()] &&
      permutationOf(*last.user_begin()) == exchanged(channels(), rank() - 2))
    std::swap(perm[rank() - 2], perm.back());
  return true;
}

/// What broadcasts to a result of this shape, or is a constant of it.
Value PairRegion::turnFew(Replacer &r, Value value,
                          ArrayRef<int64_t> opShape) const {
  RankedTensorType type = staticType(value);
  if (!type || type.getRank() == 0)
    return value;
  Shape shape = alignedShape(type.getShape(), opShape.size());
  if (parts.isMerged && isPart(opShape)) {
    if (opShape.size() == part.size())
      shape.pop_back();
    bool isOne = shape.back() == 1;
    shape.pop_back();
    shape.append({isOne ? 1 : part[rank() - 2], isOne ? 1 : part.back()});
  } else if (opShape.size() > whole.size()) {
    shape.pop_back();
  }
  return r.transposeAs(value, shape, perm);
}

/// What takes the place of an operand of an op whose result has this shape.
Value PairRegion::turned(Replacer &r, Value value, ArrayRef<int64_t> opShape) {
  if (few.contains(value))
    return turnFew(r, value, opShape);
  if (Value found = made.lookup(value))
    return found;
  if (std::optional<Part> of = partOf(value, parts.order))
    return made[value] = r.slice(made.lookup(of->whole), channels(), of->begin,
                                 part.back(), of->step);
  Value before = withoutLastOne(value.getDefiningOp());
  return turned(r, before, shapeOf(before));
}

void PairRegion::turnElementwise(Replacer &r, Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, turned(r, operand, type.getShape()));
  Operation *copy = r.rewriter.clone(*op, mapping);
  dropNames(copy);
  ArrayRef<int64_t> shape = isPart(type.getShape()) ? part : whole;
  copy->getResult(0).setType(type.clone(applyPermutation(shape, perm)));
  made[op->getResult(0)] = copy->getResult(0);
}

/// The parts as channels, in the order that they have in rows.
Value PairRegion::join(Replacer &r) {
  if (parts.order == Order::Blocks)
    return r.concat(llvm::map_to_vector(parts.values,
                                        [&](Value value) {
                                          return turned(r, value,
                                                        shapeOf(value));
                                        }),
                    channels());
  Shape single = applyPermutation(part, perm);
  single.insert(single.begin() + channels() + 1, 1);
  SmallVector<Value> stacked;
  for (Value value : parts.values)
    stacked.push_back(r.reshape(turned(r, value, shapeOf(value)), single));
  return r.reshape(r.concat(stacked, channels() + 1),
                   applyPermutation(whole, perm));
}

void PairRegion::rewrite() {
  PatternRewriter rewriter(exit->getContext());
  Operation *end = last.getDefiningOp();
  Replacer r(rewriter, end);
  for (Value source : sources)
    made[source] = r.transpose(source, perm);
  auto isOfParts = [&](Operation *op) {
    return isPart(shapeOf(op->getResult(0)));
  };
  for (Operation *op : ops)
    if (isOfParts(op))
      turnElementwise(r, op);
  made[exit->getResult(0)] = join(r);
  for (Operation *op : ops)
    if (!isOfParts(op))
      turnElementwise(r, op);
  SmallVector<Value> read(end->getOperands());
  (void)r.replace(
      r.transpose(made.lookup(last), invertPermutationVector(perm)));
  eraseUnread(read);
}

namespace {

class TurnPairs : public mil::impl::TurnPairsBase<TurnPairs> {
public:
  using TurnPairsBase::TurnPairsBase;

  void runOnOperation() override {
    if (!getAnalysis<Inventory>().hasAny<StackOp, ConcatOp>())
      return markAllAnalysesPreserved();
    SmallVector<Operation *> exits;
    getOperation().walk([&](Operation *op) {
      if (partsOf(op))
        exits.push_back(op);
    });
    bool changed = false;
    for (Operation *exit : exits) {
      PairRegion region(l2Bytes);
      if (!region.find(exit))
        continue;
      region.rewrite();
      ++numRegions;
      changed = true;
    }
    if (!changed)
      markAllAnalysesPreserved();
  }
};

} // namespace
