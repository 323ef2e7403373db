//===- SparseSectionsTest.cpp - Zero-skipping kernels of real programs ----===//
//
// Public records of H13 programs name weights and the hash of the constant
// section that Apple's compiler made of them. The same weights packed here must
// give the same bytes.
//
//===----------------------------------------------------------------------===//

#include "ane/TaskDescriptor/KernelStream.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/SHA256.h"
#include "gtest/gtest.h"
#include <functional>

using namespace ane::td;

namespace {

struct Section {
  const char *name;
  KernelShape shape; ///< without ocgSize
  uint32_t extent;   ///< of the window, rows and columns
  unsigned ocgSize;
  /// Bits of a number of the weight file; the bias follows the weights there,
  /// or starts where they start.
  std::function<uint16_t(uint64_t)> number;
  bool biasFollows;
  uint64_t bytes;
  const char *hash;
};

/// 1, 2, 3 and so on.
uint16_t ascending(uint64_t index) { return index + 1; }

/// A file of one number whose header is read as weights, too, so that some are
/// zero.
std::function<uint16_t(uint64_t)> behindHeader(uint16_t number,
                                               uint32_t bytes) {
  return [=](uint64_t index) -> uint16_t {
    constexpr uint64_t headerHalves = 64, blob = 32;
    switch (index) {
    case 0:
      return 1;
    case 2:
      return 2;
    case blob:
      return 0xbeef;
    case blob + 1:
      return 0xdead;
    case blob + 2:
      return bytes;
    case blob + 3:
      return bytes >> 16;
    case blob + 6:
      return 2 * headerHalves;
    default:
      return index < headerHalves ? 0 : number;
    }
  };
}

constexpr uint16_t half = 0x3800, abovehalf = 0x3801;

KernelShape shape(uint32_t outputs, uint32_t taps, uint32_t groups, bool bias,
                  bool channelwise = false) {
  KernelShape result;
  result.outputChannels = outputs;
  result.taps = taps;
  result.groups = groups;
  result.bias = bias;
  result.channelwise = channelwise;
  return result;
}

const Section sections[] = {
    {"3x3, 1 to 4 channels", shape(4, 9, 1, true), 3, 0, ascending, true, 256,
     "7e6fcd05070661dd3f8054527f8938615fe1bfbf7f1204007f7f7df4f94838cb"},
    {"3x3, 1 to 256 channels", shape(256, 9, 1, true), 3, 4, ascending, true,
     6144, "b0d091a220da49e13bb2c3ae4671f65a1236b0951397be7ab9dc2b4580077fd4"},
    {"3x3, 256 channels each for itself", shape(256, 9, 1, true, true), 3, 0,
     ascending, true, 7168,
     "10f89c21b5d325d80a8e7e7286ea6f4447b99134284d7d3ee369fd6c5430f1c7"},
    {"3x3, 64 to 64 channels", shape(64, 64 * 9, 1, true), 3, 2,
     behindHeader(abovehalf, 64 * 64 * 9 * 2), false, 82816,
     "fc7b27a1273dbdc1e97d92d3c297cbb25becafb45dd280e5469b3220df057883"},
    {"3x3, 64 to 64 channels, padding of 1", shape(64, 64 * 9, 1, true), 3, 2,
     behindHeader(half, 64 * 64 * 9 * 2), false, 82816,
     "4c1355b2df33593cf7125a509a09c16e028f7244b4fb2d9ea500fe0a50dba3f5"},
    {"3x3, 512 to 512 channels", shape(512, 512 * 9, 1, false), 3, 5,
     behindHeader(half, 512 * 512 * 9 * 2), false, 5243776,
     "19386383e125db712c10cc3fe4e0b2c9d9978e361ac3e3f2fa1b13323f79ff3c"},
    {"3x3, 4 groups of 16 to 16 channels", shape(16, 16 * 9, 4, true), 3, 0,
     behindHeader(abovehalf, 64 * 16 * 9 * 2), false, 28544,
     "e187665faa43df10f7006412f564c74b27c066b6d03e49c6db1eb07edcfb6e67"},
    {"1x1, 4 groups of 16 to 16 channels", shape(16, 16, 4, true), 1, 0,
     behindHeader(abovehalf, 64 * 16 * 2), false, 7936,
     "70851134dea5b7420ca4137b83ef00fd7a92f3781c9eff46483068e95492fb6f"},
    {"1x1, 4 groups of 16 to 32 channels", shape(32, 16, 4, true), 1, 1,
     behindHeader(abovehalf, 128 * 16 * 2), false, 8064,
     "0df508b9886b57705443aaa5960d8ab5624deab9439c5b06aabda4ec73e3bfd9"},
    {"1x1, 64 channels each for itself", shape(64, 1, 1, true, true), 1, 0,
     behindHeader(abovehalf, 64 * 2), false, 1024,
     "e35c7b3c73981fc1b0b3bf09e22e31614131f4dd30bcf180025e6721d0827b3a"},
};

/// The lanes of the section one after the other, each as long as it must be.
std::vector<uint8_t> pack(const Section &section) {
  KernelShape shape = section.shape;
  shape.ocgSize = section.ocgSize;
  KernelLayout layout = llvm::cantFail(KernelLayout::create(shape));
  KernelWindow window{section.extent, section.extent, 2, 2};
  EXPECT_TRUE(canSkipZeros(layout, window));
  uint64_t outputs = uint64_t(shape.groups) * shape.outputChannels;
  uint64_t firstBias = section.biasFollows ? outputs * shape.taps : 0;

  std::vector<uint8_t> all;
  for (unsigned lane = 0; lane < layout.lanes(); ++lane) {
    std::vector<uint8_t> dense(layout.laneBytes());
    auto put = [&](uint64_t offset, uint64_t index) {
      llvm::support::endian::write16le(dense.data() + offset,
                                       section.number(index));
    };
    for (const KernelPlane &plane : layout.planes()) {
      if (plane.lane != lane)
        continue;
      for (uint32_t channel = 0; channel < plane.channels; ++channel) {
        uint64_t output = uint64_t(plane.group) * shape.outputChannels +
                          plane.firstChannel + channel;
        if (shape.bias)
          put(layout.biasOffset(plane, channel), firstBias + output);
        for (uint32_t tap = 0; tap < shape.taps; ++tap)
          put(layout.tapOffset(plane, tap, channel), output * shape.taps + tap);
      }
    }
    std::vector<uint8_t> packed = *packSparse(layout, window, lane, dense);
    llvm::append_range(all, packed);
    std::vector<uint8_t> again(layout.laneBytes());
    EXPECT_EQ(llvm::toString(unpackSparse(layout, window, lane, packed, again)),
              "");
    EXPECT_TRUE(again == dense);
  }
  return all;
}

TEST(SparseSections, AreTheBytesOfRealPrograms) {
  for (const Section &section : sections) {
    SCOPED_TRACE(section.name);
    std::vector<uint8_t> bytes = pack(section);
    EXPECT_EQ(bytes.size(), section.bytes);
    EXPECT_EQ(llvm::toHex(llvm::SHA256::hash(bytes), /*LowerCase=*/true),
              section.hash);
  }
}

} // namespace
