// RUN: ane-opt %s --zin-tile-rows=max-tasks=0 | FileCheck %s

// A product goes into a value that stays in L2 as a whole if what comes between
// its operand and it is there a block of 16 rows at a time.

// CHECK-LABEL: zin.program @makes_room
// CHECK: <NEConv> {{.*}} writes <@y + 0, [1, 1, 66, 64, 64],
// CHECK-NEXT: reads <@y + 0, [1, 1, 66, 16, 64], {{.*}} writes <@[[S:.*]] + 0, [1, 1, 66, 16, 64], [135168,
// CHECK-NEXT: reads <@y + 0, {{.*}} and <@[[S]] + 0, {{.*}} writes <@joined + 0, [1, 1, 66, 16, 64],
// CHECK-NEXT: reads <@y + 2048, [1, 1, 66, 16, 64], {{.*}} writes <@[[T:.*]] + 0,
// CHECK-NEXT: reads <@y + 2048, {{.*}} and <@[[T]] + 0, {{.*}} writes <@joined + 2048,
// CHECK-NEXT: reads <@y + 4096,
// CHECK-NEXT: writes <@joined + 4096,
// CHECK-NEXT: reads <@y + 6144,
// CHECK-NEXT: writes <@joined + 6144,
// CHECK-NEXT: <NEConv> reads <@joined + 0, [1, 1, 132, 64, 64],
zin.program @makes_room {
  zin.buffer <input> @x 540672 bytes <@x + 0, [1, 1, 66, 64, 64], [540672, 540672, 8192, 128]> {host_type = tensor<66x64x64xf16>, port = "x"}
  zin.buffer <output> @z 540672 bytes <@z + 0, [1, 1, 66, 64, 64], [540672, 540672, 8192, 128]> {host_type = tensor<66x64x64xf16>, port = "z"}
  zin.buffer <scratch> @y 540672 bytes <@y + 0, [1, 1, 66, 64, 64], [540672, 540672, 8192, 128]>
  zin.buffer <scratch> @s 540672 bytes <@s + 0, [1, 1, 66, 64, 64], [540672, 540672, 8192, 128]>
  zin.buffer <scratch> @joined 1081344 bytes <@joined + 0, [1, 1, 132, 64, 64], [1081344, 1081344, 8192, 128]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 66 : i64, taps = 66 : i64, weights = dense<1.0> : tensor<4356xf16>}
  zin.kernel @l {groups = 1 : i64, ocg_size = 2 : i64, outputs = 66 : i64, taps = 132 : i64, weights = dense<1.0> : tensor<8712xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 66, 64, 64], [540672, 540672, 8192, 128]> writes <@joined + 540672, [1, 1, 66, 64, 64], [1081344, 1081344, 8192, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 66, 64, 64], [540672, 540672, 8192, 128]> writes <@y + 0, [1, 1, 66, 64, 64], [540672, 540672, 8192, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@y + 0, [1, 1, 66, 64, 64], [540672, 540672, 8192, 128]> writes <@s + 0, [1, 1, 66, 64, 64], [540672, 540672, 8192, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@y + 0, [1, 1, 66, 64, 64], [540672, 540672, 8192, 128]> and <@s + 0, [1, 1, 66, 64, 64], [540672, 540672, 8192, 128]> writes <@joined + 0, [1, 1, 66, 64, 64], [1081344, 1081344, 8192, 128]> computes #zin.pe<op = mul, reduce = none, post = none>
  zin.task <NEFUSED_CONV> on <NEConv> reads <@joined + 0, [1, 1, 132, 64, 64], [1081344, 1081344, 8192, 128]> writes <@z + 0, [1, 1, 66, 64, 64], [540672, 540672, 8192, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @l
}
