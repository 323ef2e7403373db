//===- MILElementwiseOps.td - Arithmetic on elements ----------------------===//

#ifndef ANE_MIL_ELEMENTWISE_OPS_TD
#define ANE_MIL_ELEMENTWISE_OPS_TD

include "MIL/MILOpBase.td"

/// An op of two inputs that broadcast against each other as in NumPy.
class MIL_BinaryOp<string mnemonic, string text = "",
                   MIL_Domain domain = MIL_FloatInt32>
    : MIL_Op<mnemonic, [MIL_In<"x">, MIL_In<"y">],
             [MIL_TypeVar<"T", domain>], [MIL_Elementwise]> {
  let inference = "inferBinary(*this, getX(), getY(), types)";
  let description = text # [{
    Shapes broadcast: aligned at the last dimension, each pair of extents is
    equal or one of them is 1.
  }] # example # [{
    Constraints:
    * `mil-broadcast-c1`: the shapes of `x` and `y` broadcast.
  }];
}

/// A comparison of two inputs.
class MIL_ComparisonOp<string mnemonic>
    : MIL_BinaryOp<mnemonic, [{
    The result is bool. Nothing is equal to, less or greater than NaN.
  }]> {
  let inference = "inferComparison(*this, getX(), getY(), types)";
}

/// A function of two truth values.
class MIL_LogicalOp<string mnemonic> : MIL_BinaryOp<mnemonic, "", MIL_Bool>;

defvar MIL_WrapText = [{
    Of int32, the low 32 bits of the exact result.
  }];
def MIL_AddOp : MIL_BinaryOp<"add", MIL_WrapText> {
  let summary = "x + y";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 64, 28, 28]> x,
        tensor<fp16, [64, 1, 1]> bias) {
      tensor<fp16, [1, 64, 28, 28]> y = add(x = x, y = bias);
    } -> (y);
    ```
  }];
}
def MIL_SubOp : MIL_BinaryOp<"sub", MIL_WrapText> {
  let summary = "x - y";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp32, [1, 3, 256, 256]> image,
        tensor<fp32, [1, 3, 1, 1]> mean) {
      tensor<fp32, [1, 3, 256, 256]> y = sub(x = image, y = mean);
    } -> (y);
    ```
  }];
}
def MIL_MulOp : MIL_BinaryOp<"mul", MIL_WrapText> {
  let summary = "x * y";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 96, 14, 14]> x,
        tensor<fp16, [1, 96, 1, 1]> gate) {
      tensor<fp16, [1, 96, 14, 14]> y = mul(x = x, y = gate);
    } -> (y);
    ```
  }];
}

defvar MIL_ExtremeText = [{
    NaN if either is NaN; -0 is less than 0.
  }];
def MIL_MaximumOp : MIL_BinaryOp<"maximum", MIL_ExtremeText> {
  let summary = "max(x, y)";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [2, 10]> x) {
      tensor<fp16, [2, 10]> y = maximum(x = x, y = fp16(0.01));
    } -> (y);
    ```
  }];
}
def MIL_MinimumOp : MIL_BinaryOp<"minimum", MIL_ExtremeText> {
  let summary = "min(x, y)";
  let example = [{
    ```mil
    func main<ios15>(tensor<int32, [5]> lengths) {
      tensor<int32, [5]> y = minimum(x = lengths, y = int32(512));
    } -> (y);
    ```
  }];
}

def MIL_RealDivOp : MIL_BinaryOp<"real_div", [{
    Of int32, the quotient truncated towards zero: the result has the element
    type of the inputs, and a cast to an integer truncates. An int32 divided by
    0 is 0 (assigned: MIL does not say; it is what the Arm division instruction
    gives).
  }]> {
  let summary = "x / y";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 12, 64, 64]> scores) {
      tensor<fp16, [1, 12, 64, 64]> y = real_div(x = scores, y = fp16(8.0));
    } -> (y);
    ```
  }];
}

def MIL_FloorDivOp : MIL_BinaryOp<"floor_div", [{
    -7 and 2 give -4. An int32 divided by 0 is 0 (assigned, as for `real_div`).
  }]> {
  let summary = "x / y, rounded down to an integer";
  let example = [{
    ```mil
    func main<ios15>(tensor<int32, [6]> positions) {
      tensor<int32, [6]> row = floor_div(x = positions, y = int32(14));
    } -> (row);
    ```
  }];
}

def MIL_ModOp : MIL_BinaryOp<"mod", [{
    What `floor_div` leaves over; it has the sign of `y`. -7 and 2 give 1, 7 and
    -2 give -1. Modulo 0 it is NaN, of int32 0 (assigned, as for `real_div`).
  }]> {
  let summary = "x - floor(x / y) * y";
  let example = [{
    ```mil
    func main<ios15>(tensor<int32, [6]> positions) {
      tensor<int32, [6]> column = mod(x = positions, y = int32(14));
    } -> (column);
    ```
  }];
}

def MIL_PowOp : MIL_BinaryOp<"pow", [{
    NaN for a negative `x` and a `y` that is no integer. Of int32 it is an
    int32: the low 32 bits of the exact power, and where `y` is negative, the
    fraction truncated towards zero, which leaves something of 1 and -1 only
    (assigned).
  }]> {
  let summary = "x to the power of y";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 16, 768]> x) {
      tensor<fp16, [1, 16, 768]> y = pow(x = x, y = fp16(3.0));
    } -> (y);
    ```
  }];
}

