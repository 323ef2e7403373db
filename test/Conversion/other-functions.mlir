// What a host has in a module beside functions of MIL stays as it is, and so
// does a module in it, for which the passes are run on that.

// RUN: split-file %s %t
// RUN: ane-opt %t/beside.mlir --allow-unregistered-dialect --pass-pipeline='builtin.module(ane-to-tasks)' | FileCheck %t/beside.mlir
// RUN: not ane-opt %t/inside.mlir --allow-unregistered-dialect --pass-pipeline='builtin.module(ane-to-tasks)' 2>&1 | FileCheck %t/inside.mlir

//--- beside.mlir
// CHECK:      module
// CHECK-NEXT:   "host.func"() ({
// CHECK-NEXT:     %[[X:.*]] = "host.make"() : () -> tensor<2xf16>
// CHECK-NEXT:     "host.run"(%[[X]]) {callee = @main} : (tensor<2xf16>) -> ()
// CHECK-NEXT:   }) : () -> ()
// CHECK-NEXT:   module @other {
// CHECK-NEXT:     mil.func @main
// CHECK:        zin.program @main
module {
  "host.func"() ({
    %x = "host.make"() : () -> tensor<2xf16>
    "host.run"(%x) {callee = @main} : (tensor<2xf16>) -> ()
  }) : () -> ()
  module @other {
    mil.func @main(%x: tensor<2xf16> {mil.name = "x"}) -> tensor<2xf16> attributes {opset = "ios18"} {
      mil.return %x : tensor<2xf16>
    }
  }
  mil.func @main(%x: tensor<2xf16> {mil.name = "x"}) -> tensor<2xf16> attributes {opset = "ios18"} {
    %y = mil.relu(x = %x) {result_names = ["y"]} : (tensor<2xf16>) -> tensor<2xf16>
    mil.return %y : tensor<2xf16>
  }
}

//--- inside.mlir
// One in a function of MIL is no op that it may have.
module {
  mil.func @main(%x: tensor<2xf16> {mil.name = "x"}) -> tensor<2xf16> attributes {opset = "ios18"} {
    // CHECK: inside.mlir:[[@LINE+1]]:10: error: turn: no layer of the engine expresses this op
    %y = "host.turn"(%x) : (tensor<2xf16>) -> tensor<2xf16>
    mil.return %y : tensor<2xf16>
  }
}
