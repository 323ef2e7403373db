//===- Instructions.cpp - Sets of vector instructions ---------------------===//

#include "Instructions.h"
#include "HalfConversion.h"
#include "Mac/MacTile.h"

using namespace ane::engine;

bool ane::engine::hasInstructions(Instructions instructions) {
  switch (instructions) {
  case Instructions::Portable:
    return true;
#if defined(__x86_64__)
  case Instructions::AVX2:
    return hasAVX2() && hasF16C();
  case Instructions::AVX512:
    return hasAVX512();
#else
  default:
    return false;
#endif
  }
  return false;
}

Instructions ane::engine::bestInstructions() {
  for (Instructions each : {Instructions::AVX512, Instructions::AVX2})
    if (hasInstructions(each))
      return each;
  return Instructions::Portable;
}
