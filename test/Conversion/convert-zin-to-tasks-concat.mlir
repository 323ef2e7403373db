// RUN: ane-opt %s --split-input-file --convert-zin-to-tasks | FileCheck %s

// The tasks of concatenations. A view is [groups, depth, channels, rows,
// columns] and the bytes between neighbours in all but the last. Rows start at
// multiples of 64 bytes.

// CHECK-LABEL: zin.program @concat_channels {
// CHECK-NOT: zin.task
// CHECK: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> writes <@output_0 + 0, [1, 1, 4, 3, 5], [1152, 1152, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_1 + 0, [1, 1, 2, 3, 5], [384, 384, 192, 64]> writes <@output_0 + 768, [1, 1, 2, 3, 5], [1152, 1152, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @concat_channels(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}, %y: tensor<1x1x2x3x5xf16> {zin.host_type = tensor<1x1x2x3x5xf16>, zin.name = "y"}) -> (tensor<1x1x6x3x5xf16> {zin.host_type = tensor<1x1x6x3x5xf16>, zin.name = "z"}) {
  %z = zin.concat %x, %y along 2 : (tensor<1x1x4x3x5xf16>, tensor<1x1x2x3x5xf16>) -> tensor<1x1x6x3x5xf16>
  zin.return %z : tensor<1x1x6x3x5xf16>
}

// -----

// A concatenation of more than half of L2 lies in memory. What others read as
// well is a value of its own, which L2 can hold, and copied from there as soon
// as it is; what nobody else reads is written there at once.

// CHECK-LABEL: zin.program @concat_shared_small {
// CHECK: zin.buffer <scratch> @[[ALL:[^ ]*]] 1572864
// CHECK: writes <@[[OWN:[^ ]*]] + 0, [1, 1, 64, 64, 64], {{.*}} relu = true>
// CHECK-NEXT: reads <@[[OWN]] + 0, {{.*}} writes <@[[ALL]] + 0,
// CHECK-NEXT: reads <@[[OWN]] + 0, {{.*}} and <@input_0 + 0, {{.*}} writes <@[[ALL]] + 524288,
// CHECK-NEXT: reads <@input_0 + 0, {{.*}} writes <@[[ALL]] + 1048576,
// CHECK-NEXT: reads <@[[ALL]] + 0, [1, 1, 192, 64, 64],
zin.procedure @concat_shared_small(%x: tensor<1x1x64x64x64xf16> {zin.host_type = tensor<1x1x64x64x64xf16>, zin.name = "x"}) -> (tensor<1x1x192x64x64xf16> {zin.host_type = tensor<1x1x192x64x64xf16>, zin.name = "y"}) {
  %a = zin.neuron <relu> %x : tensor<1x1x64x64x64xf16>
  %b = zin.elementwise <Add> %a, %x : (tensor<1x1x64x64x64xf16>, tensor<1x1x64x64x64xf16>) -> tensor<1x1x64x64x64xf16>
  %z = zin.concat %a, %b, %x along 2 : (tensor<1x1x64x64x64xf16>, tensor<1x1x64x64x64xf16>, tensor<1x1x64x64x64xf16>) -> tensor<1x1x192x64x64xf16>
  %y = zin.neuron <relu> %z : tensor<1x1x192x64x64xf16>
  zin.return %y : tensor<1x1x192x64x64xf16>
}

// -----

// What is too large for half of L2 itself has no place of its own either.

