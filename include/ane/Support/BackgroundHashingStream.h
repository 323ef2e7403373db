//===- BackgroundHashingStream.h - Hashing beside writing -------*- C++ -*-===//

#ifndef ANE_SUPPORT_BACKGROUNDHASHINGSTREAM_H
#define ANE_SUPPORT_BACKGROUNDHASHINGSTREAM_H

#include "ane/Support/Sha256.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>

namespace ane {

/// Passes bytes on and takes their SHA-256 on a thread of its own, while those
/// that follow are made and written: for large files, of which hashing takes as
/// long as writing. What is short is hashed without a thread. Bytes are passed
/// on in large blocks, the last ones with the digest.
class BackgroundHashingStream : public llvm::raw_ostream {
public:
  explicit BackgroundHashingStream(llvm::raw_ostream &out) : out(out) {
    SetUnbuffered();
  }

  /// 64 hexadecimal digits of all that was written. Nothing may follow.
  std::string hexDigest();

private:
  void write_impl(const char *data, size_t size) override;
  uint64_t current_pos() const override { return position; }
  void handOver();

  llvm::raw_ostream &out;
  Sha256 hash;
  uint64_t position = 0;
  std::string waiting; ///< neither hashed nor passed on yet
  std::string hashing; ///< what the thread hashes
  /// The last member: it ends before what it uses.
  std::optional<llvm::DefaultThreadPool> thread;
};

} // namespace ane

#endif // ANE_SUPPORT_BACKGROUNDHASHINGSTREAM_H
