// RUN: ane-opt %s --split-input-file --convert-zin-to-tasks | FileCheck %s

// The tasks of reductions, and of norms by them. A view is [groups, depth,
// channels, rows, columns] and the bytes between neighbours in all but the
// last. Rows start at multiples of 64 bytes.

// The columns alone: all other dimensions are channels, 2 * 4 * 3.

// CHECK-LABEL: zin.program @reduce_columns {
// CHECK-NOT: zin.task
// CHECK: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 0, [1, 1, 24, 1, 5], [1536, 1536, 64, 64]> writes <@output_0 + 0, [1, 1, 24, 1, 1], [1536, 1536, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none, finalScale = 2.000000e-01 : f32>
// CHECK-NEXT: {{^  }$}}
zin.procedure @reduce_columns(%x: tensor<2x1x4x3x5xf16> {zin.host_type = tensor<2x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<2x1x4x3x1xf16> {zin.host_type = tensor<2x1x4x3x1xf16>, zin.name = "y"}) {
  %y = zin.reduction <Avg> %x over [4] : (tensor<2x1x4x3x5xf16>) -> tensor<2x1x4x3x1xf16>
  zin.return %y : tensor<2x1x4x3x1xf16>
}

// -----

// Columns and rows: 8 planes. Only an average has a factor.

// CHECK-LABEL: zin.program @reduce_planes {
// CHECK-NOT: zin.task
// CHECK: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 0, [1, 1, 8, 3, 5], [1536, 1536, 192, 64]> writes <@output_0 + 0, [1, 1, 8, 1, 1], [512, 512, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
// CHECK-NEXT: {{^  }$}}
zin.procedure @reduce_planes(%x: tensor<2x1x4x3x5xf16> {zin.host_type = tensor<2x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<2x1x4x1x1xf16> {zin.host_type = tensor<2x1x4x1x1xf16>, zin.name = "y"}) {
  %y = zin.reduction <Sum> %x over [3, 4] : (tensor<2x1x4x3x5xf16>) -> tensor<2x1x4x1x1xf16>
  zin.return %y : tensor<2x1x4x1x1xf16>
}

// -----

// Channels are rows too: 2 images of 12 rows.

// CHECK-LABEL: zin.program @reduce_all {
// CHECK-NOT: zin.task
// CHECK: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 0, [1, 1, 2, 12, 5], [1536, 1536, 768, 64]> writes <@output_0 + 0, [1, 1, 2, 1, 1], [128, 128, 64, 64]> computes #zin.pe<op = add, reduce = max, post = none>
// CHECK-NEXT: {{^  }$}}
zin.procedure @reduce_all(%x: tensor<2x1x4x3x5xf16> {zin.host_type = tensor<2x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<2x1x1x1x1xf16> {zin.host_type = tensor<2x1x1x1x1xf16>, zin.name = "y"}) {
  %y = zin.reduction <Max> %x over [2, 3, 4] : (tensor<2x1x4x3x5xf16>) -> tensor<2x1x1x1x1xf16>
  zin.return %y : tensor<2x1x1x1x1xf16>
}

// -----

// With one column every element is a row, so strides bring the channels there, one
// image at a time.

// CHECK-LABEL: zin.program @reduce_cells {
// CHECK-NOT: zin.task
// CHECK: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 0, [1, 1, 3, 4, 1], [768, 768, 64, 192]> writes <@output_0 + 0, [1, 1, 3, 1, 1], [192, 192, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
// CHECK-NEXT: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 768, [1, 1, 3, 4, 1], [768, 768, 64, 192]> writes <@output_0 + 192, [1, 1, 3, 1, 1], [192, 192, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
// CHECK-NEXT: {{^  }$}}
zin.procedure @reduce_cells(%x: tensor<2x1x4x3x1xf16> {zin.host_type = tensor<2x1x4x3x1xf16>, zin.name = "x"}) -> (tensor<2x1x1x3x1xf16> {zin.host_type = tensor<2x1x1x3x1xf16>, zin.name = "y"}) {
  %y = zin.reduction <Sum> %x over [2] : (tensor<2x1x4x3x1xf16>) -> tensor<2x1x1x3x1xf16>
  zin.return %y : tensor<2x1x1x3x1xf16>
}

// -----

// Where nothing lies behind them, what is in front becomes channels.

// CHECK-LABEL: zin.program @reduce_last_cells {
// CHECK-NOT: zin.task
// CHECK: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 0, [1, 1, 8, 3, 1], [1536, 1536, 192, 64]> writes <@output_0 + 0, [1, 1, 8, 1, 1], [512, 512, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
// CHECK-NEXT: {{^  }$}}
zin.procedure @reduce_last_cells(%x: tensor<2x1x4x3x1xf16> {zin.host_type = tensor<2x1x4x3x1xf16>, zin.name = "x"}) -> (tensor<2x1x4x1x1xf16> {zin.host_type = tensor<2x1x4x1x1xf16>, zin.name = "y"}) {
  %y = zin.reduction <Sum> %x over [3] : (tensor<2x1x4x3x1xf16>) -> tensor<2x1x4x1x1xf16>
  zin.return %y : tensor<2x1x4x1x1xf16>
}

// -----

// Rows of several columns are turned to columns first; the former columns are
// channels, which a vector result lays along columns again.

// CHECK-LABEL: zin.program @reduce_rows {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_0 1280 bytes <@scratch_0 + 0, [1, 1, 5, 4, 3], [1280, 1280, 256, 64]>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [4, 1, 3, 1, 5], [192, 192, 64, 64]> writes <@scratch_0 + 0, [4, 1, 5, 1, 3], [64, 64, 256, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], groups = 4, unicast = 1, kernelless = true, transposed = true>
// CHECK-NEXT: zin.task <PEFUSED_POOL> on <PEPool> reads <@scratch_0 + 0, [4, 1, 5, 1, 3], [64, 1280, 256, 1280]> writes <@output_0 + 0, [4, 1, 1, 1, 5], [64, 256, 256, 256]> computes #zin.pe<op = add, reduce = sum, post = none, vectorResult = true, finalScale = 0.333333343 : f32>
// CHECK-NEXT: {{^  }$}}
zin.procedure @reduce_rows(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x4x1x5xf16> {zin.host_type = tensor<1x1x4x1x5xf16>, zin.name = "y"}) {
  %y = zin.reduction <Avg> %x over [3] : (tensor<1x1x4x3x5xf16>) -> tensor<1x1x4x1x5xf16>
  zin.return %y : tensor<1x1x4x1x5xf16>
}

// -----

// CHECK-LABEL: zin.program @reduce_channels {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_0 960 bytes <@scratch_0 + 0, [1, 1, 5, 3, 4], [960, 960, 192, 64]>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> writes <@scratch_0 + 0, [1, 1, 5, 3, 4], [192, 192, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, transposed = true>
// CHECK-NEXT: zin.task <PEFUSED_POOL> on <PEPool> reads <@scratch_0 + 0, [3, 1, 5, 1, 4], [64, 960, 192, 960]> writes <@output_0 + 0, [3, 1, 1, 1, 5], [64, 192, 192, 192]> computes #zin.pe<op = add, reduce = sum, post = none, vectorResult = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @reduce_channels(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x1x3x5xf16> {zin.host_type = tensor<1x1x1x3x5xf16>, zin.name = "y"}) {
  %y = zin.reduction <Sum> %x over [2] : (tensor<1x1x4x3x5xf16>) -> tensor<1x1x1x3x5xf16>
  zin.return %y : tensor<1x1x1x3x5xf16>
}

// -----

// Where one number remains, channels are rows and rows depth.

// CHECK-LABEL: zin.program @reduce_everything {
// CHECK-NOT: zin.task
// CHECK: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 0, [1, 3, 1, 2, 5], [384, 64, 384, 192]> writes <@output_0 + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
// CHECK-NEXT: {{^  }$}}
zin.procedure @reduce_everything(%x: tensor<1x1x2x3x5xf16> {zin.host_type = tensor<2x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x1xf16> {zin.host_type = tensor<1x1x1xf16>, zin.name = "y"}) {
  %y = zin.reduction <Sum> %x over [2, 3, 4] : (tensor<1x1x2x3x5xf16>) -> tensor<1x1x1x1x1xf16>
  zin.return %y : tensor<1x1x1x1x1xf16>
}

// -----

// Columns alone where rows stay: each row is a group.

// CHECK-LABEL: zin.program @reduce_groups {
// CHECK-NOT: zin.task
// CHECK: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 0, [3, 1, 4, 1, 5], [64, 768, 192, 768]> writes <@output_0 + 0, [3, 1, 4, 1, 1], [64, 768, 192, 768]> computes #zin.pe<op = add, reduce = sum, post = none>
// CHECK-NEXT: {{^  }$}}
zin.procedure @reduce_groups(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x4x3x1xf16> {zin.host_type = tensor<1x1x4x3x1xf16>, zin.name = "y"}) {
  %y = zin.reduction <Sum> %x over [4] : (tensor<1x1x4x3x5xf16>) -> tensor<1x1x4x3x1xf16>
  zin.return %y : tensor<1x1x4x3x1xf16>
}

// -----

// A result that only becomes one row is written as one.

// CHECK-LABEL: zin.program @reduce_vector {
// CHECK-NOT: zin.task
// CHECK: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> writes <@output_0 + 0, [1, 1, 1, 1, 4], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = max, post = none, vectorResult = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @reduce_vector(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x4xf16> {zin.host_type = tensor<1x4xf16>, zin.name = "y"}) {
  %m = zin.reduction <Max> %x over [3, 4] : (tensor<1x1x4x3x5xf16>) -> tensor<1x1x4x1x1xf16>
  %y = zin.reshape %m : (tensor<1x1x4x1x1xf16>) -> tensor<1x1x1x1x4xf16>
  zin.return %y : tensor<1x1x1x1x4xf16>
}

// -----

// Rows that a reshape makes columns are channels, whose results a vector has along
// columns: 40 groups of 64.

// CHECK-LABEL: zin.program @reduce_vectors {
// CHECK-NOT: zin.task
// CHECK: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 0, [40, 1, 64, 1, 16], [4096, 4096, 64, 64]> writes <@output_0 + 0, [40, 1, 1, 1, 64], [128, 128, 128, 128]> computes #zin.pe<op = add, reduce = sum, post = none, vectorResult = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @reduce_vectors(%x: tensor<1x1x40x64x16xf16> {zin.host_type = tensor<1x1x40x64x16xf16>, zin.name = "x"}) -> (tensor<1x1x1x40x64xf16> {zin.host_type = tensor<1x40x64xf16>, zin.name = "y"}) {
  %0 = zin.reduction <Sum> %x over [4] : (tensor<1x1x40x64x16xf16>) -> tensor<1x1x40x64x1xf16>
  %y = zin.reshape %0 : (tensor<1x1x40x64x1xf16>) -> tensor<1x1x1x40x64xf16>
  zin.return %y : tensor<1x1x1x40x64xf16>
}

// -----

// A group of 2 channels takes two cycles to access and less than one to fetch, so
// groups are the 2 channels, and the results are turned.

// CHECK-LABEL: zin.program @reduce_small_groups {
// CHECK: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 0, [2, 1, 100, 1, 4],
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> {{.*}} writes <@output_0 + 0,
// CHECK-NEXT: {{^  }$}}
zin.procedure @reduce_small_groups(%x: tensor<1x1x100x2x4xf16> {zin.host_type = tensor<1x1x100x2x4xf16>, zin.name = "x"}) -> (tensor<1x1x1x100x2xf16> {zin.host_type = tensor<1x100x2xf16>, zin.name = "y"}) {
  %0 = zin.reduction <Sum> %x over [4] : (tensor<1x1x100x2x4xf16>) -> tensor<1x1x100x2x1xf16>
  %y = zin.reshape %0 : (tensor<1x1x100x2x1xf16>) -> tensor<1x1x1x100x2xf16>
  zin.return %y : tensor<1x1x1x100x2xf16>
}

// -----

// The maximum along another dimension than the columns is one task of the neural
// engine, the dimension lying along channels.

// CHECK-LABEL: zin.program @reduce_maximum {
// CHECK-NOT: zin.task
// CHECK: zin.task <NEFUSED_POOL> on <NEPool> reads <@input_0 + 0, [1, 1, 3, 4, 5], [768, 768, 64, 192]> writes <@output_0 + 0, [1, 1, 1, 4, 5], [256, 256, 64, 64]> computes #zin.ne<op = max, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 3, kernelless = true, lowestPadding = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @reduce_maximum(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x4x1x5xf16> {zin.host_type = tensor<1x1x4x1x5xf16>, zin.name = "y"}) {
  %y = zin.reduction <Max> %x over [3] : (tensor<1x1x4x3x5xf16>) -> tensor<1x1x4x1x5xf16>
  zin.return %y : tensor<1x1x4x1x5xf16>
}

