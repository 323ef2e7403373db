//===- RealConvTest.cpp - Real convolutions -------------------------------===//

#include "RealCase.h"
#include "gmock/gmock.h"

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;
using testing::HasSubstr;

namespace {

struct Conv {
  const char *name;
  uint32_t in, out, size, kernel, groups;
  bool bias;
};

class RealConv : public testing::TestWithParam<Conv> {};

TEST_P(RealConv, IsExact) {
  const Conv &p = GetParam();
  RealCase program(p.name);
  NEEDS_DATA(program);
  bool channelwise = p.groups == p.in;
  uint32_t groups = channelwise ? 1 : p.groups;
  uint32_t taps = p.kernel * p.kernel * (channelwise ? 1 : p.in / groups);
  Coefficients coefficients =
      randomCoefficients(groups, p.out / groups, taps, p.bias, 9);
  coefficients.channelwise = channelwise;
  program.kernel(0, coefficients);
  Array x = randomArray(shape(p.in, p.size, p.size), 10);
  program.input(4, x);
  program.output(5, shape(p.out, p.size, p.size));

  // Groups of channels as the convolution sees them.
  Array grouped(Extents{groups, 1, p.in / groups, p.size, p.size});
  grouped.values = x.values;
  Geometry geometry{p.kernel, p.kernel, 1, 1, p.kernel / 2, p.kernel / 2};
  Array expected = convolve(grouped, coefficients, geometry,
                            {groups, 1, p.out / groups, p.size, p.size});
  expectRounded(program.run(5), expected);
}

INSTANTIATE_TEST_SUITE_P(
    All, RealConv,
    testing::Values(Conv{"conv_known_k1_c64_n128_s16_st1_g1_bias0_same", 64,
                         128, 16, 1, 1, false},
                    Conv{"conv_known_k1_c64_n512_s16_st1_g1_bias0_same", 64,
                         512, 16, 1, 1, false},
                    Conv{"conv_known_k1_c64_n64_s16_st1_g1_bias0_same", 64, 64,
                         16, 1, 1, false},
                    Conv{"conv_known_k3_c128_n128_s16_st1_g128_bias0_same", 128,
                         128, 16, 3, 128, false},
                    Conv{"conv_known_k3_c128_n64_s16_st1_g4_bias0_same", 128,
                         64, 16, 3, 4, false},
                    Conv{"conv_known_k3_c256_n64_s16_st1_g4_bias0_same", 256,
                         64, 16, 3, 4, false},
                    Conv{"conv_known_k3_c64_n256_s16_st1_g4_bias0_same", 64,
                         256, 16, 3, 4, false},
                    Conv{"conv_known_k3_c64_n64_s16_st1_g4_bias0_same", 64, 64,
                         16, 3, 4, false},
                    Conv{"conv_probe_k1_c1024_n64_s16_st1_g1_bias0_same", 1024,
                         64, 16, 1, 1, false},
                    Conv{"conv_probe_k1_c64_n64_s1_st1_g1_bias0_same", 64, 64,
                         1, 1, 1, false},
                    Conv{"conv_probe_k1_c64_n64_s1_st1_g1_bias1_same", 64, 64,
                         1, 1, 1, true},
                    Conv{"conv_probe_k1_c64_n64_s8_st1_g1_bias0_same", 64, 64,
                         8, 1, 1, false},
                    Conv{"conv_probe_k3_c128_n128_s16_st1_g128_bias1_same", 128,
                         128, 16, 3, 128, true},
                    Conv{"conv_probe_k3_c256_n256_s16_st1_g4_bias0_same", 256,
                         256, 16, 3, 4, false},
                    Conv{"conv_probe_k3_c512_n512_s16_st1_g512_bias0_same", 512,
                         512, 16, 3, 512, false},
                    Conv{"conv_probe_k3_c512_n512_s16_st1_g512_bias1_same", 512,
                         512, 16, 3, 512, true},
                    Conv{"conv_probe_k3_c64_n64_s16_st1_g64_bias1_same", 64, 64,
                         16, 3, 64, true},
                    Conv{"conv_probe_k3_c64_n64_s1_st1_g1_bias0_same", 64, 64,
                         1, 3, 1, false},
                    Conv{"conv_probe_k3_c64_n64_s8_st1_g1_bias0_same", 64, 64,
                         8, 3, 1, false},
                    Conv{"env_conv_k1_c64_n256_s8_st1_g1_bias0", 64, 256, 8, 1,
                         1, false}),
    [](const auto &info) { return std::string(info.param.name); });

/// The sum over k of x[k, column] * weight[row, k], for long reductions of
/// which only some results are looked at.
double dot(const Array &x, uint32_t column, const Coefficients &coefficients,
           uint32_t row) {
  double sum = 0;
  for (uint32_t k = 0; k < coefficients.taps; ++k)
    sum += x.at(0, 0, k, 0, column) * coefficients.weight(0, row, k);
  return sum;
}

constexpr uint32_t longWidth = 375, longTaps = 1024, longPart = 512;

/// The coefficients of four tasks of 512 output channels.
std::vector<Coefficients> addParts(RealCase &program, unsigned seed) {
  std::vector<Coefficients> parts;
  for (unsigned task = 0; task < 4; ++task) {
    parts.push_back(
        randomCoefficients(1, longPart, longTaps, false, seed + task));
    program.kernel(task, parts.back());
  }
  return parts;
}

/// Loads x, [1024, 1, 375], into the scratchpad as the tasks of a partitioned
/// convolution expect it.
void prependLoad(RealCase &program, const Array &x) {
  td::RegisterImage copy = neuralTask(x.extents, x.extents);
  copy.set(Field::MACOpMode, 4);
  copy.set(Field::KernelMode, 1);
  setSource(copy, 10, packedLayout(x.extents));
  setL2Result(copy, 0, 0x2f0, 0xbc000);
  program.tasks.insert(program.tasks.begin(), {copy, {}});
  program.input(10, x);
}

TEST(RealTasks, PartitionedConvolution) {
  // The last group of output channels is computed first.
  RealCase program("encoder_conv_idx_c1024_n2048_k1x1_s1_g1_bias0_valid_wmaj");
  NEEDS_DATA(program);
  Array x = randomArray(shape(longTaps, 1, longWidth), 11, -1, 1);
  std::vector<Coefficients> parts = addParts(program, 12);
  program.input(4, x);
  program.output(5, shape(4 * longPart, 1, longWidth));
  Array y = program.run(5);
  for (uint32_t row = 0; row < 4 * longPart; row += 37)
    for (uint32_t column = 0; column < longWidth; column += 22)
      EXPECT_EQ(
          y.at(0, 0, row, 0, column),
          rounded(dot(x, column, parts[3 - row / longPart], row % longPart)));
}

TEST(RealTasks, SecondPartReadsTheScratchpad) {
  RealCase program("encoder_conv_c1024_n1024_k1x1_s1_g1_bias0_valid_task1");
  NEEDS_DATA(program);
  Coefficients coefficients =
      randomCoefficients(1, longPart, longTaps, false, 16);
  program.constants.resize(0x100000); // the first part's
  program.kernel(0, coefficients);
  Array x = randomArray(shape(longTaps, 1, longWidth), 17, -1, 1);
  prependLoad(program, x);
  program.output(5, shape(2 * longPart, 1, longWidth));
  Array y = program.run(5);
  for (uint32_t row = 0; row < longPart; row += 17)
    for (uint32_t column = 0; column < longWidth; column += 22)
      EXPECT_EQ(y.at(0, 0, row, 0, column),
                rounded(dot(x, column, coefficients, row)));
}

TEST(RealTasks, PartsMeetInScratchAndAreTransposed) {
  RealCase program("encoder_conv_c1024_n2048_k1x1_valid_hmaj_tasks1to5");
  NEEDS_DATA(program);
  std::vector<Coefficients> parts = addParts(program, 18);
  Array x = randomArray(shape(longTaps, 1, longWidth), 22, -1, 1);
  prependLoad(program, x);
  program.scratchBytes = 0x180000;
  program.output(5, shape(4 * longPart, longWidth, 1));
  Array y = program.run(5);
  for (uint32_t row = 0; row < 4 * longPart; row += 37)
    for (uint32_t column = 0; column < longWidth; column += 22)
      EXPECT_EQ(
          y.at(0, 0, row, column, 0),
          rounded(dot(x, column, parts[3 - row / longPart], row % longPart)));
}

TEST(RealTasks, RefusesSparseKernelsAndPairsOfOutputs) {
  for (llvm::StringRef name :
       {"conv_known_k1_c128_n64_s16_st2_g1_bias1_same",
        "conv_known_k1_c256_n64_s16_st2_g1_bias1_same"}) {
    RealCase sparse(name);
    NEEDS_DATA(sparse);
    sparse.output(5, shape(64, 8, 8));
    EXPECT_THAT(sparse.refusal(),
                HasSubstr("KernelDMASrc.Master.SparseStream"));
  }
  RealCase pairs("encoder_conv_idx_c1024_n1024_k1x9_s1_g1024_bias1_same");
  pairs.output(5, shape(1024, 1, 375));
  EXPECT_THAT(pairs.refusal(), HasSubstr("Common.ConvCfg.Ox"));
}

} // namespace
