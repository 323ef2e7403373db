//===- StreamVectorsAVX512.h - Vectors of fp16 memory, AVX512 ---*- C++ -*-===//

#ifndef ANE_LIB_ENGINE_STREAMVECTORSAVX512_H
#define ANE_LIB_ENGINE_STREAMVECTORSAVX512_H

#include "StreamInstructions.h"

#if defined(__x86_64__)

namespace ane::engine::avx512 {

#define ANE_INLINE ANE_AVX512_TARGET [[gnu::always_inline]] static inline

struct Simd {
  using Vector = __m512;
  using Integers = __m512i;
  using Mask = __mmask16;
  using Halves = __m512i;
  static constexpr uint32_t length = 16;

  /// NaN counts as +infinity where it enters.
  ANE_INLINE Vector widen(__m256i halves) {
    __m256i infinity = _mm256_set1_epi16(halfInfinityBits);
    __m256i magnitude = _mm256_and_si256(halves, _mm256_set1_epi16(0x7fff));
    __m256i isNaN = _mm256_cmpgt_epi16(magnitude, infinity);
    return _mm512_cvtph_ps(_mm256_blendv_epi8(halves, infinity, isNaN));
  }
  ANE_INLINE Vector zero() { return _mm512_setzero_ps(); }
  ANE_INLINE Vector splat(float value) { return _mm512_set1_ps(value); }
  ANE_INLINE Vector splatHalf(const uint8_t *from) {
    int16_t half;
    std::memcpy(&half, from, sizeof(half));
    return widen(_mm256_set1_epi16(half));
  }
  ANE_INLINE Vector loadHalves(const uint8_t *from) {
    return widen(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(from)));
  }
  /// NaN stays what it is.
  ANE_INLINE Vector loadRaw(const uint8_t *from) {
    return _mm512_cvtph_ps(
        _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from)));
  }
  ANE_INLINE void storeHalves(uint8_t *to, Vector v) {
    _mm256_storeu_si256(
        reinterpret_cast<__m256i *>(to),
        _mm512_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
  }
  ANE_INLINE Vector load(const float *from) { return _mm512_loadu_ps(from); }
  ANE_INLINE void store(float *to, Vector v) { _mm512_storeu_ps(to, v); }
  ANE_INLINE Vector add(Vector a, Vector b) { return _mm512_add_ps(a, b); }
  ANE_INLINE Vector subtract(Vector a, Vector b) { return _mm512_sub_ps(a, b); }
  ANE_INLINE Vector multiply(Vector a, Vector b) { return _mm512_mul_ps(a, b); }
  ANE_INLINE Vector multiplyAdd(Vector a, Vector b, Vector c) {
    return _mm512_fmadd_ps(a, b, c);
  }
  /// The second where neither is greater, or less, or one is NaN.
  ANE_INLINE Vector max(Vector a, Vector b) { return _mm512_max_ps(a, b); }
  ANE_INLINE Vector min(Vector a, Vector b) { return _mm512_min_ps(a, b); }
  ANE_INLINE Vector absolute(Vector v) { return _mm512_abs_ps(v); }
  ANE_INLINE Vector negate(Vector v) {
    return _mm512_xor_ps(v, _mm512_set1_ps(-0.0f));
  }
  ANE_INLINE Vector floor(Vector v) {
    return _mm512_roundscale_ps(v, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
  }
  ANE_INLINE Vector replaceNaN(Vector v, Vector other) {
    __m512i magnitude = _mm512_castps_si512(_mm512_abs_ps(v));
    __mmask16 isNaN = _mm512_cmpgt_epi32_mask(
        magnitude, _mm512_set1_epi32(floatInfinityBits));
    return _mm512_mask_blend_ps(isNaN, v, other);
  }
  /// An infinity in place of a magnitude that reaches the limit.
  ANE_INLINE Vector saturate(Vector v, float limit) {
    __m512 sign = _mm512_and_ps(v, _mm512_set1_ps(-0.0f));
    return select(notLess(absolute(v), splat(limit)),
                  _mm512_or_ps(sign, _mm512_castsi512_ps(
                                         _mm512_set1_epi32(floatInfinityBits))),
                  v);
  }
  /// +0 in place of what is a denormal in fp16.
  ANE_INLINE Vector flush(Vector v) {
    return _mm512_maskz_mov_ps(notLess(absolute(v), splat(normalHalf)), v);
  }

  // Comparisons with NaN are false.
  ANE_INLINE Mask less(Vector a, Vector b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
  }
  ANE_INLINE Mask notLess(Vector a, Vector b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ);
  }
  /// Below -0, of numbers.
  ANE_INLINE Mask isNegative(Vector v) {
    return _mm512_cmpgt_epu32_mask(_mm512_castps_si512(v),
                                   _mm512_set1_epi32(INT32_MIN));
  }
  ANE_INLINE Vector select(Mask mask, Vector yes, Vector no) {
    return _mm512_mask_blend_ps(mask, no, yes);
  }
  /// Whether all lie between the bounds or are one of them.
  ANE_INLINE bool areWithin(Vector v, Vector low, Vector high) {
    return _mm512_mask_cmp_ps_mask(_mm512_cmp_ps_mask(v, low, _CMP_GE_OQ), v,
                                   high, _CMP_LE_OQ) == 0xffff;
  }

  ANE_INLINE Integers truncate(Vector v) { return _mm512_cvttps_epi32(v); }
  ANE_INLINE Vector toFloat(Integers v) { return _mm512_cvtepi32_ps(v); }
  /// What `floorIndex` wants added to its offset: with it, the lowest bits of
  /// the sum are those of an integer.
  static constexpr float indexOffset = 0x1.8p23f;
  /// The lowest bits of floor(v * scale + offset), of magnitudes below 2^22.
  ANE_INLINE Integers floorIndex(Vector v, Vector scale, Vector offset) {
    return _mm512_castps_si512(_mm512_fmadd_round_ps(
        v, scale, offset, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC));
  }
  /// v - floor(v)
  ANE_INLINE Vector fraction(Vector v) { return subtract(v, floor(v)); }
  /// v * 2^floor(x), for powers that a float has.
  ANE_INLINE Vector timesPowerOfFloor(Vector v, Vector x) {
    return _mm512_scalef_ps(v, x);
  }

  ANE_INLINE Halves splatBits(int16_t bits) { return _mm512_set1_epi16(bits); }
  /// Whether two vectors of fp16, of their magnitudes if asked, are at most one
  /// limit as signed numbers and the other as unsigned ones.
  ANE_INLINE bool areHalvesWithin(const uint8_t *from, bool absolute,
                                  Halves limit, Halves unsignedLimit) {
    __m512i halves = _mm512_loadu_si512(from);
    if (absolute)
      halves = _mm512_and_si512(halves, _mm512_set1_epi16(0x7fff));
    return (_mm512_cmpgt_epi16_mask(halves, limit) |
            _mm512_cmpgt_epu16_mask(halves, unsignedLimit)) == 0;
  }

  /// Two vectors of fp16.
  ANE_INLINE Halves loadTwo(const uint8_t *first, const uint8_t *second) {
    return _mm512_inserti64x4(
        _mm512_castsi256_si512(
            _mm256_loadu_si256(reinterpret_cast<const __m256i *>(first))),
        _mm256_loadu_si256(reinterpret_cast<const __m256i *>(second)), 1);
  }
  /// +0 in place of denormals.
  ANE_INLINE Halves flushHalves(Halves halves) {
    return _mm512_maskz_mov_epi16(
        _mm512_test_epi16_mask(halves, _mm512_set1_epi16(halfInfinityBits)),
        halves);
  }
  ANE_INLINE void widenTwo(Halves halves, float *first, float *second) {
    store(first, _mm512_cvtph_ps(_mm512_castsi512_si256(halves)));
    store(second, _mm512_cvtph_ps(_mm512_extracti64x4_epi64(halves, 1)));
  }

  /// The largest magnitudes of fp16, two vectors at a time.
  struct Magnitudes {
    __m512i most;
    ANE_INLINE Magnitudes zero() { return {_mm512_setzero_si512()}; }
    ANE_AVX512_TARGET [[gnu::always_inline]] inline void add(Halves halves) {
      most = _mm512_max_epi16(
          most, _mm512_and_si512(halves, _mm512_set1_epi16(0x7fff)));
    }
    ANE_AVX512_TARGET [[gnu::always_inline]] inline void
    add(const uint8_t *from) {
      add(_mm512_loadu_si512(from));
    }
    ANE_AVX512_TARGET [[gnu::always_inline]] inline uint16_t largest() const {
      return largestOf(_mm256_max_epi16(_mm512_castsi512_si256(most),
                                        _mm512_extracti64x4_epi64(most, 1)));
    }
    /// No infinity and no NaN.
    ANE_AVX512_TARGET [[gnu::always_inline]] inline bool areFinite() const {
      return _mm512_cmpge_epi16_mask(most,
                                     _mm512_set1_epi16(halfInfinityBits)) == 0;
    }
  };
  /// The bits of the largest of at least two vectors of fp16, where NaN counts
  /// as +infinity and -0 is less than +0.
  ANE_INLINE uint16_t maximumOfHalves(const uint8_t *from, uint32_t count) {
    __m512i most = _mm512_set1_epi16(INT16_MIN);
    __m512i least = _mm512_set1_epi16(INT16_MAX);
    uint32_t i = 0;
    for (;; i = i + 4 * length <= count ? i + 2 * length : count - 2 * length) {
      // Ordered as integers.
      __m512i halves = _mm512_loadu_si512(from + 2 * i);
      halves = _mm512_xor_si512(
          halves, _mm512_srli_epi16(_mm512_srai_epi16(halves, 15), 1));
      most = _mm512_max_epi16(most, halves);
      least = _mm512_min_epi16(least, halves);
      if (i + 2 * length == count)
        break;
    }
    __m256i halfMost = _mm256_max_epi16(_mm512_castsi512_si256(most),
                                        _mm512_extracti64x4_epi64(most, 1));
    __m256i halfLeast = _mm256_min_epi16(_mm512_castsi512_si256(least),
                                         _mm512_extracti64x4_epi64(least, 1));
    return maximumOf(_mm_max_epi16(_mm256_castsi256_si128(halfMost),
                                   _mm256_extracti128_si256(halfMost, 1)),
                     _mm_min_epi16(_mm256_castsi256_si128(halfLeast),
                                   _mm256_extracti128_si256(halfLeast, 1)));
  }

  /// 32 floats, in registers. Of an index only the lowest five bits count.
  struct Lookup {
    __m512 low, high;
    ANE_INLINE Lookup of(const float *values) {
      return {_mm512_loadu_ps(values), _mm512_loadu_ps(values + length)};
    }
    ANE_AVX512_TARGET [[gnu::always_inline]] inline Vector
    at(Integers index) const {
      return _mm512_permutex2var_ps(low, index, high);
    }
  };

  /// Sums in fp64.
  struct WideSum {
    __m512d low, high;
    ANE_INLINE WideSum zero() {
      return {_mm512_setzero_pd(), _mm512_setzero_pd()};
    }
    ANE_AVX512_TARGET [[gnu::always_inline]] inline void add(Vector v) {
      low = _mm512_add_pd(low, _mm512_cvtps_pd(_mm512_castps512_ps256(v)));
      high = _mm512_add_pd(high, _mm512_cvtps_pd(_mm512_extractf32x8_ps(v, 1)));
    }
    ANE_AVX512_TARGET [[gnu::always_inline]] inline double total() const {
      double parts[8];
      _mm512_storeu_pd(parts, _mm512_add_pd(low, high));
      return ((parts[0] + parts[1]) + (parts[2] + parts[3])) +
             ((parts[4] + parts[5]) + (parts[6] + parts[7]));
    }
  };
};

#undef ANE_INLINE

} // namespace ane::engine::avx512

#endif // __x86_64__

#endif // ANE_LIB_ENGINE_STREAMVECTORSAVX512_H
