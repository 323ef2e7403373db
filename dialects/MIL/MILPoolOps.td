//===- MILPoolOps.td - Pooling --------------------------------------------===//

#ifndef ANE_MIL_POOL_OPS_TD
#define ANE_MIL_POOL_OPS_TD

include "MIL/MILOpBase.td"

/// A reduction over windows of the spatial dimensions of [N, C, *D].
class MIL_PoolOp<string mnemonic, list<MIL_Arg> more = []>
    : MIL_Op<mnemonic,
             !listconcat([MIL_In<"x">, MIL_ConstIn<"kernel_sizes", "int32">,
                          MIL_OptConstIn<"strides", "[1] * spatial", "int32">,
                          MIL_ConstIn<"pad_type", "string">,
                          MIL_OptConstIn<"pad", "[0] * 2 * spatial", "int32">,
                          MIL_OptConstIn<"ceil_mode", "false", "bool">],
                         more),
             [MIL_TypeVar<"T", MIL_Float>]> {
  let description = [{
    Extents follow from kernel, stride and padding as in `conv`; `ceil_mode`
    rounds them up, but drops the last window where it starts behind the input
    and its leading padding, also where it is whole and nothing was rounded. Of
    several that start there only one is dropped.
  }] # example # [{
    Constraints:
    * `mil-window-c1`: kernel, strides and dilations have one entry, pad two
      entries for each spatial dimension.
    * `mil-window-c2`: kernel, strides and dilations are positive, pad is not
      negative.
    * `mil-window-c3`: `pad_type` is valid, same or custom, from ios16 on also
      same_lower; with `ceil_mode` it is valid or custom.
    * `mil-window-c4`: the window fits the padded input.
    * `mil-window-c5`: `x` has rank 3 to 5.
  }];
}

def MIL_MaxPoolOp : MIL_PoolOp<"max_pool"> {
  let summary = "largest element of each window; padding never wins";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 64, 112, 112]> x) {
      tensor<fp16, [1, 64, 56, 56]> y = max_pool(
          kernel_sizes = tensor<int32, [2]>([3, 3]),
          pad = tensor<int32, [4]>([1, 1, 1, 1]), pad_type = string("custom"),
          strides = tensor<int32, [2]>([2, 2]), x = x);
    } -> (y);
    ```
  }];
}

def MIL_AvgPoolOp : MIL_PoolOp<"avg_pool",
    [MIL_OptConstIn<"exclude_padding_from_average", "false", "bool">]> {
  let summary = "mean of each window";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 32, 45]> x) {
      tensor<fp16, [1, 32, 23]> y = avg_pool(
          exclude_padding_from_average = bool(true),
          kernel_sizes = tensor<int32, [1]>([2]), pad_type = string("same"),
          strides = tensor<int32, [1]>([2]), x = x);
    } -> (y);
    ```
  }];
}

def MIL_L2PoolOp : MIL_Op<"l2_pool",
    [MIL_In<"x">, MIL_ConstIn<"kernel_sizes", "int32">,
     MIL_OptConstIn<"strides", "[1] * spatial", "int32">,
     MIL_ConstIn<"pad_type", "string">,
     MIL_OptConstIn<"pad", "[0] * 2 * spatial", "int32">,
     MIL_OptConstIn<"ceil_mode", "false", "bool">],
    [MIL_TypeVar<"T", MIL_Float>]> {
  let summary = "square root of the sum of squares of each window";
  let description = [{
    Extents follow as for the other pooling ops; padding adds nothing to a sum.

    ```mil
    func main<ios15>(tensor<fp16, [2, 16, 30, 30]> x) {
      tensor<fp16, [2, 16, 10, 10]> y = l2_pool(
          kernel_sizes = tensor<int32, [2]>([3, 3]), pad_type = string("valid"),
          strides = tensor<int32, [2]>([3, 3]), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-window-c1` to `mil-window-c5`: as for the other pooling ops.
    * `mil-l2_pool-c1`: `x` has rank 3 or 4.
  }];
}


#endif // ANE_MIL_POOL_OPS_TD
