//===- WeighMeans.cpp - Means whose sums stay small -----------------------===//

#include "HalfConstant.h"
#include "PerOutput.h"
#include "Precision/ScaledConstants.h"
#include "Split/WideRows.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "ane/Support/Coefficients.h"
#include "ane/Support/Half.h"
#include "ane/Support/Inventory.h"
#include "ane/Target/Target.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

namespace ane::zin {
#define GEN_PASS_DEF_WEIGHMEANS
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Whether there is one window, of each plane as it is, without padding.
bool isWhole(PoolOp pool) {
  ArrayRef<int64_t> x = shapeOf(pool.getX()), y = shapeOf(pool.getResult());
  auto isZero = [](int64_t padding) { return padding == 0; };
  return pool.getWindow() == x.drop_front(H) && y[H] == 1 && y[W] == 1 &&
         llvm::all_of(pool.getPadding(), isZero);
}

/// The largest number of fp16 below 2^15, from which on sums are infinite.
constexpr double largestSumInAccumulator = accumulatorLimit * (1 - 0x1p-11);

/// How far the coefficients of a mean may be from 1 together: rounding of a
/// few. Assigned.
constexpr double mostOff = 0x1p-8;

/// The largest sum of the coefficients of an output, and the smallest of those
/// that are not 0.
struct Means {
  double largestSum = 0, smallest = largestHalf;
};

/// Nothing unless those of each output add up to the inverse of the scale and
/// none is negative.
std::optional<Means> findMeans(const HalfElements &kernel, size_t taps,
                               double scale) {
  Means means;
  for (size_t begin = 0; begin < kernel.size(); begin += taps) {
    double sum = 0;
    for (size_t i = begin; i < begin + taps; ++i) {
      double number = halfToDouble(kernel[i]);
      if (!(number >= 0))
        return std::nullopt;
      if (number > 0)
        means.smallest = std::min(means.smallest, number);
      sum += number;
    }
    if (!(std::fabs(sum * scale - 1) <= mostOff))
      return std::nullopt;
    means.largestSum = std::max(means.largestSum, sum);
  }
  return means;
}

class WeighMeans : public ane::zin::impl::WeighMeansBase<WeighMeans> {
public:
  using WeighMeansBase::WeighMeansBase;

  void runOnOperation() override {
    const TargetDescription *description =
        findTargetFor(getOperation(), target);
    if (!description)
      return signalPassFailure();
    if (!getAnalysis<Inventory>().hasAny<PoolOp, ConvOp, MatMulOp>())
      return markAllAnalysesPreserved();
    constants = {};
    lastAsked = {};
    taken.clear();
    unsigned count = 0;
    for (Operation &op :
         llvm::make_early_inc_range(getOperation().getBody().front()))
      count +=
          llvm::TypeSwitch<Operation *, bool>(&op)
              .Case([&](PoolOp pool) { return replace(pool, *description); })
              .Case<ConvOp, MatMulOp>([&](auto layer) { return divide(layer); })
              .Default(false);
    for (Operation *layer : llvm::reverse(taken))
      layer->erase();
    numWeighed += count;
    if (count == 0)
      markAllAnalysesPreserved();
  }

private:
  bool replace(PoolOp pool, const TargetDescription &target) {
    if (pool.getKind() != PoolingType::Avg || !pool.hasOneDivisor())
      return false;
    if (!isWhole(pool))
      return weigh(pool, target);
    pool.replaceAllUsesWith(reduced(pool));
    pool.erase();
    return true;
  }

  /// Smaller coefficients and a larger scale, where the coefficients say that
  /// results are means.
  template <typename Layer> bool divide(Layer layer) {
    std::optional<HalfElements> kernel = halfElementsOf(layer.getKernel());
    double scale = scaleOf(layer);
    size_t taps = tapsOf(layer);
    // A convolution of one product has no limit.
    if (!kernel || layer.getBias() || (isa<ConvOp>(layer) && taps == 1))
      return false;
    // Layers that follow each other often share their coefficients.
    std::tuple<Value, size_t, double> asked = {layer.getKernel(), taps, scale};
    if (asked != lastAsked) {
      lastAsked = asked;
      lastMeans = findMeans(*kernel, taps, scale);
    }
    if (!lastMeans)
      return false;
    int exponent = 0;
    while (std::ldexp(lastMeans->largestSum, -exponent) * largestHalf >
           largestSumInAccumulator)
      ++exponent;
    scale = std::ldexp(scale, exponent);
    if (exponent == 0 || scale > largestHalf ||
        std::ldexp(lastMeans->smallest, -exponent) < smallestNormalHalf)
      return false;
    OpBuilder builder(layer);
    layer.getKernelMutable().assign(
        constants.times(builder, layer.getLoc(), layer.getKernel(),
                        std::ldexp(1.0, -exponent)));
    layer.setScaleAttr(builder.getF16FloatAttr(scale));
    return true;
  }

