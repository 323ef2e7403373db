// RUN: ane-opt %s --zin-place-l2 --split-input-file | FileCheck %s
// RUN: ane-opt %s --zin-place-l2 --zin-place-dram --split-input-file | FileCheck %s --check-prefix=DRAM
// RUN: ane-opt %s --zin-place-l2=max-tasks=2 --split-input-file | FileCheck %s --check-prefix=SHORT

// What lies between tasks stays in L2, rows of all channels: 16 bytes a channel,
// 256 a row and 16 more, since 8 rows so far apart would share four banks. @a saves
// most, 2048 bytes three times, and lies first; what streams has what is left. Memory
// has nothing of it.

// CHECK-LABEL: zin.program @chain
// CHECK: @a {{.*}} {l2 = #zin.l2_place<0, [2176, 256, 16, 272]>}
// CHECK: @b {{.*}} {l2 = #zin.l2_place<2176, [2176, 256, 16, 272]>}
// CHECK: @c {{.*}} {l2 = #zin.l2_place<0, [2176, 256, 16, 272]>}
// CHECK: writes <@a {{.*}} {l2 = #zin.l2<result = resident, begin = 2176, bytes = 2094976>}
// CHECK: writes <@b {{.*}} {l2 = #zin.l2<source1 = resident, result = resident, begin = 4352, bytes = 2092800>}
// CHECK: writes <@c {{.*}} {l2 = #zin.l2<source1 = resident, source2 = resident, result = resident, begin = 4352, bytes = 2092800>}
// CHECK: writes <@y {{.*}} {l2 = #zin.l2<source1 = resident, begin = 2176, bytes = 2094976>}

// DRAM-LABEL: zin.program @chain
// DRAM-SAME: scratch_bytes = 0

// Three tasks have @a, two each of the others.
// SHORT-LABEL: zin.program @chain
// SHORT-NOT: @a {{.*}} {l2 =
// SHORT: @b {{.*}} {l2 = #zin.l2_place<0,
// SHORT: @c {{.*}} {l2 = #zin.l2_place<

zin.program @chain {
  zin.buffer <input> @x 8192 bytes <@x + 0, [1, 1, 16, 8, 8], [8192, 8192, 512, 64]> {host_type = tensor<16x8x8xf16>, port = "x"}
  zin.buffer <output> @y 8192 bytes <@y + 0, [1, 1, 16, 8, 8], [8192, 8192, 512, 64]> {host_type = tensor<16x8x8xf16>, port = "y"}
  zin.buffer <scratch> @a 8192 bytes <@a + 0, [1, 1, 16, 8, 8], [8192, 8192, 512, 64]>
  zin.buffer <scratch> @b 8192 bytes <@b + 0, [1, 1, 16, 8, 8], [8192, 8192, 512, 64]>
  zin.buffer <scratch> @c 8192 bytes <@c + 0, [1, 1, 16, 8, 8], [8192, 8192, 512, 64]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 16, 8, 8], [8192, 8192, 512, 64]> writes <@a + 0, [1, 1, 16, 8, 8], [8192, 8192, 512, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@a + 0, [1, 1, 16, 8, 8], [8192, 8192, 512, 64]> writes <@b + 0, [1, 1, 16, 8, 8], [8192, 8192, 512, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@a + 0, [1, 1, 16, 8, 8], [8192, 8192, 512, 64]> and <@b + 0, [1, 1, 16, 8, 8], [8192, 8192, 512, 64]> writes <@c + 0, [1, 1, 16, 8, 8], [8192, 8192, 512, 64]> computes #zin.pe<op = add, reduce = none, post = none>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@c + 0, [1, 1, 16, 8, 8], [8192, 8192, 512, 64]> writes <@y + 0, [1, 1, 16, 8, 8], [8192, 8192, 512, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
}

// -----

// Half of the channels of an input: what tasks close to each other read stays, by
// itself, for them. Each half has a place of its own.

// CHECK-LABEL: zin.program @views
// CHECK: @x {{.*}} {host_type = tensor<32x8x64xf16>, port = "x"}
// CHECK: writes <@a {{.*}} {l2 = #zin.l2<source1 = kept, begin = 16768, bytes = 2080384, place = <0, [16768, 2048, 128, 2096]>>}
// CHECK: writes <@b {{.*}} {l2 = #zin.l2<source1 = resident, begin = 16768, bytes = 2080384, place = <0, [16768, 2048, 128, 2096]>>}
// CHECK: writes <@c {{.*}} {l2 = #zin.l2<source1 = kept, begin = 16768, bytes = 2080384, place = <0, [16768, 2048, 128, 2096]>>}
// CHECK: writes <@d {{.*}} {l2 = #zin.l2<source1 = resident, begin = 16768, bytes = 2080384, place = <0, [16768, 2048, 128, 2096]>>}
// CHECK: writes <@e {{.*}} with @k{{$}}
zin.program @views {
  zin.buffer <input> @x 32768 bytes <@x + 0, [1, 1, 32, 8, 64], [32768, 32768, 1024, 128]> {host_type = tensor<32x8x64xf16>, port = "x"}
  zin.buffer <output> @a 16384 bytes <@a + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> {host_type = tensor<16x8x64xf16>, port = "a"}
  zin.buffer <output> @b 16384 bytes <@b + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> {host_type = tensor<16x8x64xf16>, port = "b"}
  zin.buffer <output> @c 16384 bytes <@c + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> {host_type = tensor<16x8x64xf16>, port = "c"}
  zin.buffer <output> @d 16384 bytes <@d + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> {host_type = tensor<16x8x64xf16>, port = "d"}
  zin.buffer <output> @e 16384 bytes <@e + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> {host_type = tensor<16x8x64xf16>, port = "e"}
  zin.kernel @k {groups = 1 : i64, ocg_size = 0 : i64, outputs = 16 : i64, taps = 16 : i64, weights = dense<1.000000e+00> : tensor<256xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 16, 8, 64], [32768, 32768, 1024, 128]> writes <@a + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 16, 8, 64], [32768, 32768, 1024, 128]> writes <@b + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 16384, [1, 1, 16, 8, 64], [32768, 32768, 1024, 128]> writes <@c + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 16384, [1, 1, 16, 8, 64], [32768, 32768, 1024, 128]> writes <@d + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 8192, [1, 1, 16, 8, 64], [32768, 32768, 1024, 128]> writes <@e + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
}

