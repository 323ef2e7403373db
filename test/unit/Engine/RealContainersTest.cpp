//===- RealContainersTest.cpp - Containers of Apple's compiler ------------===//

#include "Fixtures.h"
#include "ane/Engine/Runner.h"
#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"
#include <cmath>
#include <functional>

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;

namespace {

using Function = std::function<double(llvm::ArrayRef<double>)>;

struct Container {
  const char *name;
  double tolerance;
  Function function; ///< of the inputs' elements at the same place
};

class RealContainer : public testing::TestWithParam<Container> {
protected:
  void SetUp() override {
    path = testData("real/hwx/" + std::string(GetParam().name) + ".hwx");
    if (!path)
      GTEST_SKIP() << "ANE_TEST_DATA is not set";
  }
  std::optional<std::string> path;
};

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

TEST_P(RealContainer, ComputesWhatItIsFor) {
  llvm::Expected<Runner> runner = Runner::load(*path);
  ASSERT_TRUE(bool(runner)) << llvm::toString(runner.takeError());
  std::vector<std::vector<double>> inputs;
  const HostPort *output = nullptr;
  for (const HostPort &port : runner->ports()) {
    if (!port.isInput()) {
      output = &port;
      continue;
    }
    uint32_t count = 1;
    for (int64_t extent : port.shape)
      count *= extent;
    inputs.push_back(
        randomArray({1, 1, 1, 1, count}, inputs.size() + 1, -9, 9).values);
    llvm::Error error =
        runner->setInput(port.name, toNpy(inputs.back(), port), "test");
    ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
  }
  for (unsigned threads : {1, 2}) {
    llvm::Error error = runner->run(threads);
    ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
    std::vector<double> result =
        fromNpy(llvm::cantFail(runner->output(output->name)));
    double worst = 0;
    for (size_t i = 0; i < result.size(); ++i) {
      std::vector<double> elements;
      for (const std::vector<double> &input : inputs)
        elements.push_back(i < input.size() ? input[i] : 0);
      double expected;
      if (GetParam().function)
        expected = GetParam().function(elements);
      else
        expected = i < inputs[0].size() ? inputs[0][i]
                                        : inputs[1][i - inputs[0].size()];
      if (GetParam().tolerance == 0)
        expected = rounded(expected);
      worst = std::max(worst, std::abs(result[i] - expected));
    }
    EXPECT_LE(worst, GetParam().tolerance);
    RecordProperty("worst", std::to_string(worst));
  }
}

double relu(llvm::ArrayRef<double> x) { return std::max(x[0], 0.0); }
double sigmoid(llvm::ArrayRef<double> x) { return 1 / (1 + std::exp(-x[0])); }
double sum(llvm::ArrayRef<double> x) { return x[0] + x[1]; }
double product(llvm::ArrayRef<double> x) { return x[0] * x[1]; }
double zero(llvm::ArrayRef<double>) { return 0; }

INSTANTIATE_TEST_SUITE_P(
    All, RealContainer,
    testing::Values(Container{"relu", 0, relu},
                    Container{"sigmoid", 0.0034, sigmoid},
                    Container{"sum", 0, sum}, Container{"mul", 0, product},
                    Container{"mul_macos14", 0, product},
                    // Its coefficients are zeros.
                    Container{"gemm", 0, zero},
                    // No function: the inputs one after the other.
                    Container{"concat", 0, nullptr},
                    Container{"concat_nz", 0, nullptr}),
    [](const auto &info) { return std::string(info.param.name); });

/// All coefficients of the convolution are 2.
class RealConvolution : public RealContainer {};

TEST_P(RealConvolution, SumsChannels) {
  llvm::Expected<Runner> runner = Runner::load(*path);
  ASSERT_TRUE(bool(runner)) << llvm::toString(runner.takeError());
  NpyArray x = toNpy({1, 2, -0.5}, runner->ports()[0]);
  llvm::cantFail(runner->setInput("image", x, "test"));
  llvm::cantFail(runner->run());
  EXPECT_EQ(fromNpy(llvm::cantFail(runner->output("probs"))),
            (std::vector<double>{5, 5, 5}));
}

INSTANTIATE_TEST_SUITE_P(All, RealConvolution,
                         testing::Values(Container{"conv", 0, nullptr}),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

} // namespace
