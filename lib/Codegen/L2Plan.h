//===- L2Plan.h - Where operands pass through the scratchpad ----*- C++ -*-===//
//
// All operands stream from memory and all results to memory, so the scratchpad
// holds tiles: some rows of each operand and of the result. Inside a tile a row
// holds all its channels.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CODEGEN_L2PLAN_H
#define ANE_LIB_CODEGEN_L2PLAN_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Target/Target.h"
#include <optional>

namespace ane::codegen {

struct L2Tile {
  int64_t base = 0;
  int64_t channelStride = 0;
  int64_t rowStride = 0;
  int64_t depthStride = 0;
  int64_t groupStride = 0;
};

struct L2Plan {
  L2Tile source1;
  L2Tile source2;
  L2Tile result;
  int64_t tileHeight = 1;
  /// The result lies in L2 with strides, not just in a drain buffer.
  bool resultIsTile = false;
};

/// Reports at the task if one row of its operands does not fit.
///
/// Verified on programs of Apple's compiler: strides and bases of streamed
/// tiles, the gap in front of a second operand, the tile height of a source
/// that is higher than the scratchpad. The bank skew of rows (16 to 48 bytes)
/// is a table of what was seen; any value gives the same results.
llvm::FailureOr<L2Plan> planL2(zin::TaskOp task,
                               const TargetDescription &target);

} // namespace ane::codegen

#endif // ANE_LIB_CODEGEN_L2PLAN_H
