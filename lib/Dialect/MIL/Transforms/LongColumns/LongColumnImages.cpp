//===- LongColumnImages.cpp - Images of one dimension, tall or deep -------===//
//
// An image [N, C, L] has its channels where values have rows, and one of one
// column, [N, C, L, 1], is a row that stands. Both are [N, C, 1, L], an image
// of one row, with their elements in the same order: a plane has few rows then,
// however many channels there are, and a long row is cut later.
//
//===----------------------------------------------------------------------===//

#include "LongColumns/LongColumns.h"
#include "ane/Dialect/MIL/IR/Window.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// [N, C, 1, L] of [N, C, L] or [N, C, L, 1].
Shape rowShape(ArrayRef<int64_t> shape) {
  return {shape[0], shape[1], 1, shape[2]};
}

class ImageFolder {
public:
  ImageFolder(LongColumns &columns, Replacer &r, Operation *op)
      : columns(columns), r(r), op(op) {}

  LogicalResult fold();

private:
  Value row() {
    Value x = op->getOperand(0);
    std::optional<int64_t> axis = columns.axisOf(x);
    if (axis && columns.isFolded(x))
      x = columns.get(r, x, *axis);
    return r.reshape(x, rowShape(shapeOf(op->getOperand(0))));
  }
  Type rowType() {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    return type.clone(rowShape(type.getShape()));
  }
  LogicalResult become(Value made) {
    return columns.become(r, op->getResult(0), made);
  }
  /// An op on other numbers than extents.
  LogicalResult foldCopy() {
    SmallVector<Value> operands(op->getOperands());
    operands.front() = row();
    Operation *made = copyOf(r, op, operands);
    made->getResult(0).setType(rowType());
    return become(made->getResult(0));
  }

  /// A window of one column that has nothing beside it.
  bool isWindowOfRow(const Window &window) const {
    return window.kernel.size() == 1 ||
           (window.kernel.back() == 1 && window.padBefore.back() == 0 &&
            window.padAfter.back() == 0);
  }
  Value padding(const Window &window) {
    return r.ints({0, 0, window.padBefore.front(), window.padAfter.front()});
  }
  /// [Cout, Cin, 1, K] of [Cout, Cin, K] or [Cout, Cin, K, 1].
  Value kernelOfRow(Value weight) {
    Shape shape = rowShape(shapeOf(weight));
    if (ElementsAttr elements = getConstantElements(weight))
      if (ElementsAttr made = reshaped(elements, shape))
        return r.constant(made);
    return r.reshape(weight, shape);
  }

  LogicalResult foldWindow(ConvOp conv);
  LogicalResult foldWindow(ConvTransposeOp conv);
  template <typename Op, typename... Inputs>
  LogicalResult foldPool(Op pool, Inputs... more);
  LogicalResult foldSoftmax(SoftmaxOp softmax);
  template <typename Op> LogicalResult foldResize(Op resize, unsigned height);

  LongColumns &columns;
  Replacer &r;
  Operation *op;
};

} // namespace

LogicalResult ImageFolder::foldWindow(ConvOp conv) {
  FailureOr<Window> window = getWindow(conv);
  if (failed(window) || !isWindowOfRow(*window))
    return failure();
  return become(ConvOp::create(
      r.rewriter, op->getLoc(), rowType(), row(), kernelOfRow(conv.getWeight()),
      conv.getBias(), r.ints({1, window->stride.front()}), r.string("custom"),
      padding(*window), r.ints({1, window->dilation.front()}),
      conv.getGroups()));
}

LogicalResult ImageFolder::foldWindow(ConvTransposeOp conv) {
  FailureOr<Window> window = getWindow(conv);
  if (failed(window) || !isWindowOfRow(*window))
    return failure();
  // What the last window reaches behind the result is cut off, not padding.
  int64_t whole = window->reachOfAll(0) - window->input.front();
  int64_t before = window->padBefore.front();
  if (whole < before)
    return failure();
  return become(ConvTransposeOp::create(
      r.rewriter, op->getLoc(), rowType(), row(), kernelOfRow(conv.getWeight()),
      conv.getBias(), r.ints({0, 0, before, whole - before}),
      /*output_shape=*/Value(), r.string("custom"),
      r.ints({1, window->stride.front()}),
      r.ints({1, window->dilation.front()}), conv.getGroups()));
}

