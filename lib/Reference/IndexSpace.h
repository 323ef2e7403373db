//===- IndexSpace.h - Walks over the indices of tensors ---------*- C++ -*-===//

#ifndef ANE_LIB_REFERENCE_INDEXSPACE_H
#define ANE_LIB_REFERENCE_INDEXSPACE_H

#include "ane/Support/StridedCopy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <array>

namespace ane::reference {

using ane::rowMajorStrides;

/// For each dimension, how far apart in memory its neighbours lie.
using Strides = llvm::SmallVector<int64_t>;

/// Strides that read a row-major tensor of `shape` as one of `target`, to which
/// it broadcasts as in NumPy: a repeated dimension has stride 0.
Strides broadcastStrides(llvm::ArrayRef<int64_t> shape,
                         llvm::ArrayRef<int64_t> target);

/// The dimensions before an axis, the axis, and those behind it, as three
/// extents: element (o, i, n) lies at (o * extent + i) * inner + n.
struct AxisSplit {
  AxisSplit(llvm::ArrayRef<int64_t> shape, int64_t axis);
  int64_t outer, extent, inner;
};

/// Calls `fn(offsets)` for each index of `shape` in row-major order;
/// `offsets[i]` is where `strides[i]` puts that index.
template <size_t N, typename Fn>
void forEachIndex(llvm::ArrayRef<int64_t> shape,
                  const std::array<Strides, N> &strides, Fn fn) {
  if (llvm::is_contained(shape, 0))
    return;
  llvm::SmallVector<int64_t, 5> index(shape.size(), 0);
  std::array<int64_t, N> offsets{};
  while (true) {
    fn(offsets);
    size_t dim = shape.size();
    while (dim-- > 0) {
      bool wraps = ++index[dim] == shape[dim];
      for (size_t i = 0; i < N; ++i)
        offsets[i] += strides[i][dim] * (wraps ? 1 - shape[dim] : 1);
      if (!wraps)
        break;
      index[dim] = 0;
    }
    if (dim == size_t(-1))
      return;
  }
}

} // namespace ane::reference

#endif // ANE_LIB_REFERENCE_INDEXSPACE_H
