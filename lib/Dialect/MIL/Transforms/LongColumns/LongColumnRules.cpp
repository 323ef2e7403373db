//===- LongColumnRules.cpp - Ops on values with too many rows -------------===//

#include "Decompose/Decompose.h"
#include "LongColumns/LongColumns.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// What an op on long columns becomes on folded values.
class ColumnFolder {
public:
  ColumnFolder(LongColumns &columns, Replacer &r) : columns(columns), r(r) {}

  LogicalResult fold(Operation *op);

private:
  LogicalResult foldElementwise(Operation *op);
  LogicalResult foldSoftmax(SoftmaxOp op);
  LogicalResult foldLayerNorm(LayerNormOp op);
  LogicalResult foldInstanceNorm(InstanceNormOp op);
  LogicalResult foldReverse(ReverseOp op);
  LogicalResult foldCumsum(CumsumOp op);
  LogicalResult foldReduction(Reduction op);
  template <typename Op> LogicalResult foldOther(Op op);
  template <typename Op> LogicalResult foldPlace(Op op);
  LogicalResult foldGather(GatherOp op);

  /// A copy of an op whose only axis counts other dimensions than the folded
  /// one.
  template <typename Op>
  Op copyAlong(Op op, int64_t axis, int64_t along, ArrayRef<Value> operands) {
    Value counted = r.integer(foldedDim(along, axis));
    auto made = cast<Op>(copyOf(r, op, operands));
    made.getAxisMutable().assign(counted);
    return made;
  }
  LogicalResult become(OpResult result, OpResult made, int64_t axis) {
    made.setType(cast<RankedTensorType>(result.getType())
                     .clone(columns.foldedShape(shapeOf(result), axis)));
    return columns.become(r, result, made);
  }
  /// Axes of a value with the folded dimension as two.
  static Shape foldedAxes(ArrayRef<int64_t> axes, int64_t axis) {
    Shape made;
    for (int64_t own : axes) {
      made.push_back(foldedDim(own, axis));
      if (own == axis)
        made.push_back(own + 1);
    }
    return made;
  }

  LongColumns &columns;
  Replacer &r;
};

} // namespace

/// Operands that broadcast count their dimensions from the end.
LogicalResult ColumnFolder::foldElementwise(Operation *op) {
  OpResult result = op->getResult(0);
  std::optional<int64_t> axis = columns.axisOf(result);
  bool hasChannels = op->hasTrait<ChannelParameters>();
  if (!axis || (hasChannels && *axis < 2))
    return failure();
  int64_t behind = int64_t(shapeOf(result).size()) - *axis;
  SmallVector<Value> operands;
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    bool follows =
        type && type.getRank() >= behind && (index == 0 || !hasChannels);
    operands.push_back(
        follows ? columns.get(r, operand, type.getRank() - behind) : operand);
  }
  return become(result, copyOf(r, op, operands)->getResult(0), *axis);
}

/// exp(x - max) / sum along both dimensions.
LogicalResult ColumnFolder::foldSoftmax(SoftmaxOp op) {
  std::optional<int64_t> along = op.getAxisOrDefault(),
                         axis = columns.axisOf(op.getX());
  if (!along || !axis)
    return failure();
  *along = fromFront(*along, int64_t(shapeOf(op.getX()).size()));
  // Of the channels of one row it is a layer.
  if (*along == *axis && succeeded(foldImage(columns, r, op)))
    return success();
  Value x = columns.get(r, op.getX(), *axis);
  if (*along != *axis)
    return become(op->getResult(0),
                  copyAlong(op, *axis, *along, x)->getResult(0), *axis);
  int64_t axes[] = {*axis, *axis + 1};
  x = r.unary<ExpOp>(r.binary<SubOp>(x, r.reduce<ReduceMaxOp>(x, axes, true)));
  return columns.become(
      r, op->getResult(0),
      r.binary<RealDivOp>(x, r.reduce<ReduceSumOp>(x, axes, true)));
}

LogicalResult ColumnFolder::foldReduction(Reduction op) {
  std::optional<int64_t> axis = columns.axisOf(op.getX());
  auto axes = reducedAxes(op.getAxes(), int64_t(shapeOf(op.getX()).size()));
  std::optional<bool> keepDims = op.getKeepDimsOrDefault();
  if (!axis || !axes || !keepDims)
    return failure();
  return columns.become(r, op->getResult(0),
                        r.reduce(op, columns.get(r, op.getX(), *axis),
                                 foldedAxes(*axes, *axis), *keepDims));
}

