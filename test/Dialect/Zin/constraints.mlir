// RUN: ane-opt %s --split-input-file --verify-diagnostics

// Each constraint of the dialect, violated. Two ids are reported by code
// generation only: zin-kernel-c2 and zin-task-c4 are in test/Codegen.

// expected-error@+1 {{procedure: argument 0 lacks its port attributes [zin-procedure-c1]}}
zin.procedure @nameless(%x: tensor<1x1x1x1x4xf16>) {
  zin.return
}

// -----

// expected-error@+1 {{procedure: result 0 lacks its port attributes [zin-procedure-c1]}}
zin.procedure @nameless_result(%x: tensor<1x1x1x1x4xf16> {zin.host_type = tensor<4xf16>, zin.name = "x"}) -> tensor<1x1x1x1x4xf16> {
  zin.return %x : tensor<1x1x1x1x4xf16>
}

// -----

// expected-error@+1 {{procedure: argument 0 lacks its port attributes [zin-procedure-c1]}}
zin.procedure @host_strides(%x: tensor<1x1x1x1x4xf16> {zin.host_strides = array<i64: 32, 1>, zin.host_type = tensor<4xf16>, zin.name = "x"}) {
  zin.return
}

// -----

// expected-error@+1 {{procedure: a value has more than 2^48 elements [zin-procedure-c3]}}
zin.procedure @large(%x: tensor<1x1x16x4x9223372036854775807xf16> {zin.host_type = tensor<4xf16>, zin.name = "x"}) -> (tensor<1x1x1x4x9223372036854775807xf16> {zin.host_type = tensor<4xf16>, zin.name = "y"}) {
  %0 = zin.reduction <Avg> %x over [2] : (tensor<1x1x16x4x9223372036854775807xf16>) -> tensor<1x1x1x4x9223372036854775807xf16>
  zin.return %0 : tensor<1x1x1x4x9223372036854775807xf16>
}

// -----

zin.procedure @result_type(%x: tensor<1x1x1x1x4xf16> {zin.host_type = tensor<4xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x5xf16> {zin.host_type = tensor<5xf16>, zin.name = "y"}) {
  // expected-error@+1 {{return: the values are not of the procedure's result types [zin-procedure-c2]}}
  zin.return %x : tensor<1x1x1x1x4xf16>
}

// -----

zin.procedure @parameters(%x: tensor<1x1x1x1x4xf16> {zin.host_type = tensor<4xf16>, zin.name = "x"}) {
  // expected-error@+1 {{activation 'prelu' has 1 parameter of fp16 [zin-neuron-c1]}}
  %y = zin.neuron <prelu> %x : tensor<1x1x1x1x4xf16>
  zin.return
}

// -----

zin.procedure @bounds(%x: tensor<1x1x1x1x4xf16> {zin.host_type = tensor<4xf16>, zin.name = "x"}) {
  %one = zin.neuron <clamped_relu, 1.0 : f16, 1.0 : f16> %x : tensor<1x1x1x1x4xf16>
  // expected-error@+1 {{activation 'clamped_relu' has the bounds 3.000000e+00 and 1.000000e+00; the first is not above the second [zin-neuron-c2]}}
  %y = zin.neuron <clamped_relu, 3.0 : f16, 1.0 : f16> %x : tensor<1x1x1x1x4xf16>
  zin.return
}

// -----

zin.procedure @no_bound(%x: tensor<1x1x1x1x4xf16> {zin.host_type = tensor<4xf16>, zin.name = "x"}) {
  // expected-error@+1 {{[zin-neuron-c2]}}
  %y = zin.neuron <clamped_relu, 1.0 : f16, 0x7E00 : f16> %x : tensor<1x1x1x1x4xf16>
  zin.return
}

// -----

zin.procedure @conv() {
  %x = zin.constant dense<1.0> : tensor<1x1x4x8x8xf16>
  %w = zin.constant dense<1.0> : tensor<2x1x4x3x3xf16>
  // expected-error@+1 {{conv: operand shapes, groups and attribute lists do not agree [zin-conv-c1]}}
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 2 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x4x8x8xf16>, tensor<2x1x4x3x3xf16>) -> tensor<1x1x2x6x6xf16>
  zin.return
}

