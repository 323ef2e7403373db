//===- ElementwiseTest.cpp - Arithmetic on elements -----------------------===//

#include "Fixture.h"
#include <cmath>

using namespace ane::reference::test;
using testing::ElementsAre;
using testing::IsNan;

namespace {

using ElementwiseTest = ReferenceTest;

TEST_F(ElementwiseTest, AddBroadcasts) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[1.0], [2.0]]> : tensor<2x1xf16>
    %y = mil.const dense<[10.0, 20.0, 30.0]> : tensor<3xf16>
    %z = mil.add(x = %x, y = %y)
        : (tensor<2x1xf16>, tensor<3xf16>) -> tensor<2x3xf16>)"),
              ElementsAre(11, 21, 31, 12, 22, 32));
}

TEST_F(ElementwiseTest, SubOfAScalar) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<1.5> : tensor<f32>
    %y = mil.const dense<[[0.5], [0x7F800000]]> : tensor<2x1xf32>
    %z = mil.sub(x = %x, y = %y)
        : (tensor<f32>, tensor<2x1xf32>) -> tensor<2x1xf32>)"),
              ElementsAre(1, -INFINITY));
}

/// In fp16: 2048 + 1 is a tie that goes to the even 2048, 2048 + 3 goes up to
/// 2052, and 65504 + 16 is a tie that goes to infinity.
TEST_F(ElementwiseTest, AddRoundsToHalf) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[2048.0, 2048.0, 65504.0, 65504.0]> : tensor<4xf16>
    %y = mil.const dense<[1.0, 3.0, 16.0, 15.0]> : tensor<4xf16>
    %z = mil.add(x = %x, y = %y)
        : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>)"),
              ElementsAre(2048, 2052, INFINITY, 65504));
}

/// The smallest fp16 subnormal is 2^-24; half of it is a tie that goes to 0.
TEST_F(ElementwiseTest, MulUnderflows) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[0x0001, 0x0001, 0x0003]> : tensor<3xf16>
    %y = mil.const dense<[0.5, 0.75, 0.5]> : tensor<3xf16>
    %z = mil.mul(x = %x, y = %y)
        : (tensor<3xf16>, tensor<3xf16>) -> tensor<3xf16>)"),
              ElementsAre(0, 0x1p-24, 0x1p-23));
}

TEST_F(ElementwiseTest, IntegersWrap) {
  EXPECT_THAT(ints(R"(
    %x = mil.const dense<[2147483647, -2147483648, 7]> : tensor<3xi32>
    %y = mil.const dense<[1, -1, -9]> : tensor<3xi32>
    %z = mil.add(x = %x, y = %y)
        : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>)"),
              ElementsAre(-2147483648, 2147483647, -2));
  EXPECT_THAT(ints(R"(
    %x = mil.const dense<[65536, 2147483647]> : tensor<2xi32>
    %y = mil.const dense<[65537, 2147483647]> : tensor<2xi32>
    %z = mil.mul(x = %x, y = %y)
        : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>)"),
              ElementsAre(65536, 1));
}

TEST_F(ElementwiseTest, MaximumAndMinimum) {
  std::string inputs = R"(
    %x = mil.const dense<[1.0, -0.0, 0x7E00, 0xFC00]> : tensor<4xf16>
    %y = mil.const dense<[2.0, 0.0, 1.0, 0x7E00]> : tensor<4xf16>
    )";
  std::vector<double> larger = floats(inputs + R"(
    %z = mil.maximum(x = %x, y = %y)
        : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>)");
  EXPECT_THAT(larger, ElementsAre(2, 0, IsNan(), IsNan()));
  EXPECT_FALSE(std::signbit(larger[1]));
  std::vector<double> smaller = floats(inputs + R"(
    %z = mil.minimum(x = %y, y = %x)
        : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>)");
  EXPECT_THAT(smaller, ElementsAre(1, 0, IsNan(), IsNan()));
  EXPECT_TRUE(std::signbit(smaller[1]));
  EXPECT_THAT(ints(R"(
    %x = mil.const dense<[-5, 3]> : tensor<2xi32>
    %y = mil.const dense<-4> : tensor<i32>
    %z = mil.minimum(x = %x, y = %y)
        : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>)"),
              ElementsAre(-5, -4));
}

TEST_F(ElementwiseTest, Clip) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[-3.0, 0.5, 9.0, 0x7E00, 0xFC00]> : tensor<5xf16>
    %alpha = mil.const dense<-1.0> : tensor<f16>
    %beta = mil.const dense<6.0> : tensor<f16>
    %y = mil.clip(x = %x, alpha = %alpha, beta = %beta)
        : (tensor<5xf16>, tensor<f16>, tensor<f16>) -> tensor<5xf16>)"),
              ElementsAre(-1, 0.5, 6, IsNan(), -1));
}

