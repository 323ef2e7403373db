//===- MacTile.cpp - The inner loop of a weighted sum ---------------------===//

#include "MacKernel.h"
#include <cstring>

using namespace ane::engine;

namespace {

/// Eight floats; where the processor has shorter vectors, the compiler takes
/// several.
typedef float Vector __attribute__((vector_size(32)));
constexpr unsigned vectorLength = sizeof(Vector) / sizeof(float);
constexpr unsigned vectors = macColumns / vectorLength;

[[gnu::always_inline]] inline void
tile(const float *weights, const float *pixels, uint64_t taps, float *sums) {
  Vector sum[macRows][vectors];
  std::memcpy(sum, sums, sizeof(sum));
  for (uint64_t k = 0; k < taps; ++k) {
    Vector pixel[vectors];
    std::memcpy(pixel, pixels + k * macColumns, sizeof(pixel));
    for (unsigned m = 0; m < macRows; ++m) {
      float weight = weights[k * macRows + m];
      for (unsigned n = 0; n < vectors; ++n)
        sum[m][n] += pixel[n] * weight;
    }
  }
  std::memcpy(sums, sum, sizeof(sum));
}

} // namespace

void ane::engine::macTilePortable(const float *weights, const float *pixels,
                                  uint64_t taps, float *sums) {
  tile(weights, pixels, taps, sums);
}

#if defined(__x86_64__)

bool ane::engine::hasAVX2() {
  static const bool has = __builtin_cpu_supports("avx2");
  return has;
}

__attribute__((target("avx2"))) void
ane::engine::macTileAVX2(const float *weights, const float *pixels,
                         uint64_t taps, float *sums) {
  tile(weights, pixels, taps, sums);
}

MacTile ane::engine::bestMacTile() {
  return hasAVX2() ? macTileAVX2 : macTilePortable;
}

#else

MacTile ane::engine::bestMacTile() { return macTilePortable; }

#endif

void ane::engine::macRow(const float *pixels, unsigned stride, float weight,
                         float *row, uint32_t count) {
  if (stride == 1)
    for (uint32_t i = 0; i < count; ++i)
      row[i] += pixels[i] * weight;
  else
    for (uint32_t i = 0; i < count; ++i)
      row[i] += pixels[uint64_t(i) * stride] * weight;
}
