// RUN: ane-opt %s --split-input-file --convert-zin-to-tasks | FileCheck %s

// The tasks of reshapes and views, and of what is read and written through
// them. A view is [groups, depth, channels, rows, columns] and the bytes
// between neighbours in all but the last. Rows start at multiples of 64 bytes.

// Rows of the same length are the same rows.

// CHECK-LABEL: zin.program @reshape_rows {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_0 768 bytes <@scratch_0 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> writes <@scratch_0 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_0 + 0, [1, 2, 3, 2, 5], [768, 384, 128, 64]> writes <@output_0 + 0, [1, 2, 3, 2, 5], [768, 384, 128, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @reshape_rows(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x2x3x2x5xf16> {zin.host_type = tensor<1x2x3x2x5xf16>, zin.name = "y"}) {
  %a = zin.neuron <relu> %x : tensor<1x1x4x3x5xf16>
  %b = zin.reshape %a : (tensor<1x1x4x3x5xf16>) -> tensor<1x2x3x2x5xf16>
  %y = zin.neuron <relu> %b : tensor<1x2x3x2x5xf16>
  zin.return %y : tensor<1x2x3x2x5xf16>
}

// -----

// So are rows without padding whose new length is a multiple of 64 bytes.

// CHECK-LABEL: zin.program @reshape_dense {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_0 1536 bytes <@scratch_0 + 0, [1, 1, 4, 3, 64], [1536, 1536, 384, 128]>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 4, 3, 64], [1536, 1536, 384, 128]> writes <@scratch_0 + 0, [1, 1, 4, 3, 64], [1536, 1536, 384, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_0 + 0, [1, 1, 2, 3, 128], [1536, 1536, 768, 256]> writes <@output_0 + 0, [1, 1, 2, 3, 128], [1536, 1536, 768, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @reshape_dense(%x: tensor<1x1x4x3x64xf16> {zin.host_type = tensor<1x1x4x3x64xf16>, zin.name = "x"}) -> (tensor<1x1x2x3x128xf16> {zin.host_type = tensor<1x1x2x3x128xf16>, zin.name = "y"}) {
  %a = zin.neuron <relu> %x : tensor<1x1x4x3x64xf16>
  %b = zin.reshape %a : (tensor<1x1x4x3x64xf16>) -> tensor<1x1x2x3x128xf16>
  %y = zin.neuron <relu> %b : tensor<1x1x2x3x128xf16>
  zin.return %y : tensor<1x1x2x3x128xf16>
}

// -----

// Otherwise a transposed write makes rows of the elements, a second one collects
// them. Both shapes are two parts of as many whole rows, 3 and 5, so that a row
// in between has the same element of both: element w of row r of a part lies at
// row 5 * r + w, then 3 rows are a row.

// CHECK-LABEL: zin.program @reshape_columns {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_0 384 bytes <@scratch_0 + 0, [1, 1, 2, 3, 5], [384, 384, 192, 64]>
// CHECK-NEXT: zin.buffer <scratch> @scratch_1 640 bytes <@scratch_1 + 0, [1, 1, 5, 2, 3], [640, 640, 128, 64]>
// CHECK-NEXT: zin.buffer <scratch> @scratch_2 960 bytes <@scratch_2 + 0, [1, 1, 1, 15, 2], [960, 960, 960, 64]>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 2, 3, 5], [384, 384, 192, 64]> writes <@scratch_0 + 0, [1, 1, 2, 3, 5], [384, 384, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_0 + 0, [1, 1, 2, 3, 5], [384, 384, 192, 64]> writes <@scratch_2 + 0, [1, 1, 5, 3, 2], [0, 0, 64, 320]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, transposed = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_2 + 0, [1, 1, 3, 5, 2], [0, 0, 64, 192]> writes <@scratch_1 + 0, [1, 1, 2, 5, 3], [640, 640, 320, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, transposed = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_1 + 0, [1, 1, 5, 2, 3], [640, 640, 128, 64]> writes <@output_0 + 0, [1, 1, 5, 2, 3], [640, 640, 128, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @reshape_columns(%x: tensor<1x1x2x3x5xf16> {zin.host_type = tensor<1x1x2x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x5x2x3xf16> {zin.host_type = tensor<1x1x5x2x3xf16>, zin.name = "y"}) {
  %a = zin.neuron <relu> %x : tensor<1x1x2x3x5xf16>
  %b = zin.reshape %a : (tensor<1x1x2x3x5xf16>) -> tensor<1x1x5x2x3xf16>
  %y = zin.neuron <relu> %b : tensor<1x1x5x2x3xf16>
  zin.return %y : tensor<1x1x5x2x3xf16>
}

