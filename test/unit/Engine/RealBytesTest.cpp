//===- RealBytesTest.cpp - Real programs of bool and of strides -----------===//
//
// Register words of public records of H13 programs, and constants whose hashes
// are those of the records.
//
//===----------------------------------------------------------------------===//

#include "HalfConversion.h"
#include "RealCase.h"
#include "RealWords.h"
#include "TaskFile.h"
#include "gmock/gmock.h"

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;

namespace {

/// A table of 1 at 0 or below 0, by its half-words but the middle ones.
void appendRecord(std::vector<uint8_t> &bytes, uint16_t below, uint16_t knots,
                  uint16_t lowIntercept) {
  std::vector<uint16_t> record = {0x8001, 1, below, 0};
  record.insert(record.end(), 32, knots);
  for (uint16_t half : {0, 0, +lowIntercept, 0, 0, 0x40, 1})
    record.push_back(half);
  record.resize(64);
  for (uint16_t half : record) {
    bytes.push_back(half);
    bytes.push_back(half >> 8);
  }
}

constexpr uint16_t one = 0x3c00;

/// Two bytes as the fp16 number of their bits.
double halfOf(uint8_t low, uint8_t high) {
  return halfBitsToFloat(low | high << 8);
}

TEST(RealBytes, LogicalNot) {
  Registers words = {
      {0x1f800, 0x40},    {0x00000, 0x400040}, {0x0000c, 1},
      {0x00010, 1},       {0x00014, 0x400040}, {0x0001c, 0x5000a021},
      {0x00024, 0x14001}, {0x00028, 0x40},     {0x00034, 0x20001},
      {0x13800, 0x33881}, {0x1380c, 0x40},     {0x13810, 0x1000},
      {0x13814, 0x1000},  {0x13818, 0x1000},   {0x04804, 0x500132},
      {0x0480c, 0x40},    {0x04810, 0x50},     {0x04814, 0x40},
      {0x04818, 0x40},    {0x04830, 0x50013a}, {0x04834, 0x1400},
      {0x0c800, 0x80},    {0x0c804, 0x12000c}, {0x17800, 0x40000c1},
      {0x17808, 0x40},    {0x1780c, 0x1000},   {0x17810, 0x1000},
      {0x17814, 0x1000},  {0x17818, 0x1300000}};
  addLanes(words, 1, 128);
  RealCase program({taskOf(
      {0x02000000, 0, 0x42a, 0, 0xfff86a, 0, 0x30009800, 0, 0x01025024, 0x21},
      withCommon(words))});
  appendRecord(program.constants, 0, one, 0);
  EXPECT_EQ(hashOf(program.constants),
            "ee52b53b5f3fa4235b2c603325a5bf38d5d5994ae135ff4752b7ff9e24b86f3a");

  // 64 rows of 64 bytes.
  auto bit = [](uint32_t row, uint32_t column) {
    return (row * 5 + column * 3) % 7 < 3;
  };
  auto surface = [&](bool inverted) {
    return generate(shape(1, 64, 32), [&](uint32_t, uint32_t h, uint32_t w) {
      return halfOf(bit(h, 2 * w) != inverted, bit(h, 2 * w + 1) != inverted);
    });
  };
  program.input(4, surface(false));
  program.output(5, shape(1, 64, 32));
  EXPECT_EQ(program.run(5).values, surface(true).values);
}

/// A result of bytes with channels and columns exchanged.
TEST(RealBytes, Transpose) {
  constexpr uint32_t extent = 375, pitch = 384;
  RealCase program({taskOf(
      {0x02000000, 8, 0x42a, 0, 0x6a, 0, 0x30009800, 0, 0x05024025, 0},
      withCommon(
          {{0x00000, 0x10177},  {0x0000c, extent},     {0x00010, extent},
           {0x00014, 0x10177},  {0x0001c, 0x5000a021}, {0x00024, 0x14001},
           {0x00028, 1},        {0x00034, 0x10200001}, {0x13800, 0x33881},
           {0x1380c, 0x23280},  {0x13810, pitch},      {0x13814, 0x23280},
           {0x13818, 0x23280},  {0x04804, 0x500132},   {0x0480c, 0x100},
           {0x04810, 0x17700},  {0x04814, 0x17700},    {0x04818, 0x17700},
           {0x04830, 0x500132}, {0x04834, 0x17700},    {0x04838, pitch},
           {0x0483c, 0x23280},  {0x04840, 0x23280},    {0x04844, 0x23280},
           {0x0c800, 0x80},     {0x0c804, 0x10000c},   {0x17800, 0xc1},
           {0x17808, 0x23280},  {0x1780c, pitch},      {0x17810, 0x23280},
           {0x17814, 0x23280},  {0x17818, 0x1300000}}))});
  auto bit = [](uint32_t row, uint32_t column) {
    return column < extent && (row * 5 + column * 3) % 7 < 3;
  };
  auto surface = [&](auto element) {
    return generate(shape(1, extent, pitch / 2),
                    [&](uint32_t, uint32_t h, uint32_t w) {
                      return halfOf(element(h, 2 * w), element(h, 2 * w + 1));
                    });
  };
  program.input(5, surface(bit));
  program.output(4, shape(1, extent, pitch / 2));
  EXPECT_EQ(program.run(4).values, surface([&](uint32_t h, uint32_t w) {
                                     return w < extent && bit(w, h);
                                   }).values);
}

td::TaskDescriptor copyTo(llvm::ArrayRef<uint32_t> header, uint32_t sourceCfg,
                          uint32_t resultCfg, uint32_t base) {
  return taskOf(
      header,
      withCommon(
          {{0x00000, 0x10001},   {0x00008, 0x22},    {0x0000c, 375},
           {0x00010, 375},       {0x00014, 0x10001}, {0x0001c, 0x5000a021},
           {0x00024, 0x14001},   {0x00028, 1},       {0x00034, 0x200001},
           {0x13800, 0x33881},   {0x1380c, 0x40},    {0x13810, 0x40},
           {0x13814, 0x5dc0},    {0x13818, 0x5dc0},  {0x13838, 0x01002031},
           {0x04804, sourceCfg}, {0x04808, 0x2ee0},  {0x0480c, 0x10},
           {0x04810, 0x1770},    {0x04814, 0x1770},  {0x04818, 0x1770},
           {0x04830, resultCfg}, {0x04834, base},    {0x04838, 0x20},
           {0x0483c, 0x2ee0},    {0x04840, 0x2ee0},  {0x0c800, 0x82},
           {0x0c804, 0x101c0c},  {0x17800, 0xc0}}));
}

TEST(RealBytes, Less) {
  constexpr uint32_t channels = 375, laneBytes = 192;
  Registers words = {
      {0x1f800, 0x40},       {0x00000, 0x10001},   {0x00008, 2},
      {0x0000c, 750},        {0x00010, 375},       {0x00014, 0x10001},
      {0x0001c, 0x5000a021}, {0x00024, 0x24001},   {0x00028, 1},
      {0x00034, 0x200001},   {0x13800, 0x8880},    {0x04804, 0x120},
      {0x0480c, 0x10},       {0x04810, 0x2ee0},    {0x04814, 0x2ee0},
      {0x04830, 0x10a},      {0x04834, 0x2ee0},    {0x0c800, 0x81},
      {0x0c804, 0x120000},   {0x17800, 0x40000c1}, {0x17808, 0x40},
      {0x1780c, 0x40},       {0x17810, 0x5dc0},    {0x17814, 0x5dc0},
      {0x17818, 0x1300000}};
  addLanes(words, td::numLanes, laneBytes);
  RealCase program({copyTo({0, 0x7d0001, 0x408, 0, 0x68, 0, 0x10000800, 0x200,
                            0x05800025, 0},
                           0x500172, 0x500170, 0x10),
                    copyTo({0x01000001, 0x9c0001, 0x400, 0, 0, 0, 0x10000000,
                            0x400, 0x05800024, 0},
                           0x142, 0x140, 0),
                    taskOf({0x03000002, 0, 0x422, 0, 0xfff86a, 0, 0x20009000, 0,
                            0x05026000, 0x21},
                           withCommon(words))});
  // x - y, a byte each, behind the table.
  for (uint32_t lane = 0; lane < td::numLanes; ++lane) {
    appendRecord(program.constants, one, 0, one);
    for (uint32_t channel = lane; channel < channels; channel += td::numLanes)
      program.constants.insert(program.constants.end(), {0x01, 0xff});
    program.constants.resize((lane + 1) * laneBytes);
  }
  EXPECT_EQ(hashOf(program.constants),
            "f832c7e3b641436f56e324aa681f06d36ffb3253ea58cf77b77a30a342121e01");

  Array x = randomArray(shape(channels, 1, 1), 70, -1, 1);
  Array y = randomArray(shape(channels, 1, 1), 71, -1, 1);
  y.at(0, 0, 7, 0, 0) = x.at(0, 0, 7, 0, 0);
  program.input(4, x);
  program.input(5, y);
  program.output(6, shape(channels, 1, 1));
  EXPECT_EQ(
      program.run(6).values,
      generate(shape(channels, 1, 1), [&](uint32_t c, uint32_t, uint32_t) {
        return halfOf(x.at(0, 0, c, 0, 0) < y.at(0, 0, c, 0, 0), 0);
      }).values);
}

/// A cast behind it reads what it compares as bytes in L2.
TEST(RealBytes, LessAndCast) {
  constexpr uint32_t width = 375;
  auto near = [](uint32_t sourceCfg, uint32_t resultCfg, uint32_t base) {
    return withCommon(
        {{0x00000, 0x10177},   {0x00008, 0x22},    {0x0000c, 1},
         {0x00010, 1},         {0x00014, 0x10177}, {0x0001c, 0x5000a021},
         {0x00024, 0x14001},   {0x00028, 1},       {0x00034, 1},
         {0x13800, 0x33881},   {0x1380c, 0x300},   {0x13810, 0x300},
         {0x13814, 0x300},     {0x13818, 0x300},   {0x13838, 0x01002031},
         {0x04804, sourceCfg}, {0x04808, 0x5e0},   {0x0480c, 0x100},
         {0x04810, 0x100},     {0x04814, 0x100},   {0x04818, 0x100},
         {0x04830, resultCfg}, {0x04834, base},    {0x04838, 0x5e0},
         {0x0483c, 0x5e0},     {0x04840, 0x5e0},   {0x0c800, 0x82},
         {0x0c804, 0x101c0c},  {0x17800, 0xc0}});
  };
  Registers compare = {
      {0x1f800, 0x40},       {0x00000, 0x10177}, {0x00008, 2},
      {0x0000c, 2},          {0x00010, 1},       {0x00014, 0x10177},
      {0x0001c, 0x5000a021}, {0x00024, 0x24001}, {0x00028, 1},
      {0x00034, 1},          {0x13800, 0x8880},  {0x04804, 0x120},
      {0x0480c, 0x2f0},      {0x04810, 0x5e0},   {0x04814, 0x5e0},
      {0x04830, 0x100},      {0x04834, 0x5e0},   {0x04838, 0x180},
      {0x0483c, 0x180},      {0x04840, 0x180},   {0x0c800, 0x81},
      {0x0c804, 0x120000},   {0x17800, 0xc0},    {0x17808, 0x180},
      {0x1780c, 0x180},      {0x17810, 0x180},   {0x17814, 0x180},
      {0x17818, 0x1300000}};
  addLanes(compare, 1, 192);
  Registers cast = {
      {0x00000, 0x10177},    {0x00008, 0x20},       {0x0000c, 1},
      {0x00010, 1},          {0x00014, 0x10177},    {0x0001c, 0x5000a021},
      {0x00024, 0x10001},    {0x00028, 1},          {0x0002c, 9},
      {0x00034, 0x21},       {0x00038, 0},          {0x13800, 0x48880},
      {0x1380c, 0x180},      {0x13810, 0x180},      {0x13814, 0x180},
      {0x13818, 0x180},      {0x04804, 0x104},      {0x04808, 0x5e0},
      {0x0480c, 0x180},      {0x04810, 0x180},      {0x04814, 0x180},
      {0x04830, 0x14a},      {0x04834, 0x760},      {0x08804, 0x3c000000},
      {0x08808, 0x3c000000}, {0x0880c, 0x3f800000}, {0x0c800, 0x80},
      {0x0c804, 0x100000},   {0x0c810, 0},          {0x17800, 0x40000c1},
      {0x17808, 0x300},      {0x1780c, 0x300},      {0x17810, 0x300},
      {0x17814, 0x300},      {0x17818, 0x1302031}};
  RealCase program({taskOf({0, 0x7d0000, 0x408, 0, 0x68, 0, 0x10000800, 0x200,
                            0x01800025, 0},
                           near(0x500172, 0x500170, 0x2f0)),
                    taskOf({0x01000001, 0x9c0000, 0x400, 0, 0, 0, 0x10000000,
                            0x400, 0x01800024, 0},
                           near(0x142, 0x140, 0)),
                    taskOf({0x01000002, 0x7d0000, 0x400, 0, 0xfff800, 0, 0xd000,
                            0x700, 0x01823000, 0x21},
                           withCommon(compare)),
                    taskOf({0x03000003, 0, 0x422, 0, 0xfff86a, 0, 0x2000b800, 0,
                            0x00026023, 0},
                           withCommon(cast))});
  appendRecord(program.constants, one, 0, one);
  program.constants.insert(program.constants.end(), {0x01, 0xff});
  program.constants.resize(192);
  EXPECT_EQ(hashOf(program.constants),
            "e77499d642a5a0c36bebd0cf536bac987e20b45be20c7a753285337e50167ed7");
  program.scratchBytes = 0x4000;

  Array x = randomArray(shape(1, 1, width), 75, -1, 1);
  Array y = randomArray(shape(1, 1, width), 76, -1, 1);
  y.at(0, 0, 0, 0, 7) = x.at(0, 0, 0, 0, 7);
  program.input(4, x);
  program.input(5, y);
  program.output(6, x.extents);
  EXPECT_EQ(program.run(6).values,
            generate(x.extents, [&](uint32_t, uint32_t, uint32_t w) {
              return x.values[w] < y.values[w] ? 1.0 : 0.0;
            }).values);
}

TEST(RealBytes, StridedWindow) {
  Registers words = {
      {0x1f800, 0x60},       {0x00000, 0x80008},   {0x00008, 0x22},
      {0x0000c, 1},          {0x00010, 4},         {0x00014, 0x40004},
      {0x0001c, 0x50014063}, {0x00024, 0x10001},   {0x00028, 4},
      {0x00034, 0x144405},   {0x13800, 0x33881},   {0x1380c, 0x40},
      {0x13810, 0x200},      {0x13814, 0x200},     {0x13818, 0x200},
      {0x13838, 0x01002031}, {0x04804, 0x500172},  {0x0480c, 0x10},
      {0x04810, 0x20},       {0x04814, 0x10},      {0x04818, 0x10},
      {0x04830, 0x50017a},   {0x04834, 0x100},     {0x0c800, 0x182},
      {0x0c804, 0x101c10},   {0x17800, 0x40000c1}, {0x17808, 0x40},
      {0x1780c, 0x100},      {0x17810, 0x400},     {0x17814, 0x400},
      {0x17818, 0x01302031}};
  addLanes(words, 4, 64);
  RealCase program({taskOf(
      {0x02000000, 0, 0x42a, 0, 0xfff86a, 0, 0x30009800, 0, 0x03025024, 0x21},
      withCommon(words))});
  Coefficients coefficients = randomCoefficients(1, 4, 9, true, 72);
  program.kernel(0, coefficients);
  Array x = randomArray(shape(1, 8, 8), 73);
  program.input(4, x);
  program.output(5, shape(4, 4, 4));
  expectRounded(program.run(5),
                convolve(x, coefficients, {3, 3, 2, 2, 0, 0}, shape(4, 4, 4)));
}

/// A convolution of 1x1 with a column of padding: the first task adds that with
/// a window of 1 and 0, whose lanes begin with their palette.
TEST(RealBytes, PaddingByAWindow) {
  constexpr uint32_t channels = 8, height = 375, width = 749;
  Registers pad = {
      {0x1f800, 0x60},       {0x00000, 0x17702ed}, {0x00008, 0x22},
      {0x0000c, channels},   {0x00010, channels},  {0x00014, 0x17702ee},
      {0x0001c, 0x5002a022}, {0x00024, 0x14001},   {0x00028, height},
      {0x00034, 0x180001},   {0x13800, 0x33881},   {0x1380c, 0x600},
      {0x13810, 0x8ca00},    {0x13814, 0x465000},  {0x13818, 0x465000},
      {0x13838, 0x01002031}, {0x04804, 0x500172},  {0x0480c, 0x110},
      {0x04810, 0x880},      {0x04814, 0x880},     {0x04818, 0x880},
      {0x04830, 0x50087a},   {0x04834, 0xc7380},   {0x0c800, 0x8116},
      {0x0c804, 0x101c00},   {0x17800, 0x40003c1}, {0x17808, 0x2f00},
      {0x1780c, 0x44d900},   {0x17810, 0x44d900},  {0x17814, 0x44d900},
      {0x17818, 0x08302031}};
  addLanes(pad, channels, 128);
  Registers scale = {
      {0x1f800, 0x40},       {0x00000, 0x17702ee}, {0x00008, 0x22},
      {0x0000c, channels},   {0x00010, channels},  {0x00014, 0x17702ee},
      {0x0001c, 0x5000a021}, {0x00024, 0x14001},   {0x00028, height},
      {0x00034, 0x1b0001},   {0x13800, 0x53901},   {0x1380c, 0x2f00},
      {0x13810, 0x44d900},   {0x13814, 0x44d900},  {0x13818, 0x44d900},
      {0x13838, 0x08002031}, {0x04804, 0x872},     {0x0480c, 0x100},
      {0x04810, 0x850},      {0x04814, 0x800},     {0x04818, 0x800},
      {0x04830, 0x172},      {0x04834, 0xc2d30},   {0x04838, 0x100},
      {0x0483c, 0x880},      {0x04840, 0x800},     {0x04844, 0x800},
      {0x0c800, 0x82},       {0x0c804, 0x101c00},  {0x17800, 0xc1},
      {0x17808, 0x600},      {0x1780c, 0x8ca00},   {0x17810, 0x465000},
      {0x17814, 0x465000},   {0x17818, 0x01302031}};
  addLanes(scale, channels, 64, channels * 128);
  auto programOf = [&](const std::vector<double> &weights) {
    RealCase program({taskOf({0, 0x9c010b, 0x408, 0, 0xfff868, 0, 0x30009800,
                              0x300, 0x04823024, 0x21},
                             withCommon(pad)),
                      taskOf({0x03000001, 0x10b, 0x422, 0, 0xfff86a, 0,
                              0x30009800, 0, 0x04025023, 0x21},
                             withCommon(scale))});
    auto &constants = program.constants;
    for (uint32_t lane = 0; lane < channels; ++lane) {
      appendHalves(constants, {1.0});
      constants.resize(lane * 128 + 64);
      // One byte, the mask of the first of the two taps.
      constants.insert(constants.end(), {1, 0, 0, 1});
      constants.resize((lane + 1) * 128);
    }
    for (double weight : weights) {
      appendHalves(constants, {weight});
      constants.resize((constants.size() + 63) / 64 * 64);
    }
    program.scratchBytes = 0x450000;
    return program;
  };
  std::vector<double> recorded;
  for (uint32_t c = 0; c < channels; ++c)
    recorded.push_back(halfBitsToFloat(c + 1));
  EXPECT_EQ(hashOf(programOf(recorded).constants),
            "b82f54cf4b0917856cef4b86719c90b7f5a7fb2ac2feebeb78f4ca1fd5b53ef8");

  std::vector<double> weights = {1, -2, 0.5, 3, -0.25, 4, -1, 2};
  RealCase program = programOf(weights);
  Array x = randomArray(shape(channels, height, width), 74);
  program.input(4, x);
  program.output(5, shape(channels, height, width + 1));
  EXPECT_EQ(
      program.run(5).values,
      generate(shape(channels, height, width + 1), [&](uint32_t c, uint32_t h,
                                                       uint32_t w) {
        return w ? weights[c] * x.at(0, 0, c, h, w - 1) : 0.0;
      }).values);

  auto refusalOf = [&](auto change) {
    RealCase other = programOf(weights);
    change(other);
    other.input(4, x);
    other.output(5, shape(channels, height, width + 1));
    return other.refusal();
  };
  EXPECT_THAT(
      refusalOf([](RealCase &other) { other.constants[3] = 0x40; }),
      testing::HasSubstr("packed coefficient lane 0, byte 64: a palette "
                         "in front of a lane is known with one colour "
                         "and zeros only"));
  EXPECT_THAT(refusalOf([](RealCase &other) { other.constants[64] = 2; }),
              testing::HasSubstr("the plane says that it has 2 bytes, but its "
                                 "masks make 1"));
  EXPECT_THAT(refusalOf([](RealCase &other) {
                other.tasks[0].image.set(Field::PalettizedBits, 2);
              }),
              testing::HasSubstr("NE.KernelCfg.PaletteInLane (bits 15:15 of "
                                 "register 0x0c800) is 0x1: a palette in each "
                                 "lane is known with indices of one bit"));
  EXPECT_THAT(refusalOf([](RealCase &other) {
                other.tasks[0].image.set(Field::PaletteInLane, 0);
              }),
              testing::HasSubstr("needed for one that is not in the lanes"));
}

} // namespace
