//===- FlattenBlocks.cpp - Branches and loops without blocks --------------===//

#include "Constants/ConstantFolder.h"
#include "Replacer.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Support/Inventory.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/SaveAndRestore.h"

namespace ane::mil {
#define GEN_PASS_DEF_FLATTENBLOCKS
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// The value of a bool, if it is known.
std::optional<bool> knownBool(Value value) {
  ElementsAttr elements = getConstantElements(value);
  if (!elements || !elements.getElementType().isInteger(1) ||
      elements.getNumElements() != 1)
    return std::nullopt;
  return *elements.getValues<bool>().begin();
}

bool isStatic(TypeRange types) {
  return llvm::all_of(types, [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  });
}

class Flattener {
public:
  Flattener(MLIRContext *context, int64_t limit)
      : rewriter(context), limit(limit) {}

  /// Visits the ops from `op` to before `end`.
  LogicalResult run(Operation *op, Operation *end) {
    while (op != end) {
      Operation *next = op->getNextNode();
      LogicalResult result = success();
      if (auto cond = dyn_cast<CondOp>(op))
        result = flatten(cond);
      else if (auto loop = dyn_cast<WhileLoopOp>(op))
        result = unroll(loop);
      else
        result = fold(op);
      if (failed(result))
        return failure();
      op = next;
    }
    return success();
  }

  int64_t numConds = 0, numTurns = 0;

private:
  /// A condition further down may be computed from this op.
  LogicalResult fold(Operation *op) {
    FailureOr<bool> isFolded = folder.foldIfSmall(op);
    if (succeeded(isFolded) && *isFolded)
      op->erase();
    return isFolded;
  }

  /// A copy of what a block does in front of `before`, visited; what it yields.
  FailureOr<SmallVector<Value>> copy(Block &block, ValueRange arguments,
                                     Operation *before) {
    IRMapping mapping;
    mapping.map(block.getArguments(), arguments);
    Operation *last = before->getPrevNode();
    rewriter.setInsertionPoint(before);
    for (Operation &op : block)
      rewriter.clone(op, mapping);
    // The yield shows what has become of its operands.
    Operation *yield = before->getPrevNode();
    Operation *first =
        last ? last->getNextNode() : &before->getBlock()->front();
    LogicalResult result = run(first, yield);
    SmallVector<Value> yielded(yield->getOperands());
    yield->erase();
    if (failed(result))
      return failure();
    return yielded;
  }

  LogicalResult flatten(CondOp op) {
    if (!isStatic(op.getResultTypes()))
      return success();
    Replacer r(rewriter, op);
    if (std::optional<bool> known = knownBool(op.getPred())) {
      Region &region = *known ? op.getTrueBlock() : op.getFalseBlock();
      FailureOr<SmallVector<Value>> values = copy(region.front(), {}, op);
      if (failed(values))
        return failure();
      ++numConds;
      return r.replace(*values);
    }
    Operation *last = op->getPrevNode();
    Value pred = scalarOf(op.getPred());
    auto yes = copyWhere(pred, op.getTrueBlock().front(), op);
    rewriter.setInsertionPoint(op);
    bool writes = llvm::any_of(op.getFalseBlock().front(), writesState);
    auto no = copyWhere(writes ? r.unary<LogicalNotOp>(pred) : Value(),
                        op.getFalseBlock().front(), op);
    if (failed(yes) || failed(no))
      return failure();
    // What a loop that stays writes cannot be chosen, so the branch stays, too.
    for (Operation *made = op->getPrevNode(); made != last;
         made = made->getPrevNode())
      if (writesInBlocks(*made)) {
        eraseBehind(last, op);
        return success();
      }
    rewriter.setInsertionPoint(op);
    SmallVector<Value> chosen;
    for (auto [a, b] : llvm::zip_equal(*yes, *no))
      chosen.push_back(select(pred, a, b));
    ++numConds;
    return r.replace(chosen);
  }

