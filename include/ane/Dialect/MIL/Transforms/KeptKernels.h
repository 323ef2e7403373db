//===- KeptKernels.h - Weights that stay in the scratchpad ------*- C++ -*-===//

#ifndef ANE_DIALECT_MIL_TRANSFORMS_KEPTKERNELS_H
#define ANE_DIALECT_MIL_TRANSFORMS_KEPTKERNELS_H

#include "llvm/ADT/StringRef.h"

namespace ane::mil {

/// On a `linear` without bias whose weight many products read one after the
/// other: it is to be a matrix in the scratchpad, and what it multiplies the
/// kernel.
inline constexpr llvm::StringLiteral keptKernelAttr = "mil.kept_kernel";

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_TRANSFORMS_KEPTKERNELS_H
