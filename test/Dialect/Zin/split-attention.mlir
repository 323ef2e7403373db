// RUN: ane-opt %s --zin-split-attention | FileCheck %s

// Scores of 16 x 256 x 256 do not fit L2, those of four matrices take a quarter
// of it.

// CHECK-LABEL: zin.procedure @matrices
// CHECK-NEXT: %[[K:.*]] = zin.input_view %arg1 from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x4x256x64xf16>
// CHECK-NEXT: %[[V:.*]] = zin.input_view %arg2 from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x4x64x256xf16>
// CHECK-NEXT: %[[Q:.*]] = zin.input_view %arg0 from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x4x256x64xf16>
// CHECK-NEXT: %[[S:.*]] = zin.matmul %[[Q]], %[[K]] : {{.*}} -> tensor<1x1x4x256x256xf16>
// CHECK-NEXT: %[[P:.*]] = zin.softmax %[[S]] over 4 : tensor<1x1x4x256x256xf16>
// CHECK-NEXT: %[[Y0:.*]] = zin.matmul %[[P]], %[[V]] : {{.*}} -> tensor<1x1x4x256x64xf16>
// CHECK-NEXT: zin.input_view %arg1 from [0, 0, 4, 0, 0]
// CHECK:      zin.input_view %arg0 from [0, 0, 12, 0, 0]
// CHECK:      %[[Y:.*]] = zin.concat %[[Y0]], %{{.*}}, %{{.*}}, %{{.*}} along 2 : {{.*}} -> tensor<1x1x16x256x64xf16>
// CHECK-NEXT: zin.return %[[Y]]
zin.procedure @matrices(%q: tensor<1x1x16x256x64xf16> {zin.host_type = tensor<1x1x16x256x64xf16>, zin.name = "q"}, %k: tensor<1x1x16x256x64xf16> {zin.host_type = tensor<1x1x16x256x64xf16>, zin.name = "k"}, %v: tensor<1x1x16x64x256xf16> {zin.host_type = tensor<1x1x16x64x256xf16>, zin.name = "v"}) -> (tensor<1x1x16x256x64xf16> {zin.host_type = tensor<1x1x16x256x64xf16>, zin.name = "y"}) {
  %0 = zin.matmul %q, %k : (tensor<1x1x16x256x64xf16>, tensor<1x1x16x256x64xf16>) -> tensor<1x1x16x256x256xf16>
  %1 = zin.softmax %0 over 4 : tensor<1x1x16x256x256xf16>
  %2 = zin.matmul %1, %v : (tensor<1x1x16x256x256xf16>, tensor<1x1x16x64x256xf16>) -> tensor<1x1x16x256x64xf16>
  zin.return %2 : tensor<1x1x16x256x64xf16>
}

// Of a single matrix, rows of 1000 keys; what is added to the scores has a row
// for each query or one for all. The last block has what is left. The keys are
// turned once.

// CHECK-LABEL: zin.procedure @rows
// CHECK:      %[[K:.*]] = zin.transpose %arg1 to [0, 1, 2, 4, 3]
// CHECK-NOT:  zin.transpose
// CHECK:      %[[Q:.*]] = zin.input_view %arg0 from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x1x192x64xf16>
// CHECK:      %[[S:.*]] = zin.matmul %[[K]], %[[Q]] {contract_rows, outputs_on_rows} : {{.*}} -> tensor<1x1x1x192x1000xf16>
// CHECK:      %[[B:.*]] = zin.input_view %arg3 from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x1x192x1000xf16>
// CHECK:      %[[S1:.*]] = zin.elementwise <Add> %[[B]], %[[S]]
// CHECK:      %[[S2:.*]] = zin.elementwise <Add> %[[S1]], %arg4
// CHECK:      %[[P:.*]] = zin.softmax %[[S2]]
// CHECK:      %[[Y0:.*]] = zin.matmul %[[P]], %arg2 : {{.*}} -> tensor<1x1x1x192x64xf16>
// CHECK:      zin.input_view %arg3 from [0, 0, 0, 192, 0]
// CHECK:      zin.input_view %arg0 from [0, 0, 0, 960, 0] {{.*}} -> tensor<1x1x1x40x64xf16>
// CHECK:      zin.concat %[[Y0]], {{.*}} along 3 : {{.*}} -> tensor<1x1x1x1000x64xf16>
zin.procedure @rows(%q: tensor<1x1x1x1000x64xf16> {zin.host_type = tensor<1x1x1x1000x64xf16>, zin.name = "q"}, %k: tensor<1x1x1x1000x64xf16> {zin.host_type = tensor<1x1x1x1000x64xf16>, zin.name = "k"}, %v: tensor<1x1x1x64x1000xf16> {zin.host_type = tensor<1x1x1x64x1000xf16>, zin.name = "v"}, %bias: tensor<1x1x1x1000x1000xf16> {zin.host_type = tensor<1x1x1x1000x1000xf16>, zin.name = "bias"}, %mask: tensor<1x1x1x1x1000xf16> {zin.host_type = tensor<1x1x1x1x1000xf16>, zin.name = "mask"}) -> (tensor<1x1x1x1000x64xf16> {zin.host_type = tensor<1x1x1x1000x64xf16>, zin.name = "y"}) {
  %0 = zin.matmul %k, %q {outputs_on_rows} : (tensor<1x1x1x1000x64xf16>, tensor<1x1x1x1000x64xf16>) -> tensor<1x1x1x1000x1000xf16>
  %1 = zin.elementwise <Add> %bias, %0 : (tensor<1x1x1x1000x1000xf16>, tensor<1x1x1x1000x1000xf16>) -> tensor<1x1x1x1000x1000xf16>
  %2 = zin.elementwise <Add> %1, %mask : (tensor<1x1x1x1000x1000xf16>, tensor<1x1x1x1x1000xf16>) -> tensor<1x1x1x1000x1000xf16>
  %3 = zin.softmax %2 over 4 : tensor<1x1x1x1000x1000xf16>
  %4 = zin.matmul %3, %v : (tensor<1x1x1x1000x1000xf16>, tensor<1x1x1x64x1000xf16>) -> tensor<1x1x1x1000x64xf16>
  zin.return %4 : tensor<1x1x1x1000x64xf16>
}

// Batches in another shape between the products: a matrix has the mask of its
// sample.

// CHECK-LABEL: zin.procedure @samples
// CHECK:      zin.input_view %arg0 from [0, 0, 4, 0, 0] {{.*}} -> tensor<1x1x2x256x64xf16>
// CHECK:      %[[S:.*]] = zin.matmul
// CHECK:      %[[M:.*]] = zin.input_view %arg3 from [1, 0, 0, 0, 0] {{.*}} -> tensor<1x1x1x1x256xf16>
// CHECK-NEXT: %[[S1:.*]] = zin.elementwise <Add> %[[S]], %[[M]] : {{.*}} -> tensor<1x1x2x256x256xf16>
// CHECK-NEXT: %[[P:.*]] = zin.softmax %[[S1]]
// CHECK:      zin.concat {{.*}} along 2 : {{.*}} -> tensor<1x1x16x256x64xf16>
zin.procedure @samples(%q: tensor<1x1x16x256x64xf16> {zin.host_type = tensor<1x1x16x256x64xf16>, zin.name = "q"}, %k: tensor<1x1x16x256x64xf16> {zin.host_type = tensor<1x1x16x256x64xf16>, zin.name = "k"}, %v: tensor<1x1x16x64x256xf16> {zin.host_type = tensor<1x1x16x64x256xf16>, zin.name = "v"}, %mask: tensor<4x1x1x1x256xf16> {zin.host_type = tensor<4x1x1x1x256xf16>, zin.name = "mask"}) -> (tensor<1x1x16x256x64xf16> {zin.host_type = tensor<1x1x16x256x64xf16>, zin.name = "y"}) {
  %0 = zin.matmul %q, %k : (tensor<1x1x16x256x64xf16>, tensor<1x1x16x256x64xf16>) -> tensor<1x1x16x256x256xf16>
  %1 = zin.reshape %0 : (tensor<1x1x16x256x256xf16>) -> tensor<4x1x4x256x256xf16>
  %2 = zin.elementwise <Add> %1, %mask : (tensor<4x1x4x256x256xf16>, tensor<4x1x1x1x256xf16>) -> tensor<4x1x4x256x256xf16>
  %3 = zin.softmax %2 over 4 : tensor<4x1x4x256x256xf16>
  %4 = zin.reshape %3 : (tensor<4x1x4x256x256xf16>) -> tensor<1x1x16x256x256xf16>
  %5 = zin.matmul %4, %v : (tensor<1x1x16x256x256xf16>, tensor<1x1x16x64x256xf16>) -> tensor<1x1x16x256x64xf16>
  zin.return %5 : tensor<1x1x16x256x64xf16>
}

