//===- FoldScale.cpp - Fold constant scales into coefficients -------------===//

#include "FusedLocations.h"
#include "HalfConstant.h"
#include "Layers/FoldInputScale.h"
#include "Layers/FoldOutputScale.h"
#include "Layout/EarlyNeurons.h"
#include "PerOutput.h"
#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/IR/RoundingOffset.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "ane/Support/Coefficients.h"
#include "ane/Support/CountingPattern.h"
#include "ane/Support/Half.h"
#include "mlir/IR/PatternMatch.h"
#include <cmath>

namespace ane::zin {
#define GEN_PASS_DEF_FOLDSCALE
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// (x * scale) * next + offset -> x * (scale * next) + offset. One scale is
/// rounded where the product was.
struct MergeScales : CountingPattern<GOCOp> {
  using CountingPattern::CountingPattern;

  LogicalResult matchAndRewrite(GOCOp op,
                                PatternRewriter &rewriter) const override {
    auto first = op.getX().getDefiningOp<GOCOp>();
    if (!first || !first->hasOneUse() || !first.getBias().isZero() ||
        roundsToIntegers(op.getBias()))
      return rewriter.notifyMatchFailure(op, "no scale of its own in front");
    double scale = first.getScale().convertToDouble(),
           next = op.getScale().convertToDouble();
    if (hidesInfinity(scale, next) || !isCoefficient(scale * next))
      return rewriter.notifyMatchFailure(op, "one scale would do less");
    rewriter.replaceOpWithNewOp<GOCOp>(op, first.getX(), scale * next,
                                       op.getBias().convertToDouble());
    ++count;
    return success();
  }
};

/// x * scale + offset, both constant for a channel -> a convolution with a
/// window of one element of each channel, which takes the offset as its bias.
struct MakeChannelwise : CountingPattern<ElementWiseOp> {
  using CountingPattern::CountingPattern;

  LogicalResult matchAndRewrite(ElementWiseOp op,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> shape = shapeOf(op.getResult());
    int64_t channels = shape[C];
    if (op.getKind() != EWType::Mult || !op->hasOneUse() || shape[D] != 1 ||
        channels == 1 || !isOffset(*op->user_begin(), op))
      return rewriter.notifyMatchFailure(op,
                                         "no product in front of an offset");
    for (auto [value, constant] :
         {std::pair(op.getX(), op.getY()), std::pair(op.getY(), op.getX())}) {
      std::vector<uint16_t> scale = numbersAlong(constant, C, channels);
      if (scale.empty() || value.getType() != op.getType() ||
          !areFoldableScales(scale))
        continue;
      Value kernel = makeConstant(rewriter, op.getLoc(), {channels, 1, 1, 1, 1},
                                  std::move(scale));
      rewriter.replaceOpWithNewOp<ConvOp>(op, value, kernel, /*bias=*/Value());
      ++count;
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no constant for each channel");
  }

private:
  /// Whether a layer adds a constant for each channel, and not one for all.
  static bool isOffset(Operation *user, ElementWiseOp product) {
    auto add = dyn_cast<ElementWiseOp>(user);
    if (!add || add.getKind() != EWType::Add ||
        add.getType() != product.getType())
      return false;
    Value other = add.getX() == product.getResult() ? add.getY() : add.getX();
    int64_t channels = shapeOf(product.getResult())[C];
    return shapeOf(other)[C] == channels &&
           !numbersAlong(other, C, channels).empty();
  }
};

/// clip(x, 0, high) * scale, where that ends at 1 -> the line of that slope
/// between 0 and 1, which is a hard sigmoid: as programs write it, with 6 and
/// 1 / 6. Behind a product with something else as well.
struct FoldHardSigmoid : CountingPattern<GOCOp> {
  using CountingPattern::CountingPattern;

  LogicalResult matchAndRewrite(GOCOp op,
                                PatternRewriter &rewriter) const override {
    double scale = op.getScale().convertToDouble();
    if (!op.getBias().isZero())
      return rewriter.notifyMatchFailure(op, "no scale alone");
    if (NeuronOp clip = clipTo(op.getX(), scale)) {
      rewriter.replaceOp(op, makeLine(op, clip, rewriter));
      ++count;
      return success();
    }
    auto product = op.getX().getDefiningOp<ElementWiseOp>();
    if (!product || product.getKind() != EWType::Mult || !product->hasOneUse())
      return rewriter.notifyMatchFailure(op, "no clip or product of its own");
    for (OpOperand &operand : product->getOpOperands()) {
      NeuronOp clip = clipTo(operand.get(), scale);
      if (!clip)
        continue;
      rewriter.setInsertionPoint(product);
      rewriter.replaceOp(clip, makeLine(op, clip, rewriter));
      rewriter.replaceOp(op, product.getResult());
      ++count;
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no clip in front");
  }

private:
  /// The layer that clips a value to what `scale` brings to 1, if nobody else
  /// reads the value.
  static NeuronOp clipTo(Value value, double scale) {
    auto clip = value.getDefiningOp<NeuronOp>();
    if (!clip || !clip->hasOneUse() || !clip.isPlain() ||
        clip.getFunction().getMode() != NonLinearMode::clamped_relu)
      return {};
    double low = clip.getFunction().getAlpha().getValueAsDouble();
    double high = clip.getFunction().getBeta().getValueAsDouble();
    bool endsAtOne = roundToHalf(high * scale) == 1;
    return low == 0 && endsAtOne ? clip : NeuronOp();
  }

  static Value makeLine(GOCOp op, NeuronOp clip, PatternRewriter &rewriter) {
    auto line =
        NeuronAttr::get(rewriter.getContext(), NonLinearMode::sigmoid_hard,
                        op.getScaleAttr(), rewriter.getF16FloatAttr(0));
    return NeuronOp::create(rewriter, op.getLoc(), clip.getX(), line,
                            FloatAttr(), FloatAttr());
  }
};

class FoldScale : public ane::zin::impl::FoldScaleBase<FoldScale> {
public:
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    // What MakeChannelwise would make a layer of is gone behind both.
    RewritePatternSet inputs(context), patterns(context);
    populateFoldInputScale(inputs, numInputs);
    patterns.add<MergeScales, MakeChannelwise, FoldHardSigmoid>(context,
                                                                numFolded);
    // What was between an activation and a join may be gone.
    populateEarlyNeurons(patterns);
    Region &body = getOperation().getBody();
    if (failed(rewriteLayers(body, std::move(inputs))) ||
        failed(foldOutputScales(body, numFolded)) ||
        failed(rewriteLayers(body, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
