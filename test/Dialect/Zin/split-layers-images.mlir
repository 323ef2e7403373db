// RUN: ane-opt %s --zin-split-layers --split-input-file | FileCheck %s

// Three images of which L2 does not hold the layers of one: each goes through all
// of the layers, whose rows zin-tile-rows cuts then.

// CHECK-LABEL: zin.procedure @images
// CHECK:      %[[X:.*]] = zin.input_view %arg0 from [1, 0, 0, 0, 0] {{.*}} -> tensor<1x1x3x224x224xf16>
// CHECK-NEXT: %[[A:.*]] = zin.conv %[[X]], %{{.*}} -> tensor<1x1x64x112x112xf16>
// CHECK-NEXT: %[[P:.*]] = zin.pool {{.*}} %[[A]] {{.*}} -> tensor<1x1x64x56x56xf16>
// CHECK-NEXT: zin.input_view %arg0 from [2, 0, 0, 0, 0]
// CHECK:      zin.concat %{{.*}}, %[[P]], %{{.*}} along 0 : {{.*}} -> tensor<3x1x64x56x56xf16>
zin.procedure @images(%x: tensor<3x1x3x224x224xf16> {zin.host_type = tensor<3x3x224x224xf16>, zin.name = "x"}) -> (tensor<3x1x64x56x56xf16> {zin.host_type = tensor<3x64x56x56xf16>, zin.name = "y"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<64x1x3x7x7xf16>
  %0 = zin.conv %x, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 3, 3>, strides = array<i64: 2, 2>} : (tensor<3x1x3x224x224xf16>, tensor<64x1x3x7x7xf16>) -> tensor<3x1x64x112x112xf16>
  %1 = zin.pool <Max> %0 {padding = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>, window = array<i64: 3, 3>} : (tensor<3x1x64x112x112xf16>) -> tensor<3x1x64x56x56xf16>
  zin.return %1 : tensor<3x1x64x56x56xf16>
}

// -----

// Coefficients of 8 MiB would come again for each image, which is more than the
// values are.

// CHECK-LABEL: zin.procedure @coefficients
// CHECK-NOT: zin.input_view
zin.procedure @coefficients(%x: tensor<3x1x512x28x28xf16> {zin.host_type = tensor<3x512x28x28xf16>, zin.name = "x"}) -> (tensor<3x1x512x28x28xf16> {zin.host_type = tensor<3x512x28x28xf16>, zin.name = "y"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<512x1x512x3x3xf16>
  %0 = zin.conv %x, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 1, 1>, strides = array<i64: 1, 1>} : (tensor<3x1x512x28x28xf16>, tensor<512x1x512x3x3xf16>) -> tensor<3x1x512x28x28xf16>
  %1 = zin.conv %0, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 1, 1>, strides = array<i64: 1, 1>} : (tensor<3x1x512x28x28xf16>, tensor<512x1x512x3x3xf16>) -> tensor<3x1x512x28x28xf16>
  zin.return %1 : tensor<3x1x512x28x28xf16>
}

// -----

// Of two norms of groups, each with a convolution behind it, groups at a time save
// more than images, which L2 does not hold: means need all of them.

// CHECK-LABEL: zin.procedure @norms
// CHECK: zin.reduction <Avg> {{.*}} over [2, 3, 4] : (tensor<2x1x10x64x64xf16>) -> tensor<2x1x1x1x1xf16>
// CHECK: zin.conv {{.*}} -> tensor<2x1x320x64x64xf16>
// CHECK: zin.reduction <Avg> {{.*}} over [2, 3, 4] : (tensor<2x1x10x64x64xf16>) -> tensor<2x1x1x1x1xf16>
zin.procedure @norms(%x: tensor<2x1x320x64x64xf16> {zin.host_type = tensor<2x320x64x64xf16>, zin.name = "x"}) -> (tensor<2x1x320x64x64xf16> {zin.host_type = tensor<2x320x64x64xf16>, zin.name = "y"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<320x1x320x3x3xf16>
  %0 = zin.reshape %x : (tensor<2x1x320x64x64xf16>) -> tensor<2x32x10x64x64xf16>
  %1 = zin.reduction <Avg> %0 over [2, 3, 4] : (tensor<2x32x10x64x64xf16>) -> tensor<2x32x1x1x1xf16>
  %2 = zin.elementwise <Sub> %0, %1 : (tensor<2x32x10x64x64xf16>, tensor<2x32x1x1x1xf16>) -> tensor<2x32x10x64x64xf16>
  %3 = zin.reduction <Max> %2 over [2, 3, 4] : (tensor<2x32x10x64x64xf16>) -> tensor<2x32x1x1x1xf16>
  %4 = zin.elementwise <Mult> %2, %3 : (tensor<2x32x10x64x64xf16>, tensor<2x32x1x1x1xf16>) -> tensor<2x32x10x64x64xf16>
  %5 = zin.reshape %4 : (tensor<2x32x10x64x64xf16>) -> tensor<2x1x320x64x64xf16>
  %6 = zin.neuron <sigmoid> %5 : tensor<2x1x320x64x64xf16>
  %7 = zin.elementwise <Mult> %5, %6 : (tensor<2x1x320x64x64xf16>, tensor<2x1x320x64x64xf16>) -> tensor<2x1x320x64x64xf16>
  %8 = zin.conv %7, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 1, 1>, strides = array<i64: 1, 1>} : (tensor<2x1x320x64x64xf16>, tensor<320x1x320x3x3xf16>) -> tensor<2x1x320x64x64xf16>
  %9 = zin.reshape %8 : (tensor<2x1x320x64x64xf16>) -> tensor<2x32x10x64x64xf16>
  %10 = zin.reduction <Avg> %9 over [2, 3, 4] : (tensor<2x32x10x64x64xf16>) -> tensor<2x32x1x1x1xf16>
  %11 = zin.elementwise <Sub> %9, %10 : (tensor<2x32x10x64x64xf16>, tensor<2x32x1x1x1xf16>) -> tensor<2x32x10x64x64xf16>
  %12 = zin.reduction <Max> %11 over [2, 3, 4] : (tensor<2x32x10x64x64xf16>) -> tensor<2x32x1x1x1xf16>
  %13 = zin.elementwise <Mult> %11, %12 : (tensor<2x32x10x64x64xf16>, tensor<2x32x1x1x1xf16>) -> tensor<2x32x10x64x64xf16>
  %14 = zin.reshape %13 : (tensor<2x32x10x64x64xf16>) -> tensor<2x1x320x64x64xf16>
  %15 = zin.neuron <sigmoid> %14 : tensor<2x1x320x64x64xf16>
  %16 = zin.elementwise <Mult> %14, %15 : (tensor<2x1x320x64x64xf16>, tensor<2x1x320x64x64xf16>) -> tensor<2x1x320x64x64xf16>
  %17 = zin.conv %16, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 1, 1>, strides = array<i64: 1, 1>} : (tensor<2x1x320x64x64xf16>, tensor<320x1x320x3x3xf16>) -> tensor<2x1x320x64x64xf16>
  %18 = zin.elementwise <Add> %17, %x : (tensor<2x1x320x64x64xf16>, tensor<2x1x320x64x64xf16>) -> tensor<2x1x320x64x64xf16>
  zin.return %18 : tensor<2x1x320x64x64xf16>
}

