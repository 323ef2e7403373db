//===- InterpreterTest.cpp - Whole functions ------------------------------===//

#include "Fixture.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace ane;
using namespace ane::reference;
using namespace ane::reference::test;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class InterpreterTest : public ReferenceTest {
protected:
  Tensor input(ArrayRef<int64_t> shape, ArrayRef<double> values) {
    Tensor tensor(RankedTensorType::get(shape, Float32Type::get(&context)));
    llvm::copy(values, tensor.floats().begin());
    return tensor;
  }
  FailureOr<SmallVector<Tensor>> evaluateProgram(StringRef program,
                                                 SmallVector<Tensor> inputs) {
    module = parse(program);
    if (!module)
      return failure();
    return evaluate(*module->getOps<mil::FuncOp>().begin(), std::move(inputs));
  }
  mil::FuncOp function() { return *module->getOps<mil::FuncOp>().begin(); }

  OwningOpRef<ModuleOp> module;
};

constexpr llvm::StringLiteral dynamicProgram = R"(
  mil.func @main(%x: tensor<?x2xf32> {mil.name = "x"})
      -> (tensor<?x1xf32>, tensor<?x2xf32>) attributes {opset = "ios16"} {
    %w = mil.const dense<[[1.0, 10.0]]> : tensor<1x2xf32>
    %y = mil.linear(x = %x, weight = %w)
        : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x1xf32>
    %z = mil.add(x = %x, y = %y)
        : (tensor<?x2xf32>, tensor<?x1xf32>) -> tensor<?x2xf32>
    mil.return %y, %z : tensor<?x1xf32>, tensor<?x2xf32>
  })";

TEST_F(InterpreterTest, UnknownExtentsFollowTheInput) {
  SmallVector<Tensor> inputs = {input({2, 2}, {1, 2, 3, 4})};
  auto results = evaluateProgram(dynamicProgram, inputs);
  ASSERT_TRUE(succeeded(results)) << diagnostics;
  ASSERT_EQ(results->size(), 2u);
  EXPECT_THAT((*results)[0].getShape(), ElementsAre(2, 1));
  EXPECT_THAT((*results)[0].floats(), ElementsAre(21, 43));
  EXPECT_THAT((*results)[1].floats(), ElementsAre(22, 23, 46, 47));
  // The program itself stays as it was.
  EXPECT_TRUE(
      cast<ShapedType>(function().getArgument(0).getType()).isDynamicDim(0));
}

TEST_F(InterpreterTest, UnknownExtentsMustFit) {
  constexpr llvm::StringLiteral program = R"(
    mil.func @main(%x: tensor<?xf32> {mil.name = "x"}) -> tensor<3xf32>
        attributes {opset = "ios16"} {
      %y = mil.relu(x = %x) : (tensor<?xf32>) -> tensor<3xf32>
      mil.return %y : tensor<3xf32>
    })";
  EXPECT_TRUE(succeeded(evaluateProgram(program, {input({3}, {1, 2, 3})})));
  EXPECT_TRUE(failed(evaluateProgram(program, {input({2}, {1, 2})})));
  EXPECT_THAT(diagnostics,
              HasSubstr("relu: the result is declared as tensor<fp32, [3]>, "
                        "but the inputs give tensor<fp32, [2]> "
                        "[mil-result-c1]"));
}

/// A shape that is an input decides the shape of a result.
TEST_F(InterpreterTest, ShapeAsInput) {
  Tensor shape(RankedTensorType::get({2}, IntegerType::get(&context, 32)));
  shape.ints()[0] = -1;
  shape.ints()[1] = 2;
  auto results = evaluateProgram(R"(
    mil.func @main(%x: tensor<4xf32> {mil.name = "x"},
                   %shape: tensor<2xi32> {mil.name = "shape"})
        -> tensor<?x?xf32> attributes {opset = "ios16"} {
      %y = mil.reshape(x = %x, shape = %shape)
          : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
      %z = mil.relu(x = %y) : (tensor<?x?xf32>) -> tensor<?x?xf32>
      mil.return %z : tensor<?x?xf32>
    })",
                                 {input({4}, {1, 2, 3, 4}), shape});
  ASSERT_TRUE(succeeded(results)) << diagnostics;
  EXPECT_THAT(results->front().getShape(), ElementsAre(2, 2));
}

/// It agrees with the declared type, or is an error.
TEST_F(InterpreterTest, ShapeAsInputOfResize) {
  constexpr llvm::StringLiteral program = R"(
    mil.func @main(%x: tensor<1x2xf32> {mil.name = "x"},
                   %shape: tensor<1xi32> {mil.name = "shape"})
        -> tensor<1x4xf32> attributes {opset = "ios17"} {
      %dims = mil.const dense<1> : tensor<ui32>
      %y = mil.resize(x = %x, shape = %shape, resized_dims = %dims)
          : (tensor<1x2xf32>, tensor<1xi32>, tensor<ui32>) -> tensor<1x4xf32>
      mil.return %y : tensor<1x4xf32>
    })";
  Tensor shape(RankedTensorType::get({1}, IntegerType::get(&context, 32)));
  shape.ints()[0] = 4;
  auto results = evaluateProgram(program, {input({1, 2}, {2, 4}), shape});
  ASSERT_TRUE(succeeded(results)) << diagnostics;
  EXPECT_THAT(results->front().floats(), ElementsAre(2, 3, 4, 4));
  shape.ints()[0] = 3;
  EXPECT_TRUE(failed(evaluateProgram(program, {input({1, 2}, {2, 4}), shape})));
  EXPECT_THAT(diagnostics,
              HasSubstr("resize: the result is declared as tensor<fp32, [1, "
                        "4]>, but the inputs give tensor<fp32, [1, 3]> "
                        "[mil-result-c1]"));
}

