//===- RowBlocks.h - Tasks on blocks of rows --------------------*- C++ -*-===//
//
// A task that computes rows of its result from some rows of its sources can be
// cut into tasks that compute a block of rows each. A chain of such tasks that
// runs block by block needs only blocks of the values in between, and rows
// above and below them where windows overlap. Those are computed again for each
// block, or held: a block then computes what no block before it has, and the
// last rows of a value, which the next block needs again, wait for it in L2.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_ROWS_ROWBLOCKS_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_ROWS_ROWBLOCKS_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Target/Target.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <deque>
#include <limits>

namespace ane::zin {

/// Rows [begin, end).
struct RowRange {
  int64_t begin = 0, end = 0;
  int64_t size() const { return end - begin; }
  bool operator==(const RowRange &) const = default;
  void include(RowRange other);
};

class RowBlocks {
public:
  /// Where rows lie that a chain has for one block.
  struct Slot {
    enum Kind {
      Inner,  ///< a value that only the chain has, in L2
      Kept,   ///< a result for others, too: in L2, and copied from there
      Joined, ///< a value that others compute parts of, which are copied to L2
      Staged, ///< a source that several tasks read, copied to L2 first
      Tiled,  ///< a source that one task reads in several passes, from a tile
      Outer   ///< a value in memory that the chain writes and reads
    } kind;
    /// What the rows are of: a whole buffer, a result or a source.
    ViewAttr view;
    unsigned buffer;
    /// Tasks while it lies there.
    size_t first, last;
    int64_t rowBytes;   ///< of its elements
    int64_t l2RowBytes; ///< of L2
    /// Results take turns with so many rows: blocks have all of these or none.
    int64_t turns = 1;

    RowRange whole(RowRange rows) const {
      if (turns == 1) // the usual case, without divisions
        return rows;
      return {rows.begin / turns * turns,
              int64_t(llvm::alignTo(rows.end, turns))};
    }
  };
  /// Slots of the operands of a task, or `none`: rows of the operand itself.
  struct Places {
    static constexpr unsigned none = ~0u;
    unsigned result = none, source1 = none, source2 = none;
    /// The slot of the result's buffer whose rows have to be in memory.
    unsigned outer = none;
    /// Whether others need the result in memory.
    bool isStored = true;

    std::array<unsigned, 2> sources() const { return {source1, source2}; }
  };
  /// A slot, or a part of it, that a task may write over what it reads last.
  struct Overwrite {
    unsigned young, old;
    size_t task;
    bool isPart;
  };
  /// What is copied from memory to a slot before a block uses it.
  struct Fill {
    unsigned slot;
    ViewAttr view;
    int64_t rowBytes; ///< of its elements
  };
  /// Tasks [begin, end) and what lies where while they run block by block.
  struct Chain {
    size_t begin = 0, end = 0;
    llvm::SmallVector<Slot> slots;
    llvm::SmallVector<Fill> fills;
    llvm::SmallVector<Places> places; ///< of each task
    llvm::SmallVector<Overwrite> overwrites;
    /// Tasks whose result the next one alone reads, both element by element: a
    /// few rows of it may be there at a time.
    llvm::SmallVector<size_t> pairs;
    int64_t around = 0;     ///< bytes of L2 for other values
    int64_t fixedBytes = 0; ///< of DMA, for each block
    int64_t leastBytes = 0; ///< of DMA beside those, in all blocks together
    /// Of the results that others need as well, of the one that has fewest.
    int64_t leastOuterRows = std::numeric_limits<int64_t>::max();
    /// Whether blocks need some of the same rows of what the chain computes.
    bool sharesRows = false;
    /// Whether they leave out rows between those that they need.
    bool skipsRows = false;
    /// Whether a block begins with copies to L2.
    bool beginsWithCopies = false;
    /// Whether the chain uses a slot all of the time.
    bool hasLastingSlot = false;
    /// Whether values that it shares in parts might be joined in L2, or are.
    bool canJoin = false, joins = false;