// -----

// Of one element a reduction is a copy, unless something is added.

// CHECK-LABEL: zin.program @reduce_one_element {
// CHECK: zin.task <PEFUSED_POOL> {{.*}} computes #zin.pe<op = add, reduce = sum, post = none, epsilon = 5.000000e-01 : f16>
// CHECK-NEXT: {{^  }$}}
zin.procedure @reduce_one_element(%x: tensor<1x1x1x3x1xf16> {zin.host_type = tensor<3x1xf16>, zin.name = "x"}) -> (tensor<1x1x1x3x1xf16> {zin.host_type = tensor<3x1xf16>, zin.name = "y"}) {
  %y = zin.reduction <Sum> %x over [4] {epsilon = 0.5 : f16} : (tensor<1x1x1x3x1xf16>) -> tensor<1x1x1x3x1xf16>
  zin.return %y : tensor<1x1x1x3x1xf16>
}

// -----

// The scale of a mean goes with its divisor, 3 / 5 here.

// CHECK-LABEL: zin.program @reduce_scaled {
// CHECK: zin.task <PEFUSED_POOL> {{.*}} computes #zin.pe<op = add, reduce = sum, post = none, epsilon = 1.000000e+00 : f16, finalScale = 6.000000e-01 : f32>
// CHECK-NEXT: {{^  }$}}
zin.procedure @reduce_scaled(%x: tensor<1x1x1x3x5xf16> {zin.host_type = tensor<3x5xf16>, zin.name = "x"}) -> (tensor<1x1x1x3x1xf16> {zin.host_type = tensor<3x1xf16>, zin.name = "y"}) {
  %y = zin.reduction <Avg> %x over [4] {epsilon = 1.0 : f16, scale = 3.0 : f16} : (tensor<1x1x1x3x5xf16>) -> tensor<1x1x1x3x1xf16>
  zin.return %y : tensor<1x1x1x3x1xf16>
}