// -----

// A shape with one column needs one of the two steps.

// CHECK-LABEL: zin.program @reshape_to_cells {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_0 128 bytes <@scratch_0 + 0, [1, 1, 1, 2, 5], [128, 128, 128, 64]>
// CHECK-NEXT: zin.buffer <scratch> @scratch_1 640 bytes <@scratch_1 + 0, [1, 1, 5, 2, 1], [640, 640, 128, 64]>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 1, 2, 5], [128, 128, 128, 64]> writes <@scratch_0 + 0, [1, 1, 1, 2, 5], [128, 128, 128, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_0 + 0, [1, 1, 1, 2, 5], [128, 128, 128, 64]> writes <@scratch_1 + 0, [1, 1, 5, 2, 1], [0, 0, 64, 320]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, transposed = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_1 + 0, [1, 1, 5, 2, 1], [640, 640, 128, 64]> writes <@output_0 + 0, [1, 1, 5, 2, 1], [640, 640, 128, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @reshape_to_cells(%x: tensor<1x1x1x2x5xf16> {zin.host_type = tensor<1x1x1x2x5xf16>, zin.name = "x"}) -> (tensor<1x1x5x2x1xf16> {zin.host_type = tensor<1x1x5x2x1xf16>, zin.name = "y"}) {
  %a = zin.neuron <relu> %x : tensor<1x1x1x2x5xf16>
  %b = zin.reshape %a : (tensor<1x1x1x2x5xf16>) -> tensor<1x1x5x2x1xf16>
  %y = zin.neuron <relu> %b : tensor<1x1x5x2x1xf16>
  zin.return %y : tensor<1x1x5x2x1xf16>
}

// -----

// CHECK-LABEL: zin.program @reshape_from_cells {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_0 640 bytes <@scratch_0 + 0, [1, 1, 5, 2, 1], [640, 640, 128, 64]>
// CHECK-NEXT: zin.buffer <scratch> @scratch_1 128 bytes <@scratch_1 + 0, [1, 1, 1, 2, 5], [128, 128, 128, 64]>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 5, 2, 1], [640, 640, 128, 64]> writes <@scratch_0 + 0, [1, 1, 5, 2, 1], [640, 640, 128, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_0 + 0, [1, 1, 5, 2, 1], [0, 0, 64, 320]> writes <@scratch_1 + 0, [1, 1, 1, 2, 5], [128, 128, 128, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, transposed = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_1 + 0, [1, 1, 1, 2, 5], [128, 128, 128, 64]> writes <@output_0 + 0, [1, 1, 1, 2, 5], [128, 128, 128, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @reshape_from_cells(%x: tensor<1x1x5x2x1xf16> {zin.host_type = tensor<1x1x5x2x1xf16>, zin.name = "x"}) -> (tensor<1x1x1x2x5xf16> {zin.host_type = tensor<1x1x1x2x5xf16>, zin.name = "y"}) {
  %a = zin.neuron <relu> %x : tensor<1x1x5x2x1xf16>
  %b = zin.reshape %a : (tensor<1x1x5x2x1xf16>) -> tensor<1x1x1x2x5xf16>
  %y = zin.neuron <relu> %b : tensor<1x1x1x2x5xf16>
  zin.return %y : tensor<1x1x1x2x5xf16>
}

// -----

// 8192 parts, of three rows and of two: their elements lie side by side.

