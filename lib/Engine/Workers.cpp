//===- Workers.cpp - Threads that share a loop ----------------------------===//

#include "Workers.h"
#include "Buffer.h"
#include "llvm/Support/Threading.h"
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

using namespace ane::engine;

namespace {

struct Loop {
  llvm::function_ref<void(uint64_t, uint64_t)> body;
  uint64_t size = 0;
  uint32_t parts = 0;
};

/// Lets the processor do something else for an instant.
void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Waits for another value. Loops follow each other closely, and a thread that
/// sleeps takes longer to wake than most loops between two others take. So it
/// stays awake for about as long as falling asleep and waking last together. It
/// does not offer its processor to other programs, which would keep it for far
/// longer.
void waitWhile(const std::atomic<uint32_t> &value, uint32_t old) {
  constexpr std::chrono::microseconds awake(50);
  constexpr unsigned looksPerTime = 16; // the clock takes longer than a look
  auto end = std::chrono::steady_clock::now() + awake;
  do {
    for (unsigned i = 0; i < looksPerTime; ++i) {
      if (value.load(std::memory_order_acquire) != old)
        return;
      pause();
    }
  } while (std::chrono::steady_clock::now() < end);
  value.wait(old, std::memory_order_acquire);
}

} // namespace

/// The calling thread takes its share, so there is one thread less.
class Workers::Pool {
public:
  explicit Pool(unsigned threads) {
    for (unsigned i = 1; i < threads; ++i)
      helpers.emplace_back([this] { serve(); });
  }

  ~Pool() {
    announce(noMoreLoops);
    for (std::thread &helper : helpers)
      helper.join();
  }

  void run(const Loop &next) {
    loop = next;
    unfinished.store(next.parts, std::memory_order_relaxed);
    announce(next.parts);
    work();
    while (uint32_t left = unfinished.load(std::memory_order_acquire))
      waitWhile(unfinished, left);
  }

private:
  static constexpr uint32_t noMoreLoops = UINT32_MAX;

  void announce(uint32_t parts) {
    untaken.store(parts, std::memory_order_release);
    untaken.notify_all();
  }

  /// Does parts until there are none. A helper that comes late finds none, or
  /// those of the next loop: only who has taken a part may look at the loop,
  /// which stays until that part is finished.
  void work() {
    PartOfLoop part;
    uint32_t left = untaken.load(std::memory_order_relaxed);
    while (left != 0 && left != noMoreLoops) {
      if (!untaken.compare_exchange_weak(left, left - 1,
                                         std::memory_order_acquire,
                                         std::memory_order_relaxed))
        continue;
      uint64_t index = loop.parts - left;
      loop.body(loop.size * index / loop.parts,
                loop.size * (index + 1) / loop.parts);
      if (unfinished.fetch_sub(1, std::memory_order_acq_rel) == 1)
        unfinished.notify_one();
      left = untaken.load(std::memory_order_relaxed);
    }
  }

  void serve() {
    while (untaken.load(std::memory_order_acquire) != noMoreLoops) {
      waitWhile(untaken, 0);
      work();
    }
  }

  Loop loop;
  std::atomic<uint32_t> untaken = 0;    ///< parts of the loop
  std::atomic<uint32_t> unfinished = 0; ///< parts of the loop
  std::vector<std::thread> helpers;
};

Workers::Workers(unsigned threads) { setThreads(threads); }
Workers::~Workers() = default;

void Workers::setThreads(unsigned threads) {
  constexpr unsigned maxThreads = 256; // beyond, they only wait
  if (threads == 0)
    threads = llvm::hardware_concurrency().compute_thread_count();
  threads = std::clamp(threads, 1u, maxThreads);
  if (threads == count)
    return;
  count = threads;
  pool.reset();
  if (count == 1)
    return;
  reserveForThreads(count);
  pool = std::make_unique<Pool>(count);
}

void Workers::share(uint64_t size, uint64_t parts,
                    llvm::function_ref<void(uint64_t, uint64_t)> body) {
  pool->run({body, size, static_cast<uint32_t>(parts)});
}
