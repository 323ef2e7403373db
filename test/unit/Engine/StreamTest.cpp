//===- StreamTest.cpp - Loops of vectors against the general way ----------===//
//
// Tasks that go from fp16 memory to fp16 memory in one go give the bytes of the
// general way, for each set of instructions that the processor has.
//
//===----------------------------------------------------------------------===//

#include "Execute/Execute.h"
#include "Execute/NeuralStream.h"
#include "Execute/PlanarStream.h"
#include "Surfaces.h"
#include "Tables.h"
#include "gtest/gtest.h"

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;

namespace {

std::vector<Instructions> vectorInstructions() {
  std::vector<Instructions> result;
  for (Instructions each : {Instructions::AVX2, Instructions::AVX512})
    if (hasInstructions(each))
      result.push_back(each);
  return result;
}

Execution executionWith(Instructions instructions,
                        Numerics numerics = Numerics::Documented) {
  return {Workers(1), numerics, {}, instructions};
}

/// Executes a task with all instructions and compares the results' bytes.
template <typename Task>
void expectSameBytes(Task task, const Extents &result,
                     const std::string &what) {
  Surface expected(result);
  task.result = expected.result();
  Execution portable = executionWith(Instructions::Portable);
  execute(portable, task);
  EXPECT_FALSE(expected.bytes == Surface(result).bytes);
  for (Instructions each : vectorInstructions()) {
    Surface actual(result);
    task.result = actual.result();
    EXPECT_TRUE(canStream(each, task)) << what;
    Execution execution = executionWith(each);
    execute(execution, task);
    EXPECT_TRUE(actual.bytes == expected.bytes)
        << what << ", instructions " << int(each);
  }
}

const uint32_t widths[] = {1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 40, 375};

TEST(Stream, ElementWise) {
  unsigned seed = 1;
  for (uint32_t width : widths)
    for (Kind kind : {Kind::Ordinary, Kind::Any})
      for (PlanarOp op : {PlanarOp::Add, PlanarOp::Multiply, PlanarOp::Max,
                          PlanarOp::Min, PlanarOp::SquareOfSum})
        for (unsigned variant = 0; variant < 4; ++variant) {
          Extents extents{2, 1, 2, 3, width};
          Extents narrow = extents;
          narrow.width = 1;
          Surface a(extents, ++seed, kind);
          Surface b(variant == 1 ? narrow : extents, ++seed, kind);
          PlanarTask task;
          task.op = op;
          task.extents = extents;
          task.first = a.operand();
          if (variant != 2)
            task.second = b.operand();
          if (variant == 3) {
            task.first.relu = true;
            task.firstFactor = -1.5f;
            task.secondFactor = 0.75f;
            task.scale = -2;
            task.bias = 0.125f;
            task.absolute = true;
          } else {
            task.relu = variant == 1;
          }
          expectSameBytes(task, extents,
                          "width " + std::to_string(width) + ", operation " +
                              std::to_string(int(op)) + ", variant " +
                              std::to_string(variant));
        }
}

/// The bytes of the elements of a surface, without the gaps.
std::vector<uint8_t> elementsOf(const Surface &surface) {
  std::vector<uint8_t> elements;
  const Extents &e = surface.extents;
  for (uint64_t row = 0; row < e.elements() / e.width; ++row) {
    RowPosition at(e, row);
    const uint8_t *from = surface.bytes.data() +
                          surface.strides.rowOffset(at.g, at.d, at.c, at.h);
    elements.insert(elements.end(), from, from + 2 * e.width);
  }
  return elements;
}

/// A task that writes where `operand` lies gives the bytes that it gives
/// elsewhere.
template <typename Task>
void expectInPlace(const Task &given, Surface &operand,
                   const std::string &what) {
  Task task = given;
  Surface expected(operand.extents);
  task.result = expected.result();
  Execution portable = executionWith(Instructions::Portable);
  execute(portable, task);
  const std::vector<uint8_t> before = operand.bytes;
  task.result = operand.result();
  for (Instructions each :
       {Instructions::Portable, Instructions::AVX2, Instructions::AVX512}) {
    if (!hasInstructions(each))
      continue;
    Execution execution = executionWith(each);
    execute(execution, task);
    EXPECT_TRUE(elementsOf(operand) == elementsOf(expected))
        << what << ", instructions " << int(each);
    operand.bytes = before;
  }
}

TEST(Stream, ElementWiseInPlace) {
  unsigned seed = 1;
  for (uint32_t width : widths)
    for (Kind kind : {Kind::Ordinary, Kind::Any})
      for (PlanarOp op : {PlanarOp::Add, PlanarOp::Multiply})
        for (unsigned variant = 0; variant < 3; ++variant) {
          Extents extents{2, 1, 2, 3, width};
          Surface a(extents, ++seed, kind), b(extents, ++seed, kind);
          PlanarTask task;
          task.op = op;
          task.extents = extents;
          task.first = a.operand();
          // Over the first, the second, or both.
          task.second = variant == 2 ? a.operand() : b.operand();
          task.secondFactor = 0.75f;
          expectInPlace(task, variant == 1 ? b : a,
                        "width " + std::to_string(width) + ", operation " +
                            std::to_string(int(op)) + ", variant " +
                            std::to_string(variant));
        }
}

TEST(Stream, Reductions) {
  unsigned seed = 1;
  for (uint32_t width : widths)
    for (Kind kind : {Kind::Ordinary, Kind::Finite, Kind::Any})
      for (bool maximum : {false, true})
        for (PostFunction post : {PostFunction::None, PostFunction::Reciprocal,
                                  PostFunction::ReciprocalSquareRoot}) {
          Extents extents{2, 1, 2, 3, width}, result = extents;
          result.width = 1;
          Surface a(extents, ++seed, kind);
          PlanarTask task;
          task.extents = extents;
          task.first = a.operand();
          task.first.relu = seed % 3 == 0;
          task.firstFactor = seed % 2 ? 1 : -1;
          if (maximum && seed % 5 == 0)
            task.op = PlanarOp::SquareOfSum;
          task.reduction.emplace();
          task.reduction->maximum = maximum;
          task.reduction->scale = 0.25f;
          task.reduction->post = post;
          expectSameBytes(task, result,
                          "width " + std::to_string(width) + ", maximum " +
                              std::to_string(maximum) + ", function " +
                              std::to_string(int(post)));
        }
}

TEST(Stream, OnlyWhatNoOrderChanges) {
  Extents extents{1, 1, 2, 3, 40}, result = extents;
  result.width = 1;
  Surface a(extents, 1, Kind::Ordinary), b(extents, 2, Kind::Ordinary),
      y(result);
  for (Instructions each : vectorInstructions()) {
    PlanarTask task;
    task.extents = extents;
    task.first = a.operand();
    task.result = y.result();
    task.reduction.emplace();
    EXPECT_TRUE(canStream(each, task));
    EXPECT_FALSE(canStream(Instructions::Portable, task));
    task.firstFactor = 0.1f; // sums of products round
    EXPECT_FALSE(canStream(each, task));
    task.firstFactor = 1;
    task.op = PlanarOp::SquareOfSum;
    EXPECT_FALSE(canStream(each, task));
    task.op = PlanarOp::Add;
    task.second = b.operand();
    EXPECT_FALSE(canStream(each, task));
    task.second.reset();
    task.extents.width = task.first.extents.width = 8193;
    EXPECT_FALSE(canStream(each, task));
    task.reduction->maximum = true;
    EXPECT_TRUE(canStream(each, task));
    task.reduction->epsilon = -0.0f; // -0 and +0 stay different
    EXPECT_FALSE(canStream(each, task));
  }
}

/// Every fp16, in rows of a width that no vector has.
Surface allHalves(uint32_t rows = 16) {
  constexpr uint32_t width = 4099;
  Surface surface({1, 1, 1, rows, width});
  for (uint32_t i = 0; i < rows * width; ++i)
    llvm::support::endian::write16le(
        &surface.bytes[i / width * surface.strides.row + i % width * 2], i);
  return surface;
}

ActivationTable table(const td::LutRecord &record) {
  return llvm::cantFail(ActivationTable::create(record));
}

TEST(Stream, TablesOfAllNumbers) {
  Surface x = allHalves();
  for (const td::LutRecord &record :
       {sigmoidTable(), tanhTable(), geluTable(), siluTable(), exp2Table()})
    for (unsigned variant = 0; variant < 4; ++variant) {
      NeuralTask task;
      task.source = x.operand();
      task.nonlinearity = Nonlinearity::Table;
      task.table = table(record);
      task.source.relu = variant == 1;
      task.source.flushed = variant == 2;
      if (variant >= 2) {
        task.scale = 0.71f;
        task.bias = variant == 2 ? -0.3f : 0;
        task.saturates = variant == 3;
      }
      expectSameBytes(task, x.extents,
                      "mode " + std::to_string(record.mode) + ", variant " +
                          std::to_string(variant));
    }
}

TEST(Stream, TablesInPlace) {
  Surface x = allHalves();
  for (const td::LutRecord &record : {tanhTable(), exp2Table(), sqrtTable()}) {
    NeuralTask task;
    task.source = x.operand();
    task.nonlinearity = Nonlinearity::Table;
    task.table = table(record);
    expectInPlace(task, x, "mode " + std::to_string(record.mode));
  }
}

TEST(Stream, ResultsOfAllNumbers) {
  Surface few = allHalves(), many = allHalves(64);
  for (const td::LutRecord &record :
       {sqrtTable(), rsqrtTable(), reciprocalTable(), log2Table()})
    for (unsigned variant = 0; variant < 3; ++variant) {
      NeuralTask task;
      task.source = many.operand();
      task.result = many.result();
      task.nonlinearity = Nonlinearity::Table;
      task.table = table(record);
      task.source.relu = variant == 1;
      task.source.flushed = variant == 2;
      if (variant == 2) {
        task.scale = 0.71f;
        task.bias = -0.3f;
        task.saturates = true;
      }
      NeuralTask small = task;
      small.source = few.operand();
      small.result = few.result();
      EXPECT_FALSE(tabulate(small));
      EXPECT_FALSE(small.halves);
      EXPECT_TRUE(tabulate(task));
      ASSERT_TRUE(task.halves);
      expectSameBytes(task, many.extents,
                      "mode " + std::to_string(record.mode) + ", variant " +
                          std::to_string(variant));
    }
  // What vectors do needs no results of all numbers.
  NeuralTask task;
  task.source = many.operand();
  task.result = many.result();
  task.nonlinearity = Nonlinearity::Table;
  task.table = table(geluTable());
  EXPECT_FALSE(tabulate(task));
}

TEST(Stream, PassesOfAllNumbers) {
  Surface x = allHalves();
  for (unsigned variant = 0; variant < 8; ++variant) {
    NeuralTask task;
    task.source = x.operand();
    task.nonlinearity = variant & 1 ? Nonlinearity::Relu : Nonlinearity::None;
    task.scale = variant & 2 ? -1.5f : 1;
    task.saturates = variant & 4;
    expectSameBytes(task, x.extents, "variant " + std::to_string(variant));
  }
}

TEST(Stream, TablesOfShortRows) {
  unsigned seed = 1;
  for (uint32_t width : widths)
    for (const td::LutRecord &record :
         {tanhTable(), geluTable(), exp2Table()}) {
      Surface x({2, 1, 2, 3, width}, ++seed, Kind::Any);
      NeuralTask task;
      task.source = x.operand();
      task.nonlinearity = Nonlinearity::Table;
      task.table = table(record);
      expectSameBytes(task, x.extents, "width " + std::to_string(width));
    }
}

/// Coefficients of a channel-wise kernel with bias rows.
struct Coefficients {
  std::vector<uint8_t> bytes;
  Kernel kernel;

