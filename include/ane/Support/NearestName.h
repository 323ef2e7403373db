//===- NearestName.h - Names that were misspelt -----------------*- C++ -*-===//

#ifndef ANE_SUPPORT_NEARESTNAME_H
#define ANE_SUPPORT_NEARESTNAME_H

#include "llvm/ADT/StringRef.h"
#include <cstddef>
#include <optional>
#include <string>
#include <tuple>

namespace ane {

/// Finds the name that a misspelt one is nearest to.
class NearestName {
public:
  explicit NearestName(llvm::StringRef name) : name(name) {}

  void consider(llvm::StringRef candidate);

  /// `; did you mean 'x'?`, or nothing if no candidate is near.
  std::string suggestion() const;

private:
  /// How far a candidate is, less is nearer: by slips, then a first letter that
  /// differs, then letters that are not shared, then by the alphabet.
  using Rank = std::tuple<unsigned, bool, size_t, llvm::StringRef>;

  llvm::StringRef name;
  std::optional<Rank> best;
};

} // namespace ane

#endif // ANE_SUPPORT_NEARESTNAME_H
