//===- StridedCopyTest.cpp - Elements in another order --------------------===//

#include "ane/Support/StridedCopy.h"
#include "gtest/gtest.h"
#include <cstring>
#include <numeric>
#include <vector>

using namespace ane;

namespace {

/// A matrix whose elements are all different, `columns` apart along rows of
/// `pitch`, and its elements in row-major order.
template <typename Element>
void checkMatrix(int64_t rows, int64_t columns, int64_t rowStride,
                 int64_t columnStride) {
  SCOPED_TRACE(testing::Message()
               << rows << " x " << columns << ", strides " << rowStride << ", "
               << columnStride << ", " << sizeof(Element) << " bytes");
  std::vector<Element> from((rows - 1) * rowStride +
                            (columns - 1) * columnStride + 1);
  std::iota(from.begin(), from.end(), Element(1));
  // What lies behind the result stays as it is.
  std::vector<Element> to(rows * columns + 8, Element(0)), expected = to;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      expected[row * columns + column] =
          from[row * rowStride + column * columnStride];
  copyStrided(reinterpret_cast<const char *>(from.data()), {rows, columns},
              {rowStride, columnStride}, sizeof(Element),
              reinterpret_cast<char *>(to.data()));
  EXPECT_EQ(to, expected);
}

/// Extents around those that are moved with vectors and tile by tile.
TEST(StridedCopy, TurnsMatrices) {
  for (int64_t rows : {1, 2, 7, 8, 9, 31, 33, 40, 71})
    for (int64_t columns : {1, 3, 4, 5, 6, 8, 18, 32, 37}) {
      checkMatrix<uint16_t>(rows, columns, 1, rows);
      checkMatrix<uint16_t>(rows, columns, 1, rows + 3);
      checkMatrix<uint32_t>(rows, columns, 1, rows);
      checkMatrix<uint8_t>(rows, columns, 1, rows);
    }
}

TEST(StridedCopy, CopiesOtherOrders) {
  checkMatrix<uint16_t>(9, 12, 12, 1);
  checkMatrix<uint16_t>(9, 12, 20, 1);
  checkMatrix<uint16_t>(9, 12, 2, 40);
  checkMatrix<uint16_t>(9, 12, 0, 0);
  checkMatrix<uint16_t>(9, 12, 1, 0);
  checkMatrix<uint16_t>(9, 12, 0, 1);
  checkMatrix<uint64_t>(9, 12, 1, 9);
}

/// [2, 3, 40, 12] with its dimensions in another order.
TEST(StridedCopy, PermutesDimensions) {
  std::vector<uint16_t> from(2 * 3 * 40 * 12);
  std::iota(from.begin(), from.end(), uint16_t(0));
  std::vector<uint16_t> to(from.size()), expected;
  for (unsigned a = 0; a < 40; ++a)
    for (unsigned b = 0; b < 2; ++b)
      for (unsigned c = 0; c < 12; ++c)
        for (unsigned d = 0; d < 3; ++d)
          expected.push_back(from[((b * 3 + d) * 40 + a) * 12 + c]);
  copyStrided(reinterpret_cast<const char *>(from.data()), {40, 2, 12, 3},
              {12, 3 * 40 * 12, 1, 40 * 12}, sizeof(uint16_t),
              reinterpret_cast<char *>(to.data()));
  EXPECT_EQ(to, expected);
}

} // namespace
