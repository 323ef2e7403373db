//===- NeuralTest.cpp - Operations of the neural engine -------------------===//

#include "Kernels.h"
#include "Tables.h"
#include "ane/TaskDescriptor/Values.h"
#include "llvm/ADT/STLExtras.h"
#include "gmock/gmock.h"
#include <cmath>

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;
using testing::HasSubstr;

namespace {

Array map(const Array &x, double (*function)(double)) {
  Array y = x;
  for (double &value : y.values)
    value = rounded(function(value));
  return y;
}

TEST(Neural, PassCopies) {
  Extents extents{2, 3, 4, 5, 37};
  Unary unary(extents, extents);
  unary.pass();
  Array x = randomArray(extents, 1);
  expectRounded(unary.run(x), x);
}

/// Measured on M1, with the program of a relu: Cin and the format of a second
/// source are of no concern to a pass.
TEST(Neural, PassReadsTheChannelsItWrites) {
  Extents extents{1, 1, 20, 3, 5};
  Array x = randomArray(extents, 1);
  for (uint32_t channels : {1u, 7u, 20u, 64u}) {
    Unary unary(extents, extents);
    unary.pass();
    unary.task.set(Field::Cin, channels);
    unary.task.set(Field::Src2Fmt, channels % 3);
    EXPECT_EQ(unary.run(x).values, x.values) << channels;
  }
}

TEST(Neural, PassMovesAndPads) {
  Extents in{1, 1, 3, 5, 7}, out{1, 1, 3, 4, 6};
  Unary unary(in, out);
  unary.pass();
  Geometry geometry{1, 1, 2, 2, 1, 3};
  setGeometry(unary.task, geometry);
  Array x = randomArray(in, 59), y(out);
  forEach(out, [&](auto g, auto d, auto c, auto h, auto w) {
    // Before the first row or column, these wrap around.
    uint32_t fromH = h * 2 - 1u, fromW = w * 2 - 3u;
    if (fromH < in.height && fromW < in.width)
      y.at(g, d, c, h, w) = x.at(g, d, c, fromH, fromW);
  });
  expectRounded(unary.run(x), y);
}

TEST(Neural, ReluAndSpecials) {
  Extents extents{1, 1, 1, 1, 8};
  Array x(extents);
  x.values = {-1, -0.0, 0, 2, INFINITY, -INFINITY, NAN, 0x1p-24};
  Unary relu(extents, extents);
  relu.pass();
  relu.task.set(Field::NonlinearMode, 1);
  EXPECT_THAT(relu.run(x).values,
              testing::ElementsAre(0, 0, 0, 2, INFINITY, 0, INFINITY, 0x1p-24));
  // Infinity minus infinity is +0.
  Unary sum({1, 1, 2, 1, 1}, {1, 1, 1, 1, 1});
  sum.task.set(Field::KernelMode, 1);
  Array infinities({1, 1, 2, 1, 1});
  infinities.values = {INFINITY, -INFINITY};
  EXPECT_THAT(sum.run(infinities).values, testing::ElementsAre(0));
}

TEST(Neural, TableWithoutCoefficients) {
  Extents extents{1, 1, 20, 3, 5};
  Unary unary(extents, extents);
  unary.pass();
  unary.task.set(Field::NonlinearMode, 2);
  unary.task.set(Field::PostScale, halfBits(2));
  unary.task.set(Field::AccBias, halfBits(0.5));
  appendTable(unary.model.constants, sigmoidTable());
  unary.model.constants.resize(2048);
  setLanes(unary.task, 16, 128, 0); // all lanes share the record
  Array x = randomArray(extents, 2);
  Array expected =
      map(x, [](double v) { return 1 / (1 + std::exp(-2 * (v + 0.5))); });
  expectNear(unary.run(x), expected, 0.0034, 0);
}

struct ConvCase {
  const char *name;
  Extents in, out;
  Geometry geometry;
  unsigned ocgSize;
  bool bias;
};

class Convolution : public testing::TestWithParam<ConvCase> {};

TEST_P(Convolution, IsExact) {
  const ConvCase &c = GetParam();
  Unary unary(c.in, c.out);
  setGeometry(unary.task, c.geometry);
  Coefficients coefficients = randomCoefficients(
      c.in.groups, c.out.channels,
      c.in.channels * c.geometry.kernelHeight * c.geometry.kernelWidth, c.bias,
      3);
  addKernel(unary.model, unary.task, coefficients, c.ocgSize);
  Array x = randomArray(c.in, 4);
  expectRounded(unary.run(x), convolve(x, coefficients, c.geometry, c.out));
}

INSTANTIATE_TEST_SUITE_P(
    All, Convolution,
    testing::Values(
        ConvCase{"pointwise", {1, 1, 3, 1, 1}, {1, 1, 3, 1, 1}, {}, 0, false},
        ConvCase{"pointwiseImage",
                 {1, 1, 16, 9, 11},
                 {1, 1, 64, 9, 11},
                 {},
                 2,
                 true},
        ConvCase{"threeByThree",
                 {1, 1, 5, 9, 21},
                 {1, 1, 12, 9, 21},
                 {3, 3, 1, 1, 1, 1},
                 0,
                 true},
        ConvCase{"manyTaps",
                 {1, 1, 40, 9, 21},
                 {1, 1, 12, 9, 21},
                 {3, 3, 1, 1, 1, 1},
                 0,
                 true},
        ConvCase{"stridedAndUneven",
                 {1, 1, 7, 13, 18},
                 {1, 1, 48, 5, 6},
                 {5, 4, 3, 3, 2, 1},
                 1,
                 false},
        ConvCase{"wideLayer", {1, 1, 96, 1, 2}, {1, 1, 800, 1, 2}, {}, 5, true},
        ConvCase{"grouped",
                 {4, 1, 6, 8, 8},
                 {4, 1, 32, 8, 8},
                 {3, 3, 1, 1, 1, 1},
                 1,
                 true},
        ConvCase{"depth",
                 {1, 3, 4, 6, 6},
                 {1, 3, 17, 4, 4},
                 {3, 3, 1, 1, 0, 0},
                 0,
                 true},
        ConvCase{"paddingBeyondTheInput",
                 {1, 1, 2, 1, 1},
                 {1, 1, 4, 5, 5},
                 {3, 3, 1, 1, 4, 4},
                 0,
                 true}),
    [](const auto &info) { return std::string(info.param.name); });

TEST(Neural, ChannelwiseConvolution) {
  Extents in{1, 1, 37, 10, 12}, out{1, 1, 37, 5, 6};
  Geometry geometry{3, 3, 2, 2, 1, 1};
  Unary unary(in, out);
  setGeometry(unary.task, geometry);
  unary.task.set(Field::UnicastEn, 1);
  Coefficients coefficients = randomCoefficients(1, 37, 9, true, 5);
  coefficients.channelwise = true;
  addKernel(unary.model, unary.task, coefficients, 0);
  Array x = randomArray(in, 6);
  expectRounded(unary.run(x), convolve(x, coefficients, geometry, out));
}

TEST(Neural, BatchSharesAKernel) {
  for (bool channelwise : {false, true}) {
    Extents in{3, 1, 16, 6, 6}, out{3, 1, 16, 6, 6};
    Geometry geometry{3, 3, 1, 1, 1, 1};
    Unary unary(in, out);
    setGeometry(unary.task, geometry);
    unary.task.set(Field::GroupKernelReuse, 1);
    unary.task.set(Field::UnicastEn, channelwise);
    Coefficients coefficients =
        randomCoefficients(1, 16, channelwise ? 9 : 144, true, 7);
    coefficients.channelwise = channelwise;
    addKernel(unary.model, unary.task, coefficients, 0);
    Array x = randomArray(in, 8);
    expectRounded(unary.run(x), convolve(x, coefficients, geometry, out, true));
  }
}

TEST(Neural, EpilogueOrder) {
  // (sum + bias row + AccBias) * PostScale, then the activation.
  Extents extents{1, 1, 4, 2, 2};
  Unary unary(extents, extents);
  Coefficients coefficients = randomCoefficients(1, 4, 4, true, 9);
  coefficients.table = leakyReluTable(0.125);
  addKernel(unary.model, unary.task, coefficients, 0);
  unary.task.set(Field::AccBias, halfBits(0.5));
  unary.task.set(Field::PostScale, halfBits(-2));
  Array x = randomArray(extents, 10);
  Array expected = convolve(x, coefficients, {}, extents);
  for (double &value : expected.values) {
    value = (value + 0.5) * -2;
    value = value > 0 ? value : value * 0.125;
  }
  expectRounded(unary.run(x), expected);
}

TEST(Neural, SumsAndMaximaWithoutCoefficients) {
  Extents in{2, 1, 6, 7, 9};
  Geometry pool{3, 2, 2, 2, 1, 0};
  Array x = randomArray(in, 11);

  auto reduce = [&](const Extents &out, const Geometry &geometry, bool channels,
                    bool maximum, double outside) {
    Array y(out);
    forEach(
        out, [&](uint32_t g, uint32_t d, uint32_t c, uint32_t h, uint32_t w) {
          double value = maximum ? -INFINITY : 0;
          for (uint32_t i = 0; i < (channels ? in.channels : 1); ++i)
            for (uint32_t ky = 0; ky < geometry.kernelHeight; ++ky)
              for (uint32_t kx = 0; kx < geometry.kernelWidth; ++kx) {
                uint32_t iy = h * geometry.strideY + ky - geometry.top;
                uint32_t ix = w * geometry.strideX + kx - geometry.left;
                double element = iy < in.height && ix < in.width
                                     ? x.at(g, d, c + i, iy, ix)
                                     : outside;
                value = maximum ? std::max(value, element) : value + element;
              }
          y.at(g, d, c, h, w) = value;
        });
    return y;
  };

  Extents pooled{2, 1, 6, 4, 4}, one{2, 1, 1, 7, 9};
  Unary maxPool(in, pooled);
  setGeometry(maxPool.task, pool);
  td::setValue<Field::MACOpMode>(maxPool.task, td::MACOpMode::Max);
  maxPool.task.set(Field::KernelMode, 1);
  maxPool.task.set(Field::UnicastEn, 1);
  maxPool.task.set(Field::PaddingMode, 1);
  expectRounded(maxPool.run(x), reduce(pooled, pool, false, true, -INFINITY));

  Unary sumPool(in, pooled);
  setGeometry(sumPool.task, pool);
  sumPool.task.set(Field::KernelMode, 1);
  sumPool.task.set(Field::UnicastEn, 1);
  sumPool.task.set(Field::PostScale, halfBits(0.25));
  Array average = reduce(pooled, pool, false, false, 0);
  for (double &value : average.values)
    value *= 0.25;
  expectRounded(sumPool.run(x), average);

  Unary channelMax(in, one);
  td::setValue<Field::MACOpMode>(channelMax.task, td::MACOpMode::Max);
  channelMax.task.set(Field::KernelMode, 1);
  channelMax.task.set(Field::UnicastEn, 1);
  channelMax.task.set(Field::UnicastCin, 6);
  expectRounded(channelMax.run(x), reduce(one, {}, true, true, 0));

  Unary channelSum(in, one);
  channelSum.task.set(Field::KernelMode, 1);
  expectRounded(channelSum.run(x), reduce(one, {}, true, false, 0));
}

TEST(Neural, TransposedWriteExchangesChannelsAndColumns) {
  Extents in{2, 1, 5, 3, 70}, out{2, 1, 70, 3, 5};
  Model model;
  model.input("x", in);
  model.output("y", out);
  td::RegisterImage task = passTask(in);
  task.set(Field::TransposedWrite, 1);
  model.readFirst(task, "x");
  model.write(task, "y");
  model.add(task);
  Array x = randomArray(in, 12), y(out);
  forEach(out, [&](uint32_t g, uint32_t d, uint32_t c, uint32_t h, uint32_t w) {
    y.at(g, d, c, h, w) = x.at(g, d, w, h, c);
  });
  expectRounded(run(model, {{"x", x}})["y"], y);
}

/// Interleaved are the channels of what the next task reads, so columns of the
/// task that writes it.
TEST(Neural, TransposedWriteInterleavesWhatWereColumns) {
  constexpr uint32_t factor = 4, scratch = object::BarScratch;
  Extents in{2, 1, 5, 3, 70}, out{2, 1, 70, 3, 5};
  object::TensorLayout places = interleavedLayout(out, factor);
  Model model;
  model.input("x", in);
  model.output("y", out);
  model.scratchBytes = places.batchStride * out.groups;
  td::RegisterImage exchange = passTask(in), copy = passTask(out);
  exchange.set(Field::TransposedWrite, 1);
  model.readFirst(exchange, "x");
  setResult(exchange, scratch, places);
  setResultInterleave(exchange, factor);
  model.add(exchange);
  setSource(copy, scratch, places);
  setSourceInterleave(copy, factor);
  model.write(copy, "y");
  model.add(copy);
  Array x = randomArray(in, 13), y(out);
  forEach(out, [&](uint32_t g, uint32_t d, uint32_t c, uint32_t h, uint32_t w) {
    y.at(g, d, c, h, w) = x.at(g, d, w, h, c);
  });
  expectRounded(run(model, {{"x", x}})["y"], y);
}

TEST(Neural, ScratchpadCarriesOperands) {
  // x is fetched and kept; task 0 writes relu(x) beside it, task 1 reads both
  // back: a result in place of a kept operand would show.
  Extents extents{1, 1, 8, 3, 10};
  Model model;
  model.input("x", extents);
  model.output("y", extents);
  td::RegisterImage relu = passTask(extents);
  relu.set(Field::NonlinearMode, 1);
  model.readFirst(relu, "x");
  setL2Source(relu, 0x1000, 0x20, 0x110, /*type=*/1);
  setL2Result(relu, 0x40, 0x20, 0x120);
  model.add(relu);
  td::RegisterImage difference = planarTask(td::TaskType::TwoSources, extents);
  difference.set(Field::PESrc2Negate, 1);
  setL2Source(difference, 0x1000, 0x20, 0x110);
  setL2SecondSource(difference, 0x40, 0x20, 0x120);
  model.write(difference, "y");
  model.add(difference);
  Array x = randomArray(extents, 13);
  expectRounded(run(model, {{"x", x}})["y"],
                map(x, [](double v) { return std::min(v, 0.0); }));
}

TEST(Neural, ChainedResultsStayWide) {
  // log(+0) is -65536 * ln 2, which fp16 could not hold in between.
  Extents extents{1, 1, 1, 2, 40};
  Model model = naturalLogarithm(extents);
  Array x = randomArray(extents, 14, 0.5, 100);
  x.values[0] = 0;
  Array expected = map(x, [](double v) { return std::log(v); });
  expected.values[0] = -45440;
  expectNear(run(model, {{"x", x}})["y"], expected, 0.006, 0);

  std::swap(model.tasks[0], model.tasks[1]);
  EXPECT_THAT(refusal(model), HasSubstr("does not hand over its result"));
  model.tasks.resize(1);
  EXPECT_THAT(refusal(model), HasSubstr("does not hand over its result"));
}

TEST(Neural, KernelFromASurface) {
  // Rows of a, four side by side, are the coefficients that b runs through.
  Extents a{1, 1, 64, 1, 24}, b{1, 1, 24, 1, 33}, product{1, 1, 64, 1, 33};
  Model model;
  model.input("a", a);
  model.input("b", b);
  model.output("y", product);
  model.scratchBytes = 0x4000;
  td::RegisterImage copy = planarTask(td::TaskType::OneSource, a);
  model.readFirst(copy, "a");
  object::TensorLayout interleaved = packedLayout({1, 1, 16, 1, 24 * 4});
  setResult(copy, object::BarScratch, interleaved);
  copy.set(Field::DstInterleave, 4);
  copy.set(Field::ResultDMAInterleave, 4);
  model.add(copy);
  td::RegisterImage multiply = neuralTask(b, product);
  model.readFirst(multiply, "b");
  model.write(multiply, "y");
  multiply.set(Field::RuntimeKernel, 1);
  multiply.set(Field::OCGSize, 2);
  setLanes(multiply, 16, interleaved.planeStride, interleaved.planeStride);
  multiply.set(Field::KBase0, object::BarScratch);
  model.add(multiply);
  Array left = randomArray(a, 15), right = randomArray(b, 16),
        expected(product);
  forEach(product, [&](uint32_t, uint32_t, uint32_t m, uint32_t, uint32_t n) {
    for (uint32_t k = 0; k < 24; ++k)
      expected.at(0, 0, m, 0, n) +=
          left.at(0, 0, m, 0, k) * right.at(0, 0, k, 0, n);
  });
  expectRounded(run(model, {{"a", left}, {"b", right}})["y"], expected);
}

TEST(Neural, BytesAreIntegers) {
  Extents stored{1, 1, 3, 4, 8}, extents{1, 1, 3, 4, 16};
  Array halves = randomArray(stored, 65);
  for (bool isSigned : {false, true})
    for (bool kept : {false, true}) {
      Model model;
      model.input("x", stored);
      model.output("y", extents);
      td::RegisterImage task = passTask(extents);
      model.readFirst(task, "x");
      readBytes(task, isSigned);
      if (kept) { // and read again from the scratchpad
        setL2Source(task, 0x100, 0x10, 0x40, td::bits(td::Residence::Kept));
        setL2Result(task, 0x1000, 0x20, 0x80);
        model.add(task);
        setL2Source(task, 0x100, 0x10, 0x40);
      }
      model.write(task, "y");
      model.add(task);
      expectRounded(test::run(model, {{"x", halves}})["y"],
                    bytesOf(halves, isSigned));
    }
}

TEST(Neural, RefusesWhatItDoesNotKnow) {
  auto message = [](auto change) {
    Extents extents{1, 1, 3, 2, 2};
    Unary unary(extents, extents);
    addKernel(unary.model, unary.task, randomCoefficients(1, 3, 3, false, 1),
              0);
    change(unary.task);
    unary.model.add(unary.task);
    return refusal(unary.model);
  };
  EXPECT_EQ(message([](td::RegisterImage &) {}), "");
  EXPECT_THAT(message([](auto &task) { task.set(Field::SparseFmt, 1); }),
              HasSubstr("test.hwx:0:16384: error: task 0: KernelDMASrc.Master."
                        "SparseStream (bits 5:5 of register 0x1f800) is 0x0: "
                        "NE.KernelCfg.SparseFmt says otherwise"));
  EXPECT_THAT(message([](auto &task) {
                task.set(Field::SparseFmt, 1);
                task.set(Field::KernelDMASparse, 1);
                task.set(Field::Sx, 2);
              }),
              HasSubstr("the order of a zero-skipping kernel is known for "));
  EXPECT_THAT(message([](auto &task) { task.set(Field::PalettizedEn, 1); }),
              HasSubstr("StreamDMAConfig[2].En"));
  EXPECT_THAT(message([](auto &task) {
                task.set(Field::PalettizedEn, 1);
                task.set(Field::PalettizedBits, 3);
                task.set(Field::StreamEn, 1, 2);
              }),
              HasSubstr("a palette has indices of 4 or 8 bits"));
  EXPECT_THAT(message([](auto &task) { task.set(Field::PalettizedBits, 4); }),
              HasSubstr("the kernel has no palette"));
  EXPECT_THAT(message([](auto &task) { task.set(Field::StreamEn, 1, 2); }),
              HasSubstr("KernelDMASrc.StreamDMAConfig[2].En"));
  EXPECT_THAT(
      message([](auto &task) { task.set(Field::Ox, 2); }),
      HasSubstr("two outputs in a step are known of windows of an odd"));
  EXPECT_THAT(message([](auto &task) { task.set(Field::Ox, 3); }),
              HasSubstr("1 and 2 are known"));
  EXPECT_THAT(message([](auto &task) { task.set(Field::InFmt, 0); }),
              HasSubstr("it is not the element format of source 1"));
  EXPECT_THAT(message([](auto &task) {
                task.set(Field::InFmt, 3);
                task.set(Field::SourceDMAFmt, 0);
              }),
              HasSubstr("only 0 (uint8), 1 (int8) and 2 (fp16) are known"));
  EXPECT_THAT(message([](auto &task) { task.set(Field::OutFmt, 0); }),
              HasSubstr("it is 0 where the result has 8 bits"));
  EXPECT_THAT(message([](auto &task) { task.set(Field::Src1DMAEn, 0); }),
              HasSubstr("a source is fetched from memory"));
  EXPECT_THAT(message([](auto &task) { task.set(Field::MACOpMode, 1); }),
              HasSubstr("NE.MACCfg.OpMode"));
  EXPECT_THAT(message([](auto &task) { task.set(Field::TDSkip, 1); }),
              HasSubstr("Header[6].TDSkip"));
  EXPECT_THAT(message([](auto &task) { task.set(Field::ENE, 4); }),
              HasSubstr("it does not go with task type 0 and 2^2 active NEs"));
  EXPECT_THAT(
      message([](auto &task) {
        task.setWord(td::Block::NE, 0,
                     task.word(td::Block::NE, 0) | 0x80000000);
      }),
      HasSubstr("bits 0x80000000 of register 0x0c800 (NE word 0) are set "
                "and have no known meaning"));
}

} // namespace
