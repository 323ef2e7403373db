//===- CheckElementwise.cpp - Functions of elements that the target has ---===//

#include "CheckSupport.h"

using namespace mlir;
using namespace ane;
using namespace ane::lowering;
using mil::refuse;

LogicalResult SupportChecker::checkOp(mil::CastOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getX().getType());
  Type element = type ? type.getElementType() : Type();
  if (element && (element.isF16() || element.isF32() || element.isInteger(1)))
    return success();
  return refuse(op, id("cast-c1"),
                "'x' is " + mil::formatType(op.getX().getType()) +
                    "; the engine casts between fp16, fp32 and bool only");
}
