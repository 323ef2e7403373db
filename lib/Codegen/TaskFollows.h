//===- TaskFollows.h - Tasks close behind each other ------------*- C++ -*-===//

#ifndef ANE_LIB_CODEGEN_TASKFOLLOWS_H
#define ANE_LIB_CODEGEN_TASKFOLLOWS_H

#include "EncodeTask.h"

namespace ane::codegen {

/// A task and where its operands are.
struct PlacedTask {
  zin::TaskOp task;
  TaskPlaces places;
};

/// Whether source 1, or source 2, of a planar task is what the planar task
/// before wrote, and nothing but that has to wait for it. The task then need
/// not wait until the one before is done: it may follow as fast as results
/// come. `before` are that task, last, and those in front of it that it
/// follows.
///
/// Apple's compiler says so where the extents of both are the same, the task
/// before did not bring the other source as well, and the task writes nothing
/// where the one before reads: verified in ten tasks, and that it says nothing
/// in others where one of these does not hold. Not seen, and left out: behind a
/// reduction of rows, or one that is source 2, with channels along columns, of
/// places in another order, and where source 1 streams.
std::pair<bool, bool> mayFollow(const PlacedTask &after,
                                llvm::ArrayRef<PlacedTask> before);

/// Whether the result of a task may lie where the task before it, on the other
/// engine, still has something in L2, so that it has to wait: nothing else
/// makes it. Two tasks of Apple's compiler say so: the result of a product lies
/// where the task before streams, and a copy's where it reads.
bool replaces(const PlacedTask &after, const PlacedTask &before);

} // namespace ane::codegen

#endif // ANE_LIB_CODEGEN_TASKFOLLOWS_H
