//===- ReadRowTasks.cpp - What is known of tasks and their buffers --------===//

#include "Places/ExchangeRows.h"
#include "Rows/RowBlocks.h"
#include "Tasks/TaskTraffic.h"
#include "ane/Dialect/Zin/IR/VectorPair.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace ane;
using namespace ane::zin;

/// A value of which L2 holds all for so many tasks. Assigned.
static constexpr size_t fewTasks = 8;

namespace {

/// Buffers of one row that all tasks see with the same shorter rows. What reads
/// channels of a signal column by column, as convolutions of one pixel do, has
/// them as an image, which has rows to be cut.
class FoldedRows {
public:
  void note(ViewAttr view, ViewAttr layout) {
    if (layout.getRows() != 1 || layout.getGroups() != 1 ||
        layout.getDepth() != 1 || layout.getInterleave() != 1)
      return;
    auto [seen, isNew] =
        seenAs.try_emplace(layout, Rows{view.getRows(), view.getRowStride()});
    if (!isNew && seen->second != Rows{view.getRows(), view.getRowStride()})
      seen->second.first = 1;
  }

  ViewAttr layoutOf(ViewAttr layout) const {
    auto seen = seenAs.find(layout);
    if (seen == seenAs.end())
      return layout;
    auto [rows, rowStride] = seen->second;
    // They fill the one that is there.
    if (rows == 1 || layout.getColumns() % rows != 0 ||
        layout.getColumns() / rows * elementBytes != rowStride ||
        rows * rowStride != layout.getPlaneStride())
      return layout;
    SmallVector<int64_t> shape(layout.getShape()), strides(layout.getStrides());
    shape[H] = rows;
    shape[W] /= rows;
    strides[H] = rowStride;
    return ViewAttr::get(layout.getContext(), layout.getBuffer(),
                         layout.getOffset(), shape, strides,
                         layout.getInterleave());
  }

private:
  using Rows = std::pair<int64_t, int64_t>; ///< how many, and their distance
  llvm::DenseMap<ViewAttr, Rows> seenAs;    ///< by the layout of the buffer
};

/// The images of a batch that follow each other are channels of one: a task
/// with one of them has rows of those.
ViewAttr withImagesAsChannels(ViewAttr layout) {
  if (layout.getGroups() == 1 || layout.getDepth() != 1 ||
      layout.getInterleave() != 1 ||
      layout.getGroupStride() != layout.getPlaneStride() * layout.getChannels())
    return layout;
  SmallVector<int64_t> shape(layout.getShape()), strides(layout.getStrides());
  shape[C] *= shape[N];
  shape[N] = 1;
  strides[0] *= layout.getGroups();
  strides[1] = strides[0];
  return ViewAttr::get(layout.getContext(), layout.getBuffer(),
                       layout.getOffset(), shape, strides,
                       /*interleave=*/1);
}

} // namespace

/// Reads a program, task by task in its order.
class RowBlocks::TaskReader {
public:
  TaskReader(RowBlocks &all, size_t numTasks) : all(all) {
    // Tables that grow are filled again and again. Few tasks share a result.
    indexOf.reserve(numTasks);
    idOf.reserve(numTasks);
    all.leastSums.reserve(numTasks + 1);
  }

  void read(TaskOp op);
  /// When all tasks have been read.
  void finish();

private:
  Operand operandOf(ViewAttr view);
  void addCosts(Task &task) const;
  void findUses() const;

  RowBlocks &all;
  llvm::DenseMap<StringAttr, unsigned> indexOf; ///< of buffers, by their names
  llvm::DenseMap<ViewAttr, unsigned> idOf;
  FoldedRows folded;
};

