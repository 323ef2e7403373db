// RUN: ane-opt %s --zin-weigh-means --split-input-file | FileCheck %s
// RUN: not ane-opt %s --pass-pipeline='builtin.module(zin.procedure(zin-weigh-means{target=h12}))' 2>&1 | FileCheck --check-prefix=UNKNOWN %s

// UNKNOWN: error: target 'h12' is not known; known are h13

// Nine elements times 1/32 stay below 32768; 32/9 is left. Padding is a zero.

// CHECK-LABEL: zin.procedure @windows
// CHECK: %[[K:.*]] = zin.constant dense_resource<fp16> : tensor<4x1x1x3x3xf16>
// CHECK: zin.conv %arg0, %[[K]] {dilations = array<i64: 1, 1>, groups = 4 : i64, padding = array<i64: 1, 0>, scale = 3.554690e+00 : f16, strides = array<i64: 2, 1>}
// CHECK: fp16: "0x02000000002800280028002800280028002800280028
zin.procedure @windows(%x: tensor<1x1x4x8x8xf16> {zin.host_type = tensor<1x1x4x8x8xf16>, zin.name = "x"}) -> (tensor<1x1x4x4x6xf16> {zin.host_type = tensor<1x1x4x4x6xf16>, zin.name = "y"}) {
  %y = zin.pool <Avg> %x {padding = array<i64: 1, 0, 0, 0>, strides = array<i64: 2, 1>, window = array<i64: 3, 3>} : (tensor<1x1x4x8x8xf16>) -> tensor<1x1x4x4x6xf16>
  zin.return %y : tensor<1x1x4x4x6xf16>
}

// -----

// CHECK-LABEL: zin.procedure @whole
// CHECK: zin.reduction <Avg> %arg0 over [3, 4]
zin.procedure @whole(%x: tensor<1x1x4x7x20xf16> {zin.host_type = tensor<1x1x4x7x20xf16>, zin.name = "x"}) -> (tensor<1x1x4x1x1xf16> {zin.host_type = tensor<1x1x4x1x1xf16>, zin.name = "y"}) {
  %y = zin.pool <Avg> %x {padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, window = array<i64: 7, 20>} : (tensor<1x1x4x7x20xf16>) -> tensor<1x1x4x1x1xf16>
  zin.return %y : tensor<1x1x4x1x1xf16>
}

// -----

// One window of the whole plane, which padding moves.

// CHECK-LABEL: zin.procedure @moved
// CHECK-NOT: zin.reduction
// CHECK: zin.conv %arg0, %{{.*}} {dilations = array<i64: 1, 1>, groups = 4 : i64, padding = array<i64: 1, 1>,
zin.procedure @moved(%x: tensor<1x1x4x3x3xf16> {zin.host_type = tensor<1x4x3x3xf16>, zin.name = "x"}) -> (tensor<1x1x4x1x1xf16> {zin.host_type = tensor<1x4x1x1xf16>, zin.name = "y"}) {
  %y = zin.pool <Avg> %x {padding = array<i64: 1, 1, 0, 0>, strides = array<i64: 3, 3>, window = array<i64: 3, 3>} : (tensor<1x1x4x3x3xf16>) -> tensor<1x1x4x1x1xf16>
  zin.return %y : tensor<1x1x4x1x1xf16>
}

// -----

// Maxima, a window wider than a kernel, and two divisors.

