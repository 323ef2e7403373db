//===- MILQuantizationOps.td - Compressed and quantized tensors -----------===//

#ifndef ANE_MIL_QUANTIZATION_OPS_TD
#define ANE_MIL_QUANTIZATION_OPS_TD

include "MIL/MILOpBase.td"

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

def MIL_Byte : MIL_Domain<"dtype::Int8 | dtype::UInt8">;
def MIL_ByteOrFp32 : MIL_Domain<"dtype::Fp32 | dtype::Int8 | dtype::UInt8">;
def MIL_PackedBytes : MIL_Domain<"dtype::UInt8">;
def MIL_Bits : MIL_Domain<"dtype::UInt1">;
def MIL_FloatOrByte
    : MIL_Domain<"dtype::Fp16 | dtype::Fp32 | dtype::Int8 | dtype::UInt8">;
def MIL_FloatByteOrNibble
    : MIL_Domain<"dtype::Fp16 | dtype::Fp32 | dtype::Int4 | dtype::Int8 | "
                 "dtype::UInt4 | dtype::UInt8">;
def MIL_LutIndex
    : MIL_Domain<"dtype::UInt1 | dtype::UInt2 | dtype::UInt3 | dtype::UInt4 | "
                 "dtype::UInt6 | dtype::UInt8">;

class MIL_ByteVar<string name> : MIL_TypeVar<name, MIL_Byte>;
class MIL_FloatVar<string name> : MIL_TypeVar<name, MIL_Float>;
class MIL_LutEntryVar<string name> : MIL_TypeVar<name, MIL_FloatOrByte>;
class MIL_BlockVar<string name> : MIL_TypeVar<name, MIL_FloatByteOrNibble>;

//===----------------------------------------------------------------------===//
// Compressed weights
//===----------------------------------------------------------------------===//
//
// The constexpr ops say how a weight is stored. They are evaluated where an op
// reads the weight, and not before: see `mil-fold-constants`.

def MIL_ConstexprAffineDequantizeOp : MIL_Op<"constexpr_affine_dequantize",
    [MIL_ConstIn<"quantized_data", "SrcT">,
     MIL_ConstIn<"zero_point", "ZeroPointT">, MIL_ConstIn<"scale", "DstT">,
     MIL_ConstIn<"axis", "int32">],
    [MIL_ByteVar<"SrcT">, MIL_TypeVar<"ZeroPointT", MIL_ByteOrFp32>,
     MIL_FloatVar<"DstT">]> {
  let summary = "a weight stored as integers on a line";
  let description = [{
    result[.., i, ..] = scale[i] * (quantized_data[.., i, ..] - zero_point[i]),
    i along `axis`. `scale` and `zero_point` are each a scalar or a vector with
    one entry for each i. The result has the shape of the data and the element
    type of `scale`.

    ```mil
    func main<ios16>(tensor<fp16, [1, 3]> x) {
      tensor<fp16, [2, 3]> w = constexpr_affine_dequantize()[axis = int32(0),
          quantized_data = tensor<int8, [2, 3]>([[-128, 0, 127], [5, 6, 7]]),
          scale = tensor<fp16, [2]>([0.5, 0.25]), zero_point = int8(1)];
      tensor<fp16, [1, 2]> y = linear(weight = w, x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-channel_scale-c1`: `scale` and `zero_point` are scalars or vectors.
    * `mil-channel_scale-c2`: a vector has the extent of the data along `axis`.
    * `mil-channel_scale-c3`: `axis` is a scalar; `quantize` and `dequantize`
      have it for vectors alone.
    * `mil-axes-c1`.
  }];
  let since = 16;
}

def MIL_ConstexprCastOp : MIL_Op<"constexpr_cast",
    [MIL_ConstIn<"source_val", "fp16">, MIL_ConstIn<"output_dtype", "string">],
    []> {
  let summary = "a weight stored as fp16 and used as fp32";
  let description = [{
    Every fp16 is an fp32, so the values stay as they are.

    ```mil
    func main<ios16>(tensor<fp32, [5, 64]> x) {
      tensor<fp32, [10, 64]> w = constexpr_cast()[output_dtype = string("fp32"),
          source_val = tensor<fp16, [10, 64]>(
          BLOBFILE(path = string("@model_path/weights/weight.bin"),
                   offset = uint64(64)))];
      tensor<fp32, [5, 10]> y = linear(weight = w, x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-constexpr_cast-c1`: `output_dtype` is fp32.
  }];
  let since = 16;
}

