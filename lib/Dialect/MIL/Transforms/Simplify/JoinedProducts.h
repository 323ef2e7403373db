//===- JoinedProducts.h - Products of joined values -------------*- C++ -*-===//
//
// A product of values that are joined along the dimension it sums over is the
// sum of products of the parts, each with its columns of the weight.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_JOINEDPRODUCTS_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_JOINEDPRODUCTS_H

#include "Replacer.h"
#include "ane/Dialect/MIL/IR/Window.h"

namespace ane::mil {

/// Some parts of a concatenation along one axis, with the columns of the weight
/// that they are multiplied by.
struct JoinedParts {
  llvm::SmallVector<mlir::Value> values, columns;

  /// Adds a part whose columns of `weight`, a constant [O, I, ...], are those
  /// from `begin` on.
  void add(Replacer &r, mlir::Value value, mlir::Value weight, int64_t axis,
           int64_t begin);
};

/// Whether the values are joined in their order along this axis.
bool joinsAlong(ConcatOp concat, int64_t axis);

/// The window of a convolution that multiplies the channels of each pixel that
/// it reads by a constant weight, and sees nothing else; nothing for another
/// one.
std::optional<Window> pointwiseWindow(ConvOp op);

/// Whether a convolution is pointwise and no stride leaves pixels out. Extents
/// do not tell: one pixel stays with any stride, of which a smaller image may
/// have more.
bool multipliesEachPixel(ConvOp conv);

/// The pointwise convolution of parts of what `op` reads, [N, O, *D] of this
/// shape; `bias` may be null.
mlir::Value makePointwise(Replacer &r, ConvOp op, const JoinedParts &parts,
                          llvm::ArrayRef<int64_t> shape, mlir::Value bias);

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_JOINEDPRODUCTS_H
