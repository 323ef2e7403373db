//===- TaskGroups.cpp - What tasks share in the engine --------------------===//

#include "TaskGroups.h"
#include "ane/Dialect/Zin/Transforms/Images.h"
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
  image.set(td::Field::NextOverlaps, nextOverlaps);
}

static void findGroups(ArrayRef<TaskOp> tasks, ArrayRef<bool> ends,
                       MutableArrayRef<TaskNeighbours> all) {
  bool opens = true, planarBefore = false;
  for (auto [index, task] : llvm::enumerate(all)) {
    task.opens = opens;
    task.closes = ends[index];
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
  auto isKept = [&](size_t i) {
    return staysInL2(tasks[i]) && !all[i].savesResult;
  };
  auto isCopyBetween = [&](size_t i) {
    TaskOp task = i < tasks.size() ? tasks[i] : TaskOp();
    NEConfigAttr config = task ? task.getNE() : NEConfigAttr();
    return config && config.getOp() == MACOp::pass && !config.getRelu() &&
           !task.getKernelAttr() && isKept(i) && isPlanar(i + 1);
  };
  bool linked = false;
  for (size_t i = 0; i < tasks.size(); ++i) {
    all[i].linksIn = linked && isPlanar(i);
    linked = isPlanar(i)
                 ? isKept(i) && (isPlanar(i + 1) || isCopyBetween(i + 1))
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
  findGroups(tasks, findGroupEnds(tasks, images), all);
  linkPlanarTasks(tasks, all);
  for (size_t i = 0; i + 1 < tasks.size(); ++i)
    all[i].nextOverlaps = TaskOp(tasks[i + 1]).getCoIssued();
  return all;
}
