// RUN: ane-opt %s --split-input-file --convert-zin-to-tasks | FileCheck %s

// The tasks of softmax. A view is [groups, depth, channels, rows, columns] and
// the bytes between neighbours in all but the last. Rows start at multiples of
// 64 bytes.

// Maximum, difference times log2 of e, exp2, reciprocal of the sum, product. Every
// row is a channel.

// CHECK-LABEL: zin.program @softmax_columns {
// CHECK-NOT: zin.task
// CHECK-DAG: zin.kernel @[[EXP2:kernel_[0-9]+]] {activation = #zin.neuron<exp2>, groups = 1 : i64, ocg_size = 0 : i64, outputs = 12 : i64, taps = 1 : i64}
// CHECK: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 0, [1, 1, 12, 1, 5], [768, 768, 64, 64]> writes <@[[LARGEST:scratch_[0-9]+]] + 0, [1, 1, 12, 1, 1], [768, 768, 64, 64]> computes #zin.pe<op = add, reduce = max, post = none>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, [1, 1, 12, 1, 5], [768, 768, 64, 64]> and <@[[LARGEST]] + 0, [1, 1, 12, 1, 1], [768, 768, 64, 64]> writes <@[[SHIFTED:scratch_[0-9]+]] + 0, [1, 1, 12, 1, 5], [768, 768, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none, negate2 = true, broadcast2 = 1, scale = 1.442380e+00 : f16>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@[[SHIFTED]] + 0, [1, 1, 12, 1, 5], [768, 768, 64, 64]> writes <@[[EXPONENTIAL:scratch_[0-9]+]] + 0, [1, 1, 12, 1, 5], [768, 768, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true> with @[[EXP2]]
// CHECK-NEXT: zin.task <PEFUSED_POOL> on <PEPool> reads <@[[EXPONENTIAL]] + 0, [1, 1, 12, 1, 5], [768, 768, 64, 64]> writes <@[[RECIPROCAL:scratch_[0-9]+]] + 0, [1, 1, 12, 1, 1], [768, 768, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = reciprocal>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@[[RECIPROCAL]] + 0, [1, 1, 12, 1, 1], [768, 768, 64, 64]> and <@[[EXPONENTIAL]] + 0, [1, 1, 12, 1, 5], [768, 768, 64, 64]> writes <@output_0 + 0, [1, 1, 12, 1, 5], [768, 768, 64, 64]> computes #zin.pe<op = mul, reduce = none, post = none, broadcast1 = 1>
// CHECK-NEXT: {{^  }$}}
zin.procedure @softmax_columns(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "y"}) {
  %y = zin.softmax %x over 4 : tensor<1x1x4x3x5xf16>
  zin.return %y : tensor<1x1x4x3x5xf16>
}

// -----

// Where channels are rows already, the maximum and the sum of each lie along
// columns.

// CHECK-LABEL: zin.program @softmax_vector {
// CHECK-NOT: zin.task
// CHECK: zin.buffer <scratch> @scratch_0 64 bytes <@scratch_0 + 0, [1, 1, 1, 1, 3], [64, 64, 64, 64]>
// CHECK-NEXT: zin.buffer <scratch> @scratch_1 192 bytes <@scratch_1 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 64]>
// CHECK-NEXT: zin.buffer <scratch> @scratch_2 192 bytes <@scratch_2 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 64]>
// CHECK-NEXT: zin.kernel @kernel_0 {activation = #zin.neuron<exp2>, groups = 1 : i64, ocg_size = 0 : i64, outputs = 3 : i64, taps = 1 : i64}
// CHECK-NEXT: zin.buffer <scratch> @scratch_3 64 bytes <@scratch_3 + 0, [1, 1, 1, 1, 3], [64, 64, 64, 64]>
// CHECK-NEXT: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 64]> writes <@scratch_0 + 0, [1, 1, 1, 1, 3], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = max, post = none, vectorResult = true>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 64]> and <@scratch_0 + 0, [1, 1, 1, 1, 3], [64, 64, 64, 64]> writes <@scratch_1 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 64]> computes #zin.pe<op = add, reduce = none, post = none, negate2 = true, broadcast2 = 1, vector2 = true, scale = 1.442380e+00 : f16>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@scratch_1 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 64]> writes <@scratch_2 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true> with @kernel_0
// CHECK-NEXT: zin.task <PEFUSED_POOL> on <PEPool> reads <@scratch_2 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 64]> writes <@scratch_3 + 0, [1, 1, 1, 1, 3], [64, 64, 64, 64]> computes #zin.pe<op = add, reduce = sum, post = reciprocal, vectorResult = true>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@scratch_3 + 0, [1, 1, 1, 1, 3], [64, 64, 64, 64]> and <@scratch_2 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 64]> writes <@output_0 + 0, [1, 1, 3, 1, 5], [192, 192, 64, 64]> computes #zin.pe<op = mul, reduce = none, post = none, broadcast1 = 1, vector1 = true>
// CHECK-NEXT: {{^  }$}}
zin.procedure @softmax_vector(%x: tensor<1x1x3x1x5xf16> {zin.host_type = tensor<1x3x1x5xf16>, zin.name = "x"}) -> (tensor<1x1x3x1x5xf16> {zin.host_type = tensor<1x3x1x5xf16>, zin.name = "y"}) {
  %y = zin.softmax %x over 4 : tensor<1x1x3x1x5xf16>
  zin.return %y : tensor<1x1x3x1x5xf16>
}

