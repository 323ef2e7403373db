// RUN: ane-opt %s --zin-weigh-pools --split-input-file | FileCheck %s
// RUN: not ane-opt %s --pass-pipeline='builtin.module(zin.procedure(zin-weigh-pools{target=h12}))' 2>&1 | FileCheck --check-prefix=UNKNOWN %s

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
