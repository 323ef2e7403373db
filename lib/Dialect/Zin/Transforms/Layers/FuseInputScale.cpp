//===- FuseInputScale.cpp - Scales of what layers read --------------------===//

#include "Layers/FuseInputScale.h"
#include "HalfConstant.h"
#include "PerOutput.h"
#include "Precision/ScaledConstants.h"
#include "ane/Support/Coefficients.h"
#include "ane/Support/CountingPattern.h"
#include "ane/Support/Half.h"
#include "ane/Target/Target.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// What is behind a value if moves alone are in between that nobody else reads.
Value behindMoves(Value value) {
  Operation *move = value.getDefiningOp();
  while (isa_and_nonnull<ReshapeOp, TransposeOp>(move) && move->hasOneUse()) {
    value = move->getOperand(0);
    move = value.getDefiningOp();
  }
  return value;
}

/// The largest magnitude of a value, if it was clipped.
double largestOf(Value value) {
  auto clip = behindMoves(value).getDefiningOp<NeuronOp>();
  if (!clip || clip.getFunction().getMode() != NonLinearMode::clamped_relu)
    return HUGE_VAL;
  return std::max(std::fabs(clip.getFunction().getAlpha().getValueAsDouble()),
                  std::fabs(clip.getFunction().getBeta().getValueAsDouble()));
}

template <typename Layer> class FuseInputScale : public CountingPattern<Layer> {
public:
  using CountingPattern<Layer>::CountingPattern;

  LogicalResult matchAndRewrite(Layer layer,
                                PatternRewriter &rewriter) const override {
    auto scaled = behindMoves(layer.getX()).template getDefiningOp<GOCOp>();
    if (!scaled || !scaled->hasOneUse() || !scaled.getBias().isZero())
      return rewriter.notifyMatchFailure(layer, "no scale of its own");
    double scale = scaled.getScale().convertToDouble();
    if (scale == 0 || !isFoldableScale(scale))
      return rewriter.notifyMatchFailure(layer, "small numbers would be lost");
    std::optional<HalfElements> kernel = halfElementsOf(layer.getKernel());
    std::optional<HalfElements> bias = halfElementsOf(layer.getBias());
    if (!kernel || (layer.getBias() && !bias))
      return rewriter.notifyMatchFailure(layer, "coefficients are computed");

    size_t outputs = outputsOf(layer);
    std::vector<double> moved = movedBias(bias, outputs, scale);
    // Integers stay exact where coefficients can take the scale and a bias
    // cannot be divided by it.
    ScaledConstants constants;
    if (!llvm::all_of(moved, isHalf) &&
        keepsCoefficients(*kernel, tapsOf(layer), scale))
      if (Value weights = constants.times(rewriter, layer.getLoc(),
                                          layer.getKernel(), scale)) {
        rewriter.modifyOpInPlace(
            layer, [&] { layer.getKernelMutable().assign(weights); });
        return replaced(scaled, rewriter);
      }
    std::vector<double> sums = largestSums(layer, *kernel, scaled.getX());
    // With the last power sums are not larger than those of what was scaled.
    int last = std::min(0, std::ilogb(scale));
    int power = 0;
    while (power > last && passesLimit(sums, power, moved))
      moved = movedBias(bias, outputs, std::ldexp(scale, -(--power)));
    if (power != 0 &&
        !keepsCoefficients(*kernel, tapsOf(layer), std::ldexp(1.0, power)))
      return rewriter.notifyMatchFailure(layer, "a coefficient would be 0");
    double behind = std::ldexp(scale, -power) * scaleOf(layer);
    if (!isCoefficient(behind) || !llvm::all_of(moved, isCoefficient))
      return rewriter.notifyMatchFailure(layer, "a number leaves fp16");
    Value weights = layer.getKernel();
    if (power != 0)
      weights = constants.times(rewriter, layer.getLoc(), weights,
                                std::ldexp(1.0, power));
    if (!weights)
      return rewriter.notifyMatchFailure(layer, "a coefficient is rounded");

    rewriter.setInsertionPoint(layer);
    Value offsets = layer.getBias();
    if (bias && std::ldexp(scale, -power) != 1) {
      std::vector<uint16_t> bits;
      llvm::append_range(bits, llvm::map_range(moved, halfFromDouble));
      offsets = makeConstant(rewriter, layer.getLoc(),
                             biasShape(layer, outputs), std::move(bits));
    }
    rewriter.modifyOpInPlace(layer, [&] {
      layer.getKernelMutable().assign(weights);
      if (offsets)
        layer.getBiasMutable().assign(offsets);
      layer.setScaleAttr(behind == 1 ? FloatAttr()
                                     : rewriter.getF16FloatAttr(behind));
    });
    return replaced(scaled, rewriter);
  }

private:
  LogicalResult replaced(GOCOp scaled, PatternRewriter &rewriter) const {
    rewriter.replaceOp(scaled, scaled.getX());
    ++this->count;
    return success();
  }

  /// What is added in front of a scale.
  static std::vector<double> movedBias(const std::optional<HalfElements> &bias,
                                       size_t outputs, double scale) {
    std::vector<double> moved;
    for (size_t i = 0; bias && i < outputs; ++i)
      moved.push_back(halfToDouble((*bias)[i]) / scale);
    return moved;
  }

  /// The largest sum of products of each output.
  static std::vector<double> largestSums(Layer layer,
                                         const HalfElements &kernel, Value x) {
    double largest = largestOf(x);
    size_t taps = tapsOf(layer);
    std::vector<double> sums;
    for (size_t begin = 0; begin < kernel.size(); begin += taps) {
      double sum = 0;
      for (size_t i = begin; i < begin + taps; ++i)
        sum += std::fabs(halfToDouble(kernel[i]));
      sums.push_back(sum == 0 ? 0 : sum * largest);
    }
    return sums;
  }

  static bool passesLimit(ArrayRef<double> sums, int power,
                          ArrayRef<double> bias) {
    for (auto [i, sum] : llvm::enumerate(sums))
      if (std::ldexp(sum, power) +
              (bias.empty() ? 0 : std::fabs(bias[i % bias.size()])) >=
          accumulatorLimit)
        return true;
    return false;
  }

  static bool keepsCoefficients(const HalfElements &kernel, size_t taps,
                                double factor) {
    std::vector<double> ofOutput;
    for (size_t begin = 0; begin < kernel.size(); begin += taps) {
      ofOutput.clear();
      for (size_t i = begin; i < begin + taps; ++i)
        ofOutput.push_back(halfToDouble(kernel[i]) * factor);
      if (!areCoefficients(ofOutput))
        return false;
    }
    return true;
  }
};

} // namespace

void ane::zin::populateInputScalePatterns(RewritePatternSet &patterns,
                                          PassStatistic &count) {
  patterns.add<FuseInputScale<ConvOp>, FuseInputScale<MatMulOp>>(
      patterns.getContext(), count);
}