// A layer in front of the reshape that parts the batch: a block stays inside of
// one sample all the same.

// CHECK-LABEL: zin.procedure @samples_behind
// CHECK:      zin.input_view %arg0 from [0, 0, 2, 0, 0] {{.*}} -> tensor<1x1x2x256x64xf16>
// CHECK:      zin.input_view %arg3 from [1, 0, 0, 0, 0] {{.*}} -> tensor<1x1x1x1x256xf16>
zin.procedure @samples_behind(%q: tensor<1x1x16x256x64xf16> {zin.host_type = tensor<1x1x16x256x64xf16>, zin.name = "q"}, %k: tensor<1x1x16x256x64xf16> {zin.host_type = tensor<1x1x16x256x64xf16>, zin.name = "k"}, %v: tensor<1x1x16x64x256xf16> {zin.host_type = tensor<1x1x16x64x256xf16>, zin.name = "v"}, %mask: tensor<8x1x1x1x256xf16> {zin.host_type = tensor<8x1x1x1x256xf16>, zin.name = "mask"}, %bias: tensor<1x1x16x1x256xf16> {zin.host_type = tensor<1x1x16x1x256xf16>, zin.name = "bias"}) -> (tensor<1x1x16x256x64xf16> {zin.host_type = tensor<1x1x16x256x64xf16>, zin.name = "y"}) {
  %0 = zin.matmul %q, %k : (tensor<1x1x16x256x64xf16>, tensor<1x1x16x256x64xf16>) -> tensor<1x1x16x256x256xf16>
  %1 = zin.elementwise <Add> %0, %bias : (tensor<1x1x16x256x256xf16>, tensor<1x1x16x1x256xf16>) -> tensor<1x1x16x256x256xf16>
  %2 = zin.reshape %1 : (tensor<1x1x16x256x256xf16>) -> tensor<8x1x2x256x256xf16>
  %3 = zin.elementwise <Add> %2, %mask : (tensor<8x1x2x256x256xf16>, tensor<8x1x1x1x256xf16>) -> tensor<8x1x2x256x256xf16>
  %4 = zin.softmax %3 over 4 : tensor<8x1x2x256x256xf16>
  %5 = zin.reshape %4 : (tensor<8x1x2x256x256xf16>) -> tensor<1x1x16x256x256xf16>
  %6 = zin.matmul %5, %v : (tensor<1x1x16x256x256xf16>, tensor<1x1x16x64x256xf16>) -> tensor<1x1x16x256x64xf16>
  zin.return %6 : tensor<1x1x16x256x64xf16>
}

// Queries along columns, in front and behind.

// CHECK-LABEL: zin.procedure @columns
// CHECK:      %[[V:.*]] = zin.transpose %arg2 to [0, 1, 2, 4, 3]
// CHECK:      %[[Q:.*]] = zin.input_view %arg0 from [0, 0, 0, 0, 256] {{.*}} -> tensor<1x1x1x64x256xf16>
// CHECK:      %[[S:.*]] = zin.matmul %[[Q]], %arg1 {contract_rows}
// CHECK:      %[[P:.*]] = zin.softmax %[[S]]
// CHECK:      zin.matmul %[[V]], %[[P]] {contract_rows} : {{.*}} -> tensor<1x1x1x64x256xf16>
// CHECK:      zin.concat {{.*}} along 4 : {{.*}} -> tensor<1x1x1x64x1024xf16>
zin.procedure @columns(%q: tensor<1x1x1x64x1024xf16> {zin.host_type = tensor<1x1x1x64x1024xf16>, zin.name = "q"}, %k: tensor<1x1x1x1024x64xf16> {zin.host_type = tensor<1x1x1x1024x64xf16>, zin.name = "k"}, %v: tensor<1x1x1x64x1024xf16> {zin.host_type = tensor<1x1x1x64x1024xf16>, zin.name = "v"}) -> (tensor<1x1x1x64x1024xf16> {zin.host_type = tensor<1x1x1x64x1024xf16>, zin.name = "y"}) {
  %0 = zin.matmul %q, %k {contract_rows} : (tensor<1x1x1x64x1024xf16>, tensor<1x1x1x1024x64xf16>) -> tensor<1x1x1x1024x1024xf16>
  %1 = zin.softmax %0 over 4 : tensor<1x1x1x1024x1024xf16>
  %2 = zin.matmul %v, %1 : (tensor<1x1x1x64x1024xf16>, tensor<1x1x1x1024x1024xf16>) -> tensor<1x1x1x64x1024xf16>
  zin.return %2 : tensor<1x1x1x64x1024xf16>
}

// Probabilities that go elsewhere are joined; their batch takes its shape again.

// CHECK-LABEL: zin.procedure @probabilities
// CHECK:      %[[J:.*]] = zin.concat {{.*}} along 2 : {{.*}} -> tensor<1x1x16x256x256xf16>
// CHECK-NEXT: %[[Y:.*]] = zin.reshape %[[J]]
// CHECK-NEXT: zin.return %[[Y]]
zin.procedure @probabilities(%q: tensor<1x1x16x256x64xf16> {zin.host_type = tensor<1x1x16x256x64xf16>, zin.name = "q"}, %k: tensor<1x1x16x256x64xf16> {zin.host_type = tensor<1x1x16x256x64xf16>, zin.name = "k"}) -> (tensor<2x1x8x256x256xf16> {zin.host_type = tensor<2x1x8x256x256xf16>, zin.name = "y"}) {
  %0 = zin.matmul %q, %k : (tensor<1x1x16x256x64xf16>, tensor<1x1x16x256x64xf16>) -> tensor<1x1x16x256x256xf16>
  %1 = zin.reshape %0 : (tensor<1x1x16x256x256xf16>) -> tensor<2x1x8x256x256xf16>
  %2 = zin.softmax %1 over 4 : tensor<2x1x8x256x256xf16>
  zin.return %2 : tensor<2x1x8x256x256xf16>
}

// The same operand twice: once its rows, once all of it.

// CHECK-LABEL: zin.procedure @itself
// CHECK:      %[[Q:.*]] = zin.input_view %arg0 from [0, 0, 0, 256, 0]
// CHECK-NEXT: zin.matmul %[[Q]], %arg0
zin.procedure @itself(%q: tensor<1x1x1x1024x64xf16> {zin.host_type = tensor<1x1x1x1024x64xf16>, zin.name = "q"}) -> (tensor<1x1x1x1024x1024xf16> {zin.host_type = tensor<1x1x1x1024x1024xf16>, zin.name = "y"}) {
  %0 = zin.matmul %q, %q : (tensor<1x1x1x1024x64xf16>, tensor<1x1x1x1024x64xf16>) -> tensor<1x1x1x1024x1024xf16>
  %1 = zin.softmax %0 over 4 : tensor<1x1x1x1024x1024xf16>
  zin.return %1 : tensor<1x1x1x1024x1024xf16>
}

// Scores that fit L2 stay as they are, and so do those that something else reads
// as well, those along rows, and those of a constant.

