//===- Half.cpp - Conversion between fp16 and wider types -----------------===//

#include "ane/Support/Half.h"
#include <bit>
#include <cmath>
#include <limits>

using namespace ane;

namespace {

// fp64 and fp16 differ in the bits of the fraction and the bias of the
// exponent.
constexpr unsigned droppedBits = 52 - 10;
constexpr uint64_t biasDifference = uint64_t(1023 - 15) << 10;

} // namespace

uint16_t ane::halfFromDouble(double value) {
  uint64_t bits = std::bit_cast<uint64_t>(value);
  uint16_t sign = (bits >> 48) & 0x8000;
  if (std::isnan(value))
    return sign | 0x7e00;
  double magnitude = std::fabs(value);
  if (magnitude >= 65520.0)
    return sign | halfInfinity;
  // Subnormals are multiples of one unit; 1024 of them are the least normal.
  if (magnitude < smallestNormalHalf)
    return sign | static_cast<uint16_t>(std::nearbyint(magnitude * 0x1p24));
  // Half a unit more, but for ties where the unit is even, and the rest is
  // dropped. A carry out of the fraction moves into the exponent by itself.
  uint64_t wide = std::bit_cast<uint64_t>(magnitude);
  wide += (uint64_t(1) << (droppedBits - 1)) - 1 + (wide >> droppedBits & 1);
  return sign | static_cast<uint16_t>((wide >> droppedBits) - biasDifference);
}

double ane::halfToDouble(uint16_t bits) {
  uint64_t magnitude = bits & 0x7fff;
  uint64_t sign = uint64_t(bits & 0x8000) << 48;
  uint64_t wide;
  if (magnitude >= halfInfinity)
    wide = std::bit_cast<uint64_t>(
        magnitude > halfInfinity ? std::numeric_limits<double>::quiet_NaN()
                                 : HUGE_VAL);
  else if (magnitude < 0x400)
    wide = std::bit_cast<uint64_t>(static_cast<double>(magnitude) * 0x1p-24);
  else
    wide = (magnitude + biasDifference) << droppedBits;
  return std::bit_cast<double>(sign | wide);
}
