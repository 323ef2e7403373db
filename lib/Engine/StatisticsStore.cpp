//===- StatisticsStore.cpp - The statistics store of the PE ---------------===//

#include "StatisticsStore.h"
#include "Memory.h"

using namespace ane::engine;

/// Calls `body(begin, end)` for the units of 16 bytes of each contiguous piece
/// of an operand until it yields false. Yields false at once for an operand of
/// more pieces than L2 has bytes, which overlap then: no real one does.
template <typename Body>
static bool forEachPiece(uint64_t base, const Strides &strides, Extents extents,
                         Body body) {
  // A repeated element is the same one.
  if (strides.group == 0)
    extents.groups = 1;
  if (strides.depth == 0)
    extents.depth = 1;
  if (strides.channel == 0 && strides.interleave == 1)
    extents.channels = 1;
  if (strides.row == 0)
    extents.height = 1;
  bool contiguous = strides.column == strides.elementBytes();
  uint32_t pieces = contiguous ? 1 : extents.width;
  uint64_t bytes = strides.elementBytes() * (contiguous ? extents.width : 1);
  Extents counted = extents;
  counted.width = pieces;
  if (counted.elements() > l2Bytes)
    return false;
  for (uint32_t g = 0; g < extents.groups; ++g)
    for (uint32_t d = 0; d < extents.depth; ++d)
      for (uint32_t c = 0; c < extents.channels; ++c)
        for (uint32_t h = 0; h < extents.height; ++h)
          for (uint32_t w = 0; w < pieces; ++w) {
            uint64_t begin =
                base + strides.rowOffset(g, d, c, h) + w * strides.column;
            if (!body(begin / l2Unit, (begin + bytes - 1) / l2Unit + 1))
              return false;
          }
  return true;
}

StatisticsStore::StatisticsStore() : deposited(l2Bytes / l2Unit) {}

void StatisticsStore::write(uint64_t base, const Strides &strides,
                            const Extents &extents, bool deposits) {
  if (!deposits && deposited.none())
    return;
  bool marked =
      forEachPiece(base, strides, extents, [&](unsigned begin, unsigned end) {
        if (deposits)
          deposited.set(begin, end);
        else
          deposited.reset(begin, end);
        return true;
      });
  if (!marked)
    deposited.reset();
}

bool StatisticsStore::holds(uint64_t base, const Strides &strides,
                            const Extents &extents) const {
  return forEachPiece(base, strides, extents,
                      [&](unsigned begin, unsigned end) {
                        return deposited.find_first_unset_in(begin, end) < 0;
                      });
}
