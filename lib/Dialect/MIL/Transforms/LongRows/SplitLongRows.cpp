//===- SplitLongRows.cpp - Rows that are longer than those of the engine --===//

#include "LongOps.h"
#include "LongRows/LongRows.h"
#include "TrialFunction.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Dialect/MIL/Transforms/UncutRows.h"
#include "ane/Support/Inventory.h"
#include "mlir/IR/BuiltinOps.h"

namespace ane::mil {
#define GEN_PASS_DEF_SPLITLONGROWS
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

class Splitter {
public:
  Splitter(FuncOp func, int64_t limit) : func(func), rows(limit) {}

  LogicalResult run();
  /// After a failure the op that has no rule, if that is why.
  Operation *getUncut() const { return uncut; }

private:
  LogicalResult cutParameters();
  LogicalResult finish(ReturnOp op);
  /// A value of the type that has these parts of a surface.
  Value cut(Replacer &r, Value surface, Type type);
  Value surfaceOf(Replacer &r, Value value);

  FuncOp func;
  LongRows rows;
  llvm::DenseMap<Value, Value> surfaces;
  Operation *uncut = nullptr;
};

} // namespace

/// The value with the element type of `like`, apart from it: each has a name.
static Value converted(Replacer &r, Value x, Value like) {
  Value made = r.convert(x, like);
  return made == x ? r.unary<IdentityOp>(x) : made;
}

/// A long row as its surface. A cast, such as programs end with, stays the last
/// op.
Value Splitter::surfaceOf(Replacer &r, Value value) {
  Value &surface = surfaces[value];
  if (surface)
    return surface;
  Operation *maker = value.getDefiningOp();
  auto conversion = dyn_cast<CastOp>(maker);
  if (auto whole = dyn_cast<UnrealizedConversionCastOp>(maker))
    return surface = whole.getOperand(0);
  Value made = conversion ? converted(r, surfaceOf(r, conversion.getX()), value)
                          : rows.fold(r, value);
  takeNames(cast<OpResult>(made), cast<OpResult>(value));
  return surfaces[value] = made;
}

LogicalResult Splitter::finish(ReturnOp op) {
  PatternRewriter rewriter(op.getContext());
  Replacer r(rewriter, op);
  for (auto [index, operand] : llvm::enumerate(op.getOperands())) {
    if (!rows.hasParts(operand))
      continue;
    if (int64_t(shapeOf(operand).size()) == mostDims)
      return failure();
    // Channels that became a row have theirs.
    if (!func.getResultAttr(index, MILDialect::hostTypeAttrName))
      func.setResultAttr(index, MILDialect::hostTypeAttrName,
                         TypeAttr::get(operand.getType()));
    op->setOperand(index, surfaceOf(r, operand));
  }
  return success();
}

Value Splitter::cut(Replacer &r, Value surface, Type type) {
  auto whole = UnrealizedConversionCastOp::create(
      r.rewriter, surface.getLoc(), TypeRange(type), ValueRange(surface));
  rows.setFolded(r, whole.getResult(0), surface);
  return whole.getResult(0);
}

/// Parameters get the type of their surface. Where the program starts with
/// casts, those are of the surface, too.
LogicalResult Splitter::cutParameters() {
  Block &body = func.getBody().front();
  PatternRewriter rewriter(func.getContext());
  Replacer r(rewriter, &body.front());
  for (BlockArgument argument : body.getArguments()) {
    if (!rows.isLong(argument))
      continue;
    auto type = cast<RankedTensorType>(argument.getType());
    if (type.getRank() == mostDims)
      return failure();
    func.setArgAttr(argument.getArgNumber(), MILDialect::hostTypeAttrName,
                    TypeAttr::get(type));
    SmallVector<Operation *> users(argument.getUsers());
    argument.setType(rows.foldedType(type));
    Value whole = cut(r, argument, type);
    for (Operation *user : users) {
      if (!isa<CastOp>(user)) {
        user->replaceUsesOfWith(argument, whole);
        continue;
      }
      Value before = user->getResult(0), made = converted(r, argument, before);
      takeNames(llvm::cast<OpResult>(made), llvm::cast<OpResult>(before));
      before.replaceAllUsesWith(cut(r, made, before.getType()));
    }
  }
  return success();
}

LogicalResult Splitter::run() {
  Block &body = func.getBody().front();
  auto isTooLong = [&](Value value) {
    return rows.isLong(value) &&
           !canCutRows(cast<RankedTensorType>(value.getType()), rows.limit);
  };
  if (llvm::any_of(body.getArguments(), isTooLong) ||
      llvm::any_of(body, [&](Operation &op) {
        return llvm::any_of(op.getResults(), isTooLong);
      }))
    return failure();
  replaceLongOps(func, rows.limit);
  if (failed(cutParameters()))
    return failure();
  SmallVector<Operation *> before;
  for (Operation &op : body.without_terminator())
    if (!op.use_empty() && !isa<UnrealizedConversionCastOp>(op))
      before.push_back(&op);
  auto isLong = [&](Value value) { return rows.isLong(value); };
  for (Operation *op : before)
    if (!isa<ConstOp>(op) &&
        (llvm::any_of(op->getOperands(), isLong) ||
         llvm::any_of(op->getResults(), isLong) || needsPieces(op)))
      if (failed(splitRows(rows, op))) {
        uncut = op;
        return failure();
      }
  if (failed(finish(cast<ReturnOp>(body.getTerminator()))))
    return failure();
  finishTrial(func);
  return success();
}

namespace {

class SplitLongRows : public mil::impl::SplitLongRowsBase<SplitLongRows> {
public:
  using SplitLongRowsBase::SplitLongRowsBase;

  void runOnOperation() override {
    FuncOp func = getOperation();
    const auto &inventory = getAnalysis<Inventory>();
    // Parts of rows must not stand in the place of the op that is refused. Of
    // resized rows short ones may need pieces, too.
    if (func->hasAttr(unfoldedColumnsAttr) || inventory.hasBlocks() ||
        !(inventory.hasExtentAbove(limit) ||
          inventory.hasAny<UpsampleBilinearOp, ResizeBilinearOp, ResizeOp>()))
      return markAllAnalysesPreserved();
    LongRows rows(limit);
    auto isLong = [&](Value value) { return rows.isLong(value); };
    if (llvm::none_of(func.getArguments(), isLong) &&
        llvm::none_of(func.getBody().front(), [&](Operation &op) {
          return !isa<ConstOp>(op) &&
                 (needsPieces(&op) || llvm::any_of(op.getResults(), isLong));
        }))
      return markAllAnalysesPreserved();
    // All of it or nothing: what cannot be cut is refused as it stands.
    OwningOpRef<FuncOp> trial(func.clone());
    Splitter splitter(*trial, limit);
    if (failed(splitter.run())) {
      if (Operation *uncut = splitter.getUncut())
        // What mil-decompose makes of the op has no mark, so the function has
        // it.
        markLeft(func, uncutRowsAttr, uncut);
      return;
    }
    adoptTrial(func, *trial);
    ++numSplit;
  }
};

} // namespace
