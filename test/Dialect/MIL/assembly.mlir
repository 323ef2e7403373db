// The names of an op and its results are properties of it, not attributes; both
// forms of assembly and bytecode keep them, an empty label too.
//
// RUN: ane-opt %s > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: ane-opt %s -mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: ane-opt %s -mlir-print-op-generic | ane-opt | diff - %t.mlir
// RUN: ane-opt %s -emit-bytecode | ane-opt | diff - %t.mlir

// CHECK: mil.const dense<1.000000e+00> : tensor<f16> {label = "one"}
// CHECK: mil.relu(x = %{{.*}}) {label = "\22quoted\22", result_names = ["y"]}
// CHECK: mil.relu(x = %{{.*}}) {label = ""}
// CHECK: mil.relu(x = %{{.*}}) : (
// CHECK: mil.relu(x = %{{.*}}) {"a b" = 1 : i64, flag, label = "among others", zone = [2]}
// GENERIC: "mil.const"() <{label = ["one"], result_names = [], value
// GENERIC: "mil.relu"({{.*}}) <{label = ["\22quoted\22"], result_names = ["y"]}>
// GENERIC: "mil.relu"({{.*}}) <{label = [""], result_names = []}>
// GENERIC: "mil.relu"({{.*}}) <{label = [], result_names = []}>
// GENERIC: "mil.relu"({{.*}}) <{label = ["among others"], result_names = []}> {"a b" = 1 : i64, flag, zone = [2]}
mil.func @main() -> tensor<f16> attributes {opset = "ios18"} {
  %0 = mil.const dense<1.0> : tensor<f16> {label = "one"}
  %1 = mil.relu(x = %0) {label = "\22quoted\22", result_names = ["y"]} : (tensor<f16>) -> tensor<f16>
  %2 = mil.relu(x = %1) {label = ""} : (tensor<f16>) -> tensor<f16>
  %3 = mil.relu(x = %2) : (tensor<f16>) -> tensor<f16>
  %4 = mil.relu(x = %3) {zone = [2], label = "among others", "a b" = 1, flag} : (tensor<f16>) -> tensor<f16>
  mil.return %4 : tensor<f16>
}
