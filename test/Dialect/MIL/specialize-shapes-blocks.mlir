// RUN: split-file %s %t
// RUN: ane-opt %t/blocks.mlir "--mil-specialize-shapes=shape=x=3" | FileCheck %s
// RUN: ane-opt %t/refused.mlir --split-input-file --verify-diagnostics "--mil-specialize-shapes=shape=x=3"

// What a block computes of the inputs gets its extents too, however deep blocks
// nest.

//--- blocks.mlir
// CHECK-LABEL: mil.func @main
// CHECK-SAME: -> (tensor<6xf16>, tensor<3xf16>)
mil.func @main(%p: tensor<i1> {mil.name = "p"}, %x: tensor<?xf16> {mil.name = "x"}) -> (tensor<?xf16>, tensor<?xf16>) attributes {opset = "ios16"} {
  %zero = mil.const dense<0> : tensor<i32>
  %no = mil.const dense<false> : tensor<i1>
  // CHECK: mil.cond %{{.*}} : tensor<i1> -> (tensor<6xf16>) {
  %y = mil.cond %p : tensor<i1> -> (tensor<?xf16>) {
    // CHECK: mil.concat({{.*}} -> tensor<6xf16>
    %c = mil.concat(values = [%x, %x], axis = %zero, interleave = %no) : (tensor<?xf16>, tensor<?xf16>, tensor<i32>, tensor<i1>) -> tensor<?xf16>
    // CHECK: mil.yield %{{.*}} : tensor<6xf16>
    mil.yield %c : tensor<?xf16>
  } else {
    // CHECK: mil.cond %{{.*}} : tensor<i1> -> (tensor<3xf16>) {
    %n = mil.cond %p : tensor<i1> -> (tensor<?xf16>) {
      mil.yield %x : tensor<?xf16>
    } else {
      // CHECK: mil.relu({{.*}} -> tensor<3xf16>
      %r = mil.relu(x = %x) : (tensor<?xf16>) -> tensor<?xf16>
      mil.yield %r : tensor<?xf16>
    }
    // CHECK: mil.concat({{.*}} -> tensor<6xf16>
    %c = mil.concat(values = [%n, %x], axis = %zero, interleave = %no) : (tensor<?xf16>, tensor<?xf16>, tensor<i32>, tensor<i1>) -> tensor<?xf16>
    mil.yield %c : tensor<?xf16>
  }
  // CHECK: mil.while_loop(%{{.*}} : tensor<3xf16>) -> (tensor<3xf16>) {
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<3xf16>):
  %z = mil.while_loop(%x : tensor<?xf16>) -> (tensor<?xf16>) {
  ^bb0(%v: tensor<?xf16>):
    mil.yield %p : tensor<i1>
  } do {
  // CHECK: ^bb0(%{{.*}}: tensor<3xf16>):
  ^bb0(%v: tensor<?xf16>):
    // CHECK: mil.relu({{.*}} -> tensor<3xf16>
    %r = mil.relu(x = %v) : (tensor<?xf16>) -> tensor<?xf16>
    mil.yield %r : tensor<?xf16>
  }
  mil.return %y, %z : tensor<?xf16>, tensor<?xf16>
}

// A value has one shape, whatever is chosen and however often a block runs.

//--- refused.mlir
mil.func @cond(%p: tensor<i1> {mil.name = "p"}, %x: tensor<?xf16> {mil.name = "x"}) -> tensor<?xf16> attributes {opset = "ios16"} {
  %zero = mil.const dense<0> : tensor<i32>
  %no = mil.const dense<false> : tensor<i1>
  // expected-error@+1 {{cond: the blocks yield tensor<fp16, [6]> and tensor<fp16, [3]> with all inputs bound; a shape that depends on 'pred' cannot be compiled ahead of time: let both yield one shape, or 'pred' follow from constants [mil-shape-c1]}}
  %y = mil.cond %p : tensor<i1> -> (tensor<?xf16>) {
    %c = mil.concat(values = [%x, %x], axis = %zero, interleave = %no) : (tensor<?xf16>, tensor<?xf16>, tensor<i32>, tensor<i1>) -> tensor<?xf16>
    mil.yield %c : tensor<?xf16>
  } else {
    mil.yield %x : tensor<?xf16>
  }
  mil.return %y : tensor<?xf16>
}

// -----

mil.func @declared(%p: tensor<i1> {mil.name = "p"}, %x: tensor<?xf16> {mil.name = "x"}) -> tensor<4xf16> attributes {opset = "ios16"} {
  // expected-error@+1 {{cond: the result is declared as tensor<fp16, [4]>, but the inputs give tensor<fp16, [3]> [mil-result-c1]}}
  %y = mil.cond %p : tensor<i1> -> (tensor<4xf16>) {
    mil.yield %x : tensor<?xf16>
  } else {
    mil.yield %x : tensor<?xf16>
  }
  mil.return %y : tensor<4xf16>
}

// -----

mil.func @grows(%p: tensor<i1> {mil.name = "p"}, %x: tensor<?xf16> {mil.name = "x"}) -> tensor<?xf16> attributes {opset = "ios16"} {
  %zero = mil.const dense<0> : tensor<i32>
  %no = mil.const dense<false> : tensor<i1>
  // expected-error@+1 {{while_loop: loop variable 0 starts as tensor<fp16, [3]>, but the body yields tensor<fp16, [6]>; a shape that changes from turn to turn cannot be compiled ahead of time: let the body keep it [mil-shape-c1]}}
  %y = mil.while_loop(%x : tensor<?xf16>) -> (tensor<?xf16>) {
  ^bb0(%v: tensor<?xf16>):
    mil.yield %p : tensor<i1>
  } do {
  ^bb0(%v: tensor<?xf16>):
    %c = mil.concat(values = [%v, %v], axis = %zero, interleave = %no) : (tensor<?xf16>, tensor<?xf16>, tensor<i32>, tensor<i1>) -> tensor<?xf16>
    mil.yield %c : tensor<?xf16>
  }
  mil.return %y : tensor<?xf16>
}

// -----

mil.func @inside(%p: tensor<i1> {mil.name = "p"}, %x: tensor<?xf16> {mil.name = "x"}) -> tensor<2xf16> attributes {opset = "ios16"} {
  %two = mil.const dense<1.0> : tensor<2xf16>
  %y = mil.cond %p : tensor<i1> -> (tensor<2xf16>) {
    // expected-error@+1 {{add: extents 3 and 2 of dimension 0 do not broadcast}}
    %a = mil.add(x = %x, y = %two) : (tensor<?xf16>, tensor<2xf16>) -> tensor<2xf16>
    mil.yield %a : tensor<2xf16>
  } else {
    mil.yield %two : tensor<2xf16>
  }
  mil.return %y : tensor<2xf16>
}
