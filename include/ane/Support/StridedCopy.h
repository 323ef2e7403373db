//===- StridedCopy.h - Elements in another order ----------------*- C++ -*-===//

#ifndef ANE_SUPPORT_STRIDEDCOPY_H
#define ANE_SUPPORT_STRIDEDCOPY_H

#include "llvm/ADT/ArrayRef.h"

namespace ane {

/// How far apart, in elements, the neighbours along each dimension of a tensor
/// are that lies in row-major order.
llvm::SmallVector<int64_t> rowMajorStrides(llvm::ArrayRef<int64_t> shape);

/// Writes the elements of a tensor of `shape` in row-major order to `to`. In
/// `from`, at the first of them, its neighbours are `strides` apart, counted in
/// elements. An element has 1, 2, 4 or 8 bytes. Both sides are gone through in
/// tiles, so that no order costs a cache line for each element.
void copyStrided(const char *from, llvm::ArrayRef<int64_t> shape,
                 llvm::ArrayRef<int64_t> strides, size_t elementBytes,
                 char *to);

} // namespace ane

#endif // ANE_SUPPORT_STRIDEDCOPY_H
