//===- StreamVectors.h - Vectors of what fp16 memory holds ------*- C++ -*-===//
//
// What the loops that go from fp16 memory to fp16 memory do with a vector, for
// each set of instructions. Such a loop is in a file of its own that is
// included once for each set, inside its namespace, with ANE_TARGET and
// ANE_LAMBDA being the attributes that enable the instructions.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_ENGINE_STREAMVECTORS_H
#define ANE_LIB_ENGINE_STREAMVECTORS_H

#if defined(__x86_64__)

#include <cstdint>
#include <cstring>
#include <immintrin.h>

// GCC 12 warns of its own headers: an operand that a full mask makes
// unnecessary is left uninitialised there.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#define ANE_AVX512_TARGET [[gnu::target("avx512f,avx512dq,avx512bw,avx2,fma")]]
#define ANE_AVX512_LAMBDA                                                      \
  __attribute__((target("avx512f,avx512dq,avx512bw,avx2,fma"), always_inline))
#define ANE_AVX2_TARGET [[gnu::target("avx2,fma,f16c")]]
#define ANE_AVX2_LAMBDA __attribute__((target("avx2,fma,f16c"), always_inline))

namespace ane::engine {

// Numbers are compared as integers where one may be NaN: of a comparison with
// NaN, Clang makes one of the fp16 that a number comes from, element by
// element.
constexpr int16_t halfInfinityBits = 0x7c00;
constexpr int32_t floatInfinityBits = 0x7f800000;
/// The smallest normal fp16.
constexpr float normalHalf = 0x1p-14f;

/// The largest of some fp16 by the largest and the least of their bits as
/// integers, the lower 15 of negative ones inverted. There are NaN beyond
/// either infinity.
[[gnu::target("sse4.1"), gnu::always_inline]] inline uint16_t
maximumOf(__m128i largest, __m128i least) {
  // The least of unsigned numbers is one instruction.
  __m128i inverted =
      _mm_minpos_epu16(_mm_xor_si128(largest, _mm_set1_epi16(INT16_MAX)));
  __m128i moved =
      _mm_minpos_epu16(_mm_xor_si128(least, _mm_set1_epi16(INT16_MIN)));
  int16_t high = _mm_extract_epi16(inverted, 0) ^ INT16_MAX;
  int16_t low = _mm_extract_epi16(moved, 0) ^ INT16_MIN;
  constexpr int16_t minusInfinity = INT16_MIN + INT16_MAX - halfInfinityBits;
  if (high > halfInfinityBits || low < minusInfinity)
    return halfInfinityBits;
  return high < 0 ? high ^ INT16_MAX : high;
}

/// The largest of numbers of 15 bits.
ANE_AVX2_TARGET [[gnu::always_inline]] inline uint16_t
largestOf(__m256i numbers) {
  // The least of unsigned numbers is one instruction.
  __m128i most = _mm_max_epi16(_mm256_castsi256_si128(numbers),
                               _mm256_extracti128_si256(numbers, 1));
  return _mm_extract_epi16(
             _mm_minpos_epu16(_mm_xor_si128(most, _mm_set1_epi16(INT16_MAX))),
             0) ^
         INT16_MAX;
}

/// Asks for what a loop reads, or reads and writes, some steps later: the
/// processor's own guesses come too late where a store fetches its line first.
constexpr unsigned prefetchedAhead = 2048;
[[gnu::always_inline]] inline void prefetch(const uint8_t *source) {
  __builtin_prefetch(source + prefetchedAhead);
}
[[gnu::always_inline]] inline void prefetchTarget(const uint8_t *target) {
  __builtin_prefetch(target + prefetchedAhead, 1);
}
[[gnu::always_inline]] inline void prefetch(const uint8_t *source,
                                            const uint8_t *target) {
  prefetch(source);
  prefetchTarget(target);
}

namespace avx512 {

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

} // namespace avx512

namespace avx2 {

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

} // namespace avx2

} // namespace ane::engine

#endif // __x86_64__

#endif // ANE_LIB_ENGINE_STREAMVECTORS_H
