// RUN: ane-opt %s --zin-scale-softmax --split-input-file | FileCheck %s

// Of 8192 probabilities the product would lose some: they are 8 times as large,
// and its sums an eighth.

// CHECK-LABEL: zin.procedure @attention
// CHECK: %[[P:.*]] = zin.softmax %{{.*}} over 4 {scale = 8.000000e+00 : f16}
// CHECK: %[[R:.*]] = zin.reshape %[[P]]
// CHECK: zin.matmul %[[R]], %{{.*}} {scale = 1.250000e-01 : f16}
zin.procedure @attention(%s: tensor<2x1x2x4x8192xf16> {zin.host_type = tensor<2x1x2x4x8192xf16>, zin.name = "s"}, %v: tensor<1x1x4x8x8192xf16> {zin.host_type = tensor<1x1x4x8x8192xf16>, zin.name = "v"}) -> (tensor<1x1x4x4x8xf16> {zin.host_type = tensor<1x1x4x4x8xf16>, zin.name = "y"}) {
  %0 = zin.softmax %s over 4 : tensor<2x1x2x4x8192xf16>
  %1 = zin.reshape %0 : (tensor<2x1x2x4x8192xf16>) -> tensor<1x1x4x4x8192xf16>
  %2 = zin.matmul %1, %v : (tensor<1x1x4x4x8192xf16>, tensor<1x1x4x8x8192xf16>) -> tensor<1x1x4x4x8xf16>
  zin.return %2 : tensor<1x1x4x4x8xf16>
}

// -----

// A number of probabilities between powers of 2, and a product with a scale of
// its own.

// CHECK-LABEL: zin.procedure @scaled
// CHECK: zin.softmax %{{.*}} over 4 {scale = 2.000000e+00 : f16}
// CHECK: zin.matmul {{.*}} {scale = 2.000000e+00 : f16}
zin.procedure @scaled(%s: tensor<1x1x1x4x1025xf16> {zin.host_type = tensor<1x1x1x4x1025xf16>, zin.name = "s"}, %v: tensor<1x1x1x8x1025xf16> {zin.host_type = tensor<1x1x1x8x1025xf16>, zin.name = "v"}) -> (tensor<1x1x1x4x8xf16> {zin.host_type = tensor<1x1x1x4x8xf16>, zin.name = "y"}) {
  %0 = zin.softmax %s over 4 : tensor<1x1x1x4x1025xf16>
  %1 = zin.matmul %0, %v {scale = 4.0 : f16} : (tensor<1x1x1x4x1025xf16>, tensor<1x1x1x8x1025xf16>) -> tensor<1x1x1x4x8xf16>
  zin.return %1 : tensor<1x1x1x4x8xf16>
}

// -----

// Few probabilities, and some that somebody else wants to see.

// CHECK-LABEL: zin.procedure @few
// CHECK-NOT: scale
zin.procedure @few(%s: tensor<1x1x1x4x1024xf16> {zin.host_type = tensor<1x1x1x4x1024xf16>, zin.name = "s"}, %v: tensor<1x1x1x8x1024xf16> {zin.host_type = tensor<1x1x1x8x1024xf16>, zin.name = "v"}) -> (tensor<1x1x1x4x8xf16> {zin.host_type = tensor<1x1x1x4x8xf16>, zin.name = "y"}) {
  %0 = zin.softmax %s over 4 : tensor<1x1x1x4x1024xf16>
  %1 = zin.matmul %0, %v : (tensor<1x1x1x4x1024xf16>, tensor<1x1x1x8x1024xf16>) -> tensor<1x1x1x4x8xf16>
  zin.return %1 : tensor<1x1x1x4x8xf16>
}

// -----

// CHECK-LABEL: zin.procedure @seen
// CHECK-NOT: scale
zin.procedure @seen(%s: tensor<1x1x1x4x8192xf16> {zin.host_type = tensor<1x1x1x4x8192xf16>, zin.name = "s"}, %v: tensor<1x1x1x8x8192xf16> {zin.host_type = tensor<1x1x1x8x8192xf16>, zin.name = "v"}) -> (tensor<1x1x1x4x8xf16> {zin.host_type = tensor<1x1x1x4x8xf16>, zin.name = "y"}, tensor<1x1x1x4x8192xf16> {zin.host_type = tensor<1x1x1x4x8192xf16>, zin.name = "p"}) {
  %0 = zin.softmax %s over 4 : tensor<1x1x1x4x8192xf16>
  %1 = zin.matmul %0, %v : (tensor<1x1x1x4x8192xf16>, tensor<1x1x1x8x8192xf16>) -> tensor<1x1x1x4x8xf16>
  zin.return %1, %0 : tensor<1x1x1x4x8xf16>, tensor<1x1x1x4x8192xf16>
}
