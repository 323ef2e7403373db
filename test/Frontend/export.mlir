// RUN: ane-translate --export-mil %s | FileCheck %s

// Export needs nothing that only an import could have left: names are made up
// where they are missing, taken or no names in MIL text.

// CHECK: {{^}}program(1.3){{$}}
// CHECK-NEXT: {{^}}{{[{]}}{{$}}
module {
  // Functions are sorted by name.
  mil.func @b(%arg0: tensor<2xf16> {mil.name = "x"}) -> tensor<2xf16> attributes {opset = "ios16"} {
    mil.return %arg0 : tensor<2xf16>
  }

  // CHECK-NEXT: {{^}}    func a<ios17>(tensor<fp16, [2]> x) {{[{]}}{{$}}
  mil.func @a(%arg0: tensor<2xf16> {mil.name = "x"}) -> (tensor<2xf16>, tensor<f16>) attributes {opset = "ios17"} {
    // CHECK-NEXT: {{^}}            tensor<fp16, [2]> relu_0 = relu(x = x);{{$}}
    %0 = mil.relu(x = %arg0) : (tensor<2xf16>) -> tensor<2xf16>
    // CHECK-NEXT: tensor<fp16, [2]> lbl_0 = relu(x = relu_0)[name = string("lbl")];
    %1 = mil.relu(x = %0) {label = "lbl", result_names = ["x"]} : (tensor<2xf16>) -> tensor<2xf16>
    // CHECK-NEXT: tensor<fp16, [2]> tanh_0 = tanh(x = lbl_0)[name = string("no name")];
    %2 = mil.tanh(x = %1) {label = "no name", result_names = ["2nd"]} : (tensor<2xf16>) -> tensor<2xf16>
    // CHECK-NEXT: tensor<fp16, [2]> relu_1 = tanh(x = tanh_0);
    %3 = mil.tanh(x = %2) {result_names = ["relu_1"]} : (tensor<2xf16>) -> tensor<2xf16>

    // A constant that is inlined into an op but returned as well is a statement.
    // CHECK-NEXT: fp16 const_0 = const()[val = fp16(0x1p+0)];
    %4 = mil.const dense<1.0> : tensor<f16> {mil.inline}
    // CHECK-NEXT: tensor<fp16, [2]> relu_2 = add(x = relu_1, y = const_0);
    %5 = mil.add(x = %3, y = %4) {result_names = ["relu_2"]} : (tensor<2xf16>, tensor<f16>) -> tensor<2xf16>

    // Values in resources; narrow elements are packed as in weight files.
    // CHECK-NEXT: ([0x1p+0, 0x1p+1])
    %6 = mil.const dense_resource<halves> : tensor<2xf16>
    // CHECK-NEXT: ([1, 2, 4, 7, 0])
    %7 = mil.const dense_resource<threes> : tensor<5xui3>
    // A bool takes a byte.
    // CHECK-NEXT: ([true, false, true])
    %9 = mil.const dense_resource<truths> : tensor<3xi1>
    // CHECK-NEXT: ([0x1p+0, 0x1p+0, 0x1p+0])
    %8 = mil.const dense<1.0> : tensor<3xf16>
    // CHECK-NEXT: {{^}}        } -> (relu_2, const_0);{{$}}
    mil.return %5, %4 : tensor<2xf16>, tensor<f16>
  }
  // CHECK-NEXT: {{^}}    func b<ios16>(
}
// CHECK: {{^}}}{{$}}

{-#
  dialect_resources: {
    builtin: {
      halves: "0x02000000003C0040",
      threes: "0x01000000110F",
      truths: "0x01000000010001"
    }
  }
#-}
