// RUN: ane-opt %s --zin-split-layers --split-input-file | FileCheck %s

// A window needs rows beside those of its block, which the layers in front
// compute for both blocks. Only the first block has padding above.

// CHECK-LABEL: zin.procedure @window
// CHECK: %[[X0:.*]] = zin.input_view %arg0 from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x16x53x256xf16>
// CHECK: %[[C0:.*]] = zin.concat %[[X0]] along 0
// CHECK: zin.reduction <Avg> %[[C0]] over [2] : {{.*}} -> tensor<1x1x1x53x256xf16>
// CHECK: zin.conv {{.*}} padding = array<i64: 1, 1>, {{.*}} : (tensor<1x1x16x53x256xf16>, {{.*}} -> tensor<1x1x16x52x256xf16>
// CHECK: %[[X1:.*]] = zin.input_view %arg0 from [0, 0, 0, 51, 0] {{.*}} -> tensor<1x1x16x54x256xf16>
// CHECK: zin.conv {{.*}} padding = array<i64: 0, 1>, {{.*}} : (tensor<1x1x16x54x256xf16>, {{.*}} -> tensor<1x1x16x52x256xf16>
// CHECK: zin.conv {{.*}} padding = array<i64: 0, 1>, {{.*}} : (tensor<1x1x16x49x256xf16>, {{.*}} -> tensor<1x1x16x48x256xf16>
// CHECK-NEXT: zin.concat {{.*}} along 3 : {{.*}} -> tensor<1x1x16x256x256xf16>
zin.procedure @window(%x: tensor<1x1x16x256x256xf16> {zin.host_type = tensor<16x256x256xf16>, zin.name = "x"}) -> (tensor<1x1x16x256x256xf16> {zin.host_type = tensor<16x256x256xf16>, zin.name = "y"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<16x1x1x3x3xf16>
  %0 = zin.reduction <Avg> %x over [2] : (tensor<1x1x16x256x256xf16>) -> tensor<1x1x1x256x256xf16>
  %1 = zin.elementwise <Sub> %x, %0 : (tensor<1x1x16x256x256xf16>, tensor<1x1x1x256x256xf16>) -> tensor<1x1x16x256x256xf16>
  %2 = zin.conv %1, %k {dilations = array<i64: 1, 1>, groups = 16 : i64, padding = array<i64: 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x1x16x256x256xf16>, tensor<16x1x1x3x3xf16>) -> tensor<1x1x16x256x256xf16>
  zin.return %2 : tensor<1x1x16x256x256xf16>
}

// -----

// A group of four channels in front of a reshape and behind another one.

// CHECK-LABEL: zin.procedure @groups
// CHECK: %[[G:.*]] = zin.reshape %arg0
// CHECK: %[[V:.*]] = zin.input_view %[[G]] from [0, 1, 0, 0, 0] {{.*}} -> tensor<1x1x4x128x256xf16>
// CHECK: %[[X:.*]] = zin.concat %[[V]] along 0
// CHECK: %[[M:.*]] = zin.reduction <Avg> %[[X]] over [2, 3, 4]
// CHECK: %[[D:.*]] = zin.elementwise <Sub> %[[X]], %[[M]]
// CHECK: %[[K:.*]] = zin.constant {{.*}} : tensor<4x1x1x1x1xf16>
// CHECK: zin.conv %{{.*}}, %[[K]] {{.*}}groups = 4 : i64{{.*}} -> tensor<1x1x4x128x256xf16>
// CHECK: zin.concat {{.*}} along 2 : {{.*}} -> tensor<1x1x32x128x256xf16>
zin.procedure @groups(%x: tensor<1x1x32x128x256xf16> {zin.host_type = tensor<32x128x256xf16>, zin.name = "x"}) -> (tensor<1x1x32x128x256xf16> {zin.host_type = tensor<32x128x256xf16>, zin.name = "y"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<32x1x1x1x1xf16>
  %0 = zin.reshape %x : (tensor<1x1x32x128x256xf16>) -> tensor<1x8x4x128x256xf16>
  %1 = zin.reduction <Avg> %0 over [2, 3, 4] : (tensor<1x8x4x128x256xf16>) -> tensor<1x8x1x1x1xf16>
  %2 = zin.elementwise <Sub> %0, %1 : (tensor<1x8x4x128x256xf16>, tensor<1x8x1x1x1xf16>) -> tensor<1x8x4x128x256xf16>
  %3 = zin.reshape %2 : (tensor<1x8x4x128x256xf16>) -> tensor<1x1x32x128x256xf16>
  %4 = zin.conv %3, %k {dilations = array<i64: 1, 1>, groups = 32 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x32x128x256xf16>, tensor<32x1x1x1x1xf16>) -> tensor<1x1x32x128x256xf16>
  zin.return %4 : tensor<1x1x32x128x256xf16>
}

// -----

// Of rows of 256 KiB L2 has no room for eight: channels at a time, more than 64
// blocks if need be.

// CHECK-LABEL: zin.procedure @wide
// CHECK: zin.neuron <sigmoid> {{.*}} : tensor<1x1x8x64x256xf16>
// CHECK: zin.elementwise <Mult> {{.*}} -> tensor<1x1x8x64x256xf16>
// CHECK: zin.concat {{.*}} along 2 : {{.*}} -> tensor<1x1x512x64x256xf16>
zin.procedure @wide(%x: tensor<1x1x512x64x256xf16> {zin.host_type = tensor<512x64x256xf16>, zin.name = "x"}) -> (tensor<1x1x512x64x256xf16> {zin.host_type = tensor<512x64x256xf16>, zin.name = "y"}) {
  %0 = zin.neuron <sigmoid> %x : tensor<1x1x512x64x256xf16>
  %1 = zin.elementwise <Mult> %x, %0 : (tensor<1x1x512x64x256xf16>, tensor<1x1x512x64x256xf16>) -> tensor<1x1x512x64x256xf16>
  zin.return %1 : tensor<1x1x512x64x256xf16>
}

// -----

// What the layers in front of a barrier have computed those behind it read from
// outside: both have blocks.

// CHECK-LABEL: zin.procedure @behind
// CHECK: %[[S:.*]] = zin.softmax %arg0 over 2
// CHECK: zin.conv {{.*}} -> tensor<1x1x16x[[ROWS:[0-9]+]]x256xf16>
// CHECK: %[[Z:.*]] = zin.concat {{.*}} along 3 : {{.*}} -> tensor<1x1x16x256x256xf16>
// CHECK-NEXT: zin.reduction <Avg> %[[Z]] over [2, 3, 4]
// CHECK: zin.input_view %[[S]]
// CHECK: zin.reduction <Avg> {{.*}} over [2] : (tensor<1x1x16x256x[[MORE:[0-9]+]]xf16>)
// CHECK: zin.elementwise <Sub> {{.*}} -> tensor<1x1x16x256x[[MORE]]xf16>
zin.procedure @behind(%x: tensor<1x1x16x256x256xf16> {zin.host_type = tensor<16x256x256xf16>, zin.name = "x"}) -> (tensor<1x1x16x256x256xf16> {zin.host_type = tensor<16x256x256xf16>, zin.name = "y"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<16x1x1x3x3xf16>
  %s = zin.softmax %x over 2 : tensor<1x1x16x256x256xf16>
  %0 = zin.reduction <Avg> %s over [2] : (tensor<1x1x16x256x256xf16>) -> tensor<1x1x1x256x256xf16>
  %1 = zin.elementwise <Sub> %s, %0 : (tensor<1x1x16x256x256xf16>, tensor<1x1x1x256x256xf16>) -> tensor<1x1x16x256x256xf16>
  %2 = zin.conv %1, %k {dilations = array<i64: 1, 1>, groups = 16 : i64, padding = array<i64: 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x1x16x256x256xf16>, tensor<16x1x1x3x3xf16>) -> tensor<1x1x16x256x256xf16>
  %3 = zin.reduction <Avg> %2 over [2, 3, 4] : (tensor<1x1x16x256x256xf16>) -> tensor<1x1x1x1x1xf16>
  %4 = zin.elementwise <Mult> %2, %3 : (tensor<1x1x16x256x256xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x16x256x256xf16>
  %5 = zin.elementwise <Add> %s, %4 : (tensor<1x1x16x256x256xf16>, tensor<1x1x16x256x256xf16>) -> tensor<1x1x16x256x256xf16>
  %6 = zin.reduction <Avg> %5 over [2] : (tensor<1x1x16x256x256xf16>) -> tensor<1x1x1x256x256xf16>
  %7 = zin.elementwise <Sub> %5, %6 : (tensor<1x1x16x256x256xf16>, tensor<1x1x1x256x256xf16>) -> tensor<1x1x16x256x256xf16>
  zin.return %7 : tensor<1x1x16x256x256xf16>
}

// -----

// Both convolutions need the same rows, which the first one leaves in L2: they are
// not copied.

// CHECK-LABEL: zin.procedure @alike
// CHECK: %[[X0:.*]] = zin.input_view %arg0 from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x16x21x256xf16>
// CHECK-NEXT: zin.conv %[[X0]],
// CHECK-NEXT: zin.conv %[[X0]],
// CHECK: %[[X1:.*]] = zin.input_view %arg0 from [0, 0, 0, 19, 0] {{.*}} -> tensor<1x1x16x22x256xf16>
// CHECK-NEXT: zin.conv %[[X1]],
// CHECK-NEXT: zin.conv %[[X1]],
zin.procedure @alike(%x: tensor<1x1x16x256x256xf16> {zin.host_type = tensor<16x256x256xf16>, zin.name = "x"}) -> (tensor<1x1x16x256x256xf16> {zin.host_type = tensor<16x256x256xf16>, zin.name = "y"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<16x1x1x3x3xf16>
  %0 = zin.conv %x, %k {dilations = array<i64: 1, 1>, groups = 16 : i64, padding = array<i64: 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x1x16x256x256xf16>, tensor<16x1x1x3x3xf16>) -> tensor<1x1x16x256x256xf16>
  %1 = zin.conv %x, %k {dilations = array<i64: 1, 1>, groups = 16 : i64, padding = array<i64: 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x1x16x256x256xf16>, tensor<16x1x1x3x3xf16>) -> tensor<1x1x16x256x256xf16>
  %2 = zin.reduction <Avg> %0 over [2] : (tensor<1x1x16x256x256xf16>) -> tensor<1x1x1x256x256xf16>
  %3 = zin.elementwise <Sub> %1, %2 : (tensor<1x1x16x256x256xf16>, tensor<1x1x1x256x256xf16>) -> tensor<1x1x16x256x256xf16>
  zin.return %3 : tensor<1x1x16x256x256xf16>
}