RowBlocks::Operand RowBlocks::TaskReader::operandOf(ViewAttr view) {
  StringAttr name = view.getBuffer().getAttr();
  size_t task = all.tasks.size();
  auto [entry, isNew] = indexOf.try_emplace(name, all.buffers.size());
  if (isNew) {
    auto buffer = all.symbols.lookup<BufferOp>(name);
    all.buffers.push_back({buffer, task, task});
    all.buffers.back().layout = buffer.getLayout();
  }
  Buffer &buffer = all.buffers[entry->second];
  buffer.last = task;
  folded.note(view, buffer.layout);
  unsigned id = idOf.try_emplace(view, idOf.size()).first->second;
  return Operand{
      view,
      entry->second,
      id,
      view.getRows(),
      bytesOf(view) / view.getRows(),
      Channels(view, std::max<int64_t>(buffer.layout.getPlaneStride(), 1)),
      /*isRepeated=*/false};
}

void RowBlocks::TaskReader::addCosts(Task &task) const {
  task.passes = passesOf(task.op, all.symbols);
  task.kernelBytes = kernelBytesOf(task.op, all.symbols);
  task.accessBytes = all.accessBytes(task.result.view);
  if (task.kernelBytes != 0) {
    task.accessBytes += all.accessBytes(task.source1.view) * task.passes;
    ViewAttr result = task.result.view;
    int64_t outputs = result.getChannels();
    int64_t taps = task.kernelBytes / elementBytes / outputs;
    task.productBytes = all.bytesIn(all.target.productCycles(
        taps * llvm::alignTo(outputs, all.target.neuralEngines) *
        result.getColumns()));
    return;
  }
  for (const Operand *source : task.sources())
    task.accessBytes += all.accessBytes(source->view);
  if (canExchangeRows(task.op, all.symbols))
    task.exchangedBytes = task.accessBytes *
                          all.channelAccesses(task.result.view, 1) /
                          task.result.view.getChannels();
}

void RowBlocks::TaskReader::read(TaskOp op) {
  Task task = {op, operandOf(op.getResult()), operandOf(op.getSource1())};
  if (std::optional<ViewAttr> second = op.getSource2())
    task.source2 = operandOf(*second);
  auto repeat = [&](Operand &source) {
    source.isRepeated = source.rows == 1 && task.result.rows > 1;
  };
  if (op.getPE()) {
    repeat(task.source1);
    if (task.source2)
      repeat(*task.source2);
    // Of two rows of a result it is one by its columns.
    if (hasVectorPair(op) && !op.getPE().getVector2() &&
        task.result.view.getColumns() > 1)
      task.source2->isRepeated = true;
  }
  if (std::optional<ViewAttr> kernel = op.getKernelView())
    operandOf(*kernel);
  addCosts(task);
  ++all.buffers[task.result.buffer].numWriters;
  all.leastSums.push_back(all.leastSums.back() +
                          2 * (all.target.taskBytes() + task.kernelBytes) +
                          all.accessBytes(task, task.result.rows));
  all.tasks.push_back(task);
}

void RowBlocks::TaskReader::findUses() const {
  auto isShared = [](const Buffer &buffer) { return buffer.numWriters > 1; };
  if (llvm::none_of(all.buffers, isShared))
    return;
  for (auto [index, task] : llvm::enumerate(all.tasks))
    for (const Access &access : TaskOp(task.op).getAccesses())
      if (Buffer &buffer = all.buffers[indexOf.at(access.buffer())];
          isShared(buffer))
        buffer.uses.push_back({index, access,
                               access.role == Access::Result
                                   ? all.turnOf(access.view, buffer)
                                   : std::nullopt});
}

void RowBlocks::TaskReader::finish() {
  all.bufferMarks.resize(all.buffers.size());
  all.viewMarks.resize(idOf.size());
  for (Buffer &buffer : all.buffers) {
    buffer.layout = withImagesAsChannels(folded.layoutOf(buffer.layout));
    buffer.bytes = bytesInL2(buffer.layout.getShape(), all.target);
    buffer.rowBytes = bytesOf(buffer.layout) / buffer.layout.getRows();
    buffer.isScratch = buffer.op.getKind() == BufferKind::scratch;
    buffer.staysInL2 =
        buffer.isScratch && buffer.bytes <= all.target.wholeL2Bytes();
  }
  findUses();
}

