//===- NumericsProbesTest.cpp - What was measured on M1 -------------------===//
//
// One test for every published measurement of the arithmetic of an M1, with its
// numbers, run through a program of the task or tasks that compute it. The
// sections are those of docs/numerics.md. What a measurement says of sums must
// hold in `tile4`; where `documented` differs from the hardware, the test says
// what it gives.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "Tables.h"
#include "ane/Support/Half.h"
#include "gmock/gmock.h"
#include <bit>
#include <cmath>

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;
using testing::Each;
using testing::ElementsAre;

namespace {

/// MACCfg.OpMode, Common.Cfg.TaskType, PE.Cfg.OpMode.
enum { Bypass = 4 };
enum { OneSource = 2, TwoSources = 3, Reduce = 5 };
enum { Add = 0, Multiply = 1, Maximum = 2, SquareOfSum = 4 };

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Numerics both[] = {Numerics::Documented, Numerics::Tile4};

Array row(llvm::ArrayRef<double> values) {
  Array array({1, 1, 1, 1, uint32_t(values.size())});
  array.values.assign(values.begin(), values.end());
  return array;
}
Array channels(llvm::ArrayRef<double> values) {
  Array array({1, 1, uint32_t(values.size()), 1, 1});
  array.values.assign(values.begin(), values.end());
  return array;
}

/// The values of fp16 as they are stored, so that -0 differs from 0.
std::vector<uint16_t> bitsOf(const Array &array) {
  std::vector<uint16_t> bits;
  for (double value : array.values)
    bits.push_back(halfBits(value));
  return bits;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// A convolution 1x1: one output channel of all of x, with these weights.
Array convolve(const Array &x, llvm::ArrayRef<double> weights,
               Numerics numerics, llvm::ArrayRef<double> bias = {}) {
  Extents out = x.extents;
  out.channels = 1;
  Model model;
  model.input("x", x.extents);
  model.output("y", out);
  td::RegisterImage task = neuralTask(x.extents, out);
  model.readFirst(task, "x");
  model.write(task, "y");
  Coefficients coefficients;
  coefficients.taps = weights.size();
  coefficients.weights.assign(weights.begin(), weights.end());
  coefficients.bias.assign(bias.begin(), bias.end());
  addKernel(model, task, coefficients, 0);
  model.add(task);
  return run(model, {{"x", x}}, numerics)["y"];
}

/// The sum of products with ones, one channel each.
double sum(llvm::ArrayRef<double> values, Numerics numerics) {
  std::vector<double> ones(values.size(), 1.0);
  return convolve(channels(values), ones, numerics).values.front();
}

/// The same without coefficients.
double channelSum(llvm::ArrayRef<double> values, Numerics numerics) {
  Array x = channels(values);
  Model model;
  model.input("x", x.extents);
  model.output("y", {1, 1, 1, 1, 1});
  td::RegisterImage task = neuralTask(x.extents, {1, 1, 1, 1, 1});
  task.set(Field::KernelMode, 1);
  model.readFirst(task, "x");
  model.write(task, "y");
  model.add(task);
  return run(model, {{"x", x}}, numerics)["y"].values.front();
}

/// A program of element-wise tasks from x (and w) to y, each of which reads
/// what the one before left in the scratchpad.
class Chain {
public:
  explicit Chain(const Array &x, const Array *w = nullptr) {
    inputs["x"] = x;
    model.input("x", x.extents);
    if (w) {
      inputs["w"] = *w;
      model.input("w", w->extents);
    }
    model.output("y", x.extents);
  }

  /// A pass through the NE with a table.
  Chain &table(const td::LutRecord &record, double scale = 1) {
    td::RegisterImage task = neural();
    task.set(Field::NonlinearMode, 2);
    task.set(Field::PostScale, halfBits(scale));
    uint64_t base = model.constants.size();
    appendTable(model.constants, record);
    setLanes(task, 1, 128, 0, base);
    tasks.push_back(task);
    return *this;
  }
  Chain &relu() {
    td::RegisterImage task = neural();
    task.set(Field::NonlinearMode, 1);
    tasks.push_back(task);
    return *this;
  }
  /// A task of the PE with one source: x * scale + bias.
  Chain &affine(double scale, double bias) {
    td::RegisterImage task = planarTask(OneSource, extents());
    task.set(Field::PEScale, halfBits(scale));
    task.set(Field::PEBias, halfBits(bias));
    tasks.push_back(task);
    return *this;
  }
  Chain &square() {
    td::RegisterImage task = planarTask(OneSource, extents());
    task.set(Field::PEOpMode, SquareOfSum);
    tasks.push_back(task);
    return *this;
  }
  /// A task of the PE with w as its second source.
  Chain &with(uint32_t op, bool negative = false) {
    td::RegisterImage task = planarTask(TwoSources, extents());
    task.set(Field::PEOpMode, op);
    task.set(Field::PESrc2Negate, negative);
    model.readSecond(task, "w");
    tasks.push_back(task);
    return *this;
  }

  Array run() {
    constexpr int64_t step = 0x10000;
    for (size_t i = 0; i < tasks.size(); ++i) {
      if (i == 0)
        model.readFirst(tasks[i], "x");
      else
        setL2Source(tasks[i], i * step, step / 2, step / 2);
      if (i + 1 == tasks.size())
        model.write(tasks[i], "y");
      else
        setL2Result(tasks[i], (i + 1) * step, step / 2, step / 2);
      model.add(tasks[i]);
    }
    return test::run(model, inputs)["y"];
  }

private:
  const Extents &extents() { return inputs["x"].extents; }
  td::RegisterImage neural() {
    td::RegisterImage task = neuralTask(extents(), extents());
    task.set(Field::MACOpMode, Bypass);
    task.set(Field::KernelMode, 1);
    task.set(Field::UnicastEn, 1);
    return task;
  }

  Model model;
  Arrays inputs;
  std::vector<td::RegisterImage> tasks;
};

/// Sums a row in the PE.
double rowSum(llvm::ArrayRef<double> values, uint32_t post = 0) {
  Array x = row(values);
  Model model;
  model.input("x", x.extents);
  model.output("y", {1, 1, 1, 1, 1});
  td::RegisterImage task = planarTask(Reduce, x.extents);
  task.set(Field::PEPostFunction, post);
  model.readFirst(task, "x");
  model.write(task, "y");
  model.add(task);
  return run(model, {{"x", x}})["y"].values.front();
}

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
  td::RegisterImage task = neuralTask(x.extents, x.extents);
  task.set(Field::MACOpMode, Bypass);
  task.set(Field::KernelMode, 1);
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
  td::RegisterImage task = neuralTask(pair, pair);
  task.set(Field::MACOpMode, Bypass);
  task.set(Field::KernelMode, 1);
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
  td::RegisterImage task = neuralTask(part, part);
  task.set(Field::MACOpMode, Bypass);
  task.set(Field::KernelMode, 1);
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
  Model model;
  model.input("x", extents);
  model.output("y", extents);
  td::RegisterImage log2 = neuralTask(extents, extents);
  log2.set(Field::MACOpMode, Bypass);
  log2.set(Field::KernelMode, 1);
  log2.set(Field::NonlinearMode, 2);
  appendTable(model.constants, log2Table());
  setLanes(log2, 1, 128, 0);
  model.readFirst(log2, "x");
  log2.set(Field::ResultType, 3);
  log2.set(Field::DstEn, 0);
  model.add(log2);
  td::RegisterImage scale = planarTask(OneSource, extents);
  scale.set(Field::SourceType, 3);
  scale.set(Field::PEScale, halfBits(0.693359375));
  model.write(scale, "y");
  model.add(scale);
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
