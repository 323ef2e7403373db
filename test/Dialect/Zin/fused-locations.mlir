// RUN: ane-opt %s --zin-fold-scale --zin-fuse-epilogue --zin-merge-layers --zin-fuse-reduction --split-input-file --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: ane-opt %s --zin-fold-scale --zin-fuse-epilogue --zin-merge-layers --zin-fuse-reduction --convert-zin-to-tasks --split-input-file --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=TASKS

// A fused layer has the locations of all that it came from, its own first: a
// convolution with a scale, a bias and an activation; what reads another layer
// now has nothing of it.

// CHECK-LABEL: zin.procedure @sum
// CHECK: zin.conv {{.*}} loc(fused["m.mil":1:1, "m.mil":2:1, "m.mil":3:1, "m.mil":4:1])
// CHECK: zin.neuron <tanh> {{.*}} loc("m.mil":5:1)
// TASKS-LABEL: zin.program @sum
// TASKS: zin.kernel {{.*}} loc(fused["m.mil":1:1, "m.mil":2:1, "m.mil":3:1, "m.mil":4:1])
// TASKS: zin.task <NEFUSED_CONV> {{.*}} loc(fused["m.mil":1:1, "m.mil":2:1, "m.mil":3:1, "m.mil":4:1])
// TASKS: zin.task {{.*}} loc("m.mil":5:1)
zin.procedure @sum(%x: tensor<1x1x4x8x8xf16> {zin.host_type = tensor<1x4x8x8xf16>, zin.name = "x"}) -> (tensor<1x1x2x8x8xf16> {zin.host_type = tensor<1x2x8x8xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<2x1x4x1x1xf16>
  %s = zin.constant dense<[[[[[0.5]], [[2.0]]]]]> : tensor<1x1x2x1x1xf16>
  %b = zin.constant dense<[[[[[1.0]], [[2.0]]]]]> : tensor<1x1x2x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x4x8x8xf16>, tensor<2x1x4x1x1xf16>) -> tensor<1x1x2x8x8xf16> loc("m.mil":1:1)
  %m = zin.elementwise <Mult> %y, %s : (tensor<1x1x2x8x8xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x8x8xf16> loc("m.mil":2:1)
  %z = zin.elementwise <Add> %b, %m : (tensor<1x1x2x1x1xf16>, tensor<1x1x2x8x8xf16>) -> tensor<1x1x2x8x8xf16> loc("m.mil":3:1)
  %r = zin.neuron <relu> %z : tensor<1x1x2x8x8xf16> loc("m.mil":4:1)
  %t = zin.neuron <tanh> %r : tensor<1x1x2x8x8xf16> loc("m.mil":5:1)
  zin.return %t : tensor<1x1x2x8x8xf16>
}

// -----

// A move that a function is exchanged with has nothing of it, nor it of the move.

// CHECK-LABEL: zin.procedure @move
// CHECK: zin.matmul {{.*}} loc(fused["m.mil":1:1, "m.mil":3:1])
// CHECK: zin.transpose {{.*}} loc("m.mil":2:1)
zin.procedure @move(%x: tensor<1x1x1x3x4xf16> {zin.host_type = tensor<3x4xf16>, zin.name = "x"}) -> (tensor<1x1x1x2x3xf16> {zin.host_type = tensor<2x3xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x1x2x4xf16>
  %y = zin.matmul %x, %w : (tensor<1x1x1x3x4xf16>, tensor<1x1x1x2x4xf16>) -> tensor<1x1x1x3x2xf16> loc("m.mil":1:1)
  %t = zin.transpose %y to [0, 1, 2, 4, 3] : (tensor<1x1x1x3x2xf16>) -> tensor<1x1x1x2x3xf16> loc("m.mil":2:1)
  %r = zin.neuron <sigmoid> %t : tensor<1x1x1x2x3xf16> loc("m.mil":3:1)
  zin.return %r : tensor<1x1x1x2x3xf16>
}

// -----

// Functions that become one, and the same computed once, with what that has
// taken up.

// CHECK-LABEL: zin.procedure @once
// CHECK: zin.neuron <clamped_relu{{.*}} loc(fused["m.mil":2:1, "m.mil":1:1, "m.mil":4:1, "m.mil":3:1])
// CHECK-NEXT: zin.elementwise <Mult> {{.*}} loc("m.mil":5:1)
zin.procedure @once(%x: tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "x"}) -> (tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "y"}) {
  %0 = zin.neuron <relu> %x : tensor<1x1x1x2x2xf16> loc("m.mil":1:1)
  %1 = zin.neuron <clamped_relu, -1.0 : f16, 6.0 : f16> %0 : tensor<1x1x1x2x2xf16> loc("m.mil":2:1)
  %2 = zin.neuron <relu> %x : tensor<1x1x1x2x2xf16> loc("m.mil":3:1)
  %3 = zin.neuron <clamped_relu, -1.0 : f16, 6.0 : f16> %2 : tensor<1x1x1x2x2xf16> loc("m.mil":4:1)
  %4 = zin.elementwise <Mult> %1, %3 : (tensor<1x1x1x2x2xf16>, tensor<1x1x1x2x2xf16>) -> tensor<1x1x1x2x2xf16> loc("m.mil":5:1)
  zin.return %4 : tensor<1x1x1x2x2xf16>
}

// -----

// What stands around a reduction: a square in front, a function behind.

// CHECK-LABEL: zin.procedure @reduction
// CHECK: zin.reduction <Avg> {{.*}} square} {{.*}} loc(fused["m.mil":2:1, "m.mil":3:1, "m.mil":1:1])
// CHECK: zin.elementwise <Mult> {{.*}} loc("m.mil":4:1)
zin.procedure @reduction(%x: tensor<1x1x1x3x5xf16> {zin.host_type = tensor<3x5xf16>, zin.name = "x"}) -> (tensor<1x1x1x3x5xf16> {zin.host_type = tensor<3x5xf16>, zin.name = "y"}) {
  %s = zin.elementwise <Mult> %x, %x : (tensor<1x1x1x3x5xf16>, tensor<1x1x1x3x5xf16>) -> tensor<1x1x1x3x5xf16> loc("m.mil":1:1)
  %m = zin.reduction <Avg> %s over [4] : (tensor<1x1x1x3x5xf16>) -> tensor<1x1x1x3x1xf16> loc("m.mil":2:1)
  %r = zin.neuron <rsqrt> %m : tensor<1x1x1x3x1xf16> loc("m.mil":3:1)
  %y = zin.elementwise <Mult> %x, %r : (tensor<1x1x1x3x5xf16>, tensor<1x1x1x3x1xf16>) -> tensor<1x1x1x3x5xf16> loc("m.mil":4:1)
  zin.return %y : tensor<1x1x1x3x5xf16>
}
