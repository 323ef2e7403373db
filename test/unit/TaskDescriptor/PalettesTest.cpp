//===- PalettesTest.cpp - Outputs that share palettes ---------------------===//

#include "ane/TaskDescriptor/Palettes.h"
#include "ane/TaskDescriptor/OutputNumbers.h"
#include "llvm/Support/Endian.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ane::td;
using testing::Each;
using testing::ElementsAre;

namespace {

/// Outputs of `taps` weights, of which each `perPalette` have the same 2^bits
/// numbers, which no other has.
std::string makeWeights(int64_t outputs, int64_t taps, int64_t perPalette,
                        unsigned bits) {
  std::string bytes;
  for (int64_t output = 0; output < outputs; ++output)
    for (int64_t tap = 0; tap < taps; ++tap) {
      int64_t number = (output / perPalette << bits) + tap % (1 << bits);
      char half[2];
      llvm::support::endian::write16le(half, number);
      bytes.append(half, sizeof half);
    }
  return bytes;
}

TEST(OutputNumbers, ReachAsFarAsPalettesHoldThem) {
  std::string weights = makeWeights(6, 32, 2, 4);
  auto numbers = OutputNumbers::get(weights, 6);
  ASSERT_TRUE(numbers);
  EXPECT_THAT(numbers->reach(4), ElementsAre(2, 2, 4, 4, 6, 6));
  EXPECT_THAT(numbers->reach(8), Each(6));
}

TEST(OutputNumbers, ReachNothingOfTooManyNumbers) {
  std::string weights = makeWeights(3, 32, 1, 5);
  auto numbers = OutputNumbers::get(weights, 3);
  ASSERT_TRUE(numbers);
  EXPECT_THAT(numbers->reach(4), ElementsAre(0, 1, 2));
  EXPECT_FALSE(OutputNumbers::get(makeWeights(2, 512, 1, 9), 2));
}

TEST(OutputNumbers, MayBeOneForAll) {
  auto numbers = OutputNumbers::get(makeWeights(1, 1, 1, 0), 100);
  ASSERT_TRUE(numbers);
  EXPECT_THAT(numbers->reach(4), Each(100));
}

TEST(Palettes, TakeBitsByTheOutputsThatShareThem) {
  auto bytes = [](int64_t outputs, int64_t perPalette, unsigned bits) {
    constexpr int64_t taps = 512;
    return leastPaletteBytes(makeWeights(outputs, taps, perPalette, bits),
                             outputs, outputs * taps);
  };
  EXPECT_EQ(bytes(64, 64, 4), 64u * 512 / 2);
  EXPECT_EQ(bytes(64, 8, 4), 64u * 512 / 2);
  EXPECT_EQ(bytes(64, 4, 4), 64u * 512);
  EXPECT_EQ(bytes(64, 8, 8), 64u * 512);
  EXPECT_EQ(bytes(64, 4, 8), 64u * 512 * 2);
  EXPECT_EQ(bytes(64, 64, 9), 64u * 512 * 2);
}

} // namespace
