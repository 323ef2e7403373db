//===- LineTables.cpp - Records of straight lines and steps ---------------===//

#include "TableRecords.h"
#include <algorithm>
#include <cmath>

using namespace ane;
using namespace ane::codegen;
using namespace ane::td;

namespace {

/// The smallest positive fp16 number and its negative.
constexpr uint16_t smallest = 0x0001, negativeSmallest = 0x8001;

/// Two lines outside the table, `slopeLow` below 0 and `slopeHigh` above, and
/// what 0 gives.
LutRecord lines(uint16_t low, uint16_t high, uint16_t slopeLow,
                uint16_t slopeHigh, uint16_t atZero = 0) {
  LutRecord record{};
  record.xLow = low;
  record.yLow = low;
  record.xHigh = high;
  record.yHigh = high;
  record.lowSlope = slopeLow;
  record.highSlope = slopeHigh;
  record.scale = lutScaleOfLines;
  record.mode = LutMode::Centred;
  for (auto &knot : record.knots)
    knot = atZero;
  return record;
}

/// The next fp16 number above or below.
uint16_t next(uint16_t bits, bool up) {
  bool negative = bits & 0x8000;
  if ((bits & 0x7fff) == 0)
    return up ? smallest : negativeSmallest;
  if ((bits & 0x7fff) == halfInfinity && negative != up)
    return bits;
  return up == negative ? bits - 1 : bits + 1;
}

} // namespace

/// x above 0, `slope * x` below, at -infinity too. Verified for positive
/// slopes.
LutRecord codegen::leakyReluTable(uint16_t slope) {
  LutRecord record = lines(halfNegativeInfinity, halfInfinity, slope, halfOne);
  if (halfToDouble(slope) == 0)
    record.yLow = 0;
  else if (halfToDouble(slope) < 0)
    record.yLow = halfInfinity;
  return record;
}

/// Verified. A maximum alone has its bound in all knots (verified for one that
/// is above 0, which is what 0 gives then).
LutRecord codegen::clampTable(uint16_t low, uint16_t high) {
  bool isPositive = halfToDouble(low) > 0;
  return lines(low, high, halfOne, halfOne,
               high == halfInfinity && isPositive ? low : 0);
}

/// The line between 0 and 1. Assigned.
LutRecord codegen::hardSigmoidTable(uint16_t alpha, uint16_t beta) {
  double slope = halfToDouble(alpha), offset = halfToDouble(beta);
  if (slope == 0) {
    uint16_t constant = halfFromDouble(std::clamp(offset, 0.0, 1.0));
    LutRecord record = lines(halfNegativeInfinity, halfInfinity, alpha, alpha,
                             /*atZero=*/constant);
    record.yLow = constant;
    record.yHigh = constant;
    record.lowIntercept = constant;
    record.highIntercept = constant;
    return record;
  }
  // Bounds belong to the outside, so they are the innermost numbers where the
  // line has left [0, 1], or the infinities, where no other number has.
  auto value = [&](uint16_t x) { return slope * halfToDouble(x) + offset; };
  double first = slope > 0 ? 0 : 1, last = 1 - first;
  uint16_t low = halfFromDouble((first - offset) / slope);
  uint16_t high = halfFromDouble((last - offset) / slope);
  // Rounding may have moved them inside.
  if ((value(low) - first) / slope > 0)
    low = next(low, /*up=*/false);
  if ((value(high) - last) / slope < 0)
    high = next(high, /*up=*/true);
  LutRecord record = lines(low, high, alpha, alpha, /*atZero=*/beta);
  record.yLow = halfFromDouble(first);
  record.lowIntercept = beta;
  record.yHigh = halfFromDouble(last);
  record.highIntercept = beta;
  return record;
}

/// x from `alpha` on, 0 below. Assigned.
LutRecord codegen::thresholdedReluTable(uint16_t alpha) {
  LutRecord record =
      lines(next(alpha, /*up=*/false), halfInfinity, halfOne, halfOne);
  record.yLow = 0;
  return record;
}

/// Verified.
LutRecord codegen::signTable() {
  LutRecord record = lines(0, halfOne, 0, 0);
  record.highIntercept = halfOne;
  record.mode = LutMode::FromZero | LutMode::absoluteInput | LutMode::oddResult;
  return record;
}

/// Verified with 0, 1 and without `absolute`: a part of a real ceil. What x = 0
/// gives does not depend on whether bounds belong to the outside.
LutRecord codegen::stepTable(bool absolute, uint16_t atZero, uint16_t beyond) {
  LutRecord record = lines(negativeSmallest, smallest, 0, 0, atZero);
  record.yLow = atZero;
  record.lowIntercept = atZero;
  record.yHigh = beyond;
  record.highIntercept = beyond;
  if (absolute)
    record.mode = LutMode::Centred | LutMode::absoluteInput;
  return record;
}

/// Verified: a part of a real ceil. That it gives the integer is inferred from
/// what ceil must compute.
LutRecord codegen::truncationTable() {
  LutRecord record{};
  record.xLow = halfNegativeInfinity;
  record.yLow = halfNegativeInfinity;
  record.xHigh = halfInfinity;
  record.yHigh = halfInfinity;
  record.scale = 5;
  record.mode = LutMode::Integer | LutMode::absoluteInput | LutMode::oddResult;
  return record;
}

/// Verified: a part of a real ceil. That it gives the fraction is inferred.
LutRecord codegen::fractionTable() {
  LutRecord record{};
  record.xLow = halfNegativeInfinity;
  record.xHigh = halfInfinity;
  record.mode = LutMode::Fraction | LutMode::absoluteInput | LutMode::oddResult;
  return record;
}
