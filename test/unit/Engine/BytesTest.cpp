//===- BytesTest.cpp - Results and kernels of 8 bits ----------------------===//

#include "HalfConversion.h"
#include "Kernels.h"
#include "ane/Engine/Machine.h"
#include "gmock/gmock.h"

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;
using testing::HasSubstr;

namespace {

/// Gives a task from port x to port y results of 8 bits.
void storeBytes(td::RegisterImage &task) {
  task.set(Field::BinaryPoint, 0);
  for (Field field : {Field::OutFmt, Field::ResultDMAFmt, Field::DstFmtMode,
                      Field::DstTruncate, Field::DstMemFmt})
    task.set(field, 0);
}

/// A task without weights whose results are its bias rows.
Unary biasTask(std::vector<double> bias) {
  Extents extents{1, 1, uint32_t(bias.size()), 1, 2};
  Unary unary(extents, extents);
  Coefficients coefficients;
  coefficients.channels = bias.size();
  coefficients.channelwise = true;
  coefficients.weights.resize(bias.size());
  coefficients.bias = std::move(bias);
  addKernel(unary.model, unary.task, coefficients, 0);
  unary.task.set(Field::UnicastEn, 1);
  storeBytes(unary.task);
  return unary;
}

TEST(Bytes, ResultsOfZerosAndOnes) {
  Unary unary = biasTask({0, 1, 1, 0, 1});
  Array x(Extents{1, 1, 5, 1, 2});
  Array y = unary.run(x);
  // The first half-word of a row has its two bytes, and the second is left.
  for (uint32_t c = 0; c < 5; ++c) {
    uint16_t both = c == 1 || c == 2 || c == 4 ? 0x0101 : 0;
    EXPECT_EQ(halfBits(y.at(0, 0, c, 0, 0)), both);
    EXPECT_EQ(y.at(0, 0, c, 0, 1), 0);
  }
}

/// Channels and columns exchanged, four of what were columns side by side.
TEST(Bytes, TransposedResultsInterleaved) {
  constexpr uint32_t factor = 4;
  const std::vector<double> bias = {0, 1, 1, 0, 1, 1, 0, 0};
  Unary unary = biasTask(bias);
  Extents in{1, 1, 8, 1, 6}, out{1, 1, 2, 1, 16}; // planes of 32 bytes
  unary.model.ports.clear();
  unary.model.input("x", in);
  unary.model.output("y", out);
  for (Field field : {Field::Win, Field::Wout})
    unary.task.set(field, in.width);
  unary.model.readFirst(unary.task, "x");
  unary.model.write(unary.task, "y");
  unary.task.set(Field::TransposedWrite, 1);
  setResultInterleave(unary.task, factor);
  unary.model.add(unary.task);
  Array y = run(unary.model, {{"x", Array(in)}})["y"];
  for (uint32_t w = 0; w < in.width; ++w)
    for (uint32_t c = 0; c < in.channels; ++c) {
      uint32_t byte = c * factor + w % factor;
      uint16_t both = halfBits(y.at(0, 0, w / factor, 0, byte / 2));
      EXPECT_EQ(both >> byte % 2 * 8 & 0xff, bias[c]) << w << " " << c;
    }
}

TEST(Bytes, OtherNumbersEndTheRun) {
  Unary unary = biasTask({0, 1, 0.5, 2});
  unary.model.add(unary.task);
  for (unsigned threads : {1, 3}) {
    auto program = loadBytes(unary.model.container(td::Format::V7));
    ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
    EXPECT_EQ(llvm::toString((*program)->machine().run(threads)),
              "test.hwx:0:16384: error: task 0: Common.ChCfg.OutFmt (bits 5:4 "
              "of register 0x00008) is 0x0: the result "
              "(TileDMADst.BaseAddr.Addr, BAR 4) has 0.5 at [0, 0, 2, 0, 0], "
              "element 4; of numbers other than 0 and 1 it is not known how "
              "they become 8 bits");
  }
}

TEST(Bytes, OtherResultsAreRefused) {
  auto message = [](auto change) {
    Unary unary = biasTask({0, 1});
    change(unary.task);
    unary.model.add(unary.task);
    return refusal(unary.model);
  };
  EXPECT_EQ(message([](auto &) {}), "");
  EXPECT_THAT(message([](auto &task) { task.set(Field::OutFmt, 1); }),
              HasSubstr("results of fp16 and uint8 are known"));
  EXPECT_THAT(message([](auto &task) { task.set(Field::BinaryPoint, 28); }),
              HasSubstr("it is 0 where the result has 8 bits"));
  EXPECT_THAT(
      message([](auto &task) { task.set(Field::ResultType, 1); }),
      HasSubstr("a result of 8 bits is known to go either to memory or to "
                "L2"));
  EXPECT_THAT(message([](auto &task) { task.set(Field::ResultDMAFmt, 1); }),
              HasSubstr("it is not the element format of the result"));
  EXPECT_THAT(message([](auto &task) { task.set(Field::DstMemFmt, 2); }),
              HasSubstr("the format in memory is not the one in"));
}

/// The lanes of a channel-wise kernel of int8.
void addByteKernel(Model &model, td::RegisterImage &task,
                   const Coefficients &coefficients) {
  constexpr uint32_t laneBytes = 128;
  uint32_t lanes = std::min(coefficients.channels, 16u);
  setLanes(task, lanes, laneBytes, laneBytes);
  task.set(Field::KernelFmt, 1);
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    for (uint32_t c = lane; c < coefficients.channels; c += 16)
      for (uint32_t k = 0; k < coefficients.taps; ++k)
        model.constants.push_back(int8_t(coefficients.weight(0, c, k)));
    model.constants.resize((lane + 1) * laneBytes);
  }
}

