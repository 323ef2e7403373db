//===- ResultRanges.cpp - What results can be, op by op -------------------===//

#include "Check/IntegerRanges.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/IR/Resampling.h"
#include "ane/Dialect/MIL/IR/Scatter.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

namespace {

/// Nothing where an op is not computed on integers, or its results not known.
using Range = std::optional<Interval>;

/// The smallest fp16 that is not 0.
constexpr double leastHalf = 0x1p-24;

/// Of any number of `x` up to `count` times.
Interval times(Interval x, double count) {
  return x * Interval(std::min(1.0, count), count);
}

int64_t countOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

/// The extents of a value of rank 1 at least.
ArrayRef<int64_t> extentsOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// At least as many terms as an element of a product has.
int64_t termsOf(mil::LinearOp op) { return extentsOf(op.getX()).back(); }
int64_t termsOf(mil::MatmulOp op) {
  ArrayRef<int64_t> last = extentsOf(op.getX()).take_back(2);
  std::optional<bool> turns = op.getTransposeXOrDefault();
  if (!turns)
    return std::max(last.front(), last.back());
  return *turns ? last.front() : last.back();
}

/// How many updates may go to one place.
int64_t mostUpdates(mil::ScatterOp op) { return countOf(op.getIndices()); }

int64_t mostUpdates(mil::ScatterAlongAxisOp op) {
  std::optional<int64_t> axis = op.getAxisOrDefault();
  if (!axis)
    return countOf(op.getIndices());
  ArrayRef<int64_t> extents = extentsOf(op.getIndices());
  return extents[mil::fromFront(*axis, int64_t(extents.size()))];
}

/// Its indices are tuples.
int64_t mostUpdates(mil::ScatterNdOp op) {
  return llvm::product_of(extentsOf(op.getIndices()).drop_back());
}

} // namespace

/// What the results of one op can be.
class IntegerRanges::Results {
public:
  Results(IntegerRanges &ranges, Operation *op)
      : ranges(ranges), op(op),
        isInteger(op->getNumResults() > 0 && holdsIntegers(op->getResult(0))) {}

  Range infer();

private:
  Interval data(Value value) { return ranges.data(op, value); }
  Interval x() { return data(op->getOperand(0)); }
  Interval y() { return data(op->getOperand(1)); }
  Interval all(ValueRange values);

  template <typename Op> Range ofGather(Op gather);
  template <typename Op> Range ofScatter(Op scatter);
  Range ofPad(mil::PadOp pad);
  Range ofResize(mil::ResizeOp resize);
  Range ofReturn();
  Range ofComparison();
  Interval quotient(Interval x, Interval y);
  Range ofDivision();
  Range ofMod();
  Range ofAbs();
  Range ofArg();
  Range ofSum();
  Range ofCumsum(mil::CumsumOp sum);
  Range ofProduct(mil::MatmulOp product);
  Range ofProduct(mil::LinearOp product);
  Range ofRounding();
  Range ofClip(mil::ClipOp clip);
  Range ofCast();
  Range ofLog();
  Range ofOther();

  IntegerRanges &ranges;
  Operation *op;
  bool isInteger;
};

