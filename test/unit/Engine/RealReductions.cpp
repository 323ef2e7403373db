//===- RealReductions.cpp - Real reductions and normalisations ------------===//

#include "Exemplars.h"
#include "Tables.h"
#include "ane/TaskDescriptor/Values.h"
#include <cmath>

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;

namespace {

struct Reduce {
  const char *name;
  Extents in, out;
  bool maximum;
  bool flat = false; ///< the result holds its channels along W
};

const Reduce table[] = {Reduce{"reduce_probe_max_ax1_1x64x1x1", shape(64, 1, 1),
                               shape(1, 1, 1), true},
                        Reduce{"reduce_probe_max_ax1_1x64x1x64",
                               shape(64, 1, 64), shape(1, 1, 64), true},
                        Reduce{"reduce_probe_max_ax2_1x64x8x8", shape(64, 8, 8),
                               shape(64, 1, 8), true},
                        Reduce{"reduce_probe_max_ax2_3_1x64x8x8_flat",
                               shape(64, 8, 8), shape(64, 1, 1), true, true},
                        Reduce{"reduce_probe_max_ax3_1x64x1x64",
                               shape(64, 1, 64), shape(64, 1, 1), true},
                        Reduce{"reduce_probe_sum_ax1_1x64x1x1", shape(64, 1, 1),
                               shape(1, 1, 1), false},
                        Reduce{"reduce_probe_sum_ax1_1x64x8x8", shape(64, 8, 8),
                               shape(1, 8, 8), false},
                        Reduce{"reduce_probe_sum_ax1_2_3_1x64x8x8",
                               shape(64, 8, 8), shape(1, 1, 1), false},
                        Reduce{"reduce_probe_sum_ax2_3_1x32x4x4",
                               shape(32, 4, 4), shape(32, 1, 1), false},
                        Reduce{"reduce_probe_sum_ax3_1x64x1x64",
                               shape(64, 1, 64), shape(64, 1, 1), false}};

std::string describe(const Reduce &p) {
  std::string text = p.maximum ? "max over" : "sum over";
  if (p.in.channels != p.out.channels)
    text += " C";
  if (p.in.height != p.out.height)
    text += " H";
  if (p.in.width != p.out.width)
    text += " W";
  return text;
}

Outcome runReduce(RealCase &program, const Reduce &p) {
  Array x = randomArray(p.in, 42);
  program.input(4, x);
  Array expected(p.out);
  for (double &value : expected.values)
    value = p.maximum ? -INFINITY : 0;
  forEach(p.in, [&](auto, auto, auto c, auto h, auto w) {
    double &value = expected.at(0, 0, c % p.out.channels, h % p.out.height,
                                w % p.out.width);
    double element = x.at(0, 0, c, h, w);
    value = p.maximum ? std::max(value, element) : value + element;
  });
  if (p.flat)
    expected.extents = shape(1, 1, p.out.channels);
  program.output(5, expected.extents);
  return Outcome(program.run(5), expected);
}

/// The axis that a normalisation runs along.
enum class Axis { Channels, Columns };

/// Calls `body` for each line along the axis with its elements, and stores what
/// it makes of them.
template <typename Body> Array alongAxis(const Array &x, Axis axis, Body body) {
  Array y(x.extents);
  Extents lines = x.extents;
  bool channels = axis == Axis::Channels;
  uint32_t length = channels ? lines.channels : lines.width;
  (channels ? lines.channels : lines.width) = 1;
  forEach(lines, [&](auto g, auto d, auto c, auto h, auto w) {
    std::vector<double> line;
    for (uint32_t i = 0; i < length; ++i)
      line.push_back(channels ? x.at(g, d, i, h, w) : x.at(g, d, c, h, i));
    body(line);
    for (uint32_t i = 0; i < length; ++i)
      (channels ? y.at(g, d, i, h, w) : y.at(g, d, c, h, i)) = line[i];
  });
  return y;
}

Array softmax(const Array &x, Axis axis) {
  return alongAxis(x, axis, [](std::vector<double> &line) {
    double most = *std::max_element(line.begin(), line.end()), sum = 0;
    for (double &value : line)
      sum += value = std::exp(value - most);
    for (double &value : line)
      value /= sum;
  });
}

/// (x - mean) / sqrt(variance + 1e-5)
Array layerNorm(const Array &x, Axis axis) {
  return alongAxis(x, axis, [](std::vector<double> &line) {
    double mean = 0, variance = 0, count = line.size();
    for (double value : line)
      mean += value / count;
    for (double value : line)
      variance += (value - mean) * (value - mean) / count;
    for (double &value : line)
      value = (value - mean) / std::sqrt(variance + 1e-5);
  });
}

/// The terms of 2^x and of its sum are read from tables and rounded.
constexpr double softmaxAbsolute = 1e-5, softmaxRelative = 0.005;

Outcome runSoftmax(RealCase &program, const Array &x, Axis axis,
                   std::initializer_list<td::LutRecord> tables) {
  program.tables(tables);
  program.input(4, x);
  program.output(5, x.extents);
  return Outcome(program.run(5), softmax(x, axis), softmaxAbsolute,
                 softmaxRelative);
}

/// The first task, the maximum, is not known.
Outcome runSoftmaxOfOneRow(RealCase &program) {
  Array x = randomArray(shape(64, 1, 128), 45, -4, 4);
  td::RegisterImage maximum = planarTask(td::TaskType::Reduction, x.extents);
  td::setValue<Field::PEPoolMode>(maximum, td::PEPoolMode::Max);
  maximum.set(Field::ResultVector, 1);
  maximum.set(Field::LinkOut, 1);
  setSource(maximum, 4, packedLayout(x.extents));
  setL2Source(maximum, 0x4080, 0x100, 0x4000, td::bits(td::Residence::Kept));
  setL2Result(maximum, 0, 0x80, 0x80);
  program.tasks.insert(program.tasks.begin(), makeTask(maximum));
  return runSoftmax(program, x, Axis::Columns, {exp2Table()});
}

Outcome runLayerNorm(RealCase &program, const Extents &extents) {
  Array x = randomArray(extents, 46);
  program.input(4, x);
  program.output(5, extents);
  Axis axis = extents.channels > 1 ? Axis::Channels : Axis::Columns;
  return Outcome(program.run(5), layerNorm(x, axis), 0.001, 0.002);
}

/// Over the channels of an image. The last task, which multiplies, is not
/// known.
Outcome runLayerNormOfImage(RealCase &program) {
  Array x = randomArray(shape(64, 8, 8), 47);
  td::RegisterImage multiply = planarTask(td::TaskType::TwoSources, x.extents);
  td::setValue<Field::PEOpMode>(multiply, td::PEOpMode::Multiply);
  multiply.set(Field::Src2BroadcastC, 1);
  multiply.set(Field::LinkIn, 1);
  setL2Source(multiply, 0x80, 0x10, 0x420);
  setL2SecondSource(multiply, 0, 0x10, 0x10);
  setResult(multiply, 5, packedLayout(x.extents));
  program.tasks.push_back(makeTask(multiply));
  program.input(4, x);
  program.output(5, x.extents);
  return Outcome(program.run(5), layerNorm(x, Axis::Channels), 0.002, 0.002);
}

} // namespace