// CHECK-LABEL: zin.procedure @others
// CHECK: zin.pool <Max>
// CHECK: zin.pool <Avg>
// CHECK: zin.pool <Avg>
zin.procedure @others(%x: tensor<1x1x4x2x20xf16> {zin.host_type = tensor<1x1x4x2x20xf16>, zin.name = "x"}) -> (tensor<1x1x4x1x1xf16> {zin.host_type = tensor<1x1x4x1x1xf16>, zin.name = "a"}, tensor<1x1x4x2x7xf16> {zin.host_type = tensor<1x1x4x2x7xf16>, zin.name = "b"}, tensor<1x1x4x2x20xf16> {zin.host_type = tensor<1x1x4x2x20xf16>, zin.name = "c"}) {
  %a = zin.pool <Max> %x {padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, window = array<i64: 2, 20>} : (tensor<1x1x4x2x20xf16>) -> tensor<1x1x4x1x1xf16>
  %b = zin.pool <Avg> %x {padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, window = array<i64: 1, 14>} : (tensor<1x1x4x2x20xf16>) -> tensor<1x1x4x2x7xf16>
  %c = zin.pool <Avg> %x {exclude_padding, padding = array<i64: 0, 1, 0, 1>, strides = array<i64: 1, 1>, window = array<i64: 1, 3>} : (tensor<1x1x4x2x20xf16>) -> tensor<1x1x4x2x20xf16>
  zin.return %a, %b, %c : tensor<1x1x4x1x1xf16>, tensor<1x1x4x2x7xf16>, tensor<1x1x4x2x20xf16>
}

// -----

// Pixels between others: coefficients that add up to 1. With a scale they add up
// to its inverse.

// CHECK-LABEL: zin.procedure @between
// CHECK: %[[K:.*]] = zin.constant dense<{{.*}}[5.000000e-01, 0.000000e+00], [1.250000e-01, 3.750000e-01]{{.*}}> : tensor<1x1x1x2x2xf16>
// CHECK: %[[L:.*]] = zin.constant dense<2.500000e-01> : tensor<1x1x1x2x1xf16>
// CHECK: zin.matmul %arg0, %[[K]] {scale = 2.000000e+00 : f16}
// CHECK: zin.conv %arg0, %[[L]] {{.*}} scale = 2.000000e+00 : f16
zin.procedure @between(%x: tensor<1x1x1x4x2xf16> {zin.host_type = tensor<1x1x1x4x2xf16>, zin.name = "x"}) -> (tensor<1x1x1x4x2xf16> {zin.host_type = tensor<1x1x1x4x2xf16>, zin.name = "a"}, tensor<1x1x1x3x2xf16> {zin.host_type = tensor<1x1x1x3x2xf16>, zin.name = "b"}) {
  %k = zin.constant dense<[[[[[1.0, 0.0], [0.25, 0.75]]]]]> : tensor<1x1x1x2x2xf16>
  %l = zin.constant dense<8.0> : tensor<1x1x1x2x1xf16>
  %a = zin.matmul %x, %k : (tensor<1x1x1x4x2xf16>, tensor<1x1x1x2x2xf16>) -> tensor<1x1x1x4x2xf16>
  %b = zin.conv %x, %l {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, scale = 0.0625 : f16, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x2xf16>, tensor<1x1x1x2x1xf16>) -> tensor<1x1x1x3x2xf16>
  zin.return %a, %b : tensor<1x1x1x4x2xf16>, tensor<1x1x1x3x2xf16>
}

// -----

// Layers with the same coefficients share them, and one number stays one.

// CHECK-LABEL: zin.procedure @shared
// CHECK: %[[K:.*]] = zin.constant dense<2.500000e-01> : tensor<2x1x2x1x1xf16>
// CHECK: %[[A:.*]] = zin.conv %arg0, %[[K]] {{.*}} scale = 2.000000e+00 : f16
// CHECK: zin.conv %[[A]], %[[K]] {{.*}} scale = 2.000000e+00 : f16
zin.procedure @shared(%x: tensor<1x1x2x1x1xf16> {zin.host_type = tensor<2x1x1xf16>, zin.name = "x"}) -> (tensor<1x1x2x1x1xf16> {zin.host_type = tensor<2x1x1xf16>, zin.name = "y"}) {
  %k = zin.constant dense<0.5> : tensor<2x1x2x1x1xf16>
  %a = zin.conv %x, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2x1x1xf16>, tensor<2x1x2x1x1xf16>) -> tensor<1x1x2x1x1xf16>
  %y = zin.conv %a, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2x1x1xf16>, tensor<2x1x2x1x1xf16>) -> tensor<1x1x2x1x1xf16>
  zin.return %y : tensor<1x1x2x1x1xf16>
}

