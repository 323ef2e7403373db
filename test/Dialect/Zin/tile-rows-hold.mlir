// RUN: ane-opt %s --zin-tile-rows='l2-eighths=6 tile-bytes=0 squeeze=false' --split-input-file | FileCheck %s

// A window of 3 needs two rows of @a again. They are held: a block computes what
// the one before it has not, 32 rows of @x and two around them, and only the last
// two rows of @a are copied, to the top of the next 34. The copy has the 64 channels
// for rows: more of them lie in different banks.

// CHECK-LABEL: zin.program @chain
// CHECK: <NEConv> reads <@x + 0, [1, 1, 64, 34, 128], {{.*}} writes <@[[A:.*]] + 0, [1, 1, 64, 33, 128], [540672, 540672, 8448, 256]> {{.*}} padding = [1, 1]>
// CHECK-NEXT: reads <@[[A]] + 0, [1, 1, 64, 33, 128], {{.*}} writes <@[[B:.*]] + 0, [1, 1, 64, 32, 128],
// CHECK-NEXT: reads <@[[B]] + 0, {{.*}} and <@[[A]] + 0, [1, 1, 64, 32, 128], {{.*}} writes <@y + 0,
// CHECK-NEXT: <NEFUSED_BYPASS> on <NEBypass> reads <@[[A]] + 7936, [1, 1, 2, 64, 128], [540672, 540672, 256, 8448]> writes <@[[C:.*]] + 0, [1, 1, 2, 64, 128], [557056, 557056, 256, 8704]> computes #zin.ne<op = pass,
// CHECK-NEXT: <NEConv> reads <@x + 8192, [1, 1, 64, 34, 128], {{.*}} writes <@[[C]] + 512, [1, 1, 64, 32, 128], {{.*}} padding = [0, 1]>
// CHECK-NEXT: reads <@[[C]] + 0, [1, 1, 64, 34, 128], {{.*}} writes <@[[D:.*]] + 0, [1, 1, 64, 32, 128], {{.*}} padding = [0, 1]>
// CHECK-NEXT: reads <@[[D]] + 0, {{.*}} and <@[[C]] + 256, [1, 1, 64, 32, 128], {{.*}} writes <@y + 8192,
// CHECK-NEXT: <NEFUSED_BYPASS> on <NEBypass> reads <@[[C]] + 8192, [1, 1, 2, 64, 128], {{.*}} writes <@[[E:.*]] + 0,
// CHECK-NEXT: reads <@x + 16384, [1, 1, 64, 32, 128], {{.*}} writes <@[[E]] + 512, [1, 1, 64, 31, 128],
// CHECK-NEXT: reads <@[[E]] + 0, [1, 1, 64, 33, 128],
// CHECK-NEXT: writes <@y + 16384,
// CHECK-NOT: zin.task

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

// Two tasks compute parts of @joined; of the first part the next block needs two
// rows, of the second none. Both halves of two blocks do not fit L2 at once, so
// these rows wait apart, as do those of @a, which lies there for a while only: from
// the last use in one block to the first in the next.

// CHECK-LABEL: zin.program @waits
// CHECK: <NEConv> reads <@x + 0, [1, 1, 64, 27, 128], {{.*}} writes <@[[J:.*]] + 0, [1, 1, 64, 26, 128],
// CHECK-NEXT: reads <@[[J]] + 0, [1, 1, 64, 26, 128], {{.*}} writes <@[[A:.*]] + 0, [1, 1, 64, 25, 128],
// CHECK-NEXT: reads <@[[A]] + 0, {{.*}} writes <@[[J]] + 425984, [1, 1, 64, 24, 128],
// CHECK-NEXT: <NEFUSED_BYPASS> on <NEBypass> reads <@[[A]] + 5888, [1, 1, 2, 64, 128], {{.*}} writes <@[[AW:.*]] + 0, [1, 1, 2, 64, 128], [32768, 32768, 256, 512]>
// CHECK-NEXT: reads <@[[J]] + 0, [1, 1, 128, 24, 128], {{.*}} writes <@y + 0,
// CHECK-NEXT: <NEFUSED_BYPASS> on <NEBypass> reads <@[[J]] + 6144, [1, 1, 2, 64, 128], {{.*}} writes <@[[JW:.*]] + 0, [1, 1, 2, 64, 128], [32768, 32768, 256, 512]>
// CHECK-NEXT: <NEFUSED_BYPASS> on <NEBypass> reads <@[[JW]] + 0, {{.*}} writes <@[[K:.*]] + 0, [1, 1, 2, 64, 128],
// CHECK-NEXT: <NEConv> reads <@x + 6400, [1, 1, 64, 26, 128], {{.*}} writes <@[[K]] + 512, [1, 1, 64, 24, 128],
// CHECK-NEXT: <NEFUSED_BYPASS> on <NEBypass> reads <@[[AW]] + 0, {{.*}} writes <@[[B:.*]] + 0, [1, 1, 2, 64, 128],
// CHECK-NEXT: reads <@[[K]] + 0, [1, 1, 64, 26, 128], {{.*}} writes <@[[B]] + 512, [1, 1, 64, 24, 128],
// CHECK-NEXT: reads <@[[B]] + 0, [1, 1, 64, 26, 128], {{.*}} writes <@[[K]] + 425984, [1, 1, 64, 24, 128],

