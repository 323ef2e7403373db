// RUN: ane-opt %s --zin-refine-sigmoid --split-input-file | FileCheck %s

// A closer table is entered with 11 / 8 of what the sigmoid is of.

// CHECK-LABEL: zin.procedure @sigmoid
// CHECK-NEXT: %[[Y:.*]] = zin.neuron <sigmoid_high_precision> %arg0 {scale = 1.375000e+00 : f16}
// CHECK-NEXT: %[[Z:.*]] = zin.neuron <sigmoid_high_precision> %[[Y]] {bias = 1.000000e+00 : f16, scale = 6.875000e-01 : f16}
// CHECK-NEXT: %[[A:.*]] = zin.neuron <abs> %[[Z]]
// CHECK-NEXT: zin.return %[[A]]
zin.procedure @sigmoid(%x: tensor<1x1x2x3x4xf16> {zin.host_type = tensor<2x3x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x3x4xf16> {zin.host_type = tensor<2x3x4xf16>, zin.name = "y"}) {
  %0 = zin.neuron <sigmoid> %x : tensor<1x1x2x3x4xf16>
  %1 = zin.neuron <sigmoid> %0 {bias = 1.000000e+00 : f16, scale = 5.000000e-01 : f16} : tensor<1x1x2x3x4xf16>
  %2 = zin.neuron <abs> %1 : tensor<1x1x2x3x4xf16>
  zin.return %2 : tensor<1x1x2x3x4xf16>
}

// -----

// What is returned, moved or scaled, is computed from its definition; not what is
// asked for beside the results.

// CHECK-LABEL: zin.procedure @returned
// CHECK-NEXT: %[[P:.*]] = zin.neuron <exp2> %arg0 {bias = 1.000000e+00 : f16, scale = -7.211910e-01 : f16}
// CHECK-NEXT: %[[Y:.*]] = zin.neuron <inv> %[[P]] {bias = 1.000000e+00 : f16}
// CHECK-NEXT: %[[S:.*]] = zin.goc %[[Y]]
// CHECK-NEXT: %[[M:.*]] = zin.reshape %[[S]]
// CHECK-NEXT: %[[Z:.*]] = zin.neuron <sigmoid_high_precision> %arg0
// CHECK-NEXT: zin.return %[[M]], %[[Z]]
zin.procedure @returned(%x: tensor<1x1x2x3x4xf16> {zin.host_type = tensor<2x3x4xf16>, zin.name = "x"}) -> (tensor<1x1x1x6x4xf16> {zin.host_type = tensor<6x4xf16>, zin.name = "y"}, tensor<1x1x2x3x4xf16> {zin.asked, zin.host_type = tensor<2x3x4xf16>, zin.name = "z"}) {
  %0 = zin.neuron <sigmoid> %x {bias = 1.000000e+00 : f16, scale = 5.000000e-01 : f16} : tensor<1x1x2x3x4xf16>
  %1 = zin.goc %0 scale 2.550000e+02 bias 0.000000e+00 : tensor<1x1x2x3x4xf16>
  %2 = zin.reshape %1 : (tensor<1x1x2x3x4xf16>) -> tensor<1x1x1x6x4xf16>
  %3 = zin.neuron <sigmoid> %x : tensor<1x1x2x3x4xf16>
  zin.return %2, %3 : tensor<1x1x1x6x4xf16>, tensor<1x1x2x3x4xf16>
}

// -----

// So is a silu, of which small results matter as well.

// CHECK-LABEL: zin.procedure @returned_silu
// CHECK-NEXT: %[[X:.*]] = zin.goc %arg0 scale 5.000000e-01 bias 1.000000e+00
// CHECK-NEXT: %[[P:.*]] = zin.neuron <exp2> %[[X]] {scale = -1.442380e+00 : f16}
// CHECK-NEXT: %[[S:.*]] = zin.neuron <inv> %[[P]] {bias = 1.000000e+00 : f16}
// CHECK-NEXT: %[[Y:.*]] = zin.elementwise <Mult> %[[X]], %[[S]]
// CHECK-NEXT: zin.return %[[Y]]
zin.procedure @returned_silu(%x: tensor<1x1x2x3x4xf16> {zin.host_type = tensor<2x3x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x3x4xf16> {zin.host_type = tensor<2x3x4xf16>, zin.name = "y"}) {
  %0 = zin.neuron <swish> %x {bias = 2.000000e+00 : f16, scale = 5.000000e-01 : f16} : tensor<1x1x2x3x4xf16>
  zin.return %0 : tensor<1x1x2x3x4xf16>
}

// -----

// x times a part of it.

// CHECK-LABEL: zin.procedure @shares
// CHECK-NEXT: %[[S:.*]] = zin.neuron <sigmoid_high_precision> %arg0 {scale = 1.375000e+00 : f16}
// CHECK-NEXT: %[[Y:.*]] = zin.elementwise <Mult> %arg0, %[[S]]
// CHECK-NEXT: %[[P:.*]] = zin.neuron <custom_lut> %[[Y]] {scale = 2.500000e+00 : f16}
// CHECK-NEXT: %[[Z:.*]] = zin.elementwise <Mult> %[[Y]], %[[P]]
// CHECK-NEXT: zin.return %[[Z]]
zin.procedure @shares(%x: tensor<1x1x2x3x4xf16> {zin.host_type = tensor<2x3x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x3x4xf16> {zin.host_type = tensor<2x3x4xf16>, zin.name = "y"}) {
  %0 = zin.neuron <swish> %x : tensor<1x1x2x3x4xf16>
  %1 = zin.neuron <gelu> %0 : tensor<1x1x2x3x4xf16>
  zin.return %1 : tensor<1x1x2x3x4xf16>
}

// -----

// Of what the function is of, which then is a value of its own.

// CHECK-LABEL: zin.procedure @scaled
// CHECK-NEXT: %[[X:.*]] = zin.goc %arg0 scale 5.000000e-01 bias 1.000000e+00
// CHECK-NEXT: %[[S:.*]] = zin.neuron <sigmoid_high_precision> %[[X]] {scale = 1.375000e+00 : f16}
// CHECK-NEXT: %[[Y:.*]] = zin.elementwise <Mult> %[[X]], %[[S]]
// CHECK-NEXT: %[[Z:.*]] = zin.neuron <tanh> %[[Y]]
// CHECK-NEXT: zin.return %[[Z]]
zin.procedure @scaled(%x: tensor<1x1x2x3x4xf16> {zin.host_type = tensor<2x3x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x3x4xf16> {zin.host_type = tensor<2x3x4xf16>, zin.name = "y"}) {
  %0 = zin.neuron <swish> %x {bias = 2.000000e+00 : f16, scale = 5.000000e-01 : f16} : tensor<1x1x2x3x4xf16>
  %1 = zin.neuron <tanh> %0 : tensor<1x1x2x3x4xf16>
  zin.return %1 : tensor<1x1x2x3x4xf16>
}

// -----

// A layer takes such a table with its scale, as it takes any scale and activation.

// RUN: ane-opt %s --zin-refine-sigmoid --zin-fuse-epilogue --split-input-file | FileCheck %s --check-prefix=FUSED

// FUSED-LABEL: zin.procedure @layers
// FUSED: %[[A:.*]] = zin.matmul %arg0, %{{.*}} {activation = #zin.neuron<sigmoid_high_precision>, scale = 1.375000e+00 : f16}
// FUSED-NEXT: zin.matmul %[[A]], %{{.*}} {activation = #zin.neuron<tanh>, scale = 5.000000e-01 : f16}
zin.procedure @layers(%x: tensor<1x1x1x5x4xf16> {zin.host_type = tensor<5x4xf16>, zin.name = "x"}) -> (tensor<1x1x1x5x4xf16> {zin.host_type = tensor<5x4xf16>, zin.name = "y"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<1x1x1x4x4xf16>
  %0 = zin.matmul %x, %k : (tensor<1x1x1x5x4xf16>, tensor<1x1x1x4x4xf16>) -> tensor<1x1x1x5x4xf16>
  %1 = zin.neuron <sigmoid> %0 : tensor<1x1x1x5x4xf16>
  %2 = zin.matmul %1, %k : (tensor<1x1x1x5x4xf16>, tensor<1x1x1x4x4xf16>) -> tensor<1x1x1x5x4xf16>
  %3 = zin.neuron <tanh> %2 {scale = 5.000000e-01 : f16} : tensor<1x1x1x5x4xf16>
  zin.return %3 : tensor<1x1x1x5x4xf16>
}
