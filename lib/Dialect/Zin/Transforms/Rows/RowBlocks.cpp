//===- RowBlocks.cpp - Tasks on blocks of rows ----------------------------===//

#include "Rows/RowBlocks.h"
#include "ane/Dialect/Zin/IR/L2Place.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include <algorithm>

using namespace mlir;
using namespace ane;
using namespace ane::zin;

void RowRange::include(RowRange other) {
  if (other.size() <= 0)
    return;
  if (size() <= 0) {
    *this = other;
    return;
  }
  begin = std::min(begin, other.begin);
  end = std::max(end, other.end);
}

RowRange RowBlocks::Task::sourceRows(const Operand &source,
                                     RowRange result) const {
  if (result.size() <= 0)
    return {};
  if (source.isRepeated)
    return {0, source.rows};
  return {std::max<int64_t>(result.begin * cut->stride - cut->padding, 0),
          std::min((result.end - 1) * cut->stride - cut->padding + cut->window,
                   source.rows)};
}

RowRange RowBlocks::Task::seeing(RowRange rows) const {
  // The first row and the last one that see the source.
  int64_t first =
      llvm::divideCeilSigned(cut->padding - cut->window + 1, cut->stride);
  int64_t last =
      llvm::divideFloorSigned(source1.rows - 1 + cut->padding, cut->stride);
  return {std::max<int64_t>(std::min(rows.begin, last), 0),
          std::min(std::max(rows.end, first + 1), result.rows)};
}

int64_t RowBlocks::l2RowBytes(ViewAttr view) const {
  return target.l2ChannelBytes(view.getColumns()) * view.getChannels();
}

/// Whether the rows of a view are all rows of its buffer, in order, or one of
/// `turns` that share them.
bool RowBlocks::isRowView(ViewAttr view, const Buffer &buffer,
                          int64_t turns) const {
  ViewAttr layout = buffer.layout;
  return layout.getGroups() == 1 && layout.getDepth() == 1 &&
         view.getGroups() == 1 && view.getDepth() == 1 &&
         layout.getOffset() == 0 && layout.getRowStride() > 0 &&
         view.getRows() * turns == layout.getRows() &&
         view.getRowStride() == layout.getRowStride() * turns &&
         layout.getPlaneStride() == layout.getRowStride() * layout.getRows() &&
         (view.getChannels() == 1 ||
          (view.getPlaneStride() > 0 &&
           view.getPlaneStride() % layout.getPlaneStride() == 0)) &&
         view.getOffset() % layout.getPlaneStride() <
             layout.getRowStride() * turns &&
         view.getOffset() % layout.getRowStride() +
                 view.getColumns() * elementBytes <=
             layout.getRowStride();
}

std::optional<RowBlocks::Turn> RowBlocks::turnOf(ViewAttr view,
                                                 const Buffer &buffer) const {
  ViewAttr layout = buffer.layout;
  int64_t count = layout.getRows() / view.getRows();
  if (!isRowView(view, buffer, count))
    return std::nullopt;
  int64_t index =
      view.getOffset() % layout.getPlaneStride() / layout.getRowStride();
  SmallVector<int64_t> shape(view.getShape()), strides(view.getStrides());
  shape[H] = layout.getRows();
  strides[H] = layout.getRowStride();
  return Turn{count, index,
              ViewAttr::get(view.getContext(), view.getBuffer(),
                            view.getOffset() - index * layout.getRowStride(),
                            shape, strides, view.getInterleave())};
}

/// Whether rows of a view can be cut where it is no value of the chain.
bool RowBlocks::hasRows(const Operand &operand) {
  ViewAttr view = operand.view;
  return view.getGroups() == 1 && view.getDepth() == 1 &&
         view.getRowStride() > 0 && view.getInterleave() == 1;
}

/// Whether rows are written to an output, which no task reads, where they are
/// no rows: each as several, whose columns are the channels.
/// Some rows of an output are a block of a layer that zin-split-layers has
/// made.
bool RowBlocks::isOutputOfRows(const Operand &result) const {
  const Buffer &buffer = buffers[result.buffer];
  return BufferOp(buffer.op).getKind() == BufferKind::output &&
         hasRows(result) &&
         result.view.getRowStride() != buffer.layout.getRowStride();
}

std::optional<RowBlocks::Cut> RowBlocks::cutOf(const Task &task) const {
  TaskOp op = task.op;
  if (op.getL2Attr() || op.getKernelView() || task.result.rows == 1 ||
      task.result.view.getInterleave() != 1 ||
      !(isRowView(task.result, task.turns) ||
        (isOutputOfRows(task.result) && isRowView(task.source1, 1))))
    return std::nullopt;
  if (NEConfigAttr config = op.getNE()) {
    if (config.getGroups() != 1 || !hasRows(task.source1))
      return std::nullopt;
    // Of a signal that leaves a sixteenth of L2 (assigned) zin-place-l2 keeps
    // what comes, while results go.
    const Buffer &source = buffers[task.source1.buffer];
    if (source.layout.getRows() != BufferOp(source.op).getLayout().getRows() &&
        source.bytes > roomBytes &&
        source.bytes <= target.l2Bytes - target.l2Bytes / 16)
      return std::nullopt;
    return Cut{config.getWindow()[0], config.getStride()[0],
               config.getPadding()[0]};
  }
  PEConfigAttr config = op.getPE();
  auto isCuttable = [&](const Operand *source) {
    return source->isRepeated ||
           (source->rows == task.result.rows && hasRows(*source));
  };
  if (config.getReduce() != PEReduce::none || config.getVectorResult() ||
      !llvm::all_of(task.sources(), isCuttable))
    return std::nullopt;
  return Cut();
}

