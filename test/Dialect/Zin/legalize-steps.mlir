// RUN: ane-opt %s --zin-legalize --split-input-file | FileCheck %s

// Every second row is a view. Columns are turned to be channels, of which every
// second is a view as well, and turned back. A task has the other half of the
// strides. Zeros around rows are those of each phase.

// CHECK-LABEL: zin.procedure @image
// CHECK: %[[ODD:.*]] = zin.input_view %arg0 from [0, 0, 0, 1, 0] by [1, 1, 1, 2, 1] {{.*}} -> tensor<1x1x64x30x60xf16>
// CHECK: %[[FIRST:.*]] = zin.concat %{{.*}}, %[[ODD]] along 3 {{.*}} -> tensor<1x1x64x32x60xf16>
// CHECK: zin.input_view %arg0 from [0, 0, 0, 0, 0] by [1, 1, 1, 2, 1]
// CHECK: %[[ROWS:.*]] = zin.concat %[[FIRST]], {{.*}} along 2 {{.*}} -> tensor<1x1x128x32x60xf16>
// CHECK: %[[TURNED:.*]] = zin.transpose %[[ROWS]] to [0, 1, 4, 3, 2]
// CHECK: %[[PADDED:.*]] = zin.concat %{{.*}}, %[[TURNED]], %{{.*}} along 2 {{.*}} -> tensor<1x1x64x32x128xf16>
// CHECK: %[[PHASE:.*]] = zin.input_view %[[PADDED]] from [0, 0, 1, 0, 0] by [1, 1, 2, 1, 1] {{.*}} -> tensor<1x1x32x32x128xf16>
// CHECK: zin.transpose %[[PHASE]] to [0, 1, 4, 3, 2]
// CHECK: %[[ALL:.*]] = zin.concat {{.*}} along 2 {{.*}} -> tensor<1x1x256x32x32xf16>
// CHECK: zin.conv %[[ALL]], {{.*}} padding = array<i64: 0, 0>, strides = array<i64: 2, 2>} : (tensor<1x1x256x32x32xf16>, tensor<256x1x256x4x4xf16>)
// CHECK-NOT: zin.conv
// CHECK-NOT: zin.conv
zin.procedure @image(%x: tensor<1x1x64x60x60xf16> {zin.host_type = tensor<1x64x60x60xf16>, zin.name = "x"}) -> (tensor<1x1x256x15x15xf16> {zin.host_type = tensor<1x256x15x15xf16>, zin.name = "y"}) {
  %w = zin.constant dense<2.0> : tensor<256x1x64x7x7xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 3, 3>, strides = array<i64: 4, 4>} : (tensor<1x1x64x60x60xf16>, tensor<256x1x64x7x7xf16>) -> tensor<1x1x256x15x15xf16>
  zin.return %y : tensor<1x1x256x15x15xf16>
}

// -----

// A task has a part of the stride: frames are of 5 elements.

// CHECK-LABEL: zin.procedure @part
// CHECK-COUNT-5: zin.input_view {{.*}} by [1, 1, 5, 1, 1]
// CHECK: zin.conv {{.*}} strides = array<i64: 1, 2>} : (tensor<1x1x640x1x400xf16>, tensor<256x1x640x1x2xf16>) -> tensor<1x1x256x1x200xf16>
zin.procedure @part(%x: tensor<1x1x128x1x2000xf16> {zin.host_type = tensor<1x128x1x2000xf16>, zin.name = "x"}) -> (tensor<1x1x256x1x200xf16> {zin.host_type = tensor<1x256x1x200xf16>, zin.name = "y"}) {
  %w = zin.constant dense<2.0> : tensor<256x1x128x1x10xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 10>} : (tensor<1x1x128x1x2000xf16>, tensor<256x1x128x1x10xf16>) -> tensor<1x1x256x1x200xf16>
  zin.return %y : tensor<1x1x256x1x200xf16>
}

// -----

// No window sees the last element of a step.

// CHECK-LABEL: zin.procedure @few
// CHECK-COUNT-3: zin.input_view {{.*}} by [1, 1, 4, 1, 1]
// CHECK: zin.conv {{.*}} (tensor<1x1x240x1x750xf16>, tensor<384x1x240x1x1xf16>) -> tensor<1x1x384x1x750xf16>
zin.procedure @few(%x: tensor<1x1x80x1x3000xf16> {zin.host_type = tensor<1x80x1x3000xf16>, zin.name = "x"}) -> (tensor<1x1x384x1x750xf16> {zin.host_type = tensor<1x384x1x750xf16>, zin.name = "y"}) {
  %w = zin.constant dense<2.0> : tensor<384x1x80x1x3xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 1>, strides = array<i64: 1, 4>} : (tensor<1x1x80x1x3000xf16>, tensor<384x1x80x1x3xf16>) -> tensor<1x1x384x1x750xf16>
  zin.return %y : tensor<1x1x384x1x750xf16>
}

// -----

// Taps that are whole frames apart have one phase, others that are apart two.