// -----

// What is computed element by element lies where its last operand did, in one
// layout: that of @b, rows of which a product reads, 0x830 bytes apart.

// CHECK-LABEL: zin.program @in_place
// CHECK: @a {{.*}} {l2 = #zin.l2_place<0, [16768, 2048, 128, 2096]>}
// CHECK: @b {{.*}} {l2 = #zin.l2_place<0, [16768, 2048, 128, 2096]>}
zin.program @in_place {
  zin.buffer <input> @x 16384 bytes <@x + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> {host_type = tensor<16x8x64xf16>, port = "x"}
  zin.buffer <output> @y 16384 bytes <@y + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> {host_type = tensor<16x8x64xf16>, port = "y"}
  zin.buffer <scratch> @a 16384 bytes <@a + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]>
  zin.buffer <scratch> @b 16384 bytes <@b + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 0 : i64, outputs = 16 : i64, taps = 16 : i64, weights = dense<1.000000e+00> : tensor<256xf16>}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@a + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_GOC> on <PEGOC> reads <@a + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@b + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.pe<op = add, reduce = none, post = none>
  zin.task <NEFUSED_CONV> on <NEConv> reads <@b + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@y + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
}

// -----

// A product is not written over its operand.

// CHECK-LABEL: zin.program @product
// CHECK: @a {{.*}} {l2 = #zin.l2_place<16640, [16768, 2048, 128, 2096]>}
// CHECK: @b {{.*}} {l2 = #zin.l2_place<0, [16640, 2048, 128, 2080]>}
zin.program @product {
  zin.buffer <input> @x 16384 bytes <@x + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> {host_type = tensor<16x8x64xf16>, port = "x"}
  zin.buffer <output> @y 16384 bytes <@y + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> {host_type = tensor<16x8x64xf16>, port = "y"}
  zin.buffer <scratch> @a 16384 bytes <@a + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]>
  zin.buffer <scratch> @b 16384 bytes <@b + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 0 : i64, outputs = 16 : i64, taps = 16 : i64, weights = dense<1.000000e+00> : tensor<256xf16>}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@a + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_CONV> on <NEConv> reads <@a + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@b + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@b + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@y + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
}

// -----

// The planar task may still read @a while @b is computed beside it. Where @b has
// its place the hazards of that task say so: see Codegen/replaced.mlir.

// CHECK-LABEL: zin.program @beside
// CHECK: @a {{.*}} {l2 = #zin.l2_place<0, [16640, 2048, 128, 2080]>}
// CHECK: @b {{.*}} {l2 = #zin.l2_place<0, [16640, 2048, 128, 2080]>}
zin.program @beside {
  zin.buffer <input> @x 16384 bytes <@x + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> {host_type = tensor<16x8x64xf16>, port = "x"}
  zin.buffer <output> @y 16384 bytes <@y + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> {host_type = tensor<16x8x64xf16>, port = "y"}
  zin.buffer <output> @z 16384 bytes <@z + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> {host_type = tensor<16x8x64xf16>, port = "z"}
  zin.buffer <scratch> @a 16384 bytes <@a + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]>
  zin.buffer <scratch> @b 16384 bytes <@b + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@a + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_GOC> on <PEGOC> reads <@a + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@y + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.pe<op = add, reduce = none, post = none>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@a + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@b + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@b + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> writes <@z + 0, [1, 1, 16, 8, 64], [16384, 16384, 1024, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
}

// -----

// An input that two tasks read is fetched once. What is read as coefficients is
// in memory as well.

// CHECK-LABEL: zin.program @kept
// CHECK: @x {{.*}}l2 = #zin.l2_place<0, [512, 512, 32, 512]>
// CHECK: @w {{.*}} {l2 = #zin.l2_place<512, [512, 32, 32, 32]>}
// CHECK: writes <@w {{.*}} {l2 = #zin.l2<source1 = kept, result = kept, begin = 1024, bytes = 2096128>}
// CHECK: writes <@y {{.*}} weighs <@w {{.*}} {l2 = #zin.l2<source1 = resident, begin = 1024, bytes = 2096128>}
// CHECK: writes <@z {{.*}} {l2 = #zin.l2<source1 = resident, begin = 1024, bytes = 2096128>}

// DRAM-LABEL: zin.program @kept
// DRAM-SAME: scratch_bytes = 1024
// DRAM: @w {{.*}}offset = 0
zin.program @kept {
  zin.buffer <input> @x 1024 bytes <@x + 0, [1, 1, 16, 1, 16], [1024, 1024, 64, 64]> {host_type = tensor<16x1x16xf16>, port = "x"}
  zin.buffer <output> @y 1024 bytes <@y + 0, [1, 1, 16, 1, 16], [1024, 1024, 64, 64]> {host_type = tensor<16x1x16xf16>, port = "y"}
  zin.buffer <output> @z 1024 bytes <@z + 0, [1, 1, 1, 16, 16], [1024, 1024, 1024, 64]> {host_type = tensor<16x16xf16>, port = "z"}
  zin.buffer <scratch> @w 1024 bytes <@w + 0, [1, 1, 1, 16, 16], [1024, 1024, 1024, 64]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 16, 1, 16], [1024, 1024, 64, 64]> writes <@w + 0, [1, 1, 16, 1, 16], [1024, 1024, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 16, 1, 16], [1024, 1024, 64, 64]> writes <@y + 0, [1, 1, 16, 1, 16], [1024, 1024, 64, 64]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> weighs <@w + 0, [1, 1, 1, 16, 16], [1024, 1024, 1024, 64]>
  zin.task <PEFUSED_GOC> on <PEGOC> reads <@w + 0, [1, 1, 1, 16, 16], [1024, 1024, 1024, 64]> writes <@z + 0, [1, 1, 1, 16, 16], [1024, 1024, 1024, 64]> computes #zin.pe<op = add, reduce = none, post = none>
}

