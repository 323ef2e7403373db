// RUN: ane-opt %s --zin-fold-scale --split-input-file | FileCheck %s

// A constant for each output goes into kernel and bias: 3 * 0.5 and 1 * 0.5 of
// the first output, 3 * 2 and 2 * 2 of the second.

// CHECK-LABEL: zin.procedure @conv
// CHECK-DAG: %[[W:.*]] = zin.constant dense<{{\[\[\[\[\[}}1.500000e+00]]]], {{\[\[\[\[}}6.000000e+00]]]]]> : tensor<2x1x1x1x1xf16>
// CHECK-DAG: %[[B:.*]] = zin.constant dense<{{\[\[\[\[\[}}5.000000e-01]], {{\[\[}}4.000000e+00]]]]]> : tensor<1x1x2x1x1xf16>
// CHECK: %[[Y:.*]] = zin.conv %{{.*}}, %[[W]] bias %[[B]]
// CHECK-NEXT: zin.return %[[Y]]
zin.procedure @conv(%x: tensor<1x1x1x4x4xf16> {zin.host_type = tensor<1x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "y"}) {
  %w = zin.constant dense<3.0> : tensor<2x1x1x1x1xf16>
  %b = zin.constant dense<[[[[[1.0]], [[2.0]]]]]> : tensor<1x1x2x1x1xf16>
  %s = zin.constant dense<[[[[[0.5]], [[2.0]]]]]> : tensor<1x1x2x1x1xf16>
  %y = zin.conv %x, %w bias %b {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<2x1x1x1x1xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %z = zin.elementwise <Mult> %s, %y : (tensor<1x1x2x1x1xf16>, tensor<1x1x2x4x4xf16>) -> tensor<1x1x2x4x4xf16>
  zin.return %z : tensor<1x1x2x4x4xf16>
}

// -----

// A scale with an offset, behind several kernels. 1.0009765625 (0x3c01) times
// 1.0009765625 is 1.001954078674316, nearest to 0x3c02 = 1.001953125.

// CHECK-LABEL: zin.procedure @matmul
// CHECK-DAG: %[[W:.*]] = zin.constant dense<1.001950e+00> : tensor<1x1x2x2x2xf16>
// CHECK-DAG: %[[B:.*]] = zin.constant dense<5.000000e-01> : tensor<1x1x1x1x2xf16>
// CHECK: zin.matmul %{{.*}}, %[[W]] bias %[[B]]
// CHECK-NOT: zin.goc
zin.procedure @matmul(%x: tensor<1x1x2x3x2xf16> {zin.host_type = tensor<2x3x2xf16>, zin.name = "x"}) -> (tensor<1x1x2x3x2xf16> {zin.host_type = tensor<2x3x2xf16>, zin.name = "y"}) {
  %w = zin.constant dense<0x3c01> : tensor<1x1x2x2x2xf16>
  %y = zin.matmul %x, %w : (tensor<1x1x2x3x2xf16>, tensor<1x1x2x2x2xf16>) -> tensor<1x1x2x3x2xf16>
  %z = zin.goc %y scale 0x3c01 bias 0.5 : tensor<1x1x2x3x2xf16>
  zin.return %z : tensor<1x1x2x3x2xf16>
}

// -----

// An activation in between, another reader, a scale alone, a constant that
// differs along rows, and numbers that fp16 does not hold.

// CHECK-LABEL: zin.procedure @kept
// CHECK-COUNT-4: zin.elementwise <Mult>
// CHECK: zin.goc
// CHECK: zin.elementwise <Mult>
// CHECK: zin.elementwise <Mult>
zin.procedure @kept(%x: tensor<1x1x1x4x4xf16> {zin.host_type = tensor<1x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "a"}, tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "b"}, tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "c"}) {
  %w = zin.constant dense<3.0> : tensor<2x1x1x1x1xf16>
  %s = zin.constant dense<[[[[[0.5]], [[2.0]]]]]> : tensor<1x1x2x1x1xf16>
  %rows = zin.constant dense<[[[[[0.5], [2.0], [1.0], [4.0]]]]]> : tensor<1x1x1x4x1xf16>
  %big = zin.constant dense<[[[[[30000.0]], [[20000.0]]]]]> : tensor<1x1x2x1x1xf16>
  %k = zin.constant dense<3.0> : tensor<2x1x2x1x1xf16>
  %tiny = zin.constant dense<0x0100> : tensor<1x1x1x1x1xf16>
  %0 = zin.conv %x, %w {activation = #zin.neuron<relu>, dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<2x1x1x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %1 = zin.elementwise <Mult> %0, %s : (tensor<1x1x2x4x4xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %2 = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<2x1x1x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %3 = zin.elementwise <Mult> %2, %s : (tensor<1x1x2x4x4xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %4 = zin.elementwise <Mult> %2, %3 : (tensor<1x1x2x4x4xf16>, tensor<1x1x2x4x4xf16>) -> tensor<1x1x2x4x4xf16>
  %5 = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<2x1x1x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %6 = zin.elementwise <Mult> %5, %rows : (tensor<1x1x2x4x4xf16>, tensor<1x1x1x4x1xf16>) -> tensor<1x1x2x4x4xf16>
  %7 = zin.conv %6, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2x4x4xf16>, tensor<2x1x2x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %8 = zin.goc %7 scale 2.0 bias 0.0 : tensor<1x1x2x4x4xf16>
  %9 = zin.conv %8, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2x4x4xf16>, tensor<2x1x2x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %10 = zin.elementwise <Mult> %9, %big : (tensor<1x1x2x4x4xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %11 = zin.conv %10, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2x4x4xf16>, tensor<2x1x2x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %12 = zin.elementwise <Mult> %11, %tiny : (tensor<1x1x2x4x4xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  zin.return %1, %4, %12 : tensor<1x1x2x4x4xf16>, tensor<1x1x2x4x4xf16>, tensor<1x1x2x4x4xf16>
}

// -----

// An offset that rounds to integers is not added to the sums: it rounds what the
// layer gives.

// CHECK-LABEL: zin.procedure @rounded
// CHECK: zin.conv
// CHECK: zin.goc %{{.*}} scale 8.000000e+00 bias 1.536000e+03
zin.procedure @rounded(%x: tensor<1x1x1x4x4xf16> {zin.host_type = tensor<1x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "y"}) {
  %w = zin.constant dense<3.0> : tensor<2x1x1x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<2x1x1x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %z = zin.goc %y scale 8.0 bias 1536.0 : tensor<1x1x2x4x4xf16>
  zin.return %z : tensor<1x1x2x4x4xf16>
}

// -----

// A scale and an offset for each channel, without a layer in front of them, are
// one for each channel.

// CHECK-LABEL: zin.procedure @channelwise
// CHECK-DAG: %[[S:.*]] = zin.constant dense<{{\[\[\[\[\[}}5.000000e-01]]]], {{\[\[\[\[}}2.000000e+00]]]]]> : tensor<2x1x1x1x1xf16>
// CHECK: %[[Y:.*]] = zin.conv %arg0, %[[S]] {{.*}}groups = 2 : i64
// CHECK-NEXT: zin.elementwise <Add> {{.*}}%[[Y]]
zin.procedure @channelwise(%x: tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "y"}) {
  %s = zin.constant dense<[[[[[0.5]], [[2.0]]]]]> : tensor<1x1x2x1x1xf16>
  %b = zin.constant dense<[[[[[1.0]], [[-1.0]]]]]> : tensor<1x1x2x1x1xf16>
  %y = zin.elementwise <Mult> %x, %s : (tensor<1x1x2x4x4xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %z = zin.elementwise <Add> %b, %y : (tensor<1x1x2x1x1xf16>, tensor<1x1x2x4x4xf16>) -> tensor<1x1x2x4x4xf16>
  zin.return %z : tensor<1x1x2x4x4xf16>
}

// -----

// Not so a scale that leaves too much of denormal numbers out, one without an
// offset, and one that differs along rows.

// CHECK-LABEL: zin.procedure @products
// CHECK-NOT: zin.conv
zin.procedure @products(%x: tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "y"}) {
  %s = zin.constant dense<[[[[[0.5]], [[2.0]]]]]> : tensor<1x1x2x1x1xf16>
  %l = zin.constant dense<[[[[[0.5]], [[9.0]]]]]> : tensor<1x1x2x1x1xf16>
  %r = zin.constant dense<2.0> : tensor<1x1x2x4x1xf16>
  %b = zin.constant dense<[[[[[1.0]], [[-1.0]]]]]> : tensor<1x1x2x1x1xf16>
  %0 = zin.elementwise <Mult> %x, %l : (tensor<1x1x2x4x4xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %1 = zin.elementwise <Add> %0, %b : (tensor<1x1x2x4x4xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %2 = zin.elementwise <Mult> %1, %s : (tensor<1x1x2x4x4xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %3 = zin.elementwise <Mult> %2, %r : (tensor<1x1x2x4x4xf16>, tensor<1x1x2x4x1xf16>) -> tensor<1x1x2x4x4xf16>
  %4 = zin.elementwise <Add> %3, %b : (tensor<1x1x2x4x4xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  zin.return %4 : tensor<1x1x2x4x4xf16>
}

// -----

// A kernel that came as a palette stays one of 16 numbers: with 16 for each output
// it would take 136 bytes more, and a product of its results moves 68.

// CHECK-LABEL: zin.procedure @palette
// CHECK: zin.conv
// CHECK-NEXT: zin.elementwise <Mult>
zin.procedure @palette(%x: tensor<1x1x16x1x1xf16> {zin.host_type = tensor<1x1x16x1x1xf16>, zin.name = "x"}) -> (tensor<1x1x17x1x1xf16> {zin.host_type = tensor<1x1x17x1x1xf16>, zin.name = "y"}) attributes {zin.palettized} {
  %w = zin.constant dense<"0x003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C"> : tensor<17x1x16x1x1xf16>
  %s = zin.constant dense<[[[[[1.0]], [[2.0]], [[3.0]], [[4.0]], [[5.0]], [[6.0]], [[7.0]], [[8.0]], [[9.0]], [[10.0]], [[11.0]], [[12.0]], [[13.0]], [[14.0]], [[15.0]], [[16.0]], [[17.0]]]]]> : tensor<1x1x17x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x16x1x1xf16>, tensor<17x1x16x1x1xf16>) -> tensor<1x1x17x1x1xf16>
  %z = zin.elementwise <Mult> %y, %s : (tensor<1x1x17x1x1xf16>, tensor<1x1x17x1x1xf16>) -> tensor<1x1x17x1x1xf16>
  zin.return %z : tensor<1x1x17x1x1xf16>
}

// -----

// Here it would move 272.

// CHECK-LABEL: zin.procedure @plane
// CHECK-NOT: zin.elementwise
zin.procedure @plane(%x: tensor<1x1x16x2x2xf16> {zin.host_type = tensor<1x1x16x2x2xf16>, zin.name = "x"}) -> (tensor<1x1x17x2x2xf16> {zin.host_type = tensor<1x1x17x2x2xf16>, zin.name = "y"}) attributes {zin.palettized} {
  %w = zin.constant dense<"0x003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C003C0040004200440045004600470048804800498049004A804A004B804B004C"> : tensor<17x1x16x1x1xf16>
  %s = zin.constant dense<[[[[[1.0]], [[2.0]], [[3.0]], [[4.0]], [[5.0]], [[6.0]], [[7.0]], [[8.0]], [[9.0]], [[10.0]], [[11.0]], [[12.0]], [[13.0]], [[14.0]], [[15.0]], [[16.0]], [[17.0]]]]]> : tensor<1x1x17x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x16x2x2xf16>, tensor<17x1x16x1x1xf16>) -> tensor<1x1x17x2x2xf16>
  %z = zin.elementwise <Mult> %y, %s : (tensor<1x1x17x2x2xf16>, tensor<1x1x17x1x1xf16>) -> tensor<1x1x17x2x2xf16>
  zin.return %z : tensor<1x1x17x2x2xf16>
}

// -----

// Outputs of one number each share the palette of a task.

// CHECK-LABEL: zin.procedure @outputs
// CHECK-NOT: zin.elementwise
zin.procedure @outputs(%x: tensor<1x1x16x1x1xf16> {zin.host_type = tensor<1x1x16x1x1xf16>, zin.name = "x"}) -> (tensor<1x1x17x1x1xf16> {zin.host_type = tensor<1x1x17x1x1xf16>, zin.name = "y"}) attributes {zin.palettized} {
  %w = zin.constant dense<3.0> : tensor<17x1x16x1x1xf16>
  %s = zin.constant dense<[[[[[1.0]], [[2.0]], [[3.0]], [[4.0]], [[5.0]], [[6.0]], [[7.0]], [[8.0]], [[9.0]], [[10.0]], [[11.0]], [[12.0]], [[13.0]], [[14.0]], [[15.0]], [[16.0]], [[17.0]]]]]> : tensor<1x1x17x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x16x1x1xf16>, tensor<17x1x16x1x1xf16>) -> tensor<1x1x17x1x1xf16>
  %z = zin.elementwise <Mult> %y, %s : (tensor<1x1x17x1x1xf16>, tensor<1x1x17x1x1xf16>) -> tensor<1x1x17x1x1xf16>
  zin.return %z : tensor<1x1x17x1x1xf16>
}

// -----

// CHECK-LABEL: zin.procedure @no_palette
// CHECK-NOT: zin.elementwise
zin.procedure @no_palette(%x: tensor<1x1x16x1x1xf16> {zin.host_type = tensor<1x1x16x1x1xf16>, zin.name = "x"}) -> (tensor<1x1x17x1x1xf16> {zin.host_type = tensor<1x1x17x1x1xf16>, zin.name = "y"}) {
  %w = zin.constant dense<3.0> : tensor<17x1x16x1x1xf16>
  %s = zin.constant dense<[[[[[1.0]], [[2.0]], [[3.0]], [[4.0]], [[5.0]], [[6.0]], [[7.0]], [[8.0]], [[9.0]], [[10.0]], [[11.0]], [[12.0]], [[13.0]], [[14.0]], [[15.0]], [[16.0]], [[17.0]]]]]> : tensor<1x1x17x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x16x1x1xf16>, tensor<17x1x16x1x1xf16>) -> tensor<1x1x17x1x1xf16>
  %z = zin.elementwise <Mult> %y, %s : (tensor<1x1x17x1x1xf16>, tensor<1x1x17x1x1xf16>) -> tensor<1x1x17x1x1xf16>
  zin.return %z : tensor<1x1x17x1x1xf16>
}

// -----

// A clip from 0 on that a scale ends at 1 is a hard sigmoid, here with the scale
// behind a product.

// CHECK-LABEL: zin.procedure @hard_swish
// CHECK: %[[A:.*]] = zin.goc %arg0 scale 1.000000e+00 bias 3.000000e+00
// CHECK-NEXT: %[[S:.*]] = zin.neuron <sigmoid_hard, 1.666260e-01 : f16, 0.000000e+00 : f16> %[[A]]
// CHECK-NEXT: %[[Y:.*]] = zin.elementwise <Mult> %arg0, %[[S]]
// CHECK-NEXT: zin.return %[[Y]]
zin.procedure @hard_swish(%x: tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "y"}) {
  %a = zin.goc %x scale 1.0 bias 3.0 : tensor<1x1x2x4x4xf16>
  %c = zin.neuron <clamped_relu, 0.0 : f16, 6.0 : f16> %a : tensor<1x1x2x4x4xf16>
  %m = zin.elementwise <Mult> %x, %c : (tensor<1x1x2x4x4xf16>, tensor<1x1x2x4x4xf16>) -> tensor<1x1x2x4x4xf16>
  %y = zin.goc %m scale 1.666260e-01 bias 0.0 : tensor<1x1x2x4x4xf16>
  zin.return %y : tensor<1x1x2x4x4xf16>
}

// -----

// Behind a layer, which has taken the offset.

// CHECK-LABEL: zin.procedure @gate
// CHECK: %[[C:.*]] = zin.conv
// CHECK-NEXT: zin.neuron <sigmoid_hard, 1.666260e-01 : f16, 0.000000e+00 : f16> %[[C]]
// CHECK-NEXT: zin.return
zin.procedure @gate(%x: tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<2x1x2x1x1xf16>
  %c = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2x4x4xf16>, tensor<2x1x2x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %a = zin.goc %c scale 1.0 bias 3.0 : tensor<1x1x2x4x4xf16>
  %r = zin.neuron <clamped_relu, 0.0 : f16, 6.0 : f16> %a : tensor<1x1x2x4x4xf16>
  %y = zin.goc %r scale 1.666260e-01 bias 0.0 : tensor<1x1x2x4x4xf16>
  zin.return %y : tensor<1x1x2x4x4xf16>
}

// -----

// Not so where the clip begins elsewhere or does not end at 1, or where somebody
// reads it, or the product.

// CHECK-LABEL: zin.procedure @other_clips
// CHECK-NOT: sigmoid_hard
zin.procedure @other_clips(%x: tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "a"}, tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "b"}, tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "c"}, tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "d"}, tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "e"}, tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "f"}) {
  %0 = zin.neuron <clamped_relu, 1.0 : f16, 6.0 : f16> %x : tensor<1x1x2x4x4xf16>
  %a = zin.goc %0 scale 1.666260e-01 bias 0.0 : tensor<1x1x2x4x4xf16>
  %1 = zin.neuron <clamped_relu, 0.0 : f16, 6.0 : f16> %x : tensor<1x1x2x4x4xf16>
  %b = zin.goc %1 scale 0.25 bias 0.0 : tensor<1x1x2x4x4xf16>
  %c = zin.neuron <clamped_relu, 0.0 : f16, 4.0 : f16> %x : tensor<1x1x2x4x4xf16>
  %d = zin.goc %c scale 0.25 bias 0.0 : tensor<1x1x2x4x4xf16>
  %2 = zin.neuron <clamped_relu, 0.0 : f16, 8.0 : f16> %x : tensor<1x1x2x4x4xf16>
  %e = zin.elementwise <Mult> %x, %2 : (tensor<1x1x2x4x4xf16>, tensor<1x1x2x4x4xf16>) -> tensor<1x1x2x4x4xf16>
  %f = zin.goc %e scale 0.125 bias 0.0 : tensor<1x1x2x4x4xf16>
  zin.return %a, %b, %c, %d, %e, %f : tensor<1x1x2x4x4xf16>, tensor<1x1x2x4x4xf16>, tensor<1x1x2x4x4xf16>, tensor<1x1x2x4x4xf16>, tensor<1x1x2x4x4xf16>, tensor<1x1x2x4x4xf16>
}
