//===- Decompose.cpp - Express ops by others ------------------------------===//

#include "Decompose/Decompose.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Support/RewriteOps.h"

namespace ane::mil {
#define GEN_PASS_DEF_DECOMPOSE
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

void ane::mil::populateDecomposePatterns(RewritePatternSet &patterns) {
  populateDecomposeActivation(patterns);
  populateDecomposeComputedKernel(patterns);
  populateDecomposeCumsum(patterns);
  populateDecomposeElementwise(patterns);
  populateDecomposeFrames(patterns);
  populateDecomposeImage(patterns);
  populateDecomposeIndexing(patterns);
  populateDecomposeKnownIndices(patterns);
  populateDecomposeLargePool(patterns);
  populateDecomposeLayout(patterns);
  populateDecomposeLinear(patterns);
  populateDecomposeQuantization(patterns);
  populateDecomposeReduction(patterns);
  populateDecomposeSamples(patterns);
  populateDecomposeScatter(patterns);
  populateDecomposeSlice(patterns);
  populateDecomposeSort(patterns);
  populateDecomposeWindow(patterns);
}

bool ane::mil::isOfEngineValues(Operation *op) {
  auto fits = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return !tensor || fitsEngine(tensor.getShape());
  };
  return llvm::all_of(op->getOperandTypes(), fits) &&
         llvm::all_of(op->getResultTypes(), fits);
}

llvm::DenseSet<OperationName>
ane::mil::getRootOps(RewritePatternSet &patterns) {
  llvm::DenseSet<OperationName> roots;
  for (const auto &pattern : patterns.getNativePatterns())
    if (std::optional<OperationName> root = pattern->getRootKind())
      roots.insert(*root);
  return roots;
}

namespace {

/// Counts ops that patterns replace.
class ReplacementCounter : public RewriterBase::Listener {
public:
  explicit ReplacementCounter(PassStatistic &count) : count(count) {}

  void notifyOperationReplaced(Operation *, ValueRange) override { ++count; }

private:
  PassStatistic &count;
};

class Decompose : public mil::impl::DecomposeBase<Decompose> {
public:
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet all(context);
    populateDecomposePatterns(all);
    patterns = std::move(all);
    return success();
  }

  void runOnOperation() override {
    // What a rule makes can itself be subject to a rule. Constants stay as they
    // are: one that is returned has the name of an output.
    ReplacementCounter counter(numReplaced);
    if (failed(rewriteOps(
            getOperation().getBody(), patterns,
            GreedyRewriteConfig().enableFolding(false).setListener(&counter))))
      signalPassFailure();
  }

private:
  FrozenRewritePatternSet patterns;
};

} // namespace
