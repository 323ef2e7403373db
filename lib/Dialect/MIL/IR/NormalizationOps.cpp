//===- NormalizationOps.cpp - Normalisation -------------------------------===//

#include "ShapeParams.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Support/Counted.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

LogicalResult BatchNormOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  if (!x || x.getRank() < 3 || x.getRank() > 5)
    return refuse(*this, "mil-batch_norm-c1",
                  "'x' is " + formatType(getX().getType()) +
                      "; it must have rank 3 to 5");
  int64_t channels = x.getDimSize(1);
  for (Value parameter : {getMean(), getVariance(), getGamma(), getBeta()}) {
    if (!parameter)
      continue;
    auto type = tensorType(parameter);
    if (!type || type.getRank() != 1 ||
        (!ShapedType::isDynamic(channels) && type.getDimSize(0) != channels))
      return refuse(*this, "mil-batch_norm-c2",
                    "a parameter is " + formatType(parameter.getType()) +
                        "; it must have the " + counted(channels, "channel") +
                        " of 'x'");
  }
  if (getEpsilon()) {
    auto type = tensorType(getEpsilon());
    if (!type || !type.hasStaticShape() || type.getNumElements() != 1)
      return refuse(*this, "mil-batch_norm-c3",
                    "'epsilon' is " + formatType(getEpsilon().getType()) +
                        "; it must be a scalar");
  }
  types.push_back(x);
  return success();
}

LogicalResult InstanceNormOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  if (!x || x.getRank() < 3 || x.getRank() > 4)
    return refuse(*this, "mil-instance_norm-c1",
                  "'x' is " + formatType(getX().getType()) +
                      "; it must have rank 3 or 4");
  constexpr llvm::StringLiteral constraint = "mil-instance_norm-c2";
  if (failed(requireChannels(*this, constraint, x, getGamma(), "gamma")) ||
      failed(requireChannels(*this, constraint, x, getBeta(), "beta")) ||
      failed(requireScalar(*this, getEpsilon(), "epsilon")))
    return failure();
  return sameTypeAs(getX(), types);
}
LogicalResult L2NormOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  if (!x || x.getRank() < 3)
    return refuse(*this, "mil-l2_norm-c1",
                  "'x' is " + formatType(getX().getType()) +
                      "; it must have rank 3 or more");
  if (failed(requireScalar(*this, getEpsilon(), "epsilon")))
    return failure();
  return sameTypeAs(getX(), types);
}
LogicalResult LayerNormOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  if (!x)
    return keepDeclared(*this, types);
  SmallVector<int64_t> extents(x.getShape());
  if (getAxes()) {
    FailureOr<SmallVector<int64_t>> axes =
        normalizeAxes(*this, getAxes(), x.getRank());
    if (failed(axes))
      return failure();
    extents = llvm::map_to_vector(
        *axes, [&](int64_t axis) { return x.getDimSize(axis); });
  }
  using Named = std::pair<StringRef, Value>;
  for (auto [name, parameter] :
       {Named("gamma", getGamma()), Named("beta", getBeta())}) {
    if (!parameter)
      continue;
    auto type = tensorType(parameter);
    if (!type || failed(verifyCompatibleShape(type.getShape(), extents)))
      return refuse(*this, "mil-layer_norm-c1",
                    "'" + name + "' is " + formatType(parameter.getType()) +
                        "; it must be " + formatType(x.clone(extents)) +
                        ", the extents of 'x' in the axes");
  }
  if (failed(requireScalar(*this, getEpsilon(), "epsilon")))
    return failure();
  return sameTypeAs(getX(), types);
}
LogicalResult LocalResponseNormOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  if (!x || x.getRank() < 3 || x.getRank() > 5)
    return refuse(*this, "mil-local_response_norm-c1",
                  "'x' is " + formatType(getX().getType()) +
                      "; it must have rank 3 to 5");
  std::optional<int64_t> size = getConstantInt(getSize());
  if (!size || *size < 1)
    return refuse(*this, "mil-local_response_norm-c2",
                  "'size' is " + (size ? std::to_string(*size) : "no scalar") +
                      "; it must be a number of channels, at least 1");
  if (failed(requireScalar(*this, getAlpha(), "alpha")) ||
      failed(requireScalar(*this, getBeta(), "beta")) ||
      failed(requireScalar(*this, getK(), "k")))
    return failure();
  return sameTypeAs(getX(), types);
}

#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILNormalizationOps.cpp.inc"

void MILDialect::registerNormalizationOps() {
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/MIL/IR/MILNormalizationOps.cpp.inc"
      >();
}