// CHECK-LABEL: zin.procedure @near
// CHECK-NEXT: zin.matmul
// CHECK-NEXT: zin.softmax
// CHECK-NEXT: zin.return
zin.procedure @near(%q: tensor<1x1x8x256x64xf16> {zin.host_type = tensor<1x1x8x256x64xf16>, zin.name = "q"}) -> (tensor<1x1x8x256x256xf16> {zin.host_type = tensor<1x1x8x256x256xf16>, zin.name = "y"}) {
  %0 = zin.matmul %q, %q : (tensor<1x1x8x256x64xf16>, tensor<1x1x8x256x64xf16>) -> tensor<1x1x8x256x256xf16>
  %1 = zin.softmax %0 over 4 : tensor<1x1x8x256x256xf16>
  zin.return %1 : tensor<1x1x8x256x256xf16>
}

// CHECK-LABEL: zin.procedure @read_twice
// CHECK-NEXT: zin.matmul
// CHECK-NEXT: zin.softmax
// CHECK-NEXT: zin.elementwise
// CHECK-NEXT: zin.return
zin.procedure @read_twice(%q: tensor<1x1x1x1024x64xf16> {zin.host_type = tensor<1x1x1x1024x64xf16>, zin.name = "q"}) -> (tensor<1x1x1x1024x1024xf16> {zin.host_type = tensor<1x1x1x1024x1024xf16>, zin.name = "y"}) {
  %0 = zin.matmul %q, %q : (tensor<1x1x1x1024x64xf16>, tensor<1x1x1x1024x64xf16>) -> tensor<1x1x1x1024x1024xf16>
  %1 = zin.softmax %0 over 4 : tensor<1x1x1x1024x1024xf16>
  %2 = zin.elementwise <Mult> %1, %0 : (tensor<1x1x1x1024x1024xf16>, tensor<1x1x1x1024x1024xf16>) -> tensor<1x1x1x1024x1024xf16>
  zin.return %2 : tensor<1x1x1x1024x1024xf16>
}

// CHECK-LABEL: zin.procedure @over_rows
// CHECK-NEXT: zin.matmul
// CHECK-NEXT: zin.softmax
// CHECK-NEXT: zin.return
zin.procedure @over_rows(%q: tensor<1x1x1x1024x64xf16> {zin.host_type = tensor<1x1x1x1024x64xf16>, zin.name = "q"}) -> (tensor<1x1x1x1024x1024xf16> {zin.host_type = tensor<1x1x1x1024x1024xf16>, zin.name = "y"}) {
  %0 = zin.matmul %q, %q : (tensor<1x1x1x1024x64xf16>, tensor<1x1x1x1024x64xf16>) -> tensor<1x1x1x1024x1024xf16>
  %1 = zin.softmax %0 over 3 : tensor<1x1x1x1024x1024xf16>
  zin.return %1 : tensor<1x1x1x1024x1024xf16>
}

// CHECK-LABEL: zin.procedure @constant
// CHECK-NEXT: zin.constant
// CHECK-NEXT: zin.matmul
// CHECK-NEXT: zin.softmax
// CHECK-NEXT: zin.return
zin.procedure @constant(%q: tensor<1x1x1x1024x64xf16> {zin.host_type = tensor<1x1x1x1024x64xf16>, zin.name = "q"}) -> (tensor<1x1x1x1024x1024xf16> {zin.host_type = tensor<1x1x1x1024x1024xf16>, zin.name = "y"}) {
  %k = zin.constant dense<0.5> : tensor<1x1x1x1024x64xf16>
  %0 = zin.matmul %q, %k : (tensor<1x1x1x1024x64xf16>, tensor<1x1x1x1024x64xf16>) -> tensor<1x1x1x1024x1024xf16>
  %1 = zin.softmax %0 over 4 : tensor<1x1x1x1024x1024xf16>
  zin.return %1 : tensor<1x1x1x1024x1024xf16>
}

// Blocks of 32 rows would read 32 MiB of keys again and again, where a block
// moves eight times 1 MiB of scores.

// CHECK-LABEL: zin.procedure @long_keys
// CHECK-NEXT: zin.matmul
// CHECK-NEXT: zin.softmax
// CHECK-NEXT: zin.return
zin.procedure @long_keys(%q: tensor<1x1x1x64x1024xf16> {zin.host_type = tensor<1x1x1x64x1024xf16>, zin.name = "q"}, %k: tensor<1x1x1x16384x1024xf16> {zin.host_type = tensor<1x1x1x16384x1024xf16>, zin.name = "k"}) -> (tensor<1x1x1x64x16384xf16> {zin.host_type = tensor<1x1x1x64x16384xf16>, zin.name = "y"}) {
  %0 = zin.matmul %q, %k : (tensor<1x1x1x64x1024xf16>, tensor<1x1x1x16384x1024xf16>) -> tensor<1x1x1x64x16384xf16>
  %1 = zin.softmax %0 over 4 : tensor<1x1x1x64x16384xf16>
  zin.return %1 : tensor<1x1x1x64x16384xf16>
}

// Keys of one matrix fit L2 turned, those of eight do not: two at a time. Where
// queries are the left matrix, or the keys of one matrix alone do not fit,
// nothing is gained.

// CHECK-LABEL: zin.procedure @turned_keys
// CHECK-COUNT-4: zin.matmul {{.*}} : (tensor<1x1x2x2048x128xf16>, tensor<1x1x2x4x128xf16>) -> tensor<1x1x2x4x2048xf16>
// CHECK-NOT: zin.matmul
zin.procedure @turned_keys(%q: tensor<1x1x8x4x128xf16> {zin.host_type = tensor<1x1x8x4x128xf16>, zin.name = "q"}, %k: tensor<1x1x8x2048x128xf16> {zin.host_type = tensor<1x1x8x2048x128xf16>, zin.name = "k"}) -> (tensor<1x1x8x4x2048xf16> {zin.host_type = tensor<1x1x8x4x2048xf16>, zin.name = "y"}) {
  %0 = zin.matmul %k, %q {outputs_on_rows} : (tensor<1x1x8x2048x128xf16>, tensor<1x1x8x4x128xf16>) -> tensor<1x1x8x4x2048xf16>
  %1 = zin.softmax %0 over 4 : tensor<1x1x8x4x2048xf16>
  zin.return %1 : tensor<1x1x8x4x2048xf16>
}

// CHECK-LABEL: zin.procedure @keys_in_kernel
// CHECK-NEXT: zin.matmul
// CHECK-NEXT: zin.softmax
// CHECK-NEXT: zin.return
zin.procedure @keys_in_kernel(%q: tensor<1x1x8x4x128xf16> {zin.host_type = tensor<1x1x8x4x128xf16>, zin.name = "q"}, %k: tensor<1x1x8x2048x128xf16> {zin.host_type = tensor<1x1x8x2048x128xf16>, zin.name = "k"}) -> (tensor<1x1x8x4x2048xf16> {zin.host_type = tensor<1x1x8x4x2048xf16>, zin.name = "y"}) {
  %0 = zin.matmul %q, %k : (tensor<1x1x8x4x128xf16>, tensor<1x1x8x2048x128xf16>) -> tensor<1x1x8x4x2048xf16>
  %1 = zin.softmax %0 over 4 : tensor<1x1x8x4x2048xf16>
  zin.return %1 : tensor<1x1x8x4x2048xf16>
}

