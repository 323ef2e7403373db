//===- L2Attempt.cpp - Places in the scratchpad, found in turn ------------===//

#include "Places/L2Attempt.h"
#include "Tasks/TaskTraffic.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

L2Attempt::L2Attempt(MutableArrayRef<TaskOp> tasks, ArrayRef<int64_t> passes,
                     std::deque<L2Candidate> buffers,
                     const TargetDescription &target, int64_t tileBytes)
    : tasks(tasks), passes(passes), target(target), tileBytes(tileBytes),
      candidates(
          std::make_unique<std::deque<L2Candidate>>(std::move(buffers))) {
  reset();
}

void L2Attempt::reset() {
  found =
      std::make_unique<L2Places>(tasks, passes, *candidates, target, tileBytes);
}

void L2Attempt::placeFrom(size_t first, L2Order by,
                          const llvm::DenseSet<size_t> &urgent) {
  // What is compared lies together: a long program has many candidates.
  struct Rank {
    bool isUrgent;
    double saving, taken;
    int64_t bytes;
    size_t index;
  };
  SmallVector<Rank> order;
  order.reserve(candidates->size() - first);
  for (size_t index : llvm::seq(first, candidates->size())) {
    const L2Candidate &candidate = (*candidates)[index];
    int64_t bytes = candidate.layout.bytes;
    double taken = by == L2Order::Area ? candidate.area() : double(bytes);
    order.push_back({urgent.contains(index), double(candidate.saving), taken,
                     bytes, index});
  }
  llvm::sort(order, [](const Rank &x, const Rank &y) {
    return std::tuple(y.isUrgent, y.saving * x.taken, x.bytes, x.index) <
           std::tuple(x.isUrgent, x.saving * y.taken, y.bytes, y.index);
  });
  for (const Rank &rank : order)
    found->place(rank.index);
}

SmallVector<size_t> L2Attempt::squeezedOut() {
  SmallVector<size_t> result;
  for (auto [index, candidate] : llvm::enumerate(*candidates))
    if (!candidate.isPlaced && found->hasRoomInPieces(candidate))
      result.push_back(index);
  return result;
}

std::deque<L2Candidate> L2Attempt::buffersWithoutPlaces() const {
  std::deque<L2Candidate> result;
  for (const L2Candidate &candidate : *candidates)
    result.push_back(candidate.withoutPlace());
  return result;
}

static bool haveSamePlace(const L2Candidate &a, const L2Candidate &b) {
  return a.isPlaced == b.isPlaced &&
         (!a.isPlaced ||
          (a.base == b.base && a.layout.strides == b.layout.strides));
}

/// Bytes of DMA that all candidates save that begin with each task, beside what
/// its tiles lose.
SmallVector<int64_t> L2Attempt::savedFrom() const {
  SmallVector<int64_t> saved(tasks.size(), 0);
  for (size_t task : llvm::seq<size_t>(0, tasks.size()))
    saved[task] -= found->lostBytes(task);
  for (const L2Candidate &candidate : *candidates)
    if (candidate.isPlaced)
      saved[candidate.first] += candidate.saving;
  return saved;
}

void L2Attempt::takeBetter(const L2Attempt &other) {
  // How many lie elsewhere while a task and the one before run.
  SmallVector<int64_t> differ(tasks.size() + 1, 0);
  for (const auto &[mine, theirs] :
       llvm::zip_equal(*candidates, *other.candidates))
    if (!haveSamePlace(mine, theirs)) {
      ++differ[mine.first + 1];
      --differ[mine.last + 1];
    }
  SmallVector<int64_t> mine = savedFrom(), theirs = other.savedFrom();
  SmallVector<bool> isBetter(tasks.size(), false);
  int64_t alive = differ[0];
  for (size_t begin = 0, end; begin < tasks.size(); begin = end) {
    int64_t gain = 0;
    end = begin;
    do {
      gain += theirs[end] - mine[end];
      alive += differ[++end];
    } while (end < tasks.size() && alive > 0);
    if (gain <= 0)
      continue;
    std::fill(isBetter.begin() + begin, isBetter.begin() + end, true);
  }
  if (!llvm::is_contained(isBetter, true))
    return;
  for (auto [mine, theirs] : llvm::zip_equal(*candidates, *other.candidates))
    if (isBetter[mine.first])
      mine = theirs;
  reset();
  for (size_t index : llvm::seq<size_t>(0, candidates->size()))
    if ((*candidates)[index].isPlaced)
      found->keep(index);
}
