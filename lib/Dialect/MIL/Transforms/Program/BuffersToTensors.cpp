//===- BuffersToTensors.cpp - Stated layouts as attributes of ports -------===//

#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Support/Inventory.h"

namespace ane::mil {
#define GEN_PASS_DEF_BUFFERSTOTENSORS
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

class BuffersToTensors
    : public mil::impl::BuffersToTensorsBase<BuffersToTensors> {
public:
  void runOnOperation() override {
    const auto &inventory = getAnalysis<Inventory>();
    if (!inventory.hasAny<TensorBufferToTensorOp, TensorToTensorBufferOp>() &&
        llvm::none_of(inventory.getTypes(), getBufferLayout))
      return markAllAnalysesPreserved();

    FuncOp func = getOperation();
    Block &body = func.getBody().front();
    SmallVector<Operation *> ops;
    func.walk([&](Operation *op) {
      if (isa<TensorBufferToTensorOp, TensorToTensorBufferOp>(op))
        ops.push_back(op);
    });
    for (auto [index, value] :
         llvm::enumerate(body.getTerminator()->getOperands()))
      if (BufferLayoutAttr layout = getBufferLayout(value.getType())) {
        func.setResultAttr(index, MILDialect::layoutAttrName, layout);
        ++numBuffers;
      }
    for (BlockArgument argument : body.getArguments())
      if (BufferLayoutAttr layout = getBufferLayout(argument.getType())) {
        func.setArgAttr(argument.getArgNumber(), MILDialect::layoutAttrName,
                        layout);
        argument.setType(
            withoutLayout(cast<RankedTensorType>(argument.getType())));
        ++numBuffers;
      }
    for (Operation *op : ops)
      replace(op);
    func.updateFunctionType();
  }

private:
  static void replace(Operation *op) {
    // Who made the input, or what it is, decides more than one that hands it
    // on.
    Value input = op->getOperand(0), result = op->getResult(0);
    result.replaceUsesWithIf(
        input, [](OpOperand &use) { return !isa<ReturnOp>(use.getOwner()); });
    // An output has the name of the op.
    if (!result.use_empty()) {
      OpBuilder builder(op);
      Value value = IdentityOp::create(
          builder, op->getLoc(),
          withoutLayout(cast<RankedTensorType>(result.getType())), input,
          getLabel(op), getResultNames(op));
      result.replaceAllUsesWith(value);
    }
    op->erase();
  }
};

} // namespace
