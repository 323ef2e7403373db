// RUN: ane-opt %s --zin-tile-rows='hold=false l2-eighths=6 tile-bytes=0 squeeze=false' --split-input-file | FileCheck %s
// RUN: ane-opt %s --zin-tile-rows='max-tasks=0' --split-input-file | FileCheck %s --check-prefix=NONE

// Values of 1.5 MB do not stay in L2 beside each other; blocks of 32 rows do. A
// window of 3 needs a row above and below: the second block computes 34 rows of @a
// for 32 of @b, from 36 rows of @x, the first of which is row 30, 7680 bytes in.
// Only the first block has padding on top. The sum reads the middle of its 34 rows.

// CHECK-LABEL: zin.program @chain
// CHECK-NOT: zin.buffer <scratch> @a 1572864
// CHECK: reads <@x + 0, [1, 1, 64, 34, 128], {{.*}} writes <@[[A:.*]] + 0, [1, 1, 64, 33, 128], [540672, 540672, 8448, 256]> {{.*}} padding = [1, 1]> with @k
// CHECK-NEXT: reads <@[[A]] + 0, [1, 1, 64, 33, 128], {{.*}} writes <@[[B:.*]] + 0, [1, 1, 64, 32, 128], {{.*}} padding = [1, 1]> with @k
// CHECK-NEXT: reads <@[[B]] + 0, [1, 1, 64, 32, 128], {{.*}} and <@[[A]] + 0, [1, 1, 64, 32, 128], {{.*}} writes <@y + 0, [1, 1, 64, 32, 128], [1572864, 1572864, 24576, 256]>
// CHECK-NEXT: reads <@x + 7680, [1, 1, 64, 36, 128], {{.*}} writes <@[[C:.*]] + 0, [1, 1, 64, 34, 128], {{.*}} padding = [0, 1]> with @k
// CHECK-NEXT: reads <@[[C]] + 0, {{.*}} writes <@[[D:.*]] + 0, [1, 1, 64, 32, 128], {{.*}} padding = [0, 1]> with @k
// CHECK-NEXT: reads <@[[D]] + 0, {{.*}} and <@[[C]] + 256, [1, 1, 64, 32, 128], {{.*}} writes <@y + 8192,
// CHECK-NEXT: reads <@x + 15872, [1, 1, 64, 34, 128], {{.*}} writes <@[[E:.*]] + 0, [1, 1, 64, 33, 128],
// CHECK-NEXT: reads <@[[E]] + 0,
// CHECK-NEXT: writes <@y + 16384,

// NONE-LABEL: zin.program @chain
// NONE: zin.buffer <scratch> @a 1572864
// NONE-COUNT-3: zin.task
// NONE-LABEL: zin.program @passes
zin.program @chain {
  zin.buffer <input> @x 1572864 bytes <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "x"}
  zin.buffer <output> @y 1572864 bytes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "y"}
  zin.buffer <scratch> @a 1572864 bytes <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]>
  zin.buffer <scratch> @b 1572864 bytes <@b + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 576 : i64, weights = dense<1.0> : tensor<36864xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@b + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @k
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@b + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> and <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.pe<op = add, reduce = none, post = none>
}

// -----

// A layer of 256 outputs, 4 at a time in each of 16 engines, reads its source
// four times: from a tile, which holds a block of it. With a stride of 2, 24 rows
// of the result are of 48 rows; the window of 1 needs none around.

// CHECK-LABEL: zin.program @passes
// CHECK: <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 80, 47, 128], {{.*}} writes <@y + 0, [1, 1, 256, 24, 64],
// CHECK-NEXT: <NEFUSED_CONV> on <NEConv> reads <@x + 12288, [1, 1, 80, 47, 128], {{.*}} writes <@y + 3072, [1, 1, 256, 24, 64],
// CHECK-NOT: zin.task
zin.program @passes {
  zin.buffer <input> @x 1966080 bytes <@x + 0, [1, 1, 80, 96, 128], [1966080, 1966080, 24576, 256]> {host_type = tensor<80x96x128xf16>, port = "x"}
  zin.buffer <output> @y 1572864 bytes <@y + 0, [1, 1, 256, 48, 64], [1572864, 1572864, 6144, 128]> {host_type = tensor<256x48x64xf16>, port = "y"}
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 256 : i64, taps = 80 : i64, weights = dense<1.0> : tensor<20480xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 80, 96, 128], [1966080, 1966080, 24576, 256]> writes <@y + 0, [1, 1, 256, 48, 64], [1572864, 1572864, 6144, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [2, 2], padding = [0, 0]> with @k
}

