// RUN: ane-opt %s --zin-fold-layout --split-input-file | FileCheck %s

// Patches of an image, 2 x 2 pixels each, as reshapes and transposes make them:
// with the channels along columns they are rows in another order.

// CHECK-LABEL: zin.procedure @unfold
// CHECK-NEXT: %[[T:.*]] = zin.transpose %arg0 to [0, 1, 3, 4, 2] : (tensor<1x1x24x8x6xf16>) -> tensor<1x1x8x6x24xf16>
// CHECK-NEXT: %[[P:.*]] = zin.reshape %[[T]] : (tensor<1x1x8x6x24xf16>) -> tensor<4x2x3x2x24xf16>
// CHECK-NEXT: %[[M:.*]] = zin.transpose %[[P]] to [1, 3, 0, 2, 4] : (tensor<4x2x3x2x24xf16>) -> tensor<2x2x4x3x24xf16>
// CHECK-NEXT: %[[Y:.*]] = zin.reshape %[[M]] : (tensor<2x2x4x3x24xf16>) -> tensor<1x1x4x12x24xf16>
// CHECK-NEXT: zin.return %[[Y]]
zin.procedure @unfold(%x: tensor<1x1x24x8x6xf16> {zin.host_type = tensor<24x8x6xf16>, zin.name = "x"}) -> (tensor<1x1x4x12x24xf16> {zin.host_type = tensor<4x12x24xf16>, zin.name = "y"}) {
  %0 = zin.reshape %x : (tensor<1x1x24x8x6xf16>) -> tensor<96x1x2x3x2xf16>
  %1 = zin.transpose %0 to [0, 1, 3, 2, 4] : (tensor<96x1x2x3x2xf16>) -> tensor<96x1x3x2x2xf16>
  %2 = zin.reshape %1 : (tensor<96x1x3x2x2xf16>) -> tensor<1x1x24x12x4xf16>
  %y = zin.transpose %2 to [0, 1, 4, 3, 2] : (tensor<1x1x24x12x4xf16>) -> tensor<1x1x4x12x24xf16>
  zin.return %y : tensor<1x1x4x12x24xf16>
}

// -----

// And back.

// CHECK-LABEL: zin.procedure @fold
// CHECK-NEXT: %[[P:.*]] = zin.reshape %arg0 : (tensor<1x1x4x12x24xf16>) -> tensor<2x2x4x3x24xf16>
// CHECK-NEXT: %[[M:.*]] = zin.transpose %[[P]] to [2, 0, 3, 1, 4] : (tensor<2x2x4x3x24xf16>) -> tensor<4x2x3x2x24xf16>
// CHECK-NEXT: %[[R:.*]] = zin.reshape %[[M]] : (tensor<4x2x3x2x24xf16>) -> tensor<1x1x8x6x24xf16>
// CHECK-NEXT: %[[Y:.*]] = zin.transpose %[[R]] to [0, 1, 4, 2, 3] : (tensor<1x1x8x6x24xf16>) -> tensor<1x1x24x8x6xf16>
// CHECK-NEXT: zin.return %[[Y]]
zin.procedure @fold(%x: tensor<1x1x4x12x24xf16> {zin.host_type = tensor<4x12x24xf16>, zin.name = "x"}) -> (tensor<1x1x24x8x6xf16> {zin.host_type = tensor<24x8x6xf16>, zin.name = "y"}) {
  %0 = zin.transpose %x to [0, 1, 4, 3, 2] : (tensor<1x1x4x12x24xf16>) -> tensor<1x1x24x12x4xf16>
  %1 = zin.reshape %0 : (tensor<1x1x24x12x4xf16>) -> tensor<96x1x3x2x2xf16>
  %2 = zin.transpose %1 to [0, 1, 3, 2, 4] : (tensor<96x1x3x2x2xf16>) -> tensor<96x1x2x3x2xf16>
  %y = zin.reshape %2 : (tensor<96x1x2x3x2xf16>) -> tensor<1x1x24x8x6xf16>
  zin.return %y : tensor<1x1x24x8x6xf16>
}

// -----

// Pixels of an image as rows of channels are turned once.

