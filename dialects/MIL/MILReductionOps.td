//===- MILReductionOps.td - Reduction along axes --------------------------===//

#ifndef ANE_MIL_REDUCTION_OPS_TD
#define ANE_MIL_REDUCTION_OPS_TD

include "MIL/MILOpBase.td"

/// A reduction of `x` over some of its dimensions.
class MIL_ReductionOp<string mnemonic, string text = "">
    : MIL_Op<mnemonic,
             [MIL_In<"x">, MIL_OptConstIn<"axes", "all", "int32">,
              MIL_OptConstIn<"keep_dims", "false", "bool">],
             [MIL_TypeVar<"T", MIL_FloatInt32>], [MIL_ReductionInterface]> {
  let inference = "inferReduction(*this, types)";
  let description = text # [{
    Over the dimensions `axes`, in any order and counted from the back where
    negative; over all where absent, over none where empty. They vanish, or with
    `keep_dims` stay with extent 1. The result has the element type of `x`;
    terms are added up without intermediate rounding.
  }] # example # [{
    Constraints:
    * `mil-axes-c1`: each axis lies in [-rank, rank).
    * `mil-axes-c2`: no axis is given twice.
  }];
}

defvar MIL_ReducedTruncateText = [{
    Of int32, the real result truncated towards zero and saturated, as `cast`
    does it (assigned).
  }];
defvar MIL_ReducedWrapText = [{
    Of int32, the low 32 bits of the exact result.
  }];

def MIL_ReduceL1NormOp
    : MIL_ReductionOp<"reduce_l1_norm", MIL_ReducedWrapText> {
  let summary = "sum of |x|";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [8, 100]> x) {
      tensor<fp16, [8]> y = reduce_l1_norm(axes = tensor<int32, [1]>([1]),
          keep_dims = bool(false), x = x);
    } -> (y);
    ```
  }];
}
def MIL_ReduceL2NormOp
    : MIL_ReductionOp<"reduce_l2_norm", MIL_ReducedTruncateText> {
  let summary = "square root of the sum of x * x";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [4, 256, 1]> x) {
      tensor<fp16, [4, 1, 1]> length = reduce_l2_norm(
          axes = tensor<int32, [1]>([1]), keep_dims = bool(true), x = x);
    } -> (length);
    ```
  }];
}
def MIL_ReduceLogSumOp
    : MIL_ReductionOp<"reduce_log_sum", MIL_ReducedTruncateText> {
  let summary = "natural logarithm of the sum";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [2, 3, 20]> p) {
      tensor<fp16, [2, 3, 1]> y = reduce_log_sum(
          axes = tensor<int32, [1]>([-1]), keep_dims = bool(true), x = p);
    } -> (y);
    ```
  }];
}
def MIL_ReduceLogSumExpOp
    : MIL_ReductionOp<"reduce_log_sum_exp", MIL_ReducedTruncateText # [{
    The maximum is subtracted first, so that no exponential overflows.
  }]> {
  let summary = "natural logarithm of the sum of exp(x)";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp32, [1, 1000]> logits) {
      tensor<fp32, [1, 1]> y = reduce_log_sum_exp(
          axes = tensor<int32, [1]>([-1]), keep_dims = bool(true), x = logits);
    } -> (y);
    ```
  }];
}
def MIL_ReduceMaxOp : MIL_ReductionOp<"reduce_max", [{
    NaN if there is one. Of no element, minus infinity or the smallest int32
    (assigned).
  }]> {
  let summary = "maximum";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 32, 9, 9]> x) {
      tensor<fp16, [1, 32, 1, 1]> y = reduce_max(
          axes = tensor<int32, [2]>([2, 3]), keep_dims = bool(true), x = x);
    } -> (y);
    ```
  }];
}
def MIL_ReduceMeanOp : MIL_ReductionOp<"reduce_mean", [{
    Of int32, truncated towards zero (assigned). Of no element, NaN or 0.
  }]> {
  let summary = "mean";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 1280, 7, 7]> x) {
      tensor<fp16, [1, 1280]> y = reduce_mean(
          axes = tensor<int32, [2]>([-2, -1]), keep_dims = bool(false), x = x);
    } -> (y);
    ```
  }];
}
def MIL_ReduceMinOp : MIL_ReductionOp<"reduce_min", [{
    NaN if there is one. Of no element, infinity or the largest int32
    (assigned).
  }]> {
  let summary = "minimum";
  let example = [{
    ```mil
    func main<ios15>(tensor<int32, [5, 6]> x) {
      tensor<int32, [6]> y = reduce_min(axes = tensor<int32, [1]>([0]), x = x);
    } -> (y);
    ```
  }];
}
def MIL_ReduceProdOp : MIL_ReductionOp<"reduce_prod", MIL_ReducedWrapText> {
  let summary = "product";
  let example = [{
    ```mil
    func main<ios15>(tensor<int32, [4]> extents) {
      int32 size = reduce_prod(x = extents);
    } -> (size);
    ```
  }];
}
def MIL_ReduceSumOp : MIL_ReductionOp<"reduce_sum", MIL_ReducedWrapText> {
  let summary = "sum";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 12, 64, 64]> x) {
      tensor<fp16, [1, 1, 64, 1]> y = reduce_sum(
          axes = tensor<int32, [2]>([1, 3]), keep_dims = bool(true), x = x);
    } -> (y);
    ```
  }];
}
def MIL_ReduceSumSquareOp
    : MIL_ReductionOp<"reduce_sum_square", MIL_ReducedWrapText> {
  let summary = "sum of x * x";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [3, 48]> x) {
      tensor<fp16, [3]> energy = reduce_sum_square(
          axes = tensor<int32, [1]>([1]), keep_dims = bool(false), x = x);
    } -> (energy);
    ```
  }];
}

