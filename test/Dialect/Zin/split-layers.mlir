// RUN: ane-opt %s --zin-split-layers --split-input-file | FileCheck %s

// Distances from means over columns: rows do not need each other. The value is
// copied to L2 for the mean and the difference, and parts of the result are
// joined.

// CHECK-LABEL: zin.procedure @means
// CHECK-NEXT: %[[V:.*]] = zin.input_view %arg0 from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x1x768x256xf16>
// CHECK-NEXT: %[[X:.*]] = zin.concat %[[V]] along 0
// CHECK-NEXT: %[[M:.*]] = zin.reduction <Avg> %[[X]] over [4] : {{.*}} -> tensor<1x1x1x768x1xf16>
// CHECK-NEXT: %[[Y0:.*]] = zin.elementwise <Sub> %[[X]], %[[M]] : {{.*}} -> tensor<1x1x1x768x256xf16>
// CHECK-NEXT: zin.input_view %arg0 from [0, 0, 0, 768, 0]
// CHECK:      zin.input_view %arg0 from [0, 0, 0, 2304, 0]
// CHECK:      %[[Y:.*]] = zin.concat %[[Y0]], {{.*}} along 3 : {{.*}} -> tensor<1x1x1x3072x256xf16>
// CHECK-NEXT: zin.return %[[Y]]
zin.procedure @means(%x: tensor<1x1x1x3072x256xf16> {zin.host_type = tensor<3072x256xf16>, zin.name = "x"}) -> (tensor<1x1x1x3072x256xf16> {zin.host_type = tensor<3072x256xf16>, zin.name = "y"}) {
  %0 = zin.reduction <Avg> %x over [4] : (tensor<1x1x1x3072x256xf16>) -> tensor<1x1x1x3072x1xf16>
  %1 = zin.elementwise <Sub> %x, %0 : (tensor<1x1x1x3072x256xf16>, tensor<1x1x1x3072x1xf16>) -> tensor<1x1x1x3072x256xf16>
  zin.return %1 : tensor<1x1x1x3072x256xf16>
}

// -----

// A layer with coefficients: of each block those of its outputs. What all blocks
// read is copied to L2 once, being a part of an input. What is rows behind a
// reshape is channels in front of it. A softmax takes no more than its result,
// which lies where its operand did.

