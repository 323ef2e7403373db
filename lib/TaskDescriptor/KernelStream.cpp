//===- KernelStream.cpp - Packed coefficient lanes ------------------------===//

#include "ane/TaskDescriptor/KernelStream.h"
#include "ane/TaskDescriptor/Lut.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace ane;
using namespace ane::td;
using llvm::Error;

namespace {

constexpr uint64_t halfBytes = 2;
constexpr uint64_t planeAlignment = 64;
constexpr unsigned bitsPerByte = 8;

/// Channels side by side in a zero-skipping plane.
constexpr uint32_t sparseChannels[] = {4, 8};

/// Bytes of zeros behind the numbers of a tap.
uint64_t tapPadding(const KernelPlane &plane) { return plane.channels / 2 - 2; }

/// Where the planes of a palettized lane start.
uint64_t palettePlaneAlignment(const KernelLayout &layout) {
  return layout.shape().groups > 1 ? planeAlignment : halfBytes;
}

/// Puts bytes at the end of a lane.
class LaneWriter {
public:
  LaneWriter(const KernelLayout &layout, llvm::ArrayRef<uint8_t> dense)
      : layout(layout), dense(dense) {}

  void align(uint64_t alignment) {
    bytes.resize(llvm::alignTo(bytes.size(), alignment));
  }
  void put(uint8_t byte) { bytes.push_back(byte); }
  void putZeros(uint64_t count) { bytes.resize(bytes.size() + count); }
  void copy(uint64_t offset, uint64_t count) {
    llvm::append_range(bytes, dense.slice(offset, count));
  }
  void copyBias(const KernelPlane &plane) {
    if (layout.shape().bias)
      copy(layout.biasOffset(plane, 0), plane.channels * halfBytes);
  }
  uint16_t weight(const KernelPlane &plane, uint32_t tap, uint32_t channel) {
    return llvm::support::endian::read16le(
        dense.data() + layout.tapOffset(plane, tap, channel));
  }

  std::vector<uint8_t> finish() {
    align(planeAlignment);
    return std::move(bytes);
  }

  std::vector<uint8_t> bytes;

private:
  const KernelLayout &layout;
  llvm::ArrayRef<uint8_t> dense;
};

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
  const uint8_t *table = reader.take(lutBytes);
  if (!table)
    return reader.tooShort();
  std::memcpy(dense.data() + KernelLayout::tableOffset, table, lutBytes);
  return Error::success();
}

Error unpackSparsePlane(const KernelLayout &layout, const KernelPlane &plane,
                        LaneReader &reader,
                        llvm::MutableArrayRef<uint8_t> dense) {
  if (!llvm::is_contained(sparseChannels, plane.channels))
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
    if (!reader.take(tapPadding(plane)))
      return reader.tooShort();
  }
  return Error::success();
}