// -----

// The neural engine reduces channels, up to the maximum and the sum.

// CHECK-LABEL: zin.program @softmax_channels {
// CHECK-NOT: zin.task
// CHECK-DAG: zin.kernel @[[EXP2:kernel_[0-9]+]] {activation = #zin.neuron<exp2>, groups = 1 : i64, ocg_size = 0 : i64, outputs = 20 : i64, taps = 1 : i64}
// CHECK-DAG: zin.kernel @[[INV:kernel_[0-9]+]] {activation = #zin.neuron<inv>, groups = 1 : i64, ocg_size = 0 : i64, outputs = 1 : i64, taps = 1 : i64}
// CHECK: zin.task <NEFUSED_POOL> on <NEPool> reads <@input_0 + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> writes <@[[LARGEST:scratch_[0-9]+]] + 0, [1, 1, 1, 3, 5], [192, 192, 192, 64]> computes #zin.ne<op = max, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 20, kernelless = true, lowestPadding = true>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> and <@[[LARGEST]] + 0, [1, 1, 1, 3, 5], [192, 192, 192, 64]> writes <@[[SHIFTED:scratch_[0-9]+]] + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> computes #zin.pe<op = add, reduce = none, post = none, negate2 = true, broadcast2 = 8, scale = 1.442380e+00 : f16>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@[[SHIFTED]] + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> writes <@[[EXPONENTIAL:scratch_[0-9]+]] + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true> with @[[EXP2]]
// CHECK-NEXT: zin.task <NEFUSED_POOL> on <NEPool> reads <@[[EXPONENTIAL]] + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> writes <@[[RECIPROCAL:scratch_[0-9]+]] + 0, [1, 1, 1, 3, 5], [192, 192, 192, 64]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0], kernelless = true> with @[[INV]]
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@[[RECIPROCAL]] + 0, [1, 1, 1, 3, 5], [192, 192, 192, 64]> and <@[[EXPONENTIAL]] + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> writes <@output_0 + 0, [1, 1, 20, 3, 5], [3840, 3840, 192, 64]> computes #zin.pe<op = mul, reduce = none, post = none, broadcast1 = 8>
// CHECK-NEXT: {{^  }$}}
zin.procedure @softmax_channels(%x: tensor<1x1x20x3x5xf16> {zin.host_type = tensor<1x1x20x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x20x3x5xf16> {zin.host_type = tensor<1x1x20x3x5xf16>, zin.name = "y"}) {
  %y = zin.softmax %x over 2 : tensor<1x1x20x3x5xf16>
  zin.return %y : tensor<1x1x20x3x5xf16>
}

// -----

// Another axis trades places with the channels.

// CHECK-LABEL: zin.program @softmax_rows {
// CHECK-NOT: zin.task
// CHECK-DAG: zin.kernel @[[EXP2:kernel_[0-9]+]] {activation = #zin.neuron<exp2>, groups = 1 : i64, ocg_size = 0 : i64, outputs = 3 : i64, taps = 1 : i64}
// CHECK-DAG: zin.kernel @[[INV:kernel_[0-9]+]] {activation = #zin.neuron<inv>, groups = 1 : i64, ocg_size = 0 : i64, outputs = 1 : i64, taps = 1 : i64}
// CHECK: zin.task <NEFUSED_POOL> on <NEPool> reads <@input_0 + 0, [1, 1, 3, 4, 5], [768, 768, 64, 192]> writes <@[[LARGEST:scratch_[0-9]+]] + 0, [1, 1, 1, 4, 5], [256, 256, 256, 64]> computes #zin.ne<op = max, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 3, kernelless = true, lowestPadding = true>
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@input_0 + 0, [1, 1, 3, 4, 5], [768, 768, 64, 192]> and <@[[LARGEST]] + 0, [1, 1, 1, 4, 5], [256, 256, 256, 64]> writes <@[[SHIFTED:scratch_[0-9]+]] + 0, [1, 1, 3, 4, 5], [768, 768, 256, 64]> computes #zin.pe<op = add, reduce = none, post = none, negate2 = true, broadcast2 = 8, scale = 1.442380e+00 : f16>
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@[[SHIFTED]] + 0, [1, 1, 3, 4, 5], [768, 768, 256, 64]> writes <@[[EXPONENTIAL:scratch_[0-9]+]] + 0, [1, 1, 3, 4, 5], [768, 768, 256, 64]> computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], padding = [0, 0], unicast = 1, kernelless = true> with @[[EXP2]]
// CHECK-NEXT: zin.task <NEFUSED_POOL> on <NEPool> reads <@[[EXPONENTIAL]] + 0, [1, 1, 3, 4, 5], [768, 768, 256, 64]> writes <@[[RECIPROCAL:scratch_[0-9]+]] + 0, [1, 1, 1, 4, 5], [256, 256, 256, 64]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0], kernelless = true> with @[[INV]]
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@[[RECIPROCAL]] + 0, [1, 1, 1, 4, 5], [256, 256, 256, 64]> and <@[[EXPONENTIAL]] + 0, [1, 1, 3, 4, 5], [768, 768, 256, 64]> writes <@output_0 + 0, [1, 1, 3, 4, 5], [768, 768, 64, 192]> computes #zin.pe<op = mul, reduce = none, post = none, broadcast1 = 8>
// CHECK-NEXT: {{^  }$}}
zin.procedure @softmax_rows(%x: tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "x"}) -> (tensor<1x1x4x3x5xf16> {zin.host_type = tensor<1x1x4x3x5xf16>, zin.name = "y"}) {
  %y = zin.softmax %x over 3 : tensor<1x1x4x3x5xf16>
  zin.return %y : tensor<1x1x4x3x5xf16>
}

