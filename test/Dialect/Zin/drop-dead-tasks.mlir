// RUN: ane-opt %s --zin-drop-dead-tasks | FileCheck %s
// RUN: ane-opt %s --zin-drop-dead-tasks --zin-drop-dead-tasks | FileCheck %s

// @b is read by a task that nobody needs, and @a behind its last reader written
// once more. Both go with the table @dead; the table @used and the input that no
// task reads any more stay.

// CHECK-LABEL: zin.program @p
// CHECK: @x
// CHECK: @unread
// CHECK: @y
// CHECK: @a
// CHECK-NOT: @b
// CHECK-NOT: @dead
// CHECK: zin.kernel @used
// CHECK: reads <@x {{.*}} writes <@a
// CHECK: reads <@a {{.*}} writes <@y {{.*}} with @used
// CHECK-NOT: zin.task
zin.program @p {
  zin.buffer <input> @x 64 bytes <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "x"}
  zin.buffer <input> @unread 64 bytes <@unread + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "unread"}
  zin.buffer <output> @y 64 bytes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "y"}
  zin.buffer <scratch> @a 64 bytes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]>
  zin.buffer <scratch> @b 64 bytes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]>
  zin.buffer <scratch> @c 64 bytes <@c + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]>
  zin.kernel @used {activation = #zin.neuron<tanh>, groups = 1 : i64, ocg_size = 0 : i64, outputs = 1 : i64, taps = 1 : i64}
  zin.kernel @dead {activation = #zin.neuron<tanh>, groups = 1 : i64, ocg_size = 0 : i64, outputs = 1 : i64, taps = 1 : i64}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@unread + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@c + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true> with @dead
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true> with @used
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
}