  static Value reduced(PoolOp pool) {
    OpBuilder builder(pool);
    return ReductionOp::create(
        builder, pool.getLoc(), pool.getType(), ReductionType::Avg, pool.getX(),
        ArrayRef<int64_t>{H, W}, /*square=*/false,
        /*post=*/PEPostAttr(), /*epsilon=*/FloatAttr(), /*scale=*/FloatAttr());
  }

  /// False where the window is too wide for a kernel.
  bool weigh(PoolOp pool, const TargetDescription &target) {
    ArrayRef<int64_t> x = shapeOf(pool.getX()), window = pool.getWindow(),
                      padding = pool.getPadding();
    if (window[0] > target.maxKernelHeight ||
        window[1] > target.maxKernelWidth || x[D] != 1 ||
        x[C] > target.maxGroups)
      return false;
    // A power of 2 loses no bit, and half of the largest number of fp16 is
    // below the limit of sums.
    double count = double(window[0] * window[1]);
    double divisor = double(llvm::PowerOf2Ceil(uint64_t(2 * count)));
    taken.push_back(pool);
    Epilogue epilogue = takeEpilogue(pool, divisor / count);
    OpBuilder builder(pool);
    Value kernel =
        makeConstant(builder, pool.getLoc(), {x[C], 1, 1, window[0], window[1]},
                     std::vector<uint16_t>(size_t(x[C] * window[0] * window[1]),
                                           halfFromDouble(1 / divisor)));
    auto conv = ConvOp::create(
        builder, pool.getLoc(), pool.getType(), pool.getX(), kernel,
        /*bias=*/Value(), pool.getStrides(), padding.take_front(2),
        /*dilations=*/ArrayRef<int64_t>{1, 1}, /*groups=*/uint64_t(x[C]),
        epilogue.activation);
    conv.setScaleAttr(builder.getF16FloatAttr(epilogue.scale));
    epilogue.result.replaceAllUsesWith(
        splitWideChannels(builder, conv, target));
    return true;
  }

  /// What the convolution of a mean does behind its sums.
  struct Epilogue {
    double scale;
    NeuronAttr activation;
    Value result; ///< what it computes, up to now
  };

  /// Takes the product with one number and the activation behind a mean, which
  /// nothing else reads. The engine scales before an activation (verified), and
  /// this scale is none that the program has.
  Epilogue takeEpilogue(PoolOp pool, double scale) {
    Epilogue epilogue = {scale, NeuronAttr(), pool.getResult()};
    auto takes = [&](FloatAttr factor) {
      double product =
          epilogue.scale * (factor ? factor.getValueAsDouble() : 1);
      if (product == 0 || !isCoefficient(product))
        return false;
      epilogue.scale = product;
      return true;
    };
    while (epilogue.result.hasOneUse() && !epilogue.activation) {
      Operation *next = *epilogue.result.user_begin();
      auto product = dyn_cast<GOCOp>(next);
      auto neuron = dyn_cast<NeuronOp>(next);
      if (product && product.getBias().isZero() &&
          takes(product.getScaleAttr()))
        epilogue.result = product.getResult();
      else if (neuron && !neuron.getBiasAttr() && takes(neuron.getScaleAttr()))
        epilogue = {epilogue.scale, neuron.getFunction(), neuron.getResult()};
      else
        break;
      taken.push_back(next);
      ++numFused;
    }
    return epilogue;
  }

  /// Layers in the place of which there are others, users last.
  SmallVector<Operation *> taken;
  ScaledConstants constants;
  /// The last coefficients that were looked at, with their taps and scale.
  std::tuple<Value, size_t, double> lastAsked;
  std::optional<Means> lastMeans;
};

} // namespace
