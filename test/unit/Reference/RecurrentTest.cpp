//===- RecurrentTest.cpp - Recurrent layers -------------------------------===//

#include "Fixture.h"
#include <cmath>

using namespace ane::reference;
using namespace ane::reference::test;
using testing::DoubleNear;
using testing::ElementsAre;

namespace {

/// Activations are linear where numbers shall be exact.
class RecurrentTest : public ReferenceTest {
protected:
  std::vector<std::vector<double>> all(const std::string &ops) {
    auto results = run(ops, "ios18");
    EXPECT_TRUE(succeeded(results)) << diagnostics;
    std::vector<std::vector<double>> lists;
    if (succeeded(results))
      for (const Tensor &result : *results)
        lists.push_back(result.floats().vec());
    return lists;
  }
};

/// h = 2 x + 10 h + 1 over x = 1, 2, 3 and from h = 1.
std::string rnn(llvm::StringRef direction, bool sequence) {
  std::string steps = sequence ? "3" : "1";
  return R"(
    %x = mil.const dense<[[[1.0]], [[2.0]], [[3.0]]]> : tensor<3x1x1xf32>
    %h = mil.const dense<1.0> : tensor<1x1xf32>
    %w = mil.const dense<2.0> : tensor<1x1xf32>
    %u = mil.const dense<10.0> : tensor<1x1xf32>
    %b = mil.const dense<1.0> : tensor<1xf32>
    )" + text("linear", "linear") +
         text("direction", direction) + boolean("sequence", sequence) + R"(
    %y:2 = mil.rnn(x = %x, initial_h = %h, weight_ih = %w, weight_hh = %u,
        bias = %b, direction = %direction, output_sequence = %sequence,
        activation = %linear)
        : (tensor<3x1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>,
           tensor<1x1xf32>, tensor<1xf32>, tensor<!mil.string>, tensor<i1>,
           tensor<!mil.string>) -> (tensor<)" +
         steps + "x1x1xf32>, tensor<1x1xf32>)";
}

TEST_F(RecurrentTest, StatesOfAllStepsOrOfTheLast) {
  EXPECT_THAT(all(rnn("forward", true)),
              ElementsAre(ElementsAre(13, 135, 1357), ElementsAre(1357)));
  EXPECT_THAT(all(rnn("forward", false)),
              ElementsAre(ElementsAre(1357), ElementsAre(1357)));
}

/// A reverse layer starts at the end and gives states as it computes them.
TEST_F(RecurrentTest, ReverseGivesStatesInTheOrderOfComputation) {
  EXPECT_THAT(all(rnn("reverse", true)),
              ElementsAre(ElementsAre(17, 175, 1753), ElementsAre(1753)));
}

/// Gates are reset, new, update. From h = [1, 2], with r = 1/2 (hard_sigmoid of
/// 0) and z = 1/2, only the new gate sees the state: o = U (h / 2) + b or
/// h' = (o + h) / 2.
std::string gru(bool resetAfter) {
  return R"(
    %x = mil.const dense<0.0> : tensor<1x1x1xf32>
    %h = mil.const dense<[[1.0, 2.0]]> : tensor<1x2xf32>
    %w = mil.const dense<0.0> : tensor<6x1xf32>
    %u = mil.const dense<[[0.0, 0.0], [0.0, 0.0], [1.0, 10.0], [2.0, 20.0],
                          [0.0, 0.0], [0.0, 0.0]]> : tensor<6x2xf32>
    %b = mil.const dense<[0.0, 0.0, 4.0, 8.0, 0.0, 0.0]> : tensor<6xf32>
    %c = mil.const dense<[0.0, 0.0, 1.0, 1.0, 0.0, 0.0]> : tensor<6xf32>
    )" + text("linear", "linear") +
         text("hard", "hard_sigmoid") + boolean("after", resetAfter) + R"(
    %y:2 = mil.gru(x = %x, initial_h = %h, weight_ih = %w, weight_hh = %u,
        bias = %b, recurrent_activation = %hard, activation = %linear,
        reset_after = %after, input_bias = %c)
        : (tensor<1x1x1xf32>, tensor<1x2xf32>, tensor<6x1xf32>,
           tensor<6x2xf32>, tensor<6xf32>, tensor<!mil.string>,
           tensor<!mil.string>, tensor<i1>, tensor<6xf32>)
        -> (tensor<1x1x2xf32>, tensor<1x2xf32>))";
}

