// RUN: ane-opt %s --split-input-file --convert-zin-to-tasks | FileCheck %s

// The tasks of functions of elements and of pairs of them. A view is [groups,
// depth, channels, rows, columns] and the bytes between neighbours in all but
// the last. Rows start at multiples of 64 bytes.

// A difference is a sum with the second operand negated.

// CHECK-LABEL: zin.program @elementwise {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_0 1536 bytes <@scratch_0 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]>
// CHECK-NEXT: zin.buffer <scratch> @scratch_1 1536 bytes <@scratch_1 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]>
// CHECK-NEXT: zin.buffer <scratch> @scratch_2 1536 bytes <@scratch_2 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]>
// CHECK-NEXT: zin.buffer <scratch> @scratch_3 1536 bytes <@scratch_3 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> and <@input_1 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> writes <@scratch_0 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> computes #zin.pe<op = add, reduce = none, post = none>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@scratch_0 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> and <@input_1 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> writes <@scratch_1 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> computes #zin.pe<op = add, reduce = none, post = none, negate2 = true>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@scratch_1 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> and <@input_1 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> writes <@scratch_2 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> computes #zin.pe<op = mul, reduce = none, post = none>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@scratch_2 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> and <@input_1 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> writes <@scratch_3 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> computes #zin.pe<op = max, reduce = none, post = none>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@scratch_3 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> and <@input_1 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> writes <@output_0 + 0, [2, 1, 4, 3, 5], [768, 768, 192, 64]> computes #zin.pe<op = min, reduce = none, post = none>
// CHECK-NEXT: {{^  }$}}
zin.procedure @elementwise(%x: tensor<2x1x4x3x5xf16> {zin.host_type = tensor<2x1x4x3x5xf16>, zin.name = "x"}, %y: tensor<2x1x4x3x5xf16> {zin.host_type = tensor<2x1x4x3x5xf16>, zin.name = "y"}) -> (tensor<2x1x4x3x5xf16> {zin.host_type = tensor<2x1x4x3x5xf16>, zin.name = "r"}) {
  %a = zin.elementwise <Add> %x, %y : (tensor<2x1x4x3x5xf16>, tensor<2x1x4x3x5xf16>) -> tensor<2x1x4x3x5xf16>
  %b = zin.elementwise <Sub> %a, %y : (tensor<2x1x4x3x5xf16>, tensor<2x1x4x3x5xf16>) -> tensor<2x1x4x3x5xf16>
  %c = zin.elementwise <Mult> %b, %y : (tensor<2x1x4x3x5xf16>, tensor<2x1x4x3x5xf16>) -> tensor<2x1x4x3x5xf16>
  %d = zin.elementwise <Max> %c, %y : (tensor<2x1x4x3x5xf16>, tensor<2x1x4x3x5xf16>) -> tensor<2x1x4x3x5xf16>
  %r = zin.elementwise <Min> %d, %y : (tensor<2x1x4x3x5xf16>, tensor<2x1x4x3x5xf16>) -> tensor<2x1x4x3x5xf16>
  zin.return %r : tensor<2x1x4x3x5xf16>
}

// -----

// Bits of the broadcast masks are 1 for columns, 2 rows, 4 depth, 8 channels. A
// group repeats with a stride of 0.

// CHECK-LABEL: zin.program @broadcast {
// CHECK-NOT: zin.task
// CHECK: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, [2, 1, 1, 3, 5], [192, 192, 192, 64]> and <@input_1 + 0, [2, 2, 4, 1, 1], [0, 256, 64, 64]> writes <@output_0 + 0, [2, 2, 4, 3, 5], [1536, 768, 192, 64]> computes #zin.pe<op = add, reduce = none, post = none, broadcast1 = 12, broadcast2 = 3>
// CHECK-NEXT: {{^  }$}}
zin.procedure @broadcast(%x: tensor<2x1x1x3x5xf16> {zin.host_type = tensor<2x1x1x3x5xf16>, zin.name = "x"}, %y: tensor<1x2x4x1x1xf16> {zin.host_type = tensor<1x2x4x1x1xf16>, zin.name = "y"}) -> (tensor<2x2x4x3x5xf16> {zin.host_type = tensor<2x2x4x3x5xf16>, zin.name = "z"}) {
  %z = zin.elementwise <Add> %x, %y : (tensor<2x1x1x3x5xf16>, tensor<1x2x4x1x1xf16>) -> tensor<2x2x4x3x5xf16>
  zin.return %z : tensor<2x2x4x3x5xf16>
}

