//===- BenchProgramsTest.cpp - What benchmarks of the executor run --------===//
//
// The benchmark needs libraries that a plain build has not; its programs do
// not.
//
//===----------------------------------------------------------------------===//

#include "EnginePrograms.h"
#include "Tables.h"
#include "gtest/gtest.h"
#include <cmath>
#include <numeric>

using namespace ane;
using namespace ane::bench;

namespace {

std::vector<float> counted(size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = float(int(i * 7 % 16) - 8) / 8;
  return values;
}

std::vector<float> run(Program &program, unsigned result) {
  program.finish();
  program.run(1, engine::Numerics::Documented);
  return program.get(result);
}

TEST(BenchPrograms, Product) {
  constexpr uint32_t inputs = 32, outputs = 48, columns = 20;
  std::vector<float> x = counted(inputs * columns),
                     weights = counted(outputs * inputs);
  Program program;
  unsigned source = program.tensor({inputs, 1, columns}),
           target = program.tensor({outputs, 1, columns});
  program.convolve(source, target, {}, weights);
  program.set(source, x);
  std::vector<float> y = run(program, target);
  for (uint32_t o = 0; o < outputs; ++o)
    for (uint32_t column = 0; column < columns; ++column) {
      float sum = 0;
      for (uint32_t i = 0; i < inputs; ++i)
        sum += weights[o * inputs + i] * x[i * columns + column];
      ASSERT_EQ(y[o * columns + column], sum) << o << ", " << column;
    }
}

TEST(BenchPrograms, ChannelwiseWindows) {
  constexpr uint32_t channels = 20, size = 4;
  std::vector<float> x = counted(channels * size * size),
                     weights = counted(channels * 9);
  Program program;
  unsigned source = program.tensor({channels, size, size}),
           target = program.tensor({channels, size, size});
  program.convolve(source, target, {3, /*channelwise=*/true}, weights);
  program.set(source, x);
  std::vector<float> y = run(program, target);
  for (uint32_t c = 0; c < channels; ++c) {
    // The window that lies inside.
    float sum = 0;
    for (uint32_t i = 0; i < 9; ++i)
      sum += weights[c * 9 + i] * x[c * 16 + i / 3 * size + i % 3];
    ASSERT_EQ(y[c * 16 + 5], sum) << c;
  }
}

TEST(BenchPrograms, Softmax) {
  std::vector<float> x = counted(3 * 5 * 40);
  td::LutRecord record = engine::test::exp2Table();
  std::vector<uint16_t> halves(sizeof(record) / sizeof(uint16_t));
  std::memcpy(halves.data(), &record, sizeof(record));
  Program program;
  unsigned source = program.tensor({3, 5, 40}),
           target = program.tensor({3, 5, 40});
  program.softmax(source, target, halves);
  program.set(source, x);
  std::vector<float> y = run(program, target);
  for (size_t row = 0; row < 15; ++row) {
    EXPECT_NEAR(std::accumulate(&y[row * 40], &y[row * 40] + 40, 0.f), 1, 1e-2);
    EXPECT_NEAR(y[row * 40] / y[row * 40 + 1],
                std::exp(x[row * 40] - x[row * 40 + 1]), 1e-2);
  }
}

TEST(BenchPrograms, Sum) {
  std::vector<float> a = counted(3 * 5 * 40);
  Program program;
  unsigned first = program.tensor({3, 5, 40}),
           second = program.tensor({3, 5, 40}),
           target = program.tensor({3, 5, 40});
  program.add(first, second, target);
  program.set(first, a);
  program.set(second, a);
  std::vector<float> y = run(program, target);
  for (size_t i = 0; i < a.size(); ++i)
    ASSERT_EQ(y[i], 2 * a[i]);
}

} // namespace
