// RUN: ane-opt %s --zin-part-products --split-input-file | FileCheck %s

// L2 holds half of the columns of 8192 numbers, and each half would read all
// coefficients. A bias is added once.

// CHECK-LABEL: zin.procedure @rows
// CHECK-SAME: (%[[X:[^:]*]]:
// CHECK-DAG:  %[[BIAS:.*]] = zin.constant {{.*}} : tensor<1x1x1x1x2048xf16>
// CHECK:      %[[X0:.*]] = zin.input_view %[[X]] from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x1x2752x128xf16>
// CHECK:      %[[W0:.*]] = zin.constant {{.*}} : tensor<1x1x1x2048x2752xf16>
// CHECK:      %[[Y0:.*]] = zin.matmul %[[X0]], %[[W0]] bias %[[BIAS]] {contract_rows}
// CHECK:      %[[X1:.*]] = zin.input_view %[[X]] from [0, 0, 0, 2752, 0]
// CHECK:      %[[Y1:.*]] = zin.matmul %[[X1]], %{{[^ ]*}} {contract_rows}
// CHECK:      %[[S1:.*]] = zin.elementwise <Add> %[[Y0]], %[[Y1]]
// CHECK:      %[[X2:.*]] = zin.input_view %[[X]] from [0, 0, 0, 5504, 0] {{.*}} -> tensor<1x1x1x2688x128xf16>
// CHECK:      %[[Y2:.*]] = zin.matmul %[[X2]]
// CHECK:      %[[S2:.*]] = zin.elementwise <Add> %[[S1]], %[[Y2]]
// CHECK-NEXT: zin.return %[[S2]]
zin.procedure @rows(%x: tensor<1x1x1x8192x128xf16> {zin.host_type = tensor<8192x128xf16>, zin.name = "x"}) -> (tensor<1x1x1x128x2048xf16> {zin.host_type = tensor<128x2048xf16>, zin.name = "y"}) {
  %w = zin.constant dense<0.5> : tensor<1x1x1x2048x8192xf16>
  %b = zin.constant dense<1.0> : tensor<1x1x1x1x2048xf16>
  %y = zin.matmul %x, %w bias %b {contract_rows} : (tensor<1x1x1x8192x128xf16>, tensor<1x1x1x2048x8192xf16>, tensor<1x1x1x1x2048xf16>) -> tensor<1x1x1x128x2048xf16>
  zin.return %y : tensor<1x1x1x128x2048xf16>
}

// -----

// A signal that is an image of 16 rows: tasks for some outputs each would read
// all of it.

// CHECK-LABEL: zin.procedure @signal
// CHECK-COUNT-3: zin.conv {{.*}} -> tensor<1x1x1024x8x32xf16>
// CHECK-NOT: zin.conv
zin.procedure @signal(%x: tensor<1x1x4096x1x256xf16> {zin.host_type = tensor<1x4096x1x256xf16>, zin.name = "x"}) -> (tensor<1x1x1024x8x32xf16> {zin.host_type = tensor<1x1024x8x32xf16>, zin.name = "y"}) {
  %w = zin.constant dense<0.5> : tensor<1024x1x4096x1x1xf16>
  %0 = zin.reshape %x : (tensor<1x1x4096x1x256xf16>) -> tensor<1x1x4096x8x32xf16>
  %y = zin.conv %0, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x4096x8x32xf16>, tensor<1024x1x4096x1x1xf16>) -> tensor<1x1x1024x8x32xf16>
  zin.return %y : tensor<1x1x1024x8x32xf16>
}

// -----

// Left alone: what L2 holds; few coefficients, which are sooner read again; an
// activation, which sums come before; an image, whose rows go through layers.

// CHECK-LABEL: zin.procedure @others
// CHECK-NOT: zin.input_view
zin.procedure @others(%x: tensor<1x1x1x4096x128xf16> {zin.host_type = tensor<4096x128xf16>, zin.name = "x"}, %z: tensor<1x1x1x8192x128xf16> {zin.host_type = tensor<8192x128xf16>, zin.name = "z"}, %i: tensor<1x1x4096x8x32xf16> {zin.host_type = tensor<1x4096x8x32xf16>, zin.name = "i"}) -> (tensor<1x1x1x128x2048xf16> {zin.host_type = tensor<128x2048xf16>, zin.name = "a"}, tensor<1x1x1x128x64xf16> {zin.host_type = tensor<128x64xf16>, zin.name = "b"}, tensor<1x1x1x128x2048xf16> {zin.host_type = tensor<128x2048xf16>, zin.name = "c"}, tensor<1x1x1024x8x32xf16> {zin.host_type = tensor<1x1024x8x32xf16>, zin.name = "d"}) {
  %w = zin.constant dense<0.5> : tensor<1x1x1x2048x4096xf16>
  %few = zin.constant dense<0.5> : tensor<1x1x1x64x8192xf16>
  %many = zin.constant dense<0.5> : tensor<1x1x1x2048x8192xf16>
  %v = zin.constant dense<0.5> : tensor<1024x1x4096x1x1xf16>
  %a = zin.matmul %x, %w {contract_rows} : (tensor<1x1x1x4096x128xf16>, tensor<1x1x1x2048x4096xf16>) -> tensor<1x1x1x128x2048xf16>
  %b = zin.matmul %z, %few {contract_rows} : (tensor<1x1x1x8192x128xf16>, tensor<1x1x1x64x8192xf16>) -> tensor<1x1x1x128x64xf16>
  %c = zin.matmul %z, %many {activation = #zin.neuron<relu>, contract_rows} : (tensor<1x1x1x8192x128xf16>, tensor<1x1x1x2048x8192xf16>) -> tensor<1x1x1x128x2048xf16>
  %d = zin.conv %i, %v {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x4096x8x32xf16>, tensor<1024x1x4096x1x1xf16>) -> tensor<1x1x1024x8x32xf16>
  zin.return %a, %b, %c, %d : tensor<1x1x1x128x2048xf16>, tensor<1x1x1x128x64xf16>, tensor<1x1x1x128x2048xf16>, tensor<1x1x1024x8x32xf16>
}
