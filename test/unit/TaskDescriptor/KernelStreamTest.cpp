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

constexpr KernelWindow pointwise{1, 1, 2, 2}, square{3, 3, 2, 2};

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
  std::vector<KernelLayout> all = layouts();
  for (bool bias : {false, true}) {
    KernelShape shape;
    shape.outputChannels = 40;
    shape.taps = 9;
    shape.channelwise = true;
    shape.bias = bias;
    all.push_back(llvm::cantFail(KernelLayout::create(shape)));
    all.push_back(makeLayout(512, 18, bias, false, 1, 32));
  }
  unsigned count = 0;
  for (const KernelLayout &layout : all)
    for (const KernelWindow &window :
         {pointwise, square, KernelWindow{1, 1, 1, 1},
          KernelWindow{3, 3, 1, 1}}) {
      if (!canSkipZeros(layout, window))
        continue;
      ++count;
      uint64_t nonZeros = 0, packedBytes = 0;
      for (unsigned lane = 0; lane < layout.lanes(); ++lane) {
        std::vector<uint8_t> dense = makeLane(layout, lane, numbers, random);
        for (const KernelPlane &plane : layout.planes())
          for (uint32_t tap = 0; tap < layout.shape().taps; ++tap)
            for (uint32_t channel = 0; channel < plane.channels; ++channel)
              nonZeros += plane.lane == lane &&
                          llvm::support::endian::read16le(
                              dense.data() +
                              layout.tapOffset(plane, tap, channel)) != 0;
        std::optional<std::vector<uint8_t>> packed =
            packSparse(layout, window, lane, dense);
        ASSERT_TRUE(packed);
        prependTable(layout, dense, *packed);
        packedBytes += packed->size();
        std::vector<uint8_t> again(layout.laneBytes());
        ASSERT_EQ(
            llvm::toString(unpackSparse(layout, window, lane, *packed, again)),
            "");
        EXPECT_EQ(again, dense);
      }
      // Of a plane the estimate leaves out less than its last 64 bytes.
      uint64_t estimate = packedSparseBytes(layout, window, nonZeros);
      uint64_t slack = 64 * layout.planes().size();
      EXPECT_LT(packedBytes, estimate + slack);
      EXPECT_LT(estimate, packedBytes + slack);
    }
  // Windows of one element go with all layouts but the channel-wise ones of
  // nine taps, those of nine with these and with 18 taps.
  EXPECT_EQ(count, 2 * (layouts().size() + 2 + 2 * 2));
}

TEST(KernelStream, TheBytesOfSmallLanes) {
  // Two taps of four channels: a size of 8 bytes, then for each tap its mask,
  // the numbers of the bits, and a mask of the phases without taps.
  KernelLayout layout = makeLayout(64, 2, false, false);
  std::vector<uint8_t> dense(layout.laneBytes());
  auto put = [&](uint32_t tap, uint32_t channel, uint16_t number) {
    llvm::support::endian::write16le(
        dense.data() + layout.tapOffset(layout.planes().front(), tap, channel),
        number);
  };
  put(0, 1, 0x1122);
  put(1, 0, 0x3344);
  std::vector<uint8_t> packed = *packSparse(layout, pointwise, 0, dense);
  packed.resize(11);
  EXPECT_EQ(packed, (std::vector<uint8_t>{8, 0, 0, 0b10, 0x22, 0x11, 0, 0b1,
                                          0x44, 0x33, 0}));
  // The first index of a byte is in its low bits.
  packed = packPalette(layout, 0, dense, 4, {0, 0x1122, 0x3344});
  packed.resize(5);
  EXPECT_EQ(packed, (std::vector<uint8_t>{0x10, 0, 2, 0, 0}));
}

/// Bytes of a plane of one channel for itself whose taps are not 0.
uint64_t sizeOfFullPlane(const KernelWindow &window) {
  KernelShape shape;
  shape.outputChannels = 1;
  shape.taps = window.height * window.width;
  shape.channelwise = true;
  KernelLayout layout = llvm::cantFail(KernelLayout::create(shape));
  std::vector<uint8_t> ones(layout.laneBytes(), 0x3c);
  return packSparse(layout, window, 0, ones)->front();
}

