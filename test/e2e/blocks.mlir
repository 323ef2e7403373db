// Branches and loops, which MIL text has no known form for, run on the engine:
// both sides of a branch, of which one writes a state, and each turn of a loop.
// RUN: ane-compile %s -o %t.hwx --verify 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=warning:
// RUN: ane-compile %s -o %t.v7.hwx --td-format=v7 --verify

// CHECK: verify: chosen [1, 4, 2, 8]: {{.*}} relative L2 error 0.0
// CHECK: verify: power [1, 4, 2, 8]: {{.*}} relative L2 error 0.0

mil.func @main(%s: !mil.state<tensor<1x4x2x8xf16>> {mil.name = "s"}, %p: tensor<1xi1> {mil.name = "p"}, %a: tensor<1x4x2x8xf16> {mil.name = "a"}) -> (tensor<1x4x2x8xf16>, tensor<1x4x2x8xf16>) attributes {opset = "ios18"} {
  %zero = mil.const dense<0> : tensor<i32>
  %one = mil.const dense<1> : tensor<i32>
  %three = mil.const dense<3> : tensor<i32>
  %y = mil.cond %p : tensor<1xi1> -> (tensor<1x4x2x8xf16>) {
    %b = mil.square(x = %a) : (tensor<1x4x2x8xf16>) -> tensor<1x4x2x8xf16>
    mil.write_state(input = %s, data = %b) : (!mil.state<tensor<1x4x2x8xf16>>, tensor<1x4x2x8xf16>) -> ()
    mil.yield %b : tensor<1x4x2x8xf16>
  } else {
    %b = mil.sqrt(x = %a) : (tensor<1x4x2x8xf16>) -> tensor<1x4x2x8xf16>
    mil.yield %b : tensor<1x4x2x8xf16>
  }
  %chosen = mil.identity(x = %y) {result_names = ["chosen"]} : (tensor<1x4x2x8xf16>) -> tensor<1x4x2x8xf16>
  %n, %z = mil.while_loop(%zero, %a : tensor<i32>, tensor<1x4x2x8xf16>) -> (tensor<i32>, tensor<1x4x2x8xf16>) {
  ^bb0(%i: tensor<i32>, %x: tensor<1x4x2x8xf16>):
    %c = mil.less(x = %i, y = %three) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    mil.yield %c : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %x: tensor<1x4x2x8xf16>):
    %b = mil.mul(x = %x, y = %a) : (tensor<1x4x2x8xf16>, tensor<1x4x2x8xf16>) -> tensor<1x4x2x8xf16>
    %next = mil.add(x = %i, y = %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    mil.yield %next, %b : tensor<i32>, tensor<1x4x2x8xf16>
  }
  %power = mil.identity(x = %z) {result_names = ["power"]} : (tensor<1x4x2x8xf16>) -> tensor<1x4x2x8xf16>
  mil.return %chosen, %power : tensor<1x4x2x8xf16>, tensor<1x4x2x8xf16>
}