// -----

// Differences from the mean over their deviation: a row is a channel. Means and
// factors are two rows of one buffer, the pair that the last task applies.

// CHECK-LABEL: zin.program @standardize {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_0 384 bytes <@scratch_0 + 0, [1, 1, 3, 2, 1], [384, 384, 128, 64]>
// CHECK-NEXT: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 64]> writes <@scratch_0 + 0, [1, 1, 3, 1, 1], [384, 384, 128, 64]> computes #zin.pe<op = add, reduce = sum, post = none, finalScale = 2.000000e-01 : f32>
// CHECK-NEXT: zin.task <PEFUSED_POOL> on <PEPool> reads <@scratch_0 + 0, [1, 1, 3, 1, 1], [384, 384, 128, 64]> and <@input_0 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 64]> writes <@scratch_0 + 64, [1, 1, 3, 1, 1], [384, 384, 128, 64]> computes #zin.pe<op = square, reduce = sum, post = rsqrt, negate1 = true, broadcast1 = 1, epsilon = 1.001360e-05 : f16, finalScale = 2.000000e-01 : f32>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 64]> and <@scratch_0 + 0, [1, 1, 3, 2, 1], [384, 384, 128, 64]> writes <@output_0 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none, negate2 = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @standardize(%x: tensor<1x1x1x3x5xf16> {zin.host_type = tensor<3x5xf16>, zin.name = "x"}) -> (tensor<1x1x1x3x5xf16> {zin.host_type = tensor<3x5xf16>, zin.name = "y"}) {
  %mean = zin.reduction <Avg> %x over [4] : (tensor<1x1x1x3x5xf16>) -> tensor<1x1x1x3x1xf16>
  %centred = zin.elementwise <Sub> %x, %mean : (tensor<1x1x1x3x5xf16>, tensor<1x1x1x3x1xf16>) -> tensor<1x1x1x3x5xf16>
  %factor = zin.reduction <Avg> %centred over [4] {epsilon = 1.001360e-05 : f16, post = #zin.post<rsqrt>, square} : (tensor<1x1x1x3x5xf16>) -> tensor<1x1x1x3x1xf16>
  %y = zin.elementwise <Mult> %centred, %factor : (tensor<1x1x1x3x5xf16>, tensor<1x1x1x3x1xf16>) -> tensor<1x1x1x3x5xf16>
  zin.return %y : tensor<1x1x1x3x5xf16>
}

// -----

// Rows and columns of a channel: means and factors lie along columns.

