// RUN: ane-opt %s --split-input-file --pass-pipeline='builtin.module(mil.func(mil-flatten-blocks{unroll-limit=4}))' | FileCheck %s

// Both blocks run, and a computed condition chooses.
// CHECK-LABEL: mil.func @computed
// CHECK-SAME: (%[[P:[^:]*]]: tensor<i1> {{[^%]*}}, %[[A:[^:]*]]:
// CHECK-NEXT: %[[ROOT:.*]] = mil.sqrt(x = %[[A]])
// CHECK-NEXT: %[[RELU:.*]] = mil.relu(x = %[[A]])
// CHECK-NEXT: %[[Y:.*]] = mil.select(cond = %[[P]], a = %[[ROOT]], b = %[[RELU]])
// CHECK-NEXT: %[[Z:.*]] = mil.select(cond = %[[P]], a = %[[A]], b = %[[RELU]])
// CHECK-NEXT: mil.return %[[Y]], %[[Z]]
mil.func @computed(%p: tensor<i1> {mil.name = "p"}, %a: tensor<2xf16> {mil.name = "a"}) -> (tensor<2xf16>, tensor<2xf16>) attributes {opset = "ios17"} {
  %y, %z = mil.cond %p : tensor<i1> -> (tensor<2xf16>, tensor<2xf16>) {
    %b = mil.sqrt(x = %a) : (tensor<2xf16>) -> tensor<2xf16>
    mil.yield %b, %a : tensor<2xf16>, tensor<2xf16>
  } else {
    %b = mil.relu(x = %a) : (tensor<2xf16>) -> tensor<2xf16>
    mil.yield %b, %b : tensor<2xf16>, tensor<2xf16>
  }
  mil.return %y, %z : tensor<2xf16>, tensor<2xf16>
}

// -----

// Of a known condition one block is left, whatever it does to a state; a
// condition of one element chooses, too.
// CHECK-LABEL: mil.func @known
// CHECK-SAME: (%[[S:[^:]*]]: {{[^%]*}}, %[[Q:[^:]*]]: {{[^%]*}}, %[[A:[^:]*]]:
// CHECK-NOT: mil.sqrt
// CHECK: mil.write_state(input = %[[S]], data = %[[A]])
// CHECK-NEXT: %[[Y:.*]] = mil.relu(x = %[[A]])
// CHECK-NEXT: %[[BOOL:.*]] = mil.squeeze(x = %[[Q]]) : (tensor<1x1xi1>) -> tensor<i1>
// CHECK-NEXT: %[[Z:.*]] = mil.select(cond = %[[BOOL]], a = %[[Y]], b = %[[A]])
// CHECK-NEXT: mil.return %[[Z]]
mil.func @known(%s: !mil.state<tensor<2xf16>> {mil.name = "s"}, %q: tensor<1x1xi1> {mil.name = "q"}, %a: tensor<2xf16> {mil.name = "a"}) -> tensor<2xf16> attributes {opset = "ios18"} {
  %no = mil.const dense<false> : tensor<i1>
  %y = mil.cond %no : tensor<i1> -> (tensor<2xf16>) {
    %b = mil.sqrt(x = %a) : (tensor<2xf16>) -> tensor<2xf16>
    mil.yield %b : tensor<2xf16>
  } else {
    mil.write_state(input = %s, data = %a) : (!mil.state<tensor<2xf16>>, tensor<2xf16>) -> ()
    %b = mil.relu(x = %a) : (tensor<2xf16>) -> tensor<2xf16>
    mil.yield %b : tensor<2xf16>
  }
  %z = mil.cond %q : tensor<1x1xi1> -> (tensor<2xf16>) {
    mil.yield %y : tensor<2xf16>
  } else {
    mil.yield %a : tensor<2xf16>
  }
  mil.return %z : tensor<2xf16>
}

// -----

