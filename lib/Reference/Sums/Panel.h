//===- Panel.h - Sums of products -------------------------------*- C++ -*-===//
//
// Convolutions and matrix products are sums of products over one contracted
// dimension. They are computed for a panel of columns at a time: the columns
// are copied next to each other, so that the inner loop reads both factors
// contiguously, and the sums of a panel stay in registers. Each sum adds its
// terms in the order of the contracted index, one after the other, so it does
// not depend on how panels are spread over threads.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_REFERENCE_SUMS_PANEL_H
#define ANE_LIB_REFERENCE_SUMS_PANEL_H

#include <cstdint>
#include <type_traits>
#include <vector>

namespace ane::reference {

/// What sums of T are added up in: integers wrap to 64 bits, which leaves their
/// low bits right.
template <typename T>
using SumOf = std::conditional_t<std::is_integral_v<T>, uint64_t, T>;

/// Up to eight columns of `depth` elements, the others zero.
template <typename T> class Panel {
public:
  static constexpr int64_t width = 8;

  explicit Panel(int64_t depth) : elements(depth * width) {}

  T &at(int64_t k, int64_t column) { return elements[k * width + column]; }

  /// The products of a row-major matrix of `numRows` rows and `depth` columns
  /// with the panel: sums[row * width + column].
  std::vector<SumOf<T>> multiply(const T *rows, int64_t numRows) const;

private:
  std::vector<T> elements;
};

/// How many panels `columns` columns take.
template <typename T> int64_t panelCount(int64_t columns) {
  return (columns + Panel<T>::width - 1) / Panel<T>::width;
}

} // namespace ane::reference

#endif // ANE_LIB_REFERENCE_SUMS_PANEL_H
