// RUN: ane-opt %s --zin-fold-layout --split-input-file | FileCheck %s

// Windows of an image, each with rows of its own: those that begin at the same
// column within a row of memory are rows of one copy, with one step between
// columns as well. What begins with a row needs no copy.

// CHECK-LABEL: zin.procedure @windows
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<1x1x2x9x40xf16>
// CHECK: %[[A:.*]] = zin.input_view %[[X]] from [0, 0, 0, 0, 1] by [1, 1, 1, 1, 1] : (tensor<1x1x2x9x40xf16>) -> tensor<1x1x2x9x8xf16>
// CHECK-NEXT: %[[B:.*]] = zin.input_view %[[A]] from [0, 0, 0, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x2x9x8xf16>) -> tensor<1x1x2x8x8xf16>
// CHECK: %[[C:.*]] = zin.input_view %[[A]] from [0, 0, 0, 1, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x2x9x8xf16>) -> tensor<1x1x2x8x8xf16>
// CHECK: %[[D:.*]] = zin.input_view %[[X]] from [0, 0, 0, 0, 32]
// CHECK: %[[E:.*]] = zin.input_view %[[X]] from [0, 0, 0, 1, 32]
// CHECK: zin.return %[[B]], %[[C]], %[[D]], %[[E]]
zin.procedure @windows(%x: tensor<1x1x2x9x40xf16> {zin.host_type = tensor<2x9x40xf16>, zin.name = "x"}) -> (tensor<1x1x2x8x8xf16> {zin.host_type = tensor<2x8x8xf16>, zin.name = "a"}, tensor<1x1x2x8x8xf16> {zin.host_type = tensor<2x8x8xf16>, zin.name = "b"}, tensor<1x1x2x8x8xf16> {zin.host_type = tensor<2x8x8xf16>, zin.name = "c"}, tensor<1x1x2x8x8xf16> {zin.host_type = tensor<2x8x8xf16>, zin.name = "d"}) {
  %a = zin.input_view %x from [0, 0, 0, 0, 1] by [1, 1, 1, 1, 1] : (tensor<1x1x2x9x40xf16>) -> tensor<1x1x2x8x8xf16>
  %b = zin.input_view %x from [0, 0, 0, 1, 1] by [1, 1, 1, 1, 1] : (tensor<1x1x2x9x40xf16>) -> tensor<1x1x2x8x8xf16>
  %c = zin.input_view %x from [0, 0, 0, 0, 32] by [1, 1, 1, 1, 1] : (tensor<1x1x2x9x40xf16>) -> tensor<1x1x2x8x8xf16>
  %d = zin.input_view %x from [0, 0, 0, 1, 32] by [1, 1, 1, 1, 1] : (tensor<1x1x2x9x40xf16>) -> tensor<1x1x2x8x8xf16>
  zin.return %a, %b, %c, %d : tensor<1x1x2x8x8xf16>, tensor<1x1x2x8x8xf16>, tensor<1x1x2x8x8xf16>, tensor<1x1x2x8x8xf16>
}

// -----

// Views of a view are merged first. Columns that are some apart count too.

// CHECK-LABEL: zin.procedure @views
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<1x1x2x9x40xf16>
// CHECK: %[[A:.*]] = zin.input_view %[[X]] from [0, 0, 0, 1, 0] by [1, 1, 1, 1, 2] : (tensor<1x1x2x9x40xf16>) -> tensor<1x1x2x5x4xf16>
// CHECK-NEXT: %[[B:.*]] = zin.input_view %[[A]] from [0, 0, 0, 0, 0] by [1, 1, 1, 2, 1] : (tensor<1x1x2x5x4xf16>) -> tensor<1x1x2x3x4xf16>
// CHECK: %[[C:.*]] = zin.input_view %[[A]] from [0, 0, 0, 1, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x2x5x4xf16>) -> tensor<1x1x2x4x4xf16>
// CHECK: zin.return %[[B]], %[[C]]
zin.procedure @views(%x: tensor<1x1x2x9x40xf16> {zin.host_type = tensor<2x9x40xf16>, zin.name = "x"}) -> (tensor<1x1x2x3x4xf16> {zin.host_type = tensor<2x3x4xf16>, zin.name = "a"}, tensor<1x1x2x4x4xf16> {zin.host_type = tensor<2x4x4xf16>, zin.name = "b"}) {
  %0 = zin.input_view %x from [0, 0, 0, 0, 0] by [1, 1, 1, 1, 2] : (tensor<1x1x2x9x40xf16>) -> tensor<1x1x2x9x4xf16>
  %a = zin.input_view %0 from [0, 0, 0, 1, 0] by [1, 1, 1, 2, 1] : (tensor<1x1x2x9x4xf16>) -> tensor<1x1x2x3x4xf16>
  %b = zin.input_view %0 from [0, 0, 0, 2, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x2x9x4xf16>) -> tensor<1x1x2x4x4xf16>
  zin.return %a, %b : tensor<1x1x2x3x4xf16>, tensor<1x1x2x4x4xf16>
}