// CHECK-LABEL: zin.program @concat_shared_large {
// CHECK: zin.buffer <scratch> @[[ALL:[^ ]*]] 4718592
// CHECK: writes <@[[ALL]] + 0, [1, 1, 192, 64, 64], {{.*}} relu = true>
// CHECK-NEXT: reads <@[[ALL]] + 0, [1, 1, 192, 64, 64], {{.*}} and <@input_0 + 0, {{.*}} writes <@[[ALL]] + 1572864,
// CHECK-NEXT: reads <@input_0 + 0, {{.*}} writes <@[[ALL]] + 3145728,
// CHECK-NEXT: reads <@[[ALL]] + 0, [1, 1, 576, 64, 64],
zin.procedure @concat_shared_large(%x: tensor<1x1x192x64x64xf16> {zin.host_type = tensor<1x1x192x64x64xf16>, zin.name = "x"}) -> (tensor<1x1x576x64x64xf16> {zin.host_type = tensor<1x1x576x64x64xf16>, zin.name = "y"}) {
  %a = zin.neuron <relu> %x : tensor<1x1x192x64x64xf16>
  %b = zin.elementwise <Add> %a, %x : (tensor<1x1x192x64x64xf16>, tensor<1x1x192x64x64xf16>) -> tensor<1x1x192x64x64xf16>
  %z = zin.concat %a, %b, %x along 2 : (tensor<1x1x192x64x64xf16>, tensor<1x1x192x64x64xf16>, tensor<1x1x192x64x64xf16>) -> tensor<1x1x576x64x64xf16>
  %y = zin.neuron <relu> %z : tensor<1x1x576x64x64xf16>
  zin.return %y : tensor<1x1x576x64x64xf16>
}

// -----

// CHECK-LABEL: zin.program @concat_interleave {
// CHECK-NOT: zin.task
// CHECK: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> writes <@output_0 + 0, [1, 1, 4, 3, 5], [1536, 1536, 384, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_1 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> writes <@output_0 + 192, [1, 1, 4, 3, 5], [1536, 1536, 384, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @concat_interleave(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}, %y: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "y"}) -> (tensor<1x1x8x3x5xf16> {zin.host_type = tensor<1x1x8x3x5xf16>, zin.name = "z"}) {
  %z = zin.concat %x, %y along 2 {interleave} : (tensor<1x1x4x3x5xf16>, tensor<1x1x4x3x5xf16>) -> tensor<1x1x8x3x5xf16>
  zin.return %z : tensor<1x1x8x3x5xf16>
}

// -----

// CHECK-LABEL: zin.program @concat_columns_aligned {
// CHECK-NOT: zin.task
// CHECK: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 4, 3, 32], [768, 768, 192, 64]> writes <@output_0 + 0, [1, 1, 4, 3, 32], [1536, 1536, 384, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_1 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> writes <@output_0 + 64, [1, 1, 4, 3, 5], [1536, 1536, 384, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @concat_columns_aligned(%x: tensor<1x1x4x3x32xf16> {zin.host_type = tensor<1x1x4x3x32xf16>, zin.name = "x"}, %y: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "y"}) -> (tensor<1x1x4x3x37xf16> {zin.host_type = tensor<1x1x4x3x37xf16>, zin.name = "z"}) {
  %z = zin.concat %x, %y along 4 : (tensor<1x1x4x3x32xf16>, tensor<1x1x4x3x5xf16>) -> tensor<1x1x4x3x37xf16>
  zin.return %z : tensor<1x1x4x3x37xf16>
}

// -----

// Columns at 10 bytes are no multiple of 64: they are joined as channels.

// CHECK-LABEL: zin.program @concat_columns {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_0 2112 bytes <@scratch_0 + 0, [1, 1, 11, 3, 4], [2112, 2112, 192, 64]>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> writes <@scratch_0 + 0, [1, 1, 5, 3, 4], [2112, 2112, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, transposed = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_1 + 0, [1, 1, 4, 3, 6], [768, 768, 192, 64]> writes <@scratch_0 + 960, [1, 1, 6, 3, 4], [2112, 2112, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, transposed = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_0 + 0, [1, 1, 11, 3, 4], [2112, 2112, 192, 64]> writes <@output_0 + 0, [1, 1, 4, 3, 11], [768, 768, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, transposed = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @concat_columns(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}, %y: tensor<1x1x4x3x6xf16> {zin.host_type = tensor<1x1x4x3x6xf16>, zin.name = "y"}) -> (tensor<1x1x4x3x11xf16> {zin.host_type = tensor<1x1x4x3x11xf16>, zin.name = "z"}) {
  %z = zin.concat %x, %y along 4 : (tensor<1x1x4x3x5xf16>, tensor<1x1x4x3x6xf16>) -> tensor<1x1x4x3x11xf16>
  zin.return %z : tensor<1x1x4x3x11xf16>
}

