// RUN: ane-opt %s --zin-pair-engines | FileCheck %s --implicit-check-not=co_issued
// RUN: ane-opt %s --zin-pair-engines=neural-first=true | FileCheck %s --check-prefix=BOTH

// In each program the last task reads what a task of each engine made.

// The copy of @g waits for nothing of the task before. Both had their tiles at
// 1024, and that of the copy goes behind the other one.
// CHECK-LABEL: zin.program @independent
// BOTH-LABEL: zin.program @independent
// CHECK: zin.pe<op = add{{.*}} begin = 1024
// CHECK: zin.ne<{{.*}} {co_issued, l2 = #zin.l2<result = resident, begin = 1056, bytes = 48>}
zin.program @independent {
  zin.buffer <input> @x 64 bytes <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "x"}
  zin.buffer <input> @g 64 bytes <@g + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "g"}
  zin.buffer <output> @y 64 bytes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "y"}
  zin.buffer <scratch> @a 64 bytes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<0, [64, 64, 64, 64]>}
  zin.buffer <scratch> @b 64 bytes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<64, [64, 64, 64, 64]>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none> {l2 = #zin.l2<result = resident, begin = 1024, bytes = 4096>}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@g + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]> {l2 = #zin.l2<result = resident, begin = 1024, bytes = 4096>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> and <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = mul, reduce = none, post = none> {l2 = #zin.l2<source1 = resident, source2 = resident, begin = 1024, bytes = 4096>}
}

// Where they are apart, the tile stays.
// CHECK-LABEL: zin.program @apart
// BOTH-LABEL: zin.program @apart
// CHECK: zin.ne<{{.*}} {co_issued, l2 = #zin.l2<result = resident, begin = 6000,
zin.program @apart {
  zin.buffer <input> @x 64 bytes <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "x"}
  zin.buffer <input> @g 64 bytes <@g + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "g"}
  zin.buffer <output> @y 64 bytes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "y"}
  zin.buffer <scratch> @a 64 bytes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<0, [64, 64, 64, 64]>}
  zin.buffer <scratch> @b 64 bytes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<64, [64, 64, 64, 64]>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none> {l2 = #zin.l2<result = resident, begin = 1024, bytes = 4096>}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@g + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]> {l2 = #zin.l2<result = resident, begin = 6000, bytes = 4096>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> and <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = mul, reduce = none, post = none> {l2 = #zin.l2<source1 = resident, source2 = resident, begin = 1024, bytes = 4096>}
}

// The copy reads what the task before made.
// CHECK-LABEL: zin.program @consumer
// BOTH-LABEL: zin.program @consumer
zin.program @consumer {
  zin.buffer <input> @x 64 bytes <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "x"}
  zin.buffer <input> @g 64 bytes <@g + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "g"}
  zin.buffer <output> @y 64 bytes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "y"}
  zin.buffer <scratch> @a 64 bytes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<0, [64, 64, 64, 64]>}
  zin.buffer <scratch> @b 64 bytes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<64, [64, 64, 64, 64]>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none> {l2 = #zin.l2<result = resident, begin = 1024, bytes = 4096>}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]> {l2 = #zin.l2<source1 = resident, result = resident, begin = 1024, bytes = 4096>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> and <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = mul, reduce = none, post = none> {l2 = #zin.l2<source1 = resident, source2 = resident, begin = 1024, bytes = 4096>}
}

// Both are of the PE.
// CHECK-LABEL: zin.program @one_engine
// BOTH-LABEL: zin.program @one_engine
zin.program @one_engine {
  zin.buffer <input> @x 64 bytes <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "x"}
  zin.buffer <input> @g 64 bytes <@g + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "g"}
  zin.buffer <output> @y 64 bytes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "y"}
  zin.buffer <scratch> @a 64 bytes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<0, [64, 64, 64, 64]>}
  zin.buffer <scratch> @b 64 bytes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<64, [64, 64, 64, 64]>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none> {l2 = #zin.l2<result = resident, begin = 1024, bytes = 4096>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@g + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none> {l2 = #zin.l2<result = resident, begin = 1024, bytes = 4096>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> and <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = mul, reduce = none, post = none> {l2 = #zin.l2<source1 = resident, source2 = resident, begin = 1024, bytes = 4096>}
}

