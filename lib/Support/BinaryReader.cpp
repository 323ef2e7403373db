//===- BinaryReader.cpp - Bounds-checked access to file bytes -------------===//

#include "ane/Support/BinaryReader.h"
#include "ane/Support/Hex.h"

using namespace ane;

llvm::Expected<llvm::StringRef>
BinaryReader::readString(uint64_t offset, uint64_t end,
                         const llvm::Twine &what) const {
  if (end > bytes.size() || offset >= end)
    return error(offset, what + " starts at offset " + hex(offset) +
                             ", outside its structure, which ends at " +
                             hex(end));
  const auto *start = reinterpret_cast<const char *>(bytes.data() + offset);
  const void *nul = std::memchr(start, 0, end - offset);
  if (!nul)
    return error(offset, what + " is not terminated before offset " + hex(end));
  return llvm::StringRef(start, static_cast<const char *>(nul) - start);
}
