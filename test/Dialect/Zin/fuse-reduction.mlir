// RUN: ane-opt %s --zin-fuse-reduction --split-input-file | FileCheck %s

// An RMS norm that is written out: one reduction computes what multiplies.

// CHECK-LABEL: zin.procedure @rms_norm
// CHECK-NEXT: %[[F:.*]] = zin.reduction <Avg> %arg0 over [4] {epsilon = 1.001360e-05 : f16, post = #zin.post<rsqrt>, square}
// CHECK-NEXT: %[[Y:.*]] = zin.elementwise <Mult> %arg0, %[[F]]
// CHECK-NEXT: zin.return %[[Y]]
zin.procedure @rms_norm(%x: tensor<1x1x1x3x5xf16> {zin.host_type = tensor<3x5xf16>, zin.name = "x"}) -> (tensor<1x1x1x3x5xf16> {zin.host_type = tensor<3x5xf16>, zin.name = "y"}) {
  %s = zin.elementwise <Mult> %x, %x : (tensor<1x1x1x3x5xf16>, tensor<1x1x1x3x5xf16>) -> tensor<1x1x1x3x5xf16>
  %m = zin.reduction <Avg> %s over [4] : (tensor<1x1x1x3x5xf16>) -> tensor<1x1x1x3x1xf16>
  %e = zin.goc %m scale 1.0 bias 1.001360e-05 : tensor<1x1x1x3x1xf16>
  %f = zin.neuron <rsqrt> %e : tensor<1x1x1x3x1xf16>
  %y = zin.elementwise <Mult> %x, %f : (tensor<1x1x1x3x5xf16>, tensor<1x1x1x3x1xf16>) -> tensor<1x1x1x3x5xf16>
  zin.return %y : tensor<1x1x1x3x5xf16>
}

// -----

// The inverse of a root, with the epsilon in front of it.

// CHECK-LABEL: zin.procedure @inverse_root
// CHECK-NEXT: %[[Y:.*]] = zin.reduction <Sum> %arg0 over [3, 4] {epsilon = 5.000000e-01 : f16, post = #zin.post<rsqrt>}
// CHECK-NEXT: zin.return %[[Y]]
zin.procedure @inverse_root(%x: tensor<1x1x1x3x5xf16> {zin.host_type = tensor<3x5xf16>, zin.name = "x"}) -> (tensor<1x1x1x1x1xf16> {zin.host_type = tensor<1x1xf16>, zin.name = "y"}) {
  %s = zin.reduction <Sum> %x over [3, 4] : (tensor<1x1x1x3x5xf16>) -> tensor<1x1x1x1x1xf16>
  %r = zin.neuron <sqrt> %s {bias = 0.5 : f16} : tensor<1x1x1x1x1xf16>
  %y = zin.neuron <inv> %r : tensor<1x1x1x1x1xf16>
  zin.return %y : tensor<1x1x1x1x1xf16>
}

// -----

// CHECK-LABEL: zin.procedure @reciprocal
// CHECK-NEXT: %[[Y:.*]] = zin.reduction <Sum> %arg0 over [4] {post = #zin.post<reciprocal>}
// CHECK-NEXT: zin.return %[[Y]]
zin.procedure @reciprocal(%x: tensor<1x1x1x3x5xf16> {zin.host_type = tensor<3x5xf16>, zin.name = "x"}) -> (tensor<1x1x1x3x1xf16> {zin.host_type = tensor<3x1xf16>, zin.name = "y"}) {
  %s = zin.reduction <Sum> %x over [4] : (tensor<1x1x1x3x5xf16>) -> tensor<1x1x1x3x1xf16>
  %y = zin.neuron <inv> %s : tensor<1x1x1x3x1xf16>
  zin.return %y : tensor<1x1x1x3x1xf16>
}

// -----

// A mean may be a sum and a factor, with an offset of its own or behind it.

// CHECK-LABEL: zin.procedure @scale
// CHECK-NEXT: %[[Y:.*]] = zin.reduction <Sum> %arg0 over [4] {epsilon = 5.000000e-01 : f16, post = #zin.post<rsqrt>, scale = 2.500000e-01 : f16}
// CHECK-NEXT: %[[Z:.*]] = zin.reduction <Avg> %arg0 over [4] {epsilon = 1.000000e+00 : f16, scale = 3.000000e+00 : f16}
// CHECK-NEXT: zin.return %[[Y]], %[[Z]]
zin.procedure @scale(%x: tensor<1x1x1x3x5xf16> {zin.host_type = tensor<3x5xf16>, zin.name = "x"}) -> (tensor<1x1x1x3x1xf16> {zin.host_type = tensor<3x1xf16>, zin.name = "y"}, tensor<1x1x1x3x1xf16> {zin.host_type = tensor<3x1xf16>, zin.name = "z"}) {
  %s = zin.reduction <Sum> %x over [4] : (tensor<1x1x1x3x5xf16>) -> tensor<1x1x1x3x1xf16>
  %m = zin.goc %s scale 2.5e-01 bias 0.0 : tensor<1x1x1x3x1xf16>
  %e = zin.goc %m scale 1.0 bias 0.5 : tensor<1x1x1x3x1xf16>
  %y = zin.neuron <rsqrt> %e : tensor<1x1x1x3x1xf16>
  %a = zin.reduction <Avg> %x over [4] : (tensor<1x1x1x3x5xf16>) -> tensor<1x1x1x3x1xf16>
  %z = zin.goc %a scale 3.0 bias 1.0 : tensor<1x1x1x3x1xf16>
  zin.return %y, %z : tensor<1x1x1x3x1xf16>, tensor<1x1x1x3x1xf16>
}

