// RUN: ane-opt %s --zin-tile-rows='hold=false l2-eighths=6' --split-input-file | FileCheck %s
// RUN: ane-opt %s --zin-tile-rows='hold=false l2-eighths=6 join=false' --split-input-file | FileCheck %s --check-prefix=NONE

// Half of a concatenation of 3 MB is there when the chain begins, the other half
// it computes. Blocks of 33 and 34 rows of both halves lie in L2 for 32 rows of the
// last convolution: one half is copied there, the other does not go to memory.

// CHECK-LABEL: zin.program @skip
// CHECK: writes <@joined + 0, [1, 1, 64, 96, 128],
// CHECK-NEXT: <PEFUSED_POOL>
// CHECK-NEXT: <NEFUSED_BYPASS> on <NEBypass> reads <@joined + 0, [1, 1, 33, 64, 128], {{.*}} writes <@[[A:.*]] + 0, [1, 1, 33, 64, 128], [1081344, 1081344, 256, 8448]> computes #zin.ne<op = pass,
// CHECK-NEXT: <NEConv> reads <@x + 0, [1, 1, 64, 34, 128], {{.*}} writes <@[[A]] + 540672, [1, 1, 64, 33, 128], [1081344, 1081344, 8448, 256]>
// CHECK-NEXT: <NEConv> reads <@[[A]] + 0, [1, 1, 128, 33, 128], {{.*}} writes <@y + 0, [1, 1, 64, 32, 128],
// CHECK-NEXT: <NEFUSED_BYPASS> on <NEBypass> reads <@joined + 7936, [1, 1, 34, 64, 128], {{.*}} writes <@[[B:.*]] + 0, [1, 1, 34, 64, 128],
// CHECK-NEXT: <NEConv> reads <@x + 7680, [1, 1, 64, 36, 128], {{.*}} writes <@[[B]] + 557056, [1, 1, 64, 34, 128],
// CHECK-NEXT: <NEConv> reads <@[[B]] + 0, [1, 1, 128, 34, 128], {{.*}} writes <@y + 8192, [1, 1, 64, 32, 128],

// NONE-LABEL: zin.program @skip
// NONE: writes <@joined + 0, [1, 1, 64, 96, 128],
// NONE: writes <@joined + 1572864, [1, 1, 64,
// NONE-NOT: reads <@joined_
// NONE-LABEL: zin.program @stored
zin.program @skip {
  zin.buffer <input> @s 1572864 bytes <@s + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "s"}
  zin.buffer <input> @x 1572864 bytes <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "x"}
  zin.buffer <output> @v 4096 bytes <@v + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> {host_type = tensor<64x1x1xf16>, port = "v"}
  zin.buffer <output> @y 1572864 bytes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "y"}
  zin.buffer <scratch> @joined 3145728 bytes <@joined + 0, [1, 1, 128, 96, 128], [3145728, 3145728, 24576, 256]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 576 : i64, weights = dense<1.0> : tensor<36864xf16>}
  zin.kernel @j {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 1152 : i64, weights = dense<1.0> : tensor<73728xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@s + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@joined + 0, [1, 1, 64, 96, 128], [3145728, 3145728, 24576, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @k
  zin.task <PEFUSED_POOL> on <PEPool> reads <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@v + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@joined + 1572864, [1, 1, 64, 96, 128], [3145728, 3145728, 24576, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@joined + 0, [1, 1, 128, 96, 128], [3145728, 3145728, 24576, 256]> writes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @j
}

// -----

// Others need what the chain computes as well: the 32 rows of each block are copied
// to memory from where they lie.

// CHECK-LABEL: zin.program @stored
// CHECK: <NEConv> reads <@x + 0, [1, 1, 64, 34, 128], {{.*}} writes <@[[A:.*]] + 540672, [1, 1, 64, 33, 128],
// CHECK-NEXT: <NEFUSED_BYPASS> on <NEBypass> reads <@[[A]] + 540672, [1, 1, 32, 64, 128], {{.*}} writes <@joined + 1572864, [1, 1, 32, 64, 128],
// CHECK-NEXT: <NEConv> reads <@[[A]] + 0, [1, 1, 128, 33, 128],
// CHECK: <NEConv> reads <@x + 7680, [1, 1, 64, 36, 128], {{.*}} writes <@[[B:.*]] + 557056, [1, 1, 64, 34, 128],
// CHECK-NEXT: <NEFUSED_BYPASS> on <NEBypass> reads <@[[B]] + 557312, [1, 1, 32, 64, 128], {{.*}} writes <@joined + 1581056, [1, 1, 32, 64, 128],
// CHECK-NEXT: <NEConv> reads <@[[B]] + 0, [1, 1, 128, 34, 128],
zin.program @stored {
  zin.buffer <input> @s 1572864 bytes <@s + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "s"}
  zin.buffer <input> @x 1572864 bytes <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "x"}
  zin.buffer <output> @u 4096 bytes <@u + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> {host_type = tensor<64x1x1xf16>, port = "u"}
  zin.buffer <output> @v 4096 bytes <@v + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> {host_type = tensor<64x1x1xf16>, port = "v"}
  zin.buffer <output> @y 1572864 bytes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "y"}
  zin.buffer <scratch> @joined 3145728 bytes <@joined + 0, [1, 1, 128, 96, 128], [3145728, 3145728, 24576, 256]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 576 : i64, weights = dense<1.0> : tensor<36864xf16>}
  zin.kernel @j {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 1152 : i64, weights = dense<1.0> : tensor<73728xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@s + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@joined + 0, [1, 1, 64, 96, 128], [3145728, 3145728, 24576, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @k
  zin.task <PEFUSED_POOL> on <PEPool> reads <@s + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@u + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@joined + 1572864, [1, 1, 64, 96, 128], [3145728, 3145728, 24576, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@joined + 0, [1, 1, 128, 96, 128], [3145728, 3145728, 24576, 256]> writes <@y + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @j
  zin.task <PEFUSED_POOL> on <PEPool> reads <@joined + 1572864, [1, 1, 64, 96, 128], [3145728, 3145728, 24576, 256]> writes <@v + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
}
