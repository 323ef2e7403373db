// RUN: ane-opt %s --zin-share-states --split-input-file | FileCheck %s

// What reads the state behind the task that writes it comes before that.

// CHECK-LABEL: zin.program @moved
// CHECK: @s 256 bytes {{.*}} shared, state
// CHECK: zin.task {{.*}} reads <@s + 0{{.*}} writes <@y
// CHECK: zin.task {{.*}} reads <@x + 0{{.*}} writes <@t
// CHECK-NOT: zin.task
zin.program @moved {
  zin.buffer <input> @s 256 bytes <@s + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> {host_type = tensor<4x32xf16>, port = "s", state}
  zin.buffer <output> @t 256 bytes <@t + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> {host_type = tensor<4x32xf16>, port = "s"}
  zin.buffer <input> @x 256 bytes <@x + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> {host_type = tensor<4x32xf16>, port = "x"}
  zin.buffer <output> @y 256 bytes <@y + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> {host_type = tensor<4x32xf16>, port = "y"}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> writes <@t + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@s + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> writes <@y + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
}

// -----

// A task may write an element where it has read it. Rows that others read do not
// wait for each other.

// CHECK-LABEL: zin.program @in_place
// CHECK: @s 256 bytes {{.*}} shared, state
// CHECK: reads <@s + 0, [1, 1, 1, 2, 32]{{.*}} writes <@t + 0
// CHECK: reads <@s + 128, [1, 1, 1, 2, 32]{{.*}} writes <@t + 128
// CHECK-NOT: zin.task
zin.program @in_place {
  zin.buffer <input> @s 256 bytes <@s + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> {host_type = tensor<4x32xf16>, port = "s", state}
  zin.buffer <output> @t 256 bytes <@t + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> {host_type = tensor<4x32xf16>, port = "s"}
  zin.buffer <input> @x 256 bytes <@x + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> {host_type = tensor<4x32xf16>, port = "x"}
  zin.buffer <output> @y 256 bytes <@y + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> {host_type = tensor<4x32xf16>, port = "y"}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@s + 0, [1, 1, 1, 2, 32], [256, 256, 256, 64]> and <@x + 0, [1, 1, 1, 2, 32], [256, 256, 256, 64]> writes <@t + 0, [1, 1, 1, 2, 32], [256, 256, 256, 64]> computes #zin.pe<op = add, reduce = none, post = none>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@s + 128, [1, 1, 1, 2, 32], [256, 256, 256, 64]> and <@x + 128, [1, 1, 1, 2, 32], [256, 256, 256, 64]> writes <@t + 128, [1, 1, 1, 2, 32], [256, 256, 256, 64]> computes #zin.pe<op = add, reduce = none, post = none>
}

// -----

// A window reads rows of the state that it has written over.

// CHECK-LABEL: zin.program @window
// CHECK: @s 256 bytes {{.*}} shared, state
// CHECK: zin.buffer <scratch> @[[NEW:[a-z_0-9]+]] 256 bytes <@[[NEW]] + 0
// CHECK: reads <@s + 0{{.*}} writes <@[[NEW]] + 0
// CHECK: reads <@[[NEW]] + 0{{.*}} writes <@y
// CHECK: reads <@[[NEW]] + 0{{.*}} writes <@t + 0
// CHECK-NOT: zin.task
zin.program @window {
  zin.buffer <input> @s 256 bytes <@s + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> {host_type = tensor<4x32xf16>, port = "s", state}
  zin.buffer <output> @t 256 bytes <@t + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> {host_type = tensor<4x32xf16>, port = "s"}
  zin.buffer <input> @x 256 bytes <@x + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> {host_type = tensor<4x32xf16>, port = "x"}
  zin.buffer <output> @y 256 bytes <@y + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> {host_type = tensor<4x32xf16>, port = "y"}
  zin.task <NEFUSED_POOL> on <NEPool> reads <@s + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> writes <@t + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> computes #zin.ne<op = max, window = [3, 1], stride = [1, 1], padding = [1, 0], unicast = 1, kernelless = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@t + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> writes <@y + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
}

