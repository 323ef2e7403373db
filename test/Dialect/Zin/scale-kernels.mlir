// RUN: ane-opt %s --zin-scale-kernels --split-input-file | FileCheck %s
// RUN: %python %S/Inputs/long-rows.py | ane-opt --zin-scale-kernels | FileCheck %s --check-prefix=LONG

// What is lost, and what it is lost beside, is counted to the last unit, in rows
// of any length.

// LONG-LABEL: zin.procedure @enough
// LONG: zin.matmul
// LONG-NOT: scale =
// LONG-LABEL: zin.procedure @less
// LONG: zin.matmul {{.*}}scale = 5.000000e-01 : f16

// Two times the denormal coefficients are normal; the bias goes along, and the
// scale behind the sums takes it back.

// CHECK-LABEL: zin.procedure @conv
// CHECK: %[[W:.*]] = zin.constant dense<{{\[\[\[\[\[}}1.000{{[0-9]*}}e-04]], {{\[\[}}7.998940e-05]]]]]> : tensor<1x1x2x1x1xf16>
// CHECK: %[[B:.*]] = zin.constant dense<1.000000e+00> : tensor<1x1x1x1x1xf16>
// CHECK: zin.conv %{{.*}}, %[[W]] bias %[[B]] {activation = #zin.neuron<relu>, {{.*}}scale = 5.000000e-01 : f16
zin.procedure @conv(%x: tensor<1x1x2x4x4xf16> {zin.host_type = tensor<1x2x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x1x4x4xf16> {zin.host_type = tensor<1x1x4x4xf16>, zin.name = "y"}) {
  %w = zin.constant dense<[[[[[5.0e-5]], [[4.0e-5]]]]]> : tensor<1x1x2x1x1xf16>
  %b = zin.constant dense<0.5> : tensor<1x1x1x1x1xf16>
  %y = zin.conv %x, %w bias %b {activation = #zin.neuron<relu>, dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2x4x4xf16>, tensor<1x1x2x1x1xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x1x4x4xf16>
  zin.return %y : tensor<1x1x1x4x4xf16>
}

// -----

// A scale that is there is divided; one number may stand for all coefficients.

// CHECK-LABEL: zin.procedure @splat
// CHECK: zin.constant dense<6.103520e-05> : tensor<1x1x1x2x64xf16>
// CHECK: zin.matmul {{.*}}scale = 2.000000e+00 : f16
zin.procedure @splat(%x: tensor<1x1x1x4x64xf16> {zin.host_type = tensor<4x64xf16>, zin.name = "x"}) -> (tensor<1x1x1x4x2xf16> {zin.host_type = tensor<4x2xf16>, zin.name = "y"}) {
  %w = zin.constant dense<3.05e-5> : tensor<1x1x1x2x64xf16>
  %y = zin.matmul %x, %w {scale = 4.0 : f16} : (tensor<1x1x1x4x64xf16>, tensor<1x1x1x2x64xf16>) -> tensor<1x1x1x4x2xf16>
  zin.return %y : tensor<1x1x1x4x2xf16>
}

// -----

// What an output has beside larger coefficients may be lost.

// CHECK-LABEL: zin.procedure @negligible
// CHECK-NOT: scale =
// CHECK: zin.return
zin.procedure @negligible(%x: tensor<1x1x2x4x4xf16> {zin.host_type = tensor<1x2x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x1x4x4xf16> {zin.host_type = tensor<1x1x4x4xf16>, zin.name = "y"}) {
  %w = zin.constant dense<[[[[[0.5]], [[4.0e-5]]]]]> : tensor<1x1x2x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2x4x4xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x1x4x4xf16>
  zin.return %y : tensor<1x1x1x4x4xf16>
}

// -----

// Of two outputs one cannot be kept without making the other too large.

// CHECK-LABEL: zin.procedure @apart
// CHECK-NOT: scale =
// CHECK: zin.return
zin.procedure @apart(%x: tensor<1x1x1x4x4xf16> {zin.host_type = tensor<1x1x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x4x4xf16> {zin.host_type = tensor<1x2x4x4xf16>, zin.name = "y"}) {
  %w = zin.constant dense<[[[[[0.75]]]], [[[[4.0e-5]]]]]> : tensor<2x1x1x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<2x1x1x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  zin.return %y : tensor<1x1x2x4x4xf16>
}

// -----

// The bias would be infinite.

// CHECK-LABEL: zin.procedure @bias
// CHECK-NOT: scale =
// CHECK: zin.return
zin.procedure @bias(%x: tensor<1x1x1x4x4xf16> {zin.host_type = tensor<1x1x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x1x4x4xf16> {zin.host_type = tensor<1x1x4x4xf16>, zin.name = "y"}) {
  %w = zin.constant dense<4.0e-5> : tensor<1x1x1x1x1xf16>
  %b = zin.constant dense<4.0e4> : tensor<1x1x1x1x1xf16>
  %y = zin.conv %x, %w bias %b {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<1x1x1x1x1xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x1x4x4xf16>
  zin.return %y : tensor<1x1x1x4x4xf16>
}

// -----

// A kernel and a bias are those of layers in front of others that are scaled
// before them; what is made of a constant is beside it.

// CHECK-LABEL: zin.procedure @shared
// CHECK: %[[BIAS:.*]] = zin.constant dense<1.000000e+00> : tensor<1x1x1x1x1xf16>
// CHECK: zin.conv %arg0,
// CHECK: zin.conv %{{.*}} bias %[[BIAS]]
// CHECK: zin.conv %{{.*}} bias %[[BIAS]]
zin.procedure @shared(%x: tensor<1x1x1x4x4xf16> {zin.host_type = tensor<1x1x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x1x4x4xf16> {zin.host_type = tensor<1x1x4x4xf16>, zin.name = "y"}) {
  %b = zin.constant dense<0.5> : tensor<1x1x1x1x1xf16>
  %w = zin.constant dense<5.0e-5> : tensor<1x1x1x1x1xf16>
  %v = zin.constant dense<4.0e-5> : tensor<1x1x1x1x1xf16>
  %t = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x1x4x4xf16>
  %u = zin.conv %t, %v bias %b {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<1x1x1x1x1xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x1x4x4xf16>
  %y = zin.conv %u, %w bias %b {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<1x1x1x1x1xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x1x4x4xf16>
  zin.return %y : tensor<1x1x1x4x4xf16>
}
