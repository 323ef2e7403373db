// RUN: ane-opt %s --split-input-file --convert-zin-to-tasks | FileCheck %s

// The tasks of convolutions and pools. A view is [groups, depth, channels,
// rows, columns] and the bytes between neighbours in all but the last. Rows
// start at multiples of 64 bytes.

// A convolution takes its extents from the views. There is no dilation, the
// padding below and to the right follows from the extents, relu is a flag. Taps are
// 8 channels * 3 * 3. 16 outputs are one a lane: ocg_size is 0.

// CHECK-LABEL: zin.program @conv {
// CHECK-NEXT: zin.buffer <input> @input_0 3072 bytes <@input_0 + 0, [1, 1, 8, 6, 9], [3072, 3072, 384, 64]> {host_type = tensor<1x1x8x6x9xf16>, port = "x"}
// CHECK-NEXT: zin.buffer <output> @output_0 3072 bytes <@output_0 + 0, [1, 1, 16, 3, 5], [3072, 3072, 192, 64]> {host_type = tensor<1x1x16x3x5xf16>, port = "y"}
// CHECK-NEXT: zin.kernel @kernel_0 {bias = dense<1.000000e+00> : tensor<16xf16>, groups = 1 : i64, ocg_size = 0 : i64, outputs = 16 : i64, taps = 72 : i64, weights = dense<1.000000e+00> : tensor<1152xf16>}
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@input_0 + 0, [1, 1, 8, 6, 9], [3072, 3072, 384, 64]> writes <@output_0 + 0, [1, 1, 16, 3, 5], [3072, 3072, 192, 64]> computes #zin.ne<op = mac, window = [3, 3], stride = [2, 2], padding = [1, 1], relu = true> with @kernel_0
// CHECK-NEXT: {{^  }$}}
zin.procedure @conv(%x: tensor<1x1x8x6x9xf16> {zin.host_type = tensor<1x1x8x6x9xf16>, zin.name = "x"}) -> (tensor<1x1x16x3x5xf16> {zin.host_type = tensor<1x1x16x3x5xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<16x1x8x3x3xf16>
  %b = zin.constant dense<1.0> : tensor<1x1x16x1x1xf16>
  %y = zin.conv %x, %w bias %b {activation = #zin.neuron<relu>, dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x1x8x6x9xf16>, tensor<16x1x8x3x3xf16>, tensor<1x1x16x1x1xf16>) -> tensor<1x1x16x3x5xf16>
  zin.return %y : tensor<1x1x16x3x5xf16>
}

// -----

// Of rows with a dilation of 3 every third of 8 is a convolution: the first two
// phases have three rows and are the batch of one task, the last has two. A row of
// padding is in front of each.

// CHECK-LABEL: zin.program @dilated_rows {
// CHECK: zin.kernel @kernel_0
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@input_0 + 0, [2, 1, 4, 3, 9], [64, 2048, 512, 192]> writes <@output_0 + 0, [2, 1, 8, 3, 9], [64, 4096, 512, 192]> computes #zin.ne<op = mac, window = [3, 1], stride = [1, 1], padding = [1, 0], groups = 2, reuse = true> with @kernel_0
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@input_0 + 128, [1, 1, 4, 2, 9], [2048, 2048, 512, 192]> writes <@output_0 + 128, [1, 1, 8, 2, 9], [4096, 4096, 512, 192]> computes #zin.ne<op = mac, window = [3, 1], stride = [1, 1], padding = [1, 0]> with @kernel_0
// CHECK-NEXT: {{^  }$}}
zin.procedure @dilated_rows(%x: tensor<1x1x4x8x9xf16> {zin.host_type = tensor<1x1x4x8x9xf16>, zin.name = "x"}) -> (tensor<1x1x8x8x9xf16> {zin.host_type = tensor<1x1x8x8x9xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<8x1x4x3x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 3, 1>, groups = 1 : i64, padding = array<i64: 3, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x4x8x9xf16>, tensor<8x1x4x3x1xf16>) -> tensor<1x1x8x8x9xf16>
  zin.return %y : tensor<1x1x8x8x9xf16>
}

// -----

// With 4 rows of padding the first phase has a row of padding more, and reads the
// last rows: it is a task by itself.

// CHECK-LABEL: zin.program @dilated_phases {
// CHECK: reads <@input_0 + 128, [1, 1, 4, 2, 9], {{.*}} writes <@output_0 + 0, [1, 1, 8, 3, 9], {{.*}} padding = [2, 0]>
// CHECK-NEXT: reads <@input_0 + 0, [2, 1, 4, 3, 9], {{.*}} writes <@output_0 + 64, [2, 1, 8, 3, 9], {{.*}} padding = [1, 0], groups = 2,
// CHECK-NEXT: {{^  }$}}
zin.procedure @dilated_phases(%x: tensor<1x1x4x8x9xf16> {zin.host_type = tensor<1x1x4x8x9xf16>, zin.name = "x"}) -> (tensor<1x1x8x9x9xf16> {zin.host_type = tensor<1x1x8x9x9xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<8x1x4x3x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 3, 1>, groups = 1 : i64, padding = array<i64: 4, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x4x8x9xf16>, tensor<8x1x4x3x1xf16>) -> tensor<1x1x8x9x9xf16>
  zin.return %y : tensor<1x1x8x9x9xf16>
}

// -----

// Of one channel a convolution without groups has a dense kernel, not one for each
// channel.

// CHECK-LABEL: zin.program @one_channel {
// CHECK: zin.kernel @kernel_0 {groups = 1 : i64, ocg_size = 0 : i64, outputs = 1 : i64, taps = 9 : i64,
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> {{.*}} computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @kernel_0
// CHECK-NEXT: {{^  }$}}
zin.procedure @one_channel(%x: tensor<1x1x1x8x8xf16> {zin.host_type = tensor<1x1x1x8x8xf16>, zin.name = "x"}) -> (tensor<1x1x1x8x8xf16> {zin.host_type = tensor<1x1x1x8x8xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x1x3x3xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x1x1x8x8xf16>, tensor<1x1x1x3x3xf16>) -> tensor<1x1x1x8x8xf16>
  zin.return %y : tensor<1x1x1x8x8xf16>
}

// -----

// Other activations are the table of the kernel. The batch is the groups of the
// task, which share one kernel. Up to 8 x 8 inputs a row interleaves 32 outputs,
// 2^5, where 512 outputs give 32 to each of 16 lanes.

// CHECK-LABEL: zin.program @conv_table {
// CHECK-NOT: zin.task
// CHECK: zin.kernel @kernel_0 {activation = #zin.neuron<tanh>, groups = 1 : i64, ocg_size = 5 : i64, outputs = 512 : i64, taps = 4 : i64, weights = dense<1.000000e+00> : tensor<2048xf16>}
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@input_0 + 0, [2, 1, 4, 8, 8], [2048, 2048, 512, 64]> writes <@output_0 + 0, [2, 1, 512, 8, 8], [262144, 262144, 512, 64]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0], groups = 2, reuse = true> with @kernel_0
// CHECK-NEXT: {{^  }$}}
zin.procedure @conv_table(%x: tensor<2x1x4x8x8xf16> {zin.host_type = tensor<2x1x4x8x8xf16>, zin.name = "x"}) -> (tensor<2x1x512x8x8xf16> {zin.host_type = tensor<2x1x512x8x8xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<512x1x4x1x1xf16>
  %y = zin.conv %x, %w {activation = #zin.neuron<tanh>, dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x1x4x8x8xf16>, tensor<512x1x4x1x1xf16>) -> tensor<2x1x512x8x8xf16>
  zin.return %y : tensor<2x1x512x8x8xf16>
}

// -----

// Larger inputs have 16, 2^4.

// CHECK-LABEL: zin.program @conv_cap {
// CHECK-NOT: zin.task
// CHECK: zin.kernel @kernel_0 {groups = 1 : i64, ocg_size = 4 : i64, outputs = 512 : i64, taps = 4 : i64, weights = dense<1.000000e+00> : tensor<2048xf16>}
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@input_0 + 0, [1, 1, 4, 8, 9], [2048, 2048, 512, 64]> writes <@output_0 + 0, [1, 1, 512, 8, 9], [262144, 262144, 512, 64]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @kernel_0
// CHECK-NEXT: {{^  }$}}
zin.procedure @conv_cap(%x: tensor<1x1x4x8x9xf16> {zin.host_type = tensor<1x1x4x8x9xf16>, zin.name = "x"}) -> (tensor<1x1x512x8x9xf16> {zin.host_type = tensor<1x1x512x8x9xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<512x1x4x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x4x8x9xf16>, tensor<512x1x4x1x1xf16>) -> tensor<1x1x512x8x9xf16>
  zin.return %y : tensor<1x1x512x8x9xf16>
}

// -----

// One input channel for each output is unicast: taps are those of the window
// alone, and there are no groups.

// CHECK-LABEL: zin.program @conv_channelwise {
// CHECK-NOT: zin.task
// CHECK: zin.kernel @kernel_0 {channelwise, groups = 1 : i64, ocg_size = 0 : i64, outputs = 4 : i64, taps = 2 : i64, weights = dense<1.000000e+00> : tensor<8xf16>}
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@input_0 + 0, [1, 1, 4, 5, 5], [1280, 1280, 320, 64]> writes <@output_0 + 0, [1, 1, 4, 5, 4], [1280, 1280, 320, 64]> computes #zin.ne<op = mac, window = [1, 2], stride = [1, 1], padding = [0, 0], unicast = 1> with @kernel_0
// CHECK-NEXT: {{^  }$}}
zin.procedure @conv_channelwise(%x: tensor<1x1x4x5x5xf16> {zin.host_type = tensor<1x1x4x5x5xf16>, zin.name = "x"}) -> (tensor<1x1x4x5x4xf16> {zin.host_type = tensor<1x1x4x5x4xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<4x1x1x1x2xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 4 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x4x5x5xf16>, tensor<4x1x1x1x2xf16>) -> tensor<1x1x4x5x4xf16>
  zin.return %y : tensor<1x1x4x5x4xf16>
}

// -----

// The groups of a grouped kernel take the place of the batch, so each image is a
// task. A group of x is 2 channels of 320 bytes, one of y 3.

// CHECK-LABEL: zin.program @conv_grouped {
// CHECK-NOT: zin.task
// CHECK: zin.kernel @kernel_0 {groups = 2 : i64, ocg_size = 0 : i64, outputs = 3 : i64, taps = 2 : i64, weights = dense<1.000000e+00> : tensor<12xf16>}
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@input_0 + 0, [2, 1, 2, 5, 5], [640, 1280, 320, 64]> writes <@output_0 + 0, [2, 1, 3, 5, 5], [960, 1920, 320, 64]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0], groups = 2> with @kernel_0
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@input_0 + 1280, [2, 1, 2, 5, 5], [640, 1280, 320, 64]> writes <@output_0 + 1920, [2, 1, 3, 5, 5], [960, 1920, 320, 64]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0], groups = 2> with @kernel_0
// CHECK-NEXT: {{^  }$}}
zin.procedure @conv_grouped(%x: tensor<2x1x4x5x5xf16> {zin.host_type = tensor<2x1x4x5x5xf16>, zin.name = "x"}) -> (tensor<2x1x6x5x5xf16> {zin.host_type = tensor<2x1x6x5x5xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<6x1x2x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 2 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x1x4x5x5xf16>, tensor<6x1x2x1x1xf16>) -> tensor<2x1x6x5x5xf16>
  zin.return %y : tensor<2x1x6x5x5xf16>
}

// -----

// Maxima pad with the lowest number. Padding is top and left only.

// CHECK-LABEL: zin.program @max_pool {
// CHECK-NOT: zin.task
// CHECK: zin.task <NEFUSED_POOL> on <NEPool> reads <@input_0 + 0, [1, 1, 4, 8, 8], [2048, 2048, 512, 64]> writes <@output_0 + 0, [1, 1, 4, 4, 5], [1024, 1024, 256, 64]> computes #zin.ne<op = max, window = [3, 2], stride = [2, 2], padding = [1, 1], unicast = 1, kernelless = true, lowestPadding = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @max_pool(%x: tensor<1x1x4x8x8xf16> {zin.host_type = tensor<1x1x4x8x8xf16>, zin.name = "x"}) -> (tensor<1x1x4x4x5xf16> {zin.host_type = tensor<1x1x4x4x5xf16>, zin.name = "y"}) {
  %y = zin.pool <Max> %x {padding = array<i64: 1, 1, 0, 1>, strides = array<i64: 2, 2>, window = array<i64: 3, 2>} : (tensor<1x1x4x8x8xf16>) -> tensor<1x1x4x4x5xf16>
  zin.return %y : tensor<1x1x4x4x5xf16>
}

