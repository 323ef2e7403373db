//===- CheckRearrange.cpp - What is known of moved elements ---------------===//

#include "CheckSupport.h"

using namespace mlir;
using namespace ane;
using namespace ane::lowering;
using mil::refuse;

LogicalResult SupportChecker::checkOp(mil::SliceByIndexOp op) {
  return requireConstants(op, {{"begin", op.getBegin()}, {"end", op.getEnd()}});
}

LogicalResult SupportChecker::checkOp(mil::SliceBySizeOp op) {
  return requireConstants(op,
                          {{"begin", op.getBegin()}, {"size", op.getSize()}});
}

LogicalResult SupportChecker::checkOp(mil::TileOp op) {
  return requireConstants(op, {{"reps", op.getReps()}});
}

LogicalResult SupportChecker::checkOp(mil::PadOp op) {
  return requireConstants(op, {{"pad", op.getPad()}});
}

LogicalResult SupportChecker::checkOp(mil::GatherOp op) {
  if (failed(requireConstant(op, op.getIndices(), "indices")))
    return failure();
  int64_t batch = mil::getIntOr(op.getBatchDims(), 0).value_or(0);
  if (batch != 0)
    return refuse(op, id("gather-c1"),
                  "'batch_dims' is " + Twine(batch) +
                      "; indices that differ from batch to batch need one "
                      "gather each");
  int64_t rank = milShape(op.getX()).size();
  int64_t axis = mil::getIntOr(op.getAxis(), 0).value_or(0);
  int64_t extent = milShape(op.getX())[axis < 0 ? axis + rank : axis];
  SmallVector<int64_t> indices = *mil::getConstantInts(op.getIndices());
  for (int64_t index : indices)
    if (index < -extent || index >= extent)
      return refuse(op, id("gather-c2"),
                    "index " + Twine(index) + " is outside [" + Twine(-extent) +
                        ", " + Twine(extent) + ")");
  return success();
}

LogicalResult SupportChecker::checkOp(mil::ReshapeOp op) {
  if (mil::getConstantInts(op.getShape()))
    return success();
  return refuse(op, id("const-c2"),
                "'shape' is not a constant; it must be known at compile time");
}
