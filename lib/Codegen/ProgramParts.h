//===- ProgramParts.h - The ops of a program by their kind ------*- C++ -*-===//

#ifndef ANE_LIB_CODEGEN_PROGRAMPARTS_H
#define ANE_LIB_CODEGEN_PROGRAMPARTS_H

#include "ane/Dialect/Zin/IR/Zin.h"

namespace ane::codegen {

/// The ops of a program in their order, by kind. Each walk over a long program
/// brings all of it into the caches again; this is one for all.
struct ProgramParts {
  explicit ProgramParts(zin::ProgramOp program);

  llvm::SmallVector<zin::BufferOp> buffers;
  llvm::SmallVector<zin::KernelOp> kernels;
  llvm::SmallVector<zin::TaskOp> tasks;
};

} // namespace ane::codegen

#endif // ANE_LIB_CODEGEN_PROGRAMPARTS_H
