//===- MILImageOps.td - Resampling of images ------------------------------===//

#ifndef ANE_MIL_IMAGE_OPS_TD
#define ANE_MIL_IMAGE_OPS_TD

include "MIL/MILOpBase.td"

// Common constraints:
// * `mil-image-c1`: `x` has the rank that the op wants.
// * `mil-image-c2`: an extent of the result is 1 to 2^31 - 1.
// * `mil-image-c3`: a mode is one of those that the op has.

def MIL_UpsampleNearestNeighborOp : MIL_Op<"upsample_nearest_neighbor",
    [MIL_In<"x">, MIL_OptConstIn<"scale_factor_height", "1", "U">,
     MIL_OptConstIn<"scale_factor_width", "1", "U">],
    [MIL_TypeVar<"T", MIL_Float>,
     MIL_TypeVar<"U", MIL_FloatInt32>]> {
  let summary = "repeats or drops rows and columns by scale factors";
  let description = [{
    `x` is [*B, H, W]; the result is [*B, floor(H * scale_factor_height),
    floor(W * scale_factor_width)]. Place i of `out` places takes place
    floor(i * in / out).

    ```mil
    func main<ios15>(tensor<fp16, [1, 256, 13, 13]> x) {
      tensor<fp16, [1, 256, 26, 26]> y = upsample_nearest_neighbor(
          scale_factor_height = fp32(2.0), scale_factor_width = fp32(2.0),
          x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-image-c1`: `x` has at least rank 3.
    * `mil-image-c2`: the factors give extents of at least 1.
  }];
}

def MIL_ResizeNearestNeighborOp : MIL_Op<"resize_nearest_neighbor",
    [MIL_In<"x">, MIL_ConstIn<"target_size_height", "int32">,
     MIL_ConstIn<"target_size_width", "int32">],
    [MIL_TypeVar<"T", MIL_Float>]> {
  let summary = "repeats or drops rows and columns to a given size";
  let description = [{
    As `upsample_nearest_neighbor`, with the extents of the result given.

    ```mil
    func main<ios15>(tensor<fp16, [1, 16, 5, 6]> x) {
      tensor<fp16, [1, 16, 8, 3]> y = resize_nearest_neighbor(
          target_size_height = int32(8), target_size_width = int32(3), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-image-c1`: `x` has at least rank 3.
    * `mil-image-c2`: the sizes are positive.
  }];
}

def MIL_UpsampleBilinearOp : MIL_Op<"upsample_bilinear",
    [MIL_In<"x">, MIL_OptConstIn<"scale_factor_height", "1", "U">,
     MIL_OptConstIn<"scale_factor_width", "1", "U">,
     MIL_OptConstIn<"align_corners", "true", "bool">,
     MIL_Since<16, MIL_OptConstIn<"half_pixel_centers",
                                  "not align_corners", "bool">>],
    [MIL_TypeVar<"T", MIL_Float>,
     MIL_TypeVar<"U", MIL_FloatInt32>]> {
  let summary = "bilinear interpolation by scale factors";
  let description = [{
    The extents are those of `upsample_nearest_neighbor`. Place i of `out`
    places samples `in` elements at

    * i * (in - 1) / (out - 1) with `align_corners`,
    * (i + 1/2) * in / out - 1/2 with `half_pixel_centers`,
    * i * in / out with neither,

    limited to [0, in - 1]. The ratio is that of the extents, not the factor.
    `half_pixel_centers` exists from ios16 on and is the opposite of
    `align_corners` where it is not given.

    ```mil
    func main<ios16>(tensor<fp16, [1, 21, 33, 33]> x) {
      tensor<fp16, [1, 21, 264, 264]> y = upsample_bilinear(
          align_corners = bool(false), half_pixel_centers = bool(true),
          scale_factor_height = fp32(8.0), scale_factor_width = fp32(8.0),
          x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-image-c1`: `x` has at least rank 3.
    * `mil-image-c2`: the factors give extents of at least 1.
    * `mil-upsample_bilinear-c1`: at most one of the two flags is true.
  }];
}

