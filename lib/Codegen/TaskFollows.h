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

/// Whether a source is what the task before wrote, and nothing but that has to
/// wait for it. The task then need not wait until the one before is done: it
/// may follow as fast as results come. `before` are that task, last, and those
/// in front of it that it follows.
///
/// Apple's compiler says so of both engines where both walk over the same
/// extents in the same order, a task of the planar engine behind one of the
/// neural engine over one row; where the task before did not bring the other
/// source as well; and where the task writes nothing where the one before
/// reads, but for what that one replaced itself. Verified in 22 tasks, of which
/// one is a neural one behind a neural one, and that it says nothing in 72
/// others. A planar task whose result meets what one in front of a neural task
/// reads has the hazard of a planar result beside it (one task).
///
/// Not seen, and left out: windows, a task behind sums of channels, a planar
/// one behind a reduction of rows or of what is source 2. Where source 1
/// streams it is left out as well (one task has it).
Following mayFollow(const PlacedTask &after, llvm::ArrayRef<PlacedTask> before);

/// Whether the result of a task may lie where the task before it, on the other
/// engine, still has something in L2, so that it has to wait: nothing else
/// makes it. Two tasks of Apple's compiler say so: the result of a product lies
/// where the task before streams, and a copy's where it reads.
bool replaces(const PlacedTask &after, const PlacedTask &before);

} // namespace ane::codegen

#endif // ANE_LIB_CODEGEN_TASKFOLLOWS_H
