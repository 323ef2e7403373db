//===- RealElementwiseTest.cpp - Real element-wise and layout tasks -------===//

#include "RealCase.h"
#include "Tables.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;

namespace {

struct Elementwise {
  const char *name;
  Extents extents;
  unsigned first, second, result; ///< BARs; second 0 for none
  double (*function)(double, double);
  double low = -2, high = 2;
  double absolute = 0, relative = 0; ///< 0: the rounded value exactly
  td::LutRecord (*table)() = nullptr;
};

class RealElementwise : public testing::TestWithParam<Elementwise> {};

TEST_P(RealElementwise, Computes) {
  const Elementwise &p = GetParam();
  RealCase program(p.name);
  NEEDS_DATA(program);
  Array x = randomArray(p.extents, 1, p.low, p.high);
  Array y = randomArray(p.extents, 2, p.low, p.high);
  program.input(p.first, x);
  if (p.second == p.first)
    y = x;
  else if (p.second)
    program.input(p.second, y);
  program.output(p.result, p.extents);
  if (p.table)
    program.tables({p.table()});
  Array expected(p.extents);
  for (size_t i = 0; i < x.values.size(); ++i)
    expected.values[i] = p.function(x.values[i], y.values[i]);
  Array actual = program.run(p.result);
  if (p.absolute == 0 && p.relative == 0)
    expectRounded(actual, expected);
  else
    RecordProperty("worst", std::to_string(expectNear(actual, expected,
                                                      p.absolute, p.relative)));
}

double sum(double x, double y) { return x + y; }
double relu(double x, double) { return std::max(x, 0.0); }
double times(double x, double) { return x * 0.5; }
double gelu(double x, double) {
  return x / 2 * (1 + std::erf(x / std::sqrt(2.0)));
}

INSTANTIATE_TEST_SUITE_P(
    All, RealElementwise,
    testing::Values(
        Elementwise{"binary_add_1x64x1x1", shape(64, 1, 1), 4, 6, 5, sum},
        Elementwise{"binary_add_1x128x1x1", shape(128, 1, 1), 4, 6, 5, sum},
        Elementwise{"binary_add_1x256x1x1", shape(256, 1, 1), 4, 6, 5, sum},
        Elementwise{"binary_add_1x1024x1x1", shape(1024, 1, 1), 4, 6, 5, sum},
        Elementwise{"binary_add_1x2048x1x1", shape(2048, 1, 1), 4, 6, 5, sum},
        Elementwise{"binary_add_1x64x8x8", shape(64, 8, 8), 4, 6, 5, sum},
        Elementwise{"chain_base_add_d256_s64", shape(1, 64, 256), 5, 6, 4, sum},
        Elementwise{"chain_base_mul_scalar_d256_s64", shape(1, 64, 256), 5, 0,
                    4, [](double x, double) { return x * 0.125; }},
        Elementwise{"chain_base_relu_d256_s64", shape(1, 64, 256), 5, 0, 4,
                    relu},
        Elementwise{"chain_res_relu_d1024", shape(1024, 1, 1), 5, 5, 4,
                    [](double x, double) { return x + std::max(x, 0.0); }},
        Elementwise{"binary_add_c512_constant_scalar", shape(512, 1, 1), 4, 0,
                    5, [](double x, double) { return x + 0.5; }},
        Elementwise{"binary_sub_c64_constant_scalar", shape(64, 1, 1), 4, 0, 5,
                    [](double x, double) { return x - 0.5; }},
        Elementwise{"binary_mul_c64_constant_scalar", shape(64, 1, 1), 4, 0, 5,
                    times},
        Elementwise{"binary_mul_c512_constant_scalar", shape(512, 1, 1), 4, 0,
                    5, times},
        Elementwise{"binary_maximum_c64_constant_scalar", shape(64, 1, 1), 4, 0,
                    5, [](double x, double) { return std::max(x, 0.5); }, -2, 2,
                    0, 0, [] { return maximumTable(0.5); }},
        Elementwise{"binary_minimum_c64_constant_scalar", shape(64, 1, 1), 4, 0,
                    5, [](double x, double) { return std::min(x, 0.5); }, -2, 2,
                    0, 0, [] { return minimumTable(0.5); }},
        Elementwise{"unary_abs_c1024", shape(1024, 1, 1), 4, 0, 5,
                    [](double x, double) { return std::abs(x); }},
        Elementwise{"unary_relu_c64", shape(64, 1, 1), 4, 0, 5, relu},
        Elementwise{"unary_leaky_relu_c64", shape(64, 1, 1), 4, 0, 5,
                    [](double x, double) { return x > 0 ? x : x * 0.125; }, -2,
                    2, 0, 0, [] { return leakyReluTable(0.125); }},
        Elementwise{"unary_exp_c512", shape(512, 1, 1), 4, 0, 5,
                    [](double x, double) { return std::exp(x); }, -8, 10, 0,
                    0.003, exp2Table},
        Elementwise{"unary_gelu_c512", shape(512, 1, 1), 4, 0, 5, gelu, -6, 6,
                    0.0062, 0, geluTable},
        Elementwise{"unary_rsqrt_c512", shape(512, 1, 1), 4, 0, 5,
                    [](double x, double) { return 1 / std::sqrt(x + 1e-6); },
                    1 / 64.0, 100, 0, 0.0015, rsqrtTable},
        Elementwise{"unary_tanh_c512", shape(512, 1, 1), 4, 0, 5,
                    [](double x, double) { return std::tanh(x); }, -6, 6,
                    0.0017, 0, tanhTable},
        Elementwise{"unary_silu_1x375x4096", shape(1, 375, 4096), 4, 0, 5,
                    [](double x, double) { return x / (1 + std::exp(-x)); }, -8,
                    8, 0.015, 0, siluTable}),
    [](const auto &info) { return std::string(info.param.name); });

TEST(RealTasks, DivisionByAScalarIsAVectorPair) {
  for (uint32_t channels : {64, 512}) {
    RealCase program("binary_real_div_c" + std::to_string(channels) +
                     "_constant_scalar");
    NEEDS_DATA(program);
    appendHalves(program.constants, std::vector<double>(channels, 0.0));
    appendHalves(program.constants, std::vector<double>(channels, 2.0));
    Array x = randomArray(shape(channels, 1, 1), 3);
    program.input(4, x);
    program.output(5, x.extents);
    Array expected = x;
    for (double &value : expected.values)
      value *= 2;
    expectRounded(program.run(5), expected);
  }
}

TEST(RealTasks, PairHoldsBiasesAndScalesByChannel) {
  RealCase program("binary_real_div_c64_constant_scalar");
  NEEDS_DATA(program);
  std::vector<double> bias = randomArray(shape(1, 1, 64), 4).values;
  std::vector<double> scale = randomArray(shape(1, 1, 64), 5).values;
  appendHalves(program.constants, bias);
  appendHalves(program.constants, scale);
  Array x = randomArray(shape(64, 1, 1), 6);
  program.input(4, x);
  program.output(5, x.extents);
  expectRounded(program.run(5), generate(x.extents, [&](auto c, auto, auto) {
                  return (x.values[c] + bias[c]) * scale[c];
                }));
}

TEST(RealTasks, BroadcastAdd) {
  RealCase program("env_bcast_add_1x64x8x8_runtime_1x64x1x1");
  NEEDS_DATA(program);
  Array x = randomArray(shape(64, 8, 8), 7);
  Array z = randomArray(shape(64, 1, 1), 8);
  program.input(4, x);
  program.input(6, z);
  program.output(5, x.extents);
  expectRounded(program.run(5),
                generate(x.extents, [&](auto c, auto h, auto w) {
                  return x.at(0, 0, c, h, w) + z.values[c];
                }));
}

TEST(RealTasks, SliceAndTransposes) {
  RealCase slice("encoder_slice_lastdim");
  NEEDS_DATA(slice);
  Array x = randomArray(shape(8, 375, 749), 38);
  slice.input(4, x);
  slice.output(5, shape(8, 375, 375));
  expectRounded(slice.run(5),
                generate(shape(8, 375, 375), [&](auto c, auto h, auto w) {
                  return x.at(0, 0, c, h, w);
                }));

  RealCase matrix("encoder_transpose_r3_021_1x1024x375");
  x = randomArray(shape(1, 1024, 375), 39);
  matrix.input(4, x);
  matrix.output(5, shape(1, 375, 1024));
  expectRounded(matrix.run(5),
                generate(shape(1, 375, 1024), [&](auto, auto h, auto w) {
                  return x.at(0, 0, 0, w, h);
                }));

  RealCase heads("encoder_transpose_r4_0213");
  x = randomArray(shape(8, 375, 128), 40);
  heads.input(4, x);
  heads.output(5, shape(375, 8, 128));
  expectRounded(heads.run(5),
                generate(shape(375, 8, 128), [&](auto c, auto h, auto w) {
                  return x.at(0, 0, h, c, w);
                }));

  RealCase tiled("encoder_transpose_r4_0213_1x375x256x16");
  x = randomArray(shape(375, 256, 16), 41);
  tiled.input(4, x);
  tiled.output(5, shape(256, 375, 16));
  expectRounded(tiled.run(5),
                generate(shape(256, 375, 16), [&](auto c, auto h, auto w) {
                  return x.at(0, 0, h, c, w);
                }));
}

} // namespace
