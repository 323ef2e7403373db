//===- MacTileAVX2.cpp - Weighted sums with AVX2 --------------------------===//

#include "Mac/MacTile.h"

#if defined(__x86_64__)

#include "Mac/Accumulator.h"
#include <immintrin.h>

using namespace ane::engine;

#define ANE_TARGET [[gnu::target("avx2,fma")]]
#define ANE_INLINE ANE_TARGET [[gnu::always_inline]] static inline

namespace {

struct Simd {
  using Vector = __m256;
  static constexpr unsigned length = 8;

  ANE_INLINE Vector zero() { return _mm256_setzero_ps(); }
  ANE_INLINE Vector splat(float value) { return _mm256_set1_ps(value); }
  ANE_INLINE Vector load(const float *from) { return _mm256_loadu_ps(from); }
  ANE_INLINE void store(float *to, Vector v) { _mm256_storeu_ps(to, v); }
  ANE_INLINE Vector add(Vector a, Vector b) { return _mm256_add_ps(a, b); }
  ANE_INLINE Vector multiply(Vector a, Vector b) { return _mm256_mul_ps(a, b); }
  ANE_INLINE Vector multiplyAdd(Vector a, Vector b, Vector c) {
    return _mm256_fmadd_ps(a, b, c);
  }

  ANE_INLINE __m256i masked(Vector v, uint32_t mask) {
    return _mm256_and_si256(_mm256_castps_si256(v),
                            _mm256_set1_epi32(int(mask)));
  }
  ANE_INLINE Vector truncate(Vector v) {
    return _mm256_castsi256_ps(masked(v, tileSignificandMask));
  }

  /// Counts both numbers in units of the last of the larger one's 12 bits.
  ANE_INLINE Vector addInTile(Vector a, Vector b) {
    __m256i exponent = _mm256_max_epi32(masked(a, floatExponentMask),
                                        masked(b, floatExponentMask));
    Vector perUnit = _mm256_castsi256_ps(
        _mm256_sub_epi32(_mm256_set1_epi32(int(reciprocalUnit)), exponent));
    Vector unit = _mm256_castsi256_ps(
        _mm256_sub_epi32(exponent, _mm256_set1_epi32(int(unitBelowExponent))));
    __m256i units = _mm256_add_epi32(_mm256_cvttps_epi32(multiply(a, perUnit)),
                                     _mm256_cvttps_epi32(multiply(b, perUnit)));
    return truncate(multiply(_mm256_cvtepi32_ps(units), unit));
  }
};

#include "Mac/MacTileLoops.inc"

} // namespace

const MacUnit ane::engine::avx2MacUnit = macUnit<6, 2>();

#endif
