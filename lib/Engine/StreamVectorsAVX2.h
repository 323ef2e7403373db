//===- StreamVectorsAVX2.h - Vectors of fp16 memory, AVX2 -------*- C++ -*-===//
//
// What each function does is said in StreamVectorsAVX512.h.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_ENGINE_STREAMVECTORSAVX2_H
#define ANE_LIB_ENGINE_STREAMVECTORSAVX2_H

#include "StreamInstructions.h"

#if defined(__x86_64__)

namespace ane::engine::avx2 {

#define ANE_INLINE ANE_AVX2_TARGET [[gnu::always_inline]] static inline

struct Simd {
  using Vector = __m256;
  using Integers = __m256i;
  using Mask = __m256;
  using Halves = __m256i;
  static constexpr uint32_t length = 8;

  ANE_INLINE Vector widen(__m128i halves) {
    __m128i infinity = _mm_set1_epi16(halfInfinityBits);
    __m128i magnitude = _mm_and_si128(halves, _mm_set1_epi16(0x7fff));
    __m128i isNaN = _mm_cmpgt_epi16(magnitude, infinity);
    return _mm256_cvtph_ps(_mm_blendv_epi8(halves, infinity, isNaN));
  }
  ANE_INLINE Vector zero() { return _mm256_setzero_ps(); }
  ANE_INLINE Vector splat(float value) { return _mm256_set1_ps(value); }
  ANE_INLINE Vector splatHalf(const uint8_t *from) {
    int16_t half;
    std::memcpy(&half, from, sizeof(half));
    return widen(_mm_set1_epi16(half));
  }
  ANE_INLINE Vector loadHalves(const uint8_t *from) {
    return widen(_mm_loadu_si128(reinterpret_cast<const __m128i *>(from)));
  }
  ANE_INLINE Vector loadRaw(const uint8_t *from) {
    return _mm256_cvtph_ps(
        _mm_loadu_si128(reinterpret_cast<const __m128i *>(from)));
  }
  ANE_INLINE void storeHalves(uint8_t *to, Vector v) {
    _mm_storeu_si128(
        reinterpret_cast<__m128i *>(to),
        _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
  }
  ANE_INLINE Vector load(const float *from) { return _mm256_loadu_ps(from); }
  ANE_INLINE void store(float *to, Vector v) { _mm256_storeu_ps(to, v); }
  ANE_INLINE Vector add(Vector a, Vector b) { return _mm256_add_ps(a, b); }
  ANE_INLINE Vector subtract(Vector a, Vector b) { return _mm256_sub_ps(a, b); }
  ANE_INLINE Vector multiply(Vector a, Vector b) { return _mm256_mul_ps(a, b); }
  ANE_INLINE Vector multiplyAdd(Vector a, Vector b, Vector c) {
    return _mm256_fmadd_ps(a, b, c);
  }
  ANE_INLINE Vector max(Vector a, Vector b) { return _mm256_max_ps(a, b); }
  ANE_INLINE Vector min(Vector a, Vector b) { return _mm256_min_ps(a, b); }
  ANE_INLINE Vector absolute(Vector v) {
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), v);
  }
  ANE_INLINE Vector negate(Vector v) {
    return _mm256_xor_ps(v, _mm256_set1_ps(-0.0f));
  }
  ANE_INLINE Vector floor(Vector v) { return _mm256_floor_ps(v); }
  ANE_INLINE Vector replaceNaN(Vector v, Vector other) {
    __m256i magnitude = _mm256_castps_si256(absolute(v));
    __m256i isNaN =
        _mm256_cmpgt_epi32(magnitude, _mm256_set1_epi32(floatInfinityBits));
    return _mm256_blendv_ps(v, other, _mm256_castsi256_ps(isNaN));
  }
  ANE_INLINE Vector saturate(Vector v, float limit) {
    __m256 sign = _mm256_and_ps(v, _mm256_set1_ps(-0.0f));
    return select(notLess(absolute(v), splat(limit)),
                  _mm256_or_ps(sign, _mm256_castsi256_ps(
                                         _mm256_set1_epi32(floatInfinityBits))),
                  v);
  }
  ANE_INLINE Vector flush(Vector v) {
    return _mm256_and_ps(notLess(absolute(v), splat(normalHalf)), v);
  }

  ANE_INLINE Mask less(Vector a, Vector b) {
    return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
  }
  ANE_INLINE Mask notLess(Vector a, Vector b) {
    return _mm256_cmp_ps(a, b, _CMP_GE_OQ);
  }
  ANE_INLINE Mask isNegative(Vector v) {
    return _mm256_castsi256_ps(_mm256_cmpgt_epi32(
        _mm256_castps_si256(negate(v)), _mm256_setzero_si256()));
  }
  ANE_INLINE Vector select(Mask mask, Vector yes, Vector no) {
    return _mm256_blendv_ps(no, yes, mask);
  }
  ANE_INLINE bool areWithin(Vector v, Vector low, Vector high) {
    return _mm256_movemask_ps(
               _mm256_and_ps(_mm256_cmp_ps(v, low, _CMP_GE_OQ),
                             _mm256_cmp_ps(v, high, _CMP_LE_OQ))) == 0xff;
  }

