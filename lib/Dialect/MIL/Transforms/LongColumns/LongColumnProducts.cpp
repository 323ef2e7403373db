//===- LongColumnProducts.cpp - Products of values with too many rows -----===//

#include "LongColumns/LongColumns.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// A side of a product.
struct Side {
  Value value;
  int64_t contracted, kept; ///< dimensions
};

} // namespace

LogicalResult ane::mil::foldProduct(LongColumns &columns, Replacer &r,
                                    LinearOp op) {
  std::optional<int64_t> axis = columns.axisOf(op.getX());
  int64_t last = int64_t(shapeOf(op.getX()).size()) - 1;
  if (!axis || *axis == last)
    return failure();
  Shape shape(shapeOf(op.getResult()));
  shape = columns.foldedShape(shape, *axis);
  auto type = cast<RankedTensorType>(op.getType());
  return columns.become(r, op->getResult(0),
                        LinearOp::create(r.rewriter, op.getLoc(),
                                         type.clone(shape),
                                         columns.get(r, op.getX(), *axis),
                                         op.getWeight(), op.getBias()));
}

/// A permutation that leaves dimensions in front where they are.
static Value moveLast(Replacer &r, Value value, ArrayRef<int64_t> order) {
  int64_t front = int64_t(shapeOf(value).size() - order.size());
  auto perm = llvm::to_vector(llvm::seq<int64_t>(0, front));
  for (int64_t dim : order)
    perm.push_back(front + dim);
  return r.transpose(value, perm);
}

/// [..., planes, rows, kept] of a side whose kept dimension is folded, times
/// the other one, the same for all planes.
static Value multiplyPlanes(LongColumns &columns, Replacer &r, MatmulOp op,
                            const Side &own, const Side &other,
                            bool otherHasRows) {
  Value left = columns.get(r, own.value, own.kept);
  // [..., contracted, planes, rows].
  if (own.kept > own.contracted)
    left = moveLast(r, left, {1, 2, 0});
  Value right = columns.plain(r, other.value);
  Shape shape(shapeOf(right));
  if (shape.size() > 2) {
    shape.insert(shape.end() - 2, 1);
    right = r.reshape(right, shape);
  }
  ArrayRef<int64_t> rows = shapeOf(left).take_back(3);
  Shape result(shapeOf(op.getResult()).drop_back(2));
  llvm::append_range(result, rows.drop_back());
  result.push_back(shapeOf(other.value)[other.kept]);
  // One side may be a constant of another type.
  auto type = cast<RankedTensorType>(op.getType());
  return MatmulOp::create(r.rewriter, op.getLoc(), type.clone(result), left,
                          right, r.boolean(false), r.boolean(otherHasRows));
}

LogicalResult ane::mil::foldProduct(LongColumns &columns, Replacer &r,
                                    MatmulOp op) {
  std::optional<bool> isTurnedX = op.getTransposeXOrDefault(),
                      isTurnedY = op.getTransposeYOrDefault();
  int64_t xRank = int64_t(shapeOf(op.getX()).size()),
          yRank = int64_t(shapeOf(op.getY()).size());
  if (!isTurnedX || !isTurnedY || xRank < 2 || yRank < 2)
    return failure();
  Side x = {op.getX(), xRank - 1 - *isTurnedX, xRank - 2 + *isTurnedX};
  Side y = {op.getY(), yRank - 2 + *isTurnedY, yRank - 1 - *isTurnedY};
  std::optional<int64_t> xAxis = columns.axisOf(x.value),
                         yAxis = columns.axisOf(y.value);
  ArrayRef<int64_t> batch = shapeOf(op.getResult()).drop_back(2);
  OpResult result = op->getResult(0);
  if (xAxis == x.kept && !yAxis)
    return columns.become(r, result,
                          multiplyPlanes(columns, r, op, x, y, *isTurnedY));
  if (yAxis == y.kept && !xAxis) {
    // (x y)^T = y^T x^T.
    Value planes = multiplyPlanes(columns, r, op, y, x, !*isTurnedX);
    return columns.become(r, result, moveLast(r, planes, {2, 0, 1}));
  }
  if (xAxis != x.contracted || yAxis != y.contracted)
    return failure();
  // A sum of the products of the planes, each rounded as one of the program
  // would be.
  auto planesOf = [&](const Side &side) {
    Value value = columns.get(r, side.value, side.contracted);
    return side.contracted > side.kept ? moveLast(r, value, {1, 0, 2}) : value;
  };
  Value left = planesOf(x), right = planesOf(y);
  Shape shape(batch);
  shape.push_back(shapeOf(left)[shapeOf(left).size() - 3]);
  llvm::append_range(shape, shapeOf(op.getResult()).take_back(2));
  auto type = cast<RankedTensorType>(op.getType());
  Value products =
      MatmulOp::create(r.rewriter, op.getLoc(), type.clone(shape), left, right,
                       op.getTransposeX(), op.getTransposeY());
  return columns.become(
      r, result,
      r.reduce<ReduceSumOp>(products, {int64_t(batch.size())}, false));
}
