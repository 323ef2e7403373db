//===- ScatterMode.h - What scatters make of updates ------------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_DECOMPOSE_SCATTERMODE_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_DECOMPOSE_SCATTERMODE_H

#include "Replacer.h"
#include "ane/Dialect/MIL/IR/Scatter.h"
#include "llvm/ADT/StringSwitch.h"

namespace ane::mil {

/// What becomes of elements and their updates.
using Combine = mlir::Value (*)(Replacer &, mlir::Value, mlir::Value);

template <typename Op>
mlir::Value combineBy(Replacer &r, mlir::Value x, mlir::Value y) {
  return r.binary<Op>(x, y);
}

/// Null for "update", where updates take the place of elements.
inline Combine combineOf(llvm::StringRef mode) {
  return llvm::StringSwitch<Combine>(mode)
      .Case("add", combineBy<AddOp>)
      .Case("sub", combineBy<SubOp>)
      .Case("mul", combineBy<MulOp>)
      .Case("div", combineBy<RealDivOp>)
      .Case("max", combineBy<MaximumOp>)
      .Case("min", combineBy<MinimumOp>)
      .Default(nullptr);
}

/// Whether the extents of a scatter are known.
template <typename Op> bool isStaticScatter(Op op) {
  return staticType(op.getData()) && staticType(op.getIndices()) &&
         staticType(op.getUpdates());
}

/// The dimension of the data that indices count, from the front; nothing where
/// it is not a constant or the rank is not known.
template <typename Op> std::optional<int64_t> knownScatterAxis(Op op) {
  std::optional<int64_t> axis = op.getAxisOrDefault();
  mlir::RankedTensorType data = staticType(op.getData());
  if (!axis || !data)
    return std::nullopt;
  return fromFront(*axis, data.getRank());
}

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_DECOMPOSE_SCATTERMODE_H
