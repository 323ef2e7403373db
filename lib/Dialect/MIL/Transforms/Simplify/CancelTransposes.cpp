//===- CancelTransposes.cpp - Ops between transposes that undo each other -===//
//
// Channels come last for a norm or a product of each pixel, and first for the
// convolutions around it. Where all between two transposes can be said of the
// value as it was before them, neither is needed.
//
//===----------------------------------------------------------------------===//

#include "Simplify/OpsBetween.h"
#include "Simplify/TurnedOps.h"
#include "TransposeSteps.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Support/Inventory.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

namespace ane::mil {
#define GEN_PASS_DEF_CANCELTRANSPOSES
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Whether a transpose is of a constant, maybe in another shape, so that it is
/// folded.
bool isOfConstant(Value transposed) {
  Operation *maker = transposed.getDefiningOp();
  do
    maker = maker->getOperand(0).getDefiningOp();
  while (maker && maker->hasTrait<Reshapes>());
  return isa_and_present<ConstOp>(maker);
}

int64_t sizeOf(Value value) { return staticType(value).getNumElements(); }

/// Ops between transposes by one permutation and those that undo it.
class TurnedRegion {
public:
  explicit TurnedRegion(ArrayRef<int64_t> perm)
      : perm(perm), undoes(invertPermutationVector(perm)), rules(perm) {}

  /// The ops on the ways from `entry` to transposes that undo it, or to where
  /// parts of rows are joined; false if there are none, or more would have to
  /// be transposed than is now.
  bool find(TransposeOp entry);
  void rewrite();

private:
  bool isEntry(Value value) const {
    return permutationOf(value.getDefiningOp()) == perm;
  }
  bool isExit(Operation *op) const { return permutationOf(op) == undoes; }
  bool contains(Operation *op) const { return op && ops.contains(op); }
  bool joinsInRows(Operation *op) const;
  /// How many elements fewer are transposed than before.
  int64_t savedElements() const;
  void leave(Value turned, Value made);

  SmallVector<int64_t> perm, undoes;
  TurnedOps rules;
  llvm::SetVector<Operation *> ops;
};

} // namespace

bool TurnedRegion::find(TransposeOp entry) {
  auto canTurn = [&](Operation *op) { return rules.canTurn(op); };
  ops = opsBetween(entry, canTurn, [&](Operation *op) { return isExit(op); });
  if (!ops.empty() && savedElements() > 0)
    return true;
  // Parts that begin within the memory of a row are copied, those of another
  // dimension are not.
  ops = opsBetween(entry, canTurn, [&](Operation *op) {
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      return joinsInRows(operand.getDefiningOp());
    });
  });
  return !ops.empty() && savedElements() >= 0;
}

/// Whether an op joins parts of the last dimension, which was another one
/// before the transpose, where one of them begins within the memory of a row.
bool TurnedRegion::joinsInRows(Operation *op) const {
  auto concat = dyn_cast_if_present<ConcatOp>(op);
  int64_t last = perm.size() - 1;
  if (!concat || perm.back() == last || !rules.canTurn(concat) ||
      fromFront(*getConstantInt(concat.getAxis()), perm.size()) != last)
    return false;
  int64_t begin = 0;
  return llvm::any_of(concat.getValues(), [&](Value value) {
    bool isWithin = begin % h13.rowStep() != 0;
    begin += shapeOf(value).back();
    return isWithin;
  });
}