// -----

// What L2 has no room for of an image is not copied to it for its two readers.

// CHECK-LABEL: zin.procedure @twice
// CHECK:     %[[X:.*]] = zin.input_view %arg0 from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x96x96x128xf16>
// CHECK-NOT: zin.concat %[[X]] along
// CHECK:     %[[S:.*]] = zin.reduction <Sum> %[[X]] over [2]
// CHECK:     zin.elementwise <Mult> %[[X]], %[[S]]
zin.procedure @twice(%x: tensor<2x1x96x96x128xf16> {zin.host_type = tensor<2x96x96x128xf16>, zin.name = "x"}) -> (tensor<2x1x96x96x128xf16> {zin.host_type = tensor<2x96x96x128xf16>, zin.name = "y"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<96x1x96x1x1xf16>
  %0 = zin.reduction <Sum> %x over [2] : (tensor<2x1x96x96x128xf16>) -> tensor<2x1x1x96x128xf16>
  %1 = zin.elementwise <Mult> %x, %0 : (tensor<2x1x96x96x128xf16>, tensor<2x1x1x96x128xf16>) -> tensor<2x1x96x96x128xf16>
  %2 = zin.conv %1, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x1x96x96x128xf16>, tensor<96x1x96x1x1xf16>) -> tensor<2x1x96x96x128xf16>
  zin.return %2 : tensor<2x1x96x96x128xf16>
}

// -----

// A softmax along rows is computed at once, so that all of an image goes to memory
// behind it, and comes to it twice. Nothing is saved by images.

// CHECK-LABEL: zin.procedure @moved
// CHECK-NOT: zin.input_view
zin.procedure @moved(%x: tensor<2x1x64x128x64xf16> {zin.host_type = tensor<2x64x128x64xf16>, zin.name = "x"}) -> (tensor<2x1x64x128x64xf16> {zin.host_type = tensor<2x64x128x64xf16>, zin.name = "y"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<64x1x64x3x3xf16>
  %0 = zin.softmax %x over 3 : tensor<2x1x64x128x64xf16>
  %1 = zin.conv %0, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 1, 1>, strides = array<i64: 1, 1>} : (tensor<2x1x64x128x64xf16>, tensor<64x1x64x3x3xf16>) -> tensor<2x1x64x128x64xf16>
  zin.return %1 : tensor<2x1x64x128x64xf16>
}

// -----

// Three blocks of an image, each of half of L2, read the coefficients three times.
// They come less often where blocks have rows of all images.

// CHECK-LABEL: zin.procedure @again
// CHECK: zin.input_view %arg0 {{.*}} -> tensor<3x1x256x
// CHECK-NOT: tensor<1x1x256x96x64xf16>
zin.procedure @again(%x: tensor<3x1x256x96x64xf16> {zin.host_type = tensor<3x256x96x64xf16>, zin.name = "x"}) -> (tensor<3x1x256x96x64xf16> {zin.host_type = tensor<3x256x96x64xf16>, zin.name = "y"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<256x1x256x3x3xf16>
  %0 = zin.neuron <sigmoid> %x : tensor<3x1x256x96x64xf16>
  %1 = zin.conv %0, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 1, 1>, strides = array<i64: 1, 1>} : (tensor<3x1x256x96x64xf16>, tensor<256x1x256x3x3xf16>) -> tensor<3x1x256x96x64xf16>
  zin.return %1 : tensor<3x1x256x96x64xf16>
}
