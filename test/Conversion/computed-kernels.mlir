// RUN: ane-opt %s --split-input-file --convert-zin-to-tasks | FileCheck %s

// Products of computed matrices: which rows of the kernel a task has, and where
// they lie.

// 8 rows of a kernel from memory lie side by side in a copy, so that 16 lanes make
// 128 outputs. The one task that reads the other matrix streams it.

// CHECK-LABEL: zin.program @far {
// CHECK: zin.task <PEFUSED_GOC> on <PEGOC> reads <@input_1 + 0, [1, 1, 128, 1, 2048], {{.*}} writes <@[[ROWS:.*]] + 0, [1, 1, 128, 1, 2048], [524288, 524288, 32768, 32768], interleave = 8>
// CHECK-NEXT: zin.task <NEFUSED_CONV> {{.*}} reads <@input_0 + 0, [1, 1, 2048, 1, 2048], {{.*}} writes <@output_0 + 0, [1, 1, 128, 1, 2048], {{.*}} weighs <@[[ROWS]] + 0, [1, 1, 8, 16, 2048], [524288, 524288, 32768, 32768], interleave = 8>
// CHECK-NEXT: {{^  }$}}
zin.procedure @far(%x: tensor<1x1x1x2048x2048xf16> {zin.host_type = tensor<2048x2048xf16>, zin.name = "x"}, %w: tensor<1x1x1x128x2048xf16> {zin.host_type = tensor<128x2048xf16>, zin.name = "w"}) -> (tensor<1x1x1x128x2048xf16> {zin.host_type = tensor<128x2048xf16>, zin.name = "y"}) {
  %y = zin.matmul %x, %w {contract_rows, outputs_on_rows} : (tensor<1x1x1x2048x2048xf16>, tensor<1x1x1x128x2048xf16>) -> tensor<1x1x1x128x2048xf16>
  zin.return %y : tensor<1x1x1x128x2048xf16>
}

// -----

// Of what is in L2 all rows are copied: 8 side by side for 128 outputs, 4 for 64,
// what is left as it is. A copy has the rows of all matrices.

// CHECK-LABEL: zin.program @near {
// CHECK: zin.task <NEFUSED_BYPASS> {{.*}} writes <@[[K:.*]] + 0, [1, 1, 2, 213, 64],
// CHECK-NEXT: <NEFUSED_BYPASS> {{.*}} reads <@[[K]] + 0, [2, 1, 128, 1, 64], {{.*}} writes <@[[A:.*]] + 0, [2, 1, 128, 1, 64], {{.*}} interleave = 8>
// CHECK-NEXT: <NEFUSED_BYPASS> {{.*}} reads <@[[K]] + 16384, [2, 1, 64, 1, 64], {{.*}} writes <@[[B:.*]] + 0, [2, 1, 64, 1, 64], {{.*}} interleave = 4>
// CHECK-NEXT: <NEFUSED_BYPASS> {{.*}} reads <@[[K]] + 24576, [2, 1, 21, 1, 64], {{.*}} writes <@[[C:.*]] + 0, [2, 1, 21, 1, 64], [2688, 2688, 128, 128]>
// CHECK-NEXT: writes <@output_0 + 0, [1, 1, 128, 1, 32], {{.*}} weighs <@[[A]] + 0, [1, 1, 8, 16, 64], {{.*}} interleave = 8>
// CHECK-NEXT: writes <@output_0 + 8192, [1, 1, 64, 1, 32], {{.*}} weighs <@[[B]] + 0, [1, 1, 4, 16, 64], {{.*}} interleave = 4>
// CHECK-NEXT: writes <@output_0 + 12288, [1, 1, 16, 1, 32], {{.*}} weighs <@[[C]] + 0, [1, 1, 1, 16, 64],
// CHECK-NEXT: writes <@output_0 + 13312, [1, 1, 5, 1, 32], {{.*}} weighs <@[[C]] + 2048, [1, 1, 1, 5, 64],
// CHECK-NEXT: weighs <@[[A]] + 16384,
// CHECK-NEXT: weighs <@[[B]] + 8192,
// CHECK-NEXT: weighs <@[[C]] + 2688,
// CHECK-NEXT: weighs <@[[C]] + 4736,
// CHECK-NEXT: {{^  }$}}
zin.procedure @near(%x: tensor<1x1x2x64x32xf16> {zin.host_type = tensor<2x64x32xf16>, zin.name = "x"}, %w: tensor<1x1x2x213x64xf16> {zin.host_type = tensor<2x213x64xf16>, zin.name = "w"}) -> (tensor<1x1x2x213x32xf16> {zin.host_type = tensor<2x213x32xf16>, zin.name = "y"}) {
  %k = zin.neuron <relu> %w : tensor<1x1x2x213x64xf16>
  %y = zin.matmul %x, %k {contract_rows, outputs_on_rows} : (tensor<1x1x2x64x32xf16>, tensor<1x1x2x213x64xf16>) -> tensor<1x1x2x213x32xf16>
  zin.return %y : tensor<1x1x2x213x32xf16>
}

