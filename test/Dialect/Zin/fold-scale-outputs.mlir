// RUN: ane-opt %s --zin-fold-scale --split-input-file | FileCheck %s

// Everything that is a scale and an offset of an output goes into its layer: a
// number for all, numbers for each, and what they are taken off. Of 3 and 1,
// 3 * 0.5 * 2 and (1 * 0.5 + 4) * 2 for the first output, and 1 minus these.

// CHECK-LABEL: zin.procedure @rows_of_lines
// CHECK-DAG: %[[W:.*]] = zin.constant dense<{{\[\[\[\[\[}}-3.000000e+00]]]], {{\[\[\[\[}}-6.000000e+00]]]]]> : tensor<2x1x1x1x1xf16>
// CHECK-DAG: %[[B:.*]] = zin.constant dense<{{\[\[\[\[\[}}-8.000000e+00]], {{\[\[}}-2.100000e+01]]]]]> : tensor<1x1x2x1x1xf16>
// CHECK: %[[Y:.*]] = zin.conv %arg0, %[[W]] bias %[[B]]
// CHECK-NEXT: zin.return %[[Y]]
zin.procedure @rows_of_lines(%x: tensor<1x1x1x4x4xf16> {zin.host_type = tensor<1x1x1x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x4x4xf16> {zin.host_type = tensor<1x1x2x4x4xf16>, zin.name = "y"}) {
  %w = zin.constant dense<3.0> : tensor<2x1x1x1x1xf16>
  %b = zin.constant dense<1.0> : tensor<1x1x2x1x1xf16>
  %k = zin.constant dense<[[[[[4.0]], [[5.0]]]]]> : tensor<1x1x2x1x1xf16>
  %s = zin.constant dense<[[[[[2.0]], [[4.0]]]]]> : tensor<1x1x2x1x1xf16>
  %one = zin.constant dense<1.0> : tensor<1x1x1x1x1xf16>
  %0 = zin.conv %x, %w bias %b {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<2x1x1x1x1xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %1 = zin.goc %0 scale 0.5 bias 0.0 : tensor<1x1x2x4x4xf16>
  %2 = zin.elementwise <Add> %k, %1 : (tensor<1x1x2x1x1xf16>, tensor<1x1x2x4x4xf16>) -> tensor<1x1x2x4x4xf16>
  %3 = zin.elementwise <Mult> %2, %s : (tensor<1x1x2x4x4xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %4 = zin.elementwise <Sub> %one, %3 : (tensor<1x1x1x1x1xf16>, tensor<1x1x2x4x4xf16>) -> tensor<1x1x2x4x4xf16>
  zin.return %4 : tensor<1x1x2x4x4xf16>
}

// -----

// Coefficients are rounded once: 1.25 * 1.0009765625 * 1.0009765625 is nearest to
// 1.2529296875, and in two steps it would be 1.251953125.

// CHECK-LABEL: zin.procedure @once
// CHECK: zin.constant dense<1.252930e+00> : tensor<2x1x1x1x1xf16>
// CHECK-NOT: zin.elementwise
zin.procedure @once(%x: tensor<1x1x1x4x4xf16> {zin.host_type = tensor<1x1x1x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x4x4xf16> {zin.host_type = tensor<1x1x2x4x4xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.25> : tensor<2x1x1x1x1xf16>
  %s = zin.constant dense<0x3c01> : tensor<1x1x2x1x1xf16>
  %0 = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<2x1x1x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %1 = zin.elementwise <Mult> %0, %s : (tensor<1x1x2x4x4xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %2 = zin.elementwise <Mult> %1, %s : (tensor<1x1x2x4x4xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  zin.return %2 : tensor<1x1x2x4x4xf16>
}

// -----

// What cancels leaves neither a scale nor an offset.

// CHECK-LABEL: zin.procedure @cancelled
// CHECK: %[[W:.*]] = zin.constant dense<3.000000e+00> : tensor<2x1x1x1x1xf16>
// CHECK-NEXT: %[[Y:.*]] = zin.conv %arg0, %[[W]] {
// CHECK-NEXT: zin.return %[[Y]]
zin.procedure @cancelled(%x: tensor<1x1x1x4x4xf16> {zin.host_type = tensor<1x1x1x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x4x4xf16> {zin.host_type = tensor<1x1x2x4x4xf16>, zin.name = "y"}) {
  %w = zin.constant dense<3.0> : tensor<2x1x1x1x1xf16>
  %0 = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<2x1x1x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %1 = zin.goc %0 scale 0.5 bias 1.0 : tensor<1x1x2x4x4xf16>
  %2 = zin.goc %1 scale 2.0 bias -2.0 : tensor<1x1x2x4x4xf16>
  zin.return %2 : tensor<1x1x2x4x4xf16>
}

// -----

// Scales alone are one scale, but for one that would hide what another makes
// infinite.

// CHECK-LABEL: zin.procedure @scales
// CHECK: zin.conv
// CHECK-NEXT: %[[S:.*]] = zin.goc %{{.*}} scale 7.500000e-01 bias 0.000000e+00
// CHECK-NEXT: %[[T:.*]] = zin.goc %arg0 scale 4.000000e+00
// CHECK-NEXT: %[[U:.*]] = zin.goc %[[T]] scale 2.500000e-01
// CHECK-NEXT: zin.return %[[S]], %[[U]]
zin.procedure @scales(%x: tensor<1x1x1x4x4xf16> {zin.host_type = tensor<1x1x1x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x4x4xf16> {zin.host_type = tensor<1x1x2x4x4xf16>, zin.name = "y"}, tensor<1x1x1x4x4xf16> {zin.host_type = tensor<1x1x1x4x4xf16>, zin.name = "z"}) {
  %w = zin.constant dense<3.0> : tensor<2x1x1x1x1xf16>
  %0 = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<2x1x1x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %1 = zin.goc %0 scale 0.5 bias 0.0 : tensor<1x1x2x4x4xf16>
  %2 = zin.goc %1 scale 1.5 bias 0.0 : tensor<1x1x2x4x4xf16>
  %3 = zin.goc %x scale 4.0 bias 0.0 : tensor<1x1x1x4x4xf16>
  %4 = zin.goc %3 scale 0.25 bias 0.0 : tensor<1x1x1x4x4xf16>
  zin.return %2, %4 : tensor<1x1x2x4x4xf16>, tensor<1x1x1x4x4xf16>
}

// -----

// A product of a batch is one of all its rows. The numbers of its outputs come
// behind a reshape then.

// CHECK-LABEL: zin.procedure @batch
// CHECK: %[[B:.*]] = zin.constant dense<{{\[\[\[\[}}[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]]]]]> : tensor<1x1x1x1x4xf16>
// CHECK: %[[P:.*]] = zin.matmul %arg0, %{{.*}} bias %[[B]]
// CHECK-NEXT: %[[R:.*]] = zin.reshape %[[P]]
// CHECK-NEXT: zin.return %[[R]]
zin.procedure @batch(%x: tensor<1x1x1x6x4xf16> {zin.host_type = tensor<1x1x1x6x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x3x4xf16> {zin.host_type = tensor<1x1x2x3x4xf16>, zin.name = "y"}) {
  %w = zin.constant dense<3.0> : tensor<1x1x1x4x4xf16>
  %b = zin.constant dense<[[[[[1.0, 2.0, 3.0, 4.0]]]]]> : tensor<1x1x1x1x4xf16>
  %0 = zin.matmul %x, %w : (tensor<1x1x1x6x4xf16>, tensor<1x1x1x4x4xf16>) -> tensor<1x1x1x6x4xf16>
  %1 = zin.reshape %0 : (tensor<1x1x1x6x4xf16>) -> tensor<1x1x2x3x4xf16>
  %2 = zin.elementwise <Add> %1, %b : (tensor<1x1x2x3x4xf16>, tensor<1x1x1x1x4xf16>) -> tensor<1x1x2x3x4xf16>
  zin.return %2 : tensor<1x1x2x3x4xf16>
}

// -----

// A number for each head is one for several outputs, a number for each place in
// all heads comes again.

// CHECK-LABEL: zin.procedure @heads
// CHECK: %[[B:.*]] = zin.constant dense<{{\[\[\[\[}}[1.100000e+01, 2.100000e+01, 1.200000e+01, 2.200000e+01]]]]]> : tensor<1x1x1x1x4xf16>
// CHECK: zin.matmul %arg0, %{{.*}} bias %[[B]]
// CHECK-NEXT: zin.reshape
// CHECK-NEXT: zin.transpose
// CHECK-NEXT: zin.return
zin.procedure @heads(%x: tensor<1x1x1x6x4xf16> {zin.host_type = tensor<1x1x1x6x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x6x2xf16> {zin.host_type = tensor<1x1x2x6x2xf16>, zin.name = "y"}) {
  %w = zin.constant dense<3.0> : tensor<1x1x1x4x4xf16>
  %h = zin.constant dense<[[[[[1.0]], [[2.0]]]]]> : tensor<1x1x2x1x1xf16>
  %p = zin.constant dense<[[[[[10.0, 20.0]]]]]> : tensor<1x1x1x1x2xf16>
  %0 = zin.matmul %x, %w : (tensor<1x1x1x6x4xf16>, tensor<1x1x1x4x4xf16>) -> tensor<1x1x1x6x4xf16>
  %1 = zin.reshape %0 : (tensor<1x1x1x6x4xf16>) -> tensor<1x1x6x2x2xf16>
  %2 = zin.transpose %1 to [0, 1, 3, 2, 4] : (tensor<1x1x6x2x2xf16>) -> tensor<1x1x2x6x2xf16>
  %3 = zin.elementwise <Add> %2, %h : (tensor<1x1x2x6x2xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x6x2xf16>
  %4 = zin.elementwise <Add> %3, %p : (tensor<1x1x2x6x2xf16>, tensor<1x1x1x1x2xf16>) -> tensor<1x1x2x6x2xf16>
  zin.return %4 : tensor<1x1x2x6x2xf16>
}

// -----

// Of layers that are joined each takes the numbers of its channels, and so does an
// activation go to each.

// CHECK-LABEL: zin.procedure @joined
// CHECK-DAG: %[[A:.*]] = zin.constant dense<{{\[\[\[\[\[}}1.000000e+00]], {{\[\[}}2.000000e+00]]]]]> : tensor<1x1x2x1x1xf16>
// CHECK-DAG: %[[B:.*]] = zin.constant dense<3.000000e+00> : tensor<1x1x1x1x1xf16>
// CHECK-DAG: %[[C:.*]] = zin.conv %arg0, %{{.*}} bias %[[A]]
// CHECK-DAG: zin.neuron <relu> %[[C]]
// CHECK-DAG: %[[D:.*]] = zin.conv %arg0, %{{.*}} bias %[[B]]
// CHECK-DAG: zin.neuron <relu> %[[D]]
// CHECK: %[[J:.*]] = zin.concat
// CHECK-NEXT: zin.return %[[J]]
zin.procedure @joined(%x: tensor<1x1x1x4x4xf16> {zin.host_type = tensor<1x1x1x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x3x4x4xf16> {zin.host_type = tensor<1x1x3x4x4xf16>, zin.name = "y"}) {
  %w = zin.constant dense<3.0> : tensor<2x1x1x1x1xf16>
  %v = zin.constant dense<5.0> : tensor<1x1x1x1x1xf16>
  %b = zin.constant dense<[[[[[1.0]], [[2.0]], [[3.0]]]]]> : tensor<1x1x3x1x1xf16>
  %0 = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<2x1x1x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %1 = zin.conv %x, %v {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x1x4x4xf16>
  %2 = zin.concat %0, %1 along 2 : (tensor<1x1x2x4x4xf16>, tensor<1x1x1x4x4xf16>) -> tensor<1x1x3x4x4xf16>
  %3 = zin.elementwise <Add> %2, %b : (tensor<1x1x3x4x4xf16>, tensor<1x1x3x1x1xf16>) -> tensor<1x1x3x4x4xf16>
  %4 = zin.neuron <relu> %3 : tensor<1x1x3x4x4xf16>
  zin.return %4 : tensor<1x1x3x4x4xf16>
}

// -----

// Channels that alternate have every second number, columns that do all of them.

// CHECK-LABEL: zin.procedure @alternating
// CHECK-DAG: zin.constant dense<{{\[\[\[\[\[}}1.000000e+00]], {{\[\[}}3.000000e+00]]]]]> : tensor<1x1x2x1x1xf16>
// CHECK-DAG: zin.constant dense<{{\[\[\[\[\[}}2.000000e+00]], {{\[\[}}4.000000e+00]]]]]> : tensor<1x1x2x1x1xf16>
// CHECK-DAG: zin.constant dense<{{\[\[\[\[\[}}7.000000e+00]], {{\[\[}}8.000000e+00]]]]]> : tensor<1x1x2x1x1xf16>
// CHECK-NOT: zin.elementwise
zin.procedure @alternating(%x: tensor<1x1x1x4x4xf16> {zin.host_type = tensor<1x1x1x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x4x4x4xf16> {zin.host_type = tensor<1x1x4x4x4xf16>, zin.name = "y"}, tensor<1x1x2x4x8xf16> {zin.host_type = tensor<1x1x2x4x8xf16>, zin.name = "z"}) {
  %w = zin.constant dense<3.0> : tensor<2x1x1x1x1xf16>
  %b = zin.constant dense<[[[[[1.0]], [[2.0]], [[3.0]], [[4.0]]]]]> : tensor<1x1x4x1x1xf16>
  %c = zin.constant dense<[[[[[7.0]], [[8.0]]]]]> : tensor<1x1x2x1x1xf16>
  %0 = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<2x1x1x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %1 = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<2x1x1x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %2 = zin.concat %0, %1 along 2 {interleave} : (tensor<1x1x2x4x4xf16>, tensor<1x1x2x4x4xf16>) -> tensor<1x1x4x4x4xf16>
  %3 = zin.elementwise <Add> %2, %b : (tensor<1x1x4x4x4xf16>, tensor<1x1x4x1x1xf16>) -> tensor<1x1x4x4x4xf16>
  %4 = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<2x1x1x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %5 = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<2x1x1x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %6 = zin.concat %4, %5 along 4 {interleave} : (tensor<1x1x2x4x4xf16>, tensor<1x1x2x4x4xf16>) -> tensor<1x1x2x4x8xf16>
  %7 = zin.elementwise <Add> %6, %c : (tensor<1x1x2x4x8xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x8xf16>
  zin.return %3, %7 : tensor<1x1x4x4x4xf16>, tensor<1x1x2x4x8xf16>
}

// -----

// A norm is a convolution of each channel for itself.

// CHECK-LABEL: zin.procedure @norm
// CHECK-DAG: %[[W:.*]] = zin.constant dense<{{\[\[\[\[\[}}1.500000e+00]]]], {{\[\[\[\[}}6.000000e+00]]]]]> : tensor<2x1x1x1x1xf16>
// CHECK-DAG: %[[B:.*]] = zin.constant dense<{{\[\[\[\[\[}}7.000000e+00]], {{\[\[}}8.000000e+00]]]]]> : tensor<1x1x2x1x1xf16>
// CHECK: %[[Y:.*]] = zin.conv %arg0, %[[W]] bias %[[B]]
// CHECK-NEXT: zin.return %[[Y]]
zin.procedure @norm(%x: tensor<1x1x1x4x4xf16> {zin.host_type = tensor<1x1x1x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x4x4xf16> {zin.host_type = tensor<1x1x2x4x4xf16>, zin.name = "y"}) {
  %w = zin.constant dense<3.0> : tensor<2x1x1x1x1xf16>
  %s = zin.constant dense<[[[[[0.5]]]], [[[[2.0]]]]]> : tensor<2x1x1x1x1xf16>
  %b = zin.constant dense<[[[[[7.0]], [[8.0]]]]]> : tensor<1x1x2x1x1xf16>
  %0 = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<2x1x1x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %1 = zin.conv %0, %s bias %b {dilations = array<i64: 1, 1>, groups = 2 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2x4x4xf16>, tensor<2x1x1x1x1xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  zin.return %1 : tensor<1x1x2x4x4xf16>
}

// -----

// With steps of 2, and padding behind, it reads the first row and column alone.

// CHECK-LABEL: zin.procedure @steps
// CHECK: %[[X:.*]] = zin.conv %arg0,
// CHECK: %[[Y:.*]] = zin.conv %[[X]],
// CHECK-NEXT: zin.return %[[Y]]
zin.procedure @steps(%x: tensor<1x1x1x2x2xf16> {zin.host_type = tensor<1x1x1x2x2xf16>, zin.name = "x"}) -> (tensor<1x1x2x2x2xf16> {zin.host_type = tensor<1x1x2x2x2xf16>, zin.name = "y"}) {
  %w = zin.constant dense<3.0> : tensor<2x1x1x1x1xf16>
  %s = zin.constant dense<2.0> : tensor<2x1x1x1x1xf16>
  %0 = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x2x2xf16>, tensor<2x1x1x1x1xf16>) -> tensor<1x1x2x2x2xf16>
  %1 = zin.conv %0, %s {dilations = array<i64: 1, 1>, groups = 2 : i64, padding = array<i64: 0, 0>, strides = array<i64: 2, 2>} : (tensor<1x1x2x2x2xf16>, tensor<2x1x1x1x1xf16>) -> tensor<1x1x2x2x2xf16>
  zin.return %1 : tensor<1x1x2x2x2xf16>
}

// -----

// A number for each output that is taken off is an offset of the other sign.

// CHECK-LABEL: zin.procedure @taken_off
// CHECK: %[[B:.*]] = zin.constant dense<{{\[\[\[\[\[}}-4.000000e+00]], {{\[\[}}5.000000e+00]]]]]> : tensor<1x1x2x1x1xf16>
// CHECK: %[[Y:.*]] = zin.conv %arg0, %{{.*}} bias %[[B]]
// CHECK-NEXT: zin.return %[[Y]]
zin.procedure @taken_off(%x: tensor<1x1x1x4x4xf16> {zin.host_type = tensor<1x1x1x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x4x4xf16> {zin.host_type = tensor<1x1x2x4x4xf16>, zin.name = "y"}) {
  %w = zin.constant dense<3.0> : tensor<2x1x1x1x1xf16>
  %k = zin.constant dense<[[[[[4.0]], [[-5.0]]]]]> : tensor<1x1x2x1x1xf16>
  %0 = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<2x1x1x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %1 = zin.elementwise <Sub> %0, %k : (tensor<1x1x2x4x4xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  zin.return %1 : tensor<1x1x2x4x4xf16>
}

// -----

// Not one that moves rows, has an activation in front, or is not of layers alone;
// nor numbers along something else.

// CHECK-LABEL: zin.procedure @others
// CHECK-COUNT-2: zin.conv
// CHECK: zin.concat
// CHECK-NEXT: zin.elementwise <Add>
// CHECK: zin.elementwise <Add>
zin.procedure @others(%x: tensor<1x1x1x4x4xf16> {zin.host_type = tensor<1x1x1x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x4x4xf16> {zin.host_type = tensor<1x1x2x4x4xf16>, zin.name = "y"}, tensor<1x1x3x4x4xf16> {zin.host_type = tensor<1x1x3x4x4xf16>, zin.name = "z"}, tensor<1x1x2x4x4xf16> {zin.host_type = tensor<1x1x2x4x4xf16>, zin.name = "r"}) {
  %w = zin.constant dense<3.0> : tensor<2x1x1x1x1xf16>
  %s = zin.constant dense<[[[[[0.5]]]], [[[[2.0]]]]]> : tensor<2x1x1x1x1xf16>
  %b3 = zin.constant dense<[[[[[1.0]], [[2.0]], [[3.0]]]]]> : tensor<1x1x3x1x1xf16>
  %rows = zin.constant dense<[[[[[1.0], [2.0], [3.0], [4.0]]]]]> : tensor<1x1x1x4x1xf16>
  %0 = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<2x1x1x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %1 = zin.conv %0, %s {dilations = array<i64: 1, 1>, groups = 2 : i64, padding = array<i64: 1, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2x4x4xf16>, tensor<2x1x1x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %2 = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<2x1x1x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %3 = zin.concat %2, %x along 2 : (tensor<1x1x2x4x4xf16>, tensor<1x1x1x4x4xf16>) -> tensor<1x1x3x4x4xf16>
  %4 = zin.elementwise <Add> %3, %b3 : (tensor<1x1x3x4x4xf16>, tensor<1x1x3x1x1xf16>) -> tensor<1x1x3x4x4xf16>
  %5 = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<2x1x1x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %6 = zin.elementwise <Add> %5, %rows : (tensor<1x1x2x4x4xf16>, tensor<1x1x1x4x1xf16>) -> tensor<1x1x2x4x4xf16>
  zin.return %1, %4, %6 : tensor<1x1x2x4x4xf16>, tensor<1x1x3x4x4xf16>, tensor<1x1x2x4x4xf16>
}

// -----

// Of a coefficient of 8192 times 4 all sums would be infinite, and what a scale of
// 4 makes infinite stays so.

// CHECK-LABEL: zin.procedure @large
// CHECK: zin.conv
// CHECK: zin.elementwise <Mult>
// CHECK: zin.conv
// CHECK-NEXT: zin.goc %{{.*}} scale 4.000000e+00
// CHECK-NEXT: zin.goc %{{.*}} scale 2.500000e-01 bias 1.000000e+00
zin.procedure @large(%x: tensor<1x1x1x4x4xf16> {zin.host_type = tensor<1x1x1x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x4x4xf16> {zin.host_type = tensor<1x1x2x4x4xf16>, zin.name = "y"}, tensor<1x1x2x4x4xf16> {zin.host_type = tensor<1x1x2x4x4xf16>, zin.name = "z"}) {
  %w = zin.constant dense<8192.0> : tensor<2x1x1x1x1xf16>
  %v = zin.constant dense<3.0> : tensor<2x1x1x1x1xf16>
  %s = zin.constant dense<[[[[[4.0]], [[2.0]]]]]> : tensor<1x1x2x1x1xf16>
  %0 = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<2x1x1x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %1 = zin.elementwise <Mult> %0, %s : (tensor<1x1x2x4x4xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %2 = zin.conv %x, %v {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<2x1x1x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %3 = zin.goc %2 scale 4.0 bias 0.0 : tensor<1x1x2x4x4xf16>
  %4 = zin.goc %3 scale 0.25 bias 1.0 : tensor<1x1x2x4x4xf16>
  zin.return %1, %4 : tensor<1x1x2x4x4xf16>, tensor<1x1x2x4x4xf16>
}

// -----

// A kernel that would lose small coefficients stays, with a scale of one number
// behind its sums and a bias that is divided by it: 3 / 0.375 and 6 / 0.375. Not so
// where that bias takes more than a 32nd of what sums may be.

// CHECK-LABEL: zin.procedure @behind_sums
// CHECK-DAG: %[[W:.*]] = zin.constant dense<1.000170e-04> : tensor<2x1x1x1x1xf16>
// CHECK-DAG: %[[B:.*]] = zin.constant dense<{{\[\[\[\[\[}}8.000000e+00]], {{\[\[}}1.600000e+01]]]]]> : tensor<1x1x2x1x1xf16>
// CHECK: zin.conv %arg0, %[[W]] bias %[[B]] {{.*}}scale = 3.750000e-01 : f16
// CHECK: zin.conv
// CHECK: zin.elementwise <Add>
zin.procedure @behind_sums(%x: tensor<1x1x1x4x4xf16> {zin.host_type = tensor<1x1x1x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x4x4xf16> {zin.host_type = tensor<1x1x2x4x4xf16>, zin.name = "y"}, tensor<1x1x2x4x4xf16> {zin.host_type = tensor<1x1x2x4x4xf16>, zin.name = "z"}) {
  %w = zin.constant dense<0.0001> : tensor<2x1x1x1x1xf16>
  %b = zin.constant dense<[[[[[3.0]], [[6.0]]]]]> : tensor<1x1x2x1x1xf16>
  %l = zin.constant dense<[[[[[3.0]], [[600.0]]]]]> : tensor<1x1x2x1x1xf16>
  %0 = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<2x1x1x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %1 = zin.goc %0 scale 0.375 bias 0.0 : tensor<1x1x2x4x4xf16>
  %2 = zin.elementwise <Add> %1, %b : (tensor<1x1x2x4x4xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %3 = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x4x4xf16>, tensor<2x1x1x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %4 = zin.goc %3 scale 0.375 bias 0.0 : tensor<1x1x2x4x4xf16>
  %5 = zin.elementwise <Add> %4, %l : (tensor<1x1x2x4x4xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  zin.return %2, %5 : tensor<1x1x2x4x4xf16>, tensor<1x1x2x4x4xf16>
}
