//===- ReductionTest.cpp - Reduction along axes ---------------------------===//

#include "Fixture.h"
#include <cmath>

using namespace ane::reference::test;
using testing::ElementsAre;
using testing::IsNan;

namespace {

using ReductionTest = ReferenceTest;

constexpr llvm::StringLiteral matrix = R"(
  %x = mil.const dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 9.0]]> : tensor<2x3xf16>
)";

TEST_F(ReductionTest, MeanOverAnAxis) {
  EXPECT_THAT(floats(matrix.str() + int32s("axes", {-1}) + R"(
    %y = mil.reduce_mean(x = %x, axes = %axes)
        : (tensor<2x3xf16>, tensor<1xi32>) -> tensor<2xf16>)"),
              ElementsAre(2, 6));
  EXPECT_THAT(
      floats(matrix.str() + int32s("axes", {0}) + boolean("keep", true) + R"(
    %y = mil.reduce_mean(x = %x, axes = %axes, keep_dims = %keep)
        : (tensor<2x3xf16>, tensor<1xi32>, tensor<i1>) -> tensor<1x3xf16>)"),
      ElementsAre(2.5, 3.5, 6));
}

TEST_F(ReductionTest, MeanOverAllAxes) {
  EXPECT_THAT(floats((matrix + R"(
    %y = mil.reduce_mean(x = %x) : (tensor<2x3xf16>) -> tensor<f16>)")
                         .str()),
              ElementsAre(4));
}

TEST_F(ReductionTest, MeanOverNoAxis) {
  EXPECT_THAT(floats(matrix.str() + int32s("axes", {}) + R"(
    %y = mil.reduce_mean(x = %x, axes = %axes)
        : (tensor<2x3xf16>, tensor<0xi32>) -> tensor<2x3xf16>)"),
              ElementsAre(1, 2, 3, 4, 5, 9));
}

/// The sum is beyond the range of fp16, the mean is not.
TEST_F(ReductionTest, MeanSumsWide) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<60000.0> : tensor<4xf16>
    %y = mil.reduce_mean(x = %x) : (tensor<4xf16>) -> tensor<f16>)"),
              ElementsAre(60000));
}

/// Truncated towards zero, after a sum beyond 32 bits.
TEST_F(ReductionTest, MeanOfIntegers) {
  EXPECT_THAT(ints(R"(
    %x = mil.const dense<[[1, 2], [-1, -2], [2147483647, 2147483647]]>
        : tensor<3x2xi32>
    )" + int32s("axes", {1}) +
                   R"(
    %y = mil.reduce_mean(x = %x, axes = %axes)
        : (tensor<3x2xi32>, tensor<1xi32>) -> tensor<3xi32>)"),
              ElementsAre(1, -1, 2147483647));
}

TEST_F(ReductionTest, MeanOfNothing) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<> : tensor<0xf16>
    %y = mil.reduce_mean(x = %x) : (tensor<0xf16>) -> tensor<f16>)"),
              ElementsAre(IsNan()));
  EXPECT_THAT(ints(R"(
    %x = mil.const dense<> : tensor<0xi32>
    %y = mil.reduce_mean(x = %x) : (tensor<0xi32>) -> tensor<i32>)"),
              ElementsAre(0));
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<> : tensor<0x2xf16>
    )" + int32s("axes", {1}) +
                     R"(
    %y = mil.reduce_mean(x = %x, axes = %axes)
        : (tensor<0x2xf16>, tensor<1xi32>) -> tensor<0xf16>)"),
              ElementsAre());
}

/// `op` over the last axis of a matrix of two rows.
std::string overRows(llvm::StringRef op, llvm::StringRef matrix,
                     llvm::StringRef elementType) {
  std::string element = elementType.str();
  return ("%x = mil.const dense<" + matrix + "> : tensor<2x3x" + element +
          ">\n" + int32s("axes", {-1}) + "%y = mil." + op +
          "(x = %x, axes = %axes) : (tensor<2x3x" + element +
          ">, tensor<1xi32>) -> tensor<2x" + element + ">")
      .str();
}

TEST_F(ReductionTest, OfFloats) {
  constexpr llvm::StringLiteral matrix = "[[1.0, -2.0, 4.0], [3.0, 5.0, -6.0]]";
  auto reduce = [&](llvm::StringRef op) {
    return floats(overRows(op, matrix, "f16"));
  };
  EXPECT_THAT(reduce("reduce_sum"), ElementsAre(3, 2));
  EXPECT_THAT(reduce("reduce_prod"), ElementsAre(-8, -90));
  EXPECT_THAT(reduce("reduce_max"), ElementsAre(4, 5));
  EXPECT_THAT(reduce("reduce_min"), ElementsAre(-2, -6));
  EXPECT_THAT(reduce("reduce_l1_norm"), ElementsAre(7, 14));
  EXPECT_THAT(reduce("reduce_sum_square"), ElementsAre(21, 70));
  EXPECT_THAT(reduce("reduce_l2_norm"),
              ElementsAre(0x1.254p+2, 0x1.0bcp+3)); // roots of 21 and 70
  EXPECT_THAT(reduce("reduce_log_sum"),
              ElementsAre(0x1.194p+0, 0x1.63p-1)); // log 3 and log 2
}

