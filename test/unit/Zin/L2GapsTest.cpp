//===- L2GapsTest.cpp - Free pieces against a table of bytes --------------===//

#include "Places/L2Gaps.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <random>
#include <vector>

using namespace ane::zin;

namespace {

constexpr int64_t numBytes = 24;

/// The same with a flag for each byte.
struct Table {
  std::vector<bool> isFree = std::vector<bool>(numBytes, true);

  std::vector<std::pair<int64_t, int64_t>> pieces() const {
    std::vector<std::pair<int64_t, int64_t>> list;
    for (int64_t i = 0; i < numBytes; ++i)
      if (!isFree[i])
        continue;
      else if (!list.empty() && list.back().second == i)
        ++list.back().second;
      else
        list.push_back({i, i + 1});
    return list;
  }
  bool all(int64_t begin, int64_t end, bool state) const {
    return std::all_of(isFree.begin() + begin, isFree.begin() + end,
                       [&](bool flag) { return flag == state; });
  }
  void set(int64_t begin, int64_t end, bool state) {
    std::fill(isFree.begin() + begin, isFree.begin() + end, state);
  }
  std::pair<int64_t, int64_t> longest() const {
    std::pair<int64_t, int64_t> best = {0, 0};
    for (auto piece : pieces())
      if (piece.second - piece.first > best.second - best.first)
        best = piece;
    return best;
  }
};

std::vector<std::pair<int64_t, int64_t>> piecesOf(const L2Gaps &gaps) {
  std::vector<std::pair<int64_t, int64_t>> list;
  for (const L2Gaps::Gap &gap : gaps.all())
    list.push_back({gap.begin, gap.end});
  return list;
}

TEST(L2Gaps, AgreeWithATable) {
  std::mt19937 random(1);
  for (int run = 0; run < 200; ++run) {
    L2Gaps gaps(numBytes), other(numBytes);
    Table table, otherTable;
    for (int step = 0; step < 60; ++step) {
      int64_t begin = random() % numBytes;
      int64_t end =
          begin + 1 + random() % std::min<int64_t>(numBytes - begin, 6);
      bool isFree = table.all(begin, end, true);
      EXPECT_EQ(gaps.isFree(begin, end), isFree);
      if (isFree) {
        Table after = table;
        after.set(begin, end, false);
        auto [first, last] = after.longest();
        EXPECT_EQ(gaps.longestWithout(begin, end), last - first);
        gaps.take(begin, end);
        table = after;
      } else if (table.all(begin, end, false)) {
        // Taking it again changes nothing.
        gaps.take(begin, end);
        auto [first, last] = table.longest();
        EXPECT_EQ(gaps.longestWithout(begin, end), last - first);
        if (step % 2) {
          gaps.giveBack(begin, end);
          table.set(begin, end, true);
        }
      }
      EXPECT_EQ(piecesOf(gaps), table.pieces());
      L2Gaps::Gap longest = gaps.longest();
      EXPECT_EQ(std::pair(longest.begin, longest.end), table.longest());

      if (other.isFree(begin, end) && random() % 2) {
        other.take(begin, end);
        otherTable.set(begin, end, false);
      }
      L2Gaps common = gaps;
      int64_t least = 1 + random() % 3;
      common.intersect(other, least);
      Table both;
      for (int64_t i = 0; i < numBytes; ++i)
        both.isFree[i] = table.isFree[i] && otherTable.isFree[i];
      auto expected = both.pieces();
      std::erase_if(expected, [&](auto piece) {
        return piece.second - piece.first < least;
      });
      EXPECT_EQ(piecesOf(common), expected);
    }
  }
}

} // namespace
