//===- SplitStrides.h - Windows further apart than those of a task -*- C++ -*-//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_SPLITSTRIDES_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_SPLITSTRIDES_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Support/Divisors.h"
#include "mlir/IR/Builders.h"

namespace ane::zin {

/// A layer with the largest factors up to `limit` of its strides, which are
/// those of rows and columns, and a view of every n-th result; null where the
/// strides are no larger.
template <typename Layer>
mlir::Value splitStrides(mlir::OpBuilder &builder, Layer op, int64_t limit) {
  llvm::SmallVector<int64_t> native(op.getStrides()), rest(numDims, 1),
      shape(shapeOf(op.getResult()));
  for (unsigned i = 0; i < 2; ++i) {
    int64_t factor = largestDivisor(native[i], limit);
    rest[H + i] = native[i] / factor;
    native[i] = factor;
    shape[H + i] = (shape[H + i] - 1) * rest[H + i] + 1;
  }
  if (rest[H] == 1 && rest[W] == 1)
    return {};
  auto layer = mlir::cast<Layer>(builder.clone(*op));
  layer.setStrides(native);
  layer.getResult().setType(op.getType().clone(shape));
  return InputViewOp::create(builder, op.getLoc(), op.getType(),
                             layer.getResult(),
                             llvm::SmallVector<int64_t>(numDims, 0), rest);
}

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_LAYERS_SPLITSTRIDES_H
