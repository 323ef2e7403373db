//===- ActivationOps.cpp - Functions of one element -----------------------===//

#include "ShapeParams.h"
#include "ane/Dialect/MIL/IR/Constants.h"

using namespace mlir;
using namespace ane::mil;

LogicalResult LeakyReluOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto alpha = tensorType(getAlpha());
  if (!alpha || !alpha.hasStaticShape() || alpha.getNumElements() != 1)
    return refuse(*this, "mil-leaky_relu-c1",
                  "'alpha' is " + formatType(getAlpha().getType()) +
                      "; it must be a scalar");
  return sameTypeAs(getX(), types);
}

LogicalResult SoftmaxOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  std::optional<int64_t> axis = getAxisOrDefault();
  if (!axis)
    return refuse(*this, "mil-softmax-c1",
                  "'axis' is " + formatType(getAxis().getType()) +
                      "; it must be a scalar");
  if (x && x.getRank() == 0)
    return refuse(*this, "mil-softmax-c1",
                  "'x' is " + formatType(x) +
                      "; it must have a dimension to run along");
  if (x && failed(normalizeAxis(*this, *axis, x.getRank())))
    return failure();
  return sameTypeAs(getX(), types);
}

LogicalResult ClampedReluOp::inferTypes(SmallVectorImpl<Type> &types) {
  if (failed(requireScalar(*this, getAlpha(), "alpha")) ||
      failed(requireScalar(*this, getBeta(), "beta")))
    return failure();
  return sameTypeAs(getX(), types);
}
LogicalResult EluOp::inferTypes(SmallVectorImpl<Type> &types) {
  if (failed(requireScalar(*this, getAlpha(), "alpha")))
    return failure();
  return sameTypeAs(getX(), types);
}
LogicalResult GeluOp::inferTypes(SmallVectorImpl<Type> &types) {
  if (getMode()) {
    std::optional<StringRef> mode = getConstantString(getMode());
    if (!mode ||
        !llvm::is_contained(
            {"EXACT", "TANH_APPROXIMATION", "SIGMOID_APPROXIMATION"}, *mode))
      return refuse(*this, "mil-gelu-c1",
                    "'mode' is \"" + mode.value_or("") +
                        "\"; it must be EXACT, TANH_APPROXIMATION or "
                        "SIGMOID_APPROXIMATION");
  }
  return sameTypeAs(getX(), types);
}
LogicalResult LinearActivationOp::inferTypes(SmallVectorImpl<Type> &types) {
  if (failed(requireScalar(*this, getAlpha(), "alpha")) ||
      failed(requireScalar(*this, getBeta(), "beta")))
    return failure();
  return sameTypeAs(getX(), types);
}
LogicalResult PreluOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  if (!x || x.getRank() < 3 || x.getRank() > 5)
    return refuse(*this, "mil-prelu-c1",
                  "'x' is " + formatType(getX().getType()) +
                      "; it must have rank 3 to 5");
  if (failed(requireChannels(*this, "mil-prelu-c2", x, getAlpha(), "alpha")))
    return failure();
  return sameTypeAs(getX(), types);
}
LogicalResult ScaledTanhOp::inferTypes(SmallVectorImpl<Type> &types) {
  if (failed(requireScalar(*this, getAlpha(), "alpha")) ||
      failed(requireScalar(*this, getBeta(), "beta")))
    return failure();
  return sameTypeAs(getX(), types);
}
LogicalResult SigmoidHardOp::inferTypes(SmallVectorImpl<Type> &types) {
  if (failed(requireScalar(*this, getAlpha(), "alpha")) ||
      failed(requireScalar(*this, getBeta(), "beta")))
    return failure();
  return sameTypeAs(getX(), types);
}
LogicalResult SoftplusParametricOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  if (!x || x.getRank() < 3)
    return refuse(*this, "mil-softplus_parametric-c1",
                  "'x' is " + formatType(getX().getType()) +
                      "; it must have rank 3 or more");
  constexpr llvm::StringLiteral constraint = "mil-softplus_parametric-c2";
  if (failed(requireChannels(*this, constraint, x, getAlpha(), "alpha")) ||
      failed(requireChannels(*this, constraint, x, getBeta(), "beta")))
    return failure();
  return sameTypeAs(getX(), types);
}
LogicalResult ThresholdedReluOp::inferTypes(SmallVectorImpl<Type> &types) {
  if (failed(requireScalar(*this, getAlpha(), "alpha")))
    return failure();
  return sameTypeAs(getX(), types);
}

#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILActivationOps.cpp.inc"

void MILDialect::registerActivationOps() {
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/MIL/IR/MILActivationOps.cpp.inc"
      >();
}
