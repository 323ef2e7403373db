//===- UnaryOps.cpp - Functions of one element ----------------------------===//

#include "ShapeParams.h"

using namespace mlir;
using namespace ane::mil;

/// The type of an op with an `epsilon`.
template <typename Op>
static LogicalResult inferWithEpsilon(Op op, SmallVectorImpl<Type> &types) {
  if (failed(requireScalar(op, op.getEpsilon(), "epsilon")))
    return failure();
  return sameTypeAs(op.getX(), types);
}

LogicalResult ThresholdOp::inferTypes(SmallVectorImpl<Type> &types) {
  if (failed(requireScalar(*this, getAlpha(), "alpha")))
    return failure();
  return sameTypeAs(getX(), types);
}

#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILUnaryOps.cpp.inc"

void MILDialect::registerUnaryOps() {
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/MIL/IR/MILUnaryOps.cpp.inc"
      >();
}
