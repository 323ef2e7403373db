//===- NormalizationTest.cpp - Normalisation ------------------------------===//

#include "Fixture.h"

using namespace ane::reference::test;
using testing::ElementsAre;

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

} // namespace
