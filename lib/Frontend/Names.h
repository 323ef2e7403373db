//===- Names.h - Making up names --------------------------------*- C++ -*-===//

#ifndef ANE_LIB_FRONTEND_NAMES_H
#define ANE_LIB_FRONTEND_NAMES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <optional>
#include <string>
#include <tuple>

namespace ane::frontend {

/// Makes names `base_0`, `base_1`, ... for values that have none.
class NameGenerator {
public:
  /// The first of the names that is not taken and was not made before.
  std::string make(llvm::StringRef base,
                   llvm::function_ref<bool(llvm::StringRef)> isTaken) {
    unsigned &next = counters[base];
    std::string name;
    do
      name = (base + "_" + llvm::Twine(next++)).str();
    while (isTaken(name));
    return name;
  }

private:
  llvm::StringMap<unsigned> counters;
};

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

} // namespace ane::frontend

#endif // ANE_LIB_FRONTEND_NAMES_H
