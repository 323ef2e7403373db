//===- ReportTest.cpp - Costs of a program by its statements --------------===//

#include "ane/Report/Report.h"
#include "gtest/gtest.h"

using namespace ane;
using namespace ane::report;
using td::Field;

namespace {

/// 10 to 20 channels of 5x5 in a window of 1x1 on 16 NEs, kept in L2 from 64
/// and from 1024 on; the source comes from 128 bytes behind the start of
/// scratch.
td::RegisterImage convolution() {
  td::RegisterImage image;
  for (Field field : {Field::NumGroups, Field::Din, Field::Dout, Field::Kh,
                      Field::Kw, Field::RBE0})
    image.set(field, 1);
  for (Field field : {Field::Hin, Field::Win, Field::Hout, Field::Wout})
    image.set(field, 5);
  image.set(Field::Cin, 10);
  image.set(Field::Cout, 20);
  image.set(Field::ActiveNE, 4);
  image.set(Field::RBase0, 3);
  image.set(Field::SourceType, td::bits(td::Residence::Kept));
  image.set(Field::ResultType, td::bits(td::Residence::InL2));
  auto scaled = [&](Field field, int64_t value) {
    EXPECT_FALSE(bool(image.setScaled(field, value)));
  };
  scaled(Field::Src1Base, 128);
  scaled(Field::Src1RowStride, 64);
  scaled(Field::Src1PlaneStride, 1024);
  scaled(Field::L2Src1Base, 64);
  scaled(Field::L2Src1RowStride, 16);
  scaled(Field::L2Src1ChannelStride, 80);
  scaled(Field::L2ResultBase, 1024);
  scaled(Field::L2ResultRowStride, 16);
  scaled(Field::L2ResultChannelStride, 80);
  return image;
}

Program program() {
  Program program;
  program.title = "a<b>&\"c\x01.mil";
  program.images = {convolution(), convolution(), convolution()};
  Origin first = {"conv", "y", "m.mil:3:5"},
         second = {"relu", "z", "m.mil:4:5"};
  program.origins = {first, second, first};
  program.hazards = {{"mac-overflow", "sums are large", second}};
  program.inputBytes = 100;
  program.outputBytes = 20;
  program.constantBytes = 3;
  program.scratchBytes = 4096;
  program.scratchBar = 3;
  return program;
}

Report make() { return makeReport(program(), *findTarget("h13")); }

std::string print(void (*printer)(llvm::raw_ostream &, const Report &)) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printer(os, make());
  return text;
}

TEST(Report, CollectsTasksOfAStatement) {
  Report report = make();
  ASSERT_EQ(report.ops.size(), 2u);
  EXPECT_EQ(report.ops[0].origin.name, "y");
  EXPECT_EQ(report.ops[0].tasks, (std::vector<size_t>{0, 2}));
  EXPECT_EQ(report.ops[0].total.macs, 2u * 10 * 20 * 25);
  EXPECT_EQ(report.ops[1].tasks, std::vector<size_t>{1});
  EXPECT_EQ(report.ops[1].total.macs, 10u * 20 * 25);
  EXPECT_EQ(report.compulsoryBytes, 123u);
}

TEST(Report, TellsWhatBecameOfOpsWithoutTask) {
  using Fate = OpWithoutTask::Fate;
  Program fused = program();
  Origin norm = {"batch_norm", "n", "m.mil:5:5"};
  fused.opsWithoutTask = {
      {norm, Fate::Shared, {0, 2}}, {norm, Fate::Shared, {1, 2}},
      {norm, Fate::Known, {}},      {norm, Fate::Unread, {}},
      {norm, Fate::InPlace, {}},    {norm, Fate::Unnamed, {}}};
  Report report = makeReport(std::move(fused), *findTarget("h13"));
  EXPECT_EQ(report.ops.size(), 2u);
  std::vector<std::string> told, names;
  for (const OpWithoutTask &op : report.opsWithoutTask) {
    told.push_back(describeFate(op, report));
    names.push_back(stringifyFate(op.fate).str());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"shared", "shared", "known",
                                             "unread", "in-place", "unnamed"}));
  EXPECT_EQ(told[0], "in conv y at m.mil:3:5");
  EXPECT_EQ(told[1], "in relu z at m.mil:4:5 and 1 other");
  std::string text;
  llvm::raw_string_ostream os(text);
  printText(os, report);
  EXPECT_NE(text.find("\nwithout a task of their own: 6\n"
                      "  batch_norm n m.mil:5:5: in conv y at m.mil:3:5\n"),
            std::string::npos);
  EXPECT_EQ(print(printText).find("without a task"), std::string::npos);
}

