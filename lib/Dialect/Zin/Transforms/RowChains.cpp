//===- RowChains.cpp - Where values of a chain of tasks lie ---------------===//
//
// A value that only the chain has lives in L2, a block at a time. A result that
// others read as well is written to memory; where the chain reads it, too, and
// one task computed all that is read, a block of it lies in L2 and is copied to
// memory from there. What comes from outside and is read by several tasks is
// copied to L2 first; of what one task reads in several passes its tile holds
// all rows of the block.
//
//===----------------------------------------------------------------------===//

#include "RowBlocks.h"
#include "TaskTraffic.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Channels of a buffer: from the first to the last, so many apart.
struct Channels {
  int64_t first, last, step;

  Channels(ViewAttr view, int64_t plane)
      : first(view.getOffset() / plane),
        step(view.getChannels() > 1 ? view.getPlaneStride() / plane : 1) {
    last = first + (view.getChannels() - 1) * step;
  }
};

/// Whether all elements of `part` are elements of `whole`, both being rows of a
/// buffer with planes of so many bytes.
bool contains(ViewAttr whole, ViewAttr part, int64_t plane) {
  Channels outer(whole, plane), inner(part, plane);
  int64_t column = whole.getOffset() % plane;
  int64_t partColumn = part.getOffset() % plane;
  return inner.first >= outer.first && inner.last <= outer.last &&
         (inner.first - outer.first) % outer.step == 0 &&
         (part.getChannels() == 1 || inner.step % outer.step == 0) &&
         partColumn >= column &&
         partColumn + part.getColumns() * elementBytes <=
             column + whole.getColumns() * elementBytes;
}

} // namespace

class RowBlocks::ChainBuilder {
public:
  ChainBuilder(RowBlocks &rows, size_t begin, size_t end)
      : rows(rows), results(end - begin) {
    chain.begin = begin;
    chain.end = end;
    chain.places.resize(end - begin);
  }

  Chain build() {
    scan();
    for (size_t index = chain.begin; index < chain.end; ++index)
      placeOperands(index);
    keepResults();
    for (const Read &read : reads)
      placeRead(read);
    for (size_t index = chain.begin; index < chain.end; ++index)
      if (!isInner(rows.tasks[index].result))
        chain.places[index - chain.begin].outer =
            rows.bufferMarks[rows.tasks[index].result.buffer].slot;
    for (const Slot &slot : chain.slots)
      if (slot.kind == Slot::kept || slot.kind == Slot::staged)
        chain.fixedBytes += rows.copyBytes(slot.view);
    chain.sharesRows = sharesRows();
    findOverwrites();
    widenSlots();
    chain.hasLastingSlot = llvm::any_of(
        chain.slots, [&](const Slot &slot) { return chain.lasts(slot); });
    chain.around = bytesAround();
    findLeastTraffic();
    clear();
    return std::move(chain);
  }

private:
  static constexpr size_t nobody = BufferMarks::nobody;

  /// A result of the chain that others need as well.
  struct Result {
    size_t previous = nobody; ///< the task before that writes the buffer
    int64_t readBytes = 0;    ///< for each row, by tasks that need no more
    unsigned slot = Places::none;
  };
  /// A source that the chain computes and others need as well.
  struct Read {
    size_t task;
    const Operand *source;
    size_t writer; ///< of all of it, or nobody
    unsigned Places::*place;
  };

  bool isInner(const Operand &operand) const {
    return rows.buffers[operand.buffer].isWithin(chain.begin, chain.end);
  }

  ViewAttr layoutOf(const Operand &operand) const {
    return BufferOp(rows.buffers[operand.buffer].op).getLayout();
  }

  unsigned slotFor(unsigned &mark, Slot::Kind kind, ViewAttr view,
                   const Operand &operand, size_t first, size_t last) {
    if (mark == Places::none) {
      mark = chain.slots.size();
      chain.slots.push_back({kind, view, operand.buffer, first, first,
                             /*outlasts=*/false, bytesOf(view) / view.getRows(),
                             rows.l2RowBytes(view)});
    }
    chain.slots[mark].last = std::max(chain.slots[mark].last, last);
    return mark;
  }

  /// Notes who writes and how often something is read.
  void scan() {
    for (size_t index = chain.begin; index < chain.end; ++index) {
      const Task &task = rows.tasks[index];
      size_t &writer = rows.bufferMarks[task.result.buffer].lastWriter;
      results[index - chain.begin].previous = writer;
      writer = index;
      for (const Operand *source : task.sources())
        ++rows.viewMarks[source->id].reads;
      chain.fixedBytes += rows.target.taskBytes() + task.kernelBytes;
    }
  }

