//===- CheckNormalization.cpp - Normalization that the target has ---------===//

#include "CheckSupport.h"
#include "ane/Dialect/MIL/IR/ChannelAffine.h"

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

LogicalResult SupportChecker::checkOp(mil::BatchNormOp op) {
  mil::ChannelAffine affine = *mil::getChannelAffine(op);
  for (ArrayRef<double> factors :
       {ArrayRef(affine.scale), ArrayRef(affine.bias)})
    if (failed(requireHalf(op, "a factor or addend that the parameters give",
                           findHalfOverflow(factors))))
      return failure();
  return success();
}