def MIL_ResizeBilinearOp : MIL_Op<"resize_bilinear",
    [MIL_In<"x">, MIL_OptConstIn<"target_size_height", "1", "int32">,
     MIL_OptConstIn<"target_size_width", "1", "int32">,
     MIL_OptConstIn<"sampling_mode", "DEFAULT", "string">],
    [MIL_TypeVar<"T", MIL_Float>]> {
  let summary = "bilinear interpolation to a given size";
  let description = [{
    `x` is [*B, H, W]. Place i of `out` places samples `in` elements, by
    `sampling_mode`, at

    * STRICT_ALIGN_CORNERS: i * (in - 1) / (out - 1), 0 if `out` is 1;
    * ALIGN_CORNERS: the same, but (in - 1) / 2 if `out` is 1;
    * DEFAULT: i * in / out;
    * OFFSET_CORNERS: (i + 1/2) * max(1, in - 1) / out;
    * UNALIGN_CORNERS: (i + 1/2) * in / out - 1/2,

    limited to [0, in - 1]. Two elements, [0, 1], become [0, 0.4, 0.8, 1, 1] by
    DEFAULT and [0.1, 0.3, 0.5, 0.7, 0.9] by OFFSET_CORNERS.

    ```mil
    func main<ios15>(tensor<fp16, [1, 3, 480, 640]> x) {
      tensor<fp16, [1, 3, 224, 224]> y = resize_bilinear(
          sampling_mode = string("UNALIGN_CORNERS"),
          target_size_height = int32(224), target_size_width = int32(224),
          x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-image-c1`: `x` has at least rank 3.
    * `mil-image-c2`: the sizes are positive.
    * `mil-image-c3`: `sampling_mode` is one of the five.
  }];
}

def MIL_CropResizeOp : MIL_Op<"crop_resize",
    [MIL_In<"x">, MIL_Since<17, MIL_In<"boxes", "BOX_T">>,
     MIL_Since<17, MIL_OptIn<"box_indices", "BOX_INDEX_T", "BOX_INDEX_T",
                            "0 to N - 1">>,
     MIL_OptConstIn<"target_height", "1", "int32">,
     MIL_OptConstIn<"target_width", "1", "int32">,
     MIL_OptConstIn<"normalized_coordinates", "false", "bool">,
     MIL_OptConstIn<"spatial_scale", "1.0", "S">,
     MIL_OptConstIn<"box_coordinate_mode", "CORNERS_HEIGHT_FIRST", "string">,
     MIL_OptConstIn<"sampling_mode", "DEFAULT", "string">,
     MIL_Since<16, MIL_OptConstIn<"pad_value", "0.0">>,
     MIL_Before<17, MIL_In<"roi">>],
    [MIL_TypeVar<"T", MIL_Float>, MIL_TypeVar<"S", MIL_Float>,
     MIL_TypeVar<"BOX_T",
                 MIL_Domain<"dtype::Fp16 | dtype::Fp32 | dtype::UInt16">>,
     MIL_TypeVar<"BOX_INDEX_T", MIL_Domain<"dtype::Int32 | dtype::UInt16">>]> {
  let summary = "bilinear interpolation of boxes of images to one size";
  let description = [{
    `x` is [B, C, H, W]. From ios17 on `boxes` is [N, 4], `box_indices` [N], by
    default 0 to N - 1, names the image of each box, and the result is
    [N, C, target_height, target_width]. Before, `roi` is [N, 1, 4, 1, 1] with a
    result [N, B, C, ...], each box of each image; or [N, 1, 5, 1, 1], the index
    of the image in front of the box, with a result [N, 1, C, ...].

    A box is, by `box_coordinate_mode`, its first and its last row and column
    (CORNERS) or its centre and extents (CENTER_SIZE), rows first
    (HEIGHT_FIRST) or columns first (WIDTH_FIRST). Coordinates are multiplied by
    `spatial_scale`, and normalized ones by H - 1 and W - 1. A last row before
    the first flips the image.

    The places along a box from a to b are those of `resize_bilinear` with
    in = |b - a| + 1, counted from a towards b. A place outside the image takes
    `pad_value`; before ios16, which brought that, the image is mirrored at its
    edges there (inferred from one published result).

    ```mil
    func main<ios17>(tensor<fp16, [2, 8, 50, 68]> x,
        tensor<fp16, [3, 4]> boxes) {
      tensor<fp16, [3, 8, 7, 7]> y = crop_resize(
          box_coordinate_mode = string("CORNERS_WIDTH_FIRST"),
          box_indices = tensor<int32, [3]>([0, 0, 1]), boxes = boxes,
          sampling_mode = string("OFFSET_CORNERS"),
          spatial_scale = fp16(0.0625), target_height = int32(7),
          target_width = int32(7), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-image-c1`: `x` has rank 4.
    * `mil-image-c2`: the target sizes are positive.
    * `mil-image-c3`: `box_coordinate_mode` is one of the four, `sampling_mode`
      one of the five of `resize_bilinear`.
    * `mil-crop_resize-c1`: `boxes` is [N, 4]; `roi` is [N, 1, 4, 1, 1] or
      [N, 1, 5, 1, 1].
    * `mil-crop_resize-c2`: `box_indices` is [N]; without it N is at most B.
    * `mil-crop_resize-c3`: normalized boxes are fp16 or fp32.
  }];
}

