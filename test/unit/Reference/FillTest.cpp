//===- FillTest.cpp - Ops that make, extend or mask tensors ---------------===//

#include "Fixture.h"

using namespace ane::reference;
using namespace ane::reference::test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

namespace {

using FillTest = ReferenceTest;

TEST_F(FillTest, BandPart) {
  std::string x = constant("x", "f16", {3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  auto band = [&](int64_t lower, int64_t upper) {
    return floats(x + int32("l", lower) + int32("u", upper) + R"(
      %y = mil.band_part(x = %x, lower = %l, upper = %u)
          : (tensor<3x3xf16>, tensor<i32>, tensor<i32>) -> tensor<3x3xf16>)");
  };
  EXPECT_THAT(band(-1, 0), ElementsAre(1, 0, 0, 4, 5, 0, 7, 8, 9));
  EXPECT_THAT(band(0, -1), ElementsAre(1, 2, 3, 0, 5, 6, 0, 0, 9));
  EXPECT_THAT(band(1, 0), ElementsAre(1, 0, 0, 4, 5, 0, 0, 8, 9));
  EXPECT_THAT(band(-1, -1), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9));
}

TEST_F(FillTest, Cumsum) {
  std::string x = constant("x", "i32", {2, 3}, {1, 2, 3, 4, 5, 6});
  auto sums = [&](int64_t axis, bool exclusive, bool reverse) {
    return ints(x + int32("a", axis) + boolean("e", exclusive) +
                boolean("r", reverse) + R"(
      %y = mil.cumsum(x = %x, axis = %a, exclusive = %e, reverse = %r)
          : (tensor<2x3xi32>, tensor<i32>, tensor<i1>, tensor<i1>)
          -> tensor<2x3xi32>)");
  };
  EXPECT_THAT(sums(1, false, false), ElementsAre(1, 3, 6, 4, 9, 15));
  EXPECT_THAT(sums(-1, true, false), ElementsAre(0, 1, 3, 0, 4, 9));
  EXPECT_THAT(sums(1, false, true), ElementsAre(6, 5, 3, 15, 11, 6));
  EXPECT_THAT(sums(0, true, true), ElementsAre(4, 5, 6, 0, 0, 0));
}

/// The extents are known only when the op runs.
TEST_F(FillTest, FillsAComputedShape) {
  EXPECT_THAT(floats(constant("x", "f16", {2, 3}, {1, 2, 3, 4, 5, 6}) +
                     constant("v", "f16", {}, {7}) + R"(
    %s = mil.shape(x = %x) : (tensor<2x3xf16>) -> tensor<2xi32>
    %y = mil.fill(shape = %s, value = %v)
        : (tensor<2xi32>, tensor<f16>) -> tensor<?x3xf16>)"),
              ElementsAre(7, 7, 7, 7, 7, 7));
  EXPECT_THAT(errorOf(int32s("a", {2}) + int32s("b", {1}) + R"(
    %s = mil.add(x = %a, y = %b)
        : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
    %y = mil.fill(shape = %s) : (tensor<1xi32>) -> tensor<4xf32>)"),
              HasSubstr("declared as tensor<fp32, [4]>, but the inputs give "
                        "tensor<fp32, [3]>"));
}

TEST_F(FillTest, FillLike) {
  EXPECT_THAT(ints(constant("x", "f16", {2}, {1, 2}) + int32("v", -3) + R"(
    %y = mil.fill_like(ref_tensor = %x, value = %v)
        : (tensor<2xf16>, tensor<i32>) -> tensor<2xi32>)"),
              ElementsAre(-3, -3));
}

TEST_F(FillTest, NonZero) {
  auto rows = run(constant("x", "f16", {2, 3}, {0, 2, 0, 4, 0, 6}) + R"(
    %y = mil.non_zero(x = %x) : (tensor<2x3xf16>) -> tensor<?x2xi32>)",
                  "ios18");
  ASSERT_TRUE(succeeded(rows)) << diagnostics;
  EXPECT_THAT(rows->front().getShape(), ElementsAre(3, 2));
  EXPECT_THAT(rows->front().ints(), ElementsAre(0, 1, 1, 0, 1, 2));
}

TEST_F(FillTest, NonZeroOfADeclaredNumber) {
  EXPECT_THAT(errorOf(constant("x", "i32", {3}, {0, 2, 0}) + R"(
    %y = mil.non_zero(x = %x) : (tensor<3xi32>) -> tensor<2x1xi32>)"),
              HasSubstr("non_zero: the result is declared as tensor<int32, "
                        "[2, 1]>, but it is tensor<int32, [1, 1]>"));
}

TEST_F(FillTest, OneHot) {
  std::string inputs = int32s("i", {1, -1, 3, 0}) + int32("n", 3) +
                       constant("on", "f16", {}, {5}) +
                       constant("off", "f16", {}, {-1});
  EXPECT_THAT(floats(inputs + R"(
    %y = mil.one_hot(indices = %i, one_hot_vector_size = %n, on_value = %on,
                     off_value = %off)
        : (tensor<4xi32>, tensor<i32>, tensor<f16>, tensor<f16>)
        -> tensor<4x3xf16>)"),
              ElementsAre(-1, 5, -1, -1, -1, -1, -1, -1, -1, 5, -1, -1));
  EXPECT_THAT(ints(int32s("i", {1, 0}) + int32("n", 3) + int32("a", 0) + R"(
    %y = mil.one_hot(indices = %i, one_hot_vector_size = %n, axis = %a)
        : (tensor<2xi32>, tensor<i32>, tensor<i32>) -> tensor<3x2xi32>)"),
              ElementsAre(0, 1, 1, 0, 0, 0));
}

TEST_F(FillTest, Pad) {
  std::string x = constant("x", "f16", {2, 3}, {1, 2, 3, 4, 5, 6});
  auto pad = [&](const std::string &mode, std::vector<int64_t> entries,
                 std::vector<int64_t> shape) {
    return floats(x + int32s("p", entries) + text("m", mode) +
                  constant("v", "f16", {}, {9}) +
                  "%y = mil.pad(x = %x, pad = %p, mode = %m, constant_val = "
                  "%v) : (tensor<2x3xf16>, " +
                  tensorType(int64_t(entries.size()), "i32") +
                  ", tensor<!mil.string>, tensor<f16>) -> " +
                  tensorType(shape, "f16"));
  };
  EXPECT_THAT(pad("constant", {1, 0}, {2, 4}),
              ElementsAre(9, 1, 2, 3, 9, 4, 5, 6));
  EXPECT_THAT(pad("constant", {0, 1, 0, 1}, {3, 4}),
              ElementsAre(1, 2, 3, 9, 4, 5, 6, 9, 9, 9, 9, 9));
  EXPECT_THAT(pad("reflect", {2, 1}, {2, 6}),
              ElementsAre(3, 2, 1, 2, 3, 2, 6, 5, 4, 5, 6, 5));
  EXPECT_THAT(pad("reflect", {0, 2, 0, 0}, {4, 3}),
              ElementsAre(1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6));
  EXPECT_THAT(pad("replicate", {1, 0, 0, 2}, {3, 5}),
              ElementsAre(1, 2, 3, 3, 3, 1, 2, 3, 3, 3, 4, 5, 6, 6, 6));
}

TEST_F(FillTest, Range1d) {
  auto range = [&](int64_t start, int64_t end, int64_t step) {
    return ints(int32("s", start) + int32("e", end) + int32("d", step) + R"(
      %y = mil.range_1d(end = %e, start = %s, step = %d)
          : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>)");
  };
  EXPECT_THAT(range(5, 15, 3), ElementsAre(5, 8, 11, 14));
  EXPECT_THAT(range(5, -1, -3), ElementsAre(5, 2));
  EXPECT_THAT(range(5, 5, 1), IsEmpty());
  EXPECT_THAT(range(5, 0, 1), IsEmpty());
}

/// Of floating-point numbers only the op's function can tell how many.
TEST_F(FillTest, Range1dOfComputedFloats) {
  std::string ops = R"(
    %s = mil.const dense<[0.5]> : tensor<1xf16>
    %e = mil.const dense<2.0> : tensor<f16>
    %d = mil.const dense<0.5> : tensor<f16>
    %t = mil.squeeze(x = %s) : (tensor<1xf16>) -> tensor<f16>)";
  EXPECT_THAT(floats(ops + R"(
    %y = mil.range_1d(end = %e, start = %t, step = %d)
        : (tensor<f16>, tensor<f16>, tensor<f16>) -> tensor<?xf16>)"),
              ElementsAre(0.5, 1, 1.5));
  // fp16(0.1) is a little less, but fp16 rounds the quotient to 10.
  EXPECT_THAT(floats(R"(
    %s = mil.const dense<[1.0]> : tensor<1xf16>
    %e = mil.squeeze(x = %s) : (tensor<1xf16>) -> tensor<f16>
    %b = mil.const dense<0.0> : tensor<f16>
    %d = mil.const dense<0.1> : tensor<f16>
    %y = mil.range_1d(end = %e, start = %b, step = %d)
        : (tensor<f16>, tensor<f16>, tensor<f16>) -> tensor<?xf16>)"),
              SizeIs(10));
  EXPECT_THAT(errorOf(ops + R"(
    %y = mil.range_1d(end = %e, start = %t, step = %d)
        : (tensor<f16>, tensor<f16>, tensor<f16>) -> tensor<4xf16>)"),
              HasSubstr("range_1d: the result is declared as"));
  EXPECT_THAT(
      errorOf(ops + R"(
    %z = mil.sub(x = %t, y = %t)
        : (tensor<f16>, tensor<f16>) -> tensor<f16>
    %y = mil.range_1d(end = %e, start = %t, step = %z)
        : (tensor<f16>, tensor<f16>, tensor<f16>) -> tensor<?xf16>)"),
      HasSubstr("range_1d: 'step' is 0; the numbers would not reach 'end'"));
}

TEST_F(FillTest, Tile) {
  EXPECT_THAT(ints(constant("x", "i32", {2, 2}, {1, 2, 3, 4}) +
                   int32s("r", {2, 1}) + R"(
    %y = mil.tile(x = %x, reps = %r)
        : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<4x2xi32>)"),
              ElementsAre(1, 2, 3, 4, 1, 2, 3, 4));
  EXPECT_THAT(ints(constant("x", "i32", {2, 2}, {1, 2, 3, 4}) +
                   int32s("r", {1, 2}) + R"(
    %s = mil.identity(x = %r) : (tensor<2xi32>) -> tensor<2xi32>
    %y = mil.tile(x = %x, reps = %s)
        : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<?x?xi32>)"),
              ElementsAre(1, 2, 1, 2, 3, 4, 3, 4));
}

} // namespace
