// RUN: split-file %s %t
// RUN: not ane-compile %t/scalar.mlir -o %t/o.hwx 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: not ane-compile %t/rank.mlir -o %t/o.hwx 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not ane-compile %t/element.mlir -o %t/o.hwx 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: not ane-compile %t/wide.mlir -o %t/o.hwx 2>&1 | FileCheck %s --check-prefix=WIDE

// What IR says of the tensors of the host is looked at before the dispatch
// descriptor is made of it.

//--- scalar.mlir
// SCALAR: error: buffer: the host type of 'x' is 'i64'; it must be a tensor of fp16, fp32, bool or integers of 8 to 32 bits, of known shape and up to 5 dimensions [zin-buffer-c1]
zin.procedure @main(%arg0: tensor<1x1x1x4x6xf16> {zin.host_type = i64, zin.name = "x"}) -> (tensor<1x1x1x4x6xf16> {zin.host_type = tensor<1x1x4x6xf16>, zin.name = "y"}) {
  %0 = zin.neuron <relu> %arg0 : tensor<1x1x1x4x6xf16>
  zin.return %0 : tensor<1x1x1x4x6xf16>
}

//--- rank.mlir
// RANK: error: buffer: the host type of 'y' is 'tensor<1x1x1x1x4x6xf16>'; it must be
zin.procedure @main(%arg0: tensor<1x1x1x4x6xf16> {zin.host_type = tensor<1x1x4x6xf16>, zin.name = "x"}) -> (tensor<1x1x1x4x6xf16> {zin.host_type = tensor<1x1x1x1x4x6xf16>, zin.name = "y"}) {
  %0 = zin.neuron <relu> %arg0 : tensor<1x1x1x4x6xf16>
  zin.return %0 : tensor<1x1x1x4x6xf16>
}

//--- element.mlir
// ELEMENT: error: buffer: the host type of 'y' is 'tensor<1x1x4x6xcomplex<f32>>'; it must be
zin.procedure @main(%arg0: tensor<1x1x1x4x6xf16> {zin.host_type = tensor<1x1x4x6xf16>, zin.name = "x"}) -> (tensor<1x1x1x4x6xf16> {zin.host_type = tensor<1x1x4x6xcomplex<f32>>, zin.name = "y"}) {
  %0 = zin.neuron <relu> %arg0 : tensor<1x1x1x4x6xf16>
  zin.return %0 : tensor<1x1x1x4x6xf16>
}

//--- wide.mlir
// WIDE: error: buffer: the host type of 'y' is 'tensor<1x1x4x6xi64>'; it must be
zin.procedure @main(%arg0: tensor<1x1x1x4x6xf16> {zin.host_type = tensor<1x1x4x6xf16>, zin.name = "x"}) -> (tensor<1x1x1x4x6xf16> {zin.host_type = tensor<1x1x4x6xi64>, zin.name = "y"}) {
  %0 = zin.neuron <relu> %arg0 : tensor<1x1x1x4x6xf16>
  zin.return %0 : tensor<1x1x1x4x6xf16>
}