// -----

// The same of a signal, which has one row: all tasks see it in rows.

// CHECK-LABEL: zin.program @signal
// CHECK: <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 96, 48, 128], {{.*}} writes <@y + 0, [1, 1, 256, 48, 128],
// CHECK-NEXT: <NEFUSED_CONV> on <NEConv> reads <@x + 12288, [1, 1, 96, 48, 128], {{.*}} writes <@y + 12288, [1, 1, 256, 48, 128],
// CHECK-NOT: zin.task
zin.program @signal {
  zin.buffer <input> @x 2359296 bytes <@x + 0, [1, 1, 96, 1, 12288], [2359296, 2359296, 24576, 24576]> {host_type = tensor<96x1x12288xf16>, port = "x"}
  zin.buffer <output> @y 6291456 bytes <@y + 0, [1, 1, 256, 1, 12288], [6291456, 6291456, 24576, 24576]> {host_type = tensor<256x1x12288xf16>, port = "y"}
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 256 : i64, taps = 96 : i64, weights = dense<1.0> : tensor<24576xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 96, 96, 128], [2359296, 2359296, 24576, 256]> writes <@y + 0, [1, 1, 256, 96, 128], [6291456, 6291456, 24576, 256]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
}

// -----

// Not of one that a task sees as it is.

// CHECK-LABEL: zin.program @mixed
// CHECK-COUNT-2: zin.task
// CHECK-NOT: zin.task
zin.program @mixed {
  zin.buffer <input> @x 1966080 bytes <@x + 0, [1, 1, 80, 1, 12288], [1966080, 1966080, 24576, 24576]> {host_type = tensor<80x1x12288xf16>, port = "x"}
  zin.buffer <scratch> @s 6291456 bytes <@s + 0, [1, 1, 256, 1, 12288], [6291456, 6291456, 24576, 24576]>
  zin.buffer <output> @y 24576 bytes <@y + 0, [1, 1, 1, 1, 12288], [24576, 24576, 24576, 24576]> {host_type = tensor<1x1x12288xf16>, port = "y"}
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 256 : i64, taps = 80 : i64, weights = dense<1.0> : tensor<20480xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 80, 96, 128], [1966080, 1966080, 24576, 256]> writes <@s + 0, [1, 1, 256, 96, 128], [6291456, 6291456, 24576, 256]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@s + 0, [1, 1, 1, 1, 12288], [24576, 24576, 24576, 24576]> writes <@y + 0, [1, 1, 1, 1, 12288], [24576, 24576, 24576, 24576]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], kernelless = true>
}

// -----

// One that fits L2 as a whole is there for all passes, without blocks.

// CHECK-LABEL: zin.program @kept_for_passes
// CHECK-COUNT-1: zin.task
// CHECK-NOT: zin.task
zin.program @kept_for_passes {
  zin.buffer <input> @x 1572864 bytes <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "x"}
  zin.buffer <output> @y 1572864 bytes <@y + 0, [1, 1, 256, 48, 64], [1572864, 1572864, 6144, 128]> {host_type = tensor<256x48x64xf16>, port = "y"}
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 256 : i64, taps = 64 : i64, weights = dense<1.0> : tensor<16384xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@y + 0, [1, 1, 256, 48, 64], [1572864, 1572864, 6144, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [2, 2], padding = [0, 0]> with @k
}

// -----

// What two tasks of a chain read is copied to L2 first, a block at a time: fewer
// rows than channels, which the copy has for rows.

// CHECK-LABEL: zin.program @two_readers
// CHECK: <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, [[ROWS:[0-9]+]], 64, 128], [1572864, 1572864, 256, 24576]> writes <@[[S:.*]] + 0, [1, 1, [[ROWS]], 64, 128], {{.*}} computes #zin.ne<op = pass,
// CHECK-NEXT: <NEFUSED_CONV> on <NEConv> reads <@[[S]] + 0, [1, 1, 64, [[ROWS]], 128], {{.*}} writes <@[[A:.*]] + 0, [1, 1, 64, [[ROWS]], 128],
// CHECK-NEXT: <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@[[A]] + 0, {{.*}} and <@[[S]] + 0, {{.*}} writes <@y + 0, [1, 1, 64, [[ROWS]], 128],
// CHECK-NEXT: <NEFUSED_BYPASS> on <NEBypass> reads <@x +
zin.program @two_readers {
  zin.buffer <input> @x 1572864 bytes <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "x"}
  zin.buffer <output> @y 1572864 bytes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "y"}
  zin.buffer <scratch> @a 1572864 bytes <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 64 : i64, weights = dense<1.0> : tensor<4096xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> and <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.pe<op = add, reduce = none, post = none>
}