int64_t TurnedRegion::savedElements() const {
  int64_t saved = 0;
  llvm::SmallDenseSet<Value> counted;
  for (Operation *op : ops) {
    // Those of constants are folded; few numbers are transposed as well.
    for (Value operand : rules.fewOperands(op))
      if (counted.insert(operand).second)
        saved -= sizeOf(operand);
    for (Value operand : rules.turnedOperands(op)) {
      if (contains(operand.getDefiningOp()) || !counted.insert(operand).second)
        continue;
      if (!isEntry(operand)) {
        saved -= sizeOf(operand);
        continue;
      }
      // It undoes itself, and is of what the region has.
      if (contains(operand.getDefiningOp()->getOperand(0).getDefiningOp()))
        return -1;
      if (!isOfConstant(operand) &&
          llvm::all_of(operand.getUsers(), [&](Operation *user) {
            return contains(user) || isExit(user);
          }))
        saved += sizeOf(operand);
    }
    for (Value result : op->getResults()) {
      bool isLeft = false;
      for (Operation *user : result.getUsers())
        if (isExit(user))
          saved += sizeOf(result);
        else
          isLeft |= !contains(user) && !isa<TransposeOp>(user);
      if (isLeft)
        saved -= sizeOf(result);
    }
  }
  return saved;
}

/// Gives those outside what they read of a result of the region.
void TurnedRegion::leave(Value turned, Value made) {
  PatternRewriter rewriter(turned.getContext());
  for (Operation *user : llvm::to_vector(turned.getUsers())) {
    if (contains(user))
      continue;
    std::optional<SmallVector<int64_t>> next = permutationOf(user);
    if (!next)
      continue;
    Replacer r(rewriter, user);
    SmallVector<int64_t> both = applyPermutation(perm, *next);
    (void)r.replace(isIdentityPermutation(both) ? made
                                                : r.transpose(made, both));
  }
  if (llvm::all_of(turned.getUsers(),
                   [&](Operation *user) { return contains(user); }))
    return;
  Replacer r(rewriter, turned.getDefiningOp());
  Value back = r.transpose(made, perm);
  takeNames(cast<OpResult>(back), cast<OpResult>(turned));
  turned.replaceUsesWithIf(
      back, [&](OpOperand &use) { return !contains(use.getOwner()); });
}

void TurnedRegion::rewrite() {
  llvm::DenseMap<Value, Value> made;
  llvm::SmallSetVector<Operation *, 4> entries;
  PatternRewriter rewriter(ops.front()->getContext());
  for (Operation *op : ops) {
    Replacer r(rewriter, op);
    for (Value operand : rules.turnedOperands(op)) {
      Value &before = made[operand];
      if (before)
        continue;
      if (isEntry(operand)) {
        entries.insert(operand.getDefiningOp());
        before = operand.getDefiningOp()->getOperand(0);
      } else {
        before = r.transpose(operand, undoes);
      }
    }
    for (auto [result, value] :
         llvm::zip_equal(op->getResults(), rules.turn(r, op, made)))
      made[result] = value;
  }
  for (Operation *op : ops)
    for (Value result : op->getResults())
      leave(result, made.lookup(result));
  for (Operation *op : llvm::reverse(ops))
    op->erase();
  for (Operation *entry : entries)
    if (entry->use_empty())
      entry->erase();
}

namespace {

class CancelTransposes
    : public mil::impl::CancelTransposesBase<CancelTransposes> {
public:
  void runOnOperation() override {
    if (!getAnalysis<Inventory>().hasAny<TransposeOp>())
      return markAllAnalysesPreserved();
    bool changed = false;
    // Others in front may go with those that went.
    while (cancelAll())
      changed = true;
    if (!changed)
      markAllAnalysesPreserved();
  }

private:
  /// Goes over the transposes once; whether some went.
  bool cancelAll() {
    return cancelFromEntries(
        getOperation().getBody().front(),
        [](Operation *op) { return isa<TransposeOp>(op); },
        [&](Operation *op) { return cancelFrom(cast<TransposeOp>(op)); });
  }

  bool cancelFrom(TransposeOp entry) {
    auto perm = permutationOf(entry);
    if (!perm)
      return false;
    TurnedRegion region(*perm);
    if (!region.find(entry))
      return false;
    region.rewrite();
    ++numRegions;
    return true;
  }
};

} // namespace
