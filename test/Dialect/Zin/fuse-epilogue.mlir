// RUN: ane-opt %s --zin-fuse-epilogue --split-input-file | FileCheck %s

// A constant addend becomes the bias, the activation behind it the activation.

// CHECK-LABEL: zin.procedure @conv
// CHECK: %[[BIAS:.*]] = zin.constant dense<{{\[\[\[\[\[}}1.000000e+00]], {{\[\[}}2.000000e+00]]]]]> : tensor<1x1x2x1x1xf16>
// CHECK: %[[CONV:.*]] = zin.conv %{{.*}}, %{{.*}} bias %[[BIAS]] {activation = #zin.neuron<relu>,
// CHECK-NOT: zin.elementwise
// CHECK-NOT: zin.neuron %
// CHECK: zin.return %[[CONV]]
zin.procedure @conv(%x: tensor<1x1x4x8x8xf16> {zin.host_type = tensor<1x4x8x8xf16>, zin.name = "x"}) -> (tensor<1x1x2x6x6xf16> {zin.host_type = tensor<1x2x6x6xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<2x1x4x3x3xf16>
  %b = zin.constant dense<[[[[[1.0]], [[2.0]]]]]> : tensor<1x1x2x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x4x8x8xf16>, tensor<2x1x4x3x3xf16>) -> tensor<1x1x2x6x6xf16>
  %z = zin.elementwise <Add> %b, %y : (tensor<1x1x2x1x1xf16>, tensor<1x1x2x6x6xf16>) -> tensor<1x1x2x6x6xf16>
  %r = zin.neuron <relu> %z : tensor<1x1x2x6x6xf16>
  zin.return %r : tensor<1x1x2x6x6xf16>
}

// -----

// A second addend joins the bias. One number stands for all outputs.

// CHECK-LABEL: zin.procedure @matmul
// CHECK: %[[BIAS:.*]] = zin.constant dense<{{\[\[\[\[\[}}1.500000e+00, 2.500000e+00]]]]]> : tensor<1x1x1x1x2xf16>
// CHECK: zin.matmul %{{.*}}, %{{.*}} bias %[[BIAS]] {activation = #zin.neuron<sigmoid>}
zin.procedure @matmul(%x: tensor<1x1x1x3x4xf16> {zin.host_type = tensor<3x4xf16>, zin.name = "x"}) -> (tensor<1x1x1x3x2xf16> {zin.host_type = tensor<3x2xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x1x2x4xf16>
  %b = zin.constant dense<[[[[[1.0, 2.0]]]]]> : tensor<1x1x1x1x2xf16>
  %half = zin.constant dense<0.5> : tensor<1x1x1x1x1xf16>
  %y = zin.matmul %x, %w bias %b : (tensor<1x1x1x3x4xf16>, tensor<1x1x1x2x4xf16>, tensor<1x1x1x1x2xf16>) -> tensor<1x1x1x3x2xf16>
  %z = zin.elementwise <Add> %y, %half : (tensor<1x1x1x3x2xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x1x3x2xf16>
  %r = zin.neuron <sigmoid> %z : tensor<1x1x1x3x2xf16>
  zin.return %r : tensor<1x1x1x3x2xf16>
}

// -----

// What somebody else reads, what differs within an output, and what is no sum
// stays as it is.

// CHECK-LABEL: zin.procedure @stays
// CHECK: zin.conv %{{[^ ]*}}, %{{[^ ]*}} {dilations
// CHECK: zin.elementwise <Add>
// CHECK: zin.elementwise <Add>
// CHECK: zin.elementwise <Mult>
// CHECK: zin.neuron <relu>
zin.procedure @stays(%x: tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "x"}) -> (tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "y"}, tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "z"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x1x1x1xf16>
  %map = zin.constant dense<[[[[[1.0, 2.0], [3.0, 4.0]]]]]> : tensor<1x1x1x2x2xf16>
  %one = zin.constant dense<1.0> : tensor<1x1x1x1x1xf16>
  %c = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x2x2xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x1x2x2xf16>
  %a = zin.elementwise <Add> %c, %map : (tensor<1x1x1x2x2xf16>, tensor<1x1x1x2x2xf16>) -> tensor<1x1x1x2x2xf16>
  %d = zin.conv %a, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x2x2xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x1x2x2xf16>
  %b = zin.elementwise <Add> %d, %one : (tensor<1x1x1x2x2xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x1x2x2xf16>
  %m = zin.elementwise <Mult> %d, %one : (tensor<1x1x1x2x2xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x1x2x2xf16>
  %r = zin.neuron <relu> %b : tensor<1x1x1x2x2xf16>
  zin.return %r, %m : tensor<1x1x1x2x2xf16>, tensor<1x1x1x2x2xf16>
}

// -----

// An activation moves in front of a reshape to reach its layer.

// CHECK-LABEL: zin.procedure @hoist
// CHECK: zin.conv {{.*}} {activation = #zin.neuron<relu>
// CHECK-NEXT: %[[R:.*]] = zin.reshape
// CHECK-NEXT: zin.return %[[R]]
zin.procedure @hoist(%x: tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x4xf16> {zin.host_type = tensor<4xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x1x1x1xf16>
  %c = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x2x2xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x1x2x2xf16>
  %f = zin.reshape %c : (tensor<1x1x1x2x2xf16>) -> tensor<1x1x1x1x4xf16>
  %r = zin.neuron <relu> %f : tensor<1x1x1x1x4xf16>
  zin.return %r : tensor<1x1x1x1x4xf16>
}

// -----

// min(max(x, 0), 6), then max with 1: clamp from 1 to 6. Without an upper bound
// it is a relu.

// CHECK-LABEL: zin.procedure @clamps
// CHECK: zin.neuron <clamped_relu, 1.000000e+00 : f16, 6.000000e+00 : f16>
// CHECK: zin.neuron <relu>
// CHECK-NOT: zin.neuron
zin.procedure @clamps(%x: tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "x"}) -> (tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "y"}, tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "z"}) {
  %a = zin.neuron <clamped_relu, 0.0 : f16, 6.0 : f16> %x : tensor<1x1x1x2x2xf16>
  %b = zin.neuron <clamped_relu, 1.0 : f16, 0x7C00 : f16> %a : tensor<1x1x1x2x2xf16>
  %c = zin.neuron <clamped_relu, -1.0 : f16, 0x7C00 : f16> %x : tensor<1x1x1x2x2xf16>
  %d = zin.neuron <relu> %c : tensor<1x1x1x2x2xf16>
  zin.return %b, %d : tensor<1x1x1x2x2xf16>, tensor<1x1x1x2x2xf16>
}