  /// Erases the ops behind `last`, or from the first one of the block on where
  /// that is null, up to before `end`.
  static void eraseBehind(Operation *last, Operation *end) {
    while (end->getPrevNode() != last)
      end->getPrevNode()->erase();
  }

  static bool writesState(Operation &op) {
    return op
        .walk([](Operation *inner) {
          return isa<WriteStateOp, CoremlUpdateStateOp>(inner)
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  static bool writesInBlocks(Operation &op) {
    return op.getNumRegions() > 0 && writesState(op);
  }

  Value select(Value pred, Value a, Value b) {
    return SelectOp::create(rewriter, a.getLoc(), a.getType(), pred, a, b);
  }

  /// A copy of a block of which `pred` says whether it runs: elsewhere states
  /// are written with what they have.
  FailureOr<SmallVector<Value>> copyWhere(Value pred, Block &block,
                                          Operation *before) {
    Operation *last = before->getPrevNode();
    FailureOr<SmallVector<Value>> yielded = copy(block, {}, before);
    if (failed(yielded))
      return failure();
    for (Operation *op = before->getPrevNode(); op != last;
         op = op->getPrevNode()) {
      if (!writesState(*op) || writesInBlocks(*op))
        continue;
      OpOperand &state = op->getOpOperand(0), &data = op->getOpOperand(1);
      rewriter.setInsertionPoint(op);
      Value held = ReadStateOp::create(rewriter, op->getLoc(),
                                       data.get().getType(), state.get());
      data.set(select(pred, data.get(), held));
    }
    return yielded;
  }

  /// A bool of rank 0, which broadcasts with everything.
  Value scalarOf(Value pred) {
    auto type = cast<RankedTensorType>(pred.getType());
    if (type.getRank() == 0)
      return pred;
    return SqueezeOp::create(rewriter, pred.getLoc(),
                             type.clone(ArrayRef<int64_t>()), pred,
                             /*axes=*/Value());
  }

  /// All turns, if each condition is known; else the loop stays as it is.
  LogicalResult unroll(WhileLoopOp op) {
    if (!isStatic(op.getResultTypes()))
      return success();
    Operation *before = op->getPrevNode();
    SmallVector<Value> variables(op.getLoopVars());
    // Those of loops in it are written out as often.
    if (depth == 0)
      turns = 0;
    llvm::SaveAndRestore deeper(depth, depth + 1);
    for (int64_t turn = 0;; ++turn, ++turns) {
      FailureOr<SmallVector<Value>> condition =
          copy(op.getCondition().front(), variables, op);
      if (failed(condition))
        return failure();
      std::optional<bool> goesOn = knownBool(condition->front());
      if (goesOn == false) {
        numTurns += turn;
        return Replacer(rewriter, op).replace(variables);
      }
      if (!goesOn || turns >= limit) {
        eraseBehind(before, op);
        if (goesOn)
          op->setAttr(MILDialect::unrollLimitAttrName,
                      rewriter.getI64IntegerAttr(limit));
        return success();
      }
      FailureOr<SmallVector<Value>> next =
          copy(op.getBody().front(), variables, op);
      if (failed(next))
        return failure();
      variables = std::move(*next);
    }
  }

  PatternRewriter rewriter;
  ConstantFolder folder;
  int64_t limit;
  /// Of the loops that are being written out, one in the other.
  unsigned depth = 0;
  int64_t turns = 0;
};

class FlattenBlocks : public mil::impl::FlattenBlocksBase<FlattenBlocks> {
public:
  using FlattenBlocksBase::FlattenBlocksBase;

  void runOnOperation() override {
    if (!getAnalysis<Inventory>().hasAny<CondOp, WhileLoopOp>())
      return markAllAnalysesPreserved();
    Flattener flattener(&getContext(), unrollLimit);
    Block &body = getOperation().getBody().front();
    if (failed(flattener.run(&body.front(), body.getTerminator())))
      return signalPassFailure();
    numConds += flattener.numConds;
    numTurns += flattener.numTurns;
  }
};

} // namespace
