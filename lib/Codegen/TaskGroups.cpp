//===- TaskGroups.cpp - What tasks share in the engine --------------------===//

#include "TaskGroups.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "ane/TaskDescriptor/Fields.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

void ane::closeGroups(ProgramOp program, ArrayRef<bool> images,
                      MutableArrayRef<td::TaskDescriptor> descriptors) {
  // Values in L2; what is fetched once more is another one.
  llvm::DenseMap<StringAttr, size_t> valueOf;
  SmallVector<int64_t> lastUse;
  SmallVector<SmallVector<size_t, 3>> inL2;
  SmallVector<TaskOp> tasks(program.getOps<TaskOp>());
  for (TaskOp task : tasks) {
    SmallVector<size_t, 3> &list = inL2.emplace_back();
    for (const Access &access : task.getAccesses()) {
      if (access.residence == Residence::streamed)
        continue;
      bool isFetched =
          access.role != Access::result && access.residence == Residence::kept;
      auto [value, isNew] = valueOf.try_emplace(access.buffer());
      if (isNew || isFetched) {
        value->second = lastUse.size();
        lastUse.push_back(0);
      }
      lastUse[value->second] = inL2.size() - 1;
      list.push_back(value->second);
    }
  }
  bool opens = true, planarBefore = false;
  int64_t end = 0;
  for (auto [index, list] : llvm::enumerate(inL2)) {
    for (size_t value : list)
      end = std::max(end, lastUse[value]);
    bool closes = end <= int64_t(index) || images[index];
    bool restores = index > 0 && images[index - 1];
    td::RegisterImage &image = descriptors[index].image;
    image.set(td::Field::DPC, images[index]);
    image.set(td::Field::SPC, restores);
    if (index > 0) {
      L2Attr l2 = tasks[index].getL2Attr();
      bool streams = !l2 || l2.getResult() == Residence::streamed;
      bool meets = streams && mayMeet(tasks[index - 1], tasks[index]);
      bool waits = (opens && !restores) || meets;
      image.set(td::Field::ResultAliasConvSrc, waits);
      image.set(td::Field::ResultAliasConvRslt, waits);
      image.set(td::Field::ResultAliasPlanarSrc, meets && planarBefore);
      image.set(td::Field::ResultAliasPlanarRslt, waits && planarBefore);
    }
    planarBefore |= image.isSet(td::Field::TaskType);
    image.set(td::Field::SPL, opens);
    image.set(td::Field::TSR, closes);
    image.set(td::Field::TSE, closes);
    opens = closes;
  }
}

void ane::linkPlanarTasks(ProgramOp program, ArrayRef<bool> images,
                          MutableArrayRef<td::TaskDescriptor> descriptors) {
  SmallVector<TaskOp> tasks(program.getOps<TaskOp>());
  auto isPlanar = [&](size_t i) {
    return i < tasks.size() && bool(tasks[i].getPE());
  };
  auto staysInL2 = [&](size_t i) {
    L2Attr l2 = tasks[i].getL2Attr();
    return l2 && l2.getResult() == Residence::resident && !images[i];
  };
  auto isCopyBetween = [&](size_t i) {
    NEConfigAttr config = i < tasks.size() ? tasks[i].getNE() : NEConfigAttr();
    return config && config.getOp() == MACOp::pass && !config.getRelu() &&
           !tasks[i].getKernelAttr() && staysInL2(i) && isPlanar(i + 1);
  };
  bool linked = false;
  for (size_t i = 0; i < tasks.size(); ++i) {
    td::RegisterImage &image = descriptors[i].image;
    image.set(td::Field::LinkIn, linked && isPlanar(i));
    linked = isPlanar(i)
                 ? staysInL2(i) && (isPlanar(i + 1) || isCopyBetween(i + 1))
                 : linked && isCopyBetween(i);
    image.set(td::Field::LinkOut, linked);
    image.set(td::Field::DisallowAbort, linked);
  }
}