// CHECK-LABEL: zin.procedure @dilated
// CHECK: zin.input_view %arg0 from [0, 0, 0, 0, 0] by [1, 1, 1, 4, 1]
// CHECK-COUNT-1: zin.input_view {{.*}} by [1, 1, 2, 1, 1]
// CHECK: zin.conv {{.*}} strides = array<i64: 1, 2>} : (tensor<1x1x64x16x31xf16>, tensor<128x1x64x3x3xf16>)
zin.procedure @dilated(%x: tensor<1x1x64x64x64xf16> {zin.host_type = tensor<1x64x64x64xf16>, zin.name = "x"}) -> (tensor<1x1x128x14x15xf16> {zin.host_type = tensor<1x128x14x15xf16>, zin.name = "y"}) {
  %w = zin.constant dense<2.0> : tensor<128x1x64x3x3xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 4, 2>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 4, 4>} : (tensor<1x1x64x64x64xf16>, tensor<128x1x64x3x3xf16>) -> tensor<1x1x128x14x15xf16>
  zin.return %y : tensor<1x1x128x14x15xf16>
}

// -----

// Channels of a group stay together.

// CHECK-LABEL: zin.procedure @groups
// CHECK: zin.reshape %arg0 {{.*}} -> tensor<1x2x32x60x60xf16>
// CHECK: %[[PHASES:.*]] = zin.concat {{.*}} along 2 {{.*}} -> tensor<1x2x800x12x12xf16>
// CHECK: %[[ALL:.*]] = zin.reshape %[[PHASES]] {{.*}} -> tensor<1x1x1600x12x12xf16>
// CHECK: zin.conv %[[ALL]], {{.*}}groups = 2 {{.*}}tensor<256x1x800x1x1xf16>
zin.procedure @groups(%x: tensor<1x1x64x60x60xf16> {zin.host_type = tensor<1x64x60x60xf16>, zin.name = "x"}) -> (tensor<1x1x256x12x12xf16> {zin.host_type = tensor<1x256x12x12xf16>, zin.name = "y"}) {
  %w = zin.constant dense<2.0> : tensor<256x1x32x5x5xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 2 : i64, padding = array<i64: 0, 0>, strides = array<i64: 5, 5>} : (tensor<1x1x64x60x60xf16>, tensor<256x1x32x5x5xf16>) -> tensor<1x1x256x12x12xf16>
  zin.return %y : tensor<1x1x256x12x12xf16>
}

// -----

// Blocks of columns are convolved one by one. The activation is that of each.

// CHECK-LABEL: zin.procedure @blocks
// CHECK: %[[A:.*]] = zin.conv {{.*}} -> tensor<1x1x128x1x800xf16>
// CHECK: %[[B:.*]] = zin.neuron <relu> %[[A]]
// CHECK: %[[C:.*]] = zin.conv {{.*}} -> tensor<1x1x128x1x799xf16>
// CHECK: %[[D:.*]] = zin.neuron <relu> %[[C]]
// CHECK: zin.concat %[[B]], %[[D]] along 4
zin.procedure @blocks(%x: tensor<1x1x64x1x8000xf16> {zin.host_type = tensor<1x64x1x8000xf16>, zin.name = "x"}) -> (tensor<1x1x128x1x1599xf16> {zin.host_type = tensor<1x128x1x1599xf16>, zin.name = "y"}) {
  %w = zin.constant dense<2.0> : tensor<128x1x64x1x10xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 5>} : (tensor<1x1x64x1x8000xf16>, tensor<128x1x64x1x10xf16>) -> tensor<1x1x128x1x1599xf16>
  %z = zin.neuron <relu> %y : tensor<1x1x128x1x1599xf16>
  zin.return %z : tensor<1x1x128x1x1599xf16>
}

// -----

// Of a large kernel blocks of frames are joined, and it is read once.

// CHECK-LABEL: zin.procedure @joined
// CHECK: zin.concat {{.*}} along 4 {{.*}} -> tensor<1x1x1024x1x512xf16>
// CHECK: zin.conv {{.*}} (tensor<1x1x1024x1x512xf16>, tensor<512x1x1024x1x2xf16>) -> tensor<1x1x512x1x256xf16>
// CHECK-NOT: zin.conv
zin.procedure @joined(%x: tensor<1x1x512x1x1024xf16> {zin.host_type = tensor<1x512x1x1024xf16>, zin.name = "x"}) -> (tensor<1x1x512x1x256xf16> {zin.host_type = tensor<1x512x1x256xf16>, zin.name = "y"}) {
  %w = zin.constant dense<2.0> : tensor<512x1x512x1x4xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 4>} : (tensor<1x1x512x1x1024xf16>, tensor<512x1x512x1x4xf16>) -> tensor<1x1x512x1x256xf16>
  zin.return %y : tensor<1x1x512x1x256xf16>
}

// -----

// Kernels of single channels have few products: the windows are computed nearer
// to each other, and every n-th one is taken.

// CHECK-LABEL: zin.procedure @channelwise
// CHECK: zin.conv %arg0, {{.*}} strides = array<i64: 2, 2>} {{.*}} -> tensor<1x1x64x25x25xf16>
// CHECK-NEXT: zin.input_view {{.*}} by [1, 1, 1, 4, 4]
zin.procedure @channelwise(%x: tensor<1x1x64x56x56xf16> {zin.host_type = tensor<1x64x56x56xf16>, zin.name = "x"}) -> (tensor<1x1x64x7x7xf16> {zin.host_type = tensor<1x64x7x7xf16>, zin.name = "y"}) {
  %w = zin.constant dense<2.0> : tensor<64x1x1x8x8xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 64 : i64, padding = array<i64: 0, 0>, strides = array<i64: 8, 8>} : (tensor<1x1x64x56x56xf16>, tensor<64x1x1x8x8xf16>) -> tensor<1x1x64x7x7xf16>
  zin.return %y : tensor<1x1x64x7x7xf16>
}
