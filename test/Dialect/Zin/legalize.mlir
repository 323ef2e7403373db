// RUN: ane-opt %s --zin-legalize --split-input-file | FileCheck %s
// RUN: not ane-opt %s --zin-legalize=target=h99 --split-input-file 2>&1 | FileCheck %s --check-prefix=TARGET

// TARGET: error: target 'h99' is not known; known are h13

// Dilated columns get zeros between them, and the procedure says that it has some.
// Dilated rows stay: tasks take every second one.

// CHECK-LABEL: zin.procedure @dilation
// CHECK-SAME: attributes {zin.sparse}
// CHECK: zin.constant dense<{{\[\[\[\[\[}}1.000000e+00, 0.000000e+00, 0.000000e+00, 2.000000e+00], [3.000000e+00, 0.000000e+00, 0.000000e+00, 4.000000e+00]]]]]> : tensor<1x1x1x2x4xf16>
// CHECK: dilations = array<i64: 2, 1>
zin.procedure @dilation(%x: tensor<1x1x1x8x8xf16> {zin.host_type = tensor<8x8xf16>, zin.name = "x"}) -> (tensor<1x1x1x6x5xf16> {zin.host_type = tensor<6x5xf16>, zin.name = "y"}) {
  %w = zin.constant dense<[[[[[1.0, 2.0], [3.0, 4.0]]]]]> : tensor<1x1x1x2x2xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 2, 3>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x8x8xf16>, tensor<1x1x1x2x2xf16>) -> tensor<1x1x1x6x5xf16>
  zin.return %y : tensor<1x1x1x6x5xf16>
}

// -----

// Rows of kernels for single channels get zeros while products with these take no
// longer than the planar engine takes for the results: of 3 x 3 numbers 3 apart, and
// not of those 4 apart. The rows of one column get them, too.

// CHECK-LABEL: zin.procedure @dilation_of_channels
// CHECK-SAME: attributes {zin.sparse}
// CHECK: zin.conv {{.*}}dilations = array<i64: 1, 1>, groups = 2 {{.*}}tensor<2x1x1x7x7xf16>
// CHECK: zin.conv {{.*}}dilations = array<i64: 4, 1>, groups = 2 {{.*}}tensor<2x1x1x3x9xf16>
// CHECK: zin.conv {{.*}}dilations = array<i64: 1, 1>, groups = 2 {{.*}}tensor<2x1x1x9x1xf16>
zin.procedure @dilation_of_channels(%x: tensor<1x1x2x16x16xf16> {zin.host_type = tensor<2x16x16xf16>, zin.name = "x"}) -> (tensor<1x1x2x16x16xf16> {zin.host_type = tensor<2x16x16xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<2x1x1x3x3xf16>
  %v = zin.constant dense<1.0> : tensor<2x1x1x3x1xf16>
  %0 = zin.conv %x, %w {dilations = array<i64: 3, 3>, groups = 2 : i64, padding = array<i64: 3, 3>, strides = array<i64: 1, 1>} : (tensor<1x1x2x16x16xf16>, tensor<2x1x1x3x3xf16>) -> tensor<1x1x2x16x16xf16>
  %1 = zin.conv %0, %w {dilations = array<i64: 4, 4>, groups = 2 : i64, padding = array<i64: 4, 4>, strides = array<i64: 1, 1>} : (tensor<1x1x2x16x16xf16>, tensor<2x1x1x3x3xf16>) -> tensor<1x1x2x16x16xf16>
  %y = zin.conv %1, %v {dilations = array<i64: 4, 1>, groups = 2 : i64, padding = array<i64: 4, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2x16x16xf16>, tensor<2x1x1x3x1xf16>) -> tensor<1x1x2x16x16xf16>
  zin.return %y : tensor<1x1x2x16x16xf16>
}

// -----

// With a stride they do not, and rows get zeros, too.

// CHECK-LABEL: zin.procedure @dilation_and_stride
// CHECK: zin.constant dense<{{\[\[\[\[\[}}1.000000e+00, 2.000000e+00], [0.000000e+00, 0.000000e+00], [3.000000e+00, 4.000000e+00]]]]]> : tensor<1x1x1x3x2xf16>
// CHECK: dilations = array<i64: 1, 1>
zin.procedure @dilation_and_stride(%x: tensor<1x1x1x8x8xf16> {zin.host_type = tensor<8x8xf16>, zin.name = "x"}) -> (tensor<1x1x1x3x7xf16> {zin.host_type = tensor<3x7xf16>, zin.name = "y"}) {
  %w = zin.constant dense<[[[[[1.0, 2.0], [3.0, 4.0]]]]]> : tensor<1x1x1x2x2xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 2, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 2, 1>} : (tensor<1x1x1x8x8xf16>, tensor<1x1x1x2x2xf16>) -> tensor<1x1x1x3x7xf16>
  zin.return %y : tensor<1x1x1x3x7xf16>
}

