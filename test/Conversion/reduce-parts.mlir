// RUN: ane-opt %s --split-input-file --convert-zin-to-tasks | FileCheck %s

// Of rows that L2 does not hold turned some at a time, here a fifth.

// CHECK-LABEL: zin.program @rows {
// CHECK: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 3, 30, 1024], {{.*}}> writes <@scratch_0 + 0, [1, 1, 1024, 30, 3],
// CHECK-NEXT: zin.task <PEFUSED_POOL> on <PEPool> reads <@scratch_0 + 0, [30, 1, 1024, 1, 3], {{.*}}> writes <@output_0 + 0, [30, 1, 1, 1, 1024],
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 61440, [1, 1, 3, 30, 1024], {{.*}}> writes <@scratch_1 + 0, [1, 1, 1024, 30, 3],
// CHECK-NEXT: zin.task <PEFUSED_POOL> on <PEPool> reads <@scratch_1 + 0, [30, 1, 1024, 1, 3], {{.*}}> writes <@output_0 + 61440, [30, 1, 1, 1, 1024],
// CHECK-COUNT-6: zin.task
// CHECK-NOT: zin.task
zin.procedure @rows(%x: tensor<1x1x3x150x1024xf16> {zin.host_type = tensor<3x150x1024xf16>, zin.name = "x"}) -> (tensor<1x1x1x150x1024xf16> {zin.host_type = tensor<1x150x1024xf16>, zin.name = "y"}) {
  %y = zin.reduction <Sum> %x over [2] : (tensor<1x1x3x150x1024xf16>) -> tensor<1x1x1x150x1024xf16>
  zin.return %y : tensor<1x1x1x150x1024xf16>
}

// -----

// Beside a value of 1.5 MiB smaller ones.

// CHECK-LABEL: zin.program @beside {
// CHECK: zin.task <NEFUSED_BYPASS>
// CHECK: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_0 + 0, [1, 1, 12, 6, 1024], {{.*}}> writes <@scratch_1 + 0, [1, 1, 1024, 6, 12],
zin.procedure @beside(%x: tensor<1x1x12x64x1024xf16> {zin.host_type = tensor<12x64x1024xf16>, zin.name = "x"}) -> (tensor<1x1x1x64x1024xf16> {zin.host_type = tensor<1x64x1024xf16>, zin.name = "y"}) {
  %r = zin.neuron <relu> %x : tensor<1x1x12x64x1024xf16>
  %y = zin.reduction <Sum> %r over [2] : (tensor<1x1x12x64x1024xf16>) -> tensor<1x1x1x64x1024xf16>
  zin.return %y : tensor<1x1x1x64x1024xf16>
}

// -----

// Columns of one row, but not of one of a port.

// CHECK-LABEL: zin.program @columns {
// CHECK: zin.task <NEFUSED_BYPASS>
// CHECK-COUNT-3: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_0 + {{[0-9]+}}, [1, 1, 512, 1, 512], {{.*}}> writes <@scratch_{{[0-9]}} + 0, [1, 1, 512, 1, 512],
zin.procedure @columns(%x: tensor<1x1x512x1x1920xf16> {zin.host_type = tensor<512x1x1920xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x1920xf16> {zin.host_type = tensor<1x1x1920xf16>, zin.name = "y"}) {
  %r = zin.neuron <relu> %x : tensor<1x1x512x1x1920xf16>
  %y = zin.reduction <Sum> %r over [2] : (tensor<1x1x512x1x1920xf16>) -> tensor<1x1x1x1x1920xf16>
  zin.return %y : tensor<1x1x1x1x1920xf16>
}

// -----

// CHECK-LABEL: zin.program @port {
// CHECK: reads <@input_0 + 0, [1, 1, 352, 1, 2048], {{.*}}> writes <@scratch_0 + 0, [1, 1, 2048, 1, 352],
zin.procedure @port(%x: tensor<1x1x512x1x2048xf16> {zin.host_type = tensor<512x1x2048xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x2048xf16> {zin.host_type = tensor<1x1x2048xf16>, zin.name = "y"}) {
  %y = zin.reduction <Sum> %x over [2] : (tensor<1x1x512x1x2048xf16>) -> tensor<1x1x1x1x2048xf16>
  zin.return %y : tensor<1x1x1x1x2048xf16>
}

// -----

// Some rows of an image are turned where they lie.

// CHECK-LABEL: zin.program @view {
// CHECK: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 128, [1, 1, 4, 3, 5], {{.*}}> writes <@scratch_0 + 0, [1, 1, 5, 3, 4],
// CHECK-NEXT: zin.task <PEFUSED_POOL>
// CHECK-NOT: zin.task
zin.procedure @view(%x: tensor<1x1x4x9x5xf16> {zin.host_type = tensor<4x9x5xf16>, zin.name = "x"}) -> (tensor<1x1x1x3x5xf16> {zin.host_type = tensor<1x3x5xf16>, zin.name = "y"}) {
  %v = zin.input_view %x from [0, 0, 0, 2, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x4x9x5xf16>) -> tensor<1x1x4x3x5xf16>
  %y = zin.reduction <Sum> %v over [2] : (tensor<1x1x4x3x5xf16>) -> tensor<1x1x1x3x5xf16>
  zin.return %y : tensor<1x1x1x3x5xf16>
}
