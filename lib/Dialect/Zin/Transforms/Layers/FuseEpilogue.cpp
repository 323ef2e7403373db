//===- FuseEpilogue.cpp - Fuse bias and activation ------------------------===//

#include "FusedLocations.h"
#include "HalfConstant.h"
#include "Layers/FuseInputScale.h"
#include "PerOutput.h"
#include "Split/LayerBlocks.h"
#include "ane/Dialect/Zin/IR/RoundingOffset.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "ane/Support/Coefficients.h"
#include "ane/Support/CountingPattern.h"
#include "ane/Support/Half.h"
#include "mlir/IR/PatternMatch.h"
#include <algorithm>
#include <cmath>

namespace ane::zin {
#define GEN_PASS_DEF_FUSEEPILOGUE
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Whether the kernel can bring a bias and a table: coefficients from a surface
/// bring neither (no real program has them).
template <typename Layer> bool hasConstantKernel(Layer layer) {
  return bool(layer.getKernel().template getDefiningOp<ConstantOp>());
}

/// The sum of two biases, rounded as a bias is; nothing if it is infinite.
std::optional<uint16_t> addHalves(uint16_t a, uint16_t b) {
  uint16_t sum = halfFromDouble(halfToDouble(a) + halfToDouble(b));
  if (std::isinf(halfToDouble(sum)) || std::isnan(halfToDouble(sum)))
    return std::nullopt;
  return sum;
}

/// layer(x) + constant -> layer(x) with a bias.
template <typename Layer> struct FuseBias : CountingPattern<ElementWiseOp> {
  using CountingPattern::CountingPattern;

  LogicalResult matchAndRewrite(ElementWiseOp add,
                                PatternRewriter &rewriter) const override {
    if (add.getKind() != EWType::Add)
      return rewriter.notifyMatchFailure(add, "no addition");
    for (auto [value, constant] : {std::pair(add.getX(), add.getY()),
                                   std::pair(add.getY(), add.getX())}) {
      auto layer = value.template getDefiningOp<Layer>();
      if (!layer || !layer->hasOneUse() || layer.getActivation() ||
          layer.getScale() || !hasConstantKernel(layer) ||
          layer.getType() != add.getType())
        continue;
      int64_t outputs = outputsOf(layer);
      std::vector<uint16_t> bias = perOutput(constant, layer);
      if (bias.empty())
        continue;
      if (layer.getBias()) {
        std::vector<uint16_t> present;
        if (auto elements = halfElementsOf(layer.getBias()))
          for (int64_t i = 0; i < outputs; ++i)
            present.push_back((*elements)[i]);
        if (present.empty())
          continue;
        bool fits = true;
        for (int64_t i = 0; i < outputs && fits; ++i) {
          std::optional<uint16_t> sum = addHalves(present[i], bias[i]);
          fits = sum.has_value();
          bias[i] = sum.value_or(0);
        }
        if (!fits)
          continue;
      }
      rewriter.setInsertionPoint(layer);
      Value operand = makeConstant(rewriter, add.getLoc(),
                                   biasShape(layer, outputs), std::move(bias));
      rewriter.modifyOpInPlace(layer,
                               [&] { layer.getBiasMutable().assign(operand); });
      rewriter.replaceOp(add, layer.getResult());
      ++count;
      return success();
    }
    return rewriter.notifyMatchFailure(add, "no layer and constant to fuse");
  }
};

/// Whether a scale belongs to an activation that is to stay a layer: passes
/// behind this one find exponentials that become probabilities.
bool isScaledExponential(NeuronOp neuron) {
  return neuron.getScaleAttr() &&
         neuron.getFunction().getMode() == NonLinearMode::exp2;
}

bool isRelu(NeuronAttr neuron) {
  return neuron.getMode() == NonLinearMode::relu;
}

/// Whether a layer has room for an activation behind it. Coefficients from a
/// surface bring no table.
template <typename Layer> bool takesActivation(Layer layer, NeuronOp neuron) {
  return layer && layer->hasOneUse() && !layer.getActivation() &&
         !neuron.getBiasAttr() && !isScaledExponential(neuron) &&
         isCoefficient(scaleOf(layer) * scaleOf(neuron)) &&
         (hasConstantKernel(layer) || isRelu(neuron.getFunction()));
}

/// activation(layer(x)) -> layer(x) with the activation.
template <typename Layer> struct FuseActivation : CountingPattern<NeuronOp> {
  using CountingPattern::CountingPattern;

  LogicalResult matchAndRewrite(NeuronOp neuron,
                                PatternRewriter &rewriter) const override {
    auto layer = neuron.getX().template getDefiningOp<Layer>();
    if (!takesActivation(layer, neuron))
      return rewriter.notifyMatchFailure(neuron, "no layer to fuse into");
    double scale = scaleOf(layer) * scaleOf(neuron);
    rewriter.modifyOpInPlace(layer, [&] {
      layer.setActivationAttr(neuron.getFunctionAttr());
      layer.setScaleAttr(scale == 1 ? FloatAttr()
                                    : rewriter.getF16FloatAttr(scale));
    });
    rewriter.replaceOp(neuron, layer.getResult());
    ++count;
    return success();
  }
};

/// layer(x) * scale -> layer(x) with that scale. It comes before an activation,
/// which matters to none but relu with a positive scale.
template <typename Layer> struct FuseProduct : CountingPattern<GOCOp> {
  using CountingPattern::CountingPattern;

  LogicalResult matchAndRewrite(GOCOp product,
                                PatternRewriter &rewriter) const override {
    auto layer = product.getX().template getDefiningOp<Layer>();
    if (!layer || !layer->hasOneUse() || layer.getScale() ||
        !mayComeFirst(product, layer.getActivationAttr()) ||
        !product.getBias().isZero() || product.getBias().isNegative())
      return rewriter.notifyMatchFailure(product, "no layer to fuse into");
    rewriter.modifyOpInPlace(
        layer, [&] { layer.setScaleAttr(product.getScaleAttr()); });
    rewriter.replaceOp(product, layer.getResult());
    ++count;
    return success();
  }

private:
  static bool mayComeFirst(GOCOp product, NeuronAttr activation) {
    return !activation || (activation.getMode() == NonLinearMode::relu &&
                           !product.getScale().isNegative());
  }
};

/// f(move(x)) -> move(f(x)): what follows a layer then stands right behind it.
template <typename Layer> struct HoistAboveMove : OpRewritePattern<Layer> {
  using OpRewritePattern<Layer>::OpRewritePattern;

  LogicalResult matchAndRewrite(Layer layer,
                                PatternRewriter &rewriter) const override {
    Operation *move = layer.getX().getDefiningOp();
    if (!isa_and_nonnull<ReshapeOp, TransposeOp>(move) || !move->hasOneUse())
      return rewriter.notifyMatchFailure(layer, "no move of its own");
    Value x = move->getOperand(0);
    Operation *hoisted = cloneWith(rewriter, layer, x, shapeOf(x));
    Operation *moved = cloneWith(rewriter, move, hoisted->getResults(),
                                 shapeOf(move->getResult(0)));
    rewriter.replaceOp(layer, moved);
    // What the layer reads is its own now: it can move on.
    rewriter.eraseOp(move);
    return success();
  }
};

/// An activation as a clamp, if it is one.
std::optional<std::pair<double, double>> asClamp(NeuronAttr neuron) {
  if (isRelu(neuron))
    return std::pair(0.0, HUGE_VAL);
  if (neuron.getMode() == NonLinearMode::clamped_relu)
    return std::pair(neuron.getAlpha().getValueAsDouble(),
                     neuron.getBeta().getValueAsDouble());
  return std::nullopt;
}

/// clamp(max(x)) -> max(clamp(x)) where the layer in front takes the clamp, as
/// tasks that add or multiply two values take a relu.
struct HoistAboveMaxima : OpRewritePattern<NeuronOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(NeuronOp clamp,
                                PatternRewriter &rewriter) const override {
    auto pool = clamp.getX().getDefiningOp<PoolOp>();
    if (!pool || pool.getKind() != PoolingType::Max || !pool->hasOneUse() ||
        !clamp.isPlain() || !asClamp(clamp.getFunction()))
      return rewriter.notifyMatchFailure(clamp, "no clamp of maxima");
    Value x = pool.getX();
    bool isOfPair = isRelu(clamp.getFunction()) && x.hasOneUse() &&
                    x.getDefiningOp<ElementWiseOp>();
    if (!isOfPair && !takesActivation(x.getDefiningOp<ConvOp>(), clamp) &&
        !takesActivation(x.getDefiningOp<MatMulOp>(), clamp))
      return rewriter.notifyMatchFailure(clamp, "no layer that takes it");
    rewriter.setInsertionPoint(pool);
    Operation *hoisted = cloneWith(rewriter, clamp, x, shapeOf(x));
    rewriter.modifyOpInPlace(
        pool, [&] { pool.getXMutable().assign(hoisted->getResult(0)); });
    rewriter.replaceOp(clamp, pool.getResult());
    return success();
  }
};

