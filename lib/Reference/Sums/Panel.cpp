//===- Panel.cpp - Sums of products ---------------------------------------===//

#include "Sums/Panel.h"

using namespace ane::reference;

namespace {

/// `count` rows of products. The trip counts of the two inner loops are
/// constants, so the compiler keeps the sums in registers.
template <int count, typename T>
void multiplyRows(const T *rows, const T *panel, int64_t depth,
                  SumOf<T> *sums) {
  constexpr int64_t width = Panel<T>::width;
  using Sum = SumOf<T>;
  Sum sum[count][width] = {};
  for (int64_t k = 0; k < depth; ++k)
    for (int row = 0; row < count; ++row)
      for (int64_t column = 0; column < width; ++column)
        sum[row][column] += static_cast<Sum>(rows[row * depth + k]) *
                            static_cast<Sum>(panel[k * width + column]);
  for (int row = 0; row < count; ++row)
    for (int64_t column = 0; column < width; ++column)
      sums[row * width + column] = sum[row][column];
}

} // namespace

template <typename T>
std::vector<SumOf<T>> Panel<T>::multiply(const T *rows, int64_t numRows) const {
  int64_t depth = elements.size() / width;
  std::vector<SumOf<T>> sums(numRows * width);
  int64_t row = 0;
  for (; row + 2 <= numRows; row += 2)
    multiplyRows<2>(rows + row * depth, elements.data(), depth,
                    sums.data() + row * width);
  for (; row < numRows; ++row)
    multiplyRows<1>(rows + row * depth, elements.data(), depth,
                    sums.data() + row * width);
  return sums;
}

template class ane::reference::Panel<double>;
template class ane::reference::Panel<int64_t>;
