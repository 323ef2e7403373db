//===- MacTile.cpp - Weighted sums on any processor -----------------------===//

#include "Mac/MacTile.h"
#include "Mac/Accumulator.h"
#include <cstring>

using namespace ane::engine;

#define ANE_TARGET
#define ANE_INLINE [[gnu::always_inline]] static inline

namespace {

struct Simd {
  /// Four floats, which the vectors of most processors hold.
  typedef float Vector __attribute__((vector_size(16)));
  typedef int32_t Integers __attribute__((vector_size(16)));
  static constexpr unsigned length = 4;

  ANE_INLINE Vector zero() { return Vector{}; }
  ANE_INLINE Vector splat(float value) { return Vector{} + value; }
  ANE_INLINE Vector load(const float *from) {
    Vector v;
    std::memcpy(&v, from, sizeof(v));
    return v;
  }
  ANE_INLINE void store(float *to, Vector v) { std::memcpy(to, &v, sizeof(v)); }
  ANE_INLINE Vector add(Vector a, Vector b) { return a + b; }
  ANE_INLINE Vector multiply(Vector a, Vector b) { return a * b; }
  ANE_INLINE Vector multiplyAdd(Vector a, Vector b, Vector c) {
    return a * b + c;
  }

  ANE_INLINE Integers masked(Vector v, uint32_t mask) {
    return std::bit_cast<Integers>(v) & static_cast<int32_t>(mask);
  }
  ANE_INLINE Vector truncate(Vector v) {
    return std::bit_cast<Vector>(masked(v, tileSignificandMask));
  }

  /// Counts both numbers in units of the last of the larger one's 12 bits.
  ANE_INLINE Vector addInTile(Vector a, Vector b) {
    Integers first = masked(a, floatExponentMask);
    Integers second = masked(b, floatExponentMask);
    Integers exponent = first > second ? first : second;
    auto perUnit =
        std::bit_cast<Vector>(static_cast<int32_t>(reciprocalUnit) - exponent);
    auto unit = std::bit_cast<Vector>(exponent -
                                      static_cast<int32_t>(unitBelowExponent));
    Integers units = __builtin_convertvector(a * perUnit, Integers) +
                     __builtin_convertvector(b * perUnit, Integers);
    return truncate(__builtin_convertvector(units, Vector) * unit);
  }
};

#include "Mac/MacTileLoops.inc"

} // namespace

const MacUnit ane::engine::portableMacUnit = macUnit<4, 2>();

#if defined(__x86_64__)

bool ane::engine::hasAVX2() {
  static const bool has =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has;
}

bool ane::engine::hasAVX512() {
  static const bool has = __builtin_cpu_supports("avx512f") &&
                          __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512bw");
  return has;
}

const MacUnit &ane::engine::macUnitFor(Instructions instructions) {
  switch (instructions) {
  case Instructions::AVX512:
    return avx512MacUnit;
  case Instructions::AVX2:
    return avx2MacUnit;
  case Instructions::Portable:
    break;
  }
  return portableMacUnit;
}

#else

const MacUnit &ane::engine::macUnitFor(Instructions) { return portableMacUnit; }

#endif

const MacUnit &ane::engine::bestMacUnit() {
  return macUnitFor(bestInstructions());
}
