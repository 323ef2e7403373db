//===- ContainerHash.h - Whether a descriptor is of a container -*- C++ -*-===//

#ifndef ANE_LIB_ENGINE_HOST_CONTAINERHASH_H
#define ANE_LIB_ENGINE_HOST_CONTAINERHASH_H

#include "ane/E5/E5.h"
#include "llvm/Support/MemoryBuffer.h"

namespace ane::engine {

/// That a descriptor, read from `descriptorPath`, has the SHA-256 of a
/// container, which is called `name`.
llvm::Error checkHash(const llvm::MemoryBuffer &container, llvm::StringRef name,
                      const e5::Descriptor &descriptor,
                      llvm::StringRef descriptorPath);

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_HOST_CONTAINERHASH_H
