//===- RowPairs.cpp - Pairs of tasks, a few rows at a time ----------------===//
//
// A product with a table of the same value needs that value and as much for the
// table. If both run a few rows at a time, the table needs those alone.
//
//===----------------------------------------------------------------------===//

#include "Rows/RowBlocks.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

/// Parts of a pair of tasks, at most. Assigned.
static constexpr int64_t mostParts = 8;

void RowBlocks::findPairs(Chain &chain) const {
  for (size_t index = chain.begin; index + 1 < chain.end; ++index)
    if (isPair(chain, index))
      // The second one is not the first of another pair.
      chain.pairs.push_back(index++);
}

bool RowBlocks::isPair(const Chain &chain, size_t index) const {
  unsigned between = chain.places[index - chain.begin].result;
  if (between == Places::none)
    return false;
  const Slot &slot = chain.slots[between];
  const Task &task = tasks[index], &next = tasks[index + 1];
  if (slot.kind != Slot::Inner || slot.first != index ||
      slot.last != index + 1 || task.turns != 1 || next.turns != 1 ||
      slot.l2RowBytes != l2RowBytes(task.result.view) ||
      !canOverwrite(task.op, task.source1.view))
    return false;
  // It has a place of its own.
  if (llvm::any_of(chain.overwrites, [&](const Overwrite &each) {
        return each.young == between || each.old == between;
      }))
    return false;
  const Places &placesOfNext = chain.places[index + 1 - chain.begin];
  return llvm::all_of(
      llvm::zip(next.sources(), placesOfNext.sources()), [&](auto source) {
        auto [operand, place] = source;
        return place != between || canOverwrite(next.op, operand->view);
      });
}

std::optional<RowBlocks::PairParts>
RowBlocks::partsOfPair(const Chain &chain, const Block &block, size_t task,
                       int64_t bytes) const {
  if (bytes <= 0)
    return std::nullopt;
  size_t index = task - chain.begin;
  // The second task needs the rows that it computes, and nobody else others.
  int64_t rows = block.results[index].size();
  int64_t rowBytes = chain.slots[chain.places[index].result].l2RowBytes;
  auto savedBy = [&](int64_t count) -> int64_t {
    return rowBytes * (rows - int64_t(llvm::divideCeil(rows, count)));
  };
  int64_t most = std::min(mostParts, rows / leastRows);
  int64_t count = 2;
  if (count > most)
    return std::nullopt;
  while (count < most && savedBy(count) < bytes)
    ++count;
  int64_t cost = 0;
  for (size_t each : {task, task + 1})
    cost += (count - 1) * target.taskBytes() +
            count * accessBytes(tasks[each], llvm::divideCeil(rows, count)) -
            accessBytes(tasks[each], rows);
  return PairParts{task, count, savedBy(count), cost};
}
