//===- Views.cpp - Parts of values and values of parts --------------------===//

#include "ane/Dialect/Zin/IR/Views.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

bool zin::turnsMatrices(Operation *op) {
  auto transpose = dyn_cast_or_null<TransposeOp>(op);
  return transpose &&
         transpose.getPermutation() == ArrayRef<int64_t>(rowsAndColumns);
}

Value zin::viewOf(OpBuilder &builder, Location location, Value x,
                  ArrayRef<int64_t> begin, ArrayRef<int64_t> shape,
                  ArrayRef<int64_t> strides) {
  if (shapeOf(x) == shape)
    return x;
  const SmallVector<int64_t> dense(numDims, 1);
  return InputViewOp::create(
      builder, location, RankedTensorType::get(shape, builder.getF16Type()), x,
      begin, strides.empty() ? ArrayRef<int64_t>(dense) : strides);
}

Value zin::viewAlong(OpBuilder &builder, Location location, Value x,
                     unsigned dim, int64_t begin, int64_t count,
                     int64_t stride) {
  SmallVector<int64_t> shape(shapeOf(x)), first(numDims, 0),
      strides(numDims, 1);
  shape[dim] = count;
  first[dim] = begin;
  strides[dim] = stride;
  return viewOf(builder, location, x, first, shape, strides);
}

Value zin::transposeBy(OpBuilder &builder, Location location, Value value,
                       ArrayRef<int64_t> permutation) {
  if (llvm::equal(permutation, llvm::seq<int64_t>(0, numDims)))
    return value;
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(shapeOf(value)[dim]);
  return TransposeOp::create(builder, location,
                             RankedTensorType::get(shape, builder.getF16Type()),
                             value, permutation);
}

Value zin::concatAlong(OpBuilder &builder, Location location,
                       ArrayRef<Value> values, unsigned dim, bool interleave) {
  if (values.size() == 1)
    return values.front();
  SmallVector<int64_t> shape(shapeOf(values.front()));
  shape[dim] = 0;
  for (Value value : values)
    shape[dim] += shapeOf(value)[dim];
  return ConcatOp::create(builder, location,
                          RankedTensorType::get(shape, builder.getF16Type()),
                          values, dim, interleave);
}

Value zin::copyOf(OpBuilder &builder, Location location, Value value) {
  return ConcatOp::create(builder, location, value.getType(), value, N,
                          /*interleave=*/false);
}

Value ane::zin::reshapeTo(OpBuilder &builder, Location location, Value value,
                          ArrayRef<int64_t> shape) {
  if (shapeOf(value) == shape)
    return value;
  return ReshapeOp::create(builder, location,
                           RankedTensorType::get(shape, builder.getF16Type()),
                           value);
}