// -----

// What fits L2 stays as it is, and so does a chain that must be whole: a
// reduction needs all rows.

// CHECK-LABEL: zin.program @small
// CHECK-COUNT-2: zin.task
// CHECK-NOT: zin.task
zin.program @small {
  zin.buffer <input> @x 32768 bytes <@x + 0, [1, 1, 16, 32, 32], [32768, 32768, 2048, 64]> {host_type = tensor<16x32x32xf16>, port = "x"}
  zin.buffer <output> @y 32768 bytes <@y + 0, [1, 1, 16, 32, 32], [32768, 32768, 2048, 64]> {host_type = tensor<16x32x32xf16>, port = "y"}
  zin.buffer <scratch> @a 32768 bytes <@a + 0, [1, 1, 16, 32, 32], [32768, 32768, 2048, 64]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 16 : i64, taps = 144 : i64, weights = dense<1.0> : tensor<2304xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 16, 32, 32], [32768, 32768, 2048, 64]> writes <@a + 0, [1, 1, 16, 32, 32], [32768, 32768, 2048, 64]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@a + 0, [1, 1, 16, 32, 32], [32768, 32768, 2048, 64]> writes <@y + 0, [1, 1, 16, 32, 32], [32768, 32768, 2048, 64]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @k
}

// -----

