//===- IntegerRanges.cpp - What integers can be ---------------------------===//

#include "IntegerRanges.h"
#include "ane/Dialect/MIL/IR/Choice.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/IR/Resampling.h"
#include "ane/Support/Half.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <climits>
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

namespace {

/// Any fp16 that is an integer.
constexpr Interval anyInteger = {-largestHalf, largestHalf};
constexpr Interval exactIntegers = {-largestExactInteger, largestExactInteger};
constexpr Interval truth = {0, 1};

/// The smallest fp16 that is not 0.
constexpr double leastHalf = 0x1p-24;

/// More elements of a constant of floats are not looked at.
constexpr int64_t maxFloats = 4096;

Type elementOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getElementType() : Type();
}

/// The numbers of a type that fp16 carries.
Interval rangeOf(Type element) {
  auto type = cast<IntegerType>(element);
  if (type.isUnsigned())
    return {0, std::min(std::exp2(type.getWidth()) - 1, largestHalf)};
  double half = std::exp2(type.getWidth() - 1);
  return {-std::min(half, largestHalf), std::min(half - 1, largestHalf)};
}

std::string text(Interval range) {
  constexpr double most = 1e18;
  auto bounded = [&](double number) -> int64_t {
    return std::clamp(number, -most, most);
  };
  return llvm::formatv("[{0}, {1}]", bounded(range.low), bounded(range.high));
}

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

/// Whether a cast of integers in `range` can take off what passes the range of
/// its result: all that is computed must be exact.
bool canWrap(Operation *op, Interval range) {
  return isa<mil::CastOp>(op) && holdsIntegers(op->getOperand(0)) &&
         elementOf(op->getResult(0)).getIntOrFloatBitWidth() == CHAR_BIT &&
         exactIntegers.contains(range);
}

} // namespace

bool ane::lowering::isCarriedInteger(Type elementType) {
  auto type = dyn_cast_or_null<IntegerType>(elementType);
  return type && llvm::is_contained({8u, 16u, 32u}, type.getWidth());
}

bool ane::lowering::holdsIntegers(Value value) {
  return isCarriedInteger(elementOf(value));
}

void IntegerRanges::note(Operation *op, StringRef constraint,
                         const Twine &message) {
  problems.try_emplace(op, RangeProblem{constraint, message.str()});
}

Interval IntegerRanges::of(Value value) const {
  if (areFinite)
    if (auto found = finiteIntervals.find(value);
        found != finiteIntervals.end())
      return found->second;
  auto found = intervals.find(value);
  if (found != intervals.end())
    return found->second;
  Type element = elementOf(value);
  if (!element)
    return Interval::any();
  if (element.isInteger(1))
    return truth;
  Interval range = Interval::none();
  if (std::optional<SmallVector<int64_t>> ints = mil::getConstantInts(value)) {
    for (int64_t number : *ints)
      range = range.unite(double(number));
    return range;
  }
  ElementsAttr elements = mil::getConstantElements(value);
  if (elements && elements.getNumElements() <= maxFloats)
    if (auto floats = mil::getConstantFloats(elements)) {
      for (double number : *floats)
        range = range.unite(number);
      return range;
    }
  return isCarriedInteger(element) ? anyInteger : Interval::any();
}

Interval IntegerRanges::data(Operation *op, Value value) {
  if (holdsIntegers(value))
    if (std::optional<SmallVector<int64_t>> ints = mil::getConstantInts(value))
      for (int64_t number : *ints)
        if (std::fabs(double(number)) > largestHalf ||
            halfToDouble(halfFromDouble(double(number))) != double(number)) {
          note(op, "int-c3",
               "element " + Twine(number) +
                   " of a constant operand is no fp16 number; use one of a "
                   "magnitude up to " +
                   Twine(largestExactInteger));
          return exactIntegers;
        }
  return of(value);
}

/// Quotients are corrected by rests, which must be exact.
Interval IntegerRanges::quotient(Operation *op, Interval x, Interval y) {
  for (Interval operand : {x, y})
    if (!exactIntegers.contains(operand))
      note(op, "int-c2",
           "an operand can be anything in " + text(operand) +
               "; a quotient is exact for integers up to " +
               Twine(largestExactInteger) +
               "; bound it with minimum and maximum");
  if (y.low > 0)
    return {x.low < 0 ? std::floor(x.low / y.low) : 0,
            x.high < 0 ? 0 : std::floor(x.high / y.low)};
  return {-x.magnitude(), x.magnitude()};
}

