//===- TransformTest.cpp - Rearranging elements ---------------------------===//

#include "Fixture.h"
#include <numeric>

using namespace ane::reference;
using namespace ane::reference::test;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class TransformTest : public ReferenceTest {
protected:
  /// A tensor of 0, 1, 2, ...
  static std::string iota(std::vector<int64_t> shape, llvm::StringRef name) {
    std::vector<int64_t> values(
        std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>()));
    std::iota(values.begin(), values.end(), 0);
    return constant(name, "f16", shape, values);
  }

  /// `op` with a factor, of a tensor of 0, 1, 2, ...
  std::vector<double> blocks(const std::string &op, const std::string &input,
                             const std::string &elementType,
                             std::vector<int64_t> from,
                             std::vector<int64_t> to) {
    return floats(iota(from, "x") + constant("f", elementType, {}, {2}) +
                  "%y = mil." + op + "(x = %x, " + input + " = %f) : (" +
                  tensorType(from, "f16") + ", " + tensorType({}, elementType) +
                  ") -> " + tensorType(to, "f16"));
  }
};

TEST_F(TransformTest, DepthToSpaceCountsBlocksFirst) {
  EXPECT_THAT(
      blocks("depth_to_space", "block_size", "i32", {1, 8, 1, 1}, {1, 2, 2, 2}),
      ElementsAre(0, 2, 4, 6, 1, 3, 5, 7));
  EXPECT_THAT(
      blocks("depth_to_space", "block_size", "i32", {1, 4, 1, 2}, {1, 1, 2, 4}),
      ElementsAre(0, 2, 1, 3, 4, 6, 5, 7));
}