// Where it does not run a block writes into a state what that has.
// CHECK-LABEL: mil.func @writes
// CHECK-SAME: (%[[S:[^:]*]]: {{[^%]*}}, %[[P:[^:]*]]: {{[^%]*}}, %[[A:[^:]*]]:
// CHECK-NEXT: %[[HELD:.*]] = mil.read_state(input = %[[S]])
// CHECK-NEXT: %[[NEW:.*]] = mil.select(cond = %[[P]], a = %[[A]], b = %[[HELD]])
// CHECK-NEXT: mil.write_state(input = %[[S]], data = %[[NEW]])
// CHECK-NEXT: %[[NOT:.*]] = mil.logical_not(x = %[[P]])
// CHECK-NEXT: %[[ROOT:.*]] = mil.sqrt(x = %[[A]])
// CHECK-NEXT: %[[HELD2:.*]] = mil.read_state(input = %[[S]])
// CHECK-NEXT: %[[NEW2:.*]] = mil.select(cond = %[[NOT]], a = %[[ROOT]], b = %[[HELD2]])
// CHECK-NEXT: %[[BACK:.*]] = mil.coreml_update_state(state = %[[S]], value = %[[NEW2]])
// CHECK-NEXT: %[[Y:.*]] = mil.select(cond = %[[P]], a = %[[A]], b = %[[BACK]])
// CHECK-NEXT: mil.return %[[Y]]
mil.func @writes(%s: !mil.state<tensor<2xf16>> {mil.name = "s"}, %p: tensor<i1> {mil.name = "p"}, %a: tensor<2xf16> {mil.name = "a"}) -> tensor<2xf16> attributes {opset = "ios18"} {
  %y = mil.cond %p : tensor<i1> -> (tensor<2xf16>) {
    mil.write_state(input = %s, data = %a) : (!mil.state<tensor<2xf16>>, tensor<2xf16>) -> ()
    mil.yield %a : tensor<2xf16>
  } else {
    %r = mil.sqrt(x = %a) : (tensor<2xf16>) -> tensor<2xf16>
    %b = mil.coreml_update_state(state = %s, value = %r) : (!mil.state<tensor<2xf16>>, tensor<2xf16>) -> tensor<2xf16>
    mil.yield %b : tensor<2xf16>
  }
  mil.return %y : tensor<2xf16>
}

// -----

// Three turns; a branch on the counter inside.
// CHECK-LABEL: mil.func @loop
// CHECK-SAME: (%[[A:[^:]*]]:
// CHECK-NOT: mil.{{less|equal|add|cond|while_loop}}
// CHECK: %[[ONE:.*]] = mil.relu(x = %[[A]])
// CHECK: %[[TWO:.*]] = mil.sqrt(x = %[[ONE]])
// CHECK: %[[THREE:.*]] = mil.relu(x = %[[TWO]])
// CHECK-NOT: mil.{{relu|sqrt}}
// CHECK: mil.return %[[THREE]]
mil.func @loop(%a: tensor<2xf16> {mil.name = "a"}) -> tensor<2xf16> attributes {opset = "ios17"} {
  %zero = mil.const dense<0> : tensor<i32>
  %one = mil.const dense<1> : tensor<i32>
  %three = mil.const dense<3> : tensor<i32>
  %n, %y = mil.while_loop(%zero, %a : tensor<i32>, tensor<2xf16>) -> (tensor<i32>, tensor<2xf16>) {
  ^bb0(%i: tensor<i32>, %x: tensor<2xf16>):
    %c = mil.less(x = %i, y = %three) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    mil.yield %c : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %x: tensor<2xf16>):
    %second = mil.equal(x = %i, y = %one) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %b = mil.cond %second : tensor<i1> -> (tensor<2xf16>) {
      %r = mil.sqrt(x = %x) : (tensor<2xf16>) -> tensor<2xf16>
      mil.yield %r : tensor<2xf16>
    } else {
      %r = mil.relu(x = %x) : (tensor<2xf16>) -> tensor<2xf16>
      mil.yield %r : tensor<2xf16>
    }
    %next = mil.add(x = %i, y = %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    mil.yield %next, %b : tensor<i32>, tensor<2xf16>
  }
  mil.return %y : tensor<2xf16>
}

