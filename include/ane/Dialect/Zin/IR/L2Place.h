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

/// A view in the scratchpad, in bytes.
struct L2View {
  int64_t base = 0;
  std::array<int64_t, numL2Strides> strides = {};
};

/// How a buffer lies in the scratchpad: bytes between neighbours in its own
/// dimensions, and all bytes.
struct L2Layout {
  std::array<int64_t, numL2Strides> strides = {};
  int64_t bytes = 0;
};

/// The layout in which `views`, all views of the buffer that are to find it
/// there, can be told.
L2Layout chooseL2Layout(ViewAttr buffer, llvm::ArrayRef<ViewAttr> views);

/// A view of a buffer with this layout at `base`; nothing if the layout is not
/// one that was chosen with this view.
std::optional<L2View> viewInL2(ViewAttr buffer, ViewAttr view, int64_t base,
                               llvm::ArrayRef<int64_t> strides);

} // namespace ane::zin

#endif // ANE_DIALECT_ZIN_IR_L2PLACE_H
