// RUN: ane-opt %s --split-input-file --convert-zin-to-tasks | FileCheck %s
// RUN: not ane-opt %s --split-input-file --convert-zin-to-tasks=target=h99 2>&1 | FileCheck %s --check-prefix=TARGET

// TARGET: error: target 'h99' is not known; known are h13

// The tasks of each layer. A view is [groups, depth, channels, rows, columns] and
// the bytes between neighbours in all but the last. Rows start at multiples of 64
// bytes.

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

// An engine has memory for 64 KiB of coefficients: 32 outputs of 1024 taps, so
// that a task has 512, where outputs have more than 128 pixels. The last outputs
// come first.

// CHECK-LABEL: zin.program @conv_64_kib {
// CHECK-NOT: zin.task
// CHECK: zin.kernel @kernel_0 {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 1024 : i64,
// CHECK-NEXT: zin.kernel @kernel_1 {groups = 1 : i64, ocg_size = 4 : i64, outputs = 512 : i64, taps = 1024 : i64,
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@input_0 + 0, {{.*}} writes <@output_0 + 163840, [1, 1, 64, 1, 160], {{.*}} with @kernel_0
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@input_0 + 0, {{.*}} writes <@output_0 + 0, [1, 1, 512, 1, 160], {{.*}} with @kernel_1
// CHECK-NEXT: {{^  }$}}
zin.procedure @conv_64_kib(%x: tensor<1x1x1024x1x160xf16> {zin.host_type = tensor<1x1x1024x1x160xf16>, zin.name = "x"}) -> (tensor<1x1x576x1x160xf16> {zin.host_type = tensor<1x1x576x1x160xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<576x1x1024x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1024x1x160xf16>, tensor<576x1x1024x1x1xf16>) -> tensor<1x1x576x1x160xf16>
  zin.return %y : tensor<1x1x576x1x160xf16>
}

// -----

// Both parts read all columns, which take nearly all of the scratchpad.

// CHECK-LABEL: zin.program @conv_full_scratchpad {
// CHECK: zin.task {{.*}} reads <@input_0 + 0, [1, 1, 4096, 1, 240], {{.*}} with @kernel_0
// CHECK-NEXT: zin.task {{.*}} reads <@input_0 + 0, [1, 1, 4096, 1, 240], {{.*}} with @kernel_1
// CHECK-NEXT: {{^  }$}}
zin.procedure @conv_full_scratchpad(%x: tensor<1x1x4096x1x240xf16> {zin.host_type = tensor<1x1x4096x1x240xf16>, zin.name = "x"}) -> (tensor<1x1x256x1x240xf16> {zin.host_type = tensor<1x1x256x1x240xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<256x1x4096x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x4096x1x240xf16>, tensor<256x1x4096x1x1xf16>) -> tensor<1x1x256x1x240xf16>
  zin.return %y : tensor<1x1x256x1x240xf16>
}

// -----

// With a bias 31 outputs go into a lane. Two rows of 16 would not, and the second
// row would be short, so it is one.

