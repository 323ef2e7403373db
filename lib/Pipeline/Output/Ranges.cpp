//===- Ranges.cpp - Where results may overflow ----------------------------===//

#include "Output/Ranges.h"
#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/Transforms/Probabilities.h"
#include "ane/Support/Half.h"
#include "ane/Support/Interval.h"
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

/// The smallest positive fp16 number, below which a root or reciprocal has no
/// smaller operand.
constexpr double smallest = 0x1p-24;

/// Bounds of the elements of a value; none once a limit was passed.
using Range = std::optional<Interval>;

/// A function of two ranges that are known.
template <typename Fn> Range both(const Range &x, const Range &y, Fn fn) {
  return x && y ? Range(fn(*x, *y)) : std::nullopt;
}

Range scaled(const Range &range, double scale, double bias) {
  return range ? Range(*range * scale + bias) : std::nullopt;
}

double numberOr(FloatAttr attr, double absent) {
  return attr ? attr.getValueAsDouble() : absent;
}

/// What clamped_relu clamps to.
Interval limitsOf(NeuronAttr function) {
  return {numberOr(function.getAlpha(), 0),
          numberOr(function.getBeta(), largestHalf)};
}

/// What a function does not leave, whatever its operand is.
Range boundsOf(NeuronAttr function) {
  switch (function.getMode()) {
  case NonLinearMode::clamped_relu: {
    Interval limits = limitsOf(function);
    return std::isfinite(limits.low) && std::isfinite(limits.high)
               ? Range(limits)
               : std::nullopt;
  }
  case NonLinearMode::atan:
  case NonLinearMode::atan_part1:
  case NonLinearMode::atan_part2:
    return Interval(-std::numbers::pi / 2, std::numbers::pi / 2);
  case NonLinearMode::custom_lut:
  case NonLinearMode::tanh:
  case NonLinearMode::erf:
  case NonLinearMode::sin:
  case NonLinearMode::cos:
  case NonLinearMode::sign:
  case NonLinearMode::frac:
    return Interval(-1, 1);
  case NonLinearMode::sigmoid:
  case NonLinearMode::sigmoid_high_precision:
  case NonLinearMode::sigmoid_hard:
  case NonLinearMode::equal_zero:
  case NonLinearMode::not_equal_zero:
  case NonLinearMode::less_than_zero:
  case NonLinearMode::less_than_equal_zero:
  case NonLinearMode::greater_than_equal_zero:
  case NonLinearMode::greater_than_zero:
    return Interval(0, 1);
  default:
    return {};
  }
}

/// What an inverse or a root of it is of numbers that may be 0.
const Interval unbounded(-HUGE_VAL, HUGE_VAL);

Range activated(const Range &known, NeuronAttr function) {
  if (!known)
    return boundsOf(function);
  Interval x = *known;
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
    return larger(x, 0);
  case NonLinearMode::prelu: {
    // With a slope below 0 both ends may be the largest.
    double slope = numberOr(function.getAlpha(), 0);
    return (smaller(x, 0) * slope).unite(0).unite(larger(x, 0));
  }
  case NonLinearMode::elu:
  case NonLinearMode::swish:
  case NonLinearMode::gelu:
  case NonLinearMode::gelu_sigmoid_approximation:
    return x.unite(0);
  case NonLinearMode::clamped_relu: {
    Interval limits = limitsOf(function);
    return monotone(
        x, [&](double v) { return std::clamp(v, limits.low, limits.high); });
  }
  case NonLinearMode::abs:
    return Interval(0, x.magnitude());
  case NonLinearMode::sqr:
    return squared(x);
  case NonLinearMode::sqrt:
    return monotone(x, [](double v) { return std::sqrt(std::max(v, 0.0)); });
  case NonLinearMode::exp2:
    return monotone(x, [](double v) { return std::exp2(v); });
  case NonLinearMode::exp:
    return monotone(x, [](double v) { return std::exp(v); });
  case NonLinearMode::log2:
    return monotone(x,
                    [](double v) { return std::log2(std::max(v, smallest)); });
  case NonLinearMode::inv:
    return x.low > 0 || x.high < 0 ? monotone(
                                         x, [](double v) { return 1 / v; })
                                   : unbounded;
  case NonLinearMode::rsqrt:
    return x.low > 0 ? monotone(x, [](double v) { return 1 / std::sqrt(v); })
                     : unbounded;
  default:
    return boundsOf(function);
  }
}

