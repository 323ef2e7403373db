// RUN: ane-opt %s --pass-pipeline='builtin.module(mil.func(mil-fold-long-rows))' | FileCheck %s
// RUN: ane-opt %s --pass-pipeline='builtin.module(mil.func(mil-fold-long-columns))' | FileCheck %s
// RUN: ane-opt %s --pass-pipeline='builtin.module(mil.func(mil-split-long-rows))' | FileCheck %s
// RUN: ane-opt %s --pass-pipeline='builtin.module(mil.func(mil-fold-lone-rows))' | FileCheck %s

// What a block reads keeps its shape.
// CHECK-LABEL: mil.func @rows
// CHECK: %[[Z:.*]] = mil.relu(x = %{{.*}}) : (tensor<1x1x20480xf16>) -> tensor<1x1x20480xf16>
// CHECK: mil.reshape(x = %[[Z]], {{.*}}) : (tensor<1x1x20480xf16>, tensor<3xi32>) -> tensor<1x2x10240xf16>
// CHECK: mil.while_loop
// CHECK: mil.reshape(x = %[[Z]], {{.*}}) : (tensor<1x1x20480xf16>, tensor<3xi32>) -> tensor<1x2x10240xf16>
mil.func @rows(%n: tensor<i32> {mil.name = "n"}, %a: tensor<1x2x10240xf16> {mil.name = "a"}) -> tensor<1x2x10240xf16> attributes {opset = "ios18"} {
  %one = mil.const dense<1> : tensor<i32>
  %long = mil.const dense<[1, 1, 20480]> : tensor<3xi32>
  %short = mil.const dense<[1, 2, 10240]> : tensor<3xi32>
  %r = mil.reshape(x = %a, shape = %long) : (tensor<1x2x10240xf16>, tensor<3xi32>) -> tensor<1x1x20480xf16>
  %z = mil.relu(x = %r) : (tensor<1x1x20480xf16>) -> tensor<1x1x20480xf16>
  %b = mil.reshape(x = %z, shape = %short) : (tensor<1x1x20480xf16>, tensor<3xi32>) -> tensor<1x2x10240xf16>
  %i, %y = mil.while_loop(%n, %b : tensor<i32>, tensor<1x2x10240xf16>) -> (tensor<i32>, tensor<1x2x10240xf16>) {
  ^bb0(%i: tensor<i32>, %v: tensor<1x2x10240xf16>):
    %c = mil.less(x = %i, y = %one) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    mil.yield %c : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %v: tensor<1x2x10240xf16>):
    %t = mil.add(x = %i, y = %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %q = mil.reshape(x = %z, shape = %short) : (tensor<1x1x20480xf16>, tensor<3xi32>) -> tensor<1x2x10240xf16>
    mil.yield %t, %q : tensor<i32>, tensor<1x2x10240xf16>
  }
  mil.return %y : tensor<1x2x10240xf16>
}

// CHECK-LABEL: mil.func @columns
// CHECK-SAME: %[[A:[^:]*]]: tensor<20000x2xf16> {mil.name = "a"}
// CHECK: %[[Z:.*]] = mil.relu(x = %[[A]]) : (tensor<20000x2xf16>) -> tensor<20000x2xf16>
// CHECK: mil.while_loop
// CHECK: mil.reduce_max(x = %[[Z]], {{.*}}) : (tensor<20000x2xf16>, tensor<1xi32>, tensor<i1>) -> tensor<2xf16>
mil.func @columns(%n: tensor<i32> {mil.name = "n"}, %a: tensor<20000x2xf16> {mil.name = "a"}) -> tensor<2xf16> attributes {opset = "ios18"} {
  %one = mil.const dense<1> : tensor<i32>
  %axes = mil.const dense<0> : tensor<1xi32>
  %no = mil.const dense<false> : tensor<i1>
  %z = mil.relu(x = %a) : (tensor<20000x2xf16>) -> tensor<20000x2xf16>
  %b = mil.reduce_sum(x = %z, axes = %axes, keep_dims = %no) : (tensor<20000x2xf16>, tensor<1xi32>, tensor<i1>) -> tensor<2xf16>
  %i, %y = mil.while_loop(%n, %b : tensor<i32>, tensor<2xf16>) -> (tensor<i32>, tensor<2xf16>) {
  ^bb0(%i: tensor<i32>, %v: tensor<2xf16>):
    %c = mil.less(x = %i, y = %one) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    mil.yield %c : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %v: tensor<2xf16>):
    %t = mil.add(x = %i, y = %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %q = mil.reduce_max(x = %z, axes = %axes, keep_dims = %no) : (tensor<20000x2xf16>, tensor<1xi32>, tensor<i1>) -> tensor<2xf16>
    mil.yield %t, %q : tensor<i32>, tensor<2xf16>
  }
  mil.return %y : tensor<2xf16>
}
