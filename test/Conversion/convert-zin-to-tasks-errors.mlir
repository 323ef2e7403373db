// RUN: ane-opt %s --split-input-file --convert-zin-to-tasks --verify-diagnostics
// RUN: not ane-opt %s --split-input-file --convert-zin-to-tasks=target=h99 2>&1 | FileCheck %s --check-prefix=TARGET

// TARGET: error: target 'h99' is not known; known are h13

// What no task can do, at the layer that asks for it.

// 16384 and 2049 rows have no factor in common, so that single elements move,
// which takes 64 bytes for each.

zin.procedure @reshape_memory(%x: tensor<1x1x16384x1x2049xf16> {zin.host_type = tensor<1x1x16384x1x2049xf16>, zin.name = "x"}) -> (tensor<1x1x2049x1x16384xf16> {zin.host_type = tensor<1x1x2049x1x16384xf16>, zin.name = "y"}) {
  // expected-error@+1 {{reshape: changing the last dimension from 2049 to 16384 needs 2148532224 bytes of scratch, the limit is 2147483647; make it a multiple of 32 elements on both sides [h13-memory-c1]}}
  %y = zin.reshape %x : (tensor<1x1x16384x1x2049xf16>) -> tensor<1x1x2049x1x16384xf16>
  zin.return %y : tensor<1x1x2049x1x16384xf16>
}

// -----

// No number of 64 bits holds the bytes of this one.

// expected-error@+1 {{procedure: input 'x' takes 562949953421312 bytes, the limit of all that a program has in memory is 3758096384; split it [h13-memory-c3]}}
zin.procedure @memory(%x: tensor<1x1x65536x65536x65536xf16> {zin.host_type = tensor<1x1x65536x65536x65536xf16>, zin.name = "x"}) -> (tensor<1x1x65536x65536x65536xf16> {zin.host_type = tensor<1x1x65536x65536x65536xf16>, zin.name = "y"}) {
  zin.return %x : tensor<1x1x65536x65536x65536xf16>
}

// -----

// A prime number of elements that is larger than a row cannot be rows of one
// length.