// CHECK-LABEL: zin.program @conv_64_kib_bias {
// CHECK-NOT: zin.task
// CHECK: zin.kernel @kernel_0 {bias = {{.*}}, outputs = 256 : i64, taps = 1024 : i64,
// CHECK-NEXT: zin.kernel @kernel_1 {bias = {{.*}}, outputs = 256 : i64, taps = 1024 : i64,
// CHECK: zin.task {{.*}} writes <@output_0 + 81920, [1, 1, 256, 1, 160],
// CHECK-NEXT: zin.task {{.*}} writes <@output_0 + 0, [1, 1, 256, 1, 160],
// CHECK-NEXT: {{^  }$}}
zin.procedure @conv_64_kib_bias(%x: tensor<1x1x1024x1x160xf16> {zin.host_type = tensor<1x1x1024x1x160xf16>, zin.name = "x"}) -> (tensor<1x1x512x1x160xf16> {zin.host_type = tensor<1x1x512x1x160xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<512x1x1024x1x1xf16>
  %b = zin.constant dense<1.0> : tensor<1x1x512x1x1xf16>
  %y = zin.conv %x, %w bias %b {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1024x1x160xf16>, tensor<512x1x1024x1x1xf16>, tensor<1x1x512x1x1xf16>) -> tensor<1x1x512x1x160xf16>
  zin.return %y : tensor<1x1x512x1x160xf16>
}

// -----

// Three of these groups take 3 * 32 * 512 bytes of each lane: a task has four.

// CHECK-LABEL: zin.program @conv_64_kib_groups {
// CHECK-NOT: zin.task
// CHECK: zin.kernel @kernel_0 {groups = 4 : i64, ocg_size = 4 : i64, outputs = 512 : i64, taps = 256 : i64,
// CHECK-NEXT: zin.kernel @kernel_1 {groups = 1 : i64, ocg_size = 4 : i64, outputs = 512 : i64, taps = 256 : i64,
// CHECK-NEXT: zin.task {{.*}} reads <@input_0 + 0, [4, 1, 256, 1, 9], {{.*}} writes <@output_0 + 0, [4, 1, 512, 1, 9], {{.*}} with @kernel_0
// CHECK-NEXT: zin.task {{.*}} reads <@input_0 + 65536, [1, 1, 256, 1, 9], {{.*}} writes <@output_0 + 131072, [1, 1, 512, 1, 9], {{.*}} with @kernel_1
// CHECK-NEXT: {{^  }$}}
zin.procedure @conv_64_kib_groups(%x: tensor<1x1x1280x1x9xf16> {zin.host_type = tensor<1x1x1280x1x9xf16>, zin.name = "x"}) -> (tensor<1x1x2560x1x9xf16> {zin.host_type = tensor<1x1x2560x1x9xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<2560x1x256x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 5 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1280x1x9xf16>, tensor<2560x1x256x1x1xf16>) -> tensor<1x1x2560x1x9xf16>
  zin.return %y : tensor<1x1x2560x1x9xf16>
}

// -----

// A group that takes more than a lane is a convolution without groups.

// CHECK-LABEL: zin.program @conv_64_kib_group {
// CHECK-NOT: zin.task
// CHECK-COUNT-4: zin.kernel @kernel_{{[0-3]}} {groups = 1 : i64, ocg_size = 4 : i64, outputs = 512 : i64, taps = 1024 : i64,
// CHECK-NEXT: zin.task {{.*}} reads <@input_0 + 0, [1, 1, 1024, 1, 160], {{.*}} writes <@output_0 + 163840, [1, 1, 512, 1, 160], {{.*}} with @kernel_0
// CHECK-NEXT: zin.task {{.*}} reads <@input_0 + 0, [1, 1, 1024, 1, 160], {{.*}} writes <@output_0 + 0, [1, 1, 512, 1, 160], {{.*}} with @kernel_1
// CHECK-NEXT: zin.task {{.*}} reads <@input_0 + 327680, [1, 1, 1024, 1, 160], {{.*}} writes <@output_0 + 491520, [1, 1, 512, 1, 160], {{.*}} with @kernel_2
// CHECK-NEXT: zin.task {{.*}} reads <@input_0 + 327680, [1, 1, 1024, 1, 160], {{.*}} writes <@output_0 + 327680, [1, 1, 512, 1, 160], {{.*}} with @kernel_3
// CHECK-NEXT: {{^  }$}}
zin.procedure @conv_64_kib_group(%x: tensor<1x1x2048x1x160xf16> {zin.host_type = tensor<1x1x2048x1x160xf16>, zin.name = "x"}) -> (tensor<1x1x2048x1x160xf16> {zin.host_type = tensor<1x1x2048x1x160xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<2048x1x1024x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 2 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2048x1x160xf16>, tensor<2048x1x1024x1x1xf16>) -> tensor<1x1x2048x1x160xf16>
  zin.return %y : tensor<1x1x2048x1x160xf16>
}

// -----

// A kernel for each channel takes 9 taps of a lane: 3640 of 16 channels each.

// CHECK-LABEL: zin.program @conv_64_kib_channelwise {
// CHECK-NOT: zin.task
// CHECK: zin.kernel @kernel_0 {channelwise, groups = 1 : i64, ocg_size = 0 : i64, outputs = 58240 : i64, taps = 9 : i64,
// CHECK-NEXT: zin.kernel @kernel_1 {channelwise, groups = 1 : i64, ocg_size = 0 : i64, outputs = 1760 : i64, taps = 9 : i64,
zin.procedure @conv_64_kib_channelwise(%x: tensor<1x1x60000x1x9xf16> {zin.host_type = tensor<1x1x60000x1x9xf16>, zin.name = "x"}) -> (tensor<1x1x60000x1x1xf16> {zin.host_type = tensor<1x1x60000x1x1xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<60000x1x1x1x9xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 60000 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x60000x1x9xf16>, tensor<60000x1x1x1x9xf16>) -> tensor<1x1x60000x1x1xf16>
  zin.return %y : tensor<1x1x60000x1x1xf16>
}

// -----

// A kernel with strides has masks beside its coefficients: 6 outputs of 5184 taps
// fit a lane without them, but not with them.

// CHECK-LABEL: zin.program @conv_64_kib_strides {
// CHECK-NOT: zin.task
// CHECK: zin.kernel @kernel_0 {groups = 1 : i64, ocg_size = 0 : i64, outputs = 16 : i64, taps = 5184 : i64,
// CHECK-NEXT: zin.kernel @kernel_1 {groups = 1 : i64, ocg_size = 3 : i64, outputs = 80 : i64, taps = 5184 : i64,
zin.procedure @conv_64_kib_strides(%x: tensor<1x1x576x25x25xf16> {zin.host_type = tensor<1x1x576x25x25xf16>, zin.name = "x"}) -> (tensor<1x1x96x12x12xf16> {zin.host_type = tensor<1x1x96x12x12xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<96x1x576x3x3xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 2, 2>} : (tensor<1x1x576x25x25xf16>, tensor<96x1x576x3x3xf16>) -> tensor<1x1x96x12x12xf16>
  zin.return %y : tensor<1x1x96x12x12xf16>
}

// -----

// The product with a matrix of K x N is 1 + K * N / 2^19 tasks, one of which turns
// the left matrix; each has columns of the result.

// CHECK-LABEL: zin.program @matmul_64_kib {
// CHECK: zin.task <NEFUSED_BYPASS> {{.*}} transposed = true>
// CHECK-NEXT: zin.task {{.*}} writes <@output_0 + 0, [1, 1, 144, 1, 256], {{.*}} transposed = true> with @kernel_0
// CHECK-NEXT: zin.task {{.*}} writes <@output_0 + 512, [1, 1, 144, 1, 256], {{.*}} transposed = true> with @kernel_1
// CHECK-NEXT: {{^  }$}}
zin.procedure @matmul_64_kib(%x: tensor<1x1x1x144x2048xf16> {zin.host_type = tensor<144x2048xf16>, zin.name = "x"}) -> (tensor<1x1x1x144x512xf16> {zin.host_type = tensor<144x512xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x1x512x2048xf16>
  %y = zin.matmul %x, %w : (tensor<1x1x1x144x2048xf16>, tensor<1x1x1x512x2048xf16>) -> tensor<1x1x1x144x512xf16>
  zin.return %y : tensor<1x1x1x144x512xf16>
}

// -----

// Of 128 rows all are accumulated while the matrix goes by, whatever it takes.

// CHECK-LABEL: zin.program @matmul_goes_by {
// CHECK: zin.task <NEFUSED_BYPASS> {{.*}} transposed = true>
// CHECK-NEXT: zin.task {{.*}} writes <@output_0 + 0, [1, 1, 128, 1, 512], {{.*}} transposed = true> with @kernel_0
// CHECK-NEXT: {{^  }$}}
zin.procedure @matmul_goes_by(%x: tensor<1x1x1x128x2048xf16> {zin.host_type = tensor<128x2048xf16>, zin.name = "x"}) -> (tensor<1x1x1x128x512xf16> {zin.host_type = tensor<128x512xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x1x512x2048xf16>
  %y = zin.matmul %x, %w : (tensor<1x1x1x128x2048xf16>, tensor<1x1x1x512x2048xf16>) -> tensor<1x1x1x128x512xf16>
  zin.return %y : tensor<1x1x1x128x512xf16>
}

// -----

// So are 8 rows of 16 pixels.

// CHECK-LABEL: zin.program @conv_goes_by {
// CHECK: zin.kernel @kernel_0 {groups = 1 : i64, ocg_size = 4 : i64, outputs = 256 : i64, taps = 2304 : i64,
// CHECK-NEXT: zin.task {{.*}} writes <@output_0 + 0, [1, 1, 256, 8, 16], {{.*}} with @kernel_0
// CHECK-NEXT: {{^  }$}}
zin.procedure @conv_goes_by(%x: tensor<1x1x256x8x16xf16> {zin.host_type = tensor<1x1x256x8x16xf16>, zin.name = "x"}) -> (tensor<1x1x256x8x16xf16> {zin.host_type = tensor<1x1x256x8x16xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<256x1x256x3x3xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x1x256x8x16xf16>, tensor<256x1x256x3x3xf16>) -> tensor<1x1x256x8x16xf16>
  zin.return %y : tensor<1x1x256x8x16xf16>
}

// -----

// Outputs of 128 KiB and a bias are streamed, all of them in a task.

// CHECK-LABEL: zin.program @conv_streamed {
// CHECK-NOT: zin.task
// CHECK: zin.kernel @kernel_0 {bias = dense<1.000000e+00> : tensor<130xf16>, groups = 1 : i64, ocg_size = 3 : i64, outputs = 130 : i64, taps = 65536 : i64,
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@input_0 + 0, [1, 1, 65536, 1, 1], [4194304, 4194304, 64, 64]> writes <@output_0 + 0, [1, 1, 130, 1, 1], {{.*}} with @kernel_0
// CHECK-NEXT: {{^  }$}}
zin.procedure @conv_streamed(%x: tensor<1x1x65536x1x1xf16> {zin.host_type = tensor<1x1x65536x1x1xf16>, zin.name = "x"}) -> (tensor<1x1x130x1x1xf16> {zin.host_type = tensor<1x1x130x1x1xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<130x1x65536x1x1xf16>
  %b = zin.constant dense<1.0> : tensor<1x1x130x1x1xf16>
  %y = zin.conv %x, %w bias %b {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x65536x1x1xf16>, tensor<130x1x65536x1x1xf16>, tensor<1x1x130x1x1xf16>) -> tensor<1x1x130x1x1xf16>
  zin.return %y : tensor<1x1x130x1x1xf16>
}

// -----

// 128 MiB are all that a task may have, of which the tables of a function take a
// part.

// CHECK-LABEL: zin.program @conv_streamed_table {
// CHECK: zin.kernel @kernel_0 {activation = #zin.neuron<sigmoid>, {{.*}} outputs = 16 : i64, taps = 65536 : i64
// CHECK: zin.kernel @kernel_1 {activation = #zin.neuron<sigmoid>, {{.*}} outputs = 1008 : i64, taps = 65536 : i64
zin.procedure @conv_streamed_table(%x: tensor<1x1x65536x1x1xf16> {zin.host_type = tensor<1x1x65536x1x1xf16>, zin.name = "x"}) -> (tensor<1x1x1024x1x1xf16> {zin.host_type = tensor<1x1x1024x1x1xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1024x1x65536x1x1xf16>
  %y = zin.conv %x, %w {activation = #zin.neuron<sigmoid>, dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x65536x1x1xf16>, tensor<1024x1x65536x1x1xf16>) -> tensor<1x1x1024x1x1xf16>
  zin.return %y : tensor<1x1x1024x1x1xf16>
}

// -----

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

// Outputs of three pixels and 32 KiB are streamed as well.

// CHECK-LABEL: zin.program @matmul_streamed {
// CHECK-NOT: zin.task
// CHECK: zin.kernel @kernel_0 {groups = 1 : i64, ocg_size = 4 : i64, outputs = 520 : i64, taps = 16384 : i64,
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@input_0 + 0, [1, 1, 16384, 1, 3], {{.*}} writes <@output_0 + 0, [1, 1, 3, 1, 520], [3264, 3264, 1088, 3264]> {{.*}} transposed = true> with @kernel_0
// CHECK-NEXT: {{^  }$}}
zin.procedure @matmul_streamed(%x: tensor<1x1x1x16384x3xf16> {zin.host_type = tensor<1x1x1x16384x3xf16>, zin.name = "x"}) -> (tensor<1x1x1x3x520xf16> {zin.host_type = tensor<1x1x1x3x520xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x1x520x16384xf16>
  %y = zin.matmul %x, %w {contract_rows} : (tensor<1x1x1x16384x3xf16>, tensor<1x1x1x520x16384xf16>) -> tensor<1x1x1x3x520xf16>
  zin.return %y : tensor<1x1x1x3x520xf16>
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

// -----

// A difference is a sum with the second operand negated.

// CHECK-LABEL: zin.program @elementwise {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_0 1536 bytes <@scratch_0 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]>
// CHECK-NEXT: zin.buffer <scratch> @scratch_1 1536 bytes <@scratch_1 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]>
// CHECK-NEXT: zin.buffer <scratch> @scratch_2 1536 bytes <@scratch_2 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]>
// CHECK-NEXT: zin.buffer <scratch> @scratch_3 1536 bytes <@scratch_3 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> and <@input_1 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> writes <@scratch_0 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> computes #zin.pe<op = add, reduce = none, post = none>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@scratch_0 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> and <@input_1 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> writes <@scratch_1 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> computes #zin.pe<op = add, reduce = none, post = none, negate2 = true>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@scratch_1 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> and <@input_1 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> writes <@scratch_2 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> computes #zin.pe<op = mul, reduce = none, post = none>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@scratch_2 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> and <@input_1 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> writes <@scratch_3 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> computes #zin.pe<op = max, reduce = none, post = none>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@scratch_3 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> and <@input_1 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> writes <@output_0 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> computes #zin.pe<op = min, reduce = none, post = none>
// CHECK-NEXT: {{^  }$}}
zin.procedure @elementwise(%x: tensor<2x1x4x3x5xf16> {zin.host_type = tensor<2x1x4x3x5xf16>, zin.name = "x"}, %y: tensor<2x1x4x3x5xf16> {zin.host_type = tensor<2x1x4x3x5xf16>, zin.name = "y"}) -> (tensor<2x1x4x3x5xf16> {zin.host_type = tensor<2x1x4x3x5xf16>, zin.name = "r"}) {
  %a = zin.elementwise <Add> %x, %y : (tensor<2x1x4x3x5xf16>, tensor<2x1x4x3x5xf16>) -> tensor<2x1x4x3x5xf16>
  %b = zin.elementwise <Sub> %a, %y : (tensor<2x1x4x3x5xf16>, tensor<2x1x4x3x5xf16>) -> tensor<2x1x4x3x5xf16>
  %c = zin.elementwise <Mult> %b, %y : (tensor<2x1x4x3x5xf16>, tensor<2x1x4x3x5xf16>) -> tensor<2x1x4x3x5xf16>
  %d = zin.elementwise <Max> %c, %y : (tensor<2x1x4x3x5xf16>, tensor<2x1x4x3x5xf16>) -> tensor<2x1x4x3x5xf16>
  %r = zin.elementwise <Min> %d, %y : (tensor<2x1x4x3x5xf16>, tensor<2x1x4x3x5xf16>) -> tensor<2x1x4x3x5xf16>
  zin.return %r : tensor<2x1x4x3x5xf16>
}

// -----

// Bits of the broadcast masks are 1 for columns, 2 rows, 4 depth, 8 channels. A
// group repeats with a stride of 0.

// CHECK-LABEL: zin.program @broadcast {
// CHECK-NOT: zin.task
// CHECK: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, [2, 1, 1, 3, 5], [192, 192, 192, 64]> and <@input_1 + 0, [2, 2, 4, 1, 1], [0, 256, 64, 64]> writes <@output_0 + 0, [2, 2, 4, 3, 5], [1536, 768, 192, 64]> computes #zin.pe<op = add, reduce = none, post = none, broadcast1 = 12, broadcast2 = 3>
// CHECK-NEXT: {{^  }$}}
zin.procedure @broadcast(%x: tensor<2x1x1x3x5xf16> {zin.host_type = tensor<2x1x1x3x5xf16>, zin.name = "x"}, %y: tensor<1x2x4x1x1xf16> {zin.host_type = tensor<1x2x4x1x1xf16>, zin.name = "y"}) -> (tensor<2x2x4x3x5xf16> {zin.host_type = tensor<2x2x4x3x5xf16>, zin.name = "z"}) {
  %z = zin.elementwise <Add> %x, %y : (tensor<2x1x1x3x5xf16>, tensor<1x2x4x1x1xf16>) -> tensor<2x2x4x3x5xf16>
  zin.return %z : tensor<2x2x4x3x5xf16>
}

// -----

// 512 channels of 1024 bytes are a fourth of the scratchpad. A broadcast operand
// stays.

// CHECK-LABEL: zin.program @elementwise_split {
// CHECK-NOT: zin.task
// CHECK: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, [1, 1, 512, 1, 512], [525312, 525312, 1024, 1024]> and <@input_1 + 0, [1, 1, 1, 1, 512], [1024, 1024, 1024, 1024]> writes <@output_0 + 0, [1, 1, 512, 1, 512], [525312, 525312, 1024, 1024]> computes #zin.pe<op = mul, reduce = none, post = none, broadcast2 = 8>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 524288, [1, 1, 1, 1, 512], [525312, 525312, 1024, 1024]> and <@input_1 + 0, [1, 1, 1, 1, 512], [1024, 1024, 1024, 1024]> writes <@output_0 + 524288, [1, 1, 1, 1, 512], [525312, 525312, 1024, 1024]> computes #zin.pe<op = mul, reduce = none, post = none, broadcast2 = 8>
// CHECK-NEXT: {{^  }$}}
zin.procedure @elementwise_split(%x: tensor<1x1x513x1x512xf16> {zin.host_type = tensor<1x1x513x1x512xf16>, zin.name = "x"}, %y: tensor<1x1x1x1x512xf16> {zin.host_type = tensor<1x1x1x1x512xf16>, zin.name = "y"}) -> (tensor<1x1x513x1x512xf16> {zin.host_type = tensor<1x1x513x1x512xf16>, zin.name = "z"}) {
  %z = zin.elementwise <Mult> %x, %y : (tensor<1x1x513x1x512xf16>, tensor<1x1x1x1x512xf16>) -> tensor<1x1x513x1x512xf16>
  zin.return %z : tensor<1x1x513x1x512xf16>
}

// -----

// A constant operand is a buffer.

// CHECK-LABEL: zin.program @constant {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <constant> @constant_0 64 bytes <@constant_0 + 0, [1, 1, 1, 1, 3], [64, 64, 64, 64]> {value = dense<{{.*}}> : tensor<1x1x1x1x3xf16>}
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, [1, 1, 1, 2, 3], [128, 128, 128, 64]> and <@constant_0 + 0, [1, 1, 1, 1, 3], [64, 64, 64, 64]> writes <@output_0 + 0, [1, 1, 1, 2, 3], [128, 128, 128, 64]> computes #zin.pe<op = add, reduce = none, post = none, broadcast2 = 2>
// CHECK-NEXT: {{^  }$}}
zin.procedure @constant(%x: tensor<1x1x1x2x3xf16> {zin.host_type = tensor<1x1x1x2x3xf16>, zin.name = "x"}) -> (tensor<1x1x1x2x3xf16> {zin.host_type = tensor<1x1x1x2x3xf16>, zin.name = "z"}) {
  %y = zin.constant dense<[[[[[1.0, 2.0, 3.0]]]]]> : tensor<1x1x1x1x3xf16>
  %z = zin.elementwise <Add> %x, %y : (tensor<1x1x1x2x3xf16>, tensor<1x1x1x1x3xf16>) -> tensor<1x1x1x2x3xf16>
  zin.return %z : tensor<1x1x1x2x3xf16>
}

// -----

// A bias comes before a scale: 2.5 x - 1 has a factor of source 1 instead, since
// fp16 holds no 0.4, and 1 - x since -0 would be wrong; 2 x + 3 is (x + 1.5) * 2.
// CHECK-LABEL: zin.program @goc {
// CHECK-NOT: zin.task
// CHECK: zin.task <PEFUSED_GOC> on <PEGOC> reads <@input_0 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> writes <@output_0 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> computes #zin.pe<op = add, reduce = none, post = none, preScale = 2.500000e+00 : f16, bias = -1.000000e+00 : f16>
// CHECK-NEXT: {{^  }$}}
zin.procedure @goc(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "y"}) {
  %y = zin.goc %x scale 2.5 bias -1.0 : tensor<1x1x4x3x5xf16>
  zin.return %y : tensor<1x1x4x3x5xf16>
}

// -----

// CHECK-LABEL: zin.program @goc_exact {
// CHECK: computes #zin.pe<op = add, reduce = none, post = none, scale = 2.000000e+00 : f16, bias = 1.500000e+00 : f16>
// CHECK-NEXT: {{^  }$}}
zin.procedure @goc_exact(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "y"}) {
  %y = zin.goc %x scale 2.0 bias 3.0 : tensor<1x1x4x3x5xf16>
  zin.return %y : tensor<1x1x4x3x5xf16>
}

// -----

// CHECK-LABEL: zin.program @goc_minus {
// CHECK: computes #zin.pe<op = add, reduce = none, post = none, preScale = -1.000000e+00 : f16, bias = 1.000000e+00 : f16>
// CHECK-NEXT: {{^  }$}}
zin.procedure @goc_minus(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "y"}) {
  %y = zin.goc %x scale -1.0 bias 1.0 : tensor<1x1x4x3x5xf16>
  zin.return %y : tensor<1x1x4x3x5xf16>
}

// -----

// An offset and a scale are one task, and so are a scale and an offset that
// nobody reads in between. One offset goes with one scale: the third is a task.
// CHECK-LABEL: zin.program @goc_offset {
// CHECK-NOT: zin.task
// CHECK: zin.task <PEFUSED_GOC> {{.*}} computes #zin.pe<op = add, reduce = none, post = none, scale = 3.000490e-01 : f16, bias = -7.000000e+00 : f16>
// CHECK-NEXT: zin.task <PEFUSED_GOC> {{.*}} computes #zin.pe<op = add, reduce = none, post = none, preScale = 1.999510e-01 : f16, bias = 1.000000e+00 : f16>
// CHECK-NEXT: zin.task <PEFUSED_GOC> {{.*}} computes #zin.pe<op = add, reduce = none, post = none, scale = 3.000000e+00 : f16>
// CHECK-NEXT: {{^  }$}}
zin.procedure @goc_offset(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "y"}) {
  %a = zin.goc %x scale 1.0 bias -7.0 : tensor<1x1x4x3x5xf16>
  %b = zin.goc %a scale 0.3 bias 0.0 : tensor<1x1x4x3x5xf16>
  %c = zin.goc %b scale 0.2 bias 0.0 : tensor<1x1x4x3x5xf16>
  %d = zin.goc %c scale 1.0 bias 1.0 : tensor<1x1x4x3x5xf16>
  %z = zin.goc %d scale 3.0 bias 0.0 : tensor<1x1x4x3x5xf16>
  zin.return %z : tensor<1x1x4x3x5xf16>
}

// -----

// An offset that rounds to integers does so for itself.
// CHECK-LABEL: zin.program @goc_round {
// CHECK: zin.task <PEFUSED_GOC> {{.*}} bias = 1.536000e+03 : f16>
// CHECK-NEXT: zin.task <PEFUSED_GOC> {{.*}} scale = 2.000000e+00 : f16>
// CHECK-NEXT: {{^  }$}}
zin.procedure @goc_round(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "y"}) {
  %a = zin.goc %x scale 1.0 bias 1536.0 : tensor<1x1x4x3x5xf16>
  %z = zin.goc %a scale 2.0 bias 0.0 : tensor<1x1x4x3x5xf16>
  zin.return %z : tensor<1x1x4x3x5xf16>
}

// -----

// The factor of source 1 and the bias of a pair are those of its task.
// CHECK-LABEL: zin.program @scaled_pair {
// CHECK: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> and <@input_1 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> writes <@output_0 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> computes #zin.pe<op = add, reduce = none, post = none, preScale = 2.500000e+00 : f16, bias = 1.536000e+03 : f16>
// CHECK-NEXT: {{^  }$}}
zin.procedure @scaled_pair(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}, %y: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "y"}) -> (tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "z"}) {
  %z = zin.scaled_elementwise <Add> %x, %y scale 2.5 bias 1536.0 : (tensor<1x1x4x3x5xf16>, tensor<1x1x4x3x5xf16>) -> tensor<1x1x4x3x5xf16>
  zin.return %z : tensor<1x1x4x3x5xf16>
}

