//===- LinearOps.cpp - Matrix products ------------------------------------===//

#include "Inference.h"
#include "ane/Dialect/MIL/IR/Constants.h"

using namespace mlir;
using namespace ane::mil;

LogicalResult LinearOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX()), weight = tensorType(getWeight());
  if (!x || !weight || x.getRank() < 1 || x.getRank() > 5 ||
      weight.getRank() != 2)
    return refuse(*this, "mil-linear-c1",
                  "'x' is " + formatType(getX().getType()) + " and 'weight' " +
                      formatType(getWeight().getType()) +
                      "; 'x' must have rank 1 to 5 and 'weight' rank 2");
  int64_t last = x.getShape().back();
  if (!ShapedType::isDynamic(last) && last != weight.getDimSize(1))
    return refuse(*this, "mil-linear-c2",
                  "the last extent of 'x' is " + Twine(last) +
                      ", that of 'weight' is " + Twine(weight.getDimSize(1)));
  if (getBias()) {
    auto bias = tensorType(getBias());
    if (!bias || bias.getRank() > 1 || !bias.hasStaticShape() ||
        (bias.getNumElements() != weight.getDimSize(0) &&
         bias.getNumElements() != 1))
      return refuse(*this, "mil-linear-c3",
                    "'bias' is " + formatType(getBias().getType()) +
                        "; it must have " + Twine(weight.getDimSize(0)) +
                        " elements, as 'weight' has rows");
  }
  SmallVector<int64_t> shape(x.getShape());
  shape.back() = weight.getDimSize(0);
  types.push_back(RankedTensorType::get(shape, x.getElementType()));
  return success();
}

LogicalResult MatmulOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX()), y = tensorType(getY());
  if (!x || !y || x.getRank() == 0 || y.getRank() == 0)
    return refuse(*this, "mil-matmul-c2",
                  "'x' is " + formatType(getX().getType()) + " and 'y' " +
                      formatType(getY().getType()) +
                      "; both must have at least one dimension");
  std::optional<bool> transposeX = getBoolOr(getTransposeX(), false);
  std::optional<bool> transposeY = getBoolOr(getTransposeY(), false);
  if (!transposeX || !transposeY)
    return keepDeclared(*this, types);

  // A vector is a row on the left and a column on the right.
  SmallVector<int64_t> xShape(x.getShape()), yShape(y.getShape());
  if (x.getRank() == 1)
    xShape.insert(xShape.begin(), 1);
  else if (*transposeX)
    std::swap(xShape[xShape.size() - 1], xShape[xShape.size() - 2]);
  if (y.getRank() == 1)
    yShape.push_back(1);
  else if (*transposeY)
    std::swap(yShape[yShape.size() - 1], yShape[yShape.size() - 2]);

  int64_t kx = xShape.back(), ky = yShape[yShape.size() - 2];
  if (!ShapedType::isDynamic(kx) && !ShapedType::isDynamic(ky) && kx != ky)
    return refuse(*this, "mil-matmul-c1",
                  "the contracted extents are " + Twine(kx) + " and " +
                      Twine(ky) + "; they must be equal");
  FailureOr<SmallVector<int64_t>> shape = broadcast(
      *this, ArrayRef(xShape).drop_back(2), ArrayRef(yShape).drop_back(2));
  if (failed(shape))
    return failure();
  if (x.getRank() > 1)
    shape->push_back(xShape[xShape.size() - 2]);
  if (y.getRank() > 1)
    shape->push_back(yShape.back());
  types.push_back(RankedTensorType::get(*shape, x.getElementType()));
  return success();
}
