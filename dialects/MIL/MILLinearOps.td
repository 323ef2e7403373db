//===- MILLinearOps.td - Matrix products ----------------------------------===//

#ifndef ANE_MIL_LINEAR_OPS_TD
#define ANE_MIL_LINEAR_OPS_TD

include "MIL/MILOpBase.td"

def MIL_LinearOp : MIL_Op<"linear",
    [MIL_In<"x">, MIL_ConstIn<"weight", "T", "U">,
     MIL_OptConstIn<"bias", "zeros", "T", "U">],
    [MIL_TypeVar<"T", MIL_FloatInt32>, MIL_TypeVar<"U", MIL_FloatInt32>]> {
  let summary = "x * transpose(weight) + bias over the last dimension of x";
  let description = [{
    `x` is [..., Din], `weight` [Dout, Din], `bias` [Dout]; the result is
    [..., Dout].

    Constraints:
    * `mil-linear-c1`: `x` has rank 1 to 5 and `weight` rank 2.
    * `mil-linear-c2`: the last extent of `x` is that of `weight`.
    * `mil-linear-c3`: `bias` is [Dout], or one element for all.
  }];
}

def MIL_MatmulOp : MIL_Op<"matmul",
    [MIL_In<"x">, MIL_In<"y", "T", "U">,
     MIL_OptConstIn<"transpose_x", "false", "bool">,
     MIL_OptConstIn<"transpose_y", "false", "bool">],
    [MIL_TypeVar<"T", MIL_FloatInt32>, MIL_TypeVar<"U", MIL_FloatInt32>]> {
  let summary = "matrix product of the last two dimensions";
  let description = [{
    Leading dimensions broadcast. An operand of rank 1 is a row on the left and a
    column on the right; its dimension is dropped from the result. The
    transposes apply to operands of rank 2 and more.

    Constraints:
    * `mil-matmul-c1`: the contracted extents are equal.
    * `mil-broadcast-c1`: the leading dimensions broadcast.
    * `mil-matmul-c2`: no operand is a scalar.
  }];
}

#endif // ANE_MIL_LINEAR_OPS_TD