/// min(max(x, alpha), beta), so beta wins where the bounds cross; only up to
/// ios16 may they.
TEST_F(ElementwiseTest, ClipOfCrossedBounds) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[-3.0, 9.0]> : tensor<2xf32>
    %alpha = mil.const dense<2.0> : tensor<f32>
    %beta = mil.const dense<1.0> : tensor<f32>
    %y = mil.clip(x = %x, alpha = %alpha, beta = %beta)
        : (tensor<2xf32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>)",
                     "ios16"),
              ElementsAre(1, 1));
}

std::string cast(llvm::StringRef x, llvm::StringRef from, llvm::StringRef to,
                 llvm::StringRef dtype) {
  return ("%x = mil.const dense<" + x + "> : " + from + "\n" +
          text("dtype", dtype) + "%y = mil.cast(x = %x, dtype = %dtype) : (" +
          from + ", tensor<!mil.string>) -> " + to)
      .str();
}

TEST_F(ElementwiseTest, CastToIntegerTruncates) {
  EXPECT_THAT(ints(cast("[1.9, -1.9, -0.5, 300.0]", "tensor<4xf32>",
                        "tensor<4xi32>", "int32")),
              ElementsAre(1, -1, 0, 300));
}

TEST_F(ElementwiseTest, CastToIntegerSaturates) {
  EXPECT_THAT(ints(cast("[3.0e9, -3.0e9, 0x7F800000, 0x7FC00000]",
                        "tensor<4xf32>", "tensor<4xi32>", "int32")),
              ElementsAre(2147483647, -2147483648, 2147483647, 0));
  EXPECT_THAT(ints(cast("[127.9, 128.0, -129.0]", "tensor<3xf16>",
                        "tensor<3xi8>", "int8")),
              ElementsAre(127, 127, -128));
  EXPECT_THAT(ints(cast("[255.5, 256.0, -1.0]", "tensor<3xf16>",
                        "tensor<3xui8>", "uint8")),
              ElementsAre(255, 255, 0));
}

TEST_F(ElementwiseTest, CastBetweenIntegersKeepsLowBits) {
  EXPECT_THAT(
      ints(cast("[300, -1, 65535]", "tensor<3xi32>", "tensor<3xi8>", "int8")),
      ElementsAre(44, -1, -1));
  EXPECT_THAT(
      ints(cast("[-1, 65537]", "tensor<2xi32>", "tensor<2xui16>", "uint16")),
      ElementsAre(65535, 1));
}

