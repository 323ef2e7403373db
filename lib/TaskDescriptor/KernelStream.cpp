//===- KernelStream.cpp - Packed coefficient lanes ------------------------===//

#include "ane/TaskDescriptor/KernelStream.h"
#include "LaneReader.h"
#include "SparseOrder.h"
#include "ane/Support/Half.h"
#include "ane/TaskDescriptor/Lut.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <climits>
#include <cstring>

using namespace ane;
using namespace ane::td;
using llvm::Error;

namespace {

constexpr uint64_t planeAlignment = 64;
constexpr uint64_t sizeBytes = LaneReader::sizeBytes;

/// Where the planes of a zero-skipping lane start.
uint64_t sparsePlaneAlignment(const KernelLayout &layout) {
  return layout.shape().channelwise ? 1 : planeAlignment;
}

/// The input channels that a plane has coefficients for.
uint32_t inputChannels(const KernelLayout &layout, const SparseOrder &order) {
  return layout.shape().taps / order.taps();
}

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

  std::vector<uint8_t> finish() {
    align(planeAlignment);
    return std::move(bytes);
  }

  std::vector<uint8_t> bytes;

private:
  const KernelLayout &layout;
  llvm::ArrayRef<uint8_t> dense;
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

/// A mask byte and the coefficients behind it, or all of them `colour`.
Error unpackMask(const KernelLayout &layout, const KernelPlane &plane,
                 llvm::ArrayRef<std::optional<SparsePlace>> places,
                 uint32_t firstTap, const uint8_t *colour, LaneReader &reader,
                 llvm::MutableArrayRef<uint8_t> dense) {
  const uint8_t *mask = reader.take(1);
  if (!mask)
    return reader.tooShort();
  for (auto [bit, place] : llvm::enumerate(places)) {
    if (!(*mask >> bit & 1))
      continue;
    if (!place)
      return reader.error(
          llvm::formatv("{0:x2} is no mask: bit {1} stands for no coefficient",
                        *mask, bit)
              .str());
    const uint8_t *value = colour ? colour : reader.takeRow(1);
    if (!value)
      return reader.tooShort();
    std::memcpy(
        weight(layout, plane, firstTap + place->tap, place->channel, dense),
        value, halfBytes);
  }
  return Error::success();
}

Error unpackSparsePlane(const KernelLayout &layout, const KernelWindow &window,
                        const KernelPlane &plane, const uint8_t *colour,
                        LaneReader &reader,
                        llvm::MutableArrayRef<uint8_t> dense) {
  if (!reader.align(sparsePlaneAlignment(layout)))
    return reader.tooShort();
  if (Error error = copyBias(layout, plane, reader, dense))
    return error;
  if (!reader.startPlane())
    return reader.tooShort();
  SparseOrder order(window, layout.shape(), plane.channels);
  uint32_t channels = inputChannels(layout, order);
  for (uint32_t channel = 0; channel < channels; ++channel)
    for (uint64_t byte = 0; byte < order.maskBytes(); ++byte)
      if (Error error = unpackMask(
              layout, plane, order.places().slice(byte * CHAR_BIT, CHAR_BIT),
              channel * order.taps(), colour, reader, dense))
        return error;
  return reader.endPlane();
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
      reader.take(llvm::divideCeil(count * bits, CHAR_BIT));
  if (!indices)
    return reader.tooShort();
  uint8_t *first = weight(layout, plane, 0, 0, dense);
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t bit = i * bits;
    unsigned index =
        indices[bit / CHAR_BIT] >> bit % CHAR_BIT & ((1u << bits) - 1);
    std::memcpy(first + i * halfBytes, palette.data() + index * halfBytes,
                halfBytes);
  }
  return Error::success();
}

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

