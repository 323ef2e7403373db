// RUN: ane-opt %s --zin-place-l2 | FileCheck %s

// Tasks that read the same are close to each other with up to 23 tasks between them:
// what they read stays in L2 for them. Here are 15 between those that read the first
// half of @x, and 24 between those that read the second.

// CHECK-LABEL: zin.program @near
// CHECK: writes <@a {{.*}} {l2 = #zin.l2<source1 = kept,
// CHECK: writes <@b {{.*}} with @k {l2 = #zin.l2<begin = {{[0-9]+}}, bytes = {{[0-9]+}}>}
// CHECK: writes <@c {{.*}} {l2 = #zin.l2<source1 = resident,
// CHECK: writes <@d {{.*}} with @k{{$}}

zin.program @near {
  zin.buffer <input> @x 32768 bytes <@x + 0, [1, 1, 32, 8, 64], [32768, 32768, 1024, 128]> {host_type = tensor<32x8x64xf16>, port = "x"}
  zin.buffer <scratch> @s 16384 bytes <@s + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]>
  zin.buffer <output> @a 16384 bytes <@a + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> {host_type = tensor<16x8x64xf16>, port = "a"}
  zin.buffer <output> @b 16384 bytes <@b + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> {host_type = tensor<16x8x64xf16>, port = "b"}
  zin.buffer <output> @c 16384 bytes <@c + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> {host_type = tensor<16x8x64xf16>, port = "c"}
  zin.buffer <output> @d 16384 bytes <@d + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> {host_type = tensor<16x8x64xf16>, port = "d"}
  zin.buffer <output> @e 16384 bytes <@e + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> {host_type = tensor<16x8x64xf16>, port = "e"}
  zin.kernel @k {groups = 1 : i64, ocg_size = 0 : i64, outputs = 16 : i64, taps = 16 : i64, weights = dense<1.000000e+00> : tensor<256xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 8192, [1, 1, 16, 8, 64], [32768, 32768, 1024, 128]> writes <@s + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 16, 8, 64], [32768, 32768, 1024, 128]> writes <@a + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 16384, [1, 1, 16, 8, 64], [32768, 32768, 1024, 128]> writes <@b + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@s + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@e + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@s + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@e + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@s + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@e + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@s + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@e + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@s + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@e + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@s + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@e + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@s + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@e + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@s + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@e + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@s + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@e + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@s + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@e + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@s + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@e + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@s + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@e + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@s + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@e + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@s + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@e + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 16, 8, 64], [32768, 32768, 1024, 128]> writes <@c + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@s + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@e + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@s + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@e + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@s + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@e + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@s + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@e + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@s + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@e + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@s + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@e + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@s + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@e + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@s + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@e + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@s + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@e + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 16384, [1, 1, 16, 8, 64], [32768, 32768, 1024, 128]> writes <@d + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
}
