//===- RowTiler.h - Which tasks are cut into blocks of rows -----*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_ROWS_ROWTILER_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_ROWS_ROWTILER_H

#include "Rows/RowBlocks.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "mlir/Pass/AnalysisManager.h"

namespace ane::zin {

/// What the options of zin-tile-rows say.
struct RowTilerOptions {
  size_t maxTasks = maxTasksOfChain;
  unsigned l2Eighths = l2EighthsOfChain;
  int64_t tileBytes = tileBytesOfChain;
  bool hold = true, join = true, squeeze = true;

  bool operator==(const RowTilerOptions &) const = default;
};

/// Cuts the list of tasks of a program into chains that run in blocks of rows,
/// and tasks that run as they are.
class RowTiler {
public:
  RowTiler(ProgramOp program, mlir::SymbolTable &symbols,
           const TargetDescription &target, const RowTilerOptions &options = {})
      : options(options),
        rows(program, symbols, target, target.l2Bytes * options.l2Eighths / 8,
             options.tileBytes) {}

  const RowBlocks &blocks() const { return rows; }
  bool has(const RowTilerOptions &others) const { return options == others; }

  /// The cheapest way to cut the list, by bytes of DMA, which it tells. It is
  /// looked for once.
  int64_t choose();
  /// Puts what was chosen in the place of the tasks.
  void run();

  unsigned numChains = 0, numHolding = 0, numJoining = 0, numBlocks = 0;

private:
  /// Tasks [begin, end) in blocks; as they are if it is one.
  struct Piece {
    size_t begin = 0, end = 0;
    bool joins = false;
    RowBlocks::Blocks blocks;
  };

  RowBlocks::Chain chainOf(size_t begin, size_t end, bool joins,
                           int64_t limit = RowBlocks::tooMuch);
  std::optional<std::pair<RowBlocks::Blocks, int64_t>>
  cheapest(const RowBlocks::Chain &chain, int64_t limit);
  bool mayShare(const RowBlocks::Chain &chain,
                RowBlocks::Blocks::Sharing sharing) const;

  int64_t findPieces();

  RowTilerOptions options;
  RowBlocks rows;
  llvm::SmallVector<Piece> pieces;
  std::optional<int64_t> chosenBytes;
};

/// What zin-schedule chose for the order that it left the tasks in, if it had
/// to, for zin-tile-rows. An analysis of a program: it stays as long as nothing
/// changes.
struct ScheduledRows {
  explicit ScheduledRows(mlir::Operation *) {}

  /// A tiler refers to the symbols.
  bool isInvalidated(const mlir::AnalysisManager::PreservedAnalyses &kept) {
    return !kept.isPreserved<ScheduledRows>() ||
           !kept.isPreserved<mlir::SymbolTable>();
  }

  std::unique_ptr<RowTiler> tiler;
};

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_ROWS_ROWTILER_H