// -----

// A factor joins the activation that follows, if nobody else reads the product;
// an addend does not, and an activation that has a factor takes no other.

// CHECK-LABEL: zin.procedure @scale
// CHECK: %[[A:.*]] = zin.neuron <tanh> %{{.*}} {scale = 5.000000e-01 : f16} :
// CHECK: %[[SUM:.*]] = zin.goc
// CHECK: zin.neuron <tanh> %[[SUM]] :
// CHECK: %[[PRODUCT:.*]] = zin.goc
// CHECK: zin.neuron <exp2> %[[PRODUCT]] {scale = 2.000000e+00 : f16} :
zin.procedure @scale(%x: tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "x"}) -> (tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "a"}, tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "b"}, tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "c"}) {
  %half = zin.goc %x scale 0.5 bias 0.0 : tensor<1x1x1x2x2xf16>
  %a = zin.neuron <tanh> %half : tensor<1x1x1x2x2xf16>
  %sum = zin.goc %x scale 1.0 bias 2.0 : tensor<1x1x1x2x2xf16>
  %b = zin.neuron <tanh> %sum : tensor<1x1x1x2x2xf16>
  %third = zin.goc %x scale 3.0 bias 0.0 : tensor<1x1x1x2x2xf16>
  %c = zin.neuron <exp2> %third {scale = 2.0 : f16} : tensor<1x1x1x2x2xf16>
  zin.return %a, %b, %c : tensor<1x1x1x2x2xf16>, tensor<1x1x1x2x2xf16>, tensor<1x1x1x2x2xf16>
}

// -----

// A layer scales its sums before the activation, here by 0.5 * 0.75. Clamps that
// have a scale are not merged, and an exponential that has one stays a layer.

// CHECK-LABEL: zin.procedure @scaled
// CHECK: %[[R:.*]] = zin.conv %{{.*}}, %{{.*}} {activation = #zin.neuron<relu>, {{.*}}scale = -1.000000e+00 : f16
// CHECK: %[[Y:.*]] = zin.neuron <relu> %[[R]] :
// CHECK: %[[C:.*]] = zin.conv %{{.*}}, %{{.*}} {dilations
// CHECK: %[[Z:.*]] = zin.neuron <exp2> %[[C]] {scale = 5.000000e-01 : f16}
// CHECK: %[[S:.*]] = zin.conv %{{.*}}, %{{.*}} {activation = #zin.neuron<tanh>, {{.*}}scale = 3.750000e-01 : f16
// CHECK-NEXT: zin.return %[[Y]], %[[Z]], %[[S]]
zin.procedure @scaled(%x: tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "x"}) -> (tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "y"}, tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "z"}, tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "s"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x1x1x1xf16>
  %c = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x2x2xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x1x2x2xf16>
  %r = zin.neuron <relu> %c {scale = -1.0 : f16} : tensor<1x1x1x2x2xf16>
  %y = zin.neuron <relu> %r : tensor<1x1x1x2x2xf16>
  %d = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x2x2xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x1x2x2xf16>
  %z = zin.neuron <exp2> %d {scale = 0.5 : f16} : tensor<1x1x1x2x2xf16>
  %e = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, scale = 0.5 : f16, strides = array<i64: 1, 1>} : (tensor<1x1x1x2x2xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x1x2x2xf16>
  %s = zin.neuron <tanh> %e {scale = 0.75 : f16} : tensor<1x1x1x2x2xf16>
  zin.return %y, %z, %s : tensor<1x1x1x2x2xf16>, tensor<1x1x1x2x2xf16>, tensor<1x1x1x2x2xf16>
}

