// RUN: ane-opt %s --zin-turn-scores --split-input-file | FileCheck %s

// Keys lie along channels between transposes that vanish. What is added is
// turned as well. Queries are the coefficients of the turned product.

// CHECK-LABEL: zin.procedure @channels
// CHECK-SAME: (%[[Q:[^:]*]]: {{[^%]*}}%[[K:[^:]*]]: {{[^%]*}}%[[V:[^:]*]]: {{[^%]*}}%[[MASK:[^:]*]]:
// CHECK: %[[QT:.*]] = zin.transpose %[[Q]] to [0, 1, 2, 4, 3] {{.*}} -> tensor<1x1x1x1024x32xf16>
// CHECK: %[[S:.*]] = zin.matmul %[[K]], %[[QT]] {outputs_on_rows, scale = {{.*}}} : {{.*}} -> tensor<1x1x1x1024x2048xf16>
// CHECK: %[[M1:.*]] = zin.transpose %[[MASK]] to [0, 1, 3, 2, 4]
// CHECK: %[[M2:.*]] = zin.transpose %[[M1]] to [0, 1, 2, 4, 3] {{.*}} -> tensor<1x1x1x1024x2048xf16>
// CHECK: %[[A:.*]] = zin.elementwise <Add> %[[S]], %[[M2]]
// CHECK: %[[P:.*]] = zin.softmax %[[A]] over 4 : tensor<1x1x1x1024x2048xf16>
// CHECK: %[[Y:.*]] = zin.matmul %[[P]], %[[V]] {outputs_on_rows} : {{.*}} -> tensor<1x1x1x32x1024xf16>
// CHECK-NEXT: zin.return %[[Y]]
zin.procedure @channels(%q: tensor<1x1x1x32x1024xf16> {zin.host_type = tensor<32x1024xf16>, zin.name = "q"}, %k: tensor<1x1x1x2048x32xf16> {zin.host_type = tensor<2048x32xf16>, zin.name = "k"}, %v: tensor<1x1x1x32x2048xf16> {zin.host_type = tensor<32x2048xf16>, zin.name = "v"}, %mask: tensor<1x1x2048x1x1024xf16> {zin.host_type = tensor<2048x1x1024xf16>, zin.name = "mask"}) -> (tensor<1x1x1x32x1024xf16> {zin.host_type = tensor<32x1024xf16>, zin.name = "y"}) {
  %0 = zin.matmul %q, %k {contract_rows, outputs_on_rows, scale = 2.500000e-01 : f16} : (tensor<1x1x1x32x1024xf16>, tensor<1x1x1x2048x32xf16>) -> tensor<1x1x1x2048x1024xf16>
  %1 = zin.transpose %0 to [0, 1, 3, 2, 4] : (tensor<1x1x1x2048x1024xf16>) -> tensor<1x1x2048x1x1024xf16>
  %2 = zin.elementwise <Add> %1, %mask : (tensor<1x1x2048x1x1024xf16>, tensor<1x1x2048x1x1024xf16>) -> tensor<1x1x2048x1x1024xf16>
  %3 = zin.softmax %2 over 2 : tensor<1x1x2048x1x1024xf16>
  %4 = zin.transpose %3 to [0, 1, 3, 2, 4] : (tensor<1x1x2048x1x1024xf16>) -> tensor<1x1x1x2048x1024xf16>
  %5 = zin.matmul %4, %v {contract_rows, outputs_on_rows} : (tensor<1x1x1x2048x1024xf16>, tensor<1x1x1x32x2048xf16>) -> tensor<1x1x1x32x1024xf16>
  zin.return %5 : tensor<1x1x1x32x1024xf16>
}

// -----

// Several images, whose matrices reshapes take to channels of each and back. A
// mask that all of them read is turned as well.