bool RowBlocks::isWorthCutting(size_t begin, size_t end) const {
  if (tasks[end - 1].isContinued)
    return false;
  if (begin > 0 && tasks[begin - 1].isContinued && tasks[begin - 1].cut &&
      !buffers[tasks[begin - 1].result.buffer].staysInL2)
    return false;
  auto isLarge = [&](const Operand &operand) {
    return buffers[operand.buffer].bytes > target.largeL2Bytes();
  };
  auto touchesLarge = [&](const Task &task) {
    return isLarge(task.source1) || isLarge(task.result) ||
           (task.source2 && isLarge(*task.source2));
  };
  if (!touchesLarge(tasks[begin]))
    return false;
  size_t last = end - 1;
  if (touchesLarge(tasks[last]))
    return true;
  // What goes on with a result, such as an addition to it, does so in blocks
  // where L2 has no room for what is in front, or as much comes behind it.
  while (last > begin && tasks[last - 1].isContinued &&
         !touchesLarge(tasks[last]))
    --last;
  auto hasNoRoom = [&](const Task &task) {
    return buffers[task.result.buffer].bytes > roomBytes;
  };
  return touchesLarge(tasks[last]) &&
         ((end < tasks.size() && touchesLarge(tasks[end])) ||
          std::any_of(tasks.begin() + begin, tasks.begin() + last, hasNoRoom));
}

int64_t RowBlocks::accessBytes(ViewAttr view) const {
  int64_t cycles =
      view.getChannels() *
      llvm::divideCeil(view.getColumns() * elementBytes, target.l2Granule);
  return bytesIn(cycles);
}

int64_t RowBlocks::channelAccesses(ViewAttr view, int64_t rows) const {
  // As zin-place-l2 spreads channels that share banks.
  int64_t distance = target.l2ChannelBytes(view.getColumns());
  if (leavesBanks(distance))
    distance += target.l2Granule;
  return rows * bankTurns(view.getChannels(), distance);
}

int64_t RowBlocks::copyBytes(ViewAttr view, int64_t rows) const {
  int64_t access = accessBytes(view);
  if (copiesChannelsAsRows(view, rows))
    access = access * channelAccesses(view, rows) / view.getChannels();
  return target.taskBytes() + 2 * access;
}

/// As zin-place-l2 does it.
bool RowBlocks::keepsSource(const Task &task) const {
  const Buffer &result = buffers[task.result.buffer];
  return bytesInL2(task.source1.view.getShape(), target) +
             (result.staysInL2 ? result.bytes : 0) <=
         roomBytes;
}

bool RowBlocks::findsSource(size_t index) const {
  return index > 0 && index < tasks.size() &&
         tasks[index - 1].source1.id == tasks[index].source1.id &&
         keepsSource(tasks[index]);
}

int64_t RowBlocks::trafficBehind(size_t end) const {
  if (!findsSource(end) || buffers[tasks[end].source1.buffer].staysInL2)
    return 0;
  const Operand &source = tasks[end].source1;
  return source.rowBytes * source.rows;
}

int64_t RowBlocks::trafficAlone(size_t index) const {
  const Task &task = tasks[index];
  int64_t bytes = target.taskBytes() + task.kernelBytes +
                  accessBytes(task, task.result.rows);
  auto move = [&](const Operand &operand, int64_t times) {
    const Buffer &buffer = buffers[operand.buffer];
    if (!buffer.staysInL2)
      bytes += operand.rowBytes * operand.rows * times;
  };
  int64_t times = keepsSource(task) && !buffers[task.source1.buffer].isScratch
                      ? 1
                      : task.passes;
  move(task.source1, findsSource(index) ? 0 : times);
  if (task.source2)
    move(*task.source2, 1);
  move(task.result, 1);
  return bytes;
}

bool RowBlocks::makesRoom(size_t index) const {
  if (index == 0)
    return false;
  const Task &task = tasks[index], &before = tasks[index - 1];
  const Buffer &whole = buffers[task.result.buffer];
  const Buffer &between = buffers[before.result.buffer];
  const Buffer &source = buffers[before.source1.buffer];
  if (!task.cut || !before.cut || task.leastBegin >= index ||
      task.exchangedBytes == 0 || before.exchangedBytes == 0 ||
      whole.numWriters == 1 || !between.isWithin(index - 1, index + 1) ||
      !between.staysInL2 || !source.staysInL2 ||
      task.result.rows < leastRows * roomBlocks)
    return false;
  int64_t bytes = whole.bytes + source.bytes;
  return bytes + between.bytes > target.l2Bytes &&
         bytes + between.bytes / roomBlocks <= roomBytes;
}

bool RowBlocks::canCopy(ViewAttr view) const {
  return view.getChannels() <=
         target.maxTileChannels(view.getColumns(), target.neStreamBytes);
}