/// `more`: what the op has behind the inputs of every pool.
template <typename Op, typename... Inputs>
LogicalResult ImageFolder::foldPool(Op pool, Inputs... more) {
  FailureOr<Window> window = getWindow(pool);
  if (failed(window) || !isWindowOfRow(*window))
    return failure();
  return become(Op::create(
      r.rewriter, op->getLoc(), rowType(), row(),
      r.ints({1, window->kernel.front()}), r.ints({1, window->stride.front()}),
      r.string("custom"), padding(*window), pool.getCeilMode(), more...));
}

/// Operand `height` is about rows, the next one about columns.
template <typename Op>
LogicalResult ImageFolder::foldResize(Op resize, unsigned height) {
  if (shapeOf(resize.getX()).size() != 4)
    return failure();
  SmallVector<Value> operands(op->getOperands());
  if (operands.size() < height + 2)
    return failure();
  operands.front() = row();
  std::swap(operands[height], operands[height + 1]);
  Operation *made = copyOf(r, op, operands);
  made->getResult(0).setType(rowType());
  return become(made->getResult(0));
}

/// Along the channels, the dimension that is the second either way.
LogicalResult ImageFolder::foldSoftmax(SoftmaxOp softmax) {
  std::optional<int64_t> axis = softmax.getAxisOrDefault();
  int64_t rank = int64_t(shapeOf(softmax.getX()).size());
  if (!axis || fromFront(*axis, rank) != 1)
    return failure();
  return become(SoftmaxOp::create(r.rewriter, op->getLoc(), rowType(), row(),
                                  r.integer(1)));
}

LogicalResult ImageFolder::fold() {
  Value x = op->getOperand(0), result = op->getResult(0);
  if (!staticType(x) || !staticType(result) ||
      (!columns.isLong(x) && !columns.isLong(result)))
    return failure();
  ArrayRef<int64_t> from = shapeOf(x), to = shapeOf(result);
  bool isColumn =
      from.size() == 4 && to.size() == 4 && from.back() == 1 && to.back() == 1;
  if (!isColumn && (from.size() != 3 || to.size() != 3))
    return failure();
  if (std::max(from[1], to[1]) > longestOuter)
    return failure();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<ConvOp, ConvTransposeOp>(
          [&](auto window) { return foldWindow(window); })
      .Case<MaxPoolOp, L2PoolOp>([&](auto pool) { return foldPool(pool); })
      .Case([&](AvgPoolOp pool) {
        return foldPool(pool, pool.getExcludePaddingFromAverage());
      })
      .Case<BatchNormOp, PreluOp, SoftplusParametricOp, InstanceNormOp,
            LocalResponseNormOp>([&](auto) { return foldCopy(); })
      .Case([&](SoftmaxOp softmax) { return foldSoftmax(softmax); })
      .Case<UpsampleNearestNeighborOp, UpsampleBilinearOp>([&](auto resize) {
        // A factor that is not there is 1.
        if (!resize.getScaleFactorHeight() || !resize.getScaleFactorWidth())
          return LogicalResult(failure());
        return foldResize(resize, /*height=*/1);
      })
      .Case([&](ResizeBilinearOp resize) {
        if (!resize.getTargetSizeHeight() || !resize.getTargetSizeWidth())
          return LogicalResult(failure());
        return foldResize(resize, /*height=*/1);
      })
      .Case([&](ResizeNearestNeighborOp resize) {
        return foldResize(resize, /*height=*/1);
      })
      .Default(failure());
}

LogicalResult ane::mil::foldImage(LongColumns &columns, Replacer &r,
                                  Operation *op) {
  return ImageFolder(columns, r, op).fold();
}
