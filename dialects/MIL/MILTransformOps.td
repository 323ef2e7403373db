//===- MILTransformOps.td - Rearranging elements --------------------------===//

#ifndef ANE_MIL_TRANSFORM_OPS_TD
#define ANE_MIL_TRANSFORM_OPS_TD

include "MIL/MILOpBase.td"

def MIL_DepthToSpaceOp : MIL_Op<"depth_to_space",
    [MIL_In<"x">, MIL_ConstIn<"block_size", "int32">],
    [MIL_TypeVar<"T", MIL_Float>], [MIL_MovesElements]> {
  let summary = "channels to blocks of pixels, block first";
  let description = [{
    [N, C, H, W] becomes [N, C / b^2, H b, W b] for `block_size` b: pixel
    (by, bx) of a block of channel c is channel (by b + bx) C / b^2 + c.
    `pixel_shuffle` counts channels first.

    ```mil
    func main<ios15>(tensor<fp16, [1, 12, 90, 160]> x) {
      tensor<fp16, [1, 3, 180, 320]> y = depth_to_space(block_size = int32(2),
          x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-block-c1`: `x` has rank 4.
    * `mil-block-c2`: the factor is at least 1, and its square divides the
      channels.
    * `mil-scalar-c1`: `block_size` is a scalar.
    * `mil-extent-c1`: the extents of the result are such.
  }];
}

def MIL_ReshapeLikeOp : MIL_Op<"reshape_like",
    [MIL_In<"x">, MIL_VariadicIn<"ref_tensors", "any">,
     MIL_VariadicIn<"begins", "any">, MIL_VariadicIn<"ends", "any">,
     MIL_VariadicIn<"end_masks", "any">],
    [MIL_TypeVar<"T", MIL_FloatInt32Bool, MIL_Storage>], [MIL_MovesElements]> {
  let summary = "reshape to extents of other tensors";
  let description = [{
    The shape of the result is the extents [`begins`[i], `ends`[i]) of
    `ref_tensors`[i], one list after the other; where `end_masks`[i] is set, up
    to the last. Negative bounds count from the end.

    ```mil
    // The extents 0 and 1 of r, then extent 1 of s.
    func main<ios16>(tensor<fp16, [12]> x, tensor<fp16, [2, 2, 3]> r,
        tensor<fp16, [1, 3]> s) {
      tensor<fp16, [2, 2, 3]> y = reshape_like(begins = (int32(0), int32(1)),
          end_masks = (bool(false), bool(false)), ends = (int32(2), int32(2)),
          ref_tensors = (r, s), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-reshape_like-c1`: `begins`, `ends` and `end_masks` have as many
      entries as `ref_tensors`, which are tensors.
    * `mil-reshape_like-c2`: bounds lie in [-rank, rank] of their tensor.
    * `mil-reshape_like-c3`: the number of elements stays.
    * `mil-scalar-c1`: each entry is a scalar.
    * `mil-extent-c1`: the extents of the result are such.
  }];
  let since = 16;
}

def MIL_ReverseOp : MIL_Op<"reverse",
    [MIL_In<"x">, MIL_OptConstIn<"axes", "all", "int32">],
    [MIL_TypeVar<"T", MIL_FloatInt32Bool, MIL_Storage>], [MIL_MovesElements]> {
  let summary = "mirror along axes";
  let description = [{
    Along each of `axes`, of all without them, the last element comes first.

    ```mil
    func main<ios15>(tensor<fp16, [1, 30, 5]> x) {
      tensor<fp16, [1, 30, 5]> y = reverse(axes = tensor<int32, [1]>([1]),
          x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-axes-c1`, `mil-axes-c2`: as for reductions.
  }];
}

def MIL_ReverseSequenceOp : MIL_Op<"reverse_sequence",
    [MIL_In<"x">, MIL_In<"lengths", "int32", "U">,
     MIL_OptConstIn<"seq_axis", "0", "int32">,
     MIL_OptConstIn<"batch_axis", "0", "int32">],
    [MIL_TypeVar<"T", MIL_FloatInt32Bool, MIL_Storage>,
     MIL_TypeVar<"U", MIL_ShapeInt>]> {
  let summary = "mirror the beginning of each sequence";
  let description = [{
    For each index i along `batch_axis` the first `lengths`[i] elements along
    `seq_axis` come in reverse order; those behind them stay. The axes are 0
    unless given, so one of them must be.

    ```mil
    func main<ios15>(tensor<fp16, [2, 10, 4]> x) {
      tensor<fp16, [2, 10, 4]> y = reverse_sequence(batch_axis = int32(0),
          lengths = tensor<int32, [2]>([7, 10]), seq_axis = int32(1), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-axes-c1`, `mil-scalar-c1`: both axes are scalars in [-rank, rank).
    * `mil-reverse_sequence-c1`: they differ.
    * `mil-reverse_sequence-c2`: `lengths` has one entry for each element along
      `batch_axis`.
    * `mil-reverse_sequence-c3`: a length lies between 0 and the extent of
      `seq_axis`.
  }];
}