std::vector<Exemplar> test::reductionExemplars() {
  std::vector<Exemplar> all;
  for (const Reduce &p : table)
    all.push_back({p.name, describe(p),
                   [p](RealCase &program) { return runReduce(program, p); }});
  all.push_back(
      {"norm_softmax_a1_1x64x8x8", "softmax over C", [](RealCase &program) {
         return runSoftmax(program, randomArray(shape(64, 8, 8), 43, -4, 4),
                           Axis::Channels, {exp2Table(), reciprocalTable()});
       }});
  all.push_back(
      {"norm_softmax_a3_1x64x8x8", "softmax over W", [](RealCase &program) {
         return runSoftmax(program, randomArray(shape(64, 8, 8), 44, -4, 4),
                           Axis::Columns, {exp2Table()});
       }});
  all.push_back({"norm_softmax_a3_1x64x1x128_tasks1to4", "softmax over W",
                 runSoftmaxOfOneRow});
  for (auto [name, extents] :
       {std::pair("norm_layer_norm_ax1_1x64x1x1", shape(64, 1, 1)),
        std::pair("norm_layer_norm_ax1_2_3_1x1x1x64", shape(1, 1, 64)),
        std::pair("norm_layer_norm_ax3_1x1x1x64", shape(1, 1, 64))})
    all.push_back(
        {name, extents.channels > 1 ? "layer_norm over C" : "layer_norm over W",
         [extents = extents](RealCase &program) {
           return runLayerNorm(program, extents);
         }});
  all.push_back({"norm_layer_norm_ax1_1x64x8x8_tasks0to4", "layer_norm over C",
                 runLayerNormOfImage});
  return all;
}
