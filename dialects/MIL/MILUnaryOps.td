//===- MILUnaryOps.td - Functions of one element --------------------------===//

#ifndef ANE_MIL_UNARY_OPS_TD
#define ANE_MIL_UNARY_OPS_TD

include "MIL/MILOpBase.td"

/// An op that applies a function to each element of `x`. The result has the
/// type of `x`.
class MIL_UnaryOp<string mnemonic, string text = "",
                  MIL_Domain domain = MIL_Float>
    : MIL_Op<mnemonic, [MIL_In<"x">], [MIL_TypeVar<"T", domain>],
             [MIL_Elementwise]> {
  let inference = "sameTypeAs(getX(), types)";
  let description = [{
    Of each element; the result has the shape and element type of `x`.
  }] # text # example;
}

/// A function with an `epsilon` that keeps it away from its pole.
class MIL_EpsilonOp<string mnemonic, string default, string text>
    : MIL_Op<mnemonic,
             [MIL_In<"x">, MIL_OptConstIn<"epsilon", default, "T", "U">],
             [MIL_TypeVar<"T", MIL_Float>, MIL_TypeVar<"U", MIL_Float>],
             [MIL_Elementwise]> {
  let inference = "inferWithEpsilon(*this, types)";
  let description = text # [{
    The sum with `epsilon` is not rounded. Up to ios16 `epsilon` has the element
    type of `x`, from ios17 on it may be of the other floating-point type.
  }] # example # [{
    Constraints:
    * `mil-scalar-c1`: `epsilon` is a scalar.
  }];
}

def MIL_AbsOp : MIL_UnaryOp<"abs", [{
    -0 becomes 0. The smallest int32 has no positive counterpart and stays.
  }], MIL_FloatInt32> {
  let summary = "|x|";
  let example = [{
    ```mil
    func main<ios15>(tensor<int32, [2, 20]> x) {
      tensor<int32, [2, 20]> y = abs(x = x);
    } -> (y);
    ```
  }];
}

def MIL_AcosOp : MIL_UnaryOp<"acos", [{
    NaN outside [-1, 1].
  }]> {
  let summary = "arc cosine, in [0, pi]";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp32, [10, 3]> x) {
      tensor<fp32, [10, 3]> angle = acos(x = x);
    } -> (angle);
    ```
  }];
}

def MIL_AsinOp : MIL_UnaryOp<"asin", [{
    NaN outside [-1, 1].
  }]> {
  let summary = "arc sine, in [-pi / 2, pi / 2]";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp32, [1, 12]> x) {
      tensor<fp32, [1, 12]> angle = asin(x = x);
    } -> (angle);
    ```
  }];
}

def MIL_AtanOp : MIL_UnaryOp<"atan"> {
  let summary = "arc tangent, in [-pi / 2, pi / 2]";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 2, 32, 32]> slope) {
      tensor<fp16, [1, 2, 32, 32]> angle = atan(x = slope);
    } -> (angle);
    ```
  }];
}

def MIL_AtanhOp : MIL_UnaryOp<"atanh", [{
    Infinite at -1 and 1, NaN beyond.
  }]> {
  let summary = "inverse hyperbolic tangent";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp32, [6, 6]> x) {
      tensor<fp32, [6, 6]> y = atanh(x = x);
    } -> (y);
    ```
  }];
}

def MIL_CeilOp : MIL_UnaryOp<"ceil"> {
  let summary = "the smallest integer not less than x";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [4, 33]> x) {
      tensor<fp16, [4, 33]> y = ceil(x = x);
    } -> (y);
    ```
  }];
}

def MIL_CosOp : MIL_UnaryOp<"cos"> {
  let summary = "cosine of x in radians";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 128, 64]> angle) {
      tensor<fp16, [1, 128, 64]> y = cos(x = angle);
    } -> (y);
    ```
  }];
}

def MIL_CoshOp : MIL_UnaryOp<"cosh"> {
  let summary = "hyperbolic cosine";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp32, [5]> x) {
      tensor<fp32, [5]> y = cosh(x = x);
    } -> (y);
    ```
  }];
}

def MIL_ErfOp : MIL_UnaryOp<"erf", [{
    2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x.
  }]> {
  let summary = "Gauss error function";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 196, 384]> x) {
      tensor<fp16, [1, 196, 384]> y = erf(x = x);
    } -> (y);
    ```
  }];
}

def MIL_ExpOp : MIL_UnaryOp<"exp"> {
  let summary = "e to the power of x";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 84, 20, 20]> x) {
      tensor<fp16, [1, 84, 20, 20]> y = exp(x = x);
    } -> (y);
    ```
  }];
}

def MIL_Exp2Op : MIL_UnaryOp<"exp2", [{
    Of an int32 x it is an int32: 0 where the power is a fraction, x < 0, and
    the low 32 bits of it where it is too large, x > 30 (assigned; as `pow`).
  }], MIL_FloatInt32> {
  let summary = "2 to the power of x";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [2, 8, 17]> x) {
      tensor<fp16, [2, 8, 17]> y = exp2(x = x);
    } -> (y);
    ```
  }];
}

