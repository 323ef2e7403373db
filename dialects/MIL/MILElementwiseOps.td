//===- MILElementwiseOps.td - Arithmetic on elements ----------------------===//

#ifndef ANE_MIL_ELEMENTWISE_OPS_TD
#define ANE_MIL_ELEMENTWISE_OPS_TD

include "MIL/MILOpBase.td"

/// An op of two inputs that broadcast against each other as in NumPy.
class MIL_BinaryOp<string mnemonic>
    : MIL_Op<mnemonic, [MIL_In<"x">, MIL_In<"y">],
             [MIL_TypeVar<"T", MIL_FloatInt32>]> {
  let description = [{
    Shapes broadcast: aligned at the last dimension, each pair of extents is
    equal or one of them is 1.

    Constraints:
    * `mil-broadcast-c1`: the shapes of `x` and `y` broadcast.
  }];
}

def MIL_AddOp : MIL_BinaryOp<"add"> { let summary = "x + y"; }
def MIL_SubOp : MIL_BinaryOp<"sub"> { let summary = "x - y"; }
def MIL_MulOp : MIL_BinaryOp<"mul"> { let summary = "x * y"; }
def MIL_MaximumOp : MIL_BinaryOp<"maximum"> { let summary = "max(x, y)"; }
def MIL_MinimumOp : MIL_BinaryOp<"minimum"> { let summary = "min(x, y)"; }

def MIL_ClipOp : MIL_Op<"clip",
    [MIL_In<"x">, MIL_ConstIn<"alpha">, MIL_ConstIn<"beta">],
    [MIL_TypeVar<"T", MIL_Float>]> {
  let summary = "min(max(x, alpha), beta)";
  let description = [{
    Constraints:
    * `mil-clip-c1`: `alpha` and `beta` are scalars.
    * `mil-clip-c2`: from ios17 on, alpha is less than beta.
  }];
}

def MIL_CastOp : MIL_Op<"cast",
    [MIL_In<"x">, MIL_ConstIn<"dtype", "string">],
    [MIL_TypeVar<"T", MIL_FloatInt32Bool, MIL_Storage>]> {
  let summary = "conversion to the element type that `dtype` names";
  let description = [{
    From float to integer truncates towards zero; to bool is x != 0.

    Constraints:
    * `mil-cast-c1`: `dtype` is one of fp16, fp32, int32, bool, and from ios17
      on also int8, uint8, int16, uint16.
  }];
}

#endif // ANE_MIL_ELEMENTWISE_OPS_TD
