//===- RowPlanner.cpp - Which rows each block has -------------------------===//

#include "Rows/RowPlanner.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// How much more may be computed because of rows that blocks share. Assigned.
constexpr double mostWork = 1.25;

bool contains(RowRange outer, RowRange inner) {
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

} // namespace

void RowBlocks::Planner::plan(int64_t block, Block &plan) {
  plan.results.assign(chain.end - chain.begin, {});
  plan.stored.assign(chain.end - chain.begin, {});
  plan.held.assign(chain.end - chain.begin, {});
  plan.slots.assign(chain.slots.size(), {});
  plan.seesNothing = false;
  auto include = [&](unsigned slot, RowRange wanted) {
    if (slot == Places::none)
      return;
    plan.slots[slot].include(wanted);
    plan.slots[slot] = chain.slots[slot].whole(plan.slots[slot]);
  };
  for (size_t index = chain.end - chain.begin; index-- > 0;) {
    const Task &task = rows.tasks[chain.begin + index];
    const Places &places = chain.places[index];
    RowRange &stored = plan.stored[index];
    if (places.isStored)
      stored = {task.result.rows * block / blocks.count,
                task.result.rows * (block + 1) / blocks.count};
    if (places.outer != Places::none)
      stored.include(task.ofBuffer(plan.slots[places.outer]));
    RowRange wanted = stored;
    if (places.result != Places::none) {
      include(places.result, task.inBuffer(stored));
      wanted = task.ofBuffer(plan.slots[places.result]);
    }
    plan.results[index] = wanted;
    if (blocks.holdsRows()) {
      takeNew(index, wanted, plan);
      stored = places.isStored ? plan.results[index] : RowRange();
    }
    RowRange seen = task.sourceRows(task.source1, plan.results[index]);
    if (plan.results[index].size() > 0 && seen.size() <= 0) {
      plan.results[index] = task.seeing(plan.results[index]);
      include(places.result, task.inBuffer(plan.results[index]));
      seen = task.sourceRows(task.source1, plan.results[index]);
      // What is computed once cannot begin earlier.
      plan.seesNothing |= blocks.holdsRows() || seen.size() <= 0;
    }
    include(places.source1, seen);
    if (task.source2)
      include(places.source2,
              task.sourceRows(*task.source2, plan.results[index]));
  }
}

SmallVector<RowBlocks::HeldRows> RowBlocks::Planner::planBehind(int64_t block,
                                                                Block &next) {
  if (block + 1 == blocks.count)
    return {};
  plan(block + 1, next);
  return rows.heldRows(chain, blocks, next);
}

void RowBlocks::Planner::takeNew(size_t index, RowRange wanted, Block &plan) {
  int64_t &done = computed[index];
  RowRange held = {wanted.begin, std::min(wanted.end, done)};
  if (chain.places[index].result != Places::none && held.size() > 0)
    plan.held[index] = held;
  wanted.begin = std::max(wanted.begin, done);
  if (wanted.size() <= 0)
    wanted = {};
  else
    done = wanted.end;
  plan.results[index] = wanted;
}

SmallVector<RowBlocks::HeldRows> RowBlocks::heldRows(const Chain &chain,
                                                     Blocks blocks,
                                                     const Block &block) const {
  // Slots of which all tasks that compute them hold the same rows.
  struct Common {
    size_t first; ///< of these tasks
    RowRange rows;
    bool isCommon = true;
  };
  SmallVector<std::optional<Common>> common(chain.slots.size());
  auto rowsOf = [&](size_t index) {
    return tasks[chain.begin + index].inBuffer(block.held[index]);
  };
  for (auto [index, places] : llvm::enumerate(chain.places)) {
    if (places.result == Places::none)
      continue;
    std::optional<Common> &slot = common[places.result];
    if (!slot)
      slot = {index, rowsOf(index)};
    slot->isCommon &= slot->rows == rowsOf(index) &&
                      chain.slots[places.result].kind != Slot::Joined;
  }
  SmallVector<HeldRows> result;
  for (auto [index, held] : llvm::enumerate(block.held)) {
    if (held.size() <= 0)
      continue;
    unsigned slot = chain.places[index].result;
    bool waits =
        blocks.sharing == Blocks::Waiting || !chain.lasts(chain.slots[slot]);
    if (!common[slot]->isCommon)
      result.push_back(
          {slot, tasks[chain.begin + index].result.view, held, waits});
    else if (common[slot]->first == index)
      result.push_back(
          {slot, chain.slots[slot].view, common[slot]->rows, waits});
  }
  return result;
}

