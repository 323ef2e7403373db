//===- BinaryReader.cpp - Bounds-checked access to file bytes -------------===//

#include "ane/Support/BinaryReader.h"

using namespace ane;

llvm::Expected<llvm::StringRef>
BinaryReader::readString(uint64_t offset, uint64_t end,
                         const llvm::Twine &what) const {
  if (end > bytes.size() || offset >= end)
    return error(offset, what + " starts at offset 0x" +
                             llvm::utohexstr(offset, true) +
                             ", outside its structure, which ends at 0x" +
                             llvm::utohexstr(end, true));
  const auto *start = reinterpret_cast<const char *>(bytes.data() + offset);
  const void *nul = std::memchr(start, 0, end - offset);
  if (!nul)
    return error(offset, what + " is not terminated before offset 0x" +
                             llvm::utohexstr(end, true));
  return llvm::StringRef(start, static_cast<const char *>(nul) - start);
}
