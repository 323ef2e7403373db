// RUN: ane-opt %s --split-input-file --verify-diagnostics

// Control flow has no text form that is known, so its rules are violated in IR,
// and so is that of a state, whose type the parser of text checks.

mil.func @pred(%p: tensor<2xi1> {mil.name = "p"}, %x: tensor<2xf16> {mil.name = "x"}) -> tensor<2xf16> attributes {opset = "ios15"} {
  // expected-error@+1 {{cond: 'pred' is tensor<bool, [2]>; it must be one bool [mil-cond-c1]}}
  %y = mil.cond %p : tensor<2xi1> -> (tensor<2xf16>) {
    mil.yield %x : tensor<2xf16>
  } else {
    mil.yield %x : tensor<2xf16>
  }
  mil.return %y : tensor<2xf16>
}

// -----

mil.func @branches(%p: tensor<i1> {mil.name = "p"}, %x: tensor<2xf16> {mil.name = "x"}) -> tensor<2xf16> attributes {opset = "ios15"} {
  // expected-error@+1 {{cond: a block does not yield values of the result types; both must [mil-cond-c2]}}
  %y = mil.cond %p : tensor<i1> -> (tensor<2xf16>) {
    mil.yield %x : tensor<2xf16>
  } else {
    mil.yield
  }
  mil.return %y : tensor<2xf16>
}

// -----

mil.func @condition(%x: tensor<2xf16> {mil.name = "x"}) -> tensor<2xf16> attributes {opset = "ios15"} {
  // expected-error@+1 {{while_loop: the condition must yield one bool [mil-while_loop-c1]}}
  %y = mil.while_loop(%x : tensor<2xf16>) -> (tensor<2xf16>) {
  ^bb0(%v: tensor<2xf16>):
    mil.yield %v : tensor<2xf16>
  } do {
  ^bb0(%v: tensor<2xf16>):
    mil.yield %v : tensor<2xf16>
  }
  mil.return %y : tensor<2xf16>
}

// -----

mil.func @variables(%p: tensor<i1> {mil.name = "p"}, %x: tensor<2xf16> {mil.name = "x"}) -> tensor<2xf16> attributes {opset = "ios15"} {
  // expected-error@+1 {{while_loop: the 1 loop variables must be what both blocks take, what the body yields and the results, with their types [mil-while_loop-c2]}}
  %y = mil.while_loop(%x : tensor<2xf16>) -> (tensor<2xf16>) {
  ^bb0(%v: tensor<2xf16>):
    mil.yield %p : tensor<i1>
  } do {
  ^bb0(%v: tensor<2xf16>):
    mil.yield %p : tensor<i1>
  }
  mil.return %y : tensor<2xf16>
}

// -----

mil.func @state(%s: !mil.state<!mil.list<tensor<f16>, 2>> {mil.name = "s"}) -> tensor<2xf16> attributes {opset = "ios18"} {
  // expected-error@+1 {{read_state: the state is state<list<tensor<fp16, []>, 2>>; a state must hold a tensor [mil-state-c1]}}
  %y = mil.read_state(input = %s) : (!mil.state<!mil.list<tensor<f16>, 2>>) -> tensor<2xf16>
  mil.return %y : tensor<2xf16>
}

// -----

#rows = #mil.buffer_layout<[1], interleave_factors = [1]>
mil.func @buffer(%p: tensor<i1> {mil.name = "p"}, %x: tensor<2xf16, #rows> {mil.name = "x"}) -> tensor<2xf16> attributes {opset = "ios18"} {
  // expected-error@+1 {{cond: the result is tensor_buffer<fp16, shape=[2], strides=[1], interleave_factors=[1]>; a tensor_buffer is a parameter}}
  %y = mil.cond %p : tensor<i1> -> (tensor<2xf16, #rows>) {
    mil.yield %x : tensor<2xf16, #rows>
  } else {
    mil.yield %x : tensor<2xf16, #rows>
  }
  %z = mil.tensor_buffer_to_tensor(input = %y) : (tensor<2xf16, #rows>) -> tensor<2xf16>
  mil.return %z : tensor<2xf16>
}

// -----

#rows = #mil.buffer_layout<[1], interleave_factors = [1]>
mil.func @yielded(%p: tensor<i1> {mil.name = "p"}, %x: tensor<2xf16, #rows> {mil.name = "x"}) -> tensor<2xf16> attributes {opset = "ios18"} {
  // expected-error@+1 {{cond: a block does not yield values of the result types; both must [mil-cond-c2]}}
  %y = mil.cond %p : tensor<i1> -> (tensor<2xf16>) {
    mil.yield %x : tensor<2xf16, #rows>
  } else {
    mil.yield %x : tensor<2xf16, #rows>
  }
  mil.return %y : tensor<2xf16>
}

// -----

#rows = #mil.buffer_layout<[1], interleave_factors = [1]>
mil.func @loop(%x: tensor<2xf16, #rows> {mil.name = "x"}, %p: tensor<i1> {mil.name = "p"}) -> tensor<i1> attributes {opset = "ios18"} {
  // expected-error@+1 {{while_loop: an input is tensor_buffer<fp16, shape=[2], strides=[1], interleave_factors=[1]>; a tensor_buffer is a parameter}}
  %y = mil.while_loop(%x : tensor<2xf16, #rows>) -> (tensor<2xf16, #rows>) {
  ^bb0(%v: tensor<2xf16, #rows>):
    mil.yield %p : tensor<i1>
  } do {
  ^bb0(%v: tensor<2xf16, #rows>):
    mil.yield %v : tensor<2xf16, #rows>
  }
  mil.return %p : tensor<i1>
}

// -----

#rows = #mil.buffer_layout<[1], interleave_factors = [1]>
// expected-error@+1 {{func 'hidden': parameter 's' is state<tensor_buffer<fp16, shape=[2], strides=[1], interleave_factors=[1]>>; a tensor_buffer is in nothing else [mil-buffer-c4]}}
mil.func @hidden(%s: !mil.state<tensor<2xf16, #rows>> {mil.name = "s"}, %x: tensor<2xf16> {mil.name = "x"}) -> tensor<2xf16> attributes {opset = "ios18"} {
  mil.return %x : tensor<2xf16>
}

// -----

mil.func @constant(%x: tensor<2xf16> {mil.name = "x"}) -> tensor<2xf16> attributes {opset = "ios18"} {
  // expected-error@+1 {{const: the result is tensor_buffer<}}
  %c = mil.const dense<1.0> : tensor<2xf16, #mil.buffer_layout<[1], interleave_factors = [1]>>
  mil.return %x : tensor<2xf16>
}

// -----

mil.func @opset(%x: tensor<2xf16> {mil.name = "x"}) -> tensor<2xf16> attributes {opset = "ios18"} {
  // expected-error@+1 {{relu: opset '' is not known; known are ios15}}
  %y = mil.relu(x = %x) {mil.opset = 17} : (tensor<2xf16>) -> tensor<2xf16>
  mil.return %y : tensor<2xf16>
}
