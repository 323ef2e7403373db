// RUN: ane-opt %s --mil-partition=cpu=relu --verify-diagnostics

mil.func @main(%x: tensor<2xf16> {mil.name = "x"}, %p: tensor<i1> {mil.name = "p"}) -> tensor<2xf16> attributes {opset = "ios18"} {
  // expected-error@+1 {{an op with blocks or a state cannot be in a segment; run mil-states-to-values first}}
  %y = mil.cond %p : tensor<i1> -> (tensor<2xf16>) {
    mil.yield %x : tensor<2xf16>
  } else {
    mil.yield %x : tensor<2xf16>
  }
  %z = mil.relu(x = %y) {result_names = ["z"]} : (tensor<2xf16>) -> tensor<2xf16>
  mil.return %z : tensor<2xf16>
}
