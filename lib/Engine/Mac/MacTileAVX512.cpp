//===- MacTileAVX512.cpp - Weighted sums with AVX-512 ---------------------===//

#include "Mac/MacTile.h"

#if defined(__x86_64__)

#include "Mac/Accumulator.h"
#include <immintrin.h>

using namespace ane::engine;

#define ANE_TARGET [[gnu::target("avx512f,avx512dq")]]
#define ANE_INLINE ANE_TARGET [[gnu::always_inline]] static inline

namespace {

struct Simd {
  using Vector = __m512;
  static constexpr unsigned length = 16;

  ANE_INLINE Vector zero() { return _mm512_setzero_ps(); }
  ANE_INLINE Vector splat(float value) { return _mm512_set1_ps(value); }
  ANE_INLINE Vector load(const float *from) { return _mm512_loadu_ps(from); }
  ANE_INLINE void store(float *to, Vector v) { _mm512_storeu_ps(to, v); }
  ANE_INLINE Vector add(Vector a, Vector b) { return _mm512_add_ps(a, b); }
  ANE_INLINE Vector multiply(Vector a, Vector b) { return _mm512_mul_ps(a, b); }
  ANE_INLINE Vector multiplyAdd(Vector a, Vector b, Vector c) {
    return _mm512_fmadd_ps(a, b, c);
  }

  ANE_INLINE Vector truncate(Vector v) {
    return _mm512_castsi512_ps(_mm512_and_epi32(
        _mm512_castps_si512(v), _mm512_set1_epi32(int(tileSignificandMask))));
  }

  /// Adds to the smaller number one of its sign that is so large that the last
  /// bit of the sum is the last of the larger number's 12. It has the larger
  /// number's exponent, raised, and the smaller one's significand of 12 bits,
  /// which is there anyway: so the sum, and the difference to the larger
  /// number, stay below the next exponent.
  ANE_INLINE Vector addInTile(Vector a, Vector b) {
    // Both take the sign along; of opposite numbers each gives another one.
    constexpr int maxAbsolute = 0x7, minAbsolute = 0x6;
    constexpr int firstChooses = 0xca;
    constexpr int towardsZero = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
    constexpr int distance = 1 << (floatFractionBits - tileFractionBits);
    Vector larger = _mm512_range_ps(a, b, maxAbsolute);
    Vector smaller = _mm512_range_ps(a, b, minAbsolute);
    Vector anchor = _mm512_castsi512_ps(_mm512_ternarylogic_epi32(
        _mm512_set1_epi32(int(floatExponentMask)), _mm512_castps_si512(larger),
        _mm512_castps_si512(smaller), firstChooses));
    Vector shifted =
        _mm512_fmadd_round_ps(anchor, splat(distance), smaller, towardsZero);
    Vector rest = _mm512_fnmadd_ps(anchor, splat(distance), larger); // exact
    return truncate(add(shifted, rest)); // the sum is exact
  }
};

#include "Mac/MacTileLoops.inc"

} // namespace

const MacUnit ane::engine::avx512MacUnit = macUnit<8, 2>();

#endif