// -----

// 512 channels of 1024 bytes are a fourth of the scratchpad. A broadcast operand
// stays.

// CHECK-LABEL: zin.program @elementwise_split {
// CHECK-NOT: zin.task
// CHECK: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, [1, 1, 512, 1, 512], [525312, 525312, 1024, 1024]> and <@input_1 + 0, [1, 1, 1, 1, 512], [1024, 1024, 1024, 1024]> writes <@output_0 + 0, [1, 1, 512, 1, 512], [525312, 525312, 1024, 1024]> computes #zin.pe<op = mul, reduce = none, post = none, broadcast2 = 8>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 524288, [1, 1, 1, 1, 512], [525312, 525312, 1024, 1024]> and <@input_1 + 0, [1, 1, 1, 1, 512], [1024, 1024, 1024, 1024]> writes <@output_0 + 524288, [1, 1, 1, 1, 512], [525312, 525312, 1024, 1024]> computes #zin.pe<op = mul, reduce = none, post = none, broadcast2 = 8>
// CHECK-NEXT: {{^  }$}}
zin.procedure @elementwise_split(%x: tensor<1x1x513x1x512xf16> {zin.host_type = tensor<1x1x513x1x512xf16>, zin.name = "x"}, %y: tensor<1x1x1x1x512xf16> {zin.host_type = tensor<1x1x1x1x512xf16>, zin.name = "y"}) -> (tensor<1x1x513x1x512xf16> {zin.host_type = tensor<1x1x513x1x512xf16>, zin.name = "z"}) {
  %z = zin.elementwise <Mult> %x, %y : (tensor<1x1x513x1x512xf16>, tensor<1x1x1x1x512xf16>) -> tensor<1x1x513x1x512xf16>
  zin.return %z : tensor<1x1x513x1x512xf16>
}

// -----

// A constant operand is a buffer.

// CHECK-LABEL: zin.program @constant {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <constant> @constant_0 64 bytes <@constant_0 + 0, [1, 1, 1, 1, 3], [64, 64, 64, 64]> {value = dense<{{.*}}> : tensor<1x1x1x1x3xf16>}
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, [1, 1, 1, 2, 3], [128, 128, 128, 64]> and <@constant_0 + 0, [1, 1, 1, 1, 3], [64, 64, 64, 64]> writes <@output_0 + 0, [1, 1, 1, 2, 3], [128, 128, 128, 64]> computes #zin.pe<op = add, reduce = none, post = none, broadcast2 = 2>
// CHECK-NEXT: {{^  }$}}
zin.procedure @constant(%x: tensor<1x1x1x2x3xf16> {zin.host_type = tensor<1x1x1x2x3xf16>, zin.name = "x"}) -> (tensor<1x1x1x2x3xf16> {zin.host_type = tensor<1x1x1x2x3xf16>, zin.name = "z"}) {
  %y = zin.constant dense<[[[[[1.0, 2.0, 3.0]]]]]> : tensor<1x1x1x1x3xf16>
  %z = zin.elementwise <Add> %x, %y : (tensor<1x1x1x2x3xf16>, tensor<1x1x1x1x3xf16>) -> tensor<1x1x1x2x3xf16>
  zin.return %z : tensor<1x1x1x2x3xf16>
}

// -----

// A bias comes before a scale: 2.5 x - 1 has a factor of source 1 instead, since
// fp16 holds no 0.4, and 1 - x since -0 would be wrong; 2 x + 3 is (x + 1.5) * 2.
// CHECK-LABEL: zin.program @goc {
// CHECK-NOT: zin.task
// CHECK: zin.task <PEFUSED_GOC> on <PEGOC> reads <@input_0 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> writes <@output_0 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> computes #zin.pe<op = add, reduce = none, post = none, preScale = 2.500000e+00 : f16, bias = -1.000000e+00 : f16>
// CHECK-NEXT: {{^  }$}}
zin.procedure @goc(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "y"}) {
  %y = zin.goc %x scale 2.5 bias -1.0 : tensor<1x1x4x3x5xf16>
  zin.return %y : tensor<1x1x4x3x5xf16>
}

