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

// Few probabilities.

// CHECK-LABEL: zin.procedure @few
// CHECK-NOT: scale
zin.procedure @few(%s: tensor<1x1x1x4x1024xf16> {zin.host_type = tensor<1x1x1x4x1024xf16>, zin.name = "s"}, %v: tensor<1x1x1x8x1024xf16> {zin.host_type = tensor<1x1x1x8x1024xf16>, zin.name = "v"}) -> (tensor<1x1x1x4x8xf16> {zin.host_type = tensor<1x1x1x4x8xf16>, zin.name = "y"}) {
  %0 = zin.softmax %s over 4 : tensor<1x1x1x4x1024xf16>
  %1 = zin.matmul %0, %v : (tensor<1x1x1x4x1024xf16>, tensor<1x1x1x8x1024xf16>) -> tensor<1x1x1x4x8xf16>
  zin.return %1 : tensor<1x1x1x4x8xf16>
}

// -----

// Somebody else wants to see them: as they are.

// CHECK-LABEL: zin.procedure @seen
// CHECK: %[[P:.*]] = zin.softmax %{{.*}} over 4 {scale = 8.000000e+00 : f16}
// CHECK: %[[Q:.*]] = zin.goc %[[P]] scale 1.250000e-01 bias 0.000000e+00
// CHECK: %[[Y:.*]] = zin.matmul %[[P]], %{{.*}} {scale = 1.250000e-01 : f16}
// CHECK: zin.return %[[Y]], %[[Q]]
zin.procedure @seen(%s: tensor<1x1x1x4x8192xf16> {zin.host_type = tensor<1x1x1x4x8192xf16>, zin.name = "s"}, %v: tensor<1x1x1x8x8192xf16> {zin.host_type = tensor<1x1x1x8x8192xf16>, zin.name = "v"}) -> (tensor<1x1x1x4x8xf16> {zin.host_type = tensor<1x1x1x4x8xf16>, zin.name = "y"}, tensor<1x1x1x4x8192xf16> {zin.host_type = tensor<1x1x1x4x8192xf16>, zin.name = "p"}) {
  %0 = zin.softmax %s over 4 : tensor<1x1x1x4x8192xf16>
  %1 = zin.matmul %0, %v : (tensor<1x1x1x4x8192xf16>, tensor<1x1x1x8x8192xf16>) -> tensor<1x1x1x4x8xf16>
  zin.return %1, %0 : tensor<1x1x1x4x8xf16>, tensor<1x1x1x4x8192xf16>
}

// -----

// A product with a bias, and one of probabilities with each other, cannot divide
// their sums.

// CHECK-LABEL: zin.procedure @lossy
// CHECK-NOT: scale
zin.procedure @lossy(%s: tensor<1x1x1x4x8192xf16> {zin.host_type = tensor<1x1x1x4x8192xf16>, zin.name = "s"}, %v: tensor<1x1x1x8x8192xf16> {zin.host_type = tensor<1x1x1x8x8192xf16>, zin.name = "v"}, %b: tensor<1x1x1x1x8xf16> {zin.host_type = tensor<1x1x1x1x8xf16>, zin.name = "b"}) -> (tensor<1x1x1x4x8xf16> {zin.host_type = tensor<1x1x1x4x8xf16>, zin.name = "y"}, tensor<1x1x1x4x4xf16> {zin.host_type = tensor<1x1x1x4x4xf16>, zin.name = "z"}) {
  %0 = zin.softmax %s over 4 : tensor<1x1x1x4x8192xf16>
  %1 = zin.matmul %0, %v bias %b : (tensor<1x1x1x4x8192xf16>, tensor<1x1x1x8x8192xf16>, tensor<1x1x1x1x8xf16>) -> tensor<1x1x1x4x8xf16>
  %2 = zin.matmul %0, %0 : (tensor<1x1x1x4x8192xf16>, tensor<1x1x1x4x8192xf16>) -> tensor<1x1x1x4x4xf16>
  zin.return %1, %2 : tensor<1x1x1x4x8xf16>, tensor<1x1x1x4x4xf16>
}

// -----

// A softmax whose row was cut: exponentials over the sum of their sums. Parts of
// two softmaxes in one value are as they are.

