//===- ContainerHash.cpp - Whether a descriptor is of a container ---------===//

#include "Host/ContainerHash.h"
#include "ane/Support/FileError.h"
#include "ane/Support/Sha256.h"

using namespace ane;
using llvm::StringRef;

llvm::Error engine::checkHash(const llvm::MemoryBuffer &container,
                              StringRef name, const e5::Descriptor &descriptor,
                              StringRef descriptorPath) {
  if (descriptor.isOf(container.getBuffer()))
    return llvm::Error::success();
  return makeFileError(
      descriptorPath, 0,
      "this descriptor belongs to another container: it gives SHA-256 " +
          StringRef(descriptor.containerHash).lower() + ", but " + name +
          " has " + sha256Of(container.getBuffer()) +
          "; compile again, or move the descriptor away to run without it");
}
