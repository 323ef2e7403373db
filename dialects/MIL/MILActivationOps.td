//===- MILActivationOps.td - Functions of one element ---------------------===//

#ifndef ANE_MIL_ACTIVATION_OPS_TD
#define ANE_MIL_ACTIVATION_OPS_TD

include "MIL/MILOpBase.td"

/// An op whose result has the type of its input `x`. Those with more inputs check
/// these first, in their `inferTypes`.
class MIL_ActivationOp<string mnemonic, list<MIL_Arg> more = [],
                       list<MIL_TypeVar> moreVars = [],
                       list<Trait> traits = [MIL_Elementwise]>
    : MIL_Op<mnemonic, !listconcat([MIL_In<"x">], more),
             !listconcat([MIL_TypeVar<"T", MIL_Float>], moreVars), traits> {
  let inference = !if(!empty(more), "sameTypeAs(getX(), types)", "");
  let description = [{
    Of each element; the result has the shape and element type of `x`.
  }] # example;
}

def MIL_ReluOp : MIL_ActivationOp<"relu"> {
  let summary = "max(x, 0)";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 64, 56, 56]> x) {
      tensor<fp16, [1, 64, 56, 56]> y = relu(x = x);
    } -> (y);
    ```
  }];
}

def MIL_Relu6Op : MIL_ActivationOp<"relu6"> {
  let summary = "min(max(x, 0), 6)";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 32, 112, 112]> x) {
      tensor<fp16, [1, 32, 112, 112]> y = relu6(x = x);
    } -> (y);
    ```
  }];
}

def MIL_LeakyReluOp : MIL_ActivationOp<"leaky_relu",
    [MIL_ConstIn<"alpha", "T", "U">], [MIL_TypeVar<"U", MIL_Float>]> {
  let summary = "x where x >= 0, alpha * x elsewhere";
  let description = [{
    Up to ios16 `alpha` has the element type of `x`, from ios17 on it may be of
    the other floating-point type.

    ```mil
    func main<ios17>(tensor<fp16, [1, 32, 208, 208]> x) {
      tensor<fp16, [1, 32, 208, 208]> y = leaky_relu(alpha = fp16(0.1), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-leaky_relu-c1`: `alpha` is a scalar.
  }];
}

def MIL_SigmoidOp : MIL_ActivationOp<"sigmoid"> {
  let summary = "1 / (1 + exp(-x))";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 3, 13, 13, 85]> x) {
      tensor<fp16, [1, 3, 13, 13, 85]> y = sigmoid(x = x);
    } -> (y);
    ```
  }];
}

def MIL_TanhOp : MIL_ActivationOp<"tanh"> {
  let summary = "hyperbolic tangent";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp32, [1, 25, 512]> x) {
      tensor<fp32, [1, 25, 512]> y = tanh(x = x);
    } -> (y);
    ```
  }];
}

def MIL_SiluOp : MIL_ActivationOp<"silu"> {
  let summary = "x * sigmoid(x)";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 320, 64, 64]> x) {
      tensor<fp16, [1, 320, 64, 64]> y = silu(x = x);
    } -> (y);
    ```
  }];
}

def MIL_SoftmaxOp : MIL_ActivationOp<"softmax",
    [MIL_OptConstIn<"axis", "-1", "int32">], [], /*traits=*/[]> {
  let summary = "exp(x - max) / sum(exp(x - max)) along one axis";
  let description = [{
    The maximum along `axis`, -1 by default, is subtracted so that no
    exponential overflows.

    ```mil
    func main<ios15>(tensor<fp16, [1, 8, 128, 128]> scores) {
      tensor<fp16, [1, 8, 128, 128]> y = softmax(axis = int32(-1), x = scores);
    } -> (y);
    ```

    Constraints:
    * `mil-softmax-c1`: `axis` is a scalar, and `x` is none.
    * `mil-axes-c1`: the axis lies in [-rank, rank).
  }];
}

/// One with scalar parameters.
class MIL_ScalarActivationOp<string mnemonic, list<string> parameters,
                             string text = "">
    : MIL_ActivationOp<mnemonic,
                       !foreach(name, parameters, MIL_ConstIn<name, "T", "U">),
                       [MIL_TypeVar<"U", MIL_Float>]> {
  let description = text # [{
    Up to ios16 the parameters have the element type of `x`, from ios17 on they
    may be of the other floating-point type.
  }] # example # [{
    Constraints:
    * `mil-scalar-c1`: the parameters are scalars.
  }];
}

def MIL_ClampedReluOp : MIL_ScalarActivationOp<"clamped_relu",
    ["alpha", "beta"], [{
    `leaky_relu` with an upper bound.
  }]> {
  let summary = "min(x, beta) where x >= 0, min(alpha * x, beta) elsewhere";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [2, 16, 40]> x) {
      tensor<fp16, [2, 16, 40]> y = clamped_relu(alpha = fp16(0.0),
          beta = fp16(20.0), x = x);
    } -> (y);
    ```
  }];
}

