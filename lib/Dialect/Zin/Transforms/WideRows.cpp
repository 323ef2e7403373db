//===- WideRows.cpp - Convolutions of rows that L2 does not hold ----------===//
//
// A task with coefficients has the rows of its window in L2, all channels of
// them. Long rows of many channels, as those of sound are, do not fit.
//
//===----------------------------------------------------------------------===//

#include "WideRows.h"
#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/IR/Views.h"
#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

SmallVector<int64_t> withExtent(ArrayRef<int64_t> shape, unsigned dim,
                                int64_t extent) {
  SmallVector<int64_t> result(shape);
  result[dim] = extent;
  return result;
}

/// A convolution of too many channels -> the sum of those of parts of them, or,
/// where groups keep them apart, the parts side by side.
struct SplitChannels : OpRewritePattern<ConvOp> {
  SplitChannels(MLIRContext *context, const TargetDescription &target)
      : OpRewritePattern(context), target(target) {}

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    int64_t channels = channelsOfTask(op);
    if (op.getActivationAttr() || op.getScaleAttr() ||
        llvm::any_of(op.getDilations(), [](int64_t step) { return step != 1; }))
      return rewriter.notifyMatchFailure(op, "in a form that comes later");
    if (leastBytes(op, channels) <= target.l2Bytes)
      return rewriter.notifyMatchFailure(op, "the rows of a window fit L2");
    int64_t parts = 1, perPart = channels;
    while (perPart > 1 && leastBytes(op, perPart) > target.l2Bytes)
      perPart = llvm::divideCeil(channels, ++parts);
    auto constant = op.getKernel().getDefiningOp<ConstantOp>();
    std::optional<HalfElements> weights =
        constant ? HalfElements::get(constant.getElements()) : std::nullopt;
    std::optional<HalfElements> bias;
    if (Value value = op.getBias())
      if (auto biasConstant = value.getDefiningOp<ConstantOp>())
        bias = HalfElements::get(biasConstant.getElements());
    if (parts == 1 || !weights || (op.getBias() && !bias))
      return rewriter.notifyMatchFailure(
          op, "a single channel, or kernel or bias are not at hand");
    if (op.getGroups() == 1)
      sumParts(op, *weights, perPart, rewriter);
    else
      joinGroups(op, *weights, bias, isChannelwise(op) ? perPart : 1, rewriter);
    return success();
  }

private:
  static bool isChannelwise(ConvOp op) {
    int64_t groups = op.getGroups();
    return groups == shapeOf(op.getX())[C] &&
           groups == shapeOf(op.getResult())[C];
  }

  /// Channels that a task has in one row of L2.
  static int64_t channelsOfTask(ConvOp op) {
    int64_t channels = shapeOf(op.getX())[C];
    return isChannelwise(op) ? channels : channels / op.getGroups();
  }

  int64_t leastBytes(ConvOp op, int64_t channels) const {
    SmallVector<int64_t> source(shapeOf(op.getX())),
        result(shapeOf(op.getResult()));
    // What no neighbours in a row are needed for is cut along rows later.
    if (canCutColumns(shapeOf(op.getKernel())[W], op.getStrides()[1],
                      op.getPadding()[1]))
      source[W] = result[W] =
          std::min(source[W], target.rowAlignment / elementBytes);
    return leastWeighedBytes(source, channels, shapeOf(op.getKernel())[H],
                             op.getStrides()[0], result, target);
  }

  static Value makeConstant(OpBuilder &builder, Location location,
                            ArrayRef<int64_t> shape,
                            std::vector<uint16_t> bits) {
    auto type = RankedTensorType::get(shape, builder.getF16Type());
    return ConstantOp::create(
        builder, location,
        cast<TypedAttr>(makeHalfElements(type, std::move(bits))));
  }

  static void sumParts(ConvOp op, const HalfElements &weights, int64_t perPart,
                       PatternRewriter &rewriter) {
    Location location = op.getLoc();
    ArrayRef<int64_t> kernel = shapeOf(op.getKernel());
    int64_t plane = kernel[H] * kernel[W];
    Value sum;
    for (int64_t begin = 0; begin < kernel[C]; begin += perPart) {
      int64_t count = std::min(perPart, kernel[C] - begin);
      std::vector<uint16_t> bits;
      bits.reserve(kernel[N] * count * plane);
      for (int64_t output = 0; output < kernel[N]; ++output)
        for (int64_t i = 0; i < count * plane; ++i)
          bits.push_back(weights[(output * kernel[C] + begin) * plane + i]);
      Value part = makeConstant(rewriter, location,
                                withExtent(kernel, C, count), std::move(bits));
      Value product = ConvOp::create(
          rewriter, location, op.getType(),
          viewAlong(rewriter, location, op.getX(), C, begin, count), part,
          sum ? Value() : op.getBias(), op.getStridesAttr(),
          op.getPaddingAttr(), op.getDilationsAttr(), op.getGroupsAttr(),
          NeuronAttr());
      sum = sum ? ElementWiseOp::create(rewriter, location, op.getType(),
                                        EWType::Add, sum, product)
                : product;
    }
    rewriter.replaceOp(op, sum);
  }

  static void joinGroups(ConvOp op, const HalfElements &weights,
                         const std::optional<HalfElements> &bias,
                         int64_t perPart, PatternRewriter &rewriter) {
    Location location = op.getLoc();
    ArrayRef<int64_t> kernel = shapeOf(op.getKernel());
    int64_t groups = op.getGroups();
    int64_t inputs = shapeOf(op.getX())[C] / groups,
            outputs = kernel[N] / groups;
    int64_t weightsOfGroup = outputs * kernel[C] * kernel[H] * kernel[W];
    auto slice = [](const HalfElements &elements, int64_t begin,
                    int64_t count) {
      std::vector<uint16_t> bits;
      bits.reserve(count);
      for (int64_t i = 0; i < count; ++i)
        bits.push_back(elements[begin + i]);
      return bits;
    };
    SmallVector<Value> parts;
    for (int64_t begin = 0; begin < groups; begin += perPart) {
      int64_t count = std::min(perPart, groups - begin);
      Value part = makeConstant(
          rewriter, location, withExtent(kernel, N, count * outputs),
          slice(weights, begin * weightsOfGroup, count * weightsOfGroup));
      Value addends;
      if (bias)
        addends =
            makeConstant(rewriter, location,
                         withExtent(shapeOf(op.getBias()), C, count * outputs),
                         slice(*bias, begin * outputs, count * outputs));
      auto type = RankedTensorType::get(
          withExtent(shapeOf(op.getResult()), C, count * outputs),
          rewriter.getF16Type());
      parts.push_back(ConvOp::create(rewriter, location, type,
                                     viewAlong(rewriter, location, op.getX(), C,
                                               begin * inputs, count * inputs),
                                     part, addends, op.getStridesAttr(),
                                     op.getPaddingAttr(), op.getDilationsAttr(),
                                     rewriter.getI64IntegerAttr(count),
                                     NeuronAttr()));
    }
    rewriter.replaceOp(op, concatAlong(rewriter, location, parts, C));
  }

  const TargetDescription &target;
};

} // namespace

void zin::populateWideRowPatterns(RewritePatternSet &patterns,
                                  const TargetDescription &target) {
  patterns.add<SplitChannels>(patterns.getContext(), target);
}