// -----

// relu is a flag, other activations a table, one for all tasks with as many lanes.
// A value that is returned and read is copied to its output.

// CHECK-LABEL: zin.program @neurons {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_0 3840 bytes <@scratch_0 + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]>
// CHECK-NEXT: zin.kernel @kernel_0 {activation = #zin.neuron<sigmoid>, groups = 1 : i64, ocg_size = 0 : i64, outputs = 20 : i64, taps = 1 : i64}
// CHECK-NEXT: zin.kernel @kernel_1 {activation = #zin.neuron<sigmoid>, groups = 1 : i64, ocg_size = 0 : i64, outputs = 1 : i64, taps = 1 : i64}
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> writes <@output_0 + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> writes <@scratch_0 + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true> with @kernel_0
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_0 + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> writes <@output_2 + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true> with @kernel_0
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_1 + 0, [1, 1, 1, 1, 5], [64, 64, 64, 64]> writes <@output_3 + 0, [1, 1, 1, 1, 5], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true> with @kernel_1
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_0 + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> writes <@output_1 + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @neurons(%x: tensor<1x1x20x3x5xf16> {zin.host_type = tensor<1x1x20x3x5xf16>, zin.name = "x"}, %v: tensor<1x1x1x1x5xf16> {zin.host_type = tensor<1x1x1x1x5xf16>, zin.name = "v"}) -> (tensor<1x1x20x3x5xf16> {zin.host_type = tensor<1x1x20x3x5xf16>, zin.name = "a"}, tensor<1x1x20x3x5xf16> {zin.host_type = tensor<1x1x20x3x5xf16>, zin.name = "b"}, tensor<1x1x20x3x5xf16> {zin.host_type = tensor<1x1x20x3x5xf16>, zin.name = "c"}, tensor<1x1x1x1x5xf16> {zin.host_type = tensor<1x1x1x1x5xf16>, zin.name = "d"}) {
  %a = zin.neuron <relu> %x : tensor<1x1x20x3x5xf16>
  %b = zin.neuron <sigmoid> %x : tensor<1x1x20x3x5xf16>
  %c = zin.neuron <sigmoid> %b : tensor<1x1x20x3x5xf16>
  %d = zin.neuron <sigmoid> %v : tensor<1x1x1x1x5xf16>
  zin.return %a, %b, %c, %d : tensor<1x1x20x3x5xf16>, tensor<1x1x20x3x5xf16>, tensor<1x1x20x3x5xf16>, tensor<1x1x1x1x5xf16>
}

