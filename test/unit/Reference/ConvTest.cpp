//===- ConvTest.cpp - Convolution -----------------------------------------===//

#include "Fixture.h"
#include <cmath>

using namespace ane::reference;
using namespace ane::reference::test;
using testing::ElementsAre;

namespace {

using ConvTest = ReferenceTest;

TEST_F(ConvTest, OneDimension) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[[1.0, 2.0, 3.0, 4.0]]]> : tensor<1x1x4xf16>
    %w = mil.const dense<[[[1.0, 10.0]], [[-1.0, 0.0]]]> : tensor<2x1x2xf16>
    %b = mil.const dense<[0.5, 0.0]> : tensor<2xf16>
    %y = mil.conv(x = %x, weight = %w, bias = %b)
        : (tensor<1x1x4xf16>, tensor<2x1x2xf16>, tensor<2xf16>)
        -> tensor<1x2x3xf16>)"),
              ElementsAre(21.5, 32.5, 43.5, -1, -2, -3));
}

/// A kernel of ones sums the padded neighbourhood.
TEST_F(ConvTest, PaddingIsZero) {
  std::string inputs = R"(
    %x = mil.const dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
    %w = mil.const dense<1.0> : tensor<1x1x3x3xf32>
    )";
  EXPECT_THAT(
      floats(inputs + text("type", "custom") + int32s("pad", {1, 0, 0, 1}) + R"(
    %y = mil.conv(x = %x, weight = %w, pad_type = %type, pad = %pad)
        : (tensor<1x1x2x2xf32>, tensor<1x1x3x3xf32>, tensor<!mil.string>,
           tensor<4xi32>) -> tensor<1x1x1x1xf32>)"),
      ElementsAre(10));
  EXPECT_THAT(floats(inputs + text("type", "same") + R"(
    %y = mil.conv(x = %x, weight = %w, pad_type = %type)
        : (tensor<1x1x2x2xf32>, tensor<1x1x3x3xf32>, tensor<!mil.string>)
        -> tensor<1x1x2x2xf32>)"),
              ElementsAre(10, 10, 10, 10));
}

/// An even kernel needs one element of padding: behind for same, in front for
/// same_lower.
TEST_F(ConvTest, SameAndSameLower) {
  std::string inputs = R"(
    %x = mil.const dense<[[[1.0, 2.0, 4.0]]]> : tensor<1x1x3xf16>
    %w = mil.const dense<1.0> : tensor<1x1x2xf16>
    )";
  std::string op = R"(
    %y = mil.conv(x = %x, weight = %w, pad_type = %type)
        : (tensor<1x1x3xf16>, tensor<1x1x2xf16>, tensor<!mil.string>)
        -> tensor<1x1x3xf16>)";
  EXPECT_THAT(floats(inputs + text("type", "same") + op), ElementsAre(3, 6, 4));
  EXPECT_THAT(floats(inputs + text("type", "same_lower") + op),
              ElementsAre(1, 3, 6));
}

TEST_F(ConvTest, GroupsStrideAndDilation) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[[1.0, 2.0, 3.0, 4.0, 5.0],
                           [10.0, 20.0, 30.0, 40.0, 50.0]]]>
        : tensor<1x2x5xf16>
    %w = mil.const dense<[[[1.0, 1.0]], [[2.0, 0.0]]]> : tensor<2x1x2xf16>
    )" + int32s("strides", {2}) +
                     int32s("dilations", {2}) + int32("groups", 2) + R"(
    %y = mil.conv(x = %x, weight = %w, strides = %strides,
                  dilations = %dilations, groups = %groups)
        : (tensor<1x2x5xf16>, tensor<2x1x2xf16>, tensor<1xi32>, tensor<1xi32>,
           tensor<i32>) -> tensor<1x2x2xf16>)"),
              ElementsAre(4, 8, 20, 60));
}