/// relu(x) -> x where x is never negative.
struct DropRelu : OpRewritePattern<NeuronOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(NeuronOp relu,
                                PatternRewriter &rewriter) const override {
    Operation *layer = relu.getX().getDefiningOp();
    auto neuron = dyn_cast_or_null<NeuronOp>(layer);
    auto pair = dyn_cast_or_null<ElementWiseOp>(layer);
    bool isNeverNegative =
        (neuron &&
         llvm::is_contained({NonLinearMode::abs, NonLinearMode::exp2,
                             NonLinearMode::sqrt, NonLinearMode::sigmoid,
                             NonLinearMode::sigmoid_high_precision},
                            neuron.getFunction().getMode())) ||
        (pair && pair.getKind() == EWType::Mult &&
         pair.getX() == pair.getY()) ||
        isa_and_nonnull<SoftmaxOp>(layer);
    if (!isRelu(relu.getFunction()) || !relu.isPlain() || !isNeverNegative)
      return rewriter.notifyMatchFailure(relu, "no relu of such a value");
    rewriter.replaceOp(relu, relu.getX());
    return success();
  }
};

/// clamp(clamp(x)) -> clamp(x): the outer bounds applied to the inner ones.
struct MergeClamps : OpRewritePattern<NeuronOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(NeuronOp outer,
                                PatternRewriter &rewriter) const override {
    auto inner = outer.getX().getDefiningOp<NeuronOp>();
    if (!inner || !inner->hasOneUse() || !inner.isPlain() || !outer.isPlain())
      return rewriter.notifyMatchFailure(outer, "no activation to merge with");
    auto a = asClamp(inner.getFunction()), b = asClamp(outer.getFunction());
    if (!a || !b)
      return rewriter.notifyMatchFailure(outer, "not two clamps");
    double low = std::clamp(a->first, b->first, b->second);
    double high = std::clamp(a->second, b->first, b->second);
    bool isRelu = low == 0 && std::isinf(high);
    Type f16 = rewriter.getF16Type();
    auto merged = isRelu ? NeuronAttr::get(rewriter.getContext(),
                                           NonLinearMode::relu, {}, {})
                         : NeuronAttr::get(rewriter.getContext(),
                                           NonLinearMode::clamped_relu,
                                           rewriter.getFloatAttr(f16, low),
                                           rewriter.getFloatAttr(f16, high));
    rewriter.replaceOpWithNewOp<NeuronOp>(outer, inner.getX(), merged);
    return success();
  }
};

