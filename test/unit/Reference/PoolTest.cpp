//===- PoolTest.cpp - Pooling ---------------------------------------------===//

#include "Fixture.h"
#include <cmath>

using namespace ane::reference::test;
using testing::ElementsAre;
using testing::IsNan;

namespace {

using PoolTest = ReferenceTest;

constexpr llvm::StringLiteral fiveElements = R"(
  %x = mil.const dense<[[[-1.0, -2.0, -3.0, -4.0, -6.0]]]> : tensor<1x1x5xf16>
)";

/// A pool of the five elements with kernel 2, stride 3 and one element of
/// padding in front: windows over (padding, -1) and (-3, -4).
std::string pool(llvm::StringRef op, bool ceilMode, llvm::StringRef more,
                 llvm::StringRef moreTypes, llvm::StringRef result) {
  return (fiveElements + int32s("kernel", {2}) + int32s("strides", {3}) +
          text("type", "custom") + int32s("pad", {1, 0}) +
          boolean("ceil", ceilMode) + "%y = mil." + op +
          "(x = %x, kernel_sizes = %kernel, strides = %strides, pad_type = "
          "%type, pad = %pad, ceil_mode = %ceil" +
          more +
          ") : (tensor<1x1x5xf16>, tensor<1xi32>, tensor<1xi32>, "
          "tensor<!mil.string>, tensor<2xi32>, tensor<i1>" +
          moreTypes + ") -> " + result)
      .str();
}

TEST_F(PoolTest, MaxPoolPaddingNeverWins) {
  EXPECT_THAT(floats(pool("max_pool", false, "", "", "tensor<1x1x2xf16>")),
              ElementsAre(-1, -3));
}

TEST_F(PoolTest, MaxPoolSpecials) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[[0x7E00, 1.0, 0xFC00, 0xFC00]]]> : tensor<1x1x4xf16>
    )" + int32s("kernel", {2}) +
                     text("type", "valid") + R"(
    %y = mil.max_pool(x = %x, kernel_sizes = %kernel, pad_type = %type)
        : (tensor<1x1x4xf16>, tensor<1xi32>, tensor<!mil.string>)
        -> tensor<1x1x3xf16>)"),
              ElementsAre(IsNan(), 1, -INFINITY));
}

TEST_F(PoolTest, AvgPoolCountsPadding) {
  EXPECT_THAT(floats(pool("avg_pool", false, "", "", "tensor<1x1x2xf16>")),
              ElementsAre(-0.5, -3.5));
}

TEST_F(PoolTest, AvgPoolExcludesPadding) {
  EXPECT_THAT(floats(boolean("exclude", true) +
                     pool("avg_pool", false,
                          ", exclude_padding_from_average = %exclude",
                          ", tensor<i1>", "tensor<1x1x2xf16>")),
              ElementsAre(-1, -3.5));
}

/// Six padded elements, kernel 3, stride 2: rounding up adds a window that
/// covers the last two. The third place is beyond the padding and does not
/// count.
TEST_F(PoolTest, AvgPoolCeilMode) {
  std::string ops = fiveElements.str() + int32s("kernel", {3}) +
                    int32s("strides", {2}) + text("type", "custom") +
                    int32s("pad", {0, 1}) + boolean("ceil", true);
  EXPECT_THAT(floats(ops + R"(
    %y = mil.avg_pool(x = %x, kernel_sizes = %kernel, strides = %strides,
                      pad_type = %type, pad = %pad, ceil_mode = %ceil)
        : (tensor<1x1x5xf16>, tensor<1xi32>, tensor<1xi32>,
           tensor<!mil.string>, tensor<2xi32>, tensor<i1>)
        -> tensor<1x1x3xf16>)"),
              ElementsAre(-2, -0x1.154p+2, -3));
}

TEST_F(PoolTest, TwoDimensions) {
  std::string ops = R"(
    %x = mil.const dense<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],
                           [[0.0, 0.0, 0.0], [8.0, 0.0, 4.0]]]]>
        : tensor<1x2x2x3xf32>
    )" + int32s("kernel", {2, 2}) +
                    text("type", "valid");
  std::string rest = R"((x = %x, kernel_sizes = %kernel, pad_type = %type)
    : (tensor<1x2x2x3xf32>, tensor<2xi32>, tensor<!mil.string>)
    -> tensor<1x2x1x2xf32>)";
  EXPECT_THAT(floats(ops + "%y = mil.avg_pool" + rest),
              ElementsAre(3, 4, 2, 1));
  EXPECT_THAT(floats(ops + "%y = mil.max_pool" + rest),
              ElementsAre(5, 6, 8, 4));
}

/// A window far larger than the input reads only the input.
TEST_F(PoolTest, LargeKernelInPadding) {
  std::string ops = fiveElements.str() + int32s("kernel", {1000000000}) +
                    text("type", "custom") +
                    int32s("pad", {499999998, 499999997});
  EXPECT_THAT(floats(ops + R"(
    %y = mil.max_pool(x = %x, kernel_sizes = %kernel, pad_type = %type,
                      pad = %pad)
        : (tensor<1x1x5xf16>, tensor<1xi32>, tensor<!mil.string>,
           tensor<2xi32>) -> tensor<1x1x1xf16>)"),
              ElementsAre(-1));
}

TEST_F(PoolTest, RefusesHugeKernels) {
  EXPECT_THAT(errorOf(R"(
    %x = mil.const dense<1.0> : tensor<1x1x1x1x1xf16>
    )" + int32s("kernel", {2000000000, 2000000000, 2000000000}) +
                      text("type", "same") + R"(
    %y = mil.max_pool(x = %x, kernel_sizes = %kernel, pad_type = %type)
        : (tensor<1x1x1x1x1xf16>, tensor<3xi32>, tensor<!mil.string>)
        -> tensor<1x1x1x1x1xf16>)"),
              testing::HasSubstr("max_pool: a kernel of more than 1073741824 "
                                 "elements has no reference"));
}

/// Roots of sums of squares; padding adds nothing.
TEST_F(PoolTest, RootOfSquares) {
  EXPECT_THAT(floats("%x = mil.const dense<[[[3.0, 4.0, -12.0]]]> : "
                     "tensor<1x1x3xf16>\n" +
                     int32s("kernel", {2}) + int32s("pad", {1, 0}) +
                     text("type", "custom") + R"(
    %y = mil.l2_pool(x = %x, kernel_sizes = %kernel, pad_type = %type,
                     pad = %pad)
        : (tensor<1x1x3xf16>, tensor<1xi32>, tensor<!mil.string>, tensor<2xi32>)
        -> tensor<1x1x3xf16>)"),
              ElementsAre(3, 5, 12.6484375));
}

} // namespace
