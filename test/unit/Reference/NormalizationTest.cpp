//===- NormalizationTest.cpp - Normalisation ------------------------------===//

#include "Fixture.h"

using namespace ane::reference::test;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsNan;

namespace {

using NormalizationTest = ReferenceTest;

constexpr llvm::StringLiteral inputs = R"(
  %x = mil.const dense<[[[1.0, 3.0], [10.0, 20.0]],
                        [[5.0, 7.0], [30.0, 40.0]]]> : tensor<2x2x2xf16>
  %mean = mil.const dense<[1.0, 10.0]> : tensor<2xf16>
  %variance = mil.const dense<[3.0, 24.0]> : tensor<2xf16>
)";

TEST_F(NormalizationTest, BatchNorm) {
  EXPECT_THAT(floats((inputs + R"(
    %gamma = mil.const dense<[2.0, 5.0]> : tensor<2xf16>
    %beta = mil.const dense<[0.0, 100.0]> : tensor<2xf16>
    %epsilon = mil.const dense<1.0> : tensor<f16>
    %y = mil.batch_norm(x = %x, mean = %mean, variance = %variance,
                        gamma = %gamma, beta = %beta, epsilon = %epsilon)
        : (tensor<2x2x2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>,
           tensor<2xf16>, tensor<f16>) -> tensor<2x2x2xf16>)")
                         .str()),
              ElementsAre(0, 2, 100, 110, 4, 6, 120, 130));
}

/// gamma is 1, beta 0 and epsilon 1e-5.
TEST_F(NormalizationTest, BatchNormDefaults) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[[1.0]]]> : tensor<1x1x1xf32>
    %zero = mil.const dense<0.0> : tensor<1xf32>
    %y = mil.batch_norm(x = %x, mean = %zero, variance = %zero)
        : (tensor<1x1x1xf32>, tensor<1xf32>, tensor<1xf32>)
        -> tensor<1x1x1xf32>)"),
              ElementsAre(0x1.3c3a4ep+8));
}

/// Channels of the first sample have mean 2 and 15 and variance 1 and 25.
TEST_F(NormalizationTest, InstanceNorm) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[[1.0, 3.0], [10.0, 20.0]],
                          [[5.0, 9.0], [4.0, 4.0]]]> : tensor<2x2x2xf16>
    %gamma = mil.const dense<[2.0, 5.0]> : tensor<2xf16>
    %beta = mil.const dense<[0.0, 100.0]> : tensor<2xf16>
    %epsilon = mil.const dense<0.0> : tensor<f16>
    %y = mil.instance_norm(x = %x, gamma = %gamma, beta = %beta,
                           epsilon = %epsilon)
        : (tensor<2x2x2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<f16>)
        -> tensor<2x2x2xf16>)"),
              ElementsAre(-2, 2, 95, 105, -2, 2, IsNan(), IsNan()));
}

/// epsilon is 1e-5: an instance of variance 1e-5 / 3 is divided by the root of
/// 4e-5 / 3.
TEST_F(NormalizationTest, InstanceNormDefaults) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[[0.0018257418, -0.0018257418], [7.0, 7.0]]]>
        : tensor<1x2x2xf32>
    %y = mil.instance_norm(x = %x)
        : (tensor<1x2x2xf32>) -> tensor<1x2x2xf32>)"),
              ElementsAre(DoubleNear(0.5, 1e-6), DoubleNear(-0.5, 1e-6), 0, 0));
}

TEST_F(NormalizationTest, LayerNormOfRows) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[1.0, 3.0], [10.0, 20.0]]> : tensor<2x2xf16>
    %gamma = mil.const dense<[2.0, 5.0]> : tensor<2xf16>
    %beta = mil.const dense<[0.0, 100.0]> : tensor<2xf16>
    %epsilon = mil.const dense<0.0> : tensor<f16>
    )" + int32s("axes", {-1}) +
                     R"(
    %y = mil.layer_norm(x = %x, axes = %axes, gamma = %gamma, beta = %beta,
                        epsilon = %epsilon)
        : (tensor<2x2xf16>, tensor<1xi32>, tensor<2xf16>, tensor<2xf16>,
           tensor<f16>) -> tensor<2x2xf16>)"),
              ElementsAre(-2, 105, -2, 105));
}

