//===- KernelRows.cpp - Rows of a computed kernel -------------------------===//

#include "KernelRows.h"
#include "ane/TaskDescriptor/Fields.h"
#include <limits>

using namespace mlir;
using namespace ane;
using namespace ane::tasks;
using namespace ane::zin;

constexpr int64_t lanes = td::numLanes;

SmallVector<KernelRows> tasks::kernelRows(const TargetDescription &target,
                                          int64_t outputs, int64_t taps,
                                          bool interleaves) {
  // Real programs have 4 and 8 rows in a lane (verified). Of 2 a copy and a
  // task are as many tasks as without.
  constexpr int64_t most = 8, least = 4;
  int64_t room = target.kernelMemoryBytes / (taps * elementBytes);
  SmallVector<KernelRows> rows;
  for (int64_t begin = 0; begin < outputs;) {
    int64_t rest = outputs - begin, perLane = interleaves ? most : 1;
    while (perLane > 1 && (perLane > room || perLane * lanes > rest))
      perLane = perLane > least ? perLane / 2 : 1;
    rows.push_back({begin, std::min(rest, perLane * lanes), perLane});
    begin = rows.back().end();
  }
  return rows;
}

SmallVector<KernelRows> tasks::copiedRows(ArrayRef<KernelRows> tasks) {
  SmallVector<KernelRows> copies;
  for (const KernelRows &task : tasks)
    if (!copies.empty() && copies.back().interleave == task.interleave)
      copies.back().count += task.count;
    else
      copies.push_back(task);
  return copies;
}

int64_t tasks::interleaveOf(const TargetDescription &target, int64_t outputs,
                            int64_t taps) {
  SmallVector<KernelRows> copies =
      copiedRows(kernelRows(target, outputs, taps, /*interleaves=*/true));
  return copies.size() == 1 ? copies.front().interleave : 1;
}

View tasks::kernelOf(const View &rows, int64_t first, const KernelRows &task) {
  View kernel = rows.sliced(H, task.begin - first, task.count);
  kernel.shape[C] = task.interleave;
  kernel.shape[H] = task.count / task.interleave;
  kernel.interleaved = C;
  return kernel;
}

namespace {

/// Bytes that the memory moves in the time of a plan.
int64_t costOf(const TargetDescription &target, const ProductExtents &product,
               ProductPlan plan) {
  SmallVector<KernelRows> rows =
      kernelRows(target, product.outputs, product.taps, plan.interleaves);
  int64_t kernelBytes = product.outputs * product.taps * elementBytes;
  int64_t sourceBytes = product.kept * product.taps * elementBytes;
  int64_t runs = plan.streams ? 1 : product.runs;
  int64_t sources = plan.streams ? int64_t(rows.size()) : 1;
  int64_t cost =
      product.matrices * (runs * int64_t(rows.size()) * target.taskBytes() +
                          runs * kernelBytes + sources * sourceBytes);
  if (!plan.interleaves || product.isInterleaved)
    return cost;
  int64_t copies = 0;
  for (const KernelRows &copy : copiedRows(rows))
    copies += copy.interleave > 1 || product.isNear;
  cost += copies * target.taskBytes();
  // What is in L2 would go to memory for this without a copy, too.
  if (!product.isNear)
    cost += 2 * kernelBytes * product.kernels;
  return cost;
}

} // namespace

ProductPlan tasks::planProduct(const TargetDescription &target,
                               const ProductExtents &product) {
  ProductPlan best;
  int64_t least = std::numeric_limits<int64_t>::max();
  for (bool streams : {false, true})
    for (bool interleaves : {false, true}) {
      ProductPlan plan = {interleaves, streams};
      if ((streams && (!product.mayStream || product.runs == 1)) ||
          (product.isInterleaved && !interleaves))
        continue;
      if (int64_t cost = costOf(target, product, plan); cost < least) {
        least = cost;
        best = plan;
      }
    }
  return best;
}