  static td::KernelShape shape(uint32_t channels, uint32_t taps) {
    td::KernelShape shape;
    shape.outputChannels = channels;
    shape.taps = taps;
    shape.channelwise = true;
    shape.bias = true;
    return shape;
  }

  Coefficients(uint32_t channels, uint32_t taps, Kind kind)
      : kernel{llvm::cantFail(td::KernelLayout::create(shape(channels, taps))),
               {},
               {},
               false} {
    const td::KernelLayout &layout = kernel.layout;
    uint32_t halves = layout.lanes() * layout.laneBytes() / 2;
    Surface contents({1, 1, 1, 1, halves}, 17, kind);
    bytes = contents.bytes;
    for (unsigned lane = 0; lane < layout.lanes(); ++lane)
      kernel.lanes[lane] = bytes.data() + lane * layout.laneBytes();
  }
};

TEST(Stream, ChannelwiseSums) {
  unsigned seed = 1;
  for (Numerics numerics : {Numerics::Documented, Numerics::Tile4})
    for (uint32_t size : {3u, 7u, 14u, 17u, 40u})
      // With anything, sums overflow and operands are infinite.
      for (Kind kind : {Kind::Ordinary, Kind::Any})
        for (unsigned variant = 0; variant < 5; ++variant) {
          Extents input{1, 1, 5, size, size}, output = input;
          NeuralTask task;
          task.window = {3, 3, 1, 1, 1, 1, false};
          if (variant == 1) { // rows two apart, unequal sides
            task.window = {2, 3, 1, 2, 0, 1, false};
            output.width = size - 1;
            output.height = (size - 1) / 2 + 1;
          }
          Surface x(input, ++seed, kind);
          Coefficients coefficients(5, task.window.width * task.window.height,
                                    kind);
          task.accumulation = Accumulation::Channelwise;
          task.source = x.operand();
          task.source.flushed = true;
          task.saturates = true;
          if (variant == 2) {
            task.accumulation = Accumulation::WindowSum;
            task.scale = 1.0f / 9;
          } else {
            task.kernel = coefficients.kernel;
          }
          if (variant == 3) {
            task.nonlinearity = Nonlinearity::Table;
            task.table = table(siluTable());
            task.bias = 0.5f;
          }
          if (variant == 4) { // with which some sums reach the limit of a port
            task.source.relu = true;
            task.bias = portLimit - 1;
          }
          Surface expected(output);
          task.result = expected.result();
          Execution portable = executionWith(Instructions::Portable, numerics);
          EXPECT_FALSE(streamPlanes(portable, task));
          execute(portable, task);
          EXPECT_FALSE(expected.bytes == Surface(output).bytes);
          for (Instructions each : vectorInstructions()) {
            Surface actual(output);
            task.result = actual.result();
            Execution execution = executionWith(each, numerics);
            EXPECT_TRUE(streamPlanes(execution, task));
            EXPECT_TRUE(actual.bytes == expected.bytes)
                << "size " << size << ", variant " << variant << ", "
                << numericsName(numerics).str() << ", instructions "
                << int(each);
          }
        }
}

TEST(Stream, RefusesWhatOverlaps) {
  Surface x({1, 1, 2, 9, 9}, 1, Kind::Ordinary);
  Coefficients coefficients(2, 9, Kind::Ordinary);
  NeuralTask task;
  task.accumulation = Accumulation::Channelwise;
  task.window = {3, 3, 1, 1, 1, 1, false};
  task.source = x.operand();
  task.kernel = coefficients.kernel;
  task.result = x.result();
  for (Instructions each : vectorInstructions()) {
    Execution execution = executionWith(each);
    EXPECT_FALSE(streamPlanes(execution, task));
  }
}

} // namespace
