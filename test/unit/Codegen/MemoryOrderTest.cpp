//===- MemoryOrderTest.cpp - Which transfers wait for others --------------===//

#include "MemoryOrder.h"
#include "TaskProgram.h"

using namespace ane;
using namespace ane::codegen;
using td::DependencyMode;

namespace {

/// a and c have the same bytes, b lies behind them.
const std::string buffers = port("input", "x") + port("output", "y") +
                            scratch("a", 0) + scratch("b", 4096) +
                            scratch("c", 0) + inL2("l", 0);

class MemoryOrderTest : public TaskProgramTest {
protected:
  /// What each task waits for, of which none has an image.
  std::vector<MemoryWaits> waitsOf(const std::string &tasks) {
    ProgramParts parts = parse(buffers + tasks);
    MemoryOrder order(parts.buffers);
    std::vector<MemoryWaits> waits;
    for (zin::TaskOp task : parts.tasks)
      waits.push_back(order.next(task, /*savesResult=*/false,
                                 /*restoresSource=*/false));
    return waits;
  }
};

std::string product(const std::string &kernel) {
  return "zin.task <NEFUSED_CONV> on <NEConv> reads " + rows("x") + "writes " +
         rows("y") +
         "computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], "
         "padding = [0, 0]> weighs " +
         rows(kernel) + "\n";
}

TEST_F(MemoryOrderTest, AFetchWaitsForWhatWasStoredThere) {
  auto waits = waitsOf(
      copy(rows("x"), rows("a", 0, 32)) + copy(rows("a", 32, 32), rows("y")) +
      copy(rows("a", 31, 32), rows("y")) + copy(rows("a", 0, 32), rows("y")));
  EXPECT_EQ(waits[0].sources, DependencyMode::None);
  EXPECT_EQ(waits[1].sources, DependencyMode::None) << "of other rows";
  EXPECT_EQ(waits[2].sources, DependencyMode::Earlier);
  EXPECT_EQ(waits[3].sources, DependencyMode::None) << "after a wait";
}

TEST_F(MemoryOrderTest, SecondSourcesAndWhatIsKeptAreFetched) {
  auto waits = waitsOf(
      copy(rows("x"), rows("a")) + add(rows("x"), rows("a"), rows("y")) +
      copy(rows("x"), rows("b")) +
      copy(rows("b"), rows("y"), l2("source1 = kept, ", 4096)));
  EXPECT_EQ(waits[1].sources, DependencyMode::Earlier);
  EXPECT_EQ(waits[3].sources, DependencyMode::Earlier);
}

TEST_F(MemoryOrderTest, WhatIsInL2AloneIsNoTransfer) {
  auto waits =
      waitsOf(copy(rows("x"), rows("l"), l2("result = resident, ", 4096)) +
              copy(rows("l"), rows("y")) + copy(rows("x"), rows("a")) +
              copy(rows("a"), rows("y"), l2("source1 = resident, ", 4096)));
  EXPECT_EQ(waits[1].sources, DependencyMode::None);
  EXPECT_EQ(waits[3].sources, DependencyMode::None);
}

TEST_F(MemoryOrderTest, AnImageIsStoredAndFetched) {
  ProgramParts parts =
      parse(buffers + copy(rows("x"), rows("a"), l2("result = resident, ", 0)) +
            copy(rows("a"), rows("y"), l2("source1 = resident, ", 0)));
  MemoryOrder order(parts.buffers);
  order.next(parts.tasks[0], /*savesResult=*/true, /*restoresSource=*/false);
  EXPECT_EQ(order
                .next(parts.tasks[1], /*savesResult=*/false,
                      /*restoresSource=*/true)
                .sources,
            DependencyMode::Earlier);
}

TEST_F(MemoryOrderTest, AStoreWaitsForWhatReadsTheSameBytes) {
  auto waits =
      waitsOf(copy(rows("a"), rows("y")) + copy(rows("x"), rows("b")) +
              copy(rows("x"), rows("a", 0, 32)) + copy(rows("x"), rows("c")));
  EXPECT_EQ(waits[1].result, DependencyMode::None) << "behind them";
  EXPECT_EQ(waits[2].result, DependencyMode::None)
      << "a buffer does not replace itself";
  EXPECT_EQ(waits[3].result, DependencyMode::Earlier);
  waits = waitsOf(copy(rows("b"), rows("y")) + copy(rows("x"), rows("a")));
  EXPECT_EQ(waits[1].result, DependencyMode::None) << "in front of them";
}

TEST_F(MemoryOrderTest, AWaitIsForAllBeforeIt) {
  auto waits = waitsOf(copy(rows("a"), rows("b")) + copy(rows("b"), rows("y")) +
                       copy(rows("x"), rows("c")));
  EXPECT_EQ(waits[1].sources, DependencyMode::Earlier);
  EXPECT_EQ(waits[2].result, DependencyMode::None);
}

TEST_F(MemoryOrderTest, AStoreWaitsForOneThatItReplaces) {
  auto waits = waitsOf(copy(rows("x"), rows("a", 0, 32)) +
                       copy(rows("x"), rows("a", 32, 32)) +
                       copy(rows("x"), rows("a", 31, 2)));
  EXPECT_EQ(waits[1].result, DependencyMode::None) << "other rows";
  EXPECT_EQ(waits[2].result, DependencyMode::Earlier);
}

TEST_F(MemoryOrderTest, KernelsAreWaitedForEver) {
  auto waits = waitsOf(product("a") + copy(rows("x"), rows("b")) +
                       copy(rows("b"), rows("y")) + copy(rows("x"), rows("c")));
  EXPECT_EQ(waits[2].sources, DependencyMode::Earlier);
  EXPECT_EQ(waits[3].result, DependencyMode::EarlierKernel);
}

TEST_F(MemoryOrderTest, OfManyStoresNobodyLooksAtEach) {
  ProgramParts parts = parse(buffers + copy(rows("x"), rows("a", 0, 32)) +
                             copy(rows("a", 32, 32), rows("y")));
  for (int count : {1024, 1025}) {
    MemoryOrder order(parts.buffers);
    for (int i = 0; i < count; ++i)
      order.next(parts.tasks[0], /*savesResult=*/false,
                 /*restoresSource=*/false);
    EXPECT_EQ(order
                  .next(parts.tasks[1], /*savesResult=*/false,
                        /*restoresSource=*/false)
                  .sources,
              count > 1024 ? DependencyMode::Earlier : DependencyMode::None)
        << count;
  }
}

} // namespace