// What it reads in L2 a task of its own engine left there, which is done in time.
// CHECK-LABEL: zin.program @own_result
// BOTH-LABEL: zin.program @own_result
// CHECK: zin.ne<
// CHECK: zin.pe<
// CHECK: zin.ne<{{.*}} {co_issued
// CHECK: zin.pe<
zin.program @own_result {
  zin.buffer <input> @x 64 bytes <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "x"}
  zin.buffer <input> @g 64 bytes <@g + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "g"}
  zin.buffer <output> @y 64 bytes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "y"}
  zin.buffer <scratch> @a 64 bytes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<0, [64, 64, 64, 64]>}
  zin.buffer <scratch> @b 64 bytes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<64, [64, 64, 64, 64]>}
  zin.buffer <scratch> @c 64 bytes <@c + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<128, [64, 64, 64, 64]>}
  zin.buffer <scratch> @d 64 bytes <@d + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<192, [64, 64, 64, 64]>}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@g + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@c + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]> {l2 = #zin.l2<result = resident, begin = 1024, bytes = 4096>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@d + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none> {l2 = #zin.l2<result = resident, begin = 1024, bytes = 4096>}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@c + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]> {l2 = #zin.l2<source1 = resident, result = resident, begin = 1024, bytes = 4096>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@d + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none> {l2 = #zin.l2<source1 = resident, result = resident, begin = 1024, bytes = 4096>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> and <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = mul, reduce = none, post = none> {l2 = #zin.l2<source1 = resident, source2 = resident, begin = 1024, bytes = 4096>}
}

// What it reads in L2 the other engine made.
// CHECK-LABEL: zin.program @others_result
// BOTH-LABEL: zin.program @others_result
zin.program @others_result {
  zin.buffer <input> @x 64 bytes <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "x"}
  zin.buffer <input> @g 64 bytes <@g + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "g"}
  zin.buffer <output> @y 64 bytes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "y"}
  zin.buffer <scratch> @a 64 bytes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<0, [64, 64, 64, 64]>}
  zin.buffer <scratch> @b 64 bytes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<64, [64, 64, 64, 64]>}
  zin.buffer <scratch> @d 64 bytes <@d + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<192, [64, 64, 64, 64]>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@g + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@d + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none> {l2 = #zin.l2<result = resident, begin = 1024, bytes = 4096>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none> {l2 = #zin.l2<result = resident, begin = 1024, bytes = 4096>}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@d + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]> {l2 = #zin.l2<source1 = resident, result = resident, begin = 1024, bytes = 4096>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> and <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = mul, reduce = none, post = none> {l2 = #zin.l2<source1 = resident, source2 = resident, begin = 1024, bytes = 4096>}
}

// The copy replaces what the task before reads.
// CHECK-LABEL: zin.program @in_place
// BOTH-LABEL: zin.program @in_place
zin.program @in_place {
  zin.buffer <input> @x 64 bytes <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "x"}
  zin.buffer <input> @g 64 bytes <@g + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "g"}
  zin.buffer <output> @y 64 bytes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "y"}
  zin.buffer <scratch> @a 64 bytes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<0, [64, 64, 64, 64]>}
  zin.buffer <scratch> @b 64 bytes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<64, [64, 64, 64, 64]>}
  zin.buffer <scratch> @c 64 bytes <@c + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<64, [64, 64, 64, 64]>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@c + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none> {l2 = #zin.l2<result = resident, begin = 1024, bytes = 4096>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@c + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none> {l2 = #zin.l2<source1 = resident, result = resident, begin = 1024, bytes = 4096>}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@g + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]> {l2 = #zin.l2<result = resident, begin = 1024, bytes = 4096>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> and <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = mul, reduce = none, post = none> {l2 = #zin.l2<source1 = resident, source2 = resident, begin = 1024, bytes = 4096>}
}

// There is no room for its tile beside the other one.
// CHECK-LABEL: zin.program @no_room
// BOTH-LABEL: zin.program @no_room
zin.program @no_room {
  zin.buffer <input> @x 64 bytes <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "x"}
  zin.buffer <input> @g 64 bytes <@g + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "g"}
  zin.buffer <output> @y 64 bytes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "y"}
  zin.buffer <scratch> @a 64 bytes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<0, [64, 64, 64, 64]>}
  zin.buffer <scratch> @b 64 bytes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<64, [64, 64, 64, 64]>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none> {l2 = #zin.l2<result = resident, begin = 1024, bytes = 32>}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@g + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]> {l2 = #zin.l2<result = resident, begin = 1024, bytes = 48>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> and <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = mul, reduce = none, post = none> {l2 = #zin.l2<source1 = resident, source2 = resident, begin = 1024, bytes = 4096>}
}

// What it fetches another task stored, so that it may have to wait.
// CHECK-LABEL: zin.program @scratch
// BOTH-LABEL: zin.program @scratch
zin.program @scratch {
  zin.buffer <input> @x 64 bytes <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "x"}
  zin.buffer <input> @g 64 bytes <@g + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "g"}
  zin.buffer <output> @y 64 bytes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "y"}
  zin.buffer <scratch> @a 64 bytes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<0, [64, 64, 64, 64]>}
  zin.buffer <scratch> @b 64 bytes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<64, [64, 64, 64, 64]>}
  zin.buffer <scratch> @m 64 bytes <@m + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {offset = 0 : i64}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@m + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]> {l2 = #zin.l2<begin = 1024, bytes = 4096>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none> {l2 = #zin.l2<result = resident, begin = 1024, bytes = 4096>}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@m + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]> {l2 = #zin.l2<result = resident, begin = 1024, bytes = 4096>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> and <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = mul, reduce = none, post = none> {l2 = #zin.l2<source1 = resident, source2 = resident, begin = 1024, bytes = 4096>}
}