// CHECK-LABEL: zin.program @reshape_parts {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_0 1572864 bytes <@scratch_0 + 0, [1, 1, 8192, 3, 2], [1572864, 1572864, 192, 64]>
// CHECK-NEXT: zin.buffer <scratch> @scratch_1 1048576 bytes <@scratch_1 + 0, [1, 1, 8192, 2, 3], [1048576, 1048576, 128, 64]>
// CHECK-NEXT: zin.buffer <scratch> @scratch_2 98304 bytes <@scratch_2 + 0, [1, 1, 1, 6, 8192], [98304, 98304, 98304, 16384]>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 8192, 3, 2], [1572864, 1572864, 192, 64]> writes <@scratch_0 + 0, [1, 1, 8192, 3, 2], [1572864, 1572864, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_0 + 0, [1, 1, 8192, 3, 2], [1572864, 1572864, 192, 64]> writes <@scratch_2 + 0, [1, 1, 2, 3, 8192], [0, 0, 16384, 32768]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, transposed = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_2 + 0, [1, 1, 3, 2, 8192], [0, 0, 16384, 49152]> writes <@scratch_1 + 0, [1, 1, 8192, 2, 3], [1048576, 1048576, 128, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, transposed = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_1 + 0, [1, 1, 8192, 2, 3], [1048576, 1048576, 128, 64]> writes <@output_0 + 0, [1, 1, 8192, 2, 3], [1048576, 1048576, 128, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @reshape_parts(%x: tensor<1x1x8192x3x2xf16> {zin.host_type = tensor<1x1x8192x3x2xf16>, zin.name = "x"}) -> (tensor<1x1x8192x2x3xf16> {zin.host_type = tensor<1x1x8192x2x3xf16>, zin.name = "y"}) {
  %a = zin.neuron <relu> %x : tensor<1x1x8192x3x2xf16>
  %b = zin.reshape %a : (tensor<1x1x8192x3x2xf16>) -> tensor<1x1x8192x2x3xf16>
  %y = zin.neuron <relu> %b : tensor<1x1x8192x2x3xf16>
  zin.return %y : tensor<1x1x8192x2x3xf16>
}

// -----

// Of parts of which L2 does not hold all, 32 and what is left at a time.

// CHECK-LABEL: zin.program @reshape_some_parts {
// CHECK: reads <@input_0 + 0, [1, 1, 32, 80, 80], {{.*}} writes <@[[A:[^ ]*]] + 0, [1, 1, 80, 80, 32], {{.*}} transposed = true>
// CHECK-NEXT: reads <@[[A]] + 0, [1, 1, 6400, 1, 32], {{.*}} writes <@output_0 + 0, [1, 1, 32, 1, 6400], {{.*}} transposed = true>
// CHECK-NEXT: reads <@input_0 + 491520, [1, 1, 32, 80, 80],
// CHECK: reads <@input_0 + 1966080, [1, 1, 16, 80, 80], {{.*}} writes <@[[B:[^ ]*]] + 0, [1, 1, 80, 80, 16],
// CHECK-NEXT: reads <@[[B]] + 0, {{.*}} writes <@output_0 + 1638400, [1, 1, 16, 1, 6400],
// CHECK-NEXT: {{^  }$}}
zin.procedure @reshape_some_parts(%x: tensor<1x1x144x80x80xf16> {zin.host_type = tensor<144x80x80xf16>, zin.name = "x"}) -> (tensor<1x1x1x144x6400xf16> {zin.host_type = tensor<144x6400xf16>, zin.name = "y"}) {
  %b = zin.reshape %x : (tensor<1x1x144x80x80xf16>) -> tensor<1x1x1x144x6400xf16>
  zin.return %b : tensor<1x1x1x144x6400xf16>
}

// -----

// 32768 parts are two groups of 16384, the most columns of a row.