// -----

// Rows that are read in another shape stay in the order of memory, 16 bytes
// apart; rows that are read in another length stay 64 bytes apart. What is
// larger than L2 stays in memory, and so does what is read once.

// CHECK-LABEL: zin.program @orders
// CHECK: @x {{.*}} {host_type = tensor<4x2x2xf16>, port = "x"}
// CHECK: @a {{.*}} {l2 = #zin.l2_place<{{[0-9]+}}, [128, 128, 32, 16]>}
// CHECK: @b {{.*}} {l2 = #zin.l2_place<{{[0-9]+}}, [256, 256, 256, 64]>}
// CHECK: @huge 4194304 bytes <@huge + 0, [1, 1, 128, 128, 128], [4194304, 4194304, 32768, 256]>{{$}}
zin.program @orders {
  zin.buffer <input> @x 512 bytes <@x + 0, [1, 1, 4, 2, 2], [512, 512, 128, 64]> {host_type = tensor<4x2x2xf16>, port = "x"}
  zin.buffer <output> @y 512 bytes <@y + 0, [1, 1, 1, 8, 2], [512, 512, 512, 64]> {host_type = tensor<8x2xf16>, port = "y"}
  zin.buffer <input> @u 256 bytes <@u + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> {host_type = tensor<4x32xf16>, port = "u"}
  zin.buffer <output> @v 256 bytes <@v + 0, [1, 1, 1, 2, 64], [256, 256, 256, 128]> {host_type = tensor<2x64xf16>, port = "v"}
  zin.buffer <input> @p 4194304 bytes <@p + 0, [1, 1, 128, 128, 128], [4194304, 4194304, 32768, 256]> {host_type = tensor<128x128x128xf16>, port = "p"}
  zin.buffer <output> @q 4194304 bytes <@q + 0, [1, 1, 128, 128, 128], [4194304, 4194304, 32768, 256]> {host_type = tensor<128x128x128xf16>, port = "q"}
  zin.buffer <scratch> @a 512 bytes <@a + 0, [1, 1, 4, 2, 2], [512, 512, 128, 64]>
  zin.buffer <scratch> @b 256 bytes <@b + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]>
  zin.buffer <scratch> @huge 4194304 bytes <@huge + 0, [1, 1, 128, 128, 128], [4194304, 4194304, 32768, 256]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 4, 2, 2], [512, 512, 128, 64]> writes <@a + 0, [1, 1, 4, 2, 2], [512, 512, 128, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@a + 0, [1, 1, 1, 8, 2], [512, 512, 512, 64]> writes <@y + 0, [1, 1, 1, 8, 2], [512, 512, 512, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@u + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> writes <@b + 0, [1, 1, 1, 4, 32], [256, 256, 256, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@b + 0, [1, 1, 1, 2, 64], [256, 256, 256, 128]> writes <@v + 0, [1, 1, 1, 2, 64], [256, 256, 256, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@p + 0, [1, 1, 128, 128, 128], [4194304, 4194304, 32768, 256]> writes <@huge + 0, [1, 1, 128, 128, 128], [4194304, 4194304, 32768, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@huge + 0, [1, 1, 128, 128, 128], [4194304, 4194304, 32768, 256]> writes <@q + 0, [1, 1, 128, 128, 128], [4194304, 4194304, 32768, 256]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
}

// -----

// Lines of half a bank period share two banks, and so do rows that are read in
// another shape: 16 bytes more lay them apart. Copies among themselves, of which
// real programs have such lines, leave them. Rows that a product reads as the
// channels of a line are such lines. What several tasks with computed coefficients
// read lies an odd number of units apart from an eighth of a period on, as do
// results of computed coefficients that copies read.

// CHECK-LABEL: zin.program @banks
// CHECK: @lines {{.*}} {l2 = #zin.l2_place<{{[0-9]+}}, [4224, 4224, 528, 4224]>}
// CHECK: @rows {{.*}} {l2 = #zin.l2_place<{{[0-9]+}}, [4224, 4224, 1056, 528]>}
// CHECK: @copied {{.*}} {l2 = #zin.l2_place<{{[0-9]+}}, [4096, 4096, 512, 4096]>}
// CHECK: @weighed {{.*}} {l2 = #zin.l2_place<{{[0-9]+}}, [3200, 384, 384, 400]>}
// CHECK: @multiplied {{.*}} {l2 = #zin.l2_place<{{[0-9]+}}, [3200, 3200, 400, 3200]>}
// CHECK: @convolved {{.*}} {l2 = #zin.l2_place<{{[0-9]+}}, [3072, 3072, 384, 3072]>}
// CHECK: @even {{.*}} {l2 = #zin.l2_place<{{[0-9]+}}, [2688, 2688, 336, 2688]>}
// CHECK: @odd {{.*}} {l2 = #zin.l2_place<{{[0-9]+}}, [2688, 2688, 336, 2688]>}
// CHECK: @made {{.*}} {l2 = #zin.l2_place<{{[0-9]+}}, [6400, 6400, 400, 6400]>}
zin.program @banks {
  zin.buffer <input> @x 4096 bytes <@x + 0, [1, 1, 8, 1, 256], [4096, 4096, 512, 512]> {host_type = tensor<8x1x256xf16>, port = "x"}
  zin.buffer <output> @y 4096 bytes <@y + 0, [1, 1, 8, 1, 256], [4096, 4096, 512, 512]> {host_type = tensor<8x1x256xf16>, port = "y"}
  zin.buffer <output> @z 4096 bytes <@z + 0, [1, 1, 8, 1, 256], [4096, 4096, 512, 512]> {host_type = tensor<8x1x256xf16>, port = "z"}
  zin.buffer <output> @u 4096 bytes <@u + 0, [1, 1, 1, 8, 256], [4096, 4096, 4096, 512]> {host_type = tensor<8x256xf16>, port = "u"}
  zin.buffer <input> @v 3072 bytes <@v + 0, [1, 1, 1, 8, 192], [3072, 3072, 3072, 384]> {host_type = tensor<8x192xf16>, port = "v"}
  zin.buffer <output> @w 6144 bytes <@w + 0, [1, 1, 16, 1, 192], [6144, 6144, 384, 384]> {host_type = tensor<16x1x192xf16>, port = "w"}
  zin.buffer <scratch> @lines 4096 bytes <@lines + 0, [1, 1, 8, 1, 256], [4096, 4096, 512, 512]>
  zin.buffer <scratch> @rows 4096 bytes <@rows + 0, [1, 1, 4, 2, 256], [4096, 4096, 1024, 512]>
  zin.buffer <scratch> @copied 4096 bytes <@copied + 0, [1, 1, 8, 1, 256], [4096, 4096, 512, 512]>
  zin.buffer <scratch> @weighed 3072 bytes <@weighed + 0, [1, 1, 1, 8, 192], [3072, 3072, 3072, 384]>
  zin.buffer <input> @m 3072 bytes <@m + 0, [1, 1, 8, 1, 192], [3072, 3072, 384, 384]> {host_type = tensor<8x1x192xf16>, port = "m"}
  zin.buffer <input> @c 1024 bytes <@c + 0, [1, 1, 1, 16, 8], [1024, 1024, 1024, 64]> {host_type = tensor<16x8xf16>, port = "c"}
  zin.buffer <output> @n 6144 bytes <@n + 0, [1, 1, 16, 1, 192], [6144, 6144, 384, 384]> {host_type = tensor<16x1x192xf16>, port = "n"}
  zin.buffer <output> @o 6144 bytes <@o + 0, [1, 1, 16, 1, 192], [6144, 6144, 384, 384]> {host_type = tensor<16x1x192xf16>, port = "o"}
  zin.buffer <scratch> @multiplied 3072 bytes <@multiplied + 0, [1, 1, 8, 1, 192], [3072, 3072, 384, 384]>
  zin.buffer <scratch> @convolved 3072 bytes <@convolved + 0, [1, 1, 8, 1, 192], [3072, 3072, 384, 384]>
  zin.buffer <input> @i_even 2560 bytes <@i_even + 0, [1, 1, 8, 1, 160], [2560, 2560, 320, 320]> {host_type = tensor<8x1x160xf16>, port = "i_even"}
  zin.buffer <output> @o_even 5120 bytes <@o_even + 0, [1, 1, 16, 1, 160], [5120, 5120, 320, 320]> {host_type = tensor<16x1x160xf16>, port = "o_even"}
  zin.buffer <scratch> @even 2560 bytes <@even + 0, [1, 1, 8, 1, 160], [2560, 2560, 320, 320]>
  zin.buffer <input> @i_odd 3072 bytes <@i_odd + 0, [1, 1, 8, 1, 168], [3072, 3072, 384, 384]> {host_type = tensor<8x1x168xf16>, port = "i_odd"}
  zin.buffer <output> @o_odd 6144 bytes <@o_odd + 0, [1, 1, 16, 1, 168], [6144, 6144, 384, 384]> {host_type = tensor<16x1x168xf16>, port = "o_odd"}
  zin.buffer <scratch> @odd 3072 bytes <@odd + 0, [1, 1, 8, 1, 168], [3072, 3072, 384, 384]>
  zin.buffer <output> @o_made 6144 bytes <@o_made + 0, [1, 1, 16, 1, 192], [6144, 6144, 384, 384]> {host_type = tensor<16x1x192xf16>, port = "o_made"}
  zin.buffer <scratch> @made 6144 bytes <@made + 0, [1, 1, 16, 1, 192], [6144, 6144, 384, 384]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 0 : i64, outputs = 16 : i64, taps = 8 : i64, weights = dense<1.000000e+00> : tensor<128xf16>}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 8, 1, 256], [4096, 4096, 512, 512]> writes <@lines + 0, [1, 1, 8, 1, 256], [4096, 4096, 512, 512]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@lines + 0, [1, 1, 8, 1, 256], [4096, 4096, 512, 512]> and <@lines + 0, [1, 1, 8, 1, 256], [4096, 4096, 512, 512]> writes <@y + 0, [1, 1, 8, 1, 256], [4096, 4096, 512, 512]> computes #zin.pe<op = add, reduce = none, post = none>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 4, 2, 256], [4096, 4096, 1024, 512]> writes <@rows + 0, [1, 1, 4, 2, 256], [4096, 4096, 1024, 512]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@rows + 0, [1, 1, 1, 8, 256], [4096, 4096, 4096, 512]> and <@rows + 0, [1, 1, 1, 8, 256], [4096, 4096, 4096, 512]> writes <@u + 0, [1, 1, 1, 8, 256], [4096, 4096, 4096, 512]> computes #zin.pe<op = add, reduce = none, post = none>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 8, 1, 256], [4096, 4096, 512, 512]> writes <@copied + 0, [1, 1, 8, 1, 256], [4096, 4096, 512, 512]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@copied + 0, [1, 1, 8, 1, 256], [4096, 4096, 512, 512]> writes <@z + 0, [1, 1, 8, 1, 256], [4096, 4096, 512, 512]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@v + 0, [1, 1, 1, 8, 192], [3072, 3072, 3072, 384]> writes <@weighed + 0, [1, 1, 1, 8, 192], [3072, 3072, 3072, 384]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
  zin.task <NEFUSED_CONV> on <NEConv> reads <@weighed + 0, [1, 1, 8, 1, 192], [3072, 3072, 384, 384]> writes <@w + 0, [1, 1, 16, 1, 192], [6144, 6144, 384, 384]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@m + 0, [1, 1, 8, 1, 192], [3072, 3072, 384, 384]> writes <@multiplied + 0, [1, 1, 8, 1, 192], [3072, 3072, 384, 384]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_CONV> on <NEConv> reads <@multiplied + 0, [1, 1, 8, 1, 192], [3072, 3072, 384, 384]> writes <@n + 0, [1, 1, 16, 1, 192], [6144, 6144, 384, 384]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> weighs <@c + 0, [1, 1, 1, 16, 8], [1024, 1024, 1024, 64]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@m + 0, [1, 1, 8, 1, 192], [3072, 3072, 384, 384]> writes <@convolved + 0, [1, 1, 8, 1, 192], [3072, 3072, 384, 384]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_CONV> on <NEConv> reads <@convolved + 0, [1, 1, 8, 1, 192], [3072, 3072, 384, 384]> writes <@o + 0, [1, 1, 16, 1, 192], [6144, 6144, 384, 384]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@i_even + 0, [1, 1, 8, 1, 160], [2560, 2560, 320, 320]> writes <@even + 0, [1, 1, 8, 1, 160], [2560, 2560, 320, 320]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_CONV> on <NEConv> reads <@even + 0, [1, 1, 8, 1, 160], [2560, 2560, 320, 320]> writes <@o_even + 0, [1, 1, 16, 1, 160], [5120, 5120, 320, 320]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> weighs <@c + 0, [1, 1, 1, 16, 8], [1024, 1024, 1024, 64]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@i_odd + 0, [1, 1, 8, 1, 168], [3072, 3072, 384, 384]> writes <@odd + 0, [1, 1, 8, 1, 168], [3072, 3072, 384, 384]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_CONV> on <NEConv> reads <@odd + 0, [1, 1, 8, 1, 168], [3072, 3072, 384, 384]> writes <@o_odd + 0, [1, 1, 16, 1, 168], [6144, 6144, 384, 384]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> weighs <@c + 0, [1, 1, 1, 16, 8], [1024, 1024, 1024, 64]>
  zin.task <NEFUSED_CONV> on <NEConv> reads <@m + 0, [1, 1, 8, 1, 192], [3072, 3072, 384, 384]> writes <@made + 0, [1, 1, 16, 1, 192], [6144, 6144, 384, 384]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> weighs <@c + 0, [1, 1, 1, 16, 8], [1024, 1024, 1024, 64]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@made + 0, [1, 1, 16, 1, 192], [6144, 6144, 384, 384]> writes <@o_made + 0, [1, 1, 16, 1, 192], [6144, 6144, 384, 384]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
}

// -----

// Lines that the planar engine has, and rows that it has as lines, lie an odd number
// of units apart from an eighth of a period on; not where they are short, or as few
// bytes as in real programs whose lines do not.

// CHECK-LABEL: zin.program @planar_lines
// CHECK: @lines {{.*}} {l2 = #zin.l2_place<{{[0-9]+}}, [25600, 25600, 400, 25600]>}
// CHECK: @rows {{.*}} {l2 = #zin.l2_place<{{[0-9]+}}, [25600, 384, 384, 400]>}
// CHECK: @short {{.*}} {l2 = #zin.l2_place<{{[0-9]+}}, [24576, 24576, 96, 24576]>}
// CHECK: @few {{.*}} {l2 = #zin.l2_place<{{[0-9]+}}, [12288, 12288, 384, 12288]>}
zin.program @planar_lines {
  zin.buffer <input> @a 24576 bytes <@a + 0, [1, 1, 64, 1, 192], [24576, 24576, 384, 384]> {host_type = tensor<64x1x192xf16>, port = "a"}
  zin.buffer <input> @b 24576 bytes <@b + 0, [1, 1, 1, 64, 192], [24576, 24576, 24576, 384]> {host_type = tensor<64x192xf16>, port = "b"}
  zin.buffer <input> @s 32768 bytes <@s + 0, [1, 1, 256, 1, 48], [32768, 32768, 128, 128]> {host_type = tensor<256x1x48xf16>, port = "s"}
  zin.buffer <input> @f 12288 bytes <@f + 0, [1, 1, 32, 1, 192], [12288, 12288, 384, 384]> {host_type = tensor<32x1x192xf16>, port = "f"}
  zin.buffer <output> @x 24576 bytes <@x + 0, [1, 1, 64, 1, 192], [24576, 24576, 384, 384]> {host_type = tensor<64x1x192xf16>, port = "x"}
  zin.buffer <output> @y 24576 bytes <@y + 0, [1, 1, 64, 1, 192], [24576, 24576, 384, 384]> {host_type = tensor<64x1x192xf16>, port = "y"}
  zin.buffer <output> @z 32768 bytes <@z + 0, [1, 1, 256, 1, 48], [32768, 32768, 128, 128]> {host_type = tensor<256x1x48xf16>, port = "z"}
  zin.buffer <output> @w 12288 bytes <@w + 0, [1, 1, 32, 1, 192], [12288, 12288, 384, 384]> {host_type = tensor<32x1x192xf16>, port = "w"}
  zin.buffer <scratch> @lines 24576 bytes <@lines + 0, [1, 1, 64, 1, 192], [24576, 24576, 384, 384]>
  zin.buffer <scratch> @rows 24576 bytes <@rows + 0, [1, 1, 1, 64, 192], [24576, 24576, 24576, 384]>
  zin.buffer <scratch> @short 32768 bytes <@short + 0, [1, 1, 256, 1, 48], [32768, 32768, 128, 128]>
  zin.buffer <scratch> @few 12288 bytes <@few + 0, [1, 1, 32, 1, 192], [12288, 12288, 384, 384]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@a + 0, [1, 1, 64, 1, 192], [24576, 24576, 384, 384]> writes <@lines + 0, [1, 1, 64, 1, 192], [24576, 24576, 384, 384]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@lines + 0, [1, 1, 64, 1, 192], [24576, 24576, 384, 384]> and <@lines + 0, [1, 1, 64, 1, 192], [24576, 24576, 384, 384]> writes <@x + 0, [1, 1, 64, 1, 192], [24576, 24576, 384, 384]> computes #zin.pe<op = add, reduce = none, post = none>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@b + 0, [1, 1, 1, 64, 192], [24576, 24576, 24576, 384]> writes <@rows + 0, [1, 1, 1, 64, 192], [24576, 24576, 24576, 384]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@rows + 0, [1, 1, 64, 1, 192], [24576, 24576, 384, 384]> and <@rows + 0, [1, 1, 64, 1, 192], [24576, 24576, 384, 384]> writes <@y + 0, [1, 1, 64, 1, 192], [24576, 24576, 384, 384]> computes #zin.pe<op = add, reduce = none, post = none>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@s + 0, [1, 1, 256, 1, 48], [32768, 32768, 128, 128]> writes <@short + 0, [1, 1, 256, 1, 48], [32768, 32768, 128, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@short + 0, [1, 1, 256, 1, 48], [32768, 32768, 128, 128]> and <@short + 0, [1, 1, 256, 1, 48], [32768, 32768, 128, 128]> writes <@z + 0, [1, 1, 256, 1, 48], [32768, 32768, 128, 128]> computes #zin.pe<op = add, reduce = none, post = none>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@f + 0, [1, 1, 32, 1, 192], [12288, 12288, 384, 384]> writes <@few + 0, [1, 1, 32, 1, 192], [12288, 12288, 384, 384]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@few + 0, [1, 1, 32, 1, 192], [12288, 12288, 384, 384]> and <@few + 0, [1, 1, 32, 1, 192], [12288, 12288, 384, 384]> writes <@w + 0, [1, 1, 32, 1, 192], [12288, 12288, 384, 384]> computes #zin.pe<op = add, reduce = none, post = none>
}

// -----

// 256 rows, written as 16 rows of 16 columns each: 16 rows 18432 bytes apart would
// share one bank. With 16 bytes more between rows they have four; more would take as
// many cycles. Lines that copies alone touch stay where they have 16 banks, and where
// all of them are as few bytes as in real programs with such lines.

// CHECK-LABEL: zin.program @crowded
// CHECK: @turned {{.*}} {l2 = #zin.l2_place<{{[0-9]+}}, [299008, 1152, 1152, 1168]>}
// CHECK: @even {{.*}} {l2 = #zin.l2_place<{{[0-9]+}}, [18432, 18432, 576, 18432]>}
// CHECK: @few {{.*}} {l2 = #zin.l2_place<{{[0-9]+}}, [4096, 4096, 512, 4096]>}
zin.program @crowded {
  zin.buffer <input> @x 589824 bytes <@x + 0, [1, 1, 576, 16, 16], [589824, 589824, 1024, 64]> {host_type = tensor<576x16x16xf16>, port = "x"}
  zin.buffer <output> @y 294912 bytes <@y + 0, [1, 1, 576, 1, 256], [294912, 294912, 512, 512]> {host_type = tensor<576x1x256xf16>, port = "y"}
  zin.buffer <input> @a 18432 bytes <@a + 0, [1, 1, 32, 1, 288], [18432, 18432, 576, 576]> {host_type = tensor<32x1x288xf16>, port = "a"}
  zin.buffer <output> @b 18432 bytes <@b + 0, [1, 1, 32, 1, 288], [18432, 18432, 576, 576]> {host_type = tensor<32x1x288xf16>, port = "b"}
  zin.buffer <input> @c 4096 bytes <@c + 0, [1, 1, 8, 1, 256], [4096, 4096, 512, 512]> {host_type = tensor<8x1x256xf16>, port = "c"}
  zin.buffer <output> @d 4096 bytes <@d + 0, [1, 1, 8, 1, 256], [4096, 4096, 512, 512]> {host_type = tensor<8x1x256xf16>, port = "d"}
  zin.buffer <scratch> @turned 294912 bytes <@turned + 0, [1, 1, 1, 256, 576], [294912, 294912, 294912, 1152]>
  zin.buffer <scratch> @even 18432 bytes <@even + 0, [1, 1, 32, 1, 288], [18432, 18432, 576, 576]>
  zin.buffer <scratch> @few 4096 bytes <@few + 0, [1, 1, 8, 1, 256], [4096, 4096, 512, 512]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 576, 16, 16], [589824, 589824, 1024, 64]> writes <@turned + 0, [1, 1, 16, 16, 576], [0, 0, 1152, 18432]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, transposed = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@turned + 0, [1, 1, 256, 1, 576], [0, 0, 1152, 294912]> writes <@y + 0, [1, 1, 576, 1, 256], [294912, 294912, 512, 512]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, transposed = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@a + 0, [1, 1, 32, 1, 288], [18432, 18432, 576, 576]> writes <@even + 0, [1, 1, 32, 1, 288], [18432, 18432, 576, 576]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@even + 0, [1, 1, 32, 1, 288], [18432, 18432, 576, 576]> writes <@b + 0, [1, 1, 32, 1, 288], [18432, 18432, 576, 576]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@c + 0, [1, 1, 8, 1, 256], [4096, 4096, 512, 512]> writes <@few + 0, [1, 1, 8, 1, 256], [4096, 4096, 512, 512]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@few + 0, [1, 1, 8, 1, 256], [4096, 4096, 512, 512]> writes <@d + 0, [1, 1, 8, 1, 256], [4096, 4096, 512, 512]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
}

// -----

// 512 outputs are two passes over x. One task alone reads it, and its tile holds
// all rows, so it streams.

// CHECK-LABEL: zin.program @passes
// CHECK: zin.buffer <input> @x {{.*}} {host_type = tensor<1x4x8x9xf16>, port = "x"}
// CHECK: zin.task {{.*}} with @k{{$}}
zin.program @passes {
  zin.buffer <input> @x 2048 bytes <@x + 0, [1, 1, 4, 8, 9], [2048, 2048, 512, 64]> {host_type = tensor<1x4x8x9xf16>, port = "x"}
  zin.buffer <output> @y 262144 bytes <@y + 0, [1, 1, 512, 8, 9], [262144, 262144, 512, 64]> {host_type = tensor<1x512x8x9xf16>, port = "y"}
  zin.kernel @k {groups = 1 : i64, ocg_size = 4 : i64, outputs = 512 : i64, taps = 4 : i64, weights = dense<1.000000e+00> : tensor<2048xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 4, 8, 9], [2048, 2048, 512, 64]> writes <@y + 0, [1, 1, 512, 8, 9], [262144, 262144, 512, 64]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
}

// -----

// What has channels side by side lies in memory, read or not.

// CHECK-LABEL: zin.program @interleaved
// CHECK: zin.buffer <scratch> @a 512 bytes <@a + 0, {{.*}} interleave = 4>{{$}}
// CHECK: writes <@a + 0, [1, 1, 16, 1, 9], {{.*}} interleave = 4>
// CHECK-NOT: result =
zin.program @interleaved {
  zin.buffer <input> @x 1024 bytes <@x + 0, [1, 1, 16, 1, 9], [1024, 1024, 64, 64]> {host_type = tensor<16x9xf16>, port = "x"}
  zin.buffer <scratch> @a 512 bytes <@a + 0, [1, 1, 16, 1, 9], [512, 512, 128, 128], interleave = 4>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 16, 1, 9], [1024, 1024, 64, 64]> writes <@a + 0, [1, 1, 16, 1, 9], [512, 512, 128, 128], interleave = 4> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
}

