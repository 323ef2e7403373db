//===- KernelStreamTest.cpp - Packed coefficient lanes --------------------===//

#include "ane/TaskDescriptor/KernelStream.h"
#include "ane/TaskDescriptor/Lut.h"
#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace ane::td;

namespace {

KernelLayout makeLayout(uint32_t channels, uint32_t taps, bool bias, bool table,
                        uint32_t groups = 1, unsigned cap = 16) {
  KernelShape shape;
  shape.outputChannels = channels;
  shape.taps = taps;
  shape.groups = groups;
  shape.ocgSize = chooseOcgSize(channels, cap);
  shape.bias = bias;
  shape.table = table;
  return llvm::cantFail(KernelLayout::create(shape));
}

/// Every weight of a lane, bias and table, taken from `numbers`.
std::vector<uint8_t> makeLane(const KernelLayout &layout, unsigned lane,
                              llvm::ArrayRef<uint16_t> numbers,
                              std::mt19937 &random) {
  std::vector<uint8_t> bytes(layout.laneBytes());
  auto put = [&](uint64_t offset, uint16_t number) {
    llvm::support::endian::write16le(bytes.data() + offset, number);
  };
  for (const KernelPlane &plane : layout.planes()) {
    if (plane.lane != lane)
      continue;
    for (uint32_t channel = 0; channel < plane.channels; ++channel) {
      if (layout.shape().bias)
        put(layout.biasOffset(plane, channel), random());
      for (uint32_t tap = 0; tap < layout.shape().taps; ++tap)
        put(layout.tapOffset(plane, tap, channel),
            numbers[random() % numbers.size()]);
    }
  }
  if (layout.shape().table)
    for (uint64_t i = 0; i < lutBytes; ++i)
      bytes[KernelLayout::tableOffset + i] = random();
  return bytes;
}

/// The table goes in front of the planes that a pack function gives.
void prependTable(const KernelLayout &layout, llvm::ArrayRef<uint8_t> dense,
                  std::vector<uint8_t> &packed) {
  const uint8_t *table = dense.begin() + KernelLayout::tableOffset;
  if (layout.shape().table)
    packed.insert(packed.begin(), table, table + lutBytes);
}

std::vector<KernelLayout> layouts() {
  std::vector<KernelLayout> all;
  for (bool bias : {false, true})
    for (bool table : {false, true})
      for (uint32_t channels : {3, 16, 64, 100, 128, 192})
        for (uint32_t taps : {1, 7, 32})
          for (uint32_t groups : {1, 3})
            all.push_back(makeLayout(channels, taps, bias, table, groups));
  return all;
}

TEST(KernelStream, PalettesComeBack) {
  std::mt19937 random(1);
  for (const KernelLayout &layout : layouts())
    for (unsigned bits : paletteBits) {
      std::set<uint16_t> distinct;
      while (distinct.size() < 1u << bits)
        distinct.insert(random());
      std::vector<uint16_t> palette(distinct.begin(), distinct.end());
      std::vector<uint8_t> colours(paletteBytes(bits));
      for (size_t i = 0; i < palette.size(); ++i)
        llvm::support::endian::write16le(colours.data() + 2 * i, palette[i]);
      uint64_t packedBytes = 0;
      for (unsigned lane = 0; lane < layout.lanes(); ++lane) {
        std::vector<uint8_t> dense = makeLane(layout, lane, palette, random);
        std::vector<uint8_t> packed =
            packPalette(layout, lane, dense, bits, palette);
        EXPECT_EQ(packed.size() % 64, 0u);
        prependTable(layout, dense, packed);
        packedBytes += packed.size();
        std::vector<uint8_t> again(layout.laneBytes());
        ASSERT_EQ(llvm::toString(unpackPalette(layout, lane, packed, bits,
                                               colours, again)),
                  "");
        EXPECT_EQ(again, dense);
      }
      // Of each lane the estimate leaves out less than its last 64 bytes.
      uint64_t estimate = packedPaletteBytes(layout, bits);
      EXPECT_LE(estimate,
                packedBytes + std::max<uint64_t>(paletteBytes(bits), 64));
      EXPECT_LT(packedBytes + paletteBytes(bits),
                estimate + 64 * layout.lanes());
    }
}

TEST(KernelStream, ZerosComeBack) {
  std::mt19937 random(2);
  const uint16_t numbers[] = {0, 0, 0x3c00, 0, 0x8000, 0};
  unsigned count = 0;
  for (const KernelLayout &layout : layouts()) {
    if (!canSkipZeros(layout))
      continue;
    ++count;
    for (unsigned lane = 0; lane < layout.lanes(); ++lane) {
      std::vector<uint8_t> dense = makeLane(layout, lane, numbers, random);
      std::optional<std::vector<uint8_t>> packed =
          packSparse(layout, lane, dense);
      ASSERT_TRUE(packed);
      prependTable(layout, dense, *packed);
      std::vector<uint8_t> again(layout.laneBytes());
      ASSERT_EQ(llvm::toString(unpackSparse(layout, lane, *packed, again)), "");
      EXPECT_EQ(again, dense);
    }
  }
  // 64, 128 and 192 channels in one group.
  EXPECT_EQ(count, 3u * 3 * 4);
}

TEST(KernelStream, TheBytesOfSmallLanes) {
  // Two taps of four channels: a size of 8 bytes, then for each tap a zero, the
  // mask, and the numbers of its bits.
  KernelLayout layout = makeLayout(64, 2, false, false);
  std::vector<uint8_t> dense(layout.laneBytes());
  auto put = [&](uint32_t tap, uint32_t channel, uint16_t number) {
    llvm::support::endian::write16le(
        dense.data() + layout.tapOffset(layout.planes().front(), tap, channel),
        number);
  };
  put(0, 1, 0x1122);
  put(1, 0, 0x3344);
  std::vector<uint8_t> packed = *packSparse(layout, 0, dense);
  packed.resize(10);
  EXPECT_EQ(packed, (std::vector<uint8_t>{8, 0, 0, 0b10, 0x22, 0x11, 0, 0b1,
                                          0x44, 0x33}));
  // The first index of a byte is in its low bits.
  packed = packPalette(layout, 0, dense, 4, {0, 0x1122, 0x3344});
  packed.resize(5);
  EXPECT_EQ(packed, (std::vector<uint8_t>{0x10, 0, 2, 0, 0}));
}

TEST(KernelStream, ALongPlaneCannotSayItsSize) {
  std::mt19937 random(3);
  const uint16_t one[] = {0x3c00};
  auto pack = [&](uint32_t taps) {
    KernelLayout layout = makeLayout(64, taps, false, false);
    return packSparse(layout, 0, makeLane(layout, 0, one, random)).has_value();
  };
  // Ten bytes a tap.
  EXPECT_TRUE(pack(6553));
  EXPECT_FALSE(pack(6554));
}

TEST(KernelStream, WhatZerosCanBeLeftOutOf) {
  EXPECT_TRUE(canSkipZeros(makeLayout(64, 8, false, false)));
  EXPECT_TRUE(canSkipZeros(makeLayout(128, 8, false, false)));
  EXPECT_FALSE(canSkipZeros(makeLayout(32, 8, false, false)));
  EXPECT_FALSE(canSkipZeros(makeLayout(256, 8, false, false)));
  EXPECT_FALSE(canSkipZeros(makeLayout(64, 8, false, false, 2)));
}

} // namespace
