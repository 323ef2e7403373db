//===- WatchTest.cpp - Watching a program work ----------------------------===//

#include "ane/Engine/Watch.h"
#include "../TestData.h"
#include "Findings.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "gmock/gmock.h"
#include <cmath>
#include <map>

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

constexpr Extents row{1, 1, 1, 1, 4};

/// y = x + x on the planar engine, by way of L2 at 0x100.
Model twoTasks() {
  Model model;
  model.input("x", row);
  model.output("y", row);
  td::RegisterImage keep = passTask(row);
  model.readFirst(keep, "x");
  setL2Result(keep, 0x100, 16, 16);
  model.add(keep);
  td::RegisterImage sum = planarTask(td::TaskType::TwoSources, row);
  setL2Source(sum, 0x100, 16, 16);
  model.readSecond(sum, "x");
  model.write(sum, "y");
  model.add(sum);
  return model;
}

/// Columns become channels, two side by side, and are read back.
Model exchangedTasks() {
  constexpr uint32_t factor = 2;
  Extents column{1, 1, 4, 1, 1};
  object::TensorLayout places = interleavedLayout(column, factor);
  Model model;
  model.scratchBytes = places.batchStride;
  model.input("x", row);
  model.output("y", column);
  td::RegisterImage exchange = passTask(row), copy = passTask(column);
  exchange.set(Field::TransposedWrite, 1);
  model.readFirst(exchange, "x");
  setResult(exchange, object::BarScratch, places);
  setResultInterleave(exchange, factor);
  model.add(exchange);
  setSource(copy, object::BarScratch, places);
  setSourceInterleave(copy, factor);
  model.write(copy, "y");
  model.add(copy);
  return model;
}

std::unique_ptr<LoadedProgram> loadModel(const Model &model) {
  auto program = loadBytes(model.container(td::Format::V7));
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError());
    return nullptr;
  }
  return std::move(*program);
}

void setInputs(LoadedProgram &program, std::vector<double> values) {
  Array array(row);
  array.values = std::move(values);
  for (const DevicePort &port : program.ports())
    if (port.direction == object::PortDirection::Input)
      store(array, port.layout, program.machine().memory(port.section));
}

std::string runText(LoadedProgram &program, RunObserver &observer) {
  return llvm::toString(program.machine().run(observer, 1));
}

TEST(Watch, ObserversAreToldInOrder) {
  struct Recorder : RunObserver {
    std::vector<std::string> *calls;
    llvm::Error before(unsigned task) override {
      calls->push_back("before " + std::to_string(task));
      return llvm::Error::success();
    }
    llvm::Error after(unsigned task) override {
      calls->push_back("after " + std::to_string(task));
      return task == 0 ? llvm::Error::success()
                       : llvm::createStringError("enough");
    }
  };
  std::vector<std::string> calls;
  Observers observers;
  EXPECT_TRUE(observers.empty());
  auto recorder = std::make_unique<Recorder>();
  recorder->calls = &calls;
  observers.add(std::move(recorder));
  auto program = loadModel(twoTasks());
  ASSERT_TRUE(program);
  EXPECT_EQ(runText(*program, observers), "enough");
  EXPECT_THAT(calls, ElementsAre("before 0", "after 0", "before 1", "after 1"));
}

