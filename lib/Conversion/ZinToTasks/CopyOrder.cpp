//===- CopyOrder.cpp - In which order a copy goes over rows ---------------===//

#include "CopyOrder.h"
#include "ane/Dialect/Zin/IR/L2Place.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>

using namespace ane;
using namespace ane::tasks;
using namespace ane::zin;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

/// How often L2 is accessed, for each piece of a row.
int64_t accessesOf(const TargetDescription &target, const View &view,
                   int64_t pitch) {
  unsigned together = view.shape[H] > 1 ? H : C;
  int64_t count = view.shape[together];
  int64_t distance =
      view.strides[together] / pitch * target.l2ChannelBytes(view.shape[W]);
  return view.rows() / count * bankTurns(count, distance);
}

bool fitsTask(const TargetDescription &target, const View &view) {
  return view.shape[N] <= target.maxGroups &&
         view.shape[H] <= target.maxHeight &&
         view.shape[C] * view.shape[D] <=
             target.maxTileChannels(view.shape[W], target.neStreamBytes);
}

/// Whether a view goes through its buffer from one end to the other.
bool isInOrder(const View &view) {
  int64_t last = std::numeric_limits<int64_t>::max();
  for (unsigned dim : {N, D, C, H}) {
    if (view.shape[dim] == 1)
      continue;
    if (view.strides[dim] > last)
      return false;
    last = view.strides[dim];
  }
  return true;
}

} // namespace

SmallVector<int64_t> tasks::copyOrder(const TargetDescription &target,
                                      const View &source, const View &result) {
  constexpr int64_t fewRows = 8, leastGain = 2;
  const SmallVector<int64_t> usual = {N, D, C, H, W};
  if (source.interleave > 1 || result.interleave > 1 ||
      (isInOrder(source) && isInOrder(result)) || source.shape[H] > fewRows ||
      !fitsTask(target, source))
    return usual;
  int64_t pitch = target.rowPitch(source.shape[W]);
  auto accesses = [&](ArrayRef<int64_t> order) {
    return accessesOf(target, source.permuted(order), pitch) +
           accessesOf(target, result.permuted(order), pitch);
  };
  SmallVector<int64_t> order = usual, best = usual;
  int64_t least = accesses(usual) / leastGain;
  while (std::next_permutation(order.begin(), order.end() - 1))
    if (int64_t count = accesses(order);
        count <= least && fitsTask(target, source.permuted(order))) {
      best = order;
      least = count - 1;
    }
  return best;
}
