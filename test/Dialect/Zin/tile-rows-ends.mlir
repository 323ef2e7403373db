// RUN: ane-opt %s --zin-tile-rows='l2-eighths=2 tile-bytes=0' | FileCheck %s
// RUN: ane-opt %s --zin-tile-rows='l2-eighths=2 tile-bytes=0 squeeze=false' | FileCheck %s --check-prefix=LOOSE

// The planar engine may still read the last values of a block while the neural
// engine writes the first one of the next. Blocks of 16 rows have room in a quarter
// of L2 only if a copy of the neural engine, to memory, is the last task.

// CHECK-LABEL: zin.program @ends
// CHECK: <NEConv> reads <@x + 0, {{.*}} writes <@[[A:.*]] + 0, [1, 1, 64, 16, 128],
// CHECK-NEXT: <NEBypass> reads <@[[A]] + 0, {{.*}} writes <@[[S:.*]] + 0,
// CHECK-NEXT: <PEElementWise> reads <@[[A]] + 0, {{.*}} and <@[[S]] + 0, {{.*}} writes <@[[A]] + 0, [1, 1, 64, 16, 128],
// CHECK-NEXT: <NEBypass> reads <@[[A]] + 0, {{.*}} writes <@y + 0, [1, 1, 64, 16, 128],
// CHECK-NEXT: <NEConv> reads <@x + 4096,
// CHECK-COUNT-8: <NEConv> reads <@x +
// CHECK-NOT: <NEConv> reads <@x +

// LOOSE-COUNT-16: <NEConv> reads <@x +
// LOOSE-NOT: <NEConv> reads <@x +
zin.program @ends {
  zin.buffer <input> @x 2621440 bytes <@x + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> {host_type = tensor<64x160x128xf16>, port = "x"}
  zin.buffer <output> @y 2621440 bytes <@y + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> {host_type = tensor<64x160x128xf16>, port = "y"}
  zin.buffer <scratch> @a 2621440 bytes <@a + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]>
  zin.buffer <scratch> @s 2621440 bytes <@s + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 64 : i64, weights = dense<1.0> : tensor<4096xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> writes <@a + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@a + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> writes <@s + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@a + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> and <@s + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> writes <@y + 0, [1, 1, 64, 160, 128], [2621440, 2621440, 40960, 256]> computes #zin.pe<op = mul, reduce = none, post = none>
}
