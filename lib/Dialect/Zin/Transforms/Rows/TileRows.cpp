//===- TileRows.cpp - Run chains of tasks block of rows by block ----------===//

#include "Rows/GatherChains.h"
#include "Rows/RowBlocks.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"

namespace ane::zin {
#define GEN_PASS_DEF_TILEROWS
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Numbers of blocks that are tried.
constexpr int64_t blockCounts[] = {2,  3,  4,   5,   6,   8,   10,
                                   12, 16, 20,  24,  32,  40,  64,
                                   80, 96, 120, 144, 180, 240, 360};
static_assert(blockCounts[0] == RowBlocks::leastBlocks);

/// The part of L2 that may be taken for longer, for the sake of a chain.
/// Assigned.
constexpr int64_t gatheredPart = 8;

using Sharing = RowBlocks::Blocks::Sharing;
constexpr Sharing sharings[] = {Sharing::computed, Sharing::copied,
                                Sharing::waiting};

/// Tasks [begin, end) in blocks; as they are if it is one.
struct Piece {
  size_t begin = 0, end = 0;
  bool joins = false;
  RowBlocks::Blocks blocks;
};

class Tiler {
public:
  Tiler(ProgramOp program, SymbolTable &symbols,
        const TargetDescription &target, int64_t roomBytes, size_t maxTasks,
        bool mayHold, bool mayJoin)
      : maxTasks(maxTasks), mayHold(mayHold), mayJoin(mayJoin),
        rows(program, symbols, target, roomBytes) {}

  unsigned numChains = 0, numHolding = 0, numJoining = 0, numBlocks = 0;

  const RowBlocks &blocks() const { return rows; }

  /// The cheapest way to cut the list of tasks into chains, by bytes of DMA,
  /// which it tells.
  int64_t choose() {
    size_t count = rows.size();
    SmallVector<int64_t> best(count + 1, 0);
    SmallVector<Piece> last(count + 1);
    for (size_t end = 1; end <= count; ++end) {
      best[end] = best[end - 1] + rows.trafficAlone(end - 1);
      last[end] = {end - 1, end, /*joins=*/false, {}};
      int64_t behind = rows.trafficBehind(end);
      size_t least = 0;
      for (size_t begin = end; begin-- > 0 && end - begin <= maxTasks;) {
        least = std::max(least, rows.leastBegin(begin));
        if (!rows.canCut(begin) || begin < least)
          break;
        if (!rows.isWorthCutting(begin, end) ||
            rows.leastTraffic(begin, end) >= best[end] - best[begin])
          continue;
        for (bool joins : {false, true}) {
          int64_t limit = best[end] - best[begin] - behind;
          RowBlocks::Chain chain = rows.chainOf(begin, end, joins, limit);
          if (joins && !chain.joins)
            break;
          if (auto found = cheapest(chain, limit)) {
            best[end] = best[begin] + found->second + behind;
            last[end] = {begin, end, joins, found->first};
          }
          if (!mayJoin || !chain.canJoin)
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

  /// Puts what was chosen in the place of the tasks.
  void run() {
    for (const Piece &piece : pieces)
      if (piece.blocks.count > 1) {
        rows.rewrite(rows.chainOf(piece.begin, piece.end, piece.joins),
                     piece.blocks);
        ++numChains;
        numHolding += piece.blocks.holdsRows();
        numJoining += piece.joins;
        numBlocks += piece.blocks.count;
      }
    rows.eraseUnused();
  }

private:
  /// The cheapest blocks of a chain and their bytes, if these are below
  /// `limit`.
  std::optional<std::pair<RowBlocks::Blocks, int64_t>>
  cheapest(const RowBlocks::Chain &chain, int64_t limit) {
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

  bool mayShare(const RowBlocks::Chain &chain, Sharing sharing) const {
    if (sharing == Sharing::computed)
      return true;
    if (!mayHold || !chain.sharesRows)
      return false;
    // Without such a slot it is as if all rows wait.
    return sharing == Sharing::waiting || chain.hasLastingSlot;
  }

  size_t maxTasks;
  bool mayHold, mayJoin;
  RowBlocks rows;
  SmallVector<Piece> pieces;
};

class TileRows : public ane::zin::impl::TileRowsBase<TileRows> {
public:
  using TileRowsBase::TileRowsBase;

  void runOnOperation() override {
    const TargetDescription *description =
        findTargetFor(getOperation(), target);
    if (!description)
      return signalPassFailure();
    auto tilerNow = [&] {
      return std::make_unique<Tiler>(
          getOperation(), getAnalysis<SymbolTable>(), *description,
          description->l2Bytes * l2Eighths / 8, maxTasks, hold, join);
    };
    std::unique_ptr<Tiler> tiler = tilerNow();
    int64_t bytes = tiler->choose();
    if (gather(tiler->blocks(), *description)) {
      std::unique_ptr<Tiler> gathered = tilerNow();
      if (gathered->choose() < bytes) {
        tiler = std::move(gathered);
        ++numGathered;
      } else {
        putInOrder(tasks);
      }
    }
    markAnalysesPreserved<SymbolTable>();
    tiler->run();
    numChains += tiler->numChains;
    numHolding += tiler->numHolding;
    numJoining += tiler->numJoining;
    numBlocks += tiler->numBlocks;
  }

private:
  /// Puts tasks between those of chains elsewhere, if there are any that may.
  bool gather(const RowBlocks &rows, const TargetDescription &target) {
    if (!rows.hasLarge())
      return false;
    TaskGraph graph(getOperation(), getAnalysis<SymbolTable>(), target,
                    target.wholeL2Bytes());
    auto canCut = [&](unsigned task) { return rows.canCut(task); };
    std::optional<SmallVector<unsigned>> order =
        gatherChains(graph, target, canCut, target.l2Bytes / gatheredPart);
    if (!order)
      return false;
    tasks = llvm::to_vector(getOperation().getOps<TaskOp>());
    putInOrder(llvm::map_to_vector(*order,
                                   [&](unsigned task) { return tasks[task]; }));
    return true;
  }

  void putInOrder(ArrayRef<TaskOp> order) {
    Block *block = &getOperation().getBody().front();
    for (TaskOp task : order)
      task->moveBefore(block, block->end());
  }

  /// The tasks as they were.
  SmallVector<TaskOp> tasks;
};

} // namespace
