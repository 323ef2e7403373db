//===- DecisionsTest.cpp - Results that rounding decides ------------------===//

#include "Verify/Decisions.h"
#include "ane/Pipeline/SourceProgram.h"
#include "gmock/gmock.h"

using namespace mlir;
using namespace ane;
using reference::Tensor;
using testing::ElementsAre;

namespace {

constexpr double tolerance = 0.01;

constexpr llvm::StringLiteral text = R"(program(1.3)
{
  func main<ios18>(tensor<fp16, [4]> x) {
    tensor<fp16, [4]> s = mul(x = x, y = fp16(2));
    tensor<int32, [1]> n = reduce_argmax(axis = int32(0), keep_dims = bool(true), x = s);
    tensor<fp16, [1]> y = cast(dtype = string("fp16"), x = n);
    tensor<fp16, [4]> t = add(x = x, y = x);
    tensor<bool, [4]> e = equal(x = t, y = fp16(1));
    tensor<fp16, [4]> z = select(a = x, b = fp16(0), cond = e);
    tensor<bool, [4]> p = greater(x = x, y = fp16(0));
    tensor<fp16, [4]> w = select(a = s, b = x, cond = p);
  } -> (y, z, w);
}
)";

/// The largest of `s` and `t` is 2, so decisions take 0.01 of the engine.
class DecisionsTest : public testing::Test {
protected:
  void SetUp() override {
    source = SourceProgram::parse(
        llvm::MemoryBuffer::getMemBuffer(text, "decisions.mil"));
    ASSERT_TRUE(source);
    func = source->getFunction();
    trial.parameters.push_back(make({0.125, 1, 0.99609375, 0.5}));
  }

  Tensor make(ArrayRef<double> elements) {
    Tensor tensor(RankedTensorType::get({int64_t(elements.size())},
                                        Float16Type::get(func.getContext())));
    llvm::copy(elements, tensor.floats().begin());
    return tensor;
  }

  /// What becomes of the function where the engine has these values.
  Redecided decide(ArrayRef<double> s, ArrayRef<double> t) {
    NamedTensors engine;
    engine.try_emplace("s", make(s));
    engine.try_emplace("t", make(t));
    FailureOr<Redecided> made = decideAs(engine, func, trial, tolerance);
    EXPECT_TRUE(succeeded(made));
    return succeeded(made) ? std::move(*made) : Redecided();
  }

  std::vector<std::string> namesOfDeciding(unsigned output) {
    llvm::SetVector<Value> deciding;
    findDeciding(func, output, deciding);
    std::vector<std::string> names;
    for (Value value : deciding)
      names.push_back(mil::getResultName(cast<OpResult>(value)).str());
    return names;
  }

  std::unique_ptr<SourceProgram> source;
  mil::FuncOp func;
  Trial trial;
};

/// Parameters are the same on both sides, and constants.
TEST_F(DecisionsTest, WhatDecides) {
  EXPECT_THAT(namesOfDeciding(0), ElementsAre("s"));
  EXPECT_THAT(namesOfDeciding(1), ElementsAre("t"));
  EXPECT_THAT(namesOfDeciding(2), ElementsAre());
}

TEST_F(DecisionsTest, NearTiesFallAsOnTheEngine) {
  Redecided made = decide({0.25, 1.9921875, 1.994140625, 1},
                          {0.25, 2, 1.9921875, 1.0078125});
  EXPECT_THAT(made.outputs[0].floats(), ElementsAre(2));
  EXPECT_THAT(made.outputs[1].floats(), ElementsAre(0, 0, 0, 0));
  std::vector<Decision> best = decisionsBehind(func, 0, made);
  ASSERT_EQ(best.size(), 1u);
  EXPECT_EQ(best[0].what, "reduce_argmax n");
  EXPECT_EQ(best[0].numChanged, 1u);
  EXPECT_EQ(best[0].numAll, 1u);
  std::vector<Decision> same = decisionsBehind(func, 1, made);
  ASSERT_EQ(same.size(), 1u);
  EXPECT_EQ(same[0].what, "equal e");
  EXPECT_EQ(same[0].numChanged, 1u);
  EXPECT_EQ(same[0].numAll, 4u);
}

/// What does not jump is as the reference computes it.
TEST_F(DecisionsTest, OtherReadersKeepTheirOperands) {
  Redecided made =
      decide({0.25, 1.9921875, 1.994140625, 1}, {0.25, 2, 1.9921875, 1});
  EXPECT_THAT(made.outputs[2].floats(), ElementsAre(0.25, 2, 1.9921875, 1));
}

/// A value that is wrong decides nothing, not by any of its elements that are.
TEST_F(DecisionsTest, WhatIsFarOffDoesNotCount) {
  Redecided made =
      decide({0.25, 1.5, 1.9921875, 3}, {0.25, 1, 1.9921875, 1.015625});
  EXPECT_THAT(made.outputs[0].floats(), ElementsAre(1));
  EXPECT_THAT(made.outputs[1].floats(), ElementsAre(0, 0, 0, 0.5));
  EXPECT_TRUE(made.decisions.empty());
}

/// Where the engine could not tell, nothing changes.
TEST_F(DecisionsTest, WithoutValues) {
  FailureOr<Redecided> made = decideAs({}, func, trial, tolerance);
  ASSERT_TRUE(succeeded(made));
  EXPECT_THAT(made->outputs[0].floats(), ElementsAre(1));
  EXPECT_TRUE(made->decisions.empty());
}

} // namespace
