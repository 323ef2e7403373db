//===- Half.cpp - Conversion between fp16 and wider types -----------------===//

#include "ane/Support/Half.h"
#include <bit>
#include <cmath>

using namespace ane;

uint16_t ane::halfFromDouble(double value) {
  uint64_t bits = std::bit_cast<uint64_t>(value);
  uint16_t sign = (bits >> 48) & 0x8000;
  if (std::isnan(value))
    return sign | 0x7e00;
  // Exponent of the fp16 unit in the last place, clamped for subnormals. The
  // scaled magnitude then has its rounding position at 1.0, where nearbyint
  // rounds ties to even.
  double magnitude = std::fabs(value);
  if (magnitude >= 65520.0)
    return sign | 0x7c00;
  int exponent = magnitude == 0 ? -14 : std::ilogb(magnitude);
  if (exponent < -14)
    exponent = -14;
  auto units = static_cast<uint32_t>(
      std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  // A carry out of the significand moves into the exponent field by itself.
  return sign | static_cast<uint16_t>(((exponent + 14) << 10) + units);
}

double ane::halfToDouble(uint16_t bits) {
  int exponent = (bits >> 10) & 31;
  int fraction = bits & 0x3ff;
  double magnitude;
  if (exponent == 31)
    magnitude = fraction ? NAN : INFINITY;
  else if (exponent == 0)
    magnitude = std::ldexp(fraction, -24);
  else
    magnitude = std::ldexp(fraction + 1024, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}
