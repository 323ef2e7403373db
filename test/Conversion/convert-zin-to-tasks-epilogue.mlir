// RUN: ane-opt %s --convert-zin-to-tasks --split-input-file | FileCheck %s

// A factor behind a sum and a relu behind that are part of its task.

// CHECK-LABEL: zin.program @scaled {
// CHECK: zin.task <PEFUSED_ELEMENTWISE> {{.*}} writes <@output_0 + 0, {{.*}} computes #zin.pe<op = add, reduce = none, post = none, negate2 = true, relu = true, scale = 5.000000e-01 : f16>
// CHECK-NEXT: {{^  }$}}
zin.procedure @scaled(%x: tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "x"}, %z: tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "z"}) -> (tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "y"}) {
  %d = zin.elementwise <Sub> %x, %z : (tensor<1x1x4x8x9xf16>, tensor<1x1x4x8x9xf16>) -> tensor<1x1x4x8x9xf16>
  %s = zin.goc %d scale 5.000000e-01 bias 0.000000e+00 : tensor<1x1x4x8x9xf16>
  %y = zin.neuron <relu> %s : tensor<1x1x4x8x9xf16>
  zin.return %y : tensor<1x1x4x8x9xf16>
}

// -----

// What is added behind a sum would be added to what is indeterminate. What
// others read, and what rounds to integers, is rounded before it is scaled.

// CHECK-LABEL: zin.program @apart {
// CHECK: zin.task <PEFUSED_ELEMENTWISE> {{.*}} computes #zin.pe<op = add, reduce = none, post = none>
// CHECK-NEXT: zin.task <PEFUSED_GOC> {{.*}} computes #zin.pe<op = add, reduce = none, post = none, bias = 1.000000e+00 : f16>
// CHECK-NEXT: zin.task <PEFUSED_GOC> {{.*}} computes #zin.pe<op = add, reduce = none, post = none, scale = 3.000000e+00 : f16>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> {{.*}} bias = 1.536000e+03 : f16>
// CHECK-NEXT: zin.task <PEFUSED_GOC> {{.*}} scale = 5.000000e-01 : f16>
// CHECK-NEXT: {{^  }$}}
zin.procedure @apart(%x: tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "x"}, %z: tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "z"}) -> (tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "a"}, tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "b"}, tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "c"}) {
  %s = zin.elementwise <Add> %x, %z : (tensor<1x1x4x8x9xf16>, tensor<1x1x4x8x9xf16>) -> tensor<1x1x4x8x9xf16>
  %a = zin.goc %s scale 1.000000e+00 bias 1.000000e+00 : tensor<1x1x4x8x9xf16>
  %b = zin.goc %s scale 3.000000e+00 bias 0.000000e+00 : tensor<1x1x4x8x9xf16>
  %r = zin.scaled_elementwise <Add> %x, %z scale 2.000000e+00 bias 1.536000e+03 : (tensor<1x1x4x8x9xf16>, tensor<1x1x4x8x9xf16>) -> tensor<1x1x4x8x9xf16>
  %c = zin.goc %r scale 5.000000e-01 bias 0.000000e+00 : tensor<1x1x4x8x9xf16>
  zin.return %a, %b, %c : tensor<1x1x4x8x9xf16>, tensor<1x1x4x8x9xf16>, tensor<1x1x4x8x9xf16>
}

// -----

// The relu of a line, and of what is standardized.