// -----

// CHECK-LABEL: zin.program @goc_exact {
// CHECK: computes #zin.pe<op = add, reduce = none, post = none, scale = 2.000000e+00 : f16, bias = 1.500000e+00 : f16>
// CHECK-NEXT: {{^  }$}}
zin.procedure @goc_exact(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "y"}) {
  %y = zin.goc %x scale 2.0 bias 3.0 : tensor<1x1x4x3x5xf16>
  zin.return %y : tensor<1x1x4x3x5xf16>
}

// -----

// CHECK-LABEL: zin.program @goc_minus {
// CHECK: computes #zin.pe<op = add, reduce = none, post = none, preScale = -1.000000e+00 : f16, bias = 1.000000e+00 : f16>
// CHECK-NEXT: {{^  }$}}
zin.procedure @goc_minus(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "y"}) {
  %y = zin.goc %x scale -1.0 bias 1.0 : tensor<1x1x4x3x5xf16>
  zin.return %y : tensor<1x1x4x3x5xf16>
}

// -----

// An offset and a scale are one task, and so are a scale and an offset that
// nobody reads in between, with a factor behind both.
// CHECK-LABEL: zin.program @goc_offset {
// CHECK-NOT: zin.task
// CHECK: zin.task <PEFUSED_GOC> {{.*}} computes #zin.pe<op = add, reduce = none, post = none, scale = 3.000490e-01 : f16, bias = -7.000000e+00 : f16>
// CHECK-NEXT: zin.task <PEFUSED_GOC> {{.*}} computes #zin.pe<op = add, reduce = none, post = none, preScale = 1.999510e-01 : f16, scale = 3.000000e+00 : f16, bias = 1.000000e+00 : f16>
// CHECK-NEXT: {{^  }$}}
zin.procedure @goc_offset(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "y"}) {
  %a = zin.goc %x scale 1.0 bias -7.0 : tensor<1x1x4x3x5xf16>
  %b = zin.goc %a scale 0.3 bias 0.0 : tensor<1x1x4x3x5xf16>
  %c = zin.goc %b scale 0.2 bias 0.0 : tensor<1x1x4x3x5xf16>
  %d = zin.goc %c scale 1.0 bias 1.0 : tensor<1x1x4x3x5xf16>
  %z = zin.goc %d scale 3.0 bias 0.0 : tensor<1x1x4x3x5xf16>
  zin.return %z : tensor<1x1x4x3x5xf16>
}

// -----

// An offset that rounds to integers does so for itself.
// CHECK-LABEL: zin.program @goc_round {
// CHECK: zin.task <PEFUSED_GOC> {{.*}} bias = 1.536000e+03 : f16>
// CHECK-NEXT: zin.task <PEFUSED_GOC> {{.*}} scale = 2.000000e+00 : f16>
// CHECK-NEXT: {{^  }$}}
zin.procedure @goc_round(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "y"}) {
  %a = zin.goc %x scale 1.0 bias 1536.0 : tensor<1x1x4x3x5xf16>
  %z = zin.goc %a scale 2.0 bias 0.0 : tensor<1x1x4x3x5xf16>
  zin.return %z : tensor<1x1x4x3x5xf16>
}

// -----

// The factor of source 1 and the bias of a pair are those of its task.
// CHECK-LABEL: zin.program @scaled_pair {
// CHECK: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> and <@input_1 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> writes <@output_0 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> computes #zin.pe<op = add, reduce = none, post = none, preScale = 2.500000e+00 : f16, bias = 1.536000e+03 : f16>
// CHECK-NEXT: {{^  }$}}
zin.procedure @scaled_pair(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}, %y: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "y"}) -> (tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "z"}) {
  %z = zin.scaled_elementwise <Add> %x, %y scale 2.5 bias 1536.0 : (tensor<1x1x4x3x5xf16>, tensor<1x1x4x3x5xf16>) -> tensor<1x1x4x3x5xf16>
  zin.return %z : tensor<1x1x4x3x5xf16>
}

