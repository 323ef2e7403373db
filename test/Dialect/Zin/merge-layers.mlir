// RUN: ane-opt %s --zin-merge-layers --split-input-file | FileCheck %s

// Of two layers that read the same and do the same one stays, and so for the
// layers that read them. Another kind, and another order of operands, is another
// layer.

// CHECK-LABEL: zin.procedure @equal
// CHECK-NEXT: %[[A:.*]] = zin.neuron <relu> %{{.*}}
// CHECK-NEXT: %[[B:.*]] = zin.neuron <sigmoid> %{{.*}}
// CHECK-NEXT: %[[C:.*]] = zin.elementwise <Sub> %[[A]], %[[B]]
// CHECK-NEXT: %[[D:.*]] = zin.elementwise <Sub> %[[B]], %[[A]]
// CHECK-NEXT: %[[E:.*]] = zin.elementwise <Add> %[[C]], %[[C]]
// CHECK-NEXT: %[[F:.*]] = zin.elementwise <Add> %[[E]], %[[D]]
// CHECK-NEXT: zin.return %[[F]]
zin.procedure @equal(%x: tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "x"}) -> (tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "y"}) {
  %0 = zin.neuron <relu> %x : tensor<1x1x1x2x2xf16>
  %1 = zin.neuron <sigmoid> %x : tensor<1x1x1x2x2xf16>
  %2 = zin.neuron <relu> %x : tensor<1x1x1x2x2xf16>
  %3 = zin.elementwise <Sub> %0, %1 : (tensor<1x1x1x2x2xf16>, tensor<1x1x1x2x2xf16>) -> tensor<1x1x1x2x2xf16>
  %4 = zin.elementwise <Sub> %2, %1 : (tensor<1x1x1x2x2xf16>, tensor<1x1x1x2x2xf16>) -> tensor<1x1x1x2x2xf16>
  %5 = zin.elementwise <Sub> %1, %2 : (tensor<1x1x1x2x2xf16>, tensor<1x1x1x2x2xf16>) -> tensor<1x1x1x2x2xf16>
  %6 = zin.elementwise <Add> %3, %4 : (tensor<1x1x1x2x2xf16>, tensor<1x1x1x2x2xf16>) -> tensor<1x1x1x2x2xf16>
  %7 = zin.elementwise <Add> %6, %5 : (tensor<1x1x1x2x2xf16>, tensor<1x1x1x2x2xf16>) -> tensor<1x1x1x2x2xf16>
  zin.return %7 : tensor<1x1x1x2x2xf16>
}

// -----

// What nobody reads goes, also where nothing is equal.

// CHECK-LABEL: zin.procedure @unread
// CHECK-NEXT: %[[A:.*]] = zin.neuron <relu> %{{.*}}
// CHECK-NEXT: zin.return %[[A]]
zin.procedure @unread(%x: tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "x"}) -> (tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "y"}) {
  %0 = zin.neuron <relu> %x : tensor<1x1x1x2x2xf16>
  %1 = zin.neuron <sigmoid> %0 : tensor<1x1x1x2x2xf16>
  zin.return %0 : tensor<1x1x1x2x2xf16>
}