  ANE_INLINE Integers truncate(Vector v) { return _mm256_cvttps_epi32(v); }
  ANE_INLINE Vector toFloat(Integers v) { return _mm256_cvtepi32_ps(v); }
  static constexpr float indexOffset = 0;
  ANE_INLINE Integers floorIndex(Vector v, Vector scale, Vector offset) {
    return truncate(add(floor(multiply(v, scale)), offset));
  }
  ANE_INLINE Vector fraction(Vector v) { return subtract(v, floor(v)); }
  ANE_INLINE Vector timesPowerOfFloor(Vector v, Vector x) {
    Integers exponent = truncate(floor(x));
    return multiply(
        v, _mm256_castsi256_ps(_mm256_slli_epi32(
               _mm256_add_epi32(exponent, _mm256_set1_epi32(127)), 23)));
  }

  ANE_INLINE Halves splatBits(int16_t bits) { return _mm256_set1_epi16(bits); }
  ANE_INLINE bool areHalvesWithin(const uint8_t *from, bool absolute,
                                  Halves limit, Halves unsignedLimit) {
    __m256i halves =
        _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from));
    if (absolute)
      halves = _mm256_and_si256(halves, _mm256_set1_epi16(0x7fff));
    __m256i isWithin = _mm256_and_si256(
        _mm256_cmpeq_epi16(_mm256_max_epi16(halves, limit), limit),
        _mm256_cmpeq_epi16(_mm256_max_epu16(halves, unsignedLimit),
                           unsignedLimit));
    return _mm256_movemask_epi8(isWithin) == -1;
  }

  ANE_INLINE Halves loadTwo(const uint8_t *first, const uint8_t *second) {
    return _mm256_set_m128i(
        _mm_loadu_si128(reinterpret_cast<const __m128i *>(second)),
        _mm_loadu_si128(reinterpret_cast<const __m128i *>(first)));
  }
  ANE_INLINE Halves flushHalves(Halves halves) {
    __m256i exponents =
        _mm256_and_si256(halves, _mm256_set1_epi16(halfInfinityBits));
    return _mm256_andnot_si256(
        _mm256_cmpeq_epi16(exponents, _mm256_setzero_si256()), halves);
  }
  ANE_INLINE void widenTwo(Halves halves, float *first, float *second) {
    store(first, _mm256_cvtph_ps(_mm256_castsi256_si128(halves)));
    store(second, _mm256_cvtph_ps(_mm256_extracti128_si256(halves, 1)));
  }

  struct Magnitudes {
    __m256i most;
    ANE_INLINE Magnitudes zero() { return {_mm256_setzero_si256()}; }
    ANE_AVX2_TARGET [[gnu::always_inline]] inline void add(Halves halves) {
      most = _mm256_max_epi16(
          most, _mm256_and_si256(halves, _mm256_set1_epi16(0x7fff)));
    }
    ANE_AVX2_TARGET [[gnu::always_inline]] inline void
    add(const uint8_t *from) {
      add(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(from)));
    }
    ANE_AVX2_TARGET [[gnu::always_inline]] inline uint16_t largest() const {
      return largestOf(most);
    }
    ANE_AVX2_TARGET [[gnu::always_inline]] inline bool areFinite() const {
      return _mm256_movemask_epi8(_mm256_cmpgt_epi16(
                 _mm256_set1_epi16(halfInfinityBits), most)) == -1;
    }
  };
  ANE_INLINE uint16_t maximumOfHalves(const uint8_t *from, uint32_t count) {
    __m256i most = _mm256_set1_epi16(INT16_MIN);
    __m256i least = _mm256_set1_epi16(INT16_MAX);
    uint32_t i = 0;
    for (;; i = i + 4 * length <= count ? i + 2 * length : count - 2 * length) {
      __m256i halves =
          _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from + 2 * i));
      halves = _mm256_xor_si256(
          halves, _mm256_srli_epi16(_mm256_srai_epi16(halves, 15), 1));
      most = _mm256_max_epi16(most, halves);
      least = _mm256_min_epi16(least, halves);
      if (i + 2 * length == count)
        break;
    }
    return maximumOf(_mm_max_epi16(_mm256_castsi256_si128(most),
                                   _mm256_extracti128_si256(most, 1)),
                     _mm_min_epi16(_mm256_castsi256_si128(least),
                                   _mm256_extracti128_si256(least, 1)));
  }

  struct Lookup {
    const float *values;
    ANE_INLINE Lookup of(const float *values) { return {values}; }
    ANE_AVX2_TARGET [[gnu::always_inline]] inline Vector
    at(Integers index) const {
      index = _mm256_and_si256(index, _mm256_set1_epi32(31));
      return _mm256_i32gather_ps(values, index, sizeof(float));
    }
  };

  struct WideSum {
    __m256d low, high;
    ANE_INLINE WideSum zero() {
      return {_mm256_setzero_pd(), _mm256_setzero_pd()};
    }
    ANE_AVX2_TARGET [[gnu::always_inline]] inline void add(Vector v) {
      low = _mm256_add_pd(low, _mm256_cvtps_pd(_mm256_castps256_ps128(v)));
      high = _mm256_add_pd(high, _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1)));
    }
    ANE_AVX2_TARGET [[gnu::always_inline]] inline double total() const {
      double parts[4];
      _mm256_storeu_pd(parts, _mm256_add_pd(low, high));
      return (parts[0] + parts[1]) + (parts[2] + parts[3]);
    }
  };
};

#undef ANE_INLINE

} // namespace ane::engine::avx2

#endif // __x86_64__

#endif // ANE_LIB_ENGINE_STREAMVECTORSAVX2_H
