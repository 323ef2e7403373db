//===- StreamedTilesTest.cpp - What the check finds in tiles --------------===//

#include "Findings.h"
#include "ane/Engine/Watch.h"
#include "ane/TaskDescriptor/Convert.h"
#include "ane/TaskDescriptor/Values.h"
#include "gmock/gmock.h"

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

constexpr Extents row{1, 1, 1, 1, 4};
constexpr Extents image{1, 1, 2, 8, 4};

/// The tile of source 1: its channels 16 bytes apart, its rows 32.
void setTile(td::RegisterImage &task, int64_t base, unsigned height) {
  setL2Source(task, base, 16, 32, td::bits(td::Residence::Streamed));
  task.set(Field::TileHeight, height);
}

void setDrain(td::RegisterImage &task, int64_t base) {
  llvm::cantFail(task.setScaled(Field::L2ResultBase, base));
}

/// Task 0 keeps k at 0x100 of L2, task 1 copies x to y through a tile of four
/// rows at 0 and a result at 0xc0, task 2 copies what was kept to z.
Model threeTasks() {
  Model model;
  model.input("k", row);
  model.input("x", image);
  model.output("y", image);
  model.output("z", row);
  td::RegisterImage keep = passTask(row);
  model.readFirst(keep, "k");
  setL2Result(keep, 0x100, 16, 16);
  model.add(keep);
  td::RegisterImage copy = passTask(image);
  model.readFirst(copy, "x");
  model.write(copy, "y");
  setTile(copy, 0, 4);
  setDrain(copy, 0xc0);
  model.add(copy);
  td::RegisterImage last = passTask(row);
  setL2Source(last, 0x100, 16, 16);
  model.write(last, "z");
  model.add(last);
  return model;
}

TEST(Tiles, RowsInFlightAreFewerThanRows) {
  Model model = threeTasks();
  EXPECT_THAT(findings(model), IsEmpty());
  // Up to the result, and no further.
  setTile(model.tasks[1].image, 0, 6);
  EXPECT_THAT(findings(model), IsEmpty());
}

TEST(Tiles, SourceThroughWhatIsReadLater) {
  Model model = threeTasks();
  setTile(model.tasks[1].image, 0xa0, 4);
  setDrain(model.tasks[1].image, 0x200);
  EXPECT_THAT(findings(model),
              ElementsAre("2: source 1 (L2.SourceBase.Addr) reads L2 address "
                          "0x100, through which task 1 streamed source 1"));
  // One row less ends right in front of it.
  setTile(model.tasks[1].image, 0xa0, 3);
  EXPECT_THAT(findings(model), IsEmpty());
  // Steps of two rows and windows of three take two more.
  td::RegisterImage &pool = model.tasks[1].image;
  pool.set(Field::MACOpMode, 3);
  pool.set(Field::UnicastEn, 1);
  pool.set(Field::Kh, 3);
  setTile(pool, 0x40, 4);
  EXPECT_THAT(findings(model), IsEmpty());
  pool.set(Field::Sy, 2);
  EXPECT_THAT(findings(model),
              ElementsAre("2: source 1 (L2.SourceBase.Addr) reads L2 address "
                          "0x100, through which task 1 streamed source 1"));
}

TEST(Tiles, ResultThroughWhatIsReadLater) {
  Model model = threeTasks();
  setDrain(model.tasks[1].image, 0x100);
  EXPECT_THAT(findings(model),
              ElementsAre("2: source 1 (L2.SourceBase.Addr) reads L2 address "
                          "0x100, through which task 1 streamed the result"));
  // With strides it is a tile of as many rows.
  td::RegisterImage &copy = model.tasks[1].image;
  setDrain(copy, 0x80);
  EXPECT_THAT(findings(model), IsEmpty());
  llvm::cantFail(copy.setScaled(Field::L2ResultChannelStride, 16));
  llvm::cantFail(copy.setScaled(Field::L2ResultRowStride, 64));
  copy.set(Field::TileHeight, 3);
  EXPECT_THAT(findings(model),
              ElementsAre("2: source 1 (L2.SourceBase.Addr) reads L2 address "
                          "0x100, through which task 1 streamed the result"));
}

TEST(Tiles, WrittenAgain) {
  Model model = threeTasks();
  setDrain(model.tasks[1].image, 0x100);
  td::TaskDescriptor again = model.tasks[0];
  model.tasks.insert(model.tasks.begin() + 2, again);
  EXPECT_THAT(findings(model), IsEmpty());
}

TEST(Tiles, OutsideOfL2) {
  Model model = threeTasks();
  setTile(model.tasks[1].image, 0x1fffc0, 2);
  EXPECT_THAT(findings(model), IsEmpty());
  setTile(model.tasks[1].image, 0x1fffc0, 3);
  EXPECT_THAT(findings(model),
              ElementsAre("1: source 1 (L2.SourceBase.Addr) streams through L2 "
                          "up to address 0x200018, but L2 ends at 0x200000; "
                          "Common.TileCfg.TileHeight is 3"));
}

