//===- L2Plan.cpp - Where operands pass through the scratchpad ------------===//

#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "ane/Dialect/Zin/IR/L2Place.h"
#include "ane/TaskDescriptor/Broadcast.h"
#include "ane/TaskDescriptor/Fields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <functional>

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// The second operand starts where it does not share banks with the first
/// (verified).
constexpr int64_t minimumGap = 0x40;

/// A tile of a source: rows of all channels, each at most `streamBytes` of a
/// row at a time, or all of it if that is 0. With `isSpread` channels do not
/// share two banks.
L2Tile sourceTile(const TargetDescription &target, ViewAttr view,
                  int64_t streamBytes, const RowsTogether &together,
                  bool isSpread = false) {
  L2Tile tile;
  tile.channelStride = target.l2ChannelBytes(view.getColumns());
  if (streamBytes)
    tile.channelStride = std::min(tile.channelStride, streamBytes);
  if (isSpread && tile.channelStride % worstDistance == 0)
    tile.channelStride += l2Granule;
  tile.depthStride = tile.channelStride * view.getChannels();
  tile.groupStride = tile.depthStride * view.getDepth();
  tile.rowStride = together.spread(tile.groupStride);
  return tile;
}

/// Whether rows of the view are parts of longer rows or planes of its buffer.
bool isCrop(ViewAttr view, const TargetDescription &target) {
  int64_t pitch = 0;
  for (auto [extent, stride] :
       llvm::zip(view.getShape().drop_back(), view.getStrides()))
    if (extent > 1 && (pitch == 0 || stride < pitch))
      pitch = stride;
  return pitch > target.rowPitch(view.getColumns());
}

/// Bytes of `rows` rows; a single row needs no skew behind it.
int64_t tileBytes(const L2Tile &tile, int64_t rows) {
  return tile.rowStride * rows;
}

/// Of what a task with coefficients reads; one line of pixels needs no distance
/// but for a task that takes few pixels at a time.
RowsTogether rowsOfWeighed(int64_t rows, int64_t columns, int64_t stride,
                           const TargetDescription &target) {
  RowsTogether together = rowsOfPass;
  if (rows == 1 && columns > target.smallInput)
    together.count = 1;
  else
    together.step = stride;
  return together;
}

/// Whether a product reads a line of pixels that does not fit in L2: pieces of
/// it pass through. Verified for two products of Apple's compiler. Of a
/// computed kernel all outputs are accumulated at a time, so that they pass
/// once.
bool isTooLongLine(TaskOp task, const L2Use &use,
                   const TargetDescription &target) {
  ViewAttr source = task.getSource1();
  return task.getKernelView() && source.getRows() == 1 &&
         source.getDepth() == 1 &&
         task.getNE().getWindow() == ArrayRef<int64_t>{1, 1} &&
         leastWeighedBytes(source.getShape(), source.getChannels(),
                           /*windowRows=*/1, /*rowStride=*/1,
                           task.getResult().getShape(), target) > use.bytes;
}

