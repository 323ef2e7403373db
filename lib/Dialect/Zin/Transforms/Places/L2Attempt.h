//===- L2Attempt.h - Places in the scratchpad, found in turn ----*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_PLACES_L2ATTEMPT_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_PLACES_L2ATTEMPT_H

#include "Places/L2Places.h"
#include "llvm/ADT/DenseSet.h"
#include <memory>

namespace ane::zin {

/// What saves most comes first: for each byte of L2 and each task that it takes
/// it from, for each byte, or at all.
enum class L2Order { Area, Bytes, Saving };

/// Places for all candidates, given to one after the other.
class L2Attempt {
public:
  L2Attempt(llvm::MutableArrayRef<TaskOp> tasks, llvm::ArrayRef<int64_t> passes,
            L2Candidates candidates, const TargetDescription &target,
            int64_t tileBytes);

  /// Places buffers, in an order behind what is urgent, and then reads.
  void place(L2Order by, const llvm::DenseSet<size_t> &urgent);
  /// Between tasks where the same buffers lie in L2 in the same places, takes
  /// those of another attempt if more is saved there.
  void takeBetter(const L2Attempt &other);
  /// Whether all buffers have a place.
  bool isComplete() const;
  /// Buffers that have no place although there is as much room, in pieces.
  llvm::ArrayRef<size_t> squeezedOut() const { return squeezed; }
  /// Another attempt, in which nothing has a place yet.
  L2Attempt again() const;

  std::deque<L2Candidate> &all() { return *candidates; }
  L2Places &places() { return *found; }

private:
  void reset();
  void placeInOrder(llvm::ArrayRef<size_t> indices, L2Order by,
                    const llvm::DenseSet<size_t> &urgent = {});
  void findSqueezed();
  void placeReads();
  llvm::SmallVector<int64_t> savedFrom() const;

  llvm::MutableArrayRef<TaskOp> tasks;
  llvm::ArrayRef<int64_t> passes;
  const TargetDescription &target;
  int64_t tileBytes;
  size_t numBuffers;
  llvm::SmallVector<size_t> squeezed;
  std::unique_ptr<std::deque<L2Candidate>> candidates;
  std::unique_ptr<L2Places> found;
};

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_PLACES_L2ATTEMPT_H
