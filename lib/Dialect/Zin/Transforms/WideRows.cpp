//===- WideRows.cpp - Convolutions of rows that L2 does not hold ----------===//
//
// A task with coefficients has the rows of its window in L2, all channels of
// them. Long rows of many channels, as those of sound are, do not fit.
//
//===----------------------------------------------------------------------===//

#include "WideRows.h"
#include "LayerBlocks.h"
#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/IR/Views.h"
#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// A convolution of too many channels -> the sum of those of parts of them, or,
/// where groups keep them apart, the parts side by side.
struct SplitChannels : OpRewritePattern<ConvOp> {
  SplitChannels(MLIRContext *context, const TargetDescription &target)
      : OpRewritePattern(context), target(target) {}

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    int64_t channels = channelsOfTask(op);
    if (op.getActivationAttr() || op.getScaleAttr() || op.isDilatedInTasks())
      return rewriter.notifyMatchFailure(op, "in a form that comes later");
    if (leastBytes(op, channels) <= target.l2Bytes)
      return rewriter.notifyMatchFailure(op, "the rows of a window fit L2");
    int64_t parts = 1, perPart = channels;
    while (perPart > 1 && leastBytes(op, perPart) > target.l2Bytes)
      perPart = llvm::divideCeil(channels, ++parts);
    if (parts == 1 || !isAtHand(op.getKernel()) ||
        (op.getBias() && !isAtHand(op.getBias())))
      return rewriter.notifyMatchFailure(
          op, "a single channel, or kernel or bias are not at hand");
    if (op.getGroups() == 1)
      sumParts(op, perPart, rewriter);
    else
      joinGroups(op, isChannelwise(op) ? perPart : 1, rewriter);
    return success();
  }

private:
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

  static void sumParts(ConvOp op, int64_t perPart, PatternRewriter &rewriter) {
    Location location = op.getLoc();
    int64_t channels = shapeOf(op.getKernel())[C];
    Value sum;
    for (int64_t begin = 0; begin < channels; begin += perPart) {
      IndexRange range = {begin, std::min(perPart, channels - begin)};
      Value product = ConvOp::create(
          rewriter, location, op.getType(),
          viewAlong(rewriter, location, op.getX(), C, range.begin, range.count),
          blockOf(rewriter, location, op.getKernel(), C, range),
          sum ? Value() : op.getBias(), op.getStridesAttr(),
          op.getPaddingAttr(), op.getDilationsAttr(), op.getGroupsAttr(),
          NeuronAttr());
      sum = sum ? ElementWiseOp::create(rewriter, location, op.getType(),
                                        EWType::Add, sum, product)
                : product;
    }
    rewriter.replaceOp(op, sum);
  }

  static void joinGroups(ConvOp op, int64_t perPart,
                         PatternRewriter &rewriter) {
    Location location = op.getLoc();
    int64_t groups = op.getGroups();
    int64_t inputs = shapeOf(op.getX())[C] / groups,
            outputs = shapeOf(op.getResult())[C] / groups;
    SmallVector<Value> parts;
    for (int64_t begin = 0; begin < groups; begin += perPart) {
      int64_t count = std::min(perPart, groups - begin);
      auto block = [&](Value value, unsigned dim, int64_t perGroup) {
        return blockOf(rewriter, location, value, dim,
                       {begin * perGroup, count * perGroup});
      };
      Value bias = op.getBias();
      SmallVector<int64_t> shape(shapeOf(op.getResult()));
      shape[C] = count * outputs;
      auto type = RankedTensorType::get(shape, rewriter.getF16Type());
      parts.push_back(ConvOp::create(
          rewriter, location, type,
          viewAlong(rewriter, location, op.getX(), C, begin * inputs,
                    count * inputs),
          block(op.getKernel(), N, outputs),
          bias ? block(bias, C, outputs) : Value(), op.getStridesAttr(),
          op.getPaddingAttr(), op.getDilationsAttr(),
          rewriter.getI64IntegerAttr(count), NeuronAttr()));
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