// CHECK-LABEL: zin.program @reshape_groups {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_0 6291456 bytes <@scratch_0 + 0, [1, 1, 16384, 6, 2], [6291456, 6291456, 384, 64]>
// CHECK-NEXT: zin.buffer <scratch> @scratch_1 4194304 bytes <@scratch_1 + 0, [1, 1, 16384, 4, 3], [4194304, 4194304, 256, 64]>
// CHECK-NEXT: zin.buffer <scratch> @scratch_2 393216 bytes <@scratch_2 + 0, [1, 1, 1, 12, 16384], [393216, 393216, 393216, 32768]>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 16384, 6, 2], [6291456, 6291456, 384, 64]> writes <@scratch_0 + 0, [1, 1, 16384, 6, 2], [6291456, 6291456, 384, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_0 + 0, [2, 1, 16384, 3, 2], [3145728, 3145728, 192, 64]> writes <@scratch_2 + 0, [2, 1, 2, 3, 16384], [196608, 0, 32768, 65536]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], groups = 2, unicast = 1, kernelless = true, transposed = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_2 + 0, [2, 1, 3, 2, 16384], [196608, 0, 32768, 98304]> writes <@scratch_1 + 0, [2, 1, 16384, 2, 3], [2097152, 2097152, 128, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], groups = 2, unicast = 1, kernelless = true, transposed = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_1 + 0, [1, 1, 16384, 4, 3], [4194304, 4194304, 256, 64]> writes <@output_0 + 0, [1, 1, 16384, 4, 3], [4194304, 4194304, 256, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @reshape_groups(%x: tensor<1x1x16384x6x2xf16> {zin.host_type = tensor<1x1x16384x6x2xf16>, zin.name = "x"}) -> (tensor<1x1x16384x4x3xf16> {zin.host_type = tensor<1x1x16384x4x3xf16>, zin.name = "y"}) {
  %a = zin.neuron <relu> %x : tensor<1x1x16384x6x2xf16>
  %b = zin.reshape %a : (tensor<1x1x16384x6x2xf16>) -> tensor<1x1x16384x4x3xf16>
  %y = zin.neuron <relu> %b : tensor<1x1x16384x4x3xf16>
  zin.return %y : tensor<1x1x16384x4x3xf16>
}

// -----

// A result that is only reshaped is written where it is returned.

// CHECK-LABEL: zin.program @reshape_result {
// CHECK-NOT: zin.task
// CHECK: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> writes <@output_0 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @reshape_result(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x1x12x5xf16> {zin.host_type = tensor<1x1x1x12x5xf16>, zin.name = "y"}) {
  %a = zin.neuron <relu> %x : tensor<1x1x4x3x5xf16>
  %y = zin.reshape %a : (tensor<1x1x4x3x5xf16>) -> tensor<1x1x1x12x5xf16>
  zin.return %y : tensor<1x1x1x12x5xf16>
}

// -----

// 1 * 1024 + 2 * 128 + 32 * 2 bytes from the start.

// CHECK-LABEL: zin.program @view_rows {
// CHECK-NOT: zin.task
// CHECK: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 1344, [1, 1, 2, 3, 8], [4096, 4096, 1024, 256]> writes <@output_0 + 0, [1, 1, 2, 3, 8], [384, 384, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @view_rows(%x: tensor<1x1x4x8x40xf16> {zin.host_type = tensor<1x1x4x8x40xf16>, zin.name = "x"}) -> (tensor<1x1x2x3x8xf16> {zin.host_type = tensor<1x1x2x3x8xf16>, zin.name = "y"}) {
  %a = zin.input_view %x from [0, 0, 1, 2, 32] by [1, 1, 1, 2, 1] : (tensor<1x1x4x8x40xf16>) -> tensor<1x1x2x3x8xf16>
  %y = zin.neuron <relu> %a : tensor<1x1x2x3x8xf16>
  zin.return %y : tensor<1x1x2x3x8xf16>
}

// -----

// Columns that do not start at a multiple of 64 bytes, or are not side by side, are
// turned to channels and back: from channel 1 on every second. What lies behind the
// last one is not read.

// CHECK-LABEL: zin.program @view_columns {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_0 768 bytes <@scratch_0 + 0, [1, 1, 4, 3, 4], [768, 768, 192, 64]>
// CHECK-NEXT: zin.buffer <scratch> @scratch_1 1536 bytes <@scratch_1 + 0, [1, 1, 8, 3, 4], [1536, 1536, 192, 64]>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 4, 3, 8], [768, 768, 192, 64]> writes <@scratch_1 + 0, [1, 1, 8, 3, 4], [1536, 1536, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, transposed = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_1 + 192, [1, 1, 4, 3, 4], [1536, 1536, 384, 64]> writes <@scratch_0 + 0, [1, 1, 4, 3, 4], [768, 768, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, transposed = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_0 + 0, [1, 1, 4, 3, 4], [768, 768, 192, 64]> writes <@output_0 + 0, [1, 1, 4, 3, 4], [768, 768, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @view_columns(%x: tensor<1x1x4x3x9xf16> {zin.host_type = tensor<1x1x4x3x9xf16>, zin.name = "x"}) -> (tensor<1x1x4x3x4xf16> {zin.host_type = tensor<1x1x4x3x4xf16>, zin.name = "y"}) {
  %a = zin.input_view %x from [0, 0, 0, 0, 1] by [1, 1, 1, 1, 2] : (tensor<1x1x4x3x9xf16>) -> tensor<1x1x4x3x4xf16>
  %y = zin.neuron <relu> %a : tensor<1x1x4x3x4xf16>
  zin.return %y : tensor<1x1x4x3x4xf16>
}

