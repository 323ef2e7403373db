// RUN: ane-opt %s --zin-tile-rows='l2-eighths=6 tile-bytes=0' | FileCheck %s

// A product with a sigmoid is a part of @joined. The sigmoid lies in that part, in
// the rows that the product has: from the second block on two rows are held in
// front of them. With a place of its own it would leave room for 20 rows instead of
// 25.

// CHECK-LABEL: zin.program @parts
// CHECK: <NEConv> reads <@x + 0, [1, 1, 64, 26, 128], {{.*}} writes <@[[A:.*]] + 0, [1, 1, 64, 25, 128],
// CHECK-NEXT: reads <@[[A]] + 0, {{.*}} writes <@[[J:.*]] + 0, [1, 1, 64, 25, 128], [819200, 819200, 6400, 256]>
// CHECK-NEXT: <PEElementWise> reads <@[[A]] + 0, {{.*}} and <@[[J]] + 0, [1, 1, 64, 25, 128], {{.*}} writes <@[[J]] + 0, [1, 1, 64, 25, 128],
// CHECK-NEXT: reads <@[[J]] + 0, [1, 1, 64, 25, 128], {{.*}} writes <@[[J]] + 409600, [1, 1, 64, 24, 128],
// CHECK-NEXT: reads <@[[J]] + 0, [1, 1, 128, 24, 128], {{.*}} writes <@y + 0,
// CHECK-NEXT: reads <@[[J]] + 5888, [1, 1, 2, 64, 128], {{.*}} writes <@[[H:.*]] + 0,
// CHECK-NEXT: <NEConv> reads <@x + 6144, [1, 1, 64, 26, 128], {{.*}} writes <@[[B:.*]] + 0, [1, 1, 64, 24, 128],
// CHECK-NEXT: reads <@[[B]] + 0, {{.*}} writes <@[[K:.*]] + 512, [1, 1, 64, 24, 128], [851968, 851968, 6656, 256]>
// CHECK-NEXT: reads <@[[H]] + 0, {{.*}} writes <@[[K]] + 0, [1, 1, 2, 64, 128], [851968, 851968, 256, 6656]>
// CHECK-NEXT: <PEElementWise> reads <@[[B]] + 0, {{.*}} and <@[[K]] + 512, [1, 1, 64, 24, 128], {{.*}} writes <@[[K]] + 512, [1, 1, 64, 24, 128],
// CHECK-NEXT: reads <@[[K]] + 0, [1, 1, 64, 26, 128],

zin.program @parts {
  zin.buffer <input> @x 1572864 bytes <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "x"}
  zin.buffer <output> @y 1572864 bytes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "y"}
  zin.buffer <scratch> @joined 3145728 bytes <@joined + 0, [1, 1, 128, 96, 128], [3145728, 3145728, 24576, 256]>
  zin.buffer <scratch> @a 1572864 bytes <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]>
  zin.buffer <scratch> @s 1572864 bytes <@s + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 576 : i64, weights = dense<1.0> : tensor<36864xf16>}
  zin.kernel @l {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 128 : i64, weights = dense<1.0> : tensor<8192xf16>}
  zin.kernel @t {activation = #zin.neuron<sigmoid>, groups = 1 : i64, ocg_size = 0 : i64, outputs = 64 : i64, taps = 1 : i64}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @k
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@s + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true> with @t
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@a + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> and <@s + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@joined + 0, [1, 1, 64, 96, 128], [3145728, 3145728, 24576, 256]> computes #zin.pe<op = mul, reduce = none, post = none>
  zin.task <NEFUSED_CONV> on <NEConv> reads <@joined + 0, [1, 1, 64, 96, 128], [3145728, 3145728, 24576, 256]> writes <@joined + 1572864, [1, 1, 64, 96, 128], [3145728, 3145728, 24576, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@joined + 0, [1, 1, 128, 96, 128], [3145728, 3145728, 24576, 256]> writes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @l
}
