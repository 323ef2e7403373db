//===- StateTest.cpp - States, lists and control flow ---------------------===//

#include "Fixture.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace ane;
using namespace ane::reference;
using namespace ane::reference::test;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class StateTest : public ReferenceTest {
protected:
  Tensor input(ArrayRef<double> values) {
    Tensor tensor(RankedTensorType::get({int64_t(values.size())},
                                        Float32Type::get(&context)));
    llvm::copy(values, tensor.floats().begin());
    return tensor;
  }
  Tensor integer(int64_t value) {
    Tensor tensor(RankedTensorType::get({}, IntegerType::get(&context, 32)));
    tensor.ints()[0] = value;
    return tensor;
  }
  Tensor flag(bool value) {
    Tensor tensor(RankedTensorType::get({}, IntegerType::get(&context, 1)));
    tensor.ints()[0] = value;
    return tensor;
  }
  mil::FuncOp load(StringRef program) {
    module = parse(program);
    return *module->getOps<mil::FuncOp>().begin();
  }

  OwningOpRef<ModuleOp> module;
};

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

constexpr llvm::StringLiteral accumulator = R"(
  mil.func @main(%s: !mil.state<tensor<2xf32>> {mil.name = "s"},
                 %x: tensor<2xf32> {mil.name = "x"})
      -> (tensor<2xf32>, tensor<2xf32>) attributes {opset = "ios18"} {
    %old = mil.read_state(input = %s)
        : (!mil.state<tensor<2xf32>>) -> tensor<2xf32>
    %sum = mil.add(x = %old, y = %x)
        : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    mil.write_state(input = %s, data = %sum)
        : (!mil.state<tensor<2xf32>>, tensor<2xf32>) -> ()
    %new = mil.read_state(input = %s)
        : (!mil.state<tensor<2xf32>>) -> tensor<2xf32>
    mil.return %old, %new : tensor<2xf32>, tensor<2xf32>
  })";

TEST_F(StateTest, OutlivesARun) {
  mil::FuncOp func = load(accumulator);
  FailureOr<States> states = makeStates(func);
  ASSERT_TRUE(succeeded(states));
  auto first = evaluate(func, {input({1, 2})}, *states);
  ASSERT_TRUE(succeeded(first)) << diagnostics;
  EXPECT_THAT((*first)[0].floats(), ElementsAre(0, 0));
  EXPECT_THAT((*first)[1].floats(), ElementsAre(1, 2));
  auto second = evaluate(func, {input({10, 20})}, *states);
  ASSERT_TRUE(succeeded(second)) << diagnostics;
  EXPECT_THAT((*second)[0].floats(), ElementsAre(1, 2));
  EXPECT_THAT((*states)[0].floats(), ElementsAre(11, 22));
  // Without states a run starts from zeros.
  auto third = evaluate(func, {input({5, 6})});
  ASSERT_TRUE(succeeded(third)) << diagnostics;
  EXPECT_THAT((*third)[1].floats(), ElementsAre(5, 6));
}

TEST_F(StateTest, MustFitTheParameter) {
  mil::FuncOp func = load(accumulator);
  States states = {input({1, 2, 3})};
  EXPECT_TRUE(failed(evaluate(func, {input({1, 2})}, states)));
  EXPECT_THAT(diagnostics,
              HasSubstr("parameter 's' is tensor<fp32, [2]>, but the input is "
                        "tensor<fp32, [3]>"));
}