// CHECK-LABEL: zin.program @reduced
// CHECK: zin.buffer <scratch> @a 3145728
// CHECK: zin.task {{.*}} writes <@a + 0, [1, 1, 128, 96, 128],
// CHECK-NEXT: zin.task <PEFUSED_POOL>
// CHECK-NOT: zin.task
zin.program @reduced {
  zin.buffer <input> @x 3145728 bytes <@x + 0, [1, 1, 128, 96, 128], [3145728, 3145728, 24576, 256]> {host_type = tensor<128x96x128xf16>, port = "x"}
  zin.buffer <output> @y 8192 bytes <@y + 0, [1, 1, 128, 1, 1], [8192, 8192, 64, 64]> {host_type = tensor<128x1x1xf16>, port = "y"}
  zin.buffer <scratch> @a 3145728 bytes <@a + 0, [1, 1, 128, 96, 128], [3145728, 3145728, 24576, 256]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 128, 96, 128], [3145728, 3145728, 24576, 256]> writes <@a + 0, [1, 1, 128, 96, 128], [3145728, 3145728, 24576, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@a + 0, [1, 1, 128, 96, 128], [3145728, 3145728, 24576, 256]> writes <@y + 0, [1, 1, 128, 1, 1], [8192, 8192, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
}

// -----

// The first convolution computes half of a concatenation that is too large for
// L2 and is needed later as a whole; the second convolution reads that half at
// once. A block of it lies in L2, 48 rows and one for the window, and the 48 are
// copied to memory from there: in the second block they begin behind row 47.
// What the second convolution writes nobody reads in the chain.

// CHECK-LABEL: zin.program @kept
// CHECK: <NEConv> reads <@x + 0, [1, 1, 64, 50, 128], {{.*}} writes <@[[A:.*]] + 0, [1, 1, 64, 49, 128], [802816, 802816, 12544, 256]>
// CHECK-NEXT: <NEFUSED_BYPASS> on <NEBypass> reads <@[[A]] + 0, [1, 1, 48, 64, 128], {{.*}} writes <@joined + 0, [1, 1, 48, 64, 128], [3145728, 3145728, 256, 24576]> computes #zin.ne<op = pass,
// CHECK-NEXT: <NEConv> reads <@[[A]] + 0, [1, 1, 64, 49, 128], {{.*}} writes <@joined + 1572864, [1, 1, 64, 48, 128],
// CHECK-NEXT: <NEConv> reads <@x + 11776, [1, 1, 64, 50, 128], {{.*}} writes <@[[B:.*]] + 0, [1, 1, 64, 49, 128], {{.*}} padding = [0, 1]>
// CHECK-NEXT: <NEFUSED_BYPASS> on <NEBypass> reads <@[[B]] + 256, [1, 1, 48, 64, 128], {{.*}} writes <@joined + 12288, [1, 1, 48, 64, 128],
// CHECK-NEXT: <NEConv> reads <@[[B]] + 0, [1, 1, 64, 49, 128], {{.*}} writes <@joined + 1585152, [1, 1, 64, 48, 128],
// CHECK-NEXT: <PEFUSED_POOL> on <PEPool> reads <@joined + 0, [1, 1, 128, 96, 128],
zin.program @kept {
  zin.buffer <input> @x 1572864 bytes <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "x"}
  zin.buffer <output> @y 8192 bytes <@y + 0, [1, 1, 128, 1, 1], [8192, 8192, 64, 64]> {host_type = tensor<128x1x1xf16>, port = "y"}
  zin.buffer <scratch> @joined 3145728 bytes <@joined + 0, [1, 1, 128, 96, 128], [3145728, 3145728, 24576, 256]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 576 : i64, weights = dense<1.0> : tensor<36864xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@joined + 0, [1, 1, 64, 96, 128], [3145728, 3145728, 24576, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@joined + 0, [1, 1, 64, 96, 128], [3145728, 3145728, 24576, 256]> writes <@joined + 1572864, [1, 1, 64, 96, 128], [3145728, 3145728, 24576, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @k
  zin.task <PEFUSED_POOL> on <PEPool> reads <@joined + 0, [1, 1, 128, 96, 128], [3145728, 3145728, 24576, 256]> writes <@y + 0, [1, 1, 128, 1, 1], [8192, 8192, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
}

// -----

// Two copies take turns with the rows of @y: 32 rows of the source are every other
// one of 64, which the last copy reads.

// CHECK-LABEL: zin.program @turns
// CHECK: <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 32, 128], {{.*}} writes <@[[A:.*]] + 0, [1, 1, 64, 32, 128],
// CHECK-NEXT: reads <@[[A]] + 0, [1, 1, 64, 32, 128], {{.*}} writes <@[[Y:.*]] + 0, [1, 1, 64, 32, 128], [1048576, 1048576, 16384, 512]>
// CHECK-NEXT: reads <@[[A]] + 0, [1, 1, 64, 32, 128], {{.*}} writes <@[[Y]] + 256, [1, 1, 64, 32, 128], [1048576, 1048576, 16384, 512]>
// CHECK-NEXT: reads <@[[Y]] + 0, [1, 1, 64, 64, 128], {{.*}} writes <@z + 0, [1, 1, 64, 64, 128], [3145728, 3145728, 49152, 256]>
// CHECK-NEXT: <NEFUSED_BYPASS> on <NEBypass> reads <@x + 8192, [1, 1, 64, 32, 128], {{.*}} writes <@[[B:.*]] + 0, [1, 1, 64, 32, 128],
// CHECK-NEXT: reads <@[[B]] + 0, [1, 1, 64, 32, 128], {{.*}} writes <@[[Z:.*]] + 0, [1, 1, 64, 32, 128],
// CHECK-NEXT: reads <@[[B]] + 0, [1, 1, 64, 32, 128], {{.*}} writes <@[[Z]] + 256, [1, 1, 64, 32, 128],
// CHECK-NEXT: reads <@[[Z]] + 0, [1, 1, 64, 64, 128], {{.*}} writes <@z + 16384,
zin.program @turns {
  zin.buffer <input> @x 1572864 bytes <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "x"}
  zin.buffer <output> @z 3145728 bytes <@z + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]> {host_type = tensor<64x192x128xf16>, port = "z"}
  zin.buffer <scratch> @a 1572864 bytes <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]>
  zin.buffer <scratch> @y 3145728 bytes <@y + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@y + 0, [1, 1, 64, 96, 128], [3145728, 3145728, 49152, 512]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@y + 256, [1, 1, 64, 96, 128], [3145728, 3145728, 49152, 512]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@y + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]> writes <@z + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
}

// -----

// A window of 3 needs a row above and below 48 of 192. A block has all rows of a
// turn, 50 in the first and 52 in the second, from row 46 on, of which the window
// reads 50 from the second on.