def MIL_SliceByIndexOp : MIL_Op<"slice_by_index",
    [MIL_In<"x">, MIL_In<"begin", "int32", "U">, MIL_In<"end", "int32", "U">,
     MIL_OptConstIn<"stride", "ones", "int32", "U">,
     MIL_OptConstIn<"begin_mask", "false", "M">,
     MIL_OptConstIn<"end_mask", "false", "M">,
     MIL_OptConstIn<"squeeze_mask", "false", "M">],
    [MIL_TypeVar<"M", MIL_Bool>,
     MIL_TypeVar<"T", MIL_FloatInt32Bool, MIL_Storage>,
     MIL_TypeVar<"U", MIL_ShapeInt>], [MIL_MovesElements]> {
  let summary = "a strided slice between bounds";
  let description = [{
    Indices `begin`, `begin` + `stride`, ... before `end`, in each dimension,
    as slices of Python: a negative bound counts from the end, then bounds are
    clamped to the extent. A stride is 1 unless given; with a negative one,
    `end` is the bound below. Where `begin_mask` or `end_mask` is set the bound
    is ignored, and the slice starts or ends at the edge. Where `squeeze_mask`
    is set the dimension goes, and the index `begin` is taken, or 0 where
    `begin_mask` is set, too.

    ```mil
    // Row 1, all columns backwards, elements 1, 3 and 5.
    func main<ios15>(tensor<fp16, [4, 5, 6]> x) {
      tensor<fp16, [5, 3]> y = slice_by_index(
          begin = tensor<int32, [3]>([1, 0, 1]),
          begin_mask = tensor<bool, [3]>([false, true, false]),
          end = tensor<int32, [3]>([2, 0, 6]),
          end_mask = tensor<bool, [3]>([false, true, false]),
          squeeze_mask = tensor<bool, [3]>([true, false, false]),
          stride = tensor<int32, [3]>([1, -1, 2]), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-vector-c1`: bounds, strides, masks have one entry for each dimension
      of `x`.
    * `mil-slice-c1`: no stride is 0.
    * `mil-slice-c2`: the index of a squeezed dimension lies in it.
    * `mil-extent-c1`: the extents of the result are such.
  }];
}

def MIL_SliceBySizeOp : MIL_Op<"slice_by_size",
    [MIL_In<"x">, MIL_In<"begin", "int32", "U">, MIL_In<"size", "int32", "U">],
    [MIL_TypeVar<"T", MIL_FloatInt32Bool, MIL_Storage>,
     MIL_TypeVar<"U", MIL_ShapeInt>], [MIL_MovesElements]> {
  let summary = "a slice of a size";
  let description = [{
    `size`[i] elements from `begin`[i] on, in each dimension; size -1 means up
    to the end. A negative `begin` counts from the end.

    ```mil
    func main<ios15>(tensor<fp16, [1, 77, 768]> x) {
      tensor<fp16, [1, 1, 768]> y = slice_by_size(
          begin = tensor<int32, [3]>([0, 76, 0]),
          size = tensor<int32, [3]>([1, 1, -1]), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-vector-c1`: `begin` and `size` have one entry for each dimension.
    * `mil-slice_by_size-c1`: no size is less than -1.
    * `mil-slice_by_size-c2`: the slice lies in `x`.
    * `mil-extent-c1`: the extents of the result are such.
  }];
}

def MIL_SliceUpdateOp : MIL_Op<"slice_update",
    [MIL_In<"x">, MIL_In<"update">, MIL_In<"begin", "U">, MIL_In<"end", "U">,
     MIL_OptConstIn<"stride", "ones", "U">,
     MIL_OptConstIn<"begin_mask", "false", "M">,
     MIL_OptConstIn<"end_mask", "false", "M">,
     MIL_OptConstIn<"squeeze_mask", "false", "M">],
    [MIL_TypeVar<"M", MIL_Bool>,
     MIL_TypeVar<"T", MIL_Storage>, MIL_TypeVar<"U", MIL_ShapeInt>]> {
  let summary = "a tensor with a slice replaced";
  let description = [{
    `x`, but where `slice_by_index` with the same bounds, strides and masks
    would read, `update` is written.

    ```mil
    func main<ios18>(tensor<fp16, [1, 8, 128, 64]> cache,
        tensor<fp16, [1, 8, 1, 64]> new) {
      tensor<fp16, [1, 8, 128, 64]> y = slice_update(
          begin = tensor<int32, [4]>([0, 0, 5, 0]),
          end = tensor<int32, [4]>([1, 8, 6, 64]), update = new, x = cache);
    } -> (y);
    ```

    Constraints:
    * `mil-vector-c1`, `mil-slice-c1`, `mil-slice-c2`: as for `slice_by_index`.
    * `mil-slice_update-c1`: `update` has the shape of the slice.
  }];
  let since = 18;
}