TEST_F(TransformTest, PixelShuffleCountsChannelsFirst) {
  EXPECT_THAT(blocks("pixel_shuffle", "upscale_factor", "i32", {1, 8, 1, 1},
                     {1, 2, 2, 2}),
              ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST_F(TransformTest, SpaceToDepth) {
  EXPECT_THAT(
      blocks("space_to_depth", "block_size", "i32", {1, 2, 2, 2}, {1, 8, 1, 1}),
      ElementsAre(0, 4, 1, 5, 2, 6, 3, 7));
}

TEST_F(TransformTest, PixelUnshuffle) {
  EXPECT_THAT(blocks("pixel_unshuffle", "downscale_factor", "ui32",
                     {1, 1, 2, 4}, {1, 4, 1, 2}),
              ElementsAre(0, 2, 1, 3, 4, 6, 5, 7));
}

TEST_F(TransformTest, SpaceToBatchAndBack) {
  std::string ops = iota({1, 1, 2, 3}, "x") + int32s("b", {2, 2}) +
                    constant("p", "i32", {2, 2}, {0, 0, 1, 0}) + R"(
    %z = mil.space_to_batch(x = %x, block_shape = %b, paddings = %p)
        : (tensor<1x1x2x3xf16>, tensor<2xi32>, tensor<2x2xi32>)
        -> tensor<4x1x1x2xf16>)";
  // The padded picture is [_ 0 1 2] over [_ 3 4 5].
  EXPECT_THAT(floats(ops), ElementsAre(0, 1, 0, 2, 0, 4, 3, 5));
  EXPECT_THAT(floats(ops + R"(
    %y = mil.batch_to_space(x = %z, block_shape = %b, crops = %p)
        : (tensor<4x1x1x2xf16>, tensor<2xi32>, tensor<2x2xi32>)
        -> tensor<1x1x2x3xf16>)"),
              ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST_F(TransformTest, ReshapeLike) {
  auto results =
      run(iota({4, 3}, "x") + iota({2, 2, 7}, "r") + iota({1, 3}, "s") +
              int32("zero", 0) + int32("one", 1) + int32("last", -1) +
              boolean("no", false) + boolean("yes", true) + R"(
    %y = mil.reshape_like(x = %x, ref_tensors = [%r, %s],
        begins = [%zero, %one], ends = [%last, %zero], end_masks = [%no, %yes])
        : (tensor<4x3xf16>, tensor<2x2x7xf16>, tensor<1x3xf16>, tensor<i32>,
           tensor<i32>, tensor<i32>, tensor<i32>, tensor<i1>, tensor<i1>)
        -> tensor<?x?x?xf16>)",
          "ios16");
  ASSERT_TRUE(succeeded(results)) << diagnostics;
  EXPECT_THAT(results->front().getShape(), ElementsAre(2, 2, 3));
  EXPECT_EQ(results->front().floats()[11], 11);
}

TEST_F(TransformTest, Reverse) {
  std::string x = iota({2, 3}, "x");
  EXPECT_THAT(floats(x + R"(
    %y = mil.reverse(x = %x) : (tensor<2x3xf16>) -> tensor<2x3xf16>)"),
              ElementsAre(5, 4, 3, 2, 1, 0));
  EXPECT_THAT(floats(x + int32s("a", {-1}) + R"(
    %y = mil.reverse(x = %x, axes = %a)
        : (tensor<2x3xf16>, tensor<1xi32>) -> tensor<2x3xf16>)"),
              ElementsAre(2, 1, 0, 5, 4, 3));
}

TEST_F(TransformTest, ReverseSequence) {
  std::string x = iota({2, 3, 2}, "x");
  EXPECT_THAT(floats(x + int32s("l", {2, 3}) + int32("q", 1) + R"(
    %y = mil.reverse_sequence(x = %x, lengths = %l, seq_axis = %q)
        : (tensor<2x3x2xf16>, tensor<2xi32>, tensor<i32>) -> tensor<2x3x2xf16>)"),
              ElementsAre(2, 3, 0, 1, 4, 5, 10, 11, 8, 9, 6, 7));
  EXPECT_THAT(floats(x + int32s("l", {0, 1, 2}) + int32("b", 1) + R"(
    %y = mil.reverse_sequence(x = %x, lengths = %l, batch_axis = %b)
        : (tensor<2x3x2xf16>, tensor<3xi32>, tensor<i32>) -> tensor<2x3x2xf16>)"),
              ElementsAre(0, 1, 2, 3, 10, 11, 6, 7, 8, 9, 4, 5));
}

TEST_F(TransformTest, Transpose) {
  std::string x = iota({2, 3, 2}, "x");
  EXPECT_THAT(floats(x + int32s("p", {2, 0, 1}) + R"(
    %y = mil.transpose(x = %x, perm = %p)
        : (tensor<2x3x2xf16>, tensor<3xi32>) -> tensor<2x2x3xf16>)"),
              ElementsAre(0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11));
  EXPECT_THAT(floats(x + int32s("p", {-3, -1, 1}) + R"(
    %y = mil.transpose(x = %x, perm = %p)
        : (tensor<2x3x2xf16>, tensor<3xi32>) -> tensor<2x2x3xf16>)"),
              ElementsAre(0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11));
}

TEST_F(TransformTest, SlidingWindows) {
  EXPECT_THAT(floats(iota({5}, "x") + int32("a", 0) + int32("n", 3) +
                     int32("s", 2) + R"(
    %y = mil.sliding_windows(x = %x, axis = %a, size = %n, stride = %s)
        : (tensor<5xf16>, tensor<i32>, tensor<i32>, tensor<i32>)
        -> tensor<2x3xf16>)"),
              ElementsAre(0, 1, 2, 2, 3, 4));
  EXPECT_THAT(floats(iota({3, 2}, "x") + int32("a", -2) + int32("n", 2) + R"(
    %y = mil.sliding_windows(x = %x, axis = %a, size = %n)
        : (tensor<3x2xf16>, tensor<i32>, tensor<i32>) -> tensor<2x2x2xf16>)"),
              ElementsAre(0, 1, 2, 3, 2, 3, 4, 5));
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

class SliceTest : public TransformTest {
protected:
  /// Bounds, strides and masks of a slice of tensor<3x4xf16>.
  struct Bounds {
    std::vector<int64_t> begin, end, stride = {1, 1};
    std::vector<int64_t> beginMask = {0, 0}, endMask = {0, 0},
                         squeezeMask = {0, 0};
  };

  std::string operands(const Bounds &bounds) {
    auto mask = [](llvm::StringRef name, std::vector<int64_t> bits) {
      auto word = [](int64_t bit) { return bit ? "true" : "false"; };
      return ("%" + name + " = mil.const dense<[").str() + word(bits[0]) +
             ", " + word(bits[1]) + "]> : tensor<2xi1>\n";
    };
    return iota({3, 4}, "x") + int32s("b", bounds.begin) +
           int32s("e", bounds.end) + int32s("s", bounds.stride) +
           mask("bm", bounds.beginMask) + mask("em", bounds.endMask) +
           mask("sm", bounds.squeezeMask);
  }

  static constexpr llvm::StringLiteral inputs =
      "begin = %b, end = %e, stride = %s, begin_mask = %bm, end_mask = %em, "
      "squeeze_mask = %sm";
  static constexpr llvm::StringLiteral types =
      "tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi1>, "
      "tensor<2xi1>, tensor<2xi1>";

  std::vector<double> slice(const Bounds &bounds, std::vector<int64_t> shape) {
    return floats(operands(bounds) + "%y = mil.slice_by_index(x = %x, " +
                  inputs.str() + ") : (tensor<3x4xf16>, " + types.str() +
                  ") -> " + tensorType(shape, "f16"));
  }
};

TEST_F(SliceTest, Bounds) {
  EXPECT_THAT(slice({{1, 1}, {3, 3}}, {2, 2}), ElementsAre(5, 6, 9, 10));
  EXPECT_THAT(slice({{-1, -3}, {3, -1}}, {1, 2}), ElementsAre(9, 10));
  EXPECT_THAT(slice({{-9, 2}, {1, 99}}, {1, 2}), ElementsAre(2, 3));
  EXPECT_THAT(slice({{2, 0}, {1, 4}}, {0, 4}), ElementsAre());
}

TEST_F(SliceTest, Strides) {
  EXPECT_THAT(slice({{0, 0}, {3, 4}, {2, 3}}, {2, 2}),
              ElementsAre(0, 3, 8, 11));
  EXPECT_THAT(slice({{2, 3}, {0, 0}, {-1, -2}}, {2, 2}),
              ElementsAre(11, 9, 7, 5));
  // -1 as a bound counts from the end, so nothing lies above it.
  EXPECT_THAT(slice({{2, 3}, {1, -1}, {-1, -1}}, {1, 0}), ElementsAre());
}

TEST_F(SliceTest, Masks) {
  EXPECT_THAT(slice({{2, 3}, {0, 2}, {1, 1}, {1, 1}, {1, 0}}, {3, 2}),
              ElementsAre(0, 1, 4, 5, 8, 9));
  EXPECT_THAT(slice({{0, 0}, {0, 0}, {-1, -3}, {1, 1}, {1, 1}}, {3, 2}),
              ElementsAre(11, 8, 7, 4, 3, 0));
}

TEST_F(SliceTest, SqueezesDimensions) {
  EXPECT_THAT(slice({{-1, 0}, {0, 4}, {1, 1}, {0, 0}, {0, 0}, {1, 0}}, {4}),
              ElementsAre(8, 9, 10, 11));
  EXPECT_THAT(slice({{1, 2}, {2, 3}, {1, 1}, {0, 0}, {0, 0}, {1, 1}}, {}),
              ElementsAre(6));
}

/// Bounds that the program computes decide the shape when the op runs.
TEST_F(SliceTest, ComputedBounds) {
  std::string ops = iota({4}, "x") + int32s("b", {1}) + int32s("e", {2}) + R"(
    %f = mil.add(x = %b, y = %e)
        : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>)";
  EXPECT_THAT(floats(ops + R"(
    %y = mil.slice_by_index(x = %x, begin = %b, end = %f)
        : (tensor<4xf16>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf16>)"),
              ElementsAre(1, 2));
  EXPECT_THAT(errorOf(ops + R"(
    %y = mil.slice_by_index(x = %x, begin = %b, end = %f)
        : (tensor<4xf16>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xf16>)"),
              HasSubstr("declared as tensor<fp16, [3]>, but the inputs give "
                        "tensor<fp16, [2]>"));
}

TEST_F(SliceTest, SliceBySize) {
  EXPECT_THAT(floats(iota({3, 4}, "x") + int32s("b", {1, -3}) +
                     int32s("n", {-1, 2}) + R"(
    %y = mil.slice_by_size(x = %x, begin = %b, size = %n)
        : (tensor<3x4xf16>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x2xf16>)"),
              ElementsAre(5, 6, 9, 10));
}

TEST_F(SliceTest, SliceUpdate) {
  Bounds bounds = {{2, 1}, {0, 2}, {-2, 1}, {0, 0}, {1, 0}, {0, 1}};
  EXPECT_THAT(floats(operands(bounds) + constant("u", "f16", {2}, {50, 60}) +
                     "%y = mil.slice_update(x = %x, update = %u, " +
                     inputs.str() + ") : (tensor<3x4xf16>, tensor<2xf16>, " +
                     types.str() + ") -> tensor<3x4xf16>"),
              ElementsAre(0, 60, 2, 3, 4, 5, 6, 7, 8, 50, 10, 11));
}

} // namespace
