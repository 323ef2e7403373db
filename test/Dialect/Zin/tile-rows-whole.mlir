// RUN: ane-opt %s --zin-tile-rows=squeeze=false --split-input-file | FileCheck %s

// What a task that cannot be cut has written, here with a group for each channel,
// is in L2 as a whole for the few tasks that read it, and what is written over it
// as well: there is nothing that blocks of rows would save.

// CHECK-LABEL: zin.program @block
// CHECK-COUNT-4: zin.task
// CHECK-NOT: zin.task
zin.program @block {
  zin.buffer <input> @x 131072 bytes <@x + 0, [64, 1, 2, 1, 512], [2048, 2048, 1024, 2048]> {host_type = tensor<64x2x512xf16>, port = "x"}
  zin.buffer <output> @y 20480 bytes <@y + 0, [1, 1, 1, 20, 512], [20480, 20480, 20480, 1024]> {host_type = tensor<20x512xf16>, port = "y"}
  zin.buffer <scratch> @a 1310720 bytes <@a + 0, [1, 1, 64, 20, 512], [1310720, 1310720, 20480, 1024]>
  zin.buffer <scratch> @b 1310720 bytes <@b + 0, [1, 1, 64, 20, 512], [1310720, 1310720, 20480, 1024]>
  zin.buffer <scratch> @m 20480 bytes <@m + 0, [1, 1, 1, 20, 512], [20480, 20480, 20480, 1024]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 0 : i64, outputs = 20 : i64, taps = 2 : i64, weights = dense<1.0> : tensor<40xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [64, 1, 2, 1, 512], [2048, 2048, 1024, 2048]> writes <@a + 0, [64, 1, 20, 1, 512], [20480, 20480, 1024, 20480]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0], groups = 64, reuse = true> with @k
  zin.task <NEFUSED_POOL> on <NEPool> reads <@a + 0, [1, 1, 64, 20, 512], [1310720, 1310720, 20480, 1024]> writes <@m + 0, [1, 1, 1, 20, 512], [20480, 20480, 20480, 1024]> computes #zin.ne<op = max, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 64, kernelless = true, lowestPadding = true>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@a + 0, [1, 1, 64, 20, 512], [1310720, 1310720, 20480, 1024]> and <@m + 0, [1, 1, 1, 20, 512], [20480, 20480, 20480, 1024]> writes <@b + 0, [1, 1, 64, 20, 512], [1310720, 1310720, 20480, 1024]> computes #zin.pe<op = add, reduce = none, post = none, negate2 = true, broadcast2 = 4>
  zin.task <NEFUSED_POOL> on <NEPool> reads <@b + 0, [1, 1, 64, 20, 512], [1310720, 1310720, 20480, 1024]> writes <@y + 0, [1, 1, 1, 20, 512], [20480, 20480, 20480, 1024]> computes #zin.ne<op = max, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 64, kernelless = true, lowestPadding = true>
}

// -----

// What it writes is larger than L2, and is in memory: what goes on from there
// element by element is a chain of its own.

// CHECK-LABEL: zin.program @behind
// CHECK: zin.task <NEFUSED_CONV>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> {{.*}} reads <@a + 0, [1, 1, 1, 682, 512], {{.*}} writes <@[[A:.*]] + 0, [1, 1, 1, 682, 512],
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> {{.*}} reads <@[[A]] + 0, {{.*}} writes <@[[B:.*]] + 0, [1, 1, 1, 682, 512],
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> {{.*}} and <@[[B]] + 0, {{.*}} writes <@y + 0, [1, 1, 1, 682, 512],
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> {{.*}} reads <@a + 698368,
zin.program @behind {
  zin.buffer <input> @x 4096 bytes <@x + 0, [1, 1, 4, 1, 512], [4096, 4096, 1024, 4096]> {host_type = tensor<4x512xf16>, port = "x"}
  zin.buffer <output> @y 2097152 bytes <@y + 0, [1, 1, 1, 2048, 512], [2097152, 2097152, 2097152, 1024]> {host_type = tensor<2048x512xf16>, port = "y"}
  zin.buffer <scratch> @a 2097152 bytes <@a + 0, [1, 1, 1, 2048, 512], [2097152, 2097152, 2097152, 1024]>
  zin.buffer <scratch> @b 2097152 bytes <@b + 0, [1, 1, 1, 2048, 512], [2097152, 2097152, 2097152, 1024]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 0 : i64, outputs = 2048 : i64, taps = 4 : i64, weights = dense<1.0> : tensor<8192xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 4, 1, 512], [4096, 4096, 1024, 4096]> writes <@a + 0, [1, 1, 2048, 1, 512], [2097152, 2097152, 1024, 2097152]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0], groups = 1, reuse = true> with @k
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@a + 0, [1, 1, 1, 2048, 512], [2097152, 2097152, 2097152, 1024]> and <@a + 0, [1, 1, 1, 2048, 512], [2097152, 2097152, 2097152, 1024]> writes <@b + 0, [1, 1, 1, 2048, 512], [2097152, 2097152, 2097152, 1024]> computes #zin.pe<op = add, reduce = none, post = none>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@a + 0, [1, 1, 1, 2048, 512], [2097152, 2097152, 2097152, 1024]> and <@b + 0, [1, 1, 1, 2048, 512], [2097152, 2097152, 2097152, 1024]> writes <@y + 0, [1, 1, 1, 2048, 512], [2097152, 2097152, 2097152, 1024]> computes #zin.pe<op = mul, reduce = none, post = none>
}