def MIL_SpaceToDepthOp : MIL_Op<"space_to_depth",
    [MIL_In<"x">, MIL_ConstIn<"block_size", "int32">],
    [MIL_TypeVar<"T", MIL_Float>], [MIL_MovesElements]> {
  let summary = "blocks of pixels to channels, block first";
  let description = [{
    The inverse of `depth_to_space`: [N, C, H, W] becomes
    [N, C b^2, H / b, W / b].

    ```mil
    func main<ios15>(tensor<fp16, [1, 3, 640, 640]> x) {
      tensor<fp16, [1, 12, 320, 320]> y = space_to_depth(block_size = int32(2),
          x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-block-c1`: `x` has rank 4.
    * `mil-block-c2`: the factor is at least 1 and divides height and width.
    * `mil-scalar-c1`: `block_size` is a scalar.
    * `mil-extent-c1`: the extents of the result are such.
  }];
}

def MIL_SpaceToBatchOp : MIL_Op<"space_to_batch",
    [MIL_In<"x">, MIL_ConstIn<"block_shape", "int32">,
     MIL_ConstIn<"paddings", "int32">],
    [MIL_TypeVar<"T", MIL_Float>]> {
  let summary = "blocks of pixels to batches";
  let description = [{
    Rows and columns of `x` [N, C, H, W] are padded with zeros by `paddings`, and
    each pixel of a block goes to a batch of its own: element (n, c, h, w) of the result's batch
    (by bw + bx) N + n is pixel (h bh + by, w bw + bx) of the padded batch n.

    ```mil
    func main<ios15>(tensor<fp16, [1, 32, 9, 13]> x) {
      tensor<fp16, [4, 32, 5, 7]> y = space_to_batch(
          block_shape = tensor<int32, [2]>([2, 2]),
          paddings = tensor<int32, [2, 2]>([[0, 1], [1, 0]]), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-batch-c1`: `x` has rank 4, `block_shape` is [2] and the other parameter
      [2, 2].
    * `mil-batch-c2`: blocks are at least 1, paddings and crops not negative.
    * `mil-space_to_batch-c1`: blocks divide the padded extents.
    * `mil-extent-c1`: the extents of the result are such.
  }];
}

def MIL_BatchToSpaceOp : MIL_Op<"batch_to_space",
    [MIL_In<"x">, MIL_ConstIn<"block_shape", "int32">,
     MIL_ConstIn<"crops", "int32">],
    [MIL_TypeVar<"T", MIL_Float>], [MIL_MovesElements]> {
  let summary = "batches to blocks of pixels";
  let description = [{
    The inverse of `space_to_batch`: the extents grow by `block_shape`, then
    `crops` elements are cut off before and after.

    ```mil
    func main<ios15>(tensor<fp16, [4, 32, 5, 7]> x) {
      tensor<fp16, [1, 32, 9, 13]> y = batch_to_space(
          block_shape = tensor<int32, [2]>([2, 2]),
          crops = tensor<int32, [2, 2]>([[0, 1], [1, 0]]), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-batch-c1`, `mil-batch-c2`: as for `space_to_batch`.
    * `mil-batch_to_space-c1`: the product of the blocks divides the batch.
    * `mil-batch_to_space-c2`: no more is cut off than there is.
    * `mil-extent-c1`: the extents of the result are such.
  }];
}

def MIL_TransposeOp : MIL_Op<"transpose",
    [MIL_In<"x">, MIL_ConstIn<"perm", "int32">],
    [MIL_TypeVar<"T", MIL_FloatInt32Bool, MIL_Storage>], [MIL_MovesElements]> {
  let summary = "reorder dimensions";
  let description = [{
    Dimension i of the result is dimension `perm`[i] of `x`; a negative entry
    counts from the end.

    ```mil
    func main<ios15>(tensor<fp16, [1, 50, 8, 64]> x) {
      tensor<fp16, [1, 8, 50, 64]> y = transpose(
          perm = tensor<int32, [4]>([0, 2, 1, 3]), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-vector-c1`: `perm` has one entry for each dimension of `x`.
    * `mil-axes-c1`, `mil-axes-c2`: each dimension is given once.
  }];
}

