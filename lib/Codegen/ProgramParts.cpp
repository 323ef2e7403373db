//===- ProgramParts.cpp - The ops of a program by their kind --------------===//

#include "ProgramParts.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ane::codegen;
using namespace ane::zin;

ProgramParts::ProgramParts(ProgramOp program) {
  for (Operation &op : program.getBody().front())
    llvm::TypeSwitch<Operation *>(&op)
        .Case([&](BufferOp buffer) { buffers.push_back(buffer); })
        .Case([&](KernelOp kernel) { kernels.push_back(kernel); })
        .Case([&](TaskOp task) { tasks.push_back(task); });
}