def MIL_ConstexprLutToDenseOp : MIL_Op<"constexpr_lut_to_dense",
    [MIL_ConstIn<"indices", "IndicesT">, MIL_ConstIn<"lut">,
     MIL_Since<18, MIL_OptConstIn<"vector_axis", "none", "int32">>,
     MIL_Before<18, MIL_ConstIn<"shape", "uint32">>],
    [MIL_TypeVarBy<"IndicesT", MIL_PackedBytes, MIL_PackedBytes,
                   MIL_PackedBytes, MIL_LutIndex>,
     MIL_LutEntryVar<"T">]> {
  let summary = "a weight stored as a palette";
  let description = [{
    Up to ios17, `lut` holds 2^n entries and `indices` is a stream of n-bit
    indices, from the least significant bit of each byte on. They fill a tensor
    of `shape` in row-major order; n is 1, 2, 3, 4, 6 or 8.

    From ios18 on the element type of `indices` says n. `lut` is
    [*G, 2^n, V]: the indices fall into blocks, G[d] of them along dimension d,
    each with a table of its own. An index stands for V neighbours along
    `vector_axis`, so the result is V times as long there; `vector_axis` may be
    absent with V = 1. With B[d] = extent d of `indices` / G[d]

    result[.., i * V + v, ..] = lut[j0 / B[0], .., indices[j], v]

    where j is the index with i at `vector_axis`.

    ```mil
    // Four bits for each element; rows 0 to 3 have another table than rows 4 to 7.
    func main<ios18>(tensor<fp16, [1, 6]> x) {
      tensor<fp16, [8, 6]> w = constexpr_lut_to_dense(
          indices = tensor<uint4, [8, 6]>(
              BLOBFILE(path = string("@model_path/weights/weight.bin"),
                       offset = uint64(64))),
          lut = tensor<fp16, [2, 1, 16, 1]>(
              BLOBFILE(path = string("@model_path/weights/weight.bin"),
                       offset = uint64(192))));
      tensor<fp16, [1, 8]> y = linear(weight = w, x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-lut-c1`: up to ios17 `lut` is a vector of 2, 4, 8, 16, 64 or 256.
    * `mil-lut-c2`: up to ios17 `indices` has the bytes that n bits for each
      element of `shape` take.
    * `mil-lut-c3`: from ios18 on `lut` has two dimensions more than the
      indices.
    * `mil-lut-c4`: a table has an entry for each index.
    * `mil-lut-c5`: the number of blocks divides the extent, in each dimension.
    * `mil-lut-c6`: entries longer than one element need `vector_axis`.
    * `mil-dense_shape-c1`, `mil-axes-c1`.
  }];
  let since = 16;
}

def MIL_ConstexprSparseToDenseOp : MIL_Op<"constexpr_sparse_to_dense",
    [MIL_ConstIn<"nonzero_data">, MIL_ConstIn<"mask", "Mask">,
     MIL_Before<18, MIL_ConstIn<"shape", "uint32">>],
    [MIL_TypeVarBy<"T", MIL_FloatOrByte, MIL_FloatOrByte, MIL_FloatOrByte,
                   MIL_FloatByteOrNibble>,
     MIL_TypeVarBy<"Mask", MIL_PackedBytes, MIL_PackedBytes, MIL_PackedBytes,
                   MIL_Bits>]> {
  let summary = "a weight stored as its nonzero elements";
  let description = [{
    Where the mask is 1 the result has the next element of `nonzero_data`, in
    row-major order, elsewhere 0. Up to ios17 the mask is a stream of bits, from
    the least significant bit of each byte on, for a tensor of `shape`; from
    ios18 on it has the shape of the result.

    The mask must have as many ones as there are elements. That is checked where
    the weight is evaluated.

    ```mil
    // 25 has bits 0, 3 and 4: w is [[1, 0, 0, 2], [3, 0, 0, 0]].
    func main<ios16>(tensor<fp16, [1, 4]> x) {
      tensor<fp16, [2, 4]> w = constexpr_sparse_to_dense()[
          mask = tensor<uint8, [1]>([25]),
          nonzero_data = tensor<fp16, [3]>([1.0, 2.0, 3.0]),
          shape = tensor<uint32, [2]>([2, 4])];
      tensor<fp16, [1, 2]> y = linear(weight = w, x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-sparse-c1`: the nonzero elements are a vector.
    * `mil-sparse-c2`: up to ios17 `mask` has a bit for each element of `shape`.
    * `mil-sparse-c3`: there are no more nonzero elements than the mask has
      places.
    * `mil-dense_shape-c1`: `shape` is a vector of extents up to 2^31 - 1 with a
      product up to 2^48.
  }];
  let since = 16;
}

