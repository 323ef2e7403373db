//===- FoldConstants.cpp - Evaluate ops on constants ----------------------===//

#include "Constants/ConstantFolder.h"
#include "Replacer.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Support/Inventory.h"
#include "mlir/IR/Verifier.h"

namespace ane::mil {
#define GEN_PASS_DEF_FOLDCONSTANTS
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// An analysis that lives as long as a function has nothing to fold: a second
/// run of the pass finds it where no pass between has changed anything.
struct NothingToFold {
  explicit NothingToFold(Operation *) {}
  /// The limit of the run that made it.
  uint64_t limit = 0;
};

class FoldConstants : public mil::impl::FoldConstantsBase<FoldConstants> {
public:
  using FoldConstantsBase::FoldConstantsBase;

  void runOnOperation() override {
    if (auto nothing = getCachedAnalysis<NothingToFold>();
        nothing && nothing->get().limit == limit)
      return markAllAnalysesPreserved();
    ConstantFolder folder;
    Block &body = getOperation().getBody().front();
    bool changed = eraseUnread(body);
    if (getAnalysis<Inventory>().hasAny<ReshapeLikeOp>())
      changed |= replaceLikes(getOperation());
    // What reads a folded value may be another op than the text could say: a
    // parameter that it computes is known now. Readers come behind.
    SmallPtrSet<Operation *, 8> readers;
    for (Operation &op : llvm::make_early_inc_range(body)) {
      if (readers.erase(&op) && failed(verify(&op)))
        return signalPassFailure();
      if (!folder.canFold(&op))
        continue;
      bool isStorage = folder.defer(&op);
      if (!isSmallEnough(&op) || (isStorage && !isRead(&op)))
        continue;
      for (Operation *user : op.getUsers())
        if (Operation *reader = body.findAncestorOpInBlock(*user))
          readers.insert(reader);
      if (failed(folder.fold(&op)))
        return signalPassFailure();
      changed = true;
      rememberStorage(&op);
      ++numFolded;
      if (!isStorage)
        op.erase();
    }
    // What is stored some way and was folded has no reader any more, nor has
    // what it was made from.
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
      if (isConstexpr(&op) && op.use_empty()) {
        op.erase();
        changed = true;
      }
    getAnalysis<NothingToFold>().limit = limit;
    if (changed)
      markAnalysesPreserved<NothingToFold>();
    else
      markAllAnalysesPreserved();
  }

private:
  /// Erases what is computed of constants and nobody reads: nobody should wait
  /// for it.
  static bool eraseUnread(Block &body) {
    llvm::SetVector<Operation *> known;
    auto isKnown = [&](Value operand) {
      Operation *producer = operand.getDefiningOp();
      return producer && (isa<ConstOp>(producer) || known.contains(producer));
    };
    for (Operation &op : body)
      if (!isa<ConstOp>(op) && llvm::all_of(op.getOperands(), isKnown) &&
          isa<MILOp>(op) && op.getNumRegions() == 0 && isMemoryEffectFree(&op))
        known.insert(&op);
    bool changed = false;
    for (Operation *op : llvm::reverse(known)) {
      if (!op->use_empty())
        continue;
      op->erase();
      changed = true;
    }
    return changed;
  }

  /// Of the tensors that a shape is taken from nothing but their shapes is
  /// read. Where bounds are computed, the declared result is no more than said.
  static bool replaceLikes(FuncOp func) {
    SmallVector<ReshapeLikeOp> ops;
    auto isKnown = [](Value bound) { return bool(getConstantElements(bound)); };
    func.walk([&](ReshapeLikeOp op) {
      if (staticType(op.getResult()) && llvm::all_of(op.getBegins(), isKnown) &&
          llvm::all_of(op.getEnds(), isKnown) &&
          llvm::all_of(op.getEndMasks(), isKnown))
        ops.push_back(op);
    });
    PatternRewriter rewriter(func.getContext());
    for (ReshapeLikeOp op : ops) {
      Replacer r(rewriter, op);
      (void)r.replace(r.reshape(op.getX(), shapeOf(op.getResult())));
    }
    return !ops.empty();
  }

  bool isSmallEnough(Operation *op) const {
    uint64_t made = ConstantFolder::resultBytes(op);
    return made <= limit || made <= ConstantFolder::constantBytes(op);
  }

  /// Whether an op needs the elements of a weight.
  static bool isRead(Operation *op) {
    return !llvm::all_of(op->getUsers(), isConstexpr);
  }

  /// What is folded no longer says how it was stored, nor do the weights that
  /// it was made from, which only this op reads.
  void rememberStorage(Operation *op) {
    auto note = [&](StringRef attribute) {
      getOperation()->setAttr(attribute, UnitAttr::get(&getContext()));
    };
    llvm::SetVector<Operation *> stored;
    stored.insert(op);
    for (size_t i = 0; i < stored.size(); ++i) {
      Operation *each = stored[i];
      if (isa<ConstexprLutToDenseOp, ConstexprLutToSparseOp>(each))
        note(MILDialect::palettizedAttrName);
      if (isa<ConstexprSparseToDenseOp>(each))
        note(MILDialect::sparseAttrName);
      for (Value operand : each->getOperands())
        if (Operation *source = operand.getDefiningOp();
            source && isConstexpr(source))
          stored.insert(source);
    }
  }
};

} // namespace
