//===- StridedCopy.cpp - Elements in another order ------------------------===//

#include "ane/Support/StridedCopy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/ErrorHandling.h"
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
void copyPlane(const char *from, char *to, Dim rows, Dim columns) {
  constexpr int64_t size = sizeof(Element);
  for (int64_t top = 0; top < rows.extent; top += tile)
    for (int64_t left = 0; left < columns.extent; left += tile) {
      int64_t bottom = std::min(top + tile, rows.extent);
      int64_t right = std::min(left + tile, columns.extent);
      for (int64_t row = top; row < bottom; ++row)
        for (int64_t column = left; column < right; ++column)
          std::memcpy(to + (row * rows.to + column * columns.to) * size,
                      from + (row * rows.from + column * columns.from) * size,
                      size);
    }
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