/// 2048 + 1 + 1 is 2050 in wide precision, but 2048 if each step is rounded to
/// fp16.
TEST_F(ConvTest, SumsWide) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[[2048.0], [1.0], [1.0]]]> : tensor<1x3x1xf16>
    %w = mil.const dense<1.0> : tensor<1x3x1xf16>
    %y = mil.conv(x = %x, weight = %w)
        : (tensor<1x3x1xf16>, tensor<1x3x1xf16>) -> tensor<1x1x1xf16>)"),
              ElementsAre(2050));
}

/// The result has the type of x.
TEST_F(ConvTest, WeightOfAnotherType) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[[1.0]]]> : tensor<1x1x1xf16>
    %w = mil.const dense<[[[0x3F801001]]]> : tensor<1x1x1xf32>
    %y = mil.conv(x = %x, weight = %w)
        : (tensor<1x1x1xf16>, tensor<1x1x1xf32>) -> tensor<1x1x1xf16>)"),
              ElementsAre(0x1.004p+0));
}

TEST_F(ConvTest, OverflowIsInfinity) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[[300.0], [-300.0]]]> : tensor<1x2x1xf16>
    %w = mil.const dense<[[[300.0], [0.0]], [[0.0], [300.0]]]>
        : tensor<2x2x1xf16>
    %y = mil.conv(x = %x, weight = %w)
        : (tensor<1x2x1xf16>, tensor<2x2x1xf16>) -> tensor<1x2x1xf16>)"),
              ElementsAre(INFINITY, -INFINITY));
}

/// The sums do not depend on how the work is spread over threads.
TEST_F(ConvTest, ThreadsChangeNothing) {
  std::string program = R"(
    mil.func @main(%x: tensor<2x8x9x9xf32> {mil.name = "x"},
                   %w: tensor<8x8x3x3xf32> {mil.name = "w"})
        -> tensor<2x8x7x7xf32> attributes {opset = "ios16"} {
      %y = mil.conv(x = %x, weight = %w)
          : (tensor<2x8x9x9xf32>, tensor<8x8x3x3xf32>) -> tensor<2x8x7x7xf32>
      mil.return %y : tensor<2x8x7x7xf32>
    })";
  auto evaluateAll = [&] {
    mlir::OwningOpRef<mlir::ModuleOp> module = parse(program);
    auto func = *module->getOps<ane::mil::FuncOp>().begin();
    llvm::SmallVector<Tensor> inputs;
    for (mlir::Type type : func.getArgumentTypes()) {
      Tensor &input =
          inputs.emplace_back(mlir::cast<mlir::RankedTensorType>(type));
      for (auto [i, value] : llvm::enumerate(input.floats()))
        value = std::sin(static_cast<double>(i));
      input.roundToElementType();
    }
    return evaluate(func, std::move(inputs))->front().floats().vec();
  };
  context.enableMultithreading();
  std::vector<double> parallel = evaluateAll();
  context.disableMultithreading();
  EXPECT_EQ(parallel, evaluateAll());
}

/// Each element adds the kernel [1, 10] at twice its place; padding takes the
/// first place away.
TEST_F(ConvTest, TransposedWithStrideAndPadding) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[[1.0, 2.0, 3.0]]]> : tensor<1x1x3xf16>
    %w = mil.const dense<[[[1.0, 10.0, 100.0]]]> : tensor<1x1x3xf16>
    )" + int32s("strides", {2}) +
                     int32s("pad", {1, 0}) + text("type", "custom") + R"(
    %y = mil.conv_transpose(x = %x, weight = %w, pad = %pad, pad_type = %type,
                            strides = %strides)
        : (tensor<1x1x3xf16>, tensor<1x1x3xf16>, tensor<2xi32>,
           tensor<!mil.string>, tensor<1xi32>) -> tensor<1x1x6xf16>)"),
              ElementsAre(10, 102, 20, 203, 30, 300));
}

