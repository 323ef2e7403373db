//===- StatisticsStore.h - The statistics store of the PE -------*- C++ -*-===//
//
// Tasks deposit results in the store and later ones take operands from it. Both
// name them by their place in the scratchpad, where each result is stored as
// well. So the store needs no bytes of its own: an operand is in it as long as
// no task without a deposit overwrites it in the scratchpad.
//
// Evidence: which tasks have the marks is verified, that they mean a store is
// inferred.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_ENGINE_STATISTICSSTORE_H
#define ANE_LIB_ENGINE_STATISTICSSTORE_H

#include "Plan.h"
#include "llvm/ADT/BitVector.h"

namespace ane::engine {

class StatisticsStore {
public:
  StatisticsStore();

  /// A task's result or kept operand at `base` of the scratchpad, which it is
  /// known to fit.
  void write(uint64_t base, const Strides &strides, const Extents &extents,
             bool deposits);

  /// Whether every element of an operand is in the store.
  bool holds(uint64_t base, const Strides &strides,
             const Extents &extents) const;

private:
  llvm::BitVector deposited; ///< by the units in which L2 is addressed
};

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_STATISTICSSTORE_H
