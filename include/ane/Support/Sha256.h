//===- Sha256.h - SHA-256 of what comes in pieces ---------------*- C++ -*-===//
//
// By Nettle, which uses the processor's instructions for it: the hashes of
// coefficients and containers are most of what compiling a large network takes
// with llvm::SHA256, which does not.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_SUPPORT_SHA256_H
#define ANE_SUPPORT_SHA256_H

#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <nettle/sha2.h>
#include <string>

namespace ane {

/// A digest of bytes that come piece by piece.
class Sha256 {
public:
  Sha256();

  void update(llvm::StringRef bytes);
  /// The digest of all bytes so far. Nothing may follow.
  std::array<uint8_t, SHA256_DIGEST_SIZE> final();

private:
  sha256_ctx state;
};

/// The SHA-256 of all bytes, as 64 lower-case hexadecimal digits.
std::string sha256Of(llvm::StringRef bytes);

} // namespace ane

#endif // ANE_SUPPORT_SHA256_H
