// RUN: ane-opt %s --zin-fold-layout --split-input-file | FileCheck %s

// Two transposes are one, and the two of a pair are none, with an activation, a
// scale and a constant between them.

// CHECK-LABEL: zin.procedure @between
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<1x1x2x3x4xf16>
// CHECK-NOT: zin.transpose
// CHECK: %[[R:.*]] = zin.neuron <relu> %[[X]] : tensor<1x1x2x3x4xf16>
// CHECK: %[[G:.*]] = zin.goc %[[R]] scale 2.000000e+00 bias 0.000000e+00 : tensor<1x1x2x3x4xf16>
// CHECK: %[[C:.*]] = zin.constant dense<{{\[\[\[\[\[}}1.000000e+00]], {{\[\[}}2.000000e+00]]]]]> : tensor<1x1x2x1x1xf16>
// CHECK: %[[M:.*]] = zin.elementwise <Mult> %[[G]], %[[C]]
// CHECK: zin.return %[[M]]
zin.procedure @between(%x: tensor<1x1x2x3x4xf16> {zin.host_type = tensor<2x3x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x3x4xf16> {zin.host_type = tensor<2x3x4xf16>, zin.name = "y"}) {
  %c = zin.constant dense<[[[[[1.0, 2.0]]]]]> : tensor<1x1x1x1x2xf16>
  %0 = zin.transpose %x to [0, 1, 3, 2, 4] : (tensor<1x1x2x3x4xf16>) -> tensor<1x1x3x2x4xf16>
  %1 = zin.transpose %0 to [0, 1, 2, 4, 3] : (tensor<1x1x3x2x4xf16>) -> tensor<1x1x3x4x2xf16>
  %2 = zin.neuron <relu> %1 : tensor<1x1x3x4x2xf16>
  %3 = zin.goc %2 scale 2.0 bias 0.0 : tensor<1x1x3x4x2xf16>
  %4 = zin.elementwise <Mult> %3, %c : (tensor<1x1x3x4x2xf16>, tensor<1x1x1x1x2xf16>) -> tensor<1x1x3x4x2xf16>
  %5 = zin.transpose %4 to [0, 1, 4, 2, 3] : (tensor<1x1x3x4x2xf16>) -> tensor<1x1x2x3x4xf16>
  zin.return %5 : tensor<1x1x2x3x4xf16>
}

// -----

// Operands with the same transpose are transposed once.

// CHECK-LABEL: zin.procedure @both
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<1x1x2x3x4xf16>{{.*}}, %[[Y:[a-z0-9]+]]: tensor<1x1x2x3x1xf16>
// CHECK: %[[S:.*]] = zin.elementwise <Sub> %[[X]], %[[Y]] : (tensor<1x1x2x3x4xf16>, tensor<1x1x2x3x1xf16>) -> tensor<1x1x2x3x4xf16>
// CHECK: %[[T:.*]] = zin.transpose %[[S]] to [0, 1, 4, 3, 2]
// CHECK: zin.return %[[T]]
zin.procedure @both(%x: tensor<1x1x2x3x4xf16> {zin.host_type = tensor<2x3x4xf16>, zin.name = "x"}, %y: tensor<1x1x2x3x1xf16> {zin.host_type = tensor<2x3x1xf16>, zin.name = "y"}) -> (tensor<1x1x4x3x2xf16> {zin.host_type = tensor<4x3x2xf16>, zin.name = "z"}) {
  %0 = zin.transpose %x to [0, 1, 4, 3, 2] : (tensor<1x1x2x3x4xf16>) -> tensor<1x1x4x3x2xf16>
  %1 = zin.transpose %y to [0, 1, 4, 3, 2] : (tensor<1x1x2x3x1xf16>) -> tensor<1x1x1x3x2xf16>
  %2 = zin.elementwise <Sub> %0, %1 : (tensor<1x1x4x3x2xf16>, tensor<1x1x1x3x2xf16>) -> tensor<1x1x4x3x2xf16>
  zin.return %2 : tensor<1x1x4x3x2xf16>
}

// -----

// A transpose of extents 1 vanishes beside a reshape, and only there.

// CHECK-LABEL: zin.procedure @units
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<1x1x2x1x4xf16>
// CHECK-DAG: %[[A:.*]] = zin.reshape %[[X]] : (tensor<1x1x2x1x4xf16>) -> tensor<1x1x1x1x8xf16>
// CHECK-DAG: %[[B:.*]] = zin.transpose %[[X]] to [0, 1, 3, 2, 4]
// CHECK: zin.return %[[A]], %[[B]]
zin.procedure @units(%x: tensor<1x1x2x1x4xf16> {zin.host_type = tensor<2x1x4xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x8xf16> {zin.host_type = tensor<8xf16>, zin.name = "a"}, tensor<1x1x1x2x4xf16> {zin.host_type = tensor<2x4xf16>, zin.name = "b"}) {
  %0 = zin.transpose %x to [0, 1, 3, 2, 4] : (tensor<1x1x2x1x4xf16>) -> tensor<1x1x1x2x4xf16>
  %1 = zin.reshape %0 : (tensor<1x1x1x2x4xf16>) -> tensor<1x1x1x1x8xf16>
  %2 = zin.transpose %x to [1, 0, 3, 2, 4] : (tensor<1x1x2x1x4xf16>) -> tensor<1x1x1x2x4xf16>
  %3 = zin.transpose %2 to [1, 0, 2, 3, 4] : (tensor<1x1x1x2x4xf16>) -> tensor<1x1x1x2x4xf16>
  zin.return %1, %3 : tensor<1x1x1x1x8xf16>, tensor<1x1x1x2x4xf16>
}

// -----

// Views and scales that are none.

// CHECK-LABEL: zin.procedure @views
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<1x1x9x1x4xf16>
// CHECK-NEXT: %[[V:.*]] = zin.input_view %[[X]] from [0, 0, 5, 0, 1] by [1, 1, 2, 1, 1] : (tensor<1x1x9x1x4xf16>) -> tensor<1x1x2x1x3xf16>
// CHECK-NEXT: zin.return %[[V]]
zin.procedure @views(%x: tensor<1x1x9x1x4xf16> {zin.host_type = tensor<9x1x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x1x3xf16> {zin.host_type = tensor<2x1x3xf16>, zin.name = "y"}) {
  %0 = zin.input_view %x from [0, 0, 1, 0, 1] by [1, 1, 2, 1, 1] : (tensor<1x1x9x1x4xf16>) -> tensor<1x1x4x1x3xf16>
  %2 = zin.goc %0 scale 1.0 bias 0.0 : tensor<1x1x4x1x3xf16>
  %3 = zin.input_view %2 from [0, 0, 2, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x4x1x3xf16>) -> tensor<1x1x2x1x3xf16>
  %4 = zin.input_view %3 from [0, 0, 0, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x2x1x3xf16>) -> tensor<1x1x2x1x3xf16>
  zin.return %4 : tensor<1x1x2x1x3xf16>
}

// -----

// One value joined with none is a copy that somebody wants, and not what two views
// beside each other are.

// CHECK-LABEL: zin.procedure @copies
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<1x1x9x1x4xf16>
// CHECK-NEXT: %[[A:.*]] = zin.concat %[[X]] along 0
// CHECK-NEXT: %[[B:.*]] = zin.input_view %[[A]] from [0, 0, 0, 0, 1]
// CHECK-NEXT: %[[C:.*]] = zin.input_view %[[X]] from [0, 0, 2, 0, 0] {{.*}} -> tensor<1x1x5x1x4xf16>
// CHECK-NEXT: zin.return %[[B]], %[[C]]
zin.procedure @copies(%x: tensor<1x1x9x1x4xf16> {zin.host_type = tensor<9x1x4xf16>, zin.name = "x"}) -> (tensor<1x1x9x1x2xf16> {zin.host_type = tensor<9x1x2xf16>, zin.name = "b"}, tensor<1x1x5x1x4xf16> {zin.host_type = tensor<5x1x4xf16>, zin.name = "c"}) {
  %0 = zin.concat %x along 0 : (tensor<1x1x9x1x4xf16>) -> tensor<1x1x9x1x4xf16>
  %1 = zin.input_view %0 from [0, 0, 0, 0, 1] by [1, 1, 1, 1, 1] : (tensor<1x1x9x1x4xf16>) -> tensor<1x1x9x1x2xf16>
  %2 = zin.input_view %x from [0, 0, 2, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x9x1x4xf16>) -> tensor<1x1x3x1x4xf16>
  %3 = zin.input_view %x from [0, 0, 5, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x9x1x4xf16>) -> tensor<1x1x2x1x4xf16>
  %4 = zin.concat %2, %3 along 2 : (tensor<1x1x3x1x4xf16>, tensor<1x1x2x1x4xf16>) -> tensor<1x1x5x1x4xf16>
  zin.return %1, %4 : tensor<1x1x9x1x2xf16>, tensor<1x1x5x1x4xf16>
}

// -----

// What somebody else reads is not computed twice: the transpose stays where it
// is. A constant beside a single transpose gains nothing.

// CHECK-LABEL: zin.procedure @kept
// CHECK: %[[T:.*]] = zin.transpose
// CHECK: %[[R:.*]] = zin.neuron <relu> %[[T]]
// CHECK: %[[U:.*]] = zin.transpose %[[R]] to [0, 1, 4, 3, 2]
// CHECK: %[[V:.*]] = zin.transpose
// CHECK: %[[A:.*]] = zin.elementwise <Add> %[[V]]
// CHECK: zin.return %[[T]], %[[U]], %[[A]]
zin.procedure @kept(%x: tensor<1x1x2x3x4xf16> {zin.host_type = tensor<2x3x4xf16>, zin.name = "x"}) -> (tensor<1x1x4x3x2xf16> {zin.host_type = tensor<4x3x2xf16>, zin.name = "a"}, tensor<1x1x2x3x4xf16> {zin.host_type = tensor<2x3x4xf16>, zin.name = "b"}, tensor<1x1x3x2x4xf16> {zin.host_type = tensor<3x2x4xf16>, zin.name = "c"}) {
  %c = zin.constant dense<0.5> : tensor<1x1x1x1x1xf16>
  %0 = zin.transpose %x to [0, 1, 4, 3, 2] : (tensor<1x1x2x3x4xf16>) -> tensor<1x1x4x3x2xf16>
  %1 = zin.neuron <relu> %0 : tensor<1x1x4x3x2xf16>
  %2 = zin.transpose %1 to [0, 1, 4, 3, 2] : (tensor<1x1x4x3x2xf16>) -> tensor<1x1x2x3x4xf16>
  %3 = zin.transpose %x to [0, 1, 3, 2, 4] : (tensor<1x1x2x3x4xf16>) -> tensor<1x1x3x2x4xf16>
  %4 = zin.elementwise <Add> %3, %c : (tensor<1x1x3x2x4xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x3x2x4xf16>
  zin.return %0, %2, %4 : tensor<1x1x4x3x2xf16>, tensor<1x1x2x3x4xf16>, tensor<1x1x3x2x4xf16>
}

// -----

// Reshapes that undo each other, around element-wise layers.

// CHECK-LABEL: zin.procedure @reshapes
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<1x1x1x6x4xf16>
// CHECK-NOT: zin.reshape
// CHECK: %[[A:.*]] = zin.neuron <tanh> %[[X]] : tensor<1x1x1x6x4xf16>
// CHECK: %[[B:.*]] = zin.elementwise <Add> %[[A]], %{{.*}} : (tensor<1x1x1x6x4xf16>, tensor<1x1x1x1x4xf16>) -> tensor<1x1x1x6x4xf16>
// CHECK: %[[C:.*]] = zin.elementwise <Mult> %[[X]], %[[B]] : (tensor<1x1x1x6x4xf16>, tensor<1x1x1x6x4xf16>) -> tensor<1x1x1x6x4xf16>
// CHECK: zin.return %[[C]]
zin.procedure @reshapes(%x: tensor<1x1x1x6x4xf16> {zin.host_type = tensor<6x4xf16>, zin.name = "x"}) -> (tensor<1x1x1x6x4xf16> {zin.host_type = tensor<6x4xf16>, zin.name = "y"}) {
  %k = zin.constant dense<[[[[[1.0, 2.0, 3.0, 4.0]]]]]> : tensor<1x1x1x1x4xf16>
  %0 = zin.reshape %x : (tensor<1x1x1x6x4xf16>) -> tensor<1x1x2x3x4xf16>
  %1 = zin.neuron <tanh> %0 : tensor<1x1x2x3x4xf16>
  %2 = zin.elementwise <Add> %1, %k : (tensor<1x1x2x3x4xf16>, tensor<1x1x1x1x4xf16>) -> tensor<1x1x2x3x4xf16>
  %3 = zin.elementwise <Mult> %0, %2 : (tensor<1x1x2x3x4xf16>, tensor<1x1x2x3x4xf16>) -> tensor<1x1x2x3x4xf16>
  %4 = zin.reshape %3 : (tensor<1x1x2x3x4xf16>) -> tensor<1x1x1x6x4xf16>
  zin.return %4 : tensor<1x1x1x6x4xf16>
}

// -----

// A constant that differs along rows stays between them, and so does what
// somebody else reads.

// CHECK-LABEL: zin.procedure @reshapes_kept
// CHECK-COUNT-4: zin.reshape
zin.procedure @reshapes_kept(%x: tensor<1x1x1x6x4xf16> {zin.host_type = tensor<6x4xf16>, zin.name = "x"}) -> (tensor<1x1x1x6x4xf16> {zin.host_type = tensor<6x4xf16>, zin.name = "y"}, tensor<1x1x1x6x4xf16> {zin.host_type = tensor<6x4xf16>, zin.name = "z"}, tensor<1x1x2x3x4xf16> {zin.host_type = tensor<2x3x4xf16>, zin.name = "u"}) {
  %k = zin.constant dense<[[[[[1.0], [2.0], [3.0]]]]]> : tensor<1x1x1x3x1xf16>
  %0 = zin.reshape %x : (tensor<1x1x1x6x4xf16>) -> tensor<1x1x2x3x4xf16>
  %1 = zin.elementwise <Add> %0, %k : (tensor<1x1x2x3x4xf16>, tensor<1x1x1x3x1xf16>) -> tensor<1x1x2x3x4xf16>
  %2 = zin.reshape %1 : (tensor<1x1x2x3x4xf16>) -> tensor<1x1x1x6x4xf16>
  %turned = zin.reshape %x : (tensor<1x1x1x6x4xf16>) -> tensor<1x1x2x3x4xf16>
  %3 = zin.neuron <tanh> %turned : tensor<1x1x2x3x4xf16>
  %5 = zin.reshape %3 : (tensor<1x1x2x3x4xf16>) -> tensor<1x1x1x6x4xf16>
  zin.return %2, %5, %3 : tensor<1x1x1x6x4xf16>, tensor<1x1x1x6x4xf16>, tensor<1x1x2x3x4xf16>
}

// -----

// What has been joined before is a part of what is joined later: the longest
// that follows each other, in the same dimension, and without turns.

// CHECK-LABEL: zin.procedure @nested
// CHECK: %[[A:.*]] = zin.concat %arg0, %[[R:.*]] along 2 :
// CHECK: %[[W:.*]] = zin.concat %arg0, %[[R]] along 4 :
// CHECK: %[[B:.*]] = zin.concat %[[A]], %[[S:.*]] along 2 :
// CHECK: %[[C:.*]] = zin.concat %[[S]], %[[B]], %arg0 along 2 :
// CHECK: %[[I:.*]] = zin.concat %arg0, %[[R]] along 2 {interleave} :
// CHECK: zin.return %[[C]], %[[W]], %[[I]]
zin.procedure @nested(%x: tensor<1x1x2x3x4xf16> {zin.host_type = tensor<2x3x4xf16>, zin.name = "x"}) -> (tensor<1x1x10x3x4xf16> {zin.host_type = tensor<10x3x4xf16>, zin.name = "y"}, tensor<1x1x2x3x8xf16> {zin.host_type = tensor<2x3x8xf16>, zin.name = "z"}, tensor<1x1x4x3x4xf16> {zin.host_type = tensor<4x3x4xf16>, zin.name = "u"}) {
  %0 = zin.neuron <relu> %x : tensor<1x1x2x3x4xf16>
  %1 = zin.concat %x, %0 along 2 : (tensor<1x1x2x3x4xf16>, tensor<1x1x2x3x4xf16>) -> tensor<1x1x4x3x4xf16>
  %2 = zin.concat %x, %0 along 4 : (tensor<1x1x2x3x4xf16>, tensor<1x1x2x3x4xf16>) -> tensor<1x1x2x3x8xf16>
  %v = zin.input_view %1 from [0, 0, 1, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x4x3x4xf16>) -> tensor<1x1x2x3x4xf16>
  %3 = zin.neuron <tanh> %v : tensor<1x1x2x3x4xf16>
  %4 = zin.concat %x, %0, %3 along 2 : (tensor<1x1x2x3x4xf16>, tensor<1x1x2x3x4xf16>, tensor<1x1x2x3x4xf16>) -> tensor<1x1x6x3x4xf16>
  %5 = zin.concat %3, %x, %0, %3, %x along 2 : (tensor<1x1x2x3x4xf16>, tensor<1x1x2x3x4xf16>, tensor<1x1x2x3x4xf16>, tensor<1x1x2x3x4xf16>, tensor<1x1x2x3x4xf16>) -> tensor<1x1x10x3x4xf16>
  %6 = zin.concat %x, %0 along 2 {interleave} : (tensor<1x1x2x3x4xf16>, tensor<1x1x2x3x4xf16>) -> tensor<1x1x4x3x4xf16>
  zin.return %5, %2, %6 : tensor<1x1x10x3x4xf16>, tensor<1x1x2x3x8xf16>, tensor<1x1x4x3x4xf16>
}

// -----

// Parts of a cache that are changed one after the other, and read: they are
// joined once.

// CHECK-LABEL: zin.procedure @cache
// CHECK: %[[A:.*]] = zin.input_view %arg0 from [0, 0, 1, 0, 0]
// CHECK: %[[B:.*]] = zin.neuron <relu> %[[A]]
// CHECK: %[[D:.*]] = zin.input_view %arg0 from [0, 0, 3, 0, 0]
// CHECK: %[[E:.*]] = zin.neuron <tanh> %[[D]]
// CHECK: %[[Y:.*]] = zin.concat %{{.*}}, %[[B]], %{{.*}}, %[[E]] along 2 : (tensor<1x1x1x3x4xf16>, tensor<1x1x1x3x4xf16>, tensor<1x1x1x3x4xf16>, tensor<1x1x1x3x4xf16>)
// CHECK: %[[S:.*]] = zin.elementwise <Add> %[[B]], %[[E]]
// CHECK: zin.return %[[Y]], %[[S]]
zin.procedure @cache(%x: tensor<1x1x4x3x4xf16> {zin.host_type = tensor<4x3x4xf16>, zin.name = "x"}) -> (tensor<1x1x4x3x4xf16> {zin.host_type = tensor<4x3x4xf16>, zin.name = "y"}, tensor<1x1x1x3x4xf16> {zin.host_type = tensor<1x3x4xf16>, zin.name = "s"}) {
  %a = zin.input_view %x from [0, 0, 1, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x4x3x4xf16>) -> tensor<1x1x1x3x4xf16>
  %b = zin.neuron <relu> %a : tensor<1x1x1x3x4xf16>
  %0 = zin.input_view %x from [0, 0, 0, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x4x3x4xf16>) -> tensor<1x1x1x3x4xf16>
  %1 = zin.input_view %x from [0, 0, 2, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x4x3x4xf16>) -> tensor<1x1x2x3x4xf16>
  %first = zin.concat %0, %b, %1 along 2 : (tensor<1x1x1x3x4xf16>, tensor<1x1x1x3x4xf16>, tensor<1x1x2x3x4xf16>) -> tensor<1x1x4x3x4xf16>
  %d = zin.input_view %first from [0, 0, 3, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x4x3x4xf16>) -> tensor<1x1x1x3x4xf16>
  %e = zin.neuron <tanh> %d : tensor<1x1x1x3x4xf16>
  %2 = zin.input_view %first from [0, 0, 0, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x4x3x4xf16>) -> tensor<1x1x3x3x4xf16>
  %y = zin.concat %2, %e along 2 : (tensor<1x1x3x3x4xf16>, tensor<1x1x1x3x4xf16>) -> tensor<1x1x4x3x4xf16>
  %k = zin.input_view %y from [0, 0, 1, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x4x3x4xf16>) -> tensor<1x1x1x3x4xf16>
  %s = zin.elementwise <Add> %k, %e : (tensor<1x1x1x3x4xf16>, tensor<1x1x1x3x4xf16>) -> tensor<1x1x1x3x4xf16>
  zin.return %y, %s : tensor<1x1x4x3x4xf16>, tensor<1x1x1x3x4xf16>
}

// -----

// Parts of columns, which begin within the memory of a row, are parts of channels
// before the transpose; those that begin at it, or have more elements together,
// stay.

// CHECK-LABEL: zin.procedure @parts
// CHECK: %[[A:.*]] = zin.input_view %arg0 from [0, 0, 0, 0, 0] by [1, 1, 1, 1, 1] : {{.*}} -> tensor<1x1x4x1x6xf16>
// CHECK: %[[T:.*]] = zin.transpose %[[A]] to [0, 1, 4, 3, 2] : {{.*}} -> tensor<1x1x6x1x4xf16>
// CHECK: %[[B:.*]] = zin.input_view %arg0 from [0, 0, 4, 0, 1] by [1, 1, 2, 1, 1] : {{.*}} -> tensor<1x1x10x1x5xf16>
// CHECK: %[[U:.*]] = zin.transpose %[[B]] to [0, 1, 4, 3, 2] : {{.*}} -> tensor<1x1x5x1x10xf16>
// CHECK: %[[W:.*]] = zin.transpose %arg1
// CHECK: %[[C:.*]] = zin.input_view %[[W]] from [0, 0, 0, 0, 32]
// CHECK: zin.return %[[T]], %[[U]], %[[C]]
zin.procedure @parts(%x: tensor<1x1x24x1x6xf16> {zin.host_type = tensor<24x1x6xf16>, zin.name = "x"}, %z: tensor<1x1x64x1x6xf16> {zin.host_type = tensor<64x1x6xf16>, zin.name = "z"}) -> (tensor<1x1x6x1x4xf16> {zin.host_type = tensor<6x1x4xf16>, zin.name = "a"}, tensor<1x1x5x1x10xf16> {zin.host_type = tensor<5x1x10xf16>, zin.name = "b"}, tensor<1x1x6x1x32xf16> {zin.host_type = tensor<6x1x32xf16>, zin.name = "c"}) {
  %0 = zin.transpose %x to [0, 1, 4, 3, 2] : (tensor<1x1x24x1x6xf16>) -> tensor<1x1x6x1x24xf16>
  %a = zin.input_view %0 from [0, 0, 0, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x6x1x24xf16>) -> tensor<1x1x6x1x4xf16>
  %b = zin.input_view %0 from [0, 0, 1, 0, 4] by [1, 1, 1, 1, 2] : (tensor<1x1x6x1x24xf16>) -> tensor<1x1x5x1x10xf16>
  %1 = zin.transpose %z to [0, 1, 4, 3, 2] : (tensor<1x1x64x1x6xf16>) -> tensor<1x1x6x1x64xf16>
  %c = zin.input_view %1 from [0, 0, 0, 0, 32] by [1, 1, 1, 1, 1] : (tensor<1x1x6x1x64xf16>) -> tensor<1x1x6x1x32xf16>
  zin.return %a, %b, %c : tensor<1x1x6x1x4xf16>, tensor<1x1x5x1x10xf16>, tensor<1x1x6x1x32xf16>
}

// -----

// Strides of single elements may be any numbers, whose product is none.

// CHECK-LABEL: zin.procedure @large_strides
// CHECK-NEXT: %[[V:.*]] = zin.input_view %arg0 from [0, 0, 3, 2, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x4x4x8xf16>) -> tensor<1x1x1x1x8xf16>
// CHECK-NEXT: zin.return %[[V]]
zin.procedure @large_strides(%x: tensor<1x1x4x4x8xf16> {zin.host_type = tensor<4x4x8xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x8xf16> {zin.host_type = tensor<8xf16>, zin.name = "y"}) {
  %0 = zin.input_view %x from [0, 0, 3, 0, 0] by [1, 1, 4611686018427387904, 1, 1] : (tensor<1x1x4x4x8xf16>) -> tensor<1x1x1x4x8xf16>
  %1 = zin.input_view %0 from [0, 0, 0, 2, 0] by [1, 1, 4611686018427387904, 1, 1] : (tensor<1x1x1x4x8xf16>) -> tensor<1x1x1x1x8xf16>
  zin.return %1 : tensor<1x1x1x1x8xf16>
}

// -----

// What is taken off a constant stays behind it.

// CHECK-LABEL: zin.procedure @from_constant
// CHECK: %[[C:.*]] = zin.constant {{.*}} : tensor<1x1x2x1x1xf16>
// CHECK: %[[S:.*]] = zin.elementwise <Sub> %[[C]], %arg0
// CHECK-NEXT: zin.return %[[S]]
zin.procedure @from_constant(%x: tensor<1x1x2x3x4xf16> {zin.host_type = tensor<1x1x2x3x4xf16>, zin.name = "x"}) -> (tensor<1x1x2x3x4xf16> {zin.host_type = tensor<1x1x2x3x4xf16>, zin.name = "y"}) {
  %c = zin.constant dense<[[[[[1.0, 2.0]]]]]> : tensor<1x1x1x1x2xf16>
  %0 = zin.transpose %x to [0, 1, 4, 3, 2] : (tensor<1x1x2x3x4xf16>) -> tensor<1x1x4x3x2xf16>
  %1 = zin.elementwise <Sub> %c, %0 : (tensor<1x1x1x1x2xf16>, tensor<1x1x4x3x2xf16>) -> tensor<1x1x4x3x2xf16>
  %2 = zin.transpose %1 to [0, 1, 4, 3, 2] : (tensor<1x1x4x3x2xf16>) -> tensor<1x1x2x3x4xf16>
  zin.return %2 : tensor<1x1x2x3x4xf16>
}