/// What the drain buffer of a streamed result takes is not published; one row
/// of it is enough for what has been seen.
int64_t drainBytes(int64_t channels, int64_t columns,
                   const TargetDescription &target) {
  constexpr int64_t channelsAtATime = 16;
  return std::min(target.l2ChannelBytes(columns), target.neStreamBytes) *
         std::min(channels, channelsAtATime);
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

/// Where a transposed write, or a copy out of longer rows, gathers its result.
L2Tile gatheringTile(NEConfigAttr config, ViewAttr result, bool isLine,
                     const TargetDescription &target) {
  L2Tile tile;
  tile.channelStride = target.l2ChannelBytes(result.getColumns());
  if (!config.getTransposed())
    tile.channelStride = std::min(tile.channelStride, target.neStreamBytes);
  else if (isLine)
    tile.channelStride = distanceInLine(tile.channelStride);
  tile.depthStride = tile.channelStride * result.getChannels();
  tile.groupStride = tile.depthStride;
  int64_t row = tile.depthStride * result.getDepth();
  tile.rowStride = row;
  if (!isLine) {
    // The distance of a copy is verified, that of an exchange assigned.
    RowsTogether together = rowsOfPass;
    if (!config.getTransposed())
      together.apart = 2 * wideRowsApart;
    tile.rowStride = together.spread(row);
  }
  return tile;
}

/// With `isSpread` long channels of products of two values lie apart (assigned:
/// those of Apple's compiler that were seen are 64 columns).
Tiles tilesOfNE(TaskOp task, const L2Use &use, const TargetDescription &target,
                bool isSpread) {
  NEConfigAttr config = task.getNE();
  ViewAttr source = task.getSource1(), result = task.getResult();
  bool isPass = config.getKernelless();
  bool isMove = isPass && config.getOp() == MACOp::pass;
  bool isLine = source.getRows() == 1;
  bool drains = use.result == Residence::streamed;
  // A transposed write gathers what it writes in L2, and a copy out of longer
  // rows does, too. Verified for one of each.
  bool gathers =
      drains && isMove &&
      (config.getTransposed()
           ? source.getColumns() > 1 && source.getChannels() > 1
           : !config.getRelu() && !task.getKernel() && isCrop(source, target));

  Tiles tiles;
  tiles.height = result.getRows();
  tiles.source1Rows = tiles.source2Rows = tiles.resultRows = none;
  if (use.source1 == Residence::streamed) {
    int64_t streamBytes = 0;
    if (isPass)
      streamBytes = config.getTransposed() && !isLine ? target.neExchangeBytes
                                                      : target.neStreamBytes;
    else if (isTooLongLine(task, use, target))
      streamBytes = target.neStreamBytes;
    RowsTogether together = rowsOfPass;
    bool goesThrough = config.getUnicast() == 1 && drains && !gathers;
    if (!isPass)
      together = rowsOfWeighed(source.getRows(), source.getColumns(),
                               config.getStride()[0], target);
    // What goes through, channel by channel, needs no distance.
    else if (goesThrough || isLine)
      together.count = 1;
    else if (target.l2ChannelBytes(source.getColumns()) > streamBytes &&
             !config.getTransposed())
      together.apart = wideRowsApart;
    tiles.plan.source1 = sourceTile(target, source, streamBytes, together,
                                    isSpread && task.getKernelView());
    int64_t window = config.getWindow()[0], stride = config.getStride()[0];
    tiles.source1Rows = [source, window, stride](int64_t rows) {
      return std::min(source.getRows(), (rows - 1) * stride + window);
    };
  }
  if (!drains)
    return tiles;
  if (gathers) {
    tiles.plan.resultIsTile = true;
    tiles.plan.result = gatheringTile(config, result, isLine, target);
    tiles.resultRows = [](int64_t rows) { return rows; };
  } else {
    tiles.drain = drainBytes(result.getChannels(), result.getColumns(), target);
  }
  return tiles;
}

Tiles tilesOfPE(TaskOp task, const L2Use &use,
                const TargetDescription &target) {
  PEConfigAttr config = task.getPE();
  ViewAttr source = task.getSource1(), result = task.getResult();
  bool reduces = config.getReduce() != PEReduce::none;
  // What lies side by side in the result is moved alone.
  bool isMove = result.getInterleave() > 1 && !task.getSource2();
  auto tileOf = [&](ViewAttr view) {
    RowsTogether together = rowsOfPlanar(view.getColumns());
    bool isLine = view.getRows() == 1;
    // What is moved keeps no distance (verified).
    if (isMove && isLine)
      together.count = 1;
    bool isSpread =
        isLine && !isMove && bytesInL2(view.getShape(), target) > mostBytesSeen;
    return sourceTile(target, view, target.peStreamBytes, together, isSpread);
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
  // A row that is repeated is kept, and what it becomes is gathered in L2
  // (verified for one program; the strides of the result are assigned).
  bool repeatsRow =
      !task.getSource2() && (config.getBroadcast1() & td::broadcastRows);
  if (repeatsRow && use.source1 == Residence::streamed) {
    tiles.plan.source1IsKept = tiles.plan.resultIsTile = true;
    tiles.plan.result = tileOf(result);
    tiles.resultRows = rowsOf(result);
    return tiles;
  }
  tiles.drain = tileOf(source).rowStride;
  // A vector is put together in L2; several groups take turns there.
  if (config.getVectorResult()) {
    tiles.plan.resultIsTile = tiles.plan.resultIsKept = true;
    L2Tile &tile = tiles.plan.result;
    tile.channelStride = target.l2ChannelBytes(result.getColumns());
    tile.depthStride = tile.channelStride * result.getChannels();
    tile.rowStride = tile.depthStride * result.getGroups();
    tile.groupStride = result.getGroups() > 1 ? 0 : tile.depthStride;
    tiles.drain = tile.rowStride;
  }
  return tiles;
}

Tiles tilesOf(TaskOp task, const L2Use &use, const TargetDescription &target,
              bool isSpread = false) {
  return task.getNE() ? tilesOfNE(task, use, target, isSpread)
                      : tilesOfPE(task, use, target);
}

} // namespace

int64_t zin::bytesInL2(ArrayRef<int64_t> shape,
                       const TargetDescription &target) {
  return target.l2ChannelBytes(shape.back()) *
         llvm::product_of(shape.drop_back());
}

L2Use L2Use::of(TaskOp task, const TargetDescription &target) {
  L2Use use;
  use.bytes = target.l2Bytes;
  if (L2Attr attr = task.getL2Attr())
    use = {attr.getSource1(), attr.getSource2(), attr.getResult(),
           attr.getBegin(), attr.getBytes()};
  return use;
}

bool zin::canOverwrite(TaskOp task, ViewAttr source) {
  if (source.getShape() != task.getResult().getShape())
    return false;
  if (NEConfigAttr config = task.getNE())
    return config.getKernelless() && config.getOp() == MACOp::pass &&
           !config.getTransposed() && config.getUnicast() == 1 &&
           config.getWindow() == ArrayRef<int64_t>{1, 1} &&
           config.getStride() == ArrayRef<int64_t>{1, 1} &&
           config.getPadding() == ArrayRef<int64_t>{0, 0};
  PEConfigAttr config = task.getPE();
  return config.getReduce() == PEReduce::none && !config.getVectorResult() &&
         !config.getVector1() && !config.getVector2();
}

bool zin::isCopy(TaskOp task) {
  NEConfigAttr config = task.getNE();
  return config && !task.getKernel() && !config.getRelu() &&
         config.getAccBias().getValue().isZero() &&
         config.getPostScale().getValue().isExactlyValue(1) &&
         canOverwrite(task, task.getSource1());
}

int64_t zin::leastTileBytes(TaskOp task, const L2Use &use,
                            const TargetDescription &target) {
  return tilesOf(task, use, target).bytes(1);
}

int64_t zin::productRoom(const TargetDescription &target) {
  constexpr int64_t skew = 0x40;
  return target.l2Bytes - skew - int64_t(td::numLanes) * target.neStreamBytes;
}

int64_t zin::leastWeighedBytes(ArrayRef<int64_t> source, int64_t channels,
                               int64_t windowRows, int64_t rowStride,
                               ArrayRef<int64_t> result,
                               const TargetDescription &target) {
  int64_t row = rowsOfWeighed(source[H], source[W], rowStride, target)
                    .spread(target.l2ChannelBytes(source[W]) * channels);
  return row * std::min(source[H], windowRows) +
         drainBytes(result[C], result[W], target);
}

std::optional<L2Plan> zin::planL2(TaskOp task, const L2Use &use,
                                  const TargetDescription &target) {
  Tiles tiles = tilesOf(task, use, target, /*isSpread=*/true);
  if (tiles.bytes(1) > use.bytes)
    tiles = tilesOf(task, use, target);
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
    int64_t phase = next % RowsTogether::bankPeriod;
    plan.source2.base = phase < minimumGap ? next + minimumGap - phase : next;
    next =
        plan.source2.base + tileBytes(plan.source2, tiles.source2Rows(height));
  }
  plan.result.base = next;
  plan.bytes = tiles.bytes(height);
  return plan;
}
