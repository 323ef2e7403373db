//===- ProgressTest.cpp - How far a long run is ---------------------------===//

#include "ane/Support/Progress.h"
#include "gmock/gmock.h"
#include <atomic>

using namespace ane;

namespace {

/// A terminal, and a place that counts how often it is asked for.
struct Counted {
  std::string text;
  llvm::raw_string_ostream terminal{text};
  std::atomic<unsigned> calls = 0;

  std::function<std::string()> where() {
    return [this] {
      ++calls;
      calls.notify_all();
      return "task 0 of 2";
    };
  }
};

TEST(Progress, ShortRunsSayNothing) {
  Counted counted;
  {
    Progress progress(counted.terminal, counted.where(), std::chrono::hours(1));
  }
  EXPECT_EQ(counted.text, "");
  EXPECT_EQ(counted.calls, 0u);
}

/// One that stays in a single task, too.
TEST(Progress, LongRunsAreShownAndWiped) {
  Counted counted;
  Progress progress(counted.terminal, counted.where(),
                    std::chrono::milliseconds(0));
  counted.calls.wait(0);
  counted.calls.wait(1);
  progress.stop();
  EXPECT_THAT(counted.text,
              testing::MatchesRegex("(\r\033\\[Ktask 0 of 2, [0-9]+ s){2,}"
                                    "\r\033\\[K"));
  size_t length = counted.text.size();
  progress.stop();
  EXPECT_EQ(counted.text.size(), length);
}

} // namespace
