// RUN: ane-opt %s --zin-tile-rows --split-input-file | FileCheck %s

// The channels of each pixel become a row of an output. Rows of the image are cut
// there as they are in front of it: a block has its part of the output.

// CHECK-LABEL: zin.program @channels
// CHECK-COUNT-2: writes <@y + {{[0-9]+}}, [1, 1, 128, 48, 64], {{.*}} transposed = true
// CHECK-NOT: zin.task
zin.program @channels {
  zin.buffer <input> @x 1572864 bytes <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "x"}
  zin.buffer <output> @y 1572864 bytes <@y + 0, [1, 1, 1, 12288, 64], [1572864, 1572864, 1572864, 128]> {host_type = tensor<12288x64xf16>, port = "y"}
  zin.buffer <scratch> @a 1572864 bytes <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]>
  zin.buffer <scratch> @b 1572864 bytes <@b + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 576 : i64, weights = dense<1.0> : tensor<36864xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@b + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @k
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@b + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@y + 0, [1, 1, 128, 96, 64], [1572864, 1572864, 128, 16384]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, transposed = true>
}

// -----

// Some rows of an output are those of a block that a layer was cut into before.

// CHECK-LABEL: zin.program @part
// CHECK: writes <@a
// CHECK-NEXT: writes <@y + 12288, [1, 1, 64, 48, 128]
// CHECK-NOT: zin.task
zin.program @part {
  zin.buffer <input> @x 1572864 bytes <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "x"}
  zin.buffer <output> @y 1572864 bytes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "y"}
  zin.buffer <scratch> @a 786432 bytes <@a + 0, [1, 1, 64, 48, 128], [786432, 786432, 12288, 256]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 12288, [1, 1, 64, 48, 128], [1572864, 1572864, 24576, 256]> writes <@a + 0, [1, 1, 64, 48, 128], [786432, 786432, 12288, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@a + 0, [1, 1, 64, 48, 128], [786432, 786432, 12288, 256]> writes <@y + 12288, [1, 1, 64, 48, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
}

// -----

// Every other channel of @m comes from one task, those between them from the next.
// What reads odd ones finds them where the first task has kept its result.

// CHECK-LABEL: zin.program @every_other
// CHECK: <NEConv> reads <@x_rows{{.*}} writes <@[[ODD:m_rows[_0-9]*]] + 0, [1, 1, 64, [[ROWS:[0-9]+]], 128],
// CHECK-NEXT: <NEBypass> reads <@[[ODD]] + 0, {{.*}} writes <@m + 24576, [1, 1, [[ROWS]], 64, 128], [3145728, 3145728, 256, 49152]>
// CHECK-NEXT: <NEConv> {{.*}} writes <@m + 0, [1, 1, 64, [[ROWS]], 128], [3145728, 3145728, 49152, 256]>
// CHECK-NEXT: <NEBypass> reads <@[[ODD]] + 0, [1, 1, 32, [[ROWS]], 128],
zin.program @every_other {
  zin.buffer <input> @x 1572864 bytes <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "x"}
  zin.buffer <output> @y 1572864 bytes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "y"}
  zin.buffer <scratch> @m 3145728 bytes <@m + 0, [1, 1, 128, 96, 128], [3145728, 3145728, 24576, 256]>
  zin.buffer <scratch> @v 786432 bytes <@v + 0, [1, 1, 32, 96, 128], [786432, 786432, 24576, 256]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 64 : i64, weights = dense<1.0> : tensor<4096xf16>}
  zin.kernel @j {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 288 : i64, weights = dense<1.0> : tensor<18432xf16>}
  zin.buffer <output> @u 8192 bytes <@u + 0, [1, 1, 128, 1, 1], [8192, 8192, 64, 64]> {host_type = tensor<128x1x1xf16>, port = "u"}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@m + 24576, [1, 1, 64, 96, 128], [3145728, 3145728, 49152, 256]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@m + 0, [1, 1, 64, 96, 128], [3145728, 3145728, 49152, 256]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@m + 24576, [1, 1, 32, 96, 128], [3145728, 3145728, 49152, 256]> writes <@v + 0, [1, 1, 32, 96, 128], [786432, 786432, 24576, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_CONV> on <NEConv> reads <@v + 0, [1, 1, 32, 96, 128], [786432, 786432, 24576, 256]> writes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @j
  zin.task <PEFUSED_POOL> on <PEPool> reads <@m + 0, [1, 1, 128, 96, 128], [3145728, 3145728, 24576, 256]> writes <@u + 0, [1, 1, 128, 1, 1], [8192, 8192, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
}
