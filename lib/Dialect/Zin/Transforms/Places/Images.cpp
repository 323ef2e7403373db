//===- Images.cpp - Values of L2 that have a place in memory --------------===//

#include "ane/Dialect/Zin/Transforms/Images.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace ane::zin;

namespace {

bool isResident(TaskOp task) {
  L2Attr l2 = task.getL2Attr();
  return l2 && l2.getResult() == Residence::resident;
}

/// A transposed copy whose result stays in L2, and a product of it.
bool isProductOf(TaskOp copy, TaskOp product) {
  NEConfigAttr first = copy.getNE(), second = product.getNE();
  if (!first || !second || !isResident(copy) || first.getOp() != MACOp::pass ||
      !first.getTransposed() || first.getRelu() || copy.getKernel())
    return false;
  L2Attr l2 = product.getL2Attr();
  return second.getOp() == MACOp::mac && !second.getKernelless() &&
         product.getKernel() && l2 && l2.getSource1() == Residence::resident &&
         product.getSource1() == copy.getResult();
}

} // namespace

SmallVector<bool> ane::zin::findImages(ArrayRef<TaskOp> tasks) {
  SmallVector<bool> images(tasks.size(), false);
  for (size_t i = 0; i + 1 < tasks.size(); ++i)
    images[i] = isProductOf(tasks[i], tasks[i + 1]);
  if (!llvm::is_contained(images, true))
    return images;
  auto resultOf = [](TaskOp task) {
    return task.getResult().getBuffer().getAttr();
  };
  // How often each buffer is written, and the tasks that use it in L2.
  struct Use {
    unsigned writes = 0;
    size_t first = 0, last = 0;
    bool inL2 = false;
  };
  llvm::DenseMap<StringAttr, Use> uses;
  for (auto [index, op] : llvm::enumerate(tasks)) {
    TaskOp task = op;
    ++uses[resultOf(task)].writes;
    for (const Access &access : task.getAccesses()) {
      if (access.residence == Residence::streamed)
        continue;
      Use &use = uses[access.buffer()];
      if (!use.inL2)
        use.first = index;
      use.inL2 = true;
      use.last = index;
    }
  }
  // Buffers that are in L2 between each task and the next.
  SmallVector<int> crossing(tasks.size() + 1, 0);
  for (auto &[name, use] : uses)
    if (use.inL2) {
      ++crossing[use.first];
      --crossing[use.last];
    }
  int alive = 0;
  for (size_t i = 0; i + 1 < tasks.size(); ++i) {
    alive += crossing[i];
    images[i] =
        images[i] && alive == 1 && uses.at(resultOf(tasks[i])).writes == 1;
  }
  return images;
}
