//===- IndexingOps.cpp - Gather and scatter -------------------------------===//

#include "ShapeParams.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Support/Counted.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// `batch_dims`, between 0 and `limit`, in which `x` and `indices` agree.
FailureOr<MaybeInt> batchDims(Operation *op, Value value, RankedTensorType x,
                              RankedTensorType indices, int64_t limit) {
  FailureOr<MaybeInt> given = scalarInt(op, value, "batch_dims", 0);
  if (failed(given) || !*given)
    return given;
  if (**given < 0 || **given > limit)
    return LogicalResult(refuse(op, "mil-batch_dims-c1",
                                "'batch_dims' is " + Twine(**given) +
                                    ", outside [0, " + Twine(limit) + "]"));
  if (!agree(x.getShape().take_front(**given),
             indices.getShape().take_front(**given)))
    return LogicalResult(refuse(op, "mil-batch_dims-c2",
                                "'x' is " + formatType(x) + " and 'indices' " +
                                    formatType(indices) + "; the first " +
                                    Twine(**given) + " extents must be equal"));
  return given;
}

/// The length K of the tuples in the last dimension of `indices`.
FailureOr<int64_t> tupleLength(Operation *op, RankedTensorType indices,
                               int64_t dims) {
  int64_t length = indices.getRank() == 0 ? -1 : indices.getShape().back();
  // An unknown length is negative as well.
  if (length < 0 || length > dims)
    return LogicalResult(
        refuse(op, "mil-tuple-c1",
               "'indices' is " + formatType(indices) +
                   "; its last extent must be known and at most the " +
                   counted(dims, "dimension") + " to choose in"));
  return length;
}

/// That each extent of `indices` but that of the axis is that of `x`.
LogicalResult requireAlongAxis(Operation *op, RankedTensorType x,
                               RankedTensorType indices, MaybeInt axis) {
  SmallVector<int64_t> want(x.getShape());
  if (axis && indices.getRank() == x.getRank())
    want[*axis] = indices.getDimSize(*axis);
  if (indices.getRank() == x.getRank() &&
      (!axis || agree(want, indices.getShape())))
    return success();
  return refuse(op, "mil-along_axis-c1",
                "'indices' is " + formatType(indices) + " and points into " +
                    formatType(x) + "; only the extent of the axis may differ");
}

/// That `mode` is known.
LogicalResult requireMode(Operation *op, Value value) {
  std::optional<StringRef> mode =
      value ? getConstantString(value) : std::nullopt;
  static constexpr StringLiteral modes[] = {"update", "add", "sub", "mul",
                                            "div",    "max", "min"};
  if (!mode || llvm::is_contained(modes, *mode))
    return success();
  return refuse(op, "mil-scatter-c1",
                "'mode' is \"" + *mode +
                    "\"; it must be update, add, sub, mul, div, max or min");
}

/// That `updates` has a shape.
LogicalResult requireUpdates(Operation *op, RankedTensorType updates,
                             ArrayRef<int64_t> shape) {
  if (agree(updates.getShape(), shape))
    return success();
  return refuse(op, "mil-scatter-c2",
                "'updates' is " + formatType(updates) + "; it must be " +
                    formatType(updates.clone(shape)));
}

/// The extents of `x`, with those of `indices` in place of that of an axis.
SmallVector<int64_t> replaceAxis(ArrayRef<int64_t> x, int64_t axis,
                                 ArrayRef<int64_t> indices) {
  SmallVector<int64_t> shape(x.take_front(axis));
  llvm::append_range(shape, indices);
  llvm::append_range(shape, x.drop_front(axis + 1));
  return shape;
}

} // namespace