// -----

// 131072 rows of 16 bytes in L2 are 2 MB; pieces of a quarter stay there between
// tasks. The maximum of one column is a copy.

// CHECK-LABEL: zin.program @softmax_high {
// CHECK-NOT: zin.task
// CHECK: zin.kernel @[[EXP2:kernel_[0-9]+]] {activation = #zin.neuron<exp2>, groups = 1 : i64, ocg_size = 0 : i64, outputs = 32768 : i64, taps = 1 : i64}
// CHECK: zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 0, [1, 1, 32768, 1, 1], {{.*}} writes <@[[LARGEST0:scratch_[0-9]+]] + 0,
// CHECK-NEXT: <PEFUSED_ELEMENTWISE> {{.*}} reads <@input_0 + 0, {{.*}} and <@[[LARGEST0]] + 0, {{.*}} writes <@[[SHIFTED0:scratch_[0-9]+]] + 0, {{.*}} negate2 = true, scale = 1.442380e+00 : f16>
// CHECK-NEXT: <NEFUSED_BYPASS> {{.*}} reads <@[[SHIFTED0]] + 0, {{.*}} writes <@[[EXPONENTIAL0:scratch_[0-9]+]] + 0, {{.*}} with @[[EXP2]]
// CHECK-NEXT: <PEFUSED_POOL> {{.*}} reads <@[[EXPONENTIAL0]] + 0, {{.*}} writes <@[[RECIPROCAL0:scratch_[0-9]+]] + 0, {{.*}} reduce = sum, post = reciprocal>
// CHECK-NEXT: <PEFUSED_ELEMENTWISE> {{.*}} reads <@[[RECIPROCAL0]] + 0, {{.*}} and <@[[EXPONENTIAL0]] + 0, {{.*}} writes <@output_0 + 0, {{.*}} computes #zin.pe<op = mul,
// CHECK-NEXT: <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 2097152, [1, 1, 32768, 1, 1], {{.*}} writes <@[[LARGEST1:scratch_[0-9]+]] + 0,
// CHECK-NEXT: <PEFUSED_ELEMENTWISE> {{.*}} reads <@input_0 + 2097152, {{.*}} and <@[[LARGEST1]] + 0, {{.*}} writes <@[[SHIFTED1:scratch_[0-9]+]] + 0, {{.*}} negate2 = true, scale = 1.442380e+00 : f16>
// CHECK-NEXT: <NEFUSED_BYPASS> {{.*}} reads <@[[SHIFTED1]] + 0, {{.*}} writes <@[[EXPONENTIAL1:scratch_[0-9]+]] + 0, {{.*}} with @[[EXP2]]
// CHECK-NEXT: <PEFUSED_POOL> {{.*}} reads <@[[EXPONENTIAL1]] + 0, {{.*}} writes <@[[RECIPROCAL1:scratch_[0-9]+]] + 0, {{.*}} reduce = sum, post = reciprocal>
// CHECK-NEXT: <PEFUSED_ELEMENTWISE> {{.*}} reads <@[[RECIPROCAL1]] + 0, {{.*}} and <@[[EXPONENTIAL1]] + 0, {{.*}} writes <@output_0 + 2097152, {{.*}} computes #zin.pe<op = mul,
// CHECK-NEXT: <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 4194304, [1, 1, 32768, 1, 1], {{.*}} writes <@[[LARGEST2:scratch_[0-9]+]] + 0,
// CHECK-NEXT: <PEFUSED_ELEMENTWISE> {{.*}} reads <@input_0 + 4194304, {{.*}} and <@[[LARGEST2]] + 0, {{.*}} writes <@[[SHIFTED2:scratch_[0-9]+]] + 0, {{.*}} negate2 = true, scale = 1.442380e+00 : f16>
// CHECK-NEXT: <NEFUSED_BYPASS> {{.*}} reads <@[[SHIFTED2]] + 0, {{.*}} writes <@[[EXPONENTIAL2:scratch_[0-9]+]] + 0, {{.*}} with @[[EXP2]]
// CHECK-NEXT: <PEFUSED_POOL> {{.*}} reads <@[[EXPONENTIAL2]] + 0, {{.*}} writes <@[[RECIPROCAL2:scratch_[0-9]+]] + 0, {{.*}} reduce = sum, post = reciprocal>
// CHECK-NEXT: <PEFUSED_ELEMENTWISE> {{.*}} reads <@[[RECIPROCAL2]] + 0, {{.*}} and <@[[EXPONENTIAL2]] + 0, {{.*}} writes <@output_0 + 4194304, {{.*}} computes #zin.pe<op = mul,
// CHECK-NEXT: <NEFUSED_BYPASS> on <NEBypass> reads <@input_0 + 6291456, [1, 1, 32768, 1, 1], {{.*}} writes <@[[LARGEST3:scratch_[0-9]+]] + 0,
// CHECK-NEXT: <PEFUSED_ELEMENTWISE> {{.*}} reads <@input_0 + 6291456, {{.*}} and <@[[LARGEST3]] + 0, {{.*}} writes <@[[SHIFTED3:scratch_[0-9]+]] + 0, {{.*}} negate2 = true, scale = 1.442380e+00 : f16>
// CHECK-NEXT: <NEFUSED_BYPASS> {{.*}} reads <@[[SHIFTED3]] + 0, {{.*}} writes <@[[EXPONENTIAL3:scratch_[0-9]+]] + 0, {{.*}} with @[[EXP2]]
// CHECK-NEXT: <PEFUSED_POOL> {{.*}} reads <@[[EXPONENTIAL3]] + 0, {{.*}} writes <@[[RECIPROCAL3:scratch_[0-9]+]] + 0, {{.*}} reduce = sum, post = reciprocal>
// CHECK-NEXT: <PEFUSED_ELEMENTWISE> {{.*}} reads <@[[RECIPROCAL3]] + 0, {{.*}} and <@[[EXPONENTIAL3]] + 0, {{.*}} writes <@output_0 + 6291456, {{.*}} computes #zin.pe<op = mul,
// CHECK-NEXT: {{^  }$}}
zin.procedure @softmax_high(%x: tensor<1x1x65536x2x1xf16> {zin.host_type = tensor<1x1x65536x2x1xf16>, zin.name = "x"}) -> (tensor<1x1x65536x2x1xf16> {zin.host_type = tensor<1x1x65536x2x1xf16>, zin.name = "y"}) {
  %y = zin.softmax %x over 4 : tensor<1x1x65536x2x1xf16>
  zin.return %y : tensor<1x1x65536x2x1xf16>
}

