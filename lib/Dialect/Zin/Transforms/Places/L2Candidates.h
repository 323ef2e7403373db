//===- L2Candidates.h - What could stay in the scratchpad -------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_PLACES_L2CANDIDATES_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_PLACES_L2CANDIDATES_H

#include "ane/Dialect/Zin/IR/L2Place.h"
#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Target/Target.h"
#include <deque>

namespace ane::zin {

/// A buffer that could stay in L2 for some of its accesses.
struct L2Candidate {
  /// Small, as there are several for each task.
  struct Use {
    ViewAttr view;
    unsigned task;
    Access::Role role : 8;
    /// Reads it from memory, and leaves it in L2.
    bool fetches : 1 = false;
  };

  BufferOp buffer;
  llvm::SmallVector<Use> uses; ///< those that find it in L2
  L2Layout layout;
  L2Layout tight; ///< what it may have where there is no room for that
  /// The tasks while it lies there.
  size_t first = 0, last = 0;
  int64_t saving = 0;         ///< bytes of DMA
  bool staysInMemory = false; ///< some access reads it from there
  /// What tasks read is fetched, not written there.
  bool isFetched = false;
  bool isTight = false; ///< has its layouts the other way round
  /// Candidates that may have the same place, one after the other: a task that
  /// is the last to read the first computes the second from it element by
  /// element. Their layouts are equal.
  llvm::SmallVector<size_t, 2> partners;
  bool isPlaced = false;
  int64_t base = 0; ///< once it is placed

  void exchangeLayouts() {
    std::swap(layout, tight);
    isTight = !isTight;
  }
  /// As it was before it got a place.
  L2Candidate withoutPlace() const {
    L2Candidate result = *this;
    result.isPlaced = false;
    if (isTight)
      result.exchangeLayouts();
    return result;
  }

  bool livesAt(size_t task) const { return first <= task && task <= last; }
  bool meets(const L2Candidate &other) const {
    return first <= other.last && other.first <= last;
  }

  /// Bytes of L2 times tasks.
  double area() const { return double(layout.bytes) * (last - first + 1); }
};

struct L2Candidates {
  /// In pieces, as they come, which fit where memory was given back.
  ///
  /// First buffers that save DMA if they stay in L2 from their first to their
  /// last use there. Then reads of one view as a first source, close to each
  /// other, that save DMA if the first leaves it in L2: for buffers that do not
  /// stay there otherwise; the layout is that of the view.
  std::deque<L2Candidate> all;
  size_t numBuffers = 0;
};

/// `passes` has the times that a task reads its first source. A candidate lives
/// for up to `maxTasks` tasks.
L2Candidates findL2Candidates(llvm::MutableArrayRef<TaskOp> tasks,
                              llvm::ArrayRef<int64_t> passes,
                              mlir::SymbolTable &symbols,
                              const TargetDescription &target, size_t maxTasks);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_PLACES_L2CANDIDATES_H
