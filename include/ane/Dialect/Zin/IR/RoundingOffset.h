//===- RoundingOffset.h - Offsets that round --------------------*- C++ -*-===//

#ifndef ANE_DIALECT_ZIN_IR_ROUNDINGOFFSET_H
#define ANE_DIALECT_ZIN_IR_ROUNDINGOFFSET_H

#include "llvm/ADT/APFloat.h"
#include <cmath>

namespace ane::zin {

/// Whether an offset rounds to integers what it is added to: from 1024 on an
/// fp16 number has no fraction. Such a one is for what a layer gives, and not
/// for what comes before its rounding.
inline bool roundsToIntegers(const llvm::APFloat &offset) {
  constexpr double firstWithoutFraction = 1024;
  return std::fabs(offset.convertToDouble()) >= firstWithoutFraction;
}

} // namespace ane::zin

#endif // ANE_DIALECT_ZIN_IR_ROUNDINGOFFSET_H