// -----

// CHECK-LABEL: zin.program @clamp {
// CHECK-NOT: zin.task
// CHECK: zin.kernel @kernel_0 {activation = #zin.neuron<clamped_relu, 0.000000e+00 : f16, 6.000000e+00 : f16>, groups = 1 : i64, ocg_size = 0 : i64, outputs = 4 : i64, taps = 1 : i64}
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> writes <@output_0 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true> with @kernel_0
// CHECK-NEXT: {{^  }$}}
zin.procedure @clamp(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "y"}) {
  %y = zin.neuron <clamped_relu, 0.0 : f16, 6.0 : f16> %x : tensor<1x1x4x3x5xf16>
  zin.return %y : tensor<1x1x4x3x5xf16>
}

// -----

// The register of groups has 13 bits.

// CHECK-LABEL: zin.program @many_groups {
// CHECK-NOT: zin.task
// CHECK: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [8191, 1, 1, 1, 4], [64, 64, 64, 64]> writes <@output_0 + 0, [8191, 1, 1, 1, 4], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], groups = 8191, unicast = 1, kernelless = true, relu = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 524224, [1, 1, 1, 1, 4], [64, 64, 64, 64]> writes <@output_0 + 524224, [1, 1, 1, 1, 4], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @many_groups(%x: tensor<8192x1x1x1x4xf16> {zin.host_type = tensor<8192x1x1x1x4xf16>, zin.name = "x"}) -> (tensor<8192x1x1x1x4xf16> {zin.host_type = tensor<8192x1x1x1x4xf16>, zin.name = "y"}) {
  %y = zin.neuron <relu> %x : tensor<8192x1x1x1x4xf16>
  zin.return %y : tensor<8192x1x1x1x4xf16>
}

// -----

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

// Maximum, difference times log2 of e, exp2, reciprocal of the sum, product. Every
// row is a channel.