// CHECK-LABEL: zin.procedure @outputs
// CHECK:      %[[V:.*]] = zin.input_view %arg0
// CHECK:      %[[ALL:.*]] = zin.concat %[[V]] along 0 : (tensor<1x1x64x1x256xf16>)
// CHECK-NEXT: %[[K:.*]] = zin.constant dense<5.000000e-01> : tensor<768x1x64x1x1xf16>
// CHECK-NEXT: %[[B:.*]] = zin.constant dense<1.000000e+00> : tensor<1x1x768x1x1xf16>
// CHECK-NEXT: %[[C:.*]] = zin.conv %[[ALL]], %[[K]] bias %[[B]] {{.*}} -> tensor<1x1x768x1x256xf16>
// CHECK-NEXT: %[[R:.*]] = zin.reshape %[[C]] : {{.*}} -> tensor<1x1x1x768x256xf16>
// CHECK-NEXT: %[[S0:.*]] = zin.softmax %[[R]] over 4
// CHECK:      zin.conv %[[ALL]],
// CHECK:      zin.concat %[[S0]], {{.*}} along 3 : {{.*}} -> tensor<1x1x1x3072x256xf16>
zin.procedure @outputs(%x: tensor<1x1x128x1x256xf16> {zin.host_type = tensor<128x1x256xf16>, zin.name = "x"}) -> (tensor<1x1x1x3072x256xf16> {zin.host_type = tensor<3072x256xf16>, zin.name = "y"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<3072x1x64x1x1xf16>
  %b = zin.constant dense<1.000000e+00> : tensor<1x1x3072x1x1xf16>
  %v = zin.input_view %x from [0, 0, 64, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x128x1x256xf16>) -> tensor<1x1x64x1x256xf16>
  %0 = zin.conv %v, %k bias %b {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x64x1x256xf16>, tensor<3072x1x64x1x1xf16>, tensor<1x1x3072x1x1xf16>) -> tensor<1x1x3072x1x256xf16>
  %1 = zin.reshape %0 : (tensor<1x1x3072x1x256xf16>) -> tensor<1x1x1x3072x256xf16>
  %2 = zin.softmax %1 over 4 : tensor<1x1x1x3072x256xf16>
  zin.return %2 : tensor<1x1x1x3072x256xf16>
}

// -----

// What needs the results of all blocks, here largest elements of all rows, ends
// what is cut, and so does what is computed from that.

// CHECK-LABEL: zin.procedure @ends
// CHECK:      %[[N0:.*]] = zin.elementwise <Mult> {{.*}} -> tensor<1x1x1x768x256xf16>
// CHECK:      %[[N:.*]] = zin.concat %[[N0]], {{.*}} -> tensor<1x1x1x3072x256xf16>
// CHECK-NEXT: %[[T:.*]] = zin.reduction <Max> %[[N]] over [3, 4]
// CHECK-NEXT: %[[Y:.*]] = zin.elementwise <Mult> %[[N]], %[[T]] : (tensor<1x1x1x3072x256xf16>
// CHECK-NEXT: zin.return %[[Y]]
zin.procedure @ends(%x: tensor<1x1x1x3072x256xf16> {zin.host_type = tensor<3072x256xf16>, zin.name = "x"}) -> (tensor<1x1x1x3072x256xf16> {zin.host_type = tensor<3072x256xf16>, zin.name = "y"}) {
  %0 = zin.reduction <Sum> %x over [4] {square} : (tensor<1x1x1x3072x256xf16>) -> tensor<1x1x1x3072x1xf16>
  %1 = zin.elementwise <Mult> %x, %0 : (tensor<1x1x1x3072x256xf16>, tensor<1x1x1x3072x1xf16>) -> tensor<1x1x1x3072x256xf16>
  %2 = zin.reduction <Max> %1 over [3, 4] : (tensor<1x1x1x3072x256xf16>) -> tensor<1x1x1x1x1xf16>
  %3 = zin.elementwise <Mult> %1, %2 : (tensor<1x1x1x3072x256xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x1x3072x256xf16>
  zin.return %3 : tensor<1x1x1x3072x256xf16>
}

// -----

// Nothing reads an output surface: parts go there, and are joined once more for
// what reads them. A layer between those of the region that needs them comes
// behind it. Columns keep the layers apart, and the concatenation; those of
// a parameter would lose large numbers, so they are of a copy.

// CHECK-LABEL: zin.procedure @joined
// CHECK:      %[[A0:.*]] = zin.softmax {{.*}} : tensor<1x1x4096x1x64xf16>
// CHECK:      %[[P0:.*]] = zin.elementwise <Mult> {{.*}}, %[[A0]]
// CHECK:      %[[Y0:.*]] = zin.concat %[[A0]], %[[P0]] along 2 : {{.*}} -> tensor<1x1x8192x1x64xf16>
// CHECK:      %[[A:.*]] = zin.concat %[[A0]], {{.*}} along 4 : {{.*}} -> tensor<1x1x4096x1x256xf16>
// CHECK-NEXT: %[[Y:.*]] = zin.concat %[[Y0]], {{.*}} along 4 : {{.*}} -> tensor<1x1x8192x1x256xf16>
// CHECK-NEXT: %[[M:.*]] = zin.reduction <Max> %[[A]] over [2, 4]
// CHECK-NEXT: zin.return %[[Y]], %[[M]]
zin.procedure @joined(%x: tensor<1x1x4096x1x256xf16> {zin.host_type = tensor<4096x1x256xf16>, zin.name = "x"}) -> (tensor<1x1x8192x1x256xf16> {zin.host_type = tensor<8192x1x256xf16>, zin.name = "y"}, tensor<1x1x1x1x1xf16> {zin.host_type = tensor<1xf16>, zin.name = "z"}) {
  %c = zin.concat %x along 0 : (tensor<1x1x4096x1x256xf16>) -> tensor<1x1x4096x1x256xf16>
  %0 = zin.softmax %c over 2 : tensor<1x1x4096x1x256xf16>
  %1 = zin.reduction <Max> %0 over [2, 4] : (tensor<1x1x4096x1x256xf16>) -> tensor<1x1x1x1x1xf16>
  %2 = zin.elementwise <Mult> %c, %0 : (tensor<1x1x4096x1x256xf16>, tensor<1x1x4096x1x256xf16>) -> tensor<1x1x4096x1x256xf16>
  %3 = zin.concat %0, %2 along 2 : (tensor<1x1x4096x1x256xf16>, tensor<1x1x4096x1x256xf16>) -> tensor<1x1x8192x1x256xf16>
  zin.return %3, %1 : tensor<1x1x8192x1x256xf16>, tensor<1x1x1x1x1xf16>
}

// -----

// Left alone: what L2 holds, and layers of rows, which zin-tile-rows cuts.

// CHECK-LABEL: zin.procedure @small
// CHECK-NOT: zin.concat
zin.procedure @small(%x: tensor<1x1x1x512x256xf16> {zin.host_type = tensor<512x256xf16>, zin.name = "x"}) -> (tensor<1x1x1x512x256xf16> {zin.host_type = tensor<512x256xf16>, zin.name = "y"}) {
  %0 = zin.reduction <Avg> %x over [4] : (tensor<1x1x1x512x256xf16>) -> tensor<1x1x1x512x1xf16>
  %1 = zin.elementwise <Sub> %x, %0 : (tensor<1x1x1x512x256xf16>, tensor<1x1x1x512x1xf16>) -> tensor<1x1x1x512x256xf16>
  zin.return %1 : tensor<1x1x1x512x256xf16>
}

// CHECK-LABEL: zin.procedure @rows
// CHECK-NOT: zin.concat
zin.procedure @rows(%x: tensor<1x1x1x3072x256xf16> {zin.host_type = tensor<3072x256xf16>, zin.name = "x"}) -> (tensor<1x1x1x3072x256xf16> {zin.host_type = tensor<3072x256xf16>, zin.name = "y"}) {
  %0 = zin.neuron <sigmoid> %x : tensor<1x1x1x3072x256xf16>
  %1 = zin.elementwise <Mult> %x, %0 : (tensor<1x1x1x3072x256xf16>, tensor<1x1x1x3072x256xf16>) -> tensor<1x1x1x3072x256xf16>
  zin.return %1 : tensor<1x1x1x3072x256xf16>
}

// -----

// Blocks of all layers would read the large coefficients again each time, which
// is more than they save. Those in front of them have blocks of their own.

// CHECK-LABEL: zin.procedure @parts
// CHECK:      zin.reduction <Avg> {{.*}} -> tensor<1x1x1x768x1xf16>
// CHECK-NEXT: %[[P0:.*]] = zin.elementwise <Sub> {{.*}} -> tensor<1x1x1x768x256xf16>
// CHECK:      %[[P:.*]] = zin.concat %[[P0]], {{.*}} along 3 : {{.*}} -> tensor<1x1x1x3072x256xf16>
// CHECK-NEXT: zin.matmul %[[P]], {{.*}} -> tensor<1x1x1x3072x8192xf16>
// CHECK-NEXT: zin.matmul {{.*}} -> tensor<1x1x1x3072x64xf16>
// CHECK-NEXT: zin.return
zin.procedure @parts(%x: tensor<1x1x1x3072x256xf16> {zin.host_type = tensor<3072x256xf16>, zin.name = "x"}) -> (tensor<1x1x1x3072x64xf16> {zin.host_type = tensor<3072x64xf16>, zin.name = "y"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<1x1x1x8192x256xf16>
  %l = zin.constant dense<5.000000e-01> : tensor<1x1x1x64x8192xf16>
  %0 = zin.reduction <Avg> %x over [4] : (tensor<1x1x1x3072x256xf16>) -> tensor<1x1x1x3072x1xf16>
  %1 = zin.elementwise <Sub> %x, %0 : (tensor<1x1x1x3072x256xf16>, tensor<1x1x1x3072x1xf16>) -> tensor<1x1x1x3072x256xf16>
  %2 = zin.matmul %1, %k : (tensor<1x1x1x3072x256xf16>, tensor<1x1x1x8192x256xf16>) -> tensor<1x1x1x3072x8192xf16>
  %3 = zin.matmul %2, %l : (tensor<1x1x1x3072x8192xf16>, tensor<1x1x1x64x8192xf16>) -> tensor<1x1x1x3072x64xf16>
  zin.return %3 : tensor<1x1x1x3072x64xf16>
}

// -----

// What lies between layers that go element by element needs no blocks of the
// product in front of them, which would read its coefficients each time:
// zin-tile-rows keeps it in L2.

// CHECK-LABEL: zin.procedure @gated
// CHECK-NOT: zin.input_view
// CHECK: zin.return
zin.procedure @gated(%x: tensor<1x1x1x1024x512xf16> {zin.host_type = tensor<1024x512xf16>, zin.name = "x"}) -> (tensor<1x1x1x1024x2048xf16> {zin.host_type = tensor<1024x2048xf16>, zin.name = "y"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<1x1x1x2048x512xf16>
  %0 = zin.matmul %x, %k : (tensor<1x1x1x1024x512xf16>, tensor<1x1x1x2048x512xf16>) -> tensor<1x1x1x1024x2048xf16>
  %1 = zin.neuron <sigmoid> %0 : tensor<1x1x1x1024x2048xf16>
  %2 = zin.elementwise <Mult> %0, %1 : (tensor<1x1x1x1024x2048xf16>, tensor<1x1x1x1024x2048xf16>) -> tensor<1x1x1x1024x2048xf16>
  zin.return %2 : tensor<1x1x1x1024x2048xf16>
}

// -----

// Few outputs are cut to one for each engine, where no block has more.

// CHECK-LABEL: zin.procedure @few_outputs
// CHECK: %[[C0:.*]] = zin.conv %{{.*}}, %{{.*}} {{.*}} -> tensor<1x1x16x128x128xf16>
// CHECK-NEXT: %[[S0:.*]] = zin.neuron <sigmoid> %[[C0]]
// CHECK-NEXT: %[[P0:.*]] = zin.elementwise <Mult> %[[C0]], %[[S0]]
// CHECK-NEXT: %[[M0:.*]] = zin.reduction <Avg> %[[P0]] over [3, 4] : {{.*}} -> tensor<1x1x16x1x1xf16>
// CHECK: zin.conv {{.*}} -> tensor<1x1x16x128x128xf16>
// CHECK: zin.concat %[[M0]], {{.*}} along 2 : {{.*}} -> tensor<1x1x32x1x1xf16>
zin.procedure @few_outputs(%x: tensor<1x1x8x128x128xf16> {zin.host_type = tensor<8x128x128xf16>, zin.name = "x"}) -> (tensor<1x1x32x1x1xf16> {zin.host_type = tensor<32x1x1xf16>, zin.name = "y"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<32x1x8x1x1xf16>
  %0 = zin.conv %x, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x8x128x128xf16>, tensor<32x1x8x1x1xf16>) -> tensor<1x1x32x128x128xf16>
  %1 = zin.neuron <sigmoid> %0 : tensor<1x1x32x128x128xf16>
  %2 = zin.elementwise <Mult> %0, %1 : (tensor<1x1x32x128x128xf16>, tensor<1x1x32x128x128xf16>) -> tensor<1x1x32x128x128xf16>
  %3 = zin.reduction <Avg> %2 over [3, 4] : (tensor<1x1x32x128x128xf16>) -> tensor<1x1x32x1x1xf16>
  zin.return %3 : tensor<1x1x32x1x1xf16>
}

// -----

// What makes the parts of a concatenation in front of the blocks writes them
// there: the blocks read all of it and copy nothing.

// CHECK-LABEL: zin.procedure @in_place
// CHECK:      %[[A:.*]] = zin.matmul %arg0, {{.*}} -> tensor<1x1x64x128x256xf16>
// CHECK-NEXT: %[[B:.*]] = zin.matmul %arg1, {{.*}} -> tensor<1x1x64x128x256xf16>
// CHECK-NEXT: %[[C:.*]] = zin.concat %[[A]], %[[B]] along 2
// CHECK-NEXT: %[[V:.*]] = zin.input_view %[[C]] from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x128x[[ROWS:[0-9]+]]x256xf16>
// CHECK-NEXT: %[[D:.*]] = zin.conv %[[V]], {{.*}} -> tensor<1x1x64x[[ROWS]]x256xf16>
// CHECK-NEXT: %[[Y0:.*]] = zin.matmul %[[D]], {{.*}} -> tensor<1x1x64x[[ROWS]]x512xf16>
// CHECK:      zin.concat %[[Y0]], {{.*}} along 3
zin.procedure @in_place(%x: tensor<1x1x64x32x256xf16> {zin.host_type = tensor<64x32x256xf16>, zin.name = "x"}, %z: tensor<1x1x64x32x256xf16> {zin.host_type = tensor<64x32x256xf16>, zin.name = "z"}) -> (tensor<1x1x64x128x512xf16> {zin.host_type = tensor<64x128x512xf16>, zin.name = "y"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<1x1x1x128x32xf16>
  %w = zin.constant dense<5.000000e-01> : tensor<64x1x128x1x1xf16>
  %u = zin.constant dense<5.000000e-01> : tensor<1x1x1x512x256xf16>
  %a = zin.matmul %x, %k {contract_rows, outputs_on_rows} : (tensor<1x1x64x32x256xf16>, tensor<1x1x1x128x32xf16>) -> tensor<1x1x64x128x256xf16>
  %b = zin.matmul %z, %k {contract_rows, outputs_on_rows} : (tensor<1x1x64x32x256xf16>, tensor<1x1x1x128x32xf16>) -> tensor<1x1x64x128x256xf16>
  %c = zin.concat %a, %b along 2 : (tensor<1x1x64x128x256xf16>, tensor<1x1x64x128x256xf16>) -> tensor<1x1x128x128x256xf16>
  %d = zin.conv %c, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x128x128x256xf16>, tensor<64x1x128x1x1xf16>) -> tensor<1x1x64x128x256xf16>
  %y = zin.matmul %d, %u : (tensor<1x1x64x128x256xf16>, tensor<1x1x1x512x256xf16>) -> tensor<1x1x64x128x512xf16>
  zin.return %y : tensor<1x1x64x128x512xf16>
}

// -----

// Blocks of columns would take part of the rows of a parameter, which loses large
// numbers: blocks of rows instead.

// CHECK-LABEL: zin.procedure @channels
// CHECK:     zin.input_view %arg0 from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x32x[[ROWS:[0-9]+]]x256xf16>
// CHECK:     zin.input_view %arg0 from [0, 0, 0, [[ROWS]], 0] {{.*}} -> tensor<1x1x32x[[ROWS]]x256xf16>
// CHECK-NOT: x32x256x{{[0-9]+}}xf16>{{$}}
// CHECK:     zin.concat {{.*}} along 3 : {{.*}} -> tensor<1x1x32x256x256xf16>
zin.procedure @channels(%x: tensor<1x1x32x256x256xf16> {zin.host_type = tensor<1x32x256x256xf16>, zin.name = "x"}) -> (tensor<1x1x32x256x256xf16> {zin.host_type = tensor<1x32x256x256xf16>, zin.name = "y"}) {
  %0 = zin.neuron <relu> %x : tensor<1x1x32x256x256xf16>
  %1 = zin.reduction <Avg> %0 over [2] : (tensor<1x1x32x256x256xf16>) -> tensor<1x1x1x256x256xf16>
  %2 = zin.elementwise <Sub> %0, %1 : (tensor<1x1x32x256x256xf16>, tensor<1x1x1x256x256xf16>) -> tensor<1x1x32x256x256xf16>
  zin.return %2 : tensor<1x1x32x256x256xf16>
}

// -----

// Columns of a signal that is a parameter: they are fetched as rows, and columns
// again in L2.

// CHECK-LABEL: zin.procedure @signal
// CHECK:      %[[R:.*]] = zin.reshape %arg0 : {{.*}} -> tensor<1x1x2048x16x32xf16>
// CHECK-NEXT: %[[V:.*]] = zin.input_view %[[R]] from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x2048x[[ROWS:[0-9]+]]x32xf16>
// CHECK-NEXT: %[[C:.*]] = zin.concat %[[V]] along 0
// CHECK-NEXT: %[[X:.*]] = zin.reshape %[[C]] : {{.*}} -> tensor<1x1x2048x1x[[COLUMNS:[0-9]+]]xf16>
// CHECK-NEXT: %[[M:.*]] = zin.reduction <Avg> %[[X]] over [2]
// CHECK-NEXT: zin.elementwise <Sub> %[[X]], %[[M]] : {{.*}} -> tensor<1x1x2048x1x[[COLUMNS]]xf16>
// CHECK:      zin.reshape %arg0 : {{.*}} -> tensor<1x1x2048x16x32xf16>
// CHECK-NEXT: zin.input_view %{{.*}} from [0, 0, 0, [[ROWS]], 0]
// CHECK:      zin.concat {{.*}} along 4 : {{.*}} -> tensor<1x1x2048x1x512xf16>
zin.procedure @signal(%x: tensor<1x1x2048x1x512xf16> {zin.host_type = tensor<1x2048x1x512xf16>, zin.name = "x"}) -> (tensor<1x1x2048x1x512xf16> {zin.host_type = tensor<1x2048x1x512xf16>, zin.name = "y"}) {
  %0 = zin.reduction <Avg> %x over [2] : (tensor<1x1x2048x1x512xf16>) -> tensor<1x1x1x1x512xf16>
  %1 = zin.elementwise <Sub> %x, %0 : (tensor<1x1x2048x1x512xf16>, tensor<1x1x1x1x512xf16>) -> tensor<1x1x2048x1x512xf16>
  zin.return %1 : tensor<1x1x2048x1x512xf16>
}

// -----

// Not where rows would not end with the columns.

// CHECK-LABEL: zin.procedure @odd_signal
// CHECK-NOT: zin.input_view
// CHECK: zin.return
zin.procedure @odd_signal(%x: tensor<1x1x2048x1x500xf16> {zin.host_type = tensor<1x2048x1x500xf16>, zin.name = "x"}) -> (tensor<1x1x2048x1x500xf16> {zin.host_type = tensor<1x2048x1x500xf16>, zin.name = "y"}) {
  %0 = zin.reduction <Avg> %x over [2] : (tensor<1x1x2048x1x500xf16>) -> tensor<1x1x1x1x500xf16>
  %1 = zin.elementwise <Sub> %x, %0 : (tensor<1x1x2048x1x500xf16>, tensor<1x1x1x1x500xf16>) -> tensor<1x1x2048x1x500xf16>
  zin.return %1 : tensor<1x1x2048x1x500xf16>
}

// -----

// What a block computes for layers behind all of them is joined. Eight products of
// 384 KB each are together more than L2 holds: of so many heads at a time each would
// go through memory. For two at a time there is room, and these are turned before
// the next two.

// CHECK-LABEL: zin.procedure @joined_products
// CHECK:       zin.matmul %[[X:[0-9]+]], {{.*}} -> tensor<1x1x2x375x64xf16>
// CHECK:       zin.matmul %[[X]], {{.*}} -> tensor<1x1x2x375x64xf16>
// CHECK-NOT:   zin.matmul %[[X]],
// CHECK:       zin.return
zin.procedure @joined_products(%x: tensor<1x1x8x375x128xf16> {zin.host_type = tensor<1x1x8x375x128xf16>, zin.name = "x"}) -> (tensor<1x1x375x64x8xf16> {zin.host_type = tensor<1x1x375x64x8xf16>, zin.name = "y0"}, tensor<1x1x375x64x8xf16> {zin.host_type = tensor<1x1x375x64x8xf16>, zin.name = "y1"}, tensor<1x1x375x64x8xf16> {zin.host_type = tensor<1x1x375x64x8xf16>, zin.name = "y2"}, tensor<1x1x375x64x8xf16> {zin.host_type = tensor<1x1x375x64x8xf16>, zin.name = "y3"}, tensor<1x1x375x64x8xf16> {zin.host_type = tensor<1x1x375x64x8xf16>, zin.name = "y4"}, tensor<1x1x375x64x8xf16> {zin.host_type = tensor<1x1x375x64x8xf16>, zin.name = "y5"}, tensor<1x1x375x64x8xf16> {zin.host_type = tensor<1x1x375x64x8xf16>, zin.name = "y6"}, tensor<1x1x375x64x8xf16> {zin.host_type = tensor<1x1x375x64x8xf16>, zin.name = "y7"}) {
  %a = zin.goc %x scale 2.0 bias 1.0 : tensor<1x1x8x375x128xf16>
  %b = zin.neuron <tanh> %a : tensor<1x1x8x375x128xf16>
  %c = zin.elementwise <Mult> %a, %b : (tensor<1x1x8x375x128xf16>, tensor<1x1x8x375x128xf16>) -> tensor<1x1x8x375x128xf16>
  %k0 = zin.constant dense<1.0> : tensor<1x1x8x64x128xf16>
  %p0 = zin.matmul %c, %k0 : (tensor<1x1x8x375x128xf16>, tensor<1x1x8x64x128xf16>) -> tensor<1x1x8x375x64xf16>
  %y0 = zin.transpose %p0 to [0, 1, 3, 4, 2] : (tensor<1x1x8x375x64xf16>) -> tensor<1x1x375x64x8xf16>
  %k1 = zin.constant dense<2.0> : tensor<1x1x8x64x128xf16>
  %p1 = zin.matmul %c, %k1 : (tensor<1x1x8x375x128xf16>, tensor<1x1x8x64x128xf16>) -> tensor<1x1x8x375x64xf16>
  %y1 = zin.transpose %p1 to [0, 1, 3, 4, 2] : (tensor<1x1x8x375x64xf16>) -> tensor<1x1x375x64x8xf16>
  %k2 = zin.constant dense<3.0> : tensor<1x1x8x64x128xf16>
  %p2 = zin.matmul %c, %k2 : (tensor<1x1x8x375x128xf16>, tensor<1x1x8x64x128xf16>) -> tensor<1x1x8x375x64xf16>
  %y2 = zin.transpose %p2 to [0, 1, 3, 4, 2] : (tensor<1x1x8x375x64xf16>) -> tensor<1x1x375x64x8xf16>
  %k3 = zin.constant dense<4.0> : tensor<1x1x8x64x128xf16>
  %p3 = zin.matmul %c, %k3 : (tensor<1x1x8x375x128xf16>, tensor<1x1x8x64x128xf16>) -> tensor<1x1x8x375x64xf16>
  %y3 = zin.transpose %p3 to [0, 1, 3, 4, 2] : (tensor<1x1x8x375x64xf16>) -> tensor<1x1x375x64x8xf16>
  %k4 = zin.constant dense<5.0> : tensor<1x1x8x64x128xf16>
  %p4 = zin.matmul %c, %k4 : (tensor<1x1x8x375x128xf16>, tensor<1x1x8x64x128xf16>) -> tensor<1x1x8x375x64xf16>
  %y4 = zin.transpose %p4 to [0, 1, 3, 4, 2] : (tensor<1x1x8x375x64xf16>) -> tensor<1x1x375x64x8xf16>
  %k5 = zin.constant dense<6.0> : tensor<1x1x8x64x128xf16>
  %p5 = zin.matmul %c, %k5 : (tensor<1x1x8x375x128xf16>, tensor<1x1x8x64x128xf16>) -> tensor<1x1x8x375x64xf16>
  %y5 = zin.transpose %p5 to [0, 1, 3, 4, 2] : (tensor<1x1x8x375x64xf16>) -> tensor<1x1x375x64x8xf16>
  %k6 = zin.constant dense<7.0> : tensor<1x1x8x64x128xf16>
  %p6 = zin.matmul %c, %k6 : (tensor<1x1x8x375x128xf16>, tensor<1x1x8x64x128xf16>) -> tensor<1x1x8x375x64xf16>
  %y6 = zin.transpose %p6 to [0, 1, 3, 4, 2] : (tensor<1x1x8x375x64xf16>) -> tensor<1x1x375x64x8xf16>
  %k7 = zin.constant dense<8.0> : tensor<1x1x8x64x128xf16>
  %p7 = zin.matmul %c, %k7 : (tensor<1x1x8x375x128xf16>, tensor<1x1x8x64x128xf16>) -> tensor<1x1x8x375x64xf16>
  %y7 = zin.transpose %p7 to [0, 1, 3, 4, 2] : (tensor<1x1x8x375x64xf16>) -> tensor<1x1x375x64x8xf16>
  zin.return %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7 : tensor<1x1x375x64x8xf16>, tensor<1x1x375x64x8xf16>, tensor<1x1x375x64x8xf16>, tensor<1x1x375x64x8xf16>, tensor<1x1x375x64x8xf16>, tensor<1x1x375x64x8xf16>, tensor<1x1x375x64x8xf16>, tensor<1x1x375x64x8xf16>
}

// -----

// Convolutions whose results are together more than L2 holds. What they join is so
// as well: they go through memory in blocks and without.

// CHECK-LABEL: zin.procedure @joined_output
// CHECK:       zin.neuron <relu> {{.*}} : tensor<1x64x8x20x56xf16>
// CHECK-COUNT-7: zin.conv {{.*}} -> tensor<1x1x64x19x56xf16>
// CHECK:       zin.return
zin.procedure @joined_output(%x: tensor<1x64x8x56x56xf16> {zin.host_type = tensor<1x64x8x56x56xf16>, zin.name = "x"}) -> (tensor<1x64x8x56x56xf16> {zin.host_type = tensor<1x64x8x56x56xf16>, zin.name = "y"}) {
  %a = zin.neuron <relu> %x : tensor<1x64x8x56x56xf16>
  %k = zin.constant dense<1.0> : tensor<64x1x128x3x3xf16>
  %v0 = zin.input_view %a from [0, 0, 0, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x64x8x56x56xf16>) -> tensor<1x64x1x56x56xf16>
  %s0 = zin.reshape %v0 : (tensor<1x64x1x56x56xf16>) -> tensor<1x1x64x56x56xf16>
  %v1 = zin.input_view %a from [0, 0, 1, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x64x8x56x56xf16>) -> tensor<1x64x1x56x56xf16>
  %s1 = zin.reshape %v1 : (tensor<1x64x1x56x56xf16>) -> tensor<1x1x64x56x56xf16>
  %v2 = zin.input_view %a from [0, 0, 2, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x64x8x56x56xf16>) -> tensor<1x64x1x56x56xf16>
  %s2 = zin.reshape %v2 : (tensor<1x64x1x56x56xf16>) -> tensor<1x1x64x56x56xf16>
  %v3 = zin.input_view %a from [0, 0, 3, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x64x8x56x56xf16>) -> tensor<1x64x1x56x56xf16>
  %s3 = zin.reshape %v3 : (tensor<1x64x1x56x56xf16>) -> tensor<1x1x64x56x56xf16>
  %v4 = zin.input_view %a from [0, 0, 4, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x64x8x56x56xf16>) -> tensor<1x64x1x56x56xf16>
  %s4 = zin.reshape %v4 : (tensor<1x64x1x56x56xf16>) -> tensor<1x1x64x56x56xf16>
  %v5 = zin.input_view %a from [0, 0, 5, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x64x8x56x56xf16>) -> tensor<1x64x1x56x56xf16>
  %s5 = zin.reshape %v5 : (tensor<1x64x1x56x56xf16>) -> tensor<1x1x64x56x56xf16>
  %v6 = zin.input_view %a from [0, 0, 6, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x64x8x56x56xf16>) -> tensor<1x64x1x56x56xf16>
  %s6 = zin.reshape %v6 : (tensor<1x64x1x56x56xf16>) -> tensor<1x1x64x56x56xf16>
  %v7 = zin.input_view %a from [0, 0, 7, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x64x8x56x56xf16>) -> tensor<1x64x1x56x56xf16>
  %s7 = zin.reshape %v7 : (tensor<1x64x1x56x56xf16>) -> tensor<1x1x64x56x56xf16>
  %j0 = zin.concat %s0, %s1 along 2 : (tensor<1x1x64x56x56xf16>, tensor<1x1x64x56x56xf16>) -> tensor<1x1x128x56x56xf16>
  %c0 = zin.conv %j0, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x1x128x56x56xf16>, tensor<64x1x128x3x3xf16>) -> tensor<1x1x64x56x56xf16>
  %d0 = zin.reshape %c0 : (tensor<1x1x64x56x56xf16>) -> tensor<1x64x1x56x56xf16>
  %j1 = zin.concat %s1, %s2 along 2 : (tensor<1x1x64x56x56xf16>, tensor<1x1x64x56x56xf16>) -> tensor<1x1x128x56x56xf16>
  %c1 = zin.conv %j1, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x1x128x56x56xf16>, tensor<64x1x128x3x3xf16>) -> tensor<1x1x64x56x56xf16>
  %d1 = zin.reshape %c1 : (tensor<1x1x64x56x56xf16>) -> tensor<1x64x1x56x56xf16>
  %j2 = zin.concat %s2, %s3 along 2 : (tensor<1x1x64x56x56xf16>, tensor<1x1x64x56x56xf16>) -> tensor<1x1x128x56x56xf16>
  %c2 = zin.conv %j2, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x1x128x56x56xf16>, tensor<64x1x128x3x3xf16>) -> tensor<1x1x64x56x56xf16>
  %d2 = zin.reshape %c2 : (tensor<1x1x64x56x56xf16>) -> tensor<1x64x1x56x56xf16>
  %j3 = zin.concat %s3, %s4 along 2 : (tensor<1x1x64x56x56xf16>, tensor<1x1x64x56x56xf16>) -> tensor<1x1x128x56x56xf16>
  %c3 = zin.conv %j3, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x1x128x56x56xf16>, tensor<64x1x128x3x3xf16>) -> tensor<1x1x64x56x56xf16>
  %d3 = zin.reshape %c3 : (tensor<1x1x64x56x56xf16>) -> tensor<1x64x1x56x56xf16>
  %j4 = zin.concat %s4, %s5 along 2 : (tensor<1x1x64x56x56xf16>, tensor<1x1x64x56x56xf16>) -> tensor<1x1x128x56x56xf16>
  %c4 = zin.conv %j4, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x1x128x56x56xf16>, tensor<64x1x128x3x3xf16>) -> tensor<1x1x64x56x56xf16>
  %d4 = zin.reshape %c4 : (tensor<1x1x64x56x56xf16>) -> tensor<1x64x1x56x56xf16>
  %j5 = zin.concat %s5, %s6 along 2 : (tensor<1x1x64x56x56xf16>, tensor<1x1x64x56x56xf16>) -> tensor<1x1x128x56x56xf16>
  %c5 = zin.conv %j5, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x1x128x56x56xf16>, tensor<64x1x128x3x3xf16>) -> tensor<1x1x64x56x56xf16>
  %d5 = zin.reshape %c5 : (tensor<1x1x64x56x56xf16>) -> tensor<1x64x1x56x56xf16>
  %j6 = zin.concat %s6, %s7 along 2 : (tensor<1x1x64x56x56xf16>, tensor<1x1x64x56x56xf16>) -> tensor<1x1x128x56x56xf16>
  %c6 = zin.conv %j6, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x1x128x56x56xf16>, tensor<64x1x128x3x3xf16>) -> tensor<1x1x64x56x56xf16>
  %d6 = zin.reshape %c6 : (tensor<1x1x64x56x56xf16>) -> tensor<1x64x1x56x56xf16>
  %j7 = zin.concat %s7, %s0 along 2 : (tensor<1x1x64x56x56xf16>, tensor<1x1x64x56x56xf16>) -> tensor<1x1x128x56x56xf16>
  %c7 = zin.conv %j7, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x1x128x56x56xf16>, tensor<64x1x128x3x3xf16>) -> tensor<1x1x64x56x56xf16>
  %d7 = zin.reshape %c7 : (tensor<1x1x64x56x56xf16>) -> tensor<1x64x1x56x56xf16>
  %y = zin.concat %d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7 along 2 : (tensor<1x64x1x56x56xf16>, tensor<1x64x1x56x56xf16>, tensor<1x64x1x56x56xf16>, tensor<1x64x1x56x56xf16>, tensor<1x64x1x56x56xf16>, tensor<1x64x1x56x56xf16>, tensor<1x64x1x56x56xf16>, tensor<1x64x1x56x56xf16>) -> tensor<1x64x8x56x56xf16>
  zin.return %y : tensor<1x64x8x56x56xf16>
}

