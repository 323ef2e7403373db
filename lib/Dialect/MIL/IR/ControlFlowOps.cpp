//===- ControlFlowOps.cpp - Choice between values or blocks ---------------===//

#include "Inference.h"

using namespace mlir;
using namespace ane::mil;

LogicalResult SelectOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto cond = tensorType(getCond());
  auto a = tensorType(getA()), b = tensorType(getB());
  if (!cond || !a || !b)
    return keepDeclared(*this, types);
  FailureOr<SmallVector<int64_t>> values =
      broadcast(*this, a.getShape(), b.getShape());
  if (failed(values))
    return failure();
  FailureOr<SmallVector<int64_t>> shape =
      broadcast(*this, cond.getShape(), *values);
  if (failed(shape))
    return failure();
  types.push_back(a.clone(*shape));
  return success();
}

#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILControlFlowOps.cpp.inc"

void MILDialect::registerControlFlowOps() {
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/MIL/IR/MILControlFlowOps.cpp.inc"
      >();
}
