// RUN: ane-opt %s --split-input-file --convert-zin-to-tasks | FileCheck %s

// A softmax that a product reads turned is computed turned: keys are channels,
// queries columns, and each matrix is a group.

// The scores have keys in columns and are turned in front of the softmax, for
// maximum and sum by the neural engine.

// CHECK-LABEL: zin.program @turned {
// CHECK: zin.task {{.*}} reads <@input_0 + 0, [2, 1, 64, 1, 96], {{.*}}> writes <@[[TURNED:scratch_[0-9]+]] + 0, [2, 1, 96, 1, 64], {{.*}}> computes #zin.ne<op = pass, {{.*}}transposed = true
// CHECK-NEXT: zin.task <NEFUSED_POOL> {{.*}} reads <@[[TURNED]] + 0, [2, 1, 96, 1, 64], {{.*}}> writes <@[[LARGEST:scratch_[0-9]+]] + 0, [2, 1, 1, 1, 64], {{.*}}> computes #zin.ne<op = max
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> {{.*}} reads <@[[TURNED]] {{.*}} and <@[[LARGEST]] {{.*}} writes <@[[SHIFTED:scratch_[0-9]+]]
// CHECK-NEXT: zin.task <NEFUSED_BYPASS> {{.*}} reads <@[[SHIFTED]] {{.*}} writes <@[[POWERS:scratch_[0-9]+]]
// CHECK-NEXT: zin.task <NEFUSED_POOL> {{.*}} reads <@[[POWERS]] {{.*}} writes <@[[RECIPROCAL:scratch_[0-9]+]] + 0, [2, 1, 1, 1, 64], {{.*}}> computes #zin.ne<op = mac
// CHECK-NEXT: zin.task <PEFUSED_ELEMENTWISE> {{.*}} reads <@[[RECIPROCAL]] {{.*}} and <@[[POWERS]] {{.*}} writes <@[[PROBABILITIES:scratch_[0-9]+]] + 0, [2, 1, 96, 1, 64]
// CHECK-NEXT: zin.task <NEFUSED_CONV> {{.*}} reads <@[[PROBABILITIES]] + 0, [1, 1, 96, 1, 64]
zin.procedure @turned(%scores: tensor<1x1x2x64x96xf16> {zin.host_type = tensor<1x2x64x96xf16>, zin.name = "scores"}, %values: tensor<1x1x2x16x96xf16> {zin.host_type = tensor<1x2x16x96xf16>, zin.name = "values"}) -> (tensor<1x1x2x64x16xf16> {zin.host_type = tensor<1x2x64x16xf16>, zin.name = "y"}) {
  %p = zin.softmax %scores over 4 : tensor<1x1x2x64x96xf16>
  %y = zin.matmul %p, %values : (tensor<1x1x2x64x96xf16>, tensor<1x1x2x16x96xf16>) -> tensor<1x1x2x64x16xf16>
  zin.return %y : tensor<1x1x2x64x16xf16>
}

// -----

// A product that makes keys channels hands its result over: nothing is turned
// between it and the next.

// CHECK-LABEL: zin.program @handed_over {
// CHECK: zin.task <NEFUSED_CONV> {{.*}} writes <@[[SCORES:scratch_[0-9]+]] + 0, [1, 1, 16, 1, 1024]
// CHECK-NEXT: zin.task <NEFUSED_POOL> {{.*}} reads <@[[SCORES]] + 0, [1, 1, 16, 1, 1024], {{.*}}> writes {{.*}} computes #zin.ne<op = max
// CHECK-NOT: transposed = true
// CHECK: zin.task <NEFUSED_CONV>
zin.procedure @handed_over(%queries: tensor<1x1x1x1024x64xf16> {zin.host_type = tensor<1x1024x64xf16>, zin.name = "queries"}, %keys: tensor<1x1x1x16x64xf16> {zin.host_type = tensor<1x16x64xf16>, zin.name = "keys"}, %values: tensor<1x1x1x16x16xf16> {zin.host_type = tensor<1x16x16xf16>, zin.name = "values"}) -> (tensor<1x1x1x1024x16xf16> {zin.host_type = tensor<1x1024x16xf16>, zin.name = "y"}) {
  %s = zin.matmul %queries, %keys : (tensor<1x1x1x1024x64xf16>, tensor<1x1x1x16x64xf16>) -> tensor<1x1x1x1024x16xf16>
  %p = zin.softmax %s over 4 : tensor<1x1x1x1024x16xf16>
  %y = zin.matmul %p, %values : (tensor<1x1x1x1024x16xf16>, tensor<1x1x1x16x16xf16>) -> tensor<1x1x1x1024x16xf16>
  zin.return %y : tensor<1x1x1x1024x16xf16>
}

