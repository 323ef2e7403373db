//===- NormalizationOps.cpp - Normalisation -------------------------------===//

#include "Inference.h"

using namespace mlir;
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
                        "; it must have the " + Twine(channels) +
                        " channels of 'x'");
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