// Two that store to memory, @y and @z, are no pair; one, @w, may be of one.
// CHECK-LABEL: zin.program @both_store
// CHECK: zin.ne<
// CHECK: zin.pe<
// CHECK: zin.ne<
// CHECK: zin.pe<
// CHECK: zin.ne<{{.*}} {co_issued
// BOTH-LABEL: zin.program @both_store
zin.program @both_store {
  zin.buffer <input> @x 64 bytes <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "x"}
  zin.buffer <output> @y 64 bytes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "y"}
  zin.buffer <output> @z 64 bytes <@z + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "z"}
  zin.buffer <output> @w 64 bytes <@w + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "w"}
  zin.buffer <scratch> @a 64 bytes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<0, [64, 64, 64, 64]>}
  zin.buffer <scratch> @b 64 bytes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<64, [64, 64, 64, 64]>}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]> {l2 = #zin.l2<result = resident, begin = 1024, bytes = 4096>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none> {l2 = #zin.l2<begin = 1024, bytes = 4096>}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@z + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]> {l2 = #zin.l2<begin = 1024, bytes = 4096>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none> {l2 = #zin.l2<result = resident, begin = 1024, bytes = 4096>}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@w + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]> {l2 = #zin.l2<source1 = resident, begin = 1024, bytes = 4096>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> and <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = mul, reduce = none, post = none> {l2 = #zin.l2<source1 = resident, source2 = resident, begin = 1024, bytes = 4096>}
}

// Nothing stays in L2 from one to the other, so they are two groups.
// CHECK-LABEL: zin.program @two_groups
// BOTH-LABEL: zin.program @two_groups
zin.program @two_groups {
  zin.buffer <input> @x 64 bytes <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "x"}
  zin.buffer <input> @g 64 bytes <@g + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "g"}
  zin.buffer <output> @y 64 bytes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "y"}
  zin.buffer <scratch> @m 64 bytes <@m + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {offset = 0 : i64}
  zin.buffer <scratch> @b 64 bytes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<64, [64, 64, 64, 64]>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@m + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none> {l2 = #zin.l2<begin = 1024, bytes = 4096>}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@g + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]> {l2 = #zin.l2<result = resident, begin = 1024, bytes = 4096>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@m + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> and <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = mul, reduce = none, post = none> {l2 = #zin.l2<source2 = resident, begin = 1024, bytes = 4096>}
}

// A task of the NE, and one of the PE behind it, is not a pair by itself.
// CHECK-LABEL: zin.program @neural_first
// BOTH-LABEL: zin.program @neural_first
// BOTH: zin.ne<
// BOTH: zin.pe<{{.*}} {co_issued
// BOTH: zin.pe<
zin.program @neural_first {
  zin.buffer <input> @x 64 bytes <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "x"}
  zin.buffer <input> @g 64 bytes <@g + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "g"}
  zin.buffer <output> @y 64 bytes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "y"}
  zin.buffer <scratch> @a 64 bytes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<0, [64, 64, 64, 64]>}
  zin.buffer <scratch> @b 64 bytes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<64, [64, 64, 64, 64]>}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@g + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]> {l2 = #zin.l2<result = resident, begin = 1024, bytes = 4096>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none> {l2 = #zin.l2<result = resident, begin = 1024, bytes = 4096>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> and <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = mul, reduce = none, post = none> {l2 = #zin.l2<source1 = resident, source2 = resident, begin = 1024, bytes = 4096>}
}

// No third is issued with a pair.
// CHECK-LABEL: zin.program @three
// BOTH-LABEL: zin.program @three
// CHECK: zin.pe<
// CHECK: zin.ne<{{.*}} {co_issued
// BOTH: zin.ne<{{.*}} {co_issued
// BOTH-NOT: co_issued
// BOTH: zin.pe<op = mul
zin.program @three {
  zin.buffer <input> @x 64 bytes <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "x"}
  zin.buffer <input> @g 64 bytes <@g + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "g"}
  zin.buffer <output> @y 64 bytes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {host_type = tensor<8xf16>, port = "y"}
  zin.buffer <scratch> @a 64 bytes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<0, [64, 64, 64, 64]>}
  zin.buffer <scratch> @b 64 bytes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<64, [64, 64, 64, 64]>}
  zin.buffer <scratch> @c 64 bytes <@c + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> {l2 = #zin.l2_place<128, [64, 64, 64, 64]>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@x + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none> {l2 = #zin.l2<result = resident, begin = 1024, bytes = 4096>}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@g + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]> {l2 = #zin.l2<result = resident, begin = 1024, bytes = 4096>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@g + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@c + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none> {l2 = #zin.l2<result = resident, begin = 1024, bytes = 4096>}
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@a + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> and <@b + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> writes <@y + 0, [1, 1, 1, 1, 8], [64, 64, 64, 64]> computes #zin.pe<op = mul, reduce = none, post = none> {l2 = #zin.l2<source1 = resident, source2 = resident, begin = 1024, bytes = 4096>}
}
