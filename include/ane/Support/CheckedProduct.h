//===- CheckedProduct.h - Products of extents -------------------*- C++ -*-===//

#ifndef ANE_SUPPORT_CHECKEDPRODUCT_H
#define ANE_SUPPORT_CHECKEDPRODUCT_H

#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace ane {

/// `first` times all factors, as the bytes of an element times extents are
/// those of a tensor. Nothing if that passes the type on the way.
template <typename T>
std::optional<T> checkedProduct(T first, llvm::ArrayRef<T> factors) {
  for (T factor : factors)
    if (__builtin_mul_overflow(first, factor, &first))
      return std::nullopt;
  return first;
}

} // namespace ane

#endif // ANE_SUPPORT_CHECKEDPRODUCT_H
