// RUN: ane-opt %s --zin-split-layers --split-input-file | FileCheck %s

// An image of twice as many columns and rows, of which eight rows of all channels
// take more than half of L2: 64 channels at a time, and what is left.

// CHECK-LABEL: zin.procedure @larger
// CHECK:      %[[X0:.*]] = zin.input_view %arg0 from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x64x32x128xf16>
// CHECK-NEXT: %[[W0:.*]] = zin.concat %[[X0]], %[[X0]] along 4 {interleave} : {{.*}} -> tensor<1x1x64x32x256xf16>
// CHECK-NEXT: %[[H0:.*]] = zin.concat %[[W0]], %[[W0]] along 3 {interleave} : {{.*}} -> tensor<1x1x64x64x256xf16>
// CHECK:      %[[X8:.*]] = zin.input_view %arg0 from [0, 0, 512, 0, 0] {{.*}} -> tensor<1x1x8x32x128xf16>
// CHECK-NEXT: %[[W8:.*]] = zin.concat %[[X8]], %[[X8]] along 4
// CHECK-NEXT: %[[H8:.*]] = zin.concat %[[W8]], %[[W8]] along 3
// CHECK-NEXT: zin.concat %[[H0]], {{.*}}, %[[H8]] along 2 : {{.*}} -> tensor<1x1x520x64x256xf16>
zin.procedure @larger(%x: tensor<1x1x520x32x128xf16> {zin.host_type = tensor<520x32x128xf16>, zin.name = "x"}) -> (tensor<1x1x520x64x256xf16> {zin.host_type = tensor<520x64x256xf16>, zin.name = "y"}) {
  %0 = zin.concat %x, %x along 4 {interleave} : (tensor<1x1x520x32x128xf16>, tensor<1x1x520x32x128xf16>) -> tensor<1x1x520x32x256xf16>
  %1 = zin.concat %0, %0 along 3 {interleave} : (tensor<1x1x520x32x256xf16>, tensor<1x1x520x32x256xf16>) -> tensor<1x1x520x64x256xf16>
  zin.return %1 : tensor<1x1x520x64x256xf16>
}

// -----

// There is room for eight rows of fewer channels.

// CHECK-LABEL: zin.procedure @fewer
// CHECK-NOT: zin.input_view
zin.procedure @fewer(%x: tensor<1x1x256x32x128xf16> {zin.host_type = tensor<256x32x128xf16>, zin.name = "x"}) -> (tensor<1x1x256x64x256xf16> {zin.host_type = tensor<256x64x256xf16>, zin.name = "y"}) {
  %0 = zin.concat %x, %x along 4 {interleave} : (tensor<1x1x256x32x128xf16>, tensor<1x1x256x32x128xf16>) -> tensor<1x1x256x32x256xf16>
  %1 = zin.concat %0, %0 along 3 {interleave} : (tensor<1x1x256x32x256xf16>, tensor<1x1x256x32x256xf16>) -> tensor<1x1x256x64x256xf16>
  zin.return %1 : tensor<1x1x256x64x256xf16>
}
