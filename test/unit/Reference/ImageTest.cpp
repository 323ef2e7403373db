//===- ImageTest.cpp - Resampling of images -------------------------------===//

#include "Fixture.h"

using namespace ane::reference;
using namespace ane::reference::test;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

namespace {

using ImageTest = ReferenceTest;

MATCHER_P(Near, tolerance, "") {
  return std::abs(std::get<0>(arg) - std::get<1>(arg)) < tolerance;
}

/// [0, 1] resized to `width` places.
std::string resize(llvm::StringRef mode, int64_t width) {
  return "%x = mil.const dense<[[[0.0, 1.0]]]> : tensor<1x1x2xf32>\n" +
         int32("height", 1) + int32("width", width) + text("mode", mode) + R"(
    %y = mil.resize_bilinear(x = %x, target_size_height = %height,
        target_size_width = %width, sampling_mode = %mode)
        : (tensor<1x1x2xf32>, tensor<i32>, tensor<i32>, tensor<!mil.string>)
        -> )" +
         tensorType({1, 1, width}, "f32");
}

TEST_F(ImageTest, SamplingModes) {
  auto expect = [&](llvm::StringRef mode, std::vector<double> places) {
    EXPECT_THAT(floats(resize(mode, places.size())),
                Pointwise(Near(1e-6), places))
        << mode.str();
  };
  expect("STRICT_ALIGN_CORNERS", {0, 0.25, 0.5, 0.75, 1});
  expect("ALIGN_CORNERS", {0, 0.25, 0.5, 0.75, 1});
  expect("DEFAULT", {0, 0.4, 0.8, 1, 1});
  expect("OFFSET_CORNERS", {0.1, 0.3, 0.5, 0.7, 0.9});
  expect("UNALIGN_CORNERS", {0, 0.1, 0.5, 0.9, 1});
  expect("STRICT_ALIGN_CORNERS", {0});
  expect("ALIGN_CORNERS", {0.5});
  expect("DEFAULT", {0});
  expect("OFFSET_CORNERS", {0.5});
  expect("UNALIGN_CORNERS", {0.5});
}

TEST_F(ImageTest, UpsampleBilinear) {
  auto upsample = [&](bool align, bool half) {
    return floats("%x = mil.const dense<[[[0.0, 3.0]]]> : tensor<1x1x2xf32>\n" +
                  int32("h", 1) + int32("w", 3) + boolean("align", align) +
                  boolean("half", half) + R"(
    %y = mil.upsample_bilinear(x = %x, scale_factor_height = %h,
        scale_factor_width = %w, align_corners = %align,
        half_pixel_centers = %half)
        : (tensor<1x1x2xf32>, tensor<i32>, tensor<i32>, tensor<i1>, tensor<i1>)
        -> tensor<1x1x6xf32>)");
  };
  EXPECT_THAT(upsample(true, false),
              Pointwise(Near(1e-6), {0.0, 0.6, 1.2, 1.8, 2.4, 3.0}));
  EXPECT_THAT(upsample(false, true),
              Pointwise(Near(1e-6), {0.0, 0.0, 1.0, 2.0, 3.0, 3.0}));
  EXPECT_THAT(upsample(false, false),
              Pointwise(Near(1e-6), {0.0, 1.0, 2.0, 3.0, 3.0, 3.0}));
}

TEST_F(ImageTest, NearestRepeatsAndDrops) {
  auto to = [&](int64_t width) {
    return floats(
        "%x = mil.const dense<[[[1.0, 2.0, 3.0]]]> : tensor<1x1x3xf32>\n" +
        int32("h", 1) + int32("w", width) + R"(
    %y = mil.resize_nearest_neighbor(x = %x, target_size_height = %h,
        target_size_width = %w)
        : (tensor<1x1x3xf32>, tensor<i32>, tensor<i32>) -> )" +
        tensorType({1, 1, width}, "f32"));
  };
  EXPECT_THAT(to(6), ElementsAre(1, 1, 2, 2, 3, 3));
  EXPECT_THAT(to(5), ElementsAre(1, 1, 2, 2, 3));
  EXPECT_THAT(to(2), ElementsAre(1, 2));
}