// -----

// What has no place in the task stays: a maximum, a negative scale or addend, a
// second epsilon, a function behind another, and whatever somebody else reads.

// CHECK-LABEL: zin.procedure @apart
// CHECK: zin.elementwise <Mult>
// CHECK-NEXT: zin.reduction <Max> %{{.*}} over [4] :
// CHECK-NEXT: zin.goc
// CHECK-NEXT: zin.reduction <Sum> %{{.*}} over [4] :
// CHECK-NEXT: zin.goc {{.*}} scale -2.0
// CHECK-NEXT: zin.reduction <Sum> %{{.*}} over [4] :
// CHECK-NEXT: zin.goc {{.*}} bias -1.0
// CHECK-NEXT: zin.reduction <Sum> %{{.*}} over [4] {epsilon = 1.000000e+00 : f16} :
// CHECK-NEXT: zin.neuron <rsqrt> %{{.*}} {bias = 1.000000e+00 : f16}
// CHECK-NEXT: zin.reduction <Sum> %{{.*}} over [4] {post = #zin.post<reciprocal>} :
// CHECK-NEXT: zin.goc
// CHECK-NEXT: %[[S:.*]] = zin.reduction <Sum> %{{.*}} over [4] :
// CHECK-NEXT: zin.neuron <inv> %[[S]]
zin.procedure @apart(%x: tensor<1x1x1x3x5xf16> {zin.host_type = tensor<3x5xf16>, zin.name = "x"}) -> (tensor<1x1x1x3x1xf16> {zin.host_type = tensor<3x1xf16>, zin.name = "a"}, tensor<1x1x1x3x1xf16> {zin.host_type = tensor<3x1xf16>, zin.name = "b"}, tensor<1x1x1x3x1xf16> {zin.host_type = tensor<3x1xf16>, zin.name = "c"}, tensor<1x1x1x3x1xf16> {zin.host_type = tensor<3x1xf16>, zin.name = "d"}, tensor<1x1x1x3x1xf16> {zin.host_type = tensor<3x1xf16>, zin.name = "e"}, tensor<1x1x1x3x1xf16> {zin.host_type = tensor<3x1xf16>, zin.name = "f"}, tensor<1x1x1x3x1xf16> {zin.host_type = tensor<3x1xf16>, zin.name = "g"}) {
  %s = zin.elementwise <Mult> %x, %x : (tensor<1x1x1x3x5xf16>, tensor<1x1x1x3x5xf16>) -> tensor<1x1x1x3x5xf16>
  %a0 = zin.reduction <Max> %s over [4] : (tensor<1x1x1x3x5xf16>) -> tensor<1x1x1x3x1xf16>
  %a = zin.goc %a0 scale 1.0 bias 1.0 : tensor<1x1x1x3x1xf16>
  %b0 = zin.reduction <Sum> %x over [4] : (tensor<1x1x1x3x5xf16>) -> tensor<1x1x1x3x1xf16>
  %b = zin.goc %b0 scale -2.0 bias 1.0 : tensor<1x1x1x3x1xf16>
  %c0 = zin.reduction <Sum> %x over [4] : (tensor<1x1x1x3x5xf16>) -> tensor<1x1x1x3x1xf16>
  %c = zin.goc %c0 scale 1.0 bias -1.0 : tensor<1x1x1x3x1xf16>
  %d0 = zin.reduction <Sum> %x over [4] {epsilon = 1.0 : f16} : (tensor<1x1x1x3x5xf16>) -> tensor<1x1x1x3x1xf16>
  %d = zin.neuron <rsqrt> %d0 {bias = 1.0 : f16} : tensor<1x1x1x3x1xf16>
  %e0 = zin.reduction <Sum> %x over [4] {post = #zin.post<reciprocal>} : (tensor<1x1x1x3x5xf16>) -> tensor<1x1x1x3x1xf16>
  %e = zin.goc %e0 scale 1.0 bias 1.0 : tensor<1x1x1x3x1xf16>
  %f = zin.reduction <Sum> %x over [4] : (tensor<1x1x1x3x5xf16>) -> tensor<1x1x1x3x1xf16>
  %g = zin.neuron <inv> %f : tensor<1x1x1x3x1xf16>
  zin.return %a, %b, %c, %d, %e, %f, %g : tensor<1x1x1x3x1xf16>, tensor<1x1x1x3x1xf16>, tensor<1x1x1x3x1xf16>, tensor<1x1x1x3x1xf16>, tensor<1x1x1x3x1xf16>, tensor<1x1x1x3x1xf16>, tensor<1x1x1x3x1xf16>
}
