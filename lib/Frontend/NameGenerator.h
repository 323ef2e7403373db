//===- NameGenerator.h - Making up names ------------------------*- C++ -*-===//

#ifndef ANE_LIB_FRONTEND_NAMEGENERATOR_H
#define ANE_LIB_FRONTEND_NAMEGENERATOR_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <string>

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

} // namespace ane::frontend

#endif // ANE_LIB_FRONTEND_NAMEGENERATOR_H
