// RUN: ane-opt %s --zin-merge-constants | FileCheck %s

// Equal bits of the same type are one constant, wherever they are kept; another
// shape is another constant. What nobody reads goes.

// CHECK-LABEL: zin.procedure @main
// CHECK: %[[A:.*]] = zin.constant dense_resource<a> : tensor<1x1x1x1x2xf16>
// CHECK-NEXT: %[[B:.*]] = zin.constant dense<[{{.*}}]> : tensor<1x1x1x2x1xf16>
// CHECK-NOT: zin.constant
// CHECK: zin.elementwise <Add> %{{.*}}, %[[A]]
// CHECK: zin.elementwise <Add> %{{.*}}, %[[A]]
// CHECK: zin.elementwise <Add> %{{.*}}, %[[A]]
// CHECK: zin.elementwise <Add> %{{.*}}, %[[B]]
zin.procedure @main(%x: tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "x"}) -> (tensor<1x1x1x2x2xf16> {zin.host_type = tensor<2x2xf16>, zin.name = "y"}) {
  %a = zin.constant dense_resource<a> : tensor<1x1x1x1x2xf16>
  %b = zin.constant dense_resource<b> : tensor<1x1x1x1x2xf16>
  %c = zin.constant dense<[[[[[1.0, 2.0]]]]]> : tensor<1x1x1x1x2xf16>
  %d = zin.constant dense<[[[[[1.0], [2.0]]]]]> : tensor<1x1x1x2x1xf16>
  %e = zin.constant dense<7.0> : tensor<1x1x1x1x2xf16>
  %0 = zin.elementwise <Add> %x, %a : (tensor<1x1x1x2x2xf16>, tensor<1x1x1x1x2xf16>) -> tensor<1x1x1x2x2xf16>
  %1 = zin.elementwise <Add> %0, %b : (tensor<1x1x1x2x2xf16>, tensor<1x1x1x1x2xf16>) -> tensor<1x1x1x2x2xf16>
  %2 = zin.elementwise <Add> %1, %c : (tensor<1x1x1x2x2xf16>, tensor<1x1x1x1x2xf16>) -> tensor<1x1x1x2x2xf16>
  %3 = zin.elementwise <Add> %2, %d : (tensor<1x1x1x2x2xf16>, tensor<1x1x1x2x1xf16>) -> tensor<1x1x1x2x2xf16>
  zin.return %3 : tensor<1x1x1x2x2xf16>
}

{-#
  dialect_resources: {
    builtin: {
      a: "0x02000000003C0040",
      b: "0x02000000003C0040"
    }
  }
#-}