def MIL_FloorOp : MIL_UnaryOp<"floor"> {
  let summary = "the largest integer not greater than x";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp32, [1, 1, 24, 24]> x) {
      tensor<fp32, [1, 1, 24, 24]> y = floor(x = x);
    } -> (y);
    ```
  }];
}

def MIL_InverseOp : MIL_EpsilonOp<"inverse", "1e-4", [{
    `epsilon` defaults to 1e-4, rounded to the element type of `x`.
  }]> {
  let summary = "1 / (x + epsilon)";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 256, 1, 1]> x) {
      tensor<fp16, [1, 256, 1, 1]> y = inverse(epsilon = fp16(0.0001), x = x);
    } -> (y);
    ```
  }];
}

def MIL_LogOp : MIL_EpsilonOp<"log", "1e-45", [{
    `epsilon` defaults to 1e-45, rounded to the element type of `x`: the
    smallest positive value of fp32, which makes log(0) finite, and 0 in fp16.
  }]> {
  let summary = "natural logarithm of x + epsilon";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp32, [1, 80, 300]> mel) {
      tensor<fp32, [1, 80, 300]> y = log(epsilon = fp32(1e-10), x = mel);
    } -> (y);
    ```
  }];
}

def MIL_LogicalNotOp : MIL_Op<"logical_not", [MIL_In<"x", "bool">], [],
                              [MIL_Elementwise]> {
  let inference = "sameTypeAs(getX(), types)";
  let summary = "not x";
  let description = [{
    Of each element; the result has the shape of `x`.

    ```mil
    func main<ios15>(tensor<bool, [1, 1, 100]> padding) {
      tensor<bool, [1, 1, 100]> valid = logical_not(x = padding);
    } -> (valid);
    ```
  }];
}

def MIL_RoundOp : MIL_UnaryOp<"round", [{
    A tie goes to the even integer: 0.5 to 0, 1.5 and 2.5 to 2.
  }]> {
  let summary = "the nearest integer";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [2, 3, 11]> x) {
      tensor<fp16, [2, 3, 11]> y = round(x = x);
    } -> (y);
    ```
  }];
}

def MIL_RsqrtOp : MIL_EpsilonOp<"rsqrt", "1e-12", [{
    `epsilon` defaults to 1e-12, rounded to the element type of `x`: in fp16
    that is 0, so that the result at 0 is infinite.
  }]> {
  let summary = "1 / sqrt(x + epsilon)";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 77, 1]> variance) {
      tensor<fp16, [1, 77, 1]> y = rsqrt(epsilon = fp16(1e-05), x = variance);
    } -> (y);
    ```
  }];
}

def MIL_SignOp : MIL_UnaryOp<"sign", [{
    NaN stays NaN.
  }], MIL_FloatInt32> {
  let summary = "-1, 0 or 1, as x is negative, zero or positive";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [8, 8]> x) {
      tensor<fp16, [8, 8]> y = sign(x = x);
    } -> (y);
    ```
  }];
}

def MIL_SinOp : MIL_UnaryOp<"sin"> {
  let summary = "sine of x in radians";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 50, 32]> angle) {
      tensor<fp16, [1, 50, 32]> y = sin(x = angle);
    } -> (y);
    ```
  }];
}

def MIL_SinhOp : MIL_UnaryOp<"sinh"> {
  let summary = "hyperbolic sine";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp32, [3, 7]> x) {
      tensor<fp32, [3, 7]> y = sinh(x = x);
    } -> (y);
    ```
  }];
}

def MIL_SqrtOp : MIL_UnaryOp<"sqrt", [{
    NaN of negative values.
  }]> {
  let summary = "square root";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 16, 60]> power) {
      tensor<fp16, [1, 16, 60]> y = sqrt(x = power);
    } -> (y);
    ```
  }];
}

def MIL_SquareOp : MIL_UnaryOp<"square", [{
    Of int32, the low 32 bits of the product.
  }], MIL_FloatInt32> {
  let summary = "x * x";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp16, [1, 201, 400]> x) {
      tensor<fp16, [1, 201, 400]> y = square(x = x);
    } -> (y);
    ```
  }];
}

def MIL_TanOp : MIL_UnaryOp<"tan"> {
  let summary = "tangent of x in radians";
  let example = [{
    ```mil
    func main<ios15>(tensor<fp32, [2, 2]> angle) {
      tensor<fp32, [2, 2]> y = tan(x = angle);
    } -> (y);
    ```
  }];
}

def MIL_ThresholdOp : MIL_Op<"threshold", [MIL_In<"x">, MIL_ConstIn<"alpha">],
                            [MIL_TypeVar<"T", MIL_FloatInt32>],
                            [MIL_Elementwise]> {
  let summary = "max(x, alpha)";
  let description = [{
    Of each element; the result has the shape and element type of `x`. NaN stays
    NaN.

    ```mil
    func main<ios15>(tensor<fp16, [1, 24, 80]> x) {
      tensor<fp16, [1, 24, 80]> y = threshold(alpha = fp16(-1.0), x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-scalar-c1`: `alpha` is a scalar.
  }];
}

#endif // ANE_MIL_UNARY_OPS_TD