TEST_F(StateTest, UpdateGivesWhatItWrote) {
  mil::FuncOp func = load(R"(
    mil.func @main(%s: !mil.state<tensor<2xf32>> {mil.name = "s"},
                   %x: tensor<2xf32> {mil.name = "x"})
        -> tensor<2xf32> attributes {opset = "ios18"} {
      %y = mil.coreml_update_state(state = %s, value = %x)
          : (!mil.state<tensor<2xf32>>, tensor<2xf32>) -> tensor<2xf32>
      mil.return %y : tensor<2xf32>
    })");
  FailureOr<States> states = makeStates(func);
  auto results = evaluate(func, {input({3, 4})}, *states);
  ASSERT_TRUE(succeeded(results)) << diagnostics;
  EXPECT_THAT(results->front().floats(), ElementsAre(3, 4));
  EXPECT_THAT(states->front().floats(), ElementsAre(3, 4));
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

TEST_F(StateTest, CondRunsOneBlock) {
  mil::FuncOp func = load(R"(
    mil.func @main(%p: tensor<i1> {mil.name = "p"},
                   %x: tensor<2xf32> {mil.name = "x"})
        -> tensor<2xf32> attributes {opset = "ios15"} {
      %y = mil.cond %p : tensor<i1> -> (tensor<2xf32>) {
        %twice = mil.add(x = %x, y = %x)
            : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
        mil.yield %twice : tensor<2xf32>
      } else {
        mil.yield %x : tensor<2xf32>
      }
      mil.return %y : tensor<2xf32>
    })");
  for (bool taken : {true, false}) {
    auto results = evaluate(func, {flag(taken), input({1, 2})});
    ASSERT_TRUE(succeeded(results)) << diagnostics;
    EXPECT_EQ(results->front().floats()[1], taken ? 4 : 2);
  }
}

/// Doubles `x` until the counter is 3; `twice` is what the body adds.
std::string loop(StringRef type) {
  std::string text = R"(
    mil.func @main(%n: tensor<i32> {mil.name = "n"},
                   %x: TYPE {mil.name = "x"})
        -> (tensor<i32>, TYPE) attributes {opset = "ios15"} {
      %three = mil.const dense<3> : tensor<i32>
      %one = mil.const dense<1> : tensor<i32>
      %i, %y = mil.while_loop(%n, %x : tensor<i32>, TYPE)
          -> (tensor<i32>, TYPE) {
      ^bb0(%v: tensor<i32>, %w: TYPE):
        %goes = mil.less(x = %v, y = %three)
            : (tensor<i32>, tensor<i32>) -> tensor<i1>
        mil.yield %goes : tensor<i1>
      } do {
      ^bb0(%v: tensor<i32>, %w: TYPE):
        %next = mil.add(x = %v, y = %one)
            : (tensor<i32>, tensor<i32>) -> tensor<i32>
        %sum = mil.add(x = %w, y = %x) : (TYPE, TYPE) -> TYPE
        mil.yield %next, %sum : tensor<i32>, TYPE
      }
      mil.return %i, %y : tensor<i32>, TYPE
    })";
  for (size_t at; (at = text.find("TYPE")) != std::string::npos;)
    text.replace(at, 4, type.str());
  return text;
}

TEST_F(StateTest, LoopRepeatsWhileTheConditionHolds) {
  // With known types the body runs in place, otherwise as a copy.
  for (StringRef type : {"tensor<2xf32>", "tensor<?xf32>"}) {
    mil::FuncOp func = load(loop(type));
    auto results = evaluate(func, {integer(0), input({1, 2})});
    ASSERT_TRUE(succeeded(results)) << diagnostics;
    EXPECT_EQ((*results)[0].ints()[0], 3);
    EXPECT_THAT((*results)[1].floats(), ElementsAre(4, 8));
    // The condition does not hold at first: the variables come back.
    auto none = evaluate(func, {integer(5), input({1, 2})});
    ASSERT_TRUE(succeeded(none)) << diagnostics;
    EXPECT_EQ((*none)[0].ints()[0], 5);
    EXPECT_THAT((*none)[1].floats(), ElementsAre(1, 2));
  }
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

std::string listProgram(StringRef ops, StringRef result) {
  return (R"(
    mil.func @main(%i: tensor<i32> {mil.name = "i"},
                   %x: tensor<2xf32> {mil.name = "x"})
        -> )" +
          result + R"( attributes {opset = "ios15"} {
      %two = mil.const dense<2> : tensor<i32>
      %fixed = mil.const dense<false> : tensor<i1>
      %empty = mil.make_list(init_length = %two, elem_shape = [%two])
          : (tensor<i32>, tensor<i32>) -> !mil.list<tensor<2xf32>, ?>
      %short = mil.make_list(init_length = %two, dynamic_length = %fixed,
          elem_shape = [%two])
          : (tensor<i32>, tensor<i1>, tensor<i32>)
          -> !mil.list<tensor<2xf32>, 2>
      )" + ops +
          "\nmil.return %y : " + result + "\n}")
      .str();
}

