//===- PlaceTasksTest.cpp - Which tasks follow, and what they replace -----===//

#include "PlaceTasks.h"
#include "TaskProgram.h"
#include "ane/Target/H13.h"

using namespace ane;
using namespace ane::codegen;

namespace {

/// k, l and m lie in L2, k in memory as well. Tiles are at 16384 and 20480.
constexpr int atK = 0, atL = 4096, atM = 8192, tiles = 16384, others = 20480;
const std::string buffers =
    port("input", "x") + port("input", "v") + port("input", "w") +
    port("output", "y") + inBoth("k", 0, atK) + inL2("l", atL) + inL2("m", atM);

class PlaceTasksTest : public TaskProgramTest {
protected:
  std::vector<TaskPlaces> placesOf(const std::string &tasks,
                                   const std::string &more = "") {
    ProgramParts parts = parse(buffers + more + tasks);
    PlacedBuffers placed;
    for (zin::BufferOp buffer : parts.buffers)
      placed.add(buffer);
    std::vector<TaskNeighbours> neighbours(parts.tasks.size());
    mlir::SymbolTable symbols(*module->getOps<zin::ProgramOp>().begin());
    ConstantSection section;
    GeneratedProgram result;
    ConstantPlacer constants(parts, h13, symbols, /*ahead=*/nullptr, section,
                             result);
    TaskPlacer placer(parts, placed, neighbours, constants);
    std::vector<TaskPlaces> places;
    for (auto [index, task] : llvm::enumerate(parts.tasks))
      places.push_back(placer.place(task, index));
    return places;
  }