// -----

// Rows stay rows where channels lie along columns: zin-tile-rows can take blocks of
// them through all copies.

// CHECK-LABEL: zin.program @concat_rows {
// CHECK: zin.task <NEFUSED_BYPASS> {{.*}} reads <@input_0 + 0, [1, 1, 64, 100, 100], {{.*}} writes <@[[JOINED:scratch_[0-9]+]] + 0, [1, 1, 100, 100, 64],
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> {{.*}} reads <@input_1 + 0, [1, 1, 64, 100, 50], {{.*}} writes <@[[JOINED]] + {{[0-9]+}}, [1, 1, 50, 100, 64],
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> {{.*}} reads <@[[JOINED]] + 0, [1, 1, 150, 100, 64], {{.*}} writes <@output_0 + 0, [1, 1, 64, 100, 150],
// CHECK-NEXT: {{^  }$}}
zin.procedure @concat_rows(%x: tensor<1x1x64x100x100xf16> {zin.host_type = tensor<1x1x64x100x100xf16>, zin.name = "x"}, %y: tensor<1x1x64x100x50xf16> {zin.host_type = tensor<1x1x64x100x50xf16>, zin.name = "y"}) -> (tensor<1x1x64x100x150xf16> {zin.host_type = tensor<1x1x64x100x150xf16>, zin.name = "z"}) {
  %z = zin.concat %x, %y along 4 : (tensor<1x1x64x100x100xf16>, tensor<1x1x64x100x50xf16>) -> tensor<1x1x64x100x150xf16>
  zin.return %z : tensor<1x1x64x100x150xf16>
}

// -----

// Of several images, of which L2 does not hold all, a few short rows are joined at
// a time, or one row.

// CHECK-LABEL: zin.program @concat_in_blocks {
// CHECK: zin.task <NEFUSED_BYPASS> {{.*}} reads <@input_0 + 0, [1, 1, 100, 17, 100], {{.*}} writes <@[[JOINED:scratch_[0-9]+]] + 0, [1, 1, 100, 17, 100],
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> {{.*}} reads <@input_1 + 0, [1, 1, 100, 17, 50], {{.*}} writes <@[[JOINED]] + {{[0-9]+}}, [1, 1, 50, 17, 100],
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> {{.*}} reads <@[[JOINED]] + 0, [1, 1, 150, 17, 100], {{.*}} writes <@output_0 + 0, [1, 1, 100, 17, 150],
// CHECK-COUNT-10: transposed = true>
// CHECK-NOT: transposed = true>
// CHECK: {{^  }$}}
zin.procedure @concat_in_blocks(%x: tensor<2x1x32x100x100xf16> {zin.host_type = tensor<2x1x32x100x100xf16>, zin.name = "x"}, %y: tensor<2x1x32x100x50xf16> {zin.host_type = tensor<2x1x32x100x50xf16>, zin.name = "y"}) -> (tensor<2x1x32x100x150xf16> {zin.host_type = tensor<2x1x32x100x150xf16>, zin.name = "z"}) {
  %z = zin.concat %x, %y along 4 : (tensor<2x1x32x100x100xf16>, tensor<2x1x32x100x50xf16>) -> tensor<2x1x32x100x150xf16>
  zin.return %z : tensor<2x1x32x100x150xf16>
}

// -----

