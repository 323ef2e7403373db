//===- Bytecode.h - Bytecode that nobody vouches for ------------*- C++ -*-===//

#ifndef ANE_FRONTEND_BYTECODE_H
#define ANE_FRONTEND_BYTECODE_H

#include "llvm/Support/LogicalResult.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace ane::frontend {

/// How bytecode is going to be read.
struct BytecodeReading {
  bool allowsUnregisteredDialects = false;
  bool verifies = true;
};

/// Reads `buffer` with MLIR's reader of bytecode in a process of its own, with
/// limits of time and memory that grow with its size. The reader trusts what it
/// reads: a damaged file can end the process, keep it for ever, or leave its
/// memory in disorder, which shows when the program is printed or destroyed, so
/// that is done as well. Fails, with an error on standard error, if any of it
/// went wrong; nobody may read the buffer then. Of what the reader refuses the
/// error is its own. A buffer that holds no bytecode is not looked at.
llvm::LogicalResult checkBytecode(llvm::MemoryBufferRef buffer,
                                  const mlir::DialectRegistry &registry,
                                  BytecodeReading reading = {});

} // namespace ane::frontend

#endif // ANE_FRONTEND_BYTECODE_H
