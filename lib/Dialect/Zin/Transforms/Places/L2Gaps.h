//===- L2Gaps.h - What is free of the scratchpad ----------------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_PLACES_L2GAPS_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_PLACES_L2GAPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace ane::zin {

/// The free pieces of L2 while a task runs, in ascending order, none of them
/// empty or next to another. Values that lie close together make few of them,
/// however many there are.
class L2Gaps {
public:
  struct Gap {
    int64_t begin, end;

    int64_t bytes() const { return end - begin; }
  };

  explicit L2Gaps(int64_t bytes) : gaps({{0, bytes}}) {}

  llvm::ArrayRef<Gap> all() const { return gaps; }

  /// Of all gaps together.
  int64_t bytes() const;

  /// The first of the longest gaps, or an empty one at 0.
  Gap longest() const;

  /// What `longest` has at most once so many bytes are taken, wherever they
  /// are; -1 where no gap has as many.
  int64_t longestBeside(int64_t bytes) const;

  /// What `longest` would have once a piece that is free as a whole or not at
  /// all is taken.
  int64_t longestWithout(int64_t begin, int64_t end) const;

  bool isFree(int64_t begin, int64_t end) const;

  /// Takes what is free of a piece; it is free as a whole or not at all.
  void take(int64_t begin, int64_t end);

  /// Gives back a piece of which nothing is free.
  void giveBack(int64_t begin, int64_t end);

  /// Keeps what is free in both, in pieces of so many bytes or more.
  void intersect(const L2Gaps &other, int64_t leastBytes);

private:
  /// The first gap that ends behind a place.
  size_t firstBehind(int64_t place) const;

  llvm::SmallVector<Gap, 2> gaps;
};

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_PLACES_L2GAPS_H