// CHECK-LABEL: zin.program @turns_window
// CHECK: reads <@x + 0, [1, 1, 25, 64, 128], {{.*}} writes <@[[A:.*]] + 0, [1, 1, 25, 64, 128],
// CHECK-NEXT: reads <@[[A]] + 0, {{.*}} writes <@[[Y:.*]] + 0, [1, 1, 64, 25, 128], [819200, 819200, 12800, 512]>
// CHECK-NEXT: reads <@[[A]] + 0, {{.*}} writes <@[[Y]] + 256, [1, 1, 64, 25, 128], [819200, 819200, 12800, 512]>
// CHECK-NEXT: <NEConv> reads <@[[Y]] + 0, [1, 1, 64, 49, 128], {{.*}} writes <@z + 0, [1, 1, 64, 48, 128],
// CHECK-NEXT: reads <@x + 5888, [1, 1, 26, 64, 128], {{.*}} writes <@[[B:.*]] + 0, [1, 1, 26, 64, 128],
// CHECK-NEXT: reads <@[[B]] + 0, {{.*}} writes <@[[Z:.*]] + 0, [1, 1, 64, 26, 128], [851968, 851968, 13312, 512]>
// CHECK-NEXT: reads <@[[B]] + 0, {{.*}} writes <@[[Z]] + 256, [1, 1, 64, 26, 128], [851968, 851968, 13312, 512]>
// CHECK-NEXT: <NEConv> reads <@[[Z]] + 256, [1, 1, 64, 50, 128], {{.*}} writes <@z + 12288, [1, 1, 64, 48, 128],
zin.program @turns_window {
  zin.buffer <input> @x 1572864 bytes <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "x"}
  zin.buffer <output> @z 3145728 bytes <@z + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]> {host_type = tensor<64x192x128xf16>, port = "z"}
  zin.buffer <scratch> @y 3145728 bytes <@y + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 576 : i64, weights = dense<1.0> : tensor<36864xf16>}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@y + 0, [1, 1, 64, 96, 128], [3145728, 3145728, 49152, 512]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@y + 256, [1, 1, 64, 96, 128], [3145728, 3145728, 49152, 512]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
  zin.task <NEFUSED_CONV> on <NEConv> reads <@y + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]> writes <@z + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @k
}

// -----

// A value that is computed element by element is written over what it is computed
// from, so that one block of 48 rows lies in L2 at a time: two would not fit.

// CHECK-LABEL: zin.program @in_place
// CHECK: reads <@x + 0, [1, 1, 64, 48, 128], {{.*}} writes <@[[A:.*]] + 0, [1, 1, 64, 48, 128],
// CHECK-NEXT: reads <@[[A]] + 0, [1, 1, 64, 48, 128], {{.*}} writes <@[[A]] + 0, [1, 1, 64, 48, 128],
// CHECK-NEXT: reads <@[[A]] + 0, [1, 1, 64, 48, 128], {{.*}} writes <@y + 0, [1, 1, 64, 48, 128],
// CHECK-NEXT: reads <@x + 12288,
zin.program @in_place {
  zin.buffer <input> @x 1572864 bytes <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "x"}
  zin.buffer <output> @y 1572864 bytes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "y"}
  zin.buffer <scratch> @a 1572864 bytes <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]>
  zin.buffer <scratch> @b 1572864 bytes <@b + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_GOC> on <PEGOC> reads <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@b + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.pe<op = add, reduce = none, post = none>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@b + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
}

// -----

// What has channels side by side is no row view, so that its task stays whole.

// CHECK-LABEL: zin.program @interleaved
// CHECK: writes <@b + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 196608, 2048], interleave = 8>
// CHECK-NOT: zin.task
zin.program @interleaved {
  zin.buffer <input> @x 1572864 bytes <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "x"}
  zin.buffer <scratch> @b 1572864 bytes <@b + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 196608, 2048], interleave = 8>
  zin.kernel @k {groups = 1 : i64, ocg_size = 0 : i64, outputs = 64 : i64, taps = 64 : i64, weights = dense<1.0> : tensor<4096xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@b + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 196608, 2048], interleave = 8> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
}

// -----

// The copy of the next block takes the place of what the last task of this one may
// still read, and waits for it. So L2 has one block of both values at a time, of 48
// rows.

