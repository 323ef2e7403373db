//===- Scatter.h - What scatters make of updates ----------------*- C++ -*-===//

#ifndef ANE_DIALECT_MIL_IR_SCATTER_H
#define ANE_DIALECT_MIL_IR_SCATTER_H

#include "ane/Dialect/MIL/IR/Constants.h"

namespace ane::mil {

/// The mode of a scatter; empty if it is computed.
template <typename Op> llvm::StringRef scatterModeOf(Op op) {
  return op.getMode() ? getConstantString(op.getMode()).value_or("") : "add";
}

/// Whether updates are added, subtracted or take the place of elements, which
/// is what the engine computes by products with 0 and 1.
inline bool isScatterOfProducts(llvm::StringRef mode) {
  return mode == "add" || mode == "sub" || mode == "update";
}

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_IR_SCATTER_H
