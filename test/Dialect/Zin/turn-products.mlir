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