TEST(Tiles, WithoutRows) {
  Model model = threeTasks();
  setTile(model.tasks[1].image, 0, 0);
  EXPECT_THAT(
      findings(model),
      ElementsAre("1: source 1 (L2.SourceBase.Addr) streams through L2, "
                  "but no row of it is there: "
                  "Common.TileCfg.TileHeight is 0"));
}

TEST(Tiles, RowsThatOverlap) {
  Model model = threeTasks();
  setL2Source(model.tasks[1].image, 0x20, 16, 16,
              td::bits(td::Residence::Streamed));
  EXPECT_THAT(
      findings(model),
      ElementsAre("1: source 1 (L2.SourceBase.Addr) streams through L2, "
                  "two of its rows or channels through address 0x30; "
                  "Common.TileCfg.TileHeight is 4"));
}

TEST(Tiles, OperandsThatOverlap) {
  Model model = threeTasks();
  setDrain(model.tasks[1].image, 0x60);
  EXPECT_THAT(findings(model),
              ElementsAre("1: the result (L2.ResultBase.Addr) streams through "
                          "L2 address 0x60, where source 1 "
                          "(L2.SourceBase.Addr) lies; "
                          "Common.TileCfg.TileHeight is 4"));
  // A kept operand, too.
  td::RegisterImage sum = planarTask(td::TaskType::TwoSources, row);
  setL2Source(sum, 0x100, 16, 16);
  model.readSecond(sum, "k");
  llvm::cantFail(sum.setScaled(Field::L2Src2Base, 0x100));
  llvm::cantFail(sum.setScaled(Field::L2Src2RowStride, 16));
  model.write(sum, "z");
  model = threeTasks();
  model.tasks[2].image = sum;
  EXPECT_THAT(findings(model),
              ElementsAre("2: source 2 (L2.Source2Base.Addr) streams through "
                          "L2 address 0x100, where source 1 "
                          "(L2.SourceBase.Addr) lies; "
                          "Common.TileCfg.TileHeight is 1"));
}

/// A task of the other engine that takes k through a tile to a place in L2, and
/// waits for none.
td::TaskDescriptor planarBeside(Model &model, int64_t tile, int64_t result) {
  td::RegisterImage planar = planarTask(td::TaskType::OneSource, row);
  model.readFirst(planar, "k");
  setTile(planar, tile, 1);
  setL2Result(planar, result, 16, 16);
  clearHazards(planar);
  return makeTask(planar);
}

/// Whether a task may be beside the one before with any of these.
void expectEachAvoids(Model &model, unsigned task,
                      std::initializer_list<Field> hazards) {
  for (Field hazard : hazards) {
    model.tasks[task].image.set(hazard, 1);
    EXPECT_THAT(findings(model), IsEmpty());
    model.tasks[task].image.set(hazard, 0);
  }
}

TEST(Tiles, OfTasksThatMayMeet) {
  Model model = threeTasks();
  model.tasks.insert(model.tasks.begin() + 2, planarBeside(model, 0x200, 0x60));
  EXPECT_THAT(findings(model),
              ElementsAre("2: the result (L2.ResultBase.Addr) overwrites L2 "
                          "address 0x60 of task 1, which runs on the other "
                          "engine and may be issued at the same time"));
  // Waiting for the source or the result of the neural task avoids it.
  expectEachAvoids(model, 2,
                   {Field::ResultAliasConvSrc, Field::ResultAliasConvRslt});
  // Through the result, waiting for the source is not enough.
  td::RegisterImage &task = model.tasks[2].image;
  setL2Result(task, 0x300, 16, 16);
  setTile(task, 0xc0, 1);
  task.set(Field::SourceAliasConvSrc, 1);
  EXPECT_THAT(findings(model),
              ElementsAre("2: source 1 (L2.SourceBase.Addr) streams through L2 "
                          "address 0xc0 of task 1, which runs on the other "
                          "engine and may be issued at the same time"));
  task.set(Field::SourceAliasConvRslt, 1);
  EXPECT_THAT(findings(model), IsEmpty());
}

/// What a task finds in L2 the next one must not replace until it is done.
TEST(Tiles, ResultOverWhatTheTaskBeforeReads) {
  Model model = threeTasks();
  model.tasks.push_back(planarBeside(model, 0x300, 0x100));
  EXPECT_THAT(findings(model),
              ElementsAre("3: the result (L2.ResultBase.Addr) overwrites L2 "
                          "address 0x100 of task 2, which runs on the other "
                          "engine and may be issued at the same time"));
  // What its source waits for, it waits for, too.
  expectEachAvoids(model, 3,
                   {Field::ResultAliasConvSrc, Field::SourceAliasConvSrc});
}

