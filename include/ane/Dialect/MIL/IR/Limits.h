//===- Limits.h - How large a tensor may be ---------------------*- C++ -*-===//
//
// Bounds that keep arithmetic on sizes in 64 bits. They are assigned: no
// program and no engine comes near them.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_IR_LIMITS_H
#define ANE_DIALECT_MIL_IR_LIMITS_H

#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/CheckedArithmetic.h"

namespace ane::mil {

/// Largest extent of a dimension.
inline constexpr int64_t maxExtent = INT32_MAX;
/// Largest number of elements; extents that are unknown or 0 do not count.
inline constexpr int64_t maxElements = int64_t(1) << 48;

inline bool hasSaneSize(llvm::ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape) {
    if (mlir::ShapedType::isDynamic(extent) || extent == 0)
      continue;
    if (extent < 0 || extent > maxExtent)
      return false;
    std::optional<int64_t> product = llvm::checkedMul(count, extent);
    if (!product || *product > maxElements)
      return false;
    count = *product;
  }
  return true;
}

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_IR_LIMITS_H