  /// Whether the last task follows the one before, by its first or its second
  /// source.
  std::pair<bool, bool> follows(const std::string &tasks,
                                const std::string &more = "") {
    TaskPlaces last = placesOf(tasks, more).back();
    return {last.following.source1, last.following.source2};
  }
  bool replaces(const std::string &tasks) {
    return placesOf(tasks).back().replaces;
  }
};

constexpr std::pair<bool, bool> no = {false, false}, first = {true, false},
                                second = {false, true};

const std::string keepsK =
    copy(rows("k"), rows("y"), l2("source1 = kept, ", tiles));
const std::string writesL = keepsK + add(rows("x"), rows("w"), rows("l"),
                                         l2("result = resident, ", tiles));

/// Reads k and another value in L2. The result has tiles.
std::string readsBeside(const std::string &value, int at = others,
                        const std::string &k = rows("k"),
                        const std::string &to = rows("y")) {
  return add(value, k, to, l2("source1 = resident, source2 = resident, ", at));
}
std::string readsL(int at = others) { return readsBeside(rows("l"), at); }

TEST_F(PlaceTasksTest, APlanarTaskFollowsOneThatWroteItsSource) {
  EXPECT_EQ(follows(writesL + readsL()), first);
  EXPECT_EQ(follows(writesL + add(rows("k"), rows("l"), rows("y"),
                                  l2("source1 = resident, source2 = resident, ",
                                     others))),
            second);
}

TEST_F(PlaceTasksTest, OfTwoSourcesItFollowsOne) {
  EXPECT_EQ(follows(writesL + add(rows("l"), rows("l"), rows("y"),
                                  l2("source1 = resident, source2 = resident, ",
                                     others))),
            no);
  EXPECT_EQ(follows(writesL + add(rows("x"), rows("l"), rows("y"),
                                  l2("source2 = resident, ", others))),
            no)
      << "the first one streams";
}

TEST_F(PlaceTasksTest, OneThatFetchesNamesAll) {
  EXPECT_EQ(follows(writesL + add(rows("l"), rows("v"), rows("y"),
                                  l2("source1 = resident, ", others))),
            no);
}

TEST_F(PlaceTasksTest, ItFollowsNoneThatOnlyRead) {
  EXPECT_EQ(follows(add(rows("k"), rows("w"), rows("y"),
                        l2("source1 = kept, ", tiles)) +
                    add(rows("k"), rows("w"), rows("y"),
                        l2("source1 = resident, ", others))),
            no);
}

TEST_F(PlaceTasksTest, ItReadsWhatWasWrittenInThatOrder) {
  std::string half =
      keepsK + add(rows("x", 0, 32), rows("w", 0, 32), rows("l", 0, 32),
                   l2("result = resident, ", tiles));
  auto readsHalf = [](int begin) {
    return readsBeside(rows("l", begin, 32), others, rows("k", 0, 32),
                       rows("y", 0, 32));
  };
  EXPECT_EQ(follows(half + readsHalf(0)), first);
  EXPECT_EQ(follows(half + readsHalf(32)), no) << "other rows";
  std::string sameStrides = rows("l"), batch = "[4096, ";
  sameStrides.replace(sameStrides.find(batch), batch.size(), "[8192, ");
  EXPECT_EQ(follows(writesL + readsBeside(sameStrides)), first)
      << "one image has no distance to another";
}

TEST_F(PlaceTasksTest, ItWalksOverAsMuch) {
  std::string column =
      add(rows("x", 0, 64, 1), rows("w", 0, 64, 1), rows("l", 0, 64, 1),
          l2("result = resident, ", tiles));
  EXPECT_EQ(follows(keepsK + column + readsBeside(rows("l", 0, 64, 1))), no);
  EXPECT_EQ(follows(writesL + largest(rows("l"), rows("y", 0, 1, 1),
                                      l2("source1 = resident, ", others))),
            first)
      << "a reduction walks over its source";
}

TEST_F(PlaceTasksTest, AReductionHasItsResultInTheEnd) {
  auto reduces = [](int count) {
    return keepsK + largest(rows("x", 0, count), rows("l", 0, 1, 1),
                            l2("result = resident, ", tiles));
  };
  auto readsRows = [](int count) {
    return readsBeside(rows("l", 0, 1, 1), others, rows("k", 0, count),
                       rows("y", 0, count));
  };
  EXPECT_EQ(follows(reduces(1) + readsRows(1)), first);
  EXPECT_EQ(follows(reduces(2) + readsRows(2)), no);
  EXPECT_EQ(
      follows(reduces(1) +
              add(rows("k", 0, 1), rows("l", 0, 1, 1), rows("y", 0, 1),
                  l2("source1 = resident, source2 = resident, ", others))),
      no);
}

TEST_F(PlaceTasksTest, ItOverwritesNothingThatIsRead) {
  // The task before has one source in L2 and tiles of the other one.
  for (bool isFirst : {true, false}) {
    std::string before =
        keepsK +
        (isFirst ? add(rows("w"), rows("k"), rows("l"),
                       l2("source2 = resident, result = resident, ", tiles))
                 : add(rows("k"), rows("w"), rows("l"),
                       l2("source1 = resident, result = resident, ", tiles)));
    auto writes = [](const std::string &result) {
      return add(rows("l"), rows("k"), rows(result),
                 l2("source1 = resident, source2 = resident, "
                    "result = resident, ",
                    others));
    };
    EXPECT_EQ(follows(before + writes("m")), first);
    EXPECT_EQ(follows(before + writes("t"), inL2("t", tiles)), no);
    EXPECT_EQ(follows(before + readsL()), first);
    EXPECT_EQ(follows(before + readsL(atK)), no) << "by its tiles";
  }
}

TEST_F(PlaceTasksTest, ItOverwritesNothingOfAllThatFollow) {
  // The second task follows by its second source, the third one overwrites what
  // the first one reads.
  std::string tasks =
      keepsK + copy(rows("x"), rows("n"), l2("result = resident, ", tiles)) +
      add(rows("k"), rows("w"), rows("l"),
          l2("source1 = resident, result = resident, ", tiles)) +
      add(rows("n"), rows("l"), rows("m"),
          l2("source1 = resident, source2 = resident, result = resident, ",
             others));
  auto reads = [](int at) { return readsBeside(rows("m"), at); };
  const std::string more = inL2("n", 12288);
  EXPECT_EQ(follows(tasks, more), second);
  EXPECT_EQ(follows(tasks + reads(others), more), first);
  EXPECT_EQ(follows(tasks + reads(atK), more), no);
}

TEST_F(PlaceTasksTest, SixteenTasksFollowAtMost) {
  constexpr int count = 20;
  std::string more, tasks = keepsK;
  auto name = [](int i) { return "b" + std::to_string(i); };
  for (int i = 0; i < count; ++i) {
    more += inL2(name(i), 32768 + 4096 * i);
    tasks += add(rows(i ? name(i - 1) : "x"), rows("k"), rows(name(i)),
                 l2(i ? "source1 = resident, source2 = resident, "
                        "result = resident, "
                      : "source2 = resident, result = resident, ",
                    131072 + 4096 * i));
  }
  std::vector<TaskPlaces> places = placesOf(tasks, more);
  for (int i = 1; i < count; ++i)
    EXPECT_EQ(places[1 + i].following.source1, i != 17) << i;
}

TEST_F(PlaceTasksTest, ATaskOfTheOtherEngineReplacesWhatIsInUse) {
  auto copies = [](const std::string &to, const std::string &use) {
    return writesL + copy(rows("x"), rows(to), use);
  };
  EXPECT_FALSE(replaces(copies("y", l2("", others))));
  EXPECT_TRUE(replaces(copies("y", l2("", tiles)))) << "tiles";
  EXPECT_TRUE(replaces(copies("y", l2("", atL)))) << "the result";
  EXPECT_TRUE(replaces(copies("l", l2("result = resident, ", others))))
      << "the same buffer, which it does not read";
  EXPECT_FALSE(replaces(copies("m", l2("result = resident, ", tiles))))
      << "its own result is elsewhere";
  EXPECT_FALSE(replaces(copies("y", l2("", atL, "co_issued, "))));
}

TEST_F(PlaceTasksTest, ATaskOfTheSameEngineWaitsAnyway) {
  EXPECT_FALSE(
      replaces(writesL + add(rows("x"), rows("w"), rows("y"), l2("", atL))));
  EXPECT_FALSE(replaces(
      writesL + copy(rows("l"), rows("y"), l2("source1 = resident, ", atL))))
      << "and one that reads the result";
}

TEST_F(PlaceTasksTest, WritersInL2AreKnown) {
  const std::string reads =
      copy(rows("k"), rows("y"), l2("source1 = resident, ", tiles));
  L2Writer writer = *placesOf(keepsK + reads).back().writer1;
  EXPECT_TRUE(writer.isBefore && writer.isReader);
  EXPECT_FALSE(writer.isPlanar || writer.isNamed) << "the same engine has it";

  writer = *placesOf(keepsK + reads + reads).back().writer1;
  EXPECT_FALSE(writer.isBefore || writer.isNamed) << "the one before found it";

  writer = *placesOf(keepsK + copy(rows("k"), rows("y"), l2("", tiles)) + reads)
                .back()
                .writer1;
  EXPECT_TRUE(writer.isNamed) << "the one before fetched it again";

  writer = *placesOf(writesL + copy(rows("l"), rows("y"),
                                    l2("source1 = resident, ", others)))
                .back()
                .writer1;
  EXPECT_TRUE(writer.isBefore && writer.isPlanar);

  writer =
      *placesOf(copy(rows("x"), rows("l"), l2("result = resident, ", tiles)) +
                copy(rows("l"), rows("y"), l2("source1 = resident, ", others)))
           .back()
           .writer1;
  EXPECT_TRUE(writer.isBefore);
  EXPECT_FALSE(writer.isNamed) << "it follows";
}

TEST_F(PlaceTasksTest, ATaskInPlaceIsNoReaderBefore) {
  L2Writer writer =
      *placesOf(copy(rows("x"), rows("l"), l2("result = resident, ", tiles)) +
                copy(rows("l"), rows("l"),
                     l2("source1 = resident, result = resident, ", tiles)) +
                copy(rows("l"), rows("y"), l2("source1 = resident, ", tiles)))
           .back()
           .writer1;
  EXPECT_TRUE(writer.isBefore);
  EXPECT_FALSE(writer.isReader || writer.isNamed);
}

TEST_F(PlaceTasksTest, WhatIsFetchedHasNoWriter) {
  EXPECT_FALSE(placesOf(keepsK + keepsK).back().writer1);
}

TEST_F(PlaceTasksTest, OneOfTwoPlanarTasksHadNothingBefore) {
  L2Writer writer = *placesOf(keepsK + add(rows("k"), rows("w"), rows("y"),
                                           l2("source1 = resident, ", others)))
                         .back()
                         .writer1;
  EXPECT_TRUE(writer.isBefore && writer.isReader);
  EXPECT_TRUE(writer.isNamed);
}

} // namespace