TEST_F(StateTest, ListsGrowAndHoldZeros) {
  mil::FuncOp func = load(listProgram(R"(
    %ls = mil.list_write(ls = %empty, index = %i, value = %x)
        : (!mil.list<tensor<2xf32>, ?>, tensor<i32>, tensor<2xf32>)
        -> !mil.list<tensor<2xf32>, ?>
    %all = mil.const dense<[3, 0]> : tensor<2xi32>
    %y = mil.list_gather(ls = %ls, indices = %all)
        : (!mil.list<tensor<2xf32>, ?>, tensor<2xi32>) -> tensor<2x2xf32>)",
                                      "tensor<2x2xf32>"));
  auto results = evaluate(func, {integer(3), input({1, 2})});
  ASSERT_TRUE(succeeded(results)) << diagnostics;
  EXPECT_THAT(results->front().floats(), ElementsAre(1, 2, 0, 0));
}

TEST_F(StateTest, ListLength) {
  mil::FuncOp func = load(listProgram(R"(
    %ls = mil.list_write(ls = %empty, index = %i, value = %x)
        : (!mil.list<tensor<2xf32>, ?>, tensor<i32>, tensor<2xf32>)
        -> !mil.list<tensor<2xf32>, ?>
    %y = mil.list_length(ls = %ls)
        : (!mil.list<tensor<2xf32>, ?>) -> tensor<i32>)",
                                      "tensor<i32>"));
  for (auto [index, length] : {std::pair(0, 2), std::pair(6, 7)}) {
    auto results = evaluate(func, {integer(index), input({1, 2})});
    ASSERT_TRUE(succeeded(results)) << diagnostics;
    EXPECT_EQ(results->front().ints()[0], length);
  }
  EXPECT_TRUE(failed(evaluate(func, {integer(INT32_MAX), input({1, 2})})));
  EXPECT_THAT(diagnostics, HasSubstr("list_write: index 2147483647 would make "
                                     "the list longer than the 1048576"));
}

TEST_F(StateTest, ListOfFixedLength) {
  mil::FuncOp func = load(listProgram(R"(
    %ls = mil.list_write(ls = %short, index = %i, value = %x)
        : (!mil.list<tensor<2xf32>, 2>, tensor<i32>, tensor<2xf32>)
        -> !mil.list<tensor<2xf32>, 2>
    %y = mil.list_read(ls = %ls, index = %i)
        : (!mil.list<tensor<2xf32>, 2>, tensor<i32>) -> tensor<2xf32>)",
                                      "tensor<2xf32>"));
  auto results = evaluate(func, {integer(1), input({1, 2})});
  ASSERT_TRUE(succeeded(results)) << diagnostics;
  EXPECT_THAT(results->front().floats(), ElementsAre(1, 2));
  EXPECT_TRUE(failed(evaluate(func, {integer(2), input({1, 2})})));
  EXPECT_THAT(diagnostics, HasSubstr("list_write: index 2 is outside the "
                                     "list, which has 2 elements"));
}

/// A list that is written stays as it was for its other readers.
TEST_F(StateTest, ListScatterLeavesTheOldList) {
  mil::FuncOp func = load(listProgram(R"(
    %both = mil.const dense<[0, 1]> : tensor<2xi32>
    %rows = mil.const dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
    %a = mil.list_scatter(ls = %short, indices = %both, value = %rows)
        : (!mil.list<tensor<2xf32>, 2>, tensor<2xi32>, tensor<2x2xf32>)
        -> !mil.list<tensor<2xf32>, 2>
    %b = mil.list_write(ls = %a, index = %i, value = %x)
        : (!mil.list<tensor<2xf32>, 2>, tensor<i32>, tensor<2xf32>)
        -> !mil.list<tensor<2xf32>, 2>
    %old = mil.list_read(ls = %a, index = %i)
        : (!mil.list<tensor<2xf32>, 2>, tensor<i32>) -> tensor<2xf32>
    %new = mil.list_read(ls = %b, index = %i)
        : (!mil.list<tensor<2xf32>, 2>, tensor<i32>) -> tensor<2xf32>
    %y = mil.sub(x = %new, y = %old)
        : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>)",
                                      "tensor<2xf32>"));
  auto results = evaluate(func, {integer(1), input({10, 20})});
  ASSERT_TRUE(succeeded(results)) << diagnostics;
  EXPECT_THAT(results->front().floats(), ElementsAre(7, 16));
}

//===----------------------------------------------------------------------===//
// What has no reference
//===----------------------------------------------------------------------===//

TEST_F(StateTest, RandomValuesAreRefused) {
  EXPECT_THAT(errorOf(int32s("shape", {2}) + R"(
    %y = mil.random_uniform(shape = %shape)
        : (tensor<1xi32>) -> tensor<2xf32>)"),
              HasSubstr("random_uniform: the values are random, so there is "
                        "no reference for them"));
}

} // namespace
