//===- L2Place.h - Buffers in the scratchpad --------------------*- C++ -*-===//
//
// In memory a buffer has packed rows of 64-byte steps. In the scratchpad it has
// the layout of a tile, rows of all channels, if all its views are parts of it
// in its own dimensions. A view that reads it in another shape needs the order
// of memory, and one that reads its rows in another length also their distance.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ZIN_IR_L2PLACE_H
#define ANE_DIALECT_ZIN_IR_L2PLACE_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include <array>
#include <optional>

namespace ane::zin {

/// The dimensions that have a stride: groups, depth, channels, rows.
constexpr unsigned numL2Strides = numDims - 1;

/// Whether channels of a line, or rows that are accessed like them, leave banks
/// unused at this distance: all have some at an odd number of units, and near
/// ones lie side by side. Verified for transposed writes of channels with 64
/// and 256 columns, assigned for others.
constexpr bool leavesBanks(int64_t distance) {
  constexpr int64_t near = 0x80;
  return distance >= near && distance % (2 * l2Granule) == 0;
}

/// Bytes of a value up to which real programs were seen whose lines or rows
/// share a few banks. All of larger ones is assigned.
constexpr int64_t mostBytesSeen = 0x4000;

/// A view in the scratchpad, in bytes.
struct L2View {
  int64_t base = 0;
  std::array<int64_t, numL2Strides> strides = {};
};

/// Bytes of the scratchpad.
struct L2Range {
  int64_t begin = 0, end = 0;

  bool meets(const L2Range &other) const {
    return begin < other.end && other.begin < end;
  }
};

/// Whether any of some ranges meets one of others.
bool meet(llvm::ArrayRef<L2Range> some, llvm::ArrayRef<L2Range> others);

/// From the first element of a view to the last.
L2Range rangeOf(const L2View &place, ViewAttr view);

/// How a buffer lies in the scratchpad: bytes between neighbours in its own
/// dimensions, and all bytes.
struct L2Layout {
  std::array<int64_t, numL2Strides> strides = {};
  int64_t bytes = 0;
};

/// Rows that an engine accesses at a time lie apart in the banks of L2, which
/// repeat. The distances are the least ones that agree with all programs of
/// Apple's compiler that were seen: rows of 0x10 to 0x8000 bytes, 1 to 1024
/// channels, both engines.
struct RowsTogether {
  static constexpr int64_t bankPeriod = 0x400;

  int64_t count = 4;    ///< rows
  int64_t apart = 0x20; ///< bytes between any two of them, modulo the period
  int64_t step = 1;     ///< every so many rows
  /// The largest divisor of the period that their distance may have. Without a
  /// limit more rows may all lie in a few banks.
  int64_t mostShared = bankPeriod;

  /// The distance of rows of `bytes` bytes.
  int64_t spread(int64_t bytes) const;
};

/// Rows and channels that follow each other so far apart, or a multiple of it,
/// share two banks.
inline constexpr int64_t worstDistance = RowsTogether::bankPeriod / 2;

/// The distance of channels of a transposed line that is gathered in L2. Short
/// ones lie side by side, even where they share two banks (verified); of longer
/// ones that is assigned.
constexpr int64_t distanceInLine(int64_t channelBytes) {
  constexpr int64_t mostSeen = 0x800;
  bool isSpread = channelBytes % worstDistance == 0 && channelBytes > mostSeen;
  return isSpread ? channelBytes + l2Granule : channelBytes;
}

/// Cycles of an access that takes so many pieces, so many bytes apart: each
/// bank gives one of them at a time (documented). Pieces at one place are one.
int64_t bankTurns(int64_t count, int64_t distance);

/// The largest divisor of the period of a distance with 16 banks, which what
/// stays in L2 has where it is not known to have less.
inline constexpr int64_t mostBanksShared = RowsTogether::bankPeriod / 16;

/// Of what streams to the planar engine: patches of 4 rows of up to 128
/// columns, of 2 otherwise.
RowsTogether rowsOfPlanar(int64_t columns);
/// Of the neural engine, whose patches start at any column: 16 columns and what
/// is beside them, or 32 where rows are long.
constexpr RowsTogether rowsOfPass = {4, 0x30, 1};
constexpr int64_t wideRowsApart = 0x50;
/// Of what stays in L2: more rows than an engine accesses at a time have 16
/// banks at least, as in all that was seen there. What streams was seen with
/// less.
RowsTogether rowsOfBuffer(bool isWeighed, int64_t rows);

/// Who accesses a buffer in L2.
struct L2Accesses {
  llvm::SmallVector<ViewAttr> views;
  /// Those of tasks that may have channels for rows.
  llvm::SmallVector<ViewAttr> exchangeable;
  /// A neural task with coefficients reads it.
  bool isWeighed = false;
  /// Tasks with computed coefficients read it, each for a few outputs.
  bool isMultiplied = false;
  /// A task with computed coefficients writes it.
  bool isProduct = false;
  /// A task of the planar engine reads or writes it.
  bool isPlanar = false;
  /// A transposed write puts it there.
  bool isExchanged = false;
  /// A task of the planar engine writes its channels along columns.
  bool isVector = false;
};

/// The layout in which all accesses of the buffer can be told.
L2Layout chooseL2Layout(ViewAttr buffer, const L2Accesses &accesses);
/// The same without bytes that no program of Apple's compiler was seen to have:
/// accesses may take longer.
L2Layout tightL2Layout(ViewAttr buffer, const L2Accesses &accesses);

/// A view of a buffer with this layout at `base`; nothing if the layout is not
/// one that was chosen with this view.
std::optional<L2View> viewInL2(ViewAttr buffer, ViewAttr view, int64_t base,
                               llvm::ArrayRef<int64_t> strides);

/// Where a task has an operand in L2: by itself or in its buffer; nothing if it
/// has no place there.
std::optional<L2View> viewInL2(TaskOp task, const Access &access,
                               BufferOp buffer);

} // namespace ane::zin

#endif // ANE_DIALECT_ZIN_IR_L2PLACE_H