TEST_F(ElementwiseTest, CastToBool) {
  EXPECT_THAT(ints(cast("[0.0, -0.0, 0.25, 0x7E00]", "tensor<4xf16>",
                        "tensor<4xi1>", "bool")),
              ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(ints(cast("[0, 2, -4]", "tensor<3xi32>", "tensor<3xi1>", "bool")),
              ElementsAre(0, 1, 1));
}

TEST_F(ElementwiseTest, CastToFloatRounds) {
  // 1 + 2^-11 + 2^-24: rounding to fp32 first would make it a tie.
  EXPECT_THAT(floats(cast("[0x3F801001, 70000.0, 0.1]", "tensor<3xf32>",
                          "tensor<3xf16>", "fp16")),
              ElementsAre(0x1.004p+0, INFINITY, 0x1.998p-4));
  EXPECT_THAT(
      floats(cast("[16777217, -3]", "tensor<2xi32>", "tensor<2xf32>", "fp32")),
      ElementsAre(16777216, -3));
  EXPECT_THAT(
      floats(cast("[true, false]", "tensor<2xi1>", "tensor<2xf16>", "fp16")),
      ElementsAre(1, 0));
}

std::string binary(llvm::StringRef op, llvm::StringRef x, llvm::StringRef y,
                   llvm::StringRef type, llvm::StringRef resultType) {
  return ("%x = mil.const dense<" + x + "> : " + type +
          "\n%y = mil.const dense<" + y + "> : " + type + "\n%z = mil." + op +
          "(x = %x, y = %y) : (" + type + ", " + type + ") -> " + resultType)
      .str();
}
std::string binary(llvm::StringRef op, llvm::StringRef x, llvm::StringRef y,
                   llvm::StringRef type) {
  return binary(op, x, y, type, type);
}

TEST_F(ElementwiseTest, RealDiv) {
  EXPECT_THAT(floats(binary("real_div", "[7.0, -7.0, 1.0, 0.0]",
                            "[2.0, 2.0, 0.0, 0.0]", "tensor<4xf16>")),
              ElementsAre(3.5, -3.5, INFINITY, IsNan()));
}

/// Truncated towards zero; by 0 it is 0, and -2^31 / -1 wraps.
TEST_F(ElementwiseTest, RealDivOfIntegers) {
  EXPECT_THAT(ints(binary("real_div", "[7, -7, 7, 5, -2147483648]",
                          "[2, 2, -2, 0, -1]", "tensor<5xi32>")),
              ElementsAre(3, -3, -3, 0, -2147483648));
}

TEST_F(ElementwiseTest, FloorDivAndMod) {
  constexpr llvm::StringLiteral x = "[7.0, -7.0, 7.0, -7.0, -6.0, 5.5, 1.0]";
  constexpr llvm::StringLiteral y = "[2.0, 2.0, -2.0, -2.0, 2.0, 2.0, 0.0]";
  EXPECT_THAT(floats(binary("floor_div", x, y, "tensor<7xf16>")),
              ElementsAre(3, -4, -4, 3, -3, 2, INFINITY));
  EXPECT_THAT(floats(binary("mod", x, y, "tensor<7xf16>")),
              ElementsAre(1, 1, -1, -1, 0, 1.5, IsNan()));
}

TEST_F(ElementwiseTest, FloorDivAndModOfIntegers) {
  constexpr llvm::StringLiteral x = "[7, -7, 7, -7, -6, 5, -2147483648]";
  constexpr llvm::StringLiteral y = "[2, 2, -2, -2, 2, 0, -1]";
  EXPECT_THAT(ints(binary("floor_div", x, y, "tensor<7xi32>")),
              ElementsAre(3, -4, -4, 3, -3, 0, -2147483648));
  EXPECT_THAT(ints(binary("mod", x, y, "tensor<7xi32>")),
              ElementsAre(1, 1, -1, -1, 0, 0, 0));
}

TEST_F(ElementwiseTest, Pow) {
  EXPECT_THAT(
      floats(binary("pow", "[2.0, 9.0, -2.0, -2.0, 0.0, 300.0]",
                    "[-1.0, 0.5, 3.0, 0.5, 0.0, 2.0]", "tensor<6xf16>")),
      ElementsAre(0.5, 3, -8, IsNan(), 1, INFINITY));
}

/// 3^21 = 10460353203 = 2 * 2^32 + 1870418611. Fractions are truncated.
TEST_F(ElementwiseTest, PowOfIntegers) {
  EXPECT_THAT(ints(binary("pow", "[-3, 3, 0, 2, -1, -1, 1, 0]",
                          "[3, 21, 0, -1, -3, -2, -5, -1]", "tensor<8xi32>")),
              ElementsAre(-27, 1870418611, 1, 0, -1, 1, 1, 0));
}

TEST_F(ElementwiseTest, Comparisons) {
  auto compare = [&](llvm::StringRef op) {
    return ints(binary(op, "[1.0, 2.0, 3.0, -0.0, 0x7E00]",
                       "[2.0, 2.0, 2.0, 0.0, 0x7E00]", "tensor<5xf16>",
                       "tensor<5xi1>"));
  };
  EXPECT_THAT(compare("equal"), ElementsAre(0, 1, 0, 1, 0));
  EXPECT_THAT(compare("not_equal"), ElementsAre(1, 0, 1, 0, 1));
  EXPECT_THAT(compare("less"), ElementsAre(1, 0, 0, 0, 0));
  EXPECT_THAT(compare("less_equal"), ElementsAre(1, 1, 0, 1, 0));
  EXPECT_THAT(compare("greater"), ElementsAre(0, 0, 1, 0, 0));
  EXPECT_THAT(compare("greater_equal"), ElementsAre(0, 1, 1, 1, 0));
  EXPECT_THAT(ints(binary("less", "[-1, 2]", "[1, 2]", "tensor<2xi32>",
                          "tensor<2xi1>")),
              ElementsAre(1, 0));
}

TEST_F(ElementwiseTest, ComparisonBroadcasts) {
  EXPECT_THAT(ints(R"(
    %x = mil.const dense<[[1.0], [2.0]]> : tensor<2x1xf16>
    %y = mil.const dense<[1.0, 2.0, 3.0]> : tensor<3xf16>
    %z = mil.greater_equal(x = %x, y = %y)
        : (tensor<2x1xf16>, tensor<3xf16>) -> tensor<2x3xi1>)"),
              ElementsAre(1, 0, 0, 1, 1, 0));
}

TEST_F(ElementwiseTest, Logic) {
  auto combine = [&](llvm::StringRef op) {
    return ints(binary(op, "[false, false, true, true]",
                       "[false, true, false, true]", "tensor<4xi1>"));
  };
  EXPECT_THAT(combine("logical_and"), ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(combine("logical_or"), ElementsAre(0, 1, 1, 1));
  EXPECT_THAT(combine("logical_xor"), ElementsAre(0, 1, 1, 0));
}

} // namespace