// -----

zin.procedure @conv_groups() {
  %x = zin.constant dense<1.0> : tensor<1x1x4x8x8xf16>
  %w = zin.constant dense<1.0> : tensor<4x1x1x3x3xf16>
  // expected-error@+1 {{conv: operand shapes, groups and attribute lists do not agree [zin-conv-c1]}}
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = -4 : i64, padding = array<i64: 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x1x4x8x8xf16>, tensor<4x1x1x3x3xf16>) -> tensor<1x1x4x8x8xf16>
  zin.return
}

// -----

zin.procedure @conv_lists() {
  %x = zin.constant dense<1.0> : tensor<1x1x4x8x8xf16>
  %w = zin.constant dense<1.0> : tensor<2x1x4x3x3xf16>
  // expected-error@+1 {{[zin-conv-c1]}}
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 0>} : (tensor<1x1x4x8x8xf16>, tensor<2x1x4x3x3xf16>) -> tensor<1x1x2x6x6xf16>
  zin.return
}

// -----

zin.procedure @conv_bias() {
  %x = zin.constant dense<1.0> : tensor<1x1x4x8x8xf16>
  %w = zin.constant dense<1.0> : tensor<2x1x4x3x3xf16>
  %b = zin.constant dense<1.0> : tensor<1x1x4x1x1xf16>
  // expected-error@+1 {{conv: the bias is not one number an output [zin-conv-c1]}}
  %y = zin.conv %x, %w bias %b {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x4x8x8xf16>, tensor<2x1x4x3x3xf16>, tensor<1x1x4x1x1xf16>) -> tensor<1x1x2x6x6xf16>
  zin.return
}

// -----

zin.procedure @matmul() {
  %x = zin.constant dense<1.0> : tensor<1x1x1x2x4xf16>
  %w = zin.constant dense<1.0> : tensor<1x1x1x3x5xf16>
  // expected-error@+1 {{matmul: operand and result shapes do not agree [zin-matmul-c1]}}
  %y = zin.matmul %x, %w : (tensor<1x1x1x2x4xf16>, tensor<1x1x1x3x5xf16>) -> tensor<1x1x1x2x3xf16>
  zin.return
}

// -----

zin.procedure @elementwise() {
  %x = zin.constant dense<1.0> : tensor<1x1x1x2x4xf16>
  %y = zin.constant dense<1.0> : tensor<1x1x1x3x4xf16>
  // expected-error@+1 {{elementwise: extents 2 and 3 of dimension H do not broadcast to the result [zin-elementwise-c1]}}
  %z = zin.elementwise <Add> %x, %y : (tensor<1x1x1x2x4xf16>, tensor<1x1x1x3x4xf16>) -> tensor<1x1x1x3x4xf16>
  zin.return
}

// -----

zin.procedure @pool() {
  %x = zin.constant dense<1.0> : tensor<1x1x1x2x4xf16>
  // expected-error@+1 {{pool: shapes and attribute lists do not agree [zin-pool-c1]}}
  %y = zin.pool <Max> %x {padding = array<i64: 0, 0>, strides = array<i64: 1, 1>, window = array<i64: 1, 1>} : (tensor<1x1x1x2x4xf16>) -> tensor<1x1x1x2x4xf16>
  zin.return
}

// -----

zin.procedure @reduction() {
  %x = zin.constant dense<1.0> : tensor<1x1x1x2x4xf16>
  // expected-error@+1 {{reduction: dimension W of the result does not follow from the axes [zin-reduction-c1]}}
  %y = zin.reduction <Avg> %x over [3] : (tensor<1x1x1x2x4xf16>) -> tensor<1x1x1x1x1xf16>
  zin.return
}

// -----

zin.procedure @reduction_axis() {
  %x = zin.constant dense<1.0> : tensor<1x1x1x2x4xf16>
  // expected-error@+1 {{reduction: axis 5 is not in 0 to 4 [zin-reduction-c1]}}
  %y = zin.reduction <Avg> %x over [5] : (tensor<1x1x1x2x4xf16>) -> tensor<1x1x1x2x4xf16>
  zin.return
}

// -----

