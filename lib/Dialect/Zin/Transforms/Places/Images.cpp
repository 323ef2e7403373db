//===- Images.cpp - Values of L2 that have a place in memory --------------===//

#include "ane/Dialect/Zin/Transforms/Images.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace ane::zin;

namespace {

/// A transposed copy whose result stays in L2, and a product of it.
bool isProductOf(TaskOp copy, TaskOp product) {
  NEConfigAttr first = copy.getNE(), second = product.getNE();
  if (!first || !second || !staysInL2(copy) || first.getOp() != MACOp::pass ||
      !first.getTransposed() || first.getRelu() || copy.getKernel())
    return false;
  L2Attr l2 = product.getL2Attr();
  return second.getOp() == MACOp::mac && !second.getKernelless() &&
         product.getKernel() && l2 && l2.getSource1() == Residence::resident &&
         product.getSource1() == copy.getResult();
}

} // namespace

bool ane::zin::staysInL2(TaskOp task) {
  L2Attr l2 = task.getL2Attr();
  return l2 && l2.getResult() == Residence::resident;
}

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

/// For each task the last one that something in L2 binds it to.
static std::vector<size_t> lastOfL2(ArrayRef<TaskOp> tasks) {
  // Values in L2; what is fetched once more is another one.
  llvm::DenseMap<StringAttr, size_t> valueOf;
  std::vector<size_t> lastUse;
  SmallVector<SmallVector<size_t, 3>, 0> inL2;
  inL2.reserve(tasks.size());
  for (auto [index, task] : llvm::enumerate(tasks)) {
    SmallVector<size_t, 3> &list = inL2.emplace_back();
    for (const Access &access : TaskOp(task).getAccesses()) {
      if (access.residence == Residence::streamed)
        continue;
      bool isFetched =
          access.role != Access::Result && access.residence == Residence::kept;
      auto [value, isNew] = valueOf.try_emplace(access.buffer());
      if (isNew || isFetched) {
        value->second = lastUse.size();
        lastUse.push_back(0);
      }
      lastUse[value->second] = index;
      list.push_back(value->second);
    }
  }
  std::vector<size_t> last(tasks.size());
  for (auto [index, list] : llvm::enumerate(inL2))
    for (size_t value : list)
      last[index] = std::max(last[index], lastUse[value]);
  return last;
}

SmallVector<bool> ane::zin::findGroupEnds(ArrayRef<TaskOp> tasks,
                                          ArrayRef<bool> images) {
  std::vector<size_t> lastOf = lastOfL2(tasks);
  SmallVector<bool> ends(tasks.size());
  size_t end = 0;
  for (size_t i = 0; i < tasks.size(); ++i) {
    end = std::max(end, lastOf[i]);
    ends[i] = end <= i || images[i];
  }
  return ends;
}
