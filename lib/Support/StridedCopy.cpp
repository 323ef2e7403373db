//===- StridedCopy.cpp - Elements in another order ------------------------===//

#include "ane/Support/StridedCopy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>
#include <cstdint>
#include <cstring>

using namespace ane;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

/// A dimension with the distances of its neighbours, in elements.
struct Dim {
  int64_t extent, from, to;
};

/// Elements along one side of a tile.
constexpr int64_t tile = 32;
/// The same of columns of halves that become rows: long pieces of a few lines
/// are what a processor fetches ahead.
constexpr int64_t highTile = 256;

/// Dimensions of more than one index, those that lie alike on both sides as
/// one.
SmallVector<Dim> joinDims(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  SmallVector<Dim> dims;
  int64_t distance = 1;
  for (auto [extent, stride] : llvm::reverse(llvm::zip_equal(shape, strides))) {
    if (extent != 1) {
      if (!dims.empty() && stride == dims.back().from * dims.back().extent)
        dims.back().extent *= extent;
      else
        dims.push_back({extent, stride, distance});
    }
    distance *= extent;
  }
  std::reverse(dims.begin(), dims.end());
  return dims;
}

template <typename Element>
void copyOneByOne(const char *from, char *to, Dim rows, Dim columns) {
  constexpr int64_t size = sizeof(Element);
  for (int64_t row = 0; row < rows.extent; ++row)
    for (int64_t column = 0; column < columns.extent; ++column)
      std::memcpy(to + (row * rows.to + column * columns.to) * size,
                  from + (row * rows.from + column * columns.from) * size,
                  size);
}

/// Elements of 2 bytes, as many as a vector has.
using Halves = uint16_t __attribute__((vector_size(16)));
constexpr int64_t halvesAtATime = sizeof(Halves) / sizeof(uint16_t);
constexpr int64_t columnsAtATime = 4;

Halves interleaveLow(Halves a, Halves b) {
  return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}
Halves interleaveHigh(Halves a, Halves b) {
  return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

/// Rows that are neighbours in `from` and columns that are in `to`, some of
/// each: a vector of every column becomes parts of rows.
void turnHalves(const char *from, char *to, int64_t columnsApart,
                int64_t rowsApart) {
  auto column = [&](int64_t index) {
    Halves result;
    std::memcpy(&result,
                from + index * columnsApart * int64_t(sizeof(uint16_t)),
                sizeof(result));
    return result;
  };
  auto storeTwoRows = [&](int64_t row, Halves both) {
    constexpr int64_t bytes = columnsAtATime * sizeof(uint16_t);
    const char *parts = reinterpret_cast<const char *>(&both);
    char *place = to + row * rowsApart * int64_t(sizeof(uint16_t));
    std::memcpy(place, parts, bytes);
    std::memcpy(place + rowsApart * int64_t(sizeof(uint16_t)), parts + bytes,
                bytes);
  };
  Halves c0 = column(0), c1 = column(1), c2 = column(2), c3 = column(3);
  Halves evenLow = interleaveLow(c0, c2), evenHigh = interleaveHigh(c0, c2);
  Halves oddLow = interleaveLow(c1, c3), oddHigh = interleaveHigh(c1, c3);
  storeTwoRows(0, interleaveLow(evenLow, oddLow));
  storeTwoRows(2, interleaveHigh(evenLow, oddLow));
  storeTwoRows(4, interleaveLow(evenHigh, oddHigh));
  storeTwoRows(6, interleaveHigh(evenHigh, oddHigh));
}

/// A tile whose columns become rows. Of weights in fp16 a matrix is turned
/// often enough to do it with vectors.
void turnTile(const char *from, char *to, Dim rows, Dim columns) {
  constexpr int64_t size = sizeof(uint16_t);
  auto copyRest = [&](int64_t row, int64_t column, int64_t numRows) {
    copyOneByOne<uint16_t>(from + (row + column * columns.from) * size,
                           to + (row * rows.to + column) * size,
                           {numRows, rows.from, rows.to},
                           {columns.extent - column, columns.from, columns.to});
  };
  int64_t bottom = rows.extent - rows.extent % halvesAtATime;
  int64_t right = columns.extent - columns.extent % columnsAtATime;
  for (int64_t column = 0; column < right; column += columnsAtATime)
    for (int64_t row = 0; row < bottom; row += halvesAtATime)
      turnHalves(from + (row + column * columns.from) * size,
                 to + (row * rows.to + column) * size, columns.from, rows.to);
  copyRest(0, right, bottom);
  copyRest(bottom, 0, rows.extent - bottom);
}

template <typename Element>
void copyPlane(const char *from, char *to, Dim rows, Dim columns) {
  constexpr int64_t size = sizeof(Element);
  bool turns = size == sizeof(uint16_t) && rows.from == 1 && columns.to == 1;
  auto copyTile = turns ? turnTile : copyOneByOne<Element>;
  int64_t height = turns ? highTile : tile;
  for (int64_t top = 0; top < rows.extent; top += height)
    for (int64_t left = 0; left < columns.extent; left += tile)
      copyTile(
          from + (top * rows.from + left * columns.from) * size,
          to + (top * rows.to + left * columns.to) * size,
          {std::min(height, rows.extent - top), rows.from, rows.to},
          {std::min(tile, columns.extent - left), columns.from, columns.to});
}

/// The last two dimensions are those along which either side is contiguous.
template <typename Element>
void copyDims(const char *from, char *to, ArrayRef<Dim> dims) {
  if (dims.size() > 2) {
    for (int64_t i = 0; i < dims.front().extent; ++i)
      copyDims<Element>(from + i * dims.front().from * int64_t(sizeof(Element)),
                        to + i * dims.front().to * int64_t(sizeof(Element)),
                        dims.drop_front());
    return;
  }
  Dim rows = dims.front(), columns = dims.back();
  if (columns.from != 1 || columns.to != 1)
    return copyPlane<Element>(from, to, rows, columns);
  constexpr int64_t size = sizeof(Element);
  for (int64_t row = 0; row < rows.extent; ++row)
    std::memcpy(to + row * rows.to * size, from + row * rows.from * size,
                columns.extent * size);
}

template <typename Element>
void copyElements(const char *from, char *to, ArrayRef<int64_t> shape,
                  ArrayRef<int64_t> strides) {
  SmallVector<Dim> dims = joinDims(shape, strides);
  // A tile has both the elements that are neighbours here and there.
  auto *near = llvm::find_if(dims, [](Dim dim) { return dim.from == 1; });
  if (near != dims.end() && near + 1 != dims.end())
    std::rotate(near, near + 1, dims.end() - 1);
  while (dims.size() < 2)
    dims.insert(dims.begin(), {1, 0, 0});
  copyDims<Element>(from, to, dims);
}

} // namespace

SmallVector<int64_t> ane::rowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

void ane::copyStrided(const char *from, ArrayRef<int64_t> shape,
                      ArrayRef<int64_t> strides, size_t elementBytes,
                      char *to) {
  if (llvm::is_contained(shape, 0))
    return;
  switch (elementBytes) {
  case 1:
    return copyElements<uint8_t>(from, to, shape, strides);
  case 2:
    return copyElements<uint16_t>(from, to, shape, strides);
  case 4:
    return copyElements<uint32_t>(from, to, shape, strides);
  case 8:
    return copyElements<uint64_t>(from, to, shape, strides);
  default:
    llvm_unreachable("an element has a power of 2 of bytes, up to 8");
  }
}
