//===- StatesToValues.cpp - States as inputs and outputs ------------------===//

#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"

namespace ane::mil {
#define GEN_PASS_DEF_STATESTOVALUES
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

class StatesToValues : public mil::impl::StatesToValuesBase<StatesToValues> {
public:
  void runOnOperation() override {
    FuncOp func = getOperation();
    Block &body = func.getBody().front();
    contents.clear();
    for (BlockArgument argument : body.getArguments())
      if (auto state = dyn_cast<StateType>(argument.getType()))
        if (isa<RankedTensorType>(state.getTensorType()) &&
            llvm::all_of(argument.getUsers(),
                         [&](Operation *user) { return isAccess(user); }))
          contents[argument] = {argument, false};
    if (contents.empty())
      return markAllAnalysesPreserved();

    for (auto &[argument, content] : contents) {
      argument.setType(cast<StateType>(argument.getType()).getTensorType());
      func.setArgAttr(cast<BlockArgument>(argument).getArgNumber(),
                      MILDialect::stateAttrName,
                      UnitAttr::get(func.getContext()));
    }
    for (Operation &op : llvm::make_early_inc_range(body))
      replace(&op);

    Operation *terminator = body.getTerminator();
    OpBuilder builder(terminator);
    for (auto &[argument, content] : contents) {
      if (!content.isWritten)
        continue;
      unsigned index = cast<BlockArgument>(argument).getArgNumber();
      Value output = IdentityOp::create(
          builder, argument.getLoc(), argument.getType(), content.value,
          func.getParameterName(index), /*result_names=*/{});
      terminator->insertOperands(terminator->getNumOperands(), output);
    }
    func.updateFunctionType();
    numStates += contents.size();
  }

private:
  /// What a state holds at a place in the function.
  struct Content {
    Value value;
    bool isWritten = false;
  };

  /// Whether an op of the function's own block reads or writes a state. What
  /// happens in a branch is no value of the function.
  bool isAccess(Operation *op) {
    return isa<ReadStateOp, WriteStateOp, CoremlUpdateStateOp>(op) &&
           op->getParentOp() == getOperation();
  }

  void replace(Operation *op) {
    if (!isAccess(op))
      return;
    auto *found = contents.find(op->getOperand(0));
    if (found == contents.end())
      return;
    Content &content = found->second;
    if (op->getNumOperands() > 1)
      content = {op->getOperand(1), true};
    if (op->getNumResults() == 1)
      replaceRead(op, content.value);
    op->erase();
  }

  /// An output has the reader's name. An op for others would be a copy where
  /// the program is cut between the two.
  void replaceRead(Operation *op, Value content) {
    Value result = op->getResult(0);
    result.replaceUsesWithIf(content, [](OpOperand &use) {
      return !isa<mil::ReturnOp>(use.getOwner());
    });
    if (result.use_empty())
      return;
    OpBuilder builder(op);
    result.replaceAllUsesWith(
        IdentityOp::create(builder, op->getLoc(), result.getType(), content,
                           getLabel(op), getResultNames(op)));
  }

  llvm::MapVector<Value, Content> contents;
};

} // namespace
