// RUN: ane-opt %s --split-input-file --verify-diagnostics

// What an attribute cannot say is an error where it stands, whoever has it.
// What it cannot say of an op is in constraints.mlir.

// expected-error@+1 {{a view has 5 extents and 4 strides}}
module attributes {zin.a = #zin.view<@x + 0, [1, 1, 1, 1], [64, 64, 64, 64]>} {}

// -----

// expected-error@+1 {{a view has 5 extents and 4 strides}}
module attributes {zin.a = #zin.view<@x + 0, [1, 1, 1, 1, 1], [64, 64, 64]>} {}

// -----

// expected-error@+1 {{extent 0 of a view is not positive}}
module attributes {zin.a = #zin.view<@x + 0, [1, 1, 0, 1, 1], [64, 64, 64, 64]>} {}

// -----

// expected-error@+1 {{offset 32 of a view is no positive multiple of 64}}
module attributes {zin.a = #zin.view<@x + 32, [1, 1, 1, 1, 1], [64, 64, 64, 64]>} {}

// -----

// expected-error@+1 {{window has 0, the lowest is 1}}
module attributes {zin.a = #zin.ne<op = mac, window = [3, 0], stride = [1, 1], padding = [0, 0]>} {}

// -----

// expected-error@+1 {{padding has -1, the lowest is 0}}
module attributes {zin.a = #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, -1]>} {}

// -----

// expected-error@+1 {{groups is 0, the lowest is 1}}
module attributes {zin.a = #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0], groups = 0>} {}

// -----

// expected-error@+1 {{unicast is -1, the lowest is 0}}
module attributes {zin.a = #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = -1>} {}

// -----

// expected-error@+1 {{a broadcast is 16, not a set of bits from 0 to 15}}
module attributes {zin.a = #zin.pe<op = add, reduce = none, post = none, broadcast2 = 16>} {}

// -----

// expected-error@+1 {{a place has 3 strides, not 4}}
module attributes {zin.a = #zin.l2_place<0, [64, 64, 64]>} {}

// -----

// expected-error@+1 {{a place in L2 has 8, no positive multiple of 16}}
module attributes {zin.a = #zin.l2_place<0, [64, 64, 8, 64]>} {}

// -----

// expected-error@+1 {{the window of 64 bytes at 8 does not start at a multiple of 16 or ends before it starts}}
module attributes {zin.a = #zin.l2<begin = 8, bytes = 64>} {}

// -----

// expected-error@+1 {{a second source is not kept}}
module attributes {zin.a = #zin.l2<source2 = kept, begin = 0, bytes = 64>} {}
