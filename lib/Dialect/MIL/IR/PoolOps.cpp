//===- PoolOps.cpp - Pooling ----------------------------------------------===//

#include "Inference.h"
#include "ane/Dialect/MIL/IR/Window.h"

using namespace mlir;
using namespace ane::mil;

namespace {

template <typename PoolOp>
LogicalResult inferPool(PoolOp op, SmallVectorImpl<Type> &types) {
  FailureOr<Window> window = getWindow(op);
  if (failed(window))
    return failure();
  types.push_back(windowResultType(
      op.getX(), tensorType(op.getX()).getDimSize(1), *window));
  return success();
}

} // namespace

LogicalResult MaxPoolOp::inferTypes(SmallVectorImpl<Type> &types) {
  return inferPool(*this, types);
}
LogicalResult AvgPoolOp::inferTypes(SmallVectorImpl<Type> &types) {
  return inferPool(*this, types);
}
LogicalResult L2PoolOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  if (x && x.getRank() == 5)
    return refuse(*this, "mil-l2_pool-c1",
                  "'x' is " + formatType(x) +
                      "; it must have one or two spatial dimensions");
  return inferPool(*this, types);
}

#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILPoolOps.cpp.inc"

void MILDialect::registerPoolOps() {
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/MIL/IR/MILPoolOps.cpp.inc"
      >();
}
