//===- RealElementwise.cpp - Real element-wise and layout tasks -----------===//

#include "Exemplars.h"
#include "Tables.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;

namespace {

using Function = double (*)(double, double);

struct Elementwise {
  const char *name;
  const char *op;
  Extents extents;
  unsigned first, second, result; ///< BARs; second 0 for none
  Function function;
  double low = -2, high = 2;
  double absolute = 0, relative = 0; ///< 0: the rounded value exactly
  td::LutRecord (*table)() = nullptr;
};

Outcome runElementwise(RealCase &program, const Elementwise &p) {
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
  return Outcome(program.run(p.result), expected, p.absolute, p.relative);
}

double sum(double x, double y) { return x + y; }
double relu(double x, double) { return std::max(x, 0.0); }
double times(double x, double) { return x * 0.5; }
double gelu(double x, double) {
  return x / 2 * (1 + std::erf(x / std::sqrt(2.0)));
}

const Elementwise table[] = {
    Elementwise{"binary_add_1x64x1x1", "x + y", shape(64, 1, 1), 4, 6, 5, sum},
    Elementwise{"binary_add_1x128x1x1", "x + y", shape(128, 1, 1), 4, 6, 5,
                sum},
    Elementwise{"binary_add_1x256x1x1", "x + y", shape(256, 1, 1), 4, 6, 5,
                sum},
    Elementwise{"binary_add_1x1024x1x1", "x + y", shape(1024, 1, 1), 4, 6, 5,
                sum},
    Elementwise{"binary_add_1x2048x1x1", "x + y", shape(2048, 1, 1), 4, 6, 5,
                sum},
    Elementwise{"binary_add_1x64x8x8", "x + y", shape(64, 8, 8), 4, 6, 5, sum},
    Elementwise{"chain_base_add_d256_s64", "x + y", shape(1, 64, 256), 5, 6, 4,
                sum},
    Elementwise{"chain_base_mul_scalar_d256_s64", "x * 0.125",
                shape(1, 64, 256), 5, 0, 4,
                [](double x, double) { return x * 0.125; }},
    Elementwise{"chain_base_relu_d256_s64", "relu(x)", shape(1, 64, 256), 5, 0,
                4, relu},
    Elementwise{"chain_res_relu_d1024", "x + relu(x)", shape(1024, 1, 1), 5, 5,
                4, [](double x, double) { return x + std::max(x, 0.0); }},
    Elementwise{"binary_add_c512_constant_scalar", "x + 0.5", shape(512, 1, 1),
                4, 0, 5, [](double x, double) { return x + 0.5; }},
    Elementwise{"binary_sub_c64_constant_scalar", "x - 0.5", shape(64, 1, 1), 4,
                0, 5, [](double x, double) { return x - 0.5; }},
    Elementwise{"binary_mul_c64_constant_scalar", "x * 0.5", shape(64, 1, 1), 4,
                0, 5, times},
    Elementwise{"binary_mul_c512_constant_scalar", "x * 0.5", shape(512, 1, 1),
                4, 0, 5, times},
    Elementwise{"binary_maximum_c64_constant_scalar", "max(x, 0.5)",
                shape(64, 1, 1), 4, 0, 5,
                [](double x, double) { return std::max(x, 0.5); }, -2, 2, 0, 0,
                [] { return maximumTable(0.5); }},
    Elementwise{"binary_minimum_c64_constant_scalar", "min(x, 0.5)",
                shape(64, 1, 1), 4, 0, 5,
                [](double x, double) { return std::min(x, 0.5); }, -2, 2, 0, 0,
                [] { return minimumTable(0.5); }},
    Elementwise{"unary_abs_c1024", "abs(x)", shape(1024, 1, 1), 4, 0, 5,
                [](double x, double) { return std::abs(x); }},
    Elementwise{"unary_relu_c64", "relu(x)", shape(64, 1, 1), 4, 0, 5, relu},
    Elementwise{"unary_leaky_relu_c64", "leaky_relu(x, 0.125)", shape(64, 1, 1),
                4, 0, 5, [](double x, double) { return x > 0 ? x : x * 0.125; },
                -2, 2, 0, 0, [] { return leakyReluTable(0.125); }},
    Elementwise{"unary_exp_c512", "exp(x)", shape(512, 1, 1), 4, 0, 5,
                [](double x, double) { return std::exp(x); }, -8, 10, 0, 0.003,
                exp2Table},
    Elementwise{"unary_gelu_c512", "gelu(x)", shape(512, 1, 1), 4, 0, 5, gelu,
                -6, 6, 0.0062, 0, geluTable},
    Elementwise{"unary_rsqrt_c512", "1 / sqrt(x + 1e-6)", shape(512, 1, 1), 4,
                0, 5, [](double x, double) { return 1 / std::sqrt(x + 1e-6); },
                1 / 64.0, 100, 0, 0.0015, rsqrtTable},
    Elementwise{"unary_tanh_c512", "tanh(x)", shape(512, 1, 1), 4, 0, 5,
                [](double x, double) { return std::tanh(x); }, -6, 6, 0.0017, 0,
                tanhTable},
    Elementwise{"unary_silu_1x375x4096", "x * sigmoid(x)", shape(1, 375, 4096),
                4, 0, 5,
                [](double x, double) { return x / (1 + std::exp(-x)); }, -8, 8,
                0.015, 0, siluTable}};

Outcome runScalarDivision(RealCase &program, uint32_t channels) {
  appendHalves(program.constants, std::vector<double>(channels, 0.0));
  appendHalves(program.constants, std::vector<double>(channels, 2.0));
  Array x = randomArray(shape(channels, 1, 1), 3);
  program.input(4, x);
  program.output(5, x.extents);
  Array expected = x;
  for (double &value : expected.values)
    value *= 2;
  return Outcome(program.run(5), expected);
}

Outcome runBroadcastAdd(RealCase &program) {
  Array x = randomArray(shape(64, 8, 8), 7);
  Array z = randomArray(shape(64, 1, 1), 8);
  program.input(4, x);
  program.input(6, z);
  program.output(5, x.extents);
  return Outcome(program.run(5),
                 generate(x.extents, [&](auto c, auto h, auto w) {
                   return x.at(0, 0, c, h, w) + z.values[c];
                 }));
}

/// A program that moves elements: `from(c, h, w)` yields the coordinates in x
/// of an element of the result.
template <typename From>
Outcome runMove(RealCase &program, const Extents &in, const Extents &out,
                From from) {
  Array x = randomArray(in, 38);
  program.input(4, x);
  program.output(5, out);
  return Outcome(program.run(5), generate(out, [&](auto c, auto h, auto w) {
                   auto [fromC, fromH, fromW] = from(c, h, w);
                   return x.at(0, 0, fromC, fromH, fromW);
                 }));
}

std::array<uint32_t, 3> inPlace(uint32_t c, uint32_t h, uint32_t w) {
  return {c, h, w};
}
std::array<uint32_t, 3> rowsAndColumns(uint32_t c, uint32_t h, uint32_t w) {
  return {c, w, h};
}
std::array<uint32_t, 3> channelsAndRows(uint32_t c, uint32_t h, uint32_t w) {
  return {h, c, w};
}

} // namespace

