//===- MILTensorOps.td - Shape and storage --------------------------------===//

#ifndef ANE_MIL_TENSOR_OPS_TD
#define ANE_MIL_TENSOR_OPS_TD

include "MIL/MILOpBase.td"

def MIL_IdentityOp : MIL_Op<"identity", [MIL_In<"x">],
                            [MIL_TypeVar<"T", MIL_Any>],
                            [MIL_Elementwise, MIL_MovesElements]> {
  let summary = "copy";
  let description = [{
    The value of `x`. Text has it where a function returns one of its inputs.

    ```mil
    func main<ios15>(tensor<fp16, [1, 10, 4]> x) {
      tensor<fp16, [1, 10, 4]> y = identity(x = x);
    } -> (y);
    ```
  }];
}

def MIL_ConcatOp : MIL_Op<"concat",
    [MIL_VariadicIn<"values">, MIL_ConstIn<"axis", "int32">,
     MIL_OptConstIn<"interleave", "false", "bool">],
    [MIL_TypeVar<"T", MIL_Any>]> {
  let summary = "join values along an axis";
  let description = [{
    With `interleave` the values alternate element by element along the axis:
    [1, 2] and [3, 4] give [1, 3, 2, 4]. Scalars make a list, whatever the axis.

    ```mil
    func main<ios15>(tensor<fp16, [1, 64, 52, 52]> a,
        tensor<fp16, [1, 128, 52, 52]> b) {
      tensor<fp16, [1, 192, 52, 52]> y = concat(axis = int32(1),
          interleave = bool(false), values = (a, b));
    } -> (y);
    ```

    Constraints:
    * `mil-concat-c1`: there is at least one value, and all have one rank.
    * `mil-concat-c2`: the values agree in all extents but that of the axis.
    * `mil-concat-c3`: with `interleave` they agree in that one too.
    * `mil-axes-c1`, `mil-scalar-c1`: but for scalars the axis is a scalar in
      [-rank, rank).
  }];
}

def MIL_ReshapeOp : MIL_Op<"reshape",
    [MIL_In<"x">, MIL_In<"shape", "int32", "U">],
    [MIL_TypeVar<"T", MIL_FloatInt32Bool, MIL_Storage>,
     MIL_TypeVar<"U", MIL_ShapeInt>], [MIL_MovesElements, MIL_Reshapes]> {
  let summary = "the same elements in row-major order with another shape";
  let description = [{
    One entry of `shape` may be -1 and is inferred. An entry 0 stands for the
    extent of `x` at the same place, counted from the last; from ios17 on for 1
    where `x` has no such dimension.

    ```mil
    func main<ios16>(tensor<fp16, [1, 128, 768]> x) {
      tensor<fp16, [1, 128, 12, 64]> heads = reshape(
          shape = tensor<int32, [4]>([1, 128, 12, -1]), x = x);
    } -> (heads);
    ```

    Constraints:
    * `mil-reshape-c1`: at most one entry is -1, none is less.
    * `mil-reshape-c2`: the number of elements stays.
    * `mil-reshape-c3`: up to ios16, `shape` with an entry 0 has as many entries
      as `x` dimensions.
  }];
}

def MIL_ExpandDimsOp : MIL_Op<"expand_dims",
    [MIL_In<"x">, MIL_ConstIn<"axes", "int32">],
    [MIL_TypeVar<"T", MIL_FloatInt32Bool, MIL_Storage>],
    [MIL_MovesElements, MIL_Reshapes]> {
  let summary = "insert dimensions of extent 1";
  let description = [{
    `axes` count in the result.

    ```mil
    func main<ios15>(tensor<fp16, [3, 40]> x) {
      tensor<fp16, [1, 3, 40, 1]> y = expand_dims(
          axes = tensor<int32, [2]>([0, 3]), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-axes-c1`, `mil-axes-c2`: as for reductions, with the result's rank.
  }];
}