// -----

// Of columns from 374 on those from 352 on are read. A value that L2 does not hold as
// a whole goes there and back row by row.

// CHECK-LABEL: zin.program @view_columns_in_blocks {
// CHECK: zin.task <NEFUSED_BYPASS> {{.*}} reads <@input_0 + 704, [1, 1, 500, 1, 648], {{.*}} writes <@[[FIRST:scratch_[0-9]+]] + 0, [1, 1, 648, 1, 500],
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> {{.*}} reads <@[[FIRST]] + {{[0-9]+}}, [1, 1, 626, 1, 500], {{.*}} writes <@{{.*}}, [1, 1, 500, 1, 626],
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> {{.*}} reads <@input_0 + 1024704, [1, 1, 500, 1, 648], {{.*}} writes <@[[SECOND:scratch_[0-9]+]] + 0,
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> {{.*}} reads <@[[SECOND]] +
// CHECK-COUNT-5: transposed = true>
// CHECK-NOT: transposed = true>
// CHECK: {{^  }$}}
zin.procedure @view_columns_in_blocks(%x: tensor<1x1x4x500x1000xf16> {zin.host_type = tensor<1x1x4x500x1000xf16>, zin.name = "x"}) -> (tensor<1x1x4x500x626xf16> {zin.host_type = tensor<1x1x4x500x626xf16>, zin.name = "y"}) {
  %a = zin.input_view %x from [0, 0, 0, 0, 374] by [1, 1, 1, 1, 1] : (tensor<1x1x4x500x1000xf16>) -> tensor<1x1x4x500x626xf16>
  %y = zin.neuron <relu> %a : tensor<1x1x4x500x626xf16>
  zin.return %y : tensor<1x1x4x500x626xf16>
}

// -----

// The heads of an attention are written side by side into the rows that a reshape
// of the transposed value has.

// CHECK-LABEL: zin.program @heads {
// CHECK: zin.task <PEFUSED_ELEMENTWISE> {{.*}} writes <@output_0 + 0, [1, 1, 2, 40, 64], [10240, 10240, 128, 256]>
// CHECK-NEXT: {{^  }$}}
zin.procedure @heads(%x: tensor<1x1x2x40x64xf16> {zin.host_type = tensor<2x40x64xf16>, zin.name = "x"}, %z: tensor<1x1x2x40x64xf16> {zin.host_type = tensor<2x40x64xf16>, zin.name = "z"}) -> (tensor<1x1x1x40x128xf16> {zin.host_type = tensor<40x128xf16>, zin.name = "y"}) {
  %m = zin.elementwise <Mult> %x, %z : (tensor<1x1x2x40x64xf16>, tensor<1x1x2x40x64xf16>) -> tensor<1x1x2x40x64xf16>
  %t = zin.transpose %m to [0, 1, 3, 2, 4] : (tensor<1x1x2x40x64xf16>) -> tensor<1x1x40x2x64xf16>
  %r = zin.reshape %t : (tensor<1x1x40x2x64xf16>) -> tensor<1x1x1x40x128xf16>
  zin.return %r : tensor<1x1x1x40x128xf16>
}

// -----

// Products write the matrix of each head there, and so do the parts of a
// concatenation. What reads the rows reads them from there.

