//===- Ranges.cpp - Where results may overflow ----------------------------===//

#include "Ranges.h"
#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/Transforms/Probabilities.h"
#include "ane/Support/Half.h"
#include "ane/Target/Target.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <map>
#include <numbers>

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// What inputs are taken to be. Assigned.
constexpr double inputLimit = 1;
/// The smallest positive fp16 number, below which a root or reciprocal has no
/// smaller operand.
constexpr double smallest = 0x1p-24;

/// Bounds of the elements of a value; none once a limit was passed.
struct Range {
  double low = 0, high = 0;
  bool known = false;

  double largest() const { return std::max(std::fabs(low), std::fabs(high)); }
};

Range between(double low, double high) { return {low, high, true}; }
Range hull(Range a, Range b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high), a.known && b.known};
}
Range withZero(Range range) { return hull(range, {0, 0, range.known}); }

/// Monotonous functions.
template <typename Fn> Range map(Range range, Fn fn) {
  double a = fn(range.low), b = fn(range.high);
  return {std::min(a, b), std::max(a, b), range.known};
}

Range scaled(Range range, double scale, double bias) {
  return map(range, [&](double x) { return x * scale + bias; });
}

class Analysis {
public:
  explicit Analysis(ProcedureOp procedure) {
    for (BlockArgument argument : procedure.getBody().getArguments())
      ranges[argument] = between(-inputLimit, inputLimit);
    for (Operation &op : procedure.getBody().front())
      if (op.getNumResults() == 1)
        ranges[op.getResult(0)] = visit(&op);
    for (const Probabilities &of : findProbabilities(procedure))
      for (Operation *product : of.lossyProducts)
        add("denormal-product", product, double(of.count),
            llvm::formatv("of {0} probabilities those below 2^-14 count as 0",
                          of.count)
                .str());
  }

  std::vector<RangeHazard> hazards;

private:
  Range of(Value value) { return ranges.lookup(value); }

  Range visit(Operation *op) {
    Range range =
        llvm::TypeSwitch<Operation *, Range>(op)
            .Case<ConstantOp, ConvOp, MatMulOp, ElementWiseOp,
                  ScaledElementWiseOp, GOCOp, NeuronOp, PoolOp, ReductionOp,
                  ConcatOp>([&](auto layer) { return rangeOf(layer); })
            .Case<SoftmaxOp>([](SoftmaxOp softmax) {
              std::optional<APFloat> scale = softmax.getScale();
              return between(0, scale ? scale->convertToDouble() : 1);
            })
            .Case<ReshapeOp, TransposeOp, InputViewOp>(
                [&](auto layer) { return of(layer.getX()); })
            .Default([](Operation *) { return Range(); });
    if (range.known && range.largest() > largestHalf) {
      add("fp16-overflow", op, range.largest(),
          llvm::formatv("the result could reach {0:e2} from inputs in [-1, "
                        "1]; fp16 ends at {1}",
                        range.largest(), largestHalf)
              .str());
      return {};
    }
    return range;
  }

  /// Of the layers that a statement has become the one with the most `extent`
  /// is named.
  void add(StringRef kind, Operation *op, double extent, std::string detail) {
    auto [known, isNew] =
        named.try_emplace({kind.str(), op->getLoc().getAsOpaquePointer()},
                          Named{hazards.size(), extent});
    if (isNew) {
      hazards.push_back({kind.str(), std::move(detail), op->getLoc()});
    } else if (extent > known->second.extent) {
      known->second.extent = extent;
      hazards[known->second.index].detail = std::move(detail);
    }
  }

  Range rangeOf(ConstantOp op) {
    std::optional<HalfElements> elements = HalfElements::get(op.getElements());
    if (!elements || elements->size() == 0)
      return {};
    // Infinities are there to be: they mask.
    std::optional<Range> range;
    size_t stored = elements->bytes().size() / sizeof(uint16_t);
    for (size_t i = 0; i < stored; ++i) {
      double value = halfToDouble((*elements)[i]);
      if (std::isfinite(value))
        range =
            range ? hull(*range, between(value, value)) : between(value, value);
    }
    return range.value_or(between(0, 0));
  }

  /// The bounds of sums of products, a row of coefficients for each output.
  /// Zeros beside the input count as elements of it.
  Range sumOfProducts(Operation *op, Range x, Value kernel, Value bias,
                      int64_t outputs, int64_t taps, bool padded) {
    if (!x.known)
      return {};
    if (padded)
      x = withZero(x);
    auto constant = kernel.getDefiningOp<ConstantOp>();
    std::optional<HalfElements> weights;
    if (constant)
      weights = HalfElements::get(constant.getElements());
    Range result;
    double partial = 0;
    if (!weights) {
      Range y = of(kernel);
      double reach = static_cast<double>(taps) * x.largest() * y.largest();
      result = {-reach, reach, y.known};
      partial = reach;
    } else {
      for (int64_t o = 0; o < outputs; ++o) {
        double low = 0, high = 0, all = 0;
        for (int64_t t = 0; t < taps; ++t) {
          double w = halfToDouble((*weights)[o * taps + t]);
          low += std::min(w * x.low, w * x.high);
          high += std::max(w * x.low, w * x.high);
          all += std::fabs(w) * x.largest();
        }
        result = o == 0 ? between(low, high) : hull(result, between(low, high));
        partial = std::max(partial, all);
      }
    }
    if (bias) {
      Range offset = of(bias);
      result = {result.low + offset.low, result.high + offset.high,
                result.known && offset.known};
    }
    partial = std::max(partial, result.largest());
    if (result.known && taps > 1 && partial >= accumulatorLimit) {
      add("mac-overflow", op, partial,
          llvm::formatv("sums of {0} products could reach {1:e2} from inputs "
                        "in [-1, 1]; from 32768 on they are infinite",
                        taps, partial)
              .str());
      return {};
    }
    return result;
  }