// CHECK-LABEL: zin.program @softmax_columns {
// CHECK-NOT: zin.task
// CHECK-DAG: zin.kernel @[[EXP2:kernel_[0-9]+]] {activation = #zin.neuron<exp2>, groups = 1 : i64, ocg_size = 0 : i64, outputs = 12 : i64, taps = 1 : i64}
// CHECK: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 0, [1, 1, 12, 1, 5], [768, 768, 64, 64]> writes <@[[LARGEST:scratch_[0-9]+]] + 0, [1, 1, 12, 1, 1], [768, 768, 64, 64]> computes #zin.pe<op = add, reduce = max, post = none>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, [1, 1, 12, 1, 5], [768, 768, 64, 64]> and <@[[LARGEST]] + 0, [1, 1, 12, 1, 1], [768, 768, 64, 64]> writes <@[[SHIFTED:scratch_[0-9]+]] + 0, [1, 1, 12, 1, 5], [768, 768, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none, negate2 = true, broadcast2 = 1, scale = 1.442380e+00 : f16>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@[[SHIFTED]] + 0, [1, 1, 12, 1, 5], [768, 768, 64, 64]> writes <@[[EXPONENTIAL:scratch_[0-9]+]] + 0, [1, 1, 12, 1, 5], [768, 768, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true> with @[[EXP2]]
// CHECK-NEXT: zin.task <PEFUSED_POOL> on <PEPool> reads <@[[EXPONENTIAL]] + 0, [1, 1, 12, 1, 5], [768, 768, 64, 64]> writes <@[[RECIPROCAL:scratch_[0-9]+]] + 0, [1, 1, 12, 1, 1], [768, 768, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = reciprocal>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@[[RECIPROCAL]] + 0, [1, 1, 12, 1, 1], [768, 768, 64, 64]> and <@[[EXPONENTIAL]] + 0, [1, 1, 12, 1, 5], [768, 768, 64, 64]> writes <@output_0 + 0, [1, 1, 12, 1, 5], [768, 768, 64, 64]> computes #zin.pe<op = mul, reduce = none, post = none, broadcast1 = 1>
// CHECK-NEXT: {{^  }$}}
zin.procedure @softmax_columns(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "y"}) {
  %y = zin.softmax %x over 4 : tensor<1x1x4x3x5xf16>
  zin.return %y : tensor<1x1x4x3x5xf16>
}

// -----

// Where channels are rows already, the maximum and the sum of each lie along
// columns.

// CHECK-LABEL: zin.program @softmax_vector {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_0 64 bytes <@scratch_0 + 0, [1, 1, 1, 1, 3], [64, 64, 64, 64]>
// CHECK-NEXT: zin.buffer <scratch> @scratch_1 192 bytes <@scratch_1 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 64]>
// CHECK-NEXT: zin.buffer <scratch> @scratch_2 192 bytes <@scratch_2 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 64]>
// CHECK-NEXT: zin.kernel @kernel_0 {activation = #zin.neuron<exp2>, groups = 1 : i64, ocg_size = 0 : i64, outputs = 3 : i64, taps = 1 : i64}
// CHECK-NEXT: zin.buffer <scratch> @scratch_3 64 bytes <@scratch_3 + 0, [1, 1, 1, 1, 3], [64, 64, 64, 64]>
// CHECK-NEXT: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 64]> writes <@scratch_0 + 0, [1, 1, 1, 1, 3], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = max, post = none, vectorResult = true>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 64]> and <@scratch_0 + 0, [1, 1, 1, 1, 3], [64, 64, 64, 64]> writes <@scratch_1 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none, negate2 = true, broadcast2 = 1, vector2 = true, scale = 1.442380e+00 : f16>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_1 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 64]> writes <@scratch_2 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true> with @kernel_0
// CHECK-NEXT: zin.task <PEFUSED_POOL> on <PEPool> reads <@scratch_2 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 64]> writes <@scratch_3 + 0, [1, 1, 1, 1, 3], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = reciprocal, vectorResult = true>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@scratch_3 + 0, [1, 1, 1, 1, 3], [64, 64, 64, 64]> and <@scratch_2 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 64]> writes <@output_0 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 64]> computes #zin.pe<op = mul, reduce = none, post = none, broadcast1 = 1, vector1 = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @softmax_vector(%x: tensor<1x1x3x1x5xf16> {zin.host_type = tensor<1x3x1x5xf16>, zin.name = "x"}) -> (tensor<1x1x3x1x5xf16> {zin.host_type = tensor<1x3x1x5xf16>, zin.name = "y"}) {
  %y = zin.softmax %x over 4 : tensor<1x1x3x1x5xf16>
  zin.return %y : tensor<1x1x3x1x5xf16>
}

// -----

// The neural engine reduces channels, up to the maximum and the sum.

