//===- TileRows.cpp - Run chains of tasks block of rows by block ----------===//

#include "Rows/GatherChains.h"
#include "Rows/RowTiler.h"

namespace ane::zin {
#define GEN_PASS_DEF_TILEROWS
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// The part of L2 that may be taken for longer, for the sake of a chain.
/// Assigned.
constexpr int64_t gatheredPart = 8;

/// Whether a buffer may be worth to be cut in the rows that some task sees, of
/// which the shortest take a granule for each element. In a program without
/// one, tasks, of which there may be very many, need not be read.
bool mayHaveLarge(ProgramOp program, const TargetDescription &target) {
  int64_t mostElements = target.largeL2Bytes() / target.l2Granule;
  return llvm::any_of(program.getOps<BufferOp>(), [&](BufferOp buffer) {
    return llvm::product_of(buffer.getLayout().getShape()) > mostElements;
  });
}

class TileRows : public ane::zin::impl::TileRowsBase<TileRows> {
public:
  using TileRowsBase::TileRowsBase;

  void runOnOperation() override {
    const TargetDescription *description =
        findTargetFor(getOperation(), target);
    if (!description)
      return signalPassFailure();
    if (!mayHaveLarge(getOperation(), *description))
      return markAllAnalysesPreserved();
    RowTilerOptions options = {maxTasks, l2Eighths, tileBytes,
                               hold,     join,      squeeze};
    auto tilerNow = [&] {
      return std::make_unique<RowTiler>(
          getOperation(), getAnalysis<SymbolTable>(), *description, options);
    };
    std::unique_ptr<RowTiler> tiler = takeScheduled(options);
    if (!tiler)
      tiler = tilerNow();
    int64_t bytes = tiler->choose();
    if (gather(tiler->blocks(), *description)) {
      std::unique_ptr<RowTiler> gathered = tilerNow();
      if (gathered->choose() < bytes) {
        tiler = std::move(gathered);
        ++numGathered;
      } else {
        putInOrder(getOperation(), tasks);
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
  /// What zin-schedule has chosen with these options, if it had to.
  std::unique_ptr<RowTiler> takeScheduled(const RowTilerOptions &options) {
    auto scheduled = getCachedAnalysis<ScheduledRows>();
    if (!scheduled || !scheduled->get().tiler ||
        !scheduled->get().tiler->has(options))
      return nullptr;
    return std::move(scheduled->get().tiler);
  }

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
    putInOrder(getOperation(), llvm::map_to_vector(*order, [&](unsigned task) {
                 return tasks[task];
               }));
    return true;
  }

  /// The tasks as they were.
  SmallVector<TaskOp> tasks;
};

} // namespace