zin.procedure @softmax() {
  %x = zin.constant dense<1.0> : tensor<1x1x1x2x4xf16>
  // expected-error@+1 {{softmax: axis -1 is not in 0 to 4 [zin-softmax-c1]}}
  %y = zin.softmax %x over -1 : tensor<1x1x1x2x4xf16>
  zin.return
}

// -----

zin.procedure @transpose() {
  %x = zin.constant dense<1.0> : tensor<1x1x1x2x4xf16>
  // expected-error@+1 {{[zin-transpose-c1]}}
  %y = zin.transpose %x to [0, 1, 2, 4, 3] : (tensor<1x1x1x2x4xf16>) -> tensor<1x1x1x2x4xf16>
  zin.return
}

// -----

zin.procedure @transpose_twice() {
  %x = zin.constant dense<1.0> : tensor<1x1x1x2x4xf16>
  // expected-error@+1 {{[zin-transpose-c1]}}
  %y = zin.transpose %x to [0, 1, 1, 3, 4] : (tensor<1x1x1x2x4xf16>) -> tensor<1x1x1x2x4xf16>
  zin.return
}

// -----

zin.procedure @reshape() {
  %x = zin.constant dense<1.0> : tensor<1x1x1x2x4xf16>
  // expected-error@+1 {{reshape: the number of elements would change [zin-reshape-c1]}}
  %y = zin.reshape %x : (tensor<1x1x1x2x4xf16>) -> tensor<1x1x1x1x9xf16>
  zin.return
}

// -----

zin.procedure @input_view() {
  %x = zin.constant dense<1.0> : tensor<1x1x1x2x4xf16>
  // expected-error@+1 {{input_view: dimension W of the view leaves the operand [zin-input_view-c1]}}
  %y = zin.input_view %x from [0, 0, 0, 0, 1] by [1, 1, 1, 1, 2] : (tensor<1x1x1x2x4xf16>) -> tensor<1x1x1x2x3xf16>
  zin.return
}

// -----

zin.procedure @concat() {
  %x = zin.constant dense<1.0> : tensor<1x1x1x2x4xf16>
  // expected-error@+1 {{concat: the extents do not add up [zin-concat-c1]}}
  %y = zin.concat %x, %x along 3 : (tensor<1x1x1x2x4xf16>, tensor<1x1x1x2x4xf16>) -> tensor<1x1x1x5x4xf16>
  zin.return
}

// -----

zin.program @buffer {
  // expected-error@+1 {{buffer: attributes do not fit the kind 'input' [zin-buffer-c1]}}
  zin.buffer <input> @x 64 bytes <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]>
}

// -----

zin.program @buffer_host_strides {
  // expected-error@+1 {{buffer: 2 strides of the host are not those of its tensor [zin-buffer-c1]}}
  zin.buffer <input> @x 64 bytes <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> {host_type = tensor<1xf16>, host_strides = array<i64: 32, 1>, port = "x"}
}

// -----

zin.program @buffer_outside {
  // expected-error@+1 {{buffer: the layout #zin.view<@x + 0, [1, 1, 1, 2, 1], [64, 64, 64, 64]> does not lie in 64 bytes [zin-buffer-c4]}}
  zin.buffer <scratch> @x 64 bytes <@x + 0, [1, 1, 1, 2, 1], [64, 64, 64, 64]>
}

// -----

zin.program @constant_row {
  // expected-error@+1 {{does not fill 128 bytes [zin-buffer-c4]}}
  zin.buffer <constant> @c 128 bytes <@c + 0, [1, 1, 1, 1, 64], [64, 64, 64, 64]> {value = dense<1.0> : tensor<1x1x1x1x64xf16>}
}

// -----

zin.program @constant_rows {
  // expected-error@+1 {{does not fill 256 bytes [zin-buffer-c4]}}
  zin.buffer <constant> @c 256 bytes <@c + 0, [1, 1, 1, 2, 32], [128, 128, 128, 64]> {value = dense<1.0> : tensor<1x1x1x2x32xf16>}
}

// -----

zin.program @buffer_shared {
  // expected-error@+1 {{buffer: it is shared, but holds no state [zin-buffer-c2]}}
  zin.buffer <input> @x 64 bytes <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> {host_type = tensor<1xf16>, port = "x", shared}
}

// -----

