//===- NearestName.cpp - Names that were misspelt -------------------------===//

#include "ane/Support/NearestName.h"
#include "llvm/ADT/StringExtras.h"
#include <array>

using namespace ane;

/// Letters of one name that the other does not have, without case.
static size_t countUnshared(llvm::StringRef a, llvm::StringRef b) {
  std::array<int, 256> counts = {};
  for (char c : a)
    ++counts[static_cast<unsigned char>(llvm::toLower(c))];
  for (char c : b)
    --counts[static_cast<unsigned char>(llvm::toLower(c))];
  size_t unshared = 0;
  for (int count : counts)
    unshared += std::abs(count);
  return unshared;
}

void NearestName::consider(llvm::StringRef candidate) {
  // Names longer than this are not typed by hand, and the distance takes
  // quadratic time.
  constexpr size_t maxLength = 64;
  size_t length = std::max(name.size(), candidate.size());
  if (length > maxLength || candidate == name)
    return;
  // One slip in a short name, more in a long one. Case is none.
  unsigned limit = std::min<size_t>(1 + length / 5, 4);
  if (length - std::min(name.size(), candidate.size()) > limit)
    return;
  unsigned distance = candidate.edit_distance_insensitive(
      name, /*AllowReplacements=*/true, limit);
  if (distance > limit || distance >= length)
    return;
  // Independent of the order of the candidates.
  Rank rank = {distance,
               llvm::toLower(name.front()) != llvm::toLower(candidate.front()),
               countUnshared(name, candidate), candidate};
  if (!best || rank < *best)
    best = rank;
}

std::string NearestName::suggestion() const {
  return best ? "; did you mean '" + std::get<llvm::StringRef>(*best).str() +
                    "'?"
              : std::string();
}