// -----

// A scale comes before relu as well as behind it, if it is positive. Behind another
// activation it stays.

// CHECK-LABEL: zin.procedure @behind_activation
// CHECK: %[[A:.*]] = zin.conv %{{.*}}, %{{.*}} {activation = #zin.neuron<relu>, {{.*}}scale = 5.000000e-01 : f16
// CHECK: %[[B:.*]] = zin.conv %{{.*}}, %{{.*}} {activation = #zin.neuron<relu>, dilations
// CHECK-NEXT: %[[C:.*]] = zin.goc %[[B]] scale -5.000000e-01
// CHECK: %[[D:.*]] = zin.conv %{{.*}}, %{{.*}} {activation = #zin.neuron<tanh>, dilations
// CHECK-NEXT: %[[E:.*]] = zin.goc %[[D]] scale 5.000000e-01
// CHECK-NEXT: zin.return %[[A]], %[[C]], %[[E]]
zin.procedure @behind_activation(%x: tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "x"}) -> (tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "a"}, tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "b"}, tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "c"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x1x1x1xf16>
  %0 = zin.conv %x, %w {activation = #zin.neuron<relu>, dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x2x2xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x1x2x2xf16>
  %a = zin.goc %0 scale 0.5 bias 0.0 : tensor<1x1x1x2x2xf16>
  %1 = zin.conv %x, %w {activation = #zin.neuron<relu>, dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x2x2xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x1x2x2xf16>
  %b = zin.goc %1 scale -0.5 bias 0.0 : tensor<1x1x1x2x2xf16>
  %2 = zin.conv %x, %w {activation = #zin.neuron<tanh>, dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x2x2xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x1x2x2xf16>
  %c = zin.goc %2 scale 0.5 bias 0.0 : tensor<1x1x1x2x2xf16>
  zin.return %a, %b, %c : tensor<1x1x1x2x2xf16>, tensor<1x1x1x2x2xf16>, tensor<1x1x1x2x2xf16>
}

// -----

// A product with one number becomes the scale of the sums, of a computed kernel
// too, and also behind a reshape.

// CHECK-LABEL: zin.procedure @scale
// CHECK: %[[A:.*]] = zin.matmul %{{.*}}, %{{.*}} {outputs_on_rows, scale = 1.250000e-01 : f16}
// CHECK-NEXT: %[[R:.*]] = zin.reshape %[[A]]
// CHECK-NEXT: zin.return %[[R]]
zin.procedure @scale(%x: tensor<1x1x1x4x2xf16> {zin.host_type = tensor<4x2xf16>, zin.name = "x"}, %k: tensor<1x1x1x3x2xf16> {zin.host_type = tensor<3x2xf16>, zin.name = "k"}) -> (tensor<1x1x3x1x4xf16> {zin.host_type = tensor<3x1x4xf16>, zin.name = "y"}) {
  %0 = zin.matmul %x, %k {outputs_on_rows} : (tensor<1x1x1x4x2xf16>, tensor<1x1x1x3x2xf16>) -> tensor<1x1x1x3x4xf16>
  %1 = zin.reshape %0 : (tensor<1x1x1x3x4xf16>) -> tensor<1x1x3x1x4xf16>
  %2 = zin.goc %1 scale 0.125 bias 0.0 : tensor<1x1x3x1x4xf16>
  zin.return %2 : tensor<1x1x3x1x4xf16>
}

// -----

// A product with one number moves in front of what only moves elements, as the
// heads of an attention are parted, and becomes the scale of the sums.

// CHECK-LABEL: zin.procedure @behind_moves
// CHECK: %[[Y:.*]] = zin.matmul {{.*}} {scale = 1.250000e-01 : f16}
// CHECK-NEXT: %[[R:.*]] = zin.reshape %[[Y]]
// CHECK-NEXT: %[[T:.*]] = zin.transpose %[[R]] to [0, 1, 3, 2, 4]
// CHECK-NEXT: zin.return %[[T]]
zin.procedure @behind_moves(%x: tensor<1x1x1x8x64xf16> {zin.host_type = tensor<8x64xf16>, zin.name = "x"}) -> (tensor<1x1x2x8x32xf16> {zin.host_type = tensor<2x8x32xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x1x64x64xf16>
  %y = zin.matmul %x, %w : (tensor<1x1x1x8x64xf16>, tensor<1x1x1x64x64xf16>) -> tensor<1x1x1x8x64xf16>
  %r = zin.reshape %y : (tensor<1x1x1x8x64xf16>) -> tensor<1x1x8x2x32xf16>
  %t = zin.transpose %r to [0, 1, 3, 2, 4] : (tensor<1x1x8x2x32xf16>) -> tensor<1x1x2x8x32xf16>
  %s = zin.goc %t scale 0.125 bias 0.0 : tensor<1x1x2x8x32xf16>
  zin.return %s : tensor<1x1x2x8x32xf16>
}

// -----

// It stays where others read what was moved.

// CHECK-LABEL: zin.procedure @behind_shared_moves
// CHECK: %[[T:.*]] = zin.transpose
// CHECK-NEXT: %[[S:.*]] = zin.goc %[[T]] scale 1.250000e-01
// CHECK-NEXT: zin.return %[[S]], %[[T]]
zin.procedure @behind_shared_moves(%x: tensor<1x1x1x8x64xf16> {zin.host_type = tensor<8x64xf16>, zin.name = "x"}) -> (tensor<1x1x8x1x64xf16> {zin.host_type = tensor<8x1x64xf16>, zin.name = "y"}, tensor<1x1x8x1x64xf16> {zin.host_type = tensor<8x1x64xf16>, zin.name = "z"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x1x64x64xf16>
  %y = zin.matmul %x, %w : (tensor<1x1x1x8x64xf16>, tensor<1x1x1x64x64xf16>) -> tensor<1x1x1x8x64xf16>
  %t = zin.transpose %y to [0, 1, 3, 2, 4] : (tensor<1x1x1x8x64xf16>) -> tensor<1x1x8x1x64xf16>
  %s = zin.goc %t scale 0.125 bias 0.0 : tensor<1x1x8x1x64xf16>
  zin.return %s, %t : tensor<1x1x8x1x64xf16>, tensor<1x1x8x1x64xf16>
}

// -----

// However many moves are between, an activation goes in front of all of them.

// CHECK-LABEL: zin.procedure @behind_many_moves
// CHECK: zin.conv {{.*}} {activation = #zin.neuron<relu>,
// CHECK-NOT: zin.neuron %
// CHECK-NOT: zin.goc
zin.procedure @behind_many_moves(%x: tensor<1x1x4x8x32xf16> {zin.host_type = tensor<4x8x32xf16>, zin.name = "x"}) -> (tensor<1x1x4x8x32xf16> {zin.host_type = tensor<4x8x32xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<4x1x4x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x4x8x32xf16>, tensor<4x1x4x1x1xf16>) -> tensor<1x1x4x8x32xf16>
  %m0 = zin.transpose %y to [0, 1, 3, 2, 4] : (tensor<1x1x4x8x32xf16>) -> tensor<1x1x8x4x32xf16>
  %m1 = zin.reshape %m0 : (tensor<1x1x8x4x32xf16>) -> tensor<1x1x4x8x32xf16>
  %m2 = zin.transpose %m1 to [0, 1, 3, 2, 4] : (tensor<1x1x4x8x32xf16>) -> tensor<1x1x8x4x32xf16>
  %m3 = zin.reshape %m2 : (tensor<1x1x8x4x32xf16>) -> tensor<1x1x4x8x32xf16>
  %m4 = zin.transpose %m3 to [0, 1, 3, 2, 4] : (tensor<1x1x4x8x32xf16>) -> tensor<1x1x8x4x32xf16>
  %m5 = zin.reshape %m4 : (tensor<1x1x8x4x32xf16>) -> tensor<1x1x4x8x32xf16>
  %m6 = zin.transpose %m5 to [0, 1, 3, 2, 4] : (tensor<1x1x4x8x32xf16>) -> tensor<1x1x8x4x32xf16>
  %m7 = zin.reshape %m6 : (tensor<1x1x8x4x32xf16>) -> tensor<1x1x4x8x32xf16>
  %m8 = zin.transpose %m7 to [0, 1, 3, 2, 4] : (tensor<1x1x4x8x32xf16>) -> tensor<1x1x8x4x32xf16>
  %m9 = zin.reshape %m8 : (tensor<1x1x8x4x32xf16>) -> tensor<1x1x4x8x32xf16>
  %m10 = zin.transpose %m9 to [0, 1, 3, 2, 4] : (tensor<1x1x4x8x32xf16>) -> tensor<1x1x8x4x32xf16>
  %m11 = zin.reshape %m10 : (tensor<1x1x8x4x32xf16>) -> tensor<1x1x4x8x32xf16>
  %m12 = zin.transpose %m11 to [0, 1, 3, 2, 4] : (tensor<1x1x4x8x32xf16>) -> tensor<1x1x8x4x32xf16>
  %m13 = zin.reshape %m12 : (tensor<1x1x8x4x32xf16>) -> tensor<1x1x4x8x32xf16>
  %m14 = zin.transpose %m13 to [0, 1, 3, 2, 4] : (tensor<1x1x4x8x32xf16>) -> tensor<1x1x8x4x32xf16>
  %m15 = zin.reshape %m14 : (tensor<1x1x8x4x32xf16>) -> tensor<1x1x4x8x32xf16>
  %r = zin.neuron <relu> %m15 : tensor<1x1x4x8x32xf16>
  zin.return %r : tensor<1x1x4x8x32xf16>
}

// -----

// The scale of what was quantized goes behind the sums, which are small enough,
// and the activation stays behind it. The bias is divided by it.

// CHECK-LABEL: zin.procedure @quantized
// CHECK: %[[W:.*]] = zin.constant dense<5.000000e-01> : tensor<4x1x4x1x1xf16>
// CHECK: %[[Q:.*]] = zin.neuron <clamped_relu
// CHECK: %[[B:.*]] = zin.constant dense<4.800000e+01> : tensor<1x1x4x1x1xf16>
// CHECK-NOT: zin.goc
// CHECK: zin.conv %[[Q]], %[[W]] bias %[[B]] {activation = #zin.neuron<relu>, {{.*}}scale = 3.125000e-02 : f16
zin.procedure @quantized(%x: tensor<1x1x4x2x2xf16> {zin.host_type = tensor<1x1x4x2x2xf16>, zin.name = "x"}) -> (tensor<1x1x4x2x2xf16> {zin.host_type = tensor<1x1x4x2x2xf16>, zin.name = "y"}) {
  %w = zin.constant dense<0.5> : tensor<4x1x4x1x1xf16>
  %b = zin.constant dense<1.5> : tensor<1x1x4x1x1xf16>
  %q = zin.neuron <clamped_relu, -128.0 : f16, 127.0 : f16> %x : tensor<1x1x4x2x2xf16>
  %s = zin.goc %q scale 0.03125 bias 0.0 : tensor<1x1x4x2x2xf16>
  %c = zin.conv %s, %w bias %b {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x4x2x2xf16>, tensor<4x1x4x1x1xf16>, tensor<1x1x4x1x1xf16>) -> tensor<1x1x4x2x2xf16>
  %y = zin.neuron <relu> %c : tensor<1x1x4x2x2xf16>
  zin.return %y : tensor<1x1x4x2x2xf16>
}

// -----

// Of other numbers the sums could be infinite: the kernel is multiplied by a
// power of 2.

// CHECK-LABEL: zin.procedure @unknown
// CHECK: %[[W:.*]] = zin.constant dense<1.562500e-02> : tensor<4x1x4x1x1xf16>
// CHECK-NOT: zin.goc
// CHECK: zin.conv %{{.*}}, %[[W]] {{.*}}scale = 1.500000e+00 : f16
zin.procedure @unknown(%x: tensor<1x1x4x2x2xf16> {zin.host_type = tensor<1x1x4x2x2xf16>, zin.name = "x"}) -> (tensor<1x1x4x2x2xf16> {zin.host_type = tensor<1x1x4x2x2xf16>, zin.name = "y"}) {
  %w = zin.constant dense<0.5> : tensor<4x1x4x1x1xf16>
  %s = zin.goc %x scale 0.046875 bias 0.0 : tensor<1x1x4x2x2xf16>
  %y = zin.conv %s, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x4x2x2xf16>, tensor<4x1x4x1x1xf16>) -> tensor<1x1x4x2x2xf16>
  zin.return %y : tensor<1x1x4x2x2xf16>
}

// -----

// A third of 5 would be rounded, and 3 times 2 less 5 be no integer: the
// coefficients, which are not, take the scale. Those of the second would be, too,
// so that the bias is.

// CHECK-LABEL: zin.procedure @counts
// CHECK-DAG: %[[B:.*]] = zin.constant dense<-5.000000e+00> : tensor<1x1x1x1x2xf16>
// CHECK-DAG: %[[W:.*]] = zin.constant dense<6.000000e+00> : tensor<1x1x1x2x2xf16>
// CHECK: zin.matmul %arg0, %[[W]] bias %[[B]] : (
// CHECK: zin.matmul %arg0, %{{.*}} bias %{{.*}} {scale = 3.000000e+00 : f16} : (
zin.procedure @counts(%x: tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "x"}) -> (tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "y"}, tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "z"}) {
  %w = zin.constant dense<2.0> : tensor<1x1x1x2x2xf16>
  %v = zin.constant dense<0.33325> : tensor<1x1x1x2x2xf16>
  %b = zin.constant dense<-5.0> : tensor<1x1x1x1x2xf16>
  %s = zin.goc %x scale 3.0 bias 0.0 : tensor<1x1x1x2x2xf16>
  %t = zin.goc %x scale 3.0 bias 0.0 : tensor<1x1x1x2x2xf16>
  %y = zin.matmul %s, %w bias %b : (tensor<1x1x1x2x2xf16>, tensor<1x1x1x2x2xf16>, tensor<1x1x1x1x2xf16>) -> tensor<1x1x1x2x2xf16>
  %z = zin.matmul %t, %v bias %b : (tensor<1x1x1x2x2xf16>, tensor<1x1x1x2x2xf16>, tensor<1x1x1x1x2xf16>) -> tensor<1x1x1x2x2xf16>
  zin.return %y, %z : tensor<1x1x1x2x2xf16>, tensor<1x1x1x2x2xf16>
}