/// Only the last two of three dimensions; 0 keeps an extent. The shape may be
/// of another rank than x.
TEST_F(ImageTest, ResizeIntegersToAShape) {
  EXPECT_THAT(ints("%x = mil.const dense<[[[0, 5]], [[10, -5]]]> : "
                   "tensor<2x1x2xi32>\n" +
                   int32s("shape", {0, 3}) + R"(
    %dims = mil.const dense<2> : tensor<ui32>
    )" + text("mode", "ALIGN_CORNERS") +
                   R"(
    %y = mil.resize(x = %x, shape = %shape, resized_dims = %dims,
        sampling_mode = %mode)
        : (tensor<2x1x2xi32>, tensor<2xi32>, tensor<ui32>, tensor<!mil.string>)
        -> tensor<2x1x3xi32>)"),
              ElementsAre(0, 2, 5, 10, 2, -5));
}

TEST_F(ImageTest, Crop) {
  EXPECT_THAT(floats(constant("x", "f32", {1, 3, 4},
                              {0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}) +
                     int32s("h", {1, 0}) + int32s("w", {2, 1}) + R"(
    %y = mil.crop(x = %x, crop_height = %h, crop_width = %w)
        : (tensor<1x3x4xf32>, tensor<2xi32>, tensor<2xi32>)
        -> tensor<1x2x1xf32>)"),
              ElementsAre(12, 22));
}

/// An image whose element at (row, column) is 10 * row + column.
std::string image() {
  return constant("x", "f32", {1, 1, 3, 3}, {0, 1, 2, 10, 11, 12, 20, 21, 22});
}

std::string cropResize(llvm::StringRef box, llvm::StringRef convention) {
  return image() +
         ("%box = mil.const dense<[" + box + "]> : tensor<1x4xf32>\n").str() +
         int32("two", 2) + text("mode", "ALIGN_CORNERS") +
         text("convention", convention) + R"(
    %pad = mil.const dense<-1.0> : tensor<f32>
    %y = mil.crop_resize(x = %x, boxes = %box, target_height = %two,
        target_width = %two, box_coordinate_mode = %convention,
        sampling_mode = %mode, pad_value = %pad)
        : (tensor<1x1x3x3xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>,
           tensor<!mil.string>, tensor<!mil.string>, tensor<f32>)
        -> tensor<1x1x2x2xf32>)";
}

TEST_F(ImageTest, CropResizeConventions) {
  EXPECT_THAT(
      floats(cropResize("[0.0, 1.0, 1.0, 2.0]", "CORNERS_HEIGHT_FIRST")),
      ElementsAre(1, 2, 11, 12));
  EXPECT_THAT(floats(cropResize("[0.0, 1.0, 1.0, 2.0]", "CORNERS_WIDTH_FIRST")),
              ElementsAre(10, 11, 20, 21));
  EXPECT_THAT(
      floats(cropResize("[0.5, 1.0, 1.0, 2.0]", "CENTER_SIZE_HEIGHT_FIRST")),
      ElementsAre(0, 2, 10, 12));
  EXPECT_THAT(
      floats(cropResize("[0.5, 1.0, 1.0, 2.0]", "CENTER_SIZE_WIDTH_FIRST")),
      ElementsAre(0, 1, 20, 21));
}

/// Two thirds around two thirds end in the last row as fp32 computes it. What
/// the number says in a wider type is a little beyond.
TEST_F(ImageTest, CropResizeEndsAtTheEdge) {
  EXPECT_THAT(floats(image() + int32("two", 2) + text("mode", "ALIGN_CORNERS") +
                     text("convention", "CENTER_SIZE_HEIGHT_FIRST") + R"(
    %box = mil.const dense<[[0.6666667, 0.5, 0.6666667, 1.0]]>
        : tensor<1x4xf32>
    %true = mil.const dense<true> : tensor<i1>
    %pad = mil.const dense<-1.0> : tensor<f32>
    %y = mil.crop_resize(x = %x, boxes = %box, target_height = %two,
        target_width = %two, normalized_coordinates = %true,
        box_coordinate_mode = %convention, sampling_mode = %mode,
        pad_value = %pad)
        : (tensor<1x1x3x3xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>,
           tensor<i1>, tensor<!mil.string>, tensor<!mil.string>, tensor<f32>)
        -> tensor<1x1x2x2xf32>)"),
              ElementsAre(DoubleNear(20.0 / 3, 1e-5),
                          DoubleNear(26.0 / 3, 1e-5), 20, 22));
}

/// A box from its end to its start flips; what is outside is padding as a
/// whole.
TEST_F(ImageTest, CropResizeFlipsAndPads) {
  EXPECT_THAT(
      floats(cropResize("[1.0, 2.0, 0.0, 1.0]", "CORNERS_HEIGHT_FIRST")),
      ElementsAre(12, 11, 2, 1));
  EXPECT_THAT(
      floats(cropResize("[0.5, 1.0, 1.5, 2.25]", "CORNERS_HEIGHT_FIRST")),
      ElementsAre(6, -1, 16, -1));
}

