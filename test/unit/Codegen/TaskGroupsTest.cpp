//===- TaskGroupsTest.cpp - What tasks share in the engine ----------------===//

#include "TaskGroups.h"
#include "TaskProgram.h"

using namespace ane;
using td::Field;

namespace {

const std::string buffers = port("input", "x") + port("input", "w") +
                            port("output", "y") + inL2("l", 0) +
                            inL2("m", 4096) + inBoth("k", 0, 8192);

class TaskGroupsTest : public TaskProgramTest {
protected:
  std::vector<TaskNeighbours> neighboursOf(const std::string &tasks,
                                           llvm::ArrayRef<bool> images = {}) {
    codegen::ProgramParts parts = parse(buffers + tasks);
    llvm::SmallVector<bool> all(images);
    all.resize(parts.tasks.size());
    return findNeighbours(parts.tasks, all);
  }

  /// One letter for each task: `<` where only the next one is linked to it, `>`
  /// where it is only linked to the one before, `=` of both, `.` of none.
  std::string linksOf(const std::string &tasks,
                      llvm::ArrayRef<bool> images = {}) {
    std::string links;
    for (const TaskNeighbours &task : neighboursOf(tasks, images))
      links += task.linksIn ? (task.linksOut ? '=' : '>')
                            : (task.linksOut ? '<' : '.');
    return links;
  }
};

const std::string keeps = l2("result = resident, ", 16384),
                  reads = l2("source1 = resident, ", 16384),
                  both = l2("source1 = resident, result = resident, ", 16384);
const std::string adds = add(rows("x"), rows("w"), rows("l"), keeps),
                  addsL = add(rows("l"), rows("w"), rows("y"), reads),
                  addsM = add(rows("m"), rows("w"), rows("y"), reads),
                  copies = copy(rows("l"), rows("m"), both);

TEST_F(TaskGroupsTest, PlanarTasksAreLinkedByWhatStaysInL2) {
  EXPECT_EQ(linksOf(adds + addsL), "<>");
  EXPECT_EQ(linksOf(add(rows("x"), rows("w"), rows("k")) +
                    add(rows("k"), rows("w"), rows("y"))),
            "..");
  EXPECT_EQ(linksOf(adds + addsL, {true, false}), "..") << "by way of memory";
  EXPECT_EQ(linksOf(adds + copy(rows("l"), rows("y"), reads)), "..")
      << "of another engine";
}

TEST_F(TaskGroupsTest, ACopyBetweenThemPassesTheLinkOn) {
  // That it is linked to the one before is not said.
  EXPECT_EQ(linksOf(adds + copies + addsM), "<<>");
  EXPECT_EQ(linksOf(copy(rows("x"), rows("m"), keeps) + addsM), "..")
      << "there is none before it";
  EXPECT_EQ(linksOf(adds + copy(rows("l"), rows("k"), reads) +
                    add(rows("k"), rows("w"), rows("y"))),
            "...")
      << "its result goes to memory";
  EXPECT_EQ(linksOf(adds + copies + copy(rows("m"), rows("y"), reads)), "...")
      << "no planar task is behind it";
  std::string relu = copy(rows("l"), rows("m"), both, ", relu = true");
  EXPECT_EQ(linksOf(adds + relu + addsM), "...");
  std::string maximum = copies;
  maximum.replace(maximum.find("op = pass"), 9, "op = max");
  EXPECT_EQ(linksOf(adds + maximum + addsM), "...");
}

TEST_F(TaskGroupsTest, PlanarTasksAreKnownToTheEnd) {
  std::vector<TaskNeighbours> all = neighboursOf(
      copy(rows("x"), rows("y")) + add(rows("x"), rows("w"), rows("y")) +
      copy(rows("x"), rows("y")) + copy(rows("x"), rows("y")));
  EXPECT_FALSE(all[0].planarBefore || all[1].planarBefore);
  EXPECT_TRUE(all[2].planarBefore && all[3].planarBefore);
  EXPECT_TRUE(all[0].isFirst);
  EXPECT_FALSE(all[1].isFirst);
}

TEST_F(TaskGroupsTest, TheFirstOfAGroupWaitsUnlessItsSourceIsRestored) {
  std::string tasks = copy(rows("x"), rows("l"), keeps) +
                      copy(rows("l"), rows("y"), reads) +
                      copy(rows("x"), rows("y"));
  std::vector<TaskNeighbours> all = neighboursOf(tasks, {true, false, false});
  EXPECT_TRUE(all[0].savesResult && all[1].restoresSource);
  EXPECT_TRUE(all[1].opens && all[2].opens);
  EXPECT_FALSE(all[1].waits);
  EXPECT_TRUE(all[2].waits);
  all = neighboursOf(tasks);
  EXPECT_TRUE(all[0].opens && all[1].closes);
  EXPECT_FALSE(all[0].closes || all[1].opens || all[1].waits);
}

TEST_F(TaskGroupsTest, AResultNamesTheEnginesBeforeIt) {
  auto named = [](bool waits, bool replaces, bool planarBefore) {
    TaskNeighbours task;
    task.waits = waits;
    task.planarBefore = planarBefore;
    td::RegisterImage image;
    task.write(image, replaces);
    std::string fields;
    for (auto [field, name] : {std::pair(Field::ResultAliasConvSrc, 's'),
                               std::pair(Field::ResultAliasConvRslt, 'r'),
                               std::pair(Field::ResultAliasPlanarSrc, 'S'),
                               std::pair(Field::ResultAliasPlanarRslt, 'R')})
      if (image.isSet(field))
        fields += name;
    return fields;
  };
  EXPECT_EQ(named(/*waits=*/false, /*replaces=*/false, true), "");
  EXPECT_EQ(named(/*waits=*/true, /*replaces=*/false, false), "sr");
  EXPECT_EQ(named(/*waits=*/true, /*replaces=*/false, true), "srR");
  EXPECT_EQ(named(/*waits=*/false, /*replaces=*/true, false), "sr");
  EXPECT_EQ(named(/*waits=*/false, /*replaces=*/true, true), "srSR");
}

} // namespace