// -----

// A row of 8192 channels takes all of L2: parts of 1024 channels come for the
// largest element, for the sum and for the result, and exponentials are computed
// twice. Exponentials of so many channels are 128 times as large, and sums of 128
// of them leave that out.

// CHECK-LABEL: zin.program @softmax_many_channels {
// CHECK: reads <@input_0 + 0, [1, 1, 1024, 1, 128], {{.*}} writes <@[[MAXIMA:[^ ]*]] + 0, [1, 1, 1, 1, 128], {{.*}}op = max, {{.*}} unicast = 1024
// CHECK-COUNT-7: reads <@input_0 + {{.*}} writes <@[[MAXIMA]] + {{.*}}op = max
// CHECK-NEXT: reads <@[[MAXIMA]] + 0, [1, 1, 8, 1, 128], {{.*}} writes <@[[MAX:[^ ]*]] + 0, [1, 1, 1, 1, 128],
// CHECK-NEXT: reads <@input_0 + 0, [1, 1, 1024, 1, 128], {{.*}} and <@[[MAX]] + 0, {{.*}} negate2 = true
// CHECK-NEXT: with @kernel_0
// CHECK-NEXT: <NEFUSED_POOL> {{.*}} [8, 1, 128, 1, 128], [32768, {{.*}} writes <@[[SUMS:[^ ]*]] + 0, [8, 1, 1, 1, 128], [256, {{.*}}op = mac, {{.*}} postScale = 7.812500e-03 : f16>
// CHECK: <NEFUSED_POOL> {{.*}} writes <@[[SUMS]] + 14336,
// CHECK-NEXT: reads <@[[SUMS]] + 0, [1, 1, 64, 1, 128], {{.*}} writes <@[[TURNED:[^ ]*]] + 0, {{.*}} transposed = true
// CHECK-NEXT: reads <@[[TURNED]] + 0, {{.*}} writes <@[[SUM:[^ ]*]] + 0, {{.*}} reduce = sum, post = reciprocal
// CHECK-NEXT: reads <@input_0 + 0, [1, 1, 1024, 1, 128], {{.*}} and <@[[MAX]] + 0, {{.*}} negate2 = true, {{.*}} bias = 4.851560e+00 : f16>
// CHECK-NEXT: with @kernel_0
// CHECK-NEXT: reads <@[[SUM]] + 0, {{.*}} writes <@output_0 + 0, [1, 1, 1024, 1, 128], {{.*}} scale = 7.812500e-03 : f16>
// CHECK: writes <@output_0 + 1835008,
// CHECK-NEXT: {{^  }$}}
zin.procedure @softmax_many_channels(%x: tensor<1x1x8192x1x128xf16> {zin.host_type = tensor<1x1x8192x1x128xf16>, zin.name = "x"}) -> (tensor<1x1x8192x1x128xf16> {zin.host_type = tensor<1x1x8192x1x128xf16>, zin.name = "y"}) {
  %y = zin.softmax %x over 2 : tensor<1x1x8192x1x128xf16>
  zin.return %y : tensor<1x1x8192x1x128xf16>
}

