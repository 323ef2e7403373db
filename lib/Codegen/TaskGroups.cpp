//===- TaskGroups.cpp - What tasks share in the engine --------------------===//

#include "TaskGroups.h"
#include "ane/TaskDescriptor/Fields.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

void TaskNeighbours::write(td::RegisterImage &image, bool replaces) const {
  image.set(td::Field::DPC, savesResult);
  image.set(td::Field::SPC, restoresSource);
  if (!isFirst) {
    bool names = waits || replaces;
    image.set(td::Field::ResultAliasConvSrc, names);
    image.set(td::Field::ResultAliasConvRslt, names);
    image.set(td::Field::ResultAliasPlanarSrc, replaces && planarBefore);
    image.set(td::Field::ResultAliasPlanarRslt, names && planarBefore);
  }
  image.set(td::Field::SPL, opens);
  image.set(td::Field::TSR, closes);
  image.set(td::Field::TSE, closes);
  image.set(td::Field::LinkIn, linksIn);
  image.set(td::Field::LinkOut, linksOut);
  image.set(td::Field::DisallowAbort, linksOut);
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

static void findGroups(ArrayRef<TaskOp> tasks,
                       MutableArrayRef<TaskNeighbours> all) {
  std::vector<size_t> lastOf = lastOfL2(tasks);
  bool opens = true, planarBefore = false;
  size_t end = 0;
  for (auto [index, task] : llvm::enumerate(all)) {
    end = std::max(end, lastOf[index]);
    task.opens = opens;
    task.closes = end <= index || task.savesResult;
    task.isFirst = index == 0;
    task.planarBefore = planarBefore;
    task.waits = opens && !task.restoresSource;
    planarBefore |= bool(TaskOp(tasks[index]).getPE());
    opens = task.closes;
  }
}

static void linkPlanarTasks(ArrayRef<TaskOp> tasks,
                            MutableArrayRef<TaskNeighbours> all) {
  auto isPlanar = [&](size_t i) {
    return i < tasks.size() && bool(TaskOp(tasks[i]).getPE());
  };
  auto staysInL2 = [&](size_t i) {
    L2Attr l2 = TaskOp(tasks[i]).getL2Attr();
    return l2 && l2.getResult() == Residence::resident && !all[i].savesResult;
  };
  auto isCopyBetween = [&](size_t i) {
    TaskOp task = i < tasks.size() ? tasks[i] : TaskOp();
    NEConfigAttr config = task ? task.getNE() : NEConfigAttr();
    return config && config.getOp() == MACOp::pass && !config.getRelu() &&
           !task.getKernelAttr() && staysInL2(i) && isPlanar(i + 1);
  };
  bool linked = false;
  for (size_t i = 0; i < tasks.size(); ++i) {
    all[i].linksIn = linked && isPlanar(i);
    linked = isPlanar(i)
                 ? staysInL2(i) && (isPlanar(i + 1) || isCopyBetween(i + 1))
                 : linked && isCopyBetween(i);
    all[i].linksOut = linked;
  }
}

std::vector<TaskNeighbours> ane::findNeighbours(ArrayRef<TaskOp> tasks,
                                                ArrayRef<bool> images) {
  std::vector<TaskNeighbours> all(tasks.size());
  for (size_t i = 0; i < tasks.size(); ++i) {
    all[i].savesResult = images[i];
    all[i].restoresSource = i > 0 && images[i - 1];
  }
  findGroups(tasks, all);
  linkPlanarTasks(tasks, all);
  return all;
}