// -----

// The limits of a kernel are those of what a task has of it: 3 rows, not 41. So is
// that of padding: one row for each of 20.

// CHECK-LABEL: zin.procedure @far_rows
// CHECK-NOT: zin.concat
// CHECK: zin.conv {{.*}}dilations = array<i64: 20, 1>, {{.*}}padding = array<i64: 20, 0>
// CHECK-NOT: zin.conv
zin.procedure @far_rows(%x: tensor<1x1x1x40x8xf16> {zin.host_type = tensor<40x8xf16>, zin.name = "x"}) -> (tensor<1x1x1x40x8xf16> {zin.host_type = tensor<40x8xf16>, zin.name = "y"}) {
  %w = zin.constant dense<2.0> : tensor<1x1x1x3x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 20, 1>, groups = 1 : i64, padding = array<i64: 20, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x40x8xf16>, tensor<1x1x1x3x1xf16>) -> tensor<1x1x1x40x8xf16>
  zin.return %y : tensor<1x1x1x40x8xf16>
}

// -----

// What is fused to a convolution is not for parts of it.

// CHECK-LABEL: zin.procedure @fused
// CHECK: zin.conv {{.*}}activation = #zin.neuron<relu>{{.*}}scale = 2.0{{.*}}tensor<1x1x1x40x1xf16>
// CHECK-NOT: zin.conv
zin.procedure @fused(%x: tensor<1x1x1x40x8xf16> {zin.host_type = tensor<40x8xf16>, zin.name = "x"}) -> (tensor<1x1x1x40x8xf16> {zin.host_type = tensor<40x8xf16>, zin.name = "y"}) {
  %w = zin.constant dense<2.0> : tensor<1x1x1x40x1xf16>
  %y = zin.conv %x, %w {activation = #zin.neuron<relu>, dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 20, 0>, scale = 2.0 : f16, strides = array<i64: 1, 1>} : (tensor<1x1x1x40x8xf16>, tensor<1x1x1x40x1xf16>) -> tensor<1x1x1x40x8xf16>
  zin.return %y : tensor<1x1x1x40x8xf16>
}

// -----

// A stride beyond the register becomes a smaller one and a view: 6 is 3 by 2,
// 5 has no factor that fits.

// CHECK-LABEL: zin.procedure @stride
// CHECK: %[[DENSE:.*]] = zin.pool <Max> {{.*}}strides = array<i64: 3, 1>{{.*}} -> tensor<1x1x1x5x11xf16>
// CHECK-NEXT: zin.input_view %[[DENSE]] from [0, 0, 0, 0, 0] by [1, 1, 1, 2, 5] : (tensor<1x1x1x5x11xf16>) -> tensor<1x1x1x3x3xf16>
zin.procedure @stride(%x: tensor<1x1x1x13x11xf16> {zin.host_type = tensor<13x11xf16>, zin.name = "x"}) -> (tensor<1x1x1x3x3xf16> {zin.host_type = tensor<3x3xf16>, zin.name = "y"}) {
  %y = zin.pool <Max> %x {padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 6, 5>, window = array<i64: 1, 1>} : (tensor<1x1x1x13x11xf16>) -> tensor<1x1x1x3x3xf16>
  zin.return %y : tensor<1x1x1x3x3xf16>
}

// -----

// A kernel of 15 columns is one of 13 and one of 2, which starts 13 columns on;
// 12 of those are padding.

// CHECK-LABEL: zin.procedure @wide
// CHECK-SAME: %[[X:.*]]: tensor<1x1x1x1x20xf16>
// CHECK: %[[A:.*]] = zin.constant dense<{{.*}}1.000000e+00, {{.*}}1.300000e+01]]]]]> : tensor<1x1x1x1x13xf16>
// CHECK: %[[FIRST:.*]] = zin.conv %[[X]], %[[A]] {{.*}}padding = array<i64: 0, 12>
// CHECK: %[[REST:.*]] = zin.input_view %[[X]] from [0, 0, 0, 0, 1] by [1, 1, 1, 1, 1]
// CHECK: %[[B:.*]] = zin.constant dense<{{\[\[\[\[\[}}1.400000e+01, 1.500000e+01]]]]]>
// CHECK: %[[SECOND:.*]] = zin.conv %[[REST]], %[[B]] {{.*}}padding = array<i64: 0, 0>
// CHECK: zin.elementwise <Add> %[[FIRST]], %[[SECOND]]
zin.procedure @wide(%x: tensor<1x1x1x1x20xf16> {zin.host_type = tensor<20xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x20xf16> {zin.host_type = tensor<20xf16>, zin.name = "y"}) {
  %w = zin.constant dense<[[[[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0]]]]]> : tensor<1x1x1x1x15xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 12>, strides = array<i64: 1, 1>} : (tensor<1x1x1x1x20xf16>, tensor<1x1x1x1x15xf16>) -> tensor<1x1x1x1x20xf16>
  zin.return %y : tensor<1x1x1x1x20xf16>
}

