// RUN: ane-opt %s --split-input-file --convert-zin-to-tasks | FileCheck %s

// In L2 each element of an image of one column takes 16 bytes, so 1024 channels of
// 375 rows have no room there and each of two passes over 512 outputs would read
// them again. As a line they do: a copy makes rows columns, 2 tasks of as many
// outputs as an engine has memory for read that, and a copy turns the result.

// CHECK-LABEL: zin.program @line {
// CHECK: zin.buffer <scratch> @scratch_0 786432 bytes <@scratch_0 + 0, [1, 1, 1024, 1, 375], [786432, 786432, 768, 768]>
// CHECK-NEXT: zin.buffer <scratch> @scratch_1 786432 bytes <@scratch_1 + 0, [1, 1, 1024, 1, 375], [786432, 786432, 768, 768]>
// CHECK: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 375, 1024, 1], [24576000, 24576000, 64, 24000]> writes <@scratch_0 + 0, [1, 1, 1, 1024, 375], [786432, 786432, 768, 768]> computes #zin.ne<op = pass, {{.*}}transposed = true
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@scratch_0 + 0, [1, 1, 1024, 1, 375], {{.*}} writes <@scratch_1 + 393216, [1, 1, 512, 1, 375], {{.*}} window = [1, 1], stride = [1, 1], padding = [0, 0]
// CHECK-NEXT: zin.task <NEFUSED_CONV> on <NEConv> reads <@scratch_0 + 0, [1, 1, 1024, 1, 375], {{.*}} writes <@scratch_1 + 0, [1, 1, 512, 1, 375], {{.*}} window = [1, 1], stride = [1, 1], padding = [0, 0]
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_1 + 0, [1, 1, 1, 1024, 375], [786432, 786432, 768, 768]> writes <@output_0 + 0, [1, 1, 375, 1024, 1], [24576000, 24576000, 64, 24000]> computes #zin.ne<op = pass, {{.*}}transposed = true
// CHECK-NEXT: {{^  }$}}
zin.procedure @line(%x: tensor<1x1x1024x375x1xf16> {zin.host_type = tensor<1x1x1024x375x1xf16>, zin.name = "x"}) -> (tensor<1x1x1024x375x1xf16> {zin.host_type = tensor<1x1x1024x375x1xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1024x1x1024x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1024x375x1xf16>, tensor<1024x1x1024x1x1xf16>) -> tensor<1x1x1024x375x1xf16>
  zin.return %y : tensor<1x1x1024x375x1xf16>
}

// -----

// Window, step and padding are turned as well.

// CHECK-LABEL: zin.program @window {
// CHECK: writes <@scratch_0 + 0, [1, 1, 1, 512, 400], {{.*}}transposed = true
// CHECK-NEXT: reads <@scratch_0 + 0, [1, 1, 512, 1, 400], {{.*}} window = [1, 3], stride = [1, 2], padding = [0, 1]
// CHECK-NEXT: window = [1, 3], stride = [1, 2], padding = [0, 1]
// CHECK-NEXT: transposed = true
// CHECK-NEXT: {{^  }$}}
zin.procedure @window(%x: tensor<1x1x512x400x1xf16> {zin.host_type = tensor<1x1x512x400x1xf16>, zin.name = "x"}) -> (tensor<1x1x512x200x1xf16> {zin.host_type = tensor<1x1x512x200x1xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<512x1x512x3x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 1, 0>, strides = array<i64: 2, 1>} : (tensor<1x1x512x400x1xf16>, tensor<512x1x512x3x1xf16>) -> tensor<1x1x512x200x1xf16>
  zin.return %y : tensor<1x1x512x200x1xf16>
}

// -----

// What one pass reads is read once as it is.

// CHECK-LABEL: zin.program @one_pass {
// CHECK: zin.task <NEFUSED_CONV> on <NEConv> reads <@input_0 + 0, [1, 1, 256, 1500, 1],
// CHECK-NEXT: {{^  }$}}
zin.procedure @one_pass(%x: tensor<1x1x256x1500x1xf16> {zin.host_type = tensor<1x1x256x1500x1xf16>, zin.name = "x"}) -> (tensor<1x1x256x1500x1xf16> {zin.host_type = tensor<1x1x256x1500x1xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<256x1x256x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x256x1500x1xf16>, tensor<256x1x256x1x1xf16>) -> tensor<1x1x256x1500x1xf16>
  zin.return %y : tensor<1x1x256x1500x1xf16>
}

// -----

// And what L2 has room for stays there: 128 rows of 512 channels are 1 MiB.

// CHECK-LABEL: zin.program @short {
// CHECK: zin.task <NEFUSED_CONV> on <NEConv> reads <@input_0 + 0, [1, 1, 512, 128, 1],
// CHECK-NEXT: {{^  }$}}
zin.procedure @short(%x: tensor<1x1x512x128x1xf16> {zin.host_type = tensor<1x1x512x128x1xf16>, zin.name = "x"}) -> (tensor<1x1x2048x128x1xf16> {zin.host_type = tensor<1x1x2048x128x1xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<2048x1x512x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x512x128x1xf16>, tensor<2048x1x512x1x1xf16>) -> tensor<1x1x2048x128x1xf16>
  zin.return %y : tensor<1x1x2048x128x1xf16>
}

// -----

// Of every third row alone results are few, so that each pass would read much for
// little.

