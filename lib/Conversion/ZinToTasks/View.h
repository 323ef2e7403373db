//===- View.h - Strided views while lowering --------------------*- C++ -*-===//

#ifndef ANE_LIB_CONVERSION_ZINTOTASKS_VIEW_H
#define ANE_LIB_CONVERSION_ZINTOTASKS_VIEW_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include <array>
#include <optional>

namespace ane::tasks {

/// The dimensions a view can stride over; columns are always side by side.
constexpr unsigned numStrided = zin::numDims - 1;

/// A part of a buffer: extents [N, D, C, H, W] and the bytes between
/// neighbours in all but the last. What a zin::ViewAttr says, as a value that
/// can be cut and permuted.
struct View {
  zin::ViewAttr buffer; ///< the view of all of it, which has its name
  int64_t offset = 0;
  std::array<int64_t, zin::numDims> shape = {1, 1, 1, 1, 1};
  std::array<int64_t, numStrided> strides = {0, 0, 0, 0};
  /// How many neighbours of a dimension lie side by side in each column; tasks
  /// know this of channels alone.
  int64_t interleave = 1;
  unsigned interleaved = zin::C;

  bool operator==(const View &other) const = default;
  /// The same, whatever the strides of a single element are.
  bool isSameAs(const View &other) const;

  /// The distance of two rows if all rows of the view follow each other at one
  /// distance in row-major order.
  std::optional<int64_t> linearPitch() const;
  /// Rows of the view.
  int64_t rows() const;

  /// Extents and strides of two dimensions change places.
  View swapped(unsigned a, unsigned b) const;
  /// Dimension `order[i]` becomes dimension i, the columns being last.
  View permuted(llvm::ArrayRef<int64_t> order) const;
  /// The view of which this is the permuted one.
  View permutedBack(llvm::ArrayRef<int64_t> order) const;
  /// `extent` elements of a dimension from `begin` on, every `step`-th; of an
  /// interleaved one all that lie side by side.
  View sliced(unsigned dim, int64_t begin, int64_t extent,
              int64_t step = 1) const;
  /// The elements in another shape, in the same order, if strides tell them:
  /// multiples of `step` bytes for all dimensions but the columns.
  std::optional<View> reshaped(llvm::ArrayRef<int64_t> newShape,
                               int64_t step) const;
  /// The rows of a view with a linear pitch as another shape with as many.
  View withRows(int64_t n, int64_t d, int64_t c, int64_t h) const;
  /// All rows of such a view as channels; also if rows, those of a plane, lie
  /// side by side.
  View rowsAlongChannels() const;

  zin::ViewAttr attr() const;
};

} // namespace ane::tasks

#endif // ANE_LIB_CONVERSION_ZINTOTASKS_VIEW_H
