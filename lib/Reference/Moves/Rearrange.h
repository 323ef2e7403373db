//===- Rearrange.h - Tensors made of elements of another --------*- C++ -*-===//

#ifndef ANE_LIB_REFERENCE_MOVES_REARRANGE_H
#define ANE_LIB_REFERENCE_MOVES_REARRANGE_H

#include "IndexSpace.h"
#include "ane/Reference/Tensor.h"

namespace ane::reference {

/// For each index of `shape` in row-major order the element of `x` at
/// `first` + index * `strides`. `type` has as many elements as `shape`.
Tensor readStrided(const Tensor &x, mlir::RankedTensorType type,
                   llvm::ArrayRef<int64_t> shape, const Strides &strides,
                   int64_t first = 0);

/// How a tensor goes on beyond its edge: with a value, mirrored at the edge
/// element and back again at the other, or with the edge element repeated.
enum class Padding { Constant, Reflect, Replicate };

/// Elements added before and after those of one dimension. `value` is of the
/// payload type of `x`, or null for zeros.
Tensor padAxis(const Tensor &x, int64_t axis, int64_t before, int64_t after,
               Padding padding, const Tensor *value);

/// The slice of `extents` elements from `first` on, `steps` apart.
Tensor readSlice(const Tensor &x, mlir::RankedTensorType type,
                 llvm::ArrayRef<int64_t> first, llvm::ArrayRef<int64_t> steps,
                 llvm::ArrayRef<int64_t> extents);

} // namespace ane::reference

#endif // ANE_LIB_REFERENCE_MOVES_REARRANGE_H