uint64_t td::packedSparseBytes(const KernelLayout &layout,
                               const KernelWindow &window, uint64_t nonZeros) {
  return nonZeros * halfBytes +
         sumOfPlanes(layout, sparsePlaneAlignment(layout),
                     [&](const KernelPlane &plane) {
                       SparseOrder order(window, layout.shape(),
                                         plane.channels);
                       return sizeBytes +
                              inputChannels(layout, order) * order.maskBytes();
                     });
}

uint64_t td::packedPaletteBytes(const KernelLayout &layout, unsigned bits) {
  uint64_t planes = sumOfPlanes(
      layout, palettePlaneAlignment(layout), [&](const KernelPlane &plane) {
        uint64_t indices = uint64_t(layout.shape().taps) * plane.channels;
        return llvm::divideCeil(indices * bits, CHAR_BIT);
      });
  // Lanes end at their alignment.
  return std::max(planes, layout.lanes() * planeAlignment) +
         llvm::alignTo(paletteBytes(bits), planeAlignment);
}

namespace {

/// Bytes from the first tap of an input channel to what each bit of its masks
/// stands for; nothing for a bit without coefficient.
llvm::SmallVector<std::optional<uint32_t>, 128>
bytesOfPlaces(const KernelPlane &plane, const SparseOrder &order) {
  llvm::SmallVector<std::optional<uint32_t>, 128> offsets;
  for (const std::optional<SparsePlace> &place : order.places())
    offsets.push_back(
        place ? std::optional<uint32_t>(
                    halfBytes * (place->tap * plane.channels + place->channel))
              : std::nullopt);
  return offsets;
}

/// The masks and coefficients of the input channel whose taps are at `taps`;
/// where they end. Writes up to a coefficient behind that.
uint8_t *packMasks(const uint8_t *taps,
                   llvm::ArrayRef<std::optional<uint32_t>> offsets,
                   uint8_t *to) {
  for (; !offsets.empty(); offsets = offsets.drop_front(CHAR_BIT)) {
    uint8_t &mask = *to++;
    mask = 0;
    for (unsigned bit = 0; bit < CHAR_BIT; ++bit) {
      if (!offsets[bit])
        continue;
      uint16_t value = llvm::support::endian::read16le(taps + *offsets[bit]);
      // Written without asking, and kept if it counts.
      llvm::support::endian::write16le(to, value);
      mask |= unsigned(value != 0) << bit;
      to += value != 0 ? halfBytes : 0;
    }
  }
  return to;
}

} // namespace

std::optional<std::vector<uint8_t>>
td::packSparse(const KernelLayout &layout, const KernelWindow &window,
               unsigned lane, llvm::ArrayRef<uint8_t> dense) {
  LaneWriter writer(layout, dense);
  for (const KernelPlane &plane : layout.planes()) {
    if (plane.lane != lane)
      continue;
    writer.align(sparsePlaneAlignment(layout));
    writer.copyBias(plane);
    uint64_t sizeOffset = writer.bytes.size();
    writer.putZeros(sizeBytes);
    SparseOrder order(window, layout.shape(), plane.channels);
    uint32_t channels = inputChannels(layout, order);
    auto offsets = bytesOfPlaces(plane, order);
    uint64_t channelBytes = halfBytes * order.taps() * plane.channels;
    uint64_t begin = writer.bytes.size();
    writer.putZeros(channels * (order.maskBytes() + channelBytes) + halfBytes);
    uint8_t *to = writer.bytes.data() + begin;
    for (uint32_t channel = 0; channel < channels; ++channel)
      to = packMasks(dense.data() + layout.tapOffset(plane, 0, 0) +
                         channel * channelBytes,
                     offsets, to);
    writer.bytes.resize(to - writer.bytes.data());
    uint64_t size = writer.bytes.size() - sizeOffset - sizeBytes;
    if (size > maxSparseBytes)
      return std::nullopt;
    for (uint64_t byte = 0; byte < sizeBytes; ++byte)
      writer.bytes[sizeOffset + byte] = size >> (byte * CHAR_BIT);
  }
  return writer.finish();
}

