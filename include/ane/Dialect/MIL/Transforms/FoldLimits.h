//===- FoldLimits.h - What is not computed at compile time ------*- C++ -*-===//

#ifndef ANE_DIALECT_MIL_TRANSFORMS_FOLDLIMITS_H
#define ANE_DIALECT_MIL_TRANSFORMS_FOLDLIMITS_H

#include "mlir/IR/Operation.h"

namespace ane::mil {

/// Elements of a constant that an op makes of others: 512 MiB of fp16, four
/// constant sections. Assigned.
inline constexpr int64_t mostFoldedElements = int64_t(1) << 28;

/// Whether a result of an op has more. Shapes that are not known have not.
bool isTooLargeToFold(mlir::Operation *op);
/// Whether that alone keeps an op from being a constant.
bool isTooLargeConstant(mlir::Operation *op);

/// Products that an op may add up when it is computed at compile time, ten
/// seconds or so: 2048^2 sums of 2^13. Assigned.
inline constexpr int64_t mostFoldingWork = int64_t(1) << 35;

/// An estimate of them; what is computed of an element counts as well. Ops that
/// just move elements take none.
double foldingWork(mlir::Operation *op);

/// Whether an op would take more.
bool isTooMuchToFold(mlir::Operation *op);
/// Whether that alone keeps an op from being a constant.
bool isTooMuchWork(mlir::Operation *op);

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_TRANSFORMS_FOLDLIMITS_H
