// RUN: ane-opt %s --split-input-file --convert-zin-to-tasks | FileCheck %s

// The tasks of products of matrices. A view is [groups, depth, channels, rows,
// columns] and the bytes between neighbours in all but the last. Rows start at
// multiples of 64 bytes.

// The contracted dimension must lie along channels. Where it is the columns, a
// transposed write turns x; the result is turned by the product itself. Outputs
// are 5, taps 40.

// CHECK-LABEL: zin.program @matmul {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_0 2560 bytes <@scratch_0 + 0, [1, 1, 40, 1, 3], [2560, 2560, 64, 64]>
// CHECK-NEXT: zin.kernel @kernel_0 {groups = 1 : i64, ocg_size = 0 : i64, outputs = 5 : i64, taps = 40 : i64, weights = dense<1.000000e+00> : tensor<200xf16>}
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 3, 1, 40], [384, 384, 128, 384]> writes <@scratch_0 + 0, [1, 1, 40, 1, 3], [2560, 2560, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, transposed = true>
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@scratch_0 + 0, [1, 1, 40, 1, 3], [2560, 2560, 64, 64]> writes <@output_0 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 192]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0], transposed = true> with @kernel_0
// CHECK-NEXT: {{^  }$}}
zin.procedure @matmul(%x: tensor<1x1x1x3x40xf16> {zin.host_type = tensor<1x1x1x3x40xf16>, zin.name = "x"}) -> (tensor<1x1x1x3x5xf16> {zin.host_type = tensor<1x1x1x3x5xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x1x5x40xf16>
  %y = zin.matmul %x, %w {} : (tensor<1x1x1x3x40xf16>, tensor<1x1x1x5x40xf16>) -> tensor<1x1x1x3x5xf16>
  zin.return %y : tensor<1x1x1x3x5xf16>
}

// -----

// Rows are channels as they are, and so are outputs on rows.

// CHECK-LABEL: zin.program @matmul_left {
// CHECK-NOT: zin.task
// CHECK: zin.kernel @kernel_0 {groups = 1 : i64, ocg_size = 0 : i64, outputs = 5 : i64, taps = 40 : i64, weights = dense<1.000000e+00> : tensor<200xf16>}
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@input_0 + 0, [1, 1, 40, 1, 3], [2560, 2560, 64, 2560]> writes <@output_0 + 0, [1, 1, 5, 1, 3], [320, 320, 64, 320]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0], relu = true> with @kernel_0
// CHECK-NEXT: {{^  }$}}
zin.procedure @matmul_left(%x: tensor<1x1x1x40x3xf16> {zin.host_type = tensor<1x1x1x40x3xf16>, zin.name = "x"}) -> (tensor<1x1x1x5x3xf16> {zin.host_type = tensor<1x1x1x5x3xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x1x5x40xf16>
  %y = zin.matmul %x, %w {contract_rows, outputs_on_rows, activation = #zin.neuron<relu>} : (tensor<1x1x1x40x3xf16>, tensor<1x1x1x5x40xf16>) -> tensor<1x1x1x5x3xf16>
  zin.return %y : tensor<1x1x1x5x3xf16>
}

// -----

// A matrix for each of two kernels: x repeats with a stride of 0 and each kernel
// has a copy of the bias.

// CHECK-LABEL: zin.program @matmul_batch {
// CHECK-NOT: zin.task
// CHECK: zin.kernel @kernel_0 {bias = dense<1.000000e+00> : tensor<10xf16>, groups = 2 : i64, ocg_size = 0 : i64, outputs = 5 : i64, taps = 4 : i64, weights = dense<1.000000e+00> : tensor<40xf16>}
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@input_0 + 0, [2, 1, 4, 1, 3], [0, 256, 64, 256]> writes <@output_0 + 0, [2, 1, 3, 1, 5], [192, 192, 64, 192]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0], groups = 2, transposed = true> with @kernel_0
// CHECK-NEXT: {{^  }$}}
zin.procedure @matmul_batch(%x: tensor<1x1x1x4x3xf16> {zin.host_type = tensor<1x1x1x4x3xf16>, zin.name = "x"}) -> (tensor<1x1x2x3x5xf16> {zin.host_type = tensor<1x1x2x3x5xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x2x5x4xf16>
  %b = zin.constant dense<1.0> : tensor<1x1x1x1x5xf16>
  %y = zin.matmul %x, %w bias %b {contract_rows} : (tensor<1x1x1x4x3xf16>, tensor<1x1x2x5x4xf16>, tensor<1x1x1x1x5xf16>) -> tensor<1x1x2x3x5xf16>
  zin.return %y : tensor<1x1x2x3x5xf16>
}

// -----

// One kernel for a batch of two is used again.

// CHECK-LABEL: zin.program @matmul_one_kernel {
// CHECK-NOT: zin.task
// CHECK: zin.kernel @kernel_0 {bias = dense<1.000000e+00> : tensor<5xf16>, groups = 1 : i64, ocg_size = 0 : i64, outputs = 5 : i64, taps = 4 : i64, weights = dense<1.000000e+00> : tensor<20xf16>}
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@input_0 + 0, [2, 1, 4, 1, 3], [256, 256, 64, 256]> writes <@output_0 + 0, [2, 1, 3, 1, 5], [192, 192, 64, 192]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0], groups = 2, reuse = true, transposed = true> with @kernel_0
// CHECK-NEXT: {{^  }$}}
zin.procedure @matmul_one_kernel(%x: tensor<1x1x2x4x3xf16> {zin.host_type = tensor<1x1x2x4x3xf16>, zin.name = "x"}) -> (tensor<1x1x2x3x5xf16> {zin.host_type = tensor<1x1x2x3x5xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x1x5x4xf16>
  %b = zin.constant dense<1.0> : tensor<1x1x1x1x5xf16>
  %y = zin.matmul %x, %w bias %b {contract_rows} : (tensor<1x1x2x4x3xf16>, tensor<1x1x1x5x4xf16>, tensor<1x1x1x1x5xf16>) -> tensor<1x1x2x3x5xf16>
  zin.return %y : tensor<1x1x2x3x5xf16>
}

// -----

// The scratchpad has room for a row of 16384 channels and 32 columns, so these are
// cut, and all outputs of some columns are a task.

// CHECK-LABEL: zin.program @matmul_many_rows {
// CHECK-NOT: zin.task
// CHECK: zin.kernel @kernel_0 {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 16384 : i64,
// CHECK-NEXT: zin.task {{.*}} reads <@input_0 + 0, [1, 1, 16384, 1, 32], [5242880, 5242880, 320, 5242880]> writes <@output_0 + 0, [1, 1, 32, 1, 64], [16512, 16512, 128, 16512]> {{.*}} with @kernel_0
// CHECK-NEXT: zin.task {{.*}} reads <@input_0 + 64, [1, 1, 16384, 1, 32], {{.*}} writes <@output_0 + 4096, [1, 1, 32, 1, 64], {{.*}} with @kernel_0
// CHECK: zin.task {{.*}} reads <@input_0 + 256, [1, 1, 16384, 1, 1], {{.*}} writes <@output_0 + 16384, [1, 1, 1, 1, 64], {{.*}} with @kernel_0
// CHECK-NEXT: {{^  }$}}
zin.procedure @matmul_many_rows(%x: tensor<1x1x1x16384x129xf16> {zin.host_type = tensor<1x1x1x16384x129xf16>, zin.name = "x"}) -> (tensor<1x1x1x129x64xf16> {zin.host_type = tensor<1x1x1x129x64xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x1x64x16384xf16>
  %y = zin.matmul %x, %w {contract_rows} : (tensor<1x1x1x16384x129xf16>, tensor<1x1x1x64x16384xf16>) -> tensor<1x1x1x129x64xf16>
  zin.return %y : tensor<1x1x1x129x64xf16>
}

// -----

// No run of columns is much shorter than the others: 1,000 are 544 and 456, not 800
// and 200. 17 steps of 32 meet less often in a bank of L2 than 16.

// CHECK-LABEL: zin.program @matmul_even_runs {
// CHECK: zin.task {{.*}} reads <@input_0 + 0, [1, 1, 1280, 1, 544], {{.*}} with @kernel_0
// CHECK: zin.task {{.*}} reads <@input_0 + 1088, [1, 1, 1280, 1, 456], {{.*}} with @kernel_0
zin.procedure @matmul_even_runs(%x: tensor<1x1x1x1280x1000xf16> {zin.host_type = tensor<1280x1000xf16>, zin.name = "x"}) -> (tensor<1x1x1x1000x16xf16> {zin.host_type = tensor<1000x16xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x1x16x1280xf16>
  %y = zin.matmul %x, %w {contract_rows} : (tensor<1x1x1x1280x1000xf16>, tensor<1x1x1x16x1280xf16>) -> tensor<1x1x1x1000x16xf16>
  zin.return %y : tensor<1x1x1x1000x16xf16>
}

// -----

// Rows that L2 does not hold are turned there run by run, each when its product is
// computed.

// CHECK-LABEL: zin.program @matmul_turned_in_runs {
// CHECK: zin.task <NEFUSED_BYPASS> {{.*}} reads <@input_0 + 0, [1, 1, 544, 1, 1024], {{.*}} writes <@[[FIRST:scratch_[0-9]+]] + 0, [1, 1, 1024, 1, 544],
// CHECK-NEXT: zin.task <NEFUSED_CONV> {{.*}} reads <@[[FIRST]] + 0, {{.*}} writes <@output_0 + 0, [1, 1, 544, 1, 64], {{.*}} with @kernel_0
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> {{.*}} reads <@input_0 + 1114112, [1, 1, 480, 1, 1024], {{.*}} writes <@[[SECOND:scratch_[0-9]+]] + 0, [1, 1, 1024, 1, 480],
// CHECK-NEXT: zin.task <NEFUSED_CONV> {{.*}} reads <@[[SECOND]] + 0, {{.*}} writes <@output_0 + 69632, [1, 1, 480, 1, 64], {{.*}} with @kernel_0
// CHECK-NEXT: {{^  }$}}
zin.procedure @matmul_turned_in_runs(%x: tensor<1x1x1x1024x1024xf16> {zin.host_type = tensor<1024x1024xf16>, zin.name = "x"}) -> (tensor<1x1x1x1024x64xf16> {zin.host_type = tensor<1024x64xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x1x64x1024xf16>
  %y = zin.matmul %x, %w : (tensor<1x1x1x1024x1024xf16>, tensor<1x1x1x64x1024xf16>) -> tensor<1x1x1x1024x64xf16>
  zin.return %y : tensor<1x1x1x1024x64xf16>
}

// -----

// Three quarters of the scratchpad hold 47 channels of 32 KiB, of which a copy that
// turns its operand takes 32: they are 64 bytes along the columns of the result.

// CHECK-LABEL: zin.program @matmul_long {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_0 2097152 bytes <@scratch_0 + 0, [1, 1, 16384, 1, 40], [2097152, 2097152, 128, 128]>
// CHECK-NEXT: zin.kernel @kernel_0 {groups = 1 : i64, ocg_size = 0 : i64, outputs = 1 : i64, taps = 16384 : i64, weights = dense<1.000000e+00> : tensor<16384xf16>}
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 32, 1, 16384], [1310720, 1310720, 32768, 1310720]> writes <@scratch_0 + 0, [1, 1, 16384, 1, 32], [2097152, 2097152, 128, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, transposed = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 1048576, [1, 1, 8, 1, 16384], [1310720, 1310720, 32768, 1310720]> writes <@scratch_0 + 64, [1, 1, 16384, 1, 8], [2097152, 2097152, 128, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, transposed = true>
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@scratch_0 + 0, [1, 1, 16384, 1, 40], [2097152, 2097152, 128, 128]> writes <@output_0 + 0, [1, 1, 40, 1, 1], [2560, 2560, 64, 2560]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0], transposed = true> with @kernel_0
// CHECK-NEXT: {{^  }$}}
zin.procedure @matmul_long(%x: tensor<1x1x1x40x16384xf16> {zin.host_type = tensor<1x1x1x40x16384xf16>, zin.name = "x"}) -> (tensor<1x1x1x40x1xf16> {zin.host_type = tensor<1x1x1x40x1xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x1x1x16384xf16>
  %y = zin.matmul %x, %w {} : (tensor<1x1x1x40x16384xf16>, tensor<1x1x1x1x16384xf16>) -> tensor<1x1x1x40x1xf16>
  zin.return %y : tensor<1x1x1x40x1xf16>
}

// -----

// 18 rows of a computed kernel are a task of 16 lanes and one of 2.

// CHECK-LABEL: zin.program @matmul_computed {
// CHECK-NOT: zin.task
// CHECK: zin.task <NEFUSED_CONV> on <NEConv> reads <@input_0 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 192]> writes <@output_0 + 0, [1, 1, 16, 1, 5], [1152, 1152, 64, 1152]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> weighs <@input_1 + 0, [1, 1, 1, 16, 3], [1152, 1152, 1152, 64]>
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@input_0 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 192]> writes <@output_0 + 1024, [1, 1, 2, 1, 5], [1152, 1152, 64, 1152]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> weighs <@input_1 + 1024, [1, 1, 1, 2, 3], [1152, 1152, 1152, 64]>
// CHECK-NEXT: {{^  }$}}
zin.procedure @matmul_computed(%x: tensor<1x1x1x3x5xf16> {zin.host_type = tensor<3x5xf16>, zin.name = "x"}, %w: tensor<1x1x1x18x3xf16> {zin.host_type = tensor<18x3xf16>, zin.name = "w"}) -> (tensor<1x1x1x18x5xf16> {zin.host_type = tensor<18x5xf16>, zin.name = "y"}) {
  %y = zin.matmul %x, %w {contract_rows, outputs_on_rows} : (tensor<1x1x1x3x5xf16>, tensor<1x1x1x18x3xf16>) -> tensor<1x1x1x18x5xf16>
  zin.return %y : tensor<1x1x1x18x5xf16>
}

// -----

// Both tasks read an operand of 2 MB, which comes to L2 in two halves.

// CHECK-LABEL: zin.program @matmul_computed_in_parts {
// CHECK-NOT: zin.task
// CHECK: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 1024, 1, 512], {{.*}}> writes <@[[FIRST:scratch_[0-9]+]] + 0, [1, 1, 1024, 1, 512], [1114112, 1114112, 1088, 1088]>
// CHECK-NEXT: reads <@[[FIRST]] + 0, {{.*}} writes <@output_0 + 0, [1, 1, 16, 1, 512], {{.*}} weighs <@input_1 + 0, [1, 1, 1, 16, 1024],
// CHECK-NEXT: reads <@[[FIRST]] + 0, {{.*}} writes <@output_0 + 32768, [1, 1, 2, 1, 512], {{.*}} weighs <@input_1 + 32768, [1, 1, 1, 2, 1024],
// CHECK-NEXT: reads <@input_0 + 1024, {{.*}} writes <@[[SECOND:scratch_[0-9]+]] + 0,
// CHECK-NEXT: reads <@[[SECOND]] + 0, {{.*}} writes <@output_0 + 1024, [1, 1, 16, 1, 512], {{.*}} weighs <@input_1 + 0,
// CHECK-NEXT: reads <@[[SECOND]] + 0, {{.*}} writes <@output_0 + 33792, [1, 1, 2, 1, 512], {{.*}} weighs <@input_1 + 32768,
// CHECK-NEXT: {{^  }$}}
zin.procedure @matmul_computed_in_parts(%x: tensor<1x1x1x1024x1024xf16> {zin.host_type = tensor<1024x1024xf16>, zin.name = "x"}, %w: tensor<1x1x1x18x1024xf16> {zin.host_type = tensor<18x1024xf16>, zin.name = "w"}) -> (tensor<1x1x1x18x1024xf16> {zin.host_type = tensor<18x1024xf16>, zin.name = "y"}) {
  %y = zin.matmul %x, %w {contract_rows, outputs_on_rows} : (tensor<1x1x1x1024x1024xf16>, tensor<1x1x1x18x1024xf16>) -> tensor<1x1x1x18x1024xf16>
  zin.return %y : tensor<1x1x1x18x1024xf16>
}

// -----

// Channels that are a multiple of 128 bytes long lie 16 bytes further apart.

// CHECK-LABEL: zin.program @matmul_parts_apart {
// CHECK: zin.buffer <scratch> @scratch_0 {{[0-9]+}} bytes <@scratch_0 + 0, [1, 1, 4096, 1, 136],
// CHECK: zin.task <NEFUSED_BYPASS> {{.*}} writes <@scratch_0 + 0, [1, 1, 2048, 1, 128],
// CHECK: zin.task <NEFUSED_CONV> {{.*}} reads <@scratch_0 + 0, [1, 1, 4096, 1, 128],
zin.procedure @matmul_parts_apart(%x: tensor<1x1x1x4096x256xf16> {zin.host_type = tensor<4096x256xf16>, zin.name = "x"}, %w: tensor<1x1x1x18x4096xf16> {zin.host_type = tensor<18x4096xf16>, zin.name = "w"}) -> (tensor<1x1x1x18x256xf16> {zin.host_type = tensor<18x256xf16>, zin.name = "y"}) {
  %y = zin.matmul %x, %w {contract_rows, outputs_on_rows} : (tensor<1x1x1x4096x256xf16>, tensor<1x1x1x18x4096xf16>) -> tensor<1x1x1x18x256xf16>
  zin.return %y : tensor<1x1x1x18x256xf16>
}

// -----

// A result that lies along columns is written so.

// CHECK-LABEL: zin.program @matmul_back {
// CHECK: zin.task <PEFUSED_GOC> {{.*}} writes <@[[ROWS:.*]] + 0, [1, 1, 1024, 1, 64], {{.*}} interleave = 8>
// CHECK-NEXT: reads <@input_0 + 0, {{.*}} writes <@output_0 + 0, [1, 1, 1000, 1, 128], {{.*}} transposed = true> weighs <@[[ROWS]]
// CHECK-NEXT: reads <@input_0 + 0, {{.*}} writes <@output_0 + 256, [1, 1, 1000, 1, 128], {{.*}} transposed = true> weighs <@[[ROWS]]
// CHECK: reads <@input_0 + 0, {{.*}} writes <@output_0 + 2048, [1, 1, 1000, 1, 16], {{.*}} transposed = true> weighs <@input_1
// CHECK-NEXT: {{^  }$}}
zin.procedure @matmul_back(%x: tensor<1x1x1x64x1000xf16> {zin.host_type = tensor<64x1000xf16>, zin.name = "x"}, %w: tensor<1x1x1x1040x64xf16> {zin.host_type = tensor<1040x64xf16>, zin.name = "w"}) -> (tensor<1x1x1x1000x1040xf16> {zin.host_type = tensor<1000x1040xf16>, zin.name = "y"}) {
  %y = zin.matmul %x, %w {contract_rows} : (tensor<1x1x1x64x1000xf16>, tensor<1x1x1x1040x64xf16>) -> tensor<1x1x1x1000x1040xf16>
  zin.return %y : tensor<1x1x1x1000x1040xf16>
}

// -----

// Tasks of 16 outputs would begin within a step. A result that L2 does not hold is
// turned back in parts of outputs.

// CHECK-LABEL: zin.program @matmul_back_in_blocks {
// CHECK-COUNT-16: weighs <@input_1
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> {{.*}} reads <@[[FIRST:.*]] + 0, [1, 1, 256, 1, 1000], {{.*}} writes <@output_0 + 0, [1, 1, 1000, 1, 256],
// CHECK-COUNT-16: weighs <@input_1
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> {{.*}} reads <@[[SECOND:.*]] + 0, {{.*}} writes <@output_0 + 512, [1, 1, 1000, 1, 256],
zin.procedure @matmul_back_in_blocks(%x: tensor<1x1x1x128x1000xf16> {zin.host_type = tensor<128x1000xf16>, zin.name = "x"}, %w: tensor<1x1x1x1040x128xf16> {zin.host_type = tensor<1040x128xf16>, zin.name = "w"}) -> (tensor<1x1x1x1000x1040xf16> {zin.host_type = tensor<1000x1040xf16>, zin.name = "y"}) {
  %y = zin.matmul %x, %w {contract_rows} : (tensor<1x1x1x128x1000xf16>, tensor<1x1x1x1040x128xf16>) -> tensor<1x1x1x1000x1040xf16>
  zin.return %y : tensor<1x1x1x1000x1040xf16>
}

// -----

// A large matrix whose rows would have to be turned is the kernel itself: a row a
// lane. What is turned is the other one, and the result if outputs are its rows.

// CHECK-LABEL: zin.program @matmul_rows_once {
// CHECK: zin.task <NEFUSED_BYPASS> {{.*}} reads <@input_1 + 0, [1, 1, 3, 1, 1024], {{.*}} writes <@[[TURNED:scratch_[0-9]+]] + 0, [1, 1, 1024, 1, 3],
// CHECK-NEXT: zin.task {{.*}} reads <@[[TURNED]] + 0, {{.*}} writes <@[[RESULT:scratch_[0-9]+]] + 0, [1, 1, 16, 1, 3], {{.*}} weighs <@input_0 + 0, [1, 1, 1, 16, 1024],
// CHECK-COUNT-62: zin.task {{.*}} weighs <@input_0 +
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> {{.*}} reads <@[[RESULT]] + 0, [1, 1, 1008, 1, 3], {{.*}} writes <@output_0 + 0, [1, 1, 3, 1, 1008],
// CHECK-NEXT: {{^  }$}}
zin.procedure @matmul_rows_once(%x: tensor<1x1x1x1008x1024xf16> {zin.host_type = tensor<1008x1024xf16>, zin.name = "x"}, %w: tensor<1x1x1x3x1024xf16> {zin.host_type = tensor<3x1024xf16>, zin.name = "w"}) -> (tensor<1x1x1x3x1008xf16> {zin.host_type = tensor<3x1008xf16>, zin.name = "y"}) {
  %y = zin.matmul %x, %w {outputs_on_rows} : (tensor<1x1x1x1008x1024xf16>, tensor<1x1x1x3x1024xf16>) -> tensor<1x1x1x3x1008xf16>
  zin.return %y : tensor<1x1x1x3x1008xf16>
}

// -----

// A product that another one reads writes its outputs as channels, where that has
// what it contracts.

// CHECK-LABEL: zin.program @matmul_chain {
// CHECK-NOT: zin.task
// CHECK: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 3, 1, 40], [384, 384, 128, 384]> writes <@scratch_0 + 0, [1, 1, 40, 1, 3], [2560, 2560, 64, 64]> computes {{.*}} kernelless = true, transposed = true>
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@scratch_0 + 0, [1, 1, 40, 1, 3], [2560, 2560, 64, 64]> writes <@scratch_1 + 0, [1, 1, 16, 1, 3], [1024, 1024, 64, 64]> computes #zin.ne<op = mac, {{.*}} padding = [0, 0]> with @kernel_0
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@scratch_1 + 0, [1, 1, 16, 1, 3], [1024, 1024, 64, 64]> writes <@output_0 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 192]> computes #zin.ne<op = mac, {{.*}} padding = [0, 0], transposed = true> with @kernel_1
// CHECK-NEXT: {{^  }$}}
zin.procedure @matmul_chain(%x: tensor<1x1x1x3x40xf16> {zin.host_type = tensor<3x40xf16>, zin.name = "x"}) -> (tensor<1x1x1x3x5xf16> {zin.host_type = tensor<3x5xf16>, zin.name = "y"}) {
  %v = zin.constant dense<1.0> : tensor<1x1x1x16x40xf16>
  %w = zin.constant dense<2.0> : tensor<1x1x1x5x16xf16>
  %a = zin.matmul %x, %v {} : (tensor<1x1x1x3x40xf16>, tensor<1x1x1x16x40xf16>) -> tensor<1x1x1x3x16xf16>
  %y = zin.matmul %a, %w {} : (tensor<1x1x1x3x16xf16>, tensor<1x1x1x5x16xf16>) -> tensor<1x1x1x3x5xf16>
  zin.return %y : tensor<1x1x1x3x5xf16>
}

// -----

// Products of one value share its turned copy.

// CHECK-LABEL: zin.program @matmul_shared {
// CHECK-NOT: zin.task
// CHECK: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 3, 1, 40], [384, 384, 128, 384]> writes <@scratch_0 + 0, [1, 1, 40, 1, 3], [2560, 2560, 64, 64]> computes {{.*}} kernelless = true, transposed = true>
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@scratch_0 + 0, [1, 1, 40, 1, 3], [2560, 2560, 64, 64]> writes <@output_0 + 0, [1, 1, 3, 1, 16], [192, 192, 64, 192]> computes #zin.ne<op = mac, {{.*}} padding = [0, 0], transposed = true> with @kernel_0
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@scratch_0 + 0, [1, 1, 40, 1, 3], [2560, 2560, 64, 64]> writes <@output_1 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 192]> computes #zin.ne<op = mac, {{.*}} padding = [0, 0], transposed = true> with @kernel_1
// CHECK-NEXT: {{^  }$}}
zin.procedure @matmul_shared(%x: tensor<1x1x1x3x40xf16> {zin.host_type = tensor<3x40xf16>, zin.name = "x"}) -> (tensor<1x1x1x3x16xf16> {zin.host_type = tensor<3x16xf16>, zin.name = "y"}, tensor<1x1x1x3x5xf16> {zin.host_type = tensor<3x5xf16>, zin.name = "z"}) {
  %v = zin.constant dense<1.0> : tensor<1x1x1x16x40xf16>
  %w = zin.constant dense<2.0> : tensor<1x1x1x5x40xf16>
  %y = zin.matmul %x, %v {} : (tensor<1x1x1x3x40xf16>, tensor<1x1x1x16x40xf16>) -> tensor<1x1x1x3x16xf16>
  %z = zin.matmul %x, %w {} : (tensor<1x1x1x3x40xf16>, tensor<1x1x1x5x40xf16>) -> tensor<1x1x1x3x5xf16>
  zin.return %y, %z : tensor<1x1x1x3x16xf16>, tensor<1x1x1x3x5xf16>
}

// -----

// Rows of a computed product are what the next one contracts, too: nothing turns
// back.

// CHECK-LABEL: zin.program @matmul_computed_chain {
// CHECK-NOT: zin.task
// CHECK: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 3, 1, 40], [384, 384, 128, 384]> writes <@scratch_0 + 0, [1, 1, 40, 1, 3], [2560, 2560, 64, 64]> computes {{.*}} kernelless = true, transposed = true>
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@scratch_0 + 0, [1, 1, 40, 1, 3], [2560, 2560, 64, 64]> writes <@scratch_1 + 0, [1, 1, 16, 1, 3], [1152, 1152, 64, 64]> computes #zin.ne<op = mac, {{.*}} padding = [0, 0]> weighs <@input_1 + 0, [1, 1, 1, 16, 40], [2304, 2304, 2304, 128]>
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@scratch_0 + 0, [1, 1, 40, 1, 3], [2560, 2560, 64, 64]> writes <@scratch_1 + 1024, [1, 1, 2, 1, 3], [1152, 1152, 64, 64]> computes #zin.ne<op = mac, {{.*}} padding = [0, 0]> weighs <@input_1 + 2048, [1, 1, 1, 2, 40], [2304, 2304, 2304, 128]>
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@scratch_1 + 0, [1, 1, 18, 1, 3], [1152, 1152, 64, 64]> writes <@output_0 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 192]> computes #zin.ne<op = mac, {{.*}} padding = [0, 0], transposed = true> with @kernel_0
// CHECK-NEXT: {{^  }$}}
zin.procedure @matmul_computed_chain(%x: tensor<1x1x1x3x40xf16> {zin.host_type = tensor<3x40xf16>, zin.name = "x"}, %k: tensor<1x1x1x18x40xf16> {zin.host_type = tensor<18x40xf16>, zin.name = "k"}) -> (tensor<1x1x1x3x5xf16> {zin.host_type = tensor<3x5xf16>, zin.name = "y"}) {
  %w = zin.constant dense<2.0> : tensor<1x1x1x5x18xf16>
  %a = zin.matmul %x, %k {} : (tensor<1x1x1x3x40xf16>, tensor<1x1x1x18x40xf16>) -> tensor<1x1x1x3x18xf16>
  %y = zin.matmul %a, %w {} : (tensor<1x1x1x3x18xf16>, tensor<1x1x1x5x18xf16>) -> tensor<1x1x1x3x5xf16>
  zin.return %y : tensor<1x1x1x3x5xf16>
}

// -----

// Where something else reads a product its outputs lie along columns.

// CHECK-LABEL: zin.program @matmul_chain_read {
// CHECK-NOT: zin.task
// CHECK: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 3, 1, 40], [384, 384, 128, 384]> writes <@scratch_0 + 0, [1, 1, 40, 1, 3], [2560, 2560, 64, 64]> computes {{.*}} kernelless = true, transposed = true>
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@scratch_0 + 0, [1, 1, 40, 1, 3], [2560, 2560, 64, 64]> writes <@scratch_1 + 0, [1, 1, 3, 1, 16], [192, 192, 64, 192]> computes #zin.ne<op = mac, {{.*}} padding = [0, 0], transposed = true> with @kernel_0
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_1 + 0, [1, 1, 3, 1, 16], [192, 192, 64, 192]> writes <@scratch_2 + 0, [1, 1, 16, 1, 3], [1024, 1024, 64, 64]> computes {{.*}} kernelless = true, transposed = true>
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@scratch_2 + 0, [1, 1, 16, 1, 3], [1024, 1024, 64, 64]> writes <@output_1 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 192]> computes #zin.ne<op = mac, {{.*}} padding = [0, 0], transposed = true> with @kernel_1
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_1 + 0, [1, 1, 1, 3, 16], [192, 192, 192, 64]> writes <@output_0 + 0, [1, 1, 1, 3, 16], [192, 192, 192, 64]> computes {{.*}} kernelless = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @matmul_chain_read(%x: tensor<1x1x1x3x40xf16> {zin.host_type = tensor<3x40xf16>, zin.name = "x"}) -> (tensor<1x1x1x3x16xf16> {zin.host_type = tensor<3x16xf16>, zin.name = "a"}, tensor<1x1x1x3x5xf16> {zin.host_type = tensor<3x5xf16>, zin.name = "y"}) {
  %v = zin.constant dense<1.0> : tensor<1x1x1x16x40xf16>
  %w = zin.constant dense<2.0> : tensor<1x1x1x5x16xf16>
  %a = zin.matmul %x, %v {} : (tensor<1x1x1x3x40xf16>, tensor<1x1x1x16x40xf16>) -> tensor<1x1x1x3x16xf16>
  %y = zin.matmul %a, %w {} : (tensor<1x1x1x3x16xf16>, tensor<1x1x1x5x16xf16>) -> tensor<1x1x1x3x5xf16>
  zin.return %a, %y : tensor<1x1x1x3x16xf16>, tensor<1x1x1x3x5xf16>
}

// -----

// A matrix of which L2 holds parts beside other values: its transpose is not
// made as a whole, rows of it are turned on their way to L2.

// CHECK-LABEL: zin.program @turned_parts {
// CHECK: reads <@input_0 + 0, [1, 1, 256, 1, 2048], {{.*}} writes <@[[A:[^ ]*]] + 0, [1, 1, 2048, 1, 256], [1048576, 1048576, 512, 512]> {{.*}} transposed = true>
// CHECK-NEXT: reads <@[[A]] + 0, [1, 1, 2048, 1, 256], {{.*}} weighs <@input_1 + 0,
// CHECK-NEXT: reads <@[[A]] + 0, [1, 1, 2048, 1, 256], {{.*}} weighs <@input_1 + 65536,
// CHECK-NEXT: reads <@input_0 + 1048576, [1, 1, 256, 1, 2048], {{.*}} writes <@[[B:[^ ]*]] + 0, [1, 1, 2048, 1, 256], {{.*}} transposed = true>
zin.procedure @turned_parts(%x: tensor<1x1x1x512x2048xf16> {zin.host_type = tensor<512x2048xf16>, zin.name = "x"}, %k: tensor<1x1x1x32x2048xf16> {zin.host_type = tensor<32x2048xf16>, zin.name = "k"}) -> (tensor<1x1x1x32x512xf16> {zin.host_type = tensor<32x512xf16>, zin.name = "y"}) {
  %t = zin.transpose %x to [0, 1, 2, 4, 3] : (tensor<1x1x1x512x2048xf16>) -> tensor<1x1x1x2048x512xf16>
  %y = zin.matmul %t, %k {contract_rows, outputs_on_rows} : (tensor<1x1x1x2048x512xf16>, tensor<1x1x1x32x2048xf16>) -> tensor<1x1x1x32x512xf16>
  zin.return %y : tensor<1x1x1x32x512xf16>
}
