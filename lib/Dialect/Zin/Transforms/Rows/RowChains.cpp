//===- RowChains.cpp - Where values of a chain of tasks lie ---------------===//
//
// A value that only the chain has lives in L2, a block at a time. A result that
// others read as well is written to memory; where the chain reads it, too, and
// one task computed all that is read, a block of it lies in L2 and is copied to
// memory from there. What comes from outside and is read by several tasks is
// copied to L2 first; of what one task reads in several passes its tile holds
// all rows of the block. A value that the chain and others compute parts of may
// be joined in L2: their parts are copied there, its own to memory where others
// need them.
//
//===----------------------------------------------------------------------===//

#include "Rows/RowBlocks.h"
#include "Tasks/TaskTraffic.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "llvm/ADT/MapVector.h"
#include <numeric>

using namespace mlir;
using namespace ane;
using namespace ane::zin;

RowBlocks::Channels::Channels(ViewAttr view, int64_t plane)
    : first(view.getOffset() / plane), last(first),
      column(view.getOffset() % plane) {
  if (view.getChannels() == 1)
    return;
  step = view.getPlaneStride() / plane;
  last = first + (view.getChannels() - 1) * step;
}

bool RowBlocks::covers(const Operand &whole, const Operand &part) {
  const Channels &outer = whole.channels, &inner = part.channels;
  return inner.first >= outer.first && inner.last <= outer.last &&
         (inner.first - outer.first) % outer.step == 0 &&
         (inner.first == inner.last || inner.step % outer.step == 0) &&
         inner.column >= outer.column &&
         inner.column + part.view.getColumns() * elementBytes <=
             outer.column + whole.view.getColumns() * elementBytes;
}

class RowBlocks::ChainBuilder {
public:
  ChainBuilder(RowBlocks &rows, size_t begin, size_t end, bool mayJoin,
               int64_t limit)
      : rows(rows), mayJoin(mayJoin), limit(limit), results(end - begin) {
    chain.begin = begin;
    chain.end = end;
    chain.places.resize(end - begin);
  }

  Chain build() {
    scan();
    findJoined();
    chain.joins = !joined.empty();
    for (size_t index = chain.begin; index < chain.end; ++index)
      placeOperands(index);
    for (const auto &[buffer, views] : joined)
      for (ViewAttr view : views)
        fill(rows.bufferMarks[buffer].slot, view);
    keepResults();
    for (const Read &read : reads)
      placeRead(read);
    for (const Slot &slot : chain.slots)
      if (slot.kind == Slot::Kept || slot.kind == Slot::Staged)
        chain.fixedBytes += rows.copyBytes(slot.view);
    findLeastTraffic();
    // Most chains are looked at no further.
    if (rows.leastTraffic(chain, leastBlocks) < limit)
      findPlaces();
    clear();
    return std::move(chain);
  }

private:
  static constexpr size_t nobody = BufferMarks::nobody;

