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
     MIL_TypeVar<"E", MIL_Float>], [MIL_Elementwise, MIL_ChannelParameters]> {
  let summary = "gamma * (x - mean) / sqrt(variance + epsilon) + beta";
  let description = [{
    Per channel, which is dimension 1. From ios17 on the parameters may be of
    the other floating-point type.

    ```mil
    func main<ios15>(tensor<fp16, [1, 2, 14, 14]> x) {
      tensor<fp16, [1, 2, 14, 14]> y = batch_norm(
          beta = tensor<fp16, [2]>([0.5, -0.25]), epsilon = fp16(0.001),
          gamma = tensor<fp16, [2]>([1.0, 1.5]),
          mean = tensor<fp16, [2]>([0.1, 2.0]),
          variance = tensor<fp16, [2]>([0.04, 0.9]), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-batch_norm-c1`: `x` has rank 3 to 5.
    * `mil-batch_norm-c2`: `mean`, `variance`, `gamma` and `beta` are [C].
    * `mil-batch_norm-c3`: `epsilon` is a scalar.
  }];
}

def MIL_InstanceNormOp : MIL_Op<"instance_norm",
    [MIL_In<"x">, MIL_OptConstIn<"gamma", "1", "T", "U">,
     MIL_OptConstIn<"beta", "0", "T", "U">,
     MIL_OptConstIn<"epsilon", "1e-5", "T", "U">],
    [MIL_TypeVar<"T", MIL_Float>, MIL_TypeVar<"U", MIL_Float>]> {
  let summary = "gamma * (x - mean) / sqrt(variance + epsilon) + beta";
  let description = [{
    `x` is [N, C, *D]. Mean and variance are those of the spatial dimensions D,
    for each sample and channel; the variance divides by the number of elements.
    `gamma` and `beta` are [C]. From ios17 on the parameters may be of the other
    floating-point type.

    ```mil
    func main<ios15>(tensor<fp16, [1, 64, 80, 60]> x) {
      tensor<fp16, [1, 64, 80, 60]> y = instance_norm(epsilon = fp16(1e-05),
          x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-instance_norm-c1`: `x` has rank 3 or 4.
    * `mil-instance_norm-c2`: `gamma` and `beta` are [C].
    * `mil-scalar-c1`: `epsilon` is a scalar.
  }];
}

def MIL_L2NormOp : MIL_Op<"l2_norm",
    [MIL_In<"x">, MIL_OptConstIn<"epsilon", "1e-6", "T", "U">],
    [MIL_TypeVar<"T", MIL_Float>, MIL_TypeVar<"U", MIL_Float>]> {
  let summary = "x / sqrt(sum(x * x) + epsilon) over the last three dimensions";
  let description = [{
    `x` is [*B, C, H, W]; the sum runs over C, H and W for each index of the
    leading dimensions. From ios17 on `epsilon` may be of the other
    floating-point type.

    ```mil
    // Each of the 16 vectors is divided by its length.
    func main<ios15>(tensor<fp16, [16, 128, 1, 1]> x) {
      tensor<fp16, [16, 128, 1, 1]> y = l2_norm(epsilon = fp16(1e-06), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-l2_norm-c1`: `x` has rank 3 or more.
    * `mil-scalar-c1`: `epsilon` is a scalar.
  }];
}

def MIL_LayerNormOp : MIL_Op<"layer_norm",
    [MIL_In<"x">, MIL_OptConstIn<"axes", "all", "int32">,
     MIL_OptConstIn<"gamma", "1", "T", "U">,
     MIL_OptConstIn<"beta", "0", "T", "U">,
     MIL_OptConstIn<"epsilon", "1e-5", "T", "U">],
    [MIL_TypeVar<"T", MIL_Float>, MIL_TypeVar<"U", MIL_Float>]> {
  let summary = "gamma * (x - mean) / sqrt(variance + epsilon) + beta";
  let description = [{
    Mean and variance are those of the dimensions `axes`, all by default, for
    each index of the others; the variance divides by the number of elements.
    `gamma` and `beta` have the extents of `x` in `axes`, in the order of the
    dimensions, and repeat along the others. From ios17 on the parameters may be
    of the other floating-point type.

    ```mil
    // Each of the 2 samples has 8 * 16 elements.
    func main<ios15>(tensor<fp16, [2, 8, 16]> x) {
      tensor<fp16, [8, 16]> g = const()[val = tensor<fp16, [8, 16]>(
          BLOBFILE(path = string("@model_path/weights/weight.bin"),
                   offset = uint64(64)))];
      tensor<fp16, [2, 8, 16]> y = layer_norm(axes = tensor<int32, [2]>([1, 2]),
          epsilon = fp16(1e-05), gamma = g, x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-axes-c1`: each axis lies in [-rank, rank).
    * `mil-axes-c2`: no axis is given twice.
    * `mil-layer_norm-c1`: `gamma` and `beta` have the extents of the axes.
    * `mil-scalar-c1`: `epsilon` is a scalar.
  }];
}

def MIL_LocalResponseNormOp : MIL_Op<"local_response_norm",
    [MIL_In<"x">, MIL_ConstIn<"size", "int32">,
     MIL_OptConstIn<"alpha", "1e-4", "T", "U">,
     MIL_OptConstIn<"beta", "0.75", "T", "U">,
     MIL_OptConstIn<"k", "1", "T", "U">],
    [MIL_TypeVar<"T", MIL_Float>, MIL_TypeVar<"U", MIL_Float>]> {
  let summary = "x / (k + alpha / size * sum(x * x))^beta over nearby channels";
  let description = [{
    `x` is [N, C, *D]. The sum for channel c runs over the `size` channels from
    c - size / 2, rounded down, to c + (size - 1) / 2, rounded down, as far as
    they exist; the divisor is `size` all the same. From ios17 on `alpha`,
    `beta` and `k` may be of the other floating-point type.

    ```mil
    func main<ios15>(tensor<fp16, [1, 96, 27, 27]> x) {
      tensor<fp16, [1, 96, 27, 27]> y = local_response_norm(
          alpha = fp16(0.0001), beta = fp16(0.75), k = fp16(2.0),
          size = int32(5), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-local_response_norm-c1`: `x` has rank 3 to 5.
    * `mil-local_response_norm-c2`: `size` is a scalar, at least 1.
    * `mil-scalar-c1`: `alpha`, `beta` and `k` are scalars.
  }];
}

#endif // ANE_MIL_NORMALIZATION_OPS_TD
