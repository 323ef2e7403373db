// RUN: ane-opt %s --zin-fold-scale --split-input-file | FileCheck %s

// The scale and the offset of each channel behind a norm, which two products and a
// convolution read: coefficients times 0.5, 1, 2 and 4, and biases of what the
// offset adds, 2 * (1 + 2 + 0 - 1) = 4 for coefficients of 2.

// CHECK-LABEL: zin.procedure @columns
// CHECK-DAG: %[[W:.*]] = zin.constant dense<{{\[\[\[\[}}[1.000000e+00, 2.000000e+00, 4.000000e+00, 8.000000e+00], [1.000000e+00, 2.000000e+00, 4.000000e+00, 8.000000e+00]]]]]> : tensor<1x1x1x2x4xf16>
// CHECK-DAG: %[[B:.*]] = zin.constant dense<{{\[\[\[\[}}[5.000000e+00, 6.000000e+00]]]]]> : tensor<1x1x1x1x2xf16>
// CHECK: zin.matmul %arg0, %[[W]] bias %[[B]]
// CHECK-DAG: %[[V:.*]] = zin.constant dense<{{\[\[\[\[}}[1.000000e+00, 2.000000e+00, 4.000000e+00, 8.000000e+00]]]]]> : tensor<1x1x1x1x4xf16>
// CHECK-DAG: %[[A:.*]] = zin.constant dense<4.000000e+00> : tensor<1x1x1x1x1xf16>
// CHECK-DAG: %[[T:.*]] = zin.transpose %arg0
// CHECK: zin.matmul %[[T]], %[[V]] bias %[[A]] {contract_rows}
// CHECK-NOT: zin.elementwise
zin.procedure @columns(%x: tensor<1x1x1x64x4xf16> {zin.host_type = tensor<64x4xf16>, zin.name = "x"}) -> (tensor<1x1x1x64x2xf16> {zin.host_type = tensor<64x2xf16>, zin.name = "y"}, tensor<1x1x1x64x1xf16> {zin.host_type = tensor<64x1xf16>, zin.name = "z"}) {
  %w = zin.constant dense<2.0> : tensor<1x1x1x2x4xf16>
  %b = zin.constant dense<[[[[[1.0, 2.0]]]]]> : tensor<1x1x1x1x2xf16>
  %v = zin.constant dense<2.0> : tensor<1x1x1x1x4xf16>
  %scale = zin.constant dense<[[[[[0.5, 1.0, 2.0, 4.0]]]]]> : tensor<1x1x1x1x4xf16>
  %offset = zin.constant dense<[[[[[1.0, 2.0, 0.0, -1.0]]]]]> : tensor<1x1x1x1x4xf16>
  %0 = zin.elementwise <Mult> %scale, %x : (tensor<1x1x1x1x4xf16>, tensor<1x1x1x64x4xf16>) -> tensor<1x1x1x64x4xf16>
  %1 = zin.elementwise <Add> %0, %offset : (tensor<1x1x1x64x4xf16>, tensor<1x1x1x1x4xf16>) -> tensor<1x1x1x64x4xf16>
  %y = zin.matmul %1, %w bias %b : (tensor<1x1x1x64x4xf16>, tensor<1x1x1x2x4xf16>, tensor<1x1x1x1x2xf16>) -> tensor<1x1x1x64x2xf16>
  %2 = zin.transpose %1 to [0, 1, 2, 4, 3] : (tensor<1x1x1x64x4xf16>) -> tensor<1x1x1x4x64xf16>
  %z = zin.matmul %2, %v {contract_rows} : (tensor<1x1x1x4x64xf16>, tensor<1x1x1x1x4xf16>) -> tensor<1x1x1x64x1xf16>
  zin.return %y, %z : tensor<1x1x1x64x2xf16>, tensor<1x1x1x64x1xf16>
}

// -----

// Groups of a convolution have channels of their own; the windows are two columns
// wide. With padding a scale alone is folded.

