//===- RowGroups.h - Tasks that run row by row together ---------*- C++ -*-===//
//
// Each of several tasks in a row may read and write more than a cache holds. If
// a row of what one of them computes depends on rows of the same number of what
// those before compute, and on nothing else of it, all of them can be done on
// some rows before the next ones, whose operands are in a cache then.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_ENGINE_EXECUTE_ROWGROUPS_H
#define ANE_LIB_ENGINE_EXECUTE_ROWGROUPS_H

#include "Execute/Execute.h"

namespace ane::engine {

/// What a task reads or writes of a row.
struct RowAccess {
  const uint8_t *origin = nullptr;
  /// Bytes from row to row, for each axis of the group.
  llvm::SmallVector<int64_t, 4> steps;
  int64_t bytes = 0; ///< of a row
  bool isWritten = false;
};

/// A task as it computes some rows along the first axis.
struct RowTask {
  TaskPlan plan;
  llvm::SmallVector<RowAccess, 3> accesses; ///< the sources, then the result
};

/// Tasks that compute the same number of rows.
struct RowGroup {
  unsigned begin = 0, end = 0;           ///< tasks of the program
  llvm::SmallVector<uint32_t, 4> counts; ///< rows along each axis
  uint64_t width = 1;
  std::vector<RowTask> tasks;
};

/// Groups of at least two tasks that execute() would do in bands and stream(),
/// and whose results do not fit a cache. In the order of the tasks.
std::vector<RowGroup> findRowGroups(llvm::ArrayRef<TaskPlan> plans);

/// Executes the tasks of a group. Gives the bits of one after the other.
/// False, and nothing is done, without vector instructions.
bool execute(Execution &execution, const RowGroup &group);

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_EXECUTE_ROWGROUPS_H