std::vector<Exemplar> test::elementwiseExemplars() {
  std::vector<Exemplar> all;
  for (const Elementwise &p : table)
    all.push_back({p.name, p.op, [p](RealCase &program) {
                     return runElementwise(program, p);
                   }});
  for (uint32_t channels : {64, 512})
    all.push_back(
        {"binary_real_div_c" + std::to_string(channels) + "_constant_scalar",
         "x / 0.5 as (x + 0) * 2, a pair for each channel",
         [=](RealCase &program) {
           return runScalarDivision(program, channels);
         }});
  all.push_back({"env_bcast_add_1x64x8x8_runtime_1x64x1x1",
                 "x + z, z of 1x1 for each channel", runBroadcastAdd});
  all.push_back(
      {"encoder_slice_lastdim", "x[..., :375]", [](RealCase &program) {
         return runMove(program, shape(8, 375, 749), shape(8, 375, 375),
                        inPlace);
       }});
  all.push_back({"encoder_transpose_r3_021_1x1024x375",
                 "transpose of rows and columns", [](RealCase &program) {
                   return runMove(program, shape(1, 1024, 375),
                                  shape(1, 375, 1024), rowsAndColumns);
                 }});
  all.push_back({"encoder_transpose_r4_0213", "transpose of channels and rows",
                 [](RealCase &program) {
                   return runMove(program, shape(8, 375, 128),
                                  shape(375, 8, 128), channelsAndRows);
                 }});
  all.push_back({"encoder_transpose_r4_0213_1x375x256x16",
                 "transpose of channels and rows", [](RealCase &program) {
                   return runMove(program, shape(375, 256, 16),
                                  shape(256, 375, 16), channelsAndRows);
                 }});
  return all;
}
