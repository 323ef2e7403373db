//===- HalfConversion.cpp - fp16 of the executor --------------------------===//

#include "HalfConversion.h"
#include "llvm/Support/Endian.h"
#include <bit>
#include <cmath>
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__AARCH64EL__)
#include <arm_neon.h>
#endif

using namespace ane;
using llvm::support::endian::read16le;
using llvm::support::endian::write16le;

namespace {

constexpr unsigned extraBits = 23 - 10; ///< of a float's significand
constexpr uint32_t floatInfinity = 0x7f800000;
constexpr uint32_t floatQuiet = 0x00400000;
constexpr uint32_t floatSign = 0x80000000;
constexpr uint16_t halfInfinity = 0x7c00;
constexpr uint16_t halfQuiet = 0x0200;

/// The bits of the first float that rounds to infinity: 65520.
constexpr uint32_t overflowBits = 0x477ff000;
/// The bits of 2^-14, the smallest normal fp16.
constexpr uint32_t normalBits = 0x38800000;

constexpr float smallestHalf = 0x1p-24f;
constexpr float smallestNormalHalf = 0x1p-14f;

} // namespace

float engine::halfBitsToFloat(uint16_t bits) {
  uint32_t sign = uint32_t(bits & 0x8000) << 16;
  uint32_t exponent = (bits >> 10) & 0x1f;
  uint32_t fraction = bits & 0x3ff;
  if (exponent == 0) {
    float magnitude = static_cast<float>(fraction) * smallestHalf;
    return std::bit_cast<float>(std::bit_cast<uint32_t>(magnitude) | sign);
  }
  if (exponent == 0x1f)
    return std::bit_cast<float>(sign | floatInfinity | (fraction << extraBits) |
                                (fraction ? floatQuiet : 0));
  return std::bit_cast<float>(sign | (exponent + 127 - 15) << 23 |
                              fraction << extraBits);
}

uint16_t engine::floatToHalfBits(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint16_t sign = (bits & floatSign) >> 16;
  uint32_t magnitude = bits & ~floatSign;
  if (magnitude > floatInfinity)
    return sign | halfInfinity | halfQuiet | ((magnitude >> extraBits) & 0x3ff);
  if (magnitude >= overflowBits)
    return sign | halfInfinity;
  if (magnitude < normalBits) {
    // Adding 0.5 moves the last bit of a denormal fp16 to the last bit of the
    // float, and the addition rounds.
    float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return sign | (std::bit_cast<uint32_t>(shifted) & 0x7ff);
  }
  uint32_t odd = (magnitude >> extraBits) & 1;
  uint32_t rounded = magnitude + (1u << (extraBits - 1)) - 1 + odd;
  return sign | ((rounded >> extraBits) - ((127 - 15) << 10));
}

float engine::narrowToOdd(double value) {
  float result = static_cast<float>(value);
  double back = result;
  if (back == value || value != value)
    return result;
  uint32_t bits = std::bit_cast<uint32_t>(result);
  if ((back > value) == (value > 0))
    --bits; // towards zero
  return std::bit_cast<float>(bits | 1);
}

void engine::flushDenormals(float *values, size_t count) {
  for (size_t i = 0; i < count; ++i)
    values[i] = std::fabs(values[i]) < smallestNormalHalf ? 0 : values[i];
}

void engine::halfToFloatPortable(const uint8_t *source, float *dest,
                                 size_t count) {
  for (size_t i = 0; i < count; ++i)
    dest[i] = halfBitsToFloat(read16le(source + 2 * i));
}

void engine::floatToHalfPortable(const float *source, uint8_t *dest,
                                 size_t count) {
  for (size_t i = 0; i < count; ++i)
    write16le(dest + 2 * i, floatToHalfBits(source[i]));
}

#if defined(__x86_64__)

bool engine::hasF16C() {
  static const bool has =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
  return has;
}

__attribute__((target("avx,f16c"))) static void
halfToFloatF16C(const uint8_t *source, float *dest, size_t count) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8)
    _mm256_storeu_ps(dest + i,
                     _mm256_cvtph_ps(_mm_loadu_si128(
                         reinterpret_cast<const __m128i *>(source + 2 * i))));
  engine::halfToFloatPortable(source + 2 * i, dest + i, count - i);
}

__attribute__((target("avx,f16c"))) static void
floatToHalfF16C(const float *source, uint8_t *dest, size_t count) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8)
    _mm_storeu_si128(
        reinterpret_cast<__m128i *>(dest + 2 * i),
        _mm256_cvtps_ph(_mm256_loadu_ps(source + i),
                        _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
  engine::floatToHalfPortable(source + i, dest + 2 * i, count - i);
}

void engine::halfToFloat(const uint8_t *source, float *dest, size_t count) {
  return hasF16C() ? halfToFloatF16C(source, dest, count)
                   : halfToFloatPortable(source, dest, count);
}

void engine::floatToHalf(const float *source, uint8_t *dest, size_t count) {
  return hasF16C() ? floatToHalfF16C(source, dest, count)
                   : floatToHalfPortable(source, dest, count);
}

#elif defined(__AARCH64EL__)

// All processors of this kind convert; that a NaN keeps its payload and that
// denormals count is how a program finds the processor.

void engine::halfToFloat(const uint8_t *source, float *dest, size_t count) {
  size_t i = 0;
  for (; i + 4 <= count; i += 4)
    vst1q_f32(dest + i,
              vcvt_f32_f16(vreinterpret_f16_u8(vld1_u8(source + 2 * i))));
  halfToFloatPortable(source + 2 * i, dest + i, count - i);
}

void engine::floatToHalf(const float *source, uint8_t *dest, size_t count) {
  size_t i = 0;
  for (; i + 4 <= count; i += 4)
    vst1_u8(dest + 2 * i,
            vreinterpret_u8_f16(vcvt_f16_f32(vld1q_f32(source + i))));
  floatToHalfPortable(source + i, dest + 2 * i, count - i);
}

#else

void engine::halfToFloat(const uint8_t *source, float *dest, size_t count) {
  halfToFloatPortable(source, dest, count);
}

void engine::floatToHalf(const float *source, uint8_t *dest, size_t count) {
  floatToHalfPortable(source, dest, count);
}

#endif