// CHECK-LABEL: zin.procedure @groups
// CHECK-DAG: %[[W:.*]] = zin.constant dense<{{\[\[\[\[}}[1.000000e+00, 1.000000e+00]]]], {{\[\[\[}}[4.000000e+00, 4.000000e+00]]]]]> : tensor<2x1x1x1x2xf16>
// CHECK-DAG: %[[B:.*]] = zin.constant dense<{{\[\[\[\[\[}}4.000000e+00]], {{\[\[}}-4.000000e+00]]]]]> : tensor<1x1x2x1x1xf16>
// CHECK: zin.conv %arg0, %[[W]] bias %[[B]]
// CHECK: %[[V:.*]] = zin.constant dense<{{\[\[\[\[}}[5.000000e-01, 5.000000e-01]]]], {{\[\[\[}}[2.000000e+00, 2.000000e+00]]]]]> : tensor<2x1x1x1x2xf16>
// CHECK: zin.conv %arg0, %[[V]] {
zin.procedure @groups(%x: tensor<1x1x2x4x9xf16> {zin.host_type = tensor<2x4x9xf16>, zin.name = "x"}) -> (tensor<1x1x2x4x8xf16> {zin.host_type = tensor<2x4x8xf16>, zin.name = "y"}, tensor<1x1x2x4x9xf16> {zin.host_type = tensor<2x4x9xf16>, zin.name = "z"}) {
  %w = zin.constant dense<2.0> : tensor<2x1x1x1x2xf16>
  %v = zin.constant dense<1.0> : tensor<2x1x1x1x2xf16>
  %scale = zin.constant dense<[[[[[0.5]], [[2.0]]]]]> : tensor<1x1x2x1x1xf16>
  %offset = zin.constant dense<[[[[[1.0]], [[-1.0]]]]]> : tensor<1x1x2x1x1xf16>
  %0 = zin.elementwise <Mult> %x, %scale : (tensor<1x1x2x4x9xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x9xf16>
  %1 = zin.elementwise <Add> %0, %offset : (tensor<1x1x2x4x9xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x9xf16>
  %y = zin.conv %1, %w {dilations = array<i64: 1, 1>, groups = 2 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2x4x9xf16>, tensor<2x1x1x1x2xf16>) -> tensor<1x1x2x4x8xf16>
  %2 = zin.elementwise <Mult> %x, %scale : (tensor<1x1x2x4x9xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x9xf16>
  %z = zin.conv %2, %v {dilations = array<i64: 1, 1>, groups = 2 : i64, padding = array<i64: 0, 1>, strides = array<i64: 1, 1>} : (tensor<1x1x2x4x9xf16>, tensor<2x1x1x1x2xf16>) -> tensor<1x1x2x4x9xf16>
  zin.return %y, %z : tensor<1x1x2x4x8xf16>, tensor<1x1x2x4x9xf16>
}

// -----

// An offset stays in front of padding, which is 0 beside it.

// CHECK-LABEL: zin.procedure @padded
// CHECK: %[[W:.*]] = zin.constant dense<1.000000e+00> : tensor<1x1x2x1x2xf16>
// CHECK: %[[SUM:.*]] = zin.elementwise <Add>
// CHECK-NEXT: zin.conv %[[SUM]], %[[W]] {
zin.procedure @padded(%x: tensor<1x1x2x4x9xf16> {zin.host_type = tensor<2x4x9xf16>, zin.name = "x"}) -> (tensor<1x1x1x4x9xf16> {zin.host_type = tensor<1x4x9xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x2x1x2xf16>
  %scale = zin.constant dense<[[[[[0.5]], [[2.0]]]]]> : tensor<1x1x2x1x1xf16>
  %offset = zin.constant dense<[[[[[1.0]], [[-1.0]]]]]> : tensor<1x1x2x1x1xf16>
  %0 = zin.elementwise <Mult> %x, %scale : (tensor<1x1x2x4x9xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x9xf16>
  %1 = zin.elementwise <Add> %0, %offset : (tensor<1x1x2x4x9xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x9xf16>
  %y = zin.conv %1, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 1>, strides = array<i64: 1, 1>} : (tensor<1x1x2x4x9xf16>, tensor<1x1x2x1x2xf16>) -> tensor<1x1x1x4x9xf16>
  zin.return %y : tensor<1x1x1x4x9xf16>
}

// -----

// Padding behind alone, as a window of two columns has it for as many results as
// there are columns, and a stride of two rows.

// CHECK-LABEL: zin.procedure @padded_behind
// CHECK: zin.elementwise <Add>
// CHECK-NEXT: zin.conv
// CHECK: zin.elementwise <Add>
// CHECK-NEXT: zin.conv
zin.procedure @padded_behind(%x: tensor<1x1x2x4x9xf16> {zin.host_type = tensor<2x4x9xf16>, zin.name = "x"}) -> (tensor<1x1x1x4x9xf16> {zin.host_type = tensor<1x4x9xf16>, zin.name = "y"}, tensor<1x1x1x2x9xf16> {zin.host_type = tensor<1x2x9xf16>, zin.name = "z"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x2x1x2xf16>
  %v = zin.constant dense<1.0> : tensor<1x1x2x3x1xf16>
  %offset = zin.constant dense<[[[[[1.0]], [[-1.0]]]]]> : tensor<1x1x2x1x1xf16>
  %0 = zin.elementwise <Add> %x, %offset : (tensor<1x1x2x4x9xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x9xf16>
  %y = zin.conv %0, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2x4x9xf16>, tensor<1x1x2x1x2xf16>) -> tensor<1x1x1x4x9xf16>
  %1 = zin.elementwise <Add> %x, %offset : (tensor<1x1x2x4x9xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x9xf16>
  %z = zin.conv %1, %v {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 2, 1>} : (tensor<1x1x2x4x9xf16>, tensor<1x1x2x3x1xf16>) -> tensor<1x1x1x2x9xf16>
  zin.return %y, %z : tensor<1x1x1x4x9xf16>, tensor<1x1x1x2x9xf16>
}

// -----

// A dilated window that ends with what is read, and one whose last row nothing
// sees: nothing is padding.

// CHECK-LABEL: zin.procedure @not_padded
// CHECK-NOT: zin.elementwise
zin.procedure @not_padded(%x: tensor<1x1x2x4x9xf16> {zin.host_type = tensor<2x4x9xf16>, zin.name = "x"}) -> (tensor<1x1x1x4x5xf16> {zin.host_type = tensor<1x4x5xf16>, zin.name = "y"}, tensor<1x1x1x1x9xf16> {zin.host_type = tensor<1x1x9xf16>, zin.name = "z"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x2x1x3xf16>
  %v = zin.constant dense<1.0> : tensor<1x1x2x3x1xf16>
  %offset = zin.constant dense<[[[[[1.0]], [[-1.0]]]]]> : tensor<1x1x2x1x1xf16>
  %0 = zin.elementwise <Add> %x, %offset : (tensor<1x1x2x4x9xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x9xf16>
  %y = zin.conv %0, %w {dilations = array<i64: 1, 2>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2x4x9xf16>, tensor<1x1x2x1x3xf16>) -> tensor<1x1x1x4x5xf16>
  %z = zin.conv %0, %v {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 2, 1>} : (tensor<1x1x2x4x9xf16>, tensor<1x1x2x3x1xf16>) -> tensor<1x1x1x1x9xf16>
  zin.return %y, %z : tensor<1x1x1x4x5xf16>, tensor<1x1x1x1x9xf16>
}

// -----

// Another reader than a layer, a scale that would make the coefficients of an
// output too small, and one number for 64 coefficients: all stay.

// CHECK-LABEL: zin.procedure @kept
// CHECK-COUNT-3: zin.elementwise <Mult>
zin.procedure @kept(%x: tensor<1x1x1x1x4xf16> {zin.host_type = tensor<1x4xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x4xf16> {zin.host_type = tensor<1x4xf16>, zin.name = "r"}, tensor<1x1x1x1x4xf16> {zin.host_type = tensor<1x4xf16>, zin.name = "a"}, tensor<1x1x1x1x4xf16> {zin.host_type = tensor<1x4xf16>, zin.name = "b"}, tensor<1x1x1x1x64xf16> {zin.host_type = tensor<1x64xf16>, zin.name = "c"}) {
  %w = zin.constant dense<2.0> : tensor<1x1x1x4x4xf16>
  %tiny = zin.constant dense<0x0400> : tensor<1x1x1x4x4xf16>
  %many = zin.constant dense<2.0> : tensor<1x1x1x64x4xf16>
  %scale = zin.constant dense<[[[[[0.5, 0.25, 0.5, 0.5]]]]]> : tensor<1x1x1x1x4xf16>
  %0 = zin.elementwise <Mult> %x, %scale : (tensor<1x1x1x1x4xf16>, tensor<1x1x1x1x4xf16>) -> tensor<1x1x1x1x4xf16>
  %a = zin.matmul %0, %w : (tensor<1x1x1x1x4xf16>, tensor<1x1x1x4x4xf16>) -> tensor<1x1x1x1x4xf16>
  %1 = zin.elementwise <Mult> %x, %scale : (tensor<1x1x1x1x4xf16>, tensor<1x1x1x1x4xf16>) -> tensor<1x1x1x1x4xf16>
  %b = zin.matmul %1, %tiny : (tensor<1x1x1x1x4xf16>, tensor<1x1x1x4x4xf16>) -> tensor<1x1x1x1x4xf16>
  %2 = zin.elementwise <Mult> %x, %scale : (tensor<1x1x1x1x4xf16>, tensor<1x1x1x1x4xf16>) -> tensor<1x1x1x1x4xf16>
  %c = zin.matmul %2, %many : (tensor<1x1x1x1x4xf16>, tensor<1x1x1x64x4xf16>) -> tensor<1x1x1x1x64xf16>
  zin.return %0, %a, %b, %c : tensor<1x1x1x1x4xf16>, tensor<1x1x1x1x4xf16>, tensor<1x1x1x1x4xf16>, tensor<1x1x1x1x64xf16>
}
