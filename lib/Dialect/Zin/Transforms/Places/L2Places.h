//===- L2Places.h - Where candidates lie in the scratchpad ------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_PLACES_L2PLACES_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_PLACES_L2PLACES_H

#include "Places/L2Candidates.h"
#include "Places/L2Gaps.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"

namespace ane::zin {

/// Gives candidates places, one after the other, and keeps what is free of L2
/// while each task runs.
class L2Places {
public:
  /// `passes` has the times that a task reads its first source; tiles of a task
  /// may always have `tileBytes`.
  L2Places(llvm::MutableArrayRef<TaskOp> tasks, llvm::ArrayRef<int64_t> passes,
           std::deque<L2Candidate> &candidates, const TargetDescription &target,
           int64_t tileBytes);

  /// Places a candidate, if there is room for it.
  void place(size_t index);
  /// Those that have a place, in the order in which they got it.
  llvm::ArrayRef<size_t> placed() const { return placedOnes; }

  /// Keeps a candidate where it is.
  void keep(size_t index);
  /// What comes again for the passes of a task with the tiles that it has.
  int64_t lostBytes(size_t task);
  /// Whether as much is free as a candidate and the tiles of each task take. At
  /// a task that writes it over a partner, or the other way, it takes nothing.
  bool hasRoomInPieces(const L2Candidate &candidate);

  /// Where the operands of a task are; its tiles have the longest free piece of
  /// L2.
  L2Use useOf(size_t task) const { return withWindow(uses[task], free[task]); }
  /// Lets what only one task reads, if in several passes, stream where a tile
  /// holds all rows of it.
  void streamWholeTiles();

private:
  /// Placed candidates that share one place, one after the other.
  struct Occupants {
    llvm::SmallVector<size_t, 2> members;
    size_t first, last;
    int64_t base, bytes;

    bool meets(int64_t begin, int64_t end) const {
      return base < end && begin < base + bytes;
    }
    bool livesAt(size_t task) const { return first <= task && task <= last; }
  };
  /// What the tiles of a task take where nothing bounds them, and at least.
  struct Need {
    int64_t all, least;
  };

  /// Tasks of a stretch.
  static constexpr size_t stretch = 64;

  static L2Use withWindow(L2Use use, const L2Gaps &gaps);
  void apply(const L2Candidate &candidate);
  void take(size_t index);
  const Need &needOf(size_t task);
  bool mayHold(size_t task, int64_t bytes) {
    return mayHold(free[task], needOf(task), bytes);
  }
  bool mayHold(const L2Gaps &gaps, const Need &need, int64_t bytes) const;
  int64_t repeatedBytes(size_t task) const;
  std::optional<int64_t> lossOf(size_t task, int64_t begin, int64_t end);
  std::optional<int64_t> lossBelow(int64_t bound, const L2Candidate &candidate,
                                   int64_t base);
  bool placeSomewhere(L2Candidate &candidate);
  bool placeOverPartner(L2Candidate &candidate);
  bool placeInGap(L2Candidate &candidate);
  bool isFreeOrShared(const L2Candidate &candidate, int64_t base) const;
  bool streamsInstead(const L2Candidate &candidate);

  // See MoveInL2.cpp.
  bool placeByMoving(L2Candidate &candidate);
  std::optional<llvm::SmallVector<size_t>>
  placedBeside(const L2Candidate &candidate) const;
  std::optional<llvm::SmallVector<Occupants>>
  occupantsBeside(const L2Candidate &candidate) const;
  bool mayMoveAt(size_t task, const L2Candidate &candidate, int64_t base,
                 llvm::ArrayRef<Occupants> groups);
  bool moveAway(L2Candidate &candidate, int64_t base,
                llvm::ArrayRef<Occupants> occupants);
  bool moveTo(llvm::ArrayRef<Occupants> groups);
  llvm::SmallVector<Occupants> tightenBeside(const L2Candidate &candidate);
  void exchangeLayouts(Occupants &group);
  void take(const Occupants &group, int64_t base);
  void giveBack(const Occupants &group, int64_t base);

  llvm::MutableArrayRef<TaskOp> tasks;
  llvm::ArrayRef<int64_t> passes;
  std::deque<L2Candidate> &candidates;
  const TargetDescription &target;
  int64_t tileBytes;
  std::deque<L2Use> uses;
  /// Of each task; what changes where its operands are takes it away.
  std::deque<std::optional<Need>> needs;
  /// What is free of L2 while each task runs.
  std::deque<L2Gaps> free;
  llvm::SmallVector<size_t> placedOnes;
  /// By stretches of tasks, which of `placedOnes` lie in L2 there.
  llvm::SmallVector<llvm::SmallVector<size_t, 2>> placedAt;
  /// Tasks at which the last candidate found no gap, and not enough pieces:
  /// asked first, as the next may well end there, too.
  size_t taskWithoutGap = 0, taskWithoutRoom = 0;
};

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_PLACES_L2PLACES_H
