// RUN: ane-opt %s --split-input-file --convert-zin-to-tasks | FileCheck %s

// The tasks of layers with many coefficients, or with the same ones. A view is
// [groups, depth, channels, rows, columns] and the bytes between neighbours in
// all but the last. Rows start at multiples of 64 bytes.

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