/// clamp(x + bias) + offset -> clamp(x + bias + offset), where fp16 holds what
/// is added: as zero points are taken off what has just been quantized. Without
/// a bias a clamp may be the activation of a layer.
struct MoveOffsetIntoClamp : OpRewritePattern<GOCOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GOCOp added,
                                PatternRewriter &rewriter) const override {
    auto clamp = added.getX().getDefiningOp<NeuronOp>();
    if (!clamp || !clamp->hasOneUse() || !clamp.getBiasAttr() ||
        clamp.getScaleAttr() ||
        clamp.getFunction().getMode() != NonLinearMode::clamped_relu ||
        !added.getScale().isExactlyValue(1.0) ||
        roundsToIntegers(added.getBias()))
      return rewriter.notifyMatchFailure(added, "no clamp in front of it");
    bool fits = true;
    auto plusOffset = [&](FloatAttr number) {
      double sum =
          number.getValueAsDouble() + added.getBias().convertToDouble();
      fits &= isHalf(sum);
      return rewriter.getF16FloatAttr(sum);
    };
    FloatAttr low = plusOffset(clamp.getFunction().getAlpha()),
              high = plusOffset(clamp.getFunction().getBeta()),
              bias = plusOffset(clamp.getBiasAttr());
    if (!fits)
      return rewriter.notifyMatchFailure(added, "a sum leaves fp16");
    rewriter.replaceOpWithNewOp<NeuronOp>(
        added, clamp.getX(),
        NeuronAttr::get(rewriter.getContext(), NonLinearMode::clamped_relu, low,
                        high),
        FloatAttr(), bias.getValue().isZero() ? FloatAttr() : bias);
    return success();
  }
};

