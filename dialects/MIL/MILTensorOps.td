//===- MILTensorOps.td - Shape and storage --------------------------------===//

#ifndef ANE_MIL_TENSOR_OPS_TD
#define ANE_MIL_TENSOR_OPS_TD

include "MIL/MILOpBase.td"

def MIL_IdentityOp : MIL_Op<"identity", [MIL_In<"x">],
                            [MIL_TypeVar<"T", MIL_Any>]> {
  let summary = "copy";
}

def MIL_ConcatOp : MIL_Op<"concat",
    [MIL_VariadicIn<"values">, MIL_ConstIn<"axis", "int32">,
     MIL_OptConstIn<"interleave", "false", "bool">],
    [MIL_TypeVar<"T", MIL_Any>]> {
  let summary = "join values along an axis";
  let description = [{
    With `interleave` the values alternate element by element along the axis.

    Constraints:
    * `mil-concat-c1`: there is at least one value, and all have one rank, at
      least 1.
    * `mil-concat-c2`: the values agree in all extents but that of the axis.
    * `mil-concat-c3`: with `interleave` they agree in that one too.
    * `mil-axes-c1`: the axis lies in [-rank, rank).
  }];
}

def MIL_ReshapeOp : MIL_Op<"reshape",
    [MIL_In<"x">, MIL_In<"shape", "int32", "U">],
    [MIL_TypeVar<"T", MIL_FloatInt32Bool, MIL_Storage>,
     MIL_TypeVar<"U", MIL_ShapeInt>]> {
  let summary = "the same elements in row-major order with another shape";
  let description = [{
    One entry of `shape` may be -1 and is inferred. An entry 0 stands for the
    extent of `x` at the same place, counted from the last; from ios17 on for 1
    where `x` has no such dimension.

    Constraints:
    * `mil-reshape-c1`: at most one entry is -1, none is less.
    * `mil-reshape-c2`: the number of elements stays.
    * `mil-reshape-c3`: up to ios16, `shape` with an entry 0 has as many entries
      as `x` dimensions.
  }];
}

def MIL_ExpandDimsOp : MIL_Op<"expand_dims",
    [MIL_In<"x">, MIL_ConstIn<"axes", "int32">],
    [MIL_TypeVar<"T", MIL_FloatInt32Bool, MIL_Storage>]> {
  let summary = "insert dimensions of extent 1";
  let description = [{
    `axes` count in the result.

    Constraints:
    * `mil-axes-c1`, `mil-axes-c2`: as for reductions, with the result's rank.
  }];
}

def MIL_SqueezeOp : MIL_Op<"squeeze",
    [MIL_In<"x">, MIL_OptConstIn<"axes", "all of extent 1", "int32">],
    [MIL_TypeVar<"T", MIL_FloatInt32Bool, MIL_Storage>]> {
  let summary = "drop dimensions of extent 1";
  let description = [{
    A dimension that `axes` name but that has another extent stays.

    Constraints:
    * `mil-axes-c1`, `mil-axes-c2`: as for reductions.
  }];
}

def MIL_Flatten2dOp : MIL_Op<"flatten2d",
    [MIL_In<"x">, MIL_OptConstIn<"axis", "1", "int32">],
    [MIL_TypeVar<"T", MIL_FloatInt32Bool>]> {
  let summary = "the dimensions before an axis as rows, the others as columns";
  let description = [{
    Constraints:
    * `mil-flatten2d-c1`: `axis` lies in [-rank, rank].
  }];
}

#endif // ANE_MIL_TENSOR_OPS_TD
