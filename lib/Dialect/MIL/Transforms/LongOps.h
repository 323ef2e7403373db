//===- LongOps.h - Ops on too many elements, by others ----------*- C++ -*-===//
//
// What mil-fold-long-columns and mil-split-long-rows have no rule for, or none
// as good, is here made of ops that they have one for.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_LONGOPS_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_LONGOPS_H

#include "ane/Dialect/MIL/IR/MIL.h"

namespace ane::mil {

/// Puts others in the place of ops on dimensions of more than `limit` elements:
/// of a product with a vector that of matrices of one row, of one with what an
/// image was flattened to a convolution of the image, of an update with steps,
/// in several dimensions or of too many rows what it joins, of the logarithm of
/// a sum that of a mean.
void replaceLongOps(FuncOp func, int64_t limit);

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_LONGOPS_H