// CHECK-LABEL: zin.procedure @large_keys
// CHECK-NEXT: zin.matmul
// CHECK-NEXT: zin.softmax
// CHECK-NEXT: zin.return
zin.procedure @large_keys(%q: tensor<1x1x2x4x512xf16> {zin.host_type = tensor<1x1x2x4x512xf16>, zin.name = "q"}, %k: tensor<1x1x2x2048x512xf16> {zin.host_type = tensor<1x1x2x2048x512xf16>, zin.name = "k"}) -> (tensor<1x1x2x4x2048xf16> {zin.host_type = tensor<1x1x2x4x2048xf16>, zin.name = "y"}) {
  %0 = zin.matmul %k, %q {outputs_on_rows} : (tensor<1x1x2x2048x512xf16>, tensor<1x1x2x4x512xf16>) -> tensor<1x1x2x4x2048xf16>
  %1 = zin.softmax %0 over 4 : tensor<1x1x2x4x2048xf16>
  zin.return %1 : tensor<1x1x2x4x2048xf16>
}

// -----

// Positions that were parted by rows and columns of an image are added where the
// scores of each query are a plane: a block has the same rows, 256 of them, and
// of what is added those of its queries.

// CHECK-LABEL: zin.procedure @planes
// CHECK:      %[[S:.*]] = zin.matmul {{.*}} -> tensor<1x1x1x256x1024xf16>
// CHECK:      %[[P:.*]] = zin.reshape %[[S]] : {{.*}} -> tensor<1x1x256x32x32xf16>
// CHECK:      %[[H:.*]] = zin.reshape %arg3 : {{.*}} -> tensor<2x1x1024x32x1xf16>
// CHECK:      %[[HV:.*]] = zin.input_view %[[H]] from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x256x32x1xf16>
// CHECK:      %[[A:.*]] = zin.elementwise <Add> %[[P]], %[[HV]]
// CHECK:      %[[W:.*]] = zin.input_view {{.*}} -> tensor<1x1x256x1x32xf16>
// CHECK:      %[[B:.*]] = zin.elementwise <Add> %[[A]], %[[W]]
// CHECK:      %[[R:.*]] = zin.reshape %[[B]] : {{.*}} -> tensor<1x1x1x256x1024xf16>
// CHECK:      zin.softmax %[[R]] over 4
// CHECK:      zin.input_view {{.*}} from [1, 0, 768, 0, 0] {{.*}} -> tensor<1x1x256x32x1xf16>
zin.procedure @planes(%q: tensor<1x1x2x1024x64xf16> {zin.host_type = tensor<2x1024x64xf16>, zin.name = "q"}, %k: tensor<1x1x2x1024x64xf16> {zin.host_type = tensor<2x1024x64xf16>, zin.name = "k"}, %v: tensor<1x1x2x64x1024xf16> {zin.host_type = tensor<2x64x1024xf16>, zin.name = "v"}, %h: tensor<2x32x32x32x1xf16> {zin.host_type = tensor<2x32x32x32x1xf16>, zin.name = "h"}, %w: tensor<1x32x32x1x32xf16> {zin.host_type = tensor<1x32x32x1x32xf16>, zin.name = "w"}) -> (tensor<1x1x2x1024x64xf16> {zin.host_type = tensor<2x1024x64xf16>, zin.name = "y"}) {
  %s = zin.matmul %k, %q {outputs_on_rows} : (tensor<1x1x2x1024x64xf16>, tensor<1x1x2x1024x64xf16>) -> tensor<1x1x2x1024x1024xf16>
  %p = zin.reshape %s : (tensor<1x1x2x1024x1024xf16>) -> tensor<2x32x32x32x32xf16>
  %a = zin.elementwise <Add> %p, %h : (tensor<2x32x32x32x32xf16>, tensor<2x32x32x32x1xf16>) -> tensor<2x32x32x32x32xf16>
  %b = zin.elementwise <Add> %a, %w : (tensor<2x32x32x32x32xf16>, tensor<1x32x32x1x32xf16>) -> tensor<2x32x32x32x32xf16>
  %r = zin.reshape %b : (tensor<2x32x32x32x32xf16>) -> tensor<1x1x2x1024x1024xf16>
  %t = zin.softmax %r over 4 : tensor<1x1x2x1024x1024xf16>
  %y = zin.matmul %t, %v : (tensor<1x1x2x1024x1024xf16>, tensor<1x1x2x64x1024xf16>) -> tensor<1x1x2x1024x64xf16>
  zin.return %y : tensor<1x1x2x1024x64xf16>
}

// -----

// Windows of an image have few heads each: blocks are of all heads of several
// windows, the same for what is in front of the reshape and behind it.

// CHECK-LABEL: zin.procedure @windows
// CHECK:      zin.matmul {{.*}} -> tensor<1x1x[[COUNT:[0-9]+]]x49x49xf16>
// CHECK-NEXT: %[[N:.*]] = zin.reshape {{.*}} -> tensor<[[WINDOWS:[0-9]+]]x1x3x49x49xf16>
// CHECK-NEXT: %[[A:.*]] = zin.elementwise <Add> %[[N]], %arg3 : {{.*}} -> tensor<[[WINDOWS]]x1x3x49x49xf16>
// CHECK-NEXT: %[[C:.*]] = zin.reshape %[[A]] : {{.*}} -> tensor<1x1x[[COUNT]]x49x49xf16>
// CHECK-NEXT: %[[T:.*]] = zin.softmax %[[C]] over 4
// CHECK-NEXT: zin.matmul %[[T]], {{.*}} -> tensor<1x1x[[COUNT]]x49x32xf16>
zin.procedure @windows(%q: tensor<1x1x192x49x32xf16> {zin.host_type = tensor<192x49x32xf16>, zin.name = "q"}, %k: tensor<1x1x192x49x32xf16> {zin.host_type = tensor<192x49x32xf16>, zin.name = "k"}, %v: tensor<1x1x192x32x49xf16> {zin.host_type = tensor<192x32x49xf16>, zin.name = "v"}, %p: tensor<1x1x3x49x49xf16> {zin.host_type = tensor<3x49x49xf16>, zin.name = "p"}) -> (tensor<1x1x192x49x32xf16> {zin.host_type = tensor<192x49x32xf16>, zin.name = "y"}) {
  %s = zin.matmul %k, %q {outputs_on_rows} : (tensor<1x1x192x49x32xf16>, tensor<1x1x192x49x32xf16>) -> tensor<1x1x192x49x49xf16>
  %n = zin.reshape %s : (tensor<1x1x192x49x49xf16>) -> tensor<64x1x3x49x49xf16>
  %a = zin.elementwise <Add> %n, %p : (tensor<64x1x3x49x49xf16>, tensor<1x1x3x49x49xf16>) -> tensor<64x1x3x49x49xf16>
  %t = zin.softmax %a over 4 : tensor<64x1x3x49x49xf16>
  %r = zin.reshape %t : (tensor<64x1x3x49x49xf16>) -> tensor<1x1x192x49x49xf16>
  %y = zin.matmul %r, %v : (tensor<1x1x192x49x49xf16>, tensor<1x1x192x32x49xf16>) -> tensor<1x1x192x49x32xf16>
  zin.return %y : tensor<1x1x192x49x32xf16>
}

// -----

// Keys of two heads, and values that are turned as well: each block reads the
// one matrix that was repeated.

