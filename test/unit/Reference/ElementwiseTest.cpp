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

} // namespace
