//===- MILIndexingOps.td - Gather and scatter -----------------------------===//

#ifndef ANE_MIL_INDEXING_OPS_TD
#define ANE_MIL_INDEXING_OPS_TD

include "MIL/MILOpBase.td"

def MIL_GatherOp : MIL_Op<"gather",
    [MIL_In<"x">, MIL_In<"indices", "I">,
     MIL_OptConstIn<"axis", "0", "int32">,
     MIL_Since<16, MIL_OptConstIn<"batch_dims", "0", "int32">>,
     MIL_Since<17, MIL_OptConstIn<"validate_indices", "false", "bool">>],
    [MIL_TypeVar<"T", MIL_FloatInt32, MIL_Number>,
     MIL_TypeVarBy<"I", MIL_Int32, MIL_WideIndex, MIL_Index, MIL_Index>]> {
  let summary = "slices chosen by index";
  let description = [{
    y[a..., i..., b...] = x[a..., indices[i...], b...] with the index at `axis`.
    The first `batch_dims` dimensions (from ios16 on) are common to `x` and
    `indices`: the result is `x`.shape[:axis] + `indices`.shape[batch_dims:] +
    `x`.shape[axis+1:].

    Up to ios16 an index in [-extent, 0) counts from the end. From ios17 on it
    is out of bounds, which with `validate_indices` is an error and without
    undefined; the reference counts from the end then too (assigned). An index
    out of bounds either way is an error of the reference.

    ```mil
    // Row n of the indices picks rows of x[n].
    func main<ios16>(tensor<fp16, [2, 3, 4]> x, tensor<int32, [2, 5]> indices) {
      tensor<fp16, [2, 5, 4]> y = gather(axis = int32(1), batch_dims = int32(1),
          indices = indices, x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-axes-c1`, `mil-scalar-c1`: `axis` is a scalar in [-rank, rank), and
      `batch_dims` a scalar.
    * `mil-batch_dims-c1`: `batch_dims` lies between 0 and the rank of
      `indices`, and is at most `axis`.
    * `mil-batch_dims-c2`: `x` and `indices` agree in those dimensions.
    * `mil-extent-c1`: the extents of the result are such.
    * `mil-index-c1`: an index that is known at compile time is not out of
      bounds either way, and with `validate_indices` not negative.
  }];
}

def MIL_ScatterOp : MIL_Op<"scatter",
    [MIL_In<"data">, MIL_In<"indices", "int32">, MIL_In<"updates">,
     MIL_OptConstIn<"axis", "0", "int32">,
     MIL_OptConstIn<"mode", "add", "string">,
     MIL_Since<17, MIL_OptConstIn<"validate_indices", "false", "bool">>],
    [MIL_TypeVar<"T", MIL_FloatInt32>]> {
  let summary = "update slices chosen by index";
  let description = [{
    `data`, where slice `indices`[i] along `axis` is combined with slice i of
    `updates`, whose shape is `data`.shape[:axis] + `indices`.shape +
    `data`.shape[axis+1:].

    `mode` says what becomes of an element d and an update u: `update` u, `add`
    d + u, `sub` d - u, `mul` d u, `div` d / u, `max` and `min` the larger and
    the smaller. Updates of one element apply in row-major order. A quotient of
    integers is rounded towards zero (assigned).

    Up to ios16 an index in [-extent, 0) counts from the end. From ios17 on it
    is out of bounds, which with `validate_indices` is an error and without
    undefined; the reference counts from the end then too (assigned). An index
    out of bounds either way is an error of the reference.

    ```mil
    func main<ios17>(tensor<fp16, [8, 64]> data, tensor<int32, [3]> rows,
        tensor<fp16, [3, 64]> updates) {
      tensor<fp16, [8, 64]> y = scatter(axis = int32(0), data = data,
          indices = rows, mode = string("update"), updates = updates,
          validate_indices = bool(false));
    } -> (y);
    ```

    Constraints:
    * `mil-axes-c1`, `mil-scalar-c1`: `axis` is a scalar in [-rank, rank).
    * `mil-scatter-c1`: `mode` is one of the seven.
    * `mil-scatter-c2`: `updates` has the shape above.
    * `mil-index-c1`: as for `gather`.
  }];
}

def MIL_GatherAlongAxisOp : MIL_Op<"gather_along_axis",
    [MIL_In<"x">, MIL_In<"indices", "I">,
     MIL_OptConstIn<"axis", "0", "int32">,
     MIL_Since<17, MIL_OptConstIn<"validate_indices", "false", "bool">>],
    [MIL_TypeVar<"T", MIL_FloatInt32, MIL_Number>,
     MIL_TypeVarBy<"I", MIL_Int32, MIL_WideIndex, MIL_Index, MIL_Index>]> {
  let summary = "elements chosen by index along an axis";
  let description = [{
    y[..., i, ...] = x[..., indices[..., i, ...], ...] with the index at `axis`;
    the result has the shape of `indices`.

    Up to ios16 an index in [-extent, 0) counts from the end. From ios17 on it
    is out of bounds, which with `validate_indices` is an error and without
    undefined; the reference counts from the end then too (assigned). An index
    out of bounds either way is an error of the reference.

    ```mil
    func main<ios17>(tensor<fp16, [2, 10, 4]> x,
        tensor<int32, [2, 3, 4]> indices) {
      tensor<fp16, [2, 3, 4]> y = gather_along_axis(axis = int32(1),
          indices = indices, validate_indices = bool(false), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-axes-c1`, `mil-scalar-c1`: `axis` is a scalar in [-rank, rank).
    * `mil-along_axis-c1`: `indices` has the rank of the tensor it points into,
      and its extents but that of the axis.
    * `mil-index-c1`: as for `gather`.
  }];
}

