//===- Workers.h - Threads that share a loop --------------------*- C++ -*-===//

#ifndef ANE_LIB_ENGINE_WORKERS_H
#define ANE_LIB_ENGINE_WORKERS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <algorithm>
#include <cstdint>
#include <memory>

namespace ane::engine {

/// A fixed number of threads. What a loop computes must not depend on how its
/// indices are divided among them. Loops allocate nothing, and do not nest.
class Workers {
public:
  /// Evens out parts of unequal cost.
  static constexpr unsigned partsPerThread = 4;
  /// What a part should at least have to do, in elements or products: less is
  /// done in the time that handing it over takes.
  static constexpr uint64_t leastWork = 1 << 14;

  /// The grain of a loop whose indices stand for so much work each.
  static uint64_t grainOf(uint64_t work) {
    return std::max<uint64_t>(leastWork / work, 1);
  }

  explicit Workers(unsigned threads = 1);
  ~Workers();

  /// 0 stands for the number of processors. Threads that are there already
  /// stay.
  void setThreads(unsigned threads);

  unsigned threads() const { return count; }

  /// Calls `body(begin, end)` for parts that together are [0, size). A part has
  /// at least `grain` indices where there are as many.
  void forEach(uint64_t size, uint64_t grain,
               llvm::function_ref<void(uint64_t, uint64_t)> body) {
    uint64_t parts = std::min<uint64_t>(size / std::max<uint64_t>(grain, 1),
                                        count * partsPerThread);
    if (pool && parts > 1)
      share(size, parts, body);
    else if (size)
      body(0, size);
  }

private:
  class Pool;

  void share(uint64_t size, uint64_t parts,
             llvm::function_ref<void(uint64_t, uint64_t)> body);

  unsigned count = 1;
  std::unique_ptr<Pool> pool; ///< null for one thread
};

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_WORKERS_H