def MIL_ConstexprBlockwiseShiftScaleOp : MIL_Op<"constexpr_blockwise_shift_scale",
    [MIL_ConstIn<"data", "SrcT">, MIL_ConstIn<"scale", "DstT">,
     MIL_OptConstIn<"offset", "zeros", "OffsetT">],
    [MIL_BlockVar<"SrcT">, MIL_FloatVar<"DstT">, MIL_BlockVar<"OffsetT">]> {
  let summary = "a weight stored as integers on a line for each block";
  let description = [{
    The data fall into blocks; along dimension d there are as many as `scale` is
    long there. Every block has its own scale and offset:

    result[i] = scale[b] * (data[i] - offset[b]), b[d] = i[d] / (D[d] / S[d])

    An absent offset is 0. The result has the shape of the data and the element
    type of `scale`.

    ```mil
    // Each row has a scale for its first 32 elements and one for the others.
    func main<ios18>(tensor<fp16, [1, 64]> x) {
      tensor<fp16, [8, 64]> w = constexpr_blockwise_shift_scale(
          data = tensor<int4, [8, 64]>(
              BLOBFILE(path = string("@model_path/weights/weight.bin"),
                       offset = uint64(64))),
          scale = tensor<fp16, [8, 2]>(
              BLOBFILE(path = string("@model_path/weights/weight.bin"),
                       offset = uint64(384))));
      tensor<fp16, [1, 8]> y = linear(weight = w, x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-blockwise-c1`: `scale` has the rank of the data.
    * `mil-blockwise-c2`: the extents of `scale` divide those of the data.
    * `mil-blockwise-c3`: `offset` has the shape of `scale`.
    * `mil-blockwise-c4`: where `offset` is of integers, it has the element type
      of the data.
  }];
  let since = 18;
}

def MIL_ConstexprLutToSparseOp : MIL_Op<"constexpr_lut_to_sparse",
    [MIL_ConstIn<"indices_mask", "uint1">,
     MIL_ConstIn<"indices_nonzero_data", "IndicesT">, MIL_ConstIn<"lut">,
     MIL_OptConstIn<"vector_axis", "none", "int32">],
    [MIL_TypeVar<"IndicesT", MIL_LutIndex>, MIL_LutEntryVar<"T">]> {
  let summary = "the nonzero elements of a weight stored as a palette";
  let description = [{
    A palette whose indices are stored only where `indices_mask` is 1. The
    results are the mask and the nonzero elements of the weight, as
    `constexpr_sparse_to_dense` takes them: the mask is repeated V times along
    `vector_axis`, and the elements follow it in row-major order. `lut` is as
    for `constexpr_lut_to_dense`, with the mask in place of the indices.

    ```mil
    // w is [[0, 10, 20], [10, 0, 0]].
    func main<ios18>(tensor<fp16, [1, 3]> x) {
      tensor<uint1, [2, 3]> mask, tensor<fp16, [3]> nonzero =
          constexpr_lut_to_sparse(
              indices_mask = tensor<uint1, [2, 3]>([[0, 1, 1], [1, 0, 0]]),
              indices_nonzero_data = tensor<uint1, [3]>([0, 1, 0]),
              lut = tensor<fp16, [1, 1, 2, 1]>([[[[10.0], [20.0]]]]));
      tensor<fp16, [2, 3]> w = constexpr_sparse_to_dense(mask = mask,
          nonzero_data = nonzero);
      tensor<fp16, [1, 2]> y = linear(weight = w, x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-lut-c3` to `mil-lut-c6`, `mil-dense_shape-c1`, `mil-sparse-c1`,
      `mil-sparse-c3`, `mil-axes-c1`.
  }];
  let since = 18;
  let results = (outs MIL_Value:$mask_out, MIL_Value:$nonzero_out);
}

