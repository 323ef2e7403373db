//===- Accumulator.h - What sums products -----------------------*- C++ -*-===//
//
// The definition of both accumulators, one product at a time. MacTile.h has the
// same sums for many outputs at once; they give the same bits.
//
// A partial sum whose magnitude reaches 2^15 makes the result an infinity of
// its sign, even when later products would cancel it. Measured on M1.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_ENGINE_MAC_ACCUMULATOR_H
#define ANE_LIB_ENGINE_MAC_ACCUMULATOR_H

#include "ane/Engine/Numerics.h"
#include "ane/Target/Target.h"
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace ane::engine {

/// Magnitude at which a partial sum overflows.
constexpr float accumulatorLimit = ane::accumulatorLimit;

/// Products that a tile of `tile4` sums.
constexpr unsigned tileTaps = 4;

/// Bits of a tile's significand behind its leading one.
constexpr int tileFractionBits = 11;

/// Parts of a float; the significand is what a tile has of it, with the sign
/// and the exponent.
constexpr int floatFractionBits = 23;
constexpr uint32_t floatSignMask = 0x80000000;
constexpr uint32_t floatExponentMask = 0x7f800000;
constexpr uint32_t tileSignificandMask =
    ~uint32_t(0) << (floatFractionBits - tileFractionBits);

/// With E the exponent bits of a float, E minus the one and the other minus E
/// are the bits of the last place of its 12, and of its reciprocal. Where E is
/// 0, both give a finite number.
constexpr uint32_t unitBelowExponent = uint32_t(tileFractionBits)
                                       << floatFractionBits;
constexpr uint32_t reciprocalUnit = uint32_t(2 * 127 + tileFractionBits)
                                    << floatFractionBits;

/// An infinity in place of a magnitude that reaches the limit.
inline float saturate(float value, float limit = accumulatorLimit) {
  if (!(std::fabs(value) >= limit))
    return value;
  return std::copysign(std::numeric_limits<float>::infinity(), value);
}

/// Drops what 12 bits of significand do not hold.
inline float truncateToTile(float value) {
  return std::bit_cast<float>(std::bit_cast<uint32_t>(value) &
                              tileSignificandMask);
}

/// The sum of two numbers of 12 bits: the smaller is shifted to the exponent of
/// the larger, what falls off is dropped, and so is what the sum has more.
inline float addInTile(float a, float b) {
  float larger = std::fmax(std::fabs(a), std::fabs(b));
  if (larger == 0)
    return 0;
  float unit = std::ldexp(1.0f, std::ilogb(larger) - tileFractionBits);
  return truncateToTile((std::trunc(a / unit) + std::trunc(b / unit)) * unit);
}

/// One sum, product by product.
class Accumulator {
public:
  explicit Accumulator(Numerics numerics) : numerics(numerics) {}

  /// A product of two fp16 numbers, which is exact in fp32, or an infinity, or
  /// NaN for 0 times infinity.
  void add(float product) {
    if (!(std::fabs(product) <= std::numeric_limits<float>::max())) {
      infinities += product;
      product = 0;
    }
    if (numerics == Numerics::Documented) {
      sum = checked(sum + product);
      return;
    }
    tile = checked(addInTile(tile, truncateToTile(product)));
    if (++taps == tileTaps)
      closeTile();
  }

  /// NaN for an indeterminate sum.
  float result() {
    if (taps)
      closeTile();
    // NaN compares unequal, too.
    return infinities != 0 ? infinities : overflow != 0 ? overflow : sum;
  }

private:
  float checked(float partial) {
    if (overflow != 0)
      return 0;
    if (std::fabs(partial) < accumulatorLimit)
      return partial;
    overflow = saturate(partial);
    return 0;
  }

  void closeTile() {
    sum = checked(sum + tile);
    tile = 0;
    taps = 0;
  }

  Numerics numerics;
  float sum = 0;
  float tile = 0;
  unsigned taps = 0;
  float overflow = 0;   ///< the infinity of the first partial sum to overflow
  float infinities = 0; ///< the sum of products that are infinite themselves
};

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_MAC_ACCUMULATOR_H
