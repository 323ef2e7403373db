//===- Numerics.cpp - How the machine accumulates -------------------------===//

#include "ane/Engine/Numerics.h"

using namespace ane;

llvm::StringRef engine::numericsName(Numerics numerics) {
  return numerics == Numerics::Tile4 ? "tile4" : "documented";
}

std::optional<engine::Numerics> engine::parseNumerics(llvm::StringRef name) {
  for (Numerics numerics : {Numerics::Documented, Numerics::Tile4})
    if (name == numericsName(numerics))
      return numerics;
  return std::nullopt;
}
