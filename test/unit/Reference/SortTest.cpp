//===- SortTest.cpp - Ops that order elements -----------------------------===//

#include "Fixture.h"

using namespace ane::reference;
using namespace ane::reference::test;
using testing::ElementsAre;

namespace {

using SortTest = ReferenceTest;

TEST_F(SortTest, Argsort) {
  std::string x = constant("x", "f16", {2, 3}, {3, 1, 3, 0, 5, 4});
  auto sorted = [&](int64_t axis, bool ascending) {
    return ints(x + int32("a", axis) + boolean("up", ascending) + R"(
      %y = mil.argsort(x = %x, axis = %a, ascending = %up)
          : (tensor<2x3xf16>, tensor<i32>, tensor<i1>) -> tensor<2x3xi32>)");
  };
  EXPECT_THAT(sorted(-1, false), ElementsAre(0, 2, 1, 1, 2, 0));
  EXPECT_THAT(sorted(1, true), ElementsAre(1, 0, 2, 0, 2, 1));
  EXPECT_THAT(sorted(0, true), ElementsAre(1, 0, 0, 0, 1, 1));
}

TEST_F(SortTest, ArgsortPutsNaNLast) {
  for (const char *up : {"true", "false"})
    EXPECT_THAT(ints(std::string(R"(
      %x = mil.const dense<[0x7E00, 1.0, 1.0]> : tensor<3xf16>
      %up = mil.const dense<)") +
                     up +
                     R"(> : tensor<i1>
      %y = mil.argsort(x = %x, ascending = %up)
          : (tensor<3xf16>, tensor<i1>) -> tensor<3xi32>)"),
                ElementsAre(1, 2, 0));
}

TEST_F(SortTest, Topk) {
  std::string x =
      constant("x", "i32", {2, 3}, {3, 1, 2, 7, 9, 8}) + int32("k", 2);
  auto results = run(x + R"(
    %y, %i = mil.topk(x = %x, k = %k)
        : (tensor<2x3xi32>, tensor<i32>) -> (tensor<2x2xi32>, tensor<2x2xi32>))",
                     "ios15");
  ASSERT_TRUE(succeeded(results)) << diagnostics;
  EXPECT_THAT((*results)[0].ints(), ElementsAre(3, 2, 9, 8));
  EXPECT_THAT((*results)[1].ints(), ElementsAre(0, 2, 1, 2));
  EXPECT_THAT(ints(x + int32("a", 0) + boolean("up", true) +
                   boolean("no", false) + int32("all", -1) + R"(
    %y = mil.topk(x = %x, k = %all, axis = %a, ascending = %up,
                  return_indices = %no)
        : (tensor<2x3xi32>, tensor<i32>, tensor<i32>, tensor<i1>, tensor<i1>)
        -> tensor<2x3xi32>)"),
              ElementsAre(3, 1, 2, 7, 9, 8));
}

/// Boxes 0 and 1 cover each other to 3 / 5, box 2 lies apart.
class NmsTest : public ReferenceTest {
protected:
  std::vector<int64_t> kept(double threshold, bool perClass, double least = 0) {
    std::string ops = R"(
      %b = mil.const dense<[[[2.0, 2.0, 4.0, 4.0], [3.0, 2.0, 4.0, 4.0],
                             [9.0, 9.0, 2.0, 2.0]]]> : tensor<1x3x4xf32>
      %s = mil.const dense<[[[0.5, 0.25], [0.25, 0.75], [0.125, 0.0]]]>
          : tensor<1x3x2xf32>
      %i = mil.const dense<)" +
                      std::to_string(threshold) +
                      R"(> : tensor<f32>
      %t = mil.const dense<)" +
                      std::to_string(least) + "> : tensor<f32>\n" +
                      int32("n", 4) + boolean("c", perClass) + R"(
      %y:4 = mil.non_maximum_suppression(boxes = %b, scores = %s,
          iou_threshold = %i, max_boxes = %n, per_class_suppression = %c,
          score_threshold = %t)
          : (tensor<1x3x4xf32>, tensor<1x3x2xf32>, tensor<f32>, tensor<i32>,
             tensor<i1>, tensor<f32>)
          -> (tensor<1x4x4xf32>, tensor<1x4x2xf32>, tensor<1x4xi32>,
              tensor<1xi32>))";
    auto results = run(ops, "ios16");
    EXPECT_TRUE(succeeded(results)) << diagnostics;
    if (failed(results))
      return {};
    // The best box comes first, and what is not used is zero.
    EXPECT_EQ((*results)[0].floats()[0], 3);
    EXPECT_EQ((*results)[1].floats()[1], 0.75);
    EXPECT_EQ((*results)[0].floats().back(), 0);
    std::vector<int64_t> indices = (*results)[2].ints().vec();
    indices.push_back((*results)[3].ints().front());
    return indices;
  }
};

TEST_F(NmsTest, SuppressesOverlappingBoxes) {
  EXPECT_THAT(kept(0.5, false), ElementsAre(1, 2, -1, -1, 2));
  EXPECT_THAT(kept(0.625, false), ElementsAre(1, 0, 2, -1, 3));
}

TEST_F(NmsTest, SuppressesWithinAClass) {
  EXPECT_THAT(kept(0.5, true), ElementsAre(1, 0, 2, -1, 3));
}

TEST_F(NmsTest, KeepsTheBestBoxBelowTheThreshold) {
  EXPECT_THAT(kept(0.5, false, /*least=*/0.625), ElementsAre(1, -1, -1, -1, 1));
  EXPECT_THAT(kept(0.5, false, /*least=*/2), ElementsAre(1, -1, -1, -1, 1));
}

TEST_F(SortTest, NmsWithBoxesLast) {
  auto results = run(R"(
    %b = mil.const dense<[[[2.0, 3.0], [2.0, 2.0], [4.0, 4.0], [4.0, 4.0]]]>
        : tensor<1x4x2xf32>
    %s = mil.const dense<[[[0.5, 0.75]]]> : tensor<1x1x2xf32>
    %i = mil.const dense<0.5> : tensor<f32>
    %n = mil.const dense<2> : tensor<i32>
    %y:3 = mil.non_maximum_suppression(boxes = %b, scores = %s,
        iou_threshold = %i, max_boxes = %n)
        : (tensor<1x4x2xf32>, tensor<1x1x2xf32>, tensor<f32>, tensor<i32>)
        -> (tensor<1x4x2xf32>, tensor<1x1x2xf32>, tensor<1x2xi32>))",
                     "ios17");
  ASSERT_TRUE(succeeded(results)) << diagnostics;
  EXPECT_THAT((*results)[0].floats(), ElementsAre(3, 0, 2, 0, 4, 0, 4, 0));
  EXPECT_THAT((*results)[1].floats(), ElementsAre(0.75, 0));
  EXPECT_THAT((*results)[2].ints(), ElementsAre(1, -1));
}

} // namespace
