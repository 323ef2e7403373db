//===- Bands.h - Tasks in parts that caches hold ----------------*- C++ -*-===//
//
// A task that computes its elements, or its rows, one by one reads and writes
// memory once when it is done in bands: what lies between reading and writing
// stays in a cache. A band is the same task on a part of the extents.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_ENGINE_EXECUTE_BANDS_H
#define ANE_LIB_ENGINE_EXECUTE_BANDS_H

#include "Execute/Execute.h"

namespace ane::engine {

/// Executes a task band by band with `executeBand`, whose execution has one
/// thread. False, and nothing is done, for a task that cannot be split: one
/// that sums over channels or a window, takes over or hands over its operand,
/// or writes where it reads other elements.
bool executeInBands(
    Execution &execution, const NeuralTask &task,
    llvm::function_ref<void(Execution &, const NeuralTask &)> executeBand);
bool executeInBands(
    Execution &execution, const PlanarTask &task,
    llvm::function_ref<void(Execution &, const PlanarTask &)> executeBand);

/// Bytes from the lowest to behind the highest.
struct ByteSpan {
  const uint8_t *begin, *end;

  /// What there is lies once more, at so many bytes from here, and between.
  void extend(int64_t reach) { (reach < 0 ? begin : end) += reach; }
  bool meets(const ByteSpan &other) const {
    return begin < other.end && other.begin < end;
  }
};

/// Whether a result in memory lies apart from itself and from an operand in
/// memory that is not kept.
bool isApart(Operand operand, Result result);

/// The same, or each element lies where that of the operand does.
bool isApartOrInPlace(Operand operand, Result result);

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_EXECUTE_BANDS_H
