//===- KernelPairs.cpp - Coefficient lanes for two outputs in a step ------===//

#include "LaneReader.h"
#include "ane/TaskDescriptor/KernelStream.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Endian.h"
#include <climits>

using namespace ane;
using namespace ane::td;
using llvm::Error;
using llvm::support::endian::read16le;
using llvm::support::endian::write16le;

namespace {

constexpr uint32_t outputsOfStep = 2;

/// The tap of each number of a plane, nothing where the window of an output has
/// none.
llvm::SmallVector<std::optional<uint32_t>, 64>
tapsOfNumbers(const KernelWindow &window) {
  llvm::SmallVector<std::optional<uint32_t>, 64> taps;
  for (uint32_t phase = 0; phase < outputsOfStep; ++phase)
    for (uint32_t row = 0; row < window.height; ++row)
      for (uint32_t position = phase; position <= window.width;
           position += outputsOfStep)
        for (uint32_t output = 0; output < outputsOfStep; ++output) {
          uint32_t column = position - output; // also before the first
          taps.push_back(column < window.width
                             ? std::optional(row * window.width + column)
                             : std::nullopt);
        }
  return taps;
}

bool readAll(LaneReader &reader, llvm::MutableArrayRef<uint16_t> numbers) {
  const uint8_t *row = reader.takeRow(numbers.size());
  if (!row)
    return false;
  for (auto [index, number] : llvm::enumerate(numbers))
    number = read16le(row + index * halfBytes);
  return true;
}

/// The numbers behind each mask, the others being 0.
bool readMasked(LaneReader &reader, llvm::MutableArrayRef<uint16_t> numbers) {
  for (; !numbers.empty(); numbers = numbers.drop_front(
                               std::min<size_t>(CHAR_BIT, numbers.size()))) {
    const uint8_t *mask = reader.take(1);
    if (!mask)
      return false;
    for (auto [bit, number] : llvm::enumerate(numbers.take_front(CHAR_BIT)))
      if (*mask >> bit & 1)
        if (!readAll(reader, number))
          return false;
  }
  return true;
}

Error unpackPlane(const KernelLayout &layout, const KernelWindow &window,
                  bool sparse, const KernelPlane &plane, LaneReader &reader,
                  llvm::MutableArrayRef<uint8_t> dense) {
  uint16_t bias[outputsOfStep] = {};
  if (layout.shape().bias) {
    if (!readAll(reader, bias))
      return reader.tooShort();
    write16le(dense.data() + layout.biasOffset(plane, 0), bias[0]);
  }
  auto taps = tapsOfNumbers(window);
  llvm::SmallVector<uint16_t, 64> numbers(taps.size());
  if (!sparse) {
    if (!readAll(reader, numbers))
      return reader.tooShort();
  } else {
    if (!reader.startPlane() || !readMasked(reader, numbers))
      return reader.tooShort();
    if (Error error = reader.endPlane())
      return error;
  }

  llvm::SmallVector<std::optional<uint16_t>, 64> found(layout.shape().taps);
  bool fits = bias[0] == bias[1];
  for (auto [tap, number] : llvm::zip(taps, numbers)) {
    if (!tap) {
      fits &= number == 0;
      continue;
    }
    fits &= found[*tap].value_or(number) == number;
    found[*tap] = number;
    write16le(dense.data() + layout.tapOffset(plane, *tap, 0), number);
  }
  if (!fits)
    return reader.error("the two outputs of a step have different "
                        "coefficients, or some where no tap is");
  return Error::success();
}

} // namespace

Error td::unpackPairs(const KernelLayout &layout, const KernelWindow &window,
                      bool sparse, unsigned lane,
                      llvm::ArrayRef<uint8_t> packed,
                      llvm::MutableArrayRef<uint8_t> dense) {
  LaneReader reader(lane, packed);
  for (const KernelPlane &plane : layout.planes())
    if (plane.lane == lane)
      if (Error error =
              unpackPlane(layout, window, sparse, plane, reader, dense))
        return error;
  return Error::success();
}