// CHECK-LABEL: zin.procedure @parts
// CHECK-DAG: %[[A:.*]] = zin.reduction <Sum> %[[E:.*]] over [4] {scale = 5.000000e-01 : f16}
// CHECK-DAG: %[[B:.*]] = zin.reduction <Sum> %[[F:.*]] over [4] {scale = 5.000000e-01 : f16}
// CHECK: %[[S:.*]] = zin.elementwise <Add> %[[A]], %[[B]]
// CHECK: %[[R:.*]] = zin.neuron <inv> %[[S]]
// CHECK: %[[P:.*]] = zin.elementwise <Mult> %[[E]], %[[R]]
// CHECK: %[[D:.*]] = zin.goc %[[P]] scale 5.000000e-01
// CHECK: %[[Q:.*]] = zin.elementwise <Mult> %[[F]], %[[R]]
// CHECK: zin.concat %[[D]], %arg2
// CHECK: %[[J:.*]] = zin.concat %[[P]], %[[Q]]
// CHECK: zin.matmul %[[P]], %{{.*}} {scale = 5.000000e-01 : f16}
// CHECK: %[[M:.*]] = zin.pool <Avg> %[[J]]
// CHECK: zin.goc %[[M]] scale 5.000000e-01
zin.procedure @parts(%a: tensor<1x1x1x4x1024xf16> {zin.host_type = tensor<1x1x1x4x1024xf16>, zin.name = "a"}, %b: tensor<1x1x1x4x1024xf16> {zin.host_type = tensor<1x1x1x4x1024xf16>, zin.name = "b"}, %c: tensor<1x1x1x4x1024xf16> {zin.host_type = tensor<1x1x1x4x1024xf16>, zin.name = "c"}, %v: tensor<1x1x1x8x1024xf16> {zin.host_type = tensor<1x1x1x8x1024xf16>, zin.name = "v"}) -> (tensor<1x1x1x4x8xf16> {zin.host_type = tensor<1x1x1x4x8xf16>, zin.name = "y"}, tensor<1x1x1x4x2048xf16> {zin.host_type = tensor<1x1x1x4x2048xf16>, zin.name = "z"}, tensor<1x1x1x4x512xf16> {zin.host_type = tensor<1x1x1x4x512xf16>, zin.name = "m"}) {
  %0 = zin.neuron <exp2> %a : tensor<1x1x1x4x1024xf16>
  %1 = zin.neuron <exp2> %b : tensor<1x1x1x4x1024xf16>
  %2 = zin.reduction <Sum> %0 over [4] : (tensor<1x1x1x4x1024xf16>) -> tensor<1x1x1x4x1xf16>
  %3 = zin.reduction <Sum> %1 over [4] : (tensor<1x1x1x4x1024xf16>) -> tensor<1x1x1x4x1xf16>
  %4 = zin.elementwise <Add> %2, %3 : (tensor<1x1x1x4x1xf16>, tensor<1x1x1x4x1xf16>) -> tensor<1x1x1x4x1xf16>
  %5 = zin.neuron <inv> %4 : tensor<1x1x1x4x1xf16>
  %6 = zin.elementwise <Mult> %0, %5 : (tensor<1x1x1x4x1024xf16>, tensor<1x1x1x4x1xf16>) -> tensor<1x1x1x4x1024xf16>
  %7 = zin.elementwise <Mult> %1, %5 : (tensor<1x1x1x4x1024xf16>, tensor<1x1x1x4x1xf16>) -> tensor<1x1x1x4x1024xf16>
  %8 = zin.concat %6, %c along 4 : (tensor<1x1x1x4x1024xf16>, tensor<1x1x1x4x1024xf16>) -> tensor<1x1x1x4x2048xf16>
  %9 = zin.concat %6, %7 along 4 : (tensor<1x1x1x4x1024xf16>, tensor<1x1x1x4x1024xf16>) -> tensor<1x1x1x4x2048xf16>
  %10 = zin.matmul %6, %v : (tensor<1x1x1x4x1024xf16>, tensor<1x1x1x8x1024xf16>) -> tensor<1x1x1x4x8xf16>
  %11 = zin.pool <Avg> %9 {window = array<i64: 1, 4>, strides = array<i64: 1, 4>, padding = array<i64: 0, 0, 0, 0>} : (tensor<1x1x1x4x2048xf16>) -> tensor<1x1x1x4x512xf16>
  zin.return %10, %8, %11 : tensor<1x1x1x4x8xf16>, tensor<1x1x1x4x2048xf16>, tensor<1x1x1x4x512xf16>
}

// -----

// The same as a program writes it, with what zin-fuse-reduction makes of the sum.

