// RUN: ane-opt %s --zin-fold-layout --split-input-file | FileCheck %s

// Scores of two images are joined as rows, and the sigmoid of all of them is
// what the convolution and the product behind which nothing else reads compute.

// CHECK-LABEL: zin.procedure @joined
// CHECK: %[[A:.*]] = zin.conv
// CHECK: %[[AS:.*]] = zin.neuron <sigmoid> %[[A]] : tensor<1x1x4x8x8xf16>
// CHECK: %[[B:.*]] = zin.matmul
// CHECK: %[[BS:.*]] = zin.neuron <sigmoid> %[[B]] : tensor<1x1x1x16x4xf16>
// CHECK: %[[AT:.*]] = zin.transpose %[[AS]]
// CHECK: %[[AR:.*]] = zin.reshape %[[AT]]
// CHECK: %[[Y:.*]] = zin.concat %[[AR]], %[[BS]] along 3
// CHECK-NEXT: zin.return %[[Y]]
zin.procedure @joined(%x: tensor<1x1x2x8x8xf16> {zin.host_type = tensor<2x8x8xf16>, zin.name = "x"}, %z: tensor<1x1x1x16x3xf16> {zin.host_type = tensor<16x3xf16>, zin.name = "z"}) -> (tensor<1x1x1x80x4xf16> {zin.host_type = tensor<80x4xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<4x1x2x1x1xf16>
  %v = zin.constant dense<1.0> : tensor<1x1x1x4x3xf16>
  %a = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2x8x8xf16>, tensor<4x1x2x1x1xf16>) -> tensor<1x1x4x8x8xf16>
  %b = zin.matmul %z, %v : (tensor<1x1x1x16x3xf16>, tensor<1x1x1x4x3xf16>) -> tensor<1x1x1x16x4xf16>
  %t = zin.transpose %a to [0, 1, 3, 4, 2] : (tensor<1x1x4x8x8xf16>) -> tensor<1x1x8x8x4xf16>
  %r = zin.reshape %t : (tensor<1x1x8x8x4xf16>) -> tensor<1x1x1x64x4xf16>
  %j = zin.concat %r, %b along 3 : (tensor<1x1x1x64x4xf16>, tensor<1x1x1x16x4xf16>) -> tensor<1x1x1x80x4xf16>
  %y = zin.neuron <sigmoid> %j : tensor<1x1x1x80x4xf16>
  zin.return %y : tensor<1x1x1x80x4xf16>
}

// -----

// Left alone: what others read before the activation, what has one already,
// what comes from elsewhere, and an activation that is a product.

// CHECK-LABEL: zin.procedure @read
// CHECK: %[[R:.*]] = zin.reshape
// CHECK: zin.neuron <sigmoid> %[[R]]
zin.procedure @read(%x: tensor<1x1x2x8x8xf16> {zin.host_type = tensor<2x8x8xf16>, zin.name = "x"}) -> (tensor<1x1x4x1x64xf16> {zin.host_type = tensor<4x1x64xf16>, zin.name = "r"}, tensor<1x1x4x1x64xf16> {zin.host_type = tensor<4x1x64xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<4x1x2x1x1xf16>
  %a = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2x8x8xf16>, tensor<4x1x2x1x1xf16>) -> tensor<1x1x4x8x8xf16>
  %r = zin.reshape %a : (tensor<1x1x4x8x8xf16>) -> tensor<1x1x4x1x64xf16>
  %y = zin.neuron <sigmoid> %r : tensor<1x1x4x1x64xf16>
  zin.return %r, %y : tensor<1x1x4x1x64xf16>, tensor<1x1x4x1x64xf16>
}

// CHECK-LABEL: zin.procedure @other
// CHECK: %[[J:.*]] = zin.concat
// CHECK: zin.neuron <sigmoid> %[[J]]
// CHECK: %[[R:.*]] = zin.reshape
// CHECK: zin.neuron <sigmoid> %[[R]]
zin.procedure @other(%x: tensor<1x1x2x8x8xf16> {zin.host_type = tensor<2x8x8xf16>, zin.name = "x"}) -> (tensor<1x1x6x8x8xf16> {zin.host_type = tensor<6x8x8xf16>, zin.name = "y"}, tensor<1x1x4x1x64xf16> {zin.host_type = tensor<4x1x64xf16>, zin.name = "z"}) {
  %w = zin.constant dense<1.0> : tensor<4x1x2x1x1xf16>
  %a = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2x8x8xf16>, tensor<4x1x2x1x1xf16>) -> tensor<1x1x4x8x8xf16>
  %j = zin.concat %a, %x along 2 : (tensor<1x1x4x8x8xf16>, tensor<1x1x2x8x8xf16>) -> tensor<1x1x6x8x8xf16>
  %y = zin.neuron <sigmoid> %j : tensor<1x1x6x8x8xf16>
  %b = zin.conv %x, %w {activation = #zin.neuron<relu>, dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2x8x8xf16>, tensor<4x1x2x1x1xf16>) -> tensor<1x1x4x8x8xf16>
  %r = zin.reshape %b : (tensor<1x1x4x8x8xf16>) -> tensor<1x1x4x1x64xf16>
  %z = zin.neuron <sigmoid> %r : tensor<1x1x4x1x64xf16>
  zin.return %y, %z : tensor<1x1x6x8x8xf16>, tensor<1x1x4x1x64xf16>
}

// CHECK-LABEL: zin.procedure @product
// CHECK: %[[R:.*]] = zin.reshape
// CHECK: zin.neuron <swish> %[[R]]
zin.procedure @product(%x: tensor<1x1x2x8x8xf16> {zin.host_type = tensor<2x8x8xf16>, zin.name = "x"}) -> (tensor<1x1x4x1x64xf16> {zin.host_type = tensor<4x1x64xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<4x1x2x1x1xf16>
  %a = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2x8x8xf16>, tensor<4x1x2x1x1xf16>) -> tensor<1x1x4x8x8xf16>
  %r = zin.reshape %a : (tensor<1x1x4x8x8xf16>) -> tensor<1x1x4x1x64xf16>
  %y = zin.neuron <swish> %r : tensor<1x1x4x1x64xf16>
  zin.return %y : tensor<1x1x4x1x64xf16>
}