std::optional<Interval> IntegerRanges::infer(Operation *op) {
  auto x = [&] { return data(op, op->getOperand(0)); };
  auto y = [&] { return data(op, op->getOperand(1)); };
  auto all = [&](ValueRange values) {
    Interval range = data(op, values.front());
    for (Value value : values.drop_front())
      range = range.unite(data(op, value));
    return range;
  };
  bool isInteger = op->getNumResults() > 0 && holdsIntegers(op->getResult(0));
  if (op->hasTrait<mil::MovesElements>())
    return x();
  return llvm::TypeSwitch<Operation *, std::optional<Interval>>(op)
      // What chooses elements.
      .Case<mil::ReduceMaxOp, mil::ReduceMinOp>([&](auto) { return x(); })
      .Case<mil::GatherOp, mil::GatherAlongAxisOp, mil::GatherNdOp>(
          [&](auto gather) {
            // Constant indices stay in the compiler.
            if (!mil::getConstantElements(gather.getIndices()))
              data(op, gather.getIndices());
            return x();
          })
      .Case<mil::ConcatOp, mil::StackOp>(
          [&](auto join) { return all(join.getValues()); })
      .Case<mil::ScatterOp, mil::ScatterAlongAxisOp, mil::ScatterNdOp>(
          [&](auto scatter) -> std::optional<Interval> {
            data(op, scatter.getIndices());
            bool replaces =
                scatter.getMode() &&
                mil::getConstantString(scatter.getMode()) == "update";
            Interval before = data(op, scatter.getData()),
                     updates = data(op, scatter.getUpdates());
            if (replaces)
              return before.unite(updates);
            if (!isInteger)
              return Interval::any();
            // All may go to one place.
            Interval all = times(updates, countOf(scatter.getIndices()));
            return before + all.unite(-all).unite(0);
          })
      .Case([&](mil::SliceUpdateOp update) {
        return all({update.getX(), update.getUpdate()});
      })
      .Case([&](mil::ResizeOp resize) -> std::optional<Interval> {
        Interval a = x();
        if (isInteger && !mil::getResampling(resize).nearest)
          return std::nullopt;
        return isInteger ? a : rounded(a);
      })
      .Case([&](mil::PadOp pad) {
        return pad.getConstantVal() ? all({pad.getX(), pad.getConstantVal()})
                                    : x().unite(0);
      })
      .Case([&](mil::SelectOp select) {
        return all({select.getA(), select.getB()});
      })
      .Case<mil::EqualOp, mil::NotEqualOp, mil::LessOp, mil::LessEqualOp,
            mil::GreaterOp, mil::GreaterEqualOp>([&](auto) {
        x(), y();
        return truth;
      })
      .Case([&](mil::ReturnOp result) -> std::optional<Interval> {
        for (Value value : result.getOperands())
          data(op, value);
        return std::nullopt;
      })
      // Arithmetic.
      .Case([&](mil::AddOp) { return x() + y(); })
      .Case([&](mil::SubOp) { return x() - y(); })
      .Case([&](mil::MulOp) { return x() * y(); })
      .Case([&](mil::MaximumOp) { return larger(x(), y()); })
      .Case([&](mil::MinimumOp) { return smaller(x(), y()); })
      .Case<mil::RealDivOp, mil::FloorDivOp>(
          [&](auto) -> std::optional<Interval> {
            if (isInteger)
              return quotient(op, x(), y());
            Interval a = x(), b = y();
            if (b.contains(0))
              return std::nullopt;
            return rounded(a * Interval(1 / b.high, 1 / b.low));
          })
      .Case([&](mil::ModOp) -> std::optional<Interval> {
        if (!isInteger)
          return std::nullopt;
        Interval divisor = y();
        quotient(op, x(), divisor);
        double most = std::max(divisor.magnitude() - 1, 0.0);
        return Interval{divisor.low >= 0 ? 0 : -most,
                        divisor.high <= 0 ? 0 : most};
      })
      .Case([&](mil::AbsOp) {
        Interval a = x();
        return Interval{
            a.contains(0) ? 0 : std::min(std::fabs(a.low), std::fabs(a.high)),
            a.magnitude()};
      })
      .Case([&](mil::SquareOp) { return squared(x()); })
      .Case([&](mil::SignOp) {
        x();
        return Interval{-1, 1};
      })
      .Case<mil::ReduceArgmaxOp, mil::ReduceArgminOp>([&](auto) {
        x();
        // At most the last place of a dimension that all results lack.
        int64_t results = std::max<int64_t>(countOf(op->getResult(0)), 1);
        return Interval{0, double(countOf(op->getOperand(0)) / results - 1)};
      })
      .Case([&](mil::ReduceSumOp) {
        double results = countOf(op->getResult(0));
        return times(x(), countOf(op->getOperand(0)) / std::max(results, 1.0));
      })
      .Case([&](mil::CumsumOp sum) {
        // As many terms as all of the dimension.
        ArrayRef<int64_t> extents = extentsOf(sum.getX());
        std::optional<int64_t> axis = sum.getAxisOrDefault();
        return times(
            x(), axis ? double(extents[mil::fromFront(*axis, extents.size())])
                      : double(countOf(sum.getX())));
      })
      .Case<mil::MatmulOp, mil::LinearOp>([&](auto typed) {
        Interval range = times(x() * y(), double(termsOf(typed)));
        if (auto linear = dyn_cast<mil::LinearOp>(op);
            linear && linear.getBias())
          range = range + data(op, linear.getBias());
        return range;
      })
      // Functions whose values are known.
      .Case<mil::FloorOp, mil::CeilOp, mil::RoundOp>([&](auto) {
        Interval a = x();
        return Interval{std::floor(a.low), std::ceil(a.high)};
      })
      .Case([&](mil::ReluOp) { return larger(x(), 0); })
      .Case<mil::SigmoidOp, mil::SoftmaxOp>([&](auto) { return truth; })
      .Case([&](mil::ClipOp clip) {
        Interval low = of(clip.getAlpha()), high = of(clip.getBeta());
        auto bound = [&](double v) {
          return std::min(std::max(v, low.low), high.high);
        };
        Interval a = x();
        return rounded({bound(a.low), bound(a.high)});
      })
      .Case([&](mil::CastOp) {
        Interval a = x();
        if (!isInteger || holdsIntegers(op->getOperand(0)))
          return a;
        // Of a float the integer part, at most what the type holds.
        Interval most = rangeOf(elementOf(op->getResult(0)));
        return Interval{std::clamp(std::trunc(a.low), most.low, most.high),
                        std::clamp(std::trunc(a.high), most.low, most.high)};
      })
      .Case(
          [&](mil::QuantizeOp) { return rangeOf(elementOf(op->getResult(0))); })
      .Case([&](mil::LogOp) {
        Interval a = x();
        if (areFinite)
          a.low = std::max(a.low, leastHalf);
        return rangeOfFunction(op, a);
      })
      .Default([&](Operation *) -> std::optional<Interval> {
        if (isInteger || op->getNumOperands() == 0)
          return std::nullopt;
        return rangeOfFunction(op, of(op->getOperand(0)));
      });
}

