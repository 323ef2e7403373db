//===- MILNormalizationOps.td - Normalisation -----------------------------===//

#ifndef ANE_MIL_NORMALIZATION_OPS_TD
#define ANE_MIL_NORMALIZATION_OPS_TD

include "MIL/MILOpBase.td"

def MIL_BatchNormOp : MIL_Op<"batch_norm",
    [MIL_In<"x">, MIL_ConstIn<"mean", "T", "U">,
     MIL_ConstIn<"variance", "T", "U">, MIL_OptConstIn<"gamma", "1", "T", "U">,
     MIL_OptConstIn<"beta", "0", "T", "U">,
     MIL_OptConstIn<"epsilon", "1e-5", "E">],
    [MIL_TypeVar<"T", MIL_Float>, MIL_TypeVar<"U", MIL_Float>,
     MIL_TypeVar<"E", MIL_Float>]> {
  let summary = "gamma * (x - mean) / sqrt(variance + epsilon) + beta";
  let description = [{
    Per channel, which is dimension 1.

    Constraints:
    * `mil-batch_norm-c1`: `x` has rank 3 to 5.
    * `mil-batch_norm-c2`: `mean`, `variance`, `gamma` and `beta` are [C].
    * `mil-batch_norm-c3`: `epsilon` is a scalar.
  }];
}

#endif // ANE_MIL_NORMALIZATION_OPS_TD
