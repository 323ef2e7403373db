//===- Bytecode.h - Bytecode that nobody vouches for ------------*- C++ -*-===//

#ifndef ANE_FRONTEND_BYTECODE_H
#define ANE_FRONTEND_BYTECODE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace ane::frontend {

/// Fails if MLIR's reader of bytecode does not come back from `buffer`: it
/// trusts what it reads, and a damaged file can end the process, or keep it for
/// ever. The file is read in a process of its own, with limits of time and
/// memory that grow with its size. What the reader refuses, it will refuse
/// again with its own words, so this is no failure here; neither is a buffer
/// that holds no bytecode.
llvm::Error checkBytecode(llvm::MemoryBufferRef buffer,
                          const mlir::DialectRegistry &registry);

} // namespace ane::frontend

#endif // ANE_FRONTEND_BYTECODE_H
