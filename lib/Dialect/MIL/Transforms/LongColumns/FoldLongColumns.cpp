//===- FoldLongColumns.cpp - More rows than a plane of the engine has -----===//

#include "LongColumns/LongColumns.h"
#include "LongOps.h"
#include "TrialFunction.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Dialect/MIL/Transforms/UncutRows.h"
#include "ane/Support/Inventory.h"
#include "mlir/IR/BuiltinOps.h"

namespace ane::mil {
#define GEN_PASS_DEF_FOLDLONGCOLUMNS
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

class Folder {
public:
  Folder(FuncOp func, int64_t limit) : func(func), columns(limit) {}

  LogicalResult run();
  /// After a failure what cannot be folded.
  Value getUnfolded() const { return unfolded; }
  /// The op that makes the value or reads it; the function if it is the type of
  /// a parameter.
  Operation *getUnfoldedOp() const { return unfoldedOp; }

private:
  LogicalResult foldParameters();
  LogicalResult fold(Operation *op);
  void finish(ReturnOp op);

  FuncOp func;
  LongColumns columns;
  Value unfolded;
  Operation *unfoldedOp = func;
};

} // namespace

/// Parameters get the type of what is folded, which has the same bytes.
LogicalResult Folder::foldParameters() {
  Block &body = func.getBody().front();
  PatternRewriter rewriter(func.getContext());
  Replacer r(rewriter, &body.front());
  for (BlockArgument argument : body.getArguments()) {
    if (!columns.isLong(argument))
      continue;
    auto type = cast<RankedTensorType>(argument.getType());
    std::optional<int64_t> axis = columns.axisOf(argument);
    if (!axis) {
      unfolded = argument;
      return failure();
    }
    func.setArgAttr(argument.getArgNumber(), MILDialect::hostTypeAttrName,
                    TypeAttr::get(type));
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : argument.getUses())
      uses.push_back(&use);
    argument.setType(type.clone(columns.foldedShape(type.getShape(), *axis)));
    auto whole = UnrealizedConversionCastOp::create(
        rewriter, argument.getLoc(), TypeRange(type), ValueRange(argument));
    for (OpOperand *use : uses)
      use->set(whole.getResult(0));
    columns.setFolded(whole.getResult(0), argument, *axis);
  }
  return success();
}

/// An op without a rule stays as it is, on values as they were, where none of
/// those has too many rows.
LogicalResult Folder::fold(Operation *op) {
  if (succeeded(foldColumns(columns, op)))
    return success();
  // Of long values one that has no planes is what it is about.
  for (bool hasPlanes : {false, true})
    for (ValueRange values :
         {ValueRange(op->getOperands()), ValueRange(op->getResults())})
      for (Value value : values)
        if (columns.isLong(value) &&
            columns.axisOf(value).has_value() == hasPlanes) {
          unfolded = value;
          unfoldedOp = op;
          return failure();
        }
  PatternRewriter rewriter(op->getContext());
  Replacer r(rewriter, op);
  for (OpOperand &operand : op->getOpOperands())
    operand.set(columns.plain(r, operand.get()));
  return success();
}

void Folder::finish(ReturnOp op) {
  PatternRewriter rewriter(op.getContext());
  Replacer r(rewriter, op);
  for (auto [index, operand] : llvm::enumerate(op.getOperands())) {
    if (!columns.isFolded(operand))
      continue;
    Value made;
    if (columns.isLong(operand)) {
      func.setResultAttr(index, MILDialect::hostTypeAttrName,
                         TypeAttr::get(operand.getType()));
      made = columns.get(r, operand, *columns.axisOf(operand));
    } else {
      Value as = columns.get(r, operand, *columns.axisOf(operand));
      made = columns.plain(r, operand);
      takeNames(cast<OpResult>(made), cast<OpResult>(as));
      // No two values have the name of an output.
      dropNames(as.getDefiningOp());
    }
    op->setOperand(index, made);
  }
}

LogicalResult Folder::run() {
  Block &body = func.getBody().front();
  replaceLongOps(func, columns.limit);
  columns.chooseSplits(func);
  if (failed(foldParameters()))
    return failure();
  SmallVector<Operation *> before;
  for (Operation &op : body.without_terminator())
    if (!op.use_empty() && !isa<UnrealizedConversionCastOp, ConstOp>(op))
      before.push_back(&op);
  auto isAffected = [&](Value value) {
    return !getConstantElements(value) &&
           (columns.isFolded(value) || columns.isWaiting(value) ||
            columns.isLong(value) || columns.axisOf(value));
  };
  for (Operation *op : before)
    if (llvm::any_of(op->getOperands(), isAffected) ||
        llvm::any_of(op->getResults(), isAffected))
      if (failed(fold(op)))
        return failure();
  finish(cast<ReturnOp>(body.getTerminator()));
  finishTrial(func);
  return success();
}

namespace {

class FoldLongColumns : public mil::impl::FoldLongColumnsBase<FoldLongColumns> {
public:
  using FoldLongColumnsBase::FoldLongColumnsBase;

  void runOnOperation() override {
    FuncOp func = getOperation();
    const auto &inventory = getAnalysis<Inventory>();
    if (inventory.hasBlocks() || !inventory.hasExtentAbove(limit))
      return markAllAnalysesPreserved();
    LongColumns columns(limit);
    auto isLong = [&](Value value) { return columns.isLong(value); };
    if (llvm::none_of(func.getArguments(), isLong) &&
        llvm::none_of(func.getBody().front(), [&](Operation &op) {
          return !op.use_empty() && llvm::any_of(op.getResults(), isLong);
        }))
      return markAllAnalysesPreserved();
    // All of it or nothing: what cannot be folded is refused as it stands.
    OwningOpRef<FuncOp> trial(func.clone());
    Folder folder(*trial, limit);
    if (failed(folder.run())) {
      markLeft(func, unfoldedColumnsAttr, folder.getUnfoldedOp(),
               TypeAttr::get(folder.getUnfolded().getType()));
      return;
    }
    adoptTrial(func, *trial);
    ++numFolded;
  }
};

} // namespace
