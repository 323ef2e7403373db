//===- Lut.cpp - The activation table record ------------------------------===//

#include "ane/TaskDescriptor/Lut.h"

using namespace ane::td;

int ane::td::lutLog2Scale(const LutRecord &record) {
  return static_cast<int16_t>(record.scale);
}

int ane::td::lutCentre(uint16_t mode) {
  switch (mode & LutMode::indexMask) {
  case LutMode::Centred:
    return (numLutKnots - 1) / 2;
  case LutMode::ToZero:
    return numLutKnots - 1;
  default:
    return 0;
  }
}
