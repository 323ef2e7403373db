//===- Names.cpp - Making up names ----------------------------------------===//

#include "Names.h"

using namespace ane::frontend;

void NearestName::consider(llvm::StringRef candidate) {
  // Names longer than this are not typed by hand, and the distance takes
  // quadratic time.
  constexpr size_t maxLength = 64;
  size_t length = std::max(name.size(), candidate.size());
  if (length > maxLength || candidate == name)
    return;
  // One slip in a short name, more in a long one.
  unsigned limit = std::min<size_t>(1 + length / 5, 4);
  if (length - std::min(name.size(), candidate.size()) > limit)
    return;
  unsigned distance =
      candidate.edit_distance(name, /*AllowReplacements=*/true, limit);
  if (distance > limit || distance >= length)
    return;
  // Independent of the order of the candidates.
  if (best.empty() || distance < bestDistance ||
      (distance == bestDistance && candidate < best)) {
    best = candidate;
    bestDistance = distance;
  }
}

std::string NearestName::suggestion() const {
  return best.empty() ? std::string() : "; did you mean '" + best.str() + "'?";
}
