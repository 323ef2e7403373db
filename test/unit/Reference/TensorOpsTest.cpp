//===- TensorOpsTest.cpp - Shape and storage ------------------------------===//

#include "Fixture.h"

using namespace ane::reference;
using namespace ane::reference::test;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class TensorOpsTest : public ReferenceTest {
protected:
  /// The shape of the last op's result; its elements must be 1, 2, 3, ...
  std::vector<int64_t> shapeOf(const std::string &ops) {
    auto results = run(ops, "ios18");
    EXPECT_TRUE(succeeded(results)) << diagnostics;
    if (failed(results))
      return {};
    const Tensor &result = results->front();
    for (int64_t i = 0; i < result.getNumElements(); ++i)
      EXPECT_EQ(result.floats()[i], i + 1);
    return result.getShape().vec();
  }
};

constexpr llvm::StringLiteral sixElements = R"(
  %x = mil.const dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]>
      : tensor<1x2x3xf16>
)";

TEST_F(TensorOpsTest, Identity) {
  EXPECT_THAT(shapeOf((sixElements + R"(
    %y = mil.identity(x = %x) : (tensor<1x2x3xf16>) -> tensor<1x2x3xf16>)")
                          .str()),
              ElementsAre(1, 2, 3));
}

TEST_F(TensorOpsTest, Reshape) {
  EXPECT_THAT(shapeOf(sixElements.str() + int32s("shape", {3, -1}) + R"(
    %y = mil.reshape(x = %x, shape = %shape)
        : (tensor<1x2x3xf16>, tensor<2xi32>) -> tensor<3x2xf16>)"),
              ElementsAre(3, 2));
  EXPECT_THAT(shapeOf(sixElements.str() + int32s("shape", {-1, 0, 3}) + R"(
    %y = mil.reshape(x = %x, shape = %shape)
        : (tensor<1x2x3xf16>, tensor<3xi32>) -> tensor<1x2x3xf16>)"),
              ElementsAre(1, 2, 3));
}

/// The entries of a computed shape are read when the op runs.
TEST_F(TensorOpsTest, ReshapeToAComputedShape) {
  std::string ops = sixElements.str() + int32s("half", {3}) +
                    int32s("two", {2}) + int32("axis", 0) + R"(
    %shape = mil.concat(values = [%half, %two], axis = %axis)
        : (tensor<1xi32>, tensor<1xi32>, tensor<i32>) -> tensor<2xi32>)";
  EXPECT_THAT(shapeOf(ops + R"(
    %y = mil.reshape(x = %x, shape = %shape)
        : (tensor<1x2x3xf16>, tensor<2xi32>) -> tensor<3x2xf16>)"),
              ElementsAre(3, 2));
  EXPECT_THAT(shapeOf(ops + R"(
    %y = mil.reshape(x = %x, shape = %shape)
        : (tensor<1x2x3xf16>, tensor<2xi32>) -> tensor<?x?xf16>)"),
              ElementsAre(3, 2));
  EXPECT_THAT(errorOf(ops + R"(
    %y = mil.reshape(x = %x, shape = %shape)
        : (tensor<1x2x3xf16>, tensor<2xi32>) -> tensor<2x3xf16>)"),
              HasSubstr("reshape: 'shape' is [3, 2], but tensor<fp16, "
                        "[1, 2, 3]> is declared to become tensor<fp16, "
                        "[2, 3]>"));
}

TEST_F(TensorOpsTest, ExpandDims) {
  EXPECT_THAT(shapeOf(sixElements.str() + int32s("axes", {-1, 1}) + R"(
    %y = mil.expand_dims(x = %x, axes = %axes)
        : (tensor<1x2x3xf16>, tensor<2xi32>) -> tensor<1x1x2x3x1xf16>)"),
              ElementsAre(1, 1, 2, 3, 1));
}

TEST_F(TensorOpsTest, Squeeze) {
  EXPECT_THAT(shapeOf(sixElements.str() + int32s("axes", {-3}) + R"(
    %y = mil.squeeze(x = %x, axes = %axes)
        : (tensor<1x2x3xf16>, tensor<1xi32>) -> tensor<2x3xf16>)"),
              ElementsAre(2, 3));
  EXPECT_THAT(shapeOf((sixElements + R"(
    %y = mil.squeeze(x = %x) : (tensor<1x2x3xf16>) -> tensor<2x3xf16>)")
                          .str()),
              ElementsAre(2, 3));
}

TEST_F(TensorOpsTest, Flatten2d) {
  EXPECT_THAT(shapeOf((sixElements + R"(
    %y = mil.flatten2d(x = %x) : (tensor<1x2x3xf16>) -> tensor<1x6xf16>)")
                          .str()),
              ElementsAre(1, 6));
  EXPECT_THAT(shapeOf(sixElements.str() + int32("axis", -1) + R"(
    %y = mil.flatten2d(x = %x, axis = %axis)
        : (tensor<1x2x3xf16>, tensor<i32>) -> tensor<2x3xf16>)"),
              ElementsAre(2, 3));
}

