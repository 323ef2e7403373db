//===- HostTensor.cpp - Between arrays of the host and surfaces -----------===//

#include "Host/HostTensor.h"
#include "Buffer.h"
#include "HalfConversion.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
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
    if (port.interleave != 1) {
      int64_t channel = index[port.channelAxis];
      offset += (channel / port.interleave - channel) *
                    port.strides[port.channelAxis] +
                channel % port.interleave * int64_t(byteSize(port.surface));
    }
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

/// A row of the surface with its elements, fp16 or bytes, side by side.
template <unsigned size = 2>
void gather(const uint8_t *surface, int64_t stride, uint8_t *row,
            int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    std::copy_n(surface + i * stride, size, row + size * i);
}
template <unsigned size = 2>
void scatter(const uint8_t *row, uint8_t *surface, int64_t stride,
             int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    std::copy_n(row + size * i, size, surface + i * stride);
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

/// Calls `body` with a zero of the type that the integers of an array have.
/// Whether they are integers at all.
template <typename Body> bool withInteger(ElementType type, Body body) {
  switch (type) {
  case ElementType::Int8:
    body(int8_t());
    return true;
  case ElementType::UInt8:
    body(uint8_t());
    return true;
  case ElementType::Int16:
    body(int16_t());
    return true;
  case ElementType::Int32:
    body(int32_t());
    return true;
  default:
    return false;
  }
}

/// The integers of an array as floats, and the index of the first one beyond
/// the limit; -1 if there is none.
int64_t integersToFloat(ElementType type, const uint8_t *row, int64_t count,
                        IntegerLimit limit, float *wide) {
  int64_t beyond = -1;
  withInteger(type, [&](auto zero) {
    using T = decltype(zero);
    for (int64_t i = 0; i < count && beyond < 0; ++i) {
      auto value = llvm::support::endian::read<T, llvm::endianness::little>(
          row + i * sizeof(T));
      wide[i] = value;
      if (!limit.contains(value))
        beyond = i;
    }
  });
  return beyond;
}

/// Integer parts, at most what the type holds.
void floatToIntegers(ElementType type, const float *wide, int64_t count,
                     uint8_t *row) {
  withInteger(type, [&](auto zero) {
    using T = decltype(zero);
    constexpr double low = std::numeric_limits<T>::min(),
                     high = std::numeric_limits<T>::max();
    for (int64_t i = 0; i < count; ++i)
      llvm::support::endian::write<T, llvm::endianness::little>(
          row + i * sizeof(T),
          static_cast<T>(std::clamp(double(wide[i]), low, high)));
  });
}

} // namespace

llvm::Error engine::storeTensor(const HostPort &port, const uint8_t *array,
                                uint8_t *surface) {
  int64_t stride = innerStride(port);
  ScratchVector<uint8_t> half;
  ScratchVector<float> wide;
  int64_t beyond = -1;
  forEachRow(port, [&](int64_t offset, int64_t first, int64_t count) {
    const uint8_t *row = array + first * byteSize(port.type);
    if (port.surface != ElementType::Float16)
      return scatter<1>(row, surface + offset, stride, count);
    if (port.type == ElementType::Float32) {
      wide.resize(count);
      half.resize(2 * count);
      std::memcpy(wide.data(), row, count * sizeof(float));
      floatToHalf(wide.data(), half.data(), count);
      row = half.data();
    } else if (port.type == ElementType::Bool) {
      half = truthsToHalf({row, size_t(count)});
      row = half.data();
    } else if (port.type != ElementType::Float16) {
      wide.resize(count);
      half.resize(2 * count);
      int64_t found =
          integersToFloat(port.type, row, count, port.limit, wide.data());
      if (found >= 0 && beyond < 0)
        beyond = first + found;
      floatToHalf(wide.data(), half.data(), count);
      row = half.data();
    }
    scatter(row, surface + offset, stride, count);
  });
  if (beyond < 0)
    return llvm::Error::success();
  int64_t value = 0;
  withInteger(port.type, [&](auto zero) {
    using T = decltype(zero);
    value = llvm::support::endian::read<T, llvm::endianness::little>(
        array + beyond * sizeof(T));
  });
  return llvm::createStringError(describeBeyond(port, beyond, value));
}

void engine::loadTensor(const HostPort &port, const uint8_t *surface,
                        uint8_t *array) {
  int64_t stride = innerStride(port);
  ScratchVector<uint8_t> half;
  ScratchVector<float> wide;
  forEachRow(port, [&](int64_t offset, int64_t first, int64_t count) {
    uint8_t *row = array + first * byteSize(port.type);
    if (port.surface != ElementType::Float16)
      return gather<1>(surface + offset, stride, row, count);
    if (port.type == ElementType::Float16)
      return gather(surface + offset, stride, row, count);
    wide.resize(count);
    half.resize(2 * count);
    gather(surface + offset, stride, half.data(), count);
    if (port.type == ElementType::Bool)
      return halfToTruths(half, row);
    halfToFloat(half.data(), wide.data(), count);
    if (port.type == ElementType::Float32)
      std::memcpy(row, wide.data(), count * sizeof(float));
    else
      floatToIntegers(port.type, wide.data(), count, row);
  });
}
