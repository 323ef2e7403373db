//===- L2Plan.h - Where operands pass through the scratchpad ----*- C++ -*-===//
//
// Operands that stream from memory and results that stream to memory pass
// through tiles: some rows of each. Inside a tile a row holds all its channels.
// Tiles lie in the window that the task has; what stays in L2 lies outside.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ZIN_TRANSFORMS_L2PLAN_H
#define ANE_DIALECT_ZIN_TRANSFORMS_L2PLAN_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Target/Target.h"
#include <optional>

namespace ane::zin {

/// Bytes that a value of these extents, [N, D, C, H, W] of fp16, takes there.
int64_t bytesInL2(llvm::ArrayRef<int64_t> shape,
                  const TargetDescription &target);

/// Where a tile begins in L2, and the bytes between neighbours of each
/// dimension.
struct L2Tile {
  int64_t base = 0;
  int64_t channelStride = 0;
  int64_t rowStride = 0;
  int64_t depthStride = 0;
  int64_t groupStride = 0;
};

/// Which operands of a task lie in L2, and where its tiles may lie.
struct L2Use {
  Residence source1 = Residence::streamed;
  Residence source2 = Residence::streamed;
  Residence result = Residence::streamed;
  /// The window of the tiles, in bytes of L2.
  int64_t begin = 0;
  int64_t bytes = 0;

  /// What the task says, or that everything streams through all of L2.
  static L2Use of(TaskOp task, const TargetDescription &target);
};

/// How a task uses its window.
struct L2Plan {
  /// Tiles of what streams.
  L2Tile source1;
  L2Tile source2;
  L2Tile result;
  int64_t tileHeight = 1; ///< rows of the source in a tile
  /// Source 1 stays where it is after it was read the first time.
  bool source1IsKept = false;
  /// The result lies in a tile with strides, not just in a drain buffer.
  bool resultIsTile = false;
  /// The result lies there as a whole before it goes to memory.
  bool resultIsKept = false;
  /// Bytes of the window in use.
  int64_t bytes = 0;
};

/// The tiles of a task; nothing if one row of its operands does not fit its
/// window.
///
/// Verified on programs of Apple's compiler: strides and bases of streamed
/// tiles, the gap in front of a second operand, the tile height of a source
/// that is higher than the scratchpad, the distance of rows. Any distance gives
/// the same results.
std::optional<L2Plan> planL2(TaskOp task, const L2Use &use,
                             const TargetDescription &target);

/// What one row of the operands takes at least.
int64_t leastTileBytes(TaskOp task, const L2Use &use,
                       const TargetDescription &target);

/// The same for a task with coefficients before there is one, which takes the
/// rows of its window with `channels` channels each. `source` and `result` are
/// [N, D, C, H, W], `windowRows` and `rowStride` those of the window.
int64_t leastWeighedBytes(llvm::ArrayRef<int64_t> source, int64_t channels,
                          int64_t windowRows, int64_t rowStride,
                          llvm::ArrayRef<int64_t> result,
                          const TargetDescription &target);

/// Bytes of L2 for the operand of a product: what is left beside the skew of a
/// row (less than this in real programs: verified) and the drain of a streamed
/// result.
int64_t productRoom(const TargetDescription &target);

/// Whether a column of a convolution's result needs one column of its source
/// alone, in the same place, so that tasks may share its rows.
constexpr bool canCutColumns(int64_t window, int64_t stride, int64_t padding) {
  return window == 1 && stride == 1 && padding == 0;
}

/// Whether views of one buffer may have an element in common: neither do their
/// bytes lie apart nor, of rows at the same distance, their columns.
bool mayOverlap(ViewAttr a, ViewAttr b);

/// Whether views of one buffer have bytes in common. False, too, where finding
/// some takes long.
bool doOverlap(ViewAttr a, ViewAttr b);

/// Whether a task may write its result where a source lies, in the same layout:
/// each element follows from that one of the source. Verified for tables of the
/// neural engine and products of the planar engine.
bool canOverwrite(TaskOp task, ViewAttr source);

/// Whether a task of the neural engine changes neither elements nor their
/// order. One with a table has a kernel.
bool isCopy(TaskOp task);

} // namespace ane::zin

#endif // ANE_DIALECT_ZIN_TRANSFORMS_L2PLAN_H