/// Same keeps stride times the extent: of R - E = 3 - 2 places, one half
/// rounded down is taken in front. A larger output_shape adds places of the
/// bias.
TEST_F(ConvTest, TransposedSameAndOutputShape) {
  std::string inputs = R"(
    %x = mil.const dense<[[[1.0, 2.0]]]> : tensor<1x1x2xf16>
    %w = mil.const dense<[[[1.0, 10.0, 100.0]]]> : tensor<1x1x3xf16>
    %b = mil.const dense<0.5> : tensor<1xf16>
    )";
  EXPECT_THAT(floats(inputs + text("type", "same") + R"(
    %y = mil.conv_transpose(x = %x, weight = %w, pad_type = %type)
        : (tensor<1x1x2xf16>, tensor<1x1x3xf16>, tensor<!mil.string>)
        -> tensor<1x1x2xf16>)"),
              ElementsAre(12, 120));
  EXPECT_THAT(floats(inputs + int32s("shape", {1, 1, 6}) + R"(
    %y = mil.conv_transpose(x = %x, weight = %w, bias = %b,
                            output_shape = %shape)
        : (tensor<1x1x2xf16>, tensor<1x1x3xf16>, tensor<1xf16>, tensor<3xi32>)
        -> tensor<1x1x6xf16>)"),
              ElementsAre(1.5, 12.5, 120.5, 200.5, 0.5, 0.5));
}

/// Two groups of one input and two outputs, dilated over two dimensions.
TEST_F(ConvTest, TransposedGroupsAndDilation) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf16>
    %w = mil.const dense<[[[[1.0, 2.0]], [[3.0, 4.0]]],
                          [[[5.0, 6.0]], [[7.0, 8.0]]]]> : tensor<2x2x1x2xf16>
    )" + int32s("dilations", {1, 2}) +
                     int32("groups", 2) + R"(
    %y = mil.conv_transpose(x = %x, weight = %w, dilations = %dilations,
                            groups = %groups)
        : (tensor<1x2x1x1xf16>, tensor<2x2x1x2xf16>, tensor<2xi32>,
           tensor<i32>) -> tensor<1x4x1x3xf16>)"),
              ElementsAre(1, 0, 2, 3, 0, 4, 10, 0, 12, 14, 0, 16));
}

/// Over three dimensions, with a weight of ones, eight neighbours add up.
TEST_F(ConvTest, ThreeDimensions) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[[[[1.0, 2.0], [3.0, 4.0]],
                            [[5.0, 6.0], [7.0, 8.0]]]]]>
        : tensor<1x1x2x2x2xf16>
    %w = mil.const dense<1.0> : tensor<1x1x2x2x2xf16>
    %y = mil.conv(x = %x, weight = %w)
        : (tensor<1x1x2x2x2xf16>, tensor<1x1x2x2x2xf16>)
        -> tensor<1x1x1x1x1xf16>)"),
              ElementsAre(36));
}

/// weight * scale + offset, the scale for each output channel.
TEST_F(ConvTest, QuantizedWeight) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[[1.0], [10.0]]]> : tensor<1x2x1xf16>
    %w = mil.const dense<[[[2], [4]], [[200], [255]]]> : tensor<2x2x1xui8>
    %scale = mil.const dense<[0.5, 1.0]> : tensor<2xf16>
    %offset = mil.const dense<-1.0> : tensor<1xf16>
    %bias = mil.const dense<[3, 4]> : tensor<2xui8>
    )" + text("linear", "linear") +
                     R"(
    %y = mil.conv_quantized(x = %x, weight = %w, bias = %bias,
        quantization_type = %linear, quant_scale = %scale, quant_bias = %offset)
        : (tensor<1x2x1xf16>, tensor<2x2x1xui8>, tensor<2xui8>,
           tensor<!mil.string>, tensor<2xf16>, tensor<1xf16>)
        -> tensor<1x2x1xf16>)"),
              ElementsAre(13, 2744));
}

} // namespace
