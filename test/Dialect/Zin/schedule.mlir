// RUN: ane-opt %s --zin-schedule --split-input-file | FileCheck %s

// @a and @b take 1.8 MB beside each other, more than three quarters of L2; one
// after the other, each is summed before the next is computed.

// CHECK-LABEL: zin.program @branches
// CHECK: zin.task {{.*}} writes <@a + 0,
// CHECK-NEXT: zin.task {{.*}} writes <@c + 0,
// CHECK-NEXT: zin.task {{.*}} writes <@b + 0,
// CHECK-NEXT: zin.task {{.*}} writes <@d + 0,
// CHECK-NEXT: zin.task {{.*}} writes <@y + 0,
zin.program @branches {
  zin.buffer <input> @x 917504 bytes <@x + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> {host_type = tensor<64x112x64xf16>, port = "x"}
  zin.buffer <output> @y 4096 bytes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> {host_type = tensor<64x1x1xf16>, port = "y"}
  zin.buffer <scratch> @a 917504 bytes <@a + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]>
  zin.buffer <scratch> @b 917504 bytes <@b + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]>
  zin.buffer <scratch> @c 4096 bytes <@c + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]>
  zin.buffer <scratch> @d 4096 bytes <@d + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@a + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@b + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@a + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@c + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@b + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@d + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@c + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> and <@d + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> writes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none>
}

// -----

// What fits L2 in the order of the program stays in that order.

// CHECK-LABEL: zin.program @fits
// CHECK: zin.task {{.*}} writes <@a + 0,
// CHECK-NEXT: zin.task {{.*}} writes <@b + 0,
// CHECK-NEXT: zin.task {{.*}} writes <@c + 0,
// CHECK-NEXT: zin.task {{.*}} writes <@d + 0,
zin.program @fits {
  zin.buffer <input> @x 229376 bytes <@x + 0, [1, 1, 64, 28, 64], [229376, 229376, 3584, 128]> {host_type = tensor<64x28x64xf16>, port = "x"}
  zin.buffer <output> @y 4096 bytes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> {host_type = tensor<64x1x1xf16>, port = "y"}
  zin.buffer <scratch> @a 229376 bytes <@a + 0, [1, 1, 64, 28, 64], [229376, 229376, 3584, 128]>
  zin.buffer <scratch> @b 229376 bytes <@b + 0, [1, 1, 64, 28, 64], [229376, 229376, 3584, 128]>
  zin.buffer <scratch> @c 4096 bytes <@c + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]>
  zin.buffer <scratch> @d 4096 bytes <@d + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 28, 64], [229376, 229376, 3584, 128]> writes <@a + 0, [1, 1, 64, 28, 64], [229376, 229376, 3584, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 28, 64], [229376, 229376, 3584, 128]> writes <@b + 0, [1, 1, 64, 28, 64], [229376, 229376, 3584, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@a + 0, [1, 1, 64, 28, 64], [229376, 229376, 3584, 128]> writes <@c + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@b + 0, [1, 1, 64, 28, 64], [229376, 229376, 3584, 128]> writes <@d + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@c + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> and <@d + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> writes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none>
}

// -----

// Both values of @a are computed and summed before @b, which leaves room for
// them. The first one is summed before @a is written again, the second behind
// that.

// CHECK-LABEL: zin.program @written_again
// CHECK: zin.task {{.*}} writes <@a + 0,
// CHECK-NEXT: zin.task {{.*}} writes <@c + 0,
// CHECK-NEXT: zin.task {{.*}} relu = true{{.*}}
// CHECK-NEXT: zin.task {{.*}} writes <@d + 0,
// CHECK-NEXT: zin.task {{.*}} writes <@f + 0,
// CHECK-NEXT: zin.task {{.*}} writes <@b + 0,
// CHECK-NEXT: zin.task {{.*}} writes <@e + 0,
zin.program @written_again {
  zin.buffer <input> @x 917504 bytes <@x + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> {host_type = tensor<64x112x64xf16>, port = "x"}
  zin.buffer <output> @y 4096 bytes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> {host_type = tensor<64x1x1xf16>, port = "y"}
  zin.buffer <scratch> @a 917504 bytes <@a + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]>
  zin.buffer <scratch> @b 917504 bytes <@b + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]>
  zin.buffer <scratch> @c 4096 bytes <@c + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]>
  zin.buffer <scratch> @d 4096 bytes <@d + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]>
  zin.buffer <scratch> @e 4096 bytes <@e + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]>
  zin.buffer <scratch> @f 4096 bytes <@f + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@a + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@b + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@a + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@c + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@a + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@a + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@d + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@b + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@e + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@c + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> and <@d + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> writes <@f + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@e + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> and <@f + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> writes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none>
}

