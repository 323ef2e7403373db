//===- PowerTables.cpp - Records of powers and the logarithm --------------===//
//
// All verified: samples over the mantissas, of which the hardware splits off
// the exponent.
//
//===----------------------------------------------------------------------===//

#include "TableRecords.h"
#include <cmath>

using namespace ane;
using namespace ane::codegen;
using namespace ane::td;

LutRecord codegen::exp2Table() {
  LutRecord record{};
  record.xLow = 0xce40;
  record.xHigh = 0x4c00;
  record.yHigh = halfInfinity;
  sample(record, 0, 1.0 / 32, [](double x) { return std::exp2(x); });
  record.scale = 5;
  record.mode = LutMode::Exp2;
  return record;
}

LutRecord codegen::log2Table() {
  LutRecord record{};
  record.xHigh = halfInfinity;
  record.yLow = halfNegativeInfinity;
  sample(record, 0.5, 1.0 / 64, [](double x) { return std::log2(x); });
  record.scale = 6;
  record.mode =
      LutMode::Log2 | LutMode::absoluteInput | LutMode::positiveDomain;
  return record;
}

namespace {

/// Samples at mantissas from 0.5 to 2; those below have no use and are 0.
template <typename Fn> void sampleMantissas(LutRecord &record, Fn fn) {
  sample(record, 0, 1.0 / 16, [&](double x) { return x < 0.5 ? 0 : fn(x); });
  record.scale = 4;
}

} // namespace

LutRecord codegen::sqrtTable() {
  LutRecord record{};
  record.xHigh = halfInfinity;
  record.yHigh = halfInfinity;
  sampleMantissas(record, [](double x) { return std::sqrt(x); });
  record.mode =
      LutMode::Sqrt | LutMode::absoluteInput | LutMode::positiveDomain;
  return record;
}

LutRecord codegen::rsqrtTable() {
  LutRecord record{};
  record.xHigh = halfInfinity;
  record.yLow = halfInfinity;
  sampleMantissas(record, [](double x) { return 1 / std::sqrt(x); });
  record.mode =
      LutMode::RSqrt | LutMode::absoluteInput | LutMode::positiveDomain;
  return record;
}

LutRecord codegen::reciprocalTable() {
  LutRecord record{};
  record.xHigh = halfInfinity;
  record.yLow = halfInfinity;
  sample(record, 0.5, 1.0 / 64, [](double x) { return 1 / x; });
  record.scale = 6;
  record.mode =
      LutMode::Reciprocal | LutMode::absoluteInput | LutMode::oddResult;
  return record;
}
