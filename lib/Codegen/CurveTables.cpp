//===- CurveTables.cpp - Records of bounded curves ------------------------===//

#include "TableRecords.h"
#include "ane/Dialect/Zin/IR/TableScale.h"
#include <cmath>
#include <numbers>

using namespace ane;
using namespace ane::codegen;
using namespace ane::td;

namespace {

constexpr uint16_t oddFromZero =
    LutMode::FromZero | LutMode::absoluteInput | LutMode::oddResult;

/// A function that rises from 0 to 1, as far above 1 / 2 on one side of 0 as
/// below on the other, of x / scale. A line between two knots is off by an
/// eighth of the bend times the square of their distance in the middle; half of
/// that is taken off the knots. Outside a line goes to 0 at `zero` and another
/// one to 1.
template <typename Fn, typename Bend>
LutRecord shareTable(Fn fn, Bend bend, double scale, double zero) {
  constexpr double step = 0.5, first = -8;
  double distance = step / scale;
  LutRecord record{};
  sample(record, first, step, [&](double x) {
    return fn(x / scale) - distance * distance / 16 * bend(x / scale);
  });
  double end = zero * scale;
  double slope = halfToDouble(record.knots[0]) / (first - end);
  record.xLow = halfFromDouble(end);
  record.xHigh = halfFromDouble(-end);
  record.yHigh = halfOne;
  record.lowSlope = halfFromDouble(slope);
  record.highSlope = halfFromDouble(slope);
  record.lowIntercept = halfFromDouble(-slope * end);
  record.highIntercept = halfFromDouble(1 + slope * end);
  record.scale = 1;
  record.mode = LutMode::Centred;
  return record;
}

} // namespace

/// Verified.
LutRecord codegen::sigmoidTable() {
  LutRecord record{};
  record.xLow = 0xc8f8;
  record.xHigh = 0x4829;
  record.yHigh = halfOne;
  sample(record, -8, 0.5, [](double x) { return 1 / (1 + std::exp(-x)); });
  record.lowSlope = 0x09ac;
  record.lowIntercept = 0x170c;
  record.highSlope = 0x163e;
  record.highIntercept = 0x3be6;
  record.scale = 1;
  record.mode = LutMode::Centred;
  return record;
}

/// Assigned.
LutRecord codegen::closeSigmoidTable() {
  constexpr double zero = -8;
  auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  auto bend = [&](double x) {
    return sigmoid(x) * sigmoid(-x) * (1 - 2 * sigmoid(x));
  };
  return shareTable(sigmoid, bend, zin::sigmoidTableScale, zero);
}

/// Assigned.
LutRecord codegen::geluShareTable() {
  constexpr double zero = -4.25;
  auto share = [](double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; };
  auto bend = [](double x) {
    return -x * std::exp(-x * x / 2) * std::numbers::inv_sqrtpi /
           std::numbers::sqrt2;
  };
  return shareTable(share, bend, zin::geluShareTableScale, zero);
}

/// Verified.
LutRecord codegen::tanhTable() {
  LutRecord record{};
  record.xHigh = 0x4400;
  record.yHigh = halfOne;
  sample(record, 0, 0.125, [](double x) { return std::tanh(x); });
  record.highIntercept = halfOne;
  record.scale = 3;
  record.mode = oddFromZero;
  return record;
}

/// Verified. The knots over [-4, 4] are a fit, not samples.
LutRecord codegen::geluTable() {
  constexpr uint16_t knots[numLutKnots] = {
      0x0000, 0x8e8a, 0x9230, 0x9757, 0x9bf0, 0xa011, 0xa3bf, 0xa6ec, 0xa9bf,
      0xac75, 0xae67, 0xb03d, 0xb11e, 0xb184, 0xb104, 0xaecf, 0x922d, 0x3098,
      0x357e, 0x389f, 0x3ab8, 0x3c78, 0x3d9a, 0x3eb9, 0x3fd2, 0x4072, 0x40f8,
      0x417c, 0x41fe, 0x427f, 0x4300, 0x4380, 0x4400};
  LutRecord record{};
  record.xLow = 0xc466;
  record.xHigh = halfInfinity;
  record.yHigh = halfInfinity;
  for (unsigned i = 0; i < numLutKnots; ++i)
    record.knots[i] = knots[i];
  record.highSlope = halfOne;
  record.scale = 2;
  record.mode = LutMode::Centred;
  return record;
}

/// x * sigmoid(x), verified. The knots over [-8, 8] are a fit, not samples.
LutRecord codegen::swishTable() {
  constexpr uint16_t knots[numLutKnots] = {
      0x98cd, 0x9c5e, 0x9e65, 0xa0ef, 0xa37b, 0xa5a9, 0xa83b, 0xaa45, 0xac8e,
      0xae85, 0xb088, 0xb210, 0xb3a9, 0xb470, 0xb460, 0xb284, 0x96fb, 0x34be,
      0x39d0, 0x3ce4, 0x3f0b, 0x409f, 0x41b7, 0x42cc, 0x43dc, 0x4473, 0x44f8,
      0x457a, 0x45fc, 0x467e, 0x46fe, 0x477f, 0x47ff};
  LutRecord record{};
  record.xLow = 0xc91a;
  record.xHigh = halfInfinity;
  record.yHigh = halfInfinity;
  for (unsigned i = 0; i < numLutKnots; ++i)
    record.knots[i] = knots[i];
  record.lowSlope = 0x945d;
  record.lowIntercept = 0xa191;
  record.highSlope = halfOne;
  record.highIntercept = 0x9c00;
  record.scale = 1;
  record.mode = LutMode::Centred;
  return record;
}

/// Assigned: samples over [0, 2], then a line that meets 1 at 2.375, where the
/// largest error of table and line are about the same.
LutRecord codegen::erfTable() {
  constexpr double last = 2, one = 2.375;
  LutRecord record{};
  record.xHigh = halfFromDouble(one);
  record.yHigh = halfOne;
  sample(record, 0, 1.0 / 16, [](double x) { return std::erf(x); });
  double slope = (1 - std::erf(last)) / (one - last);
  record.highSlope = halfFromDouble(slope);
  record.highIntercept = halfFromDouble(1 - slope * one);
  record.scale = 4;
  record.mode = oddFromZero;
  return record;
}

/// Assigned.
LutRecord codegen::sinTable() {
  LutRecord record{};
  record.xHigh = halfFromDouble(0.5);
  sample(record, 0, 1.0 / 64,
         [](double x) { return std::sin(2 * std::numbers::pi * x); });
  record.scale = 6;
  record.mode = oddFromZero;
  return record;
}

/// Assigned.
LutRecord codegen::atanPart1Table() {
  LutRecord record{};
  record.xHigh = halfOne;
  record.yHigh = halfFromDouble(std::numbers::pi / 4);
  sample(record, 0, 1.0 / 32, [](double x) { return std::atan(x); });
  record.scale = 5;
  record.mode = oddFromZero;
  return record;
}

/// Assigned.
LutRecord codegen::atanPart2Table() {
  LutRecord record{};
  record.yLow = halfFromDouble(std::numbers::pi / 4);
  record.xHigh = halfOne;
  sample(record, 0, 1.0 / 32,
         [](double x) { return std::numbers::pi / 4 - std::atan(x); });
  record.scale = 5;
  record.mode = oddFromZero;
  return record;
}
