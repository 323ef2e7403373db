//===- FunctionRanges.cpp - What functions of floats can be ---------------===//
//
// Floats that become integers start somewhere, too: in a function that grows
// with its operand, or that stays in a range.
//
//===----------------------------------------------------------------------===//

#include "Check/IntegerRanges.h"
#include "llvm/ADT/TypeSwitch.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The bounds of a result that comes out of a table: more than
/// docs/op-accuracy.md has of errors. `within` holds anyway.
Interval approximated(Interval range, Interval within = Interval::any()) {
  constexpr double slack = 0x1p-7;
  if (std::isfinite(range.low))
    range.low -= (1 + std::fabs(range.low)) * slack;
  if (std::isfinite(range.high))
    range.high += (1 + std::fabs(range.high)) * slack;
  return {std::clamp(range.low, within.low, within.high),
          std::clamp(range.high, within.low, within.high)};
}

} // namespace

Interval ane::lowering::rounded(Interval range) {
  constexpr double slack = 0x1p-10;
  if (std::isfinite(range.low))
    range.low -= std::fabs(range.low) * slack;
  if (std::isfinite(range.high))
    range.high += std::fabs(range.high) * slack;
  return range;
}

std::optional<Interval> ane::lowering::rangeOfFunction(Operation *op,
                                                       Interval a) {
  constexpr Interval unit = {-1, 1}, notNegative = {0, infinity};
  return llvm::TypeSwitch<Operation *, std::optional<Interval>>(op)
      .Case<mil::SinOp, mil::CosOp>([&](auto) { return unit; })
      .Case<mil::SigmoidHardOp>([&](auto) { return Interval{0, 1}; })
      .Case([&](mil::Relu6Op) {
        constexpr double most = 6;
        return Interval{std::clamp(a.low, 0.0, most),
                        std::clamp(a.high, 0.0, most)};
      })
      .Case([&](mil::TanhOp) {
        return approximated({std::tanh(a.low), std::tanh(a.high)}, unit);
      })
      .Case([&](mil::ErfOp) {
        return approximated({std::erf(a.low), std::erf(a.high)}, unit);
      })
      .Case([&](mil::ExpOp) {
        return approximated({std::exp(a.low), std::exp(a.high)}, notNegative);
      })
      .Case([&](mil::Exp2Op) {
        return approximated({std::exp2(a.low), std::exp2(a.high)}, notNegative);
      })
      // Elsewhere there may be no value.
      .Case([&](mil::SqrtOp) -> std::optional<Interval> {
        if (a.low < 0)
          return std::nullopt;
        return approximated({std::sqrt(a.low), std::sqrt(a.high)}, notNegative);
      })
      .Case([&](mil::LogOp log) -> std::optional<Interval> {
        std::optional<double> epsilon = log.getEpsilonOrDefault();
        if (!epsilon || *epsilon < 0 || !(a.high > 0))
          return std::nullopt;
        Interval range = {-infinity, std::log(a.high + *epsilon)};
        if (a.low > 0)
          range.low = std::log(a.low);
        else
          // What has no value is 0 on the engine.
          range = range.unite(0);
        return approximated(range);
      })
      .Case([&](mil::ReduceMeanOp) { return approximated(a); })
      .Default([](Operation *) { return std::nullopt; });
}

/// What a float is where a logarithm before it has a value. Ops that make
/// numbers of infinities do not pass this on.
void IntegerRanges::visitFinite(Operation *op) {
  auto isNumber = [&](unsigned operand) {
    Interval range = of(op->getOperand(operand));
    return std::isfinite(range.magnitude()) &&
           (range.low > 0 || range.high < 0);
  };
  auto isPassed = [&](unsigned operand) {
    return finiteIntervals.contains(op->getOperand(operand));
  };
  bool passes =
      llvm::TypeSwitch<Operation *, bool>(op)
          .Case([&](mil::LogOp) { return true; })
          .Case<mil::AddOp, mil::SubOp>(
              [&](auto) { return isPassed(0) || isPassed(1); })
          .Case([&](mil::MulOp) {
            return (isPassed(0) && isNumber(1)) || (isNumber(0) && isPassed(1));
          })
          .Case([&](mil::RealDivOp) { return isPassed(0) && isNumber(1); })
          .Case<mil::FloorOp, mil::CeilOp, mil::RoundOp, mil::CastOp>(
              [&](auto) { return isPassed(0); })
          .Default([&](Operation *op) {
            return op->hasTrait<mil::MovesElements>() && isPassed(0);
          });
  if (!passes)
    return;
  areFinite = true;
  if (std::optional<Interval> range = infer(op))
    for (Value result : op->getResults())
      finiteIntervals[result] = rounded(*range);
  areFinite = false;
}
