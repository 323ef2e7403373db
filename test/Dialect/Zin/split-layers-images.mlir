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
