// RUN: ane-opt %s --pass-pipeline='builtin.module(mil.func(mil-fold-constants))' | FileCheck %s
// RUN: ane-opt %s --pass-pipeline='builtin.module(mil.func(mil-fold-constants{limit=80000}))' | FileCheck %s --check-prefix=HIGHER

// A weight that is larger than the limit and than what it is stored as stays
// until somebody asks for its elements.

// CHECK-LABEL: mil.func @main
// HIGHER-LABEL: mil.func @main
mil.func @main(%x: tensor<40000xf16> {mil.name = "x"}) -> tensor<40000xf16> attributes {opset = "ios18"} {
  %data = mil.const dense<3> : tensor<40000xui8>
  %scale = mil.const dense<2.0> : tensor<1xf16>
  // CHECK: %[[W:.*]] = mil.constexpr_blockwise_shift_scale
  // HIGHER-NOT: constexpr
  // HIGHER: %[[W:.*]] = mil.const dense_resource<folded>
  %w = mil.constexpr_blockwise_shift_scale(data = %data, scale = %scale) : (tensor<40000xui8>, tensor<1xf16>) -> tensor<40000xf16>
  // What reads it is not folded either.
  // CHECK: %[[TWICE:.*]] = mil.add(x = %[[W]], y = %[[W]])
  // HIGHER: %[[TWICE:.*]] = mil.const dense_resource<folded
  %twice = mil.add(x = %w, y = %w) : (tensor<40000xf16>, tensor<40000xf16>) -> tensor<40000xf16>
  // CHECK: mil.add(x = %{{.*}}, y = %[[TWICE]])
  // HIGHER: mil.add(x = %{{.*}}, y = %[[TWICE]])
  %y = mil.add(x = %x, y = %twice) : (tensor<40000xf16>, tensor<40000xf16>) -> tensor<40000xf16>
  mil.return %y : tensor<40000xf16>
}