bool RowBlocks::liesIn(const Chain &chain, const Block &block,
                       ArrayRef<HeldRows> next, Overwrite slots) {
  RowRange old = block.slots[slots.old];
  // Rows that are held may come to a value with several parts before the task.
  if (slots.isPart && old != block.results[slots.task - chain.begin])
    return false;
  return old.size() > 0 && contains(block.slots[slots.young], old) &&
         llvm::none_of(next, [&](const HeldRows &each) {
           return each.slot == slots.old;
         });
}

/// Notes what begins and ends to lie in L2 with each task of a block.
RowBlocks::Around RowBlocks::findChanges(const Chain &chain, const Block &block,
                                         ArrayRef<HeldRows> held,
                                         ArrayRef<HeldRows> next) {
  Around around;
  changes.assign(chain.end - chain.begin + 1, 0);
  // Held rows wait from the last use of their slot to its first in the block
  // behind, or all of the slot does, for the first task.
  SmallVector<bool> isCopied(chain.slots.size(), false);
  for (const HeldRows &each : held) {
    if (!each.waits) {
      isCopied[each.slot] = true;
      continue;
    }
    int64_t bytes = l2RowBytes(each.view) * each.rows.size();
    changes.front() += bytes;
    changes[chain.slots[each.slot].first + 1 - chain.begin] -= bytes;
  }
  for (auto [slot, rows, copied] :
       llvm::zip_equal(chain.slots, block.slots, isCopied)) {
    if (slot.kind == Slot::Outer)
      continue;
    int64_t bytes = slot.l2RowBytes * rows.size();
    if (copied)
      around.before += bytes;
    changes[slot.first - chain.begin] += bytes;
    changes[slot.last + 1 - chain.begin] -= bytes;
    if (slot.kind == Slot::Staged)
      around.staged += bytes;
  }
  // What is written over something lies there from its first task on, and that
  // takes nothing.
  firsts.assign(chain.slots.size(), 0);
  for (auto [slot, first] : llvm::zip_equal(chain.slots, firsts))
    first = slot.first;
  for (Overwrite pair : chain.overwrites) {
    if (!liesIn(chain, block, next, pair))
      continue;
    unsigned young = pair.young, old = pair.old;
    const Slot &slot = chain.slots[old];
    int64_t bytes = slot.l2RowBytes * block.slots[old].size();
    changes[firsts[old] - chain.begin] -= bytes;
    changes[slot.last + 1 - chain.begin] += bytes;
    if (firsts[young] <= firsts[old])
      continue;
    int64_t youngBytes =
        chain.slots[young].l2RowBytes * block.slots[young].size();
    changes[firsts[old] - chain.begin] += youngBytes;
    changes[firsts[young] - chain.begin] -= youngBytes;
    firsts[young] = firsts[old];
  }
  for (const HeldRows &each : next)
    if (each.waits)
      changes[chain.slots[each.slot].last - chain.begin] +=
          l2RowBytes(each.view) * each.rows.size();
  return around;
}

