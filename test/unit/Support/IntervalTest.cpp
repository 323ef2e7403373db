//===- IntervalTest.cpp - Tests of bounds of numbers ----------------------===//

#include "ane/Support/Interval.h"
#include "gtest/gtest.h"

using namespace ane;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(IntervalTest, Contains) {
  EXPECT_TRUE(Interval(-1, 2).contains({-1, 2}));
  EXPECT_TRUE(Interval(-1, 2).contains(0));
  EXPECT_FALSE(Interval(-1, 2).contains({-1, 2.5}));
  EXPECT_FALSE(Interval(-1, 2).contains({-1.5, 2}));
  EXPECT_TRUE(Interval::any().contains({-infinity, infinity}));
  EXPECT_TRUE(Interval(5).contains(Interval::none()));
}

TEST(IntervalTest, UnitesWithWhatIsBetween) {
  EXPECT_EQ(Interval(1, 2).unite(5), Interval(1, 5));
  EXPECT_EQ(Interval::none().unite({1, 2}), Interval(1, 2));
  EXPECT_EQ(Interval::any().unite({1, 2}), Interval::any());
}

TEST(IntervalTest, Magnitude) {
  EXPECT_EQ(Interval(-3, 2).magnitude(), 3);
  EXPECT_EQ(Interval(1, 2).magnitude(), 2);
  EXPECT_EQ(Interval(-infinity, 2).magnitude(), infinity);
}

TEST(IntervalTest, SumsAndDifferences) {
  EXPECT_EQ(-Interval(-1, 2), Interval(-2, 1));
  EXPECT_EQ(Interval(-1, 2) + Interval(10, 20), Interval(9, 22));
  EXPECT_EQ(Interval(-1, 2) - Interval(10, 20), Interval(-21, -8));
  EXPECT_EQ(Interval::any() - Interval(1, 2), Interval::any());
}

TEST(IntervalTest, ProductsHaveTheLargestOfAllEnds) {
  EXPECT_EQ(Interval(2, 3) * Interval(4, 5), Interval(8, 15));
  EXPECT_EQ(Interval(-2, 3) * Interval(-4, 5), Interval(-12, 15));
  EXPECT_EQ(Interval(-2, -1) * Interval(4, 5), Interval(-10, -4));
  EXPECT_EQ(Interval(1, 2) * -3, Interval(-6, -3));
}

TEST(IntervalTest, ZeroTimesAnyNumberIsZero) {
  EXPECT_EQ(Interval(0) * Interval::any(), Interval(0));
  EXPECT_EQ(Interval(0, 1) * Interval(2, infinity), Interval(0, infinity));
  EXPECT_EQ(Interval(-1, 0) * Interval(2, infinity), Interval(-infinity, 0));
}

TEST(IntervalTest, LargerAndSmaller) {
  EXPECT_EQ(larger({-1, 5}, {2, 3}), Interval(2, 5));
  EXPECT_EQ(smaller({-1, 5}, {2, 3}), Interval(-1, 3));
}

TEST(IntervalTest, SquaresAreNotNegative) {
  EXPECT_EQ(squared({-3, 2}), Interval(0, 9));
  EXPECT_EQ(squared({2, 3}), Interval(0, 9));
  EXPECT_EQ(squared({-1e200, 0}), Interval(0, infinity));
}

TEST(IntervalTest, MonotoneFunctionsGrowOrFall) {
  EXPECT_EQ(monotone({1, 4}, [](double x) { return std::sqrt(x); }),
            Interval(1, 2));
  EXPECT_EQ(monotone({1, 4}, [](double x) { return 1 / x; }),
            Interval(0.25, 1));
}

} // namespace