LogicalResult ColumnFolder::foldLayerNorm(LayerNormOp op) {
  std::optional<int64_t> axis = columns.axisOf(op.getX());
  auto axes = reducedAxes(op.getAxes(), int64_t(shapeOf(op.getX()).size()));
  if (!axis || !axes)
    return failure();
  SmallVector<Value> operands(op->getOperands());
  operands.front() = columns.get(r, op.getX(), *axis);
  auto made = cast<LayerNormOp>(copyOf(r, op, operands));
  made.getAxesMutable().assign(r.ints(foldedAxes(*axes, *axis)));
  // Parameters have the dimensions of the axes.
  if (auto own = llvm::find(*axes, *axis); own != axes->end()) {
    int64_t dim = own - axes->begin();
    if (op.getGamma())
      made.getGammaMutable().assign(columns.get(r, op.getGamma(), dim));
    if (op.getBeta())
      made.getBetaMutable().assign(columns.get(r, op.getBeta(), dim));
  }
  r.rewriter.moveOpBefore(made, op);
  return become(op->getResult(0), made->getResult(0), *axis);
}

/// Of an image of one dimension it makes one of two. One of two is a volume,
/// over which a layer norm does the same.
LogicalResult ColumnFolder::foldInstanceNorm(InstanceNormOp op) {
  constexpr int64_t image = 2;
  if (columns.axisOf(op.getX()) != image)
    return failure();
  Value x = columns.get(r, op.getX(), image);
  OpResult result = op->getResult(0);
  if (shapeOf(op.getX()).size() == 3) {
    SmallVector<Value> operands(op->getOperands());
    operands.front() = x;
    return become(result, copyOf(r, op, operands)->getResult(0), image);
  }
  Value made =
      LayerNormOp::create(r.rewriter, op.getLoc(), x.getType(), x,
                          r.ints({image, image + 1, image + 2}),
                          /*gamma=*/Value(), /*beta=*/Value(), op.getEpsilon());
  auto ofChannels = [&](Value parameter) {
    return r.reshape(r.convert(parameter, x),
                     {shapeOf(parameter).front(), 1, 1, 1});
  };
  if (op.getGamma())
    made = r.binary<MulOp>(made, ofChannels(op.getGamma()));
  if (op.getBeta())
    made = r.binary<AddOp>(made, ofChannels(op.getBeta()));
  return columns.become(r, result, made);
}

LogicalResult ColumnFolder::foldReverse(ReverseOp op) {
  std::optional<int64_t> axis = columns.axisOf(op.getX());
  auto axes = reducedAxes(op.getAxes(), int64_t(shapeOf(op.getX()).size()));
  if (!axis || !axes)
    return failure();
  Value x = columns.get(r, op.getX(), *axis);
  Value made = ReverseOp::create(r.rewriter, op.getLoc(), x.getType(), x,
                                 r.ints(foldedAxes(*axes, *axis)));
  return columns.become(r, op->getResult(0), made);
}

/// Ops along another axis whose results have the dimensions of x.
template <typename Op> LogicalResult ColumnFolder::foldOther(Op op) {
  std::optional<int64_t> along = op.getAxisOrDefault(),
                         axis = columns.axisOf(op.getX());
  if (!along || !axis)
    return failure();
  *along = fromFront(*along, int64_t(shapeOf(op.getX()).size()));
  if (*along == *axis)
    return failure();
  SmallVector<Value> operands(op->getOperands());
  operands.front() = columns.get(r, op.getX(), *axis);
  if constexpr (std::is_same_v<Op, GatherAlongAxisOp>)
    operands[1] = columns.get(r, op.getIndices(), *axis);
  Op made = copyAlong(op, *axis, *along, operands);
  for (auto [result, copy] :
       llvm::zip_equal(op->getResults(), made->getResults()))
    if (failed(become(result, copy, *axis)))
      return failure();
  return success();
}

