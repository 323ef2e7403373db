//===- Numerics.cpp - How the machine accumulates -------------------------===//

#include "ane/Engine/Numerics.h"

using namespace ane;

llvm::StringRef engine::numericsName(Numerics numerics) {
  return numerics == Numerics::Tile4 ? "tile4" : "documented";
}