  void findPlaces() {
    for (size_t index = chain.begin; index < chain.end; ++index)
      findOuter(index);
    chain.sharesRows = sharesRows();
    rows.findOverwrites(chain);
    rows.findPairs(chain);
    chain.hasLastingSlot = llvm::any_of(
        chain.slots, [&](const Slot &slot) { return chain.lasts(slot); });
    chain.beginsWithCopies = llvm::any_of(chain.slots, [](const Slot &slot) {
      return slot.kind == Slot::Staged;
    });
    chain.around = bytesAround();
  }

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
    return rows.buffers[operand.buffer].layout;
  }

  unsigned slotFor(unsigned &mark, Slot::Kind kind, ViewAttr view,
                   const Operand &operand, size_t first, size_t last) {
    if (mark == Places::none) {
      mark = chain.slots.size();
      bool isWhole = view != operand.view;
      chain.slots.push_back(
          {kind, view, operand.buffer, first, first,
           isWhole ? rows.buffers[operand.buffer].rowBytes : operand.rowBytes,
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
    if (isInner(task.result)) {
      places.result = slotForAll(Slot::Inner, task.result, index);
      places.isStored = false;
    } else if (joined.contains(task.result.buffer)) {
      places.result = slotForAll(Slot::Joined, task.result, index);
      places.isStored = isUsedOutside(task.result);
      if (places.isStored)
        chain.fixedBytes += rows.copyBytes(task.result.view);
    }
    placeSource(index, task.source1, task.passes, &Places::source1);
    if (task.source2)
      placeSource(index, *task.source2, 1, &Places::source2);
  }

  /// For rows of a whole buffer.
  unsigned slotForAll(Slot::Kind kind, const Operand &operand, size_t task) {
    return slotFor(rows.bufferMarks[operand.buffer].slot, kind,
                   layoutOf(operand), operand, task, task);
  }

  void fill(unsigned slot, ViewAttr view) {
    chain.fills.push_back({slot, view, bytesOf(view) / view.getRows()});
    chain.fixedBytes += rows.copyBytes(view);
    chain.leastBytes += bytesOf(view);
  }

  void placeSource(size_t task, const Operand &source, int64_t times,
                   unsigned Places::*place) {
    if (source.isRepeated)
      return;
    unsigned &slot = chain.places[task - chain.begin].*place;
    if (isInner(source)) {
      slot = slotForAll(Slot::Inner, source, task);
      return;
    }
    if (joined.contains(source.buffer) && rows.isRowView(source)) {
      slot = slotForAll(Slot::Joined, source, task);
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
      slot = slotFor(mark.slot, Slot::Staged, source.view, source, chain.begin,
                     task);
    else if (mark.reads == 1 && times > 1)
      slot = slotFor(mark.slot, Slot::Tiled, source.view, source, task, task);
  }

  /// Whether the chain computes something of a source, and the task that
  /// computes all of it.
  std::pair<bool, size_t> writerOf(const Operand &source) const {
    size_t last = rows.bufferMarks[source.buffer].lastWriter;
    if (last == nobody)
      return {false, nobody};
    const Channels &wanted = source.channels;
    bool isComputed = false;
    for (size_t index = last; index != nobody;
         index = results[index - chain.begin].previous) {
      const Operand &written = rows.tasks[index].result;
      const Channels &present = written.channels;
      if (present.last < wanted.first || wanted.last < present.first)
        continue;
      if (rows.tasks[index].turns == 1 && covers(written, source))
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
            slotFor(result.slot, Slot::Kept, operand.view, operand, task, task);
    }
  }

  /// Buffers that the chain and others compute parts of and whose rows it
  /// reads, and the parts of others.
  void findJoined() {
    for (size_t index = chain.begin; index < chain.end; ++index)
      for (const Operand *source : rows.tasks[index].sources()) {
        const Buffer &buffer = rows.buffers[source->buffer];
        if (isInner(*source) || !buffer.isScratch || buffer.staysInL2 ||
            buffer.uses.empty() || joined.contains(source->buffer) ||
            writerOf(*source) != std::pair(true, nobody))
          continue;
        chain.canJoin = true;
        if (!mayJoin)
          return;
        if (auto parts = partsOfOthers(*source))
          joined.insert({source->buffer, std::move(*parts)});
      }
  }

  /// Of what others compute and the chain reads, all rows; nothing if these are
  /// no rows or one copy cannot move them.
  std::optional<SmallVector<ViewAttr>>
  partsOfOthers(const Operand &source) const {
    const Buffer &buffer = rows.buffers[source.buffer];
    // The copy moves rows of all turns, so somebody must have computed these.
    struct Turns {
      int64_t count;
      SmallVector<int64_t> computed = {};
    };
    llvm::MapVector<ViewAttr, Turns> parts;
    for (const Use &use : buffer.uses) {
      if (use.task >= chain.begin)
        break;
      if (use.access.role != Access::Result ||
          !isReadHere(source.buffer, use.access.view))
        continue;
      if (!use.turn || !rows.canCopy(use.turn->allRows))
        return std::nullopt;
      Turns &turns =
          parts.try_emplace(use.turn->allRows, Turns{use.turn->count})
              .first->second;
      if (!llvm::is_contained(turns.computed, use.turn->index))
        turns.computed.push_back(use.turn->index);
    }
    SmallVector<ViewAttr> result;
    for (const auto &[part, turns] : parts) {
      if (int64_t(turns.computed.size()) < turns.count)
        return std::nullopt;
      result.push_back(part);
    }
    return result;
  }

  bool isReadHere(unsigned buffer, ViewAttr view) const {
    for (size_t index = chain.begin; index < chain.end; ++index)
      for (const Operand *source : rows.tasks[index].sources())
        if (source->buffer == buffer && mayOverlap(source->view, view))
          return true;
    return false;
  }

  bool isUsedOutside(const Operand &result) const {
    return llvm::any_of(rows.buffers[result.buffer].uses, [&](const Use &use) {
      bool isOutside = use.task < chain.begin || use.task >= chain.end;
      return isOutside && use.access.role != Access::Result &&
             mayOverlap(use.access.view, result.view);
    });
  }

  void placeRead(const Read &read) {
    unsigned &slot = chain.places[read.task - chain.begin].*read.place;
    if (read.writer != nobody &&
        results[read.writer - chain.begin].slot != Places::none)
      slot = slotFor(results[read.writer - chain.begin].slot, Slot::Kept,
                     read.source->view, *read.source, read.writer, read.task);
    else
      slot =
          slotFor(rows.bufferMarks[read.source->buffer].slot, Slot::Outer,
                  layoutOf(*read.source), *read.source, read.task, read.task);
  }

  void findOuter(size_t index) {
    const Task &task = rows.tasks[index];
    Places &places = chain.places[index - chain.begin];
    unsigned whole = rows.bufferMarks[task.result.buffer].slot;
    if (whole != Places::none && chain.slots[whole].kind == Slot::Outer)
      places.outer = whole;
    for (unsigned slot : {places.result, places.outer})
      if (slot != Places::none)
        chain.slots[slot].turns = std::lcm(chain.slots[slot].turns, task.turns);
  }

  bool sharesRows() const {
    for (size_t index = chain.begin; index < chain.end; ++index) {
      const Task &task = rows.tasks[index];
      unsigned slot = chain.places[index - chain.begin].source1;
      if (slot != Places::none && task.cut->window > task.cut->stride &&
          chain.slots[slot].kind != Slot::Staged &&
          chain.slots[slot].kind != Slot::Tiled)
        return true;
    }
    return false;
  }

  /// Values around a chain that stay in L2 take their place there, but for
  /// those that would lie there for long and that the chain has nothing of:
  /// zin-place-l2 takes them last. A residual, which a few layers go around, is
  /// there for up to so many tasks; for the sake of a larger one blocks would
  /// read too many kernels again (both assigned).
  int64_t bytesAround() const {
    constexpr size_t tasksOfResidual = 24;
    int64_t bytesOfResidual = rows.roomBytes / 4;
    int64_t bytes = 0;
    for (unsigned index : rows.near) {
      const Buffer &buffer = rows.buffers[index];
      size_t tasks = buffer.last - buffer.first;
      bool isShort =
          tasks <= chain.end - chain.begin ||
          (tasks <= tasksOfResidual && buffer.bytes <= bytesOfResidual);
      bool isOfChain = buffer.first >= chain.begin || buffer.last < chain.end;
      if (buffer.first < chain.end && buffer.last >= chain.begin &&
          !buffer.isWithin(chain.begin, chain.end) && (isShort || isOfChain))
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
      if (places.isStored) {
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
  bool mayJoin;
  int64_t limit;
  Chain chain;
  SmallVector<Result> results;
  SmallVector<Read> reads;
  /// Buffers whose rows are joined in L2, and what others compute of them.
  llvm::MapVector<unsigned, SmallVector<ViewAttr>> joined;
};

RowBlocks::Chain RowBlocks::chainOf(size_t begin, size_t end, bool mayJoin,
                                    int64_t limit) {
  return ChainBuilder(*this, begin, end, mayJoin, limit).build();
}