/// A computed index is not counted: how far its operands may go, it does not
/// say.
void IntegerRanges::countStray(Operation *op) {
  std::optional<mil::Choice> choice = mil::getChoice(op);
  if (!choice)
    return;
  Value source = choice->indices;
  while (Operation *move = source.getDefiningOp()) {
    if (!move->hasTrait<mil::MovesElements>() && !isa<mil::CastOp>(move))
      return;
    source = move->getOperand(0);
  }
  double extent = *llvm::max_element(choice->extents);
  stray += !Interval{-extent, extent}.contains(of(choice->indices));
}

void IntegerRanges::visit(Operation *op) {
  if (isa<mil::ConstOp>(op))
    return;
  countStray(op);
  bool makesIntegers = llvm::any_of(op->getResults(), holdsIntegers);
  // Of a float that becomes an integer, what is finite counts.
  areFinite = isa<mil::CastOp>(op) && makesIntegers;
  std::optional<Interval> range = infer(op);
  areFinite = false;
  if (!makesIntegers)
    visitFinite(op);
  if (!range) {
    bool takesIntegers = llvm::any_of(op->getOperands(), [](Value operand) {
      return holdsIntegers(operand) && !mil::getConstantElements(operand);
    });
    if ((makesIntegers || takesIntegers) && !isa<mil::ReturnOp>(op))
      note(op, "int-c1", notOnIntegers);
    return;
  }
  bool isArithmetic =
      isa<mil::AddOp, mil::SubOp, mil::MulOp, mil::RealDivOp, mil::FloorDivOp,
          mil::ModOp, mil::SquareOp, mil::ReduceSumOp, mil::CumsumOp,
          mil::MatmulOp, mil::LinearOp>(op);
  // A product with -1, 0 or 1 is exact, whatever the other factor is.
  if (isa<mil::MulOp>(op))
    for (Value operand : op->getOperands())
      isArithmetic &= !Interval{-1, 1}.contains(of(operand));
  if (makesIntegers) {
    if (isArithmetic && !exactIntegers.contains(*range)) {
      note(op, "int-c2",
           "the result can be anything in " + text(*range) +
               "; fp16 holds all integers up to " + Twine(largestExactInteger) +
               " only; bound the operands with minimum and maximum, or cast "
               "them to fp16");
      range = exactIntegers;
    }
    Interval most = rangeOf(elementOf(op->getResult(0)));
    if (!most.contains(*range)) {
      if (canWrap(op, *range))
        wrapping.insert(op);
      else
        note(op, "int-c4",
             "the result can be anything in " + text(*range) +
                 ", but its type ends at " + text(most) +
                 ", where it would wrap; bound the operands with minimum and "
                 "maximum");
      range = most;
    }
  } else if (isArithmetic) {
    range = rounded(*range);
  }
  for (Value result : op->getResults())
    intervals[result] = *range;
}

