// What IR returns without a name is called by its place, or by the next number
// where that is taken; one name for what is returned twice.
// RUN: ane-compile %s -o %t.hwx --verify 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: ane-run %t.hwx --list | FileCheck %s --check-prefix=PORTS

// CHECK: verify: output_0 [4, 2]: {{.*}} relative L2 error 0.0
// CHECK: verify: output_2 [4, 2]: {{.*}} relative L2 error 0.0
// CHECK: verify: output_3 [4, 6]: {{.*}} relative L2 error 0.0
// CHECK: verify: output_4 [4, 6]: {{.*}} relative L2 error 0.0
// CHECK: verify: output_3 [4, 6]: {{.*}} relative L2 error 0.0

// PORTS:      input  p bool [1]
// PORTS-NEXT: input  output_1 fp16 [4, 6]
// PORTS-NEXT: output output_0 fp16 [4, 2]
// PORTS-NEXT: output output_2 fp16 [4, 2]
// PORTS-NEXT: output output_3 fp16 [4, 6]
// PORTS-NEXT: output output_4 fp16 [4, 6]
// PORTS-NOT: output

mil.func @main(%p: tensor<1xi1> {mil.name = "p"}, %a: tensor<4x6xf16> {mil.name = "output_1"}) -> (tensor<4x2xf16>, tensor<4x2xf16>, tensor<4x6xf16>, tensor<4x6xf16>, tensor<4x6xf16>) attributes {opset = "ios18"} {
  %three = mil.const dense<3> : tensor<i32>
  %one = mil.const dense<1> : tensor<i32>
  %parts:3 = mil.split(x = %a, num_splits = %three, axis = %one) : (tensor<4x6xf16>, tensor<i32>, tensor<i32>) -> (tensor<4x2xf16>, tensor<4x2xf16>, tensor<4x2xf16>)
  %y:2 = mil.cond %p : tensor<1xi1> -> (tensor<4x6xf16>, tensor<4x6xf16>) {
    %b = mil.square(x = %a) : (tensor<4x6xf16>) -> tensor<4x6xf16>
    mil.yield %b, %a : tensor<4x6xf16>, tensor<4x6xf16>
  } else {
    %b = mil.sqrt(x = %a) : (tensor<4x6xf16>) -> tensor<4x6xf16>
    mil.yield %b, %b : tensor<4x6xf16>, tensor<4x6xf16>
  }
  mil.return %parts#0, %parts#2, %y#1, %y#0, %y#1 : tensor<4x2xf16>, tensor<4x2xf16>, tensor<4x6xf16>, tensor<4x6xf16>, tensor<4x6xf16>
}
