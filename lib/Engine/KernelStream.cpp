//===- KernelStream.cpp - Packed coefficient lanes ------------------------===//

#include "KernelStream.h"
#include "ane/TaskDescriptor/Lut.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace ane;
using namespace ane::engine;
using llvm::Error;
using td::KernelLayout;
using td::KernelPlane;

namespace {

constexpr uint64_t halfBytes = 2;
constexpr uint64_t planeAlignment = 64;
constexpr uint32_t minSparseChannels = 4, maxSparseChannels = 8;

/// Takes bytes off the front of a lane.
class LaneReader {
public:
  LaneReader(unsigned lane, llvm::ArrayRef<uint8_t> bytes)
      : lane(lane), bytes(bytes) {}

  /// Null past the end, which `error` then reports.
  const uint8_t *take(uint64_t count) {
    if (count > bytes.size() - offset)
      return nullptr;
    offset += count;
    return bytes.data() + offset - count;
  }
  const uint8_t *takeRow(uint64_t halves) { return take(halves * halfBytes); }

  bool align(uint64_t alignment) {
    uint64_t aligned = llvm::alignTo(offset, alignment);
    offset = std::min<uint64_t>(aligned, bytes.size());
    return offset == aligned;
  }

  Error error(const llvm::Twine &problem) const {
    return llvm::createStringError("packed coefficient lane " +
                                   llvm::Twine(lane) + ", byte " +
                                   llvm::Twine(offset) + ": " + problem);
  }
  Error tooShort() const {
    return error("the lane of " + llvm::Twine(bytes.size()) +
                 " bytes ends before its coefficients do");
  }

private:
  unsigned lane;
  llvm::ArrayRef<uint8_t> bytes;
  uint64_t offset = 0;
};

uint8_t *biasRow(const KernelLayout &layout, const KernelPlane &plane,
                 llvm::MutableArrayRef<uint8_t> dense) {
  return dense.data() + layout.biasOffset(plane, 0);
}
uint8_t *weight(const KernelLayout &layout, const KernelPlane &plane,
                uint32_t tap, uint32_t channel,
                llvm::MutableArrayRef<uint8_t> dense) {
  return dense.data() + layout.tapOffset(plane, tap, channel);
}

Error copyBias(const KernelLayout &layout, const KernelPlane &plane,
               LaneReader &reader, llvm::MutableArrayRef<uint8_t> dense) {
  if (!layout.shape().bias)
    return Error::success();
  const uint8_t *row = reader.takeRow(plane.channels);
  if (!row)
    return reader.tooShort();
  std::memcpy(biasRow(layout, plane, dense), row, plane.channels * halfBytes);
  return Error::success();
}

Error copyTable(const KernelLayout &layout, LaneReader &reader,
                llvm::MutableArrayRef<uint8_t> dense) {
  if (!layout.shape().table)
    return Error::success();
  const uint8_t *table =
      reader.align(planeAlignment) ? reader.take(td::lutBytes) : nullptr;
  if (!table)
    return reader.tooShort();
  std::memcpy(dense.data() + layout.tableOffset(), table, td::lutBytes);
  return Error::success();
}

Error unpackSparsePlane(const KernelLayout &layout, const KernelPlane &plane,
                        LaneReader &reader,
                        llvm::MutableArrayRef<uint8_t> dense) {
  if (plane.channels != minSparseChannels &&
      plane.channels != maxSparseChannels)
    return reader.error("a zero-skipping plane of " +
                        llvm::Twine(plane.channels) +
                        " channels side by side is not known; 4 and 8 are");
  if (!reader.align(planeAlignment))
    return reader.tooShort();
  if (Error error = copyBias(layout, plane, reader, dense))
    return error;
  // What follows tells its own end, so its size is of no use here.
  if (!reader.takeRow(1))
    return reader.tooShort();
  for (uint32_t tap = 0; tap < layout.shape().taps; ++tap) {
    const uint8_t *head = reader.take(2);
    if (!head)
      return reader.tooShort();
    if (head[0] != 0 || head[1] >> plane.channels != 0)
      return reader.error(llvm::formatv("{0:x2} {1:x2} is no mask of {2} "
                                        "channels",
                                        head[0], head[1], plane.channels)
                              .str());
    for (uint32_t channel = 0; channel < plane.channels; ++channel) {
      if (!(head[1] >> channel & 1))
        continue;
      const uint8_t *value = reader.takeRow(1);
      if (!value)
        return reader.tooShort();
      std::memcpy(weight(layout, plane, tap, channel, dense), value, halfBytes);
    }
    if (!reader.take(plane.channels / 2 - 2))
      return reader.tooShort();
  }
  return Error::success();
}

Error unpackPalettePlane(const KernelLayout &layout, const KernelPlane &plane,
                         LaneReader &reader, unsigned bits,
                         llvm::ArrayRef<uint8_t> palette,
                         llvm::MutableArrayRef<uint8_t> dense) {
  constexpr unsigned bitsPerByte = 8;
  bool grouped = layout.shape().groups > 1;
  if (!reader.align(grouped ? planeAlignment : halfBytes))
    return reader.tooShort();
  if (Error error = copyBias(layout, plane, reader, dense))
    return error;
  uint64_t count = uint64_t(layout.shape().taps) * plane.channels;
  const uint8_t *indices =
      reader.take(llvm::divideCeil(count * bits, bitsPerByte));
  if (!indices)
    return reader.tooShort();
  uint8_t *first = weight(layout, plane, 0, 0, dense);
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t bit = i * bits;
    unsigned index =
        indices[bit / bitsPerByte] >> bit % bitsPerByte & ((1u << bits) - 1);
    std::memcpy(first + i * halfBytes, palette.data() + index * halfBytes,
                halfBytes);
  }
  return Error::success();
}

} // namespace

Error engine::unpackSparse(const KernelLayout &layout, unsigned lane,
                           llvm::ArrayRef<uint8_t> packed,
                           llvm::MutableArrayRef<uint8_t> dense) {
  LaneReader reader(lane, packed);
  for (const KernelPlane &plane : layout.planes())
    if (plane.lane == lane)
      if (Error error = unpackSparsePlane(layout, plane, reader, dense))
        return error;
  return copyTable(layout, reader, dense);
}

Error engine::unpackPalette(const KernelLayout &layout, unsigned lane,
                            llvm::ArrayRef<uint8_t> packed, unsigned bits,
                            llvm::ArrayRef<uint8_t> palette,
                            llvm::MutableArrayRef<uint8_t> dense) {
  LaneReader reader(lane, packed);
  for (const KernelPlane &plane : layout.planes())
    if (plane.lane == lane)
      if (Error error =
              unpackPalettePlane(layout, plane, reader, bits, palette, dense))
        return error;
  return copyTable(layout, reader, dense);
}
