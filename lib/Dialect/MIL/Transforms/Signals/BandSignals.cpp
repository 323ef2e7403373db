//===- BandSignals.cpp - Ops on signals, some columns at a time -----------===//

#include "LongRows/LongRows.h"
#include "Signals/SignalRegions.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "mlir/Analysis/TopologicalSortUtils.h"

namespace ane::mil {
#define GEN_PASS_DEF_BANDSIGNALS
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Puts the ops of bands in place of a region.
class Bander {
public:
  explicit Bander(const SignalRegion &region)
      : region(region), last(region.ops.back().first),
        rewriter(last->getContext()) {}

  /// Fails where a band would have nothing of a value, and makes nothing then.
  LogicalResult run();

private:
  void emit(const BandColumns &columns, int64_t index);
  /// What parts of an input are taken of.
  Value sourceOf(Replacer &r, Value input);

  const SignalRegion &region;
  Operation *last;
  PatternRewriter rewriter;
  llvm::DenseMap<Value, Value> sources;
  llvm::DenseMap<Value, SmallVector<Value>> parts; ///< of each output
};

} // namespace

/// Columns of a parameter that begin within a row lose large numbers; those of
/// a copy do not.
Value Bander::sourceOf(Replacer &r, Value input) {
  if (!isa<BlockArgument>(input))
    return input;
  Value &copy = sources[input];
  if (!copy) {
    copy = r.unary<IdentityOp>(input);
    copy.getDefiningOp()->setAttr(MILDialect::copiedAttrName,
                                  rewriter.getUnitAttr());
  }
  return copy;
}

void Bander::emit(const BandColumns &columns, int64_t index) {
  llvm::DenseMap<Value, Value> made;
  // Columns of a value of which those of `own` are there.
  auto part = [&](Replacer &r, Value value, ColumnRange own,
                  ColumnRange wanted) {
    return r.slice(value, lastAxis(value), wanted.begin - own.begin,
                   wanted.count());
  };
  for (auto &[op, rule] : region.ops) {
    Replacer r(rewriter, op);
    rewriter.setInsertionPoint(last);
    ColumnRange results = columns.lookup(op->getResult(0)),
                needed = rule.partFor(results);
    SmallVector<Value> operands;
    for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
      if (!rule.isSignal(number)) {
        operands.push_back(operand);
        continue;
      }
      ColumnRange own = columns.lookup(operand);
      Value &value = made[operand];
      if (!value)
        value = part(r, sourceOf(r, operand), {0, 0}, own);
      operands.push_back(part(r, value, own, needed));
    }
    for (auto [result, value] : llvm::zip_equal(
             op->getResults(), rule.apply(r, op, operands, results)))
      made[result] = value;
  }
  for (Value output : region.outputs) {
    Replacer r(rewriter, output.getDefiningOp());
    rewriter.setInsertionPoint(last);
    parts[output].push_back(part(r, made.lookup(output), columns.lookup(output),
                                 region.partOf(output, index)));
  }
}

LogicalResult Bander::run() {
  SmallVector<BandColumns> bands;
  for (int64_t index = 0; index < region.bands; ++index) {
    std::optional<BandColumns> columns = region.columnsOf(index);
    if (!columns)
      return failure();
    bands.push_back(std::move(*columns));
  }
  for (auto [index, columns] : llvm::enumerate(bands))
    emit(columns, index);
  for (Value output : region.outputs) {
    Replacer r(rewriter, output.getDefiningOp());
    rewriter.setInsertionPoint(last);
    Value whole = r.concat(parts[output], lastAxis(output));
    takeNames(cast<OpResult>(whole), cast<OpResult>(output));
    output.replaceUsesWithIf(whole, [&](OpOperand &use) {
      return !region.ops.contains(use.getOwner());
    });
  }
  for (auto &[op, rule] : llvm::reverse(region.ops))
    op->erase();
  return success();
}

namespace {

class BandSignals : public mil::impl::BandSignalsBase<BandSignals> {
public:
  using BandSignalsBase::BandSignalsBase;

  void runOnOperation() override {
    FuncOp func = getOperation();
    SignalRegions finder(l2Bytes);
    std::vector<SignalRegion> regions = finder.find(func);
    if (regions.empty())
      return markAllAnalysesPreserved();
    for (SignalRegion &found : regions) {
      // Its inputs may be what the bands of another one are joined to.
      std::optional<SignalRegion> region = finder.make(found.ops.getArrayRef());
      if (!region)
        continue;
      region->step = found.step;
      region->bands = found.bands;
      if (failed(Bander(*region).run()))
        continue;
      numBands += region->bands;
      ++numBanded;
    }
    // What reads a region may stand in front of where its bands are.
    sortTopologically(&func.getBody().front());
  }
};

} // namespace
