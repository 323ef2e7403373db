//===- HalfConversionTest.cpp - fp16 of the executor ----------------------===//

#include "HalfConversion.h"
#include "ane/Support/Half.h"
#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

using namespace ane::engine;
using llvm::support::endian::read16le;
using llvm::support::endian::write16le;

namespace {

/// Every fp16, and then floats at and around every rounding boundary.
std::vector<uint8_t> allHalves() {
  std::vector<uint8_t> bytes(2 << 16);
  for (uint32_t bits = 0; bits < 1 << 16; ++bits)
    write16le(bytes.data() + 2 * bits, bits);
  return bytes;
}

std::vector<float> interestingFloats() {
  std::vector<float> values;
  for (uint32_t bits = 0; bits < 0x7c00; ++bits) {
    float low = halfBitsToFloat(bits), high = halfBitsToFloat(bits + 1);
    float middle = bits == 0x7bff ? 65520.0f : low + (high - low) / 2;
    for (float value : {low, std::nextafter(middle, 0.0f), middle,
                        std::nextafter(middle, 1e9f)})
      values.insert(values.end(), {value, -value});
  }
  uint32_t state = 1;
  for (int i = 0; i < 1 << 20; ++i) {
    state = state * 1664525 + 1013904223;
    values.push_back(std::bit_cast<float>(state));
  }
  values.insert(values.end(), {INFINITY, -INFINITY, 1e30f, -1e30f, 1e-30f});
  for (uint32_t nan : {0x7f800001u, 0x7fc00000u, 0xff802000u, 0xffffffffu})
    values.push_back(std::bit_cast<float>(nan));
  return values;
}

TEST(HalfConversion, WidensExactly) {
  EXPECT_EQ(halfBitsToFloat(0x3c00), 1.0f);
  EXPECT_EQ(halfBitsToFloat(0x0001), 0x1p-24f);
  EXPECT_EQ(halfBitsToFloat(0x7bff), 65504.0f);
  EXPECT_EQ(halfBitsToFloat(0xfc00), -INFINITY);
  EXPECT_TRUE(std::signbit(halfBitsToFloat(0x8000)));
  for (uint32_t bits = 0; bits < 1 << 16; ++bits) {
    double value = ane::halfToDouble(bits);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(halfBitsToFloat(bits))) << bits;
    } else {
      EXPECT_EQ(halfBitsToFloat(bits), value) << bits;
    }
  }
}

TEST(HalfConversion, RoundsToNearestEven) {
  EXPECT_EQ(floatToHalfBits(2049), 0x6800); // 2048
  EXPECT_EQ(floatToHalfBits(2051), 0x6802); // 2052
  EXPECT_EQ(floatToHalfBits(65519.996f), 0x7bff);
  EXPECT_EQ(floatToHalfBits(65520), 0x7c00);
  EXPECT_EQ(floatToHalfBits(0x1p-25f), 0x0000);
  EXPECT_EQ(floatToHalfBits(0x1.8p-25f), 0x0001);
  EXPECT_EQ(floatToHalfBits(-0.0f), 0x8000);
  for (float value : interestingFloats())
    if (!std::isnan(value)) {
      ASSERT_EQ(floatToHalfBits(value), ane::halfFromDouble(value)) << value;
    }
}

TEST(HalfConversion, NarrowingToOddRoundsOnce) {
  // 1 + 2^-11 + 2^-40 lies just above the middle of two fp16 numbers.
  double above = 1 + 0x1p-11 + 0x1p-40;
  EXPECT_EQ(floatToHalfBits(static_cast<float>(above)), 0x3c00);
  EXPECT_EQ(floatToHalfBits(narrowToOdd(above)), 0x3c01);
  EXPECT_EQ(floatToHalfBits(narrowToOdd(-above)), 0xbc01);
  EXPECT_EQ(narrowToOdd(0.1f), 0.1f);
  EXPECT_EQ(floatToHalfBits(narrowToOdd(1e300)), 0x7c00);
  EXPECT_TRUE(std::isnan(narrowToOdd(NAN)));
}

TEST(HalfConversion, InstructionsGiveTheSameBits) {
  std::vector<uint8_t> halves = allHalves();
  std::vector<float> portable(1 << 16), fast(1 << 16);
  halfToFloatPortable(halves.data(), portable.data(), portable.size());
  halfToFloat(halves.data(), fast.data(), fast.size());
  for (size_t i = 0; i < fast.size(); ++i)
    ASSERT_EQ(std::bit_cast<uint32_t>(fast[i]),
              std::bit_cast<uint32_t>(portable[i]))
        << i;

  std::vector<float> floats = interestingFloats();
  std::vector<uint8_t> narrow(2 * floats.size()), narrowFast(narrow.size());
  floatToHalfPortable(floats.data(), narrow.data(), floats.size());
  floatToHalf(floats.data(), narrowFast.data(), floats.size());
  for (size_t i = 0; i < floats.size(); ++i)
    ASSERT_EQ(read16le(&narrowFast[2 * i]), read16le(&narrow[2 * i]))
        << std::bit_cast<uint32_t>(floats[i]);
}

} // namespace
