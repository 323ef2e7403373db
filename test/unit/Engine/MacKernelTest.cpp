//===- MacKernelTest.cpp - Weighted sums ----------------------------------===//

#include "Mac/MacKernel.h"
#include "Fixtures.h"
#include "Mac/Accumulator.h"
#include "gtest/gtest.h"

using namespace ane::engine;
using namespace ane::engine::test;

namespace {

std::vector<const MacUnit *> units() {
  std::vector<const MacUnit *> result = {&portableMacUnit};
#if defined(__x86_64__)
  if (hasAVX2())
    result.push_back(&avx2MacUnit);
  if (hasAVX512())
    result.push_back(&avx512MacUnit);
#endif
  return result;
}

/// fp16 numbers of many magnitudes, zeros among them.
std::vector<float> floats(size_t count, unsigned seed) {
  Array array = randomArray({1, 1, 1, 1, uint32_t(count)}, seed, -3, 3);
  Array scale = randomArray({1, 1, 1, 1, uint32_t(count)}, seed + 1, -6, 1);
  std::vector<float> result;
  for (size_t i = 0; i < count; ++i)
    result.push_back(static_cast<float>(
        rounded(array.values[i] * std::exp2(std::round(scale.values[i])))));
  return result;
}

float sumOf(Numerics numerics, std::initializer_list<float> products) {
  Accumulator accumulator(numerics);
  for (float product : products)
    accumulator.add(product);
  return accumulator.result();
}

TEST(MacKernel, DocumentedSumsInOrder) {
  // 2^14 + 2^-12 - 2^14 is 0 in fp32, 2^14 - 2^14 + 2^-12 is not.
  EXPECT_EQ(sumOf(Numerics::Documented, {0x1p14f, 0x1p-12f, -0x1p14f}), 0);
  EXPECT_EQ(sumOf(Numerics::Documented, {0x1p14f, -0x1p14f, 0x1p-12f}),
            0x1p-12f);
  // Products are exact.
  EXPECT_EQ(sumOf(Numerics::Documented, {0x1.ffcp0f * 0x1.ffcp0f}),
            0x1.ff8008p1f);
}

TEST(MacKernel, TilesHave12BitsAndDropTheRest) {
  auto sum = [](std::initializer_list<float> products) {
    return sumOf(Numerics::Tile4, products);
  };
  // Behind 4096, a tile counts in steps of 2; behind 4090 in steps of 1.
  EXPECT_EQ(sum({4096, 1, 1, 1}), 4096);
  EXPECT_EQ(sum({4096, 3, 3, 3}), 4102);
  EXPECT_EQ(sum({4090, 1, 1, 1}), 4093);
  // Towards zero from either side.
  EXPECT_EQ(sum({4096, -1}), 4096);
  EXPECT_EQ(sum({-4096, -1}), -4096);
  EXPECT_EQ(sum({-4096, 3}), -4094);
  // A sum of 13 bits loses the last.
  EXPECT_EQ(sum({4095, 4094}), 8188);
  // A product, too, has 12 bits.
  EXPECT_EQ(sum({0x1.ffcp0f * 0x1.ffcp0f}), 0x1.ff8p1f);
  // The next tile starts from nothing.
  EXPECT_EQ(sum({4096, 0, 0, 0, 1}), 4097);
}

TEST(MacKernel, PartialSumsOverflow) {
  for (Numerics numerics : {Numerics::Documented, Numerics::Tile4}) {
    EXPECT_EQ(sumOf(numerics, {32752}), 32752);
    EXPECT_EQ(sumOf(numerics, {32768, -32768, 1}), INFINITY);
    EXPECT_EQ(sumOf(numerics, {-20000, -20000, 30000}), -INFINITY);
    EXPECT_TRUE(std::isnan(sumOf(numerics, {INFINITY, -INFINITY})));
    EXPECT_EQ(sumOf(numerics, {40000, 1, 1, 1, -40000}), INFINITY);
    EXPECT_EQ(sumOf(numerics, {-INFINITY, 40000}), -INFINITY);
    EXPECT_TRUE(std::isnan(sumOf(numerics, {INFINITY * 0, 1})));
  }
}

TEST(MacKernel, AllLoopsGiveTheBitsOfTheDefinition) {
  for (const MacUnit *unit : units())
    for (Numerics numerics : {Numerics::Documented, Numerics::Tile4})
      for (uint64_t taps : {1, 2, 3, 4, 5, 255, 256}) {
        const MacLoops &loops = unit->loops(numerics);
        unsigned rows = unit->rows, columns = unit->columns;
        std::vector<float> weights = floats(taps * rows, 1);
        std::vector<float> pixels = floats(taps * columns, 2);
        // Pairs that cancel.
        for (unsigned m = 0; taps > 4 && m < rows; ++m)
          weights[rows + m] = -weights[m];
        for (unsigned n = 0; taps > 4 && n < columns; ++n)
          pixels[columns + n] = pixels[n];
        std::vector<float> sums(rows * columns);
        loops.tile(weights.data(), pixels.data(), taps, sums.data());

        std::vector<float> narrowWeights, narrow(columns), row(columns);
        std::vector<uint64_t> offsets;
        for (uint64_t k = 0; k < taps; ++k) {
          narrowWeights.push_back(weights[k * rows]);
          offsets.push_back(k * columns);
        }
        loops.narrow(narrowWeights.data(), pixels.data(), taps, narrow.data());
        loops.row(narrowWeights.data(), pixels.data(), offsets.data(), taps,
                  row.data());
        for (unsigned m = 0; m < rows; ++m)
          for (unsigned n = 0; n < columns; ++n) {
            Accumulator accumulator(numerics);
            for (uint64_t k = 0; k < taps; ++k)
              accumulator.add(weights[k * rows + m] * pixels[k * columns + n]);
            float sum = accumulator.result();
            ASSERT_EQ(sums[m * columns + n], sum)
                << columns << " columns, " << numericsName(numerics).str()
                << ", " << taps << " taps";
            if (m == 0) {
              ASSERT_EQ(narrow[n], sum);
              ASSERT_EQ(row[n], sum);
            }
          }
      }
}

TEST(MacKernel, TilesOfTwo) {
  // What is left of the smaller number depends on its distance to the larger
  // one; the first and the last significands of an exponent are the hardest.
  std::vector<uint32_t> significands = {0x800, 0x801, 0x802, 0xbff, 0xc00,
                                        0xc01, 0xffd, 0xffe, 0xfff};
  for (uint32_t i = 1; i <= 16; ++i)
    significands.push_back(0x800 + i * 0x7b5 % 0x800);
  std::vector<float> values = {0};
  for (uint32_t significand : significands)
    for (int exponent = -14; exponent <= 0; ++exponent) {
      values.push_back(std::ldexp(float(significand), exponent - 11));
      values.push_back(-values.back());
    }
  for (const MacUnit *unit : units()) {
    unsigned columns = unit->columns;
    std::vector<float> weights(2 * unit->rows, 1), pixels(2 * columns);
    for (float larger : values)
      for (size_t i = 0; i < values.size(); i += columns) {
        std::vector<float> sums(unit->rows * columns);
        for (unsigned n = 0; n < columns; ++n) {
          pixels[n] = larger;
          pixels[columns + n] = values[std::min(i + n, values.size() - 1)];
        }
        unit->loops(Numerics::Tile4)
            .tile(weights.data(), pixels.data(), 2, sums.data());
        for (unsigned n = 0; n < columns; ++n)
          ASSERT_EQ(sums[n], addInTile(larger, pixels[columns + n]))
              << columns << " columns, " << larger << " and "
              << pixels[columns + n];
      }
  }
}

TEST(MacKernel, TilesAddInTurn) {
  // The sums of a call go on where those of the call before ended.
  for (const MacUnit *unit : units())
    for (Numerics numerics : {Numerics::Documented, Numerics::Tile4}) {
      constexpr uint64_t taps = 23, first = 8;
      std::vector<float> weights = floats(taps * unit->rows, 3);
      std::vector<float> pixels = floats(taps * unit->columns, 4);
      std::vector<float> once(unit->rows * unit->columns), twice(once);
      MacTile tile = unit->loops(numerics).tile;
      tile(weights.data(), pixels.data(), taps, once.data());
      tile(weights.data(), pixels.data(), first, twice.data());
      tile(weights.data() + first * unit->rows,
           pixels.data() + first * unit->columns, taps - first, twice.data());
      EXPECT_EQ(once, twice);
    }
}

} // namespace
