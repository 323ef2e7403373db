//===- KernelsTest.cpp - Packed coefficients ------------------------------===//

#include "Kernels.h"
#include "llvm/ADT/STLExtras.h"
#include "gmock/gmock.h"

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;
using testing::HasSubstr;

namespace {

/// Weights of which some are zero.
Coefficients sparseCoefficients(uint32_t groups, uint32_t channels,
                                uint32_t taps) {
  Coefficients coefficients =
      randomCoefficients(groups, channels, taps, true, 60);
  for (size_t i = 0; i < coefficients.weights.size(); i += 3)
    coefficients.weights[i] = 0;
  return coefficients;
}

/// Enables the lanes, each of a size of its own, behind the constants.
void addLanes(Model &model, td::RegisterImage &task,
              const std::vector<std::vector<uint8_t>> &lanes) {
  setLanes(task, lanes.size(), 0, 0);
  std::vector<uint8_t> &constants = model.constants;
  for (auto [index, lane] : llvm::enumerate(lanes)) {
    ASSERT_FALSE(
        bool(task.setScaled(Field::CoeffBase, constants.size(), index)));
    ASSERT_FALSE(bool(task.setScaled(Field::CoeffSize, lane.size(), index)));
    constants.insert(constants.end(), lane.begin(), lane.end());
  }
}

struct SparseCase {
  uint32_t groups, channels, extent, padding;
  unsigned ocgSize;
  bool channelwise = false;
};

TEST(Kernels, ZeroSkippingKernels) {
  for (const SparseCase &p :
       {SparseCase{1, 64, 1, 0, 2}, SparseCase{1, 64, 3, 0, 2},
        // 8 channels side by side, then 4.
        SparseCase{1, 192, 1, 0, 3}, SparseCase{1, 192, 3, 1, 3},
        SparseCase{1, 4, 3, 0, 0}, SparseCase{1, 32, 3, 0, 1},
        SparseCase{1, 256, 3, 0, 4}, SparseCase{1, 512, 3, 1, 5},
        SparseCase{3, 16, 3, 0, 0}, SparseCase{3, 32, 1, 0, 1},
        SparseCase{1, 40, 1, 0, 0, true}, SparseCase{1, 40, 3, 1, 0, true}}) {
    SCOPED_TRACE(p.channels);
    uint32_t window = p.extent * p.extent;
    Extents in{p.groups, 1, p.channelwise ? p.channels : 5, 6, 6};
    Extents out{p.groups, 1, p.channels, 3, 3};
    Unary unary(in, out);
    Coefficients coefficients = sparseCoefficients(
        p.groups, p.channels, window * (p.channelwise ? 1 : in.channels));
    coefficients.channelwise = p.channelwise;
    Geometry geometry{p.extent, p.extent, 2, 2, p.padding, p.padding};
    setGeometry(unary.task, geometry);
    unary.task.set(Field::UnicastEn, p.channelwise);
    unary.task.set(Field::OCGSize, p.ocgSize);
    unary.task.set(Field::BiasMode, 1);
    unary.task.set(Field::SparseFmt, 1);
    unary.task.set(Field::KernelDMASparse, 1);
    addLanes(unary.model, unary.task,
             packSparseLanes(coefficients, 1u << p.ocgSize, p.extent));
    Array x = randomArray(in, 61);
    expectRounded(unary.run(x), convolve(x, coefficients, geometry, out));
  }
}

TEST(Kernels, DamagedZeroSkippingKernels) {
  auto message = [](auto change) {
    Extents in{1, 1, 10, 1, 1}, out{1, 1, 64, 1, 1};
    Unary unary(in, out);
    setGeometry(unary.task, {1, 1, 2, 2, 0, 0});
    unary.task.set(Field::OCGSize, 2);
    unary.task.set(Field::BiasMode, 1);
    unary.task.set(Field::SparseFmt, 1);
    unary.task.set(Field::KernelDMASparse, 1);
    auto lanes = packSparseLanes(sparseCoefficients(1, 64, in.channels), 4);
    change(lanes[1], unary.task);
    addLanes(unary.model, unary.task, lanes);
    unary.model.add(unary.task);
    return refusal(unary.model);
  };
  EXPECT_EQ(message([](auto &, auto &) {}), "");
  // After 4 biases and the size in three bytes comes a mask of 4 channels.
  EXPECT_THAT(message([](auto &lane, auto &) { lane[11] |= 0x10; }),
              HasSubstr("packed coefficient lane 1, byte 18: 0x1b"));
  EXPECT_THAT(message([](auto &lane, auto &) { lane[11] |= 0x10; }),
              HasSubstr("is no mask: bit 4 stands for no coefficient"));
  EXPECT_THAT(message([](auto &lane, auto &) { --lane[8]; }),
              HasSubstr("bytes, but its masks make "));
  EXPECT_THAT(message([](auto &lane, auto &) { lane[10] = 1; }),
              HasSubstr("the plane says that it has 65"));
  EXPECT_THAT(message([](auto &lane, auto &) {
                lane.assign(lane.begin(), lane.begin() + 64);
                lane[63] = 0xf;
              }),
              HasSubstr("the lane of 64 bytes ends before"));

  // The order is known for strides of 1 and of 2.
  constexpr llvm::StringLiteral unknown =
      "NE.KernelCfg.SparseFmt (bits 8:8 of register 0x0c800) is 0x1: the order "
      "of a zero-skipping kernel is known for strides of 1 or of 2";
  for (const Geometry &geometry :
       {Geometry{1, 1, 2, 1, 0, 0}, Geometry{1, 1, 1, 2, 0, 0},
        Geometry{1, 1, 3, 3, 0, 0}})
    EXPECT_THAT(
        message([&](auto &, auto &task) { setGeometry(task, geometry); }),
        HasSubstr(unknown));
}

/// What is declared takes no memory: these lanes of 4 GiB have 64 bytes.
TEST(Kernels, LanesDeclaredLargerThanTheyAre) {
  Extents one{1, 1, 1, 1, 1}, out{1, 1, 128, 1, 1};
  Unary unary(one, out);
  unary.task.set(Field::Cin, 131071);
  for (Field field : {Field::Src1RowStride, Field::Src1PlaneStride,
                      Field::Src1DepthStride, Field::Src1GroupStride})
    unary.task.set(field, 0);
  setGeometry(unary.task, {20, 20, 1, 1, 0, 0});
  unary.task.set(Field::SparseFmt, 1);
  unary.task.set(Field::KernelDMASparse, 1);
  setLanes(unary.task, 16, 0, 0);
  for (unsigned lane = 0; lane < 16; ++lane)
    unary.task.set(Field::CoeffSize, (1u << 26) - 1, lane);
  unary.model.constants.resize(64);
  unary.model.add(unary.task);
  EXPECT_THAT(refusal(unary.model),
              HasSubstr("a kernel of 1 groups, 128 channels and 52428400 taps "
                        "does not fit the 1024 bytes of the 16 enabled "
                        "coefficient lanes"));
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