std::vector<uint8_t> td::packPalette(const KernelLayout &layout, unsigned lane,
                                     llvm::ArrayRef<uint8_t> dense,
                                     unsigned bits,
                                     llvm::ArrayRef<uint16_t> palette) {
  LaneWriter writer(layout, dense);
  // Of each fp16 of the palette its index. Most lanes are smaller than the
  // table, so that it is not made anew for each.
  thread_local std::vector<uint8_t> indexOf(1u << 16);
  for (auto [index, value] : llvm::enumerate(palette))
    indexOf[value] = index;
  for (const KernelPlane &plane : layout.planes()) {
    if (plane.lane != lane)
      continue;
    writer.align(palettePlaneAlignment(layout));
    writer.copyBias(plane);
    uint64_t first = writer.bytes.size();
    uint64_t count = uint64_t(layout.shape().taps) * plane.channels;
    writer.putZeros(llvm::divideCeil(count * bits, CHAR_BIT));
    uint8_t *to = writer.bytes.data() + first;
    const uint8_t *weights = dense.data() + layout.tapOffset(plane, 0, 0);
    auto indexAt = [&](uint64_t i) {
      uint16_t weight =
          llvm::support::endian::read16le(weights + i * halfBytes);
      uint8_t index = indexOf[weight];
      assert(index < palette.size() && palette[index] == weight &&
             "a palette has all weights");
      return index;
    };
    if (bits == CHAR_BIT)
      for (uint64_t i = 0; i < count; ++i)
        to[i] = indexAt(i);
    else
      for (uint64_t i = 0; i < count; ++i)
        to[i * bits / CHAR_BIT] |= indexAt(i) << i * bits % CHAR_BIT;
  }
  return writer.finish();
}

Error td::unpackSparse(const KernelLayout &layout, const KernelWindow &window,
                       unsigned lane, llvm::ArrayRef<uint8_t> packed,
                       llvm::MutableArrayRef<uint8_t> dense) {
  LaneReader reader(lane, packed);
  if (Error error = copyTable(layout, reader, dense))
    return error;
  for (const KernelPlane &plane : layout.planes())
    if (plane.lane == lane)
      if (Error error = unpackSparsePlane(layout, window, plane,
                                          /*colour=*/nullptr, reader, dense))
        return error;
  return Error::success();
}

Error td::unpackColour(const KernelLayout &layout, const KernelWindow &window,
                       unsigned lane, llvm::ArrayRef<uint8_t> packed,
                       llvm::MutableArrayRef<uint8_t> dense) {
  LaneReader reader(lane, packed);
  const uint8_t *palette = reader.take(planeAlignment);
  if (!palette)
    return reader.tooShort();
  if (llvm::any_of(
          llvm::ArrayRef(palette, planeAlignment).drop_front(halfBytes),
          [](uint8_t byte) { return byte != 0; }))
    return reader.error("a palette in front of a lane is known with one colour "
                        "and zeros only");
  for (const KernelPlane &plane : layout.planes())
    if (plane.lane == lane)
      if (Error error =
              unpackSparsePlane(layout, window, plane, palette, reader, dense))
        return error;
  return Error::success();
}

Error td::unpackBytes(const KernelLayout &layout, unsigned lane,
                      llvm::ArrayRef<uint8_t> packed,
                      llvm::MutableArrayRef<uint8_t> dense) {
  LaneReader reader(lane, packed);
  if (Error error = copyTable(layout, reader, dense))
    return error;
  for (const KernelPlane &plane : layout.planes()) {
    if (plane.lane != lane)
      continue;
    uint64_t count = uint64_t(layout.shape().taps) * plane.channels;
    const uint8_t *bytes = reader.take(count);
    if (!bytes)
      return reader.tooShort();
    uint8_t *first = weight(layout, plane, 0, 0, dense);
    for (uint64_t i = 0; i < count; ++i)
      llvm::support::endian::write16le(
          first + i * halfBytes, halfFromDouble(static_cast<int8_t>(bytes[i])));
  }
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