// -----

// Moves in between do not matter, nor that a product has a scale.

// CHECK-LABEL: zin.procedure @moved
// CHECK-NOT: zin.goc
// CHECK: zin.transpose %arg0
// CHECK: zin.matmul {{.*}}scale = 6.000000e+00 : f16
zin.procedure @moved(%x: tensor<1x1x4x2x2xf16> {zin.host_type = tensor<1x1x4x2x2xf16>, zin.name = "x"}) -> (tensor<1x1x4x2x2xf16> {zin.host_type = tensor<1x1x4x2x2xf16>, zin.name = "y"}) {
  %w = zin.constant dense<0.5> : tensor<1x1x1x2x2xf16>
  %s = zin.goc %x scale 2.0 bias 0.0 : tensor<1x1x4x2x2xf16>
  %t = zin.transpose %s to [0, 1, 2, 4, 3] : (tensor<1x1x4x2x2xf16>) -> tensor<1x1x4x2x2xf16>
  %p = zin.matmul %t, %w : (tensor<1x1x4x2x2xf16>, tensor<1x1x1x2x2xf16>) -> tensor<1x1x4x2x2xf16>
  %y = zin.goc %p scale 3.0 bias 0.0 : tensor<1x1x4x2x2xf16>
  zin.return %y : tensor<1x1x4x2x2xf16>
}

