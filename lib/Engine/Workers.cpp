//===- Workers.cpp - Threads that share a loop ----------------------------===//

#include "Workers.h"
#include "Buffer.h"
#include "llvm/Support/Threading.h"
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

using namespace ane::engine;

namespace {

struct Loop {
  llvm::function_ref<void(uint64_t, uint64_t)> body;
  uint64_t size = 0, parts = 0;
};

} // namespace

/// The calling thread takes its share, so there is one thread less.
class Workers::Pool {
public:
  explicit Pool(unsigned threads) {
    for (unsigned i = 1; i < threads; ++i)
      helpers.emplace_back([this] { serve(); });
  }

  ~Pool() {
    {
      std::lock_guard lock(mutex);
      ends = true;
    }
    changed.notify_all();
    for (std::thread &helper : helpers)
      helper.join();
  }

  void run(const Loop &next) {
    std::unique_lock lock(mutex);
    loop = next;
    nextPart = 0;
    ++generation;
    active = 1;
    changed.notify_all();
    work(lock);
    idle.wait(lock, [&] { return active == 0; });
  }

private:
  /// Does parts until there are none. A helper that comes late finds none.
  void work(std::unique_lock<std::mutex> &lock) {
    PartOfLoop part;
    while (nextPart < loop.parts) {
      uint64_t index = nextPart++;
      Loop current = loop;
      lock.unlock();
      current.body(current.size * index / current.parts,
                   current.size * (index + 1) / current.parts);
      lock.lock();
    }
    if (--active == 0)
      idle.notify_one();
  }

  void serve() {
    std::unique_lock lock(mutex);
    uint64_t seen = 0;
    while (true) {
      changed.wait(lock, [&] { return ends || generation != seen; });
      if (ends)
        return;
      seen = generation;
      ++active;
      work(lock);
    }
  }

  std::mutex mutex;
  std::condition_variable changed, idle;
  // Under the mutex.
  Loop loop;
  uint64_t nextPart = 0;
  uint64_t generation = 0; ///< of the loop
  unsigned active = 0;     ///< threads in `work`
  bool ends = false;

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
  pool->run({body, size, parts});
}