TEST(KernelStream, PhasesHaveFourBitsAtLeast) {
  // Four phases of a tap of two bits each, and of nine.
  EXPECT_EQ(sizeOfFullPlane(pointwise), 4 * 4 / 8 + 2u);
  EXPECT_EQ(sizeOfFullPlane({5, 5, 2, 2}), 4 * 18 / 8 + 25 * 2u);
}

TEST(KernelStream, PairsOfOutputs) {
  KernelShape shape;
  shape.outputChannels = 2;
  shape.taps = 3;
  shape.channelwise = true;
  shape.bias = true;
  KernelLayout layout = llvm::cantFail(KernelLayout::create(shape));
  auto unpack = [&](llvm::ArrayRef<uint16_t> halves) {
    std::vector<uint8_t> packed(2 * halves.size()), dense(layout.laneBytes());
    for (size_t i = 0; i < halves.size(); ++i)
      llvm::support::endian::write16le(packed.data() + 2 * i, halves[i]);
    std::string message = llvm::toString(
        unpackPairs(layout, {1, 3, 1, 2}, /*sparse=*/false, 1, packed, dense));
    if (message.empty())
      for (uint16_t i = 0; i < 4; ++i)
        EXPECT_EQ(llvm::support::endian::read16le(dense.data() + 2 * i), 7 + i);
    return message;
  };
  // Bias 7, taps 8 to 10: even positions of the four, then odd ones.
  std::vector<uint16_t> slot = {7, 7, 8, 0, 10, 9, 9, 8, 0, 10};
  EXPECT_EQ(unpack(slot), "");
  for (size_t i = 0; i < slot.size(); ++i) {
    std::vector<uint16_t> damaged = slot;
    damaged[i] += 1;
    EXPECT_EQ(unpack(damaged),
              "packed coefficient lane 1, byte 20: the two outputs of a step "
              "have different coefficients, or some where no tap is");
  }
  slot.pop_back();
  EXPECT_EQ(unpack(slot), "packed coefficient lane 1, byte 4: the lane of 18 "
                          "bytes ends before its coefficients do");
}

TEST(KernelStream, ALongPlaneCannotSayItsSize) {
  auto pack = [&](uint32_t taps) {
    KernelLayout layout = makeLayout(512, taps, false, false, 1, 32);
    std::vector<uint8_t> ones(layout.laneBytes(), 0x3c);
    return packSparse(layout, pointwise, 0, ones).has_value();
  };
  // 80 bytes a tap.
  EXPECT_TRUE(pack(maxSparseBytes / 80));
  EXPECT_FALSE(pack(maxSparseBytes / 80 + 1));
}

TEST(KernelStream, WhatZerosCanBeLeftOutOf) {
  KernelLayout layout = makeLayout(64, 18, false, false);
  EXPECT_TRUE(canSkipZeros(layout, pointwise));
  EXPECT_TRUE(canSkipZeros(layout, square));
  for (const KernelWindow &window :
       {KernelWindow{1, 1, 1, 1}, KernelWindow{3, 3, 1, 1},
        KernelWindow{3, 1, 2, 2}, KernelWindow{1, 3, 2, 2}})
    EXPECT_TRUE(canSkipZeros(layout, window));
  // Other strides, and windows that 18 taps are not made of.
  for (const KernelWindow &window :
       {KernelWindow{1, 1, 1, 2}, KernelWindow{1, 1, 2, 1},
        KernelWindow{3, 3, 3, 3}, KernelWindow{2, 2, 2, 2},
        KernelWindow{5, 5, 2, 2}})
    EXPECT_FALSE(canSkipZeros(layout, window));
  // Nine taps of each input channel, and not more channels side by side than
  // were seen.
  EXPECT_FALSE(canSkipZeros(makeLayout(64, 10, false, false), square));
  EXPECT_TRUE(canSkipZeros(makeLayout(512, 8, false, false, 1, 32), pointwise));
  EXPECT_FALSE(
      canSkipZeros(makeLayout(1024, 8, false, false, 1, 64), pointwise));
}

} // namespace