// CHECK-LABEL: zin.program @standardize_planes {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_0 128 bytes <@scratch_0 + 0, [1, 1, 1, 2, 6], [128, 128, 128, 64]>
// CHECK-NEXT: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 0, [1, 1, 6, 4, 5], [1536, 1536, 256, 64]> writes <@scratch_0 + 0, [1, 1, 1, 1, 6], [128, 128, 128, 64]> computes #zin.pe<op = add, reduce = sum, post = none, vectorResult = true, finalScale = 5.000000e-02 : f32>
// CHECK-NEXT: zin.task <PEFUSED_POOL> on <PEPool> reads <@scratch_0 + 0, [1, 1, 1, 1, 6], [128, 128, 128, 64]> and <@input_0 + 0, [1, 1, 6, 4, 5], [1536, 1536, 256, 64]> writes <@scratch_0 + 64, [1, 1, 1, 1, 6], [128, 128, 128, 64]> computes #zin.pe<op = square, reduce = sum, post = rsqrt, negate1 = true, broadcast1 = 3, vector1 = true, vectorResult = true, epsilon = 1.001360e-05 : f16, finalScale = 5.000000e-02 : f32>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, [1, 1, 6, 4, 5], [1536, 1536, 256, 64]> and <@scratch_0 + 0, [1, 1, 1, 2, 6], [128, 128, 128, 64]> writes <@output_0 + 0, [1, 1, 6, 4, 5], [1536, 1536, 256, 64]> computes #zin.pe<op = add, reduce = none, post = none, negate2 = true, vector2 = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @standardize_planes(%x: tensor<1x2x3x4x5xf16> {zin.host_type = tensor<1x2x3x4x5xf16>, zin.name = "x"}) -> (tensor<1x2x3x4x5xf16> {zin.host_type = tensor<1x2x3x4x5xf16>, zin.name = "y"}) {
  %mean = zin.reduction <Avg> %x over [3, 4] : (tensor<1x2x3x4x5xf16>) -> tensor<1x2x3x1x1xf16>
  %centred = zin.elementwise <Sub> %x, %mean : (tensor<1x2x3x4x5xf16>, tensor<1x2x3x1x1xf16>) -> tensor<1x2x3x4x5xf16>
  %factor = zin.reduction <Avg> %centred over [3, 4] {epsilon = 1.001360e-05 : f16, post = #zin.post<rsqrt>, square} : (tensor<1x2x3x4x5xf16>) -> tensor<1x2x3x1x1xf16>
  %y = zin.elementwise <Mult> %centred, %factor : (tensor<1x2x3x4x5xf16>, tensor<1x2x3x1x1xf16>) -> tensor<1x2x3x4x5xf16>
  zin.return %y : tensor<1x2x3x4x5xf16>
}

// -----

// All of a sample has one mean. What is reduced has channels as rows and rows as
// depth; the pair is repeated for the channels.

