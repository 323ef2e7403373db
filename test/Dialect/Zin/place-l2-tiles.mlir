// RUN: ane-opt %s --zin-place-l2 | FileCheck %s
// RUN: ane-opt %s --zin-place-l2=tile-bytes=1572864 | FileCheck %s --check-prefix=LARGE

// Rows of an image stream past a value that lives on. What is left of L2 holds
// tiles of fewer rows; where these may always have more of it, the value goes to
// memory.

// CHECK: @s {{.*}} {l2 = #zin.l2_place<0,
// LARGE: @s 786432 bytes <@s + 0, [1, 1, 48, 64, 128], [786432, 786432, 16384, 256]>{{$}}
zin.program @main {
  zin.buffer <input> @a 786432 bytes <@a + 0, [1, 1, 48, 64, 128], [786432, 786432, 16384, 256]> {host_type = tensor<1x48x64x128xf16>, port = "a"}
  zin.buffer <input> @b 8388608 bytes <@b + 0, [1, 1, 64, 256, 256], [8388608, 8388608, 131072, 512]> {host_type = tensor<1x64x256x256xf16>, port = "b"}
  zin.buffer <output> @y 8388608 bytes <@y + 0, [1, 1, 64, 256, 256], [8388608, 8388608, 131072, 512]> {host_type = tensor<1x64x256x256xf16>, port = "y"}
  zin.buffer <output> @z 786432 bytes <@z + 0, [1, 1, 48, 64, 128], [786432, 786432, 16384, 256]> {host_type = tensor<1x48x64x128xf16>, port = "z"}
  zin.buffer <scratch> @s 786432 bytes <@s + 0, [1, 1, 48, 64, 128], [786432, 786432, 16384, 256]>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@a + 0, [1, 1, 48, 64, 128], [786432, 786432, 16384, 256]> writes <@s + 0, [1, 1, 48, 64, 128], [786432, 786432, 16384, 256]> computes #zin.pe<op = add, reduce = none, post = none, abs = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@b + 0, [1, 1, 64, 256, 256], [8388608, 8388608, 131072, 512]> writes <@y + 0, [1, 1, 64, 256, 256], [8388608, 8388608, 131072, 512]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@s + 0, [1, 1, 48, 64, 128], [786432, 786432, 16384, 256]> writes <@z + 0, [1, 1, 48, 64, 128], [786432, 786432, 16384, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
}
