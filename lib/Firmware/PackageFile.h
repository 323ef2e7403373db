//===- PackageFile.h - Access to the bytes of a package ---------*- C++ -*-===//

#ifndef ANE_LIB_FIRMWARE_PACKAGEFILE_H
#define ANE_LIB_FIRMWARE_PACKAGEFILE_H

#include "ane/Firmware/Format.h"
#include "ane/Support/Sha256.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include <array>
#include <cassert>
#include <cstring>

namespace ane::firmware {

using Little = Format<llvm::endianness::little>;
using Big = Format<llvm::endianness::big>;

/// A copy of the structure at `offset`, which the caller knows to be there.
template <typename T> T load(llvm::ArrayRef<uint8_t> bytes, uint64_t offset) {
  assert(offset <= bytes.size() && sizeof(T) <= bytes.size() - offset);
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

/// The identity of a program, section by section. The same in both byte orders
/// of what is around the contents.
class IdentityHash {
public:
  void beginSection(uint32_t kind, uint64_t size) {
    uint8_t head[12];
    llvm::support::endian::write32le(head, kind);
    llvm::support::endian::write64le(head + 4, size);
    update(head);
  }
  void update(llvm::ArrayRef<uint8_t> bytes) {
    hash.update(llvm::toStringRef(bytes));
  }
  std::array<uint8_t, 32> final() { return hash.final(); }

private:
  Sha256 hash;
};

} // namespace ane::firmware

#endif // ANE_LIB_FIRMWARE_PACKAGEFILE_H