/// Five places along the first row of [0, 1, 2]: from -2 to 2 elements outside.
std::string resample(llvm::StringRef sampling, llvm::StringRef padding,
                     llvm::StringRef columns) {
  return image() +
         ("%at = mil.const dense<[[[[" + columns +
          "]]]> : tensor<1x1x5x2xf32>\n")
             .str() +
         text("sampling", sampling) + text("padding", padding) +
         text("coordinates", "unnormalized") + boolean("align", true) + R"(
    %value = mil.const dense<-8.0> : tensor<f32>
    %y = mil.resample(x = %x, coordinates = %at, sampling_mode = %sampling,
        padding_mode = %padding, padding_value = %value,
        coordinates_mode = %coordinates, align_corners = %align)
        : (tensor<1x1x3x3xf32>, tensor<1x1x5x2xf32>, tensor<!mil.string>,
           tensor<!mil.string>, tensor<f32>, tensor<!mil.string>, tensor<i1>)
        -> tensor<1x1x1x5xf32>)";
}

TEST_F(ImageTest, ResamplePaddingModes) {
  llvm::StringRef at = "-2.0, 0.0], [-1.0, 0.0], [0.0, 0.0], [3.0, 0.0], "
                       "[4.0, 0.0]";
  EXPECT_THAT(floats(resample("nearest", "constant", at)),
              ElementsAre(-8, -8, 0, -8, -8));
  EXPECT_THAT(floats(resample("nearest", "border", at)),
              ElementsAre(0, 0, 0, 2, 2));
  EXPECT_THAT(floats(resample("nearest", "reflection", at)),
              ElementsAre(2, 1, 0, 1, 0));
  EXPECT_THAT(floats(resample("nearest", "symmetric", at)),
              ElementsAre(1, 0, 0, 2, 1));
}

TEST_F(ImageTest, ResampleBetweenElements) {
  llvm::StringRef at = "0.5, 0.5], [-0.5, 0.0], [1.25, 2.0], [0.0, 1.0], "
                       "[2.0, 2.0]";
  EXPECT_THAT(floats(resample("bilinear", "constant", at)),
              ElementsAre(5.5, -4, 21.25, 10, 22));
  EXPECT_THAT(floats(resample("nearest", "border", at)),
              ElementsAre(0, 0, 21, 10, 22));
}

/// The identity, then a shift by half an image, on corners and centre.
TEST_F(ImageTest, Affine) {
  auto affine = [&](llvm::StringRef matrix) {
    return floats(
        image() +
        ("%m = mil.const dense<[[" + matrix + "]]> : tensor<1x6xf32>\n").str() +
        int32("three", 3) + text("sampling", "bilinear") +
        text("padding", "constant") +
        text("coordinates", "normalized_minus_one_to_one") +
        boolean("align", true) + R"(
    %zero = mil.const dense<0.0> : tensor<f32>
    %y = mil.affine(x = %x, transform_matrix = %m, output_height = %three,
        output_width = %three, sampling_mode = %sampling,
        padding_mode = %padding, padding_value = %zero,
        coordinates_mode = %coordinates, align_corners = %align)
        : (tensor<1x1x3x3xf32>, tensor<1x6xf32>, tensor<i32>, tensor<i32>,
           tensor<!mil.string>, tensor<!mil.string>, tensor<f32>,
           tensor<!mil.string>, tensor<i1>) -> tensor<1x1x3x3xf32>)");
  };
  EXPECT_THAT(affine("1.0, 0.0, 0.0, 0.0, 1.0, 0.0"),
              ElementsAre(0, 1, 2, 10, 11, 12, 20, 21, 22));
  EXPECT_THAT(affine("1.0, 0.0, 1.0, 0.0, 1.0, 0.0"),
              ElementsAre(1, 2, 0, 11, 12, 0, 21, 22, 0));
}

TEST_F(ImageTest, BoxOfNoImage) {
  EXPECT_THAT(errorOf(image() + R"(
    %box = mil.const dense<0.0> : tensor<1x4xf32>
    %index = mil.const dense<1> : tensor<1xi32>
    %y = mil.crop_resize(x = %x, boxes = %box, box_indices = %index)
        : (tensor<1x1x3x3xf32>, tensor<1x4xf32>, tensor<1xi32>)
        -> tensor<1x1x1x1xf32>)"),
              testing::HasSubstr("box 0 is for image 1"));
}

} // namespace