def MIL_SqueezeOp : MIL_Op<"squeeze",
    [MIL_In<"x">, MIL_OptConstIn<"axes", "all of extent 1", "int32">],
    [MIL_TypeVar<"T", MIL_FloatInt32Bool, MIL_Storage>],
    [MIL_MovesElements, MIL_Reshapes]> {
  let summary = "drop dimensions of extent 1";
  let description = [{
    A dimension that `axes` name but that has another extent stays. So does one
    of unknown extent, unless the declared result is without.

    ```mil
    func main<ios15>(tensor<fp16, [1, 512, 1, 1]> x) {
      tensor<fp16, [1, 512]> y = squeeze(axes = tensor<int32, [2]>([2, 3]),
          x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-axes-c1`, `mil-axes-c2`: as for reductions.
  }];
}

def MIL_BandPartOp : MIL_Op<"band_part",
    [MIL_In<"x">, MIL_OptConstIn<"lower", "-1", "int32">,
     MIL_OptConstIn<"upper", "-1", "int32">],
    [MIL_TypeVar<"T", MIL_FloatInt32Bool>]> {
  let summary = "a band around the diagonal, zeros elsewhere";
  let description = [{
    Of each matrix in the last two dimensions the elements (m, n) with
    m - n <= `lower` and n - m <= `upper` stay; a negative bound is none. So
    `lower` -1 and `upper` 0 leave the lower triangle, 0 and 0 the diagonal.

    ```mil
    func main<ios15>(tensor<fp16, [1, 1, 32, 32]> x) {
      tensor<fp16, [1, 1, 32, 32]> lower = band_part(lower = int32(-1),
          upper = int32(0), x = x);
    } -> (lower);
    ```

    Constraints:
    * `mil-band_part-c1`: `x` has rank 2 or more.
    * `mil-scalar-c1`: `lower` and `upper` are scalars.
  }];
}

def MIL_CumsumOp : MIL_Op<"cumsum",
    [MIL_In<"x">, MIL_OptConstIn<"axis", "0", "int32">,
     MIL_OptConstIn<"exclusive", "false", "bool">,
     MIL_OptConstIn<"reverse", "false", "bool">],
    [MIL_TypeVar<"T", MIL_FloatInt32>]> {
  let summary = "running sums along an axis";
  let description = [{
    y[i] = x[0] + ... + x[i] along `axis`. With `exclusive` a sum ends before
    its own element, so the first is 0. With `reverse` sums run from the end:
    y[i] = x[i] + ... + x[last].

    ```mil
    func main<ios15>(tensor<fp16, [2, 9]> x) {
      tensor<fp16, [2, 9]> y = cumsum(axis = int32(1), exclusive = bool(true),
          reverse = bool(false), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-axes-c1`, `mil-scalar-c1`: `axis` is a scalar in [-rank, rank).
  }];
}

def MIL_FillOp : MIL_Op<"fill",
    [MIL_In<"shape", "int32">, MIL_OptConstIn<"value", "0.0">],
    [MIL_TypeVar<"T", MIL_FloatInt32Bool>]> {
  let summary = "a tensor of one value";
  let description = [{
    The result has the extents that `shape` lists. Without `value` it is of
    floating-point zeros.

    ```mil
    func main<ios15>(tensor<fp16, [2, 3]> x) {
      tensor<fp16, [2, 3]> halves = fill(shape = tensor<int32, [2]>([2, 3]),
          value = fp16(0.5));
      tensor<fp16, [2, 3]> y = mul(x = x, y = halves);
    } -> (y);
    ```

    Constraints:
    * `mil-vector-c1`: `shape` has one dimension.
    * `mil-extent-c1`: each entry is an extent, 0 to 2^31 - 1.
    * `mil-scalar-c1`: `value` is a scalar.
  }];
}

def MIL_FillLikeOp : MIL_Op<"fill_like",
    [MIL_In<"ref_tensor">, MIL_OptConstIn<"value", "0.0", "U">],
    [MIL_TypeVar<"T", MIL_FloatInt32Bool>,
     MIL_TypeVar<"U", MIL_FloatInt32Bool>]> {
  let summary = "a tensor of one value with the shape of another";
  let description = [{
    The element type is that of `value`, not that of `ref_tensor`. Without
    `value` it is of floating-point zeros.

    ```mil
    func main<ios16>(tensor<fp16, [1, ?, 64]> x) {
      tensor<int32, [1, ?, 64]> ones = fill_like(ref_tensor = x,
          value = int32(1));
    } -> (ones);
    ```

    Constraints:
    * `mil-scalar-c1`: `value` is a scalar.
  }];
  let since = 16;
}