/// activation(x * scale) -> activation of x with that scale: the neural engine
/// scales before it applies an activation, and rounds once less.
struct FuseScale : OpRewritePattern<NeuronOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(NeuronOp neuron,
                                PatternRewriter &rewriter) const override {
    auto scaled = neuron.getX().getDefiningOp<GOCOp>();
    if (!scaled || !scaled->hasOneUse() || !neuron.isPlain() ||
        !scaled.getBias().isZero())
      return rewriter.notifyMatchFailure(neuron, "no scale of its own");
    rewriter.replaceOpWithNewOp<NeuronOp>(
        neuron, scaled.getX(), neuron.getFunctionAttr(), scaled.getScaleAttr());
    return success();
  }
};

/// clip(x * scale + bias, 0, 1) -> the hard sigmoid that is this line.
struct FuseLine : OpRewritePattern<NeuronOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(NeuronOp neuron,
                                PatternRewriter &rewriter) const override {
    auto line = neuron.getX().getDefiningOp<GOCOp>();
    auto clamp = asClamp(neuron.getFunction());
    if (!line || !line->hasOneUse() || !neuron.isPlain() || !clamp ||
        *clamp != std::pair(0.0, 1.0) || line.getBias().isZero())
      return rewriter.notifyMatchFailure(neuron, "no line of its own");
    auto function =
        NeuronAttr::get(rewriter.getContext(), NonLinearMode::sigmoid_hard,
                        line.getScaleAttr(), line.getBiasAttr());
    rewriter.replaceOpWithNewOp<NeuronOp>(neuron, line.getX(), function,
                                          FloatAttr(), FloatAttr());
    return success();
  }
};

/// A hard sigmoid of x + bias -> of x with that bias, which the accumulator
/// adds to a sum of x alone. There denormal numbers count as 0, so that the
/// bias has to be so large that fp16 does not see them beside it.
struct FuseOffset : OpRewritePattern<NeuronOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(NeuronOp neuron,
                                PatternRewriter &rewriter) const override {
    constexpr double leastBias = 0x1p-3;
    auto offset = neuron.getX().getDefiningOp<GOCOp>();
    if (!offset || !offset->hasOneUse() || !neuron.isPlain() ||
        neuron.getFunction().getMode() != NonLinearMode::sigmoid_hard ||
        !offset.getScale().isExactlyValue(1) ||
        std::fabs(offset.getBias().convertToDouble()) < leastBias)
      return rewriter.notifyMatchFailure(neuron, "no offset of its own");
    rewriter.replaceOpWithNewOp<NeuronOp>(neuron, offset.getX(),
                                          neuron.getFunctionAttr(), FloatAttr(),
                                          offset.getBiasAttr());
    return success();
  }
};

class FuseEpilogue : public ane::zin::impl::FuseEpilogueBase<FuseEpilogue> {
public:
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns.add<FuseBias<ConvOp>, FuseBias<MatMulOp>>(context, numBiases);
    patterns.add<FuseActivation<ConvOp>, FuseActivation<MatMulOp>>(
        context, numActivations);
    patterns.add<FuseProduct<ConvOp>, FuseProduct<MatMulOp>>(context,
                                                             numScales);
    patterns.add<HoistAboveMove<NeuronOp>, HoistAboveMove<GOCOp>,
                 HoistAboveMaxima, DropRelu, MergeClamps, MoveOffsetIntoClamp,
                 FuseScale, FuseLine, FuseOffset>(context, /*benefit=*/2);
    Region &body = getOperation().getBody();
    if (failed(rewriteLayers(body, std::move(patterns))))
      return signalPassFailure();
    // Mostly there are no scales left.
    if (body.getOps<GOCOp>().empty())
      return;
    RewritePatternSet inputs(context);
    populateInputScalePatterns(inputs, numInputScales);
    if (failed(rewriteLayers(body, std::move(inputs))))
      signalPassFailure();
  }
};

} // namespace