// CHECK-LABEL: zin.procedure @written
// CHECK: zin.reduction <Sum> {{.*}} {post = #zin.post<reciprocal>, scale = 1.250000e-01 : f16}
// CHECK: zin.matmul {{.*}} {scale = 1.250000e-01 : f16}
zin.procedure @written(%s: tensor<1x1x1x4x8192xf16> {zin.host_type = tensor<1x1x1x4x8192xf16>, zin.name = "s"}, %v: tensor<1x1x1x8x8192xf16> {zin.host_type = tensor<1x1x1x8x8192xf16>, zin.name = "v"}) -> (tensor<1x1x1x4x8xf16> {zin.host_type = tensor<1x1x1x4x8xf16>, zin.name = "y"}) {
  %0 = zin.neuron <exp2> %s : tensor<1x1x1x4x8192xf16>
  %1 = zin.reduction <Sum> %0 over [4] {post = #zin.post<reciprocal>} : (tensor<1x1x1x4x8192xf16>) -> tensor<1x1x1x4x1xf16>
  %2 = zin.elementwise <Mult> %0, %1 : (tensor<1x1x1x4x8192xf16>, tensor<1x1x1x4x1xf16>) -> tensor<1x1x1x4x8192xf16>
  %3 = zin.matmul %2, %v : (tensor<1x1x1x4x8192xf16>, tensor<1x1x1x8x8192xf16>) -> tensor<1x1x1x4x8xf16>
  zin.return %3 : tensor<1x1x1x4x8xf16>
}

// -----

// A sum of so many exponentials may pass fp16, even where no product follows.

// CHECK-LABEL: zin.procedure @many
// CHECK: zin.reduction <Sum> {{.*}} scale = 7.812500e-03 : f16}
// CHECK: zin.scaled_elementwise <Mult> {{.*}} scale 7.812500e-03 bias 0.000000e+00
zin.procedure @many(%s: tensor<1x1x70x2x1024xf16> {zin.host_type = tensor<1x1x70x2x1024xf16>, zin.name = "s"}) -> (tensor<1x1x70x2x1024xf16> {zin.host_type = tensor<1x1x70x2x1024xf16>, zin.name = "y"}) {
  %0 = zin.neuron <exp2> %s : tensor<1x1x70x2x1024xf16>
  %1 = zin.reduction <Sum> %0 over [2, 4] {post = #zin.post<reciprocal>} : (tensor<1x1x70x2x1024xf16>) -> tensor<1x1x1x2x1xf16>
  %2 = zin.elementwise <Mult> %0, %1 : (tensor<1x1x70x2x1024xf16>, tensor<1x1x1x2x1xf16>) -> tensor<1x1x70x2x1024xf16>
  zin.return %2 : tensor<1x1x70x2x1024xf16>
}

// -----

// A convolution divides its sums as a product of matrices does.

// CHECK-LABEL: zin.procedure @conv
// CHECK: %[[P:.*]] = zin.softmax %{{.*}} over 2 {scale = 8.000000e+00 : f16}
// CHECK: zin.conv %[[P]], %{{.*}}scale = 6.250000e-02 : f16
zin.procedure @conv(%s: tensor<1x1x8192x1x2xf16> {zin.host_type = tensor<1x1x8192x1x2xf16>, zin.name = "s"}) -> (tensor<1x1x2x1x2xf16> {zin.host_type = tensor<1x1x2x1x2xf16>, zin.name = "y"}) {
  %w = zin.constant dense<3.0> : tensor<2x1x8192x1x1xf16>
  %0 = zin.softmax %s over 2 : tensor<1x1x8192x1x2xf16>
  %1 = zin.conv %0, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, scale = 5.000000e-01 : f16, strides = array<i64: 1, 1>} : (tensor<1x1x8192x1x2xf16>, tensor<2x1x8192x1x1xf16>) -> tensor<1x1x2x1x2xf16>
  zin.return %1 : tensor<1x1x2x1x2xf16>
}

// -----

// The sum may stand in front of what it divides.

// CHECK-LABEL: zin.procedure @many_behind
// CHECK: %[[E:.*]] = zin.neuron <exp2> %arg0
// CHECK: %[[R:.*]] = zin.reduction <Sum> %[[E]] {{.*}} scale = 7.812500e-03 : f16}
// CHECK: zin.scaled_elementwise <Mult> %[[E]], %[[R]] scale 7.812500e-03 bias 0.000000e+00
zin.procedure @many_behind(%s: tensor<1x1x70x2x1024xf16> {zin.host_type = tensor<1x1x70x2x1024xf16>, zin.name = "s"}) -> (tensor<1x1x70x2x1024xf16> {zin.host_type = tensor<1x1x70x2x1024xf16>, zin.name = "y"}) {
  %0 = zin.neuron <exp2> %s : tensor<1x1x70x2x1024xf16>
  %1 = zin.reduction <Sum> %0 over [2, 4] {post = #zin.post<reciprocal>} : (tensor<1x1x70x2x1024xf16>) -> tensor<1x1x1x2x1xf16>
  %2 = zin.elementwise <Mult> %1, %0 : (tensor<1x1x1x2x1xf16>, tensor<1x1x70x2x1024xf16>) -> tensor<1x1x70x2x1024xf16>
  zin.return %2 : tensor<1x1x70x2x1024xf16>
}

// -----

// A sum that divides nothing.

// CHECK-LABEL: zin.procedure @unread
// CHECK: zin.reduction <Sum> {{.*}} {post = #zin.post<reciprocal>}
zin.procedure @unread(%s: tensor<1x1x70x2x1024xf16> {zin.host_type = tensor<1x1x70x2x1024xf16>, zin.name = "s"}) -> (tensor<1x1x70x2x1024xf16> {zin.host_type = tensor<1x1x70x2x1024xf16>, zin.name = "y"}) {
  %0 = zin.neuron <exp2> %s : tensor<1x1x70x2x1024xf16>
  %1 = zin.reduction <Sum> %0 over [2, 4] {post = #zin.post<reciprocal>} : (tensor<1x1x70x2x1024xf16>) -> tensor<1x1x1x2x1xf16>
  zin.return %0 : tensor<1x1x70x2x1024xf16>
}