def MIL_CropOp : MIL_Op<"crop",
    [MIL_In<"x">, MIL_ConstIn<"crop_height", "int32">,
     MIL_ConstIn<"crop_width", "int32">],
    [MIL_TypeVar<"T", MIL_Float>], [MIL_MovesElements]> {
  let summary = "cuts rows and columns off";
  let description = [{
    `x` is [*B, H, W]. `crop_height` = [top, bottom] rows and `crop_width` =
    [left, right] columns are left out.

    ```mil
    func main<ios15>(tensor<fp16, [1, 64, 36, 36]> x) {
      tensor<fp16, [1, 64, 32, 33]> y = crop(
          crop_height = tensor<int32, [2]>([2, 2]),
          crop_width = tensor<int32, [2]>([1, 2]), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-image-c1`: `x` has at least rank 3.
    * `mil-crop-c1`: each of the two lists has two entries, none negative.
    * `mil-crop-c2`: at least one row and one column stay.
  }];
}

def MIL_AffineOp : MIL_Op<"affine",
    [MIL_In<"x">, MIL_In<"transform_matrix">,
     MIL_ConstIn<"output_height", "int32">,
     MIL_ConstIn<"output_width", "int32">,
     MIL_ConstIn<"sampling_mode", "string">,
     MIL_ConstIn<"padding_mode", "string">, MIL_ConstIn<"padding_value">,
     MIL_ConstIn<"coordinates_mode", "string">,
     MIL_ConstIn<"align_corners", "bool">],
    [MIL_TypeVar<"T", MIL_Float>]> {
  let summary = "samples images at affinely transformed places";
  let description = [{
    `x` is [B, C, H, W], `transform_matrix` [B, 6] or, for all images, [1, 6];
    the result is [B, C, output_height, output_width]. With rows and columns
    counted from -1, the first, to 1, the last, the result at (x, y) is the
    image at (a0 x + a1 y + a2, b0 x + b1 y + b2), interpolated as by
    `resample`. The row of a matrix is [a0, a1, a2, b0, b1, b2]. A single row or
    column lies at -1.

    ```mil
    func main<ios15>(tensor<fp16, [4, 1, 28, 28]> x,
        tensor<fp16, [4, 6]> theta) {
      tensor<fp16, [4, 1, 32, 24]> y = affine(align_corners = bool(true),
          coordinates_mode = string("normalized_minus_one_to_one"),
          output_height = int32(32), output_width = int32(24),
          padding_mode = string("constant"), padding_value = fp16(0.0),
          sampling_mode = string("bilinear"), transform_matrix = theta, x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-image-c1`: `x` has rank 4.
    * `mil-image-c2`: the output sizes are positive.
    * `mil-image-c3`: `sampling_mode` is bilinear, `padding_mode` constant,
      `coordinates_mode` normalized_minus_one_to_one.
    * `mil-affine-c1`: `transform_matrix` is [B, 6] or [1, 6].
    * `mil-affine-c2`: `padding_value` is 0 and `align_corners` true.
  }];
}