// -----

// @b is summed before @a is computed of it. Half of @a is written again; the half
// that is left is summed behind the first task all the same.

// CHECK-LABEL: zin.program @written_over_in_part
// CHECK: zin.task {{.*}} writes <@b + 0,
// CHECK-NEXT: zin.task {{.*}} writes <@d + 0,
// CHECK-NEXT: zin.task {{.*}} writes <@a + 0,
// CHECK-NEXT: zin.task {{.*}} writes <@a + 458752,
// CHECK-NEXT: zin.task {{.*}} writes <@c + 0,
// CHECK-NEXT: zin.task {{.*}} writes <@c + 2048,
// CHECK-NEXT: zin.task {{.*}} writes <@y + 0,
zin.program @written_over_in_part {
  zin.buffer <input> @x 917504 bytes <@x + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> {host_type = tensor<64x112x64xf16>, port = "x"}
  zin.buffer <output> @y 4096 bytes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> {host_type = tensor<64x1x1xf16>, port = "y"}
  zin.buffer <scratch> @a 917504 bytes <@a + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]>
  zin.buffer <scratch> @b 917504 bytes <@b + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]>
  zin.buffer <scratch> @c 4096 bytes <@c + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]>
  zin.buffer <scratch> @d 4096 bytes <@d + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@b + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@b + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@a + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 32, 112, 64], [917504, 917504, 14336, 128]> writes <@a + 458752, [1, 1, 32, 112, 64], [917504, 917504, 14336, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@a + 0, [1, 1, 32, 112, 64], [917504, 917504, 14336, 128]> writes <@c + 0, [1, 1, 32, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@a + 458752, [1, 1, 32, 112, 64], [917504, 917504, 14336, 128]> writes <@c + 2048, [1, 1, 32, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@b + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@d + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@c + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> and <@d + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> writes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none>
}

// -----

// The same with sums of the second half of each: what reads a part in the middle
// waits for what wrote all.

// CHECK-LABEL: zin.program @parts
// CHECK: zin.task {{.*}} writes <@a + 0,
// CHECK-NEXT: zin.task {{.*}} writes <@c + 0,
// CHECK-NEXT: zin.task {{.*}} writes <@b + 0,
// CHECK-NEXT: zin.task {{.*}} writes <@d + 0,
// CHECK-NEXT: zin.task {{.*}} writes <@y + 0,
zin.program @parts {
  zin.buffer <input> @x 917504 bytes <@x + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> {host_type = tensor<64x112x64xf16>, port = "x"}
  zin.buffer <output> @y 2048 bytes <@y + 0, [1, 1, 32, 1, 1], [2048, 2048, 64, 64]> {host_type = tensor<32x1x1xf16>, port = "y"}
  zin.buffer <scratch> @a 917504 bytes <@a + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]>
  zin.buffer <scratch> @b 917504 bytes <@b + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]>
  zin.buffer <scratch> @c 2048 bytes <@c + 0, [1, 1, 32, 1, 1], [2048, 2048, 64, 64]>
  zin.buffer <scratch> @d 2048 bytes <@d + 0, [1, 1, 32, 1, 1], [2048, 2048, 64, 64]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@a + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@b + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@a + 458752, [1, 1, 32, 112, 64], [917504, 917504, 14336, 128]> writes <@c + 0, [1, 1, 32, 1, 1], [2048, 2048, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@b + 458752, [1, 1, 32, 112, 64], [917504, 917504, 14336, 128]> writes <@d + 0, [1, 1, 32, 1, 1], [2048, 2048, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@c + 0, [1, 1, 32, 1, 1], [2048, 2048, 64, 64]> and <@d + 0, [1, 1, 32, 1, 1], [2048, 2048, 64, 64]> writes <@y + 0, [1, 1, 32, 1, 1], [2048, 2048, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none>
}

// -----

// @h, being an input, does not stay in L2, but the second task that reads the
// same of it finds it there. Those of one half come one after the other,
// though the second has to wait for the first.

// CHECK-LABEL: zin.program @found
// CHECK: zin.task {{.*}} reads <@h + 0,{{.*}} writes <@r + 0,
// CHECK-NEXT: zin.task {{.*}} reads <@h + 0,{{.*}} writes <@r + 64,
// CHECK-NEXT: zin.task {{.*}} reads <@h + 14336,{{.*}} writes <@r + 8192,
// CHECK-NEXT: zin.task {{.*}} reads <@h + 14336,{{.*}} writes <@r + 8256,
zin.program @found {
  zin.buffer <input> @x 917504 bytes <@x + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> {host_type = tensor<64x112x64xf16>, port = "x"}
  zin.buffer <input> @h 1835008 bytes <@h + 0, [1, 1, 64, 224, 64], [1835008, 1835008, 28672, 128]> {host_type = tensor<64x224x64xf16>, port = "h"}
  zin.buffer <output> @r 16384 bytes <@r + 0, [1, 1, 256, 1, 1], [16384, 16384, 64, 64]> {host_type = tensor<256x1x1xf16>, port = "r"}
  zin.buffer <output> @y 4096 bytes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> {host_type = tensor<64x1x1xf16>, port = "y"}
  zin.buffer <scratch> @a 917504 bytes <@a + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]>
  zin.buffer <scratch> @b 917504 bytes <@b + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]>
  zin.buffer <scratch> @c 4096 bytes <@c + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]>
  zin.buffer <scratch> @d 4096 bytes <@d + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@h + 0, [1, 1, 64, 112, 64], [1835008, 1835008, 28672, 128]> writes <@r + 0, [1, 1, 64, 1, 1], [8192, 8192, 128, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@h + 0, [1, 1, 64, 112, 64], [1835008, 1835008, 28672, 128]> writes <@r + 64, [1, 1, 64, 1, 1], [8192, 8192, 128, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@h + 14336, [1, 1, 64, 112, 64], [1835008, 1835008, 28672, 128]> writes <@r + 8192, [1, 1, 64, 1, 1], [8192, 8192, 128, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@h + 14336, [1, 1, 64, 112, 64], [1835008, 1835008, 28672, 128]> writes <@r + 8256, [1, 1, 64, 1, 1], [8192, 8192, 128, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@a + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@b + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@a + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@c + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@b + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@d + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@c + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> and <@d + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> writes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none>
}

// -----

// @m is copied to @c and @e, in front of what reads these. Though the copies
// wait for nothing, the second one stays behind what it has in front of it.

// CHECK-LABEL: zin.program @copies
// CHECK: zin.task {{.*}} writes <@a + 0,
// CHECK-NEXT: zin.task {{.*}} writes <@r + 0,
// CHECK: zin.task {{.*}} writes <@c + 0,
// CHECK-NEXT: zin.task {{.*}} reads <@c + 0,
// CHECK-NEXT: zin.task {{.*}} reads <@c + 0,
// CHECK: zin.task {{.*}} writes <@v + 0,
// CHECK-NEXT: zin.task {{.*}} writes <@e + 0,
// CHECK-NEXT: zin.task {{.*}} reads <@e + 0,
zin.program @copies {
  zin.buffer <input> @x 917504 bytes <@x + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> {host_type = tensor<64x112x64xf16>, port = "x"}
  zin.buffer <input> @m 229376 bytes <@m + 0, [1, 1, 64, 28, 64], [229376, 229376, 3584, 128]> {host_type = tensor<64x28x64xf16>, port = "m"}
  zin.buffer <output> @y 4096 bytes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> {host_type = tensor<64x1x1xf16>, port = "y"}
  zin.buffer <scratch> @a 917504 bytes <@a + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]>
  zin.buffer <scratch> @b 917504 bytes <@b + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]>
  zin.buffer <scratch> @c 229376 bytes <@c + 0, [1, 1, 64, 28, 64], [229376, 229376, 3584, 128]>
  zin.buffer <scratch> @e 229376 bytes <@e + 0, [1, 1, 64, 28, 64], [229376, 229376, 3584, 128]>
  zin.buffer <scratch> @r 4096 bytes <@r + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]>
  zin.buffer <scratch> @s 4096 bytes <@s + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]>
  zin.buffer <scratch> @t 4096 bytes <@t + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]>
  zin.buffer <scratch> @u 4096 bytes <@u + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]>
  zin.buffer <scratch> @v 4096 bytes <@v + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]>
  zin.buffer <scratch> @w 4096 bytes <@w + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]>
  zin.buffer <scratch> @p 4096 bytes <@p + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]>
  zin.buffer <scratch> @q 4096 bytes <@q + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]>
  zin.buffer <scratch> @k 4096 bytes <@k + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]>
  zin.buffer <scratch> @l 4096 bytes <@l + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@a + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@b + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@a + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@r + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@b + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@s + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@r + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> and <@s + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> writes <@t + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@m + 0, [1, 1, 64, 28, 64], [229376, 229376, 3584, 128]> writes <@c + 0, [1, 1, 64, 28, 64], [229376, 229376, 3584, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@c + 0, [1, 1, 64, 28, 64], [229376, 229376, 3584, 128]> writes <@u + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@c + 0, [1, 1, 64, 28, 64], [229376, 229376, 3584, 128]> writes <@p + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = max, post = none>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@u + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> and <@p + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> writes <@q + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@t + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> and <@q + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> writes <@v + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@m + 0, [1, 1, 64, 28, 64], [229376, 229376, 3584, 128]> writes <@e + 0, [1, 1, 64, 28, 64], [229376, 229376, 3584, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@e + 0, [1, 1, 64, 28, 64], [229376, 229376, 3584, 128]> writes <@w + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@e + 0, [1, 1, 64, 28, 64], [229376, 229376, 3584, 128]> writes <@k + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = max, post = none>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@w + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> and <@k + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> writes <@l + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@v + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> and <@l + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> writes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none>
}

// -----

// @a is returned as well. Copied behind the last task, it would have to lie beside
// @b, for which there is no room; copied where it is computed, it need not.

// CHECK-LABEL: zin.program @returned
// CHECK: zin.task {{.*}} writes <@a + 0,
// CHECK-NEXT: zin.task {{.*}} reads <@a + 0,{{.*}} writes <@z + 0,
// CHECK-NEXT: zin.task {{.*}} writes <@c + 0,
// CHECK-NEXT: zin.task {{.*}} writes <@b + 0,
// CHECK-NEXT: zin.task {{.*}} writes <@d + 0,
// CHECK-NEXT: zin.task {{.*}} writes <@y + 0,
zin.program @returned {
  zin.buffer <input> @x 917504 bytes <@x + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> {host_type = tensor<64x112x64xf16>, port = "x"}
  zin.buffer <output> @y 4096 bytes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> {host_type = tensor<64x1x1xf16>, port = "y"}
  zin.buffer <output> @z 917504 bytes <@z + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> {host_type = tensor<64x112x64xf16>, port = "z"}
  zin.buffer <scratch> @a 917504 bytes <@a + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]>
  zin.buffer <scratch> @b 917504 bytes <@b + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]>
  zin.buffer <scratch> @c 4096 bytes <@c + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]>
  zin.buffer <scratch> @d 4096 bytes <@d + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@a + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@a + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@c + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@b + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
  zin.task <PEFUSED_POOL> on <PEPool> reads <@b + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@d + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = none>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@c + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> and <@d + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> writes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none>
  zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@a + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> writes <@z + 0, [1, 1, 64, 112, 64], [917504, 917504, 14336, 128]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
}
