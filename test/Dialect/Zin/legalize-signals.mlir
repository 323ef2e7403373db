// RUN: ane-opt %s --zin-legalize --split-input-file | FileCheck %s

// Taps that are 13 columns apart, of copies that are as far ahead: they are
// channels of one convolution, and come from columns that are turned once.

// CHECK-LABEL: zin.procedure @copies
// CHECK: %[[TURNED:.*]] = zin.transpose %arg0 to [0, 1, 4, 3, 2]
// CHECK: %[[FIRST:.*]] = zin.input_view %[[TURNED]] from [0, 0, 0, 0, 0] {{.*}} -> tensor<1x1x996x1x64xf16>
// CHECK: %[[A:.*]] = zin.transpose %[[FIRST]] to [0, 1, 4, 3, 2]
// CHECK: %[[SECOND:.*]] = zin.input_view %[[TURNED]] from [0, 0, 13, 0, 0]
// CHECK: %[[B:.*]] = zin.transpose %[[SECOND]] to [0, 1, 4, 3, 2]
// CHECK: %[[THIRD:.*]] = zin.input_view %[[TURNED]] from [0, 0, 26, 0, 0]
// CHECK: %[[C:.*]] = zin.transpose %[[THIRD]] to [0, 1, 4, 3, 2]
// CHECK: %[[ALL:.*]] = zin.concat %[[A]], %[[B]], %[[C]] along 2
// CHECK: zin.conv %[[ALL]], {{.*}}tensor<64x1x192x1x1xf16>
// CHECK-NOT: zin.conv
// CHECK-NOT: zin.elementwise
zin.procedure @copies(%x: tensor<1x1x64x1x1022xf16> {zin.host_type = tensor<64x1022xf16>, zin.name = "x"}) -> (tensor<1x1x64x1x996xf16> {zin.host_type = tensor<64x996xf16>, zin.name = "y"}) {
  %w = zin.constant dense<2.0> : tensor<64x1x64x1x3xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 13>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x64x1x1022xf16>, tensor<64x1x64x1x3xf16>) -> tensor<1x1x64x1x996xf16>
  zin.return %y : tensor<1x1x64x1x996xf16>
}

// -----

// Taps that see nothing but padding are left out: of 128 those from the 15th to
// the 112th see one of 49 columns. Groups have copies as rows.

// CHECK-LABEL: zin.procedure @groups
// CHECK: zin.conv {{.*}}groups = 2 {{.*}}padding = array<i64: 0, 0>{{.*}}(tensor<1x1x96x8x62xf16>, tensor<96x1x48x8x13xf16>) -> tensor<1x1x96x1x50xf16>
// CHECK-NOT: zin.conv
zin.procedure @groups(%x: tensor<1x1x96x1x49xf16> {zin.host_type = tensor<96x49xf16>, zin.name = "x"}) -> (tensor<1x1x96x1x50xf16> {zin.host_type = tensor<96x50xf16>, zin.name = "y"}) {
  %w = zin.constant dense<2.0> : tensor<96x1x48x1x128xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 2 : i64, padding = array<i64: 0, 64>, strides = array<i64: 1, 1>} : (tensor<1x1x96x1x49xf16>, tensor<96x1x48x1x128xf16>) -> tensor<1x1x96x1x50xf16>
  zin.return %y : tensor<1x1x96x1x50xf16>
}

// -----

// Channels by themselves have too few products for that. L2 does not hold what
// is added up of 1024 of them, but what is of 128.

// CHECK-LABEL: zin.procedure @channels
// CHECK-COUNT-3: zin.conv {{.*}}groups = 128 {{.*}} -> tensor<1x1x128x1x1500xf16>
// CHECK: zin.concat {{.*}} along 2 {{.*}} -> tensor<1x1x1024x1x1500xf16>
// CHECK-NOT: zin.concat
zin.procedure @channels(%x: tensor<1x1x1024x1x1500xf16> {zin.host_type = tensor<1024x1500xf16>, zin.name = "x"}) -> (tensor<1x1x1024x1x1500xf16> {zin.host_type = tensor<1024x1500xf16>, zin.name = "y"}) {
  %w = zin.constant dense<2.0> : tensor<1024x1x1x1x31xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1024 : i64, padding = array<i64: 0, 15>, strides = array<i64: 1, 1>} : (tensor<1x1x1024x1x1500xf16>, tensor<1024x1x1x1x31xf16>) -> tensor<1x1x1024x1x1500xf16>
  zin.return %y : tensor<1x1x1024x1x1500xf16>
}

// -----

// What parts of a window see is turned once, however many of them begin within a
// step: here the first, which has 18 columns of padding, and the third.

// CHECK-LABEL: zin.procedure @turned_once
// CHECK: zin.transpose %arg0 to
// CHECK-NOT: zin.transpose %arg0 to
zin.procedure @turned_once(%x: tensor<1x1x32x1x100xf16> {zin.host_type = tensor<32x100xf16>, zin.name = "x"}) -> (tensor<1x1x32x1x100xf16> {zin.host_type = tensor<32x100xf16>, zin.name = "y"}) {
  %w = zin.constant dense<2.0> : tensor<32x1x1x1x37xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 32 : i64, padding = array<i64: 0, 18>, strides = array<i64: 1, 1>} : (tensor<1x1x32x1x100xf16>, tensor<32x1x1x1x37xf16>) -> tensor<1x1x32x1x100xf16>
  zin.return %y : tensor<1x1x32x1x100xf16>
}