    bool lasts(const Slot &slot) const {
      return slot.first == begin && slot.last + 1 == end;
    }
  };
  /// How a chain is cut.
  struct Blocks {
    int64_t count = 1;
    /// What happens to rows that two blocks need.
    enum Sharing {
      Computed, ///< again for each
      Copied,   ///< from slot to slot where these are in use all of the time
      Waiting   ///< in a buffer of their own, so that the slot need not
    } sharing = Computed;

    bool holdsRows() const { return sharing != Computed; }
  };

  /// Buffers that are made or erased are in `symbols`, those of the program,
  /// and go from there. Values of a few tasks may take `roomBytes` of L2, and
  /// `tileBytes` more where no task meanwhile has tiles.
  RowBlocks(ProgramOp program, mlir::SymbolTable &symbols,
            const TargetDescription &target, int64_t roomBytes,
            int64_t tileBytes);

  size_t size() const { return tasks.size(); }

  /// Whether the rows of a task can be cut.
  bool canCut(size_t task) const { return tasks[task].cut.has_value(); }
  /// Whether a value between tasks is larger than what stays in L2.
  bool hasLarge() const {
    return llvm::any_of(buffers, [](const Buffer &buffer) {
      return buffer.isScratch && !buffer.staysInL2;
    });
  }
  /// The first task that can be in a chain with this one.
  size_t leastBegin(size_t task) const { return tasks[task].leastBegin; }
  /// Whether tasks [begin, end) begin and end with what moves something large,
  /// and the next one does not go on element by element: it had better be among
  /// them. Nor does the first one go on so with what is in memory, if the task
  /// that wrote it could be among them.
  bool isWorthCutting(size_t begin, size_t end) const;
  /// What tasks [begin, end) move at least in two blocks or more, whatever lies
  /// in L2.
  int64_t leastTraffic(size_t begin, size_t end) const {
    return leastSums[end] - leastSums[begin];
  }
  /// Estimated bytes of DMA of a task as it is, where what fits L2 stays there.
  int64_t trafficAlone(size_t task) const;
  /// What of that of the task behind a chain comes from memory after all,
  /// because its source is what the chain had a block of.
  int64_t trafficBehind(size_t end) const;
  /// Whether what a task and the one before compute element by element has room
  /// in L2 with all of the buffer that it is a part of, if what the one before
  /// leaves for it is there a block at a time.
  bool makesRoom(size_t task) const;
  /// So many blocks. Assigned.
  static constexpr int64_t roomBlocks = 4;
  /// Values that others compute parts of are joined in L2 if `mayJoin`. Of a
  /// chain that moves `limit` or more anyway only that is known, and whether it
  /// could join values.
  Chain chainOf(size_t begin, size_t end, bool mayJoin,
                int64_t limit = std::numeric_limits<int64_t>::max());
  /// Blocks that a chain is cut into at least.
  static constexpr int64_t leastBlocks = 2;
  /// What so many blocks of a chain move at least.
  int64_t leastTraffic(const Chain &chain, int64_t count) const {
    return chain.fixedBytes * count + chain.leastBytes;
  }
  /// The number of blocks below which L2 has no room for all of them.
  int64_t leastCount(const Chain &chain);
  /// What blocks of a chain move.
  struct Estimate {
    int64_t bytes; ///< of DMA, or `tooMuch` if they are not below the limit
    /// Where blocks of all values at a time do not fit, a number of them below
    /// which they do not either; or 0.
    int64_t leastCount;
  };
  static constexpr int64_t tooMuch = std::numeric_limits<int64_t>::max();
  Estimate estimate(const Chain &chain, Blocks blocks, int64_t limit);
  /// Puts the tasks of a chain, block by block, in place of its tasks.
  void rewrite(const Chain &chain, Blocks blocks);
  /// Removes buffers that no task has any more.
  void eraseUnused();

private:
  /// Rows that a block has at least: starting tasks for fewer takes longer than
  /// they save. Assigned.
  static constexpr int64_t leastRows = 2;