// -----

// A scale stays that somebody else reads, in front of a kernel of which
// coefficients would be denormal, and one by which small numbers become large.

// CHECK-LABEL: zin.procedure @kept
// CHECK-COUNT-3: zin.goc
zin.procedure @kept(%x: tensor<1x1x4x2x2xf16> {zin.host_type = tensor<1x1x4x2x2xf16>, zin.name = "x"}) -> (tensor<1x1x4x2x2xf16> {zin.host_type = tensor<1x1x4x2x2xf16>, zin.name = "y"}) {
  %w = zin.constant dense<0.5> : tensor<4x1x4x1x1xf16>
  %little = zin.constant dense<0.001> : tensor<4x1x4x1x1xf16>
  %a = zin.goc %x scale 0.03125 bias 0.0 : tensor<1x1x4x2x2xf16>
  %b = zin.conv %a, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x4x2x2xf16>, tensor<4x1x4x1x1xf16>) -> tensor<1x1x4x2x2xf16>
  %c = zin.elementwise <Add> %a, %b : (tensor<1x1x4x2x2xf16>, tensor<1x1x4x2x2xf16>) -> tensor<1x1x4x2x2xf16>
  %d = zin.goc %c scale 0.03125 bias 0.0 : tensor<1x1x4x2x2xf16>
  %e = zin.conv %d, %little {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x4x2x2xf16>, tensor<4x1x4x1x1xf16>) -> tensor<1x1x4x2x2xf16>
  %f = zin.elementwise <Max> %e, %x : (tensor<1x1x4x2x2xf16>, tensor<1x1x4x2x2xf16>) -> tensor<1x1x4x2x2xf16>
  %g = zin.goc %f scale 16.0 bias 0.0 : tensor<1x1x4x2x2xf16>
  %y = zin.conv %g, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x4x2x2xf16>, tensor<4x1x4x1x1xf16>) -> tensor<1x1x4x2x2xf16>
  zin.return %y : tensor<1x1x4x2x2xf16>
}

