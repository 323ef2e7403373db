//===- WorkersTest.cpp - Threads that share a loop ------------------------===//

#include "Workers.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>
#if defined(__linux__)
#include <sched.h>
#endif

using namespace ane::engine;

namespace {

/// Runs a loop; whether it did each index once.
bool doesEachOnce(Workers &workers, uint64_t size, uint64_t grain) {
  std::vector<std::atomic<unsigned>> done(size);
  std::atomic<bool> wasInside = true;
  workers.forEach(size, grain, [&](uint64_t begin, uint64_t end) {
    wasInside = wasInside && begin < end && end <= size;
    for (uint64_t i = begin; i < end; ++i)
      ++done[i];
  });
  return wasInside && llvm::all_of(done, [](const auto &n) { return n == 1; });
}

TEST(Workers, DoEachIndexOnce) {
  for (unsigned threads : {1u, 2u, 3u, 8u}) {
    Workers workers(threads);
    // Loops that follow each other closely: helpers come late to most.
    for (unsigned round = 0; round < 300; ++round)
      for (uint64_t size : {0, 1, 2, 7, 64, 1000})
        ASSERT_TRUE(doesEachOnce(workers, size, 1 + round % 5))
            << threads << " threads, " << size << " indices";
  }
}

TEST(Workers, WakeAfterAPause) {
  Workers workers(4);
  for (unsigned round = 0; round < 5; ++round) {
    EXPECT_TRUE(doesEachOnce(workers, 100, 1));
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
}

TEST(Workers, EndAtAnyTime) {
  for (unsigned round = 0; round < 50; ++round) {
    Workers unused(3);
    Workers workers(2);
    EXPECT_TRUE(doesEachOnce(workers, 10, 1));
    workers.setThreads(1 + round % 4);
    EXPECT_TRUE(doesEachOnce(workers, 10, 1));
  }
}

TEST(Workers, HaveHelpersWhereTheCallerWaits) {
  // Two parts that wait for each other need two threads.
  Workers workers(2);
  for (unsigned round = 0; round < 20; ++round) {
    std::atomic<unsigned> started = 0;
    workers.forEach(2, 1, [&](uint64_t, uint64_t) {
      ++started;
      while (started < 2)
        std::this_thread::yield();
    });
    EXPECT_EQ(started, 2u);
  }
}

#if defined(__linux__)
TEST(Workers, MayBeOnAllProcessors) {
  // A helper that sleeps where the caller is gets woken elsewhere.
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof(all), &all), 0);
  Workers workers(3);
  std::atomic<bool> areSame = true;
  for (unsigned round = 0; round < 50; ++round) {
    workers.forEach(6, 1, [&](uint64_t, uint64_t) {
      cpu_set_t mine;
      if (sched_getaffinity(0, sizeof(mine), &mine) != 0 ||
          !CPU_EQUAL(&all, &mine))
        areSame = false;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_TRUE(areSame);
}
#endif

} // namespace
