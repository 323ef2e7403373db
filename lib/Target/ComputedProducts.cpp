//===- ComputedProducts.cpp - Products of two computed matrices -----------===//

#include "ane/Target/ComputedProducts.h"
#include "llvm/Support/MathExtras.h"
#include <optional>
#include <tuple>

using namespace llvm;
using namespace ane;

int64_t KernelRows::tasks(const TargetDescription &target) const {
  return divideCeil(count, perTask(target));
}

SmallVector<KernelRows> ane::kernelRows(const TargetDescription &target,
                                        int64_t outputs, int64_t taps,
                                        bool interleaves) {
  // Real programs have 8 and 4 rows in a lane (verified). Of 2 a copy and a
  // task are as many tasks as without.
  constexpr int64_t several[] = {8, 4};
  int64_t room = target.kernelMemoryBytes / (taps * halfBytes), begin = 0;
  SmallVector<KernelRows> rows;
  auto add = [&](int64_t count, int64_t interleave) {
    if (count > 0)
      rows.push_back({begin, count, interleave});
    begin += count;
  };
  for (int64_t interleave : several)
    if (interleaves && interleave <= room)
      add(alignDown(outputs - begin, interleave * target.neuralEngines),
          interleave);
  add(outputs - begin, 1);
  return rows;
}

int64_t ane::interleaveOf(const TargetDescription &target, int64_t outputs,
                          int64_t taps) {
  SmallVector<KernelRows> rows =
      kernelRows(target, outputs, taps, /*interleaves=*/true);
  return rows.size() == 1 ? rows.front().interleave : 1;
}

/// Whether a row may start where the outputs of each task begin, so that tasks
/// can write them along columns.
static bool startAtSteps(const TargetDescription &target,
                         ArrayRef<KernelRows> rows) {
  return all_of(rows, [&](const KernelRows &alike) {
    return alike.begin % target.rowStep() == 0 &&
           (alike.tasks(target) == 1 ||
            alike.perTask(target) % target.rowStep() == 0);
  });
}

bool ProductCost::isLessThan(const ProductCost &other,
                             int64_t taskBytes) const {
  double all = bytes + tasks * taskBytes,
         ofOther = other.bytes + other.tasks * taskBytes;
  return std::tie(all, tasks) < std::tie(ofOther, other.tasks);
}

static ProductCost costOf(const TargetDescription &target,
                          const ProductExtents &product,
                          const ProductPlan &plan, ArrayRef<KernelRows> rows) {
  double rowBytes = double(product.taps) * halfBytes, tasks = 0;
  for (const KernelRows &alike : rows)
    tasks += alike.tasks(target);
  double matrices = product.matrices, runs = plan.streams ? 1 : product.runs;
  double sources = product.isSourceNear ? 0 : plan.streams ? tasks : 1;
  ProductCost cost = {matrices * rowBytes *
                          (runs * product.outputs + sources * product.kept),
                      matrices * runs * tasks + plan.turnsApart};
  if (!plan.interleaves || product.isInterleaved)
    return cost;
  for (const KernelRows &alike : rows) {
    if (alike.interleave == 1 && !product.isNear)
      continue;
    ++cost.tasks;
    // What is in L2 would go to memory for this without a copy, too.
    if (!product.isNear)
      cost.bytes += 2.0 * product.kernels * alike.count * rowBytes;
  }
  return cost;
}

ProductPlan ane::planProduct(const TargetDescription &target,
                             const ProductExtents &product) {
  std::optional<ProductPlan> best;
  for (bool streams : {false, true})
    for (bool interleaves : {false, true}) {
      if ((streams && (!product.mayStream || product.runs == 1)) ||
          (product.isInterleaved && !interleaves))
        continue;
      SmallVector<KernelRows> rows =
          kernelRows(target, product.outputs, product.taps, interleaves);
      bool turnsApart = product.turnsBack && !startAtSteps(target, rows);
      ProductPlan plan = {interleaves, streams, turnsApart, {}};
      plan.cost = costOf(target, product, plan, rows);
      if (!best || plan.cost.isLessThan(best->cost))
        best = plan;
    }
  return *best;
}
