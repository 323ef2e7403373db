//===- Half.h - Conversion between fp16 and wider types ---------*- C++ -*-===//
//
// Storage conversion for the compiler and the file formats. The executor and
// the reference interpreter have their own, so that neither can hide an error
// of the other.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_SUPPORT_HALF_H
#define ANE_SUPPORT_HALF_H

#include <cstdint>

namespace ane {

/// Rounds to the nearest fp16, ties to even; overflow gives infinity.
uint16_t halfFromDouble(double value);

/// The exact value of an fp16 bit pattern.
double halfToDouble(uint16_t bits);

} // namespace ane

#endif // ANE_SUPPORT_HALF_H
