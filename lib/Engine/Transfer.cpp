//===- Transfer.cpp - Between fp16 memory and float arrays ----------------===//

#include "Transfer.h"
#include "HalfConversion.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

using namespace ane;
using namespace ane::engine;
using llvm::support::endian::read16le;
using llvm::support::endian::write16le;

namespace {

int64_t rowOffset(const Strides &strides, const RowPosition &at) {
  return strides.rowOffset(at.g, at.d, at.c, at.h);
}

/// Measured on M1: a NaN that enters counts as +infinity.
void sanitise(float *row, size_t count) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (size_t i = 0; i < count; ++i)
    row[i] = row[i] != row[i] ? infinity : row[i];
}

void relu(float *row, size_t count) {
  for (size_t i = 0; i < count; ++i)
    row[i] = row[i] > 0 ? row[i] : 0;
}

/// Measured on M1: columns from within a row come in a fixed-point format of 16
/// times the value, which passes 4094 and makes an infinity of 4096.
void crop(float *row, size_t count) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float limit = 4095;
  for (size_t i = 0; i < count; ++i)
    row[i] =
        std::fabs(row[i]) < limit ? row[i] : std::copysign(infinity, row[i]);
}

void readPlaced(const Source &source, const RowPosition &position, float *dest,
                size_t count) {
  const Strides &strides = source.strides;
  const uint8_t *from = source.origin + rowOffset(strides, position);
  switch (strides.element) {
  case Element::Half:
    if (strides.column == 2)
      return readRow(from, dest, count);
    for (size_t i = 0; i < count; ++i, from += strides.column)
      dest[i] = halfBitsToFloat(read16le(from));
    return sanitise(dest, count);
  case Element::UInt8:
    for (size_t i = 0; i < count; ++i, from += strides.column)
      dest[i] = *from;
    return;
  case Element::Int8:
    for (size_t i = 0; i < count; ++i, from += strides.column)
      dest[i] = static_cast<int8_t>(*from);
    return;
  }
}

/// The bits of an integer of 8 bits.
uint8_t toByte(float value) {
  return value >= -128 && value < 256 ? static_cast<int>(value) : 0;
}

/// Lowers `first` to the index of the first element that is neither 0 nor 1.
void noteOdd(const float *row, uint32_t count, uint64_t index,
             std::atomic<uint64_t> &first) {
  const float *odd =
      std::find_if(row, row + count, [](float x) { return x != 0 && x != 1; });
  if (odd == row + count)
    return;
  index += odd - row;
  uint64_t before = first;
  while (index < before && !first.compare_exchange_weak(before, index))
    ;
}

void storeRow(const Destination &destination, const RowPosition &position,
              const float *row, size_t count) {
  const Strides &strides = destination.strides;
  uint8_t *dest = destination.origin + rowOffset(strides, position);
  // A copy of an operand, or a result of 0 and 1; what else a result has ends
  // the run.
  if (strides.element != Element::Half) {
    for (size_t i = 0; i < count; ++i)
      dest[strides.columnOffset(i)] = toByte(row[i]);
    return;
  }
  if (strides.column == 2)
    return floatToHalf(row, dest, count);
  for (size_t i = 0; i < count; ++i)
    write16le(dest + strides.columnOffset(i), floatToHalfBits(row[i]));
}

/// Copies an operand that is kept into the scratchpad.
void copyOperand(Workers &workers, const Operand &operand,
                 const Tensor &values) {
  const Extents &extents = operand.extents;
  bool parallel = isDisjoint(operand.copy->strides, extents);
  auto copy = [&](uint64_t begin, uint64_t end) {
    for (uint64_t row = begin; row < end; ++row)
      storeRow(*operand.copy, RowPosition(extents, row), values.row(row),
               extents.width);
  };
  if (parallel)
    workers.forEach(values.numRows(), Workers::grainOf(extents.width), copy);
  else
    copy(0, values.numRows());
}

} // namespace