// -----

// No means: a negative coefficient, a sum that is none, a bias; a coefficient that
// would become denormal; a convolution of one product, which has no limit.

// CHECK-LABEL: zin.procedure @no_means
// CHECK-NOT: scale
zin.procedure @no_means(%x: tensor<1x1x1x4x2xf16> {zin.host_type = tensor<1x1x1x4x2xf16>, zin.name = "x"}) -> (tensor<1x1x1x4x2xf16> {zin.host_type = tensor<1x1x1x4x2xf16>, zin.name = "a"}, tensor<1x1x1x4x2xf16> {zin.host_type = tensor<1x1x1x4x2xf16>, zin.name = "b"}, tensor<1x1x1x4x2xf16> {zin.host_type = tensor<1x1x1x4x2xf16>, zin.name = "c"}, tensor<1x1x1x4x2xf16> {zin.host_type = tensor<1x1x1x4x2xf16>, zin.name = "d"}, tensor<1x1x1x4x2xf16> {zin.host_type = tensor<1x1x1x4x2xf16>, zin.name = "e"}) {
  %k = zin.constant dense<[[[[[1.0, 0.0], [1.25, -0.25]]]]]> : tensor<1x1x1x2x2xf16>
  %l = zin.constant dense<[[[[[1.0, 0.0], [0.25, 0.5]]]]]> : tensor<1x1x1x2x2xf16>
  %m = zin.constant dense<[[[[[1.0, 0.0], [0.25, 0.75]]]]]> : tensor<1x1x1x2x2xf16>
  %n = zin.constant dense<[[[[[1.0, 0.0], [1.0, 1.0e-4]]]]]> : tensor<1x1x1x2x2xf16>
  %o = zin.constant dense<1.0> : tensor<1x1x1x1x1xf16>
  %bias = zin.constant dense<1.0> : tensor<1x1x1x1x2xf16>
  %a = zin.matmul %x, %k : (tensor<1x1x1x4x2xf16>, tensor<1x1x1x2x2xf16>) -> tensor<1x1x1x4x2xf16>
  %b = zin.matmul %x, %l : (tensor<1x1x1x4x2xf16>, tensor<1x1x1x2x2xf16>) -> tensor<1x1x1x4x2xf16>
  %c = zin.matmul %x, %m bias %bias : (tensor<1x1x1x4x2xf16>, tensor<1x1x1x2x2xf16>, tensor<1x1x1x1x2xf16>) -> tensor<1x1x1x4x2xf16>
  %d = zin.matmul %x, %n : (tensor<1x1x1x4x2xf16>, tensor<1x1x1x2x2xf16>) -> tensor<1x1x1x4x2xf16>
  %e = zin.conv %x, %o {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x2xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x1x4x2xf16>
  zin.return %a, %b, %c, %d, %e : tensor<1x1x1x4x2xf16>, tensor<1x1x1x4x2xf16>, tensor<1x1x1x4x2xf16>, tensor<1x1x1x4x2xf16>, tensor<1x1x1x4x2xf16>
}

// -----

// A product with one number behind a mean joins its scale, 8 / 4 here, and an
// activation is that of the convolution; one of the two has a factor itself.

// CHECK-LABEL: zin.procedure @behind
// CHECK: %[[A:.*]] = zin.conv {{.*}} {activation = #zin.neuron<relu>, {{.*}} scale = 6.000000e+00 : f16
// CHECK: %[[B:.*]] = zin.conv {{.*}} {activation = #zin.neuron<tanh>, {{.*}} scale = 1.000000e+00 : f16
// CHECK-NOT: zin.goc
// CHECK-NOT: zin.neuron %
// CHECK: zin.return %[[A]], %[[B]]
zin.procedure @behind(%x: tensor<1x1x4x4x4xf16> {zin.host_type = tensor<4x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x4x2x2xf16> {zin.host_type = tensor<4x2x2xf16>, zin.name = "a"}, tensor<1x1x4x2x2xf16> {zin.host_type = tensor<4x2x2xf16>, zin.name = "b"}) {
  %m = zin.pool <Avg> %x {padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>, window = array<i64: 2, 2>} : (tensor<1x1x4x4x4xf16>) -> tensor<1x1x4x2x2xf16>
  %s = zin.goc %m scale 3.000000e+00 bias 0.000000e+00 : tensor<1x1x4x2x2xf16>
  %a = zin.neuron <relu> %s : tensor<1x1x4x2x2xf16>
  %n = zin.pool <Avg> %x {padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>, window = array<i64: 2, 2>} : (tensor<1x1x4x4x4xf16>) -> tensor<1x1x4x2x2xf16>
  %b = zin.neuron <tanh> %n {scale = 5.000000e-01 : f16} : tensor<1x1x4x2x2xf16>
  zin.return %a, %b : tensor<1x1x4x2x2xf16>, tensor<1x1x4x2x2xf16>
}

// -----

// What others read as well, an offset, and a scale that fp16 does not hold stay.

// CHECK-LABEL: zin.procedure @apart
// CHECK: %[[M:.*]] = zin.conv {{.*}} scale = 2.000000e+00 : f16
// CHECK-NEXT: zin.neuron <relu> %[[M]]
// CHECK: %[[N:.*]] = zin.conv {{.*}} scale = 2.000000e+00 : f16
// CHECK-NEXT: zin.goc %[[N]] scale 1.000000e+00 bias 1.000000e+00
// CHECK: %[[O:.*]] = zin.conv {{.*}} scale = 2.000000e+00 : f16
// CHECK-NEXT: zin.goc %[[O]] scale 6.000000e+04 bias 0.000000e+00
zin.procedure @apart(%x: tensor<1x1x4x4x4xf16> {zin.host_type = tensor<4x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x4x2x2xf16> {zin.host_type = tensor<4x2x2xf16>, zin.name = "m"}, tensor<1x1x4x2x2xf16> {zin.host_type = tensor<4x2x2xf16>, zin.name = "a"}, tensor<1x1x4x2x2xf16> {zin.host_type = tensor<4x2x2xf16>, zin.name = "b"}, tensor<1x1x4x2x2xf16> {zin.host_type = tensor<4x2x2xf16>, zin.name = "c"}) {
  %m = zin.pool <Avg> %x {padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>, window = array<i64: 2, 2>} : (tensor<1x1x4x4x4xf16>) -> tensor<1x1x4x2x2xf16>
  %a = zin.neuron <relu> %m : tensor<1x1x4x2x2xf16>
  %n = zin.pool <Avg> %x {padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>, window = array<i64: 2, 2>} : (tensor<1x1x4x4x4xf16>) -> tensor<1x1x4x2x2xf16>
  %b = zin.goc %n scale 1.000000e+00 bias 1.000000e+00 : tensor<1x1x4x2x2xf16>
  %o = zin.pool <Avg> %x {padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>, window = array<i64: 2, 2>} : (tensor<1x1x4x4x4xf16>) -> tensor<1x1x4x2x2xf16>
  %c = zin.goc %o scale 6.000000e+04 bias 0.000000e+00 : tensor<1x1x4x2x2xf16>
  zin.return %m, %a, %b, %c : tensor<1x1x4x2x2xf16>, tensor<1x1x4x2x2xf16>, tensor<1x1x4x2x2xf16>, tensor<1x1x4x2x2xf16>
}
