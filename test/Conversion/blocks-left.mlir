// What mil-flatten-blocks leaves is refused where it stands.
// RUN: not ane-compile %s -o %t.hwx --function=endless --unroll-limit=8 2>&1 | FileCheck %s --check-prefix=ENDLESS --implicit-check-not=error:
// RUN: not ane-compile %s -o %t.hwx --function=computed --partition 2>&1 | FileCheck %s --check-prefix=CUT
// RUN: not ane-compile %s -o %t.hwx --function=computed 2>&1 | FileCheck %s --check-prefix=COMPUTED --implicit-check-not=error:

mil.func @endless(%a: tensor<2xf16> {mil.name = "a"}) -> tensor<2xf16> attributes {opset = "ios17"} {
  %yes = mil.const dense<true> : tensor<i1>
  // ENDLESS: blocks-left.mlir:[[@LINE+1]]:8: error: while_loop: the loop goes on after 8 turns, the limit of those written out; raise it with --unroll-limit, or leave the loop outside the program [h13-unroll-c2]
  %y = mil.while_loop(%a : tensor<2xf16>) -> (tensor<2xf16>) {
  ^bb0(%x: tensor<2xf16>):
    mil.yield %yes : tensor<i1>
  } do {
  ^bb0(%x: tensor<2xf16>):
    %b = mil.relu(x = %x) : (tensor<2xf16>) -> tensor<2xf16>
    mil.yield %b : tensor<2xf16>
  }
  %z = mil.relu(x = %y) {result_names = ["z"]} : (tensor<2xf16>) -> tensor<2xf16>
  mil.return %z : tensor<2xf16>
}

mil.func @computed(%p: tensor<i1> {mil.name = "p"}, %a: tensor<2xf16> {mil.name = "a"}) -> tensor<2xf16> attributes {opset = "ios17"} {
  // CUT: blocks-left.mlir:[[@LINE+2]]:8: error: while_loop: segments are written as MIL text, which has no known form for blocks; let the op follow from constants, or make its results inputs of the program [h13-partition-c5]
  // COMPUTED: blocks-left.mlir:[[@LINE+1]]:8: error: while_loop: whether the loop goes on depends on computed values; let it turn as often as constants say, or leave it outside the program [h13-loop-c1]
  %y = mil.while_loop(%a : tensor<2xf16>) -> (tensor<2xf16>) {
  ^bb0(%x: tensor<2xf16>):
    mil.yield %p : tensor<i1>
  } do {
  ^bb0(%x: tensor<2xf16>):
    %b = mil.relu(x = %x) : (tensor<2xf16>) -> tensor<2xf16>
    mil.yield %b : tensor<2xf16>
  }
  %z = mil.relu(x = %y) {result_names = ["z"]} : (tensor<2xf16>) -> tensor<2xf16>
  mil.return %z : tensor<2xf16>
}
