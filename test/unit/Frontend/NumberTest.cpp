//===- NumberTest.cpp - Numbers of MIL text -------------------------------===//

#include "ane/Frontend/Number.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include <bit>
#include <cmath>
#include <random>

using namespace ane;
using namespace ane::frontend;

namespace {

uint64_t fp16(llvm::StringRef text) {
  return parseFloat(text, FloatFormat::Fp16);
}
uint64_t fp32(llvm::StringRef text) {
  return parseFloat(text, FloatFormat::Fp32);
}
uint64_t fp64(llvm::StringRef text) {
  return parseFloat(text, FloatFormat::Fp64);
}
uint64_t bf16(llvm::StringRef text) {
  return parseFloat(text, FloatFormat::Bf16);
}

std::string hexFloat(double value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printHexFloat(os, value);
  return text;
}

TEST(Number, ParsesTheSpellingsOfPrograms) {
  EXPECT_EQ(fp16("0x1p-3"), 0x3000u);
  EXPECT_EQ(fp16("0x1p0"), 0x3c00u);
  EXPECT_EQ(fp16("-0x1.e28358p-6"), 0xa78au);
  EXPECT_EQ(fp32("0x1.99999ap-4"), 0x3dcccccdu);
  EXPECT_EQ(fp32("0x1.0cp-17"), 0x37060000u);
  EXPECT_EQ(fp16("0.08838834764831845"), 0x2da8u);
  EXPECT_EQ(fp32("1e-05"), 0x3727c5acu);
  EXPECT_EQ(fp32("7"), 0x40e00000u);
  EXPECT_EQ(fp16("-0x0p+0"), 0x8000u);
  EXPECT_EQ(fp16("-0"), 0x8000u);
}

TEST(Number, ParsesSpecials) {
  EXPECT_EQ(fp16("inf"), 0x7c00u);
  EXPECT_EQ(fp16("-inf"), 0xfc00u);
  EXPECT_EQ(fp16("nan"), 0x7e00u);
  EXPECT_EQ(fp32("nan"), 0x7fc00000u);
  EXPECT_EQ(bf16("-inf"), 0xff80u);
  EXPECT_EQ(fp64("inf"), 0x7ff0000000000000u);
}

TEST(Number, RoundsOnceToNearestEven) {
  // Half of the last place of 1.0: to even, and up if anything follows.
  EXPECT_EQ(fp16("0x1.002p0"), 0x3c00u);
  EXPECT_EQ(fp16("0x1.006p0"), 0x3c02u);
  EXPECT_EQ(fp16("0x1.00200000000000000000001p0"), 0x3c01u);
  EXPECT_EQ(fp16("0x1.001fffffffffffffffffffp0"), 0x3c00u);
  // 1 + 2^-11 + 2^-60: a double would lose the last term.
  EXPECT_EQ(fp16("1.00048828125000000086736173798840354720596224069595336914062"
                 "5"),
            0x3c01u);
  EXPECT_EQ(fp16("1.00048828125"), 0x3c00u);
  EXPECT_EQ(bf16("0x1.01p0"), 0x3f80u);
  EXPECT_EQ(bf16("0x1.0100000000000000000001p0"), 0x3f81u);
  EXPECT_EQ(fp32("0x1.0000010000000000000000001p0"), 0x3f800001u);
  // Many digits in front of the point.
  EXPECT_EQ(fp64("0x10000000000000800000000000000000p0"),
            std::bit_cast<uint64_t>(0x1p124));
  EXPECT_EQ(fp64("0x10000000000000800000000000000001p0"),
            std::bit_cast<uint64_t>(0x1.0000000000001p124));
}

TEST(Number, RoundsAtTheEndsOfTheRange) {
  EXPECT_EQ(fp16("65504"), 0x7bffu);
  EXPECT_EQ(fp16("65519.99"), 0x7bffu);
  EXPECT_EQ(fp16("65520"), 0x7c00u);
  EXPECT_EQ(fp16("1e10"), 0x7c00u);
  EXPECT_EQ(fp16("0x1p-24"), 0x0001u);
  EXPECT_EQ(fp16("0x1p-25"), 0x0000u);
  EXPECT_EQ(fp16("0x1.0001p-25"), 0x0001u);
  EXPECT_EQ(fp16("1e-45"), 0x0000u);
  EXPECT_EQ(fp32("0x1p-149"), 0x00000001u);
  EXPECT_EQ(fp64("0x1p-1074"), 0x1u);
  EXPECT_EQ(fp64("0x1p-1076"), 0x0u);
  EXPECT_EQ(fp64("0x1p+1023"), 0x7fe0000000000000u);
  EXPECT_EQ(fp64("0x1p+1024"), 0x7ff0000000000000u);
}

TEST(Number, SurvivesAbsurdExponents) {
  EXPECT_EQ(fp16("0x1p+99999999999999999999"), 0x7c00u);
  EXPECT_EQ(fp16("-0x1p+99999999999999999999"), 0xfc00u);
  EXPECT_EQ(fp16("0x1p-99999999999999999999"), 0u);
  EXPECT_EQ(fp16("0x0p+99999999999999999999"), 0u);
  EXPECT_EQ(fp64("1e99999999999999999999"), 0x7ff0000000000000u);
  EXPECT_EQ(fp64("1e-99999999999999999999"), 0u);
  EXPECT_EQ(fp64("0e99999999999999999999"), 0u);
}

TEST(Number, ParsesIntegersInRange) {
  EXPECT_EQ(parseInteger("127", 8, true), 127u);
  EXPECT_EQ(parseInteger("128", 8, true), std::nullopt);
  EXPECT_EQ(parseInteger("-128", 8, true), uint64_t(-128));
  EXPECT_EQ(parseInteger("-129", 8, true), std::nullopt);
  EXPECT_EQ(parseInteger("255", 8, false), 255u);
  EXPECT_EQ(parseInteger("256", 8, false), std::nullopt);
  EXPECT_EQ(parseInteger("-1", 8, false), std::nullopt);
  EXPECT_EQ(parseInteger("-0", 8, false), 0u);
  EXPECT_EQ(parseInteger("1", 1, false), 1u);
  EXPECT_EQ(parseInteger("2", 1, false), std::nullopt);
  EXPECT_EQ(parseInteger("9223372036854775807", 64, true), uint64_t(INT64_MAX));
  EXPECT_EQ(parseInteger("9223372036854775808", 64, true), std::nullopt);
  EXPECT_EQ(parseInteger("-9223372036854775808", 64, true), uint64_t(1) << 63);
  EXPECT_EQ(parseInteger("18446744073709551615", 64, false), UINT64_MAX);
  EXPECT_EQ(parseInteger("18446744073709551616", 64, false), std::nullopt);
}

TEST(Number, PrintsAsAppleDoes) {
  EXPECT_EQ(hexFloat(0.0), "0x0p+0");
  EXPECT_EQ(hexFloat(-0.0), "-0x0p+0");
  EXPECT_EQ(hexFloat(1.0), "0x1p+0");
  EXPECT_EQ(hexFloat(-0.125), "-0x1p-3");
  EXPECT_EQ(hexFloat(0.1f), "0x1.99999ap-4");
  EXPECT_EQ(hexFloat(0x1p-24), "0x1p-24");
  EXPECT_EQ(hexFloat(65504), "0x1.ffcp+15");
  EXPECT_EQ(hexFloat(0x1p-1074), "0x1p-1074");
  EXPECT_EQ(hexFloat(0x1.8p-1073), "0x1.8p-1073");
  EXPECT_EQ(hexFloat(INFINITY), "inf");
  EXPECT_EQ(hexFloat(-INFINITY), "-inf");
  EXPECT_EQ(hexFloat(NAN), "nan");
}

TEST(Number, EveryHalfComesBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    double value = floatFromBits(bits, FloatFormat::Fp16);
    if (std::isnan(value))
      continue;
    ASSERT_EQ(fp16(hexFloat(value)), bits);
  }
}

TEST(Number, EveryBFloatComesBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    double value = floatFromBits(bits, FloatFormat::Bf16);
    if (std::isnan(value))
      continue;
    ASSERT_EQ(bf16(hexFloat(value)), bits);
  }
}

TEST(Number, DoublesComeBack) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    uint64_t bits = random();
    double value = floatFromBits(bits, FloatFormat::Fp64);
    if (std::isnan(value))
      continue;
    ASSERT_EQ(fp64(hexFloat(value)), bits);
    uint32_t single = static_cast<uint32_t>(bits);
    double narrow = floatFromBits(single, FloatFormat::Fp32);
    if (!std::isnan(narrow)) {
      ASSERT_EQ(fp32(hexFloat(narrow)), single);
    }
  }
}

} // namespace