  void clear() {
    for (size_t index = chain.begin; index < chain.end; ++index) {
      const Task &task = rows.tasks[index];
      rows.bufferMarks[task.result.buffer] = {};
      for (const Operand *source : task.sources()) {
        rows.bufferMarks[source->buffer] = {};
        rows.viewMarks[source->id] = {};
      }
    }
  }

  /// Values that only the chain has, and sources that it has not computed.
  void placeOperands(size_t index) {
    const Task &task = rows.tasks[index];
    Places &places = chain.places[index - chain.begin];
    if (isInner(task.result))
      places.result = innerSlot(task.result, index);
    placeSource(index, task.source1, task.passes, &Places::source1);
    if (task.source2)
      placeSource(index, *task.source2, 1, &Places::source2);
  }

  unsigned innerSlot(const Operand &operand, size_t task) {
    return slotFor(rows.bufferMarks[operand.buffer].slot, Slot::inner,
                   layoutOf(operand), operand, task, task);
  }

  void placeSource(size_t task, const Operand &source, int64_t times,
                   unsigned Places::*place) {
    unsigned &slot = chain.places[task - chain.begin].*place;
    if (isInner(source)) {
      slot = innerSlot(source, task);
      return;
    }
    auto [isComputed, writer] = writerOf(source);
    if (isComputed) {
      reads.push_back({task, &source, writer, place});
      if (writer != nobody)
        results[writer - chain.begin].readBytes += source.rowBytes * times;
      return;
    }
    if (rows.buffers[source.buffer].staysInL2)
      return;
    ViewMarks &mark = rows.viewMarks[source.id];
    if (mark.reads > 1 && rows.canCopy(source.view))
      slot = slotFor(mark.slot, Slot::staged, source.view, source, chain.begin,
                     task);
    else if (mark.reads == 1 && times > 1)
      slot = slotFor(mark.slot, Slot::tiled, source.view, source, task, task);
  }

  /// Whether the chain computes something of a source, and the task that
  /// computes all of it.
  std::pair<bool, size_t> writerOf(const Operand &source) const {
    int64_t plane = layoutOf(source).getPlaneStride();
    Channels wanted(source.view, plane);
    bool isComputed = false;
    for (size_t index = rows.bufferMarks[source.buffer].lastWriter;
         index != nobody; index = results[index - chain.begin].previous) {
      ViewAttr written = rows.tasks[index].result.view;
      Channels present(written, plane);
      if (present.last < wanted.first || wanted.last < present.first)
        continue;
      if (contains(written, source.view, plane))
        return {true, index};
      isComputed = true;
    }
    return {isComputed, nobody};
  }

  /// A result is kept if a block of the least height takes longer to read from
  /// memory than a task to copy it there.
  void keepResults() {
    for (auto [index, result] : llvm::enumerate(results)) {
      size_t task = chain.begin + index;
      const Operand &operand = rows.tasks[task].result;
      if (result.readBytes * leastRows > rows.target.taskBytes() &&
          !rows.buffers[operand.buffer].staysInL2 && rows.canCopy(operand.view))
        chain.places[index].result =
            slotFor(result.slot, Slot::kept, operand.view, operand, task, task);
    }
  }

  void placeRead(const Read &read) {
    unsigned &slot = chain.places[read.task - chain.begin].*read.place;
    if (read.writer != nobody &&
        results[read.writer - chain.begin].slot != Places::none)
      slot = slotFor(results[read.writer - chain.begin].slot, Slot::kept,
                     read.source->view, *read.source, read.writer, read.task);
    else
      slot =
          slotFor(rows.bufferMarks[read.source->buffer].slot, Slot::outer,
                  layoutOf(*read.source), *read.source, read.task, read.task);
  }

  bool sharesRows() const {
    for (size_t index = chain.begin; index < chain.end; ++index) {
      const Task &task = rows.tasks[index];
      unsigned slot = chain.places[index - chain.begin].source1;
      if (slot != Places::none && task.cut->window > task.cut->stride &&
          chain.slots[slot].kind != Slot::staged &&
          chain.slots[slot].kind != Slot::tiled)
        return true;
    }
    return false;
  }