/// A parameter that another op computes from constants is as good as a
/// constant.
TEST_F(InterpreterTest, ComputedParameter) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf16>
    %one = mil.const dense<1> : tensor<i32>
    )" + text("dtype", "bool") +
                     R"(
    %t = mil.cast(x = %one, dtype = %dtype)
        : (tensor<i32>, tensor<!mil.string>) -> tensor<i1>
    %y = mil.matmul(x = %x, y = %x, transpose_x = %t)
        : (tensor<2x2xf16>, tensor<2x2xf16>, tensor<i1>) -> tensor<2x2xf16>)"),
              ElementsAre(10, 14, 14, 20));
}

TEST_F(InterpreterTest, ReturnsConstantsAndParameters) {
  auto results = evaluateProgram(R"(
    mil.func @main(%x: tensor<2xf32> {mil.name = "x"})
        -> (tensor<2xf32>, tensor<1xi8>, tensor<2xf32>)
        attributes {opset = "ios17"} {
      %c = mil.const dense<-3> : tensor<1xi8>
      mil.return %x, %c, %x : tensor<2xf32>, tensor<1xi8>, tensor<2xf32>
    })",
                                 {input({2}, {1, 2})});
  ASSERT_TRUE(succeeded(results)) << diagnostics;
  EXPECT_THAT((*results)[0].floats(), ElementsAre(1, 2));
  EXPECT_THAT((*results)[1].ints(), ElementsAre(-3));
  EXPECT_THAT((*results)[2].floats(), ElementsAre(1, 2));
}

TEST_F(InterpreterTest, RefusesWrongInputs) {
  EXPECT_TRUE(failed(evaluateProgram(dynamicProgram, {})));
  EXPECT_THAT(diagnostics,
              HasSubstr("func 'main': 1 inputs are needed, 0 given"));
  EXPECT_TRUE(
      failed(evaluateProgram(dynamicProgram, {input({1, 3}, {1, 2, 3})})));
  EXPECT_THAT(diagnostics,
              HasSubstr("parameter 'x' is tensor<fp32, [?, 2]>, but the input "
                        "is tensor<fp32, [1, 3]>"));
}

TEST_F(InterpreterTest, RefusesAnUnknownOp) {
  EXPECT_THAT(errorOf(R"(
    %x = mil.const dense<1.0> : tensor<1xf16>
    %y = "other.op"(%x) : (tensor<1xf16>) -> tensor<1xf16>)"),
              HasSubstr("\"program.mlir\":4:10): op: the reference interpreter "
                        "does not know this op"));
}

TEST_F(InterpreterTest, RefusesWeightsThatAreNotLoaded) {
  EXPECT_THAT(errorOf(R"(
    %x = mil.const #mil.blob_file<"@model_path/weights/weight.bin", 64>
        : tensor<2xf16>
    %y = mil.relu(x = %x) : (tensor<2xf16>) -> tensor<2xf16>)"),
              HasSubstr("const: the value lies in weight file "
                        "\"@model_path/weights/weight.bin\" at offset 64 and "
                        "is not loaded; run the pass mil-load-weights first"));
}

TEST_F(InterpreterTest, RefusesTypesWithoutReference) {
  EXPECT_THAT(errorOf(text("x", "a") + R"(
    %y = mil.identity(x = %x)
        : (tensor<!mil.string>) -> tensor<!mil.string>)"),
              HasSubstr("elements of type string have no reference"));
}

TEST_F(InterpreterTest, RefusesHugeResults) {
  EXPECT_THAT(errorOf(R"(
    %x = mil.const dense<1.0> : tensor<100000x1xf16>
    %y = mil.const dense<1.0> : tensor<1x100000xf16>
    %z = mil.add(x = %x, y = %y)
        : (tensor<100000x1xf16>, tensor<1x100000xf16>)
        -> tensor<100000x100000xf16>)"),
              HasSubstr("add: the result cannot be computed: tensor<fp16, "
                        "[100000, 100000]>: more than the 1073741824 "
                        "elements"));
}

TEST_F(InterpreterTest, EvaluatesOneOp) {
  module = parse(dynamicProgram);
  Operation *constant = &function().getBody().front().front();
  Operation *linear = constant->getNextNode();
  EXPECT_TRUE(canEvaluate(constant));
  EXPECT_FALSE(canEvaluate(linear));
  auto results = evaluateOp(constant, {});
  ASSERT_TRUE(succeeded(results));
  EXPECT_THAT(results->front().floats(), ElementsAre(1, 10));

  Tensor &weight = results->front();
  EXPECT_TRUE(failed(evaluateOp(linear, {&weight})));
  EXPECT_THAT(diagnostics, HasSubstr("linear: 2 operands are needed, 1 given"));
  EXPECT_TRUE(failed(evaluateOp(linear, {nullptr, &weight})));
  EXPECT_THAT(diagnostics,
              HasSubstr("linear: an operand of type tensor<fp32, [?, 2]> is "
                        "given no value"));
}

} // namespace