Range IntegerRanges::Results::infer() {
  if (op->hasTrait<mil::MovesElements>())
    return x();
  return llvm::TypeSwitch<Operation *, Range>(op)
      // What chooses elements.
      .Case<mil::ReduceMaxOp, mil::ReduceMinOp>([&](auto) { return x(); })
      .Case<mil::GatherOp, mil::GatherAlongAxisOp, mil::GatherNdOp>(
          [&](auto gather) { return ofGather(gather); })
      .Case<mil::ConcatOp, mil::StackOp>(
          [&](auto join) { return all(join.getValues()); })
      .Case<mil::ScatterOp, mil::ScatterAlongAxisOp, mil::ScatterNdOp>(
          [&](auto scatter) { return ofScatter(scatter); })
      .Case([&](mil::SliceUpdateOp update) {
        return all({update.getX(), update.getUpdate()});
      })
      .Case([&](mil::ResizeOp resize) { return ofResize(resize); })
      .Case([&](mil::PadOp pad) { return ofPad(pad); })
      .Case([&](mil::SelectOp select) {
        return all({select.getA(), select.getB()});
      })
      .Case<mil::EqualOp, mil::NotEqualOp, mil::LessOp, mil::LessEqualOp,
            mil::GreaterOp, mil::GreaterEqualOp>(
          [&](auto) { return ofComparison(); })
      .Case([&](mil::ReturnOp) { return ofReturn(); })
      // Arithmetic.
      .Case([&](mil::AddOp) { return x() + y(); })
      .Case([&](mil::SubOp) { return x() - y(); })
      .Case([&](mil::MulOp) { return x() * y(); })
      .Case([&](mil::MaximumOp) { return larger(x(), y()); })
      .Case([&](mil::MinimumOp) { return smaller(x(), y()); })
      .Case<mil::RealDivOp, mil::FloorDivOp>([&](auto) { return ofDivision(); })
      .Case([&](mil::ModOp) { return ofMod(); })
      .Case([&](mil::AbsOp) { return ofAbs(); })
      .Case([&](mil::SquareOp) { return squared(x()); })
      .Case([&](mil::SignOp) {
        x();
        return Interval{-1, 1};
      })
      .Case<mil::ReduceArgmaxOp, mil::ReduceArgminOp>(
          [&](auto) { return ofArg(); })
      .Case([&](mil::ReduceSumOp) { return ofSum(); })
      .Case([&](mil::CumsumOp sum) { return ofCumsum(sum); })
      .Case<mil::MatmulOp, mil::LinearOp>(
          [&](auto product) { return ofProduct(product); })
      // Functions whose values are known.
      .Case<mil::FloorOp, mil::CeilOp, mil::RoundOp>(
          [&](auto) { return ofRounding(); })
      .Case([&](mil::ReluOp) { return larger(x(), 0); })
      .Case<mil::SigmoidOp, mil::SoftmaxOp>([&](auto) { return truth; })
      .Case([&](mil::ClipOp clip) { return ofClip(clip); })
      .Case([&](mil::CastOp) { return ofCast(); })
      .Case([&](mil::QuantizeOp quantize) {
        return rangeOf(getElementTypeOrSelf(quantize.getResult()));
      })
      .Case([&](mil::LogOp) { return ofLog(); })
      .Default([&](Operation *) { return ofOther(); });
}

Interval IntegerRanges::Results::all(ValueRange values) {
  Interval range = data(values.front());
  for (Value value : values.drop_front())
    range = range.unite(data(value));
  return range;
}

/// Constant indices stay in the compiler.
template <typename Op> Range IntegerRanges::Results::ofGather(Op gather) {
  if (!mil::getConstantElements(gather.getIndices()))
    data(gather.getIndices());
  return x();
}

/// The updates of a place are added up before they are added to it.
template <typename Op> Range IntegerRanges::Results::ofScatter(Op scatter) {
  data(scatter.getIndices());
  Interval before = data(scatter.getData()),
           updates = data(scatter.getUpdates());
  StringRef mode = mil::scatterModeOf(scatter);
  if (mode == "update")
    return before.unite(updates);
  if (!isInteger)
    return Interval::any();
  Interval sums = times(updates, mostUpdates(scatter)).unite(0);
  return (before + (mode == "sub" ? -sums : sums)).unite(sums);
}

Range IntegerRanges::Results::ofPad(mil::PadOp pad) {
  return pad.getConstantVal() ? all({pad.getX(), pad.getConstantVal()})
                              : x().unite(0);
}

Range IntegerRanges::Results::ofResize(mil::ResizeOp resize) {
  Interval range = x();
  if (!isInteger)
    return rounded(range);
  std::optional<mil::Resampling> resampling = mil::getResampling(resize);
  return resampling && resampling->nearest ? Range(range) : std::nullopt;
}

Range IntegerRanges::Results::ofReturn() {
  for (Value value : op->getOperands())
    data(value);
  return std::nullopt;
}

Range IntegerRanges::Results::ofComparison() {
  x(), y();
  return truth;
}

