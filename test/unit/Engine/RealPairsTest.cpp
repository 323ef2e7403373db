//===- RealPairsTest.cpp - Real programs of two outputs in a step ---------===//
//
// Register words of public records of H13 programs, and constants whose hashes
// are those of the records.
//
//===----------------------------------------------------------------------===//

#include "RealCase.h"
#include "RealWords.h"
#include "TaskFile.h"
#include "gmock/gmock.h"
#include <algorithm>

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;

namespace {

constexpr uint32_t pairTaps = 9;

/// The numbers of a channel for two outputs in a step: ten positions of both a
/// row, those of even columns first.
std::vector<double> pairsOf(const Coefficients &coefficients, uint32_t channel,
                            uint32_t rows) {
  std::vector<double> numbers;
  for (uint32_t phase = 0; phase < 2; ++phase)
    for (uint32_t row = 0; row < rows; ++row)
      for (uint32_t position = phase; position <= pairTaps; position += 2)
        for (uint32_t column : {position, position - 1})
          numbers.push_back(
              column < pairTaps
                  ? coefficients.weight(0, channel, row * pairTaps + column)
                  : 0);
  return numbers;
}

/// A size, and masks with the numbers that they stand for.
void appendMasked(std::vector<uint8_t> &bytes,
                  const std::vector<double> &numbers) {
  size_t begin = bytes.size() + 3;
  bytes.resize(begin);
  for (size_t first = 0; first < numbers.size(); first += 8) {
    size_t mask = bytes.size();
    bytes.push_back(0);
    for (size_t i = first; i < std::min(first + 8, numbers.size()); ++i)
      if (numbers[i] != 0) {
        bytes[mask] |= 1u << (i - first);
        appendHalves(bytes, {numbers[i]});
      }
  }
  size_t size = bytes.size() - begin;
  bytes[begin - 3] = size;
  bytes[begin - 2] = size >> 8;
}

/// The constants of such a task; with several rows zeros are left out.
std::vector<uint8_t> pairSection(const Coefficients &coefficients,
                                 uint32_t rows) {
  std::vector<uint8_t> bytes;
  for (uint32_t lane = 0; lane < td::numLanes; ++lane) {
    for (uint32_t c = lane; c < coefficients.channels; c += td::numLanes)
      if (rows > 1)
        appendMasked(bytes, pairsOf(coefficients, c, rows));
      else
        appendHalves(bytes, pairsOf(coefficients, c, rows));
    bytes.resize((bytes.size() + 63) / 64 * 64);
  }
  return bytes;
}

/// Lanes are as long as each other if no weight is 0.
Coefficients pairCoefficients(uint32_t channels, uint32_t rows, unsigned seed) {
  Coefficients coefficients =
      randomCoefficients(1, channels, rows * pairTaps, /*bias=*/false, seed);
  coefficients.channelwise = true;
  std::replace(coefficients.weights.begin(), coefficients.weights.end(), 0.0,
               1.0);
  return coefficients;
}

/// The hash of the section of as many weights of 0.25.
std::string hashOfPairs(Coefficients coefficients, uint32_t rows) {
  coefficients.weights.assign(coefficients.weights.size(), 0.25);
  return hashOf(pairSection(coefficients, rows));
}

TEST(RealBytes, PairsOfOutputs) {
  constexpr uint32_t channels = 16, extent = 8;
  Coefficients coefficients = pairCoefficients(channels, pairTaps, 75);
  EXPECT_EQ(hashOfPairs(coefficients, pairTaps),
            "134cf6291b7ce326dcdcb774320812fb1a4b533067fdf9c99cc608f2d07c577f");
  Registers words = {
      {0x1f800, 0x60},       {0x00000, 0x80008},   {0x00008, 0x22},
      {0x0000c, channels},   {0x00010, channels},  {0x00014, 0x80004},
      {0x0001c, 0x6108c129}, {0x00024, 0x14001},   {0x00028, extent},
      {0x00034, 0x230001},   {0x13800, 0x33881},   {0x1380c, 0x40},
      {0x13810, 0x200},      {0x13814, 0x2000},    {0x13818, 0x2000},
      {0x13838, 0x01002031}, {0x04804, 0x500172},  {0x0480c, 0x10},
      {0x04810, 0x100},      {0x04814, 0x100},     {0x04818, 0x100},
      {0x04830, 0x50017a},   {0x04834, 0x800},     {0x0c800, 0x182},
      {0x0c804, 0x101c00},   {0x17800, 0x40000c1}, {0x17808, 0x40},
      {0x1780c, 0x200},      {0x17810, 0x2000},    {0x17814, 0x2000},
      {0x17818, 0x01302031}};
  for (bool hasZeros : {false, true}) {
    // Every third weight.
    for (size_t i = 0; hasZeros && i < coefficients.weights.size(); i += 3)
      coefficients.weights[i] = 0;
    std::vector<uint8_t> section = pairSection(coefficients, pairTaps);
    Registers all = words;
    addLanes(all, channels, section.size() / td::numLanes);
    RealCase program({taskOf(
        {0x02000000, 0, 0x42a, 0, 0xfff86a, 0, 0x30009800, 0, 0x05025024, 0x21},
        withCommon(all))});
    program.constants = section;
    Array x = randomArray(shape(channels, extent, extent), 76);
    program.input(4, x);
    program.output(5, x.extents);
    expectRounded(
        program.run(5),
        convolve(x, coefficients, {pairTaps, pairTaps, 1, 1, 4, 4}, x.extents));
    // Neither is known of such windows.
    for (auto [field, value] :
         {std::pair(Field::BiasMode, 1), std::pair(Field::Sy, 2)}) {
      RealCase other = program;
      other.tasks[0].image.set(field, value);
      EXPECT_THAT(other.refusal(),
                  testing::HasSubstr("two outputs in a step are known of "
                                     "windows of an odd number of columns"));
    }
  }
}

/// Columns of one element: a copy leaves out the second output.
TEST(RealBytes, PairsOfOutputsOfOneColumn) {
  constexpr uint32_t channels = 1024, height = 375;
  struct Case {
    uint32_t rows, master, window, tileHeight, resultBase, kernelCfg;
    const char *hash;
  };
  for (const Case &p :
       {Case{
            1, 0x40, 0x6008c029, 0x70, 0x1c0e00, 0x82,
            "5b99a9f4120968fc41673973183ff6c10f1089d8479fc45661c1752579f511d3"},
        Case{pairTaps, 0x60, 0x6108c129, 0x60, 0x1a0d00, 0x182,
             "9780a0e80c506c3370a06813ad8716f6f872d7c070e84a24eb1acc8b7d7c2f2"
             "2"}}) {
    Coefficients coefficients = pairCoefficients(channels, p.rows, 77);
    EXPECT_EQ(hashOfPairs(coefficients, p.rows), p.hash);
    std::vector<uint8_t> section = pairSection(coefficients, p.rows);
    Registers common = {
        {0x00000, 0x1770001}, {0x00008, 0x22},      {0x0000c, channels},
        {0x00010, channels},  {0x00014, 0x1770001}, {0x00024, 0x14001},
        {0x00034, 0x240001},  {0x1380c, 0x40},      {0x13810, 0x5dc0},
        {0x0480c, 0x10},      {0x04810, 0x4020},    {0x04814, 0x4000},
        {0x04818, 0x4000},    {0x17808, 0x40},      {0x1780c, 0x5dc0}};
    Registers sums = common, copy = common;
    sums.insert(sums.end(), {{0x1f800, p.master},
                             {0x0001c, p.window},
                             {0x00028, p.tileHeight},
                             {0x13800, 0x33881},
                             {0x13814, 0x1770000},
                             {0x13818, 0x1770000},
                             {0x13838, 0x01002031},
                             {0x04804, 0x500172},
                             {0x04830, 0x50087a},
                             {0x04834, p.resultBase},
                             {0x0c800, p.kernelCfg},
                             {0x0c804, 0x101c00},
                             {0x17800, 0x40003c1},
                             {0x17810, 0x2ee000},
                             {0x17814, 0x2ee000},
                             {0x17818, 0x08302031}});
    addLanes(sums, td::numLanes, section.size() / td::numLanes);
    copy.insert(copy.end(), {{0x0001c, 0x5000a021},
                             {0x00028, 0x70},
                             {0x13800, 0x53901},
                             {0x13814, 0x2ee000},
                             {0x13818, 0x2ee000},
                             {0x13838, 0x08002031},
                             {0x04804, 0x872},
                             {0x04830, 0x17a},
                             {0x04834, 0x1c0e00},
                             {0x0c800, 0x82},
                             {0x0c804, 0x101c0c},
                             {0x17800, 0x40000c1},
                             {0x17810, 0x1770000},
                             {0x17814, 0x1770000},
                             {0x17818, 0x01302031}});
    RealCase program({taskOf({0, 0x7d0362, 0x408, 0, 0xfff868, 0, 0x30009800,
                              0x300, 0x05823024, 0x21},
                             withCommon(sums)),
                      taskOf({0x03000001, 0x32a, 0x422, 0, 0x6a, 0, 0x30009800,
                              0, 0x05025023, 0},
                             withCommon(copy))});
    program.constants = section;
    program.scratchBytes = 0x2f0000;
    Array x = randomArray(shape(channels, height, 1), 78);
    program.input(4, x);
    program.output(5, x.extents);
    expectRounded(program.run(5),
                  convolve(x, coefficients,
                           {p.rows, pairTaps, 1, 1, p.rows / 2, 4}, x.extents));
  }
}

} // namespace