IntegerRanges::IntegerRanges(mil::FuncOp func)
    : IntegerRanges(func, findLimits(func)) {}

IntegerRanges::IntegerRanges(mil::FuncOp func, ArrayRef<IntegerLimit> limits)
    : inputLimits(limits) {
  for (auto [argument, limit] : llvm::zip_equal(func.getArguments(), limits))
    if (holdsIntegers(argument)) {
      Interval range = rangeOf(elementOf(argument));
      intervals[argument] = {std::max(range.low, double(limit.least())),
                             std::min(range.high, double(limit.most))};
    }
  for (Operation &op : func.getBody().front())
    visit(&op);
}

SmallVector<IntegerLimit> IntegerRanges::findLimits(mil::FuncOp func) {
  SmallVector<IntegerLimit> limits(func.getNumArguments(), {1});
  if (llvm::none_of(func.getArguments(),
                    [](Value argument) { return holdsIntegers(argument); }))
    return limits;
  auto problems = [&] { return IntegerRanges(func, limits).numProblems(); };
  size_t withNegative = problems();
  for (IntegerLimit &limit : limits)
    limit.hasNegative = false;
  size_t without = problems();
  // Negative numbers are given up only where they are what is wrong.
  for (IntegerLimit &limit : limits) {
    limit.hasNegative = true;
    if (without < withNegative && problems() > without)
      limit.hasNegative = false;
  }

  auto faults = [&] {
    IntegerRanges ranges(func, limits);
    return ranges.numProblems() + ranges.wrappingCasts().size() +
           ranges.numStray();
  };
  size_t unavoidable = faults();
  // The largest number for the parameters that `choose` sets.
  auto raise = [&](llvm::function_ref<void(uint64_t)> choose) {
    uint64_t good = 1, bad = uint64_t(largestExactInteger) + 1;
    while (bad - good > 1) {
      uint64_t tried = (good + bad) / 2;
      choose(tried);
      bool fits = faults() == unavoidable;
      (fits ? good : bad) = tried;
    }
    choose(good);
    return good;
  };
  uint64_t reached = raise([&](uint64_t most) {
    for (IntegerLimit &limit : limits)
      limit.most = most;
  });
  if (reached < uint64_t(largestExactInteger))
    for (auto [argument, limit] : llvm::zip_equal(func.getArguments(), limits))
      if (holdsIntegers(argument))
        raise([&limit = limit](uint64_t tried) { limit.most = tried; });
  return limits;
}
