//===- IntegerRanges.cpp - What integers can be ---------------------------===//

#include "Check/IntegerRanges.h"
#include "ane/Dialect/MIL/IR/Choice.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/IR/Scatter.h"
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

/// More elements of a constant of floats are not looked at.
constexpr int64_t maxFloats = 4096;

Type elementOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getElementType() : Type();
}

/// Whether a cast of integers in `range` can take off what passes the range of
/// its result: all that is computed must be exact.
bool canWrap(Operation *op, Interval range) {
  return isa<mil::CastOp>(op) && holdsIntegers(op->getOperand(0)) &&
         elementOf(op->getResult(0)).getIntOrFloatBitWidth() == CHAR_BIT &&
         exactIntegers.contains(range);
}

/// Whether an op adds or subtracts what goes to one place.
bool addsUpdates(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<mil::ScatterOp, mil::ScatterAlongAxisOp, mil::ScatterNdOp>(
          [](auto scatter) { return mil::scatterModeOf(scatter) != "update"; })
      .Default(false);
}

} // namespace

bool ane::lowering::isCarriedInteger(Type elementType) {
  auto type = dyn_cast_or_null<IntegerType>(elementType);
  return type && llvm::is_contained({8u, 16u, 32u}, type.getWidth());
}

bool ane::lowering::holdsIntegers(Value value) {
  return isCarriedInteger(elementOf(value));
}

Interval ane::lowering::rangeOf(Type element) {
  auto type = cast<IntegerType>(element);
  if (type.isUnsigned())
    return {0, std::min(std::exp2(type.getWidth()) - 1, largestHalf)};
  double half = std::exp2(type.getWidth() - 1);
  return {-std::min(half, largestHalf), std::min(half - 1, largestHalf)};
}

std::string ane::lowering::rangeText(Interval range) {
  constexpr double most = 1e18;
  auto bounded = [&](double number) -> int64_t {
    return std::clamp(number, -most, most);
  };
  return llvm::formatv("[{0}, {1}]", bounded(range.low), bounded(range.high));
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
        if (!isHalf(double(number))) {
          note(op, "int-c3",
               "the number " + Twine(number) +
                   " among the elements of a constant operand is no fp16 "
                   "number; use numbers of a magnitude up to " +
                   Twine(largestExactInteger));
          return exactIntegers;
        }
  return of(value);
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
          mil::MatmulOp, mil::LinearOp>(op) ||
      addsUpdates(op);
  // A product with -1, 0 or 1 is exact, whatever the other factor is.
  if (isa<mil::MulOp>(op))
    for (Value operand : op->getOperands())
      isArithmetic &= !Interval{-1, 1}.contains(of(operand));
  if (makesIntegers) {
    if (isArithmetic && !exactIntegers.contains(*range)) {
      note(op, "int-c2",
           "the result can be anything in " + rangeText(*range) +
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
             "the result can be anything in " + rangeText(*range) +
                 ", but its type ends at " + rangeText(most) +
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
  SmallVector<IntegerLimit *> integers;
  for (auto [argument, limit] : llvm::zip_equal(func.getArguments(), limits))
    if (holdsIntegers(argument))
      integers.push_back(&limit);
  auto raiseTogether = [&](ArrayRef<IntegerLimit *> together) {
    return raise([&](uint64_t most) {
      for (IntegerLimit *limit : together)
        limit->most = most;
    });
  };
  uint64_t reached = raiseTogether(integers);
  if (reached == uint64_t(largestExactInteger))
    return limits;
  // What stops at once, such as an index, leaves others as much as it leaves
  // the first of them.
  auto stops = [&](IntegerLimit *limit) {
    limit->most = reached + 1;
    bool isFault = faults() != unavoidable;
    limit->most = reached;
    return isFault;
  };
  SmallVector<IntegerLimit *> others =
      llvm::to_vector(llvm::make_filter_range(integers, std::not_fn(stops)));
  raiseTogether(others);
  for (IntegerLimit *limit : integers)
    raiseTogether(limit);
  return limits;
}