def MIL_EluOp : MIL_ScalarActivationOp<"elu", ["alpha"]> {
  let summary = "x where x > 0, alpha * (exp(x) - 1) elsewhere";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 32, 24, 24]> x) {
      tensor<fp16, [1, 32, 24, 24]> y = elu(alpha = fp16(1.0), x = x);
    } -> (y);
    ```
  }];
}

def MIL_GeluOp : MIL_ActivationOp<"gelu",
    [MIL_OptConstIn<"mode", "EXACT", "string">]> {
  let summary = "x times the normal distribution function of x";
  let description = [{
    `mode` says how the distribution function is computed:
    * EXACT: (1 + erf(x / sqrt(2))) / 2;
    * TANH_APPROXIMATION:
      (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) / 2;
    * SIGMOID_APPROXIMATION: sigmoid(1.702 * x).

    ```mil
    func main<ios15>(tensor<fp16, [1, 197, 3072]> x) {
      tensor<fp16, [1, 197, 3072]> y = gelu(mode = string("TANH_APPROXIMATION"),
          x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-gelu-c1`: `mode` is one of these.
  }];
}

def MIL_LinearActivationOp : MIL_ScalarActivationOp<"linear_activation",
    ["alpha", "beta"]> {
  let summary = "alpha * x + beta";
  let example = [{
    ```mil
    func main<ios17>(tensor<fp16, [1, 3, 224, 224]> image) {
      tensor<fp16, [1, 3, 224, 224]> y = linear_activation(
          alpha = fp32(0.0078125), beta = fp32(-1.0), x = image);
    } -> (y);
    ```
  }];
}

def MIL_PreluOp : MIL_ActivationOp<"prelu",
    [MIL_ConstIn<"alpha", "T", "U">], [MIL_TypeVar<"U", MIL_Float>],
    [MIL_Elementwise, MIL_ChannelParameters]> {
  let summary = "x where x >= 0, alpha * x elsewhere, alpha per channel";
  let description = [{
    `x` is [N, C, *D] and `alpha` [C]. Up to ios16 `alpha` has the element type
    of `x`, from ios17 on it may be of the other floating-point type.

    ```mil
    func main<ios15>(tensor<fp16, [1, 2, 3]> x) {
      tensor<fp16, [1, 2, 3]> y = prelu(alpha = tensor<fp16, [2]>([0.1, 0.2]),
          x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-prelu-c1`: `x` has rank 3 to 5.
    * `mil-prelu-c2`: `alpha` is [C].
  }];
}

def MIL_ScaledTanhOp : MIL_ScalarActivationOp<"scaled_tanh",
    ["alpha", "beta"]> {
  let summary = "alpha * tanh(beta * x)";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [4, 120]> x) {
      tensor<fp16, [4, 120]> y = scaled_tanh(alpha = fp16(1.75),
          beta = fp16(0.6667), x = x);
    } -> (y);
    ```
  }];
}

def MIL_SigmoidHardOp : MIL_ScalarActivationOp<"sigmoid_hard",
    ["alpha", "beta"]> {
  let summary = "min(max(alpha * x + beta, 0), 1)";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 72, 1, 1]> x) {
      tensor<fp16, [1, 72, 1, 1]> y = sigmoid_hard(alpha = fp16(0.1667),
          beta = fp16(0.5), x = x);
    } -> (y);
    ```
  }];
}

def MIL_SoftplusOp : MIL_ActivationOp<"softplus"> {
  let summary = "log(1 + exp(x))";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 64, 76, 76]> x) {
      tensor<fp16, [1, 64, 76, 76]> y = softplus(x = x);
    } -> (y);
    ```
  }];
}

def MIL_SoftplusParametricOp : MIL_ActivationOp<"softplus_parametric",
    [MIL_ConstIn<"alpha", "T", "U">, MIL_ConstIn<"beta", "T", "U">],
    [MIL_TypeVar<"U", MIL_Float>], [MIL_Elementwise, MIL_ChannelParameters]> {
  let summary = "alpha * log(1 + exp(beta * x)), alpha and beta per channel";
  let description = [{
    `x` is [N, C, *D], `alpha` and `beta` are [C]. Up to ios16 they have the
    element type of `x`, from ios17 on they may be of the other floating-point
    type.

    ```mil
    func main<ios15>(tensor<fp16, [1, 2, 10]> x) {
      tensor<fp16, [1, 2, 10]> y = softplus_parametric(
          alpha = tensor<fp16, [2]>([1.0, 0.5]),
          beta = tensor<fp16, [2]>([1.0, 2.0]), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-softplus_parametric-c1`: `x` has rank 3 or more.
    * `mil-softplus_parametric-c2`: `alpha` and `beta` are [C].
  }];
}

def MIL_SoftsignOp : MIL_ActivationOp<"softsign"> {
  let summary = "x / (1 + |x|)";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [16, 128]> x) {
      tensor<fp16, [16, 128]> y = softsign(x = x);
    } -> (y);
    ```
  }];
}

def MIL_ThresholdedReluOp : MIL_ScalarActivationOp<"thresholded_relu",
    ["alpha"]> {
  let summary = "x where x >= alpha, 0 elsewhere";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 8, 32]> x) {
      tensor<fp16, [1, 8, 32]> y = thresholded_relu(alpha = fp16(1.0), x = x);
    } -> (y);
    ```
  }];
}

#endif // ANE_MIL_ACTIVATION_OPS_TD