// CHECK-LABEL: zin.procedure @images
// CHECK-SAME: (%[[Q:[^:]*]]: {{[^%]*}}%[[K:[^:]*]]: {{[^%]*}}%[[V:[^:]*]]: {{[^%]*}}%[[MASK:[^:]*]]:
// CHECK: %[[QT:.*]] = zin.transpose %[[Q]] to [0, 1, 2, 4, 3] {{.*}} -> tensor<1x1x2x1024x32xf16>
// CHECK: %[[S:.*]] = zin.matmul %[[K]], %[[QT]] {outputs_on_rows} : {{.*}} -> tensor<1x1x2x1024x2048xf16>
// CHECK-NOT: zin.reshape
// CHECK: %[[M1:.*]] = zin.transpose %[[MASK]] to [1, 3, 0, 2, 4] {{.*}} -> tensor<1x1x1x2048x1xf16>
// CHECK: %[[M2:.*]] = zin.transpose %[[M1]] to [0, 1, 2, 4, 3] {{.*}} -> tensor<1x1x1x1x2048xf16>
// CHECK: %[[A:.*]] = zin.elementwise <Add> %[[S]], %[[M2]]
// CHECK: %[[P:.*]] = zin.softmax %[[A]] over 4 : tensor<1x1x2x1024x2048xf16>
// CHECK: %[[Y:.*]] = zin.matmul %[[P]], %[[V]] {outputs_on_rows} : {{.*}} -> tensor<1x1x2x32x1024xf16>
// CHECK-NEXT: zin.return %[[Y]]
zin.procedure @images(%q: tensor<1x1x2x32x1024xf16> {zin.host_type = tensor<2x32x1024xf16>, zin.name = "q"}, %k: tensor<1x1x2x2048x32xf16> {zin.host_type = tensor<2x2048x32xf16>, zin.name = "k"}, %v: tensor<1x1x2x32x2048xf16> {zin.host_type = tensor<2x32x2048xf16>, zin.name = "v"}, %mask: tensor<1x1x2048x1x1xf16> {zin.host_type = tensor<2048x1x1xf16>, zin.name = "mask"}) -> (tensor<1x1x2x32x1024xf16> {zin.host_type = tensor<2x32x1024xf16>, zin.name = "y"}) {
  %0 = zin.matmul %q, %k {contract_rows, outputs_on_rows} : (tensor<1x1x2x32x1024xf16>, tensor<1x1x2x2048x32xf16>) -> tensor<1x1x2x2048x1024xf16>
  %1 = zin.reshape %0 : (tensor<1x1x2x2048x1024xf16>) -> tensor<2x1x2048x1x1024xf16>
  %2 = zin.elementwise <Add> %1, %mask : (tensor<2x1x2048x1x1024xf16>, tensor<1x1x2048x1x1xf16>) -> tensor<2x1x2048x1x1024xf16>
  %3 = zin.softmax %2 over 2 : tensor<2x1x2048x1x1024xf16>
  %4 = zin.reshape %3 : (tensor<2x1x2048x1x1024xf16>) -> tensor<1x1x2x2048x1024xf16>
  %5 = zin.matmul %4, %v {contract_rows, outputs_on_rows} : (tensor<1x1x2x2048x1024xf16>, tensor<1x1x2x32x2048xf16>) -> tensor<1x1x2x32x1024xf16>
  zin.return %5 : tensor<1x1x2x32x1024xf16>
}

// -----

// Heads of a batch, the queries being the coefficients already.

// CHECK-LABEL: zin.procedure @heads
// CHECK: %[[S:.*]] = zin.matmul %{{.*}}, %{{.*}} {outputs_on_rows} : {{.*}} -> tensor<1x1x4x512x2048xf16>
// CHECK-NEXT: %[[P:.*]] = zin.softmax %[[S]] over 4
// CHECK-NEXT: zin.matmul %[[P]], %{{.*}} : {{.*}} -> tensor<1x1x4x512x16xf16>
zin.procedure @heads(%q: tensor<1x1x4x512x16xf16> {zin.host_type = tensor<4x512x16xf16>, zin.name = "q"}, %k: tensor<1x1x4x2048x16xf16> {zin.host_type = tensor<4x2048x16xf16>, zin.name = "k"}, %v: tensor<1x1x4x16x2048xf16> {zin.host_type = tensor<4x16x2048xf16>, zin.name = "v"}) -> (tensor<1x1x4x512x16xf16> {zin.host_type = tensor<4x512x16xf16>, zin.name = "y"}) {
  %0 = zin.matmul %k, %q : (tensor<1x1x4x2048x16xf16>, tensor<1x1x4x512x16xf16>) -> tensor<1x1x4x2048x512xf16>
  %1 = zin.softmax %0 over 3 : tensor<1x1x4x2048x512xf16>
  %2 = zin.matmul %1, %v {contract_rows} : (tensor<1x1x4x2048x512xf16>, tensor<1x1x4x16x2048xf16>) -> tensor<1x1x4x512x16xf16>
  zin.return %2 : tensor<1x1x4x512x16xf16>
}

