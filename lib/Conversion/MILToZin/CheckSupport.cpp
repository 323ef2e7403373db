//===- CheckSupport.cpp - What the target can run -------------------------===//

#include "CheckSupport.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <climits>

using namespace mlir;
using namespace ane;
using namespace ane::lowering;
using mil::refuse;

namespace {

bool isConstant(Value value) { return bool(mil::getConstantElements(value)); }

/// Whether a constant has its elements: they can lie in a weight file that
/// nobody loaded, or be left out of the text of the IR.
bool isAtHand(mil::ConstOp op) {
  auto elements = dyn_cast<ElementsAttr>(op.getValue());
  auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(elements);
  if (!resource)
    return bool(elements);
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob || !isa<FloatType>(elements.getElementType()))
    return bool(blob);
  uint64_t bits = uint64_t(elements.getNumElements()) *
                  elements.getElementType().getIntOrFloatBitWidth();
  return blob->getData().size() == bits / CHAR_BIT;
}

} // namespace

LogicalResult SupportChecker::check(mil::FuncOp func) {
  // Values that were refused. What is computed from them is not looked at:
  // one mistake gets one report.
  llvm::DenseSet<Value> refused;
  for (BlockArgument argument : func.getArguments())
    if (failed(checkType(
            func,
            "input '" + func.getParameterName(argument.getArgNumber()) + "'",
            argument.getType())))
      refused.insert(argument);
  bool legal = refused.empty();
  for (Operation &op : func.getBody().front()) {
    bool follows = llvm::any_of(op.getOperands(), [&](Value operand) {
      return refused.contains(operand);
    });
    if (!follows && succeeded(check(&op)))
      continue;
    legal = false;
    refused.insert_range(op.getResults());
  }
  return success(legal);
}

LogicalResult SupportChecker::check(Operation *op) {
  // A constant is looked at where it is used.
  if (isa<mil::ConstOp>(op))
    return success();
  if (!lowered.contains(op->getName()))
    return refuse(op, id("op-c1"),
                  "no layer of the engine expresses this op; write it with "
                  "others, or leave it outside the program");
  if (auto result = dyn_cast<mil::ReturnOp>(op))
    for (auto [index, operand] : llvm::enumerate(result.getOperands()))
      if (failed(checkType(
              op,
              "output '" +
                  result->getParentOfType<mil::FuncOp>().getOutputName(index) +
                  "'",
              operand.getType())))
        return failure();
  for (Type type : op->getResultTypes())
    if (failed(checkType(op, "the result", type)))
      return failure();
  if (failed(checkConstants(op)))
    return failure();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<mil::ConvOp, mil::ConvTransposeOp, mil::MaxPoolOp, mil::AvgPoolOp,
            mil::CastOp, mil::BatchNormOp, mil::SliceByIndexOp,
            mil::SliceBySizeOp, mil::GatherOp, mil::TileOp, mil::PadOp,
            mil::ReshapeOp>([&](auto typed) { return checkOp(typed); })
      .Default(success());
}

LogicalResult SupportChecker::checkType(Operation *op, const Twine &what,
                                        Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  Type element = tensor ? tensor.getElementType() : Type();
  if (!element ||
      (!element.isF16() && !element.isF32() && !element.isInteger(1)))
    return refuse(op, id("type-c1"),
                  what + " is " + mil::formatType(type) +
                      "; the engine computes on tensors of fp16, which "
                      "fp16, fp32 and bool values become");
  if (!tensor.hasStaticShape())
    return refuse(op, id("shape-c4"),
                  what + " is " + mil::formatType(type) +
                      "; every dimension must be known: bind the inputs with "
                      "--shape");
  if (tensor.getRank() > target.maxRank)
    return refuse(op, id("shape-c1"),
                  what + " has rank " + Twine(tensor.getRank()) +
                      "; the engine has " + Twine(target.maxRank) +
                      " dimensions");
  Shape5 shape = alignShape(tensor.getShape(), tensor.getRank());
  const int64_t limits[] = {target.maxBatch, target.maxDepth,
                            target.maxChannels, target.maxHeight,
                            target.maxWidth};
  for (unsigned dim = 0; dim < zin::numDims; ++dim) {
    if (shape[dim] == 0)
      return refuse(op, id("shape-c2"),
                    what + " is " + mil::formatType(type) +
                        "; a dimension of extent 0 has nothing to compute");
    if (shape[dim] > limits[dim])
      return refuse(op, id("shape-c3"),
                    what + " is " + mil::formatType(type) + "; its dimension " +
                        zin::stringifyDim(dim) + " is " + Twine(shape[dim]) +
                        ", the limit " + Twine(limits[dim]) +
                        "; reshape it or split the tensor");
  }
  return success();
}

LogicalResult SupportChecker::requireConstant(Operation *op, Value value,
                                              StringRef name) {
  if (!value || isConstant(value))
    return success();
  return refuse(op, id("const-c2"),
                "'" + name +
                    "' is not a constant; it must be known at compile time");
}

LogicalResult
SupportChecker::requireConstants(Operation *op,
                                 ArrayRef<std::pair<StringRef, Value>> inputs) {
  for (auto [name, value] : inputs)
    if (failed(requireConstant(op, value, name)))
      return failure();
  return success();
}

LogicalResult SupportChecker::requireHalf(Operation *op, StringRef what,
                                          std::optional<double> tooLarge) {
  if (!tooLarge)
    return success();
  return refuse(op, id("const-c1"),
                what + llvm::formatv(" is {0:e6}, beyond 65504, the largest "
                                     "fp16; the engine has nothing wider",
                                     *tooLarge)
                           .str());
}

LogicalResult SupportChecker::checkConstants(Operation *op) {
  for (Value operand : op->getOperands())
    if (auto constant = operand.getDefiningOp<mil::ConstOp>();
        constant && !isAtHand(constant))
      return refuse(op, id("const-c2"),
                    "the elements of a constant operand are not at hand; run "
                    "the pass mil-load-weights first, and do not elide "
                    "constants");
  if (auto milOp = dyn_cast<mil::MILOp>(op))
    for (auto [index, arg] : llvm::enumerate(milOp.getOpSpec().args))
      for (Value value : milOp.getInput(index))
        if (arg.isConstantIn(mil::getOpset(op)) &&
            failed(requireConstant(op, value, arg.name)))
          return failure();
  // A bound that is infinite in fp16 is none.
  if (isa<mil::ClipOp>(op))
    return success();
  for (Value operand : op->getOperands())
    if (failed(requireHalf(op, "an element of a constant operand",
                           findHalfOverflow(operand))))
      return failure();
  return success();
}

LogicalResult ane::checkMILSupport(ModuleOp program,
                                   const TargetDescription &target) {
  SupportChecker checker(program.getContext(), target);
  bool legal = true;
  for (auto func : program.getOps<mil::FuncOp>())
    legal &= succeeded(checker.check(func));
  return success(legal);
}