  /// How result rows follow from source rows.
  struct Cut {
    int64_t window = 1, stride = 1, padding = 0;
  };
  /// Channels of a buffer, from the first to the last, so many apart, and where
  /// in a plane of it their rows begin.
  struct Channels {
    int64_t first, last, step = 1, column;

    Channels(ViewAttr view, int64_t plane);
  };
  struct Operand {
    ViewAttr view;
    unsigned buffer = 0;
    unsigned id = 0; ///< the same for equal views
    int64_t rows = 0;
    int64_t rowBytes = 0;
    Channels channels;
    /// One row for all of the result, or a pair of vectors.
    bool isRepeated = false;
  };
  /// One or two; asked for so often that a vector of them takes long.
  struct Sources {
    std::array<const Operand *, 2> list;
    unsigned count;

    const Operand *const *begin() const { return list.data(); }
    const Operand *const *end() const { return list.data() + count; }
  };
  struct Task {
    TaskOp op;
    Operand result, source1;
    std::optional<Operand> source2 = std::nullopt;
    int64_t turns = 1; ///< results that take turns with the rows of a buffer
    int64_t passes = 1;
    int64_t kernelBytes = 0;
    int64_t accessBytes = 0; ///< see RowBlocks::accessBytes
    /// The same for what the products of a row take, during which L2 is
    /// accessed.
    int64_t productBytes = 0;
    /// The same for each row with the channels for rows, 0 if it may not be.
    int64_t exchangedBytes = 0;
    /// The next one, which can be cut as well, goes on element by element.
    bool isContinued = false;
    size_t leastBegin = 0; ///< of a chain that has it
    std::optional<Cut> cut = std::nullopt;

    Sources sources() const {
      return {{&source1, source2 ? &*source2 : nullptr}, source2 ? 2u : 1u};
    }
    RowRange sourceRows(const Operand &source, RowRange result) const;
    /// Rows that see padding alone, and those up to the next one that sees a
    /// row of the source.
    RowRange seeing(RowRange rows) const;
    /// Rows of the buffer between the first and the last of the turns that rows
    /// of the result are of, and the other way.
    RowRange inBuffer(RowRange result) const {
      return {result.begin * turns, result.end * turns};
    }
    RowRange ofBuffer(RowRange rows) const {
      if (turns == 1)
        return rows;
      return {rows.begin / turns, rows.end / turns};
    }
  };
  /// Which of the rows of a buffer a result is: of so many that follow each
  /// other one, and all of them.
  struct Turn {
    int64_t count = 1, index = 0;
    ViewAttr allRows;
  };
  struct Use {
    size_t task;
    Access access;
    std::optional<Turn> turn; ///< of a result whose rows are such rows
  };
  struct Buffer {
    BufferOp op;
    size_t first = 0, last = 0; ///< tasks that have it
    size_t numWriters = 0;
    llvm::SmallVector<Use, 0> uses = {}; ///< if several tasks write it
    /// Where it has one row, but all tasks see the same shorter ones: with
    /// those.
    ViewAttr layout = {};
    int64_t bytes = 0;      ///< in L2
    int64_t rowBytes = 0;   ///< of its elements
    bool staysInL2 = false; ///< probably, as a whole
    bool isScratch = false;

    bool isWithin(size_t begin, size_t end) const {
      return isScratch && first >= begin && last < end;
    }
  };
  /// Rows for one block.
  struct Block {
    llvm::SmallVector<RowRange> results; ///< of each task
    llvm::SmallVector<RowRange> stored;  ///< of those, the ones in memory
    llvm::SmallVector<RowRange> slots;
    /// Of each task, what a block before has computed and this one needs.
    llvm::SmallVector<RowRange> held;
    /// Whether a task sees padding alone: it would have no source.
    bool seesNothing = false;
  };
  /// Rows that a block takes over from the one before it: of all channels of a
  /// slot, or of those that one task computes.
  struct HeldRows {
    unsigned slot;
    ViewAttr view;
    RowRange rows;
    bool waits; ///< in a buffer of their own
  };
  /// What the chain that is being built has of a buffer and of a view; see
  /// RowChains.cpp.
  struct BufferMarks {
    static constexpr size_t nobody = ~size_t(0);
    unsigned slot = Places::none;
    size_t lastWriter = nobody;
  };
  struct ViewMarks {
    unsigned slot = Places::none;
    int64_t reads = 0;
  };
  class TaskReader;
  class ChainBuilder;
  class BlockEmitter;
  class Planner;

