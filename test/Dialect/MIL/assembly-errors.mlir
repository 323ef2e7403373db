// What the assembly form of an op cannot say.
//
// RUN: ane-opt %s -split-input-file -verify-diagnostics

mil.func @label(%x: tensor<2xf16>) -> tensor<2xf16> attributes {opset = "ios18"} {
  // expected-error @+1 {{the label is 5 : i32, not a string}}
  %0 = mil.relu(x = %x) {label = 5 : i32} : (tensor<2xf16>) -> tensor<2xf16>
  mil.return %0 : tensor<2xf16>
}

// -----

mil.func @const_label() -> tensor<f16> attributes {opset = "ios18"} {
  // expected-error @+1 {{the label is ["y"], not a string}}
  %0 = mil.const dense<1.0> : tensor<f16> {label = ["y"]}
  mil.return %0 : tensor<f16>
}

// -----

mil.func @input(%x: tensor<2xf16>) -> tensor<2xf16> attributes {opset = "ios18"} {
  // expected-error @+1 {{relu has no input 'y'}}
  %0 = mil.relu(y = %x) : (tensor<2xf16>) -> tensor<2xf16>
  mil.return %0 : tensor<2xf16>
}

// -----

mil.func @twice(%x: tensor<2xf16>) -> tensor<2xf16> attributes {opset = "ios18"} {
  // expected-error @+1 {{input 'x' twice}}
  %0 = mil.relu(x = %x, x = %x) : (tensor<2xf16>) -> tensor<2xf16>
  mil.return %0 : tensor<2xf16>
}

// -----

mil.func @absent(%x: tensor<2xf16>) -> tensor<2xf16> attributes {opset = "ios18"} {
  // expected-error @+1 {{add lacks its input 'y'}}
  %0 = mil.add(x = %x) : (tensor<2xf16>) -> tensor<2xf16>
  mil.return %0 : tensor<2xf16>
}