// CHECK-LABEL: zin.program @softmax_channels {
// CHECK-NOT: zin.task
// CHECK-DAG: zin.kernel @[[EXP2:kernel_[0-9]+]] {activation = #zin.neuron<exp2>, groups = 1 : i64, ocg_size = 0 : i64, outputs = 20 : i64, taps = 1 : i64}
// CHECK-DAG: zin.kernel @[[INV:kernel_[0-9]+]] {activation = #zin.neuron<inv>, groups = 1 : i64, ocg_size = 0 : i64, outputs = 1 : i64, taps = 1 : i64}
// CHECK: zin.task <NEFUSED_POOL> on <NEPool> reads <@input_0 + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> writes <@[[LARGEST:scratch_[0-9]+]] + 0, [1, 1, 1, 3, 5], [192, 192, 192, 64]> computes #zin.ne<op = max, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 20, kernelless = true, lowestPadding = true>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> and <@[[LARGEST]] + 0, [1, 1, 1, 3, 5], [192, 192, 192, 64]> writes <@[[SHIFTED:scratch_[0-9]+]] + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> computes #zin.pe<op = add, reduce = none, post = none, negate2 = true, broadcast2 = 8, scale = 1.442380e+00 : f16>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@[[SHIFTED]] + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> writes <@[[EXPONENTIAL:scratch_[0-9]+]] + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true> with @[[EXP2]]
// CHECK-NEXT: zin.task <NEFUSED_POOL> on <NEPool> reads <@[[EXPONENTIAL]] + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> writes <@[[RECIPROCAL:scratch_[0-9]+]] + 0, [1, 1, 1, 3, 5], [192, 192, 192, 64]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0], kernelless = true> with @[[INV]]
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@[[RECIPROCAL]] + 0, [1, 1, 1, 3, 5], [192, 192, 192, 64]> and <@[[EXPONENTIAL]] + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> writes <@output_0 + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> computes #zin.pe<op = mul, reduce = none, post = none, broadcast1 = 8>
// CHECK-NEXT: {{^  }$}}
zin.procedure @softmax_channels(%x: tensor<1x1x20x3x5xf16> {zin.host_type = tensor<1x1x20x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x20x3x5xf16> {zin.host_type = tensor<1x1x20x3x5xf16>, zin.name = "y"}) {
  %y = zin.softmax %x over 2 : tensor<1x1x20x3x5xf16>
  zin.return %y : tensor<1x1x20x3x5xf16>
}

// -----

// Another axis trades places with the channels.

// CHECK-LABEL: zin.program @softmax_rows {
// CHECK-NOT: zin.task
// CHECK-DAG: zin.kernel @[[EXP2:kernel_[0-9]+]] {activation = #zin.neuron<exp2>, groups = 1 : i64, ocg_size = 0 : i64, outputs = 3 : i64, taps = 1 : i64}
// CHECK-DAG: zin.kernel @[[INV:kernel_[0-9]+]] {activation = #zin.neuron<inv>, groups = 1 : i64, ocg_size = 0 : i64, outputs = 1 : i64, taps = 1 : i64}
// CHECK: zin.task <NEFUSED_POOL> on <NEPool> reads <@input_0 + 0, [1, 1, 3, 4, 5], [768, 768, 64, 192]> writes <@[[LARGEST:scratch_[0-9]+]] + 0, [1, 1, 1, 4, 5], [256, 256, 256, 64]> computes #zin.ne<op = max, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 3, kernelless = true, lowestPadding = true>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, [1, 1, 3, 4, 5], [768, 768, 64, 192]> and <@[[LARGEST]] + 0, [1, 1, 1, 4, 5], [256, 256, 256, 64]> writes <@[[SHIFTED:scratch_[0-9]+]] + 0, [1, 1, 3, 4, 5], [768, 768, 256, 64]> computes #zin.pe<op = add, reduce = none, post = none, negate2 = true, broadcast2 = 8, scale = 1.442380e+00 : f16>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@[[SHIFTED]] + 0, [1, 1, 3, 4, 5], [768, 768, 256, 64]> writes <@[[EXPONENTIAL:scratch_[0-9]+]] + 0, [1, 1, 3, 4, 5], [768, 768, 256, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true> with @[[EXP2]]
// CHECK-NEXT: zin.task <NEFUSED_POOL> on <NEPool> reads <@[[EXPONENTIAL]] + 0, [1, 1, 3, 4, 5], [768, 768, 256, 64]> writes <@[[RECIPROCAL:scratch_[0-9]+]] + 0, [1, 1, 1, 4, 5], [256, 256, 256, 64]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0], kernelless = true> with @[[INV]]
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@[[RECIPROCAL]] + 0, [1, 1, 1, 4, 5], [256, 256, 256, 64]> and <@[[EXPONENTIAL]] + 0, [1, 1, 3, 4, 5], [768, 768, 256, 64]> writes <@output_0 + 0, [1, 1, 3, 4, 5], [768, 768, 64, 192]> computes #zin.pe<op = mul, reduce = none, post = none, broadcast1 = 8>
// CHECK-NEXT: {{^  }$}}
zin.procedure @softmax_rows(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "y"}) {
  %y = zin.softmax %x over 3 : tensor<1x1x4x3x5xf16>
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

// A result that L2 does not hold is turned back in parts of outputs.

// CHECK-LABEL: zin.program @matmul_back_in_blocks {
// CHECK: zin.buffer <scratch> @scratch_0 {{[0-9]+}} bytes <@scratch_0 + 0, [1, 1, 256, 1, 1000],
// CHECK-NEXT: zin.buffer <scratch> @scratch_1 {{[0-9]+}} bytes <@scratch_1 + 0, [1, 1, 256, 1, 1000],
// CHECK-COUNT-16: weighs <@input_1
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> {{.*}} reads <@scratch_0 + 0, [1, 1, 256, 1, 1000], {{.*}} writes <@output_0 + 0, [1, 1, 1000, 1, 256],
// CHECK-COUNT-16: weighs <@input_1
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> {{.*}} reads <@scratch_1 + 0, {{.*}} writes <@output_0 + 512, [1, 1, 1000, 1, 256],
zin.procedure @matmul_back_in_blocks(%x: tensor<1x1x1x64x1000xf16> {zin.host_type = tensor<64x1000xf16>, zin.name = "x"}, %w: tensor<1x1x1x1040x64xf16> {zin.host_type = tensor<1040x64xf16>, zin.name = "w"}) -> (tensor<1x1x1x1000x1040xf16> {zin.host_type = tensor<1000x1040xf16>, zin.name = "y"}) {
  %y = zin.matmul %x, %w {contract_rows} : (tensor<1x1x1x64x1000xf16>, tensor<1x1x1x1040x64xf16>) -> tensor<1x1x1x1000x1040xf16>
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

// 131072 rows of 16 bytes in L2 are 2 MB; pieces of a quarter stay there between
// tasks. The maximum of one column is a copy.

// CHECK-LABEL: zin.program @softmax_high {
// CHECK-NOT: zin.task
// CHECK: zin.kernel @[[EXP2:kernel_[0-9]+]] {activation = #zin.neuron<exp2>, groups = 1 : i64, ocg_size = 0 : i64, outputs = 32768 : i64, taps = 1 : i64}
// CHECK: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 32768, 1, 1], {{.*}} writes <@[[LARGEST0:scratch_[0-9]+]] + 0,
// CHECK-NEXT: <PEFUSED_ELEMENTWISE> {{.*}} reads <@input_0 + 0, {{.*}} and <@[[LARGEST0]] + 0, {{.*}} writes <@[[SHIFTED0:scratch_[0-9]+]] + 0, {{.*}} negate2 = true, scale = 1.442380e+00 : f16>
// CHECK-NEXT: <NEFUSED_BYPASS> {{.*}} reads <@[[SHIFTED0]] + 0, {{.*}} writes <@[[EXPONENTIAL0:scratch_[0-9]+]] + 0, {{.*}} with @[[EXP2]]
// CHECK-NEXT: <PEFUSED_POOL> {{.*}} reads <@[[EXPONENTIAL0]] + 0, {{.*}} writes <@[[RECIPROCAL0:scratch_[0-9]+]] + 0, {{.*}} reduce = sum, post = reciprocal>
// CHECK-NEXT: <PEFUSED_ELEMENTWISE> {{.*}} reads <@[[RECIPROCAL0]] + 0, {{.*}} and <@[[EXPONENTIAL0]] + 0, {{.*}} writes <@output_0 + 0, {{.*}} computes #zin.pe<op = mul,
// CHECK-NEXT: <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 2097152, [1, 1, 32768, 1, 1], {{.*}} writes <@[[LARGEST1:scratch_[0-9]+]] + 0,
// CHECK-NEXT: <PEFUSED_ELEMENTWISE> {{.*}} reads <@input_0 + 2097152, {{.*}} and <@[[LARGEST1]] + 0, {{.*}} writes <@[[SHIFTED1:scratch_[0-9]+]] + 0, {{.*}} negate2 = true, scale = 1.442380e+00 : f16>
// CHECK-NEXT: <NEFUSED_BYPASS> {{.*}} reads <@[[SHIFTED1]] + 0, {{.*}} writes <@[[EXPONENTIAL1:scratch_[0-9]+]] + 0, {{.*}} with @[[EXP2]]
// CHECK-NEXT: <PEFUSED_POOL> {{.*}} reads <@[[EXPONENTIAL1]] + 0, {{.*}} writes <@[[RECIPROCAL1:scratch_[0-9]+]] + 0, {{.*}} reduce = sum, post = reciprocal>
// CHECK-NEXT: <PEFUSED_ELEMENTWISE> {{.*}} reads <@[[RECIPROCAL1]] + 0, {{.*}} and <@[[EXPONENTIAL1]] + 0, {{.*}} writes <@output_0 + 2097152, {{.*}} computes #zin.pe<op = mul,
// CHECK-NEXT: <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 4194304, [1, 1, 32768, 1, 1], {{.*}} writes <@[[LARGEST2:scratch_[0-9]+]] + 0,
// CHECK-NEXT: <PEFUSED_ELEMENTWISE> {{.*}} reads <@input_0 + 4194304, {{.*}} and <@[[LARGEST2]] + 0, {{.*}} writes <@[[SHIFTED2:scratch_[0-9]+]] + 0, {{.*}} negate2 = true, scale = 1.442380e+00 : f16>
// CHECK-NEXT: <NEFUSED_BYPASS> {{.*}} reads <@[[SHIFTED2]] + 0, {{.*}} writes <@[[EXPONENTIAL2:scratch_[0-9]+]] + 0, {{.*}} with @[[EXP2]]
// CHECK-NEXT: <PEFUSED_POOL> {{.*}} reads <@[[EXPONENTIAL2]] + 0, {{.*}} writes <@[[RECIPROCAL2:scratch_[0-9]+]] + 0, {{.*}} reduce = sum, post = reciprocal>
// CHECK-NEXT: <PEFUSED_ELEMENTWISE> {{.*}} reads <@[[RECIPROCAL2]] + 0, {{.*}} and <@[[EXPONENTIAL2]] + 0, {{.*}} writes <@output_0 + 4194304, {{.*}} computes #zin.pe<op = mul,
// CHECK-NEXT: <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 6291456, [1, 1, 32768, 1, 1], {{.*}} writes <@[[LARGEST3:scratch_[0-9]+]] + 0,
// CHECK-NEXT: <PEFUSED_ELEMENTWISE> {{.*}} reads <@input_0 + 6291456, {{.*}} and <@[[LARGEST3]] + 0, {{.*}} writes <@[[SHIFTED3:scratch_[0-9]+]] + 0, {{.*}} negate2 = true, scale = 1.442380e+00 : f16>
// CHECK-NEXT: <NEFUSED_BYPASS> {{.*}} reads <@[[SHIFTED3]] + 0, {{.*}} writes <@[[EXPONENTIAL3:scratch_[0-9]+]] + 0, {{.*}} with @[[EXP2]]
// CHECK-NEXT: <PEFUSED_POOL> {{.*}} reads <@[[EXPONENTIAL3]] + 0, {{.*}} writes <@[[RECIPROCAL3:scratch_[0-9]+]] + 0, {{.*}} reduce = sum, post = reciprocal>
// CHECK-NEXT: <PEFUSED_ELEMENTWISE> {{.*}} reads <@[[RECIPROCAL3]] + 0, {{.*}} and <@[[EXPONENTIAL3]] + 0, {{.*}} writes <@output_0 + 6291456, {{.*}} computes #zin.pe<op = mul,
// CHECK-NEXT: {{^  }$}}
zin.procedure @softmax_high(%x: tensor<1x1x65536x2x1xf16> {zin.host_type = tensor<1x1x65536x2x1xf16>, zin.name = "x"}) -> (tensor<1x1x65536x2x1xf16> {zin.host_type = tensor<1x1x65536x2x1xf16>, zin.name = "y"}) {
  %y = zin.softmax %x over 4 : tensor<1x1x65536x2x1xf16>
  zin.return %y : tensor<1x1x65536x2x1xf16>
}

// -----

// A row of 8192 channels takes all of L2: parts of 1024 channels come for the
// largest element, for the sum and for the result, and exponentials are computed
// twice.

// CHECK-LABEL: zin.program @softmax_many_channels {
// CHECK: reads <@input_0 + 0, [1, 1, 1024, 1, 128], {{.*}} writes <@[[MAXIMA:[^ ]*]] + 0, [1, 1, 1, 1, 128], {{.*}}op = max, {{.*}} unicast = 1024
// CHECK-COUNT-7: reads <@input_0 + {{.*}} writes <@[[MAXIMA]] + {{.*}}op = max
// CHECK-NEXT: reads <@[[MAXIMA]] + 0, [1, 1, 8, 1, 128], {{.*}} writes <@[[MAX:[^ ]*]] + 0, [1, 1, 1, 1, 128],
// CHECK-NEXT: reads <@input_0 + 0, [1, 1, 1024, 1, 128], {{.*}} and <@[[MAX]] + 0, {{.*}} negate2 = true
// CHECK-NEXT: with @kernel_0
// CHECK-NEXT: <NEFUSED_POOL> {{.*}} writes <@[[SUMS:[^ ]*]] + 0, [1, 1, 1, 1, 128], {{.*}}op = mac
// CHECK: <NEFUSED_POOL> {{.*}} writes <@[[SUMS]] + 1792,
// CHECK-NEXT: reads <@[[SUMS]] + 0, [1, 1, 8, 1, 128], {{.*}} writes <@[[TURNED:[^ ]*]] + 0, {{.*}} transposed = true
// CHECK-NEXT: reads <@[[TURNED]] + 0, {{.*}} writes <@[[SUM:[^ ]*]] + 0, {{.*}} reduce = sum, post = reciprocal
// CHECK-NEXT: reads <@input_0 + 0, [1, 1, 1024, 1, 128], {{.*}} and <@[[MAX]] + 0, {{.*}} negate2 = true
// CHECK-NEXT: with @kernel_0
// CHECK-NEXT: reads <@[[SUM]] + 0, {{.*}} writes <@output_0 + 0, [1, 1, 1024, 1, 128],
// CHECK: writes <@output_0 + 1835008,
// CHECK-NEXT: {{^  }$}}
zin.procedure @softmax_many_channels(%x: tensor<1x1x8192x1x128xf16> {zin.host_type = tensor<1x1x8192x1x128xf16>, zin.name = "x"}) -> (tensor<1x1x8192x1x128xf16> {zin.host_type = tensor<1x1x8192x1x128xf16>, zin.name = "y"}) {
  %y = zin.softmax %x over 2 : tensor<1x1x8192x1x128xf16>
  zin.return %y : tensor<1x1x8192x1x128xf16>
}

// -----

// Over channels pieces are some rows of all of them: 12 of 30 in 0.5 MB.

// CHECK-LABEL: zin.program @softmax_channels_large {
// CHECK: <NEFUSED_POOL> on <NEPool> reads <@input_0 + 0, [1, 1, 320, 12, 64],
// CHECK: <PEFUSED_ELEMENTWISE> {{.*}} writes <@output_0 + 0, [1, 1, 320, 12, 64],
// CHECK-NEXT: <NEFUSED_POOL> on <NEPool> reads <@input_0 + 1536, [1, 1, 320, 12, 64],
// CHECK: writes <@output_0 + 1536, [1, 1, 320, 12, 64],
// CHECK-NEXT: <NEFUSED_POOL> on <NEPool> reads <@input_0 + 3072, [1, 1, 320, 6, 64],
// CHECK: writes <@output_0 + 3072, [1, 1, 320, 6, 64],
// CHECK-NEXT: {{^  }$}}
zin.procedure @softmax_channels_large(%x: tensor<1x1x320x30x64xf16> {zin.host_type = tensor<1x1x320x30x64xf16>, zin.name = "x"}) -> (tensor<1x1x320x30x64xf16> {zin.host_type = tensor<1x1x320x30x64xf16>, zin.name = "y"}) {
  %y = zin.softmax %x over 2 : tensor<1x1x320x30x64xf16>
  zin.return %y : tensor<1x1x320x30x64xf16>
}

// -----

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

// An input that is returned is copied.

// CHECK-LABEL: zin.program @outputs {
// CHECK-NOT: zin.task
// CHECK: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 1, 1, 5], [64, 64, 64, 64]> writes <@output_0 + 0, [1, 1, 1, 1, 5], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @outputs(%x: tensor<1x1x1x1x5xf16> {zin.host_type = tensor<1x1x1x1x5xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x5xf16> {zin.host_type = tensor<1x1x1x1x5xf16>, zin.name = "x"}) {
  zin.return %x : tensor<1x1x1x1x5xf16>
}

// -----

// CHECK-LABEL: zin.program @shared {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_0 64 bytes <@scratch_0 + 0, [1, 1, 1, 1, 5], [64, 64, 64, 64]>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 1, 1, 5], [64, 64, 64, 64]> writes <@scratch_0 + 0, [1, 1, 1, 1, 5], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
// CHECK-NEXT: zin.task <PEFUSED_GOC> on <PEGOC> reads <@scratch_0 + 0, [1, 1, 1, 1, 5], [64, 64, 64, 64]> writes <@output_1 + 0, [1, 1, 1, 1, 5], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none, scale = 2.000000e+00 : f16>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_0 + 0, [1, 1, 1, 1, 5], [64, 64, 64, 64]> writes <@output_0 + 0, [1, 1, 1, 1, 5], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @shared(%x: tensor<1x1x1x1x5xf16> {zin.host_type = tensor<1x1x1x1x5xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x5xf16> {zin.host_type = tensor<1x1x1x1x5xf16>, zin.name = "a"}, tensor<1x1x1x1x5xf16> {zin.host_type = tensor<1x1x1x1x5xf16>, zin.name = "b"}) {
  %a = zin.neuron <relu> %x : tensor<1x1x1x1x5xf16>
  %b = zin.goc %a scale 2.0 bias 0.0 : tensor<1x1x1x1x5xf16>
  zin.return %a, %b : tensor<1x1x1x1x5xf16>, tensor<1x1x1x1x5xf16>
}

