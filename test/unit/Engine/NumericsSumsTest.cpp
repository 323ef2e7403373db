//===- NumericsSumsTest.cpp - Sums as measured on M1 ---------------------===//
//
// One test for every published measurement of how an M1 sums and where sums and
// products overflow, with its numbers, run through a program of the task that
// computes it. The sections are those of docs/numerics.md. What a measurement
// says of sums must hold in `tile4`; where `documented` differs from the
// hardware, the test says what it gives.
//
//===----------------------------------------------------------------------===//

#include "NumericsProbes.h"
#include "gmock/gmock.h"

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;
using testing::Each;
using testing::ElementsAre;

namespace {

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

TEST(NumericsProbes, RoundsHalfToEven) {
  // 2049 lies between 2048 and 2050; M1 gives 2048.
  for (Numerics numerics : both) {
    EXPECT_EQ(sum({2048, 0, 0, 0, 1}, numerics), 2048);
    EXPECT_EQ(sum({2050, 0, 0, 0, 1}, numerics), 2052);
  }
  Array x = row({2048, 2050, -2048}), w = row({1, 1, -1});
  EXPECT_THAT(Chain(x, &w).with(Add).run().values,
              ElementsAre(2048, 2052, -2048));
}

TEST(NumericsProbes, SixteenThousandOnesAreExact) {
  std::vector<double> ones(16000, 1.0);
  for (Numerics numerics : both) {
    EXPECT_EQ(sum(ones, numerics), 16000);
    EXPECT_EQ(channelSum(ones, numerics), 16000);
  }
}

TEST(NumericsProbes, OnesBehind4096) {
  // 4096 and 1024 ones make 5116: the three in the tile of the 4096 are lost.
  std::vector<double> values(1025, 1.0);
  values.front() = 4096;
  EXPECT_EQ(sum(values, Numerics::Tile4), 5116);
  EXPECT_EQ(channelSum(values, Numerics::Tile4), 5116);
  EXPECT_EQ(sum(values, Numerics::Documented), 5120);
}

TEST(NumericsProbes, OnesBehind8192) {
  std::vector<double> values(17, 1.0);
  values.front() = 8192;
  for (Numerics numerics : both)
    EXPECT_EQ(sum(values, numerics), 8208);
}

TEST(NumericsProbes, ACancelledLargeNumberLeavesTheOne) {
  for (Numerics numerics : both) {
    EXPECT_EQ(sum({16000, -16000, 1}, numerics), 1);
    EXPECT_EQ(channelSum({16000, -16000, 1}, numerics), 1);
  }
}

/// Sixteen triples of three numbers each.
std::vector<double> triples(double a, double b, double c) {
  std::vector<double> values;
  for (int i = 0; i < 16; ++i)
    values.insert(values.end(), {a, b, c});
  return values;
}

TEST(NumericsProbes, SurvivorsBelow4096) {
  // All sixteen ones survive between +B and -B.
  for (double b : {1024., 3000., 4090.})
    for (Numerics numerics : both) {
      EXPECT_EQ(sum(triples(b, -b, 1), numerics), 16) << b;
      EXPECT_EQ(sum(triples(b, 1, -b), numerics), 16) << b;
    }
}

TEST(NumericsProbes, SurvivorsFrom4096) {
  // Four survive, whatever B is, in either order.
  for (double b : {4096., 8000., 16000., 30000.}) {
    EXPECT_EQ(sum(triples(b, -b, 1), Numerics::Tile4), 4) << b;
    EXPECT_EQ(sum(triples(b, 1, -b), Numerics::Tile4), 4) << b;
    EXPECT_EQ(channelSum(triples(b, -b, 1), Numerics::Tile4), 4) << b;
    EXPECT_EQ(sum(triples(b, -b, 1), Numerics::Documented), 16) << b;
  }
}

TEST(NumericsProbes, ProductWithOnesIsTheSum) {
  // A product with ones and a sum in the same kernel agree in every bit.
  std::vector<double> values =
      randomArray({1, 1, 777, 1, 1}, 1, -50, 50).values;
  for (Numerics numerics : both)
    EXPECT_EQ(sum(values, numerics), channelSum(values, numerics));
}

TEST(NumericsProbes, BatchDoesNotMatter) {
  // The same image alone and in a batch, in several places.
  constexpr uint32_t taps = 30;
  Coefficients coefficients = randomCoefficients(1, 24, taps, true, 2);
  auto product = [&](const Array &x) {
    Extents out = x.extents;
    out.channels = 24;
    Model model;
    model.input("x", x.extents);
    model.output("y", out);
    td::RegisterImage task = neuralTask(x.extents, out);
    task.set(Field::GroupKernelReuse, x.extents.groups > 1);
    model.readFirst(task, "x");
    model.write(task, "y");
    addKernel(model, task, coefficients, 0);
    model.add(task);
    return run(model, {{"x", x}}, Numerics::Tile4)["y"];
  };
  Array one = randomArray({1, 1, taps, 3, 37}, 3), batch({3, 1, taps, 3, 37});
  for (size_t i = 0; i < batch.values.size(); ++i)
    batch.values[i] = one.values[i % one.values.size()];
  Array alone = product(one), together = product(batch);
  for (size_t i = 0; i < together.values.size(); ++i)
    ASSERT_EQ(together.values[i], alone.values[i % alone.values.size()]);
}

//===----------------------------------------------------------------------===//
// Overflow
//===----------------------------------------------------------------------===//

TEST(NumericsProbes, SumsPassUpTo32752) {
  for (Numerics numerics : both) {
    EXPECT_EQ(sum({16376, 16376}, numerics), 32752);
    EXPECT_EQ(sum({-16376, -16376}, numerics), -32752);
    EXPECT_EQ(sum({16384, 16384}, numerics), infinity);
    EXPECT_EQ(sum({-16384, -16384}, numerics), -infinity);
    EXPECT_EQ(channelSum({16384, 16384}, numerics), infinity);
    // Two taps are enough, even when one of them is 0.
    EXPECT_EQ(sum({32768, 0}, numerics), infinity);
    EXPECT_EQ(sum({32752, 0}, numerics), 32752);
  }
}

TEST(NumericsProbes, APartialSumBeyond32768StaysInfinite) {
  for (Numerics numerics : both) {
    EXPECT_EQ(sum({20000, 20000, -30000}, numerics), infinity);
    EXPECT_EQ(sum({-20000, -20000, 30000, 5, 30000}, numerics), -infinity);
    EXPECT_EQ(sum({20000, 20000, 0, 0, -20000, -20000}, numerics), infinity);
  }
}

TEST(NumericsProbes, ManyChannelsOverflowAlike) {
  // The same through whole tiles, where one output of many overflows.
  Extents in{1, 1, 8, 5, 20}, out{1, 1, 48, 5, 20};
  Array x(in);
  x.at(0, 0, 2, 3, 11) = 20000;
  x.at(0, 0, 3, 3, 11) = 20000;
  x.at(0, 0, 4, 3, 11) = -30000;
  Coefficients ones;
  ones.channels = 48;
  ones.taps = 8;
  ones.weights.assign(48 * 8, 1.0);
  Model model;
  model.input("x", in);
  model.output("y", out);
  td::RegisterImage task = neuralTask(in, out);
  model.readFirst(task, "x");
  model.write(task, "y");
  addKernel(model, task, ones, 0);
  model.add(task);
  for (Numerics numerics : both) {
    Array y = run(model, {{"x", x}}, numerics)["y"];
    forEach(out,
            [&](uint32_t g, uint32_t d, uint32_t c, uint32_t h, uint32_t w) {
              EXPECT_EQ(y.at(g, d, c, h, w), h == 3 && w == 11 ? infinity : 0);
            });
  }
}

TEST(NumericsProbes, OneTapPasses60000) {
  for (Numerics numerics : both) {
    EXPECT_EQ(convolve(channels({60000}), {1}, numerics).values.front(), 60000);
    EXPECT_EQ(convolve(channels({300}), {200}, numerics).values.front(), 60000);
    EXPECT_EQ(convolve(channels({300}), {-300}, numerics).values.front(),
              -infinity);
  }
}

TEST(NumericsProbes, LinearOfOneTapOverflows) {
  // The product of a matrix [1, 1] and a vector: it is written transposed.
  Array x = channels({60000});
  Model model;
  model.input("x", x.extents);
  model.output("y", {1, 1, 1, 1, 1});
  td::RegisterImage task = neuralTask(x.extents, {1, 1, 1, 1, 1});
  task.set(Field::TransposedWrite, 1);
  model.readFirst(task, "x");
  model.write(task, "y");
  Coefficients one;
  one.weights = {1};
  addKernel(model, task, one, 0);
  model.add(task);
  for (Numerics numerics : both)
    EXPECT_EQ(run(model, {{"x", x}}, numerics)["y"].values.front(), infinity);
}

TEST(NumericsProbes, ElementwiseReaches65504) {
  Array x = row({60000, 65504, 256, 255.875, -256}),
        w = row({1, 1, 256, 256, 256});
  EXPECT_THAT(Chain(x, &w).with(Multiply).run().values,
              ElementsAre(60000, 65504, infinity, 65504, -infinity));
  EXPECT_THAT(Chain(row({65504, 65504}), &w).affine(1, 15).run().values,
              Each(65504));
  EXPECT_THAT(Chain(row({65504, 65504}), &w).affine(1, 16).run().values,
              Each(infinity));
}

TEST(NumericsProbes, RowSumReaches65504) {
  EXPECT_EQ(rowSum({32768, 16384, 16384, -32}), 65504);
  EXPECT_EQ(rowSum({60000, 5504}), 65504);
  EXPECT_EQ(rowSum({60000, 5504, 8, 4}), 65504); // 65516 rounds down
  EXPECT_EQ(rowSum({60000, 5504, 16}), infinity);
}

TEST(NumericsProbes, SquareOverflowsAt256) {
  EXPECT_THAT(Chain(row({255.875, 256, -256})).square().run().values,
              ElementsAre(65472, infinity, infinity));
}

} // namespace