  Range rangeOf(ConvOp op) {
    auto kernel = cast<RankedTensorType>(op.getKernel().getType());
    int64_t outputs = kernel.getDimSize(0);
    Range range = sumOfProducts(op, of(op.getX()), op.getKernel(), op.getBias(),
                                outputs, kernel.getNumElements() / outputs,
                                /*padded=*/true);
    return epilogue(range, op.getScaleAttr(), op.getActivationAttr());
  }

  Range rangeOf(MatMulOp op) {
    auto kernel = cast<RankedTensorType>(op.getKernel().getType());
    int64_t taps = kernel.getShape().back();
    Range range = sumOfProducts(op, of(op.getX()), op.getKernel(), op.getBias(),
                                kernel.getNumElements() / taps, taps,
                                /*padded=*/false);
    return epilogue(range, op.getScaleAttr(), op.getActivationAttr());
  }

  Range epilogue(Range range, FloatAttr scale, NeuronAttr activation) {
    if (scale)
      range = scaled(range, scale.getValueAsDouble(), 0);
    return activation ? activated(range, activation) : range;
  }

  Range activated(Range x, NeuronAttr function) {
    auto number = [](FloatAttr attr, double absent) {
      return attr ? attr.getValueAsDouble() : absent;
    };
    switch (function.getMode()) {
    case NonLinearMode::none:
    case NonLinearMode::floor:
    case NonLinearMode::ceil:
    case NonLinearMode::round_nearest:
    case NonLinearMode::trunc:
    case NonLinearMode::Int:
      return x;
    case NonLinearMode::relu:
    case NonLinearMode::thresholded_relu:
      return map(x, [](double v) { return std::max(v, 0.0); });
    case NonLinearMode::prelu: {
      // With a slope below 0 both ends may be the largest.
      double slope = number(function.getAlpha(), 0);
      auto [low, high] = std::minmax({std::min(x.low, 0.0) * slope,
                                      std::min(x.high, 0.0) * slope, 0.0,
                                      std::max(x.high, 0.0)});
      return {low, high, x.known};
    }
    case NonLinearMode::elu:
    case NonLinearMode::swish:
    case NonLinearMode::gelu:
    case NonLinearMode::gelu_sigmoid_approximation:
      return withZero(x);
    case NonLinearMode::clamped_relu: {
      double low = number(function.getAlpha(), 0),
             high = number(function.getBeta(), largestHalf);
      if (x.known)
        return between(std::clamp(x.low, low, high),
                       std::clamp(x.high, low, high));
      return {low, high, std::isfinite(low) && std::isfinite(high)};
    }
    case NonLinearMode::abs:
      return {0, x.largest(), x.known};
    case NonLinearMode::sqr:
      return {0, x.largest() * x.largest(), x.known};
    case NonLinearMode::sqrt:
      return map(x, [](double v) { return std::sqrt(std::max(v, 0.0)); });
    case NonLinearMode::exp2:
      return map(x, [](double v) { return std::exp2(v); });
    case NonLinearMode::exp:
      return map(x, [](double v) { return std::exp(v); });
    case NonLinearMode::log2:
      return map(x, [](double v) { return std::log2(std::max(v, smallest)); });
    case NonLinearMode::inv:
      return x.low > 0 ? map(x, [](double v) { return 1 / v; }) : Range();
    case NonLinearMode::rsqrt:
      return x.low > 0 ? map(x, [](double v) { return 1 / std::sqrt(v); })
                       : Range();
    case NonLinearMode::atan:
    case NonLinearMode::atan_part1:
    case NonLinearMode::atan_part2:
      return between(-std::numbers::pi / 2, std::numbers::pi / 2);
    case NonLinearMode::custom_lut:
    case NonLinearMode::tanh:
    case NonLinearMode::erf:
    case NonLinearMode::sin:
    case NonLinearMode::cos:
    case NonLinearMode::sign:
    case NonLinearMode::frac:
      return between(-1, 1);
    case NonLinearMode::sigmoid:
    case NonLinearMode::sigmoid_high_precision:
    case NonLinearMode::sigmoid_hard:
    case NonLinearMode::equal_zero:
    case NonLinearMode::not_equal_zero:
    case NonLinearMode::less_than_zero:
    case NonLinearMode::less_than_equal_zero:
    case NonLinearMode::greater_than_equal_zero:
    case NonLinearMode::greater_than_zero:
      return between(0, 1);
    default:
      return {};
    }
  }