// CHECK-LABEL: zin.program @copy_replaces
// CHECK: <NEFUSED_BYPASS> {{.*}} reads <@x + 0, [1, 1, 48, 64, 128], {{.*}} writes <@[[X:.*]] + 0,
// CHECK-NEXT: <NEFUSED_BYPASS> {{.*}} reads <@[[X]] + 0, {{.*}} writes <@[[A:.*]] + 0, [1, 1, 64, 48, 128],
// CHECK-NEXT: <PEFUSED_ELEMENTWISE> {{.*}} reads <@[[X]] + 0, {{.*}} and <@[[A]] + 0, {{.*}} writes <@y + 0, [1, 1, 64, 48, 128],
// CHECK-NEXT: <NEFUSED_BYPASS> {{.*}} reads <@x + 12288,
zin.program @copy_replaces {
  zin.buffer <input> @x 1572864 bytes <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "x"}
  zin.buffer <output> @y 1572864 bytes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "y"}
  zin.buffer <scratch> @a 1572864 bytes <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> and <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.pe<op = mul, reduce = none, post = none>
}

// -----

// What nothing in the chain writes may be rows of a buffer that are not all of
// them, here every second one.

// CHECK-LABEL: zin.program @second_rows
// CHECK: <NEFUSED_BYPASS> {{.*}} reads <@x + 0, [1, 1, 64, 48, 128], [3145728, 3145728, 49152, 512]> writes <@[[A:.*]] + 0, [1, 1, 64, 48, 128],
// CHECK-NEXT: <PEFUSED_GOC> {{.*}} reads <@[[A]] + 0, {{.*}} writes <@y + 0, [1, 1, 64, 48, 128],
// CHECK-NEXT: <NEFUSED_BYPASS> {{.*}} reads <@x + 24576, [1, 1, 64, 48, 128], [3145728, 3145728, 49152, 512]>
zin.program @second_rows {
  zin.buffer <input> @x 3145728 bytes <@x + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]> {host_type = tensor<64x192x128xf16>, port = "x"}
  zin.buffer <output> @y 1572864 bytes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "y"}
  zin.buffer <scratch> @a 1572864 bytes <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 96, 128], [3145728, 3145728, 49152, 512]> writes <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_GOC> on <PEGOC> reads <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.pe<op = add, reduce = none, post = none, scale = 2.0 : f16>
}

// -----

// Where the chain would have to write it, too, its rows are not those that one
// needs: the task that reads every second row begins a chain.

// CHECK-LABEL: zin.program @written_rows
// CHECK: reads <@x + 0, [1, 1, 64, 192, 128], {{.*}} writes <@a + 0, [1, 1, 64, 192, 128],
// CHECK: reads <@a + 0, [1, 1, 64, {{[0-9]+}}, 128], [3145728, 3145728, 49152, 512]>
zin.program @written_rows {
  zin.buffer <input> @x 3145728 bytes <@x + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]> {host_type = tensor<64x192x128xf16>, port = "x"}
  zin.buffer <output> @y 1572864 bytes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "y"}
  zin.buffer <scratch> @a 3145728 bytes <@a + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]> writes <@a + 0, [1, 1, 64, 192, 128], [3145728, 3145728, 49152, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_GOC> on <PEGOC> reads <@a + 0, [1, 1, 64, 96, 128], [3145728, 3145728, 49152, 512]> writes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.pe<op = add, reduce = none, post = none, scale = 2.0 : f16>
}

// -----

// Two rows fill what a chain may take: no block has fewer.

// CHECK-LABEL: zin.program @two_rows
// CHECK: reads <@x + 0, [1, 1, 768, 2, 512], {{.*}} writes <@[[A:.*]] + 0, [1, 1, 768, 2, 512],
// CHECK-NEXT: reads <@[[A]] + 0, {{.*}} writes <@y + 0, [1, 1, 768, 2, 512],
// CHECK-NEXT: reads <@x + 2048, [1, 1, 768, 2, 512],
zin.program @two_rows {
  zin.buffer <input> @x 18874368 bytes <@x + 0, [1, 1, 768, 24, 512], [18874368, 18874368, 24576, 1024]> {host_type = tensor<768x24x512xf16>, port = "x"}
  zin.buffer <output> @y 18874368 bytes <@y + 0, [1, 1, 768, 24, 512], [18874368, 18874368, 24576, 1024]> {host_type = tensor<768x24x512xf16>, port = "y"}
  zin.buffer <scratch> @a 18874368 bytes <@a + 0, [1, 1, 768, 24, 512], [18874368, 18874368, 24576, 1024]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 768, 24, 512], [18874368, 18874368, 24576, 1024]> writes <@a + 0, [1, 1, 768, 24, 512], [18874368, 18874368, 24576, 1024]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_GOC> on <PEGOC> reads <@a + 0, [1, 1, 768, 24, 512], [18874368, 18874368, 24576, 1024]> writes <@y + 0, [1, 1, 768, 24, 512], [18874368, 18874368, 24576, 1024]> computes #zin.pe<op = add, reduce = none, post = none, scale = 2.0 : f16>
}