zin.program @waits {
  zin.buffer <input> @x 1572864 bytes <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "x"}
  zin.buffer <output> @y 1572864 bytes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "y"}
  zin.buffer <scratch> @joined 3145728 bytes <@joined + 0, [1, 1, 128, 96, 128], [3145728, 3145728, 24576, 256]>
  zin.buffer <scratch> @a 1572864 bytes <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 576 : i64, weights = dense<1.0> : tensor<36864xf16>}
  zin.kernel @l {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 128 : i64, weights = dense<1.0> : tensor<8192xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@joined + 0, [1, 1, 64, 96, 128], [3145728, 3145728, 24576, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@joined + 0, [1, 1, 64, 96, 128], [3145728, 3145728, 24576, 256]> writes <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@joined + 1572864, [1, 1, 64, 96, 128], [3145728, 3145728, 24576, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@joined + 0, [1, 1, 128, 96, 128], [3145728, 3145728, 24576, 256]> writes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @l
}

// -----

// A result that others need later as well goes to memory as it is computed: 49
// rows, of which the last two are held, and then the other 47.

// CHECK-LABEL: zin.program @kept
// CHECK: <NEConv> reads <@x + 0, [1, 1, 64, 50, 128], {{.*}} writes <@[[A:.*]] + 0, [1, 1, 64, 49, 128],
// CHECK-NEXT: <NEFUSED_BYPASS> on <NEBypass> reads <@[[A]] + 0, [1, 1, 49, 64, 128], {{.*}} writes <@joined + 0, [1, 1, 49, 64, 128],
// CHECK-NEXT: <NEConv> reads <@[[A]] + 0, {{.*}} writes <@joined + 1572864, [1, 1, 64, 48, 128],
// CHECK: writes <@[[B:.*]] + 0, [1, 1, 2, 64, 128], [802816,
// CHECK-NEXT: <NEConv> reads <@x + 12288, [1, 1, 64, 48, 128], {{.*}} writes <@[[B]] + 512, [1, 1, 64, 47, 128],
// CHECK-NEXT: <NEFUSED_BYPASS> on <NEBypass> reads <@[[B]] + 512, [1, 1, 47, 64, 128], {{.*}} writes <@joined + 12544, [1, 1, 47, 64, 128],
// CHECK-NEXT: <NEConv> reads <@[[B]] + 0, [1, 1, 64, 49, 128], {{.*}} writes <@joined + 1585152, [1, 1, 64, 48, 128],
// CHECK-NEXT: <PEFUSED_POOL>
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

// What is written over another value has held rows above it, which a block takes
// over first. The other value is computed where it will be.

// CHECK-LABEL: zin.program @held_in_place
// CHECK: <NEConv> reads <@x + 0, {{.*}} writes <@[[A:.*]] + 0, [1, 1, 64, 49, 128],
// CHECK-NEXT: reads <@[[A]] + 0, {{.*}} writes <@[[A]] + 0, [1, 1, 64, 49, 128],
// CHECK-NEXT: <NEConv> reads <@[[A]] + 0, {{.*}} writes <@y + 0,
// CHECK-NEXT: reads <@[[A]] + 12032, [1, 1, 2, 64, 128], {{.*}} writes <@[[W:.*]] + 0,
// CHECK-NEXT: <NEConv> reads <@x + 12288, {{.*}} writes <@[[B:.*]] + 512, [1, 1, 64, 47, 128], [802816,
// CHECK-NEXT: reads <@[[W]] + 0, {{.*}} writes <@[[B]] + 0, [1, 1, 2, 64, 128],
// CHECK-NEXT: reads <@[[B]] + 512, {{.*}} writes <@[[B]] + 512, [1, 1, 64, 47, 128],
// CHECK-NEXT: <NEConv> reads <@[[B]] + 0, [1, 1, 64, 49, 128], {{.*}} writes <@y + 12288,
zin.program @held_in_place {
  zin.buffer <input> @x 1572864 bytes <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "x"}
  zin.buffer <output> @y 1572864 bytes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "y"}
  zin.buffer <scratch> @a 1572864 bytes <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]>
  zin.buffer <scratch> @b 1572864 bytes <@b + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 576 : i64, weights = dense<1.0> : tensor<36864xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @k
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@b + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_CONV> on <NEConv> reads <@b + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @k
}
