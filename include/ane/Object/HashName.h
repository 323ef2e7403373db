//===- HashName.h - Names of coefficient blocks -----------------*- C++ -*-===//

#ifndef ANE_OBJECT_HASHNAME_H
#define ANE_OBJECT_HASHNAME_H

#include "ane/Object/Object.h"
#include "llvm/Support/Error.h"

namespace ane::object {

/// `K` and 64 upper-case hexadecimal digits. Real containers use such names
/// (verified), but of an unknown hash; here it is the BLAKE3 of the block's
/// bytes (assigned), which is a part of the work of SHA-256. Fails as
/// Chunk::write does.
llvm::Expected<std::string> hashName(llvm::ArrayRef<Chunk> block);

/// `<hashName>_ne_<lane>`: the part of a kernel that neural engine `lane`
/// streams (verified). A look-up table is named without lane (verified).
std::string laneName(llvm::StringRef hashName, unsigned lane);

/// `<hashName>_palette`: the palette of a kernel (assigned).
std::string paletteName(llvm::StringRef hashName);

/// The two parts of a name that laneName gives.
struct LaneName {
  llvm::StringRef block;
  unsigned lane = 0; ///< less than maxLanes
};

/// Nothing for a name that laneName does not give.
std::optional<LaneName> parseLaneName(llvm::StringRef name);

} // namespace ane::object

#endif // ANE_OBJECT_HASHNAME_H
