//===- L2Attempt.cpp - Places in the scratchpad, found in turn ------------===//

#include "Places/L2Attempt.h"
#include "Tasks/TaskTraffic.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

L2Attempt::L2Attempt(MutableArrayRef<TaskOp> tasks, ArrayRef<int64_t> passes,
                     L2Candidates candidates, const TargetDescription &target,
                     int64_t tileBytes)
    : tasks(tasks), passes(passes), target(target), tileBytes(tileBytes),
      numBuffers(candidates.numBuffers),
      candidates(std::make_unique<std::deque<L2Candidate>>(
          std::move(candidates.all))) {
  reset();
}

void L2Attempt::reset() {
  found =
      std::make_unique<L2Places>(tasks, passes, *candidates, target, tileBytes);
}

L2Attempt L2Attempt::again() const {
  L2Candidates result;
  result.numBuffers = numBuffers;
  for (const L2Candidate &candidate : *candidates)
    result.all.push_back(candidate.withoutPlace());
  return L2Attempt(tasks, passes, std::move(result), target, tileBytes);
}

/// What the bytes that a candidate saves are divided by.
static double takenBy(const L2Candidate &candidate, L2Order by) {
  switch (by) {
  case L2Order::Area:
    return candidate.area();
  case L2Order::Bytes:
    return candidate.layout.bytes;
  case L2Order::Saving:
    return 1;
  }
  llvm_unreachable("no such order");
}

void L2Attempt::place(L2Order by, const llvm::DenseSet<size_t> &urgent) {
  placeInOrder(llvm::to_vector(llvm::seq(numBuffers)), by, urgent);
  findSqueezed();
  placeReads();
}

/// Before reads take what is free.
void L2Attempt::findSqueezed() {
  squeezed.clear();
  for (size_t index : llvm::seq(numBuffers)) {
    const L2Candidate &candidate = (*candidates)[index];
    if (!candidate.isPlaced && found->hasRoomInPieces(candidate))
      squeezed.push_back(index);
  }
}

/// Of buffers that have a place for all of the time nothing is read again.
void L2Attempt::placeReads() {
  llvm::DenseSet<Operation *> isThere;
  for (size_t index : found->placed())
    isThere.insert((*candidates)[index].buffer);
  SmallVector<size_t> reads;
  for (size_t index : llvm::seq(numBuffers, candidates->size()))
    if (!isThere.contains((*candidates)[index].buffer))
      reads.push_back(index);
  placeInOrder(reads, L2Order::Area);
}

void L2Attempt::placeInOrder(ArrayRef<size_t> indices, L2Order by,
                             const llvm::DenseSet<size_t> &urgent) {
  // What is compared lies together: a long program has many candidates.
  struct Rank {
    bool isUrgent;
    double saving, taken;
    int64_t bytes;
    size_t index;
  };
  SmallVector<Rank> order;
  order.reserve(indices.size());
  for (size_t index : indices) {
    const L2Candidate &candidate = (*candidates)[index];
    order.push_back({urgent.contains(index), double(candidate.saving),
                     takenBy(candidate, by), candidate.layout.bytes, index});
  }
  llvm::sort(order, [](const Rank &x, const Rank &y) {
    return std::tuple(y.isUrgent, y.saving * x.taken, x.bytes, x.index) <
           std::tuple(x.isUrgent, x.saving * y.taken, y.bytes, y.index);
  });
  for (const Rank &rank : order)
    found->place(rank.index);
}

bool L2Attempt::isComplete() const {
  return std::all_of(
      candidates->begin(), candidates->begin() + numBuffers,
      [](const L2Candidate &candidate) { return candidate.isPlaced; });
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
  auto buffers = [&](const L2Attempt &attempt) {
    return llvm::make_range(attempt.candidates->begin(),
                            attempt.candidates->begin() + numBuffers);
  };
  // How many lie elsewhere while a task and the one before run.
  SmallVector<int64_t> differ(tasks.size() + 1, 0);
  for (const auto &[mine, theirs] :
       llvm::zip_equal(buffers(*this), buffers(other)))
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
  for (auto [mine, theirs] : llvm::zip_equal(buffers(*this), buffers(other)))
    if (isBetter[mine.first])
      mine = theirs;
  reset();
  for (size_t index : llvm::seq(numBuffers))
    if ((*candidates)[index].isPlaced)
      found->keep(index);
  for (size_t index : llvm::seq(numBuffers, candidates->size()))
    (*candidates)[index] = (*candidates)[index].withoutPlace();
  findSqueezed();
  placeReads();
}
