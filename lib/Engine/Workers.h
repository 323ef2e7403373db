//===- Workers.h - Threads that share a loop --------------------*- C++ -*-===//

#ifndef ANE_LIB_ENGINE_WORKERS_H
#define ANE_LIB_ENGINE_WORKERS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/ThreadPool.h"
#include <algorithm>
#include <cstdint>
#include <memory>

namespace ane::engine {

/// A fixed number of threads. What a loop computes must not depend on how its
/// indices are divided among them.
class Workers {
public:
  /// 0 stands for the number of processors.
  explicit Workers(unsigned threads) {
    llvm::ThreadPoolStrategy strategy = llvm::hardware_concurrency(threads);
    constexpr unsigned maxThreads = 256; // beyond, they only wait
    count = std::clamp(strategy.compute_thread_count(), 1u, maxThreads);
    strategy.ThreadsRequested = count;
    if (count > 1)
      pool = std::make_unique<llvm::DefaultThreadPool>(strategy);
  }

  unsigned threads() const { return count; }

  /// Calls `body(begin, end)` for parts that together are [0, size). A part has
  /// at least `grain` indices where there are as many.
  void forEach(uint64_t size, uint64_t grain,
               llvm::function_ref<void(uint64_t, uint64_t)> body) {
    constexpr unsigned partsPerThread = 4; // evens out parts of unequal cost
    uint64_t parts = std::min<uint64_t>(size / std::max<uint64_t>(grain, 1),
                                        count * partsPerThread);
    if (!pool || parts <= 1) {
      if (size)
        body(0, size);
      return;
    }
    for (uint64_t part = 0; part < parts; ++part)
      pool->async(
          [=] { body(size * part / parts, size * (part + 1) / parts); });
    pool->wait();
  }

private:
  unsigned count;
  std::unique_ptr<llvm::DefaultThreadPool> pool;
};

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_WORKERS_H
