//===- MILReductionOps.td - Reduction along axes --------------------------===//

#ifndef ANE_MIL_REDUCTION_OPS_TD
#define ANE_MIL_REDUCTION_OPS_TD

include "MIL/MILOpBase.td"

/// A reduction of `x` over some of its dimensions.
class MIL_ReductionOp<string mnemonic>
    : MIL_Op<mnemonic,
             [MIL_In<"x">, MIL_OptConstIn<"axes", "all", "int32">,
              MIL_OptConstIn<"keep_dims", "false", "bool">],
             [MIL_TypeVar<"T", MIL_FloatInt32>]> {
  let description = [{
    `keep_dims` leaves the reduced dimensions with extent 1.

    Constraints:
    * `mil-axes-c1`: each axis lies in [-rank, rank).
    * `mil-axes-c2`: no axis is given twice.
  }];
}

def MIL_ReduceMeanOp : MIL_ReductionOp<"reduce_mean"> {
  let summary = "mean over axes";
}

#endif // ANE_MIL_REDUCTION_OPS_TD