TEST(Watch, BreaksOnInfinity) {
  auto program = loadModel(twoTasks());
  ASSERT_TRUE(program);
  auto stop = breakOn(program->machine(), BreakOn::Any);
  setInputs(*program, {1, 2, 3, 4});
  EXPECT_EQ(runText(*program, *stop), "");
  // 40000 + 40000 is more than fp16 holds.
  setInputs(*program, {1, 2, -40000, 40000});
  std::string y;
  for (const DevicePort &port : program->ports())
    if (port.name == "y")
      y = "0x" + llvm::utohexstr(port.address + 2 * 2, /*LowerCase=*/true);
  EXPECT_THAT(
      runText(*program, *stop),
      HasSubstr("error: task 1: the result (TileDMADst.BaseAddr.Addr, BAR 4) "
                "has -inf at [0, 0, 0, 0, 2], element 2, address " +
                y));
  auto noNaN = breakOn(program->machine(), BreakOn::NaN);
  EXPECT_EQ(runText(*program, *noNaN), "");

  program = loadModel(exchangedTasks());
  ASSERT_TRUE(program);
  stop = breakOn(program->machine(), BreakOn::Any);
  setInputs(*program, {1, 2, 3, INFINITY});
  // The second column of the second plane.
  EXPECT_THAT(runText(*program, *stop),
              testing::AllOf(HasSubstr("task 0: the result"),
                             HasSubstr("[0, 0, 0, 0, 3]"),
                             testing::EndsWith("42")));
}

TEST(Watch, BreaksOnNaN) {
  auto program = loadModel(twoTasks());
  ASSERT_TRUE(program);
  setInputs(*program, {1, NAN, 3, 4});
  auto stop = breakOn(program->machine(), BreakOn::NaN);
  EXPECT_THAT(
      runText(*program, *stop),
      HasSubstr("task 0: source 1 (TileDMASrc.BaseAddr.Addr, BAR 5) has NaN at "
                "[0, 0, 0, 0, 1], element 1, address "));
  // The engine takes it for +infinity.
  auto infinity = breakOn(program->machine(), BreakOn::Infinity);
  EXPECT_THAT(runText(*program, *infinity),
              HasSubstr("task 0: the result (L2.ResultBase.Addr) has +inf at "
                        "[0, 0, 0, 0, 1], element 1, L2 address 0x102"));
}

/// Of two output channels, each with a lane.
TEST(Watch, BreaksOnNaNInAKernelFromMemory) {
  Extents in{1, 1, 32, 1, 1}, out{1, 1, 2, 1, 1}, kernel{1, 1, 1, 2, 32};
  Model model;
  model.input("x", in);
  model.input("k", kernel);
  model.output("y", out);
  td::RegisterImage task = neuralTask(in, out);
  setLanes(task, 2, 64, 64);
  task.set(Field::RuntimeKernel, 1);
  task.set(Field::KBase0, model.bar("k"));
  model.readFirst(task, "x");
  model.write(task, "y");
  model.add(task);
  auto program = loadModel(model);
  ASSERT_TRUE(program);
  Array x(in), k(kernel);
  k.at(0, 0, 0, 1, 5) = NAN;
  std::string address;
  for (const DevicePort &port : program->ports()) {
    if (port.direction == object::PortDirection::Output)
      continue;
    bool isKernel = port.name == "k";
    store(isKernel ? k : x, port.layout,
          program->machine().memory(port.section));
    if (isKernel)
      address = llvm::utohexstr(port.address + 64 + 5 * 2, /*LowerCase=*/true);
  }
  for (BreakOn what : {BreakOn::NaN, BreakOn::Any}) {
    auto stop = breakOn(program->machine(), what);
    EXPECT_THAT(runText(*program, *stop),
                HasSubstr("error: task 0: the kernel (lane 1, KernelDMASrc."
                          "CoeffBaseAddr[1].Addr, BAR " +
                          std::to_string(model.bar("k")) +
                          ") has NaN at [0, 1, 5], address 0x" + address));
  }
  auto infinity = breakOn(program->machine(), BreakOn::Infinity);
  EXPECT_EQ(runText(*program, *infinity), "");
}

