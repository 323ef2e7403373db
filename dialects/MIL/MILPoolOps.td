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
    rounds them up, but never adds a window that starts behind the input and its
    leading padding.

    Constraints:
    * `mil-window-c1`: kernel, strides and dilations have one entry, pad two
      entries for each spatial dimension.
    * `mil-window-c2`: kernel, strides and dilations are positive, pad is not
      negative.
    * `mil-window-c3`: `pad_type` is valid, same, same_lower or custom.
    * `mil-window-c4`: the window fits the padded input.
    * `mil-window-c5`: `x` has rank 3 to 5.
  }];
}

def MIL_MaxPoolOp : MIL_PoolOp<"max_pool"> {
  let summary = "largest element of each window; padding never wins";
}

def MIL_AvgPoolOp : MIL_PoolOp<"avg_pool",
    [MIL_OptConstIn<"exclude_padding_from_average", "false", "bool">]> {
  let summary = "mean of each window";
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

    Constraints:
    * `mil-window-c1` to `mil-window-c5`: see the other pooling ops.
    * `mil-l2_pool-c1`: `x` has rank 3 or 4.
  }];
}


#endif // ANE_MIL_POOL_OPS_TD