// -----

// relu is a flag, other activations a table, one for all tasks with as many lanes.
// A value that is returned and read is copied to its output.

// CHECK-LABEL: zin.program @neurons {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_0 3840 bytes <@scratch_0 + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]>
// CHECK-NEXT: zin.kernel @kernel_0 {activation = #zin.neuron<sigmoid>, groups = 1 : i64, ocg_size = 0 : i64, outputs = 20 : i64, taps = 1 : i64}
// CHECK-NEXT: zin.kernel @kernel_1 {activation = #zin.neuron<sigmoid>, groups = 1 : i64, ocg_size = 0 : i64, outputs = 1 : i64, taps = 1 : i64}
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> writes <@output_0 + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> writes <@scratch_0 + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true> with @kernel_0
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_0 + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> writes <@output_2 + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true> with @kernel_0
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_1 + 0, [1, 1, 1, 1, 5], [64, 64, 64, 64]> writes <@output_3 + 0, [1, 1, 1, 1, 5], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true> with @kernel_1
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_0 + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> writes <@output_1 + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @neurons(%x: tensor<1x1x20x3x5xf16> {zin.host_type = tensor<1x1x20x3x5xf16>, zin.name = "x"}, %v: tensor<1x1x1x1x5xf16> {zin.host_type = tensor<1x1x1x1x5xf16>, zin.name = "v"}) -> (tensor<1x1x20x3x5xf16> {zin.host_type = tensor<1x1x20x3x5xf16>, zin.name = "a"}, tensor<1x1x20x3x5xf16> {zin.host_type = tensor<1x1x20x3x5xf16>, zin.name = "b"}, tensor<1x1x20x3x5xf16> {zin.host_type = tensor<1x1x20x3x5xf16>, zin.name = "c"}, tensor<1x1x1x1x5xf16> {zin.host_type = tensor<1x1x1x1x5xf16>, zin.name = "d"}) {
  %a = zin.neuron <relu> %x : tensor<1x1x20x3x5xf16>
  %b = zin.neuron <sigmoid> %x : tensor<1x1x20x3x5xf16>
  %c = zin.neuron <sigmoid> %b : tensor<1x1x20x3x5xf16>
  %d = zin.neuron <sigmoid> %v : tensor<1x1x1x1x5xf16>
  zin.return %a, %b, %c, %d : tensor<1x1x20x3x5xf16>, tensor<1x1x20x3x5xf16>, tensor<1x1x20x3x5xf16>, tensor<1x1x1x1x5xf16>
}

// -----

// CHECK-LABEL: zin.program @clamp {
// CHECK-NOT: zin.task
// CHECK: zin.kernel @kernel_0 {activation = #zin.neuron<clamped_relu, 0.000000e+00 : f16, 6.000000e+00 : f16>, groups = 1 : i64, ocg_size = 0 : i64, outputs = 4 : i64, taps = 1 : i64}
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> writes <@output_0 + 0, [1, 1, 4, 3, 5], [768, 768, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true> with @kernel_0
// CHECK-NEXT: {{^  }$}}
zin.procedure @clamp(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "y"}) {
  %y = zin.neuron <clamped_relu, 0.0 : f16, 6.0 : f16> %x : tensor<1x1x4x3x5xf16>
  zin.return %y : tensor<1x1x4x3x5xf16>
}

// -----

// The register of groups has 13 bits.

// CHECK-LABEL: zin.program @many_groups {
// CHECK-NOT: zin.task
// CHECK: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [8191, 1, 1, 1, 4], [64, 64, 64, 64]> writes <@output_0 + 0, [8191, 1, 1, 1, 4], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], groups = 8191, unicast = 1, kernelless = true, relu = true>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 524224, [1, 1, 1, 1, 4], [64, 64, 64, 64]> writes <@output_0 + 524224, [1, 1, 1, 1, 4], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @many_groups(%x: tensor<8192x1x1x1x4xf16> {zin.host_type = tensor<8192x1x1x1x4xf16>, zin.name = "x"}) -> (tensor<8192x1x1x1x4xf16> {zin.host_type = tensor<8192x1x1x1x4xf16>, zin.name = "y"}) {
  %y = zin.neuron <relu> %x : tensor<8192x1x1x1x4xf16>
  zin.return %y : tensor<8192x1x1x1x4xf16>
}

