//===- BackgroundHashingStream.cpp - Hashing beside writing ---------------===//

#include "ane/Support/BackgroundHashingStream.h"
#include "llvm/ADT/StringExtras.h"

using namespace ane;

namespace {

/// Bytes that the thread gets and that are passed on at a time: many times what
/// handing them over takes, and few enough for a cache. Assigned.
constexpr size_t blockBytes = 1 << 20;

} // namespace

void BackgroundHashingStream::write_impl(const char *data, size_t size) {
  position += size;
  for (llvm::StringRef rest(data, size); !rest.empty();) {
    llvm::StringRef part = rest.take_front(blockBytes - waiting.size());
    rest = rest.drop_front(part.size());
    waiting += part;
    if (waiting.size() == blockBytes)
      handOver();
  }
}

void BackgroundHashingStream::handOver() {
  if (!thread)
    thread.emplace(llvm::hardware_concurrency(1));
  thread->wait();
  std::swap(waiting, hashing);
  waiting.clear();
  waiting.reserve(blockBytes);
  thread->async([this] { hash.update(hashing); });
  out << hashing;
}

std::string BackgroundHashingStream::hexDigest() {
  out << waiting;
  if (thread)
    thread->wait();
  hash.update(waiting);
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}