// -----

// Rows that would need blocks of one stay whole.

// CHECK-LABEL: zin.program @one_row
// CHECK-COUNT-2: zin.task
// CHECK-NOT: zin.task
zin.program @one_row {
  zin.buffer <input> @x 25165824 bytes <@x + 0, [1, 1, 1024, 24, 512], [25165824, 25165824, 24576, 1024]> {host_type = tensor<1024x24x512xf16>, port = "x"}
  zin.buffer <output> @y 25165824 bytes <@y + 0, [1, 1, 1024, 24, 512], [25165824, 25165824, 24576, 1024]> {host_type = tensor<1024x24x512xf16>, port = "y"}
  zin.buffer <scratch> @a 25165824 bytes <@a + 0, [1, 1, 1024, 24, 512], [25165824, 25165824, 24576, 1024]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 1024, 24, 512], [25165824, 25165824, 24576, 1024]> writes <@a + 0, [1, 1, 1024, 24, 512], [25165824, 25165824, 24576, 1024]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_GOC> on <PEGOC> reads <@a + 0, [1, 1, 1024, 24, 512], [25165824, 25165824, 24576, 1024]> writes <@y + 0, [1, 1, 1024, 24, 512], [25165824, 25165824, 24576, 1024]> computes #zin.pe<op = add, reduce = none, post = none, scale = 2.0 : f16>
}

// -----

// An operand of one row is the same for all blocks: they read it as it is.

// CHECK-LABEL: zin.program @repeated
// CHECK: <PEElementWise> reads <@x + 0, [1, 1, 64, [[ROWS:[0-9]+]], 128], {{.*}} and <@s + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> writes <@[[A:.*]] + 0, [1, 1, 64, [[ROWS]], 128],
// CHECK-NEXT: <PEElementWise> reads <@[[A]] + 0, {{.*}} and <@s + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> writes <@y + 0, [1, 1, 64, [[ROWS]], 128],
// CHECK-NEXT: <PEElementWise> reads <@x + {{[1-9]}}{{.*}} and <@s + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]>
zin.program @repeated {
  zin.buffer <input> @x 1572864 bytes <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "x"}
  zin.buffer <input> @s 4096 bytes <@s + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> {host_type = tensor<64x1x1xf16>, port = "s"}
  zin.buffer <output> @y 1572864 bytes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "y"}
  zin.buffer <scratch> @a 1572864 bytes <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> and <@s + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> writes <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.pe<op = mul, reduce = none, post = none, broadcast2 = 3>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> and <@s + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> writes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.pe<op = add, reduce = none, post = none, broadcast2 = 3>
}

// -----

// @a would stay in L2 as a whole, but leave less room for blocks of @b: it is cut
// as well, being more than a quarter of L2.

// CHECK-LABEL: zin.program @quarter
// CHECK: reads <@x + 0, [1, 1, 32, [[ROWS:[0-9]+]], 128], {{.*}} writes <@[[A:.*]] + 0, [1, 1, 32, [[ROWS]], 128],
// CHECK-NEXT: reads <@[[A]] + 0, {{.*}} writes <@[[B:.*]] + 0, [1, 1, 256, [[ROWS]], 128],
// CHECK-NEXT: reads <@[[B]] + 0, {{.*}} writes <@y + 0, [1, 1, 32, [[ROWS]], 128],
// CHECK-NEXT: reads <@x +
zin.program @quarter {
  zin.buffer <input> @x 786432 bytes <@x + 0, [1, 1, 32, 96, 128], [786432, 786432, 24576, 256]> {host_type = tensor<32x96x128xf16>, port = "x"}
  zin.buffer <output> @y 786432 bytes <@y + 0, [1, 1, 32, 96, 128], [786432, 786432, 24576, 256]> {host_type = tensor<32x96x128xf16>, port = "y"}
  zin.buffer <scratch> @a 786432 bytes <@a + 0, [1, 1, 32, 96, 128], [786432, 786432, 24576, 256]>
  zin.buffer <scratch> @b 6291456 bytes <@b + 0, [1, 1, 256, 96, 128], [6291456, 6291456, 24576, 256]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 32 : i64, taps = 32 : i64, weights = dense<1.0> : tensor<1024xf16>}
  zin.kernel @l {groups = 1 : i64, ocg_size = 2 : i64, outputs = 256 : i64, taps = 32 : i64, weights = dense<1.0> : tensor<8192xf16>}
  zin.kernel @m {groups = 1 : i64, ocg_size = 2 : i64, outputs = 32 : i64, taps = 256 : i64, weights = dense<1.0> : tensor<8192xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 32, 96, 128], [786432, 786432, 24576, 256]> writes <@a + 0, [1, 1, 32, 96, 128], [786432, 786432, 24576, 256]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@a + 0, [1, 1, 32, 96, 128], [786432, 786432, 24576, 256]> writes <@b + 0, [1, 1, 256, 96, 128], [6291456, 6291456, 24576, 256]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @l
  zin.task <NEFUSED_CONV> on <NEConv> reads <@b + 0, [1, 1, 256, 96, 128], [6291456, 6291456, 24576, 256]> writes <@y + 0, [1, 1, 32, 96, 128], [786432, 786432, 24576, 256]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @m
}