// -----

// What nothing but a product reads as a kernel is written as the product reads it.

// CHECK-LABEL: zin.program @direct {
// CHECK: zin.task <NEFUSED_BYPASS> {{.*}} reads <@input_1 + 0, [2, 1, 96, 1, 64], {{.*}} writes <@[[ROWS:.*]] + 0, [2, 1, 64, 1, 96], [12288, 24576, 768, 24576], interleave = 4> {{.*}} transposed = true>
// CHECK-NEXT: weighs <@[[ROWS]] + 0, [1, 1, 4, 16, 96], [12288, 24576, 24576, 768], interleave = 4>
// CHECK-NEXT: weighs <@[[ROWS]] + 12288, [1, 1, 4, 16, 96],
// CHECK-NEXT: {{^  }$}}
zin.procedure @direct(%x: tensor<1x1x2x96x32xf16> {zin.host_type = tensor<2x96x32xf16>, zin.name = "x"}, %w: tensor<1x1x2x96x64xf16> {zin.host_type = tensor<2x96x64xf16>, zin.name = "w"}) -> (tensor<1x1x2x64x32xf16> {zin.host_type = tensor<2x64x32xf16>, zin.name = "y"}) {
  %k = zin.transpose %w to [0, 1, 2, 4, 3] : (tensor<1x1x2x96x64xf16>) -> tensor<1x1x2x64x96xf16>
  %y = zin.matmul %x, %k {contract_rows, outputs_on_rows} : (tensor<1x1x2x96x32xf16>, tensor<1x1x2x64x96xf16>) -> tensor<1x1x2x64x32xf16>
  zin.return %y : tensor<1x1x2x64x32xf16>
}

// -----

// So are the rows of a product whose columns are those of several heads.

// CHECK-LABEL: zin.program @heads {
// CHECK: writes <@[[ROWS:.*]] + 0, [1, 1, 128, 1, 64], [16384, 16384, 1024, 16384], interleave = 8> {{.*}} transposed = true> with @kernel_0
// CHECK-NEXT: weighs <@[[ROWS]] + 0, [1, 1, 8, 16, 32],
// CHECK-NEXT: weighs <@[[ROWS]] + 512, [1, 1, 8, 16, 32],
// CHECK-NEXT: {{^  }$}}
zin.procedure @heads(%x: tensor<1x1x2x32x32xf16> {zin.host_type = tensor<2x32x32xf16>, zin.name = "x"}, %t: tensor<1x1x1x128x16xf16> {zin.host_type = tensor<128x16xf16>, zin.name = "t"}) -> (tensor<1x1x2x128x32xf16> {zin.host_type = tensor<2x128x32xf16>, zin.name = "y"}) {
  %w = zin.constant dense<1.0> : tensor<1x1x1x64x16xf16>
  %q = zin.matmul %t, %w : (tensor<1x1x1x128x16xf16>, tensor<1x1x1x64x16xf16>) -> tensor<1x1x1x128x64xf16>
  %r = zin.reshape %q : (tensor<1x1x1x128x64xf16>) -> tensor<1x1x128x2x32xf16>
  %k = zin.transpose %r to [0, 1, 3, 2, 4] : (tensor<1x1x128x2x32xf16>) -> tensor<1x1x2x128x32xf16>
  %y = zin.matmul %x, %k {contract_rows, outputs_on_rows} : (tensor<1x1x2x32x32xf16>, tensor<1x1x2x128x32xf16>) -> tensor<1x1x2x128x32xf16>
  zin.return %y : tensor<1x1x2x128x32xf16>
}

// -----

// Not what others read, too.

// CHECK-LABEL: zin.program @read_elsewhere {
// CHECK: writes <@[[ROWS:.*]] + 0, [1, 1, 64, 1, 96], [12288, 12288, 192, 12288]> {{.*}} transposed = true>
// CHECK-NEXT: reads <@[[ROWS]] + 0, {{.*}} writes <@[[COPY:.*]] + 0, [1, 1, 64, 1, 96], {{.*}} interleave = 4>
// CHECK-NEXT: weighs <@[[COPY]] + 0,
// CHECK-NEXT: reads <@[[ROWS]] + 0,
// CHECK-NEXT: {{^  }$}}
zin.procedure @read_elsewhere(%x: tensor<1x1x1x96x32xf16> {zin.host_type = tensor<96x32xf16>, zin.name = "x"}, %w: tensor<1x1x1x96x64xf16> {zin.host_type = tensor<96x64xf16>, zin.name = "w"}) -> (tensor<1x1x1x64x32xf16> {zin.host_type = tensor<64x32xf16>, zin.name = "y"}, tensor<1x1x1x64x96xf16> {zin.host_type = tensor<64x96xf16>, zin.name = "z"}) {
  %k = zin.transpose %w to [0, 1, 2, 4, 3] : (tensor<1x1x1x96x64xf16>) -> tensor<1x1x1x64x96xf16>
  %y = zin.matmul %x, %k {contract_rows, outputs_on_rows} : (tensor<1x1x1x96x32xf16>, tensor<1x1x1x64x96xf16>) -> tensor<1x1x1x64x32xf16>
  %z = zin.neuron <relu> %k : tensor<1x1x1x64x96xf16>
  zin.return %y, %z : tensor<1x1x1x64x32xf16>, tensor<1x1x1x64x96xf16>
}

