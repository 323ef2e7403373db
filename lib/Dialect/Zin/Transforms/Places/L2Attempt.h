//===- L2Attempt.h - Places in the scratchpad, found in turn ----*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_PLACES_L2ATTEMPT_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_PLACES_L2ATTEMPT_H

#include "Places/L2Places.h"
#include "llvm/ADT/DenseSet.h"
#include <memory>

namespace ane::zin {

/// What saves most comes first: for each byte of L2 and each task that it takes
/// it from, or for each byte.
enum class L2Order { Area, Bytes };

/// Places for all candidates, given to one after the other.
class L2Attempt {
public:
  L2Attempt(llvm::MutableArrayRef<TaskOp> tasks, llvm::ArrayRef<int64_t> passes,
            std::deque<L2Candidate> buffers, const TargetDescription &target,
            int64_t tileBytes);

  /// Places candidates from one on, in an order behind what is urgent.
  void placeFrom(size_t first, L2Order by = L2Order::Area,
                 const llvm::DenseSet<size_t> &urgent = {});
  /// Between tasks where the same lies in L2 in the same places, takes those of
  /// another attempt that save more.
  void takeBetter(const L2Attempt &other);
  /// Candidates that have no place although there is as much room, in pieces.
  llvm::SmallVector<size_t> squeezedOut();

  std::deque<L2Candidate> &buffers() { return *candidates; }
  /// For another attempt.
  std::deque<L2Candidate> buffersWithoutPlaces() const;
  L2Places &places() { return *found; }

private:
  void reset();
  llvm::SmallVector<int64_t> savedFrom() const;

  llvm::MutableArrayRef<TaskOp> tasks;
  llvm::ArrayRef<int64_t> passes;
  const TargetDescription &target;
  int64_t tileBytes;
  std::unique_ptr<std::deque<L2Candidate>> candidates;
  std::unique_ptr<L2Places> found;
};

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_PLACES_L2ATTEMPT_H
