//===- TaskMarks.h - What tasks say of the one before -----------*- C++ -*-===//
//
// Marks that say how a task goes on from the one before, and to the next. No
// result depends on them, so a program runs with any; --check tells where they
// break the laws of all real programs that are known: Dependent names the
// engine of the task before, and a PE task has LinkIn exactly if the task
// before it has LinkOut, an NE task never; TBE says that a descriptor follows,
// EON that none does; NextOverlaps that a task of the other engine follows
// which waits for nothing of that task (verified).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_ENGINE_WATCH_TASKMARKS_H
#define ANE_LIB_ENGINE_WATCH_TASKMARKS_H

#include "ane/TaskDescriptor/RegisterImage.h"

namespace ane::engine {

class TaskMarks {
public:
  /// Takes the tasks in order; an image is looked at again with the next one.
  llvm::Error next(const td::RegisterImage &image);
  /// After the last one.
  llvm::Error end() const;

private:
  llvm::Error checkWriters(const td::RegisterImage &image) const;
  llvm::Error checkLinks(const td::RegisterImage &image) const;
  llvm::Error checkOverlap(const td::RegisterImage &image) const;
  static llvm::Error checkChain(const td::RegisterImage &image);

  const td::RegisterImage *before = nullptr;
};

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_WATCH_TASKMARKS_H
