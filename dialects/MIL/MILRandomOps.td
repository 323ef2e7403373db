//===- MILRandomOps.td - Random tensors -----------------------------------===//

#ifndef ANE_MIL_RANDOM_OPS_TD
#define ANE_MIL_RANDOM_OPS_TD

include "MIL/MILOpBase.td"

// The generator behind the seeds is Apple's own and not documented, so no
// reference exists for the values. A seed of -1 asks for one that differs from
// run to run.

def MIL_RandomBernoulliOp : MIL_EffectOp<"random_bernoulli",
    [MIL_In<"shape", "int32">, MIL_OptConstIn<"prob", "0.5">,
     MIL_OptConstIn<"seed", "-1", "int32">],
    [MIL_TypeVar<"T", MIL_Float>]> {
  let summary = "1 with a given probability, else 0";
  let description = [{
    Of `shape`, in the element type of `prob`.

    ```mil
    func main<ios15>(tensor<fp16, [2, 512]> x) {
      tensor<fp16, [2, 512]> mask = random_bernoulli(prob = fp16(0.9),
          seed = int32(42), shape = tensor<int32, [2]>([2, 512]));
      tensor<fp16, [2, 512]> y = mul(x = x, y = mask);
    } -> (y);
    ```

    Constraints:
    * `mil-random-c1`: `shape` is a vector of extents up to 2^31 - 1 with a
      product up to 2^48.
    * `mil-random-c2`: every other input is a scalar.
    * `mil-random_bernoulli-c1`: `prob` lies in [0, 1].
  }];
}

def MIL_RandomCategoricalOp : MIL_EffectOp<"random_categorical",
    [MIL_In<"x">, MIL_OptConstIn<"mode", "logits", "string">,
     MIL_OptConstIn<"size", "1", "int32">,
     MIL_OptConstIn<"seed", "-1", "int32">],
    [MIL_TypeVar<"T", MIL_Float>]> {
  let summary = "classes, each as likely as its entry says";
  let description = [{
    The last dimension of `x` holds logits or, with mode "probs", probabilities.
    The result has `size` class numbers in its place. Sources differ on its
    element type; int32 and that of `x` are taken as declared.

    ```mil
    func main<ios15>(tensor<fp32, [1, 100]> logits) {
      tensor<int32, [1, 5]> tokens = random_categorical(mode = string("logits"),
          seed = int32(7), size = int32(5), x = logits);
    } -> (tokens);
    ```

    Constraints:
    * `mil-random-c2`.
    * `mil-random_categorical-c1`: `x` has a dimension.
    * `mil-random_categorical-c2`: `mode` is logits or probs.
    * `mil-random_categorical-c3`: `size` is at least 1.
  }];
}

def MIL_RandomNormalOp : MIL_EffectOp<"random_normal",
    [MIL_In<"shape", "int32">, MIL_OptConstIn<"mean", "0.0">,
     MIL_OptConstIn<"stddev", "1.0">, MIL_OptConstIn<"seed", "-1", "int32">],
    [MIL_TypeVar<"T", MIL_Float>]> {
  let summary = "numbers of a normal distribution";
  let description = [{
    Of `shape`, in the element type of `mean` and `stddev`.

    ```mil
    func main<ios15>(tensor<fp32, [1, 4, 64, 64]> x) {
      tensor<fp32, [1, 4, 64, 64]> noise = random_normal(mean = fp32(0.0),
          seed = int32(1), shape = tensor<int32, [4]>([1, 4, 64, 64]),
          stddev = fp32(0.1));
      tensor<fp32, [1, 4, 64, 64]> y = add(x = x, y = noise);
    } -> (y);
    ```

    Constraints:
    * `mil-random-c1`, `mil-random-c2`.
    * `mil-random_normal-c1`: `stddev` is not negative.
  }];
}

def MIL_RandomUniformOp : MIL_EffectOp<"random_uniform",
    [MIL_In<"shape", "int32">, MIL_OptConstIn<"low", "0.0">,
     MIL_OptConstIn<"high", "1.0">, MIL_OptConstIn<"seed", "-1", "int32">],
    [MIL_TypeVar<"T", MIL_Float>]> {
  let summary = "numbers between two bounds, all as likely";
  let description = [{
    In [low, high), of `shape`, in the element type of `low` and `high`.

    ```mil
    func main<ios15>(tensor<fp16, [6]> x) {
      tensor<fp16, [6]> noise = random_uniform(high = fp16(1.0),
          low = fp16(-1.0), seed = int32(3), shape = tensor<int32, [1]>([6]));
      tensor<fp16, [6]> y = add(x = x, y = noise);
    } -> (y);
    ```

    Constraints:
    * `mil-random-c1`, `mil-random-c2`.
    * `mil-random_uniform-c1`: `low` is not above `high`.
  }];
}

#endif // ANE_MIL_RANDOM_OPS_TD