Error unpackPalettePlane(const KernelLayout &layout, const KernelPlane &plane,
                         LaneReader &reader, unsigned bits,
                         llvm::ArrayRef<uint8_t> palette,
                         llvm::MutableArrayRef<uint8_t> dense) {
  if (!reader.align(palettePlaneAlignment(layout)))
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

bool td::canSkipZeros(const KernelLayout &layout) {
  return layout.shape().groups == 1 && !layout.shape().channelwise &&
         llvm::all_of(layout.planes(), [](const KernelPlane &plane) {
           return llvm::is_contained(sparseChannels, plane.channels);
         });
}

namespace {

/// What all lanes take if those of `planeBytes` do, each plane on its own.
template <typename Fn>
uint64_t sumOfPlanes(const KernelLayout &layout, uint64_t alignment,
                     Fn planeBytes) {
  uint64_t sum = layout.shape().table ? layout.lanes() * lutBytes : 0;
  for (const KernelPlane &plane : layout.planes()) {
    uint64_t bias = layout.shape().bias ? plane.channels * halfBytes : 0;
    sum += llvm::alignTo(bias + planeBytes(plane), alignment);
  }
  return sum;
}

} // namespace

uint64_t td::packedSparseBytes(const KernelLayout &layout, uint64_t nonZeros) {
  constexpr uint64_t sizeBytes = 2, maskBytes = 2;
  return nonZeros * halfBytes +
         sumOfPlanes(layout, planeAlignment, [&](const KernelPlane &plane) {
           return sizeBytes +
                  layout.shape().taps * (maskBytes + tapPadding(plane));
         });
}

uint64_t td::packedPaletteBytes(const KernelLayout &layout, unsigned bits) {
  uint64_t planes = sumOfPlanes(
      layout, palettePlaneAlignment(layout), [&](const KernelPlane &plane) {
        uint64_t indices = uint64_t(layout.shape().taps) * plane.channels;
        return llvm::divideCeil(indices * bits, bitsPerByte);
      });
  // Lanes end at their alignment.
  return std::max(planes, layout.lanes() * planeAlignment) +
         llvm::alignTo(paletteBytes(bits), planeAlignment);
}

std::optional<std::vector<uint8_t>>
td::packSparse(const KernelLayout &layout, unsigned lane,
               llvm::ArrayRef<uint8_t> dense) {
  LaneWriter writer(layout, dense);
  for (const KernelPlane &plane : layout.planes()) {
    if (plane.lane != lane)
      continue;
    writer.align(planeAlignment);
    writer.copyBias(plane);
    uint64_t sizeOffset = writer.bytes.size();
    writer.putZeros(halfBytes);
    for (uint32_t tap = 0; tap < layout.shape().taps; ++tap) {
      writer.put(0);
      uint64_t maskOffset = writer.bytes.size();
      writer.put(0);
      for (uint32_t channel = 0; channel < plane.channels; ++channel) {
        if (!writer.weight(plane, tap, channel))
          continue;
        writer.bytes[maskOffset] |= 1u << channel;
        writer.copy(layout.tapOffset(plane, tap, channel), halfBytes);
      }
      writer.putZeros(tapPadding(plane));
    }
    uint64_t size = writer.bytes.size() - sizeOffset - halfBytes;
    if (size > std::numeric_limits<uint16_t>::max())
      return std::nullopt;
    llvm::support::endian::write16le(writer.bytes.data() + sizeOffset, size);
  }
  return writer.finish();
}

std::vector<uint8_t> td::packPalette(const KernelLayout &layout, unsigned lane,
                                     llvm::ArrayRef<uint8_t> dense,
                                     unsigned bits,
                                     llvm::ArrayRef<uint16_t> palette) {
  LaneWriter writer(layout, dense);
  for (const KernelPlane &plane : layout.planes()) {
    if (plane.lane != lane)
      continue;
    writer.align(palettePlaneAlignment(layout));
    writer.copyBias(plane);
    uint64_t first = writer.bytes.size(), bit = 0;
    uint64_t count = uint64_t(layout.shape().taps) * plane.channels;
    writer.putZeros(llvm::divideCeil(count * bits, bitsPerByte));
    for (uint32_t tap = 0; tap < layout.shape().taps; ++tap)
      for (uint32_t channel = 0; channel < plane.channels;
           ++channel, bit += bits) {
        unsigned index =
            llvm::lower_bound(palette, writer.weight(plane, tap, channel)) -
            palette.begin();
        writer.bytes[first + bit / bitsPerByte] |= index << bit % bitsPerByte;
      }
  }
  return writer.finish();
}

Error td::unpackSparse(const KernelLayout &layout, unsigned lane,
                       llvm::ArrayRef<uint8_t> packed,
                       llvm::MutableArrayRef<uint8_t> dense) {
  LaneReader reader(lane, packed);
  if (Error error = copyTable(layout, reader, dense))
    return error;
  for (const KernelPlane &plane : layout.planes())
    if (plane.lane == lane)
      if (Error error = unpackSparsePlane(layout, plane, reader, dense))
        return error;
  return Error::success();
}

Error td::unpackPalette(const KernelLayout &layout, unsigned lane,
                        llvm::ArrayRef<uint8_t> packed, unsigned bits,
                        llvm::ArrayRef<uint8_t> palette,
                        llvm::MutableArrayRef<uint8_t> dense) {
  LaneReader reader(lane, packed);
  if (Error error = copyTable(layout, reader, dense))
    return error;
  for (const KernelPlane &plane : layout.planes())
    if (plane.lane == lane)
      if (Error error =
              unpackPalettePlane(layout, plane, reader, bits, palette, dense))
        return error;
  return Error::success();
}