// CHECK-LABEL: zin.program @step {
// CHECK: transposed = true
// CHECK: transposed = true
zin.procedure @step(%x: tensor<1x1x1024x375x1xf16> {zin.host_type = tensor<1x1x1024x375x1xf16>, zin.name = "x"}) -> (tensor<1x1x1024x125x1xf16> {zin.host_type = tensor<1x1x1024x125x1xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1024x1x1024x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 3, 1>} : (tensor<1x1x1024x375x1xf16>, tensor<1024x1x1024x1x1xf16>) -> tensor<1x1x1024x125x1xf16>
  zin.return %y : tensor<1x1x1024x125x1xf16>
}

// -----

// But images of a batch are no line.

// CHECK-LABEL: zin.program @batch {
// CHECK-NOT: transposed = true
// CHECK: {{^  }$}}
zin.procedure @batch(%x: tensor<2x1x512x375x1xf16> {zin.host_type = tensor<2x1x512x375x1xf16>, zin.name = "x"}) -> (tensor<2x1x1024x125x1xf16> {zin.host_type = tensor<2x1x1024x125x1xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1024x1x512x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 3, 1>} : (tensor<2x1x512x375x1xf16>, tensor<1024x1x512x1x1xf16>) -> tensor<2x1x1024x125x1xf16>
  zin.return %y : tensor<2x1x1024x125x1xf16>
}

// -----

// Nor are groups, which read parts of it.

// CHECK-LABEL: zin.program @groups {
// CHECK-NOT: transposed = true
// CHECK: {{^  }$}}
zin.procedure @groups(%x: tensor<1x1x1024x375x1xf16> {zin.host_type = tensor<1x1x1024x375x1xf16>, zin.name = "x"}) -> (tensor<1x1x1024x375x1xf16> {zin.host_type = tensor<1x1x1024x375x1xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1024x1x512x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 2 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1024x375x1xf16>, tensor<1024x1x512x1x1xf16>) -> tensor<1x1x1024x375x1xf16>
  zin.return %y : tensor<1x1x1024x375x1xf16>
}

// -----

// A window that is wider than the image reads padding behind it, and one that
// begins in front of it may read nothing else.

// CHECK-LABEL: zin.program @beside {
// CHECK-NOT: transposed = true
// CHECK: {{^  }$}}
zin.procedure @beside(%x: tensor<1x1x1024x375x1xf16> {zin.host_type = tensor<1x1x1024x375x1xf16>, zin.name = "x"}) -> (tensor<1x1x512x125x1xf16> {zin.host_type = tensor<1x1x512x125x1xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<512x1x1024x1x2xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 3, 1>} : (tensor<1x1x1024x375x1xf16>, tensor<512x1x1024x1x2xf16>) -> tensor<1x1x512x125x1xf16>
  zin.return %y : tensor<1x1x512x125x1xf16>
}

// -----

// CHECK-LABEL: zin.program @padding {
// CHECK-NOT: transposed = true
// CHECK: {{^  }$}}
zin.procedure @padding(%x: tensor<1x1x1024x375x1xf16> {zin.host_type = tensor<1x1x1024x375x1xf16>, zin.name = "x"}) -> (tensor<1x1x1024x125x1xf16> {zin.host_type = tensor<1x1x1024x125x1xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1024x1x1024x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 1>, strides = array<i64: 3, 3>} : (tensor<1x1x1024x375x1xf16>, tensor<1024x1x1024x1x1xf16>) -> tensor<1x1x1024x125x1xf16>
  zin.return %y : tensor<1x1x1024x125x1xf16>
}

// -----

// As a line it would have no room in L2 either.

// CHECK-LABEL: zin.program @too_long {
// CHECK-NOT: transposed = true
// CHECK: {{^  }$}}
zin.procedure @too_long(%x: tensor<1x1x2048x400x1xf16> {zin.host_type = tensor<1x1x2048x400x1xf16>, zin.name = "x"}) -> (tensor<1x1x1024x134x1xf16> {zin.host_type = tensor<1x1x1024x134x1xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1024x1x2048x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 3, 1>} : (tensor<1x1x2048x400x1xf16>, tensor<1024x1x2048x1x1xf16>) -> tensor<1x1x1024x134x1xf16>
  zin.return %y : tensor<1x1x1024x134x1xf16>
}

// -----

// 2 MiB are what L2 holds.

// CHECK-LABEL: zin.program @fits {
// CHECK-NOT: transposed = true
// CHECK: {{^  }$}}
zin.procedure @fits(%x: tensor<1x1x1024x128x1xf16> {zin.host_type = tensor<1x1x1024x128x1xf16>, zin.name = "x"}) -> (tensor<1x1x1024x43x1xf16> {zin.host_type = tensor<1x1x1024x43x1xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1024x1x1024x1x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 3, 1>} : (tensor<1x1x1024x128x1xf16>, tensor<1024x1x1024x1x1xf16>) -> tensor<1x1x1024x43x1xf16>
  zin.return %y : tensor<1x1x1024x43x1xf16>
}

// -----

// What is multiplied all the time waits for no memory.

// CHECK-LABEL: zin.program @computed {
// CHECK-NOT: transposed = true
// CHECK: {{^  }$}}
zin.procedure @computed(%x: tensor<1x1x512x400x1xf16> {zin.host_type = tensor<1x1x512x400x1xf16>, zin.name = "x"}) -> (tensor<1x1x512x392x1xf16> {zin.host_type = tensor<1x1x512x392x1xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<512x1x512x9x1xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x512x400x1xf16>, tensor<512x1x512x9x1xf16>) -> tensor<1x1x512x392x1xf16>
  zin.return %y : tensor<1x1x512x392x1xf16>
}
