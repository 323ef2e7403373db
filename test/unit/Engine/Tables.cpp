//===- Tables.cpp - Activation tables of real programs --------------------===//

#include "Tables.h"
#include "Fixtures.h"
#include <cmath>
#include <cstring>

using namespace ane;
using namespace ane::engine;
using td::LutRecord;

namespace {

constexpr uint16_t one = 0x3c00;
constexpr uint16_t infinity = 0x7c00;
constexpr uint16_t minusInfinity = 0xfc00;

/// Bounds and the values beyond them.
LutRecord makeRecord(uint16_t xLow, uint16_t xHigh, uint16_t yLow,
                     uint16_t yHigh, uint16_t scale, uint16_t mode) {
  LutRecord record{};
  record.xLow = xLow;
  record.xHigh = xHigh;
  record.yLow = yLow;
  record.yHigh = yHigh;
  record.scale = scale;
  record.mode = mode;
  return record;
}

template <typename Function>
void setKnots(LutRecord &record, Function function, unsigned first = 0) {
  for (unsigned i = first; i < td::numLutKnots; ++i)
    record.knots[i] = test::halfBits(function(i));
}

void setTails(LutRecord &record, uint16_t lowSlope, uint16_t lowIntercept,
              uint16_t highSlope, uint16_t highIntercept) {
  record.lowSlope = lowSlope;
  record.lowIntercept = lowIntercept;
  record.highSlope = highSlope;
  record.highIntercept = highIntercept;
}

/// Records with nothing but 0 between their knots, whose two lines are `low`
/// and `high` times x.
LutRecord makeLines(double xLow, double xHigh, double low, double high) {
  LutRecord record =
      makeRecord(test::halfBits(xLow), test::halfBits(xHigh),
                 test::halfBits(xLow), test::halfBits(xHigh), 0x40, 1);
  setTails(record, test::halfBits(low), 0, test::halfBits(high), 0);
  return record;
}

} // namespace

LutRecord test::sigmoidTable() {
  LutRecord record = makeRecord(0xc8f8, 0x4829, 0, one, 1, 1);
  setKnots(record, [](unsigned i) { return 1 / (1 + std::exp(8 - i / 2.0)); });
  setTails(record, 0x09ac, 0x170c, 0x163e, 0x3be6);
  return record;
}

LutRecord test::tanhTable() {
  LutRecord record = makeRecord(0, 0x4400, 0, one, 3, 0x60);
  setKnots(record, [](unsigned i) { return std::tanh(i / 8.0); });
  setTails(record, 0, 0, 0, one);
  return record;
}

LutRecord test::geluTable() {
  constexpr uint16_t knots[td::numLutKnots] = {
      0x0000, 0x8e8a, 0x9230, 0x9757, 0x9bf0, 0xa011, 0xa3bf, 0xa6ec, 0xa9bf,
      0xac75, 0xae67, 0xb03d, 0xb11e, 0xb184, 0xb104, 0xaecf, 0x922d, 0x3098,
      0x357e, 0x389f, 0x3ab8, 0x3c78, 0x3d9a, 0x3eb9, 0x3fd2, 0x4072, 0x40f8,
      0x417c, 0x41fe, 0x427f, 0x4300, 0x4380, 0x4400};
  LutRecord record = makeRecord(0xc466, infinity, 0, infinity, 2, 1);
  std::copy_n(knots, td::numLutKnots, record.knots);
  setTails(record, 0, 0, one, 0);
  return record;
}

LutRecord test::siluTable() {
  constexpr uint16_t knots[td::numLutKnots] = {
      0x98cd, 0x9c5e, 0x9e65, 0xa0ef, 0xa37b, 0xa5a9, 0xa83b, 0xaa45, 0xac8e,
      0xae85, 0xb088, 0xb210, 0xb3a9, 0xb470, 0xb460, 0xb284, 0x96fb, 0x34be,
      0x39d0, 0x3ce4, 0x3f0b, 0x409f, 0x41b7, 0x42cc, 0x43dc, 0x4473, 0x44f8,
      0x457a, 0x45fc, 0x467e, 0x46fe, 0x477f, 0x47ff};
  LutRecord record = makeRecord(0xc91a, infinity, 0, infinity, 1, 1);
  std::copy_n(knots, td::numLutKnots, record.knots);
  setTails(record, 0x945d, 0xa191, one, 0x9c00);
  return record;
}

LutRecord test::exp2Table() {
  LutRecord record = makeRecord(0xce40, 0x4c00, 0, infinity, 5, 0x0a);
  setKnots(record, [](unsigned i) { return std::exp2(i / 32.0); });
  return record;
}

LutRecord test::log2Table() {
  LutRecord record = makeRecord(0, infinity, minusInfinity, 0, 6, 0xc9);
  setKnots(record, [](unsigned i) { return std::log2(0.5 + i / 64.0); });
  return record;
}

LutRecord test::sqrtTable() {
  LutRecord record = makeRecord(0, infinity, 0, infinity, 4, 0xc5);
  setKnots(record, [](unsigned i) { return std::sqrt(i / 16.0); }, 8);
  return record;
}

LutRecord test::rsqrtTable() {
  LutRecord record = makeRecord(0, infinity, infinity, 0, 4, 0xc6);
  setKnots(record, [](unsigned i) { return 1 / std::sqrt(i / 16.0); }, 8);
  return record;
}

LutRecord test::reciprocalTable() {
  LutRecord record = makeRecord(0, infinity, infinity, 0, 6, 0x67);
  setKnots(record, [](unsigned i) { return 1 / (0.5 + i / 64.0); });
  return record;
}

LutRecord test::leakyReluTable(double slope) {
  return makeLines(-INFINITY, INFINITY, slope, 1);
}

LutRecord test::maximumTable(double bound) {
  LutRecord record = makeLines(bound, INFINITY, 1, 1);
  setKnots(record, [=](unsigned) { return bound; });
  return record;
}

LutRecord test::minimumTable(double bound) {
  return makeLines(-INFINITY, bound, 1, 1);
}

LutRecord test::equalsZeroTable() {
  LutRecord record = makeLines(-0x1p-24, 0x1p-24, 0, 0);
  record.yLow = 0;
  record.yHigh = 0;
  setKnots(record, [](unsigned i) { return i < td::numLutKnots - 1; });
  return record;
}

LutRecord test::belowZeroTable() {
  LutRecord record = makeLines(-0x1p-24, 0x1p-24, 0, 0);
  record.yLow = one;
  record.lowIntercept = one;
  record.yHigh = 0;
  return record;
}

void test::appendTable(std::vector<uint8_t> &bytes, const LutRecord &record) {
  size_t offset = bytes.size();
  bytes.resize(offset + td::lutBytes);
  std::memcpy(bytes.data() + offset, &record, sizeof(record));
}