// -----

// One loop has a computed condition, from the second turn on; the other has
// more turns than the limit.
// CHECK-LABEL: mil.func @stays
// CHECK-COUNT-3: mil.const
// CHECK-NEXT: %[[Y:.*]]:2 = mil.while_loop
// CHECK-NOT: unroll_limit
// CHECK: %[[Z:.*]] = mil.while_loop
// CHECK: } {mil.unroll_limit = 4 : i64}
// CHECK-NEXT: mil.return %[[Y]]#1, %[[Z]]
mil.func @stays(%n: tensor<i32> {mil.name = "n"}, %a: tensor<2xf16> {mil.name = "a"}) -> (tensor<2xf16>, tensor<i32>) attributes {opset = "ios17"} {
  %zero = mil.const dense<0> : tensor<i32>
  %one = mil.const dense<1> : tensor<i32>
  %five = mil.const dense<5> : tensor<i32>
  %i, %y = mil.while_loop(%zero, %a : tensor<i32>, tensor<2xf16>) -> (tensor<i32>, tensor<2xf16>) {
  ^bb0(%i: tensor<i32>, %x: tensor<2xf16>):
    %c = mil.less(x = %i, y = %five) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    mil.yield %c : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %x: tensor<2xf16>):
    %b = mil.relu(x = %x) : (tensor<2xf16>) -> tensor<2xf16>
    %next = mil.add(x = %i, y = %n) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    mil.yield %next, %b : tensor<i32>, tensor<2xf16>
  }
  %z = mil.while_loop(%zero : tensor<i32>) -> (tensor<i32>) {
  ^bb0(%v: tensor<i32>):
    %c = mil.less(x = %v, y = %five) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    mil.yield %c : tensor<i1>
  } do {
  ^bb0(%v: tensor<i32>):
    %next = mil.add(x = %v, y = %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    mil.yield %next : tensor<i32>
  }
  mil.return %y, %z : tensor<2xf16>, tensor<i32>
}

// -----

