// RUN: ane-opt %s --zin-place-dram | FileCheck %s
// RUN: ane-opt %s --zin-place-dram --zin-place-dram | FileCheck %s

// @a dies with the task that makes @c, which is why @d lies in its place; @b is
// alive until the end. Two buffers of one task never overlap. Sizes round up to
// 64 bytes; @unused is nobody's and gets no place.

// CHECK: zin.program @p attributes {scratch_bytes = 320 : i64}
zin.program @p {
  zin.buffer <input> @x 64 bytes <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> {host_type = tensor<1xf16>, port = "x"}
  zin.buffer <output> @y 64 bytes <@y + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> {host_type = tensor<1xf16>, port = "y"}
  // CHECK: @a 100 bytes {{.*}} {offset = 0 : i64}
  zin.buffer <scratch> @a 100 bytes <@a + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]>
  // CHECK: @b 64 bytes {{.*}} {offset = 128 : i64}
  zin.buffer <scratch> @b 64 bytes <@b + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]>
  // CHECK: @c 128 bytes {{.*}} {offset = 192 : i64}
  zin.buffer <scratch> @c 128 bytes <@c + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]>
  // CHECK: @d 64 bytes {{.*}} {offset = 0 : i64}
  zin.buffer <scratch> @d 64 bytes <@d + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]>
  // CHECK: @unused 64 bytes <@unused + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]>{{$}}
  zin.buffer <scratch> @unused 64 bytes <@unused + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> writes <@a + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> writes <@b + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@a + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> writes <@c + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@c + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> writes <@d + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0]>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@b + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> and <@d + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> writes <@y + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none>
}
