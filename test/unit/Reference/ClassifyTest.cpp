//===- ClassifyTest.cpp - The head of a classifier ------------------------===//

#include "Fixture.h"

using namespace mlir;
using namespace ane;
using namespace ane::reference;
using namespace ane::reference::test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

namespace {

class ClassifyTest : public ReferenceTest {
protected:
  /// Classifies the input; the list of classes is one literal of elements.
  FailureOr<SmallVector<Output>> classify(StringRef elementType,
                                          StringRef classes,
                                          ArrayRef<double> probabilities) {
    std::string count = std::to_string(probabilities.size());
    std::string list = "!mil.list<tensor<" + elementType.str() + ">, ?>";
    std::string dictionary =
        "!mil.dict<tensor<" + elementType.str() + ">, tensor<f32>>";
    module = parse("mil.func @main(%p: tensor<" + count +
                   "xf32> {mil.name = \"p\"}) -> (tensor<" + elementType.str() +
                   ">, " + dictionary + R"()
        attributes {opset = "ios15"} {
      %classes = mil.const #mil.literal<[)" +
                   classes.str() + "]> : " + list + R"(
      %label, %table = mil.classify(probabilities = %p, classes = %classes) {result_names = ["label", "table"]}
          : (tensor<)" +
                   count + "xf32>, " + list + ") -> (tensor<" +
                   elementType.str() + ">, " + dictionary + R"()
      mil.return %label, %table : tensor<)" +
                   elementType.str() + ">, " + dictionary + "\n}");
    if (!module)
      return failure();
    Tensor input(RankedTensorType::get({int64_t(probabilities.size())},
                                       Float32Type::get(&context)));
    llvm::copy(probabilities, input.floats().begin());
    inputs.assign({input});
    States none;
    return evaluateOutputs(function(), inputs, none);
  }
  mil::FuncOp function() { return *module->getOps<mil::FuncOp>().begin(); }

  OwningOpRef<ModuleOp> module;
  SmallVector<Tensor> inputs;
};

TEST_F(ClassifyTest, Strings) {
  auto outputs =
      classify("!mil.string", R"("cat", "dog", "cow")", {0.25, 0.5, 0.125});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  ASSERT_EQ(outputs->size(), 2u);
  EXPECT_EQ(std::get<std::string>((*outputs)[0]), "dog");
  EXPECT_THAT(std::get<Dictionary>((*outputs)[1]).entries,
              ElementsAre(Pair(Label("cat"), 0.25), Pair(Label("dog"), 0.5),
                          Pair(Label("cow"), 0.125)));
}

/// The first of equal probabilities wins, as in NumPy's argmax.
TEST_F(ClassifyTest, Numbers) {
  auto outputs = classify("i64", "7, -9, 8", {0.25, 0.5, 0.5});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  const Tensor &label = std::get<Tensor>((*outputs)[0]);
  EXPECT_EQ(label.getRank(), 0);
  EXPECT_TRUE(label.getElementType().isInteger(64));
  EXPECT_THAT(label.ints(), ElementsAre(-9));
  EXPECT_THAT(std::get<Dictionary>((*outputs)[1]).entries,
              ElementsAre(Pair(Label(7), 0.25), Pair(Label(-9), 0.5),
                          Pair(Label(8), 0.5)));
}

TEST_F(ClassifyTest, RefusesClassesThatDoNotFit) {
  EXPECT_TRUE(failed(classify("i64", "1, 2", {0.5, 0.25, 0.25})));
  EXPECT_THAT(diagnostics,
              HasSubstr("classify: there are 2 classes for 3 probabilities; as "
                        "many are needed, and one at least"));
  EXPECT_TRUE(failed(classify("i64", "", {})));
  EXPECT_THAT(diagnostics,
              HasSubstr("there are 0 classes for 0 probabilities"));
  EXPECT_TRUE(failed(classify("!mil.string", R"("a", "a")", {1, 0})));
  EXPECT_THAT(diagnostics, HasSubstr("class 'a' is listed twice"));
  EXPECT_TRUE(failed(classify("i64", "3, 3", {1, 0})));
  EXPECT_THAT(diagnostics, HasSubstr("class 3 is listed twice"));
  EXPECT_TRUE(failed(classify("i64", "1, 2.0", {1, 0})));
  EXPECT_THAT(diagnostics,
              HasSubstr("'classes' is no literal of strings or of int64"));
}

/// Who wants tensors gets none from a classifier.
TEST_F(ClassifyTest, IsNoTensor) {
  ASSERT_TRUE(succeeded(classify("!mil.string", R"("a", "b")", {1, 0})));
  EXPECT_TRUE(failed(evaluate(function(), inputs)));
  EXPECT_THAT(diagnostics,
              HasSubstr("func 'main': output label is tensor<string, []>, no "
                        "tensor of numbers; return the probabilities instead"));
}

} // namespace
