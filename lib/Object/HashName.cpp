//===- HashName.cpp - Names of coefficient blocks -------------------------===//

#include "ane/Object/HashName.h"
#include "ane/Support/HashingStream.h"

using namespace ane::object;

llvm::Expected<std::string> ane::object::hashName(llvm::ArrayRef<Chunk> block) {
  HashingStream os(llvm::nulls());
  for (const Chunk &chunk : block)
    if (llvm::Error error = chunk.write(os))
      return error;
  return "K" + llvm::StringRef(os.hexDigest()).upper();
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