/// Bytes of DMA for what a block copies.
int64_t RowBlocks::copiedBytes(const Chain &chain, const Block &block,
                               ArrayRef<HeldRows> held) const {
  int64_t bytes = 0;
  for (const HeldRows &each : held)
    bytes += (each.waits ? 2 : 1) * copyBytes(each.view, each.rows.size());
  for (auto [slot, rows] : llvm::zip_equal(chain.slots, block.slots))
    if (slot.kind == Slot::Staged || slot.kind == Slot::Tiled)
      bytes += slot.rowBytes * rows.size();
  for (const Fill &fill : chain.fills)
    bytes += fill.rowBytes * block.slots[fill.slot].size();
  return bytes;
}

/// Bytes of DMA for what a task of a block streams beside its coefficients.
int64_t RowBlocks::streamedBytes(const Chain &chain, const Block &block,
                                 size_t index) const {
  const Task &task = tasks[index];
  const Places &places = chain.places[index - chain.begin];
  RowRange result = block.results[index - chain.begin];
  auto bytesOf = [&](const Operand &operand, unsigned slot, RowRange rows) {
    bool isNear =
        buffers[operand.buffer].staysInL2 ||
        (slot != Places::none && chain.slots[slot].kind != Slot::Outer);
    return isNear ? 0 : operand.rowBytes * rows.size();
  };
  int64_t bytes =
      bytesOf(task.result, Places::none, block.stored[index - chain.begin]) +
      bytesOf(task.source1, places.source1,
              task.sourceRows(task.source1, result)) *
          task.passes;
  if (task.source2)
    bytes += bytesOf(*task.source2, places.source2,
                     task.sourceRows(*task.source2, result));
  return bytes;
}

RowBlocks::Cost RowBlocks::costOf(const Chain &chain, const Block &block,
                                  ArrayRef<HeldRows> held,
                                  ArrayRef<HeldRows> next) {
  Around around = findChanges(chain, block, held, next);
  Cost cost;
  cost.bytes = chain.fixedBytes + copiedBytes(chain, block, held);
  tiles.assign(chain.end - chain.begin, 0);
  for (size_t index = 0; index < tiles.size(); ++index) {
    size_t task = chain.begin + index;
    int64_t streamed = streamedBytes(chain, block, task);
    cost.bytes +=
        streamed + accessBytes(tasks[task], block.results[index].size());
    tiles[index] = streamed > 0 ? tileBytes : 0;
  }
  for (const Fill &fill : chain.fills)
    tiles[chain.slots[fill.slot].first - chain.begin] = tileBytes;
  int64_t first = chain.beginsWithCopies ? around.staged + tileBytes
                                         : changes.front() + tiles.front();
  if (chain.beginsWithCopies)
    cost.peak = first + std::exchange(around.before, 0);
  const size_t *pair = chain.pairs.begin();
  int64_t alive = 0;
  for (size_t index = 0; index < tiles.size(); ++index) {
    alive += changes[index];
    int64_t here = alive + std::exchange(around.before, 0) + tiles[index];
    if (pair != chain.pairs.end() && *pair == chain.begin + index) {
      int64_t there = alive + changes[index + 1] + tiles[index + 1];
      int64_t excess = std::max(here, there) - roomFor(chain);
      if (auto parts = partsOfPair(chain, block, *pair++, excess)) {
        here -= parts->savedBytes;
        alive -= parts->savedBytes;
        changes[index + 2] += parts->savedBytes;
        cost.bytes += parts->costBytes;
        cost.inParts.push_back(*parts);
      }
    }
    cost.peak = std::max(cost.peak, here);
  }
  return cost;
}

bool RowBlocks::canTakeOver(const Block &block, const Block &next,
                            ArrayRef<HeldRows> rows) const {
  for (auto [index, held] : llvm::enumerate(next.held)) {
    RowRange present = block.held[index];
    present.include(block.results[index]);
    if (held.size() > 0 && !contains(present, held))
      return false;
  }
  return llvm::all_of(rows,
                      [&](const HeldRows &each) { return canCopy(each.view); });
}

