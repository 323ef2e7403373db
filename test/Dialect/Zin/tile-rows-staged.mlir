// RUN: ane-opt %s --zin-tile-rows='hold=false l2-eighths=6' --split-input-file | FileCheck %s --check-prefix=FRONT
// RUN: ane-opt %s --zin-tile-rows='hold=false l2-eighths=4 tile-bytes=262144' --split-input-file | FileCheck %s --check-prefix=TILE

// Of 96 rows 49 are copied to six eighths of L2 in front of the first task. What the
// chain computes is written over them, so that two blocks have room.

// FRONT-LABEL: zin.program @in_front
// FRONT-COUNT-2: <NEBypass> reads <@x +
// FRONT-NOT: <NEBypass> reads <@x +
// FRONT-LABEL: zin.program @beside
zin.program @in_front {
  zin.buffer <input> @x 1572864 bytes <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "x"}
  zin.buffer <output> @s 1572864 bytes <@s + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "s"}
  zin.buffer <output> @t 1572864 bytes <@t + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "t"}
  zin.buffer <output> @u 1572864 bytes <@u + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> {host_type = tensor<64x96x128xf16>, port = "u"}
  zin.buffer <scratch> @v 1572864 bytes <@v + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 64 : i64, weights = dense<1.0> : tensor<4096xf16>}
  zin.kernel @j {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 576 : i64, weights = dense<1.0> : tensor<36864xf16>}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@s + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@t + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@v + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_CONV> on <NEConv> reads <@v + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> writes <@u + 0, [1, 1, 64, 96, 128], [1572864, 1572864, 24576, 256]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1]> with @j
}

// -----

// The copy passes through a tile, which no task has while @x is there: with it half
// of L2 has room for 64 rows, not for 68. So these are three blocks.

// TILE-LABEL: zin.program @beside
// TILE-COUNT-3: <NEBypass> reads <@x +
// TILE-NOT: <NEBypass> reads <@x +
zin.program @beside {
  zin.buffer <input> @x 2228224 bytes <@x + 0, [1, 1, 64, 136, 128], [2228224, 2228224, 34816, 256]> {host_type = tensor<64x136x128xf16>, port = "x"}
  zin.buffer <output> @y 139264 bytes <@y + 0, [1, 1, 4, 136, 128], [139264, 139264, 34816, 256]> {host_type = tensor<4x136x128xf16>, port = "y"}
  zin.buffer <scratch> @a 139264 bytes <@a + 0, [1, 1, 4, 136, 128], [139264, 139264, 34816, 256]>
  zin.buffer <scratch> @b 139264 bytes <@b + 0, [1, 1, 4, 136, 128], [139264, 139264, 34816, 256]>
  zin.buffer <input> @w 2228224 bytes <@w + 0, [1, 1, 64, 136, 128], [2228224, 2228224, 34816, 256]> {host_type = tensor<64x136x128xf16>, port = "w"}
  zin.buffer <scratch> @large 2228224 bytes <@large + 0, [1, 1, 64, 136, 128], [2228224, 2228224, 34816, 256]>
  zin.buffer <output> @z 139264 bytes <@z + 0, [1, 1, 4, 136, 128], [139264, 139264, 34816, 256]> {host_type = tensor<4x136x128xf16>, port = "z"}
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 4 : i64, taps = 64 : i64, weights = dense<1.0> : tensor<256xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 64, 136, 128], [2228224, 2228224, 34816, 256]> writes <@a + 0, [1, 1, 4, 136, 128], [139264, 139264, 34816, 256]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 64, 136, 128], [2228224, 2228224, 34816, 256]> writes <@b + 0, [1, 1, 4, 136, 128], [139264, 139264, 34816, 256]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@a + 0, [1, 1, 4, 136, 128], [139264, 139264, 34816, 256]> and <@b + 0, [1, 1, 4, 136, 128], [139264, 139264, 34816, 256]> writes <@y + 0, [1, 1, 4, 136, 128], [139264, 139264, 34816, 256]> computes #zin.pe<op = add, reduce = none, post = none>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@w + 0, [1, 1, 64, 136, 128], [2228224, 2228224, 34816, 256]> writes <@large + 0, [1, 1, 64, 136, 128], [2228224, 2228224, 34816, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_CONV> on <NEConv> reads <@large + 0, [1, 1, 64, 136, 128], [2228224, 2228224, 34816, 256]> writes <@z + 0, [1, 1, 4, 136, 128], [139264, 139264, 34816, 256]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
}