TEST(Watch, TellsTheTaskThatRuns) {
  struct Recorder : RunObserver {
    const Machine *machine;
    std::vector<unsigned> tasks;
    llvm::Error before(unsigned) override {
      tasks.push_back(currentTask(*machine));
      return llvm::Error::success();
    }
  };
  auto program = loadModel(twoTasks());
  ASSERT_TRUE(program);
  Recorder recorder;
  recorder.machine = &program->machine();
  for (int run = 0; run < 2; ++run) {
    recorder.tasks.clear();
    EXPECT_EQ(runText(*program, recorder), "");
    EXPECT_THAT(recorder.tasks, ElementsAre(0, 1));
  }
  // Unwatched, what runs together counts as its first task.
  Model model = exchangedTasks();
  program = loadModel(model);
  ASSERT_TRUE(program);
  EXPECT_EQ(currentTask(program->machine()), 0u);
  EXPECT_EQ(llvm::toString(program->machine().run(1)), "");
  EXPECT_EQ(currentTask(program->machine()), 1u);
}

/// What is kept of a task, by the end of its name.
std::map<std::string, NpyArray> dumped(const Model &model, unsigned task,
                                       std::vector<double> values) {
  std::vector<NpyFile> files;
  auto program = loadModel(model);
  if (!program)
    return {};
  setInputs(*program, std::move(values));
  auto dump = dumpTask(program->machine(), task, files);
  EXPECT_EQ(runText(*program, *dump), "");
  std::map<std::string, NpyArray> parts;
  for (NpyFile &file : files)
    for (llvm::StringRef part : dumpedParts)
      if (file.path == dumpFileName(task, part))
        parts[part.str()] = std::move(file.array);
  EXPECT_EQ(parts.size(), files.size());
  return parts;
}

std::vector<uint8_t> halves(llvm::ArrayRef<double> values) {
  std::vector<uint8_t> bytes;
  appendHalves(bytes, values);
  return bytes;
}

TEST(Dump, OperandsAndResult) {
  EXPECT_EQ(dumpFileName(3, "result"), "task3-result.npy");
  auto parts = dumped(twoTasks(), 1, {1, 2, 3, -4});
  ASSERT_EQ(parts.size(), 3u);
  for (const char *name : {"source1", "source2"}) {
    const NpyArray &source = parts[name];
    EXPECT_EQ(source.type, ElementType::Float16);
    EXPECT_THAT(source.shape, ElementsAre(1, 1, 1, 1, 4));
    EXPECT_EQ(source.bytes, halves({1, 2, 3, -4}));
  }
  EXPECT_EQ(parts["result"].bytes, halves({2, 4, 6, -8}));
}

TEST(Dump, ResultWithInterleavedColumns) {
  NpyArray result = dumped(exchangedTasks(), 0, {1, 2, 3, -4})["result"];
  EXPECT_THAT(result.shape, ElementsAre(1, 1, 1, 1, 4));
  EXPECT_EQ(result.bytes, halves({1, 2, 3, -4}));
}

TEST(Check, AcceptsWhatIsInOrder) {
  EXPECT_THAT(findings(twoTasks()), IsEmpty());
  EXPECT_THAT(findings(exchangedTasks()), IsEmpty());
}

TEST(Check, ReadOfL2ThatNothingWrote) {
  Model model = twoTasks();
  // Two bytes further than what was kept.
  setL2Source(model.tasks[1].image, 0x110, 16, 16);
  EXPECT_THAT(findings(model),
              ElementsAre("1: source 1 (L2.SourceBase.Addr) reads L2 address "
                          "0x110, which no task before wrote"));
}

TEST(Check, ReadOfScratchThatNothingWrote) {
  Model model;
  model.scratchBytes = 0x4000;
  model.input("x", row);
  model.output("y", row);
  td::RegisterImage spill = passTask(row);
  model.readFirst(spill, "x");
  setResult(spill, object::BarScratch, packedLayout(row), 0x40);
  model.add(spill);
  td::RegisterImage fill = passTask(row);
  setSource(fill, object::BarScratch, packedLayout(row), 0x40);
  model.write(fill, "y");
  model.add(fill);
  EXPECT_THAT(findings(model), IsEmpty());
  setSource(model.tasks[1].image, object::BarScratch, packedLayout(row), 0x80);
  auto found = findings(model);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(
      found[0],
      HasSubstr("1: source 1 (TileDMASrc.BaseAddr.Addr, BAR 3) reads "));
  EXPECT_THAT(found[0], HasSubstr("80, which no task before wrote"));
}

