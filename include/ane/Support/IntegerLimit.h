//===- IntegerLimit.h - Which integers an input takes -----------*- C++ -*-===//
//
// fp16 holds integers exactly up to 2048 only. How far those of an input may go
// follows from the program; the dispatch descriptor says so, and who runs the
// program refuses what is beyond.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_SUPPORT_INTEGERLIMIT_H
#define ANE_SUPPORT_INTEGERLIMIT_H

#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace ane {

/// From -most to most, or from 0 to most.
struct IntegerLimit {
  uint64_t most = 0;
  bool hasNegative = true;

  int64_t least() const { return hasNegative ? -int64_t(most) : 0; }
  bool contains(int64_t value) const {
    return value >= least() && value <= int64_t(most);
  }

  bool operator==(const IntegerLimit &) const = default;
};

/// What both take.
inline IntegerLimit common(IntegerLimit a, IntegerLimit b) {
  return {std::min(a.most, b.most), a.hasNegative && b.hasNegative};
}

/// `300` for the integers from -300 to 300, and `0..300`.
std::string formatLimit(IntegerLimit limit);
std::optional<IntegerLimit> parseLimit(llvm::StringRef text);

} // namespace ane

#endif // ANE_SUPPORT_INTEGERLIMIT_H
