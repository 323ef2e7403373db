//===- ByteRangesTest.cpp - The bytes of operands -------------------------===//

#include "Watch/ByteRanges.h"
#include "gtest/gtest.h"
#include <random>

using namespace ane::engine;

namespace {

/// How often each byte of an operand comes, element by element.
std::map<uint64_t, unsigned> bytesOf(const View &view) {
  std::map<uint64_t, unsigned> bytes;
  view.forEachRow([&](uint32_t g, uint32_t d, uint32_t c, uint32_t h) {
    for (uint32_t w = 0; w < view.extents.width; ++w)
      for (int64_t i = 0; i < view.strides.elementBytes(); ++i)
        ++bytes[view.address + view.strides.rowOffset(g, d, c, h) +
                view.strides.columnOffset(w) + i];
  });
  return bytes;
}

TEST(ByteRanges, AnyStrides) {
  std::minstd_rand random(5);
  auto pick = [&](auto... choices) {
    std::array<int64_t, sizeof...(choices)> all = {choices...};
    return all[random() % all.size()];
  };
  unsigned overlaps = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    View view;
    view.address = 1 << 20;
    view.extents = {uint32_t(1 + random() % 2), uint32_t(1 + random() % 2),
                    uint32_t(1 + random() % 7), uint32_t(1 + random() % 4),
                    uint32_t(1 + random() % 7)};
    Strides &strides = view.strides;
    strides.element = pick(0, 1) ? Element::Half : Element::UInt8;
    for (int64_t *stride : {&strides.group, &strides.depth, &strides.channel,
                            &strides.row, &strides.column})
      *stride = pick(0, 1, 2, 4, 6, 16, 16, 24, 32, 64, 96, 256, -16, -64);
    if (pick(0, 1))
      (pick(0, 1) ? strides.interleave : strides.columnInterleave) =
          pick(2, 3, 4, 8);
    std::map<uint64_t, unsigned> expected = bytesOf(view), actual;
    Ranges ranges(view);
    for (Range range : ranges.list())
      for (uint64_t at = range.begin; at < range.end; ++at)
        ++actual[at];
    ASSERT_EQ(actual.size(), expected.size()) << trial;
    auto twice = llvm::find_if(
        expected, [](const auto &byte) { return byte.second > 1; });
    ASSERT_EQ(ranges.shared().has_value(), twice != expected.end()) << trial;
    for (auto [at, count] : expected)
      ASSERT_EQ(actual[at], 1u) << trial;
    if (twice == expected.end())
      continue;
    ++overlaps;
    ASSERT_GT(expected[*ranges.shared()], 1u) << trial;
  }
  EXPECT_GT(overlaps, 1000u);
}

/// What strides lead to again and again takes no time.
TEST(ByteRanges, FewPieces) {
  auto count = [](const Extents &extents, const Strides &strides) {
    View view;
    view.extents = extents;
    view.strides = strides;
    unsigned pieces = 0;
    Pieces(view).forEach([&](Range) { ++pieces; });
    return pieces;
  };
  constexpr uint32_t most = 1 << 17;
  EXPECT_EQ(count({most, most, most, most, most}, {0, 0, 0, 0}), 1u);
  EXPECT_EQ(count({1, 1, most, most, 32}, {0, 0, 64, 0}), 1u);
  EXPECT_EQ(count({1, 1, most, 4, 32}, {0, 0, 256, 64}), 1u);
  EXPECT_EQ(count({1, 1, 1 << 16, 256, 1}, {0, 0, 64, 64}), (1 << 16) + 255u);
  EXPECT_EQ(count({1, 1, 3, 4, 30}, {0, 0, 256, 64}), 12u);
  Strides interleaved{0, 0, 256, 64};
  interleaved.interleave = 4;
  EXPECT_EQ(count({1, 1, 8, 4, 8}, interleaved), 8u);
}

} // namespace
