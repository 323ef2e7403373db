//===- LinearTest.cpp - Matrix products -----------------------------------===//

#include "Fixture.h"

using namespace ane::reference::test;
using testing::ElementsAre;

namespace {

using LinearTest = ReferenceTest;

TEST_F(LinearTest, Linear) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf16>
    %w = mil.const dense<[[1.0, 0.0], [0.0, 1.0], [10.0, 1.0]]>
        : tensor<3x2xf16>
    %b = mil.const dense<[0.0, 0.5, -1.0]> : tensor<3xf16>
    %y = mil.linear(x = %x, weight = %w, bias = %b)
        : (tensor<2x2xf16>, tensor<3x2xf16>, tensor<3xf16>)
        -> tensor<2x3xf16>)"),
              ElementsAre(1, 2.5, 11, 3, 4.5, 33));
}

TEST_F(LinearTest, LinearOfAVectorWithoutBias) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[1.0, 2.0]> : tensor<2xf32>
    %w = mil.const dense<[[3.0, 4.0]]> : tensor<1x2xf32>
    %y = mil.linear(x = %x, weight = %w)
        : (tensor<2xf32>, tensor<1x2xf32>) -> tensor<1xf32>)"),
              ElementsAre(11));
}

TEST_F(LinearTest, LinearOfIntegersWraps) {
  EXPECT_THAT(ints(R"(
    %x = mil.const dense<[[2147483647, 2147483647, 2147483647]]>
        : tensor<1x3xi32>
    %w = mil.const dense<[[2147483647, 2147483647, 2147483647], [1, 1, 0]]>
        : tensor<2x3xi32>
    %b = mil.const dense<1> : tensor<2xi32>
    %y = mil.linear(x = %x, weight = %w, bias = %b)
        : (tensor<1x3xi32>, tensor<2x3xi32>, tensor<2xi32>)
        -> tensor<1x2xi32>)"),
              ElementsAre(4, -1));
}

/// Integers meet fractions wide; the product is truncated to the type of x.
TEST_F(LinearTest, LinearOfIntegersByFractions) {
  EXPECT_THAT(ints(R"(
    %x = mil.const dense<[[4], [-3]]> : tensor<2x1xi32>
    %w = mil.const dense<[[1.25], [0.5]]> : tensor<2x1xf16>
    %b = mil.const dense<[0.5, 0.25]> : tensor<2xf16>
    %y = mil.linear(x = %x, weight = %w, bias = %b)
        : (tensor<2x1xi32>, tensor<2x1xf16>, tensor<2xf16>)
        -> tensor<2x2xi32>)",
                   "ios17"),
              ElementsAre(5, 2, -3, -1));
}

TEST_F(LinearTest, LinearOverNothingIsTheBias) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<> : tensor<2x0xf16>
    %w = mil.const dense<> : tensor<2x0xf16>
    %b = mil.const dense<[1.0, 2.0]> : tensor<2xf16>
    %y = mil.linear(x = %x, weight = %w, bias = %b)
        : (tensor<2x0xf16>, tensor<2x0xf16>, tensor<2xf16>)
        -> tensor<2x2xf16>)"),
              ElementsAre(1, 2, 1, 2));
}

TEST_F(LinearTest, MatmulTransposes) {
  // x^T is [[1, 3], [2, 4]], y^T is [[5, 6], [7, 8]].
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf16>
    %y = mil.const dense<[[5.0, 7.0], [6.0, 8.0]]> : tensor<2x2xf16>
    )" + boolean("t", true) +
                     R"(
    %z = mil.matmul(x = %x, y = %y, transpose_x = %t, transpose_y = %t)
        : (tensor<2x2xf16>, tensor<2x2xf16>, tensor<i1>, tensor<i1>)
        -> tensor<2x2xf16>)"),
              ElementsAre(26, 30, 38, 44));
}

/// A vector is a row on the left and a column on the right; the transposes do
/// not concern it.
TEST_F(LinearTest, MatmulOfVectors) {
  std::string inputs = R"(
    %v = mil.const dense<[1.0, 2.0]> : tensor<2xf16>
    %m = mil.const dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf16>
    )" + boolean("t", true);
  EXPECT_THAT(floats(inputs + R"(
    %z = mil.matmul(x = %v, y = %v)
        : (tensor<2xf16>, tensor<2xf16>) -> tensor<f16>)"),
              ElementsAre(5));
  EXPECT_THAT(floats(inputs + R"(
    %z = mil.matmul(x = %v, y = %m, transpose_x = %t)
        : (tensor<2xf16>, tensor<2x2xf16>, tensor<i1>) -> tensor<2xf16>)"),
              ElementsAre(7, 10));
  EXPECT_THAT(floats(inputs + R"(
    %z = mil.matmul(x = %m, y = %v)
        : (tensor<2x2xf16>, tensor<2xf16>) -> tensor<2xf16>)"),
              ElementsAre(5, 11));
}