def MIL_NonMaximumSuppressionOp : MIL_Op<"non_maximum_suppression",
    [MIL_In<"boxes">, MIL_In<"scores">, MIL_ConstIn<"iou_threshold">,
     MIL_ConstIn<"max_boxes", "int32">,
     MIL_OptConstIn<"per_class_suppression", "false", "bool">,
     MIL_Before<17, MIL_ConstIn<"score_threshold">>],
    [MIL_TypeVar<"T", MIL_Float>]> {
  let summary = "the best boxes that do not overlap";
  let description = [{
    For each of N images: boxes are visited from the highest score down, and one
    is kept unless its intersection with a kept box is more than `iou_threshold`
    of their union. The score of a box is its largest over the K classes. With
    `per_class_suppression` only kept boxes of the same best class suppress. A
    box is (center x, center y, width, height). At most `max_boxes` are kept.

    | | `boxes` | `scores` | results |
    |---|---|---|---|
    | up to ios16 | [N, B, 4] | [N, B, K] | [N, max, 4], [N, max, K], [N, max], [N] |
    | from ios17 on | [N, 4, B] | [N, K, B] | [N, 4, max], [N, K, max], [N, max] |

    The results are the kept boxes, their scores, their indices and, up to
    ios16, how many there are. Unused places hold 0, in the indices -1. Up to
    ios16 boxes whose score is below `score_threshold` are left out.

    ```mil
    func main<ios17>(tensor<fp32, [1, 4, 900]> boxes,
        tensor<fp32, [1, 80, 900]> scores) {
      tensor<fp32, [1, 4, 100]> b, tensor<fp32, [1, 80, 100]> s,
          tensor<int32, [1, 100]> which =
          non_maximum_suppression(boxes = boxes, iou_threshold = fp32(0.5),
              max_boxes = int32(100), per_class_suppression = bool(true),
              scores = scores);
    } -> (b, s, which);
    ```

    Constraints:
    * `mil-non_maximum_suppression-c1`: `boxes` and `scores` have rank 3, boxes
      four coordinates.
    * `mil-non_maximum_suppression-c2`: they agree in images and boxes.
    * `mil-scalar-c1`: thresholds and `max_boxes` are scalars.
    * `mil-extent-c1`: `max_boxes` is an extent.
  }];
  let results = (outs MIL_Value:$kept_boxes, MIL_Value:$kept_scores,
                      MIL_Value:$kept_indices, Optional<MIL_Value>:$counts);
}

def MIL_NonZeroOp : MIL_Op<"non_zero",
    [MIL_In<"x">],
    [MIL_TypeVar<"T", MIL_FloatInt32Bool>]> {
  let summary = "where a tensor differs from zero";
  let description = [{
    One row of `rank` indices for each element that differs from 0, in row-major
    order; NaN differs. The number of rows is known only when the op runs, so
    the declared type is `tensor<int32, [?, rank]>`.

    ```mil
    func main<ios15>(tensor<bool, [6, 7]> mask) {
      tensor<int32, [?, 2]> places = non_zero(x = mask);
    } -> (places);
    ```
  }];
}

def MIL_OneHotOp : MIL_Op<"one_hot",
    [MIL_In<"indices", "int32">, MIL_In<"one_hot_vector_size", "int32">,
     MIL_OptConstIn<"axis", "-1", "int32">, MIL_OptConstIn<"on_value", "1">,
     MIL_OptConstIn<"off_value", "0">],
    [MIL_TypeVar<"T", MIL_FloatInt32Bool>]> {
  let summary = "indices as vectors with one element set";
  let description = [{
    The result has one dimension more than `indices`: at `axis`, of extent
    `one_hot_vector_size`. It is `on_value` where the position along it equals
    the index, else `off_value`; an index outside sets nothing.

    ```mil
    func main<ios15>(tensor<int32, [1, 20]> tokens) {
      tensor<fp16, [1, 20, 64]> y = one_hot(axis = int32(-1), indices = tokens,
          off_value = fp16(0.0), on_value = fp16(1.0),
          one_hot_vector_size = int32(64));
    } -> (y);
    ```

    Constraints:
    * `mil-axes-c1`, `mil-scalar-c1`: `axis` is a scalar that lies in the
      dimensions of the result; `one_hot_vector_size`, `on_value` and
      `off_value` are scalars.
    * `mil-extent-c1`: `one_hot_vector_size` is an extent.
  }];
}