// -----

// Of 17 queries nearly half of the patches would be padding: the planar engine
// reduces rows.

// CHECK-LABEL: zin.program @padded {
// CHECK: zin.task <PEFUSED_POOL> {{.*}} computes #zin.pe<op = add, reduce = max
zin.procedure @padded(%scores: tensor<1x1x1x17x1024xf16> {zin.host_type = tensor<1x17x1024xf16>, zin.name = "scores"}, %values: tensor<1x1x1x16x1024xf16> {zin.host_type = tensor<1x16x1024xf16>, zin.name = "values"}) -> (tensor<1x1x1x17x16xf16> {zin.host_type = tensor<1x17x16xf16>, zin.name = "y"}) {
  %p = zin.softmax %scores over 4 : tensor<1x1x1x17x1024xf16>
  %y = zin.matmul %p, %values : (tensor<1x1x1x17x1024xf16>, tensor<1x1x1x16x1024xf16>) -> tensor<1x1x1x17x16xf16>
  zin.return %y : tensor<1x1x1x17x16xf16>
}

// -----

// So it does where that takes no longer than a few tasks do to start.

// CHECK-LABEL: zin.program @small {
// CHECK: zin.task <PEFUSED_POOL> {{.*}} computes #zin.pe<op = add, reduce = max
zin.procedure @small(%scores: tensor<1x1x1x64x96xf16> {zin.host_type = tensor<1x64x96xf16>, zin.name = "scores"}, %values: tensor<1x1x1x16x96xf16> {zin.host_type = tensor<1x16x96xf16>, zin.name = "values"}) -> (tensor<1x1x1x64x16xf16> {zin.host_type = tensor<1x64x16xf16>, zin.name = "y"}) {
  %p = zin.softmax %scores over 4 : tensor<1x1x1x64x96xf16>
  %y = zin.matmul %p, %values : (tensor<1x1x1x64x96xf16>, tensor<1x1x1x16x96xf16>) -> tensor<1x1x1x64x16xf16>
  zin.return %y : tensor<1x1x1x64x16xf16>
}

// -----

// Of several softmaxes in a row only the one that the product reads is turned:
// no softmax asks what becomes of the next one, however many there are.

// CHECK-LABEL: zin.program @chain {
// CHECK: zin.task <PEFUSED_POOL> on <PEPool> reads <@input_0 {{.*}} computes #zin.pe<op = add, reduce = max
// CHECK: computes #zin.ne<{{.*}}transposed = true
// CHECK-NEXT: zin.task <NEFUSED_POOL> {{.*}} computes #zin.ne<op = max
zin.procedure @chain(%scores: tensor<1x1x2x64x96xf16> {zin.host_type = tensor<1x2x64x96xf16>, zin.name = "scores"}, %values: tensor<1x1x2x16x96xf16> {zin.host_type = tensor<1x2x16x96xf16>, zin.name = "values"}) -> (tensor<1x1x2x64x16xf16> {zin.host_type = tensor<1x2x64x16xf16>, zin.name = "y"}) {
  %p = zin.softmax %scores over 4 : tensor<1x1x2x64x96xf16>
  %q = zin.softmax %p over 4 : tensor<1x1x2x64x96xf16>
  %y = zin.matmul %q, %values : (tensor<1x1x2x64x96xf16>, tensor<1x1x2x16x96xf16>) -> tensor<1x1x2x64x16xf16>
  zin.return %y : tensor<1x1x2x64x16xf16>
}
