//===- PlanarTest.cpp - Operations of the planar engine -------------------===//

#include "Fixtures.h"
#include "llvm/ADT/STLExtras.h"
#include "gmock/gmock.h"
#include <bit>
#include <cmath>

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;
using testing::HasSubstr;

namespace {

/// Common.Cfg.TaskType.
constexpr auto One = td::TaskType::OneSource, Two = td::TaskType::TwoSources,
               Pair = td::TaskType::VectorPair,
               Reduce = td::TaskType::Reduction,
               ReduceTwo = td::TaskType::ReductionOfTwo;

/// A program of one task from ports a and maybe b to port y.
struct Planar {
  Model model;
  td::RegisterImage task;

  Planar(td::TaskType type, const Extents &extents, const Extents &a,
         const Extents *b, const Extents &y)
      : task(planarTask(type, extents)) {
    model.input("a", a);
    if (b)
      model.input("b", *b);
    model.output("y", y);
    model.readFirst(task, "a");
    if (b)
      model.readSecond(task, "b");
    model.write(task, "y");
  }
  Planar(td::TaskType type, const Extents &extents)
      : Planar(type, extents, extents, type == One ? nullptr : &extents,
               extents) {}

  Array run(const Arrays &inputs) {
    model.add(task);
    return test::run(model, inputs)["y"];
  }
};

const Extents extents{2, 2, 3, 4, 19};

TEST(Planar, TwoSources) {
  Array a = randomArray(extents, 1), b = randomArray(extents, 2);
  using Operation = double (*)(double, double);
  constexpr Operation operations[] = {
      [](double x, double y) { return x + y; },
      [](double x, double y) { return x * y; },
      [](double x, double y) { return std::max(x, y); },
      [](double x, double y) { return std::min(x, y); },
      [](double x, double y) { return (x + y) * (x + y); }};
  for (uint32_t op = 0; op < std::size(operations); ++op) {
    Planar planar(Two, extents);
    planar.task.set(Field::PEOpMode, op);
    Array y(extents);
    for (size_t i = 0; i < y.values.size(); ++i)
      y.values[i] = operations[op](a.values[i], b.values[i]);
    expectRounded(planar.run({{"a", a}, {"b", b}}), y);
  }
}

/// As real programs select from an interleaved constant: Fmt2.Interleave stays
/// 0, and source 2 lies as source 1 does.
TEST(Planar, BothSourcesAreInterleaved) {
  constexpr uint32_t factor = 8, scratch = object::BarScratch;
  Extents extents{1, 1, 12, 3, 5};
  object::TensorLayout places = interleavedLayout(extents, factor);
  uint64_t size = places.batchStride;
  Planar planar(Two, extents);
  planar.model.scratchBytes = 2 * size;
  for (auto [port, base] :
       {std::pair("a", uint64_t(0)), std::pair("b", size)}) {
    td::RegisterImage task = passTask(extents);
    planar.model.readFirst(task, port);
    setResult(task, scratch, places, base);
    setResultInterleave(task, factor);
    planar.model.add(task);
  }
  setSource(planar.task, scratch, places);
  setSecondSource(planar.task, scratch, places, size);
  setSourceInterleave(planar.task, factor);
  Array a = randomArray(extents, 31), b = randomArray(extents, 32), y(extents);
  for (size_t i = 0; i < y.values.size(); ++i)
    y.values[i] = a.values[i] + b.values[i];
  expectRounded(planar.run({{"a", a}, {"b", b}}), y);
}

TEST(Planar, SignsScalesAndActivations) {
  Array a = randomArray(extents, 3), b = randomArray(extents, 4);
  Planar planar(Two, extents);
  planar.task.set(Field::PESrc1Negate, 1);
  planar.task.set(Field::PESrc2Negate, 1);
  planar.task.set(Field::PEPreScale, halfBits(2));
  planar.task.set(Field::PEScale, halfBits(0.5));
  planar.task.set(Field::PEBias, halfBits(0.25));
  planar.task.set(Field::PERelu, 1);
  planar.task.set(Field::InputReLU, 1);
  planar.task.set(Field::Input2ReLU, 1);
  Array y(extents);
  for (size_t i = 0; i < y.values.size(); ++i) {
    double first = std::max(a.values[i], 0.0);
    double second = std::max(b.values[i], 0.0);
    y.values[i] = std::max((-2 * first - second + 0.25) * 0.5, 0.0);
  }
  expectRounded(planar.run({{"a", a}, {"b", b}}), y);
}

/// One real program has a bias and a scale, 1 and 0.798: what it computes says
/// which comes first.
TEST(Planar, OneSource) {
  Array a = randomArray(extents, 5);
  Planar affine(One, extents);
  affine.task.set(Field::PEScale, halfBits(-3));
  affine.task.set(Field::PEBias, halfBits(1.5));
  affine.task.set(Field::PEPreScale, halfBits(0.25));
  Array y = a;
  for (double &value : y.values)
    value = (value * 0.25 + 1.5) * -3;
  expectRounded(affine.run({{"a", a}}), y);

  Planar absolute(One, extents);
  absolute.task.set(Field::PEAbs, 1);
  y = a;
  for (double &value : y.values)
    value = std::abs(value);
  expectRounded(absolute.run({{"a", a}}), y);

  Planar square(One, extents);
  square.task.set(Field::PEOpMode, 4);
  y = a;
  for (double &value : y.values)
    value *= value;
  expectRounded(square.run({{"a", a}}), y);
}

TEST(Planar, BroadcastsEveryAxisOfEitherSource) {
  struct Flag {
    Field first, second;
    uint32_t Extents::*extent;
  };
  const Flag flags[] = {
      {Field::Src1BroadcastW, Field::Src2BroadcastW, &Extents::width},
      {Field::Src1BroadcastH, Field::Src2BroadcastH, &Extents::height},
      {Field::Src1BroadcastD, Field::Src2BroadcastD, &Extents::depth},
      {Field::Src1BroadcastC, Field::Src2BroadcastC, &Extents::channels}};
  for (unsigned mask = 1; mask < 16; ++mask)
    for (bool second : {false, true}) {
      Extents small = extents;
      for (unsigned i = 0; i < 4; ++i)
        if (mask & (1 << i))
          small.*flags[i].extent = 1;
      Extents a = second ? extents : small, b = second ? small : extents;
      Planar planar(Two, extents, a, &b, extents);
      planar.task.set(Field::PEOpMode, 1);
      for (unsigned i = 0; i < 4; ++i)
        if (mask & (1 << i))
          planar.task.set(second ? flags[i].second : flags[i].first, 1);
      Array x = randomArray(a, 6), z = randomArray(b, 7), y(extents);
      auto at = [](const Array &array, uint32_t g, uint32_t d, uint32_t c,
                   uint32_t h, uint32_t w) {
        const Extents &e = array.extents;
        return array.at(g, d % e.depth, c % e.channels, h % e.height,
                        w % e.width);
      };
      forEach(extents,
              [&](auto... i) { y.at(i...) = at(x, i...) * at(z, i...); });
      expectRounded(planar.run({{"a", x}, {"b", z}}), y);
    }
}

TEST(Planar, VectorFlagsExchangeChannelsAndColumns) {
  Extents full{1, 1, 6, 2, 5}, exchanged{1, 1, 5, 2, 6};
  Planar planar(Two, full, exchanged, &exchanged, exchanged);
  planar.task.set(Field::Src1Vector, 1);
  planar.task.set(Field::Src2Vector, 1);
  planar.task.set(Field::ResultVector, 1);
  planar.task.set(Field::PESrc2Negate, 1);
  Array a = randomArray(exchanged, 8), b = randomArray(exchanged, 9),
        y(exchanged);
  for (size_t i = 0; i < y.values.size(); ++i)
    y.values[i] = a.values[i] - b.values[i];
  expectRounded(planar.run({{"a", a}, {"b", b}}), y);
  // One source alone makes it visible.
  Planar transpose(One, full, full, nullptr, exchanged);
  transpose.task.set(Field::ResultVector, 1);
  Array x = randomArray(full, 10);
  forEach(full, [&](uint32_t g, uint32_t d, uint32_t c, uint32_t h,
                    uint32_t w) { y.at(g, d, w, h, c) = x.at(g, d, c, h, w); });
  expectRounded(transpose.run({{"a", x}}), y);
}

TEST(Planar, VectorPair) {
  // (x + row 0) * row 1 of each channel; here the rows are columns' worth of
  // channels, as a constant of 2 x C.
  Extents full{1, 1, 40, 3, 4}, rows{1, 1, 1, 2, 40};
  Planar planar(Pair, full, full, &rows, full);
  planar.task.set(Field::Src2Vector, 1);
  planar.task.set(Field::PESrc2Negate, 1);
  Array x = randomArray(full, 11), pair = randomArray(rows, 12), y(full);
  forEach(full, [&](uint32_t g, uint32_t d, uint32_t c, uint32_t h,
                    uint32_t w) {
    y.at(g, d, c, h, w) =
        (x.at(g, d, c, h, w) - pair.at(0, 0, 0, 0, c)) * pair.at(0, 0, 0, 1, c);
  });
  expectRounded(planar.run({{"a", x}, {"b", pair}}), y);
}

/// A real program applies a pair of constants that stays in the scratchpad:
/// what comes later may read it there.
TEST(Planar, SecondSourceStays) {
  Extents full{1, 1, 40, 3, 4}, rows{1, 1, 1, 2, 40};
  Model model;
  model.input("a", full);
  model.input("b", rows);
  model.output("y", full);
  model.output("z", rows);
  td::RegisterImage apply = planarTask(Pair, full);
  model.readFirst(apply, "a");
  model.readSecond(apply, "b");
  model.write(apply, "y");
  apply.set(Field::Src2Vector, 1);
  constexpr int64_t place = 0x8000, row = 0x50;
  setL2SecondSource(apply, place, row, row);
  apply.set(Field::Src2Kept, 1);
  model.add(apply);
  td::RegisterImage copy = planarTask(One, rows);
  setL2Source(copy, place, row, row);
  model.write(copy, "z");
  model.add(copy);
  Array x = randomArray(full, 11), pair = randomArray(rows, 12), y(full);
  forEach(full, [&](uint32_t g, uint32_t d, uint32_t c, uint32_t h,
                    uint32_t w) {
    y.at(g, d, c, h, w) =
        (x.at(g, d, c, h, w) + pair.at(0, 0, 0, 0, c)) * pair.at(0, 0, 0, 1, c);
  });
  auto results = run(model, {{"a", x}, {"b", pair}});
  expectRounded(results["y"], y);
  expectRounded(results["z"], pair);
}

struct ReduceCase {
  const char *name;
  Extents in, out;
};

class Reduction : public testing::TestWithParam<ReduceCase> {};

TEST_P(Reduction, SumMeanAndMaximum) {
  const auto &[name, in, out] = GetParam();
  Array x = randomArray(in, 13);
  for (bool maximum : {false, true}) {
    Array y(out);
    for (double &value : y.values)
      value = maximum ? -INFINITY : 0;
    forEach(in,
            [&](uint32_t g, uint32_t d, uint32_t c, uint32_t h, uint32_t w) {
              double &value = y.at(g, d % out.depth, c, h % out.height, 0);
              double element = x.at(g, d, c, h, w);
              value = maximum ? std::max(value, element) : value + element / 8;
            });
    Planar planar(Reduce, in, in, nullptr, out);
    planar.task.set(Field::PEPoolMode, maximum ? 2 : 0);
    if (!maximum)
      planar.task.set(Field::PEFinalScale, std::bit_cast<uint32_t>(0.125f));
    expectRounded(planar.run({{"a", x}}), y);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Reduction,
    testing::Values(
        ReduceCase{"columnsOfOneRow", {1, 1, 7, 1, 50}, {1, 1, 7, 1, 1}},
        ReduceCase{"rowsAsGroups", {6, 1, 7, 1, 20}, {6, 1, 7, 1, 1}},
        ReduceCase{"rowsAndColumns", {1, 1, 7, 6, 20}, {1, 1, 7, 1, 1}},
        ReduceCase{"depthToo", {1, 5, 2, 6, 9}, {1, 1, 2, 1, 1}}),
    [](const auto &info) { return std::string(info.param.name); });

/// A real program takes the maximum of absolute values in one task.
TEST(Planar, MaximumOfAbsoluteValues) {
  for (Extents in : {Extents{1, 1, 7, 6, 20}, Extents{1, 1, 7, 1, 100}}) {
    Extents out{1, 1, 7, 1, 1};
    Array x = randomArray(in, 18), y(out);
    forEach(in,
            [&](uint32_t g, uint32_t d, uint32_t c, uint32_t h, uint32_t w) {
              double &value = y.at(g, d, c, 0, 0);
              value = std::max(value, std::abs(x.at(g, d, c, h, w)));
            });
    Planar planar(Reduce, in, in, nullptr, out);
    planar.task.set(Field::PEPoolMode, 2);
    planar.task.set(Field::PEAbs, 1);
    expectRounded(planar.run({{"a", x}}), y);
  }
}

TEST(Planar, RefusesAbsoluteValuesInOtherReductions) {
  Extents in{1, 1, 7, 6, 20}, out{1, 1, 7, 1, 1};
  auto message = [&](td::TaskType type, Field field, uint32_t value) {
    Planar planar(type, in, in, type == ReduceTwo ? &in : nullptr, out);
    planar.task.set(Field::PEPoolMode, 2);
    planar.task.set(Field::PEAbs, 1);
    planar.task.set(field, value);
    planar.model.add(planar.task);
    return refusal(planar.model);
  };
  for (std::string refused : {message(Reduce, Field::PEPoolMode, 0),
                              message(Reduce, Field::PEOpMode, 4),
                              message(ReduceTwo, Field::PEAbs, 1)})
    EXPECT_THAT(refused, HasSubstr("PE.Cfg.Abs (bits 6:6 of register 0x08800) "
                                   "is 0x1: of reductions it is known in a "
                                   "maximum of one source"));
}

/// No real task says whether it would reduce rows.
TEST(Planar, RefusesReductionsOfRowsInSeveralGroups) {
  auto message = [](uint32_t groups, uint32_t rows) {
    Extents in{groups, 1, 2, rows, 4}, out{groups, 1, 2, 1, 1};
    Planar planar(Reduce, in, in, nullptr, out);
    planar.model.add(planar.task);
    return refusal(planar.model);
  };
  EXPECT_EQ(message(1, 3), "");
  EXPECT_EQ(message(5, 1), "");
  EXPECT_THAT(
      message(5, 3),
      testing::AllOf(HasSubstr("task 0: Common.GroupConvCfg.NumGroups "),
                     HasSubstr(" is 0x5: Common.InDim.Hin is 3: ")));
  // A row that serves for all.
  Planar broadcast(Reduce, {5, 1, 2, 3, 4}, {5, 1, 2, 1, 4}, nullptr,
                   {5, 1, 2, 1, 1});
  broadcast.task.set(Field::Hin, 1);
  broadcast.task.set(Field::Src1BroadcastH, 1);
  broadcast.model.add(broadcast.task);
  EXPECT_THAT(refusal(broadcast.model), HasSubstr("Common.OutDim.Hout is 3: "));
}

TEST(Planar, VarianceAndPostFunctions) {
  Extents in{1, 1, 5, 1, 64}, out{1, 1, 5, 1, 1};
  Array x = randomArray(in, 14), mean(out), expected(out), inverse(out);
  for (uint32_t c = 0; c < 5; ++c) {
    double sum = 0, variance = 0;
    for (uint32_t w = 0; w < 64; ++w)
      sum += x.at(0, 0, c, 0, w);
    double average = rounded(sum / 64);
    mean.at(0, 0, c, 0, 0) = average;
    for (uint32_t w = 0; w < 64; ++w)
      variance += std::pow(x.at(0, 0, c, 0, w) - average, 2) / 64;
    expected.at(0, 0, c, 0, 0) = 1 / std::sqrt(variance + rounded(1e-5));
    inverse.at(0, 0, c, 0, 0) = 1 / sum;
  }
  Planar planar(ReduceTwo, in, out, &in, out);
  planar.task.set(Field::Src1BroadcastW, 1);
  planar.task.set(Field::PESrc1Negate, 1);
  planar.task.set(Field::PEOpMode, 4);
  planar.task.set(Field::PEFinalScale, std::bit_cast<uint32_t>(1 / 64.0f));
  planar.task.set(Field::PEEpsilon, halfBits(1e-5));
  planar.task.set(Field::PEPostFunction, 2);
  expectRounded(planar.run({{"a", mean}, {"b", x}}), expected);

  Planar reciprocal(Reduce, in, in, nullptr, out);
  reciprocal.task.set(Field::PEPostFunction, 1);
  expectRounded(reciprocal.run({{"a", x}}), inverse);
}

TEST(Planar, RegistersKeepTheirValues) {
  Model model;
  model.input("a", extents);
  model.output("b", extents);
  model.output("c", extents);
  td::RegisterImage task = planarTask(One, extents);
  model.readFirst(task, "a");
  task.set(Field::PEBias, halfBits(1.5));
  model.write(task, "b");
  model.add(task);
  // Its records write everything but the registers of the planar engine.
  model.write(task, "c");
  td::RegisterImage idle;
  td::TaskDescriptor partial = makeTask(task);
  for (auto [index, block] : llvm::enumerate(td::blockTable())) {
    auto name = static_cast<td::Block>(index);
    if (name == td::Block::PE)
      for (unsigned word = 0; word < block.words; ++word)
        partial.image.setWord(name, word, idle.word(name, word));
    else if (name != td::Block::Header)
      partial.runs.push_back({name, 0, block.words});
  }
  model.tasks.push_back(partial);
  auto program = loadBytes(model.container(td::Format::V7));
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  Array a = randomArray(extents, 17), expected = a;
  for (double &value : expected.values)
    value += 1.5;
  Machine &machine = (*program)->machine();
  for (const DevicePort &port : (*program)->ports())
    if (port.name == "a")
      store(a, port.layout, machine.memory(port.section));
  llvm::cantFail(machine.run());
  for (const DevicePort &port : (*program)->ports())
    if (port.name != "a")
      expectRounded(load(port.layout, machine.memory(port.section)), expected);
}

TEST(Planar, BytesBecomeHalves) {
  Extents stored{1, 1, 3, 4, 32}, extents{1, 1, 3, 4, 64};
  Array halves = randomArray(stored, 18);
  for (bool isSigned : {false, true}) {
    Planar planar(One, extents, stored, nullptr, extents);
    readBytes(planar.task, isSigned);
    expectRounded(planar.run({{"a", halves}}), bytesOf(halves, isSigned));
  }
}

TEST(Planar, OneRowForAll) {
  Extents row = extents;
  row.height = 1;
  Array a = randomArray(row, 16), y(extents);
  forEach(extents, [&](auto g, auto d, auto c, auto h, auto w) {
    y.at(g, d, c, h, w) = std::max(a.at(g, d, c, 0, w), 0.0);
  });
  for (bool ownHeight : {false, true}) {
    Planar planar(One, extents, row, nullptr, extents);
    planar.task.set(Field::Src1BroadcastH, 1);
    planar.task.set(Field::PERelu, 1);
    if (ownHeight)
      planar.task.set(Field::Hin, 1);
    expectRounded(planar.run({{"a", a}}), y);
  }
}

TEST(Planar, RefusesWhatItDoesNotKnow) {
  auto message = [](td::TaskType type, auto change) {
    Extents extents{1, 1, 2, 1, 4};
    Planar planar(type, extents);
    change(planar.task);
    planar.model.add(planar.task);
    return refusal(planar.model);
  };
  EXPECT_EQ(message(Two, [](auto &) {}), "");
  EXPECT_THAT(message(Two, [](auto &task) { task.set(Field::PEOpMode, 5); }),
              HasSubstr("PE.Cfg.OpMode"));
  EXPECT_THAT(message(Two, [](auto &task) { task.set(Field::PETwoSource, 0); }),
              HasSubstr("the task type says otherwise"));
  EXPECT_THAT(
      message(Two, [](auto &task) { task.set(Field::PEPostFunction, 1); }),
      HasSubstr("only reductions use it"));
  EXPECT_THAT(message(One, [](auto &task) { task.set(Field::TaskType, 7); }),
              HasSubstr("Common.Cfg.TaskType"));
  EXPECT_THAT(message(One, [](auto &task) { task.set(Field::Wout, 3); }),
              HasSubstr("dimensions of a PE task differ"));
  // A column for all, but no flag says so.
  EXPECT_THAT(message(Two, [](auto &task) { task.set(Field::Win, 1); }),
              HasSubstr("dimensions of a PE task differ"));
  EXPECT_THAT(message(One, [](auto &task) { task.set(Field::Kw, 3); }),
              HasSubstr("PE tasks are known with 0x1 only"));
  EXPECT_THAT(
      message(One, [](auto &task) { task.set(Field::SourceDMAFmt, 0); }),
      HasSubstr("it is not the element format of source 1"));
  EXPECT_THAT(message(Two, [](auto &task) { task.set(Field::Src2Fmt, 0); }),
              HasSubstr("TileDMASrc.Fmt2.Truncate"));
  EXPECT_THAT(
      message(Two, [](auto &task) { task.set(Field::Src2Interleave, 1); }),
      HasSubstr("the interleave of source 2 is in L2.SourceCfg"));
  EXPECT_THAT(message(Two, [](auto &task) { setSourceInterleave(task, 0); }),
              HasSubstr("interleave is 1, 2, 3, 4 or 8"));
  EXPECT_THAT(message(One,
                      [](auto &task) {
                        task.set(Field::ResultVector, 1);
                        setResultInterleave(task, 2);
                      }),
              HasSubstr("only results of the NE are known with interleave"));
}

} // namespace