TEST(Report, TasksOfUnknownStatementsStandAlone) {
  Program unknown = program();
  unknown.origins.clear();
  EXPECT_EQ(makeReport(std::move(unknown), *findTarget("h13")).ops.size(), 3u);
}

/// 2 passes of one channel each on 16 NEs have room for 32 channels, and a
/// patch for 32 pixels where there are 25.
TEST(Report, CountsPadding) {
  Report report = make();
  const cost::TaskCost &task = report.cost.tasks[0];
  EXPECT_EQ(task.macs, 5000u);
  EXPECT_EQ(task.macSlots, 2u * 16 * 10 * 32);
  EXPECT_DOUBLE_EQ(paddingWaste(task), 1 - 5000.0 / 10240);
  EXPECT_DOUBLE_EQ(utilization(task, *report.target),
                   5000.0 / (static_cast<double>(task.cycles) * 256 * 16));
  EXPECT_EQ(paddingWaste(cost::TaskCost()), 0);
  EXPECT_EQ(utilization(cost::TaskCost(), *report.target), 0);
}

TEST(Report, KnowsWhatMemoryIsInUse) {
  Report report = make();
  ASSERT_EQ(report.l2.size(), 6u);
  EXPECT_EQ(report.l2[0].role, td::Stream::Source1);
  EXPECT_EQ(report.l2[0].begin, 64u);
  // The last of 10 channels and of 5 rows, and 5 elements of it.
  EXPECT_EQ(report.l2[0].end, 64u + 9 * 80 + 4 * 16 + 10);
  EXPECT_EQ(report.l2[1].role, td::Stream::Result);
  EXPECT_EQ(report.l2[1].begin, 1024u);
  EXPECT_EQ(report.l2[1].end, 1024u + 19 * 80 + 4 * 16 + 10);
  EXPECT_EQ(report.l2[5].task, 2u);
  ASSERT_EQ(report.scratch.size(), 3u);
  EXPECT_EQ(report.scratch[0].begin, 128u);
  // The last of 10 planes and of 5 rows, and 5 elements of it.
  EXPECT_EQ(report.scratch[0].end, 128u + 9 * 1024 + 4 * 64 + 10);
}

TEST(Report, WritesTheSameTextAgain) {
  for (auto printer : {printText, printJson, printHtml})
    EXPECT_EQ(print(printer), print(printer));
}

TEST(Report, EscapesNames) {
  std::string page = print(printHtml);
  EXPECT_NE(page.find("<title>a&lt;b&gt;&amp;&quot;c\\x01.mil</title>"),
            std::string::npos);
  EXPECT_NE(page.find("mac-overflow"), std::string::npos);
  EXPECT_NE(print(printJson).find("a<b>&\\\"c\\u0001.mil"), std::string::npos);
  EXPECT_NE(print(printText).find("a<b>&\"c\\x01.mil on h13"),
            std::string::npos);
}

TEST(Report, OfAnEmptyProgram) {
  Report report = makeReport(Program(), *findTarget("h13"));
  EXPECT_TRUE(report.ops.empty());
  std::string text;
  llvm::raw_string_ostream os(text);
  printHtml(os, report);
  printText(os, report);
  printJson(os, report);
  EXPECT_NE(text.find("0 ops, 0 tasks"), std::string::npos);
}

} // namespace