  /// Whether no element of `x` is above that of `most` at its place, which is
  /// the largest of all that are reduced to it.
  static bool isMostOf(Value most, Value x) {
    llvm::SmallDenseSet<Value> seen = {most};
    SmallVector<Value> work = {most};
    auto look = [&](Value value) {
      if (seen.insert(value).second)
        work.push_back(value);
    };
    while (!work.empty()) {
      Value value = work.pop_back_val();
      if (value == x)
        return true;
      Operation *op = value.getDefiningOp();
      if (auto reduction = dyn_cast_or_null<ReductionOp>(op)) {
        if (reduction.getKind() == ReductionType::Max &&
            !reduction.getSquare() && !reduction.getScale() &&
            !reduction.getEpsilon() &&
            reduction.getPost().value_or(PEPost::none) == PEPost::none)
          look(reduction.getX());
      } else if (auto larger = dyn_cast_or_null<ElementWiseOp>(op);
                 larger && larger.getKind() == EWType::Max) {
        look(larger.getX());
        look(larger.getY());
      }
    }
    return false;
  }

  Range rangeOf(ElementWiseOp op) {
    Range range = pairOf(op.getKind(), of(op.getX()), of(op.getY()),
                         op.getX() == op.getY());
    if (op.getKind() == EWType::Sub && isMostOf(op.getY(), op.getX()))
      range.high = std::min(range.high, 0.0);
    return range;
  }

  Range rangeOf(ScaledElementWiseOp op) {
    Range x = scaled(of(op.getX()), op.getScale().convertToFloat(), 0);
    return scaled(pairOf(op.getKind(), x, of(op.getY()), /*same=*/false), 1,
                  op.getBias().convertToFloat());
  }

  /// `same` says that both operands are one value.
  static Range pairOf(EWType kind, const Range &x, const Range &y, bool same) {
    bool known = x.known && y.known;
    switch (kind) {
    case EWType::Add:
      return {x.low + y.low, x.high + y.high, known};
    case EWType::Sub:
      return {x.low - y.high, x.high - y.low, known};
    case EWType::Mult: {
      // A square has no negative products.
      auto [low, high] = std::minmax(
          {x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high});
      return {same ? std::max(low, 0.0) : low, high, known};
    }
    case EWType::Max:
      return {std::max(x.low, y.low), std::max(x.high, y.high), known};
    case EWType::Min:
      return {std::min(x.low, y.low), std::min(x.high, y.high), known};
    }
    llvm_unreachable("covered switch");
  }

  Range rangeOf(GOCOp op) {
    return scaled(of(op.getX()), op.getScale().convertToFloat(),
                  op.getBias().convertToFloat());
  }

  Range rangeOf(NeuronOp op) {
    FloatAttr scale = op.getScaleAttr(), bias = op.getBiasAttr();
    double factor = scale ? scale.getValueAsDouble() : 1;
    double offset = bias ? bias.getValueAsDouble() : 0;
    return activated(scaled(of(op.getX()), factor, offset * factor),
                     op.getFunction());
  }

  Range rangeOf(PoolOp op) {
    Range x = of(op.getX());
    return op.getKind() == PoolingType::Avg ? withZero(x) : x;
  }

  Range rangeOf(ReductionOp op) {
    Range x = of(op.getX());
    double count = 1;
    for (int64_t axis : op.getAxes())
      count *= static_cast<double>(
          cast<RankedTensorType>(op.getX().getType()).getDimSize(axis));
    if (op.getSquare())
      x = {0, x.largest() * x.largest(), x.known};
    if (op.getKind() == ReductionType::Sum)
      x = scaled(x, count, 0);
    if (op.getScale())
      x = scaled(x, op.getScale()->convertToFloat(), 0);
    if (!op.getPost() || *op.getPost() == PEPost::none)
      return op.getEpsilon() ? scaled(x, 1, op.getEpsilon()->convertToFloat())
                             : x;
    double epsilon =
        op.getEpsilon() ? op.getEpsilon()->convertToFloat() : smallest;
    // A sum of squares or of exponentials is not negative; of anything else a
    // reciprocal has no bound.
    double low = std::max(x.low, 0.0) + std::max(epsilon, smallest);
    if (x.low < 0)
      return {};
    bool root = *op.getPost() == PEPost::rsqrt;
    return {0, root ? 1 / std::sqrt(low) : 1 / low, x.known};
  }

  Range rangeOf(ConcatOp op) {
    Range range = of(op.getValues().front());
    for (Value value : op.getValues().drop_front())
      range = hull(range, of(value));
    return range;
  }

  struct Named {
    size_t index;
    double extent;
  };
  /// Where a hazard is among them, by its kind and location.
  std::map<std::pair<std::string, const void *>, Named> named;
  llvm::DenseMap<Value, Range> ranges;
};

} // namespace

std::vector<RangeHazard> ane::findRangeHazards(ProcedureOp procedure) {
  return std::move(Analysis(procedure).hazards);
}