/// Along the folded axis a plane goes on from the sum of those before it.
LogicalResult ColumnFolder::foldCumsum(CumsumOp op) {
  if (succeeded(foldOther(op)))
    return success();
  std::optional<int64_t> axis = columns.axisOf(op.getX());
  if (!axis)
    return failure();
  ExtentSplit split = *columns.splitOf(shapeOf(op.getX())[*axis]);
  SmallVector<Value> planes;
  for (int64_t plane = 0; plane < split.planes; ++plane)
    planes.push_back(
        columns.take(r, op.getX(), *axis, plane * split.rows, split.rows));
  if (failed(sumOn(r, op, planes)))
    return failure();
  return columns.become(
      r, op->getResult(0),
      columns.join(r, planes, *axis, 0, split.planes * split.rows));
}

/// The place of the largest or the smallest element along another axis.
template <typename Op> LogicalResult ColumnFolder::foldPlace(Op op) {
  std::optional<int64_t> along = op.getAxisOrDefault(),
                         axis = columns.axisOf(op.getX());
  std::optional<bool> keepDims = op.getKeepDimsOrDefault();
  if (!along || !axis || !keepDims)
    return failure();
  *along = fromFront(*along, int64_t(shapeOf(op.getX()).size()));
  if (*along == *axis)
    return failure();
  SmallVector<Value> operands(op->getOperands());
  operands.front() = columns.get(r, op.getX(), *axis);
  int64_t after = *axis - (!*keepDims && *along < *axis);
  return become(op->getResult(0),
                copyAlong(op, *axis, *along, operands)->getResult(0), after);
}

/// Elements of another axis than the folded one.
LogicalResult ColumnFolder::foldGather(GatherOp op) {
  std::optional<int64_t> along = op.getAxisOrDefault(),
                         axis = columns.axisOf(op.getX()),
                         batch = op.getBatchDimsOrDefault();
  if (!along || !axis || batch != 0)
    return failure();
  int64_t rank = int64_t(shapeOf(op.getX()).size());
  *along = fromFront(*along, rank);
  int64_t more = int64_t(shapeOf(op.getResult()).size()) - rank;
  int64_t after = *axis + (*along < *axis ? more : 0);
  if (*along == *axis || rank + more + 1 > mostDims ||
      columns.axisOf(op.getIndices()))
    return failure();
  SmallVector<Value> operands(op->getOperands());
  operands.front() = columns.get(r, op.getX(), *axis);
  return become(op->getResult(0),
                copyAlong(op, *axis, *along, operands)->getResult(0), after);
}

LogicalResult ColumnFolder::fold(Operation *op) {
  if (llvm::any_of(op->getOperands(),
                   [&](Value value) { return columns.isWaiting(value); })) {
    if (succeeded(foldBlocks(columns, r, op)))
      return success();
    for (Value value : op->getOperands())
      if (columns.isWaiting(value) &&
          failed(columns.joinWaiting(r, cast<OpResult>(value))))
        return failure();
  }
  if (op->hasTrait<Elementwise>())
    return succeeded(foldElementwise(op)) ? success()
                                          : foldImage(columns, r, op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](SoftmaxOp softmax) { return foldSoftmax(softmax); })
      .Case([&](Reduction reduction) { return foldReduction(reduction); })
      .Case<ReduceArgmaxOp, ReduceArgminOp>(
          [&](auto place) { return foldPlace(place); })
      .Case([&](CumsumOp sum) { return foldCumsum(sum); })
      .Case<TopkOp, ArgsortOp, GatherAlongAxisOp>(
          [&](auto other) { return foldOther(other); })
      .Case([&](GatherOp gather) { return foldGather(gather); })
      .Case([&](LayerNormOp norm) { return foldLayerNorm(norm); })
      .Case([&](InstanceNormOp norm) {
        return succeeded(foldInstanceNorm(norm)) ? success()
                                                 : foldImage(columns, r, op);
      })
      .Case([&](ReverseOp reverse) { return foldReverse(reverse); })
      .Case<LinearOp, MatmulOp>(
          [&](auto product) { return foldProduct(columns, r, product); })
      .Default([&](Operation *) {
        return success(succeeded(foldMove(columns, r, op)) ||
                       succeeded(foldImage(columns, r, op)) ||
                       succeeded(foldBlocks(columns, r, op)));
      });
}

LogicalResult ane::mil::foldColumns(LongColumns &columns, Operation *op) {
  PatternRewriter rewriter(op->getContext());
  Replacer r(rewriter, op);
  return ColumnFolder(columns, r).fold(op);
}
