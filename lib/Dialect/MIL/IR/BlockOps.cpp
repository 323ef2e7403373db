//===- BlockOps.cpp - Control flow over blocks ----------------------------===//

#include "Inference.h"

using namespace mlir;
using namespace ane::mil;

namespace {

/// What a region yields; the verifier of the block has seen that it ends in a
/// terminator, which may be another one.
std::optional<TypeRange> yieldedTypes(Region &region) {
  auto yield = dyn_cast<YieldOp>(region.front().getTerminator());
  if (!yield)
    return std::nullopt;
  return TypeRange(yield.getOperandTypes());
}

/// Whether values of one list of types may go where the other is declared: the
/// known extents agree.
bool agree(TypeRange a, TypeRange b) {
  return llvm::all_of_zip(a, b, areCompatible);
}

bool isOneBool(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getElementType().isSignlessInteger(1) &&
         tensor.hasStaticShape() && llvm::all_equal(tensor.getShape()) &&
         (tensor.getRank() == 0 || tensor.getDimSize(0) == 1);
}

} // namespace

LogicalResult CondOp::verifyRegions() {
  if (failed(verifyNoBuffers(*this)))
    return failure();
  if (!isOneBool(getPred().getType()))
    return refuse(*this, "mil-cond-c1",
                  "'pred' is " + formatType(getPred().getType()) +
                      "; it must be one bool");
  for (Region *block : {&getTrueBlock(), &getFalseBlock()}) {
    std::optional<TypeRange> types = yieldedTypes(*block);
    if (!types || !agree(*types, getResultTypes()))
      return refuse(
          *this, "mil-cond-c2",
          "a block does not yield values of the result types; both must");
  }
  return success();
}

LogicalResult WhileLoopOp::verifyRegions() {
  if (failed(verifyNoBuffers(*this)))
    return failure();
  std::optional<TypeRange> condition = yieldedTypes(getCondition());
  if (!condition || condition->size() != 1 || !isOneBool(condition->front()))
    return refuse(*this, "mil-while_loop-c1",
                  "the condition must yield one bool");
  TypeRange variables = getLoopVars().getTypes();
  std::optional<TypeRange> next = yieldedTypes(getBody());
  if (!agree(variables, getResultTypes()) ||
      !agree(variables, getCondition().getArgumentTypes()) ||
      !agree(variables, getBody().getArgumentTypes()) || !next ||
      !agree(*next, getBody().getArgumentTypes()))
    return refuse(*this, "mil-while_loop-c2",
                  "the " + Twine(getLoopVars().size()) +
                      " loop variables must be what both blocks take, what "
                      "the body yields and the results, with their types");
  return success();
}
