// RUN: ane-opt %s --zin-turn-products --split-input-file | FileCheck %s

// A gated product: what both products in front write is read by ops of one
// element and the product behind alone.

// CHECK-LABEL: zin.procedure @gate
// CHECK: %[[A:.*]] = zin.matmul %arg0, %{{.*}} {outputs_on_rows} : {{.*}} -> tensor<1x1x1x8x5xf16>
// CHECK-NEXT: %[[B:.*]] = zin.matmul %arg0, %{{.*}} {outputs_on_rows} : {{.*}} -> tensor<1x1x1x8x5xf16>
// CHECK-NEXT: %[[C:.*]] = zin.neuron <tanh> %[[A]] : tensor<1x1x1x8x5xf16>
// CHECK-NEXT: %[[D:.*]] = zin.elementwise <Mult> %[[C]], %[[B]] : (tensor<1x1x1x8x5xf16>, tensor<1x1x1x8x5xf16>) -> tensor<1x1x1x8x5xf16>
// CHECK-NEXT: zin.matmul %[[D]], %{{.*}} {contract_rows} : (tensor<1x1x1x8x5xf16>, tensor<1x1x1x3x8xf16>) -> tensor<1x1x1x5x3xf16>
zin.procedure @gate(%x: tensor<1x1x1x5x4xf16> {zin.host_type = tensor<5x4xf16>, zin.name = "x"}) -> (tensor<1x1x1x5x3xf16> {zin.host_type = tensor<5x3xf16>, zin.name = "y"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<1x1x1x8x4xf16>
  %l = zin.constant dense<5.000000e-01> : tensor<1x1x1x3x8xf16>
  %0 = zin.matmul %x, %k : (tensor<1x1x1x5x4xf16>, tensor<1x1x1x8x4xf16>) -> tensor<1x1x1x5x8xf16>
  %1 = zin.matmul %x, %k : (tensor<1x1x1x5x4xf16>, tensor<1x1x1x8x4xf16>) -> tensor<1x1x1x5x8xf16>
  %2 = zin.neuron <tanh> %0 : tensor<1x1x1x5x8xf16>
  %3 = zin.elementwise <Mult> %2, %1 : (tensor<1x1x1x5x8xf16>, tensor<1x1x1x5x8xf16>) -> tensor<1x1x1x5x8xf16>
  %4 = zin.matmul %3, %l : (tensor<1x1x1x5x8xf16>, tensor<1x1x1x3x8xf16>) -> tensor<1x1x1x5x3xf16>
  zin.return %4 : tensor<1x1x1x5x3xf16>
}

// -----

// Something else reads a value.

// CHECK-LABEL: zin.procedure @returned
// CHECK-NOT: outputs_on_rows
// CHECK-NOT: contract_rows
zin.procedure @returned(%x: tensor<1x1x1x5x4xf16> {zin.host_type = tensor<5x4xf16>, zin.name = "x"}) -> (tensor<1x1x1x5x3xf16> {zin.host_type = tensor<5x3xf16>, zin.name = "y"}, tensor<1x1x1x5x8xf16> {zin.host_type = tensor<5x8xf16>, zin.name = "z"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<1x1x1x8x4xf16>
  %l = zin.constant dense<5.000000e-01> : tensor<1x1x1x3x8xf16>
  %0 = zin.matmul %x, %k : (tensor<1x1x1x5x4xf16>, tensor<1x1x1x8x4xf16>) -> tensor<1x1x1x5x8xf16>
  %1 = zin.neuron <tanh> %0 : tensor<1x1x1x5x8xf16>
  %2 = zin.matmul %1, %l : (tensor<1x1x1x5x8xf16>, tensor<1x1x1x3x8xf16>) -> tensor<1x1x1x5x3xf16>
  zin.return %2, %1 : tensor<1x1x1x5x3xf16>, tensor<1x1x1x5x8xf16>
}

// -----

// An operand comes from elsewhere.

// CHECK-LABEL: zin.procedure @added
// CHECK-NOT: outputs_on_rows
// CHECK-NOT: contract_rows
zin.procedure @added(%x: tensor<1x1x1x5x4xf16> {zin.host_type = tensor<5x4xf16>, zin.name = "x"}, %z: tensor<1x1x1x5x8xf16> {zin.host_type = tensor<5x8xf16>, zin.name = "z"}) -> (tensor<1x1x1x5x3xf16> {zin.host_type = tensor<5x3xf16>, zin.name = "y"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<1x1x1x8x4xf16>
  %l = zin.constant dense<5.000000e-01> : tensor<1x1x1x3x8xf16>
  %0 = zin.matmul %x, %k : (tensor<1x1x1x5x4xf16>, tensor<1x1x1x8x4xf16>) -> tensor<1x1x1x5x8xf16>
  %1 = zin.elementwise <Add> %0, %z : (tensor<1x1x1x5x8xf16>, tensor<1x1x1x5x8xf16>) -> tensor<1x1x1x5x8xf16>
  %2 = zin.matmul %1, %l : (tensor<1x1x1x5x8xf16>, tensor<1x1x1x3x8xf16>) -> tensor<1x1x1x5x3xf16>
  zin.return %2 : tensor<1x1x1x5x3xf16>
}

// -----

// Transposes at both ends vanish, one of which other ops read as well.

// CHECK-LABEL: zin.procedure @ends
// CHECK: %[[A:.*]] = zin.matmul %arg0, %{{.*}} {outputs_on_rows} : {{.*}} -> tensor<1x1x1x8x5xf16>
// CHECK-NEXT: %[[B:.*]] = zin.neuron <tanh> %[[A]] : tensor<1x1x1x8x5xf16>
// CHECK-NEXT: %[[C:.*]] = zin.neuron <sin> %[[B]] : tensor<1x1x1x8x5xf16>
// CHECK-NEXT: %[[D:.*]] = zin.neuron <cos> %[[B]] : tensor<1x1x1x8x5xf16>
// CHECK-NEXT: %[[E:.*]] = zin.neuron <tanh> %[[C]] : tensor<1x1x1x8x5xf16>
// CHECK-NEXT: zin.matmul %[[E]], %{{.*}} {contract_rows} : {{.*}} -> tensor<1x1x1x5x3xf16>
// CHECK-NOT: zin.transpose
zin.procedure @ends(%x: tensor<1x1x1x5x4xf16> {zin.host_type = tensor<5x4xf16>, zin.name = "x"}) -> (tensor<1x1x1x5x3xf16> {zin.host_type = tensor<5x3xf16>, zin.name = "y"}, tensor<1x1x1x8x5xf16> {zin.host_type = tensor<8x5xf16>, zin.name = "z"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<1x1x1x8x4xf16>
  %l = zin.constant dense<5.000000e-01> : tensor<1x1x1x3x8xf16>
  %0 = zin.matmul %x, %k : (tensor<1x1x1x5x4xf16>, tensor<1x1x1x8x4xf16>) -> tensor<1x1x1x5x8xf16>
  %1 = zin.neuron <tanh> %0 : tensor<1x1x1x5x8xf16>
  %2 = zin.transpose %1 to [0, 1, 2, 4, 3] : (tensor<1x1x1x5x8xf16>) -> tensor<1x1x1x8x5xf16>
  %3 = zin.neuron <sin> %2 : tensor<1x1x1x8x5xf16>
  %4 = zin.neuron <cos> %2 : tensor<1x1x1x8x5xf16>
  %5 = zin.transpose %3 to [0, 1, 2, 4, 3] : (tensor<1x1x1x8x5xf16>) -> tensor<1x1x1x5x8xf16>
  %6 = zin.neuron <tanh> %5 : tensor<1x1x1x5x8xf16>
  %7 = zin.matmul %6, %l : (tensor<1x1x1x5x8xf16>, tensor<1x1x1x3x8xf16>) -> tensor<1x1x1x5x3xf16>
  zin.return %7, %4 : tensor<1x1x1x5x3xf16>, tensor<1x1x1x8x5xf16>
}

// -----

// A product alone, and another order of dimensions.

// CHECK-LABEL: zin.procedure @alone
// CHECK: zin.matmul %arg0, %{{.*}} {outputs_on_rows}
// CHECK: %[[OTHER:.*]] = zin.matmul %arg0, %{{.*}} : {{.*}} -> tensor<1x1x1x5x8xf16>
// CHECK-NEXT: zin.transpose %[[OTHER]] to [0, 1, 3, 2, 4]
// CHECK-NOT: zin.transpose
zin.procedure @alone(%x: tensor<1x1x1x5x4xf16> {zin.host_type = tensor<5x4xf16>, zin.name = "x"}) -> (tensor<1x1x1x8x5xf16> {zin.host_type = tensor<8x5xf16>, zin.name = "y"}, tensor<1x1x5x1x8xf16> {zin.host_type = tensor<5x1x8xf16>, zin.name = "z"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<1x1x1x8x4xf16>
  %0 = zin.matmul %x, %k : (tensor<1x1x1x5x4xf16>, tensor<1x1x1x8x4xf16>) -> tensor<1x1x1x5x8xf16>
  %1 = zin.transpose %0 to [0, 1, 2, 4, 3] : (tensor<1x1x1x5x8xf16>) -> tensor<1x1x1x8x5xf16>
  %2 = zin.matmul %x, %k : (tensor<1x1x1x5x4xf16>, tensor<1x1x1x8x4xf16>) -> tensor<1x1x1x5x8xf16>
  %3 = zin.transpose %2 to [0, 1, 3, 2, 4] : (tensor<1x1x1x5x8xf16>) -> tensor<1x1x5x1x8xf16>
  zin.return %1, %3 : tensor<1x1x1x8x5xf16>, tensor<1x1x5x1x8xf16>
}

// -----

// A matrix and itself turned: one of the two has to be turned.

// CHECK-LABEL: zin.procedure @both
// CHECK-NOT: outputs_on_rows
// CHECK: zin.transpose
zin.procedure @both(%x: tensor<1x1x1x5x4xf16> {zin.host_type = tensor<5x4xf16>, zin.name = "x"}) -> (tensor<1x1x1x5x3xf16> {zin.host_type = tensor<5x3xf16>, zin.name = "y"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<1x1x1x5x4xf16>
  %l = zin.constant dense<5.000000e-01> : tensor<1x1x1x3x5xf16>
  %0 = zin.matmul %x, %k : (tensor<1x1x1x5x4xf16>, tensor<1x1x1x5x4xf16>) -> tensor<1x1x1x5x5xf16>
  %1 = zin.transpose %0 to [0, 1, 2, 4, 3] : (tensor<1x1x1x5x5xf16>) -> tensor<1x1x1x5x5xf16>
  %2 = zin.elementwise <Add> %0, %1 : (tensor<1x1x1x5x5xf16>, tensor<1x1x1x5x5xf16>) -> tensor<1x1x1x5x5xf16>
  %3 = zin.matmul %2, %l : (tensor<1x1x1x5x5xf16>, tensor<1x1x1x3x5xf16>) -> tensor<1x1x1x5x3xf16>
  zin.return %3 : tensor<1x1x1x5x3xf16>
}

// -----

// A product reads what is turned for another op as it was before.

// CHECK-LABEL: zin.procedure @unturned
// CHECK: %[[T:.*]] = zin.transpose %arg0
// CHECK: zin.elementwise <Add> %[[T]], %arg1
// CHECK: zin.matmul %arg0, %{{.*}} {contract_rows}
zin.procedure @unturned(%x: tensor<1x1x1x8x5xf16> {zin.host_type = tensor<8x5xf16>, zin.name = "x"}, %z: tensor<1x1x1x5x8xf16> {zin.host_type = tensor<5x8xf16>, zin.name = "z"}) -> (tensor<1x1x1x5x3xf16> {zin.host_type = tensor<5x3xf16>, zin.name = "y"}, tensor<1x1x1x5x8xf16> {zin.host_type = tensor<5x8xf16>, zin.name = "w"}) {
  %l = zin.constant dense<5.000000e-01> : tensor<1x1x1x3x8xf16>
  %0 = zin.transpose %x to [0, 1, 2, 4, 3] : (tensor<1x1x1x8x5xf16>) -> tensor<1x1x1x5x8xf16>
  %1 = zin.elementwise <Add> %0, %z : (tensor<1x1x1x5x8xf16>, tensor<1x1x1x5x8xf16>) -> tensor<1x1x1x5x8xf16>
  %2 = zin.matmul %0, %l : (tensor<1x1x1x5x8xf16>, tensor<1x1x1x3x8xf16>) -> tensor<1x1x1x5x3xf16>
  zin.return %2, %1 : tensor<1x1x1x5x3xf16>, tensor<1x1x1x5x8xf16>
}

// -----

// A product that has its outputs on rows already hands over what it should.

// CHECK-LABEL: zin.procedure @on_rows
// CHECK: %[[A:.*]] = zin.matmul %arg0, %{{.*}} {outputs_on_rows} : {{.*}} -> tensor<1x1x1x8x5xf16>
// CHECK-NEXT: %[[B:.*]] = zin.neuron <tanh> %[[A]]
// CHECK-NEXT: zin.matmul %[[B]], %{{.*}} : (tensor<1x1x1x8x5xf16>, tensor<1x1x1x3x5xf16>) -> tensor<1x1x1x8x3xf16>
zin.procedure @on_rows(%x: tensor<1x1x1x5x4xf16> {zin.host_type = tensor<5x4xf16>, zin.name = "x"}) -> (tensor<1x1x1x8x3xf16> {zin.host_type = tensor<8x3xf16>, zin.name = "y"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<1x1x1x8x4xf16>
  %l = zin.constant dense<5.000000e-01> : tensor<1x1x1x3x5xf16>
  %0 = zin.matmul %x, %k {outputs_on_rows} : (tensor<1x1x1x5x4xf16>, tensor<1x1x1x8x4xf16>) -> tensor<1x1x1x8x5xf16>
  %1 = zin.neuron <tanh> %0 : tensor<1x1x1x8x5xf16>
  %2 = zin.matmul %1, %l : (tensor<1x1x1x8x5xf16>, tensor<1x1x1x3x5xf16>) -> tensor<1x1x1x8x3xf16>
  zin.return %2 : tensor<1x1x1x8x3xf16>
}

// -----

// A convolution of one row whose result is turned is a product with its outputs
// along columns: of channels and columns, or behind a reshape that makes channels
// rows.

// CHECK-LABEL: zin.procedure @signals
// CHECK: %[[X:.*]] = zin.reshape %arg0 : {{.*}} -> tensor<2x1x1x4x5xf16>
// CHECK: %[[A:.*]] = zin.matmul %[[X]], %{{.*}} bias %{{.*}} {activation = #zin.neuron<relu>, contract_rows} : (tensor<2x1x1x4x5xf16>, tensor<1x1x1x3x4xf16>, tensor<1x1x1x1x3xf16>) -> tensor<2x1x1x5x3xf16>
// CHECK-NEXT: %[[Y:.*]] = zin.reshape %[[A]] : {{.*}} -> tensor<2x1x5x1x3xf16>
// CHECK: %[[B:.*]] = zin.matmul %{{.*}}, %{{.*}} {contract_rows, scale = 5.000000e-01 : f16} : {{.*}} -> tensor<2x1x1x5x3xf16>
// CHECK-NEXT: %[[Z:.*]] = zin.reshape %[[B]] : {{.*}} -> tensor<1x1x2x5x3xf16>
// CHECK-NOT: zin.transpose
// CHECK-NOT: zin.conv
// CHECK: zin.return %[[Y]], %[[Z]]
zin.procedure @signals(%x: tensor<2x1x4x1x5xf16> {zin.host_type = tensor<2x4x5xf16>, zin.name = "x"}) -> (tensor<2x1x5x1x3xf16> {zin.host_type = tensor<2x5x3xf16>, zin.name = "a"}, tensor<1x1x2x5x3xf16> {zin.host_type = tensor<2x5x3xf16>, zin.name = "b"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<3x1x4x1x1xf16>
  %c = zin.constant dense<[[[[[1.0]], [[2.0]], [[3.0]]]]]> : tensor<1x1x3x1x1xf16>
  %0 = zin.conv %x, %k bias %c {activation = #zin.neuron<relu>, dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x1x4x1x5xf16>, tensor<3x1x4x1x1xf16>, tensor<1x1x3x1x1xf16>) -> tensor<2x1x3x1x5xf16>
  %a = zin.transpose %0 to [0, 1, 4, 3, 2] : (tensor<2x1x3x1x5xf16>) -> tensor<2x1x5x1x3xf16>
  %1 = zin.conv %x, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, scale = 5.000000e-01 : f16, strides = array<i64: 1, 1>} : (tensor<2x1x4x1x5xf16>, tensor<3x1x4x1x1xf16>) -> tensor<2x1x3x1x5xf16>
  %2 = zin.reshape %1 : (tensor<2x1x3x1x5xf16>) -> tensor<1x1x2x3x5xf16>
  %b = zin.transpose %2 to [0, 1, 2, 4, 3] : (tensor<1x1x2x3x5xf16>) -> tensor<1x1x2x5x3xf16>
  zin.return %a, %b : tensor<2x1x5x1x3xf16>, tensor<1x1x2x5x3xf16>
}

// -----

// One of several rows, one with a window, and one that others read stay.

// CHECK-LABEL: zin.procedure @images
// CHECK-COUNT-3: zin.conv
// CHECK-NOT: zin.matmul
zin.procedure @images(%x: tensor<1x1x4x2x5xf16> {zin.host_type = tensor<4x2x5xf16>, zin.name = "x"}, %z: tensor<1x1x4x1x5xf16> {zin.host_type = tensor<4x1x5xf16>, zin.name = "z"}) -> (tensor<1x1x5x2x3xf16> {zin.host_type = tensor<5x2x3xf16>, zin.name = "a"}, tensor<1x1x4x1x3xf16> {zin.host_type = tensor<4x1x3xf16>, zin.name = "b"}, tensor<1x1x5x1x3xf16> {zin.host_type = tensor<5x1x3xf16>, zin.name = "c"}, tensor<1x1x3x1x5xf16> {zin.host_type = tensor<3x1x5xf16>, zin.name = "d"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<3x1x4x1x1xf16>
  %l = zin.constant dense<5.000000e-01> : tensor<3x1x4x1x2xf16>
  %0 = zin.conv %x, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x4x2x5xf16>, tensor<3x1x4x1x1xf16>) -> tensor<1x1x3x2x5xf16>
  %a = zin.transpose %0 to [0, 1, 4, 3, 2] : (tensor<1x1x3x2x5xf16>) -> tensor<1x1x5x2x3xf16>
  %1 = zin.conv %z, %l {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x4x1x5xf16>, tensor<3x1x4x1x2xf16>) -> tensor<1x1x3x1x4xf16>
  %b = zin.transpose %1 to [0, 1, 4, 3, 2] : (tensor<1x1x3x1x4xf16>) -> tensor<1x1x4x1x3xf16>
  %d = zin.conv %z, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x4x1x5xf16>, tensor<3x1x4x1x1xf16>) -> tensor<1x1x3x1x5xf16>
  %c = zin.transpose %d to [0, 1, 4, 3, 2] : (tensor<1x1x3x1x5xf16>) -> tensor<1x1x5x1x3xf16>
  zin.return %a, %b, %c, %d : tensor<1x1x5x2x3xf16>, tensor<1x1x4x1x3xf16>, tensor<1x1x5x1x3xf16>, tensor<1x1x3x1x5xf16>
}
