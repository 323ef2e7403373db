//===- SortOps.cpp - Ops that order elements ------------------------------===//

#include "ShapeParams.h"
#include "ane/Dialect/MIL/IR/Constants.h"

using namespace mlir;
using namespace ane::mil;

LogicalResult ArgsortOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  if (!x)
    return keepDeclared(*this, types);
  if (failed(scalarAxis(*this, getAxis(), -1, x.getRank())))
    return failure();
  types.push_back(x.clone(IntegerType::get(getContext(), 32)));
  return success();
}

LogicalResult TopkOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  if (!x)
    return keepDeclared(*this, types);
  FailureOr<MaybeInt> axis = scalarAxis(*this, getAxis(), -1, x.getRank());
  FailureOr<MaybeInt> k = scalarInt(*this, getK(), "k", 1);
  if (failed(axis) || failed(k))
    return failure();

  std::optional<bool> returnIndices = getReturnIndicesOrDefault();
  Type indexType = IntegerType::get(getContext(), 32);
  if (Value name = getOutputIndicesDtype()) {
    std::optional<StringRef> dtype = getConstantString(name);
    if (dtype && *dtype != "int32" && *dtype != "uint16")
      return refuse(*this, "mil-topk-c2",
                    "'output_indices_dtype' is \"" + *dtype +
                        "\"; it must be int32 or uint16");
    if (returnIndices == false)
      return refuse(*this, "mil-topk-c2",
                    "'output_indices_dtype' is given, but 'return_indices' is "
                    "false; leave it out");
    if (dtype)
      indexType = dtypeFromName(getContext(), *dtype);
  }

  SmallVector<int64_t> shape(x.getShape());
  if (!*axis) {
    shape.assign(x.getRank(), ShapedType::kDynamic);
  } else if (!*k) {
    shape[**axis] = ShapedType::kDynamic;
  } else if (**k != -1) {
    int64_t extent = shape[**axis];
    if (**k < 0 || (!ShapedType::isDynamic(extent) && **k > extent))
      return refuse(*this, "mil-topk-c1",
                    "'k' is " + Twine(**k) + ", but dimension " +
                        Twine(**axis) + " has " +
                        (ShapedType::isDynamic(extent) ? "an unknown number of"
                                                       : Twine(extent).str()) +
                        " elements; it must lie between 0 and that, or be -1 "
                        "for all");
    shape[**axis] = **k;
  }
  types.push_back(RankedTensorType::get(shape, x.getElementType()));
  if (returnIndices.value_or(getNumResults() == 2))
    types.push_back(RankedTensorType::get(shape, indexType));
  return success();
}

LogicalResult
NonMaximumSuppressionOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto boxes = tensorType(getBoxes()), scores = tensorType(getScores());
  if (!boxes || !scores)
    return keepDeclared(*this, types);
  FailureOr<MaybeInt> maxBoxes = scalarInt(*this, getMaxBoxes(), "max_boxes");
  if (failed(maxBoxes) ||
      failed(requireScalar(*this, getIouThreshold(), "iou_threshold")) ||
      failed(requireScalar(*this, getScoreThreshold(), "score_threshold")))
    return failure();

  bool boxesLast = getOpset(*this) >= 17;
  int64_t boxDim = boxesLast ? 2 : 1, rowDim = boxesLast ? 1 : 2;
  if (boxes.getRank() != 3 || scores.getRank() != 3 ||
      !agree(boxes.getDimSize(rowDim), 4))
    return refuse(*this, "mil-non_maximum_suppression-c1",
                  "'boxes' is " + formatType(boxes) + " and 'scores' " +
                      formatType(scores) +
                      "; both must have rank 3, and dimension " +
                      Twine(rowDim) + " of 'boxes' 4 coordinates");
  if (!agree(boxes.getDimSize(0), scores.getDimSize(0)) ||
      !agree(boxes.getDimSize(boxDim), scores.getDimSize(boxDim)))
    return refuse(*this, "mil-non_maximum_suppression-c2",
                  "'boxes' is " + formatType(boxes) + " and 'scores' " +
                      formatType(scores) + "; dimensions 0 and " +
                      Twine(boxDim) + " must be equal");

  int64_t kept = (*maxBoxes).value_or(ShapedType::kDynamic);
  int64_t images = boxes.getDimSize(0), classes = scores.getDimSize(rowDim);
  auto add = [&](int64_t rows) {
    if (boxesLast)
      return addResult(*this, types, {images, rows, kept},
                       boxes.getElementType());
    return addResult(*this, types, {images, kept, rows},
                     boxes.getElementType());
  };
  Type int32 = IntegerType::get(getContext(), 32);
  if (failed(add(4)) || failed(add(classes)) ||
      failed(addResult(*this, types, {images, kept}, int32)))
    return failure();
  return boxesLast ? success() : addResult(*this, types, images, int32);
}
