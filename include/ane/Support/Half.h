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

/// Bytes of an fp16.
constexpr unsigned halfBytes = 2;

/// The largest finite fp16 and the smallest that is not denormal.
constexpr double largestHalf = 65504, smallestNormalHalf = 0x1p-14;
/// All integers up to this are fp16 numbers.
constexpr int64_t largestExactInteger = 2048;

/// The bits of 1 and infinity.
constexpr uint16_t halfOne = 0x3c00, halfInfinity = 0x7c00;

/// Rounds to the nearest fp16, ties to even; overflow gives infinity.
uint16_t halfFromDouble(double value);

/// The exact value of an fp16 bit pattern.
double halfToDouble(uint16_t bits);

} // namespace ane

#endif // ANE_SUPPORT_HALF_H