// -----

// Far from each other each has a copy of its own.

// CHECK-LABEL: zin.procedure @apart
// CHECK: zin.input_view %arg0 from [0, 0, 0, 0, 1]
// CHECK: zin.input_view %arg0 from [0, 0, 0, 6, 1]
zin.procedure @apart(%x: tensor<1x1x2x9x40xf16> {zin.host_type = tensor<2x9x40xf16>, zin.name = "x"}) -> (tensor<1x1x2x3x8xf16> {zin.host_type = tensor<2x3x8xf16>, zin.name = "a"}, tensor<1x1x2x3x8xf16> {zin.host_type = tensor<2x3x8xf16>, zin.name = "b"}) {
  %a = zin.input_view %x from [0, 0, 0, 0, 1] by [1, 1, 1, 1, 1] : (tensor<1x1x2x9x40xf16>) -> tensor<1x1x2x3x8xf16>
  %b = zin.input_view %x from [0, 0, 0, 6, 1] by [1, 1, 1, 1, 1] : (tensor<1x1x2x9x40xf16>) -> tensor<1x1x2x3x8xf16>
  zin.return %a, %b : tensor<1x1x2x3x8xf16>, tensor<1x1x2x3x8xf16>
}

// -----

// What is equal has one copy already.

// CHECK-LABEL: zin.procedure @equal
// CHECK-COUNT-2: zin.input_view %arg0 from [0, 0, 0, 0, 0] by [1, 1, 1, 3, 3]
zin.procedure @equal(%x: tensor<1x1x2x9x40xf16> {zin.host_type = tensor<2x9x40xf16>, zin.name = "x"}) -> (tensor<1x1x2x3x8xf16> {zin.host_type = tensor<2x3x8xf16>, zin.name = "a"}, tensor<1x1x2x3x8xf16> {zin.host_type = tensor<2x3x8xf16>, zin.name = "b"}, tensor<1x1x2x3x8xf16> {zin.host_type = tensor<2x3x8xf16>, zin.name = "c"}, tensor<1x1x2x3x8xf16> {zin.host_type = tensor<2x3x8xf16>, zin.name = "d"}) {
  %a = zin.input_view %x from [0, 0, 0, 0, 0] by [1, 1, 1, 3, 3] : (tensor<1x1x2x9x40xf16>) -> tensor<1x1x2x3x8xf16>
  %b = zin.input_view %x from [0, 0, 0, 0, 0] by [1, 1, 1, 3, 3] : (tensor<1x1x2x9x40xf16>) -> tensor<1x1x2x3x8xf16>
  %c = zin.input_view %x from [0, 0, 0, 0, 0] by [1, 1, 1, 3, 3] : (tensor<1x1x2x9x40xf16>) -> tensor<1x1x2x3x8xf16>
  %d = zin.input_view %x from [0, 0, 0, 0, 0] by [1, 1, 1, 3, 3] : (tensor<1x1x2x9x40xf16>) -> tensor<1x1x2x3x8xf16>
  zin.return %a, %b, %c, %d : tensor<1x1x2x3x8xf16>, tensor<1x1x2x3x8xf16>, tensor<1x1x2x3x8xf16>, tensor<1x1x2x3x8xf16>
}