RowBlocks::RowBlocks(ProgramOp program, SymbolTable &symbols,
                     const TargetDescription &target, int64_t roomBytes,
                     int64_t tileBytes)
    : program(program), target(target), roomBytes(roomBytes),
      tileBytes(tileBytes), symbols(symbols) {
  SmallVector<TaskOp> ops(program.getOps<TaskOp>());
  TaskReader reader(*this, ops.size());
  for (TaskOp op : ops)
    reader.read(op);
  reader.finish();
  findCuts();
  findShortLived();
  for (auto [index, buffer] : llvm::enumerate(buffers))
    if (buffer.staysInL2)
      near.push_back(index);
  findContinued();
}

void RowBlocks::findCuts() {
  // Rows of a block are not the same rows to those whose view is no row view.
  SmallVector<size_t> behindWrites(buffers.size(), 0);
  for (auto [index, task] : llvm::enumerate(tasks)) {
    task.turns = std::max<int64_t>(
        buffers[task.result.buffer].layout.getRows() / task.result.rows, 1);
    if (!isRowView(task.result, task.turns))
      task.turns = 1;
    task.cut = cutOf(task);
    for (const Operand *source : task.sources())
      if (!isRowView(*source) || (source->isRepeated && source->rows > 1))
        task.leastBegin =
            std::max(task.leastBegin, behindWrites[source->buffer]);
    behindWrites[task.result.buffer] = index + 1;
  }
}

void RowBlocks::findShortLived() {
  // What has a place for longer saves less with it, and gives way.
  auto isShortLived = [&](const Buffer &buffer) {
    return buffer.isScratch && buffer.bytes <= roomBytes &&
           buffer.last - buffer.first <= fewTasks;
  };
  auto isWrittenWhole = [&](const Buffer &buffer) {
    return isShortLived(buffer) && !buffer.staysInL2 &&
           !tasks[buffer.first].cut;
  };
  if (llvm::none_of(buffers, isWrittenWhole))
    return;
  // What is alive at each task, beside what it may write over.
  SmallVector<int64_t> alive(tasks.size() + 1, 0);
  for (const Buffer &buffer : buffers)
    if (isShortLived(buffer)) {
      alive[buffer.first] += buffer.bytes;
      alive[buffer.last + 1] -= buffer.bytes;
    }
  std::partial_sum(alive.begin(), alive.end(), alive.begin());
  SmallVector<const Buffer *> overwritten(tasks.size(), nullptr);
  for (auto [index, task] : llvm::enumerate(tasks)) {
    const Buffer &young = buffers[task.result.buffer];
    for (const Operand *source : task.sources()) {
      const Buffer &old = buffers[source->buffer];
      if (!overwritten[index] && isShortLived(old) && isShortLived(young) &&
          old.last == index && young.first == index &&
          canOverwrite(task.op, source->view)) {
        alive[index] -= std::min(old.bytes, young.bytes);
        overwritten[index] = &old;
      }
    }
  }
  for (auto [index, task] : llvm::enumerate(tasks)) {
    Buffer &buffer = buffers[task.result.buffer];
    if (buffer.first != index || buffer.staysInL2 || !isShortLived(buffer))
      continue;
    const Buffer *old = overwritten[index];
    buffer.staysInL2 =
        (!task.cut || (old && old->staysInL2)) &&
        *std::max_element(alive.begin() + buffer.first,
                          alive.begin() + buffer.last + 1) <= roomBytes;
  }
}

void RowBlocks::findContinued() {
  for (size_t index = 0; index + 1 < tasks.size(); ++index) {
    Task &task = tasks[index], &next = tasks[index + 1];
    task.isContinued = next.cut && next.leastBegin <= index &&
                       canOverwrite(next.op, next.source1.view) &&
                       llvm::any_of(next.sources(), [&](const Operand *source) {
                         return source->buffer == task.result.buffer;
                       });
  }
}
