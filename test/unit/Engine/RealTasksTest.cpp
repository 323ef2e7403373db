//===- RealTasksTest.cpp - Runs the decoded real programs -----------------===//

#include "../TestData.h"
#include "Exemplars.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gmock/gmock.h"

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;

namespace {

std::vector<Exemplar> allExemplars() {
  std::vector<Exemplar> all = elementwiseExemplars();
  llvm::append_range(all, convExemplars());
  llvm::append_range(all, productExemplars());
  llvm::append_range(all, reductionExemplars());
  return all;
}

class RealTask : public testing::TestWithParam<Exemplar> {};

TEST_P(RealTask, ComputesItsProgram) {
  RealCase program(GetParam().name);
  NEEDS_DATA(program);
  Outcome outcome = GetParam().run(program);
  if (!HasFailure())
    expectOutcome(GetParam().name, GetParam().op, outcome);
}

INSTANTIATE_TEST_SUITE_P(All, RealTask, testing::ValuesIn(allExemplars()),
                         [](const auto &info) { return info.param.name; });

/// Every task file there is runs.
TEST(RealTasks, AreAllAccountedFor) {
  std::optional<std::string> folder = testData("real/tasks");
  if (!folder)
    GTEST_SKIP() << "ANE_TEST_DATA is not set";
  std::vector<std::string> executed, files;
  for (const Exemplar &exemplar : allExemplars())
    executed.push_back(exemplar.name);
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(*folder, error), end;
       !error && file != end; file.increment(error))
    files.push_back(llvm::sys::path::stem(file->path()).str());
  ASSERT_FALSE(error) << error.message();
  EXPECT_THAT(executed, testing::UnorderedElementsAreArray(files));
  EXPECT_THAT(documentedPrograms(), testing::IsSupersetOf(executed));
  EXPECT_GE(executed.size(), 70u);
  EXPECT_TRUE(
      isDocumented("All " + std::to_string(files.size()) + " of them run;"))
      << "docs/engine.md should say how many run: " << files.size();
  RecordProperty("executed", std::to_string(executed.size()));
}

/// Every program file there is has its row, which the test of the program
/// computes.
TEST(RealTasks, ProgramsAreAllDocumented) {
  std::optional<std::string> folder = testData("real");
  if (!folder)
    GTEST_SKIP() << "ANE_TEST_DATA is not set";
  std::vector<std::string> files;
  for (llvm::StringRef kind : {"hwx", "anec"}) {
    llvm::SmallString<128> path(*folder);
    llvm::sys::path::append(path, kind);
    std::error_code error;
    for (llvm::sys::fs::recursive_directory_iterator file(path, error), end;
         !error && file != end; file.increment(error))
      if (file->type() == llvm::sys::fs::file_type::regular_file)
        files.push_back(file->path().substr(path.size() + 1));
    ASSERT_FALSE(error) << error.message();
  }
  EXPECT_FALSE(files.empty());
  EXPECT_THAT(documentedPrograms(), testing::IsSupersetOf(files));
}

} // namespace
