//===- PublicRecordsTest.cpp - Runs programs of public records ------------===//

#include "Exemplars.h"
#include "PublicRecord.h"
#include "Tables.h"
#include "gmock/gmock.h"
#include <cmath>

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;
using testing::HasSubstr;

namespace {

/// What is read from a table and rounded in each task; fp16 has 11 bits.
constexpr double absolute = 0.005, relative = 0.005, softmaxAbsolute = 0.001;

const Extents hidden = shape(1, 32, 3072), features = shape(1, 32, 768),
              perFeature = shape(1, 1, 768), heads = shape(12, 32, 32),
              mask = shape(1, 32, 32);

/// tanh of sqrt(2 / pi) * (x + 0.0447 x^3), as the programs have the factors.
constexpr double outer = 0x1.988p-1, cubic = 0x1.6e4p-5, slope = 0x1.12cp-3;
double inner(double x) { return std::tanh((x + cubic * x * x * x) * outer); }

TEST(PublicRecords, Gelu) {
  RealCase program(tasksOf(geluRecord()));
  program.tables({tanhTable()});
  Array x = randomArray(hidden, 71, -3, 3), y = x;
  for (double &value : y.values)
    value = 0.5 * value * (1 + inner(value));
  program.input(4, x);
  program.output(5, hidden);
  expectOutcome("gelu 32x3072", "gelu(x), with tanh",
                Outcome(program.run(5), y, absolute, relative));
}

/// The one program with a bias and a scale in a task of the planar engine.
TEST(PublicRecords, GeluDerivative) {
  RealCase program(tasksOf(geluDerivativeRecord()));
  program.tables({tanhTable()});
  Array x = randomArray(hidden, 72, -3, 3), dy = randomArray(hidden, 73),
        dx = x;
  for (size_t i = 0; i < x.values.size(); ++i) {
    double v = x.values[i], t = inner(v);
    double rise = (v * v * slope + 1) * outer;
    dx.values[i] =
        dy.values[i] * ((t + 1) * 0.5 + v * rise * (1 - t * t) * 0.5);
  }
  program.input(4, x);
  program.input(5, dy);
  program.output(6, hidden);
  expectOutcome("gelu derivative 32x3072", "dy * gelu'(x), with tanh",
                Outcome(program.run(6), dx, absolute, relative));
}

/// A row without mean and with variance 1, and what it was divided by.
struct NormalRow {
  std::vector<double> values;
  double deviation;

