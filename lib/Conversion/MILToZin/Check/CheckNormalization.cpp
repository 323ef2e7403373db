//===- CheckNormalization.cpp - Normalization that the target has ---------===//

#include "Check/CheckSupport.h"
#include "ane/Dialect/MIL/IR/ChannelAffine.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

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
  StringRef what = "a factor or addend that the parameters give";
  for (ArrayRef<double> factors :
       {ArrayRef(affine.scale), ArrayRef(affine.bias)}) {
    if (failed(requireHalf(op, what, findHalfOverflow(factors))))
      return failure();
    // fp16 has infinities, but where a factor is one an addend is, too, and
    // what they differ by is no number.
    const double *endless = llvm::find_if_not(
        factors, [](double factor) { return std::isfinite(factor); });
    if (endless != factors.end())
      return refuse(op, id("const-c1"),
                    llvm::formatv("{0} is {1}; take finite parameters, or a "
                                  "larger epsilon",
                                  what, *endless)
                        .str());
  }
  return success();
}