// -----

// A factor is the scale of the accumulator; with an addend the task sums, over
// one element. Absolute values are the planar engine's.

// CHECK-LABEL: zin.program @functions {
// CHECK: zin.task <NEFUSED_BYPASS> {{.*}} computes #zin.ne<op = pass, {{.*}}, unicast = 1, kernelless = true, postScale = 1.442380e+00 : f16> with @kernel_0
// CHECK: zin.task <NEFUSED_BYPASS> {{.*}} computes #zin.ne<op = mac, {{.*}}, unicast = 1, kernelless = true, accBias = 1.000000e+00 : f16> with @kernel_1
// CHECK: zin.task <PEFUSED_ELEMENTWISE> {{.*}} computes #zin.pe<op = add, reduce = none, post = none, abs = true>
zin.procedure @functions(%x: tensor<1x1x1x1x5xf16> {zin.host_type = tensor<5xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x5xf16> {zin.host_type = tensor<5xf16>, zin.name = "a"}, tensor<1x1x1x1x5xf16> {zin.host_type = tensor<5xf16>, zin.name = "b"}, tensor<1x1x1x1x5xf16> {zin.host_type = tensor<5xf16>, zin.name = "c"}) {
  %a = zin.neuron <exp2> %x {scale = 1.442380e+00 : f16} : tensor<1x1x1x1x5xf16>
  %b = zin.neuron <rsqrt> %x {bias = 1.0 : f16} : tensor<1x1x1x1x5xf16>
  %c = zin.neuron <abs> %x : tensor<1x1x1x1x5xf16>
  zin.return %a, %b, %c : tensor<1x1x1x1x5xf16>, tensor<1x1x1x1x5xf16>, tensor<1x1x1x1x5xf16>
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

// -----

// The relu of x in `x op relu(x)` is a flag, whichever comes first.

// CHECK-LABEL: zin.program @own_relu {
// CHECK: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, {{.*}}> and <@input_0 + 0, {{.*}}> writes <@output_0 + 0, {{.*}}> computes #zin.pe<op = mul, reduce = none, post = none, relu2 = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @own_relu(%x: tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "x"}) -> (tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "y"}) {
  %r = zin.neuron #zin.neuron<relu> %x : tensor<1x1x4x8x9xf16>
  %y = zin.elementwise <Mult> %r, %x : (tensor<1x1x4x8x9xf16>, tensor<1x1x4x8x9xf16>) -> tensor<1x1x4x8x9xf16>
  zin.return %y : tensor<1x1x4x8x9xf16>
}

// -----

// It is a layer where others read it, or where it is subtracted.

// CHECK-LABEL: zin.program @own_relu_apart {
// CHECK: zin.task <NEFUSED_BYPASS> {{.*}} relu = true
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> {{.*}} negate2 = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @own_relu_apart(%x: tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "x"}) -> (tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "y"}) {
  %r = zin.neuron #zin.neuron<relu> %x : tensor<1x1x4x8x9xf16>
  %y = zin.elementwise <Sub> %x, %r : (tensor<1x1x4x8x9xf16>, tensor<1x1x4x8x9xf16>) -> tensor<1x1x4x8x9xf16>
  zin.return %y : tensor<1x1x4x8x9xf16>
}

