//===- TaskGraph.h - What tasks need of each other --------------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_TASKS_TASKGRAPH_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_TASKS_TASKGRAPH_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Target/Target.h"
#include <deque>

namespace ane::zin {

/// The tasks of a program, which must come before which, and what they read and
/// write.
struct TaskGraph {
  struct Task {
    TaskOp op;
    unsigned numBefore = 0;                  ///< tasks it waits for
    llvm::SmallVector<unsigned, 2> after;    ///< tasks that wait for it
    llvm::SmallVector<unsigned, 2> reads;    ///< values, each once
    llvm::SmallVector<int64_t, 2> readBytes; ///< in L2, of each
    unsigned writes = 0;                     ///< a value
    int64_t writtenBytes = 0;                ///< in L2
    /// What it reads through a tile, where that is of a value that does not
    /// stay in L2: the task behind it finds it there.
    ViewAttr fetches;
    int64_t fetchedBytes = 0; ///< in L2
    unsigned level = 0;       ///< length of the longest way from a first task
  };
  /// A buffer that lies between tasks.
  struct Value {
    /// Bytes of L2; 0 if it is no candidate for staying there, being a port, a
    /// constant or larger than `mostBytes`.
    int64_t bytes = 0;
    bool isLarge = false;                   ///< scratch, and larger than that
    bool isKept = false;                    ///< a kept kernel, of any size
    llvm::SmallVector<unsigned, 2> readers; ///< tasks
    unsigned numUses = 0;                   ///< tasks that read or write it
  };

  /// `symbols` are those of the program.
  TaskGraph(ProgramOp program, const mlir::SymbolTable &symbols,
            const TargetDescription &target, int64_t mostBytes);

  /// Whether a task copies to an output what others have computed.
  bool isReturn(unsigned index) const;

  // Pieces fit where memory was given back; as a whole each of these would
  // take new memory.
  std::deque<Task> tasks;
  std::deque<Value> values;

private:
  class Reader;
};

/// Puts all tasks of a program in this order.
void putInOrder(ProgramOp program, llvm::ArrayRef<TaskOp> order);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_TASKS_TASKGRAPH_H
