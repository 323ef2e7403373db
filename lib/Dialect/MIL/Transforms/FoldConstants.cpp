//===- FoldConstants.cpp - Evaluate ops on constants ----------------------===//

#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Reference/Conversions.h"
#include "ane/Reference/Interpreter.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

namespace ane::mil {
#define GEN_PASS_DEF_FOLDCONSTANTS
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// The bytes that a tensor of numbers takes as a constant.
uint64_t byteSize(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() ||
      !tensor.getElementType().isIntOrFloat())
    return 0;
  constexpr uint64_t bitsPerByte = 8;
  return llvm::divideCeil(uint64_t(tensor.getNumElements()) *
                              tensor.getElementTypeBitWidth(),
                          bitsPerByte);
}

class FoldConstants : public mil::impl::FoldConstantsBase<FoldConstants> {
public:
  using FoldConstantsBase::FoldConstantsBase;

  void runOnOperation() override {
    reference::ConstantValues constants;
    Block &body = getOperation().getBody().front();
    for (Operation &op : llvm::make_early_inc_range(body)) {
      if (!isConstantOp(&op, constants))
        continue;
      bool isStorage = constants.defer(&op);
      if (!isSmallEnough(&op) || (isStorage && !isRead(&op)))
        continue;
      if (failed(fold(&op, constants)))
        return signalPassFailure();
      if (!isStorage)
        op.erase();
    }
    // What is stored some way and was folded has no reader any more, nor has
    // what it was made from.
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
      if (isConstexpr(&op) && op.use_empty())
        op.erase();
  }

private:
  /// Whether an op computes tensors from values that are at hand.
  static bool isConstantOp(Operation *op,
                           const reference::ConstantValues &constants) {
    return isa<MILOp>(op) && op->getNumResults() > 0 &&
           isMemoryEffectFree(op) && reference::canEvaluate(op) &&
           llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
             Value value = operand.get();
             if (getConstantElements(value) || isShapeAlone(operand))
               return true;
             return isConstexpr(op) && !value.getDefiningOp<ConstOp>() &&
                    constants.has(value);
           });
  }

  /// Whether an op asks nothing of an input but its shape, which is known.
  static bool isShapeAlone(OpOperand &operand) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    return type && type.hasStaticShape() && operand.getOperandNumber() == 0 &&
           isa<ShapeOp, FillLikeOp>(operand.getOwner());
  }

  bool isSmallEnough(Operation *op) const {
    uint64_t made = 0, given = 0;
    for (Type type : op->getResultTypes())
      made += byteSize(type);
    for (Value operand : op->getOperands())
      if (operand.getDefiningOp<ConstOp>())
        given += byteSize(operand.getType());
    return made <= limit || made <= given;
  }

  /// Whether an op needs the elements of a weight.
  static bool isRead(Operation *op) {
    return !llvm::all_of(op->getUsers(), isConstexpr);
  }

  LogicalResult fold(Operation *op, reference::ConstantValues &constants) {
    FailureOr<SmallVector<reference::Tensor>> results = evaluate(op, constants);
    if (failed(results))
      return failure();
    OpBuilder builder(op);
    for (auto [index, result] : llvm::enumerate(op->getResults())) {
      auto label = op->getAttrOfType<StringAttr>("label");
      StringAttr name = getResultName(result);
      auto constant = ConstOp::create(
          builder, op->getLoc(), result.getType(),
          reference::toElementsAttr((*results)[index], "folded"), label,
          name && name != label ? builder.getArrayAttr(name) : ArrayAttr(),
          /*text_attrs=*/nullptr);
      result.replaceAllUsesWith(constant.getResult());
    }
    rememberStorage(op);
    constants.clear();
    ++numFolded;
    return success();
  }

  /// What is folded no longer says how it was stored.
  void rememberStorage(Operation *op) {
    auto note = [&](StringRef attribute) {
      getOperation()->setAttr(attribute, UnitAttr::get(&getContext()));
    };
    if (isa<ConstexprLutToDenseOp, ConstexprLutToSparseOp>(op))
      note(MILDialect::palettizedAttrName);
    if (isa<ConstexprSparseToDenseOp>(op))
      note(MILDialect::sparseAttrName);
  }

  static FailureOr<SmallVector<reference::Tensor>>
  evaluate(Operation *op, reference::ConstantValues &constants) {
    SmallVector<const reference::Tensor *> operands;
    std::optional<reference::Tensor> shapeAlone;
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      auto type = cast<RankedTensorType>(value.getType());
      if (isShapeAlone(operand)) {
        operands.push_back(&shapeAlone.emplace(type));
        continue;
      }
      if (isa<StringType>(type.getElementType())) {
        operands.push_back(nullptr);
        continue;
      }
      FailureOr<const reference::Tensor *> tensor = constants.get(value);
      if (failed(tensor))
        return failure();
      operands.push_back(*tensor);
    }
    return reference::evaluateOp(op, operands);
  }
};

} // namespace