// CHECK-LABEL: zin.procedure @repeated
// CHECK-SAME: (%[[Q:[^:]*]]: {{[^%]*}}%[[K:[^:]*]]: {{[^%]*}}%[[V:[^:]*]]:
// CHECK-NOT: <Mult>
// CHECK: %[[KT:.*]] = zin.transpose %[[K]] to [0, 1, 2, 4, 3] : {{.*}} -> tensor<1x1x1x32x1024xf16>
// CHECK: %[[VT:.*]] = zin.transpose %[[V]] to [0, 1, 2, 4, 3] : {{.*}} -> tensor<1x1x1x32x1024xf16>
// CHECK: zin.matmul %[[KT]], %{{.*}} -> tensor<1x1x1x256x1024xf16>
// CHECK: zin.matmul %{{.*}}, %[[VT]]
// CHECK: zin.transpose %[[K]]
// CHECK: zin.transpose %[[V]]
// CHECK-NOT: <Mult>
// CHECK: zin.return
zin.procedure @repeated(%q: tensor<1x1x2x1024x32xf16> {zin.host_type = tensor<2x1024x32xf16>, zin.name = "q"}, %k: tensor<1x1x1x1024x32xf16> {zin.host_type = tensor<1x1024x32xf16>, zin.name = "k"}, %v: tensor<1x1x1x1024x32xf16> {zin.host_type = tensor<1x1024x32xf16>, zin.name = "v"}) -> (tensor<1x1x2x1024x32xf16> {zin.host_type = tensor<2x1024x32xf16>, zin.name = "y"}) {
  %ones = zin.constant dense<1.000000e+00> : tensor<1x1x2x1x1xf16>
  %0 = zin.elementwise <Mult> %k, %ones : (tensor<1x1x1x1024x32xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x1024x32xf16>
  %1 = zin.elementwise <Mult> %v, %ones : (tensor<1x1x1x1024x32xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x1024x32xf16>
  %2 = zin.matmul %0, %q {outputs_on_rows} : (tensor<1x1x2x1024x32xf16>, tensor<1x1x2x1024x32xf16>) -> tensor<1x1x2x1024x1024xf16>
  %3 = zin.softmax %2 over 4 : tensor<1x1x2x1024x1024xf16>
  %4 = zin.transpose %1 to [0, 1, 2, 4, 3] : (tensor<1x1x2x1024x32xf16>) -> tensor<1x1x2x32x1024xf16>
  %5 = zin.matmul %3, %4 : (tensor<1x1x2x1024x1024xf16>, tensor<1x1x2x32x1024xf16>) -> tensor<1x1x2x1024x32xf16>
  zin.return %5 : tensor<1x1x2x1024x32xf16>
}

// -----

// Keys that are the values as well.

// CHECK-LABEL: zin.procedure @same
// CHECK-NOT: <Mult>
// CHECK: zin.return
zin.procedure @same(%q: tensor<1x1x4x512x16xf16> {zin.host_type = tensor<4x512x16xf16>, zin.name = "q"}, %k: tensor<1x1x1x512x16xf16> {zin.host_type = tensor<512x16xf16>, zin.name = "k"}) -> (tensor<1x1x4x16x512xf16> {zin.host_type = tensor<4x16x512xf16>, zin.name = "y"}) {
  %ones = zin.constant dense<1.0> : tensor<1x1x4x1x1xf16>
  %r = zin.elementwise <Mult> %k, %ones : (tensor<1x1x1x512x16xf16>, tensor<1x1x4x1x1xf16>) -> tensor<1x1x4x512x16xf16>
  %0 = zin.matmul %q, %r : (tensor<1x1x4x512x16xf16>, tensor<1x1x4x512x16xf16>) -> tensor<1x1x4x512x512xf16>
  %2 = zin.softmax %0 over 4 : tensor<1x1x4x512x512xf16>
  %3 = zin.matmul %r, %2 {contract_rows} : (tensor<1x1x4x512x16xf16>, tensor<1x1x4x512x512xf16>) -> tensor<1x1x4x16x512xf16>
  zin.return %3 : tensor<1x1x4x16x512xf16>
}

// A bias that is computed as well, here from positions and a mask, is no product of
// matrices: the scores are the other operand. Of the bias blocks have a part.

// CHECK-LABEL: zin.procedure @computed_bias
// CHECK:      %[[P:.*]] = zin.elementwise <Mult> %arg3, %arg4 : {{.*}} -> tensor<1x1x16x256x256xf16>
// CHECK:      %[[S:.*]] = zin.matmul {{.*}} -> tensor<1x1x2x256x256xf16>
// CHECK:      %[[B:.*]] = zin.input_view %[[P]] from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x2x256x256xf16>
// CHECK-NEXT: %[[S1:.*]] = zin.elementwise <Add> %[[S]], %[[B]]
// CHECK-NEXT: zin.softmax %[[S1]] over 4 : tensor<1x1x2x256x256xf16>
zin.procedure @computed_bias(%q: tensor<1x1x16x256x64xf16> {zin.host_type = tensor<1x1x16x256x64xf16>, zin.name = "q"}, %k: tensor<1x1x16x256x64xf16> {zin.host_type = tensor<1x1x16x256x64xf16>, zin.name = "k"}, %v: tensor<1x1x16x64x256xf16> {zin.host_type = tensor<1x1x16x64x256xf16>, zin.name = "v"}, %positions: tensor<1x1x16x256x256xf16> {zin.host_type = tensor<1x1x16x256x256xf16>, zin.name = "positions"}, %mask: tensor<1x1x1x256x256xf16> {zin.host_type = tensor<1x1x1x256x256xf16>, zin.name = "mask"}) -> (tensor<1x1x16x256x64xf16> {zin.host_type = tensor<1x1x16x256x64xf16>, zin.name = "y"}) {
  %0 = zin.matmul %q, %k : (tensor<1x1x16x256x64xf16>, tensor<1x1x16x256x64xf16>) -> tensor<1x1x16x256x256xf16>
  %1 = zin.elementwise <Mult> %positions, %mask : (tensor<1x1x16x256x256xf16>, tensor<1x1x1x256x256xf16>) -> tensor<1x1x16x256x256xf16>
  %2 = zin.elementwise <Add> %0, %1 : (tensor<1x1x16x256x256xf16>, tensor<1x1x16x256x256xf16>) -> tensor<1x1x16x256x256xf16>
  %3 = zin.softmax %2 over 4 : tensor<1x1x16x256x256xf16>
  %4 = zin.matmul %3, %v : (tensor<1x1x16x256x256xf16>, tensor<1x1x16x64x256xf16>) -> tensor<1x1x16x256x64xf16>
  zin.return %4 : tensor<1x1x16x256x64xf16>
}

// Heads of two images, of which each has tasks of its own though L2 holds all
// scores: its queries, keys and values are taken from in front of the reshapes
// that put all heads in a row, where they are no distance apart, and its results
// go behind.

// CHECK-LABEL: zin.procedure @images
// CHECK-SAME: (%[[Q:[^:]*]]: {{.*}}, %[[K:[^:]*]]: {{.*}}, %[[V:[^:]*]]:
// CHECK-NEXT: %[[QT:.*]] = zin.transpose %[[Q]] to [0, 1, 3, 2, 4]
// CHECK-NEXT: %[[K0:.*]] = zin.input_view %[[K]] from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x4x64x64xf16>
// CHECK-NEXT: %[[V0:.*]] = zin.input_view %[[V]] from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x4x64x64xf16>
// CHECK-NEXT: %[[VT0:.*]] = zin.transpose %[[V0]] to [0, 1, 2, 4, 3]
// CHECK-NEXT: %[[Q0:.*]] = zin.input_view %[[QT]] from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x4x64x64xf16>
// CHECK-NEXT: %[[S0:.*]] = zin.matmul %[[Q0]], %[[K0]]
// CHECK-NEXT: %[[P0:.*]] = zin.softmax %[[S0]] over 4
// CHECK-NEXT: %[[Y0:.*]] = zin.matmul %[[P0]], %[[VT0]]
// CHECK-NEXT: %[[K1:.*]] = zin.input_view %[[K]] from [1, 0, 0, 0, 0]
// CHECK:      zin.softmax
// CHECK-NEXT: %[[Y1:.*]] = zin.matmul
// CHECK-NEXT: %[[Y:.*]] = zin.concat %[[Y0]], %[[Y1]] along 0 : {{.*}} -> tensor<2x1x4x64x64xf16>
// CHECK-NEXT: zin.transpose %[[Y]]
zin.procedure @images(%q: tensor<2x1x64x4x64xf16> {zin.host_type = tensor<2x64x4x64xf16>, zin.name = "q"}, %k: tensor<2x1x4x64x64xf16> {zin.host_type = tensor<2x4x64x64xf16>, zin.name = "k"}, %v: tensor<2x1x4x64x64xf16> {zin.host_type = tensor<2x4x64x64xf16>, zin.name = "v"}) -> (tensor<2x1x64x4x64xf16> {zin.host_type = tensor<2x64x4x64xf16>, zin.name = "y"}) {
  %0 = zin.transpose %q to [0, 1, 3, 2, 4] : (tensor<2x1x64x4x64xf16>) -> tensor<2x1x4x64x64xf16>
  %1 = zin.reshape %0 : (tensor<2x1x4x64x64xf16>) -> tensor<1x1x8x64x64xf16>
  %2 = zin.reshape %k : (tensor<2x1x4x64x64xf16>) -> tensor<1x1x8x64x64xf16>
  %3 = zin.matmul %1, %2 : (tensor<1x1x8x64x64xf16>, tensor<1x1x8x64x64xf16>) -> tensor<1x1x8x64x64xf16>
  %4 = zin.reshape %3 : (tensor<1x1x8x64x64xf16>) -> tensor<2x1x4x64x64xf16>
  %5 = zin.softmax %4 over 4 : tensor<2x1x4x64x64xf16>
  %6 = zin.reshape %5 : (tensor<2x1x4x64x64xf16>) -> tensor<1x1x8x64x64xf16>
  %7 = zin.reshape %v : (tensor<2x1x4x64x64xf16>) -> tensor<1x1x8x64x64xf16>
  %8 = zin.transpose %7 to [0, 1, 2, 4, 3] : (tensor<1x1x8x64x64xf16>) -> tensor<1x1x8x64x64xf16>
  %9 = zin.matmul %6, %8 : (tensor<1x1x8x64x64xf16>, tensor<1x1x8x64x64xf16>) -> tensor<1x1x8x64x64xf16>
  %10 = zin.reshape %9 : (tensor<1x1x8x64x64xf16>) -> tensor<2x1x4x64x64xf16>
  %11 = zin.transpose %10 to [0, 1, 3, 2, 4] : (tensor<2x1x4x64x64xf16>) -> tensor<2x1x64x4x64xf16>
  zin.return %11 : tensor<2x1x64x4x64xf16>
}

// Where images are small they have tasks together.

// CHECK-LABEL: zin.procedure @small_images
// CHECK: zin.matmul {{.*}} -> tensor<1x1x8x16x16xf16>
// CHECK-NOT: zin.matmul
// CHECK: zin.return
zin.procedure @small_images(%q: tensor<2x1x4x16x64xf16> {zin.host_type = tensor<2x4x16x64xf16>, zin.name = "q"}, %k: tensor<2x1x4x16x64xf16> {zin.host_type = tensor<2x4x16x64xf16>, zin.name = "k"}) -> (tensor<1x1x8x16x16xf16> {zin.host_type = tensor<8x16x16xf16>, zin.name = "y"}) {
  %1 = zin.reshape %q : (tensor<2x1x4x16x64xf16>) -> tensor<1x1x8x16x64xf16>
  %2 = zin.reshape %k : (tensor<2x1x4x16x64xf16>) -> tensor<1x1x8x16x64xf16>
  %3 = zin.matmul %1, %2 : (tensor<1x1x8x16x64xf16>, tensor<1x1x8x16x64xf16>) -> tensor<1x1x8x16x16xf16>
  %4 = zin.softmax %3 over 4 : tensor<1x1x8x16x16xf16>
  zin.return %4 : tensor<1x1x8x16x16xf16>
}

// Of keys that are joined of a cache and of what is new, blocks join the parts of
// their own matrices.

// CHECK-LABEL: zin.procedure @cache
// CHECK-SAME: (%[[Q:[^:]*]]: {{.*}}, %[[OLD:[^:]*]]: {{.*}}, %[[NEW:[^:]*]]:
// CHECK-NEXT: %[[OLD0:.*]] = zin.input_view %[[OLD]] from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x4x255x64xf16>
// CHECK-NEXT: %[[NEW0:.*]] = zin.input_view %[[NEW]] from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x4x1x64xf16>
// CHECK-NEXT: %[[K0:.*]] = zin.concat %[[OLD0]], %[[NEW0]] along 3 : {{.*}} -> tensor<1x1x4x256x64xf16>
// CHECK-NEXT: %[[Q0:.*]] = zin.input_view %[[Q]]
// CHECK-NEXT: zin.matmul %[[Q0]], %[[K0]]
// CHECK-NOT: -> tensor<1x1x16x256x64xf16>
// CHECK: zin.return
zin.procedure @cache(%q: tensor<1x1x16x256x64xf16> {zin.host_type = tensor<16x256x64xf16>, zin.name = "q"}, %old: tensor<1x1x16x255x64xf16> {zin.host_type = tensor<16x255x64xf16>, zin.name = "old"}, %new: tensor<1x1x16x1x64xf16> {zin.host_type = tensor<16x1x64xf16>, zin.name = "new"}) -> (tensor<1x1x16x256x256xf16> {zin.host_type = tensor<16x256x256xf16>, zin.name = "y"}) {
  %k = zin.concat %old, %new along 3 : (tensor<1x1x16x255x64xf16>, tensor<1x1x16x1x64xf16>) -> tensor<1x1x16x256x64xf16>
  %s = zin.matmul %q, %k : (tensor<1x1x16x256x64xf16>, tensor<1x1x16x256x64xf16>) -> tensor<1x1x16x256x256xf16>
  %y = zin.softmax %s over 4 : tensor<1x1x16x256x256xf16>
  zin.return %y : tensor<1x1x16x256x256xf16>
}

// A mask that is added for all matrices is copied once, so that L2 has it for
// all blocks; of each sample its own. What is added for a single matrix is not
// copied, nor a row for all queries.

// CHECK-LABEL: zin.procedure @shared_mask
// CHECK:      %[[M:.*]] = zin.concat %arg3 along 0 : (tensor<1x1x1x512x512xf16>)
// CHECK:      zin.input_view %[[M]] from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x1x256x512xf16>
// CHECK:      zin.input_view %arg4 from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x1x256x512xf16>
// CHECK:      zin.input_view %[[M]] from [0, 0, 0, 256, 0]
// CHECK-NOT:  zin.concat %arg
// CHECK:      zin.input_view %[[M]] from [0, 0, 0, 256, 0]
// CHECK:      zin.input_view %arg4 from [0, 0, 3, 256, 0]
zin.procedure @shared_mask(%q: tensor<1x1x4x512x64xf16> {zin.host_type = tensor<1x1x4x512x64xf16>, zin.name = "q"}, %k: tensor<1x1x4x512x64xf16> {zin.host_type = tensor<1x1x4x512x64xf16>, zin.name = "k"}, %v: tensor<1x1x4x64x512xf16> {zin.host_type = tensor<1x1x4x64x512xf16>, zin.name = "v"}, %mask: tensor<1x1x1x512x512xf16> {zin.host_type = tensor<1x1x1x512x512xf16>, zin.name = "mask"}, %bias: tensor<1x1x4x512x512xf16> {zin.host_type = tensor<1x1x4x512x512xf16>, zin.name = "bias"}, %row: tensor<1x1x1x1x512xf16> {zin.host_type = tensor<1x1x1x1x512xf16>, zin.name = "row"}) -> (tensor<1x1x4x512x64xf16> {zin.host_type = tensor<1x1x4x512x64xf16>, zin.name = "y"}) {
  %0 = zin.matmul %q, %k : (tensor<1x1x4x512x64xf16>, tensor<1x1x4x512x64xf16>) -> tensor<1x1x4x512x512xf16>
  %1 = zin.elementwise <Add> %0, %mask : (tensor<1x1x4x512x512xf16>, tensor<1x1x1x512x512xf16>) -> tensor<1x1x4x512x512xf16>
  %2 = zin.elementwise <Add> %1, %bias : (tensor<1x1x4x512x512xf16>, tensor<1x1x4x512x512xf16>) -> tensor<1x1x4x512x512xf16>
  %3 = zin.elementwise <Add> %2, %row : (tensor<1x1x4x512x512xf16>, tensor<1x1x1x1x512xf16>) -> tensor<1x1x4x512x512xf16>
  %4 = zin.softmax %3 over 4 : tensor<1x1x4x512x512xf16>
  %5 = zin.matmul %4, %v : (tensor<1x1x4x512x512xf16>, tensor<1x1x4x64x512xf16>) -> tensor<1x1x4x512x64xf16>
  zin.return %5 : tensor<1x1x4x512x64xf16>
}

// CHECK-LABEL: zin.procedure @masks_of_samples
// CHECK:      %[[V0:.*]] = zin.input_view %arg3 from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x1x512x512xf16>
// CHECK-NEXT: zin.concat %[[V0]] along 0
// CHECK:      %[[V1:.*]] = zin.input_view %arg3 from [1, 0, 0, 0, 0] {{.*}} -> tensor<1x1x1x512x512xf16>
// CHECK-NEXT: zin.concat %[[V1]] along 0
// CHECK-NOT:  zin.input_view %arg3
zin.procedure @masks_of_samples(%q: tensor<1x1x4x512x64xf16> {zin.host_type = tensor<1x1x4x512x64xf16>, zin.name = "q"}, %k: tensor<1x1x4x512x64xf16> {zin.host_type = tensor<1x1x4x512x64xf16>, zin.name = "k"}, %v: tensor<1x1x4x64x512xf16> {zin.host_type = tensor<1x1x4x64x512xf16>, zin.name = "v"}, %mask: tensor<2x1x1x512x512xf16> {zin.host_type = tensor<2x1x1x512x512xf16>, zin.name = "mask"}) -> (tensor<1x1x4x512x64xf16> {zin.host_type = tensor<1x1x4x512x64xf16>, zin.name = "y"}) {
  %0 = zin.matmul %q, %k : (tensor<1x1x4x512x64xf16>, tensor<1x1x4x512x64xf16>) -> tensor<1x1x4x512x512xf16>
  %1 = zin.reshape %0 : (tensor<1x1x4x512x512xf16>) -> tensor<2x1x2x512x512xf16>
  %2 = zin.elementwise <Add> %1, %mask : (tensor<2x1x2x512x512xf16>, tensor<2x1x1x512x512xf16>) -> tensor<2x1x2x512x512xf16>
  %3 = zin.softmax %2 over 4 : tensor<2x1x2x512x512xf16>
  %4 = zin.reshape %3 : (tensor<2x1x2x512x512xf16>) -> tensor<1x1x4x512x512xf16>
  %5 = zin.matmul %4, %v : (tensor<1x1x4x512x512xf16>, tensor<1x1x4x64x512xf16>) -> tensor<1x1x4x512x64xf16>
  zin.return %5 : tensor<1x1x4x512x64xf16>
}

// Where L2 has no room for the mask, the same rows of several matrices come one
// after the other, beside as many keys as there is room for: here 3 and 3.

// CHECK-LABEL: zin.procedure @mask_by_rows
// CHECK-COUNT-3: zin.transpose %{{.*}} to [0, 1, 2, 4, 3]
// CHECK-NOT:  zin.transpose
// CHECK:      %[[V0:.*]] = zin.input_view %arg3 from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x1x192x1024xf16>
// CHECK-NEXT: %[[M0:.*]] = zin.concat %[[V0]] along 0
// CHECK-NEXT: zin.elementwise <Add> %{{.*}}, %[[M0]]
// CHECK:      zin.elementwise <Add> %{{.*}}, %[[M0]]
// CHECK:      zin.elementwise <Add> %{{.*}}, %[[M0]]
// CHECK:      %[[V1:.*]] = zin.input_view %arg3 from [0, 0, 0, 192, 0]
// CHECK-NEXT: zin.concat %[[V1]] along 0
// CHECK:      zin.input_view %arg3 from [0, 0, 0, 960, 0]
// CHECK-COUNT-3: zin.transpose %{{.*}} to [0, 1, 2, 4, 3]
// CHECK:      zin.input_view %arg3 from [0, 0, 0, 0, 0]
zin.procedure @mask_by_rows(%q: tensor<1x1x6x1024x64xf16> {zin.host_type = tensor<1x1x6x1024x64xf16>, zin.name = "q"}, %k: tensor<1x1x6x1024x64xf16> {zin.host_type = tensor<1x1x6x1024x64xf16>, zin.name = "k"}, %v: tensor<1x1x6x64x1024xf16> {zin.host_type = tensor<1x1x6x64x1024xf16>, zin.name = "v"}, %mask: tensor<1x1x1x1024x1024xf16> {zin.host_type = tensor<1x1x1x1024x1024xf16>, zin.name = "mask"}) -> (tensor<1x1x6x1024x64xf16> {zin.host_type = tensor<1x1x6x1024x64xf16>, zin.name = "y"}) {
  %0 = zin.matmul %k, %q {outputs_on_rows} : (tensor<1x1x6x1024x64xf16>, tensor<1x1x6x1024x64xf16>) -> tensor<1x1x6x1024x1024xf16>
  %1 = zin.elementwise <Add> %0, %mask : (tensor<1x1x6x1024x1024xf16>, tensor<1x1x1x1024x1024xf16>) -> tensor<1x1x6x1024x1024xf16>
  %2 = zin.softmax %1 over 4 : tensor<1x1x6x1024x1024xf16>
  %3 = zin.matmul %2, %v : (tensor<1x1x6x1024x1024xf16>, tensor<1x1x6x64x1024xf16>) -> tensor<1x1x6x1024x64xf16>
  zin.return %3 : tensor<1x1x6x1024x64xf16>
}

// A mask of two layers is copied for both of them where L2 has room for it all
// the time, in front of the first that reads it.

// CHECK-LABEL: zin.procedure @mask_of_layers
// CHECK:      %[[M:.*]] = zin.concat %arg3 along 0
// CHECK:      zin.input_view %[[M]] from [0, 0, 0, 0, 0]
// CHECK-NOT:  %arg3
// CHECK:      zin.return
zin.procedure @mask_of_layers(%q: tensor<1x1x3x512x16xf16> {zin.host_type = tensor<1x1x3x512x16xf16>, zin.name = "q"}, %k: tensor<1x1x3x512x16xf16> {zin.host_type = tensor<1x1x3x512x16xf16>, zin.name = "k"}, %v: tensor<1x1x3x16x512xf16> {zin.host_type = tensor<1x1x3x16x512xf16>, zin.name = "v"}, %mask: tensor<1x1x1x512x512xf16> {zin.host_type = tensor<1x1x1x512x512xf16>, zin.name = "mask"}) -> (tensor<1x1x3x512x16xf16> {zin.host_type = tensor<1x1x3x512x16xf16>, zin.name = "y"}) {
  %s0 = zin.matmul %q, %k : (tensor<1x1x3x512x16xf16>, tensor<1x1x3x512x16xf16>) -> tensor<1x1x3x512x512xf16>
  %a0 = zin.elementwise <Add> %s0, %mask : (tensor<1x1x3x512x512xf16>, tensor<1x1x1x512x512xf16>) -> tensor<1x1x3x512x512xf16>
  %p0 = zin.softmax %a0 over 4 : tensor<1x1x3x512x512xf16>
  %x = zin.matmul %p0, %v : (tensor<1x1x3x512x512xf16>, tensor<1x1x3x16x512xf16>) -> tensor<1x1x3x512x16xf16>
  %s1 = zin.matmul %x, %k : (tensor<1x1x3x512x16xf16>, tensor<1x1x3x512x16xf16>) -> tensor<1x1x3x512x512xf16>
  %a1 = zin.elementwise <Add> %s1, %mask : (tensor<1x1x3x512x512xf16>, tensor<1x1x1x512x512xf16>) -> tensor<1x1x3x512x512xf16>
  %p1 = zin.softmax %a1 over 4 : tensor<1x1x3x512x512xf16>
  %y = zin.matmul %p1, %v : (tensor<1x1x3x512x512xf16>, tensor<1x1x3x16x512xf16>) -> tensor<1x1x3x512x16xf16>
  zin.return %y : tensor<1x1x3x512x16xf16>
}

// Beside a value that takes all of L2 it would lie in memory, so each layer has
// a copy of its own.

// CHECK-LABEL: zin.procedure @mask_for_each_layer
// CHECK:      %[[M0:.*]] = zin.concat %arg3 along 0
// CHECK:      zin.input_view %[[M0]] from [0, 0, 0, 0, 0]
// CHECK:      %[[M1:.*]] = zin.concat %arg3 along 0
// CHECK:      zin.input_view %[[M1]] from [0, 0, 0, 0, 0]
zin.procedure @mask_for_each_layer(%q: tensor<1x1x3x512x16xf16> {zin.host_type = tensor<1x1x3x512x16xf16>, zin.name = "q"}, %k: tensor<1x1x3x512x16xf16> {zin.host_type = tensor<1x1x3x512x16xf16>, zin.name = "k"}, %v: tensor<1x1x3x16x512xf16> {zin.host_type = tensor<1x1x3x16x512xf16>, zin.name = "v"}, %mask: tensor<1x1x1x512x512xf16> {zin.host_type = tensor<1x1x1x512x512xf16>, zin.name = "mask"}, %other: tensor<1x1x576x64x64xf16> {zin.host_type = tensor<1x1x576x64x64xf16>, zin.name = "other"}) -> (tensor<1x1x3x512x16xf16> {zin.host_type = tensor<1x1x3x512x16xf16>, zin.name = "y"}, tensor<1x1x576x64x64xf16> {zin.host_type = tensor<1x1x576x64x64xf16>, zin.name = "z"}) {
  %other0 = zin.neuron <relu> %other : tensor<1x1x576x64x64xf16>
  %s0 = zin.matmul %q, %k : (tensor<1x1x3x512x16xf16>, tensor<1x1x3x512x16xf16>) -> tensor<1x1x3x512x512xf16>
  %a0 = zin.elementwise <Add> %s0, %mask : (tensor<1x1x3x512x512xf16>, tensor<1x1x1x512x512xf16>) -> tensor<1x1x3x512x512xf16>
  %p0 = zin.softmax %a0 over 4 : tensor<1x1x3x512x512xf16>
  %x = zin.matmul %p0, %v : (tensor<1x1x3x512x512xf16>, tensor<1x1x3x16x512xf16>) -> tensor<1x1x3x512x16xf16>
  %s1 = zin.matmul %x, %k : (tensor<1x1x3x512x16xf16>, tensor<1x1x3x512x16xf16>) -> tensor<1x1x3x512x512xf16>
  %a1 = zin.elementwise <Add> %s1, %mask : (tensor<1x1x3x512x512xf16>, tensor<1x1x1x512x512xf16>) -> tensor<1x1x3x512x512xf16>
  %p1 = zin.softmax %a1 over 4 : tensor<1x1x3x512x512xf16>
  %y = zin.matmul %p1, %v : (tensor<1x1x3x512x512xf16>, tensor<1x1x3x16x512xf16>) -> tensor<1x1x3x512x16xf16>
  %other1 = zin.neuron <sqrt> %other0 : tensor<1x1x576x64x64xf16>
  zin.return %y, %other1 : tensor<1x1x3x512x16xf16>, tensor<1x1x576x64x64xf16>
}

// A product that adds up queries needs the probabilities of all blocks.

// CHECK-LABEL: zin.procedure @queries
// CHECK:      zin.softmax {{.*}} tensor<1x1x1x256x1000xf16>
// CHECK:      %[[P:.*]] = zin.concat {{.*}} along 3 : {{.*}} -> tensor<1x1x1x1000x1000xf16>
// CHECK-NEXT: zin.matmul %[[P]], %arg2 {contract_rows} : {{.*}} -> tensor<1x1x1x1000x64xf16>
zin.procedure @queries(%q: tensor<1x1x1x1000x64xf16> {zin.host_type = tensor<1x1x1x1000x64xf16>, zin.name = "q"}, %k: tensor<1x1x1x1000x64xf16> {zin.host_type = tensor<1x1x1x1000x64xf16>, zin.name = "k"}, %v: tensor<1x1x1x64x1000xf16> {zin.host_type = tensor<1x1x1x64x1000xf16>, zin.name = "v"}) -> (tensor<1x1x1x1000x64xf16> {zin.host_type = tensor<1x1x1x1000x64xf16>, zin.name = "y"}) {
  %0 = zin.matmul %q, %k : (tensor<1x1x1x1000x64xf16>, tensor<1x1x1x1000x64xf16>) -> tensor<1x1x1x1000x1000xf16>
  %1 = zin.softmax %0 over 4 : tensor<1x1x1x1000x1000xf16>
  %2 = zin.matmul %1, %v {contract_rows} : (tensor<1x1x1x1000x1000xf16>, tensor<1x1x1x64x1000xf16>) -> tensor<1x1x1x1000x64xf16>
  zin.return %2 : tensor<1x1x1x1000x64xf16>
}

// A mask of keys for each matrix, of two samples in front of a reshape: it has
// one row, which is for each block of queries.

// CHECK-LABEL: zin.procedure @masks_of_matrices
// CHECK:      zin.matmul {{.*}} -> tensor<1x1x1x192x1000xf16>
// CHECK-NEXT: %[[M:.*]] = zin.input_view %arg3 from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x1x1x1000xf16>
// CHECK-NEXT: zin.elementwise <Add> {{.*}}, %[[M]]
// CHECK:      zin.input_view %arg0 from [0, 0, 3, 960, 0]
// CHECK-NEXT: zin.matmul {{.*}} -> tensor<1x1x1x40x1000xf16>
// CHECK-NEXT: %[[N:.*]] = zin.input_view %arg3 from [1, 0, 1, 0, 0] {{.*}} -> tensor<1x1x1x1x1000xf16>
// CHECK-NEXT: zin.elementwise <Add> {{.*}}, %[[N]]
// CHECK:      zin.concat {{.*}} along 2 : {{.*}} -> tensor<1x1x4x1000x64xf16>
zin.procedure @masks_of_matrices(%q: tensor<1x1x4x1000x64xf16> {zin.host_type = tensor<4x1000x64xf16>, zin.name = "q"}, %k: tensor<1x1x4x1000x64xf16> {zin.host_type = tensor<4x1000x64xf16>, zin.name = "k"}, %v: tensor<1x1x4x64x1000xf16> {zin.host_type = tensor<4x64x1000xf16>, zin.name = "v"}, %mask: tensor<2x1x2x1x1000xf16> {zin.host_type = tensor<2x2x1x1000xf16>, zin.name = "m"}) -> (tensor<1x1x4x1000x64xf16> {zin.host_type = tensor<4x1000x64xf16>, zin.name = "y"}) {
  %s = zin.matmul %q, %k : (tensor<1x1x4x1000x64xf16>, tensor<1x1x4x1000x64xf16>) -> tensor<1x1x4x1000x1000xf16>
  %m = zin.reshape %mask : (tensor<2x1x2x1x1000xf16>) -> tensor<1x1x4x1x1000xf16>
  %s1 = zin.elementwise <Add> %s, %m : (tensor<1x1x4x1000x1000xf16>, tensor<1x1x4x1x1000xf16>) -> tensor<1x1x4x1000x1000xf16>
  %p = zin.softmax %s1 over 4 : tensor<1x1x4x1000x1000xf16>
  %y = zin.matmul %p, %v : (tensor<1x1x4x1000x1000xf16>, tensor<1x1x4x64x1000xf16>) -> tensor<1x1x4x1000x64xf16>
  zin.return %y : tensor<1x1x4x1000x64xf16>
}
