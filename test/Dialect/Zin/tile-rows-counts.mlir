// RUN: ane-opt %s --zin-tile-rows='l2-eighths=2 tile-bytes=0' | FileCheck %s
// RUN: ane-opt %s --zin-tile-rows='l2-eighths=2 tile-bytes=262144' | FileCheck %s --check-prefix=TILES

// Blocks of 12 rows fit a quarter of L2, those of 14 do not: of 160 rows 14 blocks,
// not 16, since all coefficients come for each.

// CHECK-COUNT-14: <NEConv> reads <@x +
// CHECK-NOT: <NEConv> reads <@x +

// The second task has no tiles. With what these would take it has room for more.

// TILES-COUNT-8: <NEConv> reads <@x +
// TILES-NOT: <NEConv> reads <@x +

zin.program @counts {
  zin.buffer <input> @x 2621440 bytes <@x + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> {host_type = tensor<64x160x128xf16>, port = "x"}
  zin.buffer <output> @y 2621440 bytes <@y + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> {host_type = tensor<64x160x128xf16>, port = "y"}
  zin.buffer <scratch> @a 2621440 bytes <@a + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]>
  zin.buffer <scratch> @b 2621440 bytes <@b + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 576 : i64, weights = dense<1.0> : tensor<36864xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> writes <@a + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@a + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> writes <@b + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@b + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> writes <@y + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @k
}
