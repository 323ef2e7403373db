//===- MergeLayers.cpp - Equal layers once --------------------------------===//

#include "FusedLocations.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"

namespace ane::zin {
#define GEN_PASS_DEF_MERGELAYERS
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane::zin;

namespace {

/// Whether there is something to merge or to erase: a layer that nobody reads,
/// or two of a kind that read the same. One that reads a value alone has no
/// equal; constants read nothing, and are merged already.
bool maySomethingGo(Block &block) {
  DenseSet<llvm::hash_code> kinds;
  for (Operation &op : block.without_terminator()) {
    if (op.use_empty())
      return true;
    auto isReadHereOnly = [](Value value) { return value.hasOneUse(); };
    if (isa<ConstantOp>(op) || llvm::any_of(op.getOperands(), isReadHereOnly))
      continue;
    auto operands =
        llvm::hash_combine_range(op.operand_begin(), op.operand_end());
    if (!kinds.insert(llvm::hash_combine(op.getName(), operands)).second)
      return true;
  }
  return false;
}

/// What is computed once for several has the locations of all.
struct MergeListener : RewriterBase::Listener {
  void notifyOperationReplaced(Operation *op, ValueRange values) override {
    locations.add(values.front().getDefiningOp(), op);
  }
  void notifyOperationErased(Operation *op) override { locations.forget(op); }

  FusedLocations locations;
};

class MergeLayers : public ane::zin::impl::MergeLayersBase<MergeLayers> {
public:
  void runOnOperation() override {
    ProcedureOp procedure = getOperation();
    // MLIR's CSE hashes each op, and again whenever its table grows, which
    // takes longer than all else here does for long chains.
    bool changed = false;
    if (maySomethingGo(procedure.getBody().front())) {
      MergeListener listener;
      IRRewriter rewriter(&getContext(), &listener);
      DominanceInfo dominance(procedure);
      int64_t before = count(procedure);
      eliminateCommonSubExpressions(rewriter, dominance, procedure, &changed);
      listener.locations.apply();
      numMerged += before - count(procedure);
    }
    if (!changed)
      markAllAnalysesPreserved();
  }

private:
  static int64_t count(ProcedureOp procedure) {
    return procedure.getBody().front().getOperations().size();
  }
};

} // namespace