// -----

// What is read of the state needs what was written.

// CHECK-LABEL: zin.program @needs
// CHECK: zin.buffer <scratch> @[[NEW:[a-z_0-9]+]] 256 bytes
// CHECK: reads <@x + 0{{.*}} writes <@[[NEW]] + 0
// CHECK: reads <@s + 0{{.*}} and <@[[NEW]] + 0{{.*}} writes <@y
// CHECK: reads <@[[NEW]] + 0{{.*}} writes <@t + 0
// CHECK-NOT: zin.task
zin.program @needs {
  zin.buffer <input> @s 256 bytes <@s + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> {host_type = tensor<4x32xf16>, port = "s", state}
  zin.buffer <output> @t 256 bytes <@t + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> {host_type = tensor<4x32xf16>, port = "s"}
  zin.buffer <input> @x 256 bytes <@x + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> {host_type = tensor<4x32xf16>, port = "x"}
  zin.buffer <output> @y 256 bytes <@y + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> {host_type = tensor<4x32xf16>, port = "y"}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> writes <@t + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@s + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> and <@t + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> writes <@y + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> computes #zin.pe<op = add, reduce = none, post = none>
}

// -----

// Nothing is shared by a state that is not written, or lies otherwise.

// CHECK-LABEL: zin.program @read_only
// CHECK-NOT: shared
zin.program @read_only {
  zin.buffer <input> @s 256 bytes <@s + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> {host_type = tensor<4x32xf16>, port = "s", state}
  zin.buffer <output> @y 256 bytes <@y + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> {host_type = tensor<4x32xf16>, port = "y"}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@s + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> writes <@y + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
}

// -----

// What is copied to where it lies needs no task, but what is moved or scaled does.

// CHECK-LABEL: zin.program @row
// CHECK: @s 256 bytes {{.*}} shared, state
// CHECK-NOT: zin.task {{.*}} reads <@s + 0
// CHECK: zin.task {{.*}} reads <@x + 0{{.*}} writes <@t + 64
// CHECK-NEXT: zin.task {{.*}} reads <@s + 128{{.*}} writes <@t + 128{{.*}} postScale
// CHECK-NEXT: {{^ *}$}}
zin.program @row {
  zin.buffer <input> @s 256 bytes <@s + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> {host_type = tensor<4x32xf16>, port = "s", state}
  zin.buffer <output> @t 256 bytes <@t + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> {host_type = tensor<4x32xf16>, port = "s"}
  zin.buffer <input> @x 64 bytes <@x + 0, [1, 1, 1, 1, 32], [64, 64, 64, 64]> {host_type = tensor<32xf16>, port = "x"}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@s + 0, [1, 1, 1, 1, 32], [256, 256, 256, 64]> writes <@t + 0, [1, 1, 1, 1, 32], [256, 256, 256, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 1, 1, 32], [64, 64, 64, 64]> writes <@t + 64, [1, 1, 1, 1, 32], [256, 256, 256, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@s + 128, [1, 1, 1, 2, 32], [256, 256, 256, 64]> writes <@t + 128, [1, 1, 1, 2, 32], [256, 256, 256, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, postScale = 2.000000e+00 : f16>
}

// -----

// Rows that a layout lays over each other have no place that could be compared.

// CHECK-LABEL: zin.program @overlapping
// CHECK: zin.task
zin.program @overlapping {
  zin.buffer <input> @i 256 bytes <@i + 0, [1, 1, 1, 2, 2], [128, 128, 128, 0]> {host_type = tensor<2x2xf16>, port = "s", state}
  zin.buffer <output> @o 256 bytes <@o + 0, [1, 1, 1, 2, 2], [128, 128, 128, 0]> {host_type = tensor<2x2xf16>, port = "s"}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@i + 0, [1, 1, 1, 2, 2], [128, 128, 128, 0]> writes <@o + 0, [1, 1, 1, 2, 2], [128, 128, 128, 0]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
}
