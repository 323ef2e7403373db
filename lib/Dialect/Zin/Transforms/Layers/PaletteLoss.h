//===- PaletteLoss.h - Kernels that keep their palettes ---------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_PALETTELOSS_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_PALETTELOSS_H

#include "mlir/IR/Operation.h"

namespace ane::zin {

class HalfElements;

/// Whether a kernel that may be stored as a palette would take more bytes with
/// the coefficients `scaled` than an element-wise layer of `elements` moves.
/// Both have coefficients of so many outputs, one after the other, as fp16;
/// `op` is any of the procedure that they are for.
bool losesPalette(mlir::Operation *op, const HalfElements &kernel,
                  llvm::ArrayRef<uint16_t> scaled, int64_t outputs,
                  int64_t elements);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_PALETTELOSS_H