// CHECK-LABEL: zin.program @concat_columns_interleave {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_0 12288 bytes <@scratch_0 + 0, [1, 1, 64, 3, 4], [12288, 12288, 192, 64]>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 4, 3, 32], [768, 768, 192, 64]> writes <@scratch_0 + 0, [1, 1, 32, 3, 4], [12288, 12288, 384, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, transposed = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_1 + 0, [1, 1, 4, 3, 32], [768, 768, 192, 64]> writes <@scratch_0 + 192, [1, 1, 32, 3, 4], [12288, 12288, 384, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, transposed = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_0 + 0, [1, 1, 64, 3, 4], [12288, 12288, 192, 64]> writes <@output_0 + 0, [1, 1, 4, 3, 64], [1536, 1536, 384, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, transposed = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @concat_columns_interleave(%x: tensor<1x1x4x3x32xf16> {zin.host_type = tensor<1x1x4x3x32xf16>, zin.name = "x"}, %y: tensor<1x1x4x3x32xf16> {zin.host_type = tensor<1x1x4x3x32xf16>, zin.name = "y"}) -> (tensor<1x1x4x3x64xf16> {zin.host_type = tensor<1x1x4x3x64xf16>, zin.name = "z"}) {
  %z = zin.concat %x, %y along 4 {interleave} : (tensor<1x1x4x3x32xf16>, tensor<1x1x4x3x32xf16>) -> tensor<1x1x4x3x64xf16>
  zin.return %z : tensor<1x1x4x3x64xf16>
}

// -----

// What alone goes into rows that take turns is written there, if L2 does not hold
// all of them.

// CHECK-LABEL: zin.program @rows_in_turns {
// CHECK: zin.task <NEFUSED_BYPASS> {{.*}} writes <@output_0 + 0, [1, 1, 64, 100, 64], [1638400, 1638400, 25600, 256]> {{.*}} relu = true
// CHECK-NEXT: zin.task <PEFUSED_GOC> {{.*}} writes <@output_0 + 128, [1, 1, 64, 100, 64], [1638400, 1638400, 25600, 256]>
// CHECK-NEXT: {{^  }$}}
zin.procedure @rows_in_turns(%x: tensor<1x1x64x100x64xf16> {zin.host_type = tensor<64x100x64xf16>, zin.name = "x"}) -> (tensor<1x1x64x200x64xf16> {zin.host_type = tensor<64x200x64xf16>, zin.name = "y"}) {
  %a = zin.neuron <relu> %x : tensor<1x1x64x100x64xf16>
  %b = zin.goc %x scale 2.0 bias 1.0 : tensor<1x1x64x100x64xf16>
  %y = zin.concat %a, %b along 3 {interleave} : (tensor<1x1x64x100x64xf16>, tensor<1x1x64x100x64xf16>) -> tensor<1x1x64x200x64xf16>
  zin.return %y : tensor<1x1x64x200x64xf16>
}

// -----

// A copy of one value lies apart from it where others read the value as well.

// CHECK-LABEL: zin.program @copy_shared {
// CHECK: reads <@input_0 + 0, {{.*}} writes <@[[OWN:[^ ]*]] + 0, [1, 1, 64, 64, 64], {{.*}} relu = true>
// CHECK-NEXT: reads <@[[OWN]] + 0, {{.*}} writes <@[[COPY:[^ ]*]] + 0, [1, 1, 64, 64, 64], {{.*}}op = pass{{.*}} kernelless = true>
// CHECK-NEXT: reads <@[[COPY]] + 0, {{.*}} and <@input_0 + 0,
zin.procedure @copy_shared(%x: tensor<1x1x64x64x64xf16> {zin.host_type = tensor<1x1x64x64x64xf16>, zin.name = "x"}) -> (tensor<1x1x64x64x64xf16> {zin.host_type = tensor<1x1x64x64x64xf16>, zin.name = "y"}) {
  %a = zin.neuron <relu> %x : tensor<1x1x64x64x64xf16>
  %z = zin.concat %a along 0 : (tensor<1x1x64x64x64xf16>) -> tensor<1x1x64x64x64xf16>
  %b = zin.elementwise <Add> %z, %x : (tensor<1x1x64x64x64xf16>, tensor<1x1x64x64x64xf16>) -> tensor<1x1x64x64x64xf16>
  %y = zin.elementwise <Mult> %a, %b : (tensor<1x1x64x64x64xf16>, tensor<1x1x64x64x64xf16>) -> tensor<1x1x64x64x64xf16>
  zin.return %y : tensor<1x1x64x64x64xf16>
}