// CHECK-LABEL: zin.program @joined_heads {
// CHECK: zin.buffer <scratch> @scratch_[[S:[0-9]+]] 10240 bytes <@scratch_[[S]] + 0, [1, 1, 1, 40, 128], [10240, 10240, 10240, 256]>
// CHECK: zin.task <NEFUSED_CONV> {{.*}} writes <@scratch_[[S]] + 0, [1, 1, 40, 1, 64], [128, 128, 256, 128]> {{.*}} transposed = true
// CHECK: zin.task <NEFUSED_CONV> {{.*}} writes <@scratch_[[S]] + 128, [1, 1, 40, 1, 64], [128, 128, 256, 128]> {{.*}} transposed = true
// CHECK: reads <@scratch_[[S]] + 0, [1, 1, 1, 40, 128], {{.*}} writes <@output_0
// CHECK-NEXT: {{^  }$}}
zin.procedure @joined_heads(%x: tensor<1x1x1x40x64xf16> {zin.host_type = tensor<40x64xf16>, zin.name = "x"}, %z: tensor<1x1x1x64x64xf16> {zin.host_type = tensor<64x64xf16>, zin.name = "z"}) -> (tensor<1x1x1x40x128xf16> {zin.host_type = tensor<40x128xf16>, zin.name = "y"}) {
  %a = zin.matmul %x, %z : (tensor<1x1x1x40x64xf16>, tensor<1x1x1x64x64xf16>) -> tensor<1x1x1x40x64xf16>
  %b = zin.matmul %x, %z {scale = 0.5 : f16} : (tensor<1x1x1x40x64xf16>, tensor<1x1x1x64x64xf16>) -> tensor<1x1x1x40x64xf16>
  %c = zin.concat %a, %b along 2 : (tensor<1x1x1x40x64xf16>, tensor<1x1x1x40x64xf16>) -> tensor<1x1x2x40x64xf16>
  %t = zin.transpose %c to [0, 1, 3, 2, 4] : (tensor<1x1x2x40x64xf16>) -> tensor<1x1x40x2x64xf16>
  %r = zin.reshape %t : (tensor<1x1x40x2x64xf16>) -> tensor<1x1x1x40x128xf16>
  %y = zin.neuron <relu> %r : tensor<1x1x1x40x128xf16>
  zin.return %y : tensor<1x1x1x40x128xf16>
}

// -----

// Columns that would start inside a step of 64 bytes are moved by copies.

// CHECK-LABEL: zin.program @narrow_heads {
// CHECK: zin.task <PEFUSED_ELEMENTWISE> {{.*}} writes <@scratch_
// CHECK: zin.task <NEFUSED_BYPASS> {{.*}} transposed = true
zin.procedure @narrow_heads(%x: tensor<1x1x2x40x48xf16> {zin.host_type = tensor<2x40x48xf16>, zin.name = "x"}, %z: tensor<1x1x2x40x48xf16> {zin.host_type = tensor<2x40x48xf16>, zin.name = "z"}) -> (tensor<1x1x1x40x96xf16> {zin.host_type = tensor<40x96xf16>, zin.name = "y"}) {
  %m = zin.elementwise <Mult> %x, %z : (tensor<1x1x2x40x48xf16>, tensor<1x1x2x40x48xf16>) -> tensor<1x1x2x40x48xf16>
  %t = zin.transpose %m to [0, 1, 3, 2, 4] : (tensor<1x1x2x40x48xf16>) -> tensor<1x1x40x2x48xf16>
  %r = zin.reshape %t : (tensor<1x1x40x2x48xf16>) -> tensor<1x1x1x40x96xf16>
  zin.return %r : tensor<1x1x1x40x96xf16>
}

// -----

// Several reshapes and transposes are one view to write through, too.

// CHECK-LABEL: zin.program @through_moves {
// CHECK: zin.task <NEFUSED_BYPASS> {{.*}} writes <@output_0 + 0, [1, 1, 4, 8, 32], [2048, 2048, 64, 256]> {{.*}} relu = true
// CHECK-NEXT: {{^  }$}}
zin.procedure @through_moves(%x: tensor<1x1x4x8x32xf16> {zin.host_type = tensor<4x8x32xf16>, zin.name = "x"}) -> (tensor<1x8x1x1x128xf16> {zin.host_type = tensor<8x1x1x128xf16>, zin.name = "y"}) {
  %a = zin.neuron <relu> %x : tensor<1x1x4x8x32xf16>
  %b = zin.transpose %a to [0, 1, 3, 2, 4] : (tensor<1x1x4x8x32xf16>) -> tensor<1x1x8x4x32xf16>
  %c = zin.reshape %b : (tensor<1x1x8x4x32xf16>) -> tensor<1x1x8x1x128xf16>
  %d = zin.transpose %c to [0, 1, 3, 2, 4] : (tensor<1x1x8x1x128xf16>) -> tensor<1x1x1x8x128xf16>
  %y = zin.reshape %d : (tensor<1x1x1x8x128xf16>) -> tensor<1x8x1x1x128xf16>
  zin.return %y : tensor<1x8x1x1x128xf16>
}

