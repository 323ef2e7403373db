//===- UnaryTest.cpp - Functions of one element ---------------------------===//

#include "Fixture.h"
#include <cmath>

using namespace ane::reference::test;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsNan;

namespace {

class UnaryTest : public ReferenceTest {
protected:
  /// What `op` makes of `values`, a list in assembly.
  std::vector<double> unary(llvm::StringRef op, llvm::StringRef values,
                            llvm::StringRef type) {
    return floats(assembly(op, values, type));
  }
  std::vector<int64_t> integerUnary(llvm::StringRef op, llvm::StringRef values,
                                    llvm::StringRef type) {
    return ints(assembly(op, values, type));
  }

private:
  static std::string assembly(llvm::StringRef op, llvm::StringRef values,
                              llvm::StringRef type) {
    return ("%x = mil.const dense<" + values + "> : " + type + "\n%y = mil." +
            op + "(x = %x) : (" + type + ") -> " + type)
        .str();
  }
};

TEST_F(UnaryTest, Abs) {
  std::vector<double> y = unary("abs", "[-2.5, -0.0, 0xFC00]", "tensor<3xf16>");
  EXPECT_THAT(y, ElementsAre(2.5, 0, INFINITY));
  EXPECT_FALSE(std::signbit(y[1]));
  EXPECT_THAT(integerUnary("abs", "[-7, 7, -2147483648]", "tensor<3xi32>"),
              ElementsAre(7, 7, -2147483648));
}

TEST_F(UnaryTest, Sign) {
  EXPECT_THAT(
      unary("sign", "[-2.5, -0.0, 0.0, 1.0e-7, 0x7E00]", "tensor<5xf16>"),
      ElementsAre(-1, 0, 0, 1, IsNan()));
  EXPECT_THAT(integerUnary("sign", "[-7, 0, 7]", "tensor<3xi32>"),
              ElementsAre(-1, 0, 1));
}

TEST_F(UnaryTest, Square) {
  EXPECT_THAT(unary("square", "[-3.0, 256.0]", "tensor<2xf16>"),
              ElementsAre(9, INFINITY));
  EXPECT_THAT(integerUnary("square", "[-3, 65536, 65537]", "tensor<3xi32>"),
              ElementsAre(9, 0, 131073));
}

TEST_F(UnaryTest, RoundsTiesToEven) {
  constexpr llvm::StringLiteral values = "[0.5, 1.5, 2.5, -0.5, -1.5, 2.75]";
  std::vector<double> y = unary("round", values, "tensor<6xf16>");
  EXPECT_THAT(y, ElementsAre(0, 2, 2, 0, -2, 3));
  EXPECT_TRUE(std::signbit(y[3]));
  EXPECT_THAT(unary("floor", values, "tensor<6xf16>"),
              ElementsAre(0, 1, 2, -1, -2, 2));
  EXPECT_THAT(unary("ceil", values, "tensor<6xf16>"),
              ElementsAre(1, 2, 3, 0, -1, 3));
}

TEST_F(UnaryTest, Exponentials) {
  EXPECT_THAT(unary("exp", "[0.0, 1.0, 0xFF800000]", "tensor<3xf32>"),
              ElementsAre(1, 0x1.5bf0a8p+1, 0));
  EXPECT_THAT(unary("exp", "[11.0, 12.0]", "tensor<2xf16>"),
              ElementsAre(59872, INFINITY));
  EXPECT_THAT(unary("exp2", "[-1.0, 0.5, 10.0]", "tensor<3xf32>"),
              ElementsAre(0.5, 0x1.6a09e6p+0, 1024));
}

/// 0 where it is a fraction, else the low 32 bits.
TEST_F(UnaryTest, Exp2OfIntegers) {
  EXPECT_THAT(integerUnary("exp2", "[-1, 0, 10, 30, 31, 32, 2147483647]",
                           "tensor<7xi32>"),
              ElementsAre(0, 1, 1024, 1073741824, -2147483648, 0, 0));
}

/// pi / 6, pi / 3 and pi / 4, and what lies outside.
TEST_F(UnaryTest, InverseTrigonometric) {
  EXPECT_THAT(unary("asin", "[0.5, 1.5]", "tensor<2xf32>"),
              ElementsAre(0x1.0c1524p-1, IsNan()));
  EXPECT_THAT(unary("acos", "[0.5, -1.5]", "tensor<2xf32>"),
              ElementsAre(0x1.0c1524p+0, IsNan()));
  EXPECT_THAT(unary("atan", "[1.0]", "tensor<1xf32>"),
              ElementsAre(0x1.921fb6p-1));
  EXPECT_THAT(unary("atanh", "[0.0, 1.0, -1.0, 2.0]", "tensor<4xf32>"),
              ElementsAre(0, INFINITY, -INFINITY, IsNan()));
  EXPECT_NEAR(unary("atanh", "[0.5]", "tensor<1xf32>")[0], std::log(3.0) / 2,
              1e-7);
}

TEST_F(UnaryTest, Trigonometric) {
  // pi / 6
  constexpr llvm::StringLiteral angle = "[0.52359877559]";
  EXPECT_THAT(unary("sin", angle, "tensor<1xf32>"),
              ElementsAre(DoubleNear(0.5, 1e-7)));
  EXPECT_THAT(unary("cos", angle, "tensor<1xf32>"),
              ElementsAre(DoubleNear(std::sqrt(3.0) / 2, 1e-7)));
  EXPECT_THAT(unary("tan", angle, "tensor<1xf32>"),
              ElementsAre(DoubleNear(1 / std::sqrt(3.0), 1e-7)));
  // log(2)
  constexpr llvm::StringLiteral log2 = "[0.69314718056]";
  EXPECT_THAT(unary("sinh", log2, "tensor<1xf32>"),
              ElementsAre(DoubleNear(0.75, 1e-7)));
  EXPECT_THAT(unary("cosh", log2, "tensor<1xf32>"),
              ElementsAre(DoubleNear(1.25, 1e-7)));
}

/// erf(1) = 0.8427007929497149.
TEST_F(UnaryTest, Erf) {
  EXPECT_THAT(unary("erf", "[0.0, 1.0, -1.0, 0x7F800000]", "tensor<4xf32>"),
              ElementsAre(0, DoubleNear(0.8427007929, 1e-7),
                          DoubleNear(-0.8427007929, 1e-7), 1));
}

TEST_F(UnaryTest, Sqrt) {
  EXPECT_THAT(unary("sqrt", "[4.0, 2.0, -1.0]", "tensor<3xf16>"),
              ElementsAre(2, 0x1.6ap+0, IsNan()));
}

TEST_F(UnaryTest, LogicalNot) {
  EXPECT_THAT(integerUnary("logical_not", "[true, false]", "tensor<2xi1>"),
              ElementsAre(0, 1));
}

std::string withEpsilon(llvm::StringRef op, llvm::StringRef x,
                        llvm::StringRef epsilon, llvm::StringRef epsilonType) {
  return ("%x = mil.const dense<" + x + "> : tensor<1xf16>\n" +
          "%epsilon = mil.const dense<" + epsilon + "> : " + epsilonType +
          "\n%y = mil." + op +
          "(x = %x, epsilon = %epsilon) : (tensor<1xf16>, " + epsilonType +
          ") -> tensor<1xf16>")
      .str();
}

TEST_F(UnaryTest, Epsilon) {
  EXPECT_THAT(floats(withEpsilon("inverse", "1.5", "0.5", "tensor<f16>")),
              ElementsAre(0.5));
  EXPECT_THAT(floats(withEpsilon("rsqrt", "3.5", "0.5", "tensor<f16>")),
              ElementsAre(0.5));
  EXPECT_THAT(floats(withEpsilon("log", "0.5", "0.5", "tensor<f32>")),
              ElementsAre(0));
}

/// 1e-4 is 0x1.a38p-14 in fp16 and 0x1.a36e2ep-14 in fp32.
TEST_F(UnaryTest, DefaultOfInverse) {
  EXPECT_THAT(unary("inverse", "[0.0, 2.0]", "tensor<2xf16>"),
              ElementsAre(0x1.388p+13, 0.5));
  EXPECT_THAT(unary("inverse", "[0.0]", "tensor<1xf32>"), ElementsAre(10000));
}

/// 1e-45 and 1e-12 are 0 in fp16, and 2^-149 and 1e-12 in fp32.
TEST_F(UnaryTest, DefaultsThatVanishInHalf) {
  EXPECT_THAT(unary("log", "[0.0, 1.0, -1.0]", "tensor<3xf16>"),
              ElementsAre(-INFINITY, 0, IsNan()));
  EXPECT_NEAR(unary("log", "[0.0]", "tensor<1xf32>")[0], -149 * std::log(2.0),
              1e-5);
  EXPECT_THAT(unary("rsqrt", "[0.0, 4.0]", "tensor<2xf16>"),
              ElementsAre(INFINITY, 0.5));
  EXPECT_THAT(unary("rsqrt", "[0.0]", "tensor<1xf32>"), ElementsAre(1e6));
}

TEST_F(UnaryTest, Threshold) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[-3.0, 0.5, 9.0, 0x7E00]> : tensor<4xf16>
    %alpha = mil.const dense<1.0> : tensor<f16>
    %y = mil.threshold(x = %x, alpha = %alpha)
        : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>)"),
              ElementsAre(1, 1, 9, IsNan()));
  EXPECT_THAT(ints(R"(
    %x = mil.const dense<[-3, 9]> : tensor<2xi32>
    %alpha = mil.const dense<1> : tensor<i32>
    %y = mil.threshold(x = %x, alpha = %alpha)
        : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>)"),
              ElementsAre(1, 9));
}

} // namespace