/// Sums wrap; what is no integer is truncated.
TEST_F(ReductionTest, OfIntegers) {
  auto reduce = [&](llvm::StringRef op) {
    return ints(
        overRows(op, "[[1, -2, 4], [65536, 65536, 2147483647]]", "i32"));
  };
  EXPECT_THAT(reduce("reduce_sum"), ElementsAre(3, -2147352577));
  EXPECT_THAT(reduce("reduce_prod"), ElementsAre(-8, 0));
  EXPECT_THAT(reduce("reduce_max"), ElementsAre(4, 2147483647));
  EXPECT_THAT(reduce("reduce_min"), ElementsAre(-2, 65536));
  EXPECT_THAT(reduce("reduce_l1_norm"), ElementsAre(7, -2147352577));
  EXPECT_THAT(reduce("reduce_sum_square"), ElementsAre(21, 1));
  EXPECT_THAT(reduce("reduce_l2_norm"), ElementsAre(4, 2147483647));
  EXPECT_THAT(reduce("reduce_log_sum"), ElementsAre(1, 21));
  EXPECT_THAT(reduce("reduce_log_sum_exp"), ElementsAre(4, 2147483647));
}

/// Rows of equal elements c give c + log(3), whatever the size of c.
TEST_F(ReductionTest, LogSumExp) {
  EXPECT_THAT(
      floats(overRows("reduce_log_sum_exp",
                      "[[0.0, 0.0, 0.0], [5000.0, 5000.0, 5000.0]]", "f32")),
      ElementsAre(0x1.193ea8p+0, 0x1.389194p+12));
  EXPECT_THAT(floats(overRows("reduce_log_sum_exp",
                              "[[0xFF800000, 0xFF800000, 0xFF800000], "
                              "[0x7F800000, 0.0, 0.0]]",
                              "f32")),
              ElementsAre(-INFINITY, INFINITY));
}

TEST_F(ReductionTest, NanPropagates) {
  for (const char *op : {"reduce_max", "reduce_min", "reduce_sum"})
    EXPECT_THAT(
        floats(overRows(op, "[[1.0, 0x7E00, 2.0], [0.0, 0.0, 0.0]]", "f16")),
        ElementsAre(IsNan(), 0));
}

TEST_F(ReductionTest, AxesInAnyOrder) {
  EXPECT_THAT(ints(R"(
    %x = mil.const dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]>
        : tensor<2x2x2xi32>
    )" + int32s("axes", {-1, 0}) +
                   R"(
    %y = mil.reduce_sum(x = %x, axes = %axes)
        : (tensor<2x2x2xi32>, tensor<2xi32>) -> tensor<2xi32>)"),
              ElementsAre(14, 22));
}

TEST_F(ReductionTest, OfNothing) {
  auto reduce = [&](llvm::StringRef op) {
    return floats(("%x = mil.const dense<> : tensor<0xf16>\n%y = mil." + op +
                   "(x = %x) : (tensor<0xf16>) -> tensor<f16>")
                      .str());
  };
  EXPECT_THAT(reduce("reduce_sum"), ElementsAre(0));
  EXPECT_THAT(reduce("reduce_prod"), ElementsAre(1));
  EXPECT_THAT(reduce("reduce_max"), ElementsAre(-INFINITY));
  EXPECT_THAT(reduce("reduce_min"), ElementsAre(INFINITY));
  EXPECT_THAT(reduce("reduce_log_sum_exp"), ElementsAre(-INFINITY));
}

TEST_F(ReductionTest, ArgmaxAndArgmin) {
  // The first of equal elements, along the last axis.
  constexpr llvm::StringLiteral x = R"(
    %x = mil.const dense<[[3.0, 7.0, 7.0], [2.0, 1.0, 1.0]]> : tensor<2x3xf16>
    )";
  EXPECT_THAT(ints((x + R"(
    %y = mil.reduce_argmax(x = %x) : (tensor<2x3xf16>) -> tensor<2xi32>)")
                       .str()),
              ElementsAre(1, 0));
  EXPECT_THAT(ints((x + R"(
    %y = mil.reduce_argmin(x = %x) : (tensor<2x3xf16>) -> tensor<2xi32>)")
                       .str()),
              ElementsAre(0, 1));
  EXPECT_THAT(ints(x.str() + int32("axis", 0) + boolean("keep", true) +
                   text("dtype", "uint16") + R"(
    %y = mil.reduce_argmin(x = %x, axis = %axis, keep_dims = %keep,
                           output_dtype = %dtype)
        : (tensor<2x3xf16>, tensor<i32>, tensor<i1>, tensor<!mil.string>)
        -> tensor<1x3xui16>)"),
              ElementsAre(1, 1, 1));
}

/// A NaN comes before all numbers, and the first NaN before the others.
TEST_F(ReductionTest, ArgmaxOfNan) {
  for (const char *op : {"reduce_argmax", "reduce_argmin"})
    EXPECT_THAT(
        ints(("%x = mil.const dense<[1.0, 0x7E00, 9.0, 0x7E00, 0.0]> : "
              "tensor<5xf16>\n%y = mil." +
              llvm::Twine(op) + "(x = %x) : (tensor<5xf16>) -> tensor<i32>")
                 .str()),
        ElementsAre(1));
}

TEST_F(ReductionTest, ArgmaxAlongAnInnerAxis) {
  EXPECT_THAT(ints(R"(
    %x = mil.const dense<[[[1, 6], [5, 2]], [[-3, -4], [-7, 0]]]>
        : tensor<2x2x2xi32>
    )" + int32("axis", -2) +
                   R"(
    %y = mil.reduce_argmax(x = %x, axis = %axis)
        : (tensor<2x2x2xi32>, tensor<i32>) -> tensor<2x2xi32>)"),
              ElementsAre(1, 0, 0, 1));
}

} // namespace