// -----

// An offset behind a clamp of a sum moves into it, but one that rounds, and one
// that fp16 does not hold there.

// CHECK-LABEL: zin.procedure @offset
// CHECK: %[[A:.*]] = zin.neuron <clamped_relu, -1.210000e+02 : f16, 1.340000e+02 : f16> %{{.*}} {bias = -1.529000e+03 : f16}
// CHECK: %[[B:.*]] = zin.neuron <clamped_relu{{.*}} %[[A]]
// CHECK: zin.goc %[[B]] scale 1.000000e+00 bias 1.536000e+03
// CHECK: zin.goc %{{.*}} scale 1.000000e+00 bias 9.997550e-02
zin.procedure @offset(%x: tensor<1x1x4x2x2xf16> {zin.host_type = tensor<1x1x4x2x2xf16>, zin.name = "x"}) -> (tensor<1x1x4x2x2xf16> {zin.host_type = tensor<1x1x4x2x2xf16>, zin.name = "y"}) {
  %a = zin.neuron <clamped_relu, -128.0 : f16, 127.0 : f16> %x {bias = -1536.0 : f16} : tensor<1x1x4x2x2xf16>
  %b = zin.goc %a scale 1.0 bias 7.0 : tensor<1x1x4x2x2xf16>
  %c = zin.neuron <clamped_relu, -6.0 : f16, 6.0 : f16> %b {bias = 1.0 : f16} : tensor<1x1x4x2x2xf16>
  %d = zin.goc %c scale 1.0 bias 1536.0 : tensor<1x1x4x2x2xf16>
  %e = zin.neuron <clamped_relu, -6.0 : f16, 6.0 : f16> %d {bias = 1.0 : f16} : tensor<1x1x4x2x2xf16>
  %y = zin.goc %e scale 1.0 bias 0.1 : tensor<1x1x4x2x2xf16>
  zin.return %y : tensor<1x1x4x2x2xf16>
}