TEST_F(TensorOpsTest, Concat) {
  std::string values = R"(
    %a = mil.const dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
    %b = mil.const dense<[[5], [6]]> : tensor<2x1xi32>
    )";
  EXPECT_THAT(ints(values + int32("axis", -1) + R"(
    %y = mil.concat(values = [%a, %b, %a], axis = %axis)
        : (tensor<2x2xi32>, tensor<2x1xi32>, tensor<2x2xi32>, tensor<i32>)
        -> tensor<2x5xi32>)"),
              ElementsAre(1, 2, 5, 1, 2, 3, 4, 6, 3, 4));
  EXPECT_THAT(ints(values + int32("axis", 0) + R"(
    %y = mil.concat(values = [%a, %a], axis = %axis)
        : (tensor<2x2xi32>, tensor<2x2xi32>, tensor<i32>)
        -> tensor<4x2xi32>)"),
              ElementsAre(1, 2, 3, 4, 1, 2, 3, 4));
}

TEST_F(TensorOpsTest, ConcatInterleaves) {
  EXPECT_THAT(floats(R"(
    %a = mil.const dense<[[[1.0, 2.0], [3.0, 4.0]]]> : tensor<1x2x2xf16>
    %b = mil.const dense<[[[5.0, 6.0], [7.0, 8.0]]]> : tensor<1x2x2xf16>
    )" + int32("axis", 1) +
                     boolean("interleave", true) + R"(
    %y = mil.concat(values = [%a, %b], axis = %axis, interleave = %interleave)
        : (tensor<1x2x2xf16>, tensor<1x2x2xf16>, tensor<i32>, tensor<i1>)
        -> tensor<1x4x2xf16>)"),
              ElementsAre(1, 2, 5, 6, 3, 4, 7, 8));
}

TEST_F(TensorOpsTest, ConcatWithNothing) {
  EXPECT_THAT(ints(R"(
    %a = mil.const dense<> : tensor<0xi1>
    %b = mil.const dense<[true, false]> : tensor<2xi1>
    )" + int32("axis", 0) +
                   R"(
    %y = mil.concat(values = [%a, %b, %a], axis = %axis)
        : (tensor<0xi1>, tensor<2xi1>, tensor<0xi1>, tensor<i32>)
        -> tensor<2xi1>)"),
              ElementsAre(1, 0));
}

TEST_F(TensorOpsTest, Shape) {
  EXPECT_THAT(ints((sixElements + R"(
    %y = mil.shape(x = %x) : (tensor<1x2x3xf16>) -> tensor<3xi32>)")
                       .str()),
              ElementsAre(1, 2, 3));
}

TEST_F(TensorOpsTest, Split) {
  auto parts =
      run(sixElements.str() + int32s("sizes", {1, 2}) + int32("axis", -1) + R"(
    %y:2 = mil.split(x = %x, split_sizes = %sizes, axis = %axis)
        : (tensor<1x2x3xf16>, tensor<2xi32>, tensor<i32>)
        -> (tensor<1x2x1xf16>, tensor<1x2x2xf16>))",
          "ios18");
  ASSERT_TRUE(succeeded(parts)) << diagnostics;
  EXPECT_THAT((*parts)[0].floats(), ElementsAre(1, 4));
  EXPECT_THAT((*parts)[1].floats(), ElementsAre(2, 3, 5, 6));

  parts = run(sixElements.str() + int32("count", 2) + int32("axis", 1) + R"(
    %y:2 = mil.split(x = %x, num_splits = %count, axis = %axis)
        : (tensor<1x2x3xf16>, tensor<i32>, tensor<i32>)
        -> (tensor<1x1x3xf16>, tensor<1x1x3xf16>))",
              "ios18");
  ASSERT_TRUE(succeeded(parts)) << diagnostics;
  EXPECT_THAT((*parts)[1].floats(), ElementsAre(4, 5, 6));
}

TEST_F(TensorOpsTest, Stack) {
  std::string values = int32s("a", {1, 2}) + int32s("b", {3, 4});
  EXPECT_THAT(ints(values + int32("axis", 0) + R"(
    %y = mil.stack(values = [%a, %b], axis = %axis)
        : (tensor<2xi32>, tensor<2xi32>, tensor<i32>) -> tensor<2x2xi32>)"),
              ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(ints(values + int32("axis", -1) + R"(
    %y = mil.stack(values = [%a, %b], axis = %axis)
        : (tensor<2xi32>, tensor<2xi32>, tensor<i32>) -> tensor<2x2xi32>)"),
              ElementsAre(1, 3, 2, 4));
}

} // namespace