def MIL_PadOp : MIL_Op<"pad",
    [MIL_In<"x">, MIL_In<"pad", "int32">,
     MIL_OptConstIn<"mode", "constant", "string">,
     MIL_OptConstIn<"constant_val", "0.0">],
    [MIL_TypeVar<"T", MIL_Float>]> {
  let summary = "add elements around the last dimensions";
  let description = [{
    `pad` has two entries for each of the last dimensions, the number of
    elements before and after: [before 0, after 0, before 1, ...]. `mode`:
    `constant` adds `constant_val`; `reflect` mirrors at the edge without
    repeating it, so [1, 2, 3] goes on 2, 1, 2; `replicate` repeats the edge.

    ```mil
    func main<ios15>(tensor<fp16, [1, 2, 3]> x) {
      tensor<fp16, [1, 4, 5]> y = pad(mode = string("reflect"),
          pad = tensor<int32, [4]>([1, 1, 1, 1]), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-pad-c1`: `pad` is a list of an even number of entries, at most two
      for each dimension of `x`.
    * `mil-pad-c2`: no entry is negative.
    * `mil-pad-c3`: `mode` is constant, reflect or replicate.
    * `mil-pad-c4`: where `reflect` and `replicate` add elements, there is one
      to repeat.
    * `mil-scalar-c1`: `constant_val` is a scalar.
    * `mil-extent-c1`: the extents of the result are such.
  }];
}

def MIL_Range1dOp : MIL_Op<"range_1d",
    [MIL_In<"end">, MIL_In<"start">, MIL_In<"step">],
    [MIL_TypeVar<"T", MIL_FloatInt32>]> {
  let summary = "equally spaced numbers";
  let description = [{
    `start`, `start` + `step`, ... up to but without `end`: max(0,
    ceil((end - start) / step)) numbers, where the difference and the quotient
    are rounded to the element type. Where one of the three is computed, the
    number is known only when the op runs.

    ```mil
    func main<ios15>(int32 length) {
      tensor<int32, [?]> positions = range_1d(end = length, start = int32(0),
          step = int32(1));
    } -> (positions);
    ```

    Constraints:
    * `mil-range_1d-c1`: `step` is not 0, and the number of elements is finite.
    * `mil-scalar-c1`: the three are scalars.
    * `mil-extent-c1`: the number of elements is an extent.
  }];
}

def MIL_ArgsortOp : MIL_Op<"argsort",
    [MIL_In<"x">, MIL_OptConstIn<"axis", "-1", "int32">,
     MIL_OptConstIn<"ascending", "false", "bool">],
    [MIL_TypeVar<"T", MIL_FloatInt32>]> {
  let summary = "the order of elements along an axis";
  let description = [{
    y[i] is the index of the i-th largest element, with `ascending` of the i-th
    smallest. Of equal elements the one that comes first is first, and NaN is
    last (both assigned: MIL leaves them open).

    ```mil
    func main<ios15>(tensor<fp16, [3, 25]> scores) {
      tensor<int32, [3, 25]> order = argsort(ascending = bool(false),
          axis = int32(-1), x = scores);
    } -> (order);
    ```

    Constraints:
    * `mil-axes-c1`, `mil-scalar-c1`: `axis` is a scalar in [-rank, rank).
  }];
}