  NormalRow(const Array &x, uint32_t row) {
    uint32_t count = x.extents.width;
    double mean = 0, variance = 0;
    for (uint32_t i = 0; i < count; ++i)
      mean += x.at(0, 0, 0, row, i) / count;
    for (uint32_t i = 0; i < count; ++i) {
      values.push_back(x.at(0, 0, 0, row, i) - mean);
      variance += values.back() * values.back() / count;
    }
    deviation = std::sqrt(variance + 1e-5);
    for (double &value : values)
      value /= deviation;
  }
};

TEST(PublicRecords, LayerNorm) {
  RealCase program(tasksOf(layerNormRecord()));
  Array x = randomArray(features, 74), y(features);
  Array gain = randomArray(perFeature, 75),
        offset = randomArray(perFeature, 76);
  for (uint32_t row = 0; row < features.height; ++row) {
    NormalRow normal(x, row);
    for (uint32_t i = 0; i < features.width; ++i)
      y.at(0, 0, 0, row, i) =
          normal.values[i] * gain.values[i] + offset.values[i];
  }
  program.input(4, offset);
  program.input(5, gain);
  program.output(6, features);
  program.input(7, x);
  expectOutcome("layer_norm 32x768", "layer_norm over W, with gain and offset",
                Outcome(program.run(6), y, absolute, relative));
}

TEST(PublicRecords, LayerNormDerivative) {
  RealCase program(tasksOf(layerNormDerivativeRecord()));
  Array x = randomArray(features, 77), dy = randomArray(features, 78);
  Array gain = randomArray(perFeature, 79), dx(features);
  for (uint32_t row = 0; row < features.height; ++row) {
    NormalRow normal(x, row);
    double mean = 0, product = 0;
    auto scaled = [&](uint32_t i) {
      return dy.at(0, 0, 0, row, i) * gain.values[i];
    };
    for (uint32_t i = 0; i < features.width; ++i) {
      mean += scaled(i) / features.width;
      product += scaled(i) * normal.values[i] / features.width;
    }
    for (uint32_t i = 0; i < features.width; ++i)
      dx.at(0, 0, 0, row, i) =
          (scaled(i) - mean - normal.values[i] * product) / normal.deviation;
  }
  program.input(4, x);
  program.input(5, dy);
  program.output(6, features);
  program.input(7, gain);
  expectOutcome("layer_norm derivative 32x768", "derivative of layer_norm by x",
                Outcome(program.run(6), dx, absolute, relative));
}

TEST(PublicRecords, Softmax) {
  RealCase program(tasksOf(softmaxRecord()));
  program.tables({exp2Table()});
  Array x = randomArray(heads, 80, -8, 8), bias = randomArray(mask, 81);
  Array y = generate(heads, [&](uint32_t c, uint32_t h, uint32_t w) {
    return std::exp(x.at(0, 0, c, h, w) * 0.125 + bias.at(0, 0, 0, h, w));
  });
  for (uint32_t c = 0; c < heads.channels; ++c)
    for (uint32_t h = 0; h < heads.height; ++h) {
      double sum = 0;
      for (uint32_t w = 0; w < heads.width; ++w)
        sum += y.at(0, 0, c, h, w);
      for (uint32_t w = 0; w < heads.width; ++w)
        y.at(0, 0, c, h, w) /= sum;
    }
  program.input(4, bias);
  program.input(5, x);
  program.output(6, heads);
  expectOutcome("softmax 12x32x32", "softmax over W of x / 8 + mask",
                Outcome(program.run(6), y, softmaxAbsolute, relative));
}

TEST(PublicRecords, SoftmaxDerivative) {
  RealCase program(tasksOf(softmaxDerivativeRecord()));
  Array y = randomArray(heads, 82, 0, 1), dy = randomArray(heads, 83);
  Array dx = generate(heads, [&](uint32_t c, uint32_t h, uint32_t w) {
    double sum = 0;
    for (uint32_t i = 0; i < heads.width; ++i)
      sum += dy.at(0, 0, c, h, i) * y.at(0, 0, c, h, i);
    return y.at(0, 0, c, h, w) * (dy.at(0, 0, c, h, w) - sum) * 0.125;
  });
  program.input(4, y);
  program.input(5, dy);
  program.output(6, heads);
  expectOutcome("softmax derivative 12x32x32",
                "derivative of softmax over W, / 8",
                Outcome(program.run(6), dx, softmaxAbsolute, relative));
}

std::vector<std::vector<td::TaskDescriptor>> allRecords() {
  std::vector<std::vector<td::TaskDescriptor>> all;
  for (auto record :
       {geluRecord, geluDerivativeRecord, layerNormRecord,
        layerNormDerivativeRecord, softmaxRecord, softmaxDerivativeRecord})
    all.push_back(tasksOf(record()));
  return all;
}

/// What the register tables say of links, writers and hints.
TEST(PublicRecords, AgreeWithWhatIsSaidOfThem) {
  unsigned links = 0, writers = 0, secondWriters = 0, overlaps = 0;
  constexpr Field hazards[] = {
      Field::SourceDependent,      Field::Source2Dependent,
      Field::SourceAliasConvSrc,   Field::SourceAliasConvRslt,
      Field::SourceAliasPlanarSrc, Field::SourceAliasPlanarRslt,
      Field::ResultAliasConvSrc,   Field::ResultAliasConvRslt,
      Field::ResultAliasPlanarSrc, Field::ResultAliasPlanarRslt};
  for (const std::vector<td::TaskDescriptor> &tasks : allRecords()) {
    for (size_t i = 0; i < tasks.size(); ++i) {
      const td::RegisterImage &image = tasks[i].image;
      bool planar = image.isSet(Field::TaskType);
      EXPECT_EQ(image.get(Field::LinkOut), image.get(Field::DisallowAbort));
      if (i == 0) {
        EXPECT_FALSE(image.isSet(Field::LinkIn));
        continue;
      }
      const td::RegisterImage &before = tasks[i - 1].image;
      bool planarBefore = before.isSet(Field::TaskType);
      EXPECT_EQ(image.isSet(Field::LinkIn),
                planar && before.isSet(Field::LinkOut));
      links += image.isSet(Field::LinkIn);
      writers += image.isSet(Field::SourceDependent);
      secondWriters += image.isSet(Field::Source2Dependent);
      if (planar && planarBefore) {
        EXPECT_TRUE(before.isSet(Field::LinkOut));
      }
      if (planar != planarBefore) {
        bool waits = false;
        for (Field hazard : hazards)
          waits |= image.isSet(hazard);
        EXPECT_EQ(before.isSet(Field::NextOverlaps), !waits);
        overlaps += !waits;
      }
    }
  }
  EXPECT_EQ(links, 33u);
  EXPECT_EQ(writers, 8u);
  EXPECT_EQ(secondWriters, 5u);
  EXPECT_EQ(overlaps, 2u);
}

/// What the programs showed of marks is found where it is not so.
TEST(PublicRecords, MarksAreChecked) {
  auto message = [](auto change) {
    RealCase program(tasksOf(geluRecord()));
    program.tables({tanhTable()});
    program.input(4, Array(hidden));
    program.output(5, hidden);
    change(program.tasks);
    return program.refusal();
  };
  EXPECT_EQ(message([](auto &) {}), "");
  EXPECT_THAT(
      message([](auto &tasks) { tasks[1].image.set(Field::LinkIn, 0); }),
      HasSubstr("NE.KernelCfg.LinkIn"));
  EXPECT_THAT(
      message([](auto &tasks) { tasks[3].image.set(Field::LinkIn, 1); }),
      HasSubstr("only PE tasks have it"));
  EXPECT_THAT(
      message([](auto &tasks) { tasks[5].image.set(Field::LinkOut, 1); }),
      HasSubstr("is 0x1: no task follows"));
  EXPECT_THAT(
      message([](auto &tasks) { tasks[5].image.set(Field::NextOverlaps, 1); }),
      AllOf(HasSubstr("Cfg.NextOverlaps"), HasSubstr("no task follows")));
  for (auto [task, reason] :
       {std::pair(1, "the next task is of the same engine"),
        std::pair(2, "Dependent"), std::pair(3, "AliasConvRslt")})
    EXPECT_THAT(message([task = task](auto &tasks) {
                  tasks[task].image.set(Field::NextOverlaps, 1);
                }),
                HasSubstr(reason));
  EXPECT_THAT(message([](auto &tasks) {
                tasks[2].image.set(Field::Source2Dependent, 1);
              }),
              HasSubstr("the task before is not of the engine that it names"));
}

} // namespace
