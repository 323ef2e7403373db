//===- Convert.h - A program in the other spelling --------------*- C++ -*-===//

#ifndef ANE_TASKDESCRIPTOR_CONVERT_H
#define ANE_TASKDESCRIPTOR_CONVERT_H

#include "ane/TaskDescriptor/TaskDescriptor.h"

namespace ane::td {

/// The registers that each task of a program works with.
///
/// A v7 record stream may leave registers out; they keep what an earlier task
/// gave them (assigned; the default where no task did). Base and size of a lane
/// that is off are at their default then: nothing reads them, and they are what
/// real streams leave out (verified).
std::vector<RegisterImage> effectiveImages(llvm::ArrayRef<TaskDescriptor>);

/// The tasks of a decoded program as tasks that any encoder writes in `format`:
/// complete images, in the records and at the places that the format prefers.
///
/// Converting there and back gives tasks with the same effective images, links
/// between descriptors aside, which the encoder writes. v7 to v10 fails on what
/// has no place there, naming task, register and value: bits of no known field,
/// and a base whose buffer the header does not name. Everything of v10 has a
/// place in v7.
llvm::Expected<std::vector<TaskDescriptor>>
convertProgram(llvm::ArrayRef<TaskDescriptor> tasks, Format format);

} // namespace ane::td

#endif // ANE_TASKDESCRIPTOR_CONVERT_H