// -----

// Averages are sums of windows times 1 / 4. A row of the operand takes a fourth
// of the 2 MiB scratchpad: 2048 channels of 256 bytes.

// CHECK-LABEL: zin.program @avg_pool {
// CHECK-NOT: zin.task
// CHECK: zin.task <NEFUSED_POOL> on <NEPool> reads <@input_0 + 0, [1, 1, 2048, 2, 128], [1049088, 1049088, 512, 256]> writes <@output_0 + 0, [1, 1, 2048, 1, 64], [262272, 262272, 128, 128]> computes #zin.ne<op = mac, window = [2, 2], stride = [2, 2], padding = [0, 0], unicast = 1, kernelless = true, postScale = 2.500000e-01 : f16>
// CHECK-NEXT: zin.task <NEFUSED_POOL> on <NEPool> reads <@input_0 + 1048576, [1, 1, 1, 2, 128], [1049088, 1049088, 512, 256]> writes <@output_0 + 262144, [1, 1, 1, 1, 64], [262272, 262272, 128, 128]> computes #zin.ne<op = mac, window = [2, 2], stride = [2, 2], padding = [0, 0], unicast = 1, kernelless = true, postScale = 2.500000e-01 : f16>
// CHECK-NEXT: {{^  }$}}
zin.procedure @avg_pool(%x: tensor<1x1x2049x2x128xf16> {zin.host_type = tensor<1x1x2049x2x128xf16>, zin.name = "x"}) -> (tensor<1x1x2049x1x64xf16> {zin.host_type = tensor<1x1x2049x1x64xf16>, zin.name = "y"}) {
  %y = zin.pool <Avg> %x {padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>, window = array<i64: 2, 2>} : (tensor<1x1x2049x2x128xf16>) -> tensor<1x1x2049x1x64xf16>
  zin.return %y : tensor<1x1x2049x1x64xf16>
}
