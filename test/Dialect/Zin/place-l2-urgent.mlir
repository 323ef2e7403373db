// RUN: ane-opt %s --zin-place-l2 --split-input-file | FileCheck %s

// By what they save, @a, @b and @d come before @c, and there is room for it in
// pieces alone: nothing that lies in the way can go elsewhere. So all places are
// found again with @c first, and the others lie beside it.

// CHECK-LABEL: zin.program @urgent
// CHECK: @a {{.*}} {l2 = #zin.l2_place<789504,
// CHECK: @b {{.*}} {l2 = #zin.l2_place<1382400,
// CHECK: @c {{.*}} {l2 = #zin.l2_place<0,
// CHECK: @d {{.*}} {l2 = #zin.l2_place<789504,
// CHECK: @e {{.*}} {l2 = #zin.l2_place<1382400,
// CHECK: @f {{.*}} {l2 = #zin.l2_place<0,

zin.program @urgent {
  zin.buffer <input> @x 8192 bytes <@x + 0, [1, 1, 1, 64, 64], [8192, 8192, 8192, 128]> {host_type = tensor<1x64x64xf16>, port = "x"}
  zin.buffer <scratch> @a 524288 bytes <@a + 0, [1, 1, 64, 64, 64], [524288, 524288, 8192, 128]>
  zin.buffer <scratch> @b 524288 bytes <@b + 0, [1, 1, 64, 64, 64], [524288, 524288, 8192, 128]>
  zin.buffer <scratch> @c 786432 bytes <@c + 0, [1, 1, 96, 64, 64], [786432, 786432, 8192, 128]>
  zin.buffer <scratch> @d 589824 bytes <@d + 0, [1, 1, 72, 64, 64], [589824, 589824, 8192, 128]>
  zin.buffer <scratch> @e 196608 bytes <@e + 0, [1, 1, 24, 64, 64], [196608, 196608, 8192, 128]>
  zin.buffer <scratch> @f 458752 bytes <@f + 0, [1, 1, 56, 64, 64], [458752, 458752, 8192, 128]>
  zin.buffer <output> @y 8192 bytes <@y + 0, [1, 1, 1, 64, 64], [8192, 8192, 8192, 128]> {host_type = tensor<1x64x64xf16>, port = "y"}
  zin.kernel @k1_64 {groups = 1 : i64, ocg_size = 0 : i64, outputs = 64 : i64, taps = 1 : i64, weights = dense<1.0> : tensor<64xf16>}
  zin.kernel @k56_1 {groups = 1 : i64, ocg_size = 0 : i64, outputs = 1 : i64, taps = 56 : i64, weights = dense<1.0> : tensor<56xf16>}
  zin.kernel @k64_64 {groups = 1 : i64, ocg_size = 0 : i64, outputs = 64 : i64, taps = 64 : i64, weights = dense<1.0> : tensor<4096xf16>}
  zin.kernel @k64_72 {groups = 1 : i64, ocg_size = 0 : i64, outputs = 72 : i64, taps = 64 : i64, weights = dense<1.0> : tensor<4608xf16>}
  zin.kernel @k64_96 {groups = 1 : i64, ocg_size = 0 : i64, outputs = 96 : i64, taps = 64 : i64, weights = dense<1.0> : tensor<6144xf16>}
  zin.kernel @k72_56 {groups = 1 : i64, ocg_size = 0 : i64, outputs = 56 : i64, taps = 72 : i64, weights = dense<1.0> : tensor<4032xf16>}
  zin.kernel @k96_24 {groups = 1 : i64, ocg_size = 0 : i64, outputs = 24 : i64, taps = 96 : i64, weights = dense<1.0> : tensor<2304xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 1, 64, 64], [8192, 8192, 8192, 128]> writes <@a + 0, [1, 1, 64, 64, 64], [524288, 524288, 8192, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k1_64
  zin.task <NEFUSED_CONV> on <NEConv> reads <@a + 0, [1, 1, 64, 64, 64], [524288, 524288, 8192, 128]> writes <@b + 0, [1, 1, 64, 64, 64], [524288, 524288, 8192, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k64_64
  zin.task <NEFUSED_CONV> on <NEConv> reads <@a + 0, [1, 1, 64, 64, 64], [524288, 524288, 8192, 128]> writes <@c + 0, [1, 1, 96, 64, 64], [786432, 786432, 8192, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k64_96
  zin.task <NEFUSED_CONV> on <NEConv> reads <@b + 0, [1, 1, 64, 64, 64], [524288, 524288, 8192, 128]> writes <@d + 0, [1, 1, 72, 64, 64], [589824, 589824, 8192, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k64_72
  zin.task <NEFUSED_CONV> on <NEConv> reads <@c + 0, [1, 1, 96, 64, 64], [786432, 786432, 8192, 128]> writes <@e + 0, [1, 1, 24, 64, 64], [196608, 196608, 8192, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k96_24
  zin.task <NEFUSED_CONV> on <NEConv> reads <@d + 0, [1, 1, 72, 64, 64], [589824, 589824, 8192, 128]> writes <@f + 0, [1, 1, 56, 64, 64], [458752, 458752, 8192, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k72_56
  zin.task <NEFUSED_CONV> on <NEConv> reads <@f + 0, [1, 1, 56, 64, 64], [458752, 458752, 8192, 128]> writes <@y + 0, [1, 1, 1, 64, 64], [8192, 8192, 8192, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k56_1
}

// -----

// Neither @f nor @g finds a place so. With the others in the order of what they save
// for each byte, whatever for how many tasks, @g does.

// CHECK-LABEL: zin.program @bytes
// CHECK: @e {{.*}} {l2 = #zin.l2_place<1053696,
// CHECK: @f 458752 bytes <@f + 0, [1, 1, 56, 64, 64], [458752, 458752, 8192, 128]>{{$}}
// CHECK: @g {{.*}} {l2 = #zin.l2_place<0,
// CHECK: @h {{.*}} {l2 = #zin.l2_place<0,

zin.program @bytes {
  zin.buffer <input> @x 8192 bytes <@x + 0, [1, 1, 1, 64, 64], [8192, 8192, 8192, 128]> {host_type = tensor<1x64x64xf16>, port = "x"}
  zin.buffer <scratch> @a 589824 bytes <@a + 0, [1, 1, 72, 64, 64], [589824, 589824, 8192, 128]>
  zin.buffer <scratch> @b 786432 bytes <@b + 0, [1, 1, 96, 64, 64], [786432, 786432, 8192, 128]>
  zin.buffer <scratch> @c 393216 bytes <@c + 0, [1, 1, 48, 64, 64], [393216, 393216, 8192, 128]>
  zin.buffer <scratch> @d 458752 bytes <@d + 0, [1, 1, 56, 64, 64], [458752, 458752, 8192, 128]>
  zin.buffer <scratch> @e 786432 bytes <@e + 0, [1, 1, 96, 64, 64], [786432, 786432, 8192, 128]>
  zin.buffer <scratch> @f 458752 bytes <@f + 0, [1, 1, 56, 64, 64], [458752, 458752, 8192, 128]>
  zin.buffer <scratch> @g 589824 bytes <@g + 0, [1, 1, 72, 64, 64], [589824, 589824, 8192, 128]>
  zin.buffer <scratch> @h 524288 bytes <@h + 0, [1, 1, 64, 64, 64], [524288, 524288, 8192, 128]>
  zin.buffer <output> @y 8192 bytes <@y + 0, [1, 1, 1, 64, 64], [8192, 8192, 8192, 128]> {host_type = tensor<1x64x64xf16>, port = "y"}
  zin.kernel @k1_72 {groups = 1 : i64, ocg_size = 0 : i64, outputs = 72 : i64, taps = 1 : i64, weights = dense<1.0> : tensor<72xf16>}
  zin.kernel @k48_56 {groups = 1 : i64, ocg_size = 0 : i64, outputs = 56 : i64, taps = 48 : i64, weights = dense<1.0> : tensor<2688xf16>}
  zin.kernel @k56_72 {groups = 1 : i64, ocg_size = 0 : i64, outputs = 72 : i64, taps = 56 : i64, weights = dense<1.0> : tensor<4032xf16>}
  zin.kernel @k56_96 {groups = 1 : i64, ocg_size = 0 : i64, outputs = 96 : i64, taps = 56 : i64, weights = dense<1.0> : tensor<5376xf16>}
  zin.kernel @k64_1 {groups = 1 : i64, ocg_size = 0 : i64, outputs = 1 : i64, taps = 64 : i64, weights = dense<1.0> : tensor<64xf16>}
  zin.kernel @k72_56 {groups = 1 : i64, ocg_size = 0 : i64, outputs = 56 : i64, taps = 72 : i64, weights = dense<1.0> : tensor<4032xf16>}
  zin.kernel @k72_96 {groups = 1 : i64, ocg_size = 0 : i64, outputs = 96 : i64, taps = 72 : i64, weights = dense<1.0> : tensor<6912xf16>}
  zin.kernel @k96_48 {groups = 1 : i64, ocg_size = 0 : i64, outputs = 48 : i64, taps = 96 : i64, weights = dense<1.0> : tensor<4608xf16>}
  zin.kernel @k96_64 {groups = 1 : i64, ocg_size = 0 : i64, outputs = 64 : i64, taps = 96 : i64, weights = dense<1.0> : tensor<6144xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 1, 64, 64], [8192, 8192, 8192, 128]> writes <@a + 0, [1, 1, 72, 64, 64], [589824, 589824, 8192, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k1_72
  zin.task <NEFUSED_CONV> on <NEConv> reads <@a + 0, [1, 1, 72, 64, 64], [589824, 589824, 8192, 128]> writes <@b + 0, [1, 1, 96, 64, 64], [786432, 786432, 8192, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k72_96
  zin.task <NEFUSED_CONV> on <NEConv> reads <@b + 0, [1, 1, 96, 64, 64], [786432, 786432, 8192, 128]> writes <@c + 0, [1, 1, 48, 64, 64], [393216, 393216, 8192, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k96_48
  zin.task <NEFUSED_CONV> on <NEConv> reads <@a + 0, [1, 1, 72, 64, 64], [589824, 589824, 8192, 128]> writes <@d + 0, [1, 1, 56, 64, 64], [458752, 458752, 8192, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k72_56
  zin.task <NEFUSED_CONV> on <NEConv> reads <@d + 0, [1, 1, 56, 64, 64], [458752, 458752, 8192, 128]> writes <@e + 0, [1, 1, 96, 64, 64], [786432, 786432, 8192, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k56_96
  zin.task <NEFUSED_CONV> on <NEConv> reads <@c + 0, [1, 1, 48, 64, 64], [393216, 393216, 8192, 128]> writes <@f + 0, [1, 1, 56, 64, 64], [458752, 458752, 8192, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k48_56
  zin.task <NEFUSED_CONV> on <NEConv> reads <@d + 0, [1, 1, 56, 64, 64], [458752, 458752, 8192, 128]> writes <@g + 0, [1, 1, 72, 64, 64], [589824, 589824, 8192, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k56_72
  zin.task <NEFUSED_CONV> on <NEConv> reads <@e + 0, [1, 1, 96, 64, 64], [786432, 786432, 8192, 128]> writes <@h + 0, [1, 1, 64, 64, 64], [524288, 524288, 8192, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k96_64
  zin.task <NEFUSED_CONV> on <NEConv> reads <@h + 0, [1, 1, 64, 64, 64], [524288, 524288, 8192, 128]> writes <@y + 0, [1, 1, 1, 64, 64], [8192, 8192, 8192, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k64_1
}
