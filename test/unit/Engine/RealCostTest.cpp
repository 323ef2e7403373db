//===- RealCostTest.cpp - Our estimates next to Apple's -------------------===//

#include "../TestData.h"
#include "Fixtures.h"
#include "TaskFile.h"
#include "ane/Cost/Cost.h"
#include "ane/TaskDescriptor/Convert.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ane;
using namespace ane::engine::test;

namespace {

/// The place of each value in their order, the mean one for equal values.
std::vector<double> ranks(llvm::ArrayRef<double> values) {
  std::vector<double> result;
  for (double value : values) {
    auto below = llvm::count_if(values, [&](double v) { return v < value; });
    auto equal = llvm::count(values, value);
    result.push_back(below + (equal - 1) / 2.0);
  }
  return result;
}

double correlation(llvm::ArrayRef<double> a, llvm::ArrayRef<double> b) {
  double meanA = 0, meanB = 0, both = 0, squareA = 0, squareB = 0;
  for (auto [x, y] : llvm::zip_equal(a, b)) {
    meanA += x / a.size();
    meanB += y / b.size();
  }
  for (auto [x, y] : llvm::zip_equal(a, b)) {
    both += (x - meanA) * (y - meanB);
    squareA += (x - meanA) * (x - meanA);
    squareB += (y - meanB) * (y - meanB);
  }
  return both / std::sqrt(squareA * squareB);
}

/// Calls `fn` for all tasks of decoded programs.
void forRealTasks(const std::string &folder,
                  llvm::function_ref<void(const td::RegisterImage &)> fn) {
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(folder, error), end;
       !error && file != end; file.increment(error)) {
    auto tasks = readTaskFile(file->path());
    ASSERT_TRUE(bool(tasks)) << llvm::toString(tasks.takeError());
    for (const td::RegisterImage &image : td::effectiveImages(*tasks))
      fn(image);
  }
  ASSERT_FALSE(error) << error.message();
}

/// The tasks that carry an estimate of Apple's compiler come in nearly the
/// order of ours.
TEST(RealCost, OrdersTasksAsExeCyclesDoes) {
  std::optional<std::string> folder = testData("real/tasks");
  if (!folder)
    GTEST_SKIP() << "ANE_TEST_DATA is not set";
  std::vector<double> apple, ours;
  forRealTasks(*folder, [&](const td::RegisterImage &image) {
    cost::TaskCost cost = cost::estimateTask(image, *findTarget("h13"));
    if (cost.exeCycles == 0)
      return;
    apple.push_back(cost.exeCycles);
    ours.push_back(cost.cycles);
  });
  EXPECT_GE(apple.size(), 70u);
  double rank = correlation(ranks(apple), ranks(ours));
  RecordProperty("correlation", std::to_string(rank));
  EXPECT_GT(rank, 0.85);
}

/// Reductions in L2 are the only tasks of which the header says more than what
/// memory and single pixels take.
TEST(RealCost, HeaderEstimateIsThatOfMemory) {
  std::optional<std::string> folder = testData("real/tasks");
  if (!folder)
    GTEST_SKIP() << "ANE_TEST_DATA is not set";
  unsigned equal = 0, reductions = 0;
  forRealTasks(*folder, [&](const td::RegisterImage &image) {
    td::TaskSummary summary = td::summarize(image);
    uint64_t ours = cost::estimateForHeader(summary);
    if (ours == summary.exeCycles) {
      ++equal;
      return;
    }
    ++reductions;
    EXPECT_GT(summary.exeCycles, ours) << summary.text();
    EXPECT_TRUE(summary.operation == td::Operation::ReduceSum ||
                summary.operation == td::Operation::ReduceMax)
        << summary.text();
  });
  EXPECT_EQ(reductions, 3u);
  EXPECT_GE(equal, 134u);
}

} // namespace