/// Quotients are corrected by rests, which must be exact.
Interval IntegerRanges::Results::quotient(Interval x, Interval y) {
  for (Interval operand : {x, y})
    if (!exactIntegers.contains(operand))
      ranges.note(op, "int-c2",
                  "an operand can be anything in " + rangeText(operand) +
                      "; a quotient is exact for integers up to " +
                      Twine(largestExactInteger) +
                      "; bound it with minimum and maximum");
  if (y.low > 0)
    return {x.low < 0 ? std::floor(x.low / y.low) : 0,
            x.high < 0 ? 0 : std::floor(x.high / y.low)};
  return {-x.magnitude(), x.magnitude()};
}

Range IntegerRanges::Results::ofDivision() {
  Interval dividend = x(), divisor = y();
  if (isInteger)
    return quotient(dividend, divisor);
  if (divisor.contains(0))
    return std::nullopt;
  return rounded(dividend * Interval(1 / divisor.high, 1 / divisor.low));
}

Range IntegerRanges::Results::ofMod() {
  if (!isInteger)
    return std::nullopt;
  Interval divisor = y();
  quotient(x(), divisor);
  double most = std::max(divisor.magnitude() - 1, 0.0);
  return Interval{divisor.low >= 0 ? 0 : -most, divisor.high <= 0 ? 0 : most};
}

Range IntegerRanges::Results::ofAbs() {
  Interval range = x();
  double least = std::min(std::fabs(range.low), std::fabs(range.high));
  return Interval{range.contains(0) ? 0 : least, range.magnitude()};
}

/// At most the last place of a dimension that all results lack.
Range IntegerRanges::Results::ofArg() {
  x();
  int64_t results = std::max<int64_t>(countOf(op->getResult(0)), 1);
  int64_t places = countOf(op->getOperand(0)) / results;
  return Interval{0, double(places - 1)};
}

Range IntegerRanges::Results::ofSum() {
  double results = countOf(op->getResult(0));
  return times(x(), countOf(op->getOperand(0)) / std::max(results, 1.0));
}

/// As many terms as all of the dimension; without its own element, the first
/// sum has none.
Range IntegerRanges::Results::ofCumsum(mil::CumsumOp sum) {
  ArrayRef<int64_t> extents = extentsOf(sum.getX());
  std::optional<int64_t> axis = sum.getAxisOrDefault();
  Interval sums =
      times(x(), axis ? double(extents[mil::fromFront(*axis, extents.size())])
                      : double(countOf(sum.getX())));
  return sum.getExclusiveOrDefault() == false ? sums : sums.unite(0);
}

Range IntegerRanges::Results::ofProduct(mil::MatmulOp product) {
  return times(x() * y(), double(termsOf(product)));
}

Range IntegerRanges::Results::ofProduct(mil::LinearOp product) {
  Interval sums = times(x() * y(), double(termsOf(product)));
  return product.getBias() ? sums + data(product.getBias()) : sums;
}

Range IntegerRanges::Results::ofRounding() {
  Interval range = x();
  return Interval{std::floor(range.low), std::ceil(range.high)};
}

Range IntegerRanges::Results::ofClip(mil::ClipOp clip) {
  double low = ranges.of(clip.getAlpha()).low,
         high = ranges.of(clip.getBeta()).high;
  return rounded(smaller(larger(x(), low), high));
}

Range IntegerRanges::Results::ofCast() {
  Interval range = x();
  if (!isInteger || holdsIntegers(op->getOperand(0)))
    return range;
  // Of a float the integer part, at most what the type holds.
  Interval most = rangeOf(getElementTypeOrSelf(op->getResult(0)));
  return Interval{std::clamp(std::trunc(range.low), most.low, most.high),
                  std::clamp(std::trunc(range.high), most.low, most.high)};
}

Range IntegerRanges::Results::ofLog() {
  Interval range = x();
  if (ranges.areFinite)
    range.low = std::max(range.low, leastHalf);
  return rangeOfFunction(op, range);
}

Range IntegerRanges::Results::ofOther() {
  if (isInteger || op->getNumOperands() == 0)
    return std::nullopt;
  return rangeOfFunction(op, ranges.of(op->getOperand(0)));
}

std::optional<Interval> IntegerRanges::infer(Operation *op) {
  return Results(*this, op).infer();
}
