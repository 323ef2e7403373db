//===- RowPlanner.h - Which rows each block has -----------------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_ROWS_ROWPLANNER_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_ROWS_ROWPLANNER_H

#include "Rows/RowBlocks.h"

namespace ane::zin {

/// Finds the rows of the blocks of a chain, from the last task to the first: a
/// task computes what later ones need. Where rows are held, blocks have to be
/// planned in order.
class RowBlocks::Planner {
public:
  Planner(const RowBlocks &rows, const Chain &chain, Blocks blocks)
      : rows(rows), chain(chain), blocks(blocks),
        computed(blocks.holdsRows() ? chain.end - chain.begin : 0) {}

  void plan(int64_t block, Block &plan);
  /// Plans the block behind this one, if there is one; the rows that it takes
  /// over.
  llvm::SmallVector<HeldRows> planBehind(int64_t block, Block &next);

private:
  /// Of the rows that a task should have those that no block before has.
  void takeNew(size_t index, RowRange wanted, Block &plan);

  const RowBlocks &rows;
  const Chain &chain;
  Blocks blocks;
  /// Where rows are held: how many the result of each task has by now.
  llvm::SmallVector<int64_t> computed;
};

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_ROWS_ROWPLANNER_H