zin.program @buffer_value {
  // expected-error@+1 {{buffer: the value is 'tensor<1x1x1x1x9xf16>', the layout #zin.view<@c + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> has other extents [zin-buffer-c1]}}
  zin.buffer <constant> @c 64 bytes <@c + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {value = dense<1.0> : tensor<1x1x1x1x9xf16>}
}

// -----

zin.program @view {
  // expected-error@+1 {{stride 2 of a view is no positive multiple of 64}}
  zin.buffer <scratch> @x 64 bytes <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 2]>
}

// -----

zin.program @kernel_weights {
  // expected-error@+1 {{kernel: there are 4 weights for 3 outputs of 2 taps [zin-kernel-c1]}}
  zin.kernel @k {groups = 1 : i64, ocg_size = 0 : i64, outputs = 3 : i64, taps = 2 : i64, weights = dense<1.0> : tensor<4xf16>}
}

// -----

zin.program @kernel_size {
  // expected-error@+1 {{pass what a kernel can have [zin-kernel-c1]}}
  zin.kernel @k {groups = 4611686018427387904 : i64, ocg_size = 0 : i64, outputs = 4 : i64, taps = 2 : i64, weights = dense<1.0> : tensor<4xf16>}
}

// -----

zin.program @kernel_outputs {
  // expected-error@+1 {{kernel: 1 group of 0 outputs of 2 taps are no kernel [zin-kernel-c1]}}
  zin.kernel @k {groups = 1 : i64, ocg_size = 0 : i64, outputs = 0 : i64, taps = 2 : i64, weights = dense<[]> : tensor<0xf16>}
}

// -----

zin.program @kernel_ocg {
  // expected-error@+1 {{kernel: the OCG size 8 passes 7, what its register holds [zin-kernel-c1]}}
  zin.kernel @k {groups = 1 : i64, ocg_size = 8 : i64, outputs = 1 : i64, taps = 2 : i64, weights = dense<1.0> : tensor<2xf16>}
}

// -----

zin.program @kernel_empty {
  // expected-error@+1 {{kernel: there is nothing in it [zin-kernel-c1]}}
  zin.kernel @k {groups = 1 : i64, ocg_size = 0 : i64, outputs = 3 : i64, taps = 2 : i64}
}

// -----

zin.program @sources {
  zin.buffer <scratch> @x 64 bytes <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]>
  // expected-error@+1 {{task: the neural engine has one source [zin-task-c1]}}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> and <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> writes <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]>
}

// -----

zin.program @two_kernels {
  zin.buffer <scratch> @x 64 bytes <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 0 : i64, outputs = 1 : i64, taps = 1 : i64, weights = dense<1.0> : tensor<1xf16>}
  // expected-error@+1 {{task: a kernel belongs to the neural engine, and is constant or computed [zin-task-c1]}}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> writes <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k weighs <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]>
}

// -----

zin.program @kernel_rows {
  zin.buffer <scratch> @x 1088 bytes <@x + 0, [1, 1, 1, 17, 1], [1088, 1088, 1088, 64]>
  // expected-error@+1 {{task: a computed kernel is up to 16 rows, a lane each, of one channel or, in all of them, of 2, 4 or 8 side by side [zin-task-c1]}}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> writes <@x + 0, [1, 1, 17, 1, 1], [1088, 1088, 64, 64]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> weighs <@x + 0, [1, 1, 1, 17, 1], [1088, 1088, 1088, 64]>
}

// -----

zin.program @outside {
  zin.buffer <scratch> @x 64 bytes <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]>
  // expected-error@+1 {{task: view #zin.view<@x + 0, [1, 1, 1, 2, 1], [64, 64, 64, 64]> does not lie inside its buffer [zin-task-c2]}}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 1, 2, 1], [64, 64, 64, 64]> writes <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]>
}

// -----

zin.program @no_buffer {
  zin.buffer <scratch> @x 64 bytes <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]>
  // expected-error@+1 {{task: view #zin.view<@nosuch + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> is of a buffer that does not exist [zin-task-c2]}}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@nosuch + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> writes <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]>
}

// -----

zin.program @far_outside {
  zin.buffer <scratch> @x 64 bytes <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]>
  // expected-error@+1 {{does not lie inside its buffer [zin-task-c2]}}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [3, 1, 1, 1, 1], [4611686018427387904, 64, 64, 64]> writes <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]>
}