def MIL_Coordinate
    : MIL_Domain<"dtype::Fp16 | dtype::Fp32 | dtype::Int8 | dtype::Int16 | "
                 "dtype::Int32 | dtype::UInt8 | dtype::UInt16">;

def MIL_ResampleOp : MIL_Op<"resample",
    [MIL_In<"x">, MIL_In<"coordinates", "U">,
     MIL_ConstIn<"sampling_mode", "string">,
     MIL_ConstIn<"padding_mode", "string">, MIL_ConstIn<"padding_value">,
     MIL_ConstIn<"coordinates_mode", "string">,
     MIL_ConstIn<"align_corners", "bool">],
    [MIL_TypeVar<"T", MIL_Float>,
     MIL_TypeVarBy<"U", MIL_FloatInt32, MIL_FloatInt32,
                   MIL_Coordinate, MIL_Coordinate>]> {
  let summary = "samples images at given places";
  let description = [{
    `x` is [B, C, H, W], `coordinates` [B, H2, W2, 2], column first; the result
    is [B, C, H2, W2]. A coordinate v along `n` elements is, by
    `coordinates_mode`, the place

    * unnormalized: v;
    * normalized_minus_one_to_one: (v + 1) / 2 * (n - 1), or without
      `align_corners` (v + 1) / 2 * n - 1/2;
    * normalized_zero_to_one: v * (n - 1), or v * n - 1/2.

    `sampling_mode` bilinear weighs the four elements around; nearest takes the
    nearest, of two the even one. Elements outside the image are, by
    `padding_mode`, `padding_value` (constant), the nearest inside (border), or
    mirrored without the edge (reflection) or with it (symmetric).

    Coordinates are fp32 or int32, from ios16 on also fp16, from ios17 on also
    integers of 8 and 16 bits.

    ```mil
    func main<ios16>(tensor<fp16, [1, 16, 20, 30]> x,
        tensor<fp16, [1, 10, 12, 2]> flow) {
      tensor<fp16, [1, 16, 10, 12]> y = resample(align_corners = bool(false),
          coordinates = flow,
          coordinates_mode = string("normalized_minus_one_to_one"),
          padding_mode = string("border"), padding_value = fp16(0.0),
          sampling_mode = string("bilinear"), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-image-c1`: `x` has rank 4.
    * `mil-image-c3`: the three modes are among those above.
    * `mil-resample-c1`: `coordinates` is [B, H2, W2, 2].
  }];
}

def MIL_ResizeOp : MIL_Op<"resize",
    [MIL_In<"x">, MIL_In<"shape", "U">,
     MIL_ConstIn<"resized_dims", "uint32">,
     MIL_OptConstIn<"interpolation_mode", "LINEAR", "string">,
     MIL_OptConstIn<"sampling_mode", "DEFAULT", "string">],
    [MIL_TypeVar<"T", MIL_FloatInt32>,
     MIL_TypeVar<"U", MIL_Domain<"dtype::Int16 | dtype::Int32 | "
                                 "dtype::UInt16 | dtype::UInt32">>]> {
  let summary = "interpolation along the last dimensions to a given shape";
  let description = [{
    The last `resized_dims` entries of `shape` are the last extents of the
    result; the others, and those whose entry is 0, are the extents of `x`.
    Places follow from `sampling_mode` as for `resize_bilinear`;
    `interpolation_mode` LINEAR interpolates along each dimension,
    NEAREST_NEIGHBOR takes the nearest element, of two the first. Integers are
    interpolated as fractions and truncated.

    ```mil
    func main<ios17>(tensor<fp16, [1, 2, 3, 4]> x) {
      tensor<fp16, [1, 2, 6, 8]> y = resize(
          interpolation_mode = string("LINEAR"), resized_dims = uint32(2),
          sampling_mode = string("DEFAULT"),
          shape = tensor<int32, [3]>([1, 6, 8]), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-image-c2`: the extents are positive.
    * `mil-image-c3`: `interpolation_mode` is one of the two, `sampling_mode`
      one of the five.
    * `mil-resize-c1`: `shape` has rank 1 and at most as many entries as `x`
      dimensions.
    * `mil-resize-c2`: `resized_dims` is at most the number of entries.
  }];
  let since = 17;
}


#endif // ANE_MIL_IMAGE_OPS_TD