// -----

// An input that is returned is copied.

// CHECK-LABEL: zin.program @outputs {
// CHECK-NOT: zin.task
// CHECK: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 1, 1, 5], [64, 64, 64, 64]> writes <@output_0 + 0, [1, 1, 1, 1, 5], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @outputs(%x: tensor<1x1x1x1x5xf16> {zin.host_type = tensor<1x1x1x1x5xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x5xf16> {zin.host_type = tensor<1x1x1x1x5xf16>, zin.name = "x"}) {
  zin.return %x : tensor<1x1x1x1x5xf16>
}

// -----

// CHECK-LABEL: zin.program @shared {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_0 64 bytes <@scratch_0 + 0, [1, 1, 1, 1, 5], [64, 64, 64, 64]>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 1, 1, 5], [64, 64, 64, 64]> writes <@scratch_0 + 0, [1, 1, 1, 1, 5], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true, relu = true>
// CHECK-NEXT: zin.task <PEFUSED_GOC> on <PEGOC> reads <@scratch_0 + 0, [1, 1, 1, 1, 5], [64, 64, 64, 64]> writes <@output_1 + 0, [1, 1, 1, 1, 5], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none, scale = 2.000000e+00 : f16>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_0 + 0, [1, 1, 1, 1, 5], [64, 64, 64, 64]> writes <@output_0 + 0, [1, 1, 1, 1, 5], [64, 64, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @shared(%x: tensor<1x1x1x1x5xf16> {zin.host_type = tensor<1x1x1x1x5xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x5xf16> {zin.host_type = tensor<1x1x1x1x5xf16>, zin.name = "a"}, tensor<1x1x1x1x5xf16> {zin.host_type = tensor<1x1x1x1x5xf16>, zin.name = "b"}) {
  %a = zin.neuron <relu> %x : tensor<1x1x1x1x5xf16>
  %b = zin.goc %a scale 2.0 bias 0.0 : tensor<1x1x1x1x5xf16>
  zin.return %a, %b : tensor<1x1x1x1x5xf16>, tensor<1x1x1x1x5xf16>
}

// -----

// A factor is the scale of the accumulator; with an addend the task sums, over
// one element. Absolute values are the planar engine's.

// CHECK-LABEL: zin.program @functions {
// CHECK: zin.task <NEFUSED_BYPASS> {{.*}} computes #zin.ne<op = pass, {{.*}}, unicast = 1, kernelless = true, postScale = 1.442380e+00 : f16> with @kernel_0
// CHECK: zin.task <NEFUSED_BYPASS> {{.*}} computes #zin.ne<op = mac, {{.*}}, unicast = 1, kernelless = true, accBias = 1.000000e+00 : f16> with @kernel_1
// CHECK: zin.task <PEFUSED_ELEMENTWISE> {{.*}} computes #zin.pe<op = add, reduce = none, post = none, abs = true>
zin.procedure @functions(%x: tensor<1x1x1x1x5xf16> {zin.host_type = tensor<5xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x5xf16> {zin.host_type = tensor<5xf16>, zin.name = "a"}, tensor<1x1x1x1x5xf16> {zin.host_type = tensor<5xf16>, zin.name = "b"}, tensor<1x1x1x1x5xf16> {zin.host_type = tensor<5xf16>, zin.name = "c"}) {
  %a = zin.neuron <exp2> %x {scale = 1.442380e+00 : f16} : tensor<1x1x1x1x5xf16>
  %b = zin.neuron <rsqrt> %x {bias = 1.0 : f16} : tensor<1x1x1x1x5xf16>
  %c = zin.neuron <abs> %x : tensor<1x1x1x1x5xf16>
  zin.return %a, %b, %c : tensor<1x1x1x1x5xf16>, tensor<1x1x1x1x5xf16>, tensor<1x1x1x1x5xf16>
}

// -----

// The relu of x in `x op relu(x)` is a flag, whichever comes first.

// CHECK-LABEL: zin.program @own_relu {
// CHECK: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, {{.*}}> and <@input_0 + 0, {{.*}}> writes <@output_0 + 0, {{.*}}> computes #zin.pe<op = mul, reduce = none, post = none, relu2 = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @own_relu(%x: tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "x"}) -> (tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "y"}) {
  %r = zin.neuron #zin.neuron<relu> %x : tensor<1x1x4x8x9xf16>
  %y = zin.elementwise <Mult> %r, %x : (tensor<1x1x4x8x9xf16>, tensor<1x1x4x8x9xf16>) -> tensor<1x1x4x8x9xf16>
  zin.return %y : tensor<1x1x4x8x9xf16>
}