class Analysis {
public:
  Analysis(ProcedureOp procedure, ArrayRef<InputRange> inputs)
      : inputs("from inputs in " + describeInputs(inputs)) {
    for (BlockArgument argument : procedure.getBody().getArguments()) {
      auto name = procedure.getArgAttrOfType<StringAttr>(
          argument.getArgNumber(), ProcedureOp::portNameAttrName);
      ranges[argument] =
          boundsOfInput(inputs, name.getValue()).value_or(usualInputs);
    }
    for (Operation &op : procedure.getBody().front())
      if (op.getNumResults() == 1 && !isa<ConstantOp>(op))
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
  /// That of a constant when it is asked for: of weights, sums of products need
  /// each row.
  Range of(Value value) {
    if (auto constant = value.getDefiningOp<ConstantOp>();
        constant && !ranges.contains(value))
      ranges[value] = visit(constant);
    return ranges.lookup(value);
  }

  Range ofAll(ValueRange values) {
    Range range = of(values.front());
    for (Value value : values.drop_front())
      range = both(range, of(value),
                   [](Interval x, Interval y) { return x.unite(y); });
    return range;
  }

  Range visit(Operation *op) {
    Range range =
        llvm::TypeSwitch<Operation *, Range>(op)
            .Case<ConstantOp, ConvOp, MatMulOp, ElementWiseOp,
                  ScaledElementWiseOp, GOCOp, NeuronOp, PoolOp, ReductionOp>(
                [&](auto layer) { return rangeOf(layer); })
            .Case<SoftmaxOp>([](SoftmaxOp softmax) {
              std::optional<APFloat> scale = softmax.getScale();
              return Interval(0, scale ? scale->convertToDouble() : 1);
            })
            .Default([&](Operation *layer) {
              return layer->hasTrait<MovesElements>()
                         ? ofAll(layer->getOperands())
                         : Range();
            });
    if (!range || range->magnitude() <= largestHalf)
      return range;
    if (range->low >= 0 && isDivisor(op))
      return Interval(range->low, largestHalf);
    double most = range->magnitude();
    add("fp16-overflow", op, most,
        std::isinf(most)
            ? "the result could be infinite " + inputs +
                  ": numbers down to 0 are inverted"
            : llvm::formatv(
                  "the result could reach {0:e2} {1}; fp16 ends at {2}", most,
                  inputs, largestHalf)
                  .str());
    return {};
  }

  /// Whether all that reads a result divides by it, so that an infinity is as
  /// good as any large number.
  static bool isDivisor(Operation *op) {
    return !op->use_empty() &&
           llvm::all_of(op->getUsers(), [](Operation *user) {
             if (auto sum = dyn_cast<GOCOp>(user))
               return sum.getScale().convertToFloat() > 0 && isDivisor(sum);
             auto inverse = dyn_cast<NeuronOp>(user);
             return inverse &&
                    inverse.getFunction().getMode() == NonLinearMode::inv &&
                    numberOr(inverse.getScaleAttr(), 1) > 0;
           });
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
    Range range;
    size_t stored = elements->bytes().size() / halfBytes;
    for (size_t i = 0; i < stored; ++i) {
      double value = halfToDouble((*elements)[i]);
      if (std::isfinite(value))
        range = range.value_or(value).unite(value);
    }
    return range.value_or(0);
  }

  /// The bounds of sums of products, a row of coefficients for each output.
  /// Zeros beside the input count as elements of it.
  Range sumOfProducts(Operation *op, Range x, Value kernel, Value bias,
                      int64_t outputs, int64_t taps, bool padded) {
    if (!x)
      return {};
    if (padded)
      x = x->unite(0);
    auto constant = kernel.getDefiningOp<ConstantOp>();
    std::optional<HalfElements> weights;
    if (constant)
      weights = HalfElements::get(constant.getElements());
    Range result;
    double partial = 0;
    if (weights) {
      result = Interval::none();
      for (int64_t o = 0; o < outputs; ++o) {
        Interval sum = 0;
        double all = 0;
        for (int64_t t = 0; t < taps; ++t) {
          double w = halfToDouble((*weights)[o * taps + t]);
          sum.low += std::min(w * x->low, w * x->high);
          sum.high += std::max(w * x->low, w * x->high);
          all += std::fabs(w) * x->magnitude();
        }
        result = result->unite(sum);
        partial = std::max(partial, all);
      }
    } else if (Range y = of(kernel)) {
      partial = static_cast<double>(taps) * x->magnitude() * y->magnitude();
      result = Interval(-partial, partial);
    }
    if (bias)
      result = both(result, of(bias), std::plus());
    if (!result)
      return {};
    partial = std::max(partial, result->magnitude());
    if (taps > 1 && partial >= accumulatorLimit) {
      add("mac-overflow", op, partial,
          llvm::formatv("sums of {0} products could reach {1:e2} {2}; from "
                        "32768 on they are infinite",
                        taps, partial, inputs)
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

  static Range epilogue(Range range, FloatAttr scale, NeuronAttr activation) {
    if (scale)
      range = scaled(range, scale.getValueAsDouble(), 0);
    return activation ? activated(range, activation) : range;
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
    if (range && op.getKind() == EWType::Sub && isMostOf(op.getY(), op.getX()))
      range->high = std::min(range->high, 0.0);
    return range;
  }

  Range rangeOf(ScaledElementWiseOp op) {
    Range x = scaled(of(op.getX()), op.getScale().convertToFloat(), 0);
    return scaled(pairOf(op.getKind(), x, of(op.getY()), /*same=*/false), 1,
                  op.getBias().convertToFloat());
  }

  /// `same` says that both operands are one value.
  static Range pairOf(EWType kind, const Range &x, const Range &y, bool same) {
    if (!x || !y)
      return {};
    switch (kind) {
    case EWType::Add:
      return *x + *y;
    case EWType::Sub:
      return *x - *y;
    case EWType::Mult: {
      // A square has no negative products.
      Interval product = *x * *y;
      return Interval(same ? std::max(product.low, 0.0) : product.low,
                      product.high);
    }
    case EWType::Max:
      return larger(*x, *y);
    case EWType::Min:
      return smaller(*x, *y);
    }
    llvm_unreachable("covered switch");
  }

  Range rangeOf(GOCOp op) {
    return scaled(of(op.getX()), op.getScale().convertToFloat(),
                  op.getBias().convertToFloat());
  }

  Range rangeOf(NeuronOp op) {
    double factor = numberOr(op.getScaleAttr(), 1),
           offset = numberOr(op.getBiasAttr(), 0);
    return activated(scaled(of(op.getX()), factor, offset * factor),
                     op.getFunction());
  }

  Range rangeOf(PoolOp op) {
    Range x = of(op.getX());
    return x && op.getKind() == PoolingType::Avg ? x->unite(0) : x;
  }

  Range rangeOf(ReductionOp op) {
    Range known = of(op.getX());
    if (!known)
      return {};
    Interval x = *known;
    double count = 1;
    for (int64_t axis : op.getAxes())
      count *= static_cast<double>(
          cast<RankedTensorType>(op.getX().getType()).getDimSize(axis));
    if (op.getSquare())
      x = squared(x);
    if (op.getKind() == ReductionType::Sum)
      x = x * count;
    if (op.getScale())
      x = x * op.getScale()->convertToFloat();
    if (!op.getPost() || *op.getPost() == PEPost::none)
      return op.getEpsilon() ? x + op.getEpsilon()->convertToFloat() : x;
    double epsilon =
        op.getEpsilon() ? op.getEpsilon()->convertToFloat() : smallest;
    // A sum of squares or of exponentials is not negative.
    if (x.low < 0)
      return unbounded;
    return monotone(x + std::max(epsilon, smallest),
                    [root = *op.getPost() == PEPost::rsqrt](double v) {
                      return 1 / (root ? std::sqrt(v) : v);
                    });
  }

  /// Where bounds come from, in words.
  std::string inputs;
  struct Named {
    size_t index;
    double extent;
  };
  /// Where a hazard is among them, by its kind and location.
  std::map<std::pair<std::string, const void *>, Named> named;
  llvm::DenseMap<Value, Range> ranges;
};

} // namespace

std::vector<RangeHazard> ane::findRangeHazards(ProcedureOp procedure,
                                               ArrayRef<InputRange> inputs) {
  return std::move(Analysis(procedure, inputs).hazards);
}