bool engine::isDisjoint(const Strides &strides, const Extents &extents) {
  if (strides.interleave != 1 || strides.columnInterleave != 1)
    return false;
  std::array<std::pair<uint64_t, uint32_t>, 5> axes = {{
      {std::abs(strides.group), extents.groups},
      {std::abs(strides.depth), extents.depth},
      {std::abs(strides.channel), extents.channels},
      {std::abs(strides.row), extents.height},
      {std::abs(strides.column), extents.width},
  }};
  llvm::sort(axes);
  uint64_t reach = strides.elementBytes();
  for (auto [stride, extent] : axes) {
    if (extent == 1)
      continue;
    if (stride < reach)
      return false;
    reach = stride * extent;
  }
  return true;
}

void engine::readRow(const uint8_t *source, float *dest, size_t count) {
  halfToFloat(source, dest, count);
  sanitise(dest, count);
}

Tensor engine::read(Workers &workers, const Operand &operand,
                    const Tensor &chain) {
  return read(workers, operand, chain, operand.extents, 0, 0, 0);
}

Tensor engine::read(Workers &workers, const Operand &operand,
                    const Tensor &chain, const Extents &padded, uint32_t top,
                    uint32_t left, float fill) {
  const Extents &extents = operand.extents;
  Tensor values(padded);
  bool isPadded = padded != extents;
  bool isChanged = isPadded || operand.relu || operand.flushed;
  if (operand.copy && isChanged) {
    // What is kept is the operand as it was fetched.
    Operand plain = operand;
    plain.relu = false;
    plain.flushed = false;
    read(workers, plain, chain);
  }
  if (isPadded)
    workers.forEach(values.numRows(), Workers::grainOf(padded.width),
                    [&](uint64_t begin, uint64_t end) {
                      std::fill(values.row(begin), values.row(end), fill);
                    });
  uint64_t rows = extents.elements() / extents.width;
  workers.forEach(
      rows, Workers::grainOf(extents.width), [&](uint64_t begin, uint64_t end) {
        for (uint64_t index = begin; index < end; ++index) {
          RowPosition at(extents, index);
          float *dest =
              values.row(values.rowIndex(at.g, at.d, at.c, top + at.h)) + left;
          if (operand.source)
            readPlaced(*operand.source, at, dest, extents.width);
          else
            std::copy_n(chain.row(index), extents.width, dest);
          if (operand.cropped)
            crop(dest, extents.width);
          if (operand.relu)
            relu(dest, extents.width);
          if (operand.flushed)
            flushDenormals(dest, extents.width);
        }
      });
  if (operand.copy && !isChanged)
    copyOperand(workers, operand, values);
  return values;
}

std::optional<OddElement>
engine::write(Workers &workers, const Result &result, Tensor &values,
              llvm::function_ref<void(const RowPosition &, float *)> finish) {
  const Extents &extents = result.extents;
  bool hasBytes = llvm::any_of(result.destinations, [](const Destination &d) {
    return d.strides.element != Element::Half;
  });
  constexpr uint64_t none = std::numeric_limits<uint64_t>::max();
  std::atomic<uint64_t> firstOdd = none;
  auto store = [&](uint64_t begin, uint64_t end, bool finishes, bool stores) {
    for (uint64_t index = begin; index < end; ++index) {
      RowPosition position(extents, index);
      float *row = values.row(index);
      if (finishes) {
        if (finish)
          finish(position, row);
        for (uint32_t i = 0; i < extents.width; ++i)
          row[i] = row[i] != row[i] ? 0 : row[i];
        if (hasBytes)
          noteOdd(row, extents.width, index * extents.width, firstOdd);
      }
      if (stores)
        for (const Destination &destination : result.destinations)
          storeRow(destination, position, row, extents.width);
    }
  };
  bool parallel = llvm::all_of(result.destinations, [&](const Destination &d) {
    return isDisjoint(d.strides, extents);
  });
  workers.forEach(values.numRows(), Workers::grainOf(extents.width),
                  [&](uint64_t begin, uint64_t end) {
                    store(begin, end, /*finishes=*/true, /*stores=*/parallel);
                  });
  // Where elements overlap, the last one counts, whatever the threads.
  if (!parallel)
    store(0, values.numRows(), /*finishes=*/false, /*stores=*/true);
  uint64_t odd = firstOdd;
  if (odd == none)
    return std::nullopt;
  return OddElement{odd, values.row(odd / extents.width)[odd % extents.width]};
}
