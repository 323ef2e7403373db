// RUN: ane-opt %s --zin-keep-kernels --split-input-file | FileCheck %s

// Two products of few rows have one kernel: it is the left matrix of both, and
// the rows are the kernel. The third is read for other products.

// CHECK-LABEL: zin.procedure @kept
// CHECK-SAME: (%[[X:[^:]*]]:
// CHECK:      %[[W:.*]] = zin.constant {{.*}} : tensor<1x1x1x512x256xf16>
// CHECK-NEXT: %[[A:.*]] = zin.matmul %[[W]], %[[X]] {outputs_on_rows} : {{.*}} -> tensor<1x1x1x2x512xf16>
// CHECK-NEXT: %[[H:.*]] = zin.input_view %[[A]]
// CHECK-NEXT: %[[B:.*]] = zin.matmul %[[W]], %[[H]] {outputs_on_rows}
// CHECK-NEXT: zin.return %[[B]]
zin.procedure @kept(%x: tensor<1x1x1x2x256xf16> {zin.host_type = tensor<2x256xf16>, zin.name = "x"}) -> (tensor<1x1x1x2x512xf16> {zin.host_type = tensor<2x512xf16>, zin.name = "y"}) {
  %w = zin.constant dense<0.5> : tensor<1x1x1x512x256xf16>
  %a = zin.matmul %x, %w : (tensor<1x1x1x2x256xf16>, tensor<1x1x1x512x256xf16>) -> tensor<1x1x1x2x512xf16>
  %h = zin.input_view %a from [0, 0, 0, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x1x2x512xf16>) -> tensor<1x1x1x2x256xf16>
  %b = zin.matmul %h, %w : (tensor<1x1x1x2x256xf16>, tensor<1x1x1x512x256xf16>) -> tensor<1x1x1x2x512xf16>
  zin.return %b : tensor<1x1x1x2x512xf16>
}

// -----

// Of a kernel of 2 MB the first outputs stay, the others come from memory, with
// their part of the bias.