// CHECK-LABEL: zin.procedure @pixels
// CHECK-NEXT: %[[T:.*]] = zin.transpose %arg0 to [0, 1, 3, 4, 2] : (tensor<1x1x24x8x6xf16>) -> tensor<1x1x8x6x24xf16>
// CHECK-NEXT: %[[Y:.*]] = zin.reshape %[[T]] : (tensor<1x1x8x6x24xf16>) -> tensor<1x1x1x48x24xf16>
// CHECK-NEXT: zin.return %[[Y]]
zin.procedure @pixels(%x: tensor<1x1x24x8x6xf16> {zin.host_type = tensor<24x8x6xf16>, zin.name = "x"}) -> (tensor<1x1x1x48x24xf16> {zin.host_type = tensor<48x24xf16>, zin.name = "y"}) {
  %0 = zin.reshape %x : (tensor<1x1x24x8x6xf16>) -> tensor<1x1x1x24x48xf16>
  %y = zin.transpose %0 to [0, 1, 2, 4, 3] : (tensor<1x1x1x24x48xf16>) -> tensor<1x1x1x48x24xf16>
  zin.return %y : tensor<1x1x1x48x24xf16>
}

// -----

// Few channels stay where they are, and so does what is cut at whole 64 bytes.

// CHECK-LABEL: zin.procedure @few
// CHECK: zin.reshape %arg0 : (tensor<1x1x3x8x6xf16>) -> tensor<1x1x1x3x48xf16>
zin.procedure @few(%x: tensor<1x1x3x8x6xf16> {zin.host_type = tensor<3x8x6xf16>, zin.name = "x"}) -> (tensor<1x1x1x48x3xf16> {zin.host_type = tensor<48x3xf16>, zin.name = "y"}) {
  %0 = zin.reshape %x : (tensor<1x1x3x8x6xf16>) -> tensor<1x1x1x3x48xf16>
  %y = zin.transpose %0 to [0, 1, 2, 4, 3] : (tensor<1x1x1x3x48xf16>) -> tensor<1x1x1x48x3xf16>
  zin.return %y : tensor<1x1x1x48x3xf16>
}

// -----

// CHECK-LABEL: zin.procedure @aligned
// CHECK: zin.reshape %arg0 : (tensor<1x1x24x8x32xf16>) -> tensor<1x1x1x24x256xf16>
zin.procedure @aligned(%x: tensor<1x1x24x8x32xf16> {zin.host_type = tensor<24x8x32xf16>, zin.name = "x"}) -> (tensor<1x1x1x256x24xf16> {zin.host_type = tensor<256x24xf16>, zin.name = "y"}) {
  %0 = zin.reshape %x : (tensor<1x1x24x8x32xf16>) -> tensor<1x1x1x24x256xf16>
  %y = zin.transpose %0 to [0, 1, 2, 4, 3] : (tensor<1x1x1x24x256xf16>) -> tensor<1x1x1x256x24xf16>
  zin.return %y : tensor<1x1x1x256x24xf16>
}

// -----

// A value that somebody else reads is there anyway.

// CHECK-LABEL: zin.procedure @read
// CHECK: %[[R:.*]] = zin.reshape %arg0 : (tensor<1x1x24x8x6xf16>) -> tensor<1x1x1x24x48xf16>
// CHECK: zin.transpose %[[R]] to [0, 1, 2, 4, 3]
zin.procedure @read(%x: tensor<1x1x24x8x6xf16> {zin.host_type = tensor<24x8x6xf16>, zin.name = "x"}) -> (tensor<1x1x1x48x24xf16> {zin.host_type = tensor<48x24xf16>, zin.name = "y"}, tensor<1x1x1x24x48xf16> {zin.host_type = tensor<24x48xf16>, zin.name = "z"}) {
  %0 = zin.reshape %x : (tensor<1x1x24x8x6xf16>) -> tensor<1x1x1x24x48xf16>
  %y = zin.transpose %0 to [0, 1, 2, 4, 3] : (tensor<1x1x1x24x48xf16>) -> tensor<1x1x1x48x24xf16>
  zin.return %y, %0 : tensor<1x1x1x48x24xf16>, tensor<1x1x1x24x48xf16>
}
