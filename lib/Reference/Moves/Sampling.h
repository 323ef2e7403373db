//===- Sampling.h - Places between the elements of images -------*- C++ -*-===//

#ifndef ANE_LIB_REFERENCE_MOVES_SAMPLING_H
#define ANE_LIB_REFERENCE_MOVES_SAMPLING_H

#include "llvm/ADT/ArrayRef.h"

namespace ane::reference {

/// What lies outside an image.
enum class Padding { Constant, Border, Reflection, Symmetric };

/// An image and what surrounds it.
struct Image {
  llvm::ArrayRef<double> elements;
  int64_t height, width;
  Padding padding;
  double paddingValue;

  /// The element at a row and a column, which are whole numbers.
  double at(double row, double column) const;

  /// The weighted mean of the four elements around a place; an element of
  /// weight 0 does not count, even if it is infinite.
  double bilinear(double row, double column) const;

  /// The nearest element, of two the even one.
  double nearest(double row, double column) const;
};

} // namespace ane::reference

#endif // ANE_LIB_REFERENCE_MOVES_SAMPLING_H