// -----

// The task behind the convolution goes on element by element and is cut with it,
// but not if it cannot be.

// CHECK-LABEL: zin.program @goes_on
// CHECK: <NEConv> reads <@x + 0, [1, 1, 80, 31, 128], {{.*}} writes <@[[A:.*]] + 0, [1, 1, 256, 16, 64],
// CHECK-NEXT: <NEBypass> reads <@[[A]] + 0, {{.*}} writes <@y + 0, [1, 1, 256, 16, 64],
// CHECK-NEXT: <NEConv> reads <@x + 8192,
zin.program @goes_on {
  zin.buffer <input> @x 1966080 bytes <@x + 0, [1, 1, 80, 96, 128], [1966080, 1966080, 24576, 256]> {host_type = tensor<80x96x128xf16>, port = "x"}
  zin.buffer <output> @y 1572864 bytes <@y + 0, [1, 1, 256, 48, 64], [1572864, 1572864, 6144, 128]> {host_type = tensor<256x48x64xf16>, port = "y"}
  zin.buffer <scratch> @a 1572864 bytes <@a + 0, [1, 1, 256, 48, 64], [1572864, 1572864, 6144, 128]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 256 : i64, taps = 80 : i64, weights = dense<1.0> : tensor<20480xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 80, 96, 128], [1966080, 1966080, 24576, 256]> writes <@a + 0, [1, 1, 256, 48, 64], [1572864, 1572864, 6144, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [2, 2], padding = [0, 0]> with @k
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@a + 0, [1, 1, 256, 48, 64], [1572864, 1572864, 6144, 128]> writes <@y + 0, [1, 1, 256, 48, 64], [1572864, 1572864, 6144, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
}

// -----

// CHECK-LABEL: zin.program @goes_on_whole
// CHECK: <NEConv> reads <@x + 0, [1, 1, 80, 47, 128], {{.*}} writes <@a + 0, [1, 1, 256, 24, 64],
// CHECK-NEXT: <NEConv> reads <@x + 12288,
// CHECK-NEXT: <NEBypass> reads <@a + 0, [1, 1, 256, 48, 64],
zin.program @goes_on_whole {
  zin.buffer <input> @x 1966080 bytes <@x + 0, [1, 1, 80, 96, 128], [1966080, 1966080, 24576, 256]> {host_type = tensor<80x96x128xf16>, port = "x"}
  zin.buffer <scratch> @y 1572864 bytes <@y + 0, [1, 1, 256, 48, 64], [1572864, 1572864, 49152, 1024], interleave = 8>
  zin.buffer <scratch> @a 1572864 bytes <@a + 0, [1, 1, 256, 48, 64], [1572864, 1572864, 6144, 128]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 256 : i64, taps = 80 : i64, weights = dense<1.0> : tensor<20480xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 80, 96, 128], [1966080, 1966080, 24576, 256]> writes <@a + 0, [1, 1, 256, 48, 64], [1572864, 1572864, 6144, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [2, 2], padding = [0, 0]> with @k
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@a + 0, [1, 1, 256, 48, 64], [1572864, 1572864, 6144, 128]> writes <@y + 0, [1, 1, 256, 48, 64], [1572864, 1572864, 49152, 1024], interleave = 8> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
}
