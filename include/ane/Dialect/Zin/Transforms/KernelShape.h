//===- KernelShape.h - Kernels as their layout counts them ------*- C++ -*-===//

#ifndef ANE_DIALECT_ZIN_TRANSFORMS_KERNELSHAPE_H
#define ANE_DIALECT_ZIN_TRANSFORMS_KERNELSHAPE_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/TaskDescriptor/KernelStream.h"

namespace ane::zin {

/// What decides where the coefficients of a kernel with weights lie.
td::KernelShape kernelShapeOf(KernelOp kernel);

/// A window of rows and columns that a neural task slides.
td::KernelWindow kernelWindowOf(llvm::ArrayRef<int64_t> window,
                                llvm::ArrayRef<int64_t> stride);
td::KernelWindow kernelWindowOf(TaskOp task);

} // namespace ane::zin

#endif // ANE_DIALECT_ZIN_TRANSFORMS_KERNELSHAPE_H
