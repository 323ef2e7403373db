//===- ActivationTest.cpp - Functions of one element, and softmax ---------===//

#include "Fixture.h"
#include <cmath>

using namespace ane::reference::test;
using testing::DoubleNear;
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

/// `op` of -2, -0.5, 0, 1 and 8 in fp32, with scalars alpha and beta.
std::string scalarOp(llvm::StringRef op, llvm::StringRef alpha,
                     llvm::StringRef beta = "") {
  std::string type = "tensor<5xf32>", text;
  text = "%x = mil.const dense<[-2.0, -0.5, 0.0, 1.0, 8.0]> : " + type +
         "\n%alpha = mil.const dense<" + alpha.str() + "> : tensor<f32>\n";
  if (beta.empty())
    return text + "%y = mil." + op.str() + "(x = %x, alpha = %alpha) : (" +
           type + ", tensor<f32>) -> " + type;
  return text + "%beta = mil.const dense<" + beta.str() +
         "> : tensor<f32>\n%y = mil." + op.str() +
         "(x = %x, alpha = %alpha, beta = %beta) : (" + type +
         ", tensor<f32>, tensor<f32>) -> " + type;
}

TEST_F(ActivationTest, ScalarParameters) {
  EXPECT_THAT(floats(scalarOp("clamped_relu", "0.5", "4.0")),
              ElementsAre(-1, -0.25, 0, 1, 4));
  // The bound holds for negative values as well.
  EXPECT_THAT(floats(scalarOp("clamped_relu", "-4.0", "4.0")),
              ElementsAre(4, 2, 0, 1, 4));
  EXPECT_THAT(floats(scalarOp("linear_activation", "2.0", "1.0")),
              ElementsAre(-3, 0, 1, 3, 17));
  EXPECT_THAT(floats(scalarOp("sigmoid_hard", "0.25", "0.5")),
              ElementsAre(0, 0.375, 0.5, 0.75, 1));
  EXPECT_THAT(floats(scalarOp("thresholded_relu", "1.0")),
              ElementsAre(0, 0, 0, 1, 8));
  EXPECT_THAT(floats(scalarOp("thresholded_relu", "-0.5")),
              ElementsAre(0, -0.5, 0, 1, 8));
}

TEST_F(ActivationTest, Elu) {
  EXPECT_THAT(floats(scalarOp("elu", "2.0")),
              ElementsAre(DoubleNear(2 * (std::exp(-2.0) - 1), 1e-6),
                          DoubleNear(2 * (std::exp(-0.5) - 1), 1e-6), 0, 1, 8));
}

TEST_F(ActivationTest, ScaledTanh) {
  // tanh(log(2)) is 3 / 5.
  EXPECT_THAT(floats(scalarOp("scaled_tanh", "10.0", "0.69314718056")),
              ElementsAre(DoubleNear(-10 * 15.0 / 17, 1e-5),
                          DoubleNear(-10 / 3.0, 1e-5), 0, DoubleNear(6, 1e-5),
                          DoubleNear(10 * 65535.0 / 65537, 1e-5)));
}

/// Parameters of another type than `x`, which ios17 allows.
TEST_F(ActivationTest, ParametersInSingle) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[-3.0, 3.0]> : tensor<2xf16>
    %alpha = mil.const dense<0.1> : tensor<f32>
    %beta = mil.const dense<1.0> : tensor<f32>
    %y = mil.linear_activation(x = %x, alpha = %alpha, beta = %beta)
        : (tensor<2xf16>, tensor<f32>, tensor<f32>) -> tensor<2xf16>)"),
              ElementsAre(0x1.668p-1, 0x1.4ccp+0));
}

TEST_F(ActivationTest, Softplus) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[0.0, 1000.0, -1000.0, 0x7F800000]> : tensor<4xf32>
    %y = mil.softplus(x = %x) : (tensor<4xf32>) -> tensor<4xf32>)"),
              ElementsAre(0x1.62e43p-1, 1000, 0, INFINITY));
}

TEST_F(ActivationTest, Softsign) {
  EXPECT_THAT(floats((sample + R"(
    %y = mil.softsign(x = %x) : (tensor<8xf16>) -> tensor<8xf16>)")
                         .str()),
              ElementsAre(-0x1.554p-1, 0, 0, 0.5, 0x1.c7p-1, IsNan(), IsNan(),
                          IsNan()));
}

TEST_F(ActivationTest, PreluPerChannel) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[[-4.0, 4.0], [-4.0, 4.0]],
                          [[-8.0, 0.0], [8.0, -8.0]]]> : tensor<2x2x2xf16>
    %alpha = mil.const dense<[0.5, 0.25]> : tensor<2xf16>
    %y = mil.prelu(x = %x, alpha = %alpha)
        : (tensor<2x2x2xf16>, tensor<2xf16>) -> tensor<2x2x2xf16>)"),
              ElementsAre(-2, 4, -1, 4, -4, 0, 8, -2));
}

/// log(1 + exp(0)) is log(2); beta tells the channels apart where it does not
/// vanish: log(1 + exp(log(3))) = log(4).
TEST_F(ActivationTest, SoftplusParametricPerChannel) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[[0.0, 1.0986123], [0.0, 1.0986123]]]>
        : tensor<1x2x2xf32>
    %alpha = mil.const dense<[1.0, 2.0]> : tensor<2xf32>
    %beta = mil.const dense<[1.0, 0.0]> : tensor<2xf32>
    %y = mil.softplus_parametric(x = %x, alpha = %alpha, beta = %beta)
        : (tensor<1x2x2xf32>, tensor<2xf32>, tensor<2xf32>)
        -> tensor<1x2x2xf32>)"),
              ElementsAre(DoubleNear(std::log(2.0), 1e-6),
                          DoubleNear(std::log(4.0), 1e-6),
                          DoubleNear(2 * std::log(2.0), 1e-6),
                          DoubleNear(2 * std::log(2.0), 1e-6)));
}

std::string gelu(llvm::StringRef mode) {
  return "%x = mil.const dense<[1.0, -1.0, -20.0]> : tensor<3xf32>\n" +
         text("mode", mode) +
         "%y = mil.gelu(x = %x, mode = %mode) : (tensor<3xf32>, "
         "tensor<!mil.string>) -> tensor<3xf32>";
}

/// The modes differ from the third digit on.
TEST_F(ActivationTest, Gelu) {
  EXPECT_THAT(floats(gelu("EXACT")),
              ElementsAre(DoubleNear(0.8413447461, 1e-7),
                          DoubleNear(-0.1586552539, 1e-7),
                          DoubleNear(0, 1e-30)));
  EXPECT_THAT(floats(gelu("TANH_APPROXIMATION")),
              ElementsAre(DoubleNear(0.8411919906, 1e-7),
                          DoubleNear(-0.1588080094, 1e-7),
                          DoubleNear(0, 1e-30)));
  EXPECT_THAT(floats(gelu("SIGMOID_APPROXIMATION")),
              ElementsAre(DoubleNear(0.8457957659, 1e-7),
                          DoubleNear(-0.1542042341, 1e-7),
                          DoubleNear(0, 1e-12)));
}

TEST_F(ActivationTest, GeluIsExactByDefault) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<1.0> : tensor<1xf32>
    %y = mil.gelu(x = %x) : (tensor<1xf32>) -> tensor<1xf32>)"),
              ElementsAre(DoubleNear(0.8413447461, 1e-7)));
}

} // namespace