// -----

// CHECK-LABEL: zin.procedure @padded
// CHECK-SAME: %[[X:.*]]: tensor<1x1x1x2x1xf16>
// CHECK: %[[ZEROS:.*]] = zin.constant dense<0.000000e+00> : tensor<1x1x1x17x1xf16>
// CHECK: %[[WHOLE:.*]] = zin.concat %[[ZEROS]], %[[X]] along 3
// CHECK: zin.conv %[[WHOLE]], {{.*}}padding = array<i64: 0, 0>
zin.procedure @padded(%x: tensor<1x1x1x2x1xf16> {zin.host_type = tensor<2x1xf16>, zin.name = "x"}) -> (tensor<1x1x1x19x1xf16> {zin.host_type = tensor<19x1xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x1x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 17, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x2x1xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x1x19x1xf16>
  zin.return %y : tensor<1x1x1x19x1xf16>
}

// -----

// An average that does not count the padding divides by 4 at the corner, by 6
// at the edge, by 9 inside: an average over 9, corrected.

// CHECK-LABEL: zin.procedure @divisor
// CHECK: %[[MAP:.*]] = zin.constant dense<{{\[\[\[\[\[}}2.250000e+00, 1.500000e+00, 2.250000e+00], [1.500000e+00, 1.000000e+00, 1.500000e+00], [2.250000e+00, 1.500000e+00, 2.250000e+00]]]]]>
// CHECK: %[[AVG:.*]] = zin.pool <Avg>
// CHECK-NOT: exclude_padding
// CHECK: zin.elementwise <Mult> %[[AVG]], %[[MAP]]
zin.procedure @divisor(%x: tensor<1x1x1x3x3xf16> {zin.host_type = tensor<3x3xf16>, zin.name = "x"}) -> (tensor<1x1x1x3x3xf16> {zin.host_type = tensor<3x3xf16>, zin.name = "y"}) {
  %y = zin.pool <Avg> %x {exclude_padding, padding = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>, window = array<i64: 3, 3>} : (tensor<1x1x1x3x3xf16>) -> tensor<1x1x1x3x3xf16>
  zin.return %y : tensor<1x1x1x3x3xf16>
}

// -----

// With the padding counted there is one divisor, and nothing to do.

// CHECK-LABEL: zin.procedure @uniform
// CHECK: zin.pool <Avg>
// CHECK-NEXT: zin.return
zin.procedure @uniform(%x: tensor<1x1x1x3x3xf16> {zin.host_type = tensor<3x3xf16>, zin.name = "x"}) -> (tensor<1x1x1x3x3xf16> {zin.host_type = tensor<3x3xf16>, zin.name = "y"}) {
  %y = zin.pool <Avg> %x {padding = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>, window = array<i64: 3, 3>} : (tensor<1x1x1x3x3xf16>) -> tensor<1x1x1x3x3xf16>
  zin.return %y : tensor<1x1x1x3x3xf16>
}

// -----

// 384 channels of 3000 columns take more than L2 has: half of them at a time,
// and the sum. What has a bias keeps it once.

// CHECK-LABEL: zin.procedure @channels
// CHECK-SAME: %[[X:.*]]: tensor<1x1x384x1x3000xf16>
// CHECK: %[[B:.*]] = zin.constant dense<1.000000e+00> : tensor<1x1x64x1x1xf16>
// CHECK: %[[LOW:.*]] = zin.input_view %[[X]] from [0, 0, 0, 0, 0] by [1, 1, 1, 1, 1] : {{.*}} -> tensor<1x1x192x1x3000xf16>
// CHECK: %[[FIRST:.*]] = zin.conv %[[LOW]], {{.*}} bias %[[B]] {{.*}}strides = array<i64: 1, 2>
// CHECK: %[[HIGH:.*]] = zin.input_view %[[X]] from [0, 0, 192, 0, 0] by [1, 1, 1, 1, 1] : {{.*}} -> tensor<1x1x192x1x3000xf16>
// CHECK: %[[SECOND:.*]] = zin.conv %[[HIGH]], %{{[0-9]+}} {dilations
// CHECK: zin.elementwise <Add> %[[FIRST]], %[[SECOND]]
zin.procedure @channels(%x: tensor<1x1x384x1x3000xf16> {zin.host_type = tensor<1x384x3000xf16>, zin.name = "x"}) -> (tensor<1x1x64x1x1500xf16> {zin.host_type = tensor<1x64x1500xf16>, zin.name = "y"}) {
  %w = zin.constant dense<0.5> : tensor<64x1x384x1x3xf16>
  %b = zin.constant dense<1.0> : tensor<1x1x64x1x1xf16>
  %y = zin.conv %x, %w bias %b {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 1>, strides = array<i64: 1, 2>} : (tensor<1x1x384x1x3000xf16>, tensor<64x1x384x1x3xf16>, tensor<1x1x64x1x1xf16>) -> tensor<1x1x64x1x1500xf16>
  zin.return %y : tensor<1x1x64x1x1500xf16>
}

// -----

// Channels by themselves stay apart.

// CHECK-LABEL: zin.procedure @channelwise
// CHECK: %[[FIRST:.*]] = zin.conv {{.*}}groups = 192 : i64
// CHECK: %[[SECOND:.*]] = zin.conv {{.*}}groups = 192 : i64
// CHECK: zin.concat %[[FIRST]], %[[SECOND]] along 2
zin.procedure @channelwise(%x: tensor<1x1x384x1x3000xf16> {zin.host_type = tensor<1x384x3000xf16>, zin.name = "x"}) -> (tensor<1x1x384x1x3000xf16> {zin.host_type = tensor<1x384x3000xf16>, zin.name = "y"}) {
  %w = zin.constant dense<0.5> : tensor<384x1x1x1x3xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 384 : i64, padding = array<i64: 0, 1>, strides = array<i64: 1, 1>} : (tensor<1x1x384x1x3000xf16>, tensor<384x1x1x1x3xf16>) -> tensor<1x1x384x1x3000xf16>
  zin.return %y : tensor<1x1x384x1x3000xf16>
}

