// RUN: ane-opt %s | ane-opt | FileCheck %s

// Every op of the dialect parses, prints, and parses again to the same.

// CHECK-LABEL: zin.procedure @layers(
// CHECK-SAME: %[[X:.*]]: tensor<1x1x4x8x8xf16> {zin.host_type = tensor<4x8x8xf32>, zin.name = "x"})
// CHECK-SAME: -> (tensor<1x1x8x3x3xf16> {zin.host_type = tensor<8x3x3xf16>, zin.name = "y"})
zin.procedure @layers(%x: tensor<1x1x4x8x8xf16> {zin.host_type = tensor<4x8x8xf32>, zin.name = "x"})
    -> (tensor<1x1x8x3x3xf16> {zin.host_type = tensor<8x3x3xf16>, zin.name = "y"}) {
  %kernel = zin.constant dense<1.0> : tensor<4x1x4x3x3xf16>
  %bias = zin.constant dense<2.0> : tensor<1x1x4x1x1xf16>
  // CHECK: zin.conv %[[X]], %{{.*}} bias %{{.*}} {activation = #zin.neuron<clamped_relu, 0.000000e+00 : f16, 6.000000e+00 : f16>, dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x4x8x8xf16>, tensor<4x1x4x3x3xf16>, tensor<1x1x4x1x1xf16>) -> tensor<1x1x4x6x6xf16>
  %conv = zin.conv %x, %kernel bias %bias {activation = #zin.neuron<clamped_relu, 0.0 : f16, 6.0 : f16>, dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x4x8x8xf16>, tensor<4x1x4x3x3xf16>, tensor<1x1x4x1x1xf16>) -> tensor<1x1x4x6x6xf16>
  // CHECK: zin.elementwise <Add>
  %sum = zin.elementwise <Add> %conv, %bias : (tensor<1x1x4x6x6xf16>, tensor<1x1x4x1x1xf16>) -> tensor<1x1x4x6x6xf16>
  // CHECK: zin.scaled_elementwise <Mult> %{{.*}}, %{{.*}} scale 5.000000e-01 bias 1.536000e+03 : (tensor<1x1x4x6x6xf16>, tensor<1x1x4x1x1xf16>) -> tensor<1x1x4x6x6xf16>
  %scaled = zin.scaled_elementwise <Mult> %conv, %bias scale 0.5 bias 1536.0 : (tensor<1x1x4x6x6xf16>, tensor<1x1x4x1x1xf16>) -> tensor<1x1x4x6x6xf16>
  // CHECK: zin.goc %{{.*}} scale 2.000000e+00 bias -1.000000e+00 : tensor<1x1x4x6x6xf16>
  %goc = zin.goc %sum scale 2.0 bias -1.0 : tensor<1x1x4x6x6xf16>
  // CHECK: zin.neuron <sigmoid> %
  %neuron = zin.neuron <sigmoid> %goc : tensor<1x1x4x6x6xf16>
  // CHECK: zin.neuron <rsqrt> %{{.*}} {bias = 1.000000e+00 : f16, scale = 5.000000e-01 : f16} :
  %shifted = zin.neuron <rsqrt> %goc {bias = 1.0 : f16, scale = 0.5 : f16} : tensor<1x1x4x6x6xf16>
  // CHECK: zin.pool <Max> %
  %pool = zin.pool <Max> %neuron {padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>, window = array<i64: 2, 2>} : (tensor<1x1x4x6x6xf16>) -> tensor<1x1x4x3x3xf16>
  // CHECK: zin.softmax %{{.*}} over 2
  %softmax = zin.softmax %pool over 2 : tensor<1x1x4x3x3xf16>
  // CHECK: zin.reduction <Avg> %{{.*}} over [3, 4]
  %mean = zin.reduction <Avg> %softmax over [3, 4] : (tensor<1x1x4x3x3xf16>) -> tensor<1x1x4x1x1xf16>
  // CHECK: zin.reshape %{{.*}} : (tensor<1x1x4x1x1xf16>) -> tensor<1x1x1x1x4xf16>
  %row = zin.reshape %mean : (tensor<1x1x4x1x1xf16>) -> tensor<1x1x1x1x4xf16>
  %matrix = zin.constant dense<1.0> : tensor<1x1x1x3x4xf16>
  // CHECK: zin.matmul %{{.*}}, %{{.*}} {outputs_on_rows} :
  %product = zin.matmul %row, %matrix {outputs_on_rows} : (tensor<1x1x1x1x4xf16>, tensor<1x1x1x3x4xf16>) -> tensor<1x1x1x3x1xf16>
  // CHECK: zin.input_view %[[X]] from [0, 0, 0, 1, 1] by [1, 1, 1, 2, 3]
  %view = zin.input_view %x from [0, 0, 0, 1, 1] by [1, 1, 1, 2, 3] : (tensor<1x1x4x8x8xf16>) -> tensor<1x1x4x3x3xf16>
  // CHECK: zin.concat %{{.*}}, %{{.*}} along 2 {interleave}
  %concat = zin.concat %view, %pool along 2 {interleave} : (tensor<1x1x4x3x3xf16>, tensor<1x1x4x3x3xf16>) -> tensor<1x1x8x3x3xf16>
  // CHECK: zin.return %{{.*}} : tensor<1x1x8x3x3xf16>
  zin.return %concat : tensor<1x1x8x3x3xf16>
}

// CHECK-LABEL: zin.program @tasks attributes {scratch_bytes = 512 : i64} {
zin.program @tasks attributes {scratch_bytes = 512 : i64} {
  // CHECK: zin.buffer <input> @x 512 bytes <@x + 0, [1, 1, 1, 8, 8], [512, 512, 512, 64]> {host_type = tensor<8x8xf16>, port = "x"}
  zin.buffer <input> @x 512 bytes <@x + 0, [1, 1, 1, 8, 8], [512, 512, 512, 64]> {host_type = tensor<8x8xf16>, port = "x"}
  zin.buffer <output> @y 512 bytes <@y + 0, [1, 1, 1, 8, 8], [512, 512, 512, 64]> {host_type = tensor<8x8xf16>, port = "y"}
  // CHECK: zin.buffer <scratch> @s 512 bytes {{.*}} {offset = 0 : i64}
  zin.buffer <scratch> @s 512 bytes <@s + 0, [1, 1, 1, 8, 8], [512, 512, 512, 64]> {offset = 0 : i64}
  // CHECK: zin.buffer <constant> @c {{.*}} {value = dense<1.000000e+00> : tensor<1x1x1x1x1xf16>}
  zin.buffer <constant> @c 64 bytes <@c + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> {value = dense<1.0> : tensor<1x1x1x1x1xf16>}
  // CHECK: zin.kernel @k {activation = #zin.neuron<sigmoid>,
  zin.kernel @k {activation = #zin.neuron<sigmoid>, bias = dense<0.5> : tensor<1xf16>, channelwise, groups = 1 : i64, ocg_size = 0 : i64, outputs = 1 : i64, taps = 9 : i64, weights = dense<1.0> : tensor<9xf16>}
  // What is as usual in a configuration is not printed.
  // CHECK: zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 1, 8, 8], [512, 512, 512, 64]> writes <@s + 0, [1, 1, 1, 8, 8], [512, 512, 512, 64]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1], unicast = 1, postScale = 2.000000e+00 : f16> with @k
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 1, 8, 8], [512, 512, 512, 64]> writes <@s + 0, [1, 1, 1, 8, 8], [512, 512, 512, 64]> computes #zin.ne<op = mac, window = [3, 3], stride = [1, 1], padding = [1, 1], groups = 1, unicast = 1, relu = false, postScale = 2.0 : f16> with @k
  // CHECK: zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@s + 0, {{.*}}> and <@c + 0, {{.*}}> writes <@y + 0, {{.*}}> computes #zin.pe<op = mul, reduce = none, post = none, broadcast2 = 15>
  zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads <@s + 0, [1, 1, 1, 8, 8], [512, 512, 512, 64]> and <@c + 0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> writes <@y + 0, [1, 1, 1, 8, 8], [512, 512, 512, 64]> computes #zin.pe<op = mul, reduce = none, post = none, broadcast2 = 15, scale = 1.0 : f16>
  // Channels of a result side by side, and a kernel of 4 in each lane.
  // CHECK: zin.buffer <scratch> @r 8192 bytes <@r + 0, [1, 1, 64, 1, 8], [8192, 8192, 64, 64], interleave = 4>
  zin.buffer <scratch> @r 8192 bytes <@r + 0, [1, 1, 64, 1, 8], [8192, 8192, 64, 64], interleave = 4>
  zin.buffer <scratch> @z 4096 bytes <@z + 0, [1, 1, 64, 1, 8], [4096, 4096, 64, 64], interleave = 1>
  // CHECK: writes <@r + 0, [1, 1, 64, 1, 8], [8192, 8192, 64, 64], interleave = 4>
  zin.task <PEFUSED_GOC> on <PEGOC> reads <@z + 0, [1, 1, 64, 1, 8], [4096, 4096, 64, 64]> writes <@r + 0, [1, 1, 64, 1, 8], [8192, 8192, 64, 64], interleave = 4> computes #zin.pe<op = add, reduce = none, post = none>
  // CHECK: weighs <@r + 0, [1, 1, 4, 16, 8], [64, 64, 64, 64], interleave = 4>
  zin.task <NEFUSED_CONV> on <NEConv> reads <@x + 0, [1, 1, 8, 1, 8], [512, 512, 64, 64]> writes <@z + 0, [1, 1, 64, 1, 8], [4096, 4096, 64, 64]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> weighs <@r + 0, [1, 1, 4, 16, 8], [64, 64, 64, 64], interleave = 4>
}
