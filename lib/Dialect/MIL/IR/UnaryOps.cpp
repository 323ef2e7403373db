//===- UnaryOps.cpp - Functions of one element ----------------------------===//

#include "ShapeParams.h"

using namespace mlir;
using namespace ane::mil;

LogicalResult AbsOp::inferTypes(SmallVectorImpl<Type> &types) {
  return sameTypeAs(getX(), types);
}
LogicalResult AcosOp::inferTypes(SmallVectorImpl<Type> &types) {
  return sameTypeAs(getX(), types);
}
LogicalResult AsinOp::inferTypes(SmallVectorImpl<Type> &types) {
  return sameTypeAs(getX(), types);
}
LogicalResult AtanOp::inferTypes(SmallVectorImpl<Type> &types) {
  return sameTypeAs(getX(), types);
}
LogicalResult AtanhOp::inferTypes(SmallVectorImpl<Type> &types) {
  return sameTypeAs(getX(), types);
}
LogicalResult CeilOp::inferTypes(SmallVectorImpl<Type> &types) {
  return sameTypeAs(getX(), types);
}
LogicalResult CosOp::inferTypes(SmallVectorImpl<Type> &types) {
  return sameTypeAs(getX(), types);
}
LogicalResult CoshOp::inferTypes(SmallVectorImpl<Type> &types) {
  return sameTypeAs(getX(), types);
}
LogicalResult ErfOp::inferTypes(SmallVectorImpl<Type> &types) {
  return sameTypeAs(getX(), types);
}
LogicalResult ExpOp::inferTypes(SmallVectorImpl<Type> &types) {
  return sameTypeAs(getX(), types);
}
LogicalResult Exp2Op::inferTypes(SmallVectorImpl<Type> &types) {
  return sameTypeAs(getX(), types);
}
LogicalResult FloorOp::inferTypes(SmallVectorImpl<Type> &types) {
  return sameTypeAs(getX(), types);
}
LogicalResult InverseOp::inferTypes(SmallVectorImpl<Type> &types) {
  if (failed(requireScalar(*this, getEpsilon(), "epsilon")))
    return failure();
  return sameTypeAs(getX(), types);
}
LogicalResult LogOp::inferTypes(SmallVectorImpl<Type> &types) {
  if (failed(requireScalar(*this, getEpsilon(), "epsilon")))
    return failure();
  return sameTypeAs(getX(), types);
}
LogicalResult LogicalNotOp::inferTypes(SmallVectorImpl<Type> &types) {
  return sameTypeAs(getX(), types);
}
LogicalResult RoundOp::inferTypes(SmallVectorImpl<Type> &types) {
  return sameTypeAs(getX(), types);
}
LogicalResult RsqrtOp::inferTypes(SmallVectorImpl<Type> &types) {
  if (failed(requireScalar(*this, getEpsilon(), "epsilon")))
    return failure();
  return sameTypeAs(getX(), types);
}
LogicalResult SignOp::inferTypes(SmallVectorImpl<Type> &types) {
  return sameTypeAs(getX(), types);
}
LogicalResult SinOp::inferTypes(SmallVectorImpl<Type> &types) {
  return sameTypeAs(getX(), types);
}
LogicalResult SinhOp::inferTypes(SmallVectorImpl<Type> &types) {
  return sameTypeAs(getX(), types);
}
LogicalResult SqrtOp::inferTypes(SmallVectorImpl<Type> &types) {
  return sameTypeAs(getX(), types);
}
LogicalResult SquareOp::inferTypes(SmallVectorImpl<Type> &types) {
  return sameTypeAs(getX(), types);
}
LogicalResult TanOp::inferTypes(SmallVectorImpl<Type> &types) {
  return sameTypeAs(getX(), types);
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
