//===- CopyTask.h - Tasks that move elements --------------------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_TASKS_COPYTASK_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_TASKS_COPYTASK_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Target/Target.h"

namespace ane::zin {

/// Makes a task that moves the elements of one view, of one group, to another
/// of the same extents, all of which a task can have.
void createCopy(mlir::OpBuilder &builder, mlir::Location location,
                ViewAttr source, ViewAttr result, int64_t groups = 1);

/// Makes tasks that move the elements of one view of any extents to another.
void createCopies(mlir::OpBuilder &builder, mlir::Location location,
                  ViewAttr source, ViewAttr result,
                  const TargetDescription &target);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_TASKS_COPYTASK_H
