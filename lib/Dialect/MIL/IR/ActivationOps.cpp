//===- ActivationOps.cpp - Functions of one element -----------------------===//

#include "Inference.h"
#include "ane/Dialect/MIL/IR/Constants.h"

using namespace mlir;
using namespace ane::mil;

namespace {

LogicalResult sameAsX(Value x, SmallVectorImpl<Type> &types) {
  types.push_back(x.getType());
  return success();
}

} // namespace

LogicalResult ReluOp::inferTypes(SmallVectorImpl<Type> &types) {
  return sameAsX(getX(), types);
}
LogicalResult Relu6Op::inferTypes(SmallVectorImpl<Type> &types) {
  return sameAsX(getX(), types);
}
LogicalResult SigmoidOp::inferTypes(SmallVectorImpl<Type> &types) {
  return sameAsX(getX(), types);
}
LogicalResult TanhOp::inferTypes(SmallVectorImpl<Type> &types) {
  return sameAsX(getX(), types);
}
LogicalResult SiluOp::inferTypes(SmallVectorImpl<Type> &types) {
  return sameAsX(getX(), types);
}

LogicalResult LeakyReluOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto alpha = tensorType(getAlpha());
  if (!alpha || !alpha.hasStaticShape() || alpha.getNumElements() != 1)
    return refuse(*this, "mil-leaky_relu-c1",
                  "'alpha' is " + formatType(getAlpha().getType()) +
                      "; it must be a scalar");
  return sameAsX(getX(), types);
}

LogicalResult SoftmaxOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  std::optional<int64_t> axis = getIntOr(getAxis(), -1);
  if (!axis)
    return refuse(*this, "mil-softmax-c1", "'axis' must be a scalar");
  if (x && x.getRank() == 0)
    return refuse(*this, "mil-softmax-c1",
                  "'x' is " + formatType(x) +
                      "; it must have a dimension to run along");
  if (x && failed(normalizeAxis(*this, *axis, x.getRank())))
    return failure();
  return sameAsX(getX(), types);
}
