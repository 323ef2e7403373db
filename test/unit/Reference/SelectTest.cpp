//===- SelectTest.cpp - Choice between two values -------------------------===//

#include "Fixture.h"

using namespace ane::reference::test;
using testing::ElementsAre;

namespace {

using SelectTest = ReferenceTest;

TEST_F(SelectTest, Elements) {
  EXPECT_THAT(floats(R"(
    %cond = mil.const dense<[true, false, false]> : tensor<3xi1>
    %a = mil.const dense<[1.0, 2.0, 0x7E00]> : tensor<3xf16>
    %b = mil.const dense<[0x7E00, 20.0, 30.0]> : tensor<3xf16>
    %y = mil.select(cond = %cond, a = %a, b = %b)
        : (tensor<3xi1>, tensor<3xf16>, tensor<3xf16>) -> tensor<3xf16>)"),
              ElementsAre(1, 20, 30));
}

/// All three broadcast against each other.
TEST_F(SelectTest, Broadcasts) {
  EXPECT_THAT(ints(R"(
    %cond = mil.const dense<[[true], [false]]> : tensor<2x1xi1>
    %a = mil.const dense<[1, 2, 3]> : tensor<3xi32>
    %b = mil.const dense<-1> : tensor<i32>
    %y = mil.select(cond = %cond, a = %a, b = %b)
        : (tensor<2x1xi1>, tensor<3xi32>, tensor<i32>) -> tensor<2x3xi32>)"),
              ElementsAre(1, 2, 3, -1, -1, -1));
  EXPECT_THAT(ints(R"(
    %cond = mil.const dense<false> : tensor<i1>
    %a = mil.const dense<[[true, true]]> : tensor<1x2xi1>
    %b = mil.const dense<[[true], [false]]> : tensor<2x1xi1>
    %y = mil.select(cond = %cond, a = %a, b = %b)
        : (tensor<i1>, tensor<1x2xi1>, tensor<2x1xi1>) -> tensor<2x2xi1>)"),
              ElementsAre(1, 1, 0, 0));
}

} // namespace
