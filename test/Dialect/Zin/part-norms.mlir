// RUN: ane-opt %s --zin-part-norms --split-input-file | FileCheck %s

// Groups of 16 channels that take 2 MiB each. The reshapes around the norm go.

// CHECK-LABEL: zin.procedure @groups
// CHECK-SAME: (%[[X:[^:]*]]:
// CHECK-NEXT: %[[M0:.*]] = zin.reduction <Avg> %[[X]] over [3, 4] : {{.*}} -> tensor<1x1x32x1x1xf16>
// CHECK-NEXT: %[[M1:.*]] = zin.reshape %[[M0]] : {{.*}} -> tensor<1x2x16x1x1xf16>
// CHECK-NEXT: %[[M2:.*]] = zin.reduction <Avg> %[[M1]] over [2] : {{.*}} -> tensor<1x2x1x1x1xf16>
// CHECK-NEXT: %[[ONES:.*]] = zin.constant dense<1.000000e+00> : tensor<1x1x16x1x1xf16>
// CHECK-NEXT: %[[M3:.*]] = zin.elementwise <Mult> %[[M2]], %[[ONES]] : {{.*}} -> tensor<1x2x16x1x1xf16>
// CHECK-NEXT: %[[M:.*]] = zin.reshape %[[M3]] : {{.*}} -> tensor<1x1x32x1x1xf16>
// CHECK-NEXT: %[[D:.*]] = zin.elementwise <Sub> %[[X]], %[[M]]
// CHECK-NEXT: %[[R0:.*]] = zin.reduction <Avg> %[[D]] over [3, 4] {epsilon = 1.001360e-05 : f16, post = #zin.post<rsqrt>, square} : {{.*}} -> tensor<1x1x32x1x1xf16>
// CHECK-NEXT: %[[R1:.*]] = zin.reduction <Avg> %[[R0]] over [4] {post = #zin.post<reciprocal>} : {{.*}} -> tensor<1x1x32x1x1xf16>
// CHECK-NEXT: %[[R2:.*]] = zin.reshape %[[R1]] : {{.*}} -> tensor<1x2x16x1x1xf16>
// CHECK-NEXT: %[[R3:.*]] = zin.reduction <Avg> %[[R2]] over [2] {post = #zin.post<rsqrt>, square} : {{.*}} -> tensor<1x2x1x1x1xf16>
// CHECK:      %[[R:.*]] = zin.reshape %{{.*}} -> tensor<1x1x32x1x1xf16>
// CHECK-NEXT: %[[D2:.*]] = zin.elementwise <Sub> %[[X]], %[[M]]
// CHECK-NEXT: %[[Y:.*]] = zin.elementwise <Mult> %[[D2]], %[[R]]
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

// Left alone: groups that L2 holds, planes that it does not hold, and a
// difference that something else reads.

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

// CHECK-LABEL: zin.procedure @planes
// CHECK: zin.reduction <Avg> {{.*}} over [2, 3, 4] :
// CHECK: zin.reduction <Avg> {{.*}} over [2, 3, 4] {
zin.procedure @planes(%x: tensor<1x1x4x1024x512xf16> {zin.host_type = tensor<4x1024x512xf16>, zin.name = "x"}) -> (tensor<1x1x4x1024x512xf16> {zin.host_type = tensor<4x1024x512xf16>, zin.name = "y"}) {
  %1 = zin.reduction <Avg> %x over [2, 3, 4] : (tensor<1x1x4x1024x512xf16>) -> tensor<1x1x1x1x1xf16>
  %2 = zin.elementwise <Sub> %x, %1 : (tensor<1x1x4x1024x512xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x4x1024x512xf16>
  %3 = zin.reduction <Avg> %2 over [2, 3, 4] {epsilon = 1.001360e-05 : f16, post = #zin.post<rsqrt>, square} : (tensor<1x1x4x1024x512xf16>) -> tensor<1x1x1x1x1xf16>
  %4 = zin.elementwise <Mult> %2, %3 : (tensor<1x1x4x1024x512xf16>, tensor<1x1x1x1x1xf16>) -> tensor<1x1x4x1024x512xf16>
  zin.return %4 : tensor<1x1x4x1024x512xf16>
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
