//===- StateOps.cpp - Buffers that outlive a run --------------------------===//

#include "Inference.h"

using namespace mlir;
using namespace ane::mil;

namespace {

/// The tensor type of a state. Constraint `mil-state-c1`.
FailureOr<RankedTensorType> contentType(Operation *op, Value state) {
  auto type = cast<StateType>(state.getType());
  if (auto tensor = dyn_cast<RankedTensorType>(type.getTensorType()))
    return tensor;
  return refuse(op, "mil-state-c1",
                "the state is " + formatType(type) +
                    "; a state must hold a tensor");
}

/// Constraint `mil-state-c2`.
FailureOr<RankedTensorType> checkWrite(Operation *op, Value state,
                                       Value value) {
  FailureOr<RankedTensorType> content = contentType(op, state);
  if (failed(content))
    return failure();
  auto written = tensorType(value);
  if (!written || written.getElementType() != content->getElementType() ||
      failed(verifyCompatibleShape(written, *content)))
    return refuse(op, "mil-state-c2",
                  formatType(value.getType()) + " cannot go into " +
                      formatType(state.getType()) +
                      "; cast or reshape it to the type of the state");
  return content;
}

} // namespace

LogicalResult ReadStateOp::inferTypes(SmallVectorImpl<Type> &types) {
  FailureOr<RankedTensorType> content = contentType(*this, getInput());
  if (failed(content))
    return failure();
  types.push_back(*content);
  return success();
}

LogicalResult WriteStateOp::inferTypes(SmallVectorImpl<Type> &) {
  return checkWrite(*this, getInput(), getData());
}

LogicalResult CoremlUpdateStateOp::inferTypes(SmallVectorImpl<Type> &types) {
  FailureOr<RankedTensorType> content =
      checkWrite(*this, getState(), getValue());
  if (failed(content))
    return failure();
  types.push_back(*content);
  return success();
}

#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILStateOps.cpp.inc"

void MILDialect::registerStateOps() {
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/MIL/IR/MILStateOps.cpp.inc"
      >();
}
