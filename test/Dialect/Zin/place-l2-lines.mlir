// RUN: ane-opt %s --zin-place-l2 | FileCheck %s

// Rows of 8192 bytes would share two banks, so they are further apart, though one
// task reads each of them as a plane of 64 rows: these follow each other in it.
// What that writes in planes and another task reads in rows has planes as far
// apart, and nothing between their rows.

// CHECK-LABEL: zin.program @lines
// CHECK: @s {{.*}} {l2 = #zin.l2_place<{{[0-9]+}}, [263168, 8192, 8192, 8224]>}
// CHECK: @a {{.*}} {l2 = #zin.l2_place<{{[0-9]+}}, [263168, 8192, 8224, 128]>}
zin.program @lines {
  zin.buffer <input> @x 262144 bytes <@x + 0, [1, 1, 1, 32, 4096], [262144, 262144, 262144, 8192]> {host_type = tensor<32x4096xf16>, port = "x"}
  zin.buffer <input> @h 131072 bytes <@h + 0, [1, 1, 32, 64, 1], [131072, 131072, 4096, 64]> {host_type = tensor<32x64x1xf16>, port = "h"}
  zin.buffer <output> @y 262144 bytes <@y + 0, [1, 1, 1, 32, 4096], [262144, 262144, 262144, 8192]> {host_type = tensor<32x4096xf16>, port = "y"}
  zin.buffer <scratch> @s 262144 bytes <@s + 0, [1, 1, 1, 32, 4096], [262144, 262144, 262144, 8192]>
  zin.buffer <scratch> @a 262144 bytes <@a + 0, [1, 1, 32, 64, 64], [262144, 262144, 8192, 128]>
  zin.task <PEFUSED_GOC> on <PEGOC> reads <@x + 0, [1, 1, 1, 32, 4096], [262144, 262144, 262144, 8192]> writes <@s + 0, [1, 1, 1, 32, 4096], [262144, 262144, 262144, 8192]> computes #zin.pe<op = add, reduce = none, post = none>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@s + 0, [1, 1, 32, 64, 64], [262144, 262144, 8192, 128]> and <@h + 0, [1, 1, 32, 64, 1], [131072, 131072, 4096, 64]> writes <@a + 0, [1, 1, 32, 64, 64], [262144, 262144, 8192, 128]> computes #zin.pe<op = add, reduce = none, post = none, broadcast2 = 1>
  zin.task <PEFUSED_GOC> on <PEGOC> reads <@a + 0, [1, 1, 1, 32, 4096], [262144, 262144, 262144, 8192]> writes <@y + 0, [1, 1, 1, 32, 4096], [262144, 262144, 262144, 8192]> computes #zin.pe<op = add, reduce = none, post = none>
}

// Rows of 256 bytes lie as in memory by chance: read in another shape, as 768
// channels, they share few banks, so that they are further apart. Of parts of
// rows, which lie as in memory for a reason, that is not so.

// CHECK-LABEL: zin.program @shapes
// CHECK: @a {{.*}} {l2 = #zin.l2_place<{{[0-9]+}}, [208896, 104448, 272, 272]>}
// CHECK: @b {{.*}} {l2 = #zin.l2_place<{{[0-9]+}}, [196608, 98304, 256, 256]>}
zin.program @shapes {
  zin.buffer <input> @x 196608 bytes <@x + 0, [1, 2, 384, 1, 128], [196608, 98304, 256, 256]> {host_type = tensor<2x384x1x128xf16>, port = "x"}
  zin.buffer <output> @y 196608 bytes <@y + 0, [1, 1, 768, 1, 128], [196608, 196608, 256, 256]> {host_type = tensor<768x1x128xf16>, port = "y"}
  zin.buffer <scratch> @a 196608 bytes <@a + 0, [1, 2, 384, 1, 128], [196608, 98304, 256, 256]>
  zin.buffer <scratch> @b 196608 bytes <@b + 0, [1, 2, 384, 1, 128], [196608, 98304, 256, 256]>
  zin.task <PEFUSED_GOC> on <PEGOC> reads <@x + 0, [1, 2, 384, 1, 128], [196608, 98304, 256, 256]> writes <@a + 0, [1, 2, 384, 1, 128], [196608, 98304, 256, 256]> computes #zin.pe<op = add, reduce = none, post = none>
  zin.task <PEFUSED_GOC> on <PEGOC> reads <@a + 0, [1, 1, 768, 1, 128], [196608, 196608, 256, 256]> writes <@b + 0, [1, 1, 768, 1, 128], [196608, 196608, 256, 256]> computes #zin.pe<op = add, reduce = none, post = none>
  zin.task <PEFUSED_GOC> on <PEGOC> reads <@b + 0, [1, 1, 1536, 1, 64], [196608, 196608, 128, 128]> writes <@y + 0, [1, 1, 1536, 1, 64], [196608, 196608, 128, 128]> computes #zin.pe<op = add, reduce = none, post = none>
}

// Halves of rows are read over both slices, as if all rows followed each other. So
// they do, as in memory, though their distance is a bad one.

// CHECK-LABEL: zin.program @across
// CHECK: @a {{.*}} {l2 = #zin.l2_place<{{[0-9]+}}, [524288, 262144, 8192, 8192]>}
zin.program @across {
  zin.buffer <input> @x 524288 bytes <@x + 0, [1, 2, 32, 1, 4096], [524288, 262144, 8192, 8192]> {host_type = tensor<2x32x1x4096xf16>, port = "x"}
  zin.buffer <output> @y 524288 bytes <@y + 0, [1, 1, 64, 2, 2048], [524288, 524288, 8192, 4096]> {host_type = tensor<64x2x2048xf16>, port = "y"}
  zin.buffer <scratch> @a 524288 bytes <@a + 0, [1, 2, 32, 1, 4096], [524288, 262144, 8192, 8192]>
  zin.task <PEFUSED_GOC> on <PEGOC> reads <@x + 0, [1, 2, 32, 1, 4096], [524288, 262144, 8192, 8192]> writes <@a + 0, [1, 2, 32, 1, 4096], [524288, 262144, 8192, 8192]> computes #zin.pe<op = add, reduce = none, post = none>
  zin.task <PEFUSED_GOC> on <PEGOC> reads <@a + 0, [1, 1, 64, 2, 2048], [524288, 524288, 8192, 4096]> writes <@y + 0, [1, 1, 64, 2, 2048], [524288, 524288, 8192, 4096]> computes #zin.pe<op = add, reduce = none, post = none>
}
