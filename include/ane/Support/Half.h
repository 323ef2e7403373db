//===- Half.h - Conversion between fp16 and wider types ---------*- C++ -*-===//
//
// Storage conversion for the compiler and the file formats. The executor and
// the reference interpreter have their own, so that neither can hide an error
// of the other.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_SUPPORT_HALF_H
#define ANE_SUPPORT_HALF_H

#include <bit>
#include <cmath>
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

/// The fp16 nearest to a number, or infinity.
inline double roundToHalf(double value) {
  return halfToDouble(halfFromDouble(value));
}
/// Whether fp16 holds a number, or infinity, as it is.
inline bool isHalf(double value) { return roundToHalf(value) == value; }

/// The bits of the fraction that fp32 has and fp16 has not.
constexpr unsigned floatDroppedBits = 23 - 10;

/// The exact value of a finite fp16. Without branches, as the other way below,
/// so that loops over millions of numbers become vectors.
inline float finiteHalfToFloat(uint16_t bits) {
  // The product moves the bias of the exponent, also of denormals.
  uint32_t magnitude = uint32_t(bits & 0x7fff) << floatDroppedBits;
  return std::bit_cast<float>(magnitude | uint32_t(bits & 0x8000) << 16) *
         0x1p112f;
}

/// Rounds a number of at most `largestHalf` to the nearest fp16, ties to even.
inline uint16_t finiteHalfFromFloat(float value) {
  constexpr uint32_t biasDifference = uint32_t(127 - 15) << 10;
  float magnitude = std::fabs(value);
  uint32_t bits = std::bit_cast<uint32_t>(magnitude);
  uint32_t normal = (bits + (1 << (floatDroppedBits - 1)) - 1 +
                     (bits >> floatDroppedBits & 1)) >>
                    floatDroppedBits;
  // The last bit of a sum with one half is a unit of denormals.
  uint32_t denormal =
      std::bit_cast<uint32_t>(magnitude + 0.5f) - std::bit_cast<uint32_t>(0.5f);
  uint32_t rounded = magnitude < float(smallestNormalHalf)
                         ? denormal
                         : normal - biasDifference;
  return uint16_t(std::bit_cast<uint32_t>(value) >> 16 & 0x8000) |
         uint16_t(rounded);
}

} // namespace ane

#endif // ANE_SUPPORT_HALF_H