// -----

// A group that does not fit is split alone.

// CHECK-LABEL: zin.procedure @grouped
// CHECK-COUNT-4: zin.conv {{.*}}groups = 1 : i64{{.*}}(tensor<1x1x192x1x3000xf16>, tensor<8x1x192x1x3xf16>)
// CHECK-NOT: zin.conv
// CHECK: zin.concat
zin.procedure @grouped(%x: tensor<1x1x768x1x3000xf16> {zin.host_type = tensor<1x768x3000xf16>, zin.name = "x"}) -> (tensor<1x1x16x1x3000xf16> {zin.host_type = tensor<1x16x3000xf16>, zin.name = "y"}) {
  %w = zin.constant dense<0.5> : tensor<16x1x384x1x3xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 2 : i64, padding = array<i64: 0, 1>, strides = array<i64: 1, 1>} : (tensor<1x1x768x1x3000xf16>, tensor<16x1x384x1x3xf16>) -> tensor<1x1x16x1x3000xf16>
  zin.return %y : tensor<1x1x16x1x3000xf16>
}

// -----

// Where an element has no neighbours, tasks take some of the columns.

// CHECK-LABEL: zin.procedure @pointwise
// CHECK-COUNT-1: zin.conv
// CHECK-NEXT: zin.return
zin.procedure @pointwise(%x: tensor<1x1x384x1x3000xf16> {zin.host_type = tensor<1x384x3000xf16>, zin.name = "x"}) -> (tensor<1x1x16x1x3000xf16> {zin.host_type = tensor<1x16x3000xf16>, zin.name = "y"}) {
  %w = zin.constant dense<0.5> : tensor<16x1x384x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x384x1x3000xf16>, tensor<16x1x384x1x1xf16>) -> tensor<1x1x16x1x3000xf16>
  zin.return %y : tensor<1x1x16x1x3000xf16>
}
