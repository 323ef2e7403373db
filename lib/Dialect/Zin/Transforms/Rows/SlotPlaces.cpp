//===- SlotPlaces.cpp - Slots that lie in one another ---------------------===//
//
// What a task computes element by element lies where what it follows from does,
// if nothing needs that later. Where it is a part of a value, such as of a
// concatenation, the other one lies in that part, and all of the value takes
// its place in L2 earlier.
//
//===----------------------------------------------------------------------===//

#include "Rows/RowBlocks.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

/// As zin-place-l2 does it; and in parts of what has several.
void RowBlocks::findOverwrites(Chain &chain) const {
  // With what they are written over.
  SmallVector<size_t> firsts = llvm::map_to_vector(
      chain.slots, [](const Slot &slot) { return slot.first; });
  for (size_t index = chain.begin; index < chain.end; ++index) {
    const Task &task = tasks[index];
    const Places &places = chain.places[index - chain.begin];
    unsigned young = places.result;
    if (young == Places::none)
      continue;
    bool isPart = l2RowBytes(task.result.view) != chain.slots[young].l2RowBytes;
    if (!isPart && chain.slots[young].first != index)
      continue;
    auto mayShare = [&](const Operand &source, unsigned old) {
      return old != Places::none &&
             mayOverwrite(index, source, chain.slots[old]) &&
             (!isPart ||
              (chain.slots[old].kind == Slot::Inner &&
               savesAsPart(chain, index, firsts[young], firsts[old])));
    };
    for (auto [source, old] : llvm::zip(task.sources(), places.sources()))
      if (mayShare(*source, old)) {
        firsts[young] = std::min(firsts[young], firsts[old]);
        chain.overwrites.push_back({young, old, index, isPart});
        break;
      }
  }
}

bool RowBlocks::mayOverwrite(size_t task, const Operand &source,
                             const Slot &old) const {
  return (old.kind == Slot::Inner || old.kind == Slot::Staged) &&
         old.last == task &&
         old.l2RowBytes == l2RowBytes(tasks[task].result.view) &&
         source.rowBytes == old.rowBytes && tasks[task].turns == 1 &&
         canOverwrite(tasks[task].op, source.view);
}

bool RowBlocks::savesAsPart(const Chain &chain, size_t task, size_t young,
                            size_t old) const {
  auto bytesAt = [&](size_t index) {
    const Places &places = chain.places[index - chain.begin];
    int64_t bytes = 0;
    for (auto [source, slot] :
         llvm::zip(tasks[index].sources(), places.sources()))
      if (slot != Places::none)
        bytes += chain.slots[slot].l2RowBytes * source->rows;
    return bytes;
  };
  return young <= old || (old > chain.begin && bytesAt(old) <= bytesAt(task));
}
