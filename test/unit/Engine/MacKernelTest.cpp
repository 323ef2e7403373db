//===- MacKernelTest.cpp - Weighted sums ----------------------------------===//

#include "MacKernel.h"
#include "Fixtures.h"
#include "gtest/gtest.h"

using namespace ane::engine;
using namespace ane::engine::test;

namespace {

std::vector<float> floats(size_t count, unsigned seed) {
  Array array = randomArray({1, 1, 1, 1, uint32_t(count)}, seed, -3000, 3000);
  std::vector<float> result;
  for (double value : array.values)
    result.push_back(static_cast<float>(rounded(value)));
  return result;
}

TEST(MacKernel, TileSumsInOrder) {
  // 2^24 + 1 - 2^24 is 0 in fp32, 2^24 - 2^24 + 1 is not.
  std::vector<float> weights(3 * macRows, 1.0f), pixels(3 * macColumns);
  for (unsigned n = 0; n < macColumns; ++n) {
    bool swapped = n % 2;
    pixels[n] = 0x1p24f;
    pixels[macColumns + n] = swapped ? -0x1p24f : 1;
    pixels[2 * macColumns + n] = swapped ? 1 : -0x1p24f;
  }
  std::vector<float> sums(macRows * macColumns, 0.0f);
  macTilePortable(weights.data(), pixels.data(), 3, sums.data());
  for (unsigned m = 0; m < macRows; ++m)
    for (unsigned n = 0; n < macColumns; ++n)
      EXPECT_EQ(sums[m * macColumns + n], n % 2);
}

#if defined(__x86_64__)
TEST(MacKernel, InstructionsGiveTheSameBits) {
  if (!hasAVX2())
    GTEST_SKIP() << "the processor has no AVX2";
  constexpr uint64_t taps = 777;
  std::vector<float> weights = floats(taps * macRows, 1);
  std::vector<float> pixels = floats(taps * macColumns, 2);
  std::vector<float> portable = floats(macRows * macColumns, 3);
  std::vector<float> fast = portable;
  macTilePortable(weights.data(), pixels.data(), taps, portable.data());
  macTileAVX2(weights.data(), pixels.data(), taps, fast.data());
  EXPECT_EQ(fast, portable);
}
#endif

} // namespace
