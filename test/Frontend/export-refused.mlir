// RUN: not ane-translate --export-mil %s 2>&1 | FileCheck %s

// All that MIL text cannot say is reported, and no text is written.
// CHECK-NOT: program

module {
  mil.func @main(%arg0: tensor<2xf16> {mil.name = "x"}) -> tensor<2xf16> attributes {opset = "ios16"} {
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: MIL text cannot say the value of this constant
    %0 = mil.const dense<1> : tensor<1xi7>
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: the elements of this constant are not in the IR: {{.*}}; write bytecode or a file
    %1 = mil.const dense_resource<absent> : tensor<4xf16>
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: MIL text cannot say the attribute "a b"
    %2 = mil.relu(x = %arg0) {text_attrs = {"a b" = dense<1> : tensor<i32>}} : (tensor<2xf16>) -> tensor<2xf16>
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: MIL text cannot say the attribute "b"
    %3 = mil.relu(x = %arg0) {text_attrs = {b = affine_map<(d0) -> (d0)>}} : (tensor<2xf16>) -> tensor<2xf16>
    %4 = mil.const dense<true> : tensor<i1>
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: 'mil.cond' is no op of MIL text
    %5 = mil.cond %4 : tensor<i1> -> (tensor<2xf16>) {
      mil.yield %3 : tensor<2xf16>
    } else {
      mil.yield %arg0 : tensor<2xf16>
    }
    mil.return %5 : tensor<2xf16>
  }
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: 'a b' is no name in MIL text
  mil.func @"a b"(%arg0: tensor<2xf16> {mil.name = "x"}) -> tensor<2xf16> attributes {opset = "ios16"} {
    mil.return %arg0 : tensor<2xf16>
  }
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: 'x' cannot name a parameter in MIL text, or names two
  mil.func @twice(%arg0: tensor<2xf16> {mil.name = "x"}, %arg1: tensor<2xf16> {mil.name = "x"}) -> tensor<2xf16> attributes {opset = "ios16"} {
    mil.return %arg0 : tensor<2xf16>
  }
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: MIL text cannot say the type 'tensor<2xi7>'
  mil.func @type(%arg0: tensor<2xi7> {mil.name = "x"}) -> tensor<2xi7> attributes {opset = "ios16"} {
    mil.return %arg0 : tensor<2xi7>
  }
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: a function in MIL text has at least one output
  mil.func @none(%arg0: tensor<2xf16> {mil.name = "x"}) attributes {opset = "ios16"} {
    mil.return
  }
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: 'builtin.module' is no function of MIL text
  module {}
}