TEST_F(LinearTest, MatmulBroadcastsBatches) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[[[1.0, 1.0]]], [[[1.0, -1.0]]]]>
        : tensor<2x1x1x2xf16>
    %y = mil.const dense<[[[1.0], [2.0]], [[3.0], [5.0]], [[8.0], [13.0]]]>
        : tensor<3x2x1xf16>
    %z = mil.matmul(x = %x, y = %y)
        : (tensor<2x1x1x2xf16>, tensor<3x2x1xf16>) -> tensor<2x3x1x1xf16>)"),
              ElementsAre(3, 8, 21, -1, -2, -5));
}

TEST_F(LinearTest, MatmulOfIntegers) {
  EXPECT_THAT(ints(R"(
    %x = mil.const dense<[[65536, 3]]> : tensor<1x2xi32>
    %y = mil.const dense<[[65536], [5]]> : tensor<2x1xi32>
    %z = mil.matmul(x = %x, y = %y)
        : (tensor<1x2xi32>, tensor<2x1xi32>) -> tensor<1x1xi32>)"),
              ElementsAre(15));
}

/// result[c, h, u] = sum over w of x[c, h, w] * y[w, h, u], y repeated along h.
TEST_F(LinearTest, Einsum) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[[1.0, 2.0], [3.0, 4.0]]]> : tensor<1x2x2xf16>
    %y = mil.const dense<[[[1.0, 10.0]], [[100.0, 1000.0]]]> : tensor<2x1x2xf16>
    )" + text("equation", "abc,cbd->abd") +
                     R"(
    %z = mil.einsum(values = [%x, %y], equation = %equation)
        : (tensor<1x2x2xf16>, tensor<2x1x2xf16>, tensor<!mil.string>)
        -> tensor<1x2x2xf16>)"),
              ElementsAre(201, 2010, 403, 4030));
}

/// Keys that a query meets alike share it evenly; a bool mask leaves some out,
/// and one of numbers adds to the scores, here log 3.
TEST_F(LinearTest, Attention) {
  std::string inputs = R"(
    %q = mil.const dense<1.0> : tensor<1x2x4xf32>
    %k = mil.const dense<0.0> : tensor<1x3x4xf32>
    %v = mil.const dense<[[[0.0], [3.0], [9.0]]]> : tensor<1x3x1xf32>
    )";
  EXPECT_THAT(floats(inputs + R"(
    %y = mil.scaled_dot_product_attention(query = %q, key = %k, value = %v)
        : (tensor<1x2x4xf32>, tensor<1x3x4xf32>, tensor<1x3x1xf32>)
        -> tensor<1x2x1xf32>)"),
              ElementsAre(4, 4));
  EXPECT_THAT(floats(inputs + R"(
    %m = mil.const dense<[[true, true, false], [false, false, true]]>
        : tensor<2x3xi1>
    %y = mil.scaled_dot_product_attention(query = %q, key = %k, value = %v,
                                          attn_mask = %m)
        : (tensor<1x2x4xf32>, tensor<1x3x4xf32>, tensor<1x3x1xf32>,
           tensor<2x3xi1>) -> tensor<1x2x1xf32>)"),
              ElementsAre(1.5, 9));
  EXPECT_THAT(floats(inputs + R"(
    %m = mil.const dense<[0.0, 1.0986123, 0.0]> : tensor<3xf32>
    %y = mil.scaled_dot_product_attention(query = %q, key = %k, value = %v,
                                          attn_mask = %m)
        : (tensor<1x2x4xf32>, tensor<1x3x4xf32>, tensor<1x3x1xf32>,
           tensor<3xf32>) -> tensor<1x2x1xf32>)"),
              testing::Each(testing::DoubleNear(3.6, 1e-6)));
}

/// Scores are divided by the root of the width: 2 * 4 / 2 = 4 against 0.
TEST_F(LinearTest, AttentionScale) {
  EXPECT_THAT(floats(R"(
    %q = mil.const dense<2.0> : tensor<1x1x4xf32>
    %k = mil.const dense<[[[1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0]]]>
        : tensor<1x2x4xf32>
    %v = mil.const dense<[[[1.0], [0.0]]]> : tensor<1x2x1xf32>
    %y = mil.scaled_dot_product_attention(query = %q, key = %k, value = %v)
        : (tensor<1x1x4xf32>, tensor<1x2x4xf32>, tensor<1x2x1xf32>)
        -> tensor<1x1x1xf32>)"),
              ElementsAre(testing::DoubleNear(0.982013790, 1e-7)));
}

} // namespace