  /// As zin-place-l2 does it.
  void findOverwrites() {
    SmallVector<bool> isTaken(chain.slots.size());
    for (size_t index = chain.begin; index < chain.end; ++index) {
      const Task &task = rows.tasks[index];
      const Places &places = chain.places[index - chain.begin];
      unsigned young = places.result;
      if (young == Places::none || chain.slots[young].first != index)
        continue;
      for (auto [source, old] : llvm::zip(task.sources(), places.sources()))
        if (old != Places::none && !isTaken[old] &&
            mayOverwrite(index, *source, chain.slots[young],
                         chain.slots[old])) {
          isTaken[old] = true;
          chain.overwrites.push_back({young, old});
          break;
        }
    }
  }

  bool mayOverwrite(size_t task, const Operand &source, const Slot &young,
                    const Slot &old) const {
    if ((old.kind != Slot::inner && old.kind != Slot::staged) ||
        old.last != task || old.l2RowBytes != young.l2RowBytes ||
        source.rowBytes != old.rowBytes ||
        !canOverwrite(rows.tasks[task].op, source.view))
      return false;
    // The task before may still read.
    return task == chain.begin || !rows.tasks[task - 1].meetsNext ||
           llvm::none_of(rows.tasks[task - 1].sources(),
                         [&](const Operand *other) {
                           return other->buffer == source.buffer;
                         });
  }

  /// As zin-place-l2 does it. Copies to L2 come in front of a block, one of the
  /// last result to memory behind it; the neural engine makes them.
  void widenSlots() {
    auto isPlanar = [&](size_t task) {
      return bool(TaskOp(rows.tasks[task].op).getPE());
    };
    auto isOf = [](Slot::Kind kind) {
      return [kind](const Slot &slot) { return slot.kind == kind; };
    };
    chain.beginsWithCopies = llvm::any_of(chain.slots, isOf(Slot::staged));
    unsigned last = chain.places.back().result;
    bool endsWithCopy =
        last != Places::none && isOf(Slot::kept)(chain.slots[last]);
    bool beginsPlanar = !chain.beginsWithCopies && isPlanar(chain.begin);
    bool endsPlanar = !endsWithCopy && isPlanar(chain.end - 1);
    for (Slot &slot : chain.slots) {
      slot.outlasts = beginsPlanar != endsPlanar && slot.last + 1 == chain.end;
      if (slot.last + 1 < chain.end && rows.tasks[slot.last].meetsNext)
        ++slot.last;
      if (slot.first > chain.begin && rows.tasks[slot.first - 1].meetsNext)
        --slot.first;
    }
  }

  /// Values around a chain that stay in L2 take their place there, but for
  /// those that would lie there for long: zin-place-l2 takes them last.
  int64_t bytesAround() const {
    int64_t bytes = 0;
    for (unsigned index : rows.near) {
      const Buffer &buffer = rows.buffers[index];
      if (buffer.first < chain.end && buffer.last >= chain.begin &&
          !buffer.isWithin(chain.begin, chain.end) &&
          buffer.last - buffer.first <= chain.end - chain.begin)
        bytes += buffer.bytes;
    }
    return bytes;
  }

  /// What moves however the chain is cut: each result that others need, and
  /// each row that comes from outside, once.
  void findLeastTraffic() {
    for (size_t index = chain.begin; index < chain.end; ++index) {
      const Task &task = rows.tasks[index];
      const Places &places = chain.places[index - chain.begin];
      chain.leastBytes += rows.accessBytes(task, task.result.rows);
      auto isNear = [&](const Operand &operand) {
        return rows.buffers[operand.buffer].staysInL2;
      };
      if (!isInner(task.result)) {
        chain.leastOuterRows = std::min(chain.leastOuterRows, task.result.rows);
        if (!isNear(task.result))
          chain.leastBytes += task.result.rowBytes * task.result.rows;
      }
      bool skipsRows = task.cut->window < task.cut->stride;
      chain.skipsRows |= skipsRows;
      for (auto [source, slot] : llvm::zip(task.sources(), places.sources()))
        if (slot == Places::none && !skipsRows && !isNear(*source))
          chain.leastBytes +=
              source->rowBytes *
              task.sourceRows(*source, {0, task.result.rows}).size();
    }
  }

  RowBlocks &rows;
  Chain chain;
  SmallVector<Result> results;
  SmallVector<Read> reads;
};

RowBlocks::Chain RowBlocks::chainOf(size_t begin, size_t end) {
  return ChainBuilder(*this, begin, end).build();
}
