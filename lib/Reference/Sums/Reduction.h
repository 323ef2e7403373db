//===- Reduction.h - Sums over some dimensions ------------------*- C++ -*-===//

#ifndef ANE_LIB_REFERENCE_SUMS_REDUCTION_H
#define ANE_LIB_REFERENCE_SUMS_REDUCTION_H

#include "IndexSpace.h"
#include "OpTable.h"

namespace ane::reference {

/// Strides that take each index of `shape` to the place of its reduction over
/// `axes` in a row-major result. An axis may be negative.
Strides reductionStrides(llvm::ArrayRef<int64_t> shape,
                         llvm::ArrayRef<int64_t> axes);

/// The entries of the input `axes`, or all dimensions if it is absent.
llvm::SmallVector<int64_t> axesOrAll(const Tensor *axes, int64_t rank);

} // namespace ane::reference

#endif // ANE_LIB_REFERENCE_SUMS_REDUCTION_H