/// The number of blocks below which one has no room for its part of so much.
int64_t RowBlocks::countFor(const Chain &chain, int64_t bytes) const {
  int64_t room = roomFor(chain);
  return room <= 0 ? std::numeric_limits<int64_t>::max()
                   : llvm::divideCeil(bytes, room);
}

int64_t RowBlocks::leastCount(const Chain &chain) {
  if (chain.skipsRows)
    return 1;
  // All rows of a slot are in some block. So where most is alive, an average
  // block has at least its part of it.
  Planner(*this, chain, {1, Blocks::Computed}).plan(0, scratch);
  return countFor(chain, costOf(chain, scratch).peak);
}

RowBlocks::Estimate RowBlocks::estimate(const Chain &chain, Blocks blocks,
                                        int64_t limit) {
  if (leastTraffic(chain, blocks.count) >= limit ||
      chain.leastOuterRows < leastRows * blocks.count)
    return {tooMuch, 0};
  return blocks.holdsRows() ? estimateHoldingRows(chain, blocks, limit)
                            : estimateComputingAgain(chain, blocks, limit);
}

/// What so many blocks have at least of what one of them has: others may have
/// fewer rows.
static int64_t boundOf(int64_t bytes, int64_t blocks) {
  return bytes * blocks * 3 / 4;
}

/// The number of blocks below which L2 has no room either where so many blocks
/// take so much of it. More have fewer rows, and as many above and below.
int64_t RowBlocks::moreBlocks(const Chain &chain, int64_t count,
                              int64_t peak) const {
  return std::max(count + 1, countFor(chain, boundOf(peak, count)));
}

RowBlocks::Estimate RowBlocks::estimateComputingAgain(const Chain &chain,
                                                      Blocks blocks,
                                                      int64_t limit) {
  double wanted = 0, computed = 0;
  for (size_t index = chain.begin; index < chain.end; ++index)
    wanted += double(tasks[index].result.rowBytes) * tasks[index].result.rows;
  Planner planner(*this, chain, blocks);
  int64_t traffic = 0;
  for (int64_t block = 0; block < blocks.count; ++block) {
    // A block in the middle has rows above and below and takes most.
    planner.plan((block + blocks.count / 2) % blocks.count, scratch);
    if (scratch.seesNothing)
      return {tooMuch, 0};
    Cost cost = costOf(chain, scratch);
    traffic += cost.bytes;
    for (auto [index, rows] : llvm::enumerate(scratch.results))
      computed +=
          double(tasks[chain.begin + index].result.rowBytes) * rows.size();
    if (computed > mostWork * wanted)
      return {tooMuch, 0};
    if (cost.peak > roomFor(chain))
      return {traffic, moreBlocks(chain, blocks.count, cost.peak)};
    if (traffic >= limit || boundOf(cost.bytes, blocks.count) >= limit)
      return {tooMuch, 0};
  }
  return {traffic, 0};
}

RowBlocks::Estimate RowBlocks::estimateHoldingRows(const Chain &chain,
                                                   Blocks blocks,
                                                   int64_t limit) {
  Planner planner(*this, chain, blocks);
  planner.plan(0, nextScratch);
  SmallVector<HeldRows> held, next;
  int64_t traffic = 0;
  for (int64_t block = 0; block < blocks.count; ++block) {
    std::swap(scratch, nextScratch);
    next = planner.planBehind(block, nextScratch);
    if (scratch.seesNothing)
      return {tooMuch, 0};
    if (block + 1 < blocks.count && !canTakeOver(scratch, nextScratch, next))
      return {traffic, blocks.count + 1};
    Cost cost = costOf(chain, scratch, held, next);
    std::swap(held, next);
    traffic += cost.bytes;
    if (cost.peak > roomFor(chain))
      return {traffic, moreBlocks(chain, blocks.count, cost.peak)};
    // The first one computes more rows than others.
    if (traffic >= limit ||
        (block == 1 && boundOf(cost.bytes, blocks.count) >= limit))
      return {tooMuch, 0};
  }
  return {traffic, 0};
}
