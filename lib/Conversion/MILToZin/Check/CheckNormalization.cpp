//===- CheckNormalization.cpp - Normalization that the target has ---------===//

#include "Check/CheckSupport.h"
#include "ane/Dialect/MIL/IR/ChannelAffine.h"

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

/// The sums over channels are a product.
LogicalResult SupportChecker::checkOp(mil::LocalResponseNormOp op) {
  int64_t channels = milShape(op.getX())[1];
  return checkMatrix(op, channels * channels);
}

LogicalResult SupportChecker::checkOp(mil::BatchNormOp op) {
  mil::ChannelAffine affine = *mil::getChannelAffine(op);
  for (ArrayRef<double> factors :
       {ArrayRef(affine.scale), ArrayRef(affine.bias)})
    if (failed(requireHalf(op, "a factor or addend that the parameters give",
                           findHalfOverflow(factors))))
      return failure();
  return success();
}