def MIL_PixelShuffleOp : MIL_Op<"pixel_shuffle",
    [MIL_In<"x">, MIL_ConstIn<"upscale_factor", "int32">],
    [MIL_TypeVar<"T", MIL_Float>], [MIL_MovesElements]> {
  let summary = "channels to blocks of pixels, channel first";
  let description = [{
    [N, C, H, W] becomes [N, C / r^2, H r, W r] for `upscale_factor` r: pixel
    (by, bx) of a block of channel c is channel c r^2 + by r + bx.

    ```mil
    func main<ios15>(tensor<fp16, [1, 27, 120, 120]> x) {
      tensor<fp16, [1, 3, 360, 360]> y = pixel_shuffle(
          upscale_factor = int32(3), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-block-c1`, `mil-block-c2`, `mil-scalar-c1`, `mil-extent-c1`: as for
      `depth_to_space`.
  }];
}

def MIL_PixelUnshuffleOp : MIL_Op<"pixel_unshuffle",
    [MIL_In<"x">, MIL_ConstIn<"downscale_factor", "uint32">],
    [MIL_TypeVar<"T", MIL_Float>], [MIL_MovesElements]> {
  let summary = "blocks of pixels to channels, channel first";
  let description = [{
    The inverse of `pixel_shuffle`: [N, C, H, W] becomes
    [N, C r^2, H / r, W / r].

    ```mil
    func main<ios16>(tensor<fp16, [1, 4, 64, 64]> x) {
      tensor<fp16, [1, 16, 32, 32]> y = pixel_unshuffle(
          downscale_factor = uint32(2), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-block-c1`, `mil-block-c2`, `mil-scalar-c1`, `mil-extent-c1`: as for
      `space_to_depth`.
  }];
  let since = 16;
}

def MIL_SlidingWindowsOp : MIL_Op<"sliding_windows",
    [MIL_In<"x">, MIL_ConstIn<"axis", "int32">, MIL_ConstIn<"size", "int32">,
     MIL_OptConstIn<"stride", "1", "int32">],
    [MIL_TypeVar<"T", MIL_FloatInt32, MIL_Storage>], [MIL_MovesElements]> {
  let summary = "windows along an axis";
  let description = [{
    The axis, of extent D, becomes two: (D - size) / stride + 1 windows, and the
    `size` elements of each. Window i starts at i `stride`.

    ```mil
    // The windows are elements 0 and 1, 1 and 2, 2 and 3.
    func main<ios15>(tensor<fp16, [1, 4]> x) {
      tensor<fp16, [1, 3, 2]> y = sliding_windows(axis = int32(1),
          size = int32(2), stride = int32(1), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-axes-c1`, `mil-scalar-c1`: `axis` is a scalar in [-rank, rank);
      `size` and `stride` are scalars.
    * `mil-sliding_windows-c1`: `size` and `stride` are at least 1.
    * `mil-sliding_windows-c2`: a window is no longer than the axis.
    * `mil-extent-c1`: the extents of the result are such.
  }];
}

def MIL_Flatten2dOp : MIL_Op<"flatten2d",
    [MIL_In<"x">, MIL_OptConstIn<"axis", "1", "int32">],
    [MIL_TypeVar<"T", MIL_FloatInt32Bool>], [MIL_MovesElements, MIL_Reshapes]> {
  let summary = "the dimensions before an axis as rows, the others as columns";
  let description = [{
    The result has two dimensions: the product of the extents before `axis`, 1
    for axis 0, and that of the others.

    ```mil
    func main<ios15>(tensor<fp16, [4, 16, 5, 5]> x) {
      tensor<fp16, [4, 400]> y = flatten2d(axis = int32(1), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-flatten2d-c1`: `axis` lies in [-rank, rank].
  }];
}

def MIL_TileOp : MIL_Op<"tile",
    [MIL_In<"x">, MIL_In<"reps", "int32">],
    [MIL_TypeVar<"T", MIL_FloatInt32Bool>], [MIL_MovesElements]> {
  let summary = "repeat along each dimension";
  let description = [{
    Dimension i of the result is x repeated `reps`[i] times.

    ```mil
    func main<ios15>(tensor<fp16, [1, 1, 64]> x) {
      tensor<fp16, [1, 10, 64]> y = tile(reps = tensor<int32, [3]>([1, 10, 1]),
          x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-vector-c1`: `reps` has one entry for each dimension of `x`.
    * `mil-tile-c1`: each entry is at least 1.
    * `mil-extent-c1`: the extents of the result are such.
  }];
}

#endif // ANE_MIL_TRANSFORM_OPS_TD