/// A kernel of one channel from scratch, which a task before wrote.
Model kernelFromScratch(uint32_t channels) {
  Extents in{1, 1, channels, 1, 1}, out{1, 1, 1, 1, 1};
  Extents kernel{1, 1, 1, 1, channels};
  Model model;
  model.scratchBytes = 0x4000;
  model.input("k", kernel);
  model.input("x", in);
  model.output("y", out);
  td::RegisterImage spill = passTask(kernel);
  model.readFirst(spill, "k");
  setResult(spill, object::BarScratch, packedLayout(kernel), 0x40);
  model.add(spill);
  td::RegisterImage product = neuralTask(in, out);
  setLanes(product, 1, 64, 64, 0x40);
  product.set(Field::KBase0, object::BarScratch);
  product.set(Field::RuntimeKernel, 1);
  model.readFirst(product, "x");
  setTile(product, 0, 1);
  model.write(product, "y");
  model.add(product);
  return model;
}

/// Lanes are multiples of 64 bytes; what lies behind the taps does not count.
TEST(Tiles, LanesOfStreamingTasks) {
  Model model = kernelFromScratch(20);
  EXPECT_THAT(findings(model), IsEmpty());
  setResult(model.tasks[0].image, object::BarScratch,
            packedLayout({1, 1, 1, 1, 20}), 0x80);
  auto found = findings(model);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0],
              HasSubstr("1: lane 0 (KernelDMASrc.CoeffBaseAddr[0].Addr, BAR 3) "
                        "reads "));
  EXPECT_THAT(found[0], HasSubstr("which no task before wrote"));
  model = kernelFromScratch(20);
  setLanes(model.tasks[1].image, 1, 0x8000, 64, 0x40);
  model.tasks[1].image.set(Field::KBase0, object::BarScratch);
  found = findings(model);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0],
              HasSubstr("1: lane 0 (KernelDMASrc.CoeffBaseAddr[0].Addr, BAR 3) "
                        "reaches address 0x"));
}

/// A task that takes its coefficients from the one before waits for it.
TEST(Tiles, CoefficientsOfTheTaskBefore) {
  Extents kernel{1, 1, 1, 1, 20};
  Model model = kernelFromScratch(20);
  clearHazards(model.tasks[1].image);
  td::RegisterImage planar = planarTask(td::TaskType::OneSource, kernel);
  model.readFirst(planar, "k");
  setTile(planar, 0x100, 1);
  setDrain(planar, 0);
  setResult(planar, object::BarScratch, packedLayout(kernel), 0x80);
  model.tasks.insert(model.tasks.begin() + 1, makeTask(planar));
  EXPECT_THAT(findings(model),
              ElementsAre("2: source 1 (L2.SourceBase.Addr) streams through L2 "
                          "address 0x100 of task 1, which runs on the other "
                          "engine and may be issued at the same time"));
  setLanes(model.tasks[2].image, 1, 64, 64, 0x80);
  model.tasks[2].image.set(Field::KBase0, object::BarScratch);
  EXPECT_THAT(findings(model), IsEmpty());
}

/// Coefficients may be several sections, which follow each other (documented).
TEST(Tiles, LanesInSplitSections) {
  constexpr unsigned resultBar = 4, sourceBar = 5;
  constexpr uint64_t half = 0x4000;
  Extents in{1, 1, 20, 1, 1}, out{1, 1, 1, 1, 1};
  std::vector<uint8_t> constants(half);
  auto check = [&](int64_t laneBytes) {
    td::RegisterImage task = neuralTask(in, out);
    setLanes(task, 1, laneBytes, 0, half);
    setSource(task, sourceBar, packedLayout(in));
    setResult(task, resultBar, packedLayout(out));
    std::vector<td::TaskDescriptor> tasks = {makeTask(task)};
    td::linkTasks(tasks);
    td::EncodedProgram encoded =
        llvm::cantFail(td::encodeProgram(tasks, td::Format::V7));
    std::vector<uint64_t> bars(object::maxBars);
    bars[object::BarConstants] = 0x10000;
    bars[resultBar] = 0x20000;
    bars[sourceBar] = 0x30000;
    DeviceProgram program;
    program.sections = {
        {"first", 0x10000, half, constants, false, false},
        {"second", 0x10000 + half, half, constants, false, false},
        {"y", 0x20000, half, {}, true, false},
        {"x", 0x30000, half, {}, false, false}};
    program.text = {
        "tasks", 0,   encoded.text, encoded.entry, encoded.firstTaskWords,
        1,       bars};
    auto machine = llvm::cantFail(Machine::create(program));
    std::vector<std::string> messages;
    for (const Finding &finding : checkProgram(*machine))
      messages.push_back(finding.message);
    return messages;
  };
  EXPECT_THAT(check(64), IsEmpty());
  EXPECT_THAT(check(half + 64),
              ElementsAre("lane 0 (KernelDMASrc.CoeffBaseAddr[0].Addr, BAR 1) "
                          "reaches address 0x18040, past the end of section "
                          "second at 0x18000"));
}

} // namespace
