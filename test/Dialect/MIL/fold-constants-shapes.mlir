// RUN: ane-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(mil.func(mil-fold-constants))'

// What a list of extents turns out to be on the way is held against the types
// that were declared before.

mil.func @tile() -> tensor<4xi32> attributes {opset = "ios16"} {
  %x = mil.const dense<[1, 2]> : tensor<2xi32>
  %three = mil.const dense<[3]> : tensor<1xi32>
  %reps = mil.identity(x = %three) : (tensor<1xi32>) -> tensor<1xi32>
  // expected-error@+1 {{tile: the result is declared as tensor<int32, [4]>, but the inputs give tensor<int32, [6]>}}
  %y = mil.tile(x = %x, reps = %reps) : (tensor<2xi32>, tensor<1xi32>) -> tensor<4xi32>
  mil.return %y : tensor<4xi32>
}

// -----

mil.func @topk() -> tensor<4xi32> attributes {opset = "ios16"} {
  %x = mil.const dense<[1, 2]> : tensor<2xi32>
  %three = mil.const dense<3> : tensor<i32>
  %k = mil.identity(x = %three) : (tensor<i32>) -> tensor<i32>
  // expected-error@+1 {{topk: 'k' is 3, but dimension 0 has 2 elements; it must lie between 0 and that, or be -1 for all [mil-topk-c1]}}
  %y, %i = mil.topk(x = %x, k = %k) : (tensor<2xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<4xi32>)
  mil.return %y : tensor<4xi32>
}

// -----

mil.func @slice_update() -> tensor<2xi32> attributes {opset = "ios18"} {
  %x = mil.const dense<[1, 2]> : tensor<2xi32>
  %u = mil.const dense<[3, 4]> : tensor<2xi32>
  %begin = mil.const dense<[1]> : tensor<1xi32>
  %two = mil.const dense<[2]> : tensor<1xi32>
  %end = mil.identity(x = %two) : (tensor<1xi32>) -> tensor<1xi32>
  // expected-error@+1 {{slice_update: 'update' is tensor<int32, [2]>, but the slice it replaces is tensor<int32, [1]> [mil-slice_update-c1]}}
  %y = mil.slice_update(x = %x, update = %u, begin = %begin, end = %end) : (tensor<2xi32>, tensor<2xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  mil.return %y : tensor<2xi32>
}
