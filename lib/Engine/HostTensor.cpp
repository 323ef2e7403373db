//===- HostTensor.cpp - Between arrays of the host and surfaces -----------===//

#include "HostTensor.h"
#include "Buffer.h"
#include "HalfConversion.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include <cstring>

using namespace ane;
using namespace ane::engine;

namespace {

/// Calls `row` with the byte offset in the surface, the index of the first
/// element in the array and the number of elements, for runs of elements along
/// the innermost dimension.
template <typename Row> void forEachRow(const HostPort &port, Row row) {
  if (llvm::is_contained(port.shape, 0))
    return;
  llvm::SmallVector<int64_t, 5> index(port.shape.size(), 0);
  int64_t length = port.shape.empty() ? 1 : port.shape.back();
  int64_t first = 0;
  while (true) {
    int64_t offset = 0;
    for (auto [position, stride] : llvm::zip_equal(index, port.strides))
      offset += position * stride;
    row(offset, first, length);
    first += length;
    // Count through the outer dimensions.
    int64_t axis = int64_t(port.shape.size()) - 2;
    for (; axis >= 0; --axis) {
      if (++index[axis] < port.shape[axis])
        break;
      index[axis] = 0;
    }
    if (axis < 0)
      return;
  }
}

int64_t innerStride(const HostPort &port) {
  return port.strides.empty() ? 2 : port.strides.back();
}

/// A row of the surface as fp16 side by side.
void gather(const uint8_t *surface, int64_t stride, uint8_t *row,
            int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    std::copy_n(surface + i * stride, 2, row + 2 * i);
}
void scatter(const uint8_t *row, uint8_t *surface, int64_t stride,
             int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    std::copy_n(row + 2 * i, 2, surface + i * stride);
}

/// 1 and 0 in fp16 for the truth values of an array.
ScratchVector<uint8_t> truthsToHalf(llvm::ArrayRef<uint8_t> truths) {
  constexpr uint16_t one = 0x3c00;
  ScratchVector<uint8_t> halves(2 * truths.size());
  for (auto [i, truth] : llvm::enumerate(truths))
    llvm::support::endian::write16le(&halves[2 * i], truth ? one : 0);
  return halves;
}

/// Whether each fp16 is no zero.
void halfToTruths(llvm::ArrayRef<uint8_t> halves, uint8_t *truths) {
  constexpr uint16_t magnitude = 0x7fff;
  for (size_t i = 0; i < halves.size() / 2; ++i)
    truths[i] =
        (llvm::support::endian::read16le(&halves[2 * i]) & magnitude) != 0;
}

} // namespace

void engine::storeTensor(const HostPort &port, const uint8_t *array,
                         uint8_t *surface) {
  int64_t stride = innerStride(port);
  ScratchVector<uint8_t> half;
  ScratchVector<float> wide;
  forEachRow(port, [&](int64_t offset, int64_t first, int64_t count) {
    const uint8_t *row = array + first * byteSize(port.type);
    if (port.type == ElementType::Float32) {
      wide.resize(count);
      half.resize(2 * count);
      std::memcpy(wide.data(), row, count * sizeof(float));
      floatToHalf(wide.data(), half.data(), count);
      row = half.data();
    } else if (port.type == ElementType::Bool) {
      half = truthsToHalf({row, size_t(count)});
      row = half.data();
    }
    scatter(row, surface + offset, stride, count);
  });
}

void engine::loadTensor(const HostPort &port, const uint8_t *surface,
                        uint8_t *array) {
  int64_t stride = innerStride(port);
  ScratchVector<uint8_t> half;
  ScratchVector<float> wide;
  forEachRow(port, [&](int64_t offset, int64_t first, int64_t count) {
    uint8_t *row = array + first * byteSize(port.type);
    if (port.type == ElementType::Float16)
      return gather(surface + offset, stride, row, count);
    wide.resize(count);
    half.resize(2 * count);
    gather(surface + offset, stride, half.data(), count);
    if (port.type == ElementType::Bool)
      return halfToTruths(half, row);
    halfToFloat(half.data(), wide.data(), count);
    std::memcpy(row, wide.data(), count * sizeof(float));
  });
}