// -----

// The heads of a part of the columns are read in their place, though there are
// other columns between the rows.

// CHECK-LABEL: zin.program @heads_of_part {
// CHECK: zin.task <NEFUSED_BYPASS> {{.*}} reads <@input_0 + 128, [1, 1, 2, 40, 32], [15360, 15360, 64, 384]> writes <@output_0 + 0, [1, 1, 2, 40, 32],
// CHECK-NEXT: {{^  }$}}
zin.procedure @heads_of_part(%x: tensor<1x1x1x40x192xf16> {zin.host_type = tensor<40x192xf16>, zin.name = "x"}) -> (tensor<1x1x2x40x32xf16> {zin.host_type = tensor<2x40x32xf16>, zin.name = "y"}) {
  %v = zin.input_view %x from [0, 0, 0, 0, 64] by [1, 1, 1, 1, 1] : (tensor<1x1x1x40x192xf16>) -> tensor<1x1x1x40x64xf16>
  %r = zin.reshape %v : (tensor<1x1x1x40x64xf16>) -> tensor<1x1x40x2x32xf16>
  %t = zin.transpose %r to [0, 1, 3, 2, 4] : (tensor<1x1x40x2x32xf16>) -> tensor<1x1x2x40x32xf16>
  %y = zin.neuron <relu> %t : tensor<1x1x2x40x32xf16>
  zin.return %y : tensor<1x1x2x40x32xf16>
}

// -----

// What a transposed write does not turn are groups and slices where channels
// fill enough banks of L2, and not rows. Two dimensions that lie at one distance
// on both sides are one.

// CHECK-LABEL: zin.program @transpose_lines {
// CHECK: zin.task {{.*}} reads <@input_0 + 0, [6, 2, 32, 1, 16], [4096, 64, 128, 8192]> writes <@output_0 + 0, [6, 2, 16, 1, 32], [2048, 64, 128, 4096]> {{.*}} transposed = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @transpose_lines(%x: tensor<3x2x32x2x16xf16> {zin.host_type = tensor<3x2x32x2x16xf16>, zin.name = "x"}) -> (tensor<3x2x16x2x32xf16> {zin.host_type = tensor<3x2x16x2x32xf16>, zin.name = "y"}) {
  %y = zin.transpose %x to [0, 1, 4, 3, 2] : (tensor<3x2x32x2x16xf16>) -> tensor<3x2x16x2x32xf16>
  zin.return %y : tensor<3x2x16x2x32xf16>
}

// -----

// The longest of them are rows where channels are few.

// CHECK-LABEL: zin.program @transpose_rows {
// CHECK: zin.task {{.*}} reads <@input_0 + 0, [1, 1, 4, 9, 16], [{{.*}}, 64, 256]> writes <@output_0 + 0, [1, 1, 16, 9, 4], [{{.*}}, 64, 1024]> {{.*}} transposed = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @transpose_rows(%x: tensor<9x1x1x4x16xf16> {zin.host_type = tensor<9x4x16xf16>, zin.name = "x"}) -> (tensor<9x1x1x16x4xf16> {zin.host_type = tensor<9x16x4xf16>, zin.name = "y"}) {
  %y = zin.transpose %x to [0, 1, 2, 4, 3] : (tensor<9x1x1x4x16xf16>) -> tensor<9x1x1x16x4xf16>
  zin.return %y : tensor<9x1x1x16x4xf16>
}

// -----

// So they are where three are left.

// CHECK-LABEL: zin.program @transpose_three {
// CHECK: zin.task {{.*}} reads <@input_0 + 0, [2, 2, 32, 3, 16], [{{.*}}]> writes <@output_0 + 0, [2, 2, 16, 3, 32], [{{.*}}]> {{.*}} transposed = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @transpose_three(%x: tensor<2x3x32x2x16xf16> {zin.host_type = tensor<2x3x32x2x16xf16>, zin.name = "x"}) -> (tensor<3x2x16x2x32xf16> {zin.host_type = tensor<3x2x16x2x32xf16>, zin.name = "y"}) {
  %y = zin.transpose %x to [1, 0, 4, 3, 2] : (tensor<2x3x32x2x16xf16>) -> tensor<3x2x16x2x32xf16>
  zin.return %y : tensor<3x2x16x2x32xf16>
}

