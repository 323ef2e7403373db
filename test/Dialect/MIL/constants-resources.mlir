// RUN: ane-opt %s --split-input-file --verify-diagnostics

// Shapes and axes are read from resources as from any other constant: in each
// width, with and without a sign.

mil.func @widths(%x: tensor<2x3xf16> {mil.name = "x"}) -> tensor<3x2xf16> attributes {opset = "ios17"} {
  %wide = mil.const dense_resource<wide> : tensor<2xi32>
  %y32 = mil.reshape(x = %x, shape = %wide) : (tensor<2x3xf16>, tensor<2xi32>) -> tensor<3x2xf16>
  // expected-error@+1 {{reshape: the result is declared as tensor<fp16, [2, 3]>, but the inputs give tensor<fp16, [3, 2]> [mil-result-c1]}}
  %z32 = mil.reshape(x = %x, shape = %wide) : (tensor<2x3xf16>, tensor<2xi32>) -> tensor<2x3xf16>
  mil.return %y32 : tensor<3x2xf16>
}

{-#
  dialect_resources: {
    builtin: {
      wide: "0x0400000003000000FFFFFFFF"
    }
  }
#-}

// -----

mil.func @narrow(%x: tensor<2x3xf16> {mil.name = "x"}) -> tensor<3x2xf16> attributes {opset = "ios17"} {
  %half = mil.const dense_resource<half> : tensor<2xi16>
  %byte = mil.const dense_resource<byte> : tensor<2xi8>
  %y16 = mil.reshape(x = %x, shape = %half) : (tensor<2x3xf16>, tensor<2xi16>) -> tensor<3x2xf16>
  // expected-error@+1 {{reshape: the result is declared as tensor<fp16, [2, 3]>, but the inputs give tensor<fp16, [3, 2]> [mil-result-c1]}}
  %y8 = mil.reshape(x = %x, shape = %byte) : (tensor<2x3xf16>, tensor<2xi8>) -> tensor<2x3xf16>
  mil.return %y16 : tensor<3x2xf16>
}

{-#
  dialect_resources: {
    builtin: {
      half: "0x020000000300FFFF",
      byte: "0x0100000003FF"
    }
  }
#-}

// -----

mil.func @axes(%x: tensor<2x3xf16> {mil.name = "x"}) -> tensor<2x1xf16> attributes {opset = "ios17"} {
  %axes = mil.const dense_resource<axes> : tensor<1xi32>
  %keep = mil.const dense<true> : tensor<i1>
  %y = mil.reduce_sum(x = %x, axes = %axes, keep_dims = %keep) : (tensor<2x3xf16>, tensor<1xi32>, tensor<i1>) -> tensor<2x1xf16>
  // expected-error@+1 {{reduce_sum: the result is declared as tensor<fp16, [1, 3]>, but the inputs give tensor<fp16, [2, 1]> [mil-result-c1]}}
  %z = mil.reduce_sum(x = %x, axes = %axes, keep_dims = %keep) : (tensor<2x3xf16>, tensor<1xi32>, tensor<i1>) -> tensor<1x3xf16>
  mil.return %y : tensor<2x1xf16>
}

{-#
  dialect_resources: {
    builtin: {
      axes: "0x04000000FFFFFFFF"
    }
  }
#-}

// -----

// Bytes that do not fit the type, or are not there, are no value.

mil.func @absent(%x: tensor<2x3xf16> {mil.name = "x"}) -> tensor<2x1xf16> attributes {opset = "ios17"} {
  %axes = mil.const dense_resource<axes> : tensor<1xi32>
  %keep = mil.const dense<true> : tensor<i1>
  // expected-error@+1 {{reduce_sum: the axes must be known at compile time [mil-sig-c1]}}
  %y = mil.reduce_sum(x = %x, axes = %axes, keep_dims = %keep) : (tensor<2x3xf16>, tensor<1xi32>, tensor<i1>) -> tensor<2x1xf16>
  mil.return %y : tensor<2x1xf16>
}

// -----

mil.func @short(%x: tensor<2x3xf16> {mil.name = "x"}) -> tensor<2x1xf16> attributes {opset = "ios17"} {
  %axes = mil.const dense_resource<axes> : tensor<1xi32>
  %keep = mil.const dense<true> : tensor<i1>
  // expected-error@+1 {{reduce_sum: the axes must be known at compile time [mil-sig-c1]}}
  %y = mil.reduce_sum(x = %x, axes = %axes, keep_dims = %keep) : (tensor<2x3xf16>, tensor<1xi32>, tensor<i1>) -> tensor<2x1xf16>
  mil.return %y : tensor<2x1xf16>
}

{-#
  dialect_resources: {
    builtin: {
      axes: "0x04000000FFFF"
    }
  }
#-}