TEST(Bytes, KernelsAndSeveralInputsOfAnOutput) {
  for (bool bytes : {false, true})
    for (uint32_t inputs : {1, 2, 3})
      for (uint32_t channels : {3, 40}) {
        Extents in{1, 1, channels * inputs, 4, 5}, out{1, 1, channels, 4, 5};
        Unary unary(in, out);
        Coefficients coefficients =
            randomCoefficients(1, channels, inputs, !bytes, 80);
        coefficients.channelwise = true;
        // Integers of 8 bits, the outermost ones among them.
        for (double &weight : coefficients.weights)
          weight *= 64;
        coefficients.weights[0] = -128;
        coefficients.weights[1] = 127;
        if (bytes)
          addByteKernel(unary.model, unary.task, coefficients);
        else
          addKernel(unary.model, unary.task, coefficients, 0);
        unary.task.set(Field::UnicastEn, 1);
        unary.task.set(Field::UnicastCin, inputs);
        Array x = randomArray(in, 82);
        Array expected(out);
        forEach(out,
                [&](uint32_t, uint32_t, uint32_t c, uint32_t h, uint32_t w) {
                  double sum = coefficients.biasOf(0, c);
                  for (uint32_t i = 0; i < inputs; ++i)
                    sum += coefficients.weight(0, c, i) *
                           x.at(0, 0, c * inputs + i, h, w);
                  expected.at(0, 0, c, h, w) = sum;
                });
        expectRounded(unary.run(x), expected);
      }
}

TEST(Bytes, OtherKernelsAreRefused) {
  auto message = [](auto change) {
    Extents in{1, 1, 6, 2, 2}, out{1, 1, 3, 2, 2};
    Unary unary(in, out);
    addByteKernel(unary.model, unary.task,
                  randomCoefficients(1, 3, 2, false, 83));
    unary.task.set(Field::UnicastEn, 1);
    unary.task.set(Field::UnicastCin, 2);
    change(unary.task);
    unary.model.add(unary.task);
    return refusal(unary.model);
  };
  EXPECT_EQ(message([](auto &) {}), "");
  EXPECT_THAT(message([](auto &task) { task.set(Field::BiasMode, 1); }),
              HasSubstr("a kernel of int8 is known without this only"));
  EXPECT_THAT(message([](auto &task) { task.set(Field::KernelFmt, 0); }),
              HasSubstr("only kernels of fp16 and int8 are known"));
  EXPECT_THAT(message([](auto &task) {
                task.set(Field::UnicastEn, 0);
                task.set(Field::UnicastCin, 1);
              }),
              HasSubstr("is known where no two outputs share inputs"));
  EXPECT_THAT(message([](auto &task) { task.set(Field::UnicastCin, 3); }),
              HasSubstr("are not a combination whose meaning is known"));
  // Several inputs and a window: the order is not known.
  EXPECT_THAT(
      message([](auto &task) { setGeometry(task, {1, 2, 1, 1, 0, 0}); }),
      HasSubstr("are not a combination whose meaning is known"));
}

} // namespace
