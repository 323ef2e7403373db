// RUN: ane-opt %s --split-input-file --convert-zin-to-tasks | FileCheck %s

// Products of many computed matrices of a few rows: the planar engine sums.

// A vector for each matrix, in one task.

// CHECK-LABEL: zin.program @vectors {
// CHECK-NOT: zin.task
// CHECK: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 0, [6890, 1, 1, 1, 4], [64, 64, 64, 64]> and <@input_1 + 0, [6890, 1, 4, 1, 4], [256, 256, 64, 256]> writes <@output_0 + 0, [6890, 1, 4, 1, 1], [256, 256, 64, 256]> computes #zin.pe<op = mul, reduce = sum, post = none, broadcast1 = 8>
// CHECK-NEXT: {{^  }$}}
zin.procedure @vectors(%x: tensor<1x1x6890x1x4xf16> {zin.host_type = tensor<6890x1x4xf16>, zin.name = "x"}, %w: tensor<1x1x6890x4x4xf16> {zin.host_type = tensor<6890x4x4xf16>, zin.name = "w"}) -> (tensor<1x1x6890x4x1xf16> {zin.host_type = tensor<6890x4x1xf16>, zin.name = "y"}) {
  %y = zin.matmul %x, %w {outputs_on_rows} : (tensor<1x1x6890x1x4xf16>, tensor<1x1x6890x4x4xf16>) -> tensor<1x1x6890x4x1xf16>
  zin.return %y : tensor<1x1x6890x4x1xf16>
}

// -----

// Two rows of the left matrix, which is turned, have a task each; the outputs lie
// along columns.

// CHECK-LABEL: zin.program @two_rows {
// CHECK: zin.task <NEFUSED_BYPASS> {{.*}} writes <@[[X:.*]] + 0, [40, 1, 2, 1, 8], {{.*}} transposed = true>
// CHECK-NEXT: zin.task <PEFUSED_POOL> on <PEPool> reads <@[[X]] + 0, [40, 1, 1, 1, 8], {{.*}} and <@input_1 + 0, [40, 1, 5, 1, 8], {{.*}} writes <@output_0 + 0, [40, 1, 1, 1, 5], {{.*}} computes #zin.pe<op = mul, reduce = sum, post = none, broadcast1 = 8, vectorResult = true>
// CHECK-NEXT: zin.task <PEFUSED_POOL> on <PEPool> reads <@[[X]] + 64, {{.*}} and <@input_1 + 0, {{.*}} writes <@output_0 + 64,
// CHECK-NEXT: {{^  }$}}
zin.procedure @two_rows(%x: tensor<1x1x40x8x2xf16> {zin.host_type = tensor<40x8x2xf16>, zin.name = "x"}, %w: tensor<1x1x40x5x8xf16> {zin.host_type = tensor<40x5x8xf16>, zin.name = "w"}) -> (tensor<1x1x40x2x5xf16> {zin.host_type = tensor<40x2x5xf16>, zin.name = "y"}) {
  %y = zin.matmul %x, %w {contract_rows} : (tensor<1x1x40x8x2xf16>, tensor<1x1x40x5x8xf16>) -> tensor<1x1x40x2x5xf16>
  zin.return %y : tensor<1x1x40x2x5xf16>
}

// -----

// If they are wanted along rows, they are turned back.

// CHECK-LABEL: zin.program @turned_back {
// CHECK: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 0, [40, 1, 1, 1, 8], {{.*}} writes <@[[Y:.*]] + 0, [40, 1, 1, 1, 5],
// CHECK-NEXT: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 64, {{.*}} writes <@[[Y]] + 64,
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> {{.*}} reads <@[[Y]] + 0, [40, 1, 2, 1, 5], {{.*}} writes <@output_0 + 0, [40, 1, 5, 1, 2], {{.*}} transposed = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @turned_back(%x: tensor<1x1x40x2x8xf16> {zin.host_type = tensor<40x2x8xf16>, zin.name = "x"}, %w: tensor<1x1x40x5x8xf16> {zin.host_type = tensor<40x5x8xf16>, zin.name = "w"}) -> (tensor<1x1x40x5x2xf16> {zin.host_type = tensor<40x5x2xf16>, zin.name = "y"}) {
  %y = zin.matmul %x, %w {outputs_on_rows} : (tensor<1x1x40x2x8xf16>, tensor<1x1x40x5x8xf16>) -> tensor<1x1x40x5x2xf16>
  zin.return %y : tensor<1x1x40x5x2xf16>
}

// -----

// The heads of an attention are not tiny.

// CHECK-LABEL: zin.program @heads {
// CHECK-NOT: PEFUSED_POOL
zin.procedure @heads(%x: tensor<1x1x32x64x64xf16> {zin.host_type = tensor<32x64x64xf16>, zin.name = "x"}, %w: tensor<1x1x32x1x64xf16> {zin.host_type = tensor<32x1x64xf16>, zin.name = "w"}) -> (tensor<1x1x32x1x64xf16> {zin.host_type = tensor<32x1x64xf16>, zin.name = "y"}) {
  %y = zin.matmul %x, %w {contract_rows, outputs_on_rows} : (tensor<1x1x32x64x64xf16>, tensor<1x1x32x1x64xf16>) -> tensor<1x1x32x1x64xf16>
  zin.return %y : tensor<1x1x32x1x64xf16>
}
