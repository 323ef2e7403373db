//===- Workers.cpp - Threads that share a loop ----------------------------===//

#include "Workers.h"
#include "Buffer.h"
#include "llvm/Support/Threading.h"
#include <atomic>
#include <chrono>
#include <deque>
#include <thread>
#if defined(__linux__)
#include <sched.h>
#endif

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

#if defined(__linux__)

/// Where a helper is. A thread wakes on the processor on which it fell asleep,
/// and if that is the caller's it gets there when the caller has done a short
/// loop alone: the system moves it only after some milliseconds.
class Place {
public:
  static int ofThisThread() { return sched_getcpu(); }

  /// Called by the helper, before it waits.
  void note() { processor.store(ofThisThread(), std::memory_order_relaxed); }

  /// Called by another thread, which is on processor `taken` and will wake the
  /// helper: it is to wake elsewhere, if it may.
  void avoid(int taken, std::thread &helper) {
    if (taken < 0 || taken >= CPU_SETSIZE || isMoved.load() ||
        processor.load(std::memory_order_relaxed) != taken ||
        pthread_getaffinity_np(helper.native_handle(), sizeof(allowed),
                               &allowed) != 0)
      return;
    cpu_set_t others = allowed;
    CPU_CLR(taken, &others);
    // Fails where there are no others.
    if (pthread_setaffinity_np(helper.native_handle(), sizeof(others),
                               &others) == 0)
      isMoved.store(true);
  }

  /// Called by the helper when it is awake: it may be anywhere again.
  void settle() {
    if (!isMoved.load())
      return;
    sched_setaffinity(0, sizeof(allowed), &allowed);
    isMoved.store(false);
  }

private:
  std::atomic<int> processor = -1;
  std::atomic<bool> isMoved = false; ///< then `allowed` is the helper's
  cpu_set_t allowed;
};

#else

class Place {
public:
  static int ofThisThread() { return -1; }
  void note() {}
  void avoid(int, std::thread &) {}
  void settle() {}
};

#endif

} // namespace

/// The calling thread takes its share, so there is one thread less.
class Workers::Pool {
public:
  explicit Pool(unsigned threads) {
    for (unsigned i = 1; i < threads; ++i) {
      Helper &helper = helpers.emplace_back();
      helper.thread = std::thread([this, &helper] { serve(helper.place); });
    }
  }

  ~Pool() {
    announce(noMoreLoops);
    for (Helper &helper : helpers)
      helper.thread.join();
  }

  void run(const Loop &next) {
    loop = next;
    unfinished.store(next.parts, std::memory_order_relaxed);
    int taken = Place::ofThisThread();
    for (Helper &helper : helpers)
      helper.place.avoid(taken, helper.thread);
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

  void serve(Place &place) {
    while (untaken.load(std::memory_order_acquire) != noMoreLoops) {
      place.note();
      waitWhile(untaken, 0);
      place.settle();
      work();
    }
  }

  struct Helper {
    Place place;
    std::thread thread;
  };

  Loop loop;
  std::atomic<uint32_t> untaken = 0;    ///< parts of the loop
  std::atomic<uint32_t> unfinished = 0; ///< parts of the loop
  std::deque<Helper> helpers;           ///< which stay where they are
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
