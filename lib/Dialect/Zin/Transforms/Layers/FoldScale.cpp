//===- FoldScale.cpp - Fold constant scales into coefficients -------------===//

#include "FusedLocations.h"
#include "HalfConstant.h"
#include "Layers/FoldInputScale.h"
#include "Layers/PaletteLoss.h"
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

/// `a * b + c` in fp32, which is rounded once more to fp16.
float folded(uint16_t a, double b, double c) {
  return static_cast<float>(halfToDouble(a) * b + c);
}

/// layer(x) * scale + bias, both constant for an output -> the layer with
/// coefficients and bias scaled.
template <typename Layer>
LogicalResult fold(Operation *op, Layer layer, ArrayRef<double> scale,
                   ArrayRef<double> bias, PatternRewriter &rewriter) {
  std::optional<HalfElements> weights = halfElementsOf(layer.getKernel());
  std::optional<HalfElements> present = halfElementsOf(layer.getBias());
  if (layer.getBias() && !present)
    return rewriter.notifyMatchFailure(op, "the bias is not at hand");
  if (!weights)
    return rewriter.notifyMatchFailure(op, "the kernel is not at hand");

  size_t outputs = scale.size();
  size_t taps = tapsOf(layer);
  std::vector<uint16_t> scaled, moved;
  scaled.reserve(weights->size());
  std::vector<double> ofOutput;
  for (size_t begin = 0; begin < weights->size(); begin += taps) {
    ofOutput.clear();
    for (size_t i = begin; i < begin + taps; ++i)
      ofOutput.push_back(
          folded((*weights)[i], scale[begin / taps % outputs], 0));
    if (!areCoefficients(ofOutput))
      return rewriter.notifyMatchFailure(op, "a scaled weight leaves fp16");
    llvm::append_range(scaled, llvm::map_range(ofOutput, halfFromDouble));
  }
  if (losesPalette(op, *weights, scaled, weights->size() / taps,
                   ShapedType::getNumElements(shapeOf(op->getResult(0)))))
    return rewriter.notifyMatchFailure(op, "the kernel is worth its palette");
  bool hasBias = present.has_value();
  for (size_t i = 0; i < outputs; ++i) {
    double value = folded(present ? (*present)[i] : 0, scale[i], bias[i]);
    if (!isCoefficient(value))
      return rewriter.notifyMatchFailure(op, "a scaled bias leaves fp16");
    moved.push_back(halfFromDouble(value));
    hasBias |= bias[i] != 0;
  }

  rewriter.setInsertionPoint(layer);
  Value newKernel = makeConstant(rewriter, op->getLoc(),
                                 shapeOf(layer.getKernel()), std::move(scaled));
  Value newBias;
  if (hasBias)
    newBias = makeConstant(rewriter, op->getLoc(), biasShape(layer, outputs),
                           std::move(moved));
  rewriter.modifyOpInPlace(layer, [&] {
    layer.getKernelMutable().assign(newKernel);
    if (newBias)
      layer.getBiasMutable().assign(newBias);
  });
  rewriter.replaceOp(op, layer.getResult());
  return success();
}

/// The layer behind a value if nothing but what is folded reads it and nothing
/// happens to its sums in between.
template <typename Layer> Layer foldableLayer(Value value, Type type) {
  auto layer = value.getDefiningOp<Layer>();
  if (!layer || !layer->hasOneUse() || layer.getActivation() ||
      layer.getScale() || layer.getType() != type)
    return {};
  return layer;
}

template <typename Layer> struct FoldProduct : CountingPattern<ElementWiseOp> {
  using CountingPattern::CountingPattern;

  LogicalResult matchAndRewrite(ElementWiseOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getKind() != EWType::Mult)
      return rewriter.notifyMatchFailure(op, "no product");
    for (auto [value, constant] :
         {std::pair(op.getX(), op.getY()), std::pair(op.getY(), op.getX())}) {
      Layer layer = foldableLayer<Layer>(value, op.getType());
      if (!layer)
        continue;
      std::vector<uint16_t> bits = perOutput(constant, layer);
      if (bits.empty())
        continue;
      SmallVector<double> scale;
      for (uint16_t half : bits)
        scale.push_back(halfToDouble(half));
      LogicalResult folded = fold(
          op, layer, scale, SmallVector<double>(scale.size(), 0), rewriter);
      count += succeeded(folded);
      return folded;
    }
    return rewriter.notifyMatchFailure(op, "no layer and constant to fold");
  }
};

/// A scale alone is for zin-fuse-epilogue, which rounds no coefficient.
template <typename Layer> struct FoldGOC : CountingPattern<GOCOp> {
  using CountingPattern::CountingPattern;

  LogicalResult matchAndRewrite(GOCOp op,
                                PatternRewriter &rewriter) const override {
    Layer layer = foldableLayer<Layer>(op.getX(), op.getType());
    if (!layer || op.getBias().isZero())
      return rewriter.notifyMatchFailure(op, "no layer, or a scale alone");
    if (roundsToIntegers(op.getBias()))
      return rewriter.notifyMatchFailure(op, "the offset rounds");
    size_t outputs = outputsOf(layer);
    LogicalResult folded = fold(
        op, layer,
        SmallVector<double>(outputs, op.getScale().convertToDouble()),
        SmallVector<double>(outputs, op.getBias().convertToDouble()), rewriter);
    count += succeeded(folded);
    return folded;
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
    bool endsAtOne = halfToDouble(halfFromDouble(high * scale)) == 1;
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
    // What MakeChannelwise would make a layer of is gone then.
    RewritePatternSet inputs(context);
    populateFoldInputScale(inputs, numInputs);
    RewritePatternSet patterns(context);
    patterns.add<FoldProduct<ConvOp>, FoldProduct<MatMulOp>, FoldGOC<ConvOp>,
                 FoldGOC<MatMulOp>, MakeChannelwise, FoldHardSigmoid>(
        context, numFolded);
    Region &body = getOperation().getBody();
    if (failed(rewriteLayers(body, std::move(inputs))) ||
        failed(rewriteLayers(body, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
