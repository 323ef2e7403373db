//===- CostTest.cpp - What tasks should cost ------------------------------===//
//
// The numbers are worked out by hand from the formulas of docs/engine.md:
// 256 products a cycle and NE, 51000 MB/s at 1430 MHz, 64 banks of 16 bytes, 44
// cycles a task.
//
//===----------------------------------------------------------------------===//

#include "ane/Cost/Cost.h"
#include "ane/TaskDescriptor/Values.h"
#include "gtest/gtest.h"

using namespace ane;
using namespace ane::cost;
using td::Field;

namespace {

const TargetDescription &h13() { return *findTarget("h13"); }

void scaled(td::RegisterImage &image, Field field, int64_t value,
            unsigned index = 0) {
  ASSERT_FALSE(bool(image.setScaled(field, value, index)));
}

void setExtents(td::RegisterImage &image, uint32_t channelsIn,
                uint32_t channelsOut, uint32_t rows, uint32_t columns) {
  image.set(Field::NumGroups, 1);
  image.set(Field::Din, 1);
  image.set(Field::Dout, 1);
  image.set(Field::Cin, channelsIn);
  image.set(Field::Cout, channelsOut);
  for (Field field : {Field::Hin, Field::Hout})
    image.set(field, rows);
  for (Field field : {Field::Win, Field::Wout})
    image.set(field, columns);
}

/// 64 to 64 channels of 16x16 in a window of 3x3 on 16 NEs, four channels each
/// at a time, streamed in and out; in L2 rows are 32 bytes apart.
td::RegisterImage convolution() {
  td::RegisterImage image;
  setExtents(image, 64, 64, 16, 16);
  image.set(Field::Kh, 3);
  image.set(Field::Kw, 3);
  image.set(Field::ActiveNE, 4);
  image.set(Field::OCGSize, 2);
  image.set(Field::SourceType, td::bits(td::Residence::Streamed));
  image.set(Field::ResultType, td::bits(td::Residence::Streamed));
  scaled(image, Field::L2Src1RowStride, 32);
  scaled(image, Field::L2ResultRowStride, 32);
  for (unsigned lane = 0; lane < td::numLanes; ++lane) {
    image.set(Field::CoeffEn, 1, lane);
    scaled(image, Field::CoeffSize, 4 * 64 * 9 * 2, lane);
  }
  return image;
}

TEST(Cost, Convolution) {
  TaskCost cost = estimateTask(convolution(), h13());
  EXPECT_EQ(cost.engine, td::Engine::NE);
  EXPECT_EQ(cost.macs, 64u * 256 * 64 * 9);
  EXPECT_EQ(cost.source1Bytes, 64u * 256 * 2);
  EXPECT_EQ(cost.source2Bytes, 0u);
  EXPECT_EQ(cost.kernelBytes, 16u * 4608);
  EXPECT_EQ(cost.resultBytes, 64u * 256 * 2);
  EXPECT_EQ(cost.dmaBytes(), 139264u);
  // 4 channels * 576 taps * 256 pixels / 256.
  EXPECT_EQ(cost.computeCycles, 2304u);
  // 139264 * 1430 / 51000 = 3904.9.
  EXPECT_EQ(cost.dmaCycles, 3905u);
  // 64 planes of rows of two granules; 16 rows in 32 banks: 128 for the source,
  // as many for the result.
  EXPECT_EQ(cost.l2Cycles, 256u);
  // In by DMA and engine, out by engine and DMA.
  EXPECT_EQ(cost.l2WrittenBytes, 2u * 32768);
  EXPECT_EQ(cost.l2ReadBytes, 2u * 32768);
  EXPECT_EQ(cost.cycles, 3905u + 44);
  EXPECT_EQ(cost.bound, Bound::Bandwidth);
}

TEST(Cost, StreamedSourceComesForEachPass) {
  td::RegisterImage image = convolution();
  image.set(Field::OCGSize, 1);
  TaskCost cost = estimateTask(image, h13());
  EXPECT_EQ(cost.source1Bytes, 65536u);
  EXPECT_EQ(cost.computeCycles, 2304u);
  // 172032 * 1430 / 51000 = 4823.6.
  EXPECT_EQ(cost.dmaCycles, 4824u);
  EXPECT_EQ(cost.l2Cycles, 2u * 128 + 128);
  image.set(Field::SourceType, td::bits(td::Residence::Kept));
  EXPECT_EQ(estimateTask(image, h13()).source1Bytes, 32768u);
}

TEST(Cost, WhatEachChannelNeedsComesOnce) {
  td::RegisterImage image = convolution();
  image.set(Field::OCGSize, 0);
  image.set(Field::UnicastEn, 1);
  image.set(Field::UnicastCin, 1);
  TaskCost cost = estimateTask(image, h13());
  EXPECT_EQ(cost.macs, 64u * 256 * 9);
  EXPECT_EQ(cost.source1Bytes, 32768u);
  EXPECT_EQ(cost.computeCycles, 4u * 9);
}

TEST(Cost, AFewChannelsForEachOutput) {
  td::RegisterImage image = convolution();
  image.set(Field::OCGSize, 0);
  image.set(Field::Cout, 32);
  image.set(Field::UnicastEn, 1);
  image.set(Field::UnicastCin, 2);
  TaskCost cost = estimateTask(image, h13());
  EXPECT_EQ(cost.macs, 32u * 256 * 2 * 9);
  EXPECT_EQ(cost.source1Bytes, 32768u);
}

TEST(Cost, FewPixelsFillAPatch) {
  td::RegisterImage image = convolution();
  image.set(Field::Hout, 1);
  image.set(Field::Wout, 1);
  TaskCost cost = estimateTask(image, h13());
  EXPECT_EQ(cost.macs, 64u * 576);
  // 4 channels * 576 taps * 16 pixels / 256.
  EXPECT_EQ(cost.computeCycles, 144u);
}

TEST(Cost, ZerosThatAreSkipped) {
  td::RegisterImage image = convolution();
  image.set(Field::SparseFmt, 1);
  for (unsigned lane = 0; lane < td::numLanes; ++lane)
    scaled(image, Field::CoeffSize, 2304, lane);
  TaskCost cost = estimateTask(image, h13());
  EXPECT_EQ(cost.computeCycles, 1152u);
  EXPECT_EQ(cost.kernelBytes, 16u * 2304);
  // Two groups would have twice the coefficients; two images share them.
  image.set(Field::NumGroups, 2);
  EXPECT_EQ(estimateTask(image, h13()).computeCycles, 1152u);
  image.set(Field::GroupKernelReuse, 1);
  EXPECT_EQ(estimateTask(image, h13()).computeCycles, 2u * 1152);
}

/// The sum of two operands of 64 channels of one element.
td::RegisterImage addition() {
  td::RegisterImage image;
  setExtents(image, 64, 64, 1, 1);
  image.set(Field::TaskType, td::bits(td::TaskType::TwoSources));
  image.set(Field::SourceType, td::bits(td::Residence::Streamed));
  image.set(Field::ResultType, td::bits(td::Residence::Streamed));
  image.set(Field::Src2FromDMA, 1);
  image.set(Field::InFmt, td::bits(td::ElementFormat::Half));
  image.set(Field::Src2Fmt, td::bits(td::ElementFormat::Half));
  image.set(Field::OutFmt, td::bits(td::ElementFormat::Half));
  scaled(image, Field::L2Src1ChannelStride, 16);
  scaled(image, Field::L2Src2ChannelStride, 16);
  scaled(image, Field::L2ResultChannelStride, 16);
  return image;
}

TEST(Cost, Addition) {
  TaskCost cost = estimateTask(addition(), h13());
  EXPECT_EQ(cost.engine, td::Engine::PE);
  EXPECT_EQ(cost.macs, 0u);
  EXPECT_EQ(cost.source1Bytes, 128u);
  EXPECT_EQ(cost.source2Bytes, 128u);
  EXPECT_EQ(cost.resultBytes, 128u);
  EXPECT_EQ(cost.computeCycles, 1u);
  EXPECT_EQ(cost.dmaCycles, 11u); // 384 * 1430 / 51000 = 10.8
  EXPECT_EQ(cost.l2Cycles, 3u);   // 64 channels in 64 banks
  EXPECT_EQ(cost.cycles, 11u + 44);
  EXPECT_EQ(cost.bound, Bound::Dispatch);
}

TEST(Cost, BanksThatCollide) {
  td::RegisterImage image = addition();
  scaled(image, Field::L2Src1ChannelStride, 1024); // all in one bank
  scaled(image, Field::L2Src2ChannelStride, 64);   // in 16
  TaskCost cost = estimateTask(image, h13());
  EXPECT_EQ(cost.l2Cycles, 64u + 4 + 1);
  EXPECT_EQ(cost.bound, Bound::Scratchpad);
}

TEST(Cost, WhatStaysInL2IsNoTransfer) {
  td::RegisterImage image = addition();
  image.set(Field::Src2FromDMA, 0);
  image.set(Field::ResultType, td::bits(td::Residence::InL2));
  scaled(image, Field::L2ResultBase, 0x400);
  TaskCost cost = estimateTask(image, h13());
  EXPECT_EQ(cost.dmaBytes(), 128u);
  EXPECT_EQ(cost.l2WrittenBytes, 128u + 128);
  EXPECT_EQ(cost.l2ReadBytes, 128u + 128);
  EXPECT_EQ(cost.l2End, 0x400u + 63 * 16 + 2);
  image.set(Field::SourceType, td::bits(td::Residence::Chained));
  image.set(Field::ResultType, td::bits(td::Residence::Chained));
  cost = estimateTask(image, h13());
  EXPECT_EQ(cost.dmaBytes(), 0u);
  EXPECT_EQ(cost.l2Bytes(), 128u); // source 2
}

TEST(Cost, Program) {
  ProgramCost cost = estimateProgram({convolution(), addition()}, h13());
  ASSERT_EQ(cost.tasks.size(), 2u);
  EXPECT_EQ(cost.total.cycles, 3949u + 55);
  EXPECT_EQ(cost.total.macs, 9437184u);
  EXPECT_EQ(cost.readBytes, 32768u + 73728 + 256);
  EXPECT_EQ(cost.writtenBytes, 32768u + 128);
  EXPECT_DOUBLE_EQ(cost.engineMicroseconds, 4004.0 / 1430);
  EXPECT_EQ(cost.dispatchMicroseconds, 230);
  // 139648 bytes at 9000 MB/s take longer than 9437184 products at 1625000.
  EXPECT_DOUBLE_EQ(cost.fittedMicroseconds, 230 + 139648.0 / 9000);
  EXPECT_EQ(cost.bound, Bound::Dispatch);

  // 100 of them take longer than starting: 394900 cycles are 276 us.
  std::vector<td::RegisterImage> many(100, convolution());
  EXPECT_EQ(estimateProgram(many, h13()).bound, Bound::Bandwidth);
}

TEST(Cost, SurvivesAnyRegisters) {
  td::RegisterImage image;
  for (uint32_t word : {0xffffffffu, 0u, 0x80000000u, 0x7fffffffu}) {
    for (auto [number, block] : llvm::enumerate(td::blockTable()))
      for (unsigned i = 0; i < block.words; ++i)
        image.setWord(static_cast<td::Block>(number), i, word);
    TaskCost cost = estimateTask(image, h13());
    EXPECT_GE(cost.cycles, 44u);
  }
}

/// 64 channels of 4x2 are 2 channels of 4 rows of 64 columns behind the
/// exchange.
TEST(Cost, ExchangedResultLiesAsItIsWritten) {
  td::RegisterImage image;
  setExtents(image, 64, 64, 4, 2);
  image.set(Field::MACOpMode, 4);
  image.set(Field::KernelMode, 1);
  image.set(Field::UnicastEn, 1);
  image.set(Field::UnicastCin, 1);
  image.set(Field::TransposedWrite, 1);
  image.set(Field::SourceType, td::bits(td::Residence::Streamed));
  image.set(Field::ResultType, td::bits(td::Residence::InL2));
  scaled(image, Field::L2ResultRowStride, 128);
  scaled(image, Field::L2ResultChannelStride, 512);
  TaskCost cost = estimateTask(image, h13());
  EXPECT_EQ(cost.l2End, 1u * 512 + 3 * 128 + 64 * 2);
  ASSERT_EQ(cost.l2Ranges.size(), 1u);
  EXPECT_EQ(cost.l2Ranges[0].begin, 0u);
  EXPECT_EQ(cost.l2Ranges[0].end, cost.l2End);
}

/// Vectors are one channel of a row: none is as far from the next as that
/// channel is long.
TEST(Cost, VectorsLieAlongTheirRow) {
  td::RegisterImage image = addition();
  image.set(Field::Src2Vector, 1);
  image.set(Field::ResultVector, 1);
  image.set(Field::SourceType, td::bits(td::Residence::InL2));
  image.set(Field::Src2FromDMA, 0);
  image.set(Field::ResultType, td::bits(td::Residence::InL2));
  scaled(image, Field::L2Src2Base, 0x1000);
  scaled(image, Field::L2Src2ChannelStride, 128);
  scaled(image, Field::L2ResultBase, 0x2000);
  scaled(image, Field::L2ResultChannelStride, 128);
  TaskCost cost = estimateTask(image, h13());
  ASSERT_EQ(cost.l2Ranges.size(), 3u);
  EXPECT_EQ(cost.l2Ranges[0].end, 63u * 16 + 2);
  EXPECT_EQ(cost.l2Ranges[1].end, 0x1000u + 64 * 2);
  EXPECT_EQ(cost.l2Ranges[2].end, 0x2000u + 64 * 2);
  EXPECT_EQ(cost.l2End, 0x2000u + 64 * 2);
  // One access to each of 64 channels in 64 banks, and to each of the 8 pieces
  // of the two rows.
  EXPECT_EQ(cost.l2Cycles, 1u + 8 + 8);
}

} // namespace