// -----

// Steps of whole lines of memory are rows, and padding is rows of zeros.

// CHECK-LABEL: zin.procedure @steps
// CHECK: zin.reshape {{.*}} -> tensor<1x1x64x16x64xf16>
// CHECK: zin.conv {{.*}}dilations = array<i64: 1, 1>{{.*}}padding = array<i64: 2, 0>{{.*}}(tensor<1x1x64x16x64xf16>, tensor<64x1x64x3x1xf16>) -> tensor<1x1x64x16x64xf16>
// CHECK: zin.reshape {{.*}} -> tensor<1x1x64x1x1024xf16>
// CHECK-NOT: zin.transpose
zin.procedure @steps(%x: tensor<1x1x64x1x1024xf16> {zin.host_type = tensor<64x1024xf16>, zin.name = "x"}) -> (tensor<1x1x64x1x1024xf16> {zin.host_type = tensor<64x1024xf16>, zin.name = "y"}) {
  %w = zin.constant dense<2.0> : tensor<64x1x64x1x3xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 64>, groups = 1 : i64, padding = array<i64: 0, 128>, strides = array<i64: 1, 1>} : (tensor<1x1x64x1x1024xf16>, tensor<64x1x64x1x3xf16>) -> tensor<1x1x64x1x1024xf16>
  zin.return %y : tensor<1x1x64x1x1024xf16>
}

// -----

// A row that is no number of steps gets zeros at its end, and results that
// nobody reads, if it is computed.

// CHECK-LABEL: zin.procedure @unfinished_step
// CHECK: zin.concat {{.*}} along 4 {{.*}} -> tensor<1x1x64x1x1088xf16>
// CHECK: zin.conv {{.*}} -> tensor<1x1x64x15x64xf16>
// CHECK: zin.input_view {{.*}} -> tensor<1x1x64x1x928xf16>
zin.procedure @unfinished_step(%x: tensor<1x1x64x1x1056xf16> {zin.host_type = tensor<64x1056xf16>, zin.name = "x"}) -> (tensor<1x1x64x1x928xf16> {zin.host_type = tensor<64x928xf16>, zin.name = "y"}) {
  %w = zin.constant dense<2.0> : tensor<64x1x64x1x3xf16>
  %r = zin.neuron <relu> %x : tensor<1x1x64x1x1056xf16>
  %y = zin.conv %r, %w {dilations = array<i64: 1, 64>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x64x1x1056xf16>, tensor<64x1x64x1x3xf16>) -> tensor<1x1x64x1x928xf16>
  zin.return %y : tensor<1x1x64x1x928xf16>
}

// -----

// One kernel for all channels and for those of groups: copies are channels of the
// first convolution, and rows of the second.

// CHECK-LABEL: zin.procedure @one_kernel
// CHECK: zin.conv {{.*}}groups = 1 {{.*}}(tensor<1x1x64x1x{{[0-9]+}}xf16>, tensor<32x1x64x1x10xf16>) -> tensor<1x1x32x1x361xf16>
// CHECK: zin.conv {{.*}}groups = 2 {{.*}}(tensor<1x1x32x4x{{[0-9]+}}xf16>, tensor<32x1x16x4x10xf16>) -> tensor<1x1x32x1x361xf16>
zin.procedure @one_kernel(%x: tensor<1x1x16x1x400xf16> {zin.host_type = tensor<1x16x400xf16>, zin.name = "x"}, %z: tensor<1x1x32x1x400xf16> {zin.host_type = tensor<1x32x400xf16>, zin.name = "z"}) -> (tensor<1x1x32x1x361xf16> {zin.host_type = tensor<1x32x361xf16>, zin.name = "y"}, tensor<1x1x32x1x361xf16> {zin.host_type = tensor<1x32x361xf16>, zin.name = "v"}) {
  %w = zin.constant dense<0.5> : tensor<32x1x16x1x40xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x16x1x400xf16>, tensor<32x1x16x1x40xf16>) -> tensor<1x1x32x1x361xf16>
  %v = zin.conv %z, %w {dilations = array<i64: 1, 1>, groups = 2 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x32x1x400xf16>, tensor<32x1x16x1x40xf16>) -> tensor<1x1x32x1x361xf16>
  zin.return %y, %v : tensor<1x1x32x1x361xf16>, tensor<1x1x32x1x361xf16>
}

// -----

// 14 copies of 4800 channels would be more than a layer has: there are 8, of
// more columns.

// CHECK-LABEL: zin.procedure @many_channels
// CHECK: zin.conv {{.*}}(tensor<1x1x38400x1x7xf16>, tensor<8x1x38400x1x7xf16>)
// CHECK-NOT: zin.conv
zin.procedure @many_channels(%x: tensor<1x1x4800x1x56xf16> {zin.host_type = tensor<4800x56xf16>, zin.name = "x"}) -> (tensor<1x1x8x1x1xf16> {zin.host_type = tensor<8x1xf16>, zin.name = "y"}) {
  %w = zin.constant dense<2.0> : tensor<8x1x4800x1x56xf16>
  %y = zin.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x4800x1x56xf16>, tensor<8x1x4800x1x56xf16>) -> tensor<1x1x8x1x1xf16>
  zin.return %y : tensor<1x1x8x1x1xf16>
}
