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

    ```mil
    func main<ios15>(tensor<fp16, [1, 128, 768]> x) {
      tensor<fp16, [3072, 768]> w = const()[val = tensor<fp16, [3072, 768]>(
          BLOBFILE(path = string("@model_path/weights/weight.bin"),
                   offset = uint64(64)))];
      tensor<fp16, [1, 128, 3072]> y = linear(weight = w, x = x);
    } -> (y);
    ```

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
    Leading dimensions broadcast. An operand of rank 1 is a row on the left and
    a column on the right; its dimension is dropped from the result. The
    transposes apply to operands of rank 2 and more. From ios17 on one operand
    may be a constant of another type than the other, of which the result is.

    ```mil
    func main<ios15>(tensor<fp16, [1, 12, 64, 32]> q,
        tensor<fp16, [1, 12, 50, 32]> k) {
      tensor<fp16, [1, 12, 64, 50]> scores = matmul(transpose_x = bool(false),
          transpose_y = bool(true), x = q, y = k);
    } -> (scores);
    ```

    Constraints:
    * `mil-matmul-c1`: the contracted extents are equal.
    * `mil-broadcast-c1`: the leading dimensions broadcast.
    * `mil-matmul-c2`: no operand is a scalar.
    * `mil-matmul-c3`: the operands are of one type, or one of them is a `const`.
  }];
}

def MIL_EinsumOp : MIL_Op<"einsum",
    [MIL_VariadicIn<"values", "any">, MIL_ConstIn<"equation", "string">],
    []> {
  let summary = "product over the last dimension and the third from behind";
  let description = [{
    Of all equations in Einstein's notation the op has two, whatever letters
    spell them:

    * "nchw,nwhu->nchu": result[n, c, h, u] = sum over w of
      x[n, c, h, w] * y[n, w, h, u]
    * "chw,whr->chr": the same without the leading dimension.

    An extent 1 of n or h is repeated to match that of the other value.

    ```mil
    func main<ios15>(tensor<fp16, [1, 64, 8, 16]> q,
        tensor<fp16, [1, 16, 8, 20]> k) {
      tensor<fp16, [1, 64, 8, 20]> y = einsum(
          equation = string("nchw,nwhu->nchu"), values = (q, k));
    } -> (y);
    ```

    Constraints:
    * `mil-einsum-c1`: there are two values of one type, fp16 or fp32, and of
      one rank, 3 or 4.
    * `mil-einsum-c2`: `equation` is one of the two, for the rank of the values.
    * `mil-einsum-c3`: the contracted extents are equal.
    * `mil-broadcast-c1`: the extents of n and of h broadcast.
  }];
}

def MIL_ScaledDotProductAttentionOp : MIL_Op<"scaled_dot_product_attention",
    [MIL_In<"query">, MIL_In<"key">, MIL_In<"value">,
     MIL_OptIn<"attn_mask", "M", "M", "none">],
    [MIL_TypeVar<"T", MIL_Float>,
     MIL_TypeVar<"M", MIL_Domain<"dtype::Fp16 | dtype::Fp32 | dtype::Bool">>]> {
  let summary = "softmax(query * transpose(key) / sqrt(E) + mask) * value";
  let description = [{
    `query` is [*B, L, E], `key` [*B, S, E], `value` [*B, S, V]; the result is
    [*B, L, V]. The softmax runs over S. `attn_mask` broadcasts to [*B, L, S]
    and is added to the scores; false of a mask of bools stands for minus
    infinity, true for 0. A row that masks everything gives NaN.

    ```mil
    func main<ios18>(tensor<fp16, [1, 8, 10, 64]> q,
        tensor<fp16, [1, 8, 77, 64]> k, tensor<fp16, [1, 8, 77, 64]> v,
        tensor<bool, [1, 1, 1, 77]> mask) {
      tensor<fp16, [1, 8, 10, 64]> y = scaled_dot_product_attention(
          attn_mask = mask, key = k, query = q, value = v);
    } -> (y);
    ```

    Constraints:
    * `mil-scaled_dot_product_attention-c1`: the three have one rank, at least
      3.
    * `mil-scaled_dot_product_attention-c2`: they have one batch *B.
    * `mil-scaled_dot_product_attention-c3`: `query` and `key` have one E.
    * `mil-scaled_dot_product_attention-c4`: `key` and `value` have one S.
    * `mil-scaled_dot_product_attention-c5`: `attn_mask` broadcasts to the
      scores and does not enlarge them.
  }];
  let since = 18;
}


#endif // ANE_MIL_LINEAR_OPS_TD
