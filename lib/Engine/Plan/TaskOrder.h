//===- TaskOrder.h - What headers say about order ---------------*- C++ -*-===//
//
// The machine runs tasks one after the other, which satisfies every wait and
// every group that a real engine could. A program that asks for the impossible
// is refused all the same: a group of uninterruptible tasks that opens twice,
// closes unopened or never closes (verified: real programs bracket them), and a
// wait for a task that does not come before (verified: DTID names an earlier
// one).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_ENGINE_PLAN_TASKORDER_H
#define ANE_LIB_ENGINE_PLAN_TASKORDER_H

#include "ane/TaskDescriptor/RegisterImage.h"
#include <bitset>

namespace ane::engine {

class TaskOrder {
public:
  /// Takes the tasks in order.
  llvm::Error next(const td::RegisterImage &image);
  /// After the last one.
  llvm::Error end() const;

private:
  std::bitset<1 << 16> seen; ///< by task id
  bool inGroup = false;
};

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_PLAN_TASKORDER_H
