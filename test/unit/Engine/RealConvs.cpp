//===- RealConvs.cpp - Real convolutions ----------------------------------===//

#include "Exemplars.h"
#include "llvm/ADT/STLExtras.h"

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;

namespace {

struct Conv {
  const char *name;
  uint32_t in, out, size, kernel, groups;
  bool bias;
  uint32_t stride = 1;
};

constexpr Conv table[] = {
    Conv{"conv_known_k1_c128_n64_s16_st2_g1_bias1_same", 128, 64, 16, 1, 1,
         true, 2},
    Conv{"conv_known_k1_c256_n64_s16_st2_g1_bias1_same", 256, 64, 16, 1, 1,
         true, 2},
    Conv{"conv_known_k1_c64_n128_s16_st1_g1_bias0_same", 64, 128, 16, 1, 1,
         false},
    Conv{"conv_known_k1_c64_n512_s16_st1_g1_bias0_same", 64, 512, 16, 1, 1,
         false},
    Conv{"conv_known_k1_c64_n64_s16_st1_g1_bias0_same", 64, 64, 16, 1, 1,
         false},
    Conv{"conv_known_k3_c128_n128_s16_st1_g128_bias0_same", 128, 128, 16, 3,
         128, false},
    Conv{"conv_known_k3_c128_n64_s16_st1_g4_bias0_same", 128, 64, 16, 3, 4,
         false},
    Conv{"conv_known_k3_c256_n64_s16_st1_g4_bias0_same", 256, 64, 16, 3, 4,
         false},
    Conv{"conv_known_k3_c64_n256_s16_st1_g4_bias0_same", 64, 256, 16, 3, 4,
         false},
    Conv{"conv_known_k3_c64_n64_s16_st1_g4_bias0_same", 64, 64, 16, 3, 4,
         false},
    Conv{"conv_probe_k1_c1024_n64_s16_st1_g1_bias0_same", 1024, 64, 16, 1, 1,
         false},
    Conv{"conv_probe_k1_c64_n64_s1_st1_g1_bias0_same", 64, 64, 1, 1, 1, false},
    Conv{"conv_probe_k1_c64_n64_s1_st1_g1_bias1_same", 64, 64, 1, 1, 1, true},
    Conv{"conv_probe_k1_c64_n64_s8_st1_g1_bias0_same", 64, 64, 8, 1, 1, false},
    Conv{"conv_probe_k3_c128_n128_s16_st1_g128_bias1_same", 128, 128, 16, 3,
         128, true},
    Conv{"conv_probe_k3_c256_n256_s16_st1_g4_bias0_same", 256, 256, 16, 3, 4,
         false},
    Conv{"conv_probe_k3_c512_n512_s16_st1_g512_bias0_same", 512, 512, 16, 3,
         512, false},
    Conv{"conv_probe_k3_c512_n512_s16_st1_g512_bias1_same", 512, 512, 16, 3,
         512, true},
    Conv{"conv_probe_k3_c64_n64_s16_st1_g64_bias1_same", 64, 64, 16, 3, 64,
         true},
    Conv{"conv_probe_k3_c64_n64_s1_st1_g1_bias0_same", 64, 64, 1, 3, 1, false},
    Conv{"conv_probe_k3_c64_n64_s8_st1_g1_bias0_same", 64, 64, 8, 3, 1, false},
    Conv{"env_conv_k1_c64_n256_s8_st1_g1_bias0", 64, 256, 8, 1, 1, false}};

std::string describe(const Conv &p) {
  std::string text = p.groups == 1      ? "conv "
                     : p.groups == p.in ? "depthwise conv "
                                        : "conv of 4 groups ";
  std::string kernel = std::to_string(p.kernel);
  text += kernel + "x" + kernel;
  if (p.stride != 1)
    text += ", stride " + std::to_string(p.stride) + ", zeros left out";
  return text + (p.bias ? ", bias" : "");
}

/// Zeros that one lane of the real program leaves out: its size is what the
/// register words show of the weights.
constexpr uint32_t sparseZeros = 50;

Outcome runConv(RealCase &program, const Conv &p) {
  bool channelwise = p.groups == p.in;
  uint32_t groups = channelwise ? 1 : p.groups;
  uint32_t taps = p.kernel * p.kernel * (channelwise ? 1 : p.in / groups);
  Coefficients coefficients =
      randomCoefficients(groups, p.out / groups, taps, p.bias, 9);
  coefficients.channelwise = channelwise;
  if (p.stride != 1) {
    for (double &weight : coefficients.weights)
      weight = weight == 0 ? 1 : weight;
    std::fill_n(coefficients.weights.begin(), sparseZeros, 0);
  }
  program.kernel(0, coefficients);
  Array x = randomArray(shape(p.in, p.size, p.size), 10);
  program.input(4, x);
  uint32_t size = p.size / p.stride;
  program.output(5, shape(p.out, size, size));

  // Groups of channels as the convolution sees them.
  Array grouped(Extents{groups, 1, p.in / groups, p.size, p.size});
  grouped.values = x.values;
  Geometry geometry{p.kernel, p.kernel,     p.stride,
                    p.stride, p.kernel / 2, p.kernel / 2};
  return Outcome(program.run(5),
                 convolve(grouped, coefficients, geometry,
                          {groups, 1, p.out / groups, size, size}));
}

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
  td::RegisterImage copy = passTask(x.extents);
  setSource(copy, 10, packedLayout(x.extents));
  setL2Result(copy, 0, 0x2f0, 0xbc000);
  program.tasks.insert(program.tasks.begin(), makeTask(copy));
  program.input(10, x);
}