// -----

// A softmax writes so, too; several matrices one after the other.

// CHECK-LABEL: zin.program @probabilities {
// CHECK: zin.task <PEFUSED_ELEMENTWISE> {{.*}} writes <@[[ROWS:.*]] + 0, [1, 1, 128, 1, 80], [20480, 20480, 640, 640], interleave = 4> computes #zin.pe<op = mul,
// CHECK-NEXT: weighs <@[[ROWS]] + 0, [1, 1, 4, 16, 80], {{.*}}, interleave = 4>
// CHECK-NEXT: weighs <@[[ROWS]] + 10240, [1, 1, 4, 16, 80],
// CHECK-NEXT: {{^  }$}}
zin.procedure @probabilities(%x: tensor<1x1x2x80x32xf16> {zin.host_type = tensor<2x80x32xf16>, zin.name = "x"}, %w: tensor<1x1x2x64x80xf16> {zin.host_type = tensor<2x64x80xf16>, zin.name = "w"}) -> (tensor<1x1x2x64x32xf16> {zin.host_type = tensor<2x64x32xf16>, zin.name = "y"}) {
  %k = zin.softmax %w over 4 : tensor<1x1x2x64x80xf16>
  %y = zin.matmul %x, %k {contract_rows, outputs_on_rows} : (tensor<1x1x2x80x32xf16>, tensor<1x1x2x64x80xf16>) -> tensor<1x1x2x64x32xf16>
  zin.return %y : tensor<1x1x2x64x32xf16>
}

// -----

// Pieces of 455 rows that L2 has room for are of 448, which lie side by side.

// CHECK-LABEL: zin.program @probabilities_in_pieces {
// CHECK: zin.task <PEFUSED_ELEMENTWISE> {{.*}} writes <@[[ROWS:.*]] + 0, [1, 1, 448, 1, 576], {{.*}} interleave = 8> computes #zin.pe<op = mul,
// CHECK: zin.task <PEFUSED_ELEMENTWISE> {{.*}} writes <@[[ROWS]] + 516096, [1, 1, 448, 1, 576], {{.*}} interleave = 8> computes #zin.pe<op = mul,
// CHECK: weighs <@[[ROWS]] + 0, [1, 1, 8, 16, 576],
zin.procedure @probabilities_in_pieces(%x: tensor<1x1x8x576x32xf16> {zin.host_type = tensor<8x576x32xf16>, zin.name = "x"}, %w: tensor<1x1x8x128x576xf16> {zin.host_type = tensor<8x128x576xf16>, zin.name = "w"}) -> (tensor<1x1x8x128x32xf16> {zin.host_type = tensor<8x128x32xf16>, zin.name = "y"}) {
  %k = zin.softmax %w over 4 : tensor<1x1x8x128x576xf16>
  %y = zin.matmul %x, %k {contract_rows, outputs_on_rows} : (tensor<1x1x8x576x32xf16>, tensor<1x1x8x128x576xf16>) -> tensor<1x1x8x128x32xf16>
  zin.return %y : tensor<1x1x8x128x32xf16>
}

// -----

// Rows that are left are read where they lie, and a copy has the others alone.

// CHECK-LABEL: zin.program @rest {
// CHECK: zin.task <PEFUSED_GOC> {{.*}} reads <@input_1 + 0, [1, 1, 64, 1, 64], {{.*}} writes <@[[COPY:.*]] + 0, [1, 1, 64, 1, 64], {{.*}} interleave = 4>
// CHECK-NEXT: weighs <@[[COPY]] + 0, [1, 1, 4, 16, 64],
// CHECK-NEXT: weighs <@input_1 + 8192, [1, 1, 1, 16, 64],
// CHECK-NEXT: weighs <@input_1 + 10240, [1, 1, 1, 16, 64],
// CHECK-NEXT: {{^  }$}}
zin.procedure @rest(%x: tensor<1x1x1x64x64xf16> {zin.host_type = tensor<64x64xf16>, zin.name = "x"}, %w: tensor<1x1x1x96x64xf16> {zin.host_type = tensor<96x64xf16>, zin.name = "w"}) -> (tensor<1x1x1x96x64xf16> {zin.host_type = tensor<96x64xf16>, zin.name = "y"}) {
  %y = zin.matmul %x, %w {contract_rows, outputs_on_rows} : (tensor<1x1x1x64x64xf16>, tensor<1x1x1x96x64xf16>) -> tensor<1x1x1x96x64xf16>
  zin.return %y : tensor<1x1x1x96x64xf16>
}