zin.procedure @reduce_rows(%x: tensor<1x1x16411x1x1xf16> {zin.host_type = tensor<1x1x16411x1x1xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x1xf16> {zin.host_type = tensor<1x1x1x1x1xf16>, zin.name = "y"}) {
  // expected-error@+1 {{reduction: a reduction over 16411 elements has no factor that makes rows of at most 16384; reshape it, pad it, or reduce in two steps [h13-reduce-c1]}}
  %y = zin.reduction <Sum> %x over [2] : (tensor<1x1x16411x1x1xf16>) -> tensor<1x1x1x1x1xf16>
  zin.return %y : tensor<1x1x1x1x1xf16>
}

// -----

zin.procedure @reduce_columns(%x: tensor<1x1x16411x1x2xf16> {zin.host_type = tensor<1x1x16411x1x2xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x1xf16> {zin.host_type = tensor<1x1x1x1x1xf16>, zin.name = "y"}) {
  // expected-error@+1 {{reduction: a reduction over 16411 elements has no factor that makes rows of at most 16384; reshape it, pad it, or reduce in two steps [h13-reduce-c1]}}
  %y = zin.reduction <Max> %x over [2, 4] : (tensor<1x1x16411x1x2xf16>) -> tensor<1x1x1x1x1xf16>
  zin.return %y : tensor<1x1x1x1x1xf16>
}

// -----

// Coefficients are laid out at compile time.

zin.procedure @conv_kernel(%x: tensor<1x1x2x3x3xf16> {zin.host_type = tensor<1x1x2x3x3xf16>, zin.name = "x"}, %k: tensor<2x1x2x1x1xf16> {zin.host_type = tensor<2x1x2x1x1xf16>, zin.name = "k"}) -> (tensor<1x1x2x3x3xf16> {zin.host_type = tensor<1x1x2x3x3xf16>, zin.name = "y"}) {
  // expected-error@+1 {{conv: kernel and bias must be constants, with their elements [h13-const-c2]}}
  %y = zin.conv %x, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2x3x3xf16>, tensor<2x1x2x1x1xf16>) -> tensor<1x1x2x3x3xf16>
  zin.return %y : tensor<1x1x2x3x3xf16>
}

// -----

zin.procedure @conv_bias(%x: tensor<1x1x2x3x3xf16> {zin.host_type = tensor<1x1x2x3x3xf16>, zin.name = "x"}, %b: tensor<1x1x2x1x1xf16> {zin.host_type = tensor<1x1x2x1x1xf16>, zin.name = "b"}) -> (tensor<1x1x2x3x3xf16> {zin.host_type = tensor<1x1x2x3x3xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<2x1x2x1x1xf16>
  // expected-error@+1 {{conv: kernel and bias must be constants, with their elements [h13-const-c2]}}
  %y = zin.conv %x, %w bias %b {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2x3x3xf16>, tensor<2x1x2x1x1xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x3x3xf16>
  zin.return %y : tensor<1x1x2x3x3xf16>
}

// -----

// The elements of elided constants are gone.

zin.procedure @conv_elided(%x: tensor<1x1x2x3x3xf16> {zin.host_type = tensor<1x1x2x3x3xf16>, zin.name = "x"}) -> (tensor<1x1x2x3x3xf16> {zin.host_type = tensor<1x1x2x3x3xf16>, zin.name = "y"}) {
  %w = zin.constant dense_resource<elided> : tensor<2x1x2x1x1xf16>
  // expected-error@+1 {{conv: kernel and bias must be constants, with their elements [h13-const-c2]}}
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2x3x3xf16>, tensor<2x1x2x1x1xf16>) -> tensor<1x1x2x3x3xf16>
  zin.return %y : tensor<1x1x2x3x3xf16>
}

// -----

// Legalisation has made averages with several divisors products before.

zin.procedure @divisors(%x: tensor<1x1x1x8x8xf16> {zin.host_type = tensor<1x1x1x8x8xf16>, zin.name = "x"}) -> (tensor<1x1x1x8x8xf16> {zin.host_type = tensor<1x1x1x8x8xf16>, zin.name = "y"}) {
  // expected-error@+1 {{pool: a task has one divisor for all windows; run the pass zin-legalize first}}
  %y = zin.pool <Avg> %x {exclude_padding, padding = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>, window = array<i64: 3, 3>} : (tensor<1x1x1x8x8xf16>) -> tensor<1x1x1x8x8xf16>
  zin.return %y : tensor<1x1x1x8x8xf16>
}

// -----

// Legalisation has put zeros into dilated kernels before.

zin.procedure @dilation(%x: tensor<1x1x1x8x8xf16> {zin.host_type = tensor<1x1x1x8x8xf16>, zin.name = "x"}) -> (tensor<1x1x1x8x6xf16> {zin.host_type = tensor<1x1x1x8x6xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x1x1x2xf16>
  // expected-error@+1 {{conv: no task has a dilated kernel; run the pass zin-legalize first}}
  %y = zin.conv %x, %w {dilations = array<i64: 1, 2>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x8x8xf16>, tensor<1x1x1x1x2xf16>) -> tensor<1x1x1x8x6xf16>
  zin.return %y : tensor<1x1x1x8x6xf16>
}

// -----

// A layer is an op of this dialect.

zin.procedure @unknown(%x: tensor<1x1x2x3x3xf16> {zin.host_type = tensor<1x1x2x3x3xf16>, zin.name = "x"}) -> (tensor<1x1x2x3x3xf16> {zin.host_type = tensor<1x1x2x3x3xf16>, zin.name = "y"}) {
  // expected-error@+1 {{no rule lowers this layer}}
  %y = builtin.unrealized_conversion_cast %x : tensor<1x1x2x3x3xf16> to tensor<1x1x2x3x3xf16>
  zin.return %y : tensor<1x1x2x3x3xf16>
}

// -----

// The largest that fit.

zin.procedure @limits(%x: tensor<1x1x16384x1x1xf16> {zin.host_type = tensor<1x1x16384x1x1xf16>, zin.name = "x"}, %r: tensor<1x1x16384x1x2xf16> {zin.host_type = tensor<1x1x16384x1x2xf16>, zin.name = "r"}, %s: tensor<1x1x65535x1x2xf16> {zin.host_type = tensor<1x1x65535x1x2xf16>, zin.name = "s"}, %m: tensor<1x1x16384x1x5xf16> {zin.host_type = tensor<1x1x16384x1x5xf16>, zin.name = "m"}) -> (tensor<1x1x1x1x1xf16> {zin.host_type = tensor<1x1x1x1x1xf16>, zin.name = "a"}, tensor<1x1x1x1x2xf16> {zin.host_type = tensor<1x1x1x1x2xf16>, zin.name = "b"}, tensor<1x1x65535x1x2xf16> {zin.host_type = tensor<1x1x65535x1x2xf16>, zin.name = "c"}, tensor<1x1x16384x5x1xf16> {zin.host_type = tensor<1x1x16384x5x1xf16>, zin.name = "d"}) {
  %a = zin.reduction <Sum> %x over [2] : (tensor<1x1x16384x1x1xf16>) -> tensor<1x1x1x1x1xf16>
  %b = zin.reduction <Max> %r over [2] : (tensor<1x1x16384x1x2xf16>) -> tensor<1x1x1x1x2xf16>
  %c = zin.softmax %s over 2 : tensor<1x1x65535x1x2xf16>
  %d = zin.reshape %m : (tensor<1x1x16384x1x5xf16>) -> tensor<1x1x16384x5x1xf16>
  zin.return %a, %b, %c, %d : tensor<1x1x1x1x1xf16>, tensor<1x1x1x1x2xf16>, tensor<1x1x65535x1x2xf16>, tensor<1x1x16384x5x1xf16>
}

// -----

// More rows than a task has cannot be several tasks where windows see rows of both.

zin.procedure @rows(%x: tensor<1x1x1x20000x8xf16> {zin.host_type = tensor<1x1x20000x8xf16>, zin.name = "x"}) -> (tensor<1x1x1x19998x8xf16> {zin.host_type = tensor<1x1x19998x8xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x1x3x1xf16>
  // expected-error@+1 {{a task of it has 20000 rows, the limit is 16384; take fewer elements at a time, or reshape them [h13-shape-c3]}}
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x20000x8xf16>, tensor<1x1x1x3x1xf16>) -> tensor<1x1x1x19998x8xf16>
  zin.return %y : tensor<1x1x1x19998x8xf16>
}

// -----

// More planes are: a maximum over the first dimension of pixels exchanges that with channels.

zin.procedure @planes(%x: tensor<1x2x17000x1x3xf16> {zin.host_type = tensor<1x2x17000x1x3xf16>, zin.name = "x"}) -> (tensor<1x1x17000x1x3xf16> {zin.host_type = tensor<1x1x17000x1x3xf16>, zin.name = "y"}) {
  %y = zin.reduction <Max> %x over [1] : (tensor<1x2x17000x1x3xf16>) -> tensor<1x1x17000x1x3xf16>
  zin.return %y : tensor<1x1x17000x1x3xf16>
}

// -----

// A kernel that is computed comes without a bias, and without a table.

zin.procedure @matmul_bias(%x: tensor<1x1x1x4x8xf16> {zin.host_type = tensor<1x1x1x4x8xf16>, zin.name = "x"}, %k: tensor<1x1x1x6x8xf16> {zin.host_type = tensor<1x1x1x6x8xf16>, zin.name = "k"}, %b: tensor<1x1x1x1x6xf16> {zin.host_type = tensor<1x1x1x1x6xf16>, zin.name = "b"}) -> (tensor<1x1x1x4x6xf16> {zin.host_type = tensor<1x1x1x4x6xf16>, zin.name = "y"}) {
  // expected-error@+1 {{matmul: the elements of a constant kernel must be at hand, and a bias goes with a constant kernel [h13-const-c2]}}
  %y = zin.matmul %x, %k bias %b : (tensor<1x1x1x4x8xf16>, tensor<1x1x1x6x8xf16>, tensor<1x1x1x1x6xf16>) -> tensor<1x1x1x4x6xf16>
  zin.return %y : tensor<1x1x1x4x6xf16>
}

// -----

zin.procedure @matmul_table(%x: tensor<1x1x1x4x8xf16> {zin.host_type = tensor<1x1x1x4x8xf16>, zin.name = "x"}, %k: tensor<1x1x1x6x8xf16> {zin.host_type = tensor<1x1x1x6x8xf16>, zin.name = "k"}) -> (tensor<1x1x1x4x6xf16> {zin.host_type = tensor<1x1x1x4x6xf16>, zin.name = "y"}) {
  // expected-error@+1 {{matmul: a computed kernel brings no table}}
  %y = zin.matmul %x, %k {activation = #zin.neuron<tanh>} : (tensor<1x1x1x4x8xf16>, tensor<1x1x1x6x8xf16>) -> tensor<1x1x1x4x6xf16>
  zin.return %y : tensor<1x1x1x4x6xf16>
}