// -----

zin.program @no_kernel {
  zin.buffer <scratch> @x 64 bytes <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]>
  // expected-error@+1 {{task: kernel @k does not exist [zin-task-c2]}}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> writes <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
}

// -----

zin.program @extent {
  zin.buffer <scratch> @x 64 bytes <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]>
  // expected-error@+1 {{task: extent 40000 of dimension H passes 32767, what its register holds [zin-task-c3]}}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 1, 40000, 1], [0, 0, 0, 0]> writes <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]>
}

// -----

zin.program @window {
  zin.buffer <scratch> @x 64 bytes <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]>
  // expected-error@+1 {{window has 1 element; rows and columns are 2}}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 1, 1, 1], [0, 0, 0, 0]> writes <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1], stride = [1, 1], padding = [0, 0]>
}

// -----

zin.program @no_place {
  zin.buffer <input> @x 64 bytes <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> {host_type = tensor<1xf16>, port = "x"}
  zin.buffer <scratch> @a 64 bytes <@a + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]>
  // expected-error@+1 {{is to be in L2, where its buffer has no place or one in another order [zin-task-c5]}}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> writes <@a + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]> {l2 = #zin.l2<result = resident, begin = 0, bytes = 4096>}
}

// -----

zin.program @place_of_stream {
  zin.buffer <input> @x 64 bytes <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> {host_type = tensor<1xf16>, port = "x"}
  zin.buffer <scratch> @a 64 bytes <@a + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]>
  // expected-error@+1 {{what streams has no place in L2}}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> writes <@a + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true> {l2 = #zin.l2<begin = 0, bytes = 1024, place = <0, [16, 16, 16, 16]>>}
}

// -----

// Rows of two channels are no four rows where a tile has them side by side.