// -----

// There is room for @c between @b and the end, and in front of @b, but not in one
// piece: @b, which came first, goes to the end.

// CHECK-LABEL: zin.program @moved
// CHECK: @a {{.*}} {l2 = #zin.l2_place<0, [789504, 12288, 128, 12336]>}
// CHECK: @b {{.*}} {l2 = #zin.l2_place<1148928, [789504, 12288, 128, 12336]>}
// CHECK: @c {{.*}} {l2 = #zin.l2_place<0, [1148928, 17920, 128, 17952]>}
zin.program @moved {
  zin.buffer <input> @x 131072 bytes <@x + 0, [1, 1, 16, 64, 64], [131072, 131072, 8192, 128]> {host_type = tensor<16x64x64xf16>, port = "x"}
  zin.buffer <scratch> @a 786432 bytes <@a + 0, [1, 1, 96, 64, 64], [786432, 786432, 8192, 128]>
  zin.buffer <scratch> @b 786432 bytes <@b + 0, [1, 1, 96, 64, 64], [786432, 786432, 8192, 128]>
  zin.buffer <scratch> @c 1146880 bytes <@c + 0, [1, 1, 140, 64, 64], [1146880, 1146880, 8192, 128]>
  zin.buffer <output> @y 131072 bytes <@y + 0, [1, 1, 16, 64, 64], [131072, 131072, 8192, 128]> {host_type = tensor<16x64x64xf16>, port = "y"}
  zin.buffer <output> @z 131072 bytes <@z + 0, [1, 1, 16, 64, 64], [131072, 131072, 8192, 128]> {host_type = tensor<16x64x64xf16>, port = "z"}
  zin.kernel @k16_96 {groups = 1 : i64, ocg_size = 4 : i64, outputs = 96 : i64, taps = 16 : i64, weights = dense<1.000000e+00> : tensor<1536xf16>}
  zin.kernel @k96_96 {groups = 1 : i64, ocg_size = 4 : i64, outputs = 96 : i64, taps = 96 : i64, weights = dense<1.000000e+00> : tensor<9216xf16>}
  zin.kernel @k96_140 {groups = 1 : i64, ocg_size = 4 : i64, outputs = 140 : i64, taps = 96 : i64, weights = dense<1.000000e+00> : tensor<13440xf16>}
  zin.kernel @k16_16 {groups = 1 : i64, ocg_size = 4 : i64, outputs = 16 : i64, taps = 16 : i64, weights = dense<1.000000e+00> : tensor<256xf16>}
  zin.kernel @k140_16 {groups = 1 : i64, ocg_size = 4 : i64, outputs = 16 : i64, taps = 140 : i64, weights = dense<1.000000e+00> : tensor<2240xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 16, 64, 64], [131072, 131072, 8192, 128]> writes <@a + 0, [1, 1, 96, 64, 64], [786432, 786432, 8192, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k16_96
  zin.task <NEFUSED_CONV> on <NEConv> reads <@a + 0, [1, 1, 96, 64, 64], [786432, 786432, 8192, 128]> writes <@b + 0, [1, 1, 96, 64, 64], [786432, 786432, 8192, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k96_96
  zin.task <NEFUSED_CONV> on <NEConv> reads <@b + 0, [1, 1, 96, 64, 64], [786432, 786432, 8192, 128]> writes <@c + 0, [1, 1, 140, 64, 64], [1146880, 1146880, 8192, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k96_140
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 16, 64, 64], [131072, 131072, 8192, 128]> writes <@z + 0, [1, 1, 16, 64, 64], [131072, 131072, 8192, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k16_16
  zin.task <NEFUSED_CONV> on <NEConv> reads <@c + 0, [1, 1, 140, 64, 64], [1146880, 1146880, 8192, 128]> writes <@y + 0, [1, 1, 16, 64, 64], [131072, 131072, 8192, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k140_16
}

// -----

// Of what lies in L2 all rows of a channel are accessed together. Where channels
// and rows are not told apart, 96 rows of 4 channels take less than 4 of 96.

// CHECK-LABEL: zin.program @exchanged
// CHECK: reads <@a + 0, [1, 1, 4, 96, 64], [49152, 49152, 128, 512]> writes <@b + 0, [1, 1, 4, 96, 64], [49152, 49152, 128, 512]>
// CHECK-NEXT: reads <@b + 0, [1, 1, 96, 4, 64], [49152, 49152, 512, 128]> writes <@y
zin.program @exchanged {
  zin.buffer <input> @x 49152 bytes <@x + 0, [1, 1, 96, 4, 64], [49152, 49152, 512, 128]> {host_type = tensor<96x4x64xf16>, port = "x"}
  zin.buffer <output> @y 49152 bytes <@y + 0, [1, 1, 96, 4, 64], [49152, 49152, 512, 128]> {host_type = tensor<96x4x64xf16>, port = "y"}
  zin.buffer <scratch> @a 49152 bytes <@a + 0, [1, 1, 96, 4, 64], [49152, 49152, 512, 128]>
  zin.buffer <scratch> @b 49152 bytes <@b + 0, [1, 1, 96, 4, 64], [49152, 49152, 512, 128]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 96 : i64, taps = 96 : i64, weights = dense<1.000000e+00> : tensor<9216xf16>}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 96, 4, 64], [49152, 49152, 512, 128]> writes <@a + 0, [1, 1, 96, 4, 64], [49152, 49152, 512, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@a + 0, [1, 1, 96, 4, 64], [49152, 49152, 512, 128]> writes <@b + 0, [1, 1, 96, 4, 64], [49152, 49152, 512, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_CONV> on <NEConv> reads <@b + 0, [1, 1, 96, 4, 64], [49152, 49152, 512, 128]> writes <@y + 0, [1, 1, 96, 4, 64], [49152, 49152, 512, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
}

// -----

// So is what a task reads beside or writes to L2 in tiles: their rows follow
// those of the task.

// CHECK-LABEL: zin.program @exchanged_streamed
// CHECK: reads <@x + 0, [1, 1, 4, 96, 64], [49152, 49152, 128, 512]> writes <@b + 0, [1, 1, 4, 96, 64], [49152, 49152, 128, 512]> {{.*}}l2 = #zin.l2<result = resident,
zin.program @exchanged_streamed {
  zin.buffer <input> @x 49152 bytes <@x + 0, [1, 1, 96, 4, 64], [49152, 49152, 512, 128]> {host_type = tensor<96x4x64xf16>, port = "x"}
  zin.buffer <output> @y 49152 bytes <@y + 0, [1, 1, 96, 4, 64], [49152, 49152, 512, 128]> {host_type = tensor<96x4x64xf16>, port = "y"}
  zin.buffer <scratch> @b 49152 bytes <@b + 0, [1, 1, 96, 4, 64], [49152, 49152, 512, 128]>
  zin.kernel @k {groups = 1 : i64, ocg_size = 2 : i64, outputs = 96 : i64, taps = 96 : i64, weights = dense<1.000000e+00> : tensor<9216xf16>}
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 96, 4, 64], [49152, 49152, 512, 128]> writes <@b + 0, [1, 1, 96, 4, 64], [49152, 49152, 512, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_CONV> on <NEConv> reads <@b + 0, [1, 1, 96, 4, 64], [49152, 49152, 512, 128]> writes <@y + 0, [1, 1, 96, 4, 64], [49152, 49152, 512, 128]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @k
}

// -----

// Channels that tasks may have for rows lie in different banks: 144 bytes apart,
// not 128, of which every eighth one would be in the same.

// CHECK-LABEL: zin.program @spread_channels
// CHECK: zin.buffer <scratch> @a {{.*}} {l2 = #zin.l2_place<0, [{{[0-9]+}}, {{[0-9]+}}, 144, {{[0-9]+}}]>}
// CHECK: writes <@a + 0, [1, 1, 8, 96, 64],
// CHECK-NEXT: reads <@a + 0, [1, 1, 8, 96, 64],
zin.program @spread_channels {
  zin.buffer <input> @x 98304 bytes <@x + 0, [1, 1, 96, 8, 64], [98304, 98304, 1024, 128]> {host_type = tensor<96x8x64xf16>, port = "x"}
  zin.buffer <output> @y 98304 bytes <@y + 0, [1, 1, 96, 8, 64], [98304, 98304, 1024, 128]> {host_type = tensor<96x8x64xf16>, port = "y"}
  zin.buffer <scratch> @a 98304 bytes <@a + 0, [1, 1, 96, 8, 64], [98304, 98304, 1024, 128]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 96, 8, 64], [98304, 98304, 1024, 128]> writes <@a + 0, [1, 1, 96, 8, 64], [98304, 98304, 1024, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@a + 0, [1, 1, 96, 8, 64], [98304, 98304, 1024, 128]> writes <@y + 0, [1, 1, 96, 8, 64], [98304, 98304, 1024, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
}