// -----

// Products of one operand of which L2 holds all read it from there, once it has
// been turned: in blocks of columns, each would read its coefficients again.

// CHECK-LABEL: zin.procedure @one_operand
// CHECK-COUNT-4: zin.matmul %{{.*}}, %{{.*}} -> tensor<1x1x1x64x384xf16>
// CHECK-NOT: zin.matmul
zin.procedure @one_operand(%x: tensor<1x1x1x384x1024xf16> {zin.host_type = tensor<384x1024xf16>, zin.name = "x"}) -> (tensor<1x1x1x64x384xf16> {zin.host_type = tensor<64x384xf16>, zin.name = "y"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<1x1x1x64x1024xf16>
  %l = zin.constant dense<2.500000e-01> : tensor<1x1x1x64x1024xf16>
  %m = zin.constant dense<1.250000e-01> : tensor<1x1x1x64x1024xf16>
  %n = zin.constant dense<6.250000e-02> : tensor<1x1x1x64x1024xf16>
  %s = zin.neuron <sqrt> %x : tensor<1x1x1x384x1024xf16>
  %0 = zin.matmul %s, %k {outputs_on_rows} : (tensor<1x1x1x384x1024xf16>, tensor<1x1x1x64x1024xf16>) -> tensor<1x1x1x64x384xf16>
  %1 = zin.matmul %s, %l {outputs_on_rows} : (tensor<1x1x1x384x1024xf16>, tensor<1x1x1x64x1024xf16>) -> tensor<1x1x1x64x384xf16>
  %2 = zin.matmul %s, %m {outputs_on_rows} : (tensor<1x1x1x384x1024xf16>, tensor<1x1x1x64x1024xf16>) -> tensor<1x1x1x64x384xf16>
  %3 = zin.matmul %s, %n {outputs_on_rows} : (tensor<1x1x1x384x1024xf16>, tensor<1x1x1x64x1024xf16>) -> tensor<1x1x1x64x384xf16>
  %4 = zin.elementwise <Add> %0, %1 : (tensor<1x1x1x64x384xf16>, tensor<1x1x1x64x384xf16>) -> tensor<1x1x1x64x384xf16>
  %5 = zin.elementwise <Add> %2, %3 : (tensor<1x1x1x64x384xf16>, tensor<1x1x1x64x384xf16>) -> tensor<1x1x1x64x384xf16>
  %6 = zin.elementwise <Add> %4, %5 : (tensor<1x1x1x64x384xf16>, tensor<1x1x1x64x384xf16>) -> tensor<1x1x1x64x384xf16>
  zin.return %6 : tensor<1x1x1x64x384xf16>
}

// -----

// What a feed-forward layer computes of a block of tokens lies in L2 as a whole for
// its last product. Values in front of that, and functions of them, are there for
// some outputs at a time, so that blocks can be larger, and read coefficients fewer
// times.

// CHECK-LABEL: zin.procedure @outputs_in_parts
// CHECK:      %[[P0:.*]] = zin.matmul %{{.*}}, %{{.*}} {outputs_on_rows} : (tensor<1x1x1x256x512xf16>, tensor<1x1x1x128x512xf16>) -> tensor<1x1x1x128x256xf16>
// CHECK-NEXT: %[[S0:.*]] = zin.neuron <sigmoid> %[[P0]]
// CHECK-NEXT: %[[H0:.*]] = zin.elementwise <Mult> %[[P0]], %[[S0]]
// CHECK:      zin.matmul %{{.*}}, %{{.*}} {outputs_on_rows} {{.*}} -> tensor<1x1x1x128x256xf16>
// CHECK:      %[[H:.*]] = zin.concat %[[H0]], {{.*}} along 3 : {{.*}} -> tensor<1x1x1x2048x256xf16>
// CHECK-NEXT: zin.matmul %[[H]], %{{.*}} {contract_rows} : {{.*}} -> tensor<1x1x1x256x512xf16>
zin.procedure @outputs_in_parts(%x: tensor<1x1x1x1536x512xf16> {zin.host_type = tensor<1536x512xf16>, zin.name = "x"}) -> (tensor<1x1x1x1536x512xf16> {zin.host_type = tensor<1536x512xf16>, zin.name = "y"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<1x1x1x2048x512xf16>
  %l = zin.constant dense<5.000000e-01> : tensor<1x1x1x512x2048xf16>
  %0 = zin.reduction <Avg> %x over [4] : (tensor<1x1x1x1536x512xf16>) -> tensor<1x1x1x1536x1xf16>
  %1 = zin.elementwise <Sub> %x, %0 : (tensor<1x1x1x1536x512xf16>, tensor<1x1x1x1536x1xf16>) -> tensor<1x1x1x1536x512xf16>
  %2 = zin.matmul %1, %k {outputs_on_rows} : (tensor<1x1x1x1536x512xf16>, tensor<1x1x1x2048x512xf16>) -> tensor<1x1x1x2048x1536xf16>
  %3 = zin.neuron <sigmoid> %2 : tensor<1x1x1x2048x1536xf16>
  %4 = zin.elementwise <Mult> %2, %3 : (tensor<1x1x1x2048x1536xf16>, tensor<1x1x1x2048x1536xf16>) -> tensor<1x1x1x2048x1536xf16>
  %5 = zin.matmul %4, %l {contract_rows} : (tensor<1x1x1x2048x1536xf16>, tensor<1x1x1x512x2048xf16>) -> tensor<1x1x1x1536x512xf16>
  %6 = zin.elementwise <Add> %x, %5 : (tensor<1x1x1x1536x512xf16>, tensor<1x1x1x1536x512xf16>) -> tensor<1x1x1x1536x512xf16>
  zin.return %6 : tensor<1x1x1x1536x512xf16>
}

// -----

// So does one whose tokens are the columns of a signal.

// CHECK-LABEL: zin.procedure @outputs_of_signal
// CHECK:      %[[P0:.*]] = zin.conv %{{.*}}, %{{.*}} : (tensor<1x1x512x1x{{.*}}xf16>, tensor<128x1x512x1x1xf16>) -> tensor<1x1x128x1x[[T:[0-9]+]]xf16>
// CHECK-NEXT: %[[S0:.*]] = zin.neuron <sigmoid> %[[P0]]
// CHECK-NEXT: %[[H0:.*]] = zin.elementwise <Mult> %[[P0]], %[[S0]]
// CHECK:      %[[H:.*]] = zin.concat %[[H0]], {{.*}} along 2 : {{.*}} -> tensor<1x1x2048x1x[[T]]xf16>
// CHECK-NEXT: zin.conv %[[H]], {{.*}} -> tensor<1x1x512x1x[[T]]xf16>
zin.procedure @outputs_of_signal(%x: tensor<1x1x512x1x1500xf16> {zin.host_type = tensor<512x1x1500xf16>, zin.name = "x"}) -> (tensor<1x1x512x1x1500xf16> {zin.host_type = tensor<512x1x1500xf16>, zin.name = "y"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<2048x1x512x1x1xf16>
  %l = zin.constant dense<5.000000e-01> : tensor<512x1x2048x1x1xf16>
  %0 = zin.neuron <sqrt> %x : tensor<1x1x512x1x1500xf16>
  %1 = zin.conv %0, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x512x1x1500xf16>, tensor<2048x1x512x1x1xf16>) -> tensor<1x1x2048x1x1500xf16>
  %2 = zin.neuron <sigmoid> %1 : tensor<1x1x2048x1x1500xf16>
  %3 = zin.elementwise <Mult> %1, %2 : (tensor<1x1x2048x1x1500xf16>, tensor<1x1x2048x1x1500xf16>) -> tensor<1x1x2048x1x1500xf16>
  %4 = zin.conv %3, %l {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2048x1x1500xf16>, tensor<512x1x2048x1x1xf16>) -> tensor<1x1x512x1x1500xf16>
  zin.return %4 : tensor<1x1x512x1x1500xf16>
}

// -----

// Products that read a signal as an image read columns again for that.

// CHECK-LABEL: zin.procedure @outputs_of_rows
// CHECK:      %[[P0:.*]] = zin.conv %{{.*}}, %{{.*}} : (tensor<1x1x512x1x{{.*}}xf16>, tensor<128x1x512x1x1xf16>) -> tensor<1x1x128x1x[[T:[0-9]+]]xf16>
// CHECK-NEXT: %[[S0:.*]] = zin.neuron <sigmoid> %[[P0]]
// CHECK:      %[[G0:.*]] = zin.conv %{{.*}} -> tensor<1x1x128x1x[[T]]xf16>
// CHECK-NEXT: %[[H0:.*]] = zin.elementwise <Mult> %[[S0]], %[[G0]]
// CHECK:      %[[H:.*]] = zin.concat %[[H0]], {{.*}} along 2 : {{.*}} -> tensor<1x1x2048x1x[[T]]xf16>
// CHECK-NEXT: zin.conv %[[H]], {{.*}} -> tensor<1x1x512x1x[[T]]xf16>
zin.procedure @outputs_of_rows(%x: tensor<1x1x512x1x1536xf16> {zin.host_type = tensor<512x1x1536xf16>, zin.name = "x"}) -> (tensor<1x1x512x1x1536xf16> {zin.host_type = tensor<512x1x1536xf16>, zin.name = "y"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<2048x1x512x1x1xf16>
  %g = zin.constant dense<2.500000e-01> : tensor<2048x1x512x1x1xf16>
  %l = zin.constant dense<5.000000e-01> : tensor<512x1x2048x1x1xf16>
  %0 = zin.neuron <sqrt> %x : tensor<1x1x512x1x1536xf16>
  %1 = zin.reshape %0 : (tensor<1x1x512x1x1536xf16>) -> tensor<1x1x512x48x32xf16>
  %2 = zin.conv %1, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x512x48x32xf16>, tensor<2048x1x512x1x1xf16>) -> tensor<1x1x2048x48x32xf16>
  %3 = zin.reshape %2 : (tensor<1x1x2048x48x32xf16>) -> tensor<1x1x2048x1x1536xf16>
  %4 = zin.neuron <sigmoid> %3 : tensor<1x1x2048x1x1536xf16>
  %5 = zin.conv %1, %g {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x512x48x32xf16>, tensor<2048x1x512x1x1xf16>) -> tensor<1x1x2048x48x32xf16>
  %6 = zin.reshape %5 : (tensor<1x1x2048x48x32xf16>) -> tensor<1x1x2048x1x1536xf16>
  %7 = zin.elementwise <Mult> %4, %6 : (tensor<1x1x2048x1x1536xf16>, tensor<1x1x2048x1x1536xf16>) -> tensor<1x1x2048x1x1536xf16>
  %8 = zin.reshape %7 : (tensor<1x1x2048x1x1536xf16>) -> tensor<1x1x2048x48x32xf16>
  %9 = zin.conv %8, %l {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2048x48x32xf16>, tensor<512x1x2048x1x1xf16>) -> tensor<1x1x512x48x32xf16>
  %10 = zin.reshape %9 : (tensor<1x1x512x48x32xf16>) -> tensor<1x1x512x1x1536xf16>
  zin.return %10 : tensor<1x1x512x1x1536xf16>
}

// -----

// Few outputs have no parts, and products keep rows.

// CHECK-LABEL: zin.procedure @outputs_keep_rows
// CHECK-COUNT-3: zin.conv {{.*}}x48x32xf16>
// CHECK-NOT: zin.conv
zin.procedure @outputs_keep_rows(%x: tensor<1x1x128x1x1536xf16> {zin.host_type = tensor<128x1x1536xf16>, zin.name = "x"}) -> (tensor<1x1x128x1x1536xf16> {zin.host_type = tensor<128x1x1536xf16>, zin.name = "y"}) {
  %k = zin.constant dense<5.000000e-01> : tensor<512x1x128x1x1xf16>
  %g = zin.constant dense<2.500000e-01> : tensor<512x1x128x1x1xf16>
  %l = zin.constant dense<5.000000e-01> : tensor<128x1x512x1x1xf16>
  %0 = zin.neuron <sqrt> %x : tensor<1x1x128x1x1536xf16>
  %1 = zin.reshape %0 : (tensor<1x1x128x1x1536xf16>) -> tensor<1x1x128x48x32xf16>
  %2 = zin.conv %1, %k {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x128x48x32xf16>, tensor<512x1x128x1x1xf16>) -> tensor<1x1x512x48x32xf16>
  %3 = zin.reshape %2 : (tensor<1x1x512x48x32xf16>) -> tensor<1x1x512x1x1536xf16>
  %4 = zin.neuron <sigmoid> %3 : tensor<1x1x512x1x1536xf16>
  %5 = zin.conv %1, %g {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x128x48x32xf16>, tensor<512x1x128x1x1xf16>) -> tensor<1x1x512x48x32xf16>
  %6 = zin.reshape %5 : (tensor<1x1x512x48x32xf16>) -> tensor<1x1x512x1x1536xf16>
  %7 = zin.elementwise <Mult> %4, %6 : (tensor<1x1x512x1x1536xf16>, tensor<1x1x512x1x1536xf16>) -> tensor<1x1x512x1x1536xf16>
  %8 = zin.reshape %7 : (tensor<1x1x512x1x1536xf16>) -> tensor<1x1x512x48x32xf16>
  %9 = zin.conv %8, %l {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x512x48x32xf16>, tensor<128x1x512x1x1xf16>) -> tensor<1x1x128x48x32xf16>
  %10 = zin.reshape %9 : (tensor<1x1x128x48x32xf16>) -> tensor<1x1x128x1x1536xf16>
  zin.return %10 : tensor<1x1x128x1x1536xf16>
}

// -----

// A product reads what it is gated by, the columns of another one, and both keep
// rows.

// CHECK-LABEL: zin.procedure @gated_by_its_input
// CHECK-COUNT-4: zin.conv {{.*}}x48x32xf16>
// CHECK-NOT: zin.conv
zin.procedure @gated_by_its_input(%x: tensor<1x1x512x1x1536xf16> {zin.host_type = tensor<512x1x1536xf16>, zin.name = "x"}) -> (tensor<1x1x512x1x1536xf16> {zin.host_type = tensor<512x1x1536xf16>, zin.name = "y"}, tensor<1x1x2048x1x1536xf16> {zin.host_type = tensor<2048x1x1536xf16>, zin.name = "z"}) {
  %0 = zin.neuron <sqrt> %x : tensor<1x1x512x1x1536xf16>
  %1 = zin.reshape %0 : (tensor<1x1x512x1x1536xf16>) -> tensor<1x1x512x48x32xf16>
  %2 = zin.constant dense<5.000000e-01> : tensor<2048x1x512x1x1xf16>
  %3 = zin.conv %1, %2 {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x512x48x32xf16>, tensor<2048x1x512x1x1xf16>) -> tensor<1x1x2048x48x32xf16>
  %4 = zin.reshape %3 : (tensor<1x1x2048x48x32xf16>) -> tensor<1x1x2048x1x1536xf16>
  %5 = zin.neuron <sigmoid> %4 : tensor<1x1x2048x1x1536xf16>
  %6 = zin.reshape %5 : (tensor<1x1x2048x1x1536xf16>) -> tensor<1x1x2048x48x32xf16>
  %7 = zin.constant dense<5.000000e-01> : tensor<1024x1x2048x1x1xf16>
  %8 = zin.conv %6, %7 {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x2048x48x32xf16>, tensor<1024x1x2048x1x1xf16>) -> tensor<1x1x1024x48x32xf16>
  %9 = zin.reshape %8 : (tensor<1x1x1024x48x32xf16>) -> tensor<1x1x1024x1x1536xf16>
  %10 = zin.reshape %9 : (tensor<1x1x1024x1x1536xf16>) -> tensor<1x1x1024x48x32xf16>
  %11 = zin.constant dense<5.000000e-01> : tensor<1024x1x1024x1x1xf16>
  %12 = zin.conv %10, %11 {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1024x48x32xf16>, tensor<1024x1x1024x1x1xf16>) -> tensor<1x1x1024x48x32xf16>
  %13 = zin.reshape %12 : (tensor<1x1x1024x48x32xf16>) -> tensor<1x1x1024x1x1536xf16>
  %14 = zin.neuron <sigmoid> %13 : tensor<1x1x1024x1x1536xf16>
  %15 = zin.elementwise <Mult> %14, %9 : (tensor<1x1x1024x1x1536xf16>, tensor<1x1x1024x1x1536xf16>) -> tensor<1x1x1024x1x1536xf16>
  %16 = zin.reshape %15 : (tensor<1x1x1024x1x1536xf16>) -> tensor<1x1x1024x48x32xf16>
  %17 = zin.constant dense<5.000000e-01> : tensor<512x1x1024x1x1xf16>
  %18 = zin.conv %16, %17 {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1024x48x32xf16>, tensor<512x1x1024x1x1xf16>) -> tensor<1x1x512x48x32xf16>
  %19 = zin.reshape %18 : (tensor<1x1x512x48x32xf16>) -> tensor<1x1x512x1x1536xf16>
  zin.return %19, %5 : tensor<1x1x512x1x1536xf16>, tensor<1x1x2048x1x1536xf16>
}
