// RUN: ane-opt %s --zin-tile-rows='l2-eighths=2 tile-bytes=0' | FileCheck %s
// RUN: ane-opt %s --zin-tile-rows='l2-eighths=2 tile-bytes=0 squeeze=false' | FileCheck %s --check-prefix=LOOSE

// Of blocks of 26 rows a quarter of L2 has no room for two values. Of @s it needs
// 5 rows, if both tasks run 5 rows at a time.

// CHECK-LABEL: zin.program @pair
// CHECK: <NEConv> reads <@x + 0, {{.*}} writes <@[[B:.*]] + 0, [1, 1, 64, 26, 128],
// CHECK-NEXT: <NEBypass> reads <@[[B]] + 0, [1, 1, 64, 5, 128], {{.*}} writes <@[[S0:.*]] + 0, [1, 1, 64, 5, 128], [81920,
// CHECK-NEXT: reads <@[[B]] + 0, {{.*}} and <@[[S0]] + 0, {{.*}} writes <@[[B]] + 0, [1, 1, 64, 5, 128],
// CHECK-NEXT: <NEBypass> reads <@[[B]] + 1280, {{.*}} writes <@[[S1:.*]] + 0, [1, 1, 64, 5, 128],
// CHECK-NEXT: reads <@[[B]] + 1280, {{.*}} and <@[[S1]] + 0, {{.*}} writes <@[[B]] + 1280,
// CHECK-NEXT: <NEBypass> reads <@[[B]] + 2560,
// CHECK-NEXT: writes <@[[B]] + 2560,
// CHECK-NEXT: <NEBypass> reads <@[[B]] + 3840,
// CHECK-NEXT: writes <@[[B]] + 3840,
// CHECK-NEXT: <NEBypass> reads <@[[B]] + 5120, [1, 1, 64, 6, 128],
// CHECK-NEXT: writes <@[[B]] + 5120,
// CHECK-NEXT: <NEConv> reads <@[[B]] + 0, [1, 1, 64, 26, 128], {{.*}} writes <@y + 0,
// CHECK-COUNT-5: <NEConv> reads <@x +
// CHECK-NOT: <NEConv> reads <@x +

// LOOSE-COUNT-10: <NEConv> reads <@x +
// LOOSE-NOT: <NEConv> reads <@x +
zin.program @pair {
  zin.buffer <input> @x 2621440 bytes <@x + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> {host_type = tensor<64x160x128xf16>, port = "x"}
  zin.buffer <output> @y 2621440 bytes <@y + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> {host_type = tensor<64x160x128xf16>, port = "y"}
  zin.buffer <scratch> @a 2621440 bytes <@a + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]>
  zin.buffer <scratch> @s 2621440 bytes <@s + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]>
  zin.buffer <scratch> @b 2621440 bytes <@b + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 64 : i64, weights = dense<1.0> : tensor<4096xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> writes <@a + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@a + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> writes <@s + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@a + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> and <@s + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> writes <@b + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> computes #zin.pe<op = mul, reduce = none, post = none>
  zin.task <NEFUSED_CONV> on <NEConv> reads <@b + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> writes <@y + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
}
