// RUN: ane-opt %s --zin-part-norms --split-input-file | FileCheck %s

// Groups of 16 channels that take 2 MiB each. The reshapes around the norm go.

// CHECK-LABEL: zin.procedure @groups
// CHECK-SAME: (%[[X:[^:]*]]:
// CHECK-NEXT: %[[M0:.*]] = zin.reduction <Avg> %[[X]] over [3, 4] : {{.*}} -> tensor<1x1x32x1x1xf16>
// CHECK-NEXT: %[[D0:.*]] = zin.elementwise <Sub> %[[X]], %[[M0]]
// CHECK-NEXT: %[[R0:.*]] = zin.reduction <Avg> %[[D0]] over [3, 4] {epsilon = 1.001360e-05 : f16, post = #zin.post<rsqrt>, square} : {{.*}} -> tensor<1x1x32x1x1xf16>
// CHECK-NEXT: %[[M1:.*]] = zin.reshape %[[M0]] : {{.*}} -> tensor<1x2x16x1x1xf16>
// CHECK-NEXT: %[[M2:.*]] = zin.reduction <Avg> %[[M1]] over [2] : {{.*}} -> tensor<1x2x1x1x1xf16>
// CHECK-NEXT: %[[R1:.*]] = zin.reshape %[[R0]] : {{.*}} -> tensor<1x2x16x1x1xf16>
// CHECK-NEXT: %[[R2:.*]] = zin.reduction <Avg> %[[R1]] over [4] {post = #zin.post<reciprocal>} : {{.*}} -> tensor<1x2x16x1x1xf16>
// CHECK-NEXT: %[[D1:.*]] = zin.elementwise <Sub> %[[M1]], %[[M2]]
// CHECK-NEXT: %[[J:.*]] = zin.concat %[[R2]], %[[D1]] along 3 : {{.*}} -> tensor<1x2x16x2x1xf16>
// CHECK-NEXT: %[[R3:.*]] = zin.reduction <Avg> %[[J]] over [2, 3] {post = #zin.post<rsqrt>, scale = 2.000000e+00 : f16, square} : {{.*}} -> tensor<1x2x1x1x1xf16>
// CHECK-NEXT: %[[ONES:.*]] = zin.constant dense<1.000000e+00> : tensor<1x1x16x1x1xf16>
// CHECK-NEXT: %[[M3:.*]] = zin.elementwise <Mult> %[[M2]], %[[ONES]] : {{.*}} -> tensor<1x2x16x1x1xf16>
// CHECK-NEXT: %[[M:.*]] = zin.reshape %[[M3]] : {{.*}} -> tensor<1x1x32x1x1xf16>
// CHECK-NEXT: %[[R4:.*]] = zin.elementwise <Mult> %[[R3]], %[[ONES]] : {{.*}} -> tensor<1x2x16x1x1xf16>
// CHECK-NEXT: %[[R:.*]] = zin.reshape %[[R4]] : {{.*}} -> tensor<1x1x32x1x1xf16>
// CHECK-NEXT: %[[P:.*]] = zin.concat %[[M]], %[[R]] along 3 : {{.*}} -> tensor<1x1x32x2x1xf16>
// CHECK-NEXT: %[[P0:.*]] = zin.input_view %[[P]] from [0, 0, 0, 0, 0]
// CHECK-NEXT: %[[D2:.*]] = zin.elementwise <Sub> %[[X]], %[[P0]]
// CHECK-NEXT: %[[P1:.*]] = zin.input_view %[[P]] from [0, 0, 0, 1, 0]
// CHECK-NEXT: %[[Y:.*]] = zin.elementwise <Mult> %[[D2]], %[[P1]]
// CHECK-NEXT: zin.return %[[Y]]
zin.procedure @groups(%x: tensor<1x1x32x256x256xf16> {zin.host_type = tensor<32x256x256xf16>, zin.name = "x"}) -> (tensor<1x1x32x256x256xf16> {zin.host_type = tensor<32x256x256xf16>, zin.name = "y"}) {
  %0 = zin.reshape %x : (tensor<1x1x32x256x256xf16>) -> tensor<1x2x16x256x256xf16>
  %1 = zin.reduction <Avg> %0 over [2, 3, 4] : (tensor<1x2x16x256x256xf16>) -> tensor<1x2x1x1x1xf16>
  %2 = zin.elementwise <Sub> %0, %1 : (tensor<1x2x16x256x256xf16>, tensor<1x2x1x1x1xf16>) -> tensor<1x2x16x256x256xf16>
  %3 = zin.reduction <Avg> %2 over [2, 3, 4] {epsilon = 1.001360e-05 : f16, post = #zin.post<rsqrt>, square} : (tensor<1x2x16x256x256xf16>) -> tensor<1x2x1x1x1xf16>
  %4 = zin.elementwise <Mult> %2, %3 : (tensor<1x2x16x256x256xf16>, tensor<1x2x1x1x1xf16>) -> tensor<1x2x16x256x256xf16>
  %5 = zin.reshape %4 : (tensor<1x2x16x256x256xf16>) -> tensor<1x1x32x256x256xf16>
  zin.return %5 : tensor<1x1x32x256x256xf16>
}

// -----

// Planes that are too large as well: halves of them are parts. The channels are
// read as they are for the result.

// CHECK-LABEL: zin.procedure @planes
// CHECK-SAME: (%[[X:[^:]*]]:
// CHECK-NEXT: %[[PARTS:.*]] = zin.reshape %[[X]] : {{.*}} -> tensor<1x1x8x512x512xf16>
// CHECK-NEXT: %[[M0:.*]] = zin.reduction <Avg> %[[PARTS]] over [3, 4]
// CHECK-NEXT: zin.elementwise <Sub> %[[PARTS]], %[[M0]]
// CHECK:      zin.concat {{.*}} along 3 : {{.*}} -> tensor<1x1x8x2x1xf16>
// CHECK:      zin.concat {{.*}} along 3 : {{.*}} -> tensor<1x1x4x2x1xf16>
// CHECK:      zin.elementwise <Sub> %[[X]],
zin.procedure @planes(%x: tensor<1x1x4x1024x512xf16> {zin.host_type = tensor<4x1024x512xf16>, zin.name = "x"}) -> (tensor<1x1x4x1024x512xf16> {zin.host_type = tensor<4x1024x512xf16>, zin.name = "y"}) {
  %1 = zin.reduction <Avg> %x over [2, 3, 4] : (tensor<1x1x4x1024x512xf16>) -> tensor<1x1x1x1x1xf16>
  %2 = zin.elementwise <Sub> %x, %1 : (tensor<1x1x4x1024x512xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x4x1024x512xf16>
  %3 = zin.reduction <Avg> %2 over [2, 3, 4] {epsilon = 1.001360e-05 : f16, post = #zin.post<rsqrt>, square} : (tensor<1x1x4x1024x512xf16>) -> tensor<1x1x1x1x1xf16>
  %4 = zin.elementwise <Mult> %2, %3 : (tensor<1x1x4x1024x512xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x4x1024x512xf16>
  zin.return %4 : tensor<1x1x4x1024x512xf16>
}

// -----

// Groups that a program has as rows are channels of the image in front.

// CHECK-LABEL: zin.procedure @rows
// CHECK-SAME: (%[[X:[^:]*]]:
// CHECK-NEXT: zin.reduction <Avg> %[[X]] over [3, 4] : {{.*}} -> tensor<1x1x32x1x1xf16>
// CHECK:      %[[Y:.*]] = zin.elementwise <Mult> {{.*}} -> tensor<1x1x32x256x256xf16>
// CHECK-NEXT: zin.return %[[Y]]
zin.procedure @rows(%x: tensor<1x1x32x256x256xf16> {zin.host_type = tensor<32x256x256xf16>, zin.name = "x"}) -> (tensor<1x1x32x256x256xf16> {zin.host_type = tensor<32x256x256xf16>, zin.name = "y"}) {
  %0 = zin.reshape %x : (tensor<1x1x32x256x256xf16>) -> tensor<1x1x2x8192x128xf16>
  %1 = zin.reduction <Avg> %0 over [3, 4] : (tensor<1x1x2x8192x128xf16>) -> tensor<1x1x2x1x1xf16>
  %2 = zin.elementwise <Sub> %0, %1 : (tensor<1x1x2x8192x128xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x8192x128xf16>
  %3 = zin.reduction <Avg> %2 over [3, 4] {epsilon = 1.001360e-05 : f16, post = #zin.post<rsqrt>, square} : (tensor<1x1x2x8192x128xf16>) -> tensor<1x1x2x1x1xf16>
  %4 = zin.elementwise <Mult> %2, %3 : (tensor<1x1x2x8192x128xf16>, tensor<1x1x2x1x1xf16>) -> tensor<1x1x2x8192x128xf16>
  %5 = zin.reshape %4 : (tensor<1x1x2x8192x128xf16>) -> tensor<1x1x32x256x256xf16>
  zin.return %5 : tensor<1x1x32x256x256xf16>
}

// -----

// Groups of 1 MiB, behind which more is computed of each element.

// CHECK-LABEL: zin.procedure @goes_on
// CHECK: zin.reduction <Avg> {{.*}} over [3, 4] :
zin.procedure @goes_on(%x: tensor<1x2x8x256x256xf16> {zin.host_type = tensor<2x8x256x256xf16>, zin.name = "x"}) -> (tensor<1x2x8x256x256xf16> {zin.host_type = tensor<2x8x256x256xf16>, zin.name = "y"}) {
  %1 = zin.reduction <Avg> %x over [2, 3, 4] : (tensor<1x2x8x256x256xf16>) -> tensor<1x2x1x1x1xf16>
  %2 = zin.elementwise <Sub> %x, %1 : (tensor<1x2x8x256x256xf16>, tensor<1x2x1x1x1xf16>) -> tensor<1x2x8x256x256xf16>
  %3 = zin.reduction <Avg> %2 over [2, 3, 4] {epsilon = 1.001360e-05 : f16, post = #zin.post<rsqrt>, square} : (tensor<1x2x8x256x256xf16>) -> tensor<1x2x1x1x1xf16>
  %4 = zin.elementwise <Mult> %2, %3 : (tensor<1x2x8x256x256xf16>, tensor<1x2x1x1x1xf16>) -> tensor<1x2x8x256x256xf16>
  %5 = zin.neuron <sigmoid_high_precision> %4 : tensor<1x2x8x256x256xf16>
  %6 = zin.elementwise <Mult> %4, %5 : (tensor<1x2x8x256x256xf16>, tensor<1x2x8x256x256xf16>) -> tensor<1x2x8x256x256xf16>
  zin.return %6 : tensor<1x2x8x256x256xf16>
}

// -----

// Left alone: groups that L2 holds, those that half of it holds where nothing is
// computed behind, and a difference that something else reads.

// CHECK-LABEL: zin.procedure @small
// CHECK: zin.reduction <Avg> {{.*}} over [2, 3, 4] :
// CHECK: zin.reduction <Avg> {{.*}} over [2, 3, 4] {
zin.procedure @small(%x: tensor<1x2x16x64x128xf16> {zin.host_type = tensor<2x16x64x128xf16>, zin.name = "x"}) -> (tensor<1x2x16x64x128xf16> {zin.host_type = tensor<2x16x64x128xf16>, zin.name = "y"}) {
  %1 = zin.reduction <Avg> %x over [2, 3, 4] : (tensor<1x2x16x64x128xf16>) -> tensor<1x2x1x1x1xf16>
  %2 = zin.elementwise <Sub> %x, %1 : (tensor<1x2x16x64x128xf16>, tensor<1x2x1x1x1xf16>) -> tensor<1x2x16x64x128xf16>
  %3 = zin.reduction <Avg> %2 over [2, 3, 4] {epsilon = 1.001360e-05 : f16, post = #zin.post<rsqrt>, square} : (tensor<1x2x16x64x128xf16>) -> tensor<1x2x1x1x1xf16>
  %4 = zin.elementwise <Mult> %2, %3 : (tensor<1x2x16x64x128xf16>, tensor<1x2x1x1x1xf16>) -> tensor<1x2x16x64x128xf16>
  zin.return %4 : tensor<1x2x16x64x128xf16>
}

// CHECK-LABEL: zin.procedure @half
// CHECK: zin.reduction <Avg> {{.*}} over [2, 3, 4] :
// CHECK: zin.reduction <Avg> {{.*}} over [2, 3, 4] {
zin.procedure @half(%x: tensor<1x2x8x256x256xf16> {zin.host_type = tensor<2x8x256x256xf16>, zin.name = "x"}) -> (tensor<1x2x8x256x256xf16> {zin.host_type = tensor<2x8x256x256xf16>, zin.name = "y"}) {
  %1 = zin.reduction <Avg> %x over [2, 3, 4] : (tensor<1x2x8x256x256xf16>) -> tensor<1x2x1x1x1xf16>
  %2 = zin.elementwise <Sub> %x, %1 : (tensor<1x2x8x256x256xf16>, tensor<1x2x1x1x1xf16>) -> tensor<1x2x8x256x256xf16>
  %3 = zin.reduction <Avg> %2 over [2, 3, 4] {epsilon = 1.001360e-05 : f16, post = #zin.post<rsqrt>, square} : (tensor<1x2x8x256x256xf16>) -> tensor<1x2x1x1x1xf16>
  %4 = zin.elementwise <Mult> %2, %3 : (tensor<1x2x8x256x256xf16>, tensor<1x2x1x1x1xf16>) -> tensor<1x2x8x256x256xf16>
  zin.return %4 : tensor<1x2x8x256x256xf16>
}

// CHECK-LABEL: zin.procedure @read
// CHECK: zin.reduction <Avg> {{.*}} over [2, 3, 4] :
// CHECK: zin.reduction <Avg> {{.*}} over [2, 3, 4] {
zin.procedure @read(%x: tensor<1x1x16x256x256xf16> {zin.host_type = tensor<16x256x256xf16>, zin.name = "x"}) -> (tensor<1x1x16x256x256xf16> {zin.host_type = tensor<16x256x256xf16>, zin.name = "y"}, tensor<1x1x16x256x256xf16> {zin.host_type = tensor<16x256x256xf16>, zin.name = "d"}) {
  %1 = zin.reduction <Avg> %x over [2, 3, 4] : (tensor<1x1x16x256x256xf16>) -> tensor<1x1x1x1x1xf16>
  %2 = zin.elementwise <Sub> %x, %1 : (tensor<1x1x16x256x256xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x16x256x256xf16>
  %3 = zin.reduction <Avg> %2 over [2, 3, 4] {epsilon = 1.001360e-05 : f16, post = #zin.post<rsqrt>, square} : (tensor<1x1x16x256x256xf16>) -> tensor<1x1x1x1x1xf16>
  %4 = zin.elementwise <Mult> %2, %3 : (tensor<1x1x16x256x256xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x16x256x256xf16>
  zin.return %4, %2 : tensor<1x1x16x256x256xf16>, tensor<1x1x16x256x256xf16>
}