def MIL_EqualOp : MIL_ComparisonOp<"equal"> {
  let summary = "x == y";
  let example = [{
    ```mil
    func main<ios15>(tensor<int32, [1, 128]> tokens) {
      tensor<bool, [1, 128]> padding = equal(x = tokens, y = int32(0));
    } -> (padding);
    ```
  }];
}
def MIL_NotEqualOp : MIL_ComparisonOp<"not_equal"> {
  let summary = "x != y";
  let example = [{
    ```mil
    func main<ios15>(tensor<int32, [4, 20]> tokens) {
      tensor<bool, [4, 20]> used = not_equal(x = tokens, y = int32(1));
    } -> (used);
    ```
  }];
}
def MIL_LessOp : MIL_ComparisonOp<"less"> {
  let summary = "x < y";
  let example = [{
    ```mil
    func main<ios15>(tensor<int32, [64]> positions,
        tensor<int32, [3, 1]> lengths) {
      tensor<bool, [3, 64]> valid = less(x = positions, y = lengths);
    } -> (valid);
    ```
  }];
}
def MIL_LessEqualOp : MIL_ComparisonOp<"less_equal"> {
  let summary = "x <= y";
  let example = [{
    ```mil
    func main<ios15>(tensor<int32, [16]> key, tensor<int32, [16, 1]> query) {
      tensor<bool, [16, 16]> causal = less_equal(x = key, y = query);
    } -> (causal);
    ```
  }];
}
def MIL_GreaterOp : MIL_ComparisonOp<"greater"> {
  let summary = "x > y";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 1, 48, 48]> depth) {
      tensor<bool, [1, 1, 48, 48]> near = greater(x = fp16(0.5), y = depth);
    } -> (near);
    ```
  }];
}
def MIL_GreaterEqualOp : MIL_ComparisonOp<"greater_equal"> {
  let summary = "x >= y";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 300, 80]> scores) {
      tensor<bool, [1, 300, 80]> kept = greater_equal(x = scores,
          y = fp16(0.25));
    } -> (kept);
    ```
  }];
}

def MIL_LogicalAndOp : MIL_LogicalOp<"logical_and"> {
  let summary = "x and y";
  let example = [{
    ```mil
    func main<ios15>(tensor<bool, [1, 1, 16, 16]> causal,
        tensor<bool, [2, 1, 1, 16]> valid) {
      tensor<bool, [2, 1, 16, 16]> mask = logical_and(x = causal, y = valid);
    } -> (mask);
    ```
  }];
}
def MIL_LogicalOrOp : MIL_LogicalOp<"logical_or"> {
  let summary = "x or y";
  let example = [{
    ```mil
    func main<ios15>(tensor<bool, [8, 1]> a, tensor<bool, [1, 5]> b) {
      tensor<bool, [8, 5]> y = logical_or(x = a, y = b);
    } -> (y);
    ```
  }];
}
def MIL_LogicalXorOp : MIL_LogicalOp<"logical_xor"> {
  let summary = "either x or y, not both";
  let example = [{
    ```mil
    func main<ios15>(tensor<bool, [2, 32]> a, tensor<bool, [2, 32]> b) {
      tensor<bool, [2, 32]> differs = logical_xor(x = a, y = b);
    } -> (differs);
    ```
  }];
}

def MIL_ClipOp : MIL_Op<"clip",
    [MIL_In<"x">, MIL_ConstIn<"alpha">, MIL_ConstIn<"beta">],
    [MIL_TypeVar<"T", MIL_Float>], [MIL_Elementwise]> {
  let summary = "min(max(x, alpha), beta)";
  let description = [{
    The result has the type of `x`; NaN stays NaN. Where the bounds cross, which
    only opsets before ios17 allow, it is `beta`.

    ```mil
    func main<ios15>(tensor<fp16, [1, 3, 512, 512]> x) {
      tensor<fp16, [1, 3, 512, 512]> y = clip(alpha = fp16(0.0),
          beta = fp16(1.0), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-clip-c1`: `alpha` and `beta` are scalars.
    * `mil-clip-c2`: from ios17 on, alpha is less than beta.
  }];
}

def MIL_CastOp : MIL_Op<"cast",
    [MIL_In<"x">, MIL_ConstIn<"dtype", "string">],
    [MIL_TypeVar<"T", MIL_FloatInt32Bool, MIL_Storage>], [MIL_Elementwise]> {
  let summary = "conversion to the element type that `dtype` names";
  let description = [{
    The result has the shape of `x`. From float to integer truncates towards
    zero, and what lies outside goes to the nearest value of the type; from
    integer to integer keeps the low bits; to bool is x != 0.

    ```mil
    func main<ios17>(tensor<fp16, [1, 3, 8, 8]> x) {
      tensor<int8, [1, 3, 8, 8]> y = cast(dtype = string("int8"), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-cast-c1`: `dtype` is one of fp16, fp32, int32, bool, and from ios17
      on also int8, uint8, int16, uint16.
  }];
}

#endif // ANE_MIL_ELEMENTWISE_OPS_TD
