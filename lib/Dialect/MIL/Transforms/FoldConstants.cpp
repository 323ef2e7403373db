//===- FoldConstants.cpp - Evaluate ops on constants ----------------------===//

#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Reference/Conversions.h"
#include "ane/Reference/Interpreter.h"
#include "mlir/IR/Builders.h"

namespace ane::mil {
#define GEN_PASS_DEF_FOLDCONSTANTS
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

class FoldConstants : public mil::impl::FoldConstantsBase<FoldConstants> {
public:
  void runOnOperation() override {
    for (Operation &op :
         llvm::make_early_inc_range(getOperation().getBody().front())) {
      if (!isFoldable(&op))
        continue;
      if (failed(fold(&op)))
        return signalPassFailure();
    }
  }

private:
  static bool isFoldable(Operation *op) {
    return isa<MILOp>(op) && op->getNumResults() == 1 &&
           llvm::all_of(
               op->getOperands(),
               [](Value value) { return bool(getConstantElements(value)); }) &&
           reference::canEvaluate(op);
  }

  LogicalResult fold(Operation *op) {
    SmallVector<reference::Tensor> storage;
    storage.reserve(op->getNumOperands());
    SmallVector<const reference::Tensor *> operands;
    for (Value value : op->getOperands()) {
      auto type = cast<RankedTensorType>(value.getType());
      if (isa<StringType>(type.getElementType())) {
        operands.push_back(nullptr);
        continue;
      }
      FailureOr<reference::Tensor> tensor =
          reference::readConstant(value.getDefiningOp<ConstOp>());
      if (failed(tensor))
        return failure();
      operands.push_back(&storage.emplace_back(std::move(*tensor)));
    }
    FailureOr<SmallVector<reference::Tensor>> results =
        reference::evaluateOp(op, operands);
    if (failed(results))
      return failure();
    OpBuilder builder(op);
    auto constant = ConstOp::create(
        builder, op->getLoc(), op->getResult(0).getType(),
        reference::toElementsAttr(results->front(), "folded"),
        op->getAttrOfType<StringAttr>("label"),
        op->getAttrOfType<ArrayAttr>("result_names"), /*text_attrs=*/nullptr);
    op->replaceAllUsesWith(constant->getResults());
    op->erase();
    ++numFolded;
    return success();
  }
};

} // namespace
