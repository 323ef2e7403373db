// A parameter that a block computes from more than what is folded while blocks are
// flattened is known behind them.
// RUN: ane-compile %s -o %t.hwx --verify 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=warning:

// CHECK: verify: y [8, 4, 64]: {{.*}} relative L2 error 0.0

mil.func @main(%x: tensor<8x4x64xf16> {mil.name = "x"}, %k: tensor<1x64x64xf16> {mil.name = "k"}) -> tensor<8x4x64xf16> attributes {opset = "ios18"} {
  %yes = mil.const dense<true> : tensor<i1>
  %one = mil.const dense<1.0> : tensor<f16>
  %extents = mil.const dense<[1024]> : tensor<1xi32>
  %reps = mil.const dense<[8, 1, 1]> : tensor<3xi32>
  %bool = mil.const dense<"bool"> : tensor<!mil.string>
  %t = mil.cond %yes : tensor<i1> -> (tensor<i1>) {
    %f = mil.fill(shape = %extents, value = %one) : (tensor<1xi32>, tensor<f16>) -> tensor<1024xf16>
    %m = mil.reduce_max(x = %f) : (tensor<1024xf16>) -> tensor<f16>
    %b = mil.cast(x = %m, dtype = %bool) : (tensor<f16>, tensor<!mil.string>) -> tensor<i1>
    mil.yield %b : tensor<i1>
  } else {
    mil.yield %yes : tensor<i1>
  }
  %kk = mil.tile(x = %k, reps = %reps) : (tensor<1x64x64xf16>, tensor<3xi32>) -> tensor<8x64x64xf16>
  %y = mil.matmul(x = %x, y = %kk, transpose_y = %t) {result_names = ["y"]} : (tensor<8x4x64xf16>, tensor<8x64x64xf16>, tensor<i1>) -> tensor<8x4x64xf16>
  mil.return %y : tensor<8x4x64xf16>
}