// -----

// A residual, here @r, lies beside what a few layers have: the blocks leave it its
// place. Two, of 96 rows, would have room without it.

// CHECK-LABEL: zin.program @residual
// CHECK: reads <@x + 0, [1, 1, 64, 64, 128], {{.*}} writes <@{{.*}} + 0, [1, 1, 64, 64, 128],
// CHECK-NEXT: writes <@y + 0, [1, 1, 64, 64, 128],
// CHECK-NEXT: reads <@x + 16384, [1, 1, 64, 64, 128],
zin.program @residual {
  zin.buffer <input> @s 393216 bytes <@s + 0, [1, 1, 64, 24, 128], [393216, 393216, 6144, 256]> {host_type = tensor<64x24x128xf16>, port = "s"}
  zin.buffer <input> @x 3145728 bytes <@x + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]> {host_type = tensor<64x192x128xf16>, port = "x"}
  zin.buffer <output> @y 3145728 bytes <@y + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]> {host_type = tensor<64x192x128xf16>, port = "y"}
  zin.buffer <output> @z 393216 bytes <@z + 0, [1, 1, 64, 24, 128], [393216, 393216, 6144, 256]> {host_type = tensor<64x24x128xf16>, port = "z"}
  zin.buffer <output> @u 393216 bytes <@u + 0, [1, 1, 64, 24, 128], [393216, 393216, 6144, 256]> {host_type = tensor<64x24x128xf16>, port = "u"}
  zin.buffer <output> @v 393216 bytes <@v + 0, [1, 1, 64, 24, 128], [393216, 393216, 6144, 256]> {host_type = tensor<64x24x128xf16>, port = "v"}
  zin.buffer <scratch> @r 393216 bytes <@r + 0, [1, 1, 64, 24, 128], [393216, 393216, 6144, 256]>
  zin.buffer <scratch> @a 3145728 bytes <@a + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@s + 0, [1, 1, 64, 24, 128], [393216, 393216, 6144, 256]> writes <@r + 0, [1, 1, 64, 24, 128], [393216, 393216, 6144, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@s + 0, [1, 1, 64, 24, 128], [393216, 393216, 6144, 256]> writes <@u + 0, [1, 1, 64, 24, 128], [393216, 393216, 6144, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]> writes <@a + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@a + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]> writes <@y + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@s + 0, [1, 1, 64, 24, 128], [393216, 393216, 6144, 256]> writes <@v + 0, [1, 1, 64, 24, 128], [393216, 393216, 6144, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@r + 0, [1, 1, 64, 24, 128], [393216, 393216, 6144, 256]> writes <@z + 0, [1, 1, 64, 24, 128], [393216, 393216, 6144, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
}

// -----

// For a larger one they do not: more blocks would read more kernels again.

// CHECK-LABEL: zin.program @large_residual
// CHECK: reads <@x + 0, [1, 1, 64, 96, 128], {{.*}} writes <@{{.*}} + 0, [1, 1, 64, 96, 128],
// CHECK-NEXT: writes <@y + 0, [1, 1, 64, 96, 128],
// CHECK-NEXT: reads <@x + 24576, [1, 1, 64, 96, 128],
zin.program @large_residual {
  zin.buffer <input> @s 524288 bytes <@s + 0, [1, 1, 64, 32, 128], [524288, 524288, 8192, 256]> {host_type = tensor<64x32x128xf16>, port = "s"}
  zin.buffer <input> @x 3145728 bytes <@x + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]> {host_type = tensor<64x192x128xf16>, port = "x"}
  zin.buffer <output> @y 3145728 bytes <@y + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]> {host_type = tensor<64x192x128xf16>, port = "y"}
  zin.buffer <output> @z 524288 bytes <@z + 0, [1, 1, 64, 32, 128], [524288, 524288, 8192, 256]> {host_type = tensor<64x32x128xf16>, port = "z"}
  zin.buffer <output> @u 524288 bytes <@u + 0, [1, 1, 64, 32, 128], [524288, 524288, 8192, 256]> {host_type = tensor<64x32x128xf16>, port = "u"}
  zin.buffer <output> @v 524288 bytes <@v + 0, [1, 1, 64, 32, 128], [524288, 524288, 8192, 256]> {host_type = tensor<64x32x128xf16>, port = "v"}
  zin.buffer <scratch> @r 524288 bytes <@r + 0, [1, 1, 64, 32, 128], [524288, 524288, 8192, 256]>
  zin.buffer <scratch> @a 3145728 bytes <@a + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@s + 0, [1, 1, 64, 32, 128], [524288, 524288, 8192, 256]> writes <@r + 0, [1, 1, 64, 32, 128], [524288, 524288, 8192, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@s + 0, [1, 1, 64, 32, 128], [524288, 524288, 8192, 256]> writes <@u + 0, [1, 1, 64, 32, 128], [524288, 524288, 8192, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]> writes <@a + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@a + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]> writes <@y + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@s + 0, [1, 1, 64, 32, 128], [524288, 524288, 8192, 256]> writes <@v + 0, [1, 1, 64, 32, 128], [524288, 524288, 8192, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@r + 0, [1, 1, 64, 32, 128], [524288, 524288, 8192, 256]> writes <@z + 0, [1, 1, 64, 32, 128], [524288, 524288, 8192, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
}