// -----

// Left alone: scores that L2 holds, though it does not hold those of all heads,
// those that something else reads, a softmax along queries, another one in front,
// and constant keys.

// CHECK-LABEL: zin.procedure @small
// CHECK: zin.softmax %{{.*}} over 3
zin.procedure @small(%q: tensor<1x1x1x512x16xf16> {zin.host_type = tensor<512x16xf16>, zin.name = "q"}, %k: tensor<1x1x1x512x16xf16> {zin.host_type = tensor<512x16xf16>, zin.name = "k"}, %v: tensor<1x1x1x16x512xf16> {zin.host_type = tensor<16x512xf16>, zin.name = "v"}) -> (tensor<1x1x1x512x16xf16> {zin.host_type = tensor<512x16xf16>, zin.name = "y"}) {
  %0 = zin.matmul %k, %q : (tensor<1x1x1x512x16xf16>, tensor<1x1x1x512x16xf16>) -> tensor<1x1x1x512x512xf16>
  %1 = zin.softmax %0 over 3 : tensor<1x1x1x512x512xf16>
  %2 = zin.matmul %1, %v {contract_rows} : (tensor<1x1x1x512x512xf16>, tensor<1x1x1x16x512xf16>) -> tensor<1x1x1x512x16xf16>
  zin.return %2 : tensor<1x1x1x512x16xf16>
}

// CHECK-LABEL: zin.procedure @shared
// CHECK: zin.softmax %{{.*}} over 3
zin.procedure @shared(%q: tensor<1x1x1x1024x16xf16> {zin.host_type = tensor<1024x16xf16>, zin.name = "q"}, %k: tensor<1x1x1x1024x16xf16> {zin.host_type = tensor<1024x16xf16>, zin.name = "k"}, %v: tensor<1x1x1x16x1024xf16> {zin.host_type = tensor<16x1024xf16>, zin.name = "v"}) -> (tensor<1x1x1x1024x16xf16> {zin.host_type = tensor<1024x16xf16>, zin.name = "y"}, tensor<1x1x1x1024x1024xf16> {zin.host_type = tensor<1024x1024xf16>, zin.name = "p"}) {
  %0 = zin.matmul %k, %q : (tensor<1x1x1x1024x16xf16>, tensor<1x1x1x1024x16xf16>) -> tensor<1x1x1x1024x1024xf16>
  %1 = zin.softmax %0 over 3 : tensor<1x1x1x1024x1024xf16>
  %2 = zin.matmul %1, %v {contract_rows} : (tensor<1x1x1x1024x1024xf16>, tensor<1x1x1x16x1024xf16>) -> tensor<1x1x1x1024x16xf16>
  zin.return %2, %1 : tensor<1x1x1x1024x16xf16>, tensor<1x1x1x1024x1024xf16>
}

// CHECK-LABEL: zin.procedure @queries
// CHECK: zin.matmul %{{.*}} {contract_rows}
zin.procedure @queries(%q: tensor<1x1x1x1024x16xf16> {zin.host_type = tensor<1024x16xf16>, zin.name = "q"}, %k: tensor<1x1x1x1024x16xf16> {zin.host_type = tensor<1024x16xf16>, zin.name = "k"}, %v: tensor<1x1x1x16x1024xf16> {zin.host_type = tensor<16x1024xf16>, zin.name = "v"}) -> (tensor<1x1x1x1024x16xf16> {zin.host_type = tensor<1024x16xf16>, zin.name = "y"}) {
  %0 = zin.matmul %k, %q : (tensor<1x1x1x1024x16xf16>, tensor<1x1x1x1024x16xf16>) -> tensor<1x1x1x1024x1024xf16>
  %1 = zin.softmax %0 over 4 : tensor<1x1x1x1024x1024xf16>
  %2 = zin.matmul %1, %v {contract_rows} : (tensor<1x1x1x1024x1024xf16>, tensor<1x1x1x16x1024xf16>) -> tensor<1x1x1x1024x16xf16>
  zin.return %2 : tensor<1x1x1x1024x16xf16>
}

