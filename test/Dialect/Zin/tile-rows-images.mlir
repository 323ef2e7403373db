// RUN: ane-opt %s --zin-tile-rows='hold=false l2-eighths=6' | FileCheck %s
// One of three images: rows of 64 channels of the 192 that all of them have.

// CHECK-LABEL: zin.program @images
// CHECK: reads <@x + 1572864, [1, 1, 64, 50, 128], {{.*}} writes <@[[A:.*]] + 0, [1, 1, 64, 49, 128],
// CHECK-NEXT: reads <@[[A]] + 0, {{.*}} writes <@y + 1572864, [1, 1, 64, 48, 128], [1572864, 1572864, 24576, 256]>
// CHECK-NEXT: reads <@x + 1584640, {{.*}} writes <@[[B:.*]] + 0,
// CHECK-NEXT: reads <@[[B]] + 0, {{.*}} writes <@y + 1585152, [1, 1, 64, 48, 128],
zin.program @images {
  zin.buffer <input> @x 4718592 bytes <@x + 0, [3, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<3x64x96x128xf16>, port = "x"}
  zin.buffer <output> @y 4718592 bytes <@y + 0, [3, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<3x64x96x128xf16>, port = "y"}
  zin.buffer <scratch> @a 1572864 bytes <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 576 : i64, weights = dense<1.0> : tensor<36864xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 1572864, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@y + 1572864, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @k
}