// CHECK-LABEL: zin.program @lines {
// CHECK: zin.task <PEFUSED_GOC> {{.*}} computes #zin.pe<op = add, reduce = none, post = none, relu = true, scale = 5.000000e-01 : f16, bias = 2.000000e+00 : f16>
// CHECK: zin.task <PEFUSED_ELEMENTWISE> {{.*}} writes <@output_1 + 0, {{.*}} computes #zin.pe<op = add, reduce = none, post = none, negate2 = true, relu = true
// CHECK-NEXT: {{^  }$}}
zin.procedure @lines(%x: tensor<1x1x4x1x8xf16> {zin.host_type = tensor<4x1x8xf16>, zin.name = "x"}) -> (tensor<1x1x4x1x8xf16> {zin.host_type = tensor<4x1x8xf16>, zin.name = "a"}, tensor<1x1x4x1x8xf16> {zin.host_type = tensor<4x1x8xf16>, zin.name = "b"}) {
  %l = zin.goc %x scale 5.000000e-01 bias 1.000000e+00 : tensor<1x1x4x1x8xf16>
  %a = zin.neuron <relu> %l : tensor<1x1x4x1x8xf16>
  %m = zin.reduction <Avg> %x over [4] : (tensor<1x1x4x1x8xf16>) -> tensor<1x1x4x1x1xf16>
  %d = zin.elementwise <Sub> %x, %m : (tensor<1x1x4x1x8xf16>, tensor<1x1x4x1x1xf16>) -> tensor<1x1x4x1x8xf16>
  %f = zin.reduction <Avg> %d over [4] {epsilon = 1.000000e-03 : f16, post = #zin.post<rsqrt>, square} : (tensor<1x1x4x1x8xf16>) -> tensor<1x1x4x1x1xf16>
  %n = zin.elementwise <Mult> %d, %f : (tensor<1x1x4x1x8xf16>, tensor<1x1x4x1x1xf16>) -> tensor<1x1x4x1x8xf16>
  %b = zin.neuron <relu> %n : tensor<1x1x4x1x8xf16>
  zin.return %a, %b : tensor<1x1x4x1x8xf16>, tensor<1x1x4x1x8xf16>
}

// -----

// A relu of one operand is a flag of source 2 in all pairs that read it; the
// other operand's is a task then.

// CHECK-LABEL: zin.program @sources {
// CHECK: zin.task <PEFUSED_ELEMENTWISE> {{.*}} reads <@input_1 + 0, {{.*}}> and <@input_0 + 0, {{.*}} computes #zin.pe<op = add, reduce = none, post = none, relu2 = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> {{.*}} reads <@input_1 + 0, {{.*}} writes <@scratch_0 + 0, {{.*}} relu = true
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> {{.*}} reads <@scratch_0 + 0, {{.*}}> and <@input_0 + 0, {{.*}} computes #zin.pe<op = mul, reduce = none, post = none, relu2 = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @sources(%x: tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "x"}, %z: tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "z"}) -> (tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "a"}, tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "b"}) {
  %r = zin.neuron <relu> %x : tensor<1x1x4x8x9xf16>
  %a = zin.elementwise <Add> %r, %z : (tensor<1x1x4x8x9xf16>, tensor<1x1x4x8x9xf16>) -> tensor<1x1x4x8x9xf16>
  %s = zin.neuron <relu> %z : tensor<1x1x4x8x9xf16>
  %b = zin.elementwise <Mult> %r, %s : (tensor<1x1x4x8x9xf16>, tensor<1x1x4x8x9xf16>) -> tensor<1x1x4x8x9xf16>
  zin.return %a, %b : tensor<1x1x4x8x9xf16>, tensor<1x1x4x8x9xf16>
}

// -----

// The task that turns elements applies the activation in front: a table in all
// lanes, or a relu. Absolute values are the planar engine's.

// CHECK-LABEL: zin.program @turned {
// CHECK: zin.kernel @kernel_0 {activation = #zin.neuron<tanh>, {{.*}} outputs = 16 : i64
// CHECK: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 20, 1, 5], {{.*}} writes <@output_0 + 0, [1, 1, 5, 1, 20], {{.*}} transposed = true, postScale = 5.000000e-01 : f16> with @kernel_0
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> {{.*}} writes <@output_1 + 0, [1, 1, 5, 1, 20], {{.*}} relu = true, transposed = true>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> {{.*}} abs = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> {{.*}} writes <@output_2 + 0, [1, 1, 5, 1, 20], {{.*}} transposed = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @turned(%x: tensor<1x1x20x1x5xf16> {zin.host_type = tensor<20x1x5xf16>, zin.name = "x"}) -> (tensor<1x1x5x1x20xf16> {zin.host_type = tensor<5x1x20xf16>, zin.name = "a"}, tensor<1x1x5x1x20xf16> {zin.host_type = tensor<5x1x20xf16>, zin.name = "b"}, tensor<1x1x5x1x20xf16> {zin.host_type = tensor<5x1x20xf16>, zin.name = "c"}) {
  %t = zin.neuron <tanh> %x {scale = 5.000000e-01 : f16} : tensor<1x1x20x1x5xf16>
  %a = zin.transpose %t to [0, 1, 4, 3, 2] : (tensor<1x1x20x1x5xf16>) -> tensor<1x1x5x1x20xf16>
  %r = zin.neuron <relu> %x : tensor<1x1x20x1x5xf16>
  %b = zin.transpose %r to [0, 1, 4, 3, 2] : (tensor<1x1x20x1x5xf16>) -> tensor<1x1x5x1x20xf16>
  %m = zin.neuron <abs> %x : tensor<1x1x20x1x5xf16>
  %c = zin.transpose %m to [0, 1, 4, 3, 2] : (tensor<1x1x20x1x5xf16>) -> tensor<1x1x5x1x20xf16>
  zin.return %a, %b, %c : tensor<1x1x5x1x20xf16>, tensor<1x1x5x1x20xf16>, tensor<1x1x5x1x20xf16>
}
