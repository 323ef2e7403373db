// RUN: not ane-opt %s --split-input-file --convert-mil-to-zin 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=ERROR --input-file=%t.err

// Operands that folding would have made disappear, and constants without elements.

// A constant that is no kernel becomes a value, at its op's rank.

// CHECK-LABEL: zin.procedure @values
// CHECK-NEXT: %[[V:.*]] = zin.constant dense<[{{\[\[\[\[}}1.000000e+00, 2.000000e+00]]]]]> : tensor<1x1x1x1x2xf16>
// CHECK-NEXT: %[[R:.*]] = zin.neuron <relu> %[[V]]
// CHECK-NEXT: %[[A:.*]] = zin.constant dense<[{{\[\[\[\[}}1.000000e+00, 2.000000e+00]]]]]> : tensor<1x1x1x1x2xf16>
// CHECK-NEXT: zin.return %[[R]], %[[A]]
mil.func @values(%x: tensor<2xf16> {mil.name = "x"}) -> (tensor<2xf16>, tensor<2xf16>) attributes {opset = "ios18"} {
  %v = mil.const dense<[1.0, 2.0]> : tensor<2xf16>
  %y = mil.relu(x = %v) : (tensor<2xf16>) -> tensor<2xf16>
  mil.return %y, %v : tensor<2xf16>, tensor<2xf16>
}

// -----

// A product of constants has its left side as value.

// CHECK-LABEL: zin.procedure @product
// CHECK-DAG: %[[K:.*]] = zin.constant dense<{{.*}}3.000000e+00, 5.000000e+00], [4.000000e+00, 6.0{{.*}} : tensor<1x1x1x2x2xf16>
// CHECK-DAG: %[[X:.*]] = zin.constant dense<{{.*}}1.000000e+00, 2.0{{.*}} : tensor<1x1x1x1x2xf16>
// CHECK: zin.matmul %[[X]], %[[K]] :
mil.func @product(%x: tensor<2xf16> {mil.name = "x"}) -> tensor<1x2xf16> attributes {opset = "ios18"} {
  %a = mil.const dense<[[1.0, 2.0]]> : tensor<1x2xf16>
  %b = mil.const dense<[[3.0, 4.0], [5.0, 6.0]]> : tensor<2x2xf16>
  %y = mil.matmul(x = %a, y = %b) : (tensor<1x2xf16>, tensor<2x2xf16>) -> tensor<1x2xf16>
  mil.return %y : tensor<1x2xf16>
}

// -----

// ERROR: [[@LINE+4]]:8: error: conv: the elements of a constant operand are not at hand; run the pass mil-load-weights first, and do not elide constants [h13-const-c2]

mil.func @elided(%x: tensor<1x2x3x3xf32> {mil.name = "x"}) -> tensor<1x2x3x3xf32> attributes {opset = "ios18"} {
  %w = mil.const dense_resource<elided> : tensor<2x2x1x1xf32>
  %y = mil.conv(x = %x, weight = %w) : (tensor<1x2x3x3xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x3x3xf32>
  mil.return %y : tensor<1x2x3x3xf32>
}

// -----

// ERROR: [[@LINE+4]]:8: error: batch_norm: the elements of a constant operand are not at hand;

mil.func @elided_parameter(%x: tensor<1x2x3x3xf16> {mil.name = "x"}) -> tensor<1x2x3x3xf16> attributes {opset = "ios18"} {
  %p = mil.const dense_resource<elided> : tensor<2xf16>
  %y = mil.batch_norm(x = %x, mean = %p, variance = %p) : (tensor<1x2x3x3xf16>, tensor<2xf16>, tensor<2xf16>) -> tensor<1x2x3x3xf16>
  mil.return %y : tensor<1x2x3x3xf16>
}

// -----

// The second element lacks a byte.

// ERROR: [[@LINE+4]]:8: error: add: the elements of a constant operand are not at hand;

mil.func @short(%x: tensor<2xf16> {mil.name = "x"}) -> tensor<2xf16> attributes {opset = "ios18"} {
  %c = mil.const dense_resource<short> : tensor<2xf16>
  %y = mil.add(x = %x, y = %c) : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xf16>
  mil.return %y : tensor<2xf16>
}

{-#
  dialect_resources: {
    builtin: {
      short: "0x02000000003C40"
    }
  }
#-}