  /// How the rows of each task can be cut, and from where on chains can be.
  void findCuts();
  /// Which tasks the next one goes on from element by element.
  void findContinued();
  /// Values of more than half of L2 that a task which cannot be cut writes, and
  /// those written over them, stay there where it holds all that is alive for
  /// the few tasks that have them: blocks of layers are so large.
  void findShortLived();
  /// Whether a task reads its source from where it stays in L2 for all passes.
  bool keepsSource(const Task &task) const;
  /// Whether it finds it there, because the one before has read it.
  bool findsSource(size_t task) const;
  /// Whether all elements of a view of a buffer are elements of another one.
  static bool covers(const Operand &whole, const Operand &part);
  std::optional<Cut> cutOf(const Task &task) const;
  static bool hasRows(const Operand &operand);
  bool isOutputOfRows(const Operand &result) const;
  bool isRowView(ViewAttr view, const Buffer &buffer, int64_t turns = 1) const;
  std::optional<Turn> turnOf(ViewAttr view, const Buffer &buffer) const;
  bool isRowView(const Operand &operand, int64_t turns = 1) const {
    return isRowView(operand.view, buffers[operand.buffer], turns);
  }
  /// Bytes of L2 for a row of all channels of a view.
  int64_t l2RowBytes(ViewAttr view) const;
  /// What it takes to access rows of a view in L2, as many as there are banks,
  /// as bytes of DMA that take as long where memory is as slow as measured. Few
  /// rows take no less.
  int64_t accessBytes(ViewAttr view) const;
  /// Bytes of DMA that take so many cycles there.
  int64_t bytesIn(int64_t cycles) const {
    return cycles * target.fittedMegabytesPerSecond / target.clockMegahertz;
  }
  /// The same for all of so many rows of the operands of a task.
  int64_t accessBytes(const Task &task, int64_t rows) const {
    int64_t bytes = task.accessBytes * llvm::divideCeil(rows, target.l2Banks);
    if (task.exchangedBytes != 0)
      return std::min(bytes, task.exchangedBytes * rows);
    return std::max<int64_t>(bytes - task.productBytes * rows, 0);
  }
  /// What a copy of a few rows of a view costs beside bytes of DMA.
  int64_t copyBytes(ViewAttr view) const {
    return target.taskBytes() + 2 * accessBytes(view);
  }
  /// The same of so many.
  int64_t copyBytes(ViewAttr view, int64_t rows) const;
  /// Times that so many rows of a view, one after the other, are accessed if
  /// their channels are accessed together as far as these lie in different
  /// banks.
  int64_t channelAccesses(ViewAttr view, int64_t rows) const;
  /// Whether a copy of so many rows is done sooner so than with the rows of one
  /// channel after the other together.
  bool copiesChannelsAsRows(ViewAttr view, int64_t rows) const {
    return channelAccesses(view, rows) < view.getChannels();
  }
  /// Whether one task can copy rows of a value with all their channels.
  bool canCopy(ViewAttr view) const;
  /// Which tasks may run with the next one a few rows at a time; see
  /// RowPairs.cpp.
  void findPairs(Chain &chain) const;
  bool isPair(const Chain &chain, size_t task) const;
  /// A pair of tasks, the first of which is this one, in parts of a block.
  struct PairParts {
    size_t task;
    int64_t count;
    int64_t savedBytes; ///< of L2
    int64_t costBytes;  ///< of DMA
  };
  /// The fewest parts of a pair that need so many bytes of L2 less, or those
  /// that need least; none if it need not be in parts or cannot.
  std::optional<PairParts> partsOfPair(const Chain &chain, const Block &block,
                                       size_t task, int64_t bytes) const;
  /// Which slots may lie in others; see SlotPlaces.cpp.
  void findOverwrites(Chain &chain) const;
  bool mayOverwrite(size_t task, const Operand &source, const Slot &old) const;
  /// Whether less lies in L2 if a slot that a task reads lies in the one that
  /// it writes a part of: this is there from the first task on that has the
  /// other, beside what that one reads and what the block before has left. Of
  /// both slots the first tasks.
  bool savesAsPart(const Chain &chain, size_t task, size_t young,
                   size_t old) const;
  llvm::SmallVector<HeldRows> heldRows(const Chain &chain, Blocks blocks,
                                       const Block &block) const;
  /// Whether a block has the rows that the next one holds, and they can be
  /// copied.
  bool canTakeOver(const Block &block, const Block &next,
                   llvm::ArrayRef<HeldRows> rows) const;
  /// Whether a block may have the rows of a slot where it has those of another
  /// one, which is written over them: the next block needs none of them.
  static bool liesIn(const Chain &chain, const Block &block,
                     llvm::ArrayRef<HeldRows> next, Overwrite slots);
  /// What lies in L2 beside what changes with each task of a block.
  struct Around {
    int64_t before = 0; ///< what the block before still has there at first
    int64_t staged = 0; ///< what is copied there in front of the first task
  };
  Around findChanges(const Chain &chain, const Block &block,
                     llvm::ArrayRef<HeldRows> held,
                     llvm::ArrayRef<HeldRows> next);
  int64_t copiedBytes(const Chain &chain, const Block &block,
                      llvm::ArrayRef<HeldRows> held) const;
  int64_t streamedBytes(const Chain &chain, const Block &block,
                        size_t index) const;
  struct Cost {
    int64_t bytes = 0; ///< of DMA
    int64_t peak = 0;  ///< the most that lies in L2 at a time, tiles included
    /// What makes room where there is none otherwise.
    llvm::SmallVector<PairParts, 2> inParts;
  };
  /// What one block costs. `held` are the rows that it takes over, `next` those
  /// that the block after it does.
  Cost costOf(const Chain &chain, const Block &block,
              llvm::ArrayRef<HeldRows> held = {},
              llvm::ArrayRef<HeldRows> next = {});
  Estimate estimateComputingAgain(const Chain &chain, Blocks blocks,
                                  int64_t limit);
  Estimate estimateHoldingRows(const Chain &chain, Blocks blocks,
                               int64_t limit);
  /// Bytes of L2 that blocks of a chain may take with the tiles of their tasks.
  int64_t roomFor(const Chain &chain) const {
    return roomBytes + tileBytes - chain.around;
  }
  int64_t countFor(const Chain &chain, int64_t bytes) const;
  int64_t moreBlocks(const Chain &chain, int64_t count, int64_t peak) const;

  ProgramOp program;
  const TargetDescription &target;
  int64_t roomBytes, tileBytes;
  mlir::SymbolTable &symbols;
  // In pieces, as they come, which fit where memory was given back.
  std::deque<Task> tasks;
  std::deque<Buffer> buffers;
  /// Those that stay in L2.
  llvm::SmallVector<unsigned> near;
  /// Of all tasks in front of each one; see leastTraffic.
  llvm::SmallVector<int64_t, 0> leastSums = {0};
  /// Empty between two chains.
  std::vector<BufferMarks> bufferMarks;
  std::vector<ViewMarks> viewMarks;
  /// Memory of `estimate`.
  Block scratch, nextScratch;
  llvm::SmallVector<int64_t> changes, tiles;
  llvm::SmallVector<size_t> firsts;
};

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_ROWS_ROWBLOCKS_H
