//===- MILActivationOps.td - Functions of one element ---------------------===//

#ifndef ANE_MIL_ACTIVATION_OPS_TD
#define ANE_MIL_ACTIVATION_OPS_TD

include "MIL/MILOpBase.td"

/// An op whose result has the type of its input `x`.
class MIL_ActivationOp<string mnemonic, list<MIL_Arg> more = [],
                       list<MIL_TypeVar> moreVars = []>
    : MIL_Op<mnemonic, !listconcat([MIL_In<"x">], more),
             !listconcat([MIL_TypeVar<"T", MIL_Float>], moreVars)>;

def MIL_ReluOp : MIL_ActivationOp<"relu"> {
  let summary = "max(x, 0)";
}

def MIL_Relu6Op : MIL_ActivationOp<"relu6"> {
  let summary = "min(max(x, 0), 6)";
}

def MIL_LeakyReluOp : MIL_ActivationOp<"leaky_relu",
    [MIL_ConstIn<"alpha", "T", "U">], [MIL_TypeVar<"U", MIL_Float>]> {
  let summary = "x where x >= 0, alpha * x elsewhere";
  let description = [{
    Constraints:
    * `mil-leaky_relu-c1`: `alpha` is a scalar.
  }];
}

def MIL_SigmoidOp : MIL_ActivationOp<"sigmoid"> {
  let summary = "1 / (1 + exp(-x))";
}

def MIL_TanhOp : MIL_ActivationOp<"tanh"> {
  let summary = "hyperbolic tangent";
}

def MIL_SiluOp : MIL_ActivationOp<"silu"> {
  let summary = "x * sigmoid(x)";
}

def MIL_SoftmaxOp : MIL_ActivationOp<"softmax",
    [MIL_OptConstIn<"axis", "-1", "int32">]> {
  let summary = "exp(x - max) / sum(exp(x - max)) along one axis";
  let description = [{
    Constraints:
    * `mil-softmax-c1`: `axis` is a scalar, and `x` is none.
    * `mil-axes-c1`: the axis lies in [-rank, rank).
  }];
}

#endif // ANE_MIL_ACTIVATION_OPS_TD
