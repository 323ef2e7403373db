//===- TaskGroups.h - What tasks share in the engine ------------*- C++ -*-===//

#ifndef ANE_LIB_CODEGEN_TASKGROUPS_H
#define ANE_LIB_CODEGEN_TASKGROUPS_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/TaskDescriptor/TaskDescriptor.h"
#include "llvm/ADT/DenseSet.h"

namespace ane {

/// The buffers in L2 that hold results of reductions and that only planar tasks
/// read: they are in the statistics store as well. Verified in all programs
/// that have such.
llvm::DenseSet<mlir::StringAttr> findStatistics(zin::ProgramOp program);

/// Tasks between which something stays in L2 are a group that must not be
/// interrupted; an image ends one. What a result may overlap: the first task of
/// a program knows nothing, tasks inside a group and those behind an image have
/// nothing to wait for, others follow those of the engines before: verified.
/// Inside a group a result that streams where a task of the other engine may
/// still be at work waits for that one: assigned.
///
/// `images` says of each task whether its result has an image; see findImages.
void closeGroups(zin::ProgramOp program, llvm::ArrayRef<bool> images,
                 llvm::MutableArrayRef<td::TaskDescriptor> descriptors);

} // namespace ane

#endif // ANE_LIB_CODEGEN_TASKGROUPS_H
