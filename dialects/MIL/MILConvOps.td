//===- MILConvOps.td - Convolution ----------------------------------------===//

#ifndef ANE_MIL_CONV_OPS_TD
#define ANE_MIL_CONV_OPS_TD

include "MIL/MILOpBase.td"

def MIL_ConvOp : MIL_Op<"conv",
    [MIL_In<"x">, MIL_In<"weight", "T", "U">, MIL_OptIn<"bias", "T", "U">,
     MIL_OptConstIn<"strides", "[1] * spatial", "int32">,
     MIL_OptConstIn<"pad_type", "valid", "string">,
     MIL_OptConstIn<"pad", "[0] * 2 * spatial", "int32">,
     MIL_OptConstIn<"dilations", "[1] * spatial", "int32">,
     MIL_OptConstIn<"groups", "1", "int32">],
    [MIL_TypeVar<"T", MIL_Float>, MIL_TypeVar<"U", MIL_Float>]> {
  let summary = "cross-correlation over one to three spatial dimensions";
  let description = [{
    `x` is [N, Cin, *D], `weight` is [Cout, Cin / groups, *K], `bias` is [Cout];
    the result is [N, Cout, *E] with
    E = (D + before + after - dilation * (K - 1) - 1) / stride + 1, rounded down.

    `pad_type` valid pads nothing; same pads so that E = D / stride rounded up,
    the odd element behind; same_lower the same with the odd element in front;
    custom pads as `pad` = [before0, after0, before1, after1, ...] says.

    Constraints:
    * `mil-conv-c1`: `x` has rank 3 to 5 and `weight` the same.
    * `mil-conv-c2`: `groups` is positive and divides Cin and Cout.
    * `mil-conv-c3`: the second extent of `weight` is Cin / groups.
    * `mil-conv-c4`: `bias` is [Cout].
    * `mil-window-c1` to `mil-window-c5`: see the pooling ops.
  }];
}

#endif // ANE_MIL_CONV_OPS_TD
