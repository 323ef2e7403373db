//===- NamedKernel.cpp - Kernels named by their bytes ---------------------===//

#include "NamedKernel.h"
#include "ane/Object/HashName.h"

using namespace ane;
using namespace ane::codegen;

void NamedKernel::name() {
  if (isDone())
    return;
  if (llvm::Error error = packed.compress()) {
    problem = llvm::toString(std::move(error));
    return;
  }
  chunks = packed.chunks();
  if (llvm::Expected<std::string> hash = object::hashName(chunks))
    symbol = std::move(*hash);
  else
    problem = llvm::toString(hash.takeError());
  packed.forgetIndices();
}