// -----

// And where the channels that are gathered, of 512 bytes each, share two banks,
// unless the rows would be few.

// CHECK-LABEL: zin.program @transpose_crowded {
// CHECK: zin.task {{.*}} reads <@input_0 + 0, [1, 1, 256, 12, 64], [{{.*}}, 1536, 128]> writes <@output_0 + 0, [1, 1, 64, 12, 256], [{{.*}}, 512, 32768]> {{.*}} transposed = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @transpose_crowded(%x: tensor<1x1x256x12x64xf16> {zin.host_type = tensor<256x12x64xf16>, zin.name = "x"}) -> (tensor<1x1x12x64x256xf16> {zin.host_type = tensor<12x64x256xf16>, zin.name = "y"}) {
  %y = zin.transpose %x to [0, 1, 3, 4, 2] : (tensor<1x1x256x12x64xf16>) -> tensor<1x1x12x64x256xf16>
  zin.return %y : tensor<1x1x12x64x256xf16>
}

// CHECK-LABEL: zin.program @transpose_crowded_lines {
// CHECK: zin.task {{.*}} reads <@input_0 + 0, [2, 1, 256, 1, 64], [128, {{.*}}]> writes <@output_0 + 0, [2, 1, 64, 1, 256], [32768, {{.*}}]> {{.*}} transposed = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @transpose_crowded_lines(%x: tensor<1x1x256x2x64xf16> {zin.host_type = tensor<256x2x64xf16>, zin.name = "x"}) -> (tensor<1x1x2x64x256xf16> {zin.host_type = tensor<2x64x256xf16>, zin.name = "y"}) {
  %y = zin.transpose %x to [0, 1, 3, 4, 2] : (tensor<1x1x256x2x64xf16>) -> tensor<1x1x2x64x256xf16>
  zin.return %y : tensor<1x1x2x64x256xf16>
}

// -----

// Of a copy rows are what lies in different banks of L2 on both sides: not the
// pixels of a patch, which are 256 rows apart in the source, but patches.

// CHECK-LABEL: zin.program @copy_patches {
// CHECK: zin.task {{.*}} reads <@input_0 + 0, [16, 2, 2, 16, 144], [{{.*}}, 320]> writes <@output_0 + 0, [16, 2, 2, 16, 144], [{{.*}}, 640]> computes
// CHECK-NEXT: {{^  }$}}
zin.procedure @copy_patches(%x: tensor<2x2x16x16x144xf16> {zin.host_type = tensor<2x2x16x16x144xf16>, zin.name = "x"}) -> (tensor<16x2x16x2x144xf16> {zin.host_type = tensor<16x2x16x2x144xf16>, zin.name = "y"}) {
  %y = zin.transpose %x to [2, 0, 3, 1, 4] : (tensor<2x2x16x16x144xf16>) -> tensor<16x2x16x2x144xf16>
  zin.return %y : tensor<16x2x16x2x144xf16>
}

// More rows than a few stay rows: blocks of them go through other tasks.

// CHECK-LABEL: zin.program @copy_rows {
// CHECK: zin.task {{.*}} reads <@input_0 + 0, [1, 1, 16, 9, 16], [{{.*}}, 64, 1024]> writes <@output_0 + 0, [1, 1, 16, 9, 16], [{{.*}}, 576, 64]> computes
// CHECK-NEXT: {{^  }$}}
zin.procedure @copy_rows(%x: tensor<1x1x9x16x16xf16> {zin.host_type = tensor<9x16x16xf16>, zin.name = "x"}) -> (tensor<1x1x16x9x16xf16> {zin.host_type = tensor<16x9x16xf16>, zin.name = "y"}) {
  %y = zin.transpose %x to [0, 1, 3, 2, 4] : (tensor<1x1x9x16x16xf16>) -> tensor<1x1x16x9x16xf16>
  zin.return %y : tensor<1x1x16x9x16xf16>
}
