//===- CoefficientsTest.cpp - What fp16 leaves of coefficients ------------===//

#include "ane/Support/Coefficients.h"
#include "ane/Support/Half.h"
#include "gtest/gtest.h"
#include <vector>

using namespace ane;

namespace {

constexpr uint16_t half = 0x3800, two = 0x4000, minusOne = 0xbc00;

/// Numbers of all exponents, and one factor that fills the fraction.
TEST(Coefficients, RoundProductsAsOthersDo) {
  constexpr uint16_t factors[] = {halfOne, 0x3bff, 0xb555, 0x0401, 0x4801};
  for (uint16_t factor : factors) {
    std::vector<uint16_t> numbers, expected;
    for (uint16_t bits = 0; bits < halfInfinity; bits += 3) {
      double product = halfToDouble(bits) * halfToDouble(factor);
      if (product > largestHalf)
        break;
      numbers.push_back(bits);
      expected.push_back(halfFromDouble(product));
    }
    std::vector<uint16_t> products(numbers.size());
    scaleCoefficients(numbers, std::vector<uint16_t>(numbers.size(), factor),
                      products);
    EXPECT_EQ(products, expected) << factor;
  }
}

TEST(Coefficients, TellWhatIsLost) {
  constexpr uint16_t infinite = halfInfinity, tiny = 0x0400, large = 0x7bff;
  auto keeps = [](std::vector<uint16_t> numbers, uint16_t factor) {
    std::vector<uint16_t> products(numbers.size());
    return scaleCoefficients(
        numbers, std::vector<uint16_t>(numbers.size(), factor), products);
  };
  EXPECT_TRUE(keeps({halfOne, two}, half));
  EXPECT_TRUE(keeps({0, 0}, half));
  // The one beside it makes up for what is lost.
  EXPECT_TRUE(keeps({halfOne, tiny}, half));
  EXPECT_FALSE(keeps({tiny, tiny}, half));
  EXPECT_FALSE(keeps({halfOne, large}, two));
  EXPECT_FALSE(keeps({halfOne, infinite}, half));
}

TEST(Coefficients, AddUpAllProducts) {
  std::vector<uint16_t> numbers(19, two), factors(19, half);
  EXPECT_EQ(sumOfProducts(numbers, factors), 19);
  factors.back() = minusOne;
  EXPECT_EQ(sumOfProducts(numbers, factors), 16);
  EXPECT_EQ(sumOfProducts({}, {}), 0);
}

} // namespace
