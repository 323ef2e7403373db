//===- RowTiler.cpp - Which tasks are cut into blocks of rows -------------===//

#include "Rows/RowTiler.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Numbers of blocks that are tried.
constexpr int64_t blockCounts[] = {2,  3,   4,   5,   6,   8,  10, 12,
                                   14, 16,  20,  24,  32,  40, 64, 80,
                                   96, 120, 144, 180, 240, 360};
static_assert(blockCounts[0] == RowBlocks::leastBlocks);

using Sharing = RowBlocks::Blocks::Sharing;
constexpr Sharing sharings[] = {Sharing::Computed, Sharing::Copied,
                                Sharing::Waiting};

} // namespace

int64_t RowTiler::choose() {
  if (!chosenBytes)
    chosenBytes = findPieces();
  return *chosenBytes;
}

int64_t RowTiler::findPieces() {
  size_t count = rows.size();
  SmallVector<int64_t> best(count + 1, 0);
  SmallVector<Piece> last(count + 1);
  for (size_t end = 1; end <= count; ++end) {
    best[end] = best[end - 1] + rows.trafficAlone(end - 1);
    last[end] = {end - 1, end, /*joins=*/false, {}};
    int64_t behind = rows.trafficBehind(end);
    size_t least = 0;
    for (size_t begin = end; begin-- > 0 && end - begin <= options.maxTasks;) {
      least = std::max(least, rows.leastBegin(begin));
      if (!rows.canCut(begin) || begin < least)
        break;
      if (!rows.isWorthCutting(begin, end) ||
          rows.leastTraffic(begin, end) >= best[end] - best[begin])
        continue;
      for (bool joins : {false, true}) {
        int64_t limit = best[end] - best[begin] - behind;
        RowBlocks::Chain chain = chainOf(begin, end, joins, limit);
        if (joins && !chain.joins)
          break;
        if (auto found = cheapest(chain, limit)) {
          best[end] = best[begin] + found->second + behind;
          last[end] = {begin, end, joins, found->first};
        }
        if (!options.join || !chain.canJoin)
          break;
      }
    }
  }
  for (size_t end = count; end > 0; end = last[end].begin) {
    Piece &piece = last[end];
    if (piece.blocks.count == 1 && rows.makesRoom(piece.begin) &&
        last[piece.begin].blocks.count == 1) {
      --piece.begin;
      piece.blocks.count = RowBlocks::roomBlocks;
    }
    pieces.push_back(piece);
  }
  std::reverse(pieces.begin(), pieces.end());
  return best[count];
}

void RowTiler::run() {
  for (const Piece &piece : pieces)
    if (piece.blocks.count > 1) {
      rows.rewrite(chainOf(piece.begin, piece.end, piece.joins), piece.blocks);
      ++numChains;
      numHolding += piece.blocks.holdsRows();
      numJoining += piece.joins;
      numBlocks += piece.blocks.count;
    }
  rows.eraseUnused();
}

RowBlocks::Chain RowTiler::chainOf(size_t begin, size_t end, bool joins,
                                   int64_t limit) {
  RowBlocks::Chain chain = rows.chainOf(begin, end, joins, limit);
  if (!options.squeeze)
    chain.pairs.clear();
  return chain;
}

/// The cheapest blocks of a chain and their bytes, if these are below
/// `limit`.
std::optional<std::pair<RowBlocks::Blocks, int64_t>>
RowTiler::cheapest(const RowBlocks::Chain &chain, int64_t limit) {
  std::optional<std::pair<RowBlocks::Blocks, int64_t>> found;
  if (rows.leastTraffic(chain, RowBlocks::leastBlocks) >= limit)
    return found;
  int64_t least = rows.leastCount(chain);
  for (Sharing sharing : sharings) {
    if (!mayShare(chain, sharing))
      continue;
    int64_t leastCount = least;
    for (int64_t count : blockCounts) {
      if (count < leastCount)
        continue;
      RowBlocks::Blocks blocks = {count, sharing};
      RowBlocks::Estimate estimate = rows.estimate(chain, blocks, limit);
      leastCount = estimate.leastCount;
      if (leastCount > 0)
        continue;
      if (estimate.bytes < limit) {
        limit = estimate.bytes;
        found = {blocks, limit};
      }
      // More blocks move more.
      break;
    }
  }
  return found;
}

bool RowTiler::mayShare(const RowBlocks::Chain &chain, Sharing sharing) const {
  if (sharing == Sharing::Computed)
    return true;
  if (!options.hold || !chain.sharesRows)
    return false;
  // Without such a slot it is as if all rows wait.
  return sharing == Sharing::Waiting || chain.hasLastingSlot;
}