// -----

// The relu of a result that nobody else reads is a flag of its task.

// CHECK-LABEL: zin.program @relu_of_result {
// CHECK: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, {{.*}}> and <@input_1 + 0, {{.*}}> writes <@output_0 + 0, {{.*}}> computes #zin.pe<op = max, reduce = none, post = none, relu = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @relu_of_result(%x: tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "x"}, %z: tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "z"}) -> (tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "y"}) {
  %m = zin.elementwise <Max> %x, %z : (tensor<1x1x4x8x9xf16>, tensor<1x1x4x8x9xf16>) -> tensor<1x1x4x8x9xf16>
  %y = zin.neuron #zin.neuron<relu> %m : tensor<1x1x4x8x9xf16>
  zin.return %y : tensor<1x1x4x8x9xf16>
}

// -----

// One that others read keeps a task of its own.

// CHECK-LABEL: zin.program @relu_of_shared_result {
// CHECK: zin.task <PEFUSED_ELEMENTWISE> {{.*}} computes #zin.pe<op = max, reduce = none, post = none>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> {{.*}} relu = true
zin.procedure @relu_of_shared_result(%x: tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "x"}, %z: tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "z"}) -> (tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "y"}, tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "m"}) {
  %m = zin.elementwise <Max> %x, %z : (tensor<1x1x4x8x9xf16>, tensor<1x1x4x8x9xf16>) -> tensor<1x1x4x8x9xf16>
  %y = zin.neuron #zin.neuron<relu> %m : tensor<1x1x4x8x9xf16>
  zin.return %y, %m : tensor<1x1x4x8x9xf16>, tensor<1x1x4x8x9xf16>
}

// -----

// A product with ones repeats its other operand, and needs no second source.

// CHECK-LABEL: zin.program @repeated {
// CHECK: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, {{.*}}> writes <@output_0 + 0, [1, 1, 4, 8, 9], {{.*}}> computes #zin.pe<op = add, reduce = none, post = none, relu = true, broadcast1 = 2>
// CHECK-NEXT: {{^  }$}}
zin.procedure @repeated(%x: tensor<1x1x4x1x9xf16> {zin.host_type = tensor<4x1x9xf16>, zin.name = "x"}) -> (tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "y"}) {
  %ones = zin.constant dense<1.0> : tensor<1x1x1x8x1xf16>
  %t = zin.elementwise <Mult> %ones, %x : (tensor<1x1x1x8x1xf16>, tensor<1x1x4x1x9xf16>) -> tensor<1x1x4x8x9xf16>
  %y = zin.neuron #zin.neuron<relu> %t : tensor<1x1x4x8x9xf16>
  zin.return %y : tensor<1x1x4x8x9xf16>
}

// -----

// Layers that share weights, as the steps of a recurrence, share a kernel. With
// another bias it is another one.

// CHECK-LABEL: zin.program @shared_weights {
// CHECK: zin.kernel @kernel_0 {groups
// CHECK: zin.kernel @kernel_1 {bias
// CHECK-NOT: zin.kernel
// CHECK: zin.task {{.*}} reads <@input_0 + 0, {{.*}} with @kernel_0
// CHECK-NEXT: zin.task {{.*}} with @kernel_0
// CHECK-NEXT: zin.task {{.*}} writes <@output_0 + 0, {{.*}} with @kernel_1
// CHECK-NEXT: {{^  }$}}
zin.procedure @shared_weights(%x: tensor<1x1x8x1x9xf16> {zin.host_type = tensor<8x1x9xf16>, zin.name = "x"}) -> (tensor<1x1x8x1x9xf16> {zin.host_type = tensor<8x1x9xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<8x1x8x1x1xf16>
  %b = zin.constant dense<1.0> : tensor<1x1x8x1x1xf16>
  %0 = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x8x1x9xf16>, tensor<8x1x8x1x1xf16>) -> tensor<1x1x8x1x9xf16>
  %1 = zin.conv %0, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x8x1x9xf16>, tensor<8x1x8x1x1xf16>) -> tensor<1x1x8x1x9xf16>
  %2 = zin.conv %1, %w bias %b {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x8x1x9xf16>, tensor<8x1x8x1x1xf16>, tensor<1x1x8x1x1xf16>) -> tensor<1x1x8x1x9xf16>
  zin.return %2 : tensor<1x1x8x1x9xf16>
}

// -----

// A few weights are equal by chance, and zeros of a file stand for others that
// ane-patch brings: each layer has its own.

// CHECK-LABEL: zin.program @own_weights {
// CHECK-COUNT-4: zin.kernel
// CHECK: zin.task {{.*}} with @kernel_0
// CHECK-NEXT: zin.task {{.*}} with @kernel_1
// CHECK-NEXT: zin.task {{.*}} with @kernel_2
// CHECK-NEXT: zin.task {{.*}} with @kernel_3
zin.procedure @own_weights(%x: tensor<1x1x8x1x9xf16> {zin.host_type = tensor<8x1x9xf16>, zin.name = "x"}) -> (tensor<1x1x8x1x9xf16> {zin.host_type = tensor<8x1x9xf16>, zin.name = "y"}) {
  %few = zin.constant dense<[[[[[1.0]]]], [[[[2.0]]]], [[[[3.0]]]], [[[[4.0]]]], [[[[5.0]]]], [[[[6.0]]]], [[[[7.0]]]], [[[[8.0]]]]]> : tensor<8x1x1x1x1xf16>
  %zeros = zin.constant dense_resource<zeros> : tensor<8x1x8x1x1xf16>
  %0 = zin.conv %x, %few {dilations = array<i64: 1, 1>, groups = 8 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x8x1x9xf16>, tensor<8x1x1x1x1xf16>) -> tensor<1x1x8x1x9xf16>
  %1 = zin.conv %0, %few {dilations = array<i64: 1, 1>, groups = 8 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x8x1x9xf16>, tensor<8x1x1x1x1xf16>) -> tensor<1x1x8x1x9xf16>
  %2 = zin.conv %1, %zeros {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x8x1x9xf16>, tensor<8x1x8x1x1xf16>) -> tensor<1x1x8x1x9xf16>
  %3 = zin.conv %2, %zeros {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x8x1x9xf16>, tensor<8x1x8x1x1xf16>) -> tensor<1x1x8x1x9xf16>
  zin.return %3 : tensor<1x1x8x1x9xf16>
}
{-#
  dialect_resources: {
    builtin: {
      zeros: "0x020000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    }
  }
#-}

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
// CHECK: zin.task <NEFUSED_BYPASS> {{.*}} writes <@scratch_[[S]] + 0, [1, 1, 40, 1, 64], [128, 128, 256, 128]> {{.*}} transposed = true
// CHECK: zin.task <NEFUSED_BYPASS> {{.*}} writes <@scratch_[[S]] + 128, [1, 1, 40, 1, 64], [128, 128, 256, 128]> {{.*}} transposed = true
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