// -----

// A line between 0 and 1 is a hard sigmoid.

// CHECK-LABEL: zin.procedure @line
// CHECK-NEXT: zin.neuron <sigmoid_hard, 1.999510e-01 : f16, 5.000000e-01 : f16> %arg0
// CHECK-NEXT: zin.return
zin.procedure @line(%x: tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "y"}) {
  %l = zin.goc %x scale 0.2 bias 0.5 : tensor<1x1x2x4x4xf16>
  %y = zin.neuron <clamped_relu, 0.0 : f16, 1.0 : f16> %l : tensor<1x1x2x4x4xf16>
  zin.return %y : tensor<1x1x2x4x4xf16>
}

// -----

// An offset in front of a hard sigmoid is added where it is computed; a small one
// is not, nor is one that others read.

// CHECK-LABEL: zin.procedure @offset
// CHECK-NEXT: zin.neuron <sigmoid_hard, 1.666260e-01 : f16, 0.000000e+00 : f16> %arg0 {bias = 3.000000e+00 : f16}
// CHECK-NEXT: %[[S:.*]] = zin.goc %arg0
// CHECK-NEXT: zin.neuron <sigmoid_hard, 5.000000e-01 : f16, 0.000000e+00 : f16> %[[S]] :
// CHECK-NEXT: %[[R:.*]] = zin.goc %arg0
// CHECK-NEXT: zin.neuron <sigmoid_hard, 5.000000e-01 : f16, 0.000000e+00 : f16> %[[R]] :
zin.procedure @offset(%x: tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "a"}, tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "b"}, tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "c"}, tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "d"}) {
  %0 = zin.goc %x scale 1.0 bias 3.0 : tensor<1x1x2x4x4xf16>
  %a = zin.neuron <sigmoid_hard, 1.666260e-01 : f16, 0.0 : f16> %0 : tensor<1x1x2x4x4xf16>
  %1 = zin.goc %x scale 1.0 bias 0.0625 : tensor<1x1x2x4x4xf16>
  %b = zin.neuron <sigmoid_hard, 0.5 : f16, 0.0 : f16> %1 : tensor<1x1x2x4x4xf16>
  %c = zin.goc %x scale 1.0 bias 2.0 : tensor<1x1x2x4x4xf16>
  %d = zin.neuron <sigmoid_hard, 0.5 : f16, 0.0 : f16> %c : tensor<1x1x2x4x4xf16>
  zin.return %a, %b, %c, %d : tensor<1x1x2x4x4xf16>, tensor<1x1x2x4x4xf16>, tensor<1x1x2x4x4xf16>, tensor<1x1x2x4x4xf16>
}

// -----

// A clamp of maxima is one of the layer in front of them, where that takes it:
// a convolution any, a sum a relu.

