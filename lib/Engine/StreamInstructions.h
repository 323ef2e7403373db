//===- StreamInstructions.h - Sets of instructions for fp16 -----*- C++ -*-===//
//
// The attributes that enable a set of instructions, and what the vectors of all
// sets share.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_ENGINE_STREAMINSTRUCTIONS_H
#define ANE_LIB_ENGINE_STREAMINSTRUCTIONS_H

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

} // namespace ane::engine

#endif // __x86_64__

#endif // ANE_LIB_ENGINE_STREAMINSTRUCTIONS_H
