//===- ActivationTest.cpp - Functions of one element, and softmax ---------===//

#include "Fixture.h"
#include <cmath>

using namespace ane::reference::test;
using testing::ElementsAre;
using testing::IsNan;

namespace {

using ActivationTest = ReferenceTest;

/// -2, -0, 0, 1, 8, inf, -inf, NaN
constexpr llvm::StringLiteral sample = R"(
  %x = mil.const dense<[-2.0, -0.0, 0.0, 1.0, 8.0, 0x7C00, 0xFC00, 0x7E00]>
      : tensor<8xf16>
)";

TEST_F(ActivationTest, Relu) {
  std::vector<double> y = floats(
      (sample + "%y = mil.relu(x = %x) : (tensor<8xf16>) -> tensor<8xf16>")
          .str());
  EXPECT_THAT(y, ElementsAre(0, 0, 0, 1, 8, INFINITY, 0, IsNan()));
  EXPECT_FALSE(std::signbit(y[1]));
}

TEST_F(ActivationTest, Relu6) {
  EXPECT_THAT(
      floats(
          (sample + "%y = mil.relu6(x = %x) : (tensor<8xf16>) -> tensor<8xf16>")
              .str()),
      ElementsAre(0, 0, 0, 1, 6, 6, 0, IsNan()));
}

TEST_F(ActivationTest, LeakyRelu) {
  std::vector<double> y = floats((sample + R"(
    %alpha = mil.const dense<0.25> : tensor<f16>
    %y = mil.leaky_relu(x = %x, alpha = %alpha)
        : (tensor<8xf16>, tensor<f16>) -> tensor<8xf16>)")
                                     .str());
  EXPECT_THAT(y, ElementsAre(-0.5, 0, 0, 1, 8, INFINITY, -INFINITY, IsNan()));
  EXPECT_TRUE(std::signbit(y[1]));
}

/// The alpha is the fp16 next to 0.1, and the product is rounded once.
TEST_F(ActivationTest, LeakyReluRoundsOnce) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<-3.0> : tensor<1xf16>
    %alpha = mil.const dense<0.1> : tensor<f16>
    %y = mil.leaky_relu(x = %x, alpha = %alpha)
        : (tensor<1xf16>, tensor<f16>) -> tensor<1xf16>)"),
              ElementsAre(-0x1.33p-2));
}

TEST_F(ActivationTest, SigmoidInHalf) {
  EXPECT_THAT(
      floats((sample +
              "%y = mil.sigmoid(x = %x) : (tensor<8xf16>) -> tensor<8xf16>")
                 .str()),
      ElementsAre(0x1.e84p-4, 0.5, 0.5, 0x1.764p-1, 0x1.ffcp-1, 1, 0, IsNan()));
}

TEST_F(ActivationTest, SigmoidInSingle) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[1.0, -2.0, 8.0, -1.0e4, 1.0e4]> : tensor<5xf32>
    %y = mil.sigmoid(x = %x) : (tensor<5xf32>) -> tensor<5xf32>)"),
              ElementsAre(0x1.764d5p-1, 0x1.e84152p-4, 0x1.ffd40cp-1, 0, 1));
}

TEST_F(ActivationTest, Tanh) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[0.5, -3.0, 0x7C00, 0xFC00]> : tensor<4xf16>
    %y = mil.tanh(x = %x) : (tensor<4xf16>) -> tensor<4xf16>)"),
              ElementsAre(0x1.d94p-2, -0x1.fd8p-1, 1, -1));
}

TEST_F(ActivationTest, Silu) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[1.0, -2.0, 0.0, -1.0e4]> : tensor<4xf32>
    %y = mil.silu(x = %x) : (tensor<4xf32>) -> tensor<4xf32>)"),
              ElementsAre(0x1.764d5p-1, -0x1.e84152p-3, 0, 0));
}

TEST_F(ActivationTest, SoftmaxAlongTheLastAxis) {
  // The rows differ by a constant that would overflow without the maximum.
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[0.0, 1.0, 2.0], [50000.0, 50000.0, -50000.0]]>
        : tensor<2x3xf16>
    %y = mil.softmax(x = %x) : (tensor<2x3xf16>) -> tensor<2x3xf16>)"),
              ElementsAre(0x1.70cp-4, 0x1.f54p-3, 0x1.548p-1, 0.5, 0.5, 0));
}

TEST_F(ActivationTest, SoftmaxAlongAnInnerAxis) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[[0.0, 5.0], [0.0, 5.0]]]> : tensor<1x2x2xf32>
    %axis = mil.const dense<-2> : tensor<i32>
    %y = mil.softmax(x = %x, axis = %axis)
        : (tensor<1x2x2xf32>, tensor<i32>) -> tensor<1x2x2xf32>)"),
              ElementsAre(0.5, 0.5, 0.5, 0.5));
}

TEST_F(ActivationTest, SoftmaxSpecials) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[0.0, 0xFC00], [0xFC00, 0xFC00], [0.0, 0x7E00]]>
        : tensor<3x2xf16>
    %y = mil.softmax(x = %x) : (tensor<3x2xf16>) -> tensor<3x2xf16>)"),
              ElementsAre(1, 0, IsNan(), IsNan(), IsNan(), IsNan()));
}

TEST_F(ActivationTest, SoftmaxOfNothing) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<> : tensor<2x0xf16>
    %y = mil.softmax(x = %x) : (tensor<2x0xf16>) -> tensor<2x0xf16>)"),
              ElementsAre());
}

} // namespace