// -----

// Over channels pieces are some rows of all of them: 12 of 30 in 0.5 MB.

// CHECK-LABEL: zin.program @softmax_channels_large {
// CHECK: <NEFUSED_POOL> on <NEPool> reads <@input_0 + 0, [1, 1, 320, 12, 64],
// CHECK: <PEFUSED_ELEMENTWISE> {{.*}} writes <@output_0 + 0, [1, 1, 320, 12, 64],
// CHECK-NEXT: <NEFUSED_POOL> on <NEPool> reads <@input_0 + 1536, [1, 1, 320, 12, 64],
// CHECK: writes <@output_0 + 1536, [1, 1, 320, 12, 64],
// CHECK-NEXT: <NEFUSED_POOL> on <NEPool> reads <@input_0 + 3072, [1, 1, 320, 6, 64],
// CHECK: writes <@output_0 + 3072, [1, 1, 320, 6, 64],
// CHECK-NEXT: {{^  }$}}
zin.procedure @softmax_channels_large(%x: tensor<1x1x320x30x64xf16> {zin.host_type = tensor<1x1x320x30x64xf16>, zin.name = "x"}) -> (tensor<1x1x320x30x64xf16> {zin.host_type = tensor<1x1x320x30x64xf16>, zin.name = "y"}) {
  %y = zin.softmax %x over 2 : tensor<1x1x320x30x64xf16>
  zin.return %y : tensor<1x1x320x30x64xf16>
}

