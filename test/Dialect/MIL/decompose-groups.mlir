// RUN: ane-opt %s --pass-pipeline='builtin.module(mil.func(mil-decompose))' | FileCheck %s

// More groups than a layer has are several convolutions, but not where each
// channel is one by itself. What they compute is tested in e2e/conv-channels.mil.

// CHECK-LABEL: mil.func @pairs
mil.func @pairs(%x: tensor<1x16384x2x2xf16> {mil.name = "x"}) -> tensor<1x8192x2x2xf16> attributes {opset = "ios18"} {
  %w = mil.const dense<1.0> : tensor<8192x2x1x1xf16>
  %groups = mil.const dense<8192> : tensor<i32>
  // CHECK-COUNT-2: mil.conv({{.*}} (tensor<1x8192x2x2xf16>, tensor<4096x2x1x1xf16>, tensor<i32>) -> tensor<1x4096x2x2xf16>
  // CHECK: mil.concat({{.*}} -> tensor<1x8192x2x2xf16>
  %y = mil.conv(x = %x, weight = %w, groups = %groups) {result_names = ["y"]} : (tensor<1x16384x2x2xf16>, tensor<8192x2x1x1xf16>, tensor<i32>) -> tensor<1x8192x2x2xf16>
  mil.return %y : tensor<1x8192x2x2xf16>
}

// CHECK-LABEL: mil.func @channels
mil.func @channels(%x: tensor<1x9000x2x2xf16> {mil.name = "x"}) -> tensor<1x9000x2x2xf16> attributes {opset = "ios18"} {
  %w = mil.const dense<1.0> : tensor<9000x1x1x1xf16>
  %groups = mil.const dense<9000> : tensor<i32>
  // CHECK: mil.conv({{.*}} -> tensor<1x9000x2x2xf16>
  // CHECK-NOT: mil.concat
  %y = mil.conv(x = %x, weight = %w, groups = %groups) {result_names = ["y"]} : (tensor<1x9000x2x2xf16>, tensor<9000x1x1x1xf16>, tensor<i32>) -> tensor<1x9000x2x2xf16>
  mil.return %y : tensor<1x9000x2x2xf16>
}
