//===- LongOps.cpp - Ops on too many elements, by others ------------------===//

#include "LongOps.h"
#include "Decompose/Decompose.h"
#include "Replacer.h"
#include "ane/Dialect/MIL/IR/Slice.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

/// A vector is the only row of a matrix on the left. One on the right is that
/// of the turned product, x y = (y^T x^T)^T, so that the result is a row, too.
static LogicalResult replaceVectors(Replacer &r, MatmulOp op) {
  Value vector = op.getX(), matrix = op.getY();
  std::optional<bool> isTurned = op.getTransposeYOrDefault();
  if (shapeOf(vector).size() > 1) {
    std::swap(vector, matrix);
    isTurned = op.getTransposeXOrDefault();
    if (isTurned)
      *isTurned = !*isTurned;
  }
  if (!isTurned || shapeOf(vector).size() > 1)
    return failure();
  auto type = cast<RankedTensorType>(op.getType());
  auto rowOf = [&](Value x) { return r.reshape(x, {1, shapeOf(x).front()}); };
  SmallVector<int64_t> shape(type.getShape());
  bool isPair = shapeOf(matrix).size() == 1;
  if (isPair) {
    matrix = rowOf(matrix);
    isTurned = true;
    shape.push_back(1);
  }
  shape.insert(shape.end() - 1, 1);
  Value product = MatmulOp::create(r.rewriter, op.getLoc(), type.clone(shape),
                                   rowOf(vector), matrix, r.boolean(false),
                                   r.boolean(*isTurned));
  return r.replace(r.reshape(product, type.getShape()));
}

static LogicalResult replaceLogSum(Replacer &r, ReduceLogSumOp op) {
  Value x = op.getX();
  auto type = cast<RankedTensorType>(x.getType());
  auto axes = reducedAxes(op.getAxes(), type.getRank());
  std::optional<bool> keepDims = op.getKeepDimsOrDefault();
  if (!axes || !keepDims || !isa<FloatType>(type.getElementType()))
    return failure();
  return r.replace(logSum(r, x, *axes, *keepDims));
}

/// Of elements side by side in one dimension there is a rule, but not of rows
/// where those are too many.
static LogicalResult replaceUpdate(Replacer &r, SliceUpdateOp op,
                                   int64_t limit) {
  std::optional<SmallVector<SliceDim>> places = getSlice(op);
  if (!places || !staticType(op.getX()))
    return failure();
  ArrayRef<int64_t> shape = shapeOf(op.getX());
  int64_t cut = 0;
  bool isApart = false,
       isTall = shape.size() > 1 && shape[shape.size() - 2] > limit;
  for (auto [place, extent] : llvm::zip_equal(*places, shape)) {
    cut += place.extent < extent;
    isApart |= place.step != 1;
  }
  return cut > 1 || isApart || isTall ? joinUpdate(r, op) : failure();
}

/// Of what an image was flattened to, a convolution whose one window is the
/// image.
static LogicalResult replaceFlattened(Replacer &r, LinearOp op, int64_t limit) {
  Operation *flatten = op.getX().getDefiningOp();
  ArrayRef<int64_t> flat = shapeOf(op.getX());
  if (!isa_and_nonnull<ReshapeOp, Flatten2dOp>(flatten) || flat.size() != 2 ||
      flat.back() <= limit)
    return failure();
  Value source = flatten->getOperand(0);
  RankedTensorType type = staticType(source);
  ElementsAttr weights = getConstantElements(op.getWeight());
  int64_t batch = flat.front(), outputs = shapeOf(op.getWeight()).front();
  if (!weights || !type || type.getRank() < 3 || type.getDimSize(0) != batch)
    return failure();
  // A window of many columns would become a sum of several. Its elements are
  // channels instead.
  SmallVector<int64_t> image(type.getShape());
  if (image.size() != 4 || image.back() > h13.maxKernelWidth)
    image = {batch, flat.back(), 1, 1};
  SmallVector<int64_t> kernel(image);
  kernel.front() = outputs;
  ElementsAttr window = reshaped(weights, kernel);
  if (!window)
    return failure();
  if (type.getShape() != ArrayRef(image))
    source = r.reshape(source, image);
  Value bias = op.getBias();
  bool isOneForAll = bias && shapeOf(bias) != ArrayRef(outputs);
  Value result = ConvOp::create(
      r.rewriter, op.getLoc(), type.clone({batch, outputs, 1, 1}), source,
      r.constant(window), isOneForAll ? Value() : bias, r.ints({1, 1}),
      r.string("valid"), r.ints({0, 0, 0, 0}), r.ints({1, 1}), r.integer(1));
  result = r.reshape(result, {batch, outputs});
  if (isOneForAll)
    result = r.binary<AddOp>(result, op.getBias());
  return r.replace(result);
}

void ane::mil::replaceLongOps(FuncOp func, int64_t limit) {
  auto isLong = [&](Value value) {
    RankedTensorType type = staticType(value);
    return type && llvm::any_of(type.getShape(),
                                [&](int64_t extent) { return extent > limit; });
  };
  PatternRewriter rewriter(func.getContext());
  for (Operation &op : llvm::make_early_inc_range(func.getBody().front())) {
    if (!llvm::any_of(op.getOperands(), isLong))
      continue;
    Replacer r(rewriter, &op);
    (void)llvm::TypeSwitch<Operation *, LogicalResult>(&op)
        .Case([&](MatmulOp product) { return replaceVectors(r, product); })
        .Case([&](LinearOp product) {
          return replaceFlattened(r, product, limit);
        })
        .Case([&](SliceUpdateOp update) {
          return replaceUpdate(r, update, limit);
        })
        .Case([&](ReduceLogSumOp sum) { return replaceLogSum(r, sum); })
        .Default(failure());
  }
}