// Two turns of two are four with those of the outer loop: one more would pass
// the limit, as three turns of two do.
// CHECK-LABEL: mil.func @nested
// CHECK-NOT: while_loop
// CHECK-COUNT-2: mil.relu
// CHECK-NOT: mil.relu
// CHECK: %[[Y:.*]]:2 = mil.while_loop
// CHECK: mil.while_loop
// CHECK: } {mil.unroll_limit = 4 : i64}
// CHECK-NEXT: mil.return
mil.func @nested(%a: tensor<2xf16> {mil.name = "a"}) -> (tensor<2xf16>, tensor<2xf16>) attributes {opset = "ios17"} {
  %zero = mil.const dense<0> : tensor<i32>
  %one = mil.const dense<1> : tensor<i32>
  %two = mil.const dense<2> : tensor<i32>
  %three = mil.const dense<3> : tensor<i32>
  %i, %y = mil.while_loop(%zero, %a : tensor<i32>, tensor<2xf16>) -> (tensor<i32>, tensor<2xf16>) {
  ^bb0(%n: tensor<i32>, %x: tensor<2xf16>):
    %c = mil.less(x = %n, y = %two) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    mil.yield %c : tensor<i1>
  } do {
  ^bb0(%n: tensor<i32>, %x: tensor<2xf16>):
    %j, %z = mil.while_loop(%zero, %x : tensor<i32>, tensor<2xf16>) -> (tensor<i32>, tensor<2xf16>) {
    ^bb0(%m: tensor<i32>, %v: tensor<2xf16>):
      %d = mil.less(x = %m, y = %one) : (tensor<i32>, tensor<i32>) -> tensor<i1>
      mil.yield %d : tensor<i1>
    } do {
    ^bb0(%m: tensor<i32>, %v: tensor<2xf16>):
      %r = mil.relu(x = %v) : (tensor<2xf16>) -> tensor<2xf16>
      %next = mil.add(x = %m, y = %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      mil.yield %next, %r : tensor<i32>, tensor<2xf16>
    }
    %next = mil.add(x = %n, y = %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    mil.yield %next, %z : tensor<i32>, tensor<2xf16>
  }
  %k, %w = mil.while_loop(%zero, %a : tensor<i32>, tensor<2xf16>) -> (tensor<i32>, tensor<2xf16>) {
  ^bb0(%n: tensor<i32>, %x: tensor<2xf16>):
    %c = mil.less(x = %n, y = %three) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    mil.yield %c : tensor<i1>
  } do {
  ^bb0(%n: tensor<i32>, %x: tensor<2xf16>):
    %j, %z = mil.while_loop(%zero, %x : tensor<i32>, tensor<2xf16>) -> (tensor<i32>, tensor<2xf16>) {
    ^bb0(%m: tensor<i32>, %v: tensor<2xf16>):
      %d = mil.less(x = %m, y = %two) : (tensor<i32>, tensor<i32>) -> tensor<i1>
      mil.yield %d : tensor<i1>
    } do {
    ^bb0(%m: tensor<i32>, %v: tensor<2xf16>):
      %r = mil.abs(x = %v) : (tensor<2xf16>) -> tensor<2xf16>
      %next = mil.add(x = %m, y = %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      mil.yield %next, %r : tensor<i32>, tensor<2xf16>
    }
    %next = mil.add(x = %n, y = %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    mil.yield %next, %z : tensor<i32>, tensor<2xf16>
  }
  mil.return %y, %w : tensor<2xf16>, tensor<2xf16>
}

// -----

// A loop that stays may write a state as often as it turns, so a branch around
// it stays as well. One that writes nothing is no such reason.
// CHECK-LABEL: mil.func @loops
// CHECK: %[[Y:.*]] = mil.cond
// CHECK: mil.while_loop
// CHECK: mil.write_state
// CHECK-NOT: mil.cond
// CHECK: mil.while_loop
// CHECK: %[[Z:.*]] = mil.select(
// CHECK: mil.return %[[Y]], %[[Z]]
mil.func @loops(%s: !mil.state<tensor<2xf16>> {mil.name = "s"}, %p: tensor<i1> {mil.name = "p"}, %n: tensor<i32> {mil.name = "n"}, %a: tensor<2xf16> {mil.name = "a"}) -> (tensor<2xf16>, tensor<i32>) attributes {opset = "ios18"} {
  %one = mil.const dense<1> : tensor<i32>
  %y = mil.cond %p : tensor<i1> -> (tensor<2xf16>) {
    %i = mil.while_loop(%n : tensor<i32>) -> (tensor<i32>) {
    ^bb0(%i: tensor<i32>):
      %c = mil.less(x = %i, y = %one) : (tensor<i32>, tensor<i32>) -> tensor<i1>
      mil.yield %c : tensor<i1>
    } do {
    ^bb0(%i: tensor<i32>):
      mil.write_state(input = %s, data = %a) : (!mil.state<tensor<2xf16>>, tensor<2xf16>) -> ()
      %t = mil.add(x = %i, y = %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      mil.yield %t : tensor<i32>
    }
    %b = mil.sqrt(x = %a) : (tensor<2xf16>) -> tensor<2xf16>
    mil.yield %b : tensor<2xf16>
  } else {
    mil.yield %a : tensor<2xf16>
  }
  %z = mil.cond %p : tensor<i1> -> (tensor<i32>) {
    %i = mil.while_loop(%n : tensor<i32>) -> (tensor<i32>) {
    ^bb0(%i: tensor<i32>):
      %c = mil.less(x = %i, y = %one) : (tensor<i32>, tensor<i32>) -> tensor<i1>
      mil.yield %c : tensor<i1>
    } do {
    ^bb0(%i: tensor<i32>):
      %t = mil.add(x = %i, y = %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      mil.yield %t : tensor<i32>
    }
    mil.yield %i : tensor<i32>
  } else {
    mil.yield %n : tensor<i32>
  }
  mil.return %y, %z : tensor<2xf16>, tensor<i32>
}
