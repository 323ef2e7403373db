// RUN: ane-opt %s --zin-compress-kernels --split-input-file | FileCheck %s

// Two different weights take indices of 4 bits. A palette is no gain for a
// kernel that fills only the 64 bytes that a lane has at least.

// CHECK-LABEL: zin.program @palettes
// CHECK: zin.kernel @large {{.*}}storage = #zin.kernel_storage<palette4>
// CHECK: zin.kernel @small
// CHECK-NOT: storage
zin.program @palettes attributes {zin.palettized} {
  zin.kernel @large {groups = 1 : i64, ocg_size = 0 : i64, outputs = 2 : i64, taps = 512 : i64, weights = dense<2.0> : tensor<2x512xf16>}
  zin.kernel @small {groups = 1 : i64, ocg_size = 0 : i64, outputs = 2 : i64, taps = 32 : i64, weights = dense<2.0> : tensor<2x32xf16>}
}

// -----

// A program whose weights were dense keeps them so.

// CHECK-LABEL: zin.program @dense
// CHECK: zin.kernel @large
// CHECK-NOT: storage
zin.program @dense {
  zin.kernel @large {groups = 1 : i64, ocg_size = 0 : i64, outputs = 2 : i64, taps = 512 : i64, weights = dense<2.0> : tensor<2x512xf16>}
}

// -----

// Zeros are left out where all tasks of a kernel have the same window and
// strides, of 1 or of 2.

// CHECK-LABEL: zin.program @sparse
// CHECK: zin.kernel @pointwise {{.*}}storage = #zin.kernel_storage<sparse>
// CHECK: zin.kernel @square {{.*}}storage = #zin.kernel_storage<sparse>
// CHECK: zin.kernel @narrow {{.*}}storage = #zin.kernel_storage<sparse>
// CHECK: zin.kernel @unused
// CHECK-NOT: storage
// CHECK: zin.kernel @stride_of_one {{.*}}storage = #zin.kernel_storage<sparse>
// CHECK: zin.kernel @wide {{.*}}storage = #zin.kernel_storage<sparse>
// CHECK: zin.kernel @both
// CHECK-NOT: storage
zin.program @sparse attributes {zin.sparse} {
  zin.kernel @pointwise {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 36 : i64, weights = dense<0.0> : tensor<64x36xf16>}
  zin.kernel @square {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 36 : i64, weights = dense<0.0> : tensor<64x36xf16>}
  zin.kernel @narrow {groups = 1 : i64, ocg_size = 0 : i64, outputs = 64 : i64, taps = 36 : i64, weights = dense<0.0> : tensor<64x36xf16>}
  zin.kernel @unused {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 36 : i64, weights = dense<0.0> : tensor<64x36xf16>}
  zin.kernel @stride_of_one {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 36 : i64, weights = dense<0.0> : tensor<64x36xf16>}
  zin.kernel @wide {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 36 : i64, weights = dense<0.0> : tensor<64x36xf16>}
  zin.kernel @both {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 36 : i64, weights = dense<0.0> : tensor<64x36xf16>}
  zin.buffer <input> @x 768 bytes <@x + 0, [1, 1, 4, 3, 3], [768, 768, 192, 64]> {host_type = tensor<1x4x3x3xf16>, port = "x"}
  zin.buffer <output> @y 4096 bytes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> {host_type = tensor<1x64x1x1xf16>, port = "y"}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 4, 3, 3], [768, 768, 192, 64]> writes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.ne<op = mac, window = [1, 1], stride = [2, 2], padding = [0, 0]> with @pointwise
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 4, 3, 3], [768, 768, 192, 64]> writes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.ne<op = mac, window = [3, 3], stride = [2, 2], padding = [0, 0]> with @square
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 4, 3, 3], [768, 768, 192, 64]> writes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.ne<op = mac, window = [3, 3], stride = [2, 2], padding = [0, 0]> with @narrow
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 4, 3, 3], [768, 768, 192, 64]> writes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [0, 0]> with @stride_of_one
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 4, 3, 3], [768, 768, 192, 64]> writes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.ne<op = mac, window = [6, 6], stride = [2, 2], padding = [0, 0]> with @wide
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 4, 3, 3], [768, 768, 192, 64]> writes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.ne<op = mac, window = [1, 1], stride = [2, 2], padding = [0, 0]> with @both
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 4, 3, 3], [768, 768, 192, 64]> writes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.ne<op = mac, window = [3, 3], stride = [2, 2], padding = [0, 0]> with @both
}

