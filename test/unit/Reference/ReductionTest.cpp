//===- ReductionTest.cpp - Reduction along axes ---------------------------===//

#include "Fixture.h"

using namespace ane::reference::test;
using testing::ElementsAre;
using testing::IsNan;

namespace {

using ReductionTest = ReferenceTest;

constexpr llvm::StringLiteral matrix = R"(
  %x = mil.const dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 9.0]]> : tensor<2x3xf16>
)";

TEST_F(ReductionTest, MeanOverAnAxis) {
  EXPECT_THAT(floats(matrix.str() + int32s("axes", {-1}) + R"(
    %y = mil.reduce_mean(x = %x, axes = %axes)
        : (tensor<2x3xf16>, tensor<1xi32>) -> tensor<2xf16>)"),
              ElementsAre(2, 6));
  EXPECT_THAT(
      floats(matrix.str() + int32s("axes", {0}) + boolean("keep", true) + R"(
    %y = mil.reduce_mean(x = %x, axes = %axes, keep_dims = %keep)
        : (tensor<2x3xf16>, tensor<1xi32>, tensor<i1>) -> tensor<1x3xf16>)"),
      ElementsAre(2.5, 3.5, 6));
}

TEST_F(ReductionTest, MeanOverAllAxes) {
  EXPECT_THAT(floats((matrix + R"(
    %y = mil.reduce_mean(x = %x) : (tensor<2x3xf16>) -> tensor<f16>)")
                         .str()),
              ElementsAre(4));
}

TEST_F(ReductionTest, MeanOverNoAxis) {
  EXPECT_THAT(floats(matrix.str() + int32s("axes", {}) + R"(
    %y = mil.reduce_mean(x = %x, axes = %axes)
        : (tensor<2x3xf16>, tensor<0xi32>) -> tensor<2x3xf16>)"),
              ElementsAre(1, 2, 3, 4, 5, 9));
}

/// The sum is beyond the range of fp16, the mean is not.
TEST_F(ReductionTest, MeanSumsWide) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<60000.0> : tensor<4xf16>
    %y = mil.reduce_mean(x = %x) : (tensor<4xf16>) -> tensor<f16>)"),
              ElementsAre(60000));
}

/// Truncated towards zero, after a sum beyond 32 bits.
TEST_F(ReductionTest, MeanOfIntegers) {
  EXPECT_THAT(ints(R"(
    %x = mil.const dense<[[1, 2], [-1, -2], [2147483647, 2147483647]]>
        : tensor<3x2xi32>
    )" + int32s("axes", {1}) +
                   R"(
    %y = mil.reduce_mean(x = %x, axes = %axes)
        : (tensor<3x2xi32>, tensor<1xi32>) -> tensor<3xi32>)"),
              ElementsAre(1, -1, 2147483647));
}

TEST_F(ReductionTest, MeanOfNothing) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<> : tensor<0xf16>
    %y = mil.reduce_mean(x = %x) : (tensor<0xf16>) -> tensor<f16>)"),
              ElementsAre(IsNan()));
  EXPECT_THAT(ints(R"(
    %x = mil.const dense<> : tensor<0xi32>
    %y = mil.reduce_mean(x = %x) : (tensor<0xi32>) -> tensor<i32>)"),
              ElementsAre(0));
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<> : tensor<0x2xf16>
    )" + int32s("axes", {1}) +
                     R"(
    %y = mil.reduce_mean(x = %x, axes = %axes)
        : (tensor<0x2xf16>, tensor<1xi32>) -> tensor<0xf16>)"),
              ElementsAre());
}

} // namespace