def MIL_TopkOp : MIL_Op<"topk",
    [MIL_In<"x">, MIL_OptConstIn<"k", "1", "int32", "K">,
     MIL_OptConstIn<"axis", "-1", "int32">,
     MIL_OptConstIn<"ascending", "false", "bool">,
     MIL_Since<16, MIL_OptConstIn<"sort", "true", "bool">>,
     MIL_Since<16, MIL_OptConstIn<"return_indices", "true", "bool">>,
     MIL_Since<17, MIL_OptConstIn<"output_indices_dtype", "int32", "string">>],
    [MIL_TypeVar<"T", MIL_FloatInt32, MIL_Number>,
     MIL_TypeVar<"K", MIL_ShapeInt>]> {
  let summary = "the largest elements along an axis";
  let description = [{
    The first result has the `k` largest elements, with `ascending` the
    smallest, from the best on; the second has their indices along `axis`. A `k`
    of -1 means all. Without `sort` the order is open; the reference sorts too.
    Of equal elements the one that comes first is first.

    From ios16 on `return_indices` false leaves the second result out. Its
    element type is int32; from ios17 on `output_indices_dtype` names it.

    ```mil
    func main<ios17>(tensor<fp16, [1, 1000]> p) {
      tensor<fp16, [1, 5]> best, tensor<uint16, [1, 5]> which =
          topk(ascending = bool(false), axis = int32(-1), k = int32(5),
              output_indices_dtype = string("uint16"),
              return_indices = bool(true), sort = bool(true), x = p);
    } -> (best, which);
    ```

    Constraints:
    * `mil-axes-c1`, `mil-scalar-c1`: `axis` is a scalar in [-rank, rank), and
      `k` a scalar.
    * `mil-topk-c1`: `k` is -1 or between 0 and the extent of the axis.
    * `mil-topk-c2`: `output_indices_dtype` is int32 or uint16, and is given
      only for a second result.
  }];
  let results = (outs MIL_Value:$values, Optional<MIL_Value>:$indices);
}

def MIL_ShapeOp : MIL_Op<"shape",
    [MIL_In<"x">],
    [MIL_TypeVar<"T", MIL_FloatInt32Bool>]> {
  let summary = "the extents of a tensor";
  let description = [{
    A list of int32, as long as `x` has dimensions.

    ```mil
    func main<ios15>(tensor<fp16, [1, ?, 80]> x) {
      tensor<int32, [3]> extents = shape(x = x);
    } -> (extents);
    ```
  }];
}

def MIL_SplitOp : MIL_Op<"split",
    [MIL_In<"x">, MIL_OptConstIn<"num_splits", "none", "int32">,
     MIL_OptConstIn<"split_sizes", "none", "int32">,
     MIL_ConstIn<"axis", "int32">],
    [MIL_TypeVar<"T", MIL_FloatInt32Bool>], [MIL_MovesElements]> {
  let summary = "cut into parts along an axis";
  let description = [{
    As many results as parts: `num_splits` of equal extent, or one for each
    entry of `split_sizes`.

    ```mil
    func main<ios15>(tensor<fp16, [1, 10, 96]> qkv) {
      tensor<fp16, [1, 10, 32]> q, tensor<fp16, [1, 10, 32]> k,
          tensor<fp16, [1, 10, 32]> v =
          split(axis = int32(-1), num_splits = int32(3), x = qkv);
    } -> (q, k, v);
    ```

    Constraints:
    * `mil-axes-c1`, `mil-scalar-c1`: `axis` is a scalar in [-rank, rank), and
      `num_splits` a scalar.
    * `mil-vector-c1`: `split_sizes` has one dimension.
    * `mil-split-c1`: `num_splits` or `split_sizes` is given; of both, the
      number is that of the sizes.
    * `mil-split-c2`: `num_splits` is positive and divides the extent.
    * `mil-split-c3`: no size is negative, and they add up to the extent.
  }];
  let results = (outs Variadic<MIL_Value>:$results);
}

def MIL_StackOp : MIL_Op<"stack",
    [MIL_VariadicIn<"values", "any">, MIL_ConstIn<"axis", "int32">],
    []> {
  let summary = "join values along a new axis";
  let description = [{
    The result has one dimension more than the values, at `axis`, whose extent
    is their number.

    ```mil
    func main<ios15>(tensor<fp16, [4, 6]> a, tensor<fp16, [4, 6]> b) {
      tensor<fp16, [4, 2, 6]> y = stack(axis = int32(1), values = (a, b));
    } -> (y);
    ```

    Constraints:
    * `mil-stack-c1`: there is at least one value, and all are tensors of one
      element type and one shape.
    * `mil-axes-c1`, `mil-scalar-c1`: `axis` is a scalar that lies in the
      dimensions of the result.
    * `mil-extent-c1`: the extents of the result are such.
  }];
}

#endif // ANE_MIL_TENSOR_OPS_TD