LogicalResult GatherOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX()), indices = tensorType(getIndices());
  if (!x || !indices)
    return keepDeclared(*this, types);
  FailureOr<MaybeInt> axis = scalarAxis(*this, getAxis(), 0, x.getRank());
  if (failed(axis))
    return failure();
  FailureOr<MaybeInt> batch =
      batchDims(*this, getBatchDims(), x, indices,
                std::min((*axis).value_or(x.getRank()), indices.getRank()));
  if (failed(batch))
    return failure();
  if (!*axis || !*batch)
    return keepDeclared(*this, types);
  return addResult(
      *this, types,
      replaceAxis(x.getShape(), **axis, indices.getShape().drop_front(**batch)),
      x.getElementType());
}

LogicalResult GatherAlongAxisOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX()), indices = tensorType(getIndices());
  if (!x || !indices)
    return keepDeclared(*this, types);
  FailureOr<MaybeInt> axis = scalarAxis(*this, getAxis(), 0, x.getRank());
  if (failed(axis) || failed(requireAlongAxis(*this, x, indices, *axis)))
    return failure();
  types.push_back(indices.clone(x.getElementType()));
  return success();
}

LogicalResult GatherNdOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX()), indices = tensorType(getIndices());
  if (!x || !indices)
    return keepDeclared(*this, types);
  int64_t limit = std::min(x.getRank(), indices.getRank() - 1);
  FailureOr<int64_t> most = tupleLength(*this, indices, x.getRank());
  if (failed(most))
    return failure();
  FailureOr<MaybeInt> batch =
      batchDims(*this, getBatchDims(), x, indices, limit);
  if (failed(batch))
    return failure();
  if (!*batch)
    return keepDeclared(*this, types);
  FailureOr<int64_t> length =
      tupleLength(*this, indices, x.getRank() - **batch);
  if (failed(length))
    return failure();
  SmallVector<int64_t> shape(indices.getShape().drop_back());
  llvm::append_range(shape, x.getShape().drop_front(**batch + *length));
  return addResult(*this, types, shape, x.getElementType());
}

LogicalResult ScatterOp::inferTypes(SmallVectorImpl<Type> &types) {
  types.push_back(getData().getType());
  auto data = tensorType(getData()), indices = tensorType(getIndices());
  auto updates = tensorType(getUpdates());
  if (!data || !indices || !updates)
    return success();
  FailureOr<MaybeInt> axis = scalarAxis(*this, getAxis(), 0, data.getRank());
  if (failed(axis) || failed(requireMode(*this, getMode())))
    return failure();
  if (!*axis)
    return success();
  return requireUpdates(
      *this, updates, replaceAxis(data.getShape(), **axis, indices.getShape()));
}

LogicalResult ScatterAlongAxisOp::inferTypes(SmallVectorImpl<Type> &types) {
  types.push_back(getData().getType());
  auto data = tensorType(getData()), indices = tensorType(getIndices());
  auto updates = tensorType(getUpdates());
  if (!data || !indices || !updates)
    return success();
  FailureOr<MaybeInt> axis = scalarAxis(*this, getAxis(), 0, data.getRank());
  if (failed(axis) || failed(requireMode(*this, getMode())) ||
      failed(requireAlongAxis(*this, data, indices, *axis)))
    return failure();
  return requireUpdates(*this, updates, indices.getShape());
}

LogicalResult ScatterNdOp::inferTypes(SmallVectorImpl<Type> &types) {
  types.push_back(getData().getType());
  auto data = tensorType(getData()), indices = tensorType(getIndices());
  auto updates = tensorType(getUpdates());
  if (!data || !indices || !updates)
    return success();
  FailureOr<int64_t> length = tupleLength(*this, indices, data.getRank());
  if (failed(length) || failed(requireMode(*this, getMode())))
    return failure();
  SmallVector<int64_t> shape(indices.getShape().drop_back());
  llvm::append_range(shape, data.getShape().drop_front(*length));
  return requireUpdates(*this, updates, shape);
}

#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILIndexingOps.cpp.inc"

void MILDialect::registerIndexingOps() {
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/MIL/IR/MILIndexingOps.cpp.inc"
      >();
}
