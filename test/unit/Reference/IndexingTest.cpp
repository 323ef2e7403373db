//===- IndexingTest.cpp - Gather and scatter ------------------------------===//

#include "Fixture.h"

using namespace ane::reference;
using namespace ane::reference::test;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

using IndexingTest = ReferenceTest;

TEST_F(IndexingTest, GatherAlongAnAxis) {
  std::string x = constant("x", "f16", {2, 3}, {1, 2, 3, 4, 5, 6}) +
                  constant("i", "i32", {2, 2}, {2, 0, -1, 1});
  EXPECT_THAT(floats(x + int32("a", 1) + R"(
    %y = mil.gather(x = %x, indices = %i, axis = %a)
        : (tensor<2x3xf16>, tensor<2x2xi32>, tensor<i32>) -> tensor<2x2x2xf16>)",
                     "ios16"),
              ElementsAre(3, 1, 3, 2, 6, 4, 6, 5));
  EXPECT_THAT(floats(x + int32("j", 1) + R"(
    %y = mil.gather(x = %x, indices = %j)
        : (tensor<2x3xf16>, tensor<i32>) -> tensor<3xf16>)"),
              ElementsAre(4, 5, 6));
}

TEST_F(IndexingTest, GatherInBatches) {
  EXPECT_THAT(floats(constant("x", "f16", {2, 2, 3},
                              {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}) +
                     constant("i", "i32", {2, 1}, {2, 0}) + int32("a", 2) +
                     int32("b", 1) + R"(
    %y = mil.gather(x = %x, indices = %i, axis = %a, batch_dims = %b)
        : (tensor<2x2x3xf16>, tensor<2x1xi32>, tensor<i32>, tensor<i32>)
        -> tensor<2x2x1xf16>)"),
              ElementsAre(2, 5, 6, 9));
}

TEST_F(IndexingTest, IndicesAreChecked) {
  auto error = [&](int64_t index, bool validate) {
    diagnostics.clear();
    return errorOf(constant("x", "f16", {3}, {1, 2, 3}) + int32s("i", {index}) +
                   boolean("v", validate) + R"(
      %y = mil.gather(x = %x, indices = %i, validate_indices = %v)
          : (tensor<3xf16>, tensor<1xi32>, tensor<i1>) -> tensor<1xf16>)");
  };
  EXPECT_THAT(error(3, false), HasSubstr("gather: index 3 is outside [-3, 3)"));
  EXPECT_THAT(error(-4, false),
              HasSubstr("gather: index -4 is outside [-3, 3)"));
  EXPECT_THAT(error(-1, true), HasSubstr("gather: index -1 is outside [0, 3)"));
}