zin.program @other_order {
  zin.buffer <input> @x 256 bytes <@x + 0, [1, 1, 1, 4, 1], [256, 256, 256, 64]> {host_type = tensor<4x1xf16>, port = "x"}
  zin.buffer <scratch> @a 256 bytes <@a + 0, [1, 1, 2, 2, 1], [256, 256, 128, 64]> {l2 = #zin.l2_place<0, [64, 32, 16, 32]>}
  // expected-error@+1 {{task: view #zin.view<@a + 0, [1, 1, 1, 4, 1], [256, 256, 256, 64]> is to be in L2}}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 1, 4, 1], [256, 256, 256, 64]> writes <@a + 0, [1, 1, 1, 4, 1], [256, 256, 256, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]> {l2 = #zin.l2<result = resident, begin = 64, bytes = 4096>}
}

// -----

zin.program @kernel_of_few_lanes {
  zin.buffer <scratch> @x 1024 bytes <@x + 0, [1, 1, 1, 16, 8], [1024, 1024, 1024, 64]>
  // expected-error@+1 {{in all of them, of 2, 4 or 8 side by side [zin-task-c1]}}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 8, 1, 1], [64, 64, 64, 64]> writes <@x + 0, [1, 1, 16, 1, 1], [1024, 1024, 64, 64]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> weighs <@x + 0, [1, 1, 4, 4, 8], [64, 64, 64, 64], interleave = 4>
}

// -----

zin.program @kernel_of_three_a_lane {
  zin.buffer <scratch> @x 1024 bytes <@x + 0, [1, 1, 1, 16, 8], [1024, 1024, 1024, 64]>
  // expected-error@+1 {{in all of them, of 2, 4 or 8 side by side [zin-task-c1]}}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 8, 1, 1], [64, 64, 64, 64]> writes <@x + 0, [1, 1, 16, 1, 1], [1024, 1024, 64, 64]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> weighs <@x + 0, [1, 1, 3, 16, 8], [64, 64, 64, 64], interleave = 3>
}

// -----

zin.program @buffer_interleaved {
  // expected-error@+1 {{buffer: channels lie side by side in scratch alone [zin-buffer-c1]}}
  zin.buffer <input> @x 64 bytes <@x + 0, [1, 1, 4, 1, 8], [64, 64, 64, 64], interleave = 4> {host_type = tensor<4x8xf16>, port = "x"}
}

// -----

zin.program @view_interleaved {
  // expected-error@+1 {{3 channels of a view cannot lie 2 side by side}}
  zin.buffer <scratch> @x 64 bytes <@x + 0, [1, 1, 3, 1, 8], [64, 64, 64, 64], interleave = 2>
}

// -----

zin.program @view_interleaved_by {
  // expected-error@+1 {{5 channels of a view cannot lie 5 side by side}}
  zin.buffer <scratch> @x 64 bytes <@x + 0, [1, 1, 5, 1, 1], [64, 64, 64, 64], interleave = 5>
}

// -----

zin.program @view_interleaved_outside {
  zin.buffer <scratch> @x 64 bytes <@x + 0, [1, 1, 4, 1, 8], [64, 64, 64, 64], interleave = 4>
  // expected-error@+1 {{does not lie inside its buffer [zin-task-c2]}}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@x + 0, [1, 1, 4, 1, 9], [64, 64, 64, 64], interleave = 4> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]>
}

// -----

zin.program @reads_interleaved {
  zin.buffer <scratch> @x 64 bytes <@x + 0, [1, 1, 4, 1, 8], [64, 64, 64, 64], interleave = 4>
  zin.buffer <scratch> @y 256 bytes <@y + 0, [1, 1, 4, 1, 8], [256, 256, 64, 64]>
  // expected-error@+1 {{task: channels lie side by side in a kernel or in a result that streams to memory alone [zin-task-c6]}}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 4, 1, 8], [64, 64, 64, 64], interleave = 4> writes <@y + 0, [1, 1, 4, 1, 8], [256, 256, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]>
}

// -----

zin.program @vector_interleaved {
  zin.buffer <scratch> @x 256 bytes <@x + 0, [1, 1, 4, 1, 8], [256, 256, 64, 64]>
  zin.buffer <scratch> @y 64 bytes <@y + 0, [1, 1, 8, 1, 4], [64, 64, 64, 64], interleave = 8>
  // expected-error@+1 {{in a kernel or in a result that streams to memory alone [zin-task-c6]}}
  zin.task <PEFUSED_GOC> on <PEGOC> reads <@x + 0, [1, 1, 4, 1, 8], [256, 256, 64, 64]> writes <@y + 0, [1, 1, 8, 1, 4], [64, 64, 64, 64], interleave = 8> computes #zin.pe<op = add, reduce = none, post = none, vectorResult = true>
}

// -----

zin.program @interleaved_in_l2 {
  zin.buffer <scratch> @x 256 bytes <@x + 0, [1, 1, 4, 1, 8], [256, 256, 64, 64]>
  zin.buffer <scratch> @y 64 bytes <@y + 0, [1, 1, 4, 1, 8], [64, 64, 64, 64], interleave = 4>
  // expected-error@+1 {{in a kernel or in a result that streams to memory alone [zin-task-c6]}}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 4, 1, 8], [256, 256, 64, 64]> writes <@y + 0, [1, 1, 4, 1, 8], [64, 64, 64, 64], interleave = 4> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]> {l2 = #zin.l2<result = resident, begin = 0, bytes = 2097152>}
}

// -----

zin.program @issued_with_nothing {
  zin.buffer <scratch> @x 64 bytes <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]>
  zin.buffer <scratch> @y 64 bytes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]>
  // expected-error@+1 {{task: what is issued with the task before is of the other engine, and no third [zin-task-c7]}}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]> {co_issued}
}

// -----

zin.program @issued_with_its_engine {
  zin.buffer <scratch> @x 64 bytes <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]>
  zin.buffer <scratch> @y 64 bytes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]>
  // expected-error@+1 {{is of the other engine, and no third [zin-task-c7]}}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]> {co_issued}
}

// -----

zin.program @third {
  zin.buffer <scratch> @x 64 bytes <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]>
  zin.buffer <scratch> @y 64 bytes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]>
  zin.task <PEFUSED_GOC> on <PEGOC> reads <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]> {co_issued}
  // expected-error@+1 {{is of the other engine, and no third [zin-task-c7]}}
  zin.task <PEFUSED_GOC> on <PEGOC> reads <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none> {co_issued}
}
