// RUN: ane-opt %s --zin-fold-layout | FileCheck %s

// Element j of row i is element 187 - i + j of it: with each element in a row of
// its own, of all heads, element 187 + 374 * i + j of all.

// CHECK-LABEL: zin.procedure @skewed
// CHECK-NEXT: %[[T:.*]] = zin.transpose %arg0 to [0, 1, 3, 4, 2] : {{.*}} -> tensor<1x1x188x375x8xf16>
// CHECK-NEXT: %[[A:.*]] = zin.reshape %[[T]] : {{.*}} -> tensor<1x1x1x70500x8xf16>
// CHECK-NEXT: %[[B:.*]] = zin.input_view %[[A]] from [0, 0, 0, 187, 0] {{.*}} -> tensor<1x1x1x70312x8xf16>
// CHECK-NEXT: %[[C:.*]] = zin.reshape %[[B]] : {{.*}} -> tensor<1x1x188x374x8xf16>
// CHECK-NEXT: %[[D:.*]] = zin.input_view %[[C]] from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x188x188x8xf16>
// CHECK-NEXT: %[[Y:.*]] = zin.transpose %[[D]] to [0, 1, 4, 2, 3] : {{.*}} -> tensor<1x1x8x188x188xf16>
// CHECK-NEXT: zin.return %[[Y]]
zin.procedure @skewed(%x: tensor<1x1x8x188x375xf16> {zin.host_type = tensor<8x188x375xf16>, zin.name = "x"}) -> (tensor<1x1x8x188x188xf16> {zin.host_type = tensor<8x188x188xf16>, zin.name = "y"}) {
  %z = zin.constant dense<0.0> : tensor<1x1x8x188x1xf16>
  %0 = zin.concat %z, %x along 4 : (tensor<1x1x8x188x1xf16>, tensor<1x1x8x188x375xf16>) -> tensor<1x1x8x188x376xf16>
  %1 = zin.reshape %0 : (tensor<1x1x8x188x376xf16>) -> tensor<1x1x8x376x188xf16>
  %2 = zin.input_view %1 from [0, 0, 0, 1, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x8x376x188xf16>) -> tensor<1x1x8x375x188xf16>
  %3 = zin.reshape %2 : (tensor<1x1x8x375x188xf16>) -> tensor<1x1x8x188x375xf16>
  %4 = zin.input_view %3 from [0, 0, 0, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x8x188x375xf16>) -> tensor<1x1x8x188x188xf16>
  zin.return %4 : tensor<1x1x8x188x188xf16>
}

// One column more would have padding.

// CHECK-LABEL: zin.procedure @wraps
// CHECK-NOT: zin.transpose
// CHECK: zin.concat
// CHECK: zin.return
zin.procedure @wraps(%x: tensor<1x1x8x188x375xf16> {zin.host_type = tensor<8x188x375xf16>, zin.name = "x"}) -> (tensor<1x1x8x188x189xf16> {zin.host_type = tensor<8x188x189xf16>, zin.name = "y"}) {
  %z = zin.constant dense<0.0> : tensor<1x1x8x188x1xf16>
  %0 = zin.concat %z, %x along 4 : (tensor<1x1x8x188x1xf16>, tensor<1x1x8x188x375xf16>) -> tensor<1x1x8x188x376xf16>
  %1 = zin.reshape %0 : (tensor<1x1x8x188x376xf16>) -> tensor<1x1x8x376x188xf16>
  %2 = zin.input_view %1 from [0, 0, 0, 1, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x8x376x188xf16>) -> tensor<1x1x8x375x188xf16>
  %3 = zin.reshape %2 : (tensor<1x1x8x375x188xf16>) -> tensor<1x1x8x188x375xf16>
  %4 = zin.input_view %3 from [0, 0, 0, 0, 0] by [1, 1, 1, 1, 1] : (tensor<1x1x8x188x375xf16>) -> tensor<1x1x8x188x189xf16>
  zin.return %4 : tensor<1x1x8x188x189xf16>
}
