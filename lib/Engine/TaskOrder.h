//===- TaskOrder.h - What headers say about order ---------------*- C++ -*-===//
//
// The machine runs tasks one after the other, which satisfies every wait and
// every group that a real engine could. A program that asks for the impossible
// is refused all the same: a group of uninterruptible tasks that opens twice,
// closes unopened or never closes (verified: real programs bracket them), a
// wait for a task that does not come before (verified: DTID names an earlier
// one), or for one of the other engine than the task before is of (verified of
// Dependent), and links of planar tasks that do not meet (verified: a PE task
// has LinkIn exactly if the task before it has LinkOut, an NE task never).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_ENGINE_TASKORDER_H
#define ANE_LIB_ENGINE_TASKORDER_H

#include "ane/TaskDescriptor/RegisterImage.h"
#include <bitset>

namespace ane::engine {

class TaskOrder {
public:
  /// Takes the tasks in order; an image is looked at again with the next one.
  llvm::Error next(const td::RegisterImage &image);
  /// After the last one.
  llvm::Error end() const;

private:
  llvm::Error checkWriters(const td::RegisterImage &image) const;
  llvm::Error checkLinks(const td::RegisterImage &image) const;

  std::bitset<1 << 16> seen; ///< by task id
  bool inGroup = false;
  const td::RegisterImage *before = nullptr;
};

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_TASKORDER_H