// -----

// Of rows of 4096 columns pieces have not even one of all channels, 2 MB. It is
// four of 1024, as those of a parameter must begin where rows do; channels may
// lie along any dimension.

// CHECK-LABEL: zin.program @softmax_signal {
// CHECK: <NEFUSED_POOL> on <NEPool> reads <@input_0 + 0, [1, 1, 250, 1, 1024],
// CHECK: <PEFUSED_ELEMENTWISE> {{.*}} writes <@output_0 + 0, [1, 1, 250, 1, 1024],
// CHECK-NEXT: <NEFUSED_POOL> on <NEPool> reads <@input_0 + 2048, [1, 1, 250, 1, 1024],
// CHECK: writes <@output_0 + 2048, [1, 1, 250, 1, 1024],
// CHECK: reads <@input_0 + 2048000, [1, 1, 250, 1, 1024],
// CHECK: writes <@output_0 + 2054144, [1, 1, 250, 1, 1024],
// CHECK-NEXT: {{^  }$}}
zin.procedure @softmax_signal(%x: tensor<1x1x2x250x4096xf16> {zin.host_type = tensor<1x2x250x4096xf16>, zin.name = "x"}) -> (tensor<1x1x2x250x4096xf16> {zin.host_type = tensor<1x2x250x4096xf16>, zin.name = "y"}) {
  %y = zin.softmax %x over 3 : tensor<1x1x2x250x4096xf16>
  zin.return %y : tensor<1x1x2x250x4096xf16>
}

// -----

// Not where rows would not end with the columns.

// CHECK-LABEL: zin.program @softmax_odd_signal {
// CHECK: <NEFUSED_POOL> on <NEPool> reads <@input_0 + 0, [1, 1, 250, 1, 4090],
// CHECK: writes <@output_0 + 0, [1, 1, 250, 1, 4090],
// CHECK-NEXT: {{^  }$}}
zin.procedure @softmax_odd_signal(%x: tensor<1x1x250x1x4090xf16> {zin.host_type = tensor<1x250x1x4090xf16>, zin.name = "x"}) -> (tensor<1x1x250x1x4090xf16> {zin.host_type = tensor<1x250x1x4090xf16>, zin.name = "y"}) {
  %y = zin.softmax %x over 2 : tensor<1x1x250x1x4090xf16>
  zin.return %y : tensor<1x1x250x1x4090xf16>
}

// -----

// No task takes 2048 rows of 256 columns: L2 holds the tiles of half of them at a
// time. All tasks of the first half come in front of those of the second, so that
// what they hand on stays there.

// CHECK-LABEL: zin.program @softmax_halves {
// CHECK: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 0, [1, 1, 1024, 1, 256], {{.*}} reduce = max
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> {{.*}} reads <@input_0 + 0, [1, 1, 1024, 1, 256],
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> {{.*}}, [1, 1, 1024, 1, 256],
// CHECK-NEXT: zin.task <PEFUSED_POOL> {{.*}} reduce = sum
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> {{.*}} writes <@output_0 + 0, [1, 1, 1024, 1, 256],
// CHECK: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 + 524288, [1, 1, 1024, 1, 256], {{.*}} reduce = max
// CHECK: zin.task <PEFUSED_ELEMENTWISE> {{.*}} writes <@output_0 + 524288, [1, 1, 1024, 1, 256],
// CHECK-NOT: zin.task
zin.procedure @softmax_halves(%x: tensor<1x1x8x256x256xf16> {zin.host_type = tensor<1x8x256x256xf16>, zin.name = "x"}) -> (tensor<1x1x8x256x256xf16> {zin.host_type = tensor<1x8x256x256xf16>, zin.name = "y"}) {
  %y = zin.softmax %x over 4 : tensor<1x1x8x256x256xf16>
  zin.return %y : tensor<1x1x8x256x256xf16>
}
