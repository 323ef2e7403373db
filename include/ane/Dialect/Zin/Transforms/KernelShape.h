//===- KernelShape.h - Kernels as their layout counts them ------*- C++ -*-===//

#ifndef ANE_DIALECT_ZIN_TRANSFORMS_KERNELSHAPE_H
#define ANE_DIALECT_ZIN_TRANSFORMS_KERNELSHAPE_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/TaskDescriptor/KernelStream.h"

namespace ane::zin {

/// What decides where the coefficients of a kernel with weights lie.
td::KernelShape kernelShapeOf(KernelOp kernel);

/// The window that a task of the neural engine slides.
td::KernelWindow kernelWindowOf(TaskOp task);

} // namespace ane::zin

#endif // ANE_DIALECT_ZIN_TRANSFORMS_KERNELSHAPE_H
