//===- L2Plan.cpp - Where operands pass through the scratchpad ------------===//

#include "L2Plan.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::codegen;
using namespace ane::zin;

namespace {

/// Row sizes at which neighbouring rows would fall on the same banks.
constexpr int64_t bankPeriod = 0x400;
constexpr int64_t halfBankPeriod = 0x200;

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

LogicalResult refuseRow(TaskOp task, const TargetDescription &target,
                        int64_t bytes) {
  return task.emitError() << "task: one row of the operands takes " << bytes
                          << " bytes of L2, the limit is " << target.l2Bytes
                          << "; use fewer channels or columns [" << target.name
                          << "-l2-c1]";
}

FailureOr<L2Plan> planNE(TaskOp task, const TargetDescription &target) {
  NEConfigAttr config = task.getNE();
  ViewAttr source = task.getSource1(), result = task.getResult();
  bool isPass = config.getKernelless();
  bool strided = config.getStride()[0] > 1;

  L2Plan plan;
  plan.source1 = sourceTile(target, source, isPass ? target.neStreamBytes : 0,
                            isPass    ? 0
                            : strided ? 0x20
                                      : 0x30,
                            isPass ? 0 : 0x20);
  // What the drain buffer of a streamed result takes is not published; one row
  // of it is enough for what has been seen.
  int64_t resultRow = 0;
  if (config.getTransposed()) {
    plan.resultIsTile = true;
    plan.result.channelStride = target.l2ChannelBytes(result.getColumns());
    plan.result.rowStride = plan.result.channelStride * result.getChannels();
    plan.result.depthStride = plan.result.rowStride;
    plan.result.groupStride = plan.result.rowStride;
    resultRow = plan.result.rowStride;
  } else {
    resultRow = std::min(target.l2ChannelBytes(result.getColumns()),
                         target.neStreamBytes) *
                std::min<int64_t>(result.getChannels(), 16);
  }

  int64_t window = config.getWindow()[0], stride = config.getStride()[0];
  auto sourceRows = [&](int64_t height) {
    return std::min(source.getRows(), (height - 1) * stride + window);
  };
  auto bytes = [&](int64_t height) {
    int64_t rows = plan.resultIsTile ? resultRow * height : resultRow;
    return tileBytes(plan.source1, sourceRows(height)) + rows;
  };
  int64_t height = result.getRows();
  if (bytes(1) > target.l2Bytes)
    return refuseRow(task, target, bytes(1));
  if (bytes(height) > target.l2Bytes) {
    int64_t perRow =
        plan.source1.rowStride * stride + (plan.resultIsTile ? resultRow : 0);
    height = std::min(height, 1 + (target.l2Bytes - bytes(1)) / perRow);
  }
  plan.tileHeight = height;
  plan.result.base = source.getRows() > 1
                         ? tileBytes(plan.source1, sourceRows(height))
                         : plan.source1.rowStride;
  return plan;
}

FailureOr<L2Plan> planPE(TaskOp task, const TargetDescription &target) {
  PEConfigAttr config = task.getPE();
  ViewAttr source = task.getSource1(), result = task.getResult();
  bool reduces = config.getReduce() != PEReduce::none;
  auto tileOf = [&](ViewAttr view) {
    return sourceTile(target, view, target.peStreamBytes, 0x20, 0x10);
  };

  L2Plan plan;
  plan.source1 = tileOf(source);
  int64_t rows = reduces ? source.getRows() : result.getRows();
  int64_t perRow = plan.source1.rowStride, gap = 0;
  // The second operand starts where it does not share banks with the first.
  constexpr int64_t minimumGap = 0x40;
  if (task.getSource2()) {
    plan.source2 = tileOf(*task.getSource2());
    perRow += plan.source2.rowStride;
    gap = minimumGap;
  }
  int64_t resultRow = plan.source1.rowStride;
  if (config.getVectorResult()) {
    plan.resultIsTile = true;
    plan.result.channelStride = target.l2ChannelBytes(result.getColumns());
    plan.result.rowStride = plan.result.depthStride = plan.result.groupStride =
        plan.result.channelStride;
    resultRow = plan.result.rowStride;
  }
  if (perRow + gap + resultRow > target.l2Bytes)
    return refuseRow(task, target, perRow + gap + resultRow);
  plan.tileHeight = std::min(rows, (target.l2Bytes - gap - resultRow) / perRow);

  auto rowsOf = [&](ViewAttr view) {
    return std::min(view.getRows(), plan.tileHeight);
  };
  int64_t next = tileBytes(plan.source1, rowsOf(source));
  if (task.getSource2()) {
    int64_t phase = next % bankPeriod;
    plan.source2.base = phase < minimumGap ? next + minimumGap - phase : next;
    next =
        plan.source2.base + tileBytes(plan.source2, rowsOf(*task.getSource2()));
  }
  plan.result.base = next;
  return plan;
}

} // namespace

FailureOr<L2Plan> codegen::planL2(TaskOp task,
                                  const TargetDescription &target) {
  return task.getNE() ? planNE(task, target) : planPE(task, target);
}
