//===- Patches.h - What windows see, as slices ------------------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_DECOMPOSE_PATCHES_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_DECOMPOSE_PATCHES_H

#include "Replacer.h"
#include "ane/Dialect/MIL/IR/Window.h"

namespace ane::mil {

/// Padding in front and behind, dimension by dimension. Behind it is what the
/// last window reaches.
llvm::SmallVector<int64_t> paddingOf(const Window &window);

/// `x` with the zeros that windows see around it.
mlir::Value padded(Replacer &r, mlir::Value x, const Window &window);

/// What each tap of a kernel sees of `x`, [N, C, *input], in row-major order of
/// the taps: [N, C, *output].
llvm::SmallVector<mlir::Value> patchesOf(Replacer &r, mlir::Value x,
                                         const Window &window);

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_DECOMPOSE_PATCHES_H
