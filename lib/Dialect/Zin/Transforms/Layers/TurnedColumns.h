//===- TurnedColumns.h - Columns of a row, as channels ----------*- C++ -*-===//
//
// Columns of memory begin in steps, channels anywhere. So parts of a row that
// begin within a step are turned to be channels, once for all of them, and each
// is turned back.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_TURNEDCOLUMNS_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_TURNEDCOLUMNS_H

#include "Split/LayerBlocks.h"
#include "ane/Target/Target.h"

namespace ane::zin {

/// Of fewer channels columns are turned an element at a time. Assigned.
constexpr int64_t leastTurnedChannels = 16;

/// Whether a window with so much padding in front, or that begins so far within
/// its row where that is negative, is one that neither a task nor a view has.
bool hasTurnedColumns(int64_t padding, const TargetDescription &target);

/// Whether blocks of columns are turned of a copy: columns of a parameter that
/// begin within a row lose large numbers, but for those that are fetched as
/// rows.
bool needsCopyOfColumns(mlir::Value x, const TargetDescription &target);

/// What blocks of columns are turned of.
mlir::Value sourceOfColumns(mlir::OpBuilder &builder, mlir::Location location,
                            mlir::Value x, const TargetDescription &target);

class TurnedColumns {
public:
  /// The columns of a value that are wanted: those in front of it and behind it
  /// are zeros.
  TurnedColumns(mlir::OpBuilder &builder, mlir::Location location,
                mlir::Value x, IndexRange wanted,
                const TargetDescription &target);

  /// Some of them as columns again: `range.count` that are `stride` apart.
  mlir::Value columns(mlir::OpBuilder &builder, IndexRange range,
                      int64_t stride = 1) const;

private:
  mlir::Value channels;
  int64_t begin;
};

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_TURNEDCOLUMNS_H