/// Over the outer dimensions of [2, 2, 1]: gamma is [2, 2], and what it
/// scales is given in the order of the dimensions, not of the axes. The mean is
/// 5 and the variance 5.
TEST_F(NormalizationTest, LayerNormOfSeveralAxes) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[[2.0], [4.0]], [[6.0], [8.0]]]> : tensor<2x2x1xf32>
    %gamma = mil.const dense<[[1.0, 2.0], [4.0, 8.0]]> : tensor<2x2xf32>
    %epsilon = mil.const dense<-4.0> : tensor<f32>
    )" + int32s("axes", {1, 0}) +
                     R"(
    %y = mil.layer_norm(x = %x, axes = %axes, gamma = %gamma,
                        epsilon = %epsilon)
        : (tensor<2x2x1xf32>, tensor<2xi32>, tensor<2x2xf32>, tensor<f32>)
        -> tensor<2x2x1xf32>)"),
              ElementsAre(-3, -2, 4, 24));
}

/// Over all axes, without gamma and beta and with an epsilon of 1e-5.
TEST_F(NormalizationTest, LayerNormDefaults) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[0.0018257418, -0.0018257418]]> : tensor<1x2xf32>
    %y = mil.layer_norm(x = %x) : (tensor<1x2xf32>) -> tensor<1x2xf32>)"),
              ElementsAre(DoubleNear(0.5, 1e-6), DoubleNear(-0.5, 1e-6)));
}

/// The sum runs over the last three dimensions, for each index of the first.
TEST_F(NormalizationTest, L2Norm) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[[[1.0], [-1.0]], [[1.0], [1.0]]],
                          [[[3.0], [0.0]], [[0.0], [0.0]]]]>
        : tensor<2x2x2x1xf16>
    %epsilon = mil.const dense<0.0> : tensor<f16>
    %y = mil.l2_norm(x = %x, epsilon = %epsilon)
        : (tensor<2x2x2x1xf16>, tensor<f16>) -> tensor<2x2x2x1xf16>)"),
              ElementsAre(0.5, -0.5, 0.5, 0.5, 1, 0, 0, 0));
}

/// sqrt(3 * 1e-6 + 1e-6), so epsilon is under the root.
TEST_F(NormalizationTest, L2NormDefaults) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<0.001> : tensor<1x1x3xf32>
    %y = mil.l2_norm(x = %x) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>)"),
              testing::Each(DoubleNear(0.5, 1e-6)));
}

/// Four channels of 1, 2, 3, 4 at one place: x / (k + alpha / size * sum).
std::string localResponseNorm(int64_t size) {
  return R"(
    %x = mil.const dense<[[[1.0], [2.0], [3.0], [4.0]]]> : tensor<1x4x1xf32>
    %alpha = mil.const dense<12.0> : tensor<f32>
    %beta = mil.const dense<1.0> : tensor<f32>
    %k = mil.const dense<0.0> : tensor<f32>
    )" + int32("size", size) +
         R"(
    %y = mil.local_response_norm(x = %x, size = %size, alpha = %alpha,
                                 beta = %beta, k = %k)
        : (tensor<1x4x1xf32>, tensor<i32>, tensor<f32>, tensor<f32>,
           tensor<f32>) -> tensor<1x4x1xf32>)";
}

TEST_F(NormalizationTest, LocalResponseNorm) {
  auto near = [](double value) { return DoubleNear(value, 1e-7); };
  // Sums of squares 1 + 4, 1 + 4 + 9, 4 + 9 + 16 and 9 + 16, times 12 / 3.
  EXPECT_THAT(floats(localResponseNorm(3)),
              ElementsAre(near(1 / 20.), near(2 / 56.), near(3 / 116.),
                          near(4 / 100.)));
  // An even size reaches further down: 1, 1 + 4, 4 + 9 and 9 + 16, times 6.
  EXPECT_THAT(
      floats(localResponseNorm(2)),
      ElementsAre(near(1 / 6.), near(2 / 30.), near(3 / 78.), near(4 / 150.)));
  // More than there are channels; the divisor stays the size.
  EXPECT_THAT(
      floats(localResponseNorm(12)),
      ElementsAre(near(1 / 30.), near(2 / 30.), near(3 / 30.), near(4 / 30.)));
}

/// 100 / (1 + 1e-4 * 10000)^0.75.
TEST_F(NormalizationTest, LocalResponseNormDefaults) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<100.0> : tensor<1x1x1xf32>
    )" + int32("size", 1) +
                     R"(
    %y = mil.local_response_norm(x = %x, size = %size)
        : (tensor<1x1x1xf32>, tensor<i32>) -> tensor<1x1x1xf32>)"),
              ElementsAre(DoubleNear(59.46035575, 1e-5)));
}

} // namespace