/// U (h / 2) = [10.5, 21]; o = [10.5 + 4 + 1, 21 + 8 + 1].
TEST_F(RecurrentTest, GruResetsTheState) {
  EXPECT_THAT(all(gru(false)),
              ElementsAre(ElementsAre(8.25, 16), ElementsAre(8.25, 16)));
}

/// o = [(21 + 4) / 2 + 1, (42 + 8) / 2 + 1]: the bias is reset too.
TEST_F(RecurrentTest, GruResetsTheProduct) {
  EXPECT_THAT(all(gru(true)),
              ElementsAre(ElementsAre(7.25, 14), ElementsAre(7.25, 14)));
}

/// One step of width 1 by the formulas, the gates in the order i, f, o, g.
TEST_F(RecurrentTest, LstmStep) {
  auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  double i = sigmoid(0.5 + 0.25 * 2), f = sigmoid(1 + 0.5 * 2),
         g = std::tanh(-1);
  double c = f * 2 + i * g, o = sigmoid(2 - 0.5 * c), h = o * std::tanh(c);
  EXPECT_THAT(all(R"(
    %x = mil.const dense<1.0> : tensor<1x1x1xf32>
    %h = mil.const dense<0.0> : tensor<1x1xf32>
    %c = mil.const dense<2.0> : tensor<1x1xf32>
    %w = mil.const dense<[[0.5], [1.0], [2.0], [-1.0]]> : tensor<4x1xf32>
    %u = mil.const dense<0.0> : tensor<4x1xf32>
    %p = mil.const dense<[0.25, 0.5, -0.5]> : tensor<3xf32>
    %y:3 = mil.lstm(x = %x, initial_h = %h, initial_c = %c, weight_ih = %w,
        weight_hh = %u, peephole = %p)
        : (tensor<1x1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>,
           tensor<4x1xf32>, tensor<4x1xf32>, tensor<3xf32>)
        -> (tensor<1x1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>))"),
              ElementsAre(ElementsAre(DoubleNear(h, 1e-7)),
                          ElementsAre(DoubleNear(h, 1e-7)),
                          ElementsAre(DoubleNear(c, 1e-7))));
}

/// With linear activations, gates i = o = 1 and f = 10, and g = x, the cell
/// becomes 10 c + x. Forward it ends at 123, backward, with -x, at -321; the
/// state is that of the cell, limited to 200 on both sides.
TEST_F(RecurrentTest, LstmInBothDirectionsAndClipped) {
  EXPECT_THAT(all(R"(
    %x = mil.const dense<[[[1.0]], [[2.0]], [[3.0]]]> : tensor<3x1x1xf32>
    %zero = mil.const dense<0.0> : tensor<1x2xf32>
    %w = mil.const dense<[[0.0], [0.0], [0.0], [1.0]]> : tensor<4x1xf32>
    %v = mil.const dense<[[0.0], [0.0], [0.0], [-1.0]]> : tensor<4x1xf32>
    %u = mil.const dense<0.0> : tensor<4x1xf32>
    %b = mil.const dense<[1.0, 10.0, 1.0, 0.0]> : tensor<4xf32>
    %clip = mil.const dense<200.0> : tensor<f32>
    )" + text("both", "bidirectional") +
                  text("linear", "linear") + boolean("sequence", true) + R"(
    %y:3 = mil.lstm(x = %x, initial_h = %zero, initial_c = %zero,
        weight_ih = %w, weight_hh = %u, bias = %b, weight_ih_back = %v,
        weight_hh_back = %u, bias_back = %b, direction = %both,
        output_sequence = %sequence, recurrent_activation = %linear,
        cell_activation = %linear, activation = %linear, clip = %clip)
        : (tensor<3x1x1xf32>, tensor<1x2xf32>, tensor<1x2xf32>,
           tensor<4x1xf32>, tensor<4x1xf32>, tensor<4xf32>, tensor<4x1xf32>,
           tensor<4x1xf32>, tensor<4xf32>, tensor<!mil.string>, tensor<i1>,
           tensor<!mil.string>, tensor<!mil.string>, tensor<!mil.string>,
           tensor<f32>)
        -> (tensor<3x1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>))"),
              ElementsAre(ElementsAre(1, -200, 12, -32, 123, -3),
                          ElementsAre(123, -200), ElementsAre(123, -200)));
}

} // namespace
