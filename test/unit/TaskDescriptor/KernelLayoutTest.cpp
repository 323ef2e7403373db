//===- KernelLayoutTest.cpp - Where each coefficient lies in the lanes ----===//
//
// Sizes marked with a case name are those of real H13 programs.
//
//===----------------------------------------------------------------------===//

#include "ane/TaskDescriptor/KernelLayout.h"
#include "ane/TaskDescriptor/Lut.h"
#include "gtest/gtest.h"
#include <set>

using namespace ane::td;

namespace {

KernelLayout dense(uint32_t channels, uint32_t taps, unsigned cap = 16,
                   bool bias = false, bool table = false) {
  KernelShape shape;
  shape.outputChannels = channels;
  shape.taps = taps;
  shape.ocgSize = chooseOcgSize(channels, cap);
  shape.bias = bias;
  shape.table = table;
  return llvm::cantFail(KernelLayout::create(shape));
}

TEST(KernelLayout, PassesOfALane) {
  // 512 channels are 32 in each of 16 lanes.
  EXPECT_EQ(passesOfLane(512, 5).count, 1u);
  EXPECT_EQ(passesOfLane(512, 3).count, 4u);
  EXPECT_EQ(passesOfLane(512, 3).channels, 8u);
  // The last pass of 33 is not full.
  EXPECT_EQ(passesOfLane(513, 3).count, 5u);
  EXPECT_EQ(passesOfLane(513, 3).slots(), 40u);
  // Fewer than a pass has room for.
  EXPECT_EQ(passesOfLane(40, 4).count, 1u);
  EXPECT_EQ(passesOfLane(40, 4).channels, 3u);
  EXPECT_EQ(passesOfLane(40, 4, 4).channels, 10u);
}

TEST(KernelLayout, DenseSizesOfRealPrograms) {
  // conv.hwx: 3 -> 3 channels, three lanes of one 64-byte tile.
  EXPECT_EQ(dense(3, 3).lanes(), 3u);
  EXPECT_EQ(dense(3, 3).laneBytes(), 0x40u);
  // gemm.hwx: 512 -> 512 on one pixel, 32 channels in a row.
  EXPECT_EQ(chooseOcgSize(512, 32), 5u);
  EXPECT_EQ(dense(512, 512, 32).laneBytes(), 0x8000u);
  // matmul 256 x 256, without and with bias.
  EXPECT_EQ(chooseOcgSize(256, 16), 4u);
  EXPECT_EQ(dense(256, 256).laneBytes(), 0x2000u);
  EXPECT_EQ(dense(256, 256, 16, true).laneBytes(), 0x2040u);
  EXPECT_EQ(dense(256, 256, 16, false, true).laneBytes(), 0x2080u);
  EXPECT_EQ(dense(256, 256, 16, false, true).planes()[0].offset, 0x80u);
  // The 64 x 64 linear layer: sixteen lanes of 512 bytes.
  EXPECT_EQ(dense(64, 64).lanes(), 16u);
  EXPECT_EQ(dense(64, 64).laneBytes(), 512u);
}

TEST(KernelLayout, GroupedAndChannelwiseSizesOfRealPrograms) {
  // conv k3, 64 -> 64 channels in 4 groups: 4 planes of 320 bytes.
  KernelShape grouped;
  grouped.outputChannels = 16;
  grouped.taps = 16 * 9;
  grouped.groups = 4;
  KernelLayout layout = llvm::cantFail(KernelLayout::create(grouped));
  EXPECT_EQ(layout.laneBytes(), 0x500u);
  EXPECT_EQ(layout.planes()[16].group, 1u);
  EXPECT_EQ(layout.planes()[16].offset, 320u);

  // Depthwise k3: 64, 128 and 512 channels.
  auto depthwise = [](uint32_t channels, bool bias) {
    KernelShape shape;
    shape.outputChannels = channels;
    shape.taps = 9;
    shape.channelwise = true;
    shape.bias = bias;
    return llvm::cantFail(KernelLayout::create(shape)).laneBytes();
  };
  EXPECT_EQ(depthwise(64, true), 0x80u);
  EXPECT_EQ(depthwise(128, false), 0xc0u);
  EXPECT_EQ(depthwise(128, true), 0xc0u);
  EXPECT_EQ(depthwise(512, false), 0x240u);
  EXPECT_EQ(depthwise(512, true), 0x280u);
}

TEST(KernelLayout, PlacesTheIdentityMatrix) {
  // The published 64 x 64 identity: 4 channels a row, each lane 512 bytes;
  // channel n is in lane n / 4, at tap n, half-word n % 4.
  KernelLayout layout = dense(64, 64);
  ASSERT_EQ(layout.planes().size(), 16u);
  for (uint32_t n = 0; n < 64; ++n) {
    const KernelPlane &plane = layout.planes()[n / 4];
    EXPECT_EQ(plane.lane, n / 4);
    EXPECT_EQ(plane.firstChannel, n / 4 * 4);
    EXPECT_EQ(layout.tapOffset(plane, n, n % 4), 2 * (n * 4 + n % 4));
  }
}

TEST(KernelLayout, RowsNeedNotBePowersOfTwo) {
  // The wide tasks of a real feed-forward layer: planes of 6 for 96 channels.
  EXPECT_EQ(chooseOcgSize(96, 16), 3u);
  KernelLayout wide = dense(96, 10);
  ASSERT_EQ(wide.planes().size(), 16u);
  EXPECT_EQ(wide.planes()[1].channels, 6u);
  EXPECT_EQ(wide.planes()[1].firstChannel, 6u);
  // With a smaller OCGSize a second plane has the rest.
  KernelShape shape = wide.shape();
  shape.ocgSize = 2;
  KernelLayout two = llvm::cantFail(KernelLayout::create(shape));
  ASSERT_EQ(two.planes().size(), 32u);
  EXPECT_EQ(two.planes()[0].channels, 4u);
  EXPECT_EQ(two.planes()[16].channels, 2u);
  EXPECT_EQ(two.planes()[16].firstChannel, 64u);
}

TEST(KernelLayout, LastChunkLeavesLanesIdle) {
  // 100 channels: rows of 6 on 16 lanes, rows of 1 on 4.
  KernelLayout layout = dense(100, 10);
  EXPECT_EQ(layout.planes().size(), 16u + 4);
  const KernelPlane &last = layout.planes().back();
  EXPECT_EQ(last.lane, 3u);
  EXPECT_EQ(last.firstChannel, 99u);
  EXPECT_EQ(last.channels, 1u);
  EXPECT_EQ(last.offset, 2u * 10 * 6);
}

TEST(KernelLayout, FewerEnginesHaveLongerRows) {
  // The linear layer of a real program: 32 channels on 4 engines.
  KernelShape shape;
  shape.outputChannels = 32;
  shape.taps = 10;
  shape.engines = 4;
  shape.ocgSize = 3;
  EXPECT_EQ(chooseOcgSize(32, 16, 4), 3u);
  KernelLayout layout = llvm::cantFail(KernelLayout::create(shape));
  ASSERT_EQ(layout.planes().size(), 4u);
  EXPECT_EQ(layout.lanes(), 4u);
  EXPECT_EQ(layout.planes()[3].lane, 3u);
  EXPECT_EQ(layout.planes()[3].firstChannel, 24u);
  EXPECT_EQ(layout.planes()[3].channels, 8u);

  // Channel-wise, engine j has channels j, j + 4, ...
  shape.channelwise = true;
  shape.ocgSize = 0;
  layout = llvm::cantFail(KernelLayout::create(shape));
  ASSERT_EQ(layout.planes().size(), 32u);
  EXPECT_EQ(layout.planes()[5].lane, 1u);
  EXPECT_EQ(layout.planes()[5].offset, 2u * 10);

  for (uint32_t engines : {0u, 17u}) {
    shape.engines = engines;
    EXPECT_TRUE(llvm::errorToBool(KernelLayout::create(shape).takeError()));
  }
}

TEST(KernelLayout, EveryCoefficientHasItsOwnPlace) {
  for (uint32_t channels : {1u, 3u, 12u, 16u, 17u, 40u, 100u, 130u, 768u})
    for (uint32_t groups : {1u, 3u})
      for (bool bias : {false, true})
        for (bool channelwise : {false, true}) {
          KernelShape shape;
          shape.outputChannels = channels;
          shape.taps = 6;
          shape.groups = groups;
          shape.channelwise = channelwise;
          shape.ocgSize = channelwise ? 0 : chooseOcgSize(channels, 16);
          shape.bias = bias;
          shape.table = true;
          KernelLayout layout = llvm::cantFail(KernelLayout::create(shape));
          EXPECT_EQ(layout.laneBytes() % 64, 0u);
          std::set<std::pair<uint32_t, uint64_t>> places;
          size_t expected = 0;
          for (const KernelPlane &plane : layout.planes())
            for (uint32_t c = 0; c < plane.channels; ++c) {
              for (uint32_t tap = 0; tap < shape.taps; ++tap, ++expected) {
                uint64_t offset = layout.tapOffset(plane, tap, c);
                EXPECT_GE(offset, KernelLayout::tableOffset + lutBytes);
                EXPECT_LT(offset, layout.laneBytes());
                places.insert({plane.lane, offset});
              }
              if (bias) {
                places.insert({plane.lane, layout.biasOffset(plane, c)});
                ++expected;
              }
            }
          EXPECT_EQ(places.size(), expected);
          EXPECT_EQ(expected, size_t(channels) * groups * (6 + (bias ? 1 : 0)));
        }
}

TEST(KernelLayout, RefusesLanesNoRegisterReaches) {
  KernelShape shape;
  shape.outputChannels = 16;
  shape.taps = 0x80000000u;
  auto layout = KernelLayout::create(shape);
  ASSERT_FALSE(static_cast<bool>(layout));
  EXPECT_EQ(llvm::toString(layout.takeError()),
            "a coefficient lane would pass the 4 GiB its size register "
            "reaches");
}

} // namespace
