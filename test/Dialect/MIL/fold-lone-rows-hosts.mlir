// RUN: ane-opt %s --pass-pipeline='builtin.module(mil.func(mil-fold-lone-rows))' | FileCheck %s

// A parameter or a result whose tensor is stated to be another one of the host's, or
// to lie otherwise, keeps its shape.

// CHECK-LABEL: mil.func @parameters
// CHECK-SAME: %arg0: tensor<1024xf16> {mil.host_type = tensor<2x512xf16>
// CHECK-SAME: %arg1: tensor<1024xf16> {mil.layout
// CHECK-SAME: -> (tensor<1024xf16>, tensor<1024xf16>)
mil.func @parameters(%x: tensor<1024xf16> {mil.host_type = tensor<2x512xf16>, mil.name = "x"}, %y: tensor<1024xf16> {mil.layout = #mil.buffer_layout<[1], interleave_factors = [1]>, mil.name = "y"}) -> (tensor<1024xf16>, tensor<1024xf16>) attributes {opset = "ios18"} {
  %a = mil.relu(x = %x) {label = "a"} : (tensor<1024xf16>) -> tensor<1024xf16>
  %b = mil.relu(x = %y) {label = "b"} : (tensor<1024xf16>) -> tensor<1024xf16>
  mil.return %a, %b : tensor<1024xf16>, tensor<1024xf16>
}

// CHECK-LABEL: mil.func @results
// CHECK-SAME: %arg0: tensor<1024xf16> {mil.name
// CHECK-SAME: -> (tensor<1024xf16> {mil.host_type = tensor<2x512xf16>}, tensor<32x32xf16> {mil.host_type = tensor<1024xf16>})
mil.func @results(%x: tensor<1024xf16> {mil.name = "x"}, %y: tensor<1024xf16> {mil.name = "y"}) -> (tensor<1024xf16> {mil.host_type = tensor<2x512xf16>}, tensor<1024xf16>) attributes {opset = "ios18"} {
  %a = mil.relu(x = %x) {label = "a"} : (tensor<1024xf16>) -> tensor<1024xf16>
  %b = mil.relu(x = %y) {label = "b"} : (tensor<1024xf16>) -> tensor<1024xf16>
  mil.return %a, %b : tensor<1024xf16>, tensor<1024xf16>
}
