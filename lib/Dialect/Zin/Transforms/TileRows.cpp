//===- TileRows.cpp - Run chains of tasks block of rows by block ----------===//

#include "RowBlocks.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace ane::zin {
#define GEN_PASS_DEF_TILEROWS
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Numbers of blocks that are tried.
constexpr int64_t blockCounts[] = {2,  3,  4,  5,  6,  8,  10, 12,
                                   16, 20, 24, 32, 40, 64, 80};

struct Chain {
  size_t begin = 0, end = 0; ///< tasks
  int64_t blocks = 1;        ///< 1: as they are
};

class Tiler {
public:
  Tiler(ProgramOp program, const TargetDescription &target, size_t maxTasks)
      : maxTasks(maxTasks), rows(program, target) {}

  unsigned numChains = 0, numBlocks = 0;

  void run() {
    SmallVector<Chain> chains = choose();
    for (const Chain &chain : chains)
      if (chain.blocks > 1) {
        rewrite(chain);
        ++numChains;
        numBlocks += chain.blocks;
      }
    rows.eraseUnused();
  }

private:
  /// The cheapest way to cut the list of tasks into chains, by bytes of DMA.
  SmallVector<Chain> choose() {
    size_t count = rows.tasks().size();
    SmallVector<int64_t> best(count + 1, 0);
    SmallVector<Chain> last(count + 1);
    for (size_t end = 1; end <= count; ++end) {
      best[end] = best[end - 1] + rows.trafficAlone(end - 1);
      last[end] = {end - 1, end, 1};
      for (size_t begin = end; begin-- > 0 && end - begin <= maxTasks;) {
        if (!rows.canCut(begin))
          break;
        if (!rows.isWorthCutting(begin, end))
          continue;
        for (int64_t blocks : blockCounts) {
          std::optional<int64_t> traffic =
              rows.trafficInBlocks(begin, end, blocks, best[end] - best[begin]);
          if (!traffic)
            continue;
          best[end] = best[begin] + *traffic;
          last[end] = {begin, end, blocks};
        }
      }
    }
    SmallVector<Chain> chains;
    for (size_t end = count; end > 0; end = last[end].begin)
      chains.push_back(last[end]);
    std::reverse(chains.begin(), chains.end());
    return chains;
  }

  void rewrite(const Chain &chain) {
    OpBuilder builder(rows.tasks()[chain.begin]);
    for (int64_t block = 0; block < chain.blocks; ++block)
      rows.emitBlock(builder, chain.begin, chain.end, chain.blocks, block);
    for (size_t task = chain.begin; task < chain.end; ++task)
      TaskOp(rows.tasks()[task]).erase();
  }

  size_t maxTasks;
  RowBlocks rows;
};

class TileRows : public ane::zin::impl::TileRowsBase<TileRows> {
public:
  using TileRowsBase::TileRowsBase;

  void runOnOperation() override {
    const TargetDescription *description = findTarget(target);
    if (!description) {
      getOperation().emitError() << "target '" << target << "' is not known";
      return signalPassFailure();
    }
    Tiler tiler(getOperation(), *description, maxTasks);
    tiler.run();
    numChains += tiler.numChains;
    numBlocks += tiler.numBlocks;
  }
};

} // namespace