TEST_F(IndexingTest, GatherAlongAxis) {
  EXPECT_THAT(ints(constant("x", "i32", {2, 3}, {1, 2, 3, 4, 5, 6}) +
                   constant("i", "i32", {2, 2}, {2, 0, 1, 1}) + int32("a", -1) +
                   R"(
    %y = mil.gather_along_axis(x = %x, indices = %i, axis = %a)
        : (tensor<2x3xi32>, tensor<2x2xi32>, tensor<i32>) -> tensor<2x2xi32>)"),
              ElementsAre(3, 1, 5, 5));
  EXPECT_THAT(ints(constant("x", "i32", {2, 3}, {1, 2, 3, 4, 5, 6}) +
                   constant("i", "i32", {1, 3}, {1, 0, 1}) + R"(
    %y = mil.gather_along_axis(x = %x, indices = %i)
        : (tensor<2x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi32>)"),
              ElementsAre(4, 2, 6));
}

TEST_F(IndexingTest, GatherNd) {
  std::string x = constant("x", "f16", {2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7}) +
                  constant("i", "i32", {2, 2}, {0, 1, 1, 0});
  EXPECT_THAT(floats(x + R"(
    %y = mil.gather_nd(x = %x, indices = %i)
        : (tensor<2x2x2xf16>, tensor<2x2xi32>) -> tensor<2x2xf16>)"),
              ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(floats(x + int32("b", 1) + R"(
    %y = mil.gather_nd(x = %x, indices = %i, batch_dims = %b)
        : (tensor<2x2x2xf16>, tensor<2x2xi32>, tensor<i32>) -> tensor<2xf16>)"),
              ElementsAre(1, 6));
}

TEST_F(IndexingTest, ScatterModes) {
  auto scatter = [&](const std::string &mode) {
    return floats(constant("d", "f16", {3}, {6, 4, 8}) +
                  int32s("i", {2, 0, 2}) +
                  constant("u", "f16", {3}, {2, 3, 4}) + text("m", mode) + R"(
      %y = mil.scatter(data = %d, indices = %i, updates = %u, mode = %m)
          : (tensor<3xf16>, tensor<3xi32>, tensor<3xf16>, tensor<!mil.string>)
          -> tensor<3xf16>)");
  };
  EXPECT_THAT(scatter("update"), ElementsAre(3, 4, 4));
  EXPECT_THAT(scatter("add"), ElementsAre(9, 4, 14));
  EXPECT_THAT(scatter("sub"), ElementsAre(3, 4, 2));
  EXPECT_THAT(scatter("mul"), ElementsAre(18, 4, 64));
  EXPECT_THAT(scatter("div"), ElementsAre(2, 4, 1));
  EXPECT_THAT(scatter("max"), ElementsAre(6, 4, 8));
  EXPECT_THAT(scatter("min"), ElementsAre(3, 4, 2));
}

TEST_F(IndexingTest, ScatterSlices) {
  EXPECT_THAT(ints(constant("d", "i32", {2, 3}, {0, 0, 0, 0, 0, 0}) +
                   int32s("i", {-1, 0}) +
                   constant("u", "i32", {2, 2}, {1, 2, 3, 4}) + int32("a", 1) +
                   R"(
    %y = mil.scatter(data = %d, indices = %i, updates = %u, axis = %a)
        : (tensor<2x3xi32>, tensor<2xi32>, tensor<2x2xi32>, tensor<i32>)
        -> tensor<2x3xi32>)"),
              ElementsAre(2, 0, 1, 4, 0, 3));
}

TEST_F(IndexingTest, ScatterRefusesToDivideAnIntegerByZero) {
  EXPECT_THAT(errorOf(int32s("d", {1, 2}) + int32s("i", {1}) +
                      int32s("u", {0}) + text("m", "div") + R"(
    %y = mil.scatter(data = %d, indices = %i, updates = %u, mode = %m)
        : (tensor<2xi32>, tensor<1xi32>, tensor<1xi32>, tensor<!mil.string>)
        -> tensor<2xi32>)"),
              HasSubstr("scatter: an update divides an integer by 0"));
}

TEST_F(IndexingTest, ScatterAlongAxis) {
  EXPECT_THAT(ints(constant("d", "i32", {2, 3}, {1, 2, 3, 4, 5, 6}) +
                   constant("i", "i32", {2, 2}, {2, 0, 1, 1}) +
                   constant("u", "i32", {2, 2}, {10, 20, 30, 40}) +
                   int32("a", 1) + R"(
    %y = mil.scatter_along_axis(data = %d, indices = %i, updates = %u, axis = %a)
        : (tensor<2x3xi32>, tensor<2x2xi32>, tensor<2x2xi32>, tensor<i32>)
        -> tensor<2x3xi32>)"),
              ElementsAre(21, 2, 13, 4, 75, 6));
}

TEST_F(IndexingTest, ScatterNd) {
  EXPECT_THAT(ints(constant("d", "i32", {2, 2}, {1, 2, 3, 4}) +
                   constant("i", "i32", {3, 1}, {1, 0, 1}) +
                   constant("u", "i32", {3, 2}, {10, 20, 30, 40, 50, 60}) + R"(
    %y = mil.scatter_nd(data = %d, indices = %i, updates = %u)
        : (tensor<2x2xi32>, tensor<3x1xi32>, tensor<3x2xi32>)
        -> tensor<2x2xi32>)"),
              ElementsAre(31, 42, 63, 84));
}

} // namespace
