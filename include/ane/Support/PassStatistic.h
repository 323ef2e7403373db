//===- PassStatistic.h - Numbers that passes count --------------*- C++ -*-===//

#ifndef ANE_SUPPORT_PASSSTATISTIC_H
#define ANE_SUPPORT_PASSSTATISTIC_H

#include "mlir/Pass/Pass.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <atomic>
#include <mutex>

namespace ane {

/// A number that a pass counts, which the generated declarations of passes have
/// where they would have an mlir::Pass::Statistic. That one has no value where
/// LLVM is built without assertions, as it is in distributions, and its size
/// depends on how those who include it are built; this one always counts.
class PassStatistic {
public:
  using List = llvm::SmallVector<PassStatistic *, 4>;

  PassStatistic(const mlir::Pass *owner, const char *name,
                const char *description)
      : owner(owner), name(name), description(description) {
    Owners &owners = allOwners();
    std::scoped_lock lock(owners.mutex);
    owners.statistics[owner].push_back(this);
  }
  PassStatistic(const PassStatistic &) = delete;
  ~PassStatistic() {
    Owners &owners = allOwners();
    std::scoped_lock lock(owners.mutex);
    auto entry = owners.statistics.find(owner);
    llvm::erase(entry->second, this);
    if (entry->second.empty())
      owners.statistics.erase(entry);
  }

  PassStatistic &operator+=(uint64_t more) {
    value.fetch_add(more, std::memory_order_relaxed);
    return *this;
  }
  PassStatistic &operator++() { return *this += 1; }

  const char *getName() const { return name; }
  const char *getDescription() const { return description; }
  operator uint64_t() const { return value.load(std::memory_order_relaxed); }
  /// What was counted since the last call.
  uint64_t take() { return value.exchange(0, std::memory_order_relaxed); }

  /// The statistics of a pass in the order of their declarations. Each clone of
  /// a pass, which threads have, has its own.
  static List of(const mlir::Pass &pass) {
    Owners &owners = allOwners();
    std::scoped_lock lock(owners.mutex);
    return owners.statistics.lookup(&pass);
  }

private:
  /// A pass does not know what is in it, and there is no other way from one to
  /// its statistics.
  struct Owners {
    std::mutex mutex;
    llvm::DenseMap<const mlir::Pass *, List> statistics;
  };
  static Owners &allOwners() {
    static Owners owners;
    return owners;
  }

  const mlir::Pass *owner;
  const char *name, *description;
  std::atomic<uint64_t> value = 0;
};

} // namespace ane

#endif // ANE_SUPPORT_PASSSTATISTIC_H