// CHECK-LABEL: zin.procedure @part
// CHECK-SAME: (%[[X:[^:]*]]:
// CHECK-DAG:  %[[KEPT:.*]] = zin.constant {{.*}} : tensor<1x1x1x1632x512xf16>
// CHECK-DAG:  %[[REST:.*]] = zin.constant {{.*}} : tensor<1x1x1x416x512xf16>
// CHECK:      %[[A0:.*]] = zin.matmul %[[KEPT]], %[[X]] {outputs_on_rows}
// CHECK:      %[[BIAS1:.*]] = zin.constant {{.*}} : tensor<1x1x1x1x416xf16>
// CHECK:      %[[A1:.*]] = zin.matmul %[[X]], %[[REST]] bias %[[BIAS1]] :
// CHECK:      %[[BIAS0:.*]] = zin.constant {{.*}} : tensor<1x1x1x1x1632xf16>
// CHECK:      %[[S0:.*]] = zin.elementwise <Add> %[[A0]], %[[BIAS0]]
// CHECK:      %[[A:.*]] = zin.concat %[[S0]], %[[A1]] along 4
// CHECK:      zin.neuron <tanh> %[[A]]
zin.procedure @part(%x: tensor<1x1x1x1x512xf16> {zin.host_type = tensor<1x512xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x2048xf16> {zin.host_type = tensor<1x2048xf16>, zin.name = "y"}) {
  %w = zin.constant dense<0.5> : tensor<1x1x1x2048x512xf16>
  %b = zin.constant dense<1.0> : tensor<1x1x1x1x2048xf16>
  %a = zin.matmul %x, %w bias %b : (tensor<1x1x1x1x512xf16>, tensor<1x1x1x2048x512xf16>, tensor<1x1x1x1x2048xf16>) -> tensor<1x1x1x1x2048xf16>
  %t = zin.neuron <tanh> %a : tensor<1x1x1x1x2048xf16>
  %h = zin.input_view %t from [0, 0, 0, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x1x1x2048xf16>) -> tensor<1x1x1x1x512xf16>
  %c = zin.matmul %h, %w bias %b : (tensor<1x1x1x1x512xf16>, tensor<1x1x1x2048x512xf16>, tensor<1x1x1x1x2048xf16>) -> tensor<1x1x1x1x2048xf16>
  zin.return %c : tensor<1x1x1x1x2048xf16>
}

// -----

// What is read in parts gets its bias there, where it is not 0.

// CHECK-LABEL: zin.procedure @views
// CHECK:      %[[A:.*]] = zin.matmul %{{.*}}, %{{.*}} {outputs_on_rows}
// CHECK-NEXT: %[[BIAS:.*]] = zin.constant dense<1.{{.*}}> : tensor<1x1x1x1x32xf16>
// CHECK-NEXT: %[[H:.*]] = zin.input_view %[[A]] from [0, 0, 0, 0, 0]
// CHECK-NEXT: %[[N:.*]] = zin.input_view %[[A]] from [0, 0, 0, 0, 32]
// CHECK-NEXT: %[[S:.*]] = zin.elementwise <Add> %[[N]], %[[BIAS]]
// CHECK-NEXT: zin.elementwise <Mult> %[[H]], %[[S]]
zin.procedure @views(%x: tensor<1x1x1x1x2048xf16> {zin.host_type = tensor<1x2048xf16>, zin.name = "x"}, %z: tensor<1x1x1x1x2048xf16> {zin.host_type = tensor<1x2048xf16>, zin.name = "z"}) -> (tensor<1x1x1x1x32xf16> {zin.host_type = tensor<1x32xf16>, zin.name = "y"}, tensor<1x1x1x1x32xf16> {zin.host_type = tensor<1x32xf16>, zin.name = "v"}) {
  %w = zin.constant dense<0.5> : tensor<1x1x1x64x2048xf16>
  %b = zin.constant dense<[[[[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]]]]]> : tensor<1x1x1x1x64xf16>
  %a = zin.matmul %x, %w bias %b : (tensor<1x1x1x1x2048xf16>, tensor<1x1x1x64x2048xf16>, tensor<1x1x1x1x64xf16>) -> tensor<1x1x1x1x64xf16>
  %h = zin.input_view %a from [0, 0, 0, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x1x1x64xf16>) -> tensor<1x1x1x1x32xf16>
  %n = zin.input_view %a from [0, 0, 0, 0, 32] by [1, 1, 1, 1, 1] : (tensor<1x1x1x1x64xf16>) -> tensor<1x1x1x1x32xf16>
  %m = zin.elementwise <Mult> %h, %n : (tensor<1x1x1x1x32xf16>, tensor<1x1x1x1x32xf16>) -> tensor<1x1x1x1x32xf16>
  %r = zin.reduction <Sum> %m over [4] : (tensor<1x1x1x1x32xf16>) -> tensor<1x1x1x1x1xf16>
  %s = zin.elementwise <Mult> %z, %r : (tensor<1x1x1x1x2048xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x1x1x2048xf16>
  %c = zin.matmul %s, %w bias %b : (tensor<1x1x1x1x2048xf16>, tensor<1x1x1x64x2048xf16>, tensor<1x1x1x1x64xf16>) -> tensor<1x1x1x1x64xf16>
  %k = zin.input_view %c from [0, 0, 0, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x1x1x64xf16>) -> tensor<1x1x1x1x32xf16>
  %o = zin.input_view %c from [0, 0, 0, 0, 32] by [1, 1, 1, 1, 1] : (tensor<1x1x1x1x64xf16>) -> tensor<1x1x1x1x32xf16>
  zin.return %k, %o : tensor<1x1x1x1x32xf16>, tensor<1x1x1x1x32xf16>
}

// -----

// The product of the input takes over the bias that the product of the state
// has at each step.

// CHECK-LABEL: zin.procedure @moved
// CHECK:      zin.constant dense<2.{{.*}}> : tensor<1x1x1x1x256xf16>
// CHECK-NEXT: %[[BOTH:.*]] = zin.constant {{.*}} : tensor<1x1x1x1x256xf16>
// CHECK-NEXT: zin.matmul %{{.*}}, %{{.*}} bias %[[BOTH]] :
// CHECK:      %[[A:.*]] = zin.matmul %{{.*}}, %{{.*}} {outputs_on_rows}
// CHECK:      zin.elementwise <Add> %{{.*}}, %[[A]]
// CHECK:      %[[C:.*]] = zin.matmul %{{.*}}, %{{.*}} {outputs_on_rows}
// CHECK-NEXT: %[[S:.*]] = zin.elementwise <Add> %[[C]], %{{.*}}
// CHECK-NEXT: zin.return %[[S]]
zin.procedure @moved(%x: tensor<1x1x1x2x64xf16> {zin.host_type = tensor<2x64xf16>, zin.name = "x"}, %h: tensor<1x1x1x1x256xf16> {zin.host_type = tensor<1x256xf16>, zin.name = "h"}) -> (tensor<1x1x1x1x256xf16> {zin.host_type = tensor<1x256xf16>, zin.name = "y"}) {
  %wi = zin.constant dense<0.25> : tensor<1x1x1x256x64xf16>
  %bi = zin.constant dense<2.0> : tensor<1x1x1x1x256xf16>
  %p = zin.matmul %x, %wi bias %bi : (tensor<1x1x1x2x64xf16>, tensor<1x1x1x256x64xf16>, tensor<1x1x1x1x256xf16>) -> tensor<1x1x1x2x256xf16>
  %p0 = zin.input_view %p from [0, 0, 0, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x1x2x256xf16>) -> tensor<1x1x1x1x256xf16>
  %p1 = zin.input_view %p from [0, 0, 0, 1, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x1x2x256xf16>) -> tensor<1x1x1x1x256xf16>
  %w = zin.constant dense<0.5> : tensor<1x1x1x256x256xf16>
  %b = zin.constant dense<1.0> : tensor<1x1x1x1x256xf16>
  %a = zin.matmul %h, %w bias %b : (tensor<1x1x1x1x256xf16>, tensor<1x1x1x256x256xf16>, tensor<1x1x1x1x256xf16>) -> tensor<1x1x1x1x256xf16>
  %s0 = zin.elementwise <Add> %p0, %a : (tensor<1x1x1x1x256xf16>, tensor<1x1x1x1x256xf16>) -> tensor<1x1x1x1x256xf16>
  %h1 = zin.neuron <tanh> %s0 : tensor<1x1x1x1x256xf16>
  %c = zin.matmul %h1, %w bias %b : (tensor<1x1x1x1x256xf16>, tensor<1x1x1x256x256xf16>, tensor<1x1x1x1x256xf16>) -> tensor<1x1x1x1x256xf16>
  %s1 = zin.elementwise <Add> %c, %p1 : (tensor<1x1x1x1x256xf16>, tensor<1x1x1x1x256xf16>) -> tensor<1x1x1x1x256xf16>
  zin.return %s1 : tensor<1x1x1x1x256xf16>
}

// -----

// Read as kernels: coefficients that are 0 in an operand, one product, products
// of many rows, which take as long as the coefficients, and kernels for each
// matrix of a batch.

// CHECK-LABEL: zin.procedure @others
// CHECK-NOT: outputs_on_rows
zin.procedure @others(%x: tensor<1x1x1x2x256xf16> {zin.host_type = tensor<2x256xf16>, zin.name = "x"}, %z: tensor<1x1x1x512x256xf16> {zin.host_type = tensor<512x256xf16>, zin.name = "z"}, %m: tensor<1x1x2x2x256xf16> {zin.host_type = tensor<2x2x256xf16>, zin.name = "m"}) -> (tensor<1x1x1x2x256xf16> {zin.host_type = tensor<2x256xf16>, zin.name = "a"}, tensor<1x1x1x2x256xf16> {zin.host_type = tensor<2x256xf16>, zin.name = "b"}, tensor<1x1x1x512x256xf16> {zin.host_type = tensor<512x256xf16>, zin.name = "c"}, tensor<1x1x2x2x256xf16> {zin.host_type = tensor<2x2x256xf16>, zin.name = "d"}) {
  %tiny = zin.constant dense<0.00003> : tensor<1x1x1x256x256xf16>
  %once = zin.constant dense<0.5> : tensor<1x1x1x256x256xf16>
  %many = zin.constant dense<0.25> : tensor<1x1x1x256x256xf16>
  %each = zin.constant dense<0.25> : tensor<1x1x2x256x256xf16>
  %a0 = zin.matmul %x, %tiny : (tensor<1x1x1x2x256xf16>, tensor<1x1x1x256x256xf16>) -> tensor<1x1x1x2x256xf16>
  %a = zin.matmul %a0, %tiny : (tensor<1x1x1x2x256xf16>, tensor<1x1x1x256x256xf16>) -> tensor<1x1x1x2x256xf16>
  %b = zin.matmul %x, %once : (tensor<1x1x1x2x256xf16>, tensor<1x1x1x256x256xf16>) -> tensor<1x1x1x2x256xf16>
  %c0 = zin.matmul %z, %many : (tensor<1x1x1x512x256xf16>, tensor<1x1x1x256x256xf16>) -> tensor<1x1x1x512x256xf16>
  %c = zin.matmul %c0, %many : (tensor<1x1x1x512x256xf16>, tensor<1x1x1x256x256xf16>) -> tensor<1x1x1x512x256xf16>
  %d0 = zin.matmul %m, %each : (tensor<1x1x2x2x256xf16>, tensor<1x1x2x256x256xf16>) -> tensor<1x1x2x2x256xf16>
  %d = zin.matmul %d0, %each : (tensor<1x1x2x2x256xf16>, tensor<1x1x2x256x256xf16>) -> tensor<1x1x2x2x256xf16>
  zin.return %a, %b, %c, %d : tensor<1x1x1x2x256xf16>, tensor<1x1x1x2x256xf16>, tensor<1x1x1x512x256xf16>, tensor<1x1x2x2x256xf16>
}