// CHECK-LABEL: zin.program @standardize_all {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_0 128 bytes <@scratch_0 + 0, [1, 1, 1, 2, 1], [128, 128, 128, 64]>
// CHECK-NEXT: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 0, [1, 4, 1, 3, 5], [768, 64, 768, 256]> writes <@scratch_0 + 0, [1, 1, 1, 1, 1], [128, 128, 128, 64]> computes #zin.pe<op = add, reduce = sum, post = none, finalScale = 0.0166666675 : f32>
// CHECK-NEXT: zin.task <PEFUSED_POOL> on <PEPool> reads <@scratch_0 + 0, [1, 1, 1, 1, 1], [128, 128, 128, 64]> and <@input_0 + 0, [1, 4, 1, 3, 5], [768, 64, 768, 256]> writes <@scratch_0 + 64, [1, 1, 1, 1, 1], [128, 128, 128, 64]> computes #zin.pe<op = square, reduce = sum, post = rsqrt, negate1 = true, broadcast1 = 7, epsilon = 1.001360e-05 : f16, finalScale = 0.0166666675 : f32>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, [1, 1, 3, 4, 5], [768, 768, 256, 64]> and <@scratch_0 + 0, [1, 1, 1, 2, 1], [128, 128, 128, 64]> writes <@output_0 + 0, [1, 1, 3, 4, 5], [768, 768, 256, 64]> computes #zin.pe<op = add, reduce = none, post = none, negate2 = true, broadcast2 = 8>
// CHECK-NEXT: {{^  }$}}
zin.procedure @standardize_all(%x: tensor<1x1x3x4x5xf16> {zin.host_type = tensor<1x3x4x5xf16>, zin.name = "x"}) -> (tensor<1x1x3x4x5xf16> {zin.host_type = tensor<1x3x4x5xf16>, zin.name = "y"}) {
  %mean = zin.reduction <Avg> %x over [2, 3, 4] : (tensor<1x1x3x4x5xf16>) -> tensor<1x1x1x1x1xf16>
  %centred = zin.elementwise <Sub> %x, %mean : (tensor<1x1x3x4x5xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x3x4x5xf16>
  %factor = zin.reduction <Avg> %centred over [2, 3, 4] {epsilon = 1.001360e-05 : f16, post = #zin.post<rsqrt>, square} : (tensor<1x1x3x4x5xf16>) -> tensor<1x1x1x1x1xf16>
  %y = zin.elementwise <Mult> %centred, %factor : (tensor<1x1x3x4x5xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x3x4x5xf16>
  zin.return %y : tensor<1x1x3x4x5xf16>
}

// -----

// Where there are two rows, a pair is not told from one factor for each row: the
// four layers are four tasks.

// CHECK-LABEL: zin.program @standardize_two_rows {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_2 192 bytes <@scratch_2 + 0, [1, 1, 3, 1, 1], [192, 192, 64, 64]>
// CHECK-NEXT: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 0, [1, 1, 3, 2, 5], [384, 384, 128, 64]> writes <@scratch_0 + 0, [1, 1, 3, 1, 1], [192, 192, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none, finalScale = 1.000000e-01 : f32>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, [1, 1, 3, 2, 5], [384, 384, 128, 64]> and <@scratch_0 + 0, [1, 1, 3, 1, 1], [192, 192, 64, 64]> writes <@scratch_1 + 0, [1, 1, 3, 2, 5], [384, 384, 128, 64]> computes #zin.pe<op = add, reduce = none, post = none, negate2 = true, broadcast2 = 3>
// CHECK-NEXT: zin.task <PEFUSED_POOL> on <PEPool> reads <@scratch_1 + 0, [1, 1, 3, 2, 5], [384, 384, 128, 64]> writes <@scratch_2 + 0, [1, 1, 3, 1, 1], [192, 192, 64, 64]> computes #zin.pe<op = square, reduce = sum, post = rsqrt, epsilon = 1.001360e-05 : f16, finalScale = 1.000000e-01 : f32>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@scratch_1 + 0, [1, 1, 3, 2, 5], [384, 384, 128, 64]> and <@scratch_2 + 0, [1, 1, 3, 1, 1], [192, 192, 64, 64]> writes <@output_0 + 0, [1, 1, 3, 2, 5], [384, 384, 128, 64]> computes #zin.pe<op = mul, reduce = none, post = none, broadcast2 = 3>
// CHECK-NEXT: {{^  }$}}
zin.procedure @standardize_two_rows(%x: tensor<1x1x3x2x5xf16> {zin.host_type = tensor<1x3x2x5xf16>, zin.name = "x"}) -> (tensor<1x1x3x2x5xf16> {zin.host_type = tensor<1x3x2x5xf16>, zin.name = "y"}) {
  %mean = zin.reduction <Avg> %x over [3, 4] : (tensor<1x1x3x2x5xf16>) -> tensor<1x1x3x1x1xf16>
  %centred = zin.elementwise <Sub> %x, %mean : (tensor<1x1x3x2x5xf16>, tensor<1x1x3x1x1xf16>) -> tensor<1x1x3x2x5xf16>
  %factor = zin.reduction <Avg> %centred over [3, 4] {epsilon = 1.001360e-05 : f16, post = #zin.post<rsqrt>, square} : (tensor<1x1x3x2x5xf16>) -> tensor<1x1x3x1x1xf16>
  %y = zin.elementwise <Mult> %centred, %factor : (tensor<1x1x3x2x5xf16>, tensor<1x1x3x1x1xf16>) -> tensor<1x1x3x2x5xf16>
  zin.return %y : tensor<1x1x3x2x5xf16>
}

// -----

// A factor makes another number of the mean, from which the deviation is not
// taken: the four layers are four tasks.

// CHECK-LABEL: zin.program @standardize_scaled {
// CHECK: zin.task <PEFUSED_POOL> {{.*}} reads <@input_0 {{.*}} computes #zin.pe<op = add, reduce = sum, post = none, {{.*}}finalScale = 4.000000e-01 : f32>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> {{.*}} writes <@[[CENTRED:scratch_[0-9]+]] {{.*}} computes #zin.pe<op = add, reduce = none, post = none, negate2 = true
// CHECK-NEXT: zin.task <PEFUSED_POOL> {{.*}} reads <@[[CENTRED]] {{.*}} computes #zin.pe<op = square, reduce = sum, post = rsqrt
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> {{.*}} writes <@output_0 {{.*}} computes #zin.pe<op = mul
zin.procedure @standardize_scaled(%x: tensor<1x1x1x3x5xf16> {zin.host_type = tensor<3x5xf16>, zin.name = "x"}) -> (tensor<1x1x1x3x5xf16> {zin.host_type = tensor<3x5xf16>, zin.name = "y"}) {
  %mean = zin.reduction <Avg> %x over [4] {scale = 2.000000e+00 : f16} : (tensor<1x1x1x3x5xf16>) -> tensor<1x1x1x3x1xf16>
  %centred = zin.elementwise <Sub> %x, %mean : (tensor<1x1x1x3x5xf16>, tensor<1x1x1x3x1xf16>) -> tensor<1x1x1x3x5xf16>
  %factor = zin.reduction <Avg> %centred over [4] {epsilon = 1.001360e-05 : f16, post = #zin.post<rsqrt>, square} : (tensor<1x1x1x3x5xf16>) -> tensor<1x1x1x3x1xf16>
  %y = zin.elementwise <Mult> %centred, %factor : (tensor<1x1x1x3x5xf16>, tensor<1x1x1x3x1xf16>) -> tensor<1x1x1x3x5xf16>
  zin.return %y : tensor<1x1x1x3x5xf16>
}

// -----

// Columns and channels: the rows in between go in front, and all is one sum.

// CHECK-LABEL: zin.program @reduce_apart {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_0 768 bytes <@scratch_0 + 0, [1, 1, 3, 4, 5], [768, 768, 256, 64]>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 3, 4, 5], [768, 768, 64, 192]> writes <@scratch_0 + 0, [1, 1, 3, 4, 5], [768, 768, 256, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
// CHECK-NEXT: zin.task <PEFUSED_POOL> on <PEPool> reads <@scratch_0 + 0, [1, 1, 3, 4, 5], [768, 768, 256, 64]> writes <@output_0 + 0, [1, 1, 3, 1, 1], [192, 192, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none, finalScale = 5.000000e-02 : f32>
// CHECK-NEXT: {{^  }$}}
zin.procedure @reduce_apart(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x1x3x1xf16> {zin.host_type = tensor<1x1x1x3x1xf16>, zin.name = "y"}) {
  %y = zin.reduction <Avg> %x over [2, 4] : (tensor<1x1x4x3x5xf16>) -> tensor<1x1x1x3x1xf16>
  zin.return %y : tensor<1x1x1x3x1xf16>
}

// -----

// CHECK-LABEL: zin.program @reduce_nothing {
// CHECK-NOT: zin.task
// CHECK: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> writes <@output_0 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @reduce_nothing(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "y"}) {
  %y = zin.reduction <Avg> %x over [0] : (tensor<1x1x4x3x5xf16>) -> tensor<1x1x4x3x5xf16>
  zin.return %y : tensor<1x1x4x3x5xf16>
}

// -----

// The squares of 5 columns are summed, then the root of the sum and epsilon is
// taken: one task, one rounding.

// CHECK-LABEL: zin.program @reduce_norm {
// CHECK-NOT: zin.task
// CHECK: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 64]> writes <@output_0 + 0, [1, 1, 3, 1, 1], [192, 192, 64, 64]> computes #zin.pe<op = square, reduce = sum, post = rsqrt, epsilon = 1.001360e-05 : f16, finalScale = 2.000000e-01 : f32>
// CHECK-NEXT: {{^  }$}}
zin.procedure @reduce_norm(%x: tensor<1x1x1x3x5xf16> {zin.host_type = tensor<3x5xf16>, zin.name = "x"}) -> (tensor<1x1x1x3x1xf16> {zin.host_type = tensor<3x1xf16>, zin.name = "y"}) {
  %y = zin.reduction <Avg> %x over [4] {epsilon = 1.001360e-05 : f16, post = #zin.post<rsqrt>, square} : (tensor<1x1x1x3x5xf16>) -> tensor<1x1x1x3x1xf16>
  zin.return %y : tensor<1x1x1x3x1xf16>
}

// -----

// One number of a whole with few channels: rows stay where they are, since of
// few rows an access reads little. The same in a norm.

// CHECK-LABEL: zin.program @few_channels {
// CHECK: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 0, [1, 4, 1, 256, 256], [524288, 131072, 524288, 512]> writes <@output_0
// CHECK-NEXT: {{^  }$}}
zin.procedure @few_channels(%x: tensor<1x1x4x256x256xf16> {zin.host_type = tensor<4x256x256xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x1xf16> {zin.host_type = tensor<1xf16>, zin.name = "y"}) {
  %y = zin.reduction <Sum> %x over [2, 3, 4] : (tensor<1x1x4x256x256xf16>) -> tensor<1x1x1x1x1xf16>
  zin.return %y : tensor<1x1x1x1x1xf16>
}

// -----

// CHECK-LABEL: zin.program @norm_of_few_channels {
// CHECK: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 0, [1, 2, 1, 256, 256],
// CHECK-NEXT: zin.task <PEFUSED_POOL> on <PEPool> reads {{.*}} and <@input_0 + 0, [1, 2, 1, 256, 256],
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, [1, 1, 2, 256, 256],
// CHECK-NEXT: {{^  }$}}
zin.procedure @norm_of_few_channels(%x: tensor<1x1x2x256x256xf16> {zin.host_type = tensor<2x256x256xf16>, zin.name = "x"}) -> (tensor<1x1x2x256x256xf16> {zin.host_type = tensor<2x256x256xf16>, zin.name = "y"}) {
  %m = zin.reduction <Avg> %x over [2, 3, 4] : (tensor<1x1x2x256x256xf16>) -> tensor<1x1x1x1x1xf16>
  %d = zin.elementwise <Sub> %x, %m : (tensor<1x1x2x256x256xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x2x256x256xf16>
  %r = zin.reduction <Avg> %d over [2, 3, 4] {epsilon = 1.001360e-05 : f16, post = #zin.post<rsqrt>, square} : (tensor<1x1x2x256x256xf16>) -> tensor<1x1x1x1x1xf16>
  %y = zin.elementwise <Mult> %d, %r : (tensor<1x1x2x256x256xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x2x256x256xf16>
  zin.return %y : tensor<1x1x2x256x256xf16>
}

// -----

// A difference that is squared and summed has no task of its own.

// CHECK-LABEL: zin.program @deviations {
// CHECK: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 0, [1, 1, 8, 16, 32], {{.*}}> writes <@scratch_0
// CHECK-NEXT: zin.task <PEFUSED_POOL> on <PEPool> reads <@scratch_0 + 0, [1, 1, 8, 1, 1], {{.*}}> and <@input_0 + 0, [1, 1, 8, 16, 32], {{.*}}> writes <@output_0 {{.*}} computes #zin.pe<op = square, reduce = sum, post = rsqrt, negate1 = true
// CHECK-NEXT: {{^  }$}}
zin.procedure @deviations(%x: tensor<1x1x8x16x32xf16> {zin.host_type = tensor<8x16x32xf16>, zin.name = "x"}) -> (tensor<1x1x8x1x1xf16> {zin.host_type = tensor<8x1x1xf16>, zin.name = "y"}) {
  %m = zin.reduction <Avg> %x over [3, 4] : (tensor<1x1x8x16x32xf16>) -> tensor<1x1x8x1x1xf16>
  %d = zin.elementwise <Sub> %x, %m : (tensor<1x1x8x16x32xf16>, tensor<1x1x8x1x1xf16>) -> tensor<1x1x8x16x32xf16>
  %y = zin.reduction <Avg> %d over [3, 4] {epsilon = 1.001360e-05 : f16, post = #zin.post<rsqrt>, square} : (tensor<1x1x8x16x32xf16>) -> tensor<1x1x8x1x1xf16>
  zin.return %y : tensor<1x1x8x1x1xf16>
}

// -----

// Two rows of one value are a pair: one is subtracted, the other a factor. Rows of
// two values are not, and those of a result of two rows could not be told.

// CHECK-LABEL: zin.program @pair {
// CHECK: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, [1, 1, 4, 16, 32], {{.*}}> and <@input_1 + 128, [1, 1, 4, 2, 1], {{.*}}> writes <@output_0 + 0, {{.*}}> computes #zin.pe<op = add, reduce = none, post = none, negate2 = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @pair(%x: tensor<1x1x4x16x32xf16> {zin.host_type = tensor<4x16x32xf16>, zin.name = "x"}, %p: tensor<1x1x5x2x1xf16> {zin.host_type = tensor<5x2x1xf16>, zin.name = "p"}) -> (tensor<1x1x4x16x32xf16> {zin.host_type = tensor<4x16x32xf16>, zin.name = "y"}) {
  %m = zin.input_view %p from [0, 0, 1, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x5x2x1xf16>) -> tensor<1x1x4x1x1xf16>
  %s = zin.input_view %p from [0, 0, 1, 1, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x5x2x1xf16>) -> tensor<1x1x4x1x1xf16>
  %d = zin.elementwise <Sub> %x, %m : (tensor<1x1x4x16x32xf16>, tensor<1x1x4x1x1xf16>) -> tensor<1x1x4x16x32xf16>
  %y = zin.elementwise <Mult> %d, %s : (tensor<1x1x4x16x32xf16>, tensor<1x1x4x1x1xf16>) -> tensor<1x1x4x16x32xf16>
  zin.return %y : tensor<1x1x4x16x32xf16>
}

// -----

// CHECK-LABEL: zin.program @no_pair {
// CHECK-COUNT-2: zin.task <PEFUSED_ELEMENTWISE>
// CHECK-NEXT: {{^  }$}}
zin.procedure @no_pair(%x: tensor<1x1x4x2x32xf16> {zin.host_type = tensor<4x2x32xf16>, zin.name = "x"}, %p: tensor<1x1x4x2x1xf16> {zin.host_type = tensor<4x2x1xf16>, zin.name = "p"}) -> (tensor<1x1x4x2x32xf16> {zin.host_type = tensor<4x2x32xf16>, zin.name = "y"}) {
  %m = zin.input_view %p from [0, 0, 0, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x4x2x1xf16>) -> tensor<1x1x4x1x1xf16>
  %s = zin.input_view %p from [0, 0, 0, 1, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x4x2x1xf16>) -> tensor<1x1x4x1x1xf16>
  %d = zin.elementwise <Sub> %x, %m : (tensor<1x1x4x2x32xf16>, tensor<1x1x4x1x1xf16>) -> tensor<1x1x4x2x32xf16>
  %y = zin.elementwise <Mult> %d, %s : (tensor<1x1x4x2x32xf16>, tensor<1x1x4x1x1xf16>) -> tensor<1x1x4x2x32xf16>
  zin.return %y : tensor<1x1x4x2x32xf16>
}

// -----

// Cells are rows of one column, and their results as well.

// CHECK-LABEL: zin.program @cells_vector {
// CHECK: reads <@input_0 + 0, [1, 1, 4, 3, 1], {{.*}} writes <@output_0 + 0, [1, 1, 1, 1, 4], {{.*}}vectorResult = true
// CHECK-NEXT: {{^  }$}}
zin.procedure @cells_vector(%x: tensor<1x1x4x3x1xf16> {zin.host_type = tensor<1x1x4x3x1xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x4xf16> {zin.host_type = tensor<1x1x1x1x4xf16>, zin.name = "y"}) {
  %m = zin.reduction <Sum> %x over [3] : (tensor<1x1x4x3x1xf16>) -> tensor<1x1x4x1x1xf16>
  %y = zin.reshape %m : (tensor<1x1x4x1x1xf16>) -> tensor<1x1x1x1x4xf16>
  zin.return %y : tensor<1x1x1x1x4xf16>
}

// -----

// What another one reads is no vector.

// CHECK-LABEL: zin.program @read_twice {
// CHECK-NOT: vectorResult = true
// CHECK: {{^  }$}}
zin.procedure @read_twice(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x4xf16> {zin.host_type = tensor<1x1x1x1x4xf16>, zin.name = "y"}, tensor<1x1x4x1x1xf16> {zin.host_type = tensor<1x1x4x1x1xf16>, zin.name = "n"}) {
  %m = zin.reduction <Sum> %x over [3, 4] : (tensor<1x1x4x3x5xf16>) -> tensor<1x1x4x1x1xf16>
  %n = zin.neuron <relu> %m : tensor<1x1x4x1x1xf16>
  %y = zin.reshape %m : (tensor<1x1x4x1x1xf16>) -> tensor<1x1x1x1x4xf16>
  zin.return %y, %n : tensor<1x1x1x1x4xf16>, tensor<1x1x4x1x1xf16>
}

// -----

// Nor is what a reshape makes no columns.

// CHECK-LABEL: zin.program @one_column {
// CHECK-NOT: vectorResult = true
// CHECK: {{^  }$}}
zin.procedure @one_column(%x: tensor<1x1x4x1x5xf16> {zin.host_type = tensor<1x1x4x1x5xf16>, zin.name = "x"}) -> (tensor<1x4x1x1x1xf16> {zin.host_type = tensor<1x4x1x1x1xf16>, zin.name = "y"}) {
  %m = zin.reduction <Sum> %x over [4] : (tensor<1x1x4x1x5xf16>) -> tensor<1x1x4x1x1xf16>
  %y = zin.reshape %m : (tensor<1x1x4x1x1xf16>) -> tensor<1x4x1x1x1xf16>
  zin.return %y : tensor<1x4x1x1x1xf16>
}

// -----

// Where columns stay, or dimensions in front are reduced as well, these are no rows
// of results.

// CHECK-LABEL: zin.program @columns_left {
// CHECK-NOT: vectorResult = true
// CHECK: {{^  }$}}
zin.procedure @columns_left(%x: tensor<1x1x4x1x5xf16> {zin.host_type = tensor<1x1x4x1x5xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x20xf16> {zin.host_type = tensor<1x1x1x1x20xf16>, zin.name = "y"}) {
  %m = zin.reduction <Sum> %x over [3] : (tensor<1x1x4x1x5xf16>) -> tensor<1x1x4x1x5xf16>
  %y = zin.reshape %m : (tensor<1x1x4x1x5xf16>) -> tensor<1x1x1x1x20xf16>
  zin.return %y : tensor<1x1x1x1x20xf16>
}

// -----

// CHECK-LABEL: zin.program @front_reduced {
// CHECK-NOT: vectorResult = true
// CHECK: {{^  }$}}
zin.procedure @front_reduced(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x3xf16> {zin.host_type = tensor<1x1x1x1x3xf16>, zin.name = "y"}) {
  %m = zin.reduction <Sum> %x over [2, 4] : (tensor<1x1x4x3x5xf16>) -> tensor<1x1x1x3x1xf16>
  %y = zin.reshape %m : (tensor<1x1x1x3x1xf16>) -> tensor<1x1x1x1x3xf16>
  zin.return %y : tensor<1x1x1x1x3xf16>
}

// -----

// One element each is moved.

// CHECK-LABEL: zin.program @one_each {
// CHECK-NOT: PEFUSED_POOL
// CHECK: {{^  }$}}
zin.procedure @one_each(%x: tensor<1x1x4x3x1xf16> {zin.host_type = tensor<1x1x4x3x1xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x12xf16> {zin.host_type = tensor<1x1x1x1x12xf16>, zin.name = "y"}) {
  %m = zin.reduction <Sum> %x over [4] : (tensor<1x1x4x3x1xf16>) -> tensor<1x1x4x3x1xf16>
  %y = zin.reshape %m : (tensor<1x1x4x3x1xf16>) -> tensor<1x1x1x1x12xf16>
  zin.return %y : tensor<1x1x1x1x12xf16>
}

// -----

// Several groups reduce columns alone.

// CHECK-LABEL: zin.program @rows_of_groups {
// CHECK-NOT: vectorResult = true
// CHECK: {{^  }$}}
zin.procedure @rows_of_groups(%x: tensor<1x1x2560x3x16xf16> {zin.host_type = tensor<1x1x2560x3x16xf16>, zin.name = "x"}) -> (tensor<1x1x1x40x64xf16> {zin.host_type = tensor<1x1x1x40x64xf16>, zin.name = "y"}) {
  %m = zin.reduction <Sum> %x over [3, 4] : (tensor<1x1x2560x3x16xf16>) -> tensor<1x1x2560x1x1xf16>
  %y = zin.reshape %m : (tensor<1x1x2560x1x1xf16>) -> tensor<1x1x1x40x64xf16>
  zin.return %y : tensor<1x1x1x40x64xf16>
}

// -----

// More rows than the engine has are reduced as two of columns.

// CHECK-LABEL: zin.program @many_rows {
// CHECK: reads <@scratch_1 + 0, [1, 1, 1, 2, 10000],
zin.procedure @many_rows(%x: tensor<1x4x200x100x1xf16> {zin.host_type = tensor<1x4x200x100x1xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x4xf16> {zin.host_type = tensor<1x1x1x1x4xf16>, zin.name = "y"}) {
  %m = zin.reduction <Sum> %x over [2, 3, 4] : (tensor<1x4x200x100x1xf16>) -> tensor<1x4x1x1x1xf16>
  %y = zin.reshape %m : (tensor<1x4x1x1x1xf16>) -> tensor<1x1x1x1x4xf16>
  zin.return %y : tensor<1x1x1x1x4xf16>
}

// -----

// Nor are there more groups, or channels whose rows have no room in L2.

// CHECK-LABEL: zin.program @many_groups {
// CHECK-NOT: vectorResult = true
// CHECK: {{^  }$}}
zin.procedure @many_groups(%x: tensor<1x1x8192x16x16xf16> {zin.host_type = tensor<1x1x8192x16x16xf16>, zin.name = "x"}) -> (tensor<1x1x1x8192x16xf16> {zin.host_type = tensor<1x1x1x8192x16xf16>, zin.name = "y"}) {
  %m = zin.reduction <Sum> %x over [4] : (tensor<1x1x8192x16x16xf16>) -> tensor<1x1x8192x16x1xf16>
  %y = zin.reshape %m : (tensor<1x1x8192x16x1xf16>) -> tensor<1x1x1x8192x16xf16>
  zin.return %y : tensor<1x1x1x8192x16xf16>
}

// -----

// CHECK-LABEL: zin.program @many_channels {
// CHECK-NOT: vectorResult = true
// CHECK: {{^  }$}}
zin.procedure @many_channels(%x: tensor<1x1x4096x1x512xf16> {zin.host_type = tensor<1x1x4096x1x512xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x4096xf16> {zin.host_type = tensor<1x1x1x1x4096xf16>, zin.name = "y"}) {
  %m = zin.reduction <Sum> %x over [4] : (tensor<1x1x4096x1x512xf16>) -> tensor<1x1x4096x1x1xf16>
  %y = zin.reshape %m : (tensor<1x1x4096x1x1xf16>) -> tensor<1x1x1x1x4096xf16>
  zin.return %y : tensor<1x1x1x1x4096xf16>
}

// -----

// Rows that do not follow each other are no channels of one task.

// CHECK-LABEL: zin.program @apart {
// CHECK-NOT: vectorResult = true
// CHECK: {{^  }$}}
zin.procedure @apart(%x: tensor<1x1x4x5x6xf16> {zin.host_type = tensor<1x1x4x5x6xf16>, zin.name = "x"}) -> (tensor<1x1x1x4x3xf16> {zin.host_type = tensor<1x1x1x4x3xf16>, zin.name = "y"}) {
  %v = zin.input_view %x from [0, 0, 0, 1, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x4x5x6xf16>) -> tensor<1x1x4x3x6xf16>
  %m = zin.reduction <Sum> %v over [4] : (tensor<1x1x4x3x6xf16>) -> tensor<1x1x4x3x1xf16>
  %y = zin.reshape %m : (tensor<1x1x4x3x1xf16>) -> tensor<1x1x1x4x3xf16>
  zin.return %y : tensor<1x1x1x4x3xf16>
}

// -----

// Groups of 8 channels take 3 cycles each to access. To fetch them takes more, but in
// L2 all 100 of them are reduced together in 244, while 40 take 120 and not more than
// 80 and another task.

// CHECK-LABEL: zin.program @few_banks {
// CHECK: vectorResult = true
// CHECK-NEXT: {{^  }$}}
zin.procedure @few_banks(%x: tensor<1x1x100x8x16xf16> {zin.host_type = tensor<1x1x100x8x16xf16>, zin.name = "x"}) -> (tensor<1x1x1x100x8xf16> {zin.host_type = tensor<1x1x1x100x8xf16>, zin.name = "y"}) {
  %m = zin.reduction <Sum> %x over [4] : (tensor<1x1x100x8x16xf16>) -> tensor<1x1x100x8x1xf16>
  %y = zin.reshape %m : (tensor<1x1x100x8x1xf16>) -> tensor<1x1x1x100x8xf16>
  zin.return %y : tensor<1x1x1x100x8xf16>
}

// -----

// CHECK-LABEL: zin.program @few_banks_near {
// CHECK-NOT: vectorResult = true
// CHECK: {{^  }$}}
zin.procedure @few_banks_near(%x: tensor<1x1x100x8x16xf16> {zin.host_type = tensor<1x1x100x8x16xf16>, zin.name = "x"}) -> (tensor<1x1x1x100x8xf16> {zin.host_type = tensor<1x1x1x100x8xf16>, zin.name = "y"}) {
  %r = zin.neuron <relu> %x : tensor<1x1x100x8x16xf16>
  %m = zin.reduction <Sum> %r over [4] : (tensor<1x1x100x8x16xf16>) -> tensor<1x1x100x8x1xf16>
  %y = zin.reshape %m : (tensor<1x1x100x8x1xf16>) -> tensor<1x1x1x100x8xf16>
  zin.return %y : tensor<1x1x1x100x8xf16>
}

// -----

// CHECK-LABEL: zin.program @fewer_groups_near {
// CHECK: vectorResult = true
// CHECK-NEXT: {{^  }$}}
zin.procedure @fewer_groups_near(%x: tensor<1x1x40x8x16xf16> {zin.host_type = tensor<1x1x40x8x16xf16>, zin.name = "x"}) -> (tensor<1x1x1x40x8xf16> {zin.host_type = tensor<1x1x1x40x8xf16>, zin.name = "y"}) {
  %r = zin.neuron <relu> %x : tensor<1x1x40x8x16xf16>
  %m = zin.reduction <Sum> %r over [4] : (tensor<1x1x40x8x16xf16>) -> tensor<1x1x40x8x1xf16>
  %y = zin.reshape %m : (tensor<1x1x40x8x1xf16>) -> tensor<1x1x1x40x8xf16>
  zin.return %y : tensor<1x1x1x40x8xf16>
}
