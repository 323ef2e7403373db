//===- Conv.cpp - Convolution and pooling ---------------------------------===//

#include "Lowering.h"
#include "ane/Dialect/MIL/IR/Window.h"

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

namespace {

/// A list over one or two spatial dimensions as rows, columns: a missing first
/// dimension has `fill`.
SmallVector<int64_t> planar(ArrayRef<int64_t> entries, int64_t fill) {
  if (entries.size() == 1)
    return {fill, entries.front()};
  return SmallVector<int64_t>(entries);
}

/// A window of one element does not care where elements are. One long row of
/// many channels, which L2 would have to hold whole, becomes rows that are as
/// long as surfaces are aligned (64 bytes: verified): the same bytes. How many
/// elements are long is assigned.
Shape5 shortenRows(const mil::Window &window, Shape5 shape) {
  constexpr int64_t alignedColumns = 32, rowElements = int64_t(1) << 18;
  auto isOne = [](int64_t count) { return count == 1; };
  auto isZero = [](int64_t count) { return count == 0; };
  bool isPointwise = llvm::all_of(window.kernel, isOne) &&
                     llvm::all_of(window.stride, isOne) &&
                     llvm::all_of(window.padBefore, isZero) &&
                     llvm::all_of(window.padAfter, isZero);
  if (!isPointwise || shape[zin::H] != 1 ||
      shape[zin::W] % alignedColumns != 0 ||
      shape[zin::C] * shape[zin::W] <= rowElements)
    return shape;
  shape[zin::H] = shape[zin::W] / alignedColumns;
  shape[zin::W] = alignedColumns;
  return shape;
}

/// Converts `x` to the shape a window slides over, lets `build` make the layer,
/// and gives its result the shape the op's users expect.
template <typename Build>
void replaceWindowOp(Operation *op, Value x, ArrayRef<int64_t> xShape,
                     ConversionPatternRewriter &rewriter, Build build) {
  Location location = op->getLoc();
  ArrayRef<int64_t> shape = milShape(op->getResult(0));
  Value input = reshapeTo(rewriter, location, x, windowShape(xShape));
  Value result = build(input, halfType(op->getContext(), windowShape(shape)));
  rewriter.replaceOp(op, reshapeTo(rewriter, location, result,
                                   alignShape(shape, shape.size())));
}

struct ConvRule : OpConversionPattern<mil::ConvOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::ConvOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FailureOr<mil::Window> window = mil::getWindow(op);
    if (failed(window))
      return rewriter.notifyMatchFailure(op, "the window is not legal");
    Location location = op.getLoc();
    std::optional<int64_t> groups = op.getGroupsOrDefault();
    if (!groups)
      return rewriter.notifyMatchFailure(op, "the groups are not constant");
    ArrayRef<int64_t> weight = milShape(op.getWeight());
    Value bias;
    if (op.getBias())
      bias = materializeHalf(rewriter, location, op.getBias(),
                             {1, 1, weight[0], 1, 1});
    if (weight.size() == zin::numDims) {
      Value y = convolveVolume(rewriter, location, adaptor.getX(),
                               op.getWeight(), bias, *window, *groups);
      if (!y)
        return rewriter.notifyMatchFailure(op, "the kernel is not at hand");
      rewriter.replaceOp(op, y);
      return success();
    }
    Value kernel = materializeHalf(rewriter, location, op.getWeight(),
                                   windowShape(weight));
    replaceWindowOp(
        op, adaptor.getX(), milShape(op.getX()), rewriter,
        [&](Value x, RankedTensorType type) -> Value {
          Shape5 shape = shortenRows(*window, Shape5(milShape(x)));
          if (milShape(x) != ArrayRef<int64_t>(shape)) {
            x = reshapeTo(rewriter, location, x, shape);
            shape[zin::C] = type.getDimSize(zin::C);
            type = halfType(op.getContext(), shape);
          }
          return zin::ConvOp::create(
              rewriter, location, type, x, kernel, bias,
              rewriter.getDenseI64ArrayAttr(planar(window->stride, 1)),
              rewriter.getDenseI64ArrayAttr(planar(window->padBefore, 0)),
              rewriter.getDenseI64ArrayAttr(planar(window->dilation, 1)),
              rewriter.getI64IntegerAttr(*groups), zin::NeuronAttr());
        });
    return success();
  }
};

template <typename MILOp, zin::PoolingType Kind>
struct PoolRule : OpConversionPattern<MILOp> {
  using OpConversionPattern<MILOp>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MILOp op, typename MILOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FailureOr<mil::Window> window = mil::getWindow(op);
    if (failed(window))
      return rewriter.notifyMatchFailure(op, "the window is not legal");
    std::optional<bool> excludePadding = false;
    if constexpr (Kind == zin::PoolingType::Avg)
      excludePadding = op.getExcludePaddingFromAverageOrDefault();
    if (!excludePadding)
      return rewriter.notifyMatchFailure(op, "a flag is not constant");
    SmallVector<int64_t> padding = planar(window->padBefore, 0);
    llvm::append_range(padding, planar(window->padAfter, 0));
    replaceWindowOp(op, adaptor.getX(), milShape(op.getX()), rewriter,
                    [&](Value x, RankedTensorType type) -> Value {
                      return zin::PoolOp::create(
                          rewriter, op.getLoc(), type, Kind, x,
                          planar(window->kernel, 1), planar(window->stride, 1),
                          padding, *excludePadding);
                    });
    return success();
  }
};

} // namespace

void ane::lowering::populateConvPatterns(const MILToZinTypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<ConvRule, PoolRule<mil::MaxPoolOp, zin::PoolingType::Max>,
               PoolRule<mil::AvgPoolOp, zin::PoolingType::Avg>>(
      converter, patterns.getContext());
}
