//===- ActivationTables.cpp - Table records of activations ----------------===//

#include "ActivationTables.h"
#include "ane/Support/Half.h"
#include <cmath>

using namespace ane;
using namespace ane::codegen;
using namespace ane::td;
using zin::NonLinearMode;

namespace {

constexpr uint16_t one = 0x3c00;
constexpr uint16_t infinity = 0x7c00;
constexpr uint16_t negativeInfinity = 0xfc00;

uint16_t bitsOf(mlir::FloatAttr value) {
  return value.getValue().bitcastToAPInt().getZExtValue();
}

/// Knots that sample a function at start, start + step, ...
template <typename Fn>
void sample(LutRecord &record, double start, double step, Fn fn) {
  for (unsigned i = 0; i < numLutKnots; ++i)
    record.knots[i] = halfFromDouble(fn(start + step * i));
}

/// Only the two lines outside the table: `slopeLow` below 0, `slopeHigh` above.
LutRecord lines(uint16_t low, uint16_t high, uint16_t slopeLow,
                uint16_t slopeHigh) {
  LutRecord record{};
  record.xLow = low;
  record.yLow = low;
  record.xHigh = high;
  record.yHigh = high;
  record.lowSlope = slopeLow;
  record.highSlope = slopeHigh;
  record.scale = LutScale::noTable;
  record.mode = LutMode::Centred;
  return record;
}

LutRecord sigmoid() {
  LutRecord record{};
  record.xLow = 0xc8f8;
  record.xHigh = 0x4829;
  record.yHigh = one;
  sample(record, -8, 0.5, [](double x) { return 1 / (1 + std::exp(-x)); });
  record.lowSlope = 0x09ac;
  record.lowIntercept = 0x170c;
  record.highSlope = 0x163e;
  record.highIntercept = 0x3be6;
  record.scale = 1;
  record.mode = LutMode::Centred;
  return record;
}

LutRecord tanh() {
  LutRecord record{};
  record.xHigh = 0x4400;
  record.yHigh = one;
  sample(record, 0, 0.125, [](double x) { return std::tanh(x); });
  record.highIntercept = one;
  record.scale = 3;
  record.mode = LutMode::FromZero | LutMode::absoluteInput | LutMode::oddResult;
  return record;
}

/// x * sigmoid(x); the knots are a fit, not samples.
LutRecord swish() {
  constexpr uint16_t knots[numLutKnots] = {
      0x98cd, 0x9c5e, 0x9e65, 0xa0ef, 0xa37b, 0xa5a9, 0xa83b, 0xaa45, 0xac8e,
      0xae85, 0xb088, 0xb210, 0xb3a9, 0xb470, 0xb460, 0xb284, 0x96fb, 0x34be,
      0x39d0, 0x3ce4, 0x3f0b, 0x409f, 0x41b7, 0x42cc, 0x43dc, 0x4473, 0x44f8,
      0x457a, 0x45fc, 0x467e, 0x46fe, 0x477f, 0x47ff};
  LutRecord record{};
  record.xLow = 0xc91a;
  record.xHigh = infinity;
  record.yHigh = infinity;
  for (unsigned i = 0; i < numLutKnots; ++i)
    record.knots[i] = knots[i];
  record.lowSlope = 0x945d;
  record.lowIntercept = 0xa191;
  record.highSlope = one;
  record.highIntercept = 0x9c00;
  record.scale = 1;
  record.mode = LutMode::Centred;
  return record;
}

LutRecord exp2() {
  LutRecord record{};
  record.xLow = 0xce40;
  record.xHigh = 0x4c00;
  record.yHigh = infinity;
  sample(record, 0, 1.0 / 32, [](double x) { return std::exp2(x); });
  record.scale = 5;
  record.mode = LutMode::Exp2;
  return record;
}

LutRecord reciprocal() {
  LutRecord record{};
  record.xHigh = infinity;
  record.yLow = infinity;
  sample(record, 0.5, 1.0 / 64, [](double x) { return 1 / x; });
  record.scale = 6;
  record.mode =
      LutMode::Reciprocal | LutMode::absoluteInput | LutMode::oddResult;
  return record;
}

/// x above 0, `slope * x` below, at -infinity too; assigned for slopes that are
/// not positive.
LutRecord leakyRelu(uint16_t slope) {
  LutRecord record = lines(negativeInfinity, infinity, slope, one);
  if (halfToDouble(slope) == 0)
    record.yLow = 0;
  else if (halfToDouble(slope) < 0)
    record.yLow = infinity;
  return record;
}

LutRecord clamp(uint16_t low, uint16_t high) {
  LutRecord record = lines(low, high, one, one);
  // A maximum alone has its bound in all knots; nothing reads them.
  if (high == infinity)
    for (auto &knot : record.knots)
      knot = low;
  return record;
}

} // namespace

std::optional<LutRecord> codegen::makeActivationTable(zin::NeuronAttr neuron) {
  switch (neuron.getMode()) {
  case NonLinearMode::sigmoid:
    return sigmoid();
  case NonLinearMode::tanh:
    return tanh();
  case NonLinearMode::swish:
    return swish();
  case NonLinearMode::exp2:
    return exp2();
  case NonLinearMode::inv:
    return reciprocal();
  case NonLinearMode::prelu:
    return leakyRelu(bitsOf(neuron.getAlpha()));
  case NonLinearMode::clamped_relu:
    return clamp(bitsOf(neuron.getAlpha()), bitsOf(neuron.getBeta()));
  default:
    return std::nullopt;
  }
}

bool codegen::negatesExponent(const LutRecord &record) {
  uint16_t index = record.mode & LutMode::indexMask;
  return index == LutMode::Reciprocal || index == LutMode::RSqrt;
}
