//===- Conv.cpp - Convolution and pooling ---------------------------------===//

#include "Lowering.h"
#include "ane/Dialect/MIL/IR/Window.h"
#include "ane/Target/H13.h"

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

/// Whether each result reads the element of each channel in its own place.
bool isPointwise(const mil::Window &window) {
  auto isOne = [](int64_t count) { return count == 1; };
  auto isZero = [](int64_t count) { return count == 0; };
  return llvm::all_of(window.kernel, isOne) &&
         llvm::all_of(window.stride, isOne) &&
         llvm::all_of(window.padBefore, isZero) &&
         llvm::all_of(window.padAfter, isZero);
}

/// Whether a convolution of images of one pixel is to be a product of matrices,
/// with the images in rows. A task works on several pixels of an image at once,
/// on one takes as long; but a product waits for coefficients, and what other
/// layers leave in L2 an element a row is turned at one element in a cycle. The
/// rates of a cycle are assigned.
bool isProduct(const mil::Window &window, int64_t groups,
               ArrayRef<int64_t> shape, int64_t outputs, int64_t longestRow) {
  constexpr int64_t macsPerCycle = 256, coefficientsPerCycle = 18;
  int64_t images = shape[zin::N], channels = shape[zin::C];
  int64_t coefficients = channels * outputs;
  return isPointwise(window) && groups == 1 && shape[zin::H] == 1 &&
         shape[zin::W] == 1 &&
         std::max({images, channels, outputs}) <= longestRow &&
         images * coefficients / macsPerCycle >=
             images * (channels + outputs) +
                 coefficients / coefficientsPerCycle;
}

/// A window of one element does not care where elements are. One long row of
/// many channels, which L2 would have to hold whole, becomes rows that are as
/// long as surfaces are aligned (64 bytes: verified): the same bytes. How many
/// elements are long is assigned.
Shape5 shortenRows(const mil::Window &window, Shape5 shape) {
  constexpr int64_t alignedColumns = h13.rowStep(), rowElements = int64_t(1)
                                                                  << 18;
  if (!isPointwise(window) || shape[zin::H] != 1 ||
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
  ConvRule(const TypeConverter &converter, MLIRContext *context,
           int64_t longestRow)
      : OpConversionPattern(converter, context), longestRow(longestRow) {}

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
    auto biasOf = [&](const Shape5 &shape) {
      return op.getBias()
                 ? materializeHalf(rewriter, location, op.getBias(), shape)
                 : Value();
    };
    if (weight.size() == zin::numDims) {
      Value y =
          convolveVolume(rewriter, location, adaptor.getX(), op.getWeight(),
                         biasOf({1, 1, weight[0], 1, 1}), *window, *groups);
      if (!y)
        return rewriter.notifyMatchFailure(op, "the kernel is not at hand");
      rewriter.replaceOp(op, y);
      return success();
    }
    ArrayRef<int64_t> xShape = milShape(op.getX());
    if (isProduct(*window, *groups, windowShape(xShape), weight[0],
                  longestRow)) {
      int64_t images = xShape[0], outputs = weight[0], taps = weight[1];
      Value matrix = reshapeTo(rewriter, location, adaptor.getX(),
                               {1, 1, 1, images, taps});
      Value product = zin::MatMulOp::create(
          rewriter, location,
          halfType(op.getContext(), {1, 1, 1, images, outputs}), matrix,
          materializeHalf(rewriter, location, op.getWeight(),
                          {1, 1, 1, outputs, taps}),
          biasOf({1, 1, 1, 1, outputs}), /*contract_rows=*/false,
          /*outputs_on_rows=*/false, zin::NeuronAttr());
      ArrayRef<int64_t> y = milShape(op.getResult());
      rewriter.replaceOp(
          op, reshapeTo(rewriter, location, product, alignShape(y, y.size())));
      return success();
    }
    Value bias = biasOf({1, 1, weight[0], 1, 1});
    Value kernel = materializeHalf(rewriter, location, op.getWeight(),
                                   windowShape(weight));
    replaceWindowOp(
        op, adaptor.getX(), xShape, rewriter,
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

private:
  int64_t longestRow;
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
                                         RewritePatternSet &patterns,
                                         int64_t longestRow) {
  patterns.add<ConvRule>(converter, patterns.getContext(), longestRow);
  patterns.add<PoolRule<mil::MaxPoolOp, zin::PoolingType::Max>,
               PoolRule<mil::AvgPoolOp, zin::PoolingType::Avg>>(
      converter, patterns.getContext());
}
