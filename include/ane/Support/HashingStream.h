//===- HashingStream.h - A stream that hashes what it passes on -*- C++ -*-===//

#ifndef ANE_SUPPORT_HASHINGSTREAM_H
#define ANE_SUPPORT_HASHINGSTREAM_H

#include "ane/Support/Sha256.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace ane {

/// Passes bytes on and takes their SHA-256 on the way.
class HashingStream : public llvm::raw_ostream {
public:
  explicit HashingStream(llvm::raw_ostream &out) : out(out) { SetUnbuffered(); }

  /// 64 hexadecimal digits of all that was written.
  std::string hexDigest() {
    return llvm::toHex(hash.final(), /*LowerCase=*/true);
  }

private:
  void write_impl(const char *data, size_t size) override {
    hash.update(llvm::StringRef(data, size));
    out.write(data, size);
    position += size;
  }
  uint64_t current_pos() const override { return position; }

  llvm::raw_ostream &out;
  Sha256 hash;
  uint64_t position = 0;
};

} // namespace ane

#endif // ANE_SUPPORT_HASHINGSTREAM_H
