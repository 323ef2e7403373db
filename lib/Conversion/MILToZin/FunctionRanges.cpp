//===- FunctionRanges.cpp - What functions of floats can be ---------------===//
//
// Floats that become integers start somewhere, too: in a function that grows
// with its operand, or that stays in a range.
//
//===----------------------------------------------------------------------===//

#include "IntegerRanges.h"
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
Interval approximated(Interval range, Interval within = {-infinity, infinity}) {
  constexpr double slack = 0x1p-7;
  if (std::isfinite(range.low))
    range.low -= (1 + std::fabs(range.low)) * slack;
  if (std::isfinite(range.high))
    range.high += (1 + std::fabs(range.high)) * slack;
  return {std::clamp(range.low, within.low, within.high),
          std::clamp(range.high, within.low, within.high)};
}

} // namespace

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
        if (!epsilon || *epsilon < 0 || !(a.low > 0))
          return std::nullopt;
        return approximated({std::log(a.low), std::log(a.high + *epsilon)});
      })
      .Case([&](mil::ReduceMeanOp) { return approximated(a); })
      .Default([](Operation *) { return std::nullopt; });
}