// CHECK-LABEL: zin.procedure @maxima
// CHECK: %[[C:.*]] = zin.conv %arg0, %{{.*}} {activation = #zin.neuron<clamped_relu, 0.000000e+00 : f16, 6.000000e+00 : f16>,
// CHECK: %[[A:.*]] = zin.pool <Max> %[[C]]
// CHECK: %[[S:.*]] = zin.elementwise <Add>
// CHECK: %[[R:.*]] = zin.neuron <relu> %[[S]]
// CHECK: %[[B:.*]] = zin.pool <Max> %[[R]]
// CHECK: zin.return %[[A]], %[[B]]
zin.procedure @maxima(%x: tensor<1x1x2x4x4xf16> {zin.host_type = tensor<1x2x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x2x2xf16> {zin.host_type = tensor<1x2x2x2xf16>, zin.name = "a"}, tensor<1x1x2x2x2xf16> {zin.host_type = tensor<1x2x2x2xf16>, zin.name = "b"}) {
  %w = zin.constant dense<1.0> : tensor<2x1x2x1x1xf16>
  %c = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2x4x4xf16>, tensor<2x1x2x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %p = zin.pool <Max> %c {padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>, window = array<i64: 2, 2>} : (tensor<1x1x2x4x4xf16>) -> tensor<1x1x2x2x2xf16>
  %a = zin.neuron <clamped_relu, 0.0 : f16, 6.0 : f16> %p : tensor<1x1x2x2x2xf16>
  %s = zin.elementwise <Add> %x, %x : (tensor<1x1x2x4x4xf16>, tensor<1x1x2x4x4xf16>) -> tensor<1x1x2x4x4xf16>
  %q = zin.pool <Max> %s {padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>, window = array<i64: 2, 2>} : (tensor<1x1x2x4x4xf16>) -> tensor<1x1x2x2x2xf16>
  %b = zin.neuron <relu> %q : tensor<1x1x2x2x2xf16>
  zin.return %a, %b : tensor<1x1x2x2x2xf16>, tensor<1x1x2x2x2xf16>
}

// -----

// It stays behind maxima of an input, of what others read, and behind means.

// CHECK-LABEL: zin.procedure @maxima_first
// CHECK: %[[A:.*]] = zin.pool <Max>
// CHECK-NEXT: zin.neuron <relu> %[[A]]
// CHECK: %[[B:.*]] = zin.pool <Max>
// CHECK-NEXT: zin.neuron <relu> %[[B]]
// CHECK: %[[C:.*]] = zin.pool <Avg>
// CHECK-NEXT: zin.neuron <relu> %[[C]]
zin.procedure @maxima_first(%x: tensor<1x1x2x4x4xf16> {zin.host_type = tensor<1x2x4x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x2x2xf16> {zin.host_type = tensor<1x2x2x2xf16>, zin.name = "a"}, tensor<1x1x2x2x2xf16> {zin.host_type = tensor<1x2x2x2xf16>, zin.name = "b"}, tensor<1x1x2x2x2xf16> {zin.host_type = tensor<1x2x2x2xf16>, zin.name = "c"}) {
  %w = zin.constant dense<1.0> : tensor<2x1x2x1x1xf16>
  %p = zin.pool <Max> %x {padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>, window = array<i64: 2, 2>} : (tensor<1x1x2x4x4xf16>) -> tensor<1x1x2x2x2xf16>
  %a = zin.neuron <relu> %p : tensor<1x1x2x2x2xf16>
  %s = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2x4x4xf16>, tensor<2x1x2x1x1xf16>) -> tensor<1x1x2x4x4xf16>
  %q = zin.pool <Max> %s {padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>, window = array<i64: 2, 2>} : (tensor<1x1x2x4x4xf16>) -> tensor<1x1x2x2x2xf16>
  %b = zin.neuron <relu> %q : tensor<1x1x2x2x2xf16>
  %m = zin.pool <Avg> %s {padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>, window = array<i64: 2, 2>} : (tensor<1x1x2x4x4xf16>) -> tensor<1x1x2x2x2xf16>
  %c = zin.neuron <relu> %m : tensor<1x1x2x2x2xf16>
  zin.return %a, %b, %c : tensor<1x1x2x2x2xf16>, tensor<1x1x2x2x2xf16>, tensor<1x1x2x2x2xf16>
}

// -----

// A relu of what is never negative changes nothing.

// CHECK-LABEL: zin.procedure @never_negative
// CHECK: %[[A:.*]] = zin.neuron <abs>
// CHECK-NEXT: %[[B:.*]] = zin.elementwise <Mult>
// CHECK-NEXT: %[[C:.*]] = zin.softmax
// CHECK-NEXT: %[[T:.*]] = zin.neuron <tanh>
// CHECK-NEXT: %[[D:.*]] = zin.neuron <relu> %[[T]]
// CHECK-NEXT: zin.return %[[A]], %[[B]], %[[C]], %[[D]]
zin.procedure @never_negative(%x: tensor<1x1x1x1x5xf16> {zin.host_type = tensor<5xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x5xf16> {zin.host_type = tensor<5xf16>, zin.name = "a"}, tensor<1x1x1x1x5xf16> {zin.host_type = tensor<5xf16>, zin.name = "b"}, tensor<1x1x1x1x5xf16> {zin.host_type = tensor<5xf16>, zin.name = "c"}, tensor<1x1x1x1x5xf16> {zin.host_type = tensor<5xf16>, zin.name = "d"}) {
  %p = zin.neuron <abs> %x : tensor<1x1x1x1x5xf16>
  %a = zin.neuron <relu> %p : tensor<1x1x1x1x5xf16>
  %q = zin.elementwise <Mult> %x, %x : (tensor<1x1x1x1x5xf16>, tensor<1x1x1x1x5xf16>) -> tensor<1x1x1x1x5xf16>
  %b = zin.neuron <relu> %q : tensor<1x1x1x1x5xf16>
  %r = zin.softmax %x over 4 : tensor<1x1x1x1x5xf16>
  %c = zin.neuron <relu> %r : tensor<1x1x1x1x5xf16>
  %t = zin.neuron <tanh> %x : tensor<1x1x1x1x5xf16>
  %d = zin.neuron <relu> %t : tensor<1x1x1x1x5xf16>
  zin.return %a, %b, %c, %d : tensor<1x1x1x1x5xf16>, tensor<1x1x1x1x5xf16>, tensor<1x1x1x1x5xf16>, tensor<1x1x1x1x5xf16>
}
