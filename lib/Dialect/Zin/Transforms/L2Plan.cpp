//===- L2Plan.cpp - Where operands pass through the scratchpad ------------===//

#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include <functional>

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Row sizes at which neighbouring rows would fall on the same banks.
constexpr int64_t bankPeriod = 0x400;
constexpr int64_t halfBankPeriod = 0x200;
/// The second operand starts where it does not share banks with the first.
constexpr int64_t minimumGap = 0x40;

/// Distance that Apple's compiler adds to a row of `bytes` bytes.
int64_t rowSkew(int64_t bytes, int64_t atPeriod, int64_t atHalf) {
  if (bytes % bankPeriod == 0)
    return atPeriod;
  if (bytes % halfBankPeriod == 0)
    return atHalf;
  return 0;
}

/// A tile of a source: rows of all channels, each at most `streamBytes` of a
/// row at a time, or all of it if that is 0.
L2Tile sourceTile(const TargetDescription &target, ViewAttr view,
                  int64_t streamBytes, int64_t skewAtPeriod,
                  int64_t skewAtHalf) {
  L2Tile tile;
  tile.channelStride = target.l2ChannelBytes(view.getColumns());
  if (streamBytes)
    tile.channelStride = std::min(tile.channelStride, streamBytes);
  tile.depthStride = tile.channelStride * view.getChannels();
  tile.groupStride = tile.depthStride;
  int64_t row = tile.depthStride * view.getDepth();
  tile.rowStride = row + rowSkew(row, skewAtPeriod, skewAtHalf);
  return tile;
}

/// Bytes of `rows` rows; a single row needs no skew behind it.
int64_t tileBytes(const L2Tile &tile, int64_t rows) {
  return tile.rowStride * rows;
}

/// The tiles of a task at the start of L2, and what they take for any height.
struct Tiles {
  L2Plan plan;
  int64_t height = 1; ///< of all
  /// Rows of each for a number of rows of the task; 0 where there is no tile.
  std::function<int64_t(int64_t)> source1Rows, source2Rows, resultRows;
  int64_t gap = 0;
  int64_t drain = 0; ///< of a streamed result

  int64_t bytes(int64_t rows) const {
    return tileBytes(plan.source1, source1Rows(rows)) + gap +
           tileBytes(plan.source2, source2Rows(rows)) +
           tileBytes(plan.result, resultRows(rows)) + drain;
  }
};

int64_t none(int64_t) { return 0; }

Tiles tilesOfNE(TaskOp task, const L2Use &use,
                const TargetDescription &target) {
  NEConfigAttr config = task.getNE();
  ViewAttr source = task.getSource1(), result = task.getResult();
  bool isPass = config.getKernelless();
  bool strided = config.getStride()[0] > 1;

  Tiles tiles;
  tiles.height = result.getRows();
  tiles.source1Rows = tiles.source2Rows = tiles.resultRows = none;
  if (use.source1 == Residence::streamed) {
    tiles.plan.source1 =
        sourceTile(target, source, isPass ? target.neStreamBytes : 0,
                   isPass    ? 0
                   : strided ? 0x20
                             : 0x30,
                   isPass ? 0 : 0x20);
    int64_t window = config.getWindow()[0], stride = config.getStride()[0];
    tiles.source1Rows = [source, window, stride](int64_t rows) {
      return std::min(source.getRows(), (rows - 1) * stride + window);
    };
  }
  if (use.result != Residence::streamed)
    return tiles;
  // What the drain buffer of a streamed result takes is not published; one row
  // of it is enough for what has been seen.
  if (config.getTransposed()) {
    tiles.plan.resultIsTile = true;
    L2Tile &tile = tiles.plan.result;
    tile.channelStride = target.l2ChannelBytes(result.getColumns());
    tile.rowStride = tile.channelStride * result.getChannels();
    tile.depthStride = tile.rowStride;
    tile.groupStride = tile.rowStride;
    tiles.resultRows = [](int64_t rows) { return rows; };
  } else {
    tiles.drain = std::min(target.l2ChannelBytes(result.getColumns()),
                           target.neStreamBytes) *
                  std::min<int64_t>(result.getChannels(), 16);
  }
  return tiles;
}

Tiles tilesOfPE(TaskOp task, const L2Use &use,
                const TargetDescription &target) {
  PEConfigAttr config = task.getPE();
  ViewAttr source = task.getSource1(), result = task.getResult();
  bool reduces = config.getReduce() != PEReduce::none;
  auto tileOf = [&](ViewAttr view) {
    return sourceTile(target, view, target.peStreamBytes, 0x20, 0x10);
  };
  auto rowsOf = [](ViewAttr view) {
    int64_t all = view.getRows();
    return [all](int64_t rows) { return std::min(all, rows); };
  };

  Tiles tiles;
  tiles.height = reduces ? source.getRows() : result.getRows();
  tiles.source1Rows = tiles.source2Rows = tiles.resultRows = none;
  if (use.source1 == Residence::streamed) {
    tiles.plan.source1 = tileOf(source);
    tiles.source1Rows = rowsOf(source);
  }
  if (task.getSource2() && use.source2 == Residence::streamed) {
    tiles.plan.source2 = tileOf(*task.getSource2());
    tiles.source2Rows = rowsOf(*task.getSource2());
    tiles.gap = minimumGap;
  }
  if (use.result != Residence::streamed)
    return tiles;
  tiles.drain = tileOf(source).rowStride;
  if (config.getVectorResult()) {
    tiles.plan.resultIsTile = true;
    L2Tile &tile = tiles.plan.result;
    tile.channelStride = target.l2ChannelBytes(result.getColumns());
    tile.rowStride = tile.depthStride = tile.groupStride = tile.channelStride;
    tiles.drain = tile.rowStride;
  }
  return tiles;
}

Tiles tilesOf(TaskOp task, const L2Use &use, const TargetDescription &target) {
  return task.getNE() ? tilesOfNE(task, use, target)
                      : tilesOfPE(task, use, target);
}

} // namespace

L2Use L2Use::of(TaskOp task, const TargetDescription &target) {
  L2Use use;
  use.bytes = target.l2Bytes;
  if (L2Attr attr = task.getL2Attr())
    use = {attr.getSource1(), attr.getSource2(), attr.getResult(),
           attr.getBegin(), attr.getBytes()};
  return use;
}

int64_t zin::leastTileBytes(TaskOp task, const L2Use &use,
                            const TargetDescription &target) {
  return tilesOf(task, use, target).bytes(1);
}

std::optional<L2Plan> zin::planL2(TaskOp task, const L2Use &use,
                                  const TargetDescription &target) {
  Tiles tiles = tilesOf(task, use, target);
  if (tiles.bytes(1) > use.bytes)
    return std::nullopt;
  // Bytes grow with rows.
  int64_t height = 1, beyond = tiles.height + 1;
  while (beyond - height > 1) {
    int64_t middle = height + (beyond - height) / 2;
    (tiles.bytes(middle) <= use.bytes ? height : beyond) = middle;
  }
  L2Plan plan = tiles.plan;
  plan.tileHeight = height;
  plan.source1.base = use.begin;
  int64_t next = use.begin + tileBytes(plan.source1, tiles.source1Rows(height));
  if (tiles.gap) {
    int64_t phase = next % bankPeriod;
    plan.source2.base = phase < minimumGap ? next + minimumGap - phase : next;
    next =
        plan.source2.base + tileBytes(plan.source2, tiles.source2Rows(height));
  }
  plan.result.base = next;
  plan.bytes = tiles.bytes(height);
  return plan;
}