/// Some elements of a result, [rows, columns] at `at(row, column)`, next to the
/// dot products that they are.
template <typename At, typename PartOf>
Outcome sampleProducts(uint32_t rows, const Array &x,
                       llvm::ArrayRef<Coefficients> parts, PartOf partOf,
                       At at) {
  constexpr uint32_t rowStep = 37, columnStep = 22; // reach every lane
  Outcome outcome;
  for (uint32_t row = 0; row < rows; row += rowStep)
    for (uint32_t column = 0; column < longWidth; column += columnStep) {
      outcome.actual.push_back(at(row, column));
      outcome.expected.push_back(
          dot(x, column, parts[partOf(row)], row % longPart));
    }
  return outcome;
}

/// The last group of output channels is computed first.
uint32_t lastFirst(uint32_t row) { return 3 - row / longPart; }

Outcome runPartitioned(RealCase &program) {
  Array x = randomArray(shape(longTaps, 1, longWidth), 11, -1, 1);
  std::vector<Coefficients> parts = addParts(program, 12);
  program.input(4, x);
  program.output(5, shape(4 * longPart, 1, longWidth));
  Array y = program.run(5);
  return sampleProducts(4 * longPart, x, parts, lastFirst,
                        [&](uint32_t row, uint32_t column) {
                          return y.at(0, 0, row, 0, column);
                        });
}

/// The second of two tasks, which finds its source in the scratchpad.
Outcome runSecondPart(RealCase &program) {
  Coefficients coefficients =
      randomCoefficients(1, longPart, longTaps, false, 16);
  program.constants.resize(0x100000); // the first part's
  program.kernel(0, coefficients);
  Array x = randomArray(shape(longTaps, 1, longWidth), 17, -1, 1);
  prependLoad(program, x);
  program.output(5, shape(2 * longPart, 1, longWidth));
  Array y = program.run(5);
  return sampleProducts(
      longPart, x, coefficients, [](uint32_t) { return 0; },
      [&](uint32_t row, uint32_t column) {
        return y.at(0, 0, row, 0, column);
      });
}

/// Parts that meet in scratch and are transposed there.
Outcome runTransposedParts(RealCase &program) {
  std::vector<Coefficients> parts = addParts(program, 18);
  Array x = randomArray(shape(longTaps, 1, longWidth), 22, -1, 1);
  prependLoad(program, x);
  program.scratchBytes = 0x180000;
  program.output(5, shape(4 * longPart, longWidth, 1));
  Array y = program.run(5);
  return sampleProducts(4 * longPart, x, parts, lastFirst,
                        [&](uint32_t row, uint32_t column) {
                          return y.at(0, 0, row, column, 0);
                        });
}

/// Two outputs in a step, and a copy of those that there are.
Outcome runPairs(RealCase &program) {
  constexpr uint32_t channels = 1024, taps = 9;
  Coefficients coefficients =
      randomCoefficients(1, channels, taps, /*bias=*/true, 23);
  coefficients.channelwise = true;
  std::vector<std::vector<uint8_t>> lanes(td::numLanes);
  for (uint32_t c = 0; c < channels; ++c) {
    auto tap = [&](int k) {
      return k >= 0 && k < int(taps) ? coefficients.weight(0, c, k) : 0;
    };
    // Each position of the ten columns with both outputs, even ones first.
    double bias = coefficients.biasOf(0, c);
    std::vector<double> slot = {bias, bias};
    for (int k : {0, 2, 4, 6, 8, 1, 3, 5, 7, 9})
      slot.insert(slot.end(), {tap(k), tap(k - 1)});
    appendHalves(lanes[c % td::numLanes], slot);
  }
  for (const std::vector<uint8_t> &lane : lanes)
    program.constants.insert(program.constants.end(), lane.begin(), lane.end());
  Array x = randomArray(shape(channels, 1, longWidth), 24);
  program.input(4, x);
  program.output(5, shape(channels, 1, longWidth));
  return Outcome(program.run(5),
                 convolve(x, coefficients, {1, taps, 1, 1, 0, 4},
                          shape(channels, 1, longWidth)));
}

} // namespace

std::vector<Exemplar> test::convExemplars() {
  std::vector<Exemplar> all;
  for (const Conv &p : table)
    all.push_back({p.name, describe(p),
                   [p](RealCase &program) { return runConv(program, p); }});
  all.push_back({"encoder_conv_idx_c1024_n2048_k1x1_s1_g1_bias0_valid_wmaj",
                 "conv 1x1 in four tasks", runPartitioned});
  all.push_back({"encoder_conv_c1024_n1024_k1x1_s1_g1_bias0_valid_task1",
                 "conv 1x1, second of two tasks", runSecondPart});
  all.push_back({"encoder_conv_c1024_n2048_k1x1_valid_hmaj_tasks1to5",
                 "conv 1x1 in four tasks, then a transpose",
                 runTransposedParts});
  all.push_back({"encoder_conv_idx_c1024_n1024_k1x9_s1_g1024_bias1_same",
                 "depthwise conv 1x9, two columns in a step, then a copy",
                 runPairs});
  return all;
}