TEST(Check, TransferOutsideOfATensor) {
  Model model;
  Extents small{1, 1, 1, 1, 4};
  model.input("x", small);
  model.output("y", small);
  // A row of 40 elements is 80 bytes; the tensor has one of 64, but its
  // surface has room.
  for (object::PortSpec &port : model.ports)
    port.byteSize = 128;
  Extents wide{1, 1, 1, 1, 40};
  td::RegisterImage task = passTask(wide);
  model.readFirst(task, "x");
  model.write(task, "y");
  model.add(task);
  auto found = findings(model);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_THAT(found[0], HasSubstr("0: source 1 (TileDMASrc.BaseAddr.Addr, BAR "
                                  "5) reaches address 0x"));
  EXPECT_THAT(found[0], HasSubstr("40, outside the 64 bytes of 'x' at 0x"));
  EXPECT_THAT(found[1], HasSubstr("outside the 64 bytes of 'y' at 0x"));
}

TEST(Check, WritesThatCollide) {
  Model model;
  model.input("x", row);
  model.output("y", row);
  td::RegisterImage neural = passTask(row);
  model.readFirst(neural, "x");
  setL2Result(neural, 0x200, 16, 16);
  model.add(neural);
  td::RegisterImage planar = planarTask(td::TaskType::OneSource, row);
  model.readFirst(planar, "x");
  setL2Result(planar, 0x200, 16, 16);
  clearHazards(planar);
  model.add(planar);
  td::RegisterImage last = passTask(row);
  setL2Source(last, 0x200, 16, 16);
  model.write(last, "y");
  model.add(last);
  EXPECT_THAT(
      findings(model),
      ElementsAre("1: the result (L2.ResultBase.Addr) overwrites L2 address "
                  "0x200 of task 0, which runs on the other engine and may be "
                  "issued at the same time"));
  // It may wait for the result.
  model.tasks[1].image.set(Field::ResultAliasConvRslt, 1);
  EXPECT_THAT(findings(model), IsEmpty());
  model.tasks[1].image.set(Field::ResultAliasConvRslt, 0);
  // A task that reads the result comes after it.
  setL2Source(model.tasks[1].image, 0x200, 16, 16);
  EXPECT_THAT(findings(model), IsEmpty());
}

/// What is read of an input is what was written to the output that shares its
/// memory, as an operand and as coefficients.
TEST(Check, InputAndOutputOfOneMemory) {
  Model model;
  model.input("s", row);
  model.output("s", row);
  unsigned output = llvm::cantFail(object::assignBars(model.ports))[1];
  td::RegisterImage neural = passTask(row),
                    planar = planarTask(td::TaskType::OneSource, row);
  for (td::RegisterImage *task : {&neural, &planar}) {
    model.readFirst(*task, "s");
    setResult(*task, output, model.ports[1].layout);
    model.add(*task);
  }
  td::RegisterImage product = neuralTask(row, row);
  model.readFirst(product, "s");
  setResult(product, output, model.ports[1].layout);
  product.set(Field::Cin, 1);
  product.set(Field::Cout, 1);
  setLanes(product, 1, 64, 0);
  product.set(Field::RuntimeKernel, 1);
  product.set(Field::KBase0, output);
  model.add(product);
  auto program = loadBytes(model.container(td::Format::V7));
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  auto found = checkProgram(**program);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0].message, HasSubstr("which runs on the other engine"));
  ASSERT_FALSE(bool((*program)->share({"s"})));
  for (const Finding &finding : checkProgram(**program))
    ADD_FAILURE() << finding.task << ": " << finding.message;
}

