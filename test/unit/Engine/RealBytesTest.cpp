//===- RealBytesTest.cpp - Real programs of bool and of strides -----------===//
//
// Register words of public records of H13 programs, and constants whose hashes
// are those of the records.
//
//===----------------------------------------------------------------------===//

#include "HalfConversion.h"
#include "RealCase.h"
#include "TaskFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/SHA256.h"
#include "gmock/gmock.h"

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;

namespace {

using Registers = std::vector<std::pair<uint32_t, uint32_t>>;

/// `count` lanes of `size` bytes, one after the other.
void addLanes(Registers &registers, uint32_t count, uint32_t size) {
  for (uint32_t i = 0; i < count; ++i) {
    registers.push_back({0x1f808 + 4 * i, 0x81});
    registers.push_back({0x1f848 + 4 * i, i * size});
    registers.push_back({0x1f888 + 4 * i, size});
  }
}

/// Registers that the tasks here have in common.
Registers withCommon(Registers registers) {
  Registers all = {
      {0x00004, 1},        {0x00018, 1},      {0x00020, 0x2041},
      {0x00038, 0x100000}, {0x13804, 0x8880}, {0x13838, 0x1000000},
      {0x13840, 0x100},    {0x0c810, 0x3c00}, {0x17818, 0x1000000}};
  all.insert(all.end(), registers.begin(), registers.end());
  return all;
}

std::string hashOf(llvm::ArrayRef<uint8_t> bytes) {
  return llvm::toHex(llvm::SHA256::hash(bytes), /*LowerCase=*/true);
}

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

} // namespace
