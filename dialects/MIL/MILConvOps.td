//===- MILConvOps.td - Convolution ----------------------------------------===//

#ifndef ANE_MIL_CONV_OPS_TD
#define ANE_MIL_CONV_OPS_TD

include "MIL/MILOpBase.td"

def MIL_ConvOp : MIL_Op<"conv",
    [MIL_In<"x">, MIL_In<"weight", "T", "U">, MIL_OptIn<"bias", "T", "U", "zeros">,
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
    E = (D + before + after - dilation * (K - 1) - 1) / stride + 1, rounded
    down.

    `pad_type` valid pads nothing; same pads so that E = D / stride rounded up,
    the odd element behind; same_lower (from ios16 on) with that in front;
    custom pads as `pad` = [before0, after0, before1, after1, ...] says.

    ```mil
    // E = (224 + 3 + 3 - 6 - 1) / 2 + 1, rounded down.
    func main<ios15>(tensor<fp16, [1, 3, 224, 224]> x) {
      tensor<fp16, [64, 3, 7, 7]> w = const()[val = tensor<fp16, [64, 3, 7, 7]>(
          BLOBFILE(path = string("@model_path/weights/weight.bin"),
                   offset = uint64(64)))];
      tensor<fp16, [1, 64, 112, 112]> y = conv(
          dilations = tensor<int32, [2]>([1, 1]), groups = int32(1),
          pad = tensor<int32, [4]>([3, 3, 3, 3]), pad_type = string("custom"),
          strides = tensor<int32, [2]>([2, 2]), weight = w, x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-conv-c1`: `x` has rank 3 to 5 and `weight` the same.
    * `mil-conv-c2`: `groups` is positive and divides Cin and Cout.
    * `mil-conv-c3`: the second extent of `weight` is Cin / groups.
    * `mil-conv-c4`: `bias` is [Cout].
    * `mil-window-c1` to `mil-window-c5`: see the pooling ops.
  }];
}

def MIL_ConvQuantizedOp : MIL_Op<"conv_quantized",
    [MIL_In<"x">, MIL_In<"weight", "U">, MIL_OptConstIn<"bias", "zeros", "U">,
     MIL_ConstIn<"quantization_type", "string">,
     MIL_OptConstIn<"nbits", "8", "int32">, MIL_ConstIn<"quant_scale">,
     MIL_ConstIn<"quant_bias">,
     MIL_OptConstIn<"strides", "[1] * spatial", "int32">,
     MIL_OptConstIn<"pad_type", "valid", "string">,
     MIL_OptConstIn<"pad", "[0] * 2 * spatial", "int32">,
     MIL_OptConstIn<"dilations", "[1] * spatial", "int32">,
     MIL_OptConstIn<"groups", "1", "int32">],
    [MIL_TypeVar<"T", MIL_Float>,
     MIL_TypeVar<"U", MIL_Domain<"dtype::UInt8">>]> {
  let summary = "convolution with a weight of quantized elements";
  let description = [{
    `conv` with the weight `weight * quant_scale + quant_bias`. Scale and bias
    have one element for the tensor or one for each output channel. Each element
    of `weight` is a number below 2^nbits; `bias` is added as it is.

    `quantization_type` lut is part of the op, but where its table lies is not
    documented, so nothing evaluates it.

    ```mil
    func main<ios15>(tensor<fp16, [1, 2, 9]> x) {
      tensor<fp16, [1, 3, 8]> y = conv_quantized(nbits = int32(4),
          quant_bias = tensor<fp16, [3]>([-4.0, -2.0, -1.0]),
          quant_scale = tensor<fp16, [3]>([0.5, 0.25, 0.125]),
          quantization_type = string("linear"),
          weight = tensor<uint8, [3, 2, 2]>(
          [[[0, 1], [2, 3]], [[4, 5], [6, 7]], [[8, 9], [14, 15]]]), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-conv-c1` to `mil-conv-c4`, `mil-window-c1` to `mil-window-c5`: as for
      `conv`.
    * `mil-conv_quantized-c1`: `quantization_type` is linear or lut.
    * `mil-conv_quantized-c2`: `nbits` is 1 to 8.
    * `mil-conv_quantized-c3`: with linear, `quant_scale` and `quant_bias` have
      one element or Cout.
  }];
}

def MIL_ConvTransposeOp : MIL_Op<"conv_transpose",
    [MIL_In<"x">, MIL_ConstBefore<17, MIL_In<"weight", "T", "U">>,
     MIL_ConstBefore<17, MIL_OptIn<"bias", "T", "U", "zeros">>,
     MIL_OptConstIn<"pad", "[0] * 2 * spatial", "int32">,
     MIL_OptConstIn<"output_shape", "none", "int32">,
     MIL_OptConstIn<"pad_type", "valid", "string">,
     MIL_OptConstIn<"strides", "[1] * spatial", "int32">,
     MIL_OptConstIn<"dilations", "[1] * spatial", "int32">,
     MIL_OptConstIn<"groups", "1", "int32">],
    [MIL_TypeVar<"T", MIL_Float>, MIL_TypeVar<"U", MIL_Float>]> {
  let summary = "transpose of a convolution over one to three dimensions";
  let description = [{
    `x` is [N, Cin, *D], `weight` is [Cin, Cout / groups, *K], `bias` is [Cout];
    the result is [N, Cout, *E]. Each element of `x` adds the kernel, scaled, to
    the result: place d meets kernel element k at e = d * stride +
    k * dilation - before.

    With R = (D - 1) * stride + dilation * (K - 1) + 1, E is R for `pad_type`
    valid, R - before - after for custom, and D * stride for same, where
    `before` is half of R - E rounded down, or 0 if that is negative.
    `output_shape` is the whole shape of the result and replaces E; `before`
    stays what `pad_type` says of it. Places that the kernel does not reach are
    0, then get the bias.

    Up to ios16 `weight` and `bias` are constants.

    ```mil
    // E = 6 * 2 + 2 * 1 + 1 - 1 - 1.
    func main<ios17>(tensor<fp16, [1, 1, 7]> x, tensor<fp16, [1, 2, 2]> w) {
      tensor<fp16, [1, 2, 13]> y = conv_transpose(
          dilations = tensor<int32, [1]>([2]), pad = tensor<int32, [2]>([1, 1]),
          pad_type = string("custom"), strides = tensor<int32, [1]>([2]),
          weight = w, x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-conv-c1`: `x` has rank 3 to 5 and `weight` the same.
    * `mil-conv-c2`: `groups` is positive and divides Cin.
    * `mil-conv-c4`: `bias` is [Cout].
    * `mil-conv_transpose-c1`: the first extent of `weight` is Cin.
    * `mil-conv_transpose-c2`: `output_shape` is [N, Cout, *E], each E positive.
    * `mil-conv_transpose-c3`: `pad_type` is valid, same or custom.
    * `mil-conv_transpose-c4`: padding leaves at least one place, and no extent
      passes 2^32.
    * `mil-window-c1`, `mil-window-c2`, `mil-window-c4`: see the pooling ops.
  }];
}


#endif // ANE_MIL_CONV_OPS_TD
