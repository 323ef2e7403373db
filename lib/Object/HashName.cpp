//===- HashName.cpp - Names of coefficient blocks -------------------------===//

#include "ane/Object/HashName.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/raw_ostream.h"

using namespace ane::object;

namespace {

/// Takes the BLAKE3 of what is written.
class HashStream : public llvm::raw_ostream {
public:
  // BLAKE3 takes many blocks of its own at once, in vectors.
  HashStream() { SetBufferSize(1 << 16); }
  ~HashStream() override { flush(); }

  /// 64 hexadecimal digits.
  std::string digits() {
    flush();
    return llvm::toHex(hash.final());
  }

private:
  void write_impl(const char *data, size_t size) override {
    hash.update(llvm::StringRef(data, size));
    position += size;
  }
  uint64_t current_pos() const override { return position; }

  llvm::BLAKE3 hash;
  uint64_t position = 0;
};

} // namespace

llvm::Expected<std::string> ane::object::hashName(llvm::ArrayRef<Chunk> block) {
  HashStream os;
  for (const Chunk &chunk : block)
    if (llvm::Error error = chunk.write(os))
      return error;
  return "K" + os.digits();
}

std::string ane::object::laneName(llvm::StringRef hashName, unsigned lane) {
  return (hashName + laneInfix + llvm::Twine(lane)).str();
}

std::string ane::object::paletteName(llvm::StringRef hashName) {
  return (hashName + "_palette").str();
}

std::optional<LaneName> ane::object::parseLaneName(llvm::StringRef name) {
  auto [block, number] = name.rsplit(laneInfix);
  LaneName result{block, 0};
  // Not `_ne_01`, and not a name without the infix.
  if (number.getAsInteger(10, result.lane) || result.lane >= maxLanes ||
      laneName(block, result.lane) != name)
    return std::nullopt;
  return result;
}