TEST(Check, LanesThatOverlap) {
  Model model;
  Extents out{1, 1, 2, 1, 1}, in{1, 1, 32, 1, 1};
  model.input("x", in);
  model.output("y", out);
  model.constants.resize(256);
  td::RegisterImage task = neuralTask(in, out);
  setLanes(task, 2, 128, 64); // of which 64 are needed
  model.readFirst(task, "x");
  model.write(task, "y");
  model.add(task);
  auto found = findings(model);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0], HasSubstr("0: lane 1 (KernelDMASrc.CoeffBaseAddr[1]."
                                  "Addr, BAR 1) starts at address 0x"));
  EXPECT_THAT(found[0], HasSubstr(", within lane 0, which ends at 0x"));
}

TEST(Check, LaneThatOverruns) {
  Model model;
  Extents out{1, 1, 1, 1, 1}, in{1, 1, 32, 1, 1};
  model.input("x", in);
  model.output("y", out);
  model.constants.resize(64);
  td::RegisterImage task = neuralTask(in, out);
  setLanes(task, 1, 0x8000, 64);
  model.readFirst(task, "x");
  model.write(task, "y");
  model.add(task);
  auto found = findings(model);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0], HasSubstr("past the end of section "));
}

TEST(Trace, LanesAndTimes) {
  auto program = loadModel(twoTasks());
  ASSERT_TRUE(program);
  cost::ProgramCost cost =
      cost::estimateProgram(program->machine().registers(), *findTarget("h13"));
  std::string text;
  llvm::raw_string_ostream os(text);
  writeTrace(os, cost);
  auto json = llvm::json::parse(text);
  ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
  const llvm::json::Array &events =
      *json->getAsObject()->getArray("traceEvents");
  // The process, its two lanes, two tasks.
  ASSERT_EQ(events.size(), 5u);
  const llvm::json::Object &first = *events[3].getAsObject();
  const llvm::json::Object &second = *events[4].getAsObject();
  EXPECT_EQ(first.getString("ph"), "X");
  EXPECT_EQ(first.getString("name"), "task 0: NE copy: 1x1x4 -> 1x1x4");
  EXPECT_EQ(first.getInteger("tid"), 1);
  EXPECT_EQ(second.getInteger("tid"), 2);
  EXPECT_EQ(first.getNumber("ts"), 0.0);
  EXPECT_DOUBLE_EQ(*first.getNumber("dur"), cost.tasks[0].cycles / 1430.0);
  EXPECT_DOUBLE_EQ(*second.getNumber("ts"), cost.tasks[0].cycles / 1430.0);
  EXPECT_EQ(second.getObject("args")->getInteger("source2Bytes"), 8);

  text.clear();
  writeTrace(os, cost, {3, 4});
  json = llvm::json::parse(text);
  ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
  const llvm::json::Array &both = *json->getAsObject()->getArray("traceEvents");
  ASSERT_EQ(both.size(), 10u);
  EXPECT_EQ(both[9].getAsObject()->getNumber("ts"), 3.0);
  EXPECT_EQ(both[9].getAsObject()->getNumber("dur"), 4.0);
  EXPECT_EQ(both[9].getAsObject()->getInteger("pid"), 2);
}

/// Programs of Apple's compiler do nothing of the kind.
TEST(Check, RealContainers) {
  std::optional<std::string> folder = testData("real/hwx");
  if (!folder)
    GTEST_SKIP() << "ANE_TEST_DATA is not set";
  unsigned count = 0;
  for (llvm::StringRef name : {"concat", "concat_nz", "conv", "gemm", "mul",
                               "mul_macos14", "relu", "sigmoid", "sum"}) {
    auto program = LoadedProgram::load(*folder + "/" + name.str() + ".hwx");
    ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
    for (const Finding &finding : checkProgram(**program))
      ADD_FAILURE() << name.str() << ": task " << finding.task << ": "
                    << finding.message;
    ++count;
  }
  EXPECT_EQ(count, 9u);
}

} // namespace
