//===- HalfTest.cpp - Conversion between fp16 and wider types -------------===//

#include "ane/Support/Half.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <bit>
#include <cmath>
#include <limits>

using namespace ane;

namespace {

constexpr unsigned numHalves = 1 << 16;
constexpr uint16_t infinity = 0x7c00, signBit = 0x8000;

double wide(uint16_t bits) {
  llvm::APFloat value(llvm::APFloat::IEEEhalf(), llvm::APInt(16, bits));
  bool losesInfo;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmTowardZero,
                &losesInfo);
  return value.convertToDouble();
}

TEST(Half, WidensEachNumber) {
  for (unsigned bits = 0; bits < numHalves; ++bits) {
    double value = halfToDouble(bits);
    EXPECT_EQ(std::signbit(value), (bits & signBit) != 0) << bits;
    if ((bits & ~signBit) > infinity)
      EXPECT_TRUE(std::isnan(value)) << bits;
    else
      EXPECT_EQ(value, wide(bits)) << bits;
  }
}

/// Each number, the middle between it and the next, and what is next to that.
TEST(Half, RoundsToTheNearest) {
  for (uint16_t bits = 0; bits < infinity; ++bits) {
    double value = wide(bits);
    double above = bits + 1 == infinity ? 65536 : wide(bits + 1);
    double middle = (value + above) / 2;
    uint16_t even = bits % 2 == 0 ? bits : bits + 1;
    for (auto [sign, signedBits] : {std::pair(1.0, 0), {-1.0, +signBit}}) {
      EXPECT_EQ(halfFromDouble(sign * value), bits | signedBits);
      EXPECT_EQ(halfFromDouble(sign * std::nextafter(middle, 0)),
                bits | signedBits);
      EXPECT_EQ(halfFromDouble(sign * middle), even | signedBits) << bits;
      EXPECT_EQ(halfFromDouble(sign * std::nextafter(middle, 1e6)),
                (bits + 1) | signedBits);
    }
  }
}

TEST(Half, ConvertsFiniteNumbersByWayOfFloats) {
  for (unsigned bits = 0; bits < numHalves; ++bits) {
    if ((bits & ~signBit) >= infinity)
      continue;
    float value = finiteHalfToFloat(bits);
    EXPECT_EQ(std::bit_cast<uint32_t>(value),
              std::bit_cast<uint32_t>(float(wide(bits))));
    for (float near : {value, value * 1.0003f, value * 1.0005f, value * 0.9997f,
                       value + 0x1p-25f})
      if (std::fabs(near) <= largestHalf)
        EXPECT_EQ(finiteHalfFromFloat(near), halfFromDouble(near)) << near;
  }
}

TEST(Half, KeepsWhatIsNoNumber) {
  constexpr double huge = std::numeric_limits<double>::infinity();
  EXPECT_EQ(halfFromDouble(huge), infinity);
  EXPECT_EQ(halfFromDouble(-huge), infinity | signBit);
  EXPECT_EQ(halfFromDouble(1e300), infinity);
  EXPECT_EQ(halfFromDouble(std::numeric_limits<double>::denorm_min()), 0);
  EXPECT_EQ(halfFromDouble(-std::numeric_limits<double>::denorm_min()),
            signBit);
  EXPECT_EQ(halfFromDouble(std::numeric_limits<double>::quiet_NaN()), 0x7e00);
}

} // namespace
