//===- NumericsProbesTest.cpp - Values as measured on M1 -----------------===//
//
// One test for every published measurement of what an M1 makes of single
// numbers, with its numbers, run through a program of the task or tasks that
// compute it. The sections are those of docs/numerics.md; those of sums are in
// NumericsSumsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "NumericsProbes.h"
#include "gmock/gmock.h"
#include <cmath>

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;
using testing::Each;
using testing::ElementsAre;

namespace {

//===----------------------------------------------------------------------===//
// Columns from within a row
//===----------------------------------------------------------------------===//

/// Columns [begin, begin + x.size()) of a wider row that has x there.
Array slice(const Array &x, uint32_t begin) {
  Array wide({1, 1, 1, 2, begin + x.extents.width + 5});
  for (uint32_t w = 0; w < x.extents.width; ++w)
    wide.at(0, 0, 0, 0, begin + w) = x.values[w];
  Model model;
  model.input("x", wide.extents);
  model.output("y", x.extents);
  td::RegisterImage task = passTask(x.extents);
  setSource(task, model.bar("x"), model.port("x").layout, 2 * begin);
  model.write(task, "y");
  model.add(task);
  return run(model, {{"x", wide}})["y"];
}

TEST(NumericsProbes, ColumnsFromWithinARowPassUpTo4094) {
  Array x = row({4094, -4094, 4096, -4096, 0.5, 0x1p-24, 3072});
  EXPECT_THAT(slice(x, 32).values, ElementsAre(4094, -4094, infinity, -infinity,
                                               0.5, 0x1p-24, 3072));
  EXPECT_EQ(slice(x, 0).values, x.values);
}

/// Biases and scales that lie behind a table start anywhere among the
/// constants, which are no tensor that columns could be cut from.
TEST(NumericsProbes, ConstantsStartAnywhere) {
  Extents pair{1, 1, 1, 2, 512};
  Model model;
  model.input("x", pair);
  model.output("y", pair);
  model.constants.resize(64);
  appendHalves(model.constants, std::vector<double>(1024, 5000));
  td::RegisterImage task = passTask(pair);
  setSource(task, object::BarConstants, packedLayout(pair), 64);
  model.write(task, "y");
  model.add(task);
  EXPECT_THAT(run(model, {{"x", Array(pair)}})["y"].values, Each(5000));
}

TEST(NumericsProbes, RowsAndChannelsFromWithinPassAll) {
  Array wide = randomArray({1, 1, 4, 4, 40}, 4, -60000, 60000);
  Extents part{1, 1, 2, 2, 40};
  Model model;
  model.input("x", wide.extents);
  model.output("y", part);
  const object::TensorLayout &layout = model.port("x").layout;
  td::RegisterImage task = passTask(part);
  setSource(task, model.bar("x"), layout,
            layout.planeStride + 2 * layout.rowStride);
  model.write(task, "y");
  model.add(task);
  Array y = run(model, {{"x", wide}})["y"];
  forEach(
      part, [&](uint32_t g, uint32_t d, uint32_t c, uint32_t h, uint32_t w) {
        EXPECT_EQ(y.at(g, d, c, h, w), rounded(wide.at(g, d, c + 1, h + 2, w)));
      });
}

//===----------------------------------------------------------------------===//
// NaN, infinities, zeros, denormals
//===----------------------------------------------------------------------===//

TEST(NumericsProbes, NaNEntersAsInfinity) {
  Array x = row({NAN, infinity});
  auto each = [](Chain &chain, double value) {
    EXPECT_THAT(chain.run().values, Each(value));
  };
  each(Chain(x).affine(1, 0), infinity);
  each(Chain(x).relu(), infinity);
  each(Chain(x).table(sigmoidTable()), 1);
  each(Chain(x).table(tanhTable()), 1);
  each(Chain(x).table(exp2Table(), std::log2(std::exp(1.0))), infinity);
  Array w = row({1, 1});
  each(Chain(x, &w).with(Maximum), infinity);
  for (Numerics numerics : both)
    EXPECT_EQ(sum({NAN, 1}, numerics), infinity);
}

TEST(NumericsProbes, IndeterminatesArePlusZero) {
  Array x = row({infinity, infinity}), w = row({infinity, infinity});
  EXPECT_THAT(bitsOf(Chain(x, &w).with(Add, true).run()), Each(0));
  w = row({0, -0.0});
  EXPECT_THAT(bitsOf(Chain(x, &w).with(Multiply).run()), Each(0));
  x = row({-1, -1});
  EXPECT_THAT(bitsOf(Chain(x).table(sqrtTable()).run()), Each(0));
  EXPECT_THAT(bitsOf(Chain(x).table(rsqrtTable()).run()), Each(0));
  EXPECT_THAT(bitsOf(Chain(x).table(log2Table()).run()), Each(0));
  EXPECT_EQ(rowSum({-1}, /*reciprocal square root*/ 2), 0);
  for (Numerics numerics : both) {
    EXPECT_EQ(sum({infinity, -infinity}, numerics), 0);
    EXPECT_EQ(convolve(channels({infinity, 1}), {0, 1}, numerics).values[0], 0);
  }
}

TEST(NumericsProbes, TheSignOfZeroIsDropped) {
  Array x = row({-0.0, 0});
  EXPECT_THAT(Chain(x).table(reciprocalTable()).run().values, Each(infinity));
  EXPECT_THAT(Chain(x).table(rsqrtTable()).run().values, Each(infinity));
  EXPECT_THAT(bitsOf(Chain(x).table(sqrtTable()).run()), Each(0));
  Array w = row({0, 0});
  EXPECT_THAT(bitsOf(Chain(x, &w).with(Add).run()), Each(0));
  EXPECT_EQ(rowSum({-0.0}, /*reciprocal*/ 1), infinity);
}

TEST(NumericsProbes, ElementwiseKeepsDenormals) {
  std::vector<double> denormals = {0x1p-24, -0x1p-24, 0x1.ff8p-15, 0x1p-15};
  Array x = row(denormals), zeros = row({0, 0, 0, 0}), ones = row({1, 1, 1, 1});
  EXPECT_EQ(Chain(x, &zeros).with(Add).run().values, denormals);
  EXPECT_EQ(Chain(x, &ones).with(Multiply).run().values, denormals);
}

TEST(NumericsProbes, SumsFlushDenormals) {
  for (Numerics numerics : both) {
    // The sum would be the normal number 2^-14.
    EXPECT_EQ(sum({0x1p-15, 0x1p-15}, numerics), 0);
    EXPECT_EQ(channelSum({0x1p-15, 0x1p-15}, numerics), 0);
    EXPECT_EQ(sum({0x1p-14, 0x1p-15}, numerics), 0x1p-14);
    // Of the coefficients, too.
    EXPECT_EQ(convolve(channels({16, 16}), {0x1p-15, 1}, numerics).values[0],
              16);
  }
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

TEST(NumericsProbes, LogarithmOfZero) {
  // The table gives -2^16, which fp16 does not hold, and the scale of the next
  // task, ln 2 in fp16, comes before the rounding.
  Extents extents{1, 1, 1, 1, 2};
  Model model = naturalLogarithm(extents);
  Array y = run(model, {{"x", row({0, -0.0})}})["y"];
  EXPECT_THAT(y.values, Each(-45440));
}

TEST(NumericsProbes, ExponentialReachesInfinityAt11094) {
  Array x = row({11.0859375, 11.09375});
  EXPECT_EQ(halfBits(11.094), halfBits(11.09375));
  Array y = Chain(x).table(exp2Table(), std::log2(std::exp(1.0))).run();
  EXPECT_LT(y.values[0], 65505);
  EXPECT_EQ(y.values[1], infinity);
}

TEST(NumericsProbes, SoftplusOfInfinityIsZero) {
  // log2(1 + 2^x): the table of log2 gives 0 from infinity on.
  Array y = Chain(row({infinity, NAN, 1}))
                .table(exp2Table())
                .affine(1, 1)
                .table(log2Table())
                .run();
  EXPECT_THAT(bitsOf(y), ElementsAre(0, 0, testing::Ne(0)));
}

TEST(NumericsProbes, SoftsignOfInfinityIsZero) {
  // x / (1 + |x|): infinity times 0.
  Array x = row({infinity, NAN, 1});
  Array y =
      Chain(x, &x).affine(1, 1).table(reciprocalTable()).with(Multiply).run();
  EXPECT_THAT(y.values, ElementsAre(0, 0, 0.5));
}

/// All finite fp16 through a table, and the worst error in the sense of
/// `error(x, y)`.
template <typename Error>
double worstOfTable(const td::LutRecord &record, Error error) {
  std::vector<double> all;
  for (uint32_t bits = 0; bits < 0x7c00; ++bits)
    for (uint32_t sign : {0u, 0x8000u})
      all.push_back(halfToDouble(bits | sign));
  all.resize(62 * 1024); // H times W
  Array x({1, 1, 1, 62, 1024});
  x.values = all;
  Array y = Chain(x).table(record).run();
  double worst = 0;
  for (size_t i = 0; i < all.size(); ++i)
    worst = std::max(worst, error(all[i], y.values[i]));
  return worst;
}

TEST(NumericsProbes, SigmoidErrorIs34) {
  // 0.0034 was measured as the worst error over all of fp16.
  double worst = worstOfTable(sigmoidTable(), [](double x, double y) {
    return std::abs(y - 1 / (1 + std::exp(-x)));
  });
  EXPECT_NEAR(worst, 0.0034, 0.00005);
}

TEST(NumericsProbes, TanhErrorIs17) {
  double worst = worstOfTable(tanhTable(), [](double x, double y) {
    return std::abs(y - std::tanh(x));
  });
  EXPECT_LE(worst, 0.00175);
  EXPECT_GE(worst, 0.0014);
}

TEST(NumericsProbes, SigmoidEndsAtItsBounds) {
  // 0 below -9.938, 1 above 8.320, lines between there and the table.
  Array x = row({-9.9453125, -9.9375, -9, -8, 0, 8, 8.125, 8.328125});
  Array y = Chain(x).table(sigmoidTable()).run();
  EXPECT_THAT(y.values,
              ElementsAre(0, 0, rounded(-9 * 0x1.6b0p-13 + 0x1.c30p-10),
                          rounded(1 / (1 + std::exp(8.0))), 0.5,
                          rounded(1 / (1 + std::exp(-8.0))),
                          rounded(8.125 * 0x1.8f8p-10 + 0x1.f98p-1), 1));
}

TEST(NumericsProbes, SoftmaxOfALargeNumber) {
  // [1000, 1, 2, 3] gives [1, 0, 0, 0]: maximum, difference, exponential, sum
  // and reciprocal, product.
  Array x = row({1000, 1, 2, 3});
  Array largest = row({1000, 1000, 1000, 1000});
  double scale = halfToDouble(0x3dc5);
  Array powers = Chain(x, &largest)
                     .with(Add, /*negative=*/true)
                     .table(exp2Table(), scale)
                     .run();
  double reciprocal = rowSum(powers.values, /*reciprocal*/ 1);
  EXPECT_THAT(Chain(powers).affine(reciprocal, 0).run().values,
              ElementsAre(1, 0, 0, 0));
}

} // namespace