/// Where along one dimension the extreme element lies.
class MIL_ReduceArgOp<string mnemonic>
    : MIL_Op<mnemonic,
             [MIL_In<"x">, MIL_OptConstIn<"axis", "-1", "int32">,
              MIL_OptConstIn<"keep_dims", "false", "bool">,
              MIL_Since<17, MIL_OptConstIn<"output_dtype", "int32", "string">>],
             [MIL_TypeVar<"T", MIL_FloatInt32>]> {
  let inference = "inferArg(*this, types)";
  let description = [{
    The index along `axis`, which vanishes, or with `keep_dims` stays with
    extent 1. The result is int32, from ios17 on of the type that `output_dtype`
    names. Of equal elements the first counts, and a NaN before all numbers
    (assigned: MIL leaves it open; it is what NumPy does).
  }] # example # [{
    Constraints:
    * `mil-reduce_arg-c1`: `axis` is a scalar, and `x` is none.
    * `mil-reduce_arg-c2`: `output_dtype` is int32 or uint16.
    * `mil-axes-c1`: the axis lies in [-rank, rank).
  }];
}

def MIL_ReduceArgmaxOp : MIL_ReduceArgOp<"reduce_argmax"> {
  let summary = "index of the maximum";
  let example = [{
    ```mil
    func main<ios17>(tensor<fp16, [2, 19, 65]> x) {
      tensor<uint16, [2, 65]> y = reduce_argmax(axis = int32(1),
          keep_dims = bool(false), output_dtype = string("uint16"), x = x);
    } -> (y);
    ```
  }];
}
def MIL_ReduceArgminOp : MIL_ReduceArgOp<"reduce_argmin"> {
  let summary = "index of the minimum";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [50, 16]> distance) {
      tensor<int32, [50, 1]> nearest = reduce_argmin(axis = int32(-1),
          keep_dims = bool(true), x = distance);
    } -> (nearest);
    ```
  }];
}

#endif // ANE_MIL_REDUCTION_OPS_TD