def MIL_ScatterAlongAxisOp : MIL_Op<"scatter_along_axis",
    [MIL_In<"data">, MIL_In<"indices", "int32">, MIL_In<"updates">,
     MIL_OptConstIn<"axis", "0", "int32">,
     MIL_OptConstIn<"mode", "add", "string">,
     MIL_Since<17, MIL_OptConstIn<"validate_indices", "false", "bool">>],
    [MIL_TypeVar<"T", MIL_FloatInt32>]> {
  let summary = "update elements chosen by index along an axis";
  let description = [{
    `data`, where element `indices`[..., i, ...] along `axis` is combined with
    `updates`[..., i, ...].

    `mode` says what becomes of an element d and an update u: `update` u, `add`
    d + u, `sub` d - u, `mul` d u, `div` d / u, `max` and `min` the larger and
    the smaller. Updates of one element apply in row-major order. A quotient of
    integers is rounded towards zero (assigned).

    Up to ios16 an index in [-extent, 0) counts from the end. From ios17 on it
    is out of bounds, which with `validate_indices` is an error and without
    undefined; the reference counts from the end then too (assigned). An index
    out of bounds either way is an error of the reference.

    ```mil
    func main<ios15>(tensor<fp32, [4, 9]> data, tensor<int32, [4, 2]> indices,
        tensor<fp32, [4, 2]> updates) {
      tensor<fp32, [4, 9]> y = scatter_along_axis(axis = int32(-1), data = data,
          indices = indices, mode = string("max"), updates = updates);
    } -> (y);
    ```

    Constraints:
    * `mil-axes-c1`, `mil-scalar-c1`: `axis` is a scalar in [-rank, rank).
    * `mil-along_axis-c1`: as for `gather_along_axis`.
    * `mil-scatter-c1`: `mode` is one of the seven.
    * `mil-scatter-c2`: `updates` has the shape of `indices`.
    * `mil-index-c1`: as for `gather`.
  }];
}

def MIL_GatherNdOp : MIL_Op<"gather_nd",
    [MIL_In<"x">, MIL_In<"indices", "I">,
     MIL_Since<16, MIL_OptConstIn<"batch_dims", "0", "int32">>,
     MIL_Since<17, MIL_OptConstIn<"validate_indices", "false", "bool">>],
    [MIL_TypeVar<"T", MIL_FloatInt32, MIL_Number>,
     MIL_TypeVarBy<"I", MIL_Int32, MIL_WideIndex, MIL_Index, MIL_Index>]> {
  let summary = "slices chosen by tuples of indices";
  let description = [{
    The last dimension of `indices` holds tuples of K indices, which choose in
    the K dimensions of `x` behind the first `batch_dims` (from ios16 on), which
    both have in common. The result is `indices`.shape[:-1] +
    `x`.shape[batch_dims+K:].

    Up to ios16 an index in [-extent, 0) counts from the end. From ios17 on it
    is out of bounds, which with `validate_indices` is an error and without
    undefined; the reference counts from the end then too (assigned). An index
    out of bounds either way is an error of the reference.

    ```mil
    // Each of the 7 places is a row and a column.
    func main<ios17>(tensor<fp16, [16, 20, 3]> image,
        tensor<int32, [7, 2]> places) {
      tensor<fp16, [7, 3]> colours = gather_nd(batch_dims = int32(0),
          indices = places, validate_indices = bool(false), x = image);
    } -> (colours);
    ```

    Constraints:
    * `mil-scalar-c1`: `batch_dims` is a scalar.
    * `mil-batch_dims-c1`: `batch_dims` lies between 0 and the rank of `indices`
      less 1.
    * `mil-batch_dims-c2`: `x` and `indices` agree in those dimensions.
    * `mil-tuple-c1`: `indices` has rank 1 or more, its last extent is known and
      no more than the dimensions that it chooses in.
    * `mil-extent-c1`: the extents of the result are such.
    * `mil-index-c1`: as for `gather`.
  }];
}

def MIL_ScatterNdOp : MIL_Op<"scatter_nd",
    [MIL_In<"data">, MIL_In<"indices", "int32">, MIL_In<"updates">,
     MIL_OptConstIn<"mode", "add", "string">,
     MIL_Since<17, MIL_OptConstIn<"validate_indices", "false", "bool">>],
    [MIL_TypeVar<"T", MIL_FloatInt32>]> {
  let summary = "update slices chosen by tuples of indices";
  let description = [{
    `data`, where the slice at each tuple of K indices, the last dimension of
    `indices`, is combined with that of `updates`, whose shape is
    `indices`.shape[:-1] + `data`.shape[K:].

    `mode` says what becomes of an element d and an update u: `update` u, `add`
    d + u, `sub` d - u, `mul` d u, `div` d / u, `max` and `min` the larger and
    the smaller. Updates of one element apply in row-major order. A quotient of
    integers is rounded towards zero (assigned).

    Up to ios16 an index in [-extent, 0) counts from the end. From ios17 on it
    is out of bounds, which with `validate_indices` is an error and without
    undefined; the reference counts from the end then too (assigned). An index
    out of bounds either way is an error of the reference.

    ```mil
    func main<ios15>(tensor<int32, [6, 6]> counts, tensor<int32, [40, 2]> pairs,
        tensor<int32, [40]> ones) {
      tensor<int32, [6, 6]> y = scatter_nd(data = counts, indices = pairs,
          mode = string("add"), updates = ones);
    } -> (y);
    ```

    Constraints:
    * `mil-tuple-c1`: as for `gather_nd`.
    * `mil-scatter-c1`: `mode` is one of the seven.
    * `mil-scatter-c2`: `updates` has the shape above.
    * `mil-index-c1`: as for `gather`.
  }];
}

#endif // ANE_MIL_INDEXING_OPS_TD
