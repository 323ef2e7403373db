//===- Sha256.cpp - SHA-256 of what comes in pieces -----------------------===//

#include "ane/Support/Sha256.h"
#include "llvm/ADT/StringExtras.h"

using namespace ane;

Sha256::Sha256() { sha256_init(&state); }

void Sha256::update(llvm::StringRef bytes) {
  sha256_update(&state, bytes.size(), bytes.bytes_begin());
}

std::array<uint8_t, SHA256_DIGEST_SIZE> Sha256::final() {
  std::array<uint8_t, SHA256_DIGEST_SIZE> digest;
  sha256_digest(&state, digest.size(), digest.data());
  return digest;
}

std::string ane::sha256Of(llvm::StringRef bytes) {
  Sha256 hash;
  hash.update(bytes);
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}