// -----

// Few weights, and no zeros among them.

// CHECK-LABEL: zin.program @both
// CHECK: zin.kernel @few {{.*}}storage = #zin.kernel_storage<palette4>
zin.program @both attributes {zin.palettized, zin.sparse} {
  zin.kernel @few {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 512 : i64, weights = dense<1.0> : tensor<64x512xf16>}
  zin.buffer <input> @x 32768 bytes <@x + 0, [1, 1, 512, 1, 1], [32768, 32768, 64, 64]> {host_type = tensor<1x512x1x1xf16>, port = "x"}
  zin.buffer <output> @y 4096 bytes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> {host_type = tensor<1x64x1x1xf16>, port = "y"}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 512, 1, 1], [32768, 32768, 64, 64]> writes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @few
}

// -----

// What steps by 2 in both directions has no other form, whatever its weights are
// and came as.

// CHECK-LABEL: zin.program @strided
// CHECK: zin.kernel @by_two {{.*}}storage = #zin.kernel_storage<sparse>
// CHECK: zin.kernel @by_one
// CHECK-NOT: storage
// CHECK: zin.kernel @by_rows
// CHECK-NOT: storage
zin.program @strided {
  zin.kernel @by_two {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 36 : i64, weights = dense<1.0> : tensor<64x36xf16>}
  zin.kernel @by_one {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 36 : i64, weights = dense<2.0> : tensor<64x36xf16>}
  zin.kernel @by_rows {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 36 : i64, weights = dense<3.0> : tensor<64x36xf16>}
  zin.buffer <input> @x 768 bytes <@x + 0, [1, 1, 4, 3, 3], [768, 768, 192, 64]> {host_type = tensor<1x4x3x3xf16>, port = "x"}
  zin.buffer <output> @y 4096 bytes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> {host_type = tensor<1x64x1x1xf16>, port = "y"}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 4, 3, 3], [768, 768, 192, 64]> writes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.ne<op = mac, window = [3, 3], stride = [2, 2], padding = [0, 0]> with @by_two
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 4, 3, 3], [768, 768, 192, 64]> writes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [0, 0]> with @by_one
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 4, 3, 3], [768, 768, 192, 64]> writes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.ne<op = mac, window = [3, 3], stride = [2, 1], padding = [0, 0]> with @by_rows
}

// -----

// CHECK-LABEL: zin.program @strided_palette
// CHECK: zin.kernel @by_two {{.*}}storage = #zin.kernel_storage<sparse>
zin.program @strided_palette attributes {zin.palettized} {
  zin.kernel @by_two {groups = 1 : i64, ocg_size = 2 : i64, outputs = 64 : i64, taps = 36 : i64, weights = dense<1.0> : tensor<64x36xf16>}
  zin.buffer <input> @x 768 bytes <@x + 0, [1, 1, 4, 3, 3], [768, 768, 192, 64]> {host_type = tensor<1x4x3x3xf16>, port = "x"}
  zin.buffer <output> @y 4096 bytes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> {host_type = tensor<1x64x1x1xf16>, port = "y"}
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 4, 3, 3], [768, 768, 192, 64]> writes <@y + 0, [1, 1, 64, 1, 1], [4096, 4096, 64, 64]> computes #zin.ne<op = mac, window = [3, 3], stride = [2, 2], padding = [0, 0]> with @by_two
}
