//===- RealProductTest.cpp - Real matrix products -------------------------===//

#include "RealCase.h"
#include "gtest/gtest.h"

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;

namespace {

struct Product {
  const char *name;
  uint32_t m, k, n;
};

class RealProduct : public testing::TestWithParam<Product> {};

TEST_P(RealProduct, IsExact) {
  const Product &p = GetParam();
  RealCase program(p.name);
  NEEDS_DATA(program);
  Coefficients weights = randomCoefficients(1, p.n, p.k, false, 23);
  program.kernel(1, weights); // task 0 transposes x
  Array x = randomArray(shape(1, p.m, p.k), 24);
  program.input(5, x);
  program.output(4, shape(1, p.m, p.n));
  program.scratchBytes = 0x10000;
  expectRounded(program.run(4),
                generate(shape(1, p.m, p.n), [&](auto, auto m, auto n) {
                  double sum = 0;
                  for (uint32_t k = 0; k < p.k; ++k)
                    sum += x.at(0, 0, 0, m, k) * weights.weight(0, n, k);
                  return sum;
                }));
}

INSTANTIATE_TEST_SUITE_P(
    All, RealProduct,
    testing::Values(Product{"env_mm_m1_k256_n128_ty1", 1, 256, 128},
                    Product{"env_mm_m1_k256_n64_ty1", 1, 256, 64},
                    Product{"matmul_m1_k256_n1024_ty1", 1, 256, 1024},
                    Product{"matmul_m1_k256_n256_ty1", 1, 256, 256},
                    Product{"matmul_m1_k512_n256_ty1", 1, 512, 256},
                    Product{"matmul_m64_k256_n1024_ty1", 64, 256, 1024},
                    Product{"matmul_m64_k512_n512_ty1", 64, 512, 512}),
    [](const auto &info) { return std::string(info.param.name); });

TEST(RealTasks, ProductOfATransposedVector) {
  RealCase program("env_mm_tx1_m1_k256_n512");
  NEEDS_DATA(program);
  Coefficients weights = randomCoefficients(1, 512, 256, false, 25);
  program.kernel(0, weights);
  Array x = randomArray(shape(1, 256, 1), 26);
  program.input(5, x);
  program.output(4, shape(1, 1, 512));
  expectRounded(program.run(4),
                generate(shape(1, 1, 512), [&](auto, auto, auto n) {
                  double sum = 0;
                  for (uint32_t k = 0; k < 256; ++k)
                    sum += x.values[k] * weights.weight(0, n, k);
                  return sum;
                }));
}

TEST(RealTasks, PartitionedProduct) {
  // The first three of eight parts.
  RealCase program("env_mm_r2rb_m256_k2048_n2048_tx0_ty1_tasks0to3");
  NEEDS_DATA(program);
  std::vector<Coefficients> parts;
  for (unsigned task = 0; task < 3; ++task) {
    parts.push_back(randomCoefficients(1, 256, 2048, false, 27 + task));
    program.kernel(task + 1, parts.back());
  }
  Array x = randomArray(shape(1, 256, 2048), 30, -1, 1);
  program.input(5, x);
  program.output(4, shape(1, 256, 2048));
  program.scratchBytes = 0x100000;
  Array y = program.run(4);
  for (uint32_t m = 0; m < 256; m += 11)
    for (uint32_t n = 0; n < 2048; n += 13) {
      double sum = 0;
      if (n < 3 * 256)
        for (uint32_t k = 0; k < 2048; ++k)
          sum += x.at(0, 0, 0, m, k) * parts[n / 256].weight(0, n % 256, k);
      EXPECT_EQ(y.at(0, 0, 0, m, n), rounded(sum));
    }
}

TEST(RealTasks, RowsOfASurfaceAreAKernel) {
  RealCase program("rrmm_r2rr_m16_k64_n64_tx0_ty0");
  NEEDS_DATA(program);
  Array x = randomArray(shape(1, 16, 64), 31);
  Array w = randomArray(shape(1, 64, 64), 32);
  program.input(6, x);
  program.input(5, w);
  program.output(4, shape(1, 16, 64));
  expectRounded(program.run(4),
                generate(shape(1, 16, 64), [&](auto, auto m, auto n) {
                  double sum = 0;
                  for (uint32_t k = 0; k < 64; ++k)
                    sum += x.at(0, 0, 0, m, k) * w.at(0, 0, 0, k, n);
                  return sum;
                }));
}

TEST(RealTasks, InterleavedRowsAreAKernel) {
  // The last task of the program is not known; it has to multiply with the
  // rows in scratch, four interleaved.
  RealCase program("rrmm_r2rr_m64_k64_n64_tx0_ty1_tasks0to1");
  NEEDS_DATA(program);
  td::RegisterImage multiply = neuralTask(shape(64, 1, 64), shape(64, 1, 64));
  multiply.set(Field::RuntimeKernel, 1);
  multiply.set(Field::OCGSize, 2);
  setLanes(multiply, 16, 0x200, 0x200);
  multiply.set(Field::KBase0, scratchBar);
  setL2Source(multiply, 0, 0x90, 0x2400);
  setResult(multiply, 4, packedLayout(shape(64, 1, 64)));
  program.tasks.push_back({multiply, {}});
  Array x = randomArray(shape(1, 64, 64), 33);
  Array w = randomArray(shape(1, 64, 64), 34);
  program.input(6, x);
  program.input(5, w);
  program.output(4, shape(1, 64, 64));
  expectRounded(program.run(4),
                generate(shape(1, 64, 64), [&](auto, auto m, auto n) {
                  double sum = 0;
                  for (uint32_t k = 0; k < 64; ++k)
                    sum += x.at(0, 0, 0, m, k) * w.at(0, 0, 0, n, k);
                  return sum;
                }));
}

TEST(RealTasks, AttentionContext) {
  // Normalises the rows of exponentials and multiplies with v.
  RealCase program("env_chain_attention_s64_d64_tasks7to8");
  NEEDS_DATA(program);
  // The machine refuses bit 24 of this word, which no field names.
  td::RegisterImage &normalise = program.tasks[0].image;
  normalise.setWord(td::Block::TileDMADst, 0,
                    normalise.word(td::Block::TileDMADst, 0) &
                        ~normalise.unnamedBits(td::Block::TileDMADst, 0));

  Array exponentials = randomArray(shape(64, 1, 64), 35, 0, 1);
  Array inverse = randomArray(shape(1, 1, 64), 36, 0, 1);
  Array v = randomArray(shape(1, 64, 64), 37);
  auto prependCopy = [&](unsigned bar, const Array &array, int64_t base,
                         int64_t row) {
    td::RegisterImage task = planarTask(2, array.extents);
    setSource(task, bar, packedLayout(array.extents));
    setL2Result(task, base, 0x80, row);
    program.tasks.insert(program.tasks.begin(), {task, {}});
    program.input(bar, array);
  };
  prependCopy(8, exponentials, 0x80, 0x2000);
  prependCopy(9, inverse, 0, 0x80);
  program.input(6, v);
  program.output(7, shape(1, 64, 64));
  expectRounded(
      program.run(7), generate(shape(1, 64, 64), [&](auto, auto m, auto n) {
        double sum = 0;
        for (uint32_t k = 0; k < 64; ++k)
          sum += rounded(exponentials.at(0, 0, m, 0, k) * inverse.values[m]) *
                 v.at(0, 0, 0, k, n);
        return sum;
      }));
}

} // namespace
