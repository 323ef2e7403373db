// RUN: ane-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{func 'opset': opset 'ios3' is not known; known are ios15, ios16, ios17, ios18, ios19 and ios26 [mil-func-c1]}}
mil.func @opset(%arg0: tensor<2xf16> {mil.name = "x"}) -> tensor<2xf16> attributes {opset = "ios3"} {
  mil.return %arg0 : tensor<2xf16>
}

// -----

// expected-error@+1 {{func 'nameless': parameter 0 has no name; it is the attribute mil.name [mil-func-c2]}}
mil.func @nameless(%arg0: tensor<2xf16>) -> tensor<2xf16> attributes {opset = "ios16"} {
  mil.return %arg0 : tensor<2xf16>
}

// -----

mil.func @types(%arg0: tensor<2xf16> {mil.name = "x"}) -> tensor<3xf16> attributes {opset = "ios16"} {
  // expected-error@+1 {{func 'types': the returned types are not those of the signature [mil-func-c3]}}
  mil.return %arg0 : tensor<2xf16>
}

// -----

mil.func @state(%arg0: !mil.state<tensor<2xf16>> {mil.name = "s"}) -> !mil.state<tensor<2xf16>> attributes {opset = "ios18"} {
  // expected-error@+1 {{func 'state': output 's' is state<tensor<fp16, [2]>>; return what read_state gives [mil-func-c4]}}
  mil.return %arg0 : !mil.state<tensor<2xf16>>
}

// -----

mil.func @value(%arg0: tensor<2xf16> {mil.name = "x"}) -> tensor<2xf16> attributes {opset = "ios16"} {
  // expected-error@+1 {{const: the value is not of the declared type tensor<fp16, [2]> [mil-const-c1]}}
  %0 = "mil.const"() {value = dense<1.0> : tensor<3xf16>} : () -> tensor<2xf16>
  mil.return %0 : tensor<2xf16>
}

// -----

mil.func @many_axes(%arg0: tensor<2x4xf16> {mil.name = "x"}) -> tensor<2x4xf16> attributes {opset = "ios18"} {
  %0 = mil.const dense<-1> : tensor<4294967296xi32>
  // expected-error@+1 {{layer_norm: there are 4294967296 axes, but 2 dimensions: one of them is given twice [mil-axes-c2]}}
  %1 = mil.layer_norm(x = %arg0, axes = %0) : (tensor<2x4xf16>, tensor<4294967296xi32>) -> tensor<2x4xf16>
  mil.return %1 : tensor<2x4xf16>
}

// -----

mil.func @opset_c1(%arg0: tensor<2xf16> {mil.name = "x"}) -> tensor<2xf16> attributes {opset = "ios18"} {
  // expected-error@+1 {{relu: opset 'ios99' is not known; known are ios15, ios16, ios17, ios18, ios19 and ios26 [mil-opset-c1]}}
  %0 = mil.relu(x = %arg0) {mil.opset = "ios99"} : (tensor<2xf16>) -> tensor<2xf16>
  mil.return %0 : tensor<2xf16>
}
