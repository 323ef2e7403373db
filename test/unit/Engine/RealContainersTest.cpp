//===- RealContainersTest.cpp - Containers of Apple's compiler ------------===//

#include "../TestData.h"
#include "Exemplars.h"
#include "ane/Engine/Runner.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;

namespace {

using Vectors = llvm::ArrayRef<std::vector<double>>;

struct Container {
  const char *name;
  const char *op;
  /// Of the inputs, each with its elements in order.
  std::function<std::vector<double>(Vectors)> function;
  double absolute = 0; ///< 0: the nearest fp16 exactly
};

/// For test reports.
void PrintTo(const Container &container, std::ostream *os) {
  *os << container.name;
}

class RealContainer : public testing::TestWithParam<Container> {};

constexpr double low = -9, high = 9;

NpyArray toNpy(llvm::ArrayRef<double> values, const HostPort &port) {
  NpyArray array;
  array.type = ElementType::Float16;
  array.shape = port.shape;
  for (double value : values) {
    uint16_t bits = halfBits(value);
    array.bytes.insert(array.bytes.end(), {uint8_t(bits), uint8_t(bits >> 8)});
  }
  return array;
}

std::vector<double> fromNpy(const NpyArray &array) {
  object::TensorLayout layout;
  layout.w = array.numElements();
  return load(layout, array.bytes).values;
}

std::string shapeText(const HostPort &port) {
  return llvm::join(
      llvm::map_range(port.shape, [](int64_t n) { return std::to_string(n); }),
      "x");
}

TEST_P(RealContainer, ComputesWhatItIsFor) {
  const Container &p = GetParam();
  std::string name = p.name + std::string(".hwx");
  std::optional<std::string> path = testData("real/hwx/" + name);
  if (!path)
    GTEST_SKIP() << "ANE_TEST_DATA is not set";
  llvm::Expected<Runner> runner = Runner::load(*path);
  ASSERT_TRUE(bool(runner)) << llvm::toString(runner.takeError());
  std::vector<std::vector<double>> inputs;
  std::vector<std::string> shapes;
  const HostPort *output = nullptr;
  for (const HostPort &port : runner->ports()) {
    if (!port.isInput()) {
      output = &port;
      continue;
    }
    shapes.push_back(shapeText(port));
    uint32_t count = 1;
    for (int64_t extent : port.shape)
      count *= extent;
    inputs.push_back(
        randomArray({1, 1, 1, 1, count}, inputs.size() + 1, low, high).values);
    llvm::Error error =
        runner->setInput(port.name, toNpy(inputs.back(), port), "test");
    ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
  }
  ASSERT_TRUE(output);
  std::string description =
      llvm::formatv("{0} | {1} to {2} | multiples of 1/64 in [{3}, {4}]", p.op,
                    llvm::join(shapes, ", "), shapeText(*output),
                    numberText(low), numberText(high))
          .str();
  for (unsigned threads : {1, 2}) {
    llvm::Error error = runner->run(threads);
    ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
    Outcome outcome;
    outcome.actual = fromNpy(llvm::cantFail(runner->output(output->name)));
    outcome.expected = p.function(inputs);
    outcome.absolute = p.absolute;
    expectOutcome(name, description, outcome);
  }
}

/// A function of the elements at the same place.
template <typename Body> auto elementwise(Body body) {
  return [=](Vectors inputs) {
    std::vector<double> result;
    for (size_t i = 0; i < inputs[0].size(); ++i)
      result.push_back(body(inputs[0][i], inputs.back()[i]));
    return result;
  };
}

/// Both inputs one after the other.
std::vector<double> concatenation(Vectors inputs) {
  std::vector<double> result = inputs[0];
  llvm::append_range(result, inputs[1]);
  return result;
}

/// Three outputs with all coefficients 2.
std::vector<double> convolution(Vectors inputs) {
  double sum = 0;
  for (double x : inputs[0])
    sum += 2 * x;
  return {sum, sum, sum};
}

double sigmoid(double x, double) { return 1 / (1 + std::exp(-x)); }

INSTANTIATE_TEST_SUITE_P(
    All, RealContainer,
    testing::Values(
        Container{"conv", "y[o] = 2 x[0] + 2 x[1] + 2 x[2]", convolution},
        Container{"gemm", "y = W x, W = 0",
                  elementwise([](double, double) { return 0; })},
        Container{"relu", "max(x, 0)", elementwise([](double x, double) {
                    return std::max(x, 0.0);
                  })},
        Container{"sigmoid", "1 / (1 + exp(-x))", elementwise(sigmoid), 0.0034},
        Container{"sum", "x + y",
                  elementwise([](double x, double y) { return x + y; })},
        Container{"mul", "x * y",
                  elementwise([](double x, double y) { return x * y; })},
        Container{"mul_macos14", "x * y",
                  elementwise([](double x, double y) { return x * y; })},
        Container{"concat", "x, then y", concatenation},
        Container{"concat_nz", "x, then y", concatenation}),
    [](const auto &info) { return std::string(info.param.name); });

} // namespace
