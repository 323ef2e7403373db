//===- WideRows.cpp - Convolutions of rows that L2 does not hold ----------===//
//
// A task with coefficients has the rows of its window in L2, all channels of
// them. Long rows of many channels, as those of sound are, do not fit.
//
//===----------------------------------------------------------------------===//

#include "Split/WideRows.h"
#include "Split/LayerBlocks.h"
#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/IR/Views.h"
#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Channels that a task has in one row of L2.
int64_t channelsOfTask(ConvOp op) {
  int64_t channels = shapeOf(op.getX())[C];
  return isChannelwise(op) ? channels : channels / op.getGroups();
}

/// How many of them a convolution has whose rows L2 holds; at least 1.
int64_t channelsThatFit(ConvOp op, const TargetDescription &target) {
  SmallVector<int64_t> source(shapeOf(op.getX())),
      result(shapeOf(op.getResult()));
  // What no neighbours in a row are needed for is cut along rows later.
  if (canCutColumns(shapeOf(op.getKernel())[W], op.getStrides()[1],
                    op.getPadding()[1]))
    source[W] = result[W] = std::min(source[W], target.rowStep());
  auto fits = [&](int64_t channels) {
    return leastWeighedBytes(source, channels, shapeOf(op.getKernel())[H],
                             op.getStrides()[0], result,
                             target) <= target.l2Bytes;
  };
  int64_t channels = channelsOfTask(op), parts = 1, perPart = channels;
  while (perPart > 1 && !fits(perPart))
    perPart = llvm::divideCeil(channels, ++parts);
  return perPart;
}

/// The groups of a convolution, so many at a time.
Value joinGroups(OpBuilder &builder, ConvOp op, int64_t perPart) {
  Location location = op.getLoc();
  int64_t groups = op.getGroups();
  int64_t inputs = shapeOf(op.getX())[C] / groups,
          outputs = shapeOf(op.getResult())[C] / groups;
  SmallVector<Value> parts;
  for (int64_t begin = 0; begin < groups; begin += perPart) {
    int64_t count = std::min(perPart, groups - begin);
    auto block = [&](Value value, unsigned dim, int64_t perGroup) {
      return blockOf(builder, location, value, dim,
                     {begin * perGroup, count * perGroup});
    };
    Value bias = op.getBias();
    SmallVector<int64_t> shape(shapeOf(op.getResult()));
    shape[C] = count * outputs;
    auto type = RankedTensorType::get(shape, builder.getF16Type());
    auto part = ConvOp::create(builder, location, type,
                               viewAlong(builder, location, op.getX(), C,
                                         begin * inputs, count * inputs),
                               block(op.getKernel(), N, outputs),
                               bias ? block(bias, C, outputs) : Value(),
                               op.getStridesAttr(), op.getPaddingAttr(),
                               op.getDilationsAttr(),
                               builder.getI64IntegerAttr(count), NeuronAttr());
    part.setScaleAttr(op.getScaleAttr());
    parts.push_back(part);
  }
  return concatAlong(builder, location, parts, C);
}

/// A convolution of too many channels -> the sum of those of parts of them, or,
/// where groups keep them apart, the parts side by side.
struct SplitChannels : OpRewritePattern<ConvOp> {
  SplitChannels(MLIRContext *context, const TargetDescription &target)
      : OpRewritePattern(context), target(target) {}

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getActivationAttr() || op.getScaleAttr() || op.isDilatedInTasks())
      return rewriter.notifyMatchFailure(op, "in a form that comes later");
    int64_t perPart = channelsThatFit(op, target);
    if (perPart == channelsOfTask(op))
      return rewriter.notifyMatchFailure(op, "the rows of a window fit L2");
    if (!isAtHand(op.getKernel()) || (op.getBias() && !isAtHand(op.getBias())))
      return rewriter.notifyMatchFailure(op, "kernel or bias are not at hand");
    rewriter.replaceOp(
        op, op.getGroups() == 1
                ? sumOfParts(rewriter, op, C, C, channelsOfTask(op), perPart)
                : joinGroups(rewriter, op, isChannelwise(op) ? perPart : 1));
    return success();
  }

private:
  const TargetDescription &target;
};

} // namespace

void zin::populateWideRowPatterns(RewritePatternSet &patterns,
                                  const TargetDescription &target) {
  patterns.add<SplitChannels>(patterns.getContext(), target);
}

Value zin::splitWideChannels(OpBuilder &builder, ConvOp op,
                             const TargetDescription &target) {
  int64_t perPart = channelsThatFit(op, target);
  if (perPart == channelsOfTask(op))
    return op;
  Value parts = joinGroups(builder, op, perPart);
  op.erase();
  return parts;
}