// -----

// It is a layer where others read it, or where it is subtracted.

// CHECK-LABEL: zin.program @own_relu_apart {
// CHECK: zin.task <NEFUSED_BYPASS> {{.*}} relu = true
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> {{.*}} negate2 = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @own_relu_apart(%x: tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "x"}) -> (tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "y"}) {
  %r = zin.neuron #zin.neuron<relu> %x : tensor<1x1x4x8x9xf16>
  %y = zin.elementwise <Sub> %x, %r : (tensor<1x1x4x8x9xf16>, tensor<1x1x4x8x9xf16>) -> tensor<1x1x4x8x9xf16>
  zin.return %y : tensor<1x1x4x8x9xf16>
}

// -----

// The relu of a result that nobody else reads is a flag of its task.

// CHECK-LABEL: zin.program @relu_of_result {
// CHECK: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, {{.*}}> and <@input_1 + 0, {{.*}}> writes <@output_0 + 0, {{.*}}> computes #zin.pe<op = max, reduce = none, post = none, relu = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @relu_of_result(%x: tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "x"}, %z: tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "z"}) -> (tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "y"}) {
  %m = zin.elementwise <Max> %x, %z : (tensor<1x1x4x8x9xf16>, tensor<1x1x4x8x9xf16>) -> tensor<1x1x4x8x9xf16>
  %y = zin.neuron #zin.neuron<relu> %m : tensor<1x1x4x8x9xf16>
  zin.return %y : tensor<1x1x4x8x9xf16>
}

// -----

// One that others read keeps a task of its own.

// CHECK-LABEL: zin.program @relu_of_shared_result {
// CHECK: zin.task <PEFUSED_ELEMENTWISE> {{.*}} computes #zin.pe<op = max, reduce = none, post = none>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> {{.*}} relu = true
zin.procedure @relu_of_shared_result(%x: tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "x"}, %z: tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "z"}) -> (tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "y"}, tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "m"}) {
  %m = zin.elementwise <Max> %x, %z : (tensor<1x1x4x8x9xf16>, tensor<1x1x4x8x9xf16>) -> tensor<1x1x4x8x9xf16>
  %y = zin.neuron #zin.neuron<relu> %m : tensor<1x1x4x8x9xf16>
  zin.return %y, %m : tensor<1x1x4x8x9xf16>, tensor<1x1x4x8x9xf16>
}

// -----

// A product with ones repeats its other operand, and needs no second source.

// CHECK-LABEL: zin.program @repeated {
// CHECK: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, {{.*}}> writes <@output_0 + 0, [1, 1, 4, 8, 9], {{.*}}> computes #zin.pe<op = add, reduce = none, post = none, relu = true, broadcast1 = 2>
// CHECK-NEXT: {{^  }$}}
zin.procedure @repeated(%x: tensor<1x1x4x1x9xf16> {zin.host_type = tensor<4x1x9xf16>, zin.name = "x"}) -> (tensor<1x1x4x8x9xf16> {zin.host_type = tensor<4x8x9xf16>, zin.name = "y"}) {
  %ones = zin.constant dense<1.0> : tensor<1x1x1x8x1xf16>
  %t = zin.elementwise <Mult> %ones, %x : (tensor<1x1x1x8x1xf16>, tensor<1x1x4x1x9xf16>) -> tensor<1x1x4x8x9xf16>
  %y = zin.neuron #zin.neuron<relu> %t : tensor<1x1x4x8x9xf16>
  zin.return %y : tensor<1x1x4x8x9xf16>
}