// CHECK-LABEL: zin.procedure @small_heads
// CHECK: zin.softmax %{{.*}} over 3
zin.procedure @small_heads(%q: tensor<1x1x8x4096x40xf16> {zin.host_type = tensor<8x4096x40xf16>, zin.name = "q"}, %k: tensor<1x1x8x77x40xf16> {zin.host_type = tensor<8x77x40xf16>, zin.name = "k"}, %v: tensor<1x1x8x40x77xf16> {zin.host_type = tensor<8x40x77xf16>, zin.name = "v"}) -> (tensor<1x1x8x4096x40xf16> {zin.host_type = tensor<8x4096x40xf16>, zin.name = "y"}) {
  %0 = zin.matmul %k, %q : (tensor<1x1x8x77x40xf16>, tensor<1x1x8x4096x40xf16>) -> tensor<1x1x8x77x4096xf16>
  %1 = zin.softmax %0 over 3 : tensor<1x1x8x77x4096xf16>
  %2 = zin.matmul %1, %v {contract_rows} : (tensor<1x1x8x77x4096xf16>, tensor<1x1x8x40x77xf16>) -> tensor<1x1x8x4096x40xf16>
  zin.return %2 : tensor<1x1x8x4096x40xf16>
}

// CHECK-LABEL: zin.procedure @two
// CHECK: zin.softmax %{{.*}} over 4
// CHECK: zin.softmax %{{.*}} over 3
zin.procedure @two(%q: tensor<1x1x1x2048x16xf16> {zin.host_type = tensor<2048x16xf16>, zin.name = "q"}, %k: tensor<1x1x1x1024x16xf16> {zin.host_type = tensor<1024x16xf16>, zin.name = "k"}, %v: tensor<1x1x1x16x1024xf16> {zin.host_type = tensor<16x1024xf16>, zin.name = "v"}) -> (tensor<1x1x1x2048x16xf16> {zin.host_type = tensor<2048x16xf16>, zin.name = "y"}) {
  %0 = zin.matmul %k, %q : (tensor<1x1x1x1024x16xf16>, tensor<1x1x1x2048x16xf16>) -> tensor<1x1x1x1024x2048xf16>
  %1 = zin.softmax %0 over 4 : tensor<1x1x1x1024x2048xf16>
  %2 = zin.softmax %1 over 3 : tensor<1x1x1x1024x2048xf16>
  %3 = zin.matmul %2, %v {contract_rows} : (tensor<1x1x1x1024x2048xf16>, tensor<1x1x1x16x1024xf16>) -> tensor<1x1x1x2048x16xf16>
  zin.return %3 : tensor<1x1x1x2048x16xf16>
}

// CHECK-LABEL: zin.procedure @constant
// CHECK: zin.softmax %{{.*}} over 3
zin.procedure @constant(%x: tensor<1x1x1x16x2048xf16> {zin.host_type = tensor<16x2048xf16>, zin.name = "x"}, %v: tensor<1x1x1x16x1024xf16> {zin.host_type = tensor<16x1024xf16>, zin.name = "v"}) -> (tensor<1x1x1x2048x16xf16> {zin.host_type = tensor<2048x16xf16>, zin.name = "y"}) {
  %k = zin.constant dense<1.0> : tensor<1x1x1x1024x16xf16>
  %0 = zin.matmul %x, %k {activation = #zin.neuron<tanh>, contract_rows, outputs_on_rows} : (tensor<1x1x1x16x2048xf16>, tensor<1x1x1x1024x16xf16>) -> tensor<1x1x1x1024x2048xf16>
  %1 = zin.softmax %0 over 3 : tensor<1x1x1x1024x2048xf16>
  %2 = zin.matmul %1, %v {contract_rows} : (tensor<1x1x1x1024x2048xf16>, tensor<1x1x1x16x1024xf16>) -> tensor<1x1x1x2048x16xf16>
  zin.return %2 : tensor<1x1x1x2048x16xf16>
}
