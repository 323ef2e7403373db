//===- ConstantFolder.cpp - Constants in the place of ops -----------------===//

#include "Constants/ConstantFolder.h"
#include "Constants/StoredElements.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/Transforms/FoldLimits.h"
#include "ane/Reference/Conversions.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"
#include <climits>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// The bytes that a tensor of numbers takes as a constant.
uint64_t constantSize(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() ||
      !tensor.getElementType().isIntOrFloat())
    return 0;
  return llvm::divideCeil(uint64_t(tensor.getNumElements()) *
                              tensor.getElementTypeBitWidth(),
                          CHAR_BIT);
}

/// Whether an op asks nothing of an input but its shape, which is known.
bool isShapeAlone(OpOperand &operand) {
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  return type && type.hasStaticShape() && operand.getOperandNumber() == 0 &&
         isa<ShapeOp, FillLikeOp>(operand.getOwner());
}

/// The extents of a tensor whose elements nobody needs, so there may be too
/// many of them.
ElementsAttr extentsOf(ShapeOp op) {
  auto shape = cast<RankedTensorType>(op.getX().getType()).getShape();
  return DenseElementsAttr::get(cast<RankedTensorType>(op.getType()),
                                ArrayRef(llvm::to_vector_of<int32_t>(shape)));
}

} // namespace

bool ConstantFolder::canFold(Operation *op) const {
  auto isKnown = [&](OpOperand &operand) {
    Value value = operand.get();
    if (getConstantElements(value) || isShapeAlone(operand))
      return true;
    return isConstexpr(op) && !value.getDefiningOp<ConstOp>() &&
           constants.has(value);
  };
  // Operands first, of which most ops have one that is not known. No constant
  // is a buffer.
  return llvm::all_of(op->getOpOperands(), isKnown) && isa<MILOp>(op) &&
         !isa<TensorToTensorBufferOp>(op) && op->getNumResults() > 0 &&
         isMemoryEffectFree(op) &&
         (isa<ShapeOp>(op) || reference::canEvaluate(op)) &&
         !isTooLargeToFold(op) && !isTooMuchToFold(op);
}

uint64_t ConstantFolder::resultBytes(Operation *op) {
  uint64_t bytes = 0;
  for (Type type : op->getResultTypes())
    bytes += constantSize(type);
  return bytes;
}

uint64_t ConstantFolder::constantBytes(Operation *op) {
  uint64_t bytes = 0;
  for (Value operand : op->getOperands())
    if (operand.getDefiningOp<ConstOp>())
      bytes += constantSize(operand.getType());
  return bytes;
}

LogicalResult ConstantFolder::fold(Operation *op) {
  FailureOr<SmallVector<ElementsAttr>> elements = elementsOf(op);
  if (failed(elements))
    return failure();
  OpBuilder builder(op);
  for (auto [index, result] : llvm::enumerate(op->getResults())) {
    std::optional<StringRef> label = getLabel(op);
    StringRef name = getResultName(result);
    SmallVector<std::string, 1> names;
    if (!name.empty() && name != label)
      names.push_back(name.str());
    auto constant =
        ConstOp::create(builder, op->getLoc(), result.getType(),
                        (*elements)[index], label, names, /*text_attrs=*/{});
    result.replaceAllUsesWith(constant.getResult());
  }
  constants.clear();
  return success();
}

FailureOr<bool> ConstantFolder::foldIfSmall(Operation *op) {
  constexpr uint64_t mostBytes = 1 << 10;
  if (isConstexpr(op) || !canFold(op) || resultBytes(op) > mostBytes)
    return false;
  if (failed(fold(op)))
    return failure();
  return true;
}

FailureOr<SmallVector<ElementsAttr>> ConstantFolder::elementsOf(Operation *op) {
  if (auto shape = dyn_cast<ShapeOp>(op))
    return SmallVector<ElementsAttr>{extentsOf(shape)};
  if (auto moved = foldMove(op))
    return *moved;
  if (auto weight = foldWeight(op))
    return *weight;
  FailureOr<SmallVector<reference::Tensor>> results = evaluate(op);
  if (failed(results))
    return failure();
  return llvm::map_to_vector(*results, [](const reference::Tensor &result) {
    return reference::toElementsAttr(result, "folded");
  });
}

FailureOr<SmallVector<reference::Tensor>>
ConstantFolder::evaluate(Operation *op) {
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
