//===- KernelsTest.cpp - Packed coefficients ------------------------------===//

#include "Kernels.h"
#include "llvm/ADT/STLExtras.h"
#include "gmock/gmock.h"

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;
using testing::HasSubstr;

namespace {

/// Weights of which some are zero, in the lanes of a kernel of one tap.
Coefficients sparseCoefficients(uint32_t channels, uint32_t taps) {
  Coefficients coefficients = randomCoefficients(1, channels, taps, true, 60);
  for (size_t i = 0; i < coefficients.weights.size(); i += 3)
    coefficients.weights[i] = 0;
  return coefficients;
}

TEST(Kernels, ZeroSkippingKernels) {
  // 4 channels side by side in one chunk, then 8 and 4 in two.
  for (auto [channels, ocgSize] : {std::pair(64u, 2u), std::pair(192u, 3u)}) {
    Extents in{1, 1, 10, 6, 6}, out{1, 1, channels, 3, 3};
    Unary unary(in, out);
    Coefficients coefficients = sparseCoefficients(channels, in.channels);
    Geometry geometry{1, 1, 2, 2, 0, 0};
    setGeometry(unary.task, geometry);
    unary.task.set(Field::OCGSize, ocgSize);
    unary.task.set(Field::BiasMode, 1);
    unary.task.set(Field::SparseFmt, 1);
    unary.task.set(Field::KernelDMASparse, 1);
    auto lanes = packSparseLanes(coefficients, 1u << ocgSize);
    setLanes(unary.task, lanes.size(), 0, 0);
    std::vector<uint8_t> &constants = unary.model.constants;
    for (auto [index, lane] : llvm::enumerate(lanes)) {
      ASSERT_FALSE(bool(
          unary.task.setScaled(Field::CoeffBase, constants.size(), index)));
      ASSERT_FALSE(
          bool(unary.task.setScaled(Field::CoeffSize, lane.size(), index)));
      constants.insert(constants.end(), lane.begin(), lane.end());
    }
    Array x = randomArray(in, 61);
    expectRounded(unary.run(x), convolve(x, coefficients, geometry, out));
  }
}

TEST(Kernels, DamagedZeroSkippingKernels) {
  auto message = [](auto change) {
    Extents in{1, 1, 10, 1, 1}, out{1, 1, 64, 1, 1};
    Unary unary(in, out);
    auto lanes = packSparseLanes(sparseCoefficients(64, in.channels), 4);
    change(lanes[1]);
    unary.task.set(Field::OCGSize, 2);
    unary.task.set(Field::BiasMode, 1);
    unary.task.set(Field::SparseFmt, 1);
    unary.task.set(Field::KernelDMASparse, 1);
    std::vector<uint8_t> &constants = unary.model.constants;
    setLanes(unary.task, lanes.size(), lanes[1].size(), lanes[1].size());
    for (std::vector<uint8_t> &lane : lanes) {
      lane.resize(lanes[1].size());
      constants.insert(constants.end(), lane.begin(), lane.end());
    }
    unary.model.add(unary.task);
    return refusal(unary.model);
  };
  EXPECT_EQ(message([](auto &) {}), "");
  // After 4 biases and the size comes 00 and a mask.
  EXPECT_THAT(message([](auto &lane) { lane[10] = 1; }),
              HasSubstr("packed coefficient lane 1, byte 12: 0x01 0x"));
  EXPECT_THAT(message([](auto &lane) { lane[11] = 0x10; }),
              HasSubstr("is no mask of 4 channels"));
  EXPECT_THAT(message([](auto &lane) {
                lane.assign(lane.begin(), lane.begin() + 64);
                lane[63] = 0xf;
              }),
              HasSubstr("the lane of 64 bytes ends before"));
}

TEST(Kernels, Palettes) {
  constexpr unsigned paletteStream = 2;
  for (unsigned bits : {4, 8}) {
    Extents in{1, 1, 6, 1, 9}, out{1, 1, 5, 1, 9};
    Unary unary(in, out);
    std::vector<double> palette =
        randomArray({1, 1, 1, 1, 1u << bits}, 62).values;
    Coefficients coefficients = randomCoefficients(1, 5, 6, true, 63);
    constexpr uint64_t laneBytes = 64;
    std::vector<uint8_t> &constants = unary.model.constants;
    for (uint32_t o = 0; o < 5; ++o) {
      appendHalves(constants, coefficients.biasOf(0, o));
      std::vector<uint8_t> indices(6 * bits / 8);
      for (uint32_t k = 0; k < 6; ++k) {
        unsigned index = (o * 6 + k) * 7 % palette.size();
        coefficients.weights[o * 6 + k] = palette[index];
        indices[k * bits / 8] |= index << k * bits % 8;
      }
      constants.insert(constants.end(), indices.begin(), indices.end());
      constants.resize((o + 1) * laneBytes);
    }
    setLanes(unary.task, 5, laneBytes, laneBytes);
    unary.task.set(Field::BiasMode, 1);
    unary.task.set(Field::PalettizedEn, 1);
    unary.task.set(Field::PalettizedBits, bits);
    unary.task.set(Field::StreamEn, 1, paletteStream);
    unary.task.set(Field::StreamPaletteBase, constants.size() / 64);
    unary.task.set(Field::StreamSize, 8, paletteStream);
    appendHalves(constants, palette);
    constants.resize(5 * laneBytes + 8 * 64);
    Array x = randomArray(in, 64);
    unary.model.add(unary.task);
    auto program = loadBytes(unary.model.container(td::Format::V7));
    ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
    expectRounded(test::run(unary.model, {{"x", x}})["y"],
                  convolve(x, coefficients, {}, out));
  }
}

} // namespace