def MIL_ConstexprSparseBlockwiseShiftScaleOp : MIL_Op<"constexpr_sparse_blockwise_shift_scale",
    [MIL_ConstIn<"data_mask", "uint1">, MIL_ConstIn<"nonzero_data", "SrcT">,
     MIL_ConstIn<"scale", "DstT">,
     MIL_OptConstIn<"offset", "zeros", "OffsetT">],
    [MIL_BlockVar<"SrcT">, MIL_FloatVar<"DstT">, MIL_BlockVar<"OffsetT">]> {
  let summary = "the nonzero elements of a weight on a line for each block";
  let description = [{
    As `constexpr_blockwise_shift_scale`, for the elements where `data_mask` is
    1. The place of an element in the mask says which block it is in. The
    results are the mask and the nonzero elements of the weight, as
    `constexpr_sparse_to_dense` takes them.

    ```mil
    // w is [[1, 0, 0, -2.5], [0, 10, 0, 0]].
    func main<ios18>(tensor<fp16, [1, 4]> x) {
      tensor<uint1, [2, 4]> mask, tensor<fp16, [3]> nonzero =
          constexpr_sparse_blockwise_shift_scale(
              data_mask = tensor<uint1, [2, 4]>([[1, 0, 0, 1], [0, 1, 0, 0]]),
              nonzero_data = tensor<int8, [3]>([3, -4, 5]),
              offset = tensor<int8, [2, 1]>([[1], [0]]),
              scale = tensor<fp16, [2, 1]>([[0.5], [2.0]]));
      tensor<fp16, [2, 4]> w = constexpr_sparse_to_dense(mask = mask,
          nonzero_data = nonzero);
      tensor<fp16, [1, 2]> y = linear(weight = w, x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-blockwise-c1` to `mil-blockwise-c4`, with the extents of the mask in
      place of those of the data, `mil-sparse-c1`, `mil-sparse-c3`.
  }];
  let since = 18;
  let results = (outs MIL_Value:$mask_out, MIL_Value:$nonzero_out);
}

//===----------------------------------------------------------------------===//
// Quantized activations
//===----------------------------------------------------------------------===//

def MIL_QuantizeOp : MIL_Op<"quantize",
    [MIL_In<"input", "SrcT">, MIL_OptConstIn<"zero_point", "0", "DstT">,
     MIL_ConstIn<"scale", "SrcT">, MIL_OptConstIn<"axis", "none", "int32">,
     MIL_ConstIn<"output_dtype", "string">],
    [MIL_FloatVar<"SrcT">, MIL_ByteVar<"DstT">]> {
  let summary = "the nearest integers on a line";
  let description = [{
    result = clip(round(input / scale) + zero_point), to the range of
    `output_dtype`, with ties to even. `scale` and `zero_point` are scalars, or
    vectors along `axis`; an absent zero point is 0.

    ```mil
    func main<ios17>(tensor<fp16, [1, 32, 7, 7]> x) {
      tensor<uint8, [1, 32, 7, 7]> q = quantize(input = x,
          output_dtype = string("uint8"), scale = fp16(0.05),
          zero_point = uint8(128));
    } -> (q);
    ```

    Constraints:
    * `mil-channel_scale-c1` to `mil-channel_scale-c3`, `mil-axes-c1`.
    * `mil-quantize-c1`: `output_dtype` is int8 or uint8, and so is
      `zero_point`.
  }];
  let since = 17;
}

def MIL_DequantizeOp : MIL_Op<"dequantize",
    [MIL_In<"input", "SrcT">, MIL_OptConstIn<"zero_point", "0", "SrcT">,
     MIL_ConstIn<"scale", "DstT">, MIL_OptConstIn<"axis", "none", "int32">],
    [MIL_ByteVar<"SrcT">, MIL_FloatVar<"DstT">]> {
  let summary = "the values of integers on a line";
  let description = [{
    result = scale * (input - zero_point). `scale` and `zero_point` are scalars,
    or vectors along `axis`; an absent zero point is 0.

    ```mil
    func main<ios17>(tensor<int8, [1, 3, 6, 6]> q) {
      tensor<fp16, [1, 3, 6, 6]> x = dequantize(axis = int32(1), input = q,
          scale = tensor<fp16, [3]>([0.02, 0.03, 0.05]));
    } -> (x);
    ```

    Constraints:
    * `mil-channel_scale-c1` to `mil-channel_scale-c3`, `mil-axes-c1`.
  }];
  let since = 17;
}

#endif // ANE_MIL_QUANTIZATION_OPS_TD
