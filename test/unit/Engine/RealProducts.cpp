//===- RealProducts.cpp - Real matrix products ----------------------------===//

#include "Exemplars.h"
#include "ane/TaskDescriptor/Values.h"

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;

namespace {

struct Product {
  const char *name;
  uint32_t m, k, n;
};

constexpr Product table[] = {
    Product{"env_mm_m1_k256_n128_ty1", 1, 256, 128},
    Product{"env_mm_m1_k256_n64_ty1", 1, 256, 64},
    Product{"matmul_m1_k256_n1024_ty1", 1, 256, 1024},
    Product{"matmul_m1_k256_n256_ty1", 1, 256, 256},
    Product{"matmul_m1_k512_n256_ty1", 1, 512, 256},
    Product{"matmul_m64_k256_n1024_ty1", 64, 256, 1024},
    Product{"matmul_m64_k512_n512_ty1", 64, 512, 512}};

/// x [m, k] times the transpose of the weights [n, k].
Array product(const Array &x, const Coefficients &weights) {
  return generate(shape(1, x.extents.height, weights.channels),
                  [&](auto, auto m, auto n) {
                    double sum = 0;
                    for (uint32_t k = 0; k < weights.taps; ++k)
                      sum += x.at(0, 0, 0, m, k) * weights.weight(0, n, k);
                    return sum;
                  });
}

Outcome runProduct(RealCase &program, const Product &p) {
  Coefficients weights = randomCoefficients(1, p.n, p.k, false, 23);
  program.kernel(1, weights); // task 0 transposes x
  Array x = randomArray(shape(1, p.m, p.k), 24);
  program.input(5, x);
  program.output(4, shape(1, p.m, p.n));
  program.scratchBytes = 0x10000;
  return Outcome(program.run(4), product(x, weights));
}

Outcome runTransposedVector(RealCase &program) {
  Coefficients weights = randomCoefficients(1, 512, 256, false, 25);
  program.kernel(0, weights);
  Array x = randomArray(shape(1, 256, 1), 26);
  program.input(5, x);
  program.output(4, shape(1, 1, 512));
  Array row(shape(1, 1, 256));
  row.values = x.values;
  return Outcome(program.run(4), product(row, weights));
}

/// The first three of eight parts, which make 256 columns each.
Outcome runPartitioned(RealCase &program) {
  constexpr uint32_t size = 2048, part = 256, numParts = 3;
  std::vector<Coefficients> parts;
  for (unsigned task = 0; task < numParts; ++task) {
    parts.push_back(randomCoefficients(1, part, size, false, 27 + task));
    program.kernel(task + 1, parts.back());
  }
  Array x = randomArray(shape(1, part, size), 30, -1, 1);
  program.input(5, x);
  program.output(4, shape(1, part, size));
  program.scratchBytes = 0x100000;
  Array y = program.run(4);
  Outcome outcome;
  constexpr uint32_t rowStep = 11, columnStep = 13; // reach every lane
  for (uint32_t m = 0; m < part; m += rowStep)
    for (uint32_t n = 0; n < size; n += columnStep) {
      double sum = 0;
      if (n < numParts * part)
        for (uint32_t k = 0; k < size; ++k)
          sum += x.at(0, 0, 0, m, k) * parts[n / part].weight(0, n % part, k);
      outcome.actual.push_back(y.at(0, 0, 0, m, n));
      outcome.expected.push_back(sum);
    }
  return outcome;
}

/// x times w, or its transpose, both given at run time.
Array product(const Array &x, const Array &w, bool transposed) {
  uint32_t depth = x.extents.width;
  uint32_t columns = transposed ? w.extents.height : w.extents.width;
  return generate(
      shape(1, x.extents.height, columns), [&](auto, auto m, auto n) {
        double sum = 0;
        for (uint32_t k = 0; k < depth; ++k)
          sum += x.at(0, 0, 0, m, k) *
                 (transposed ? w.at(0, 0, 0, n, k) : w.at(0, 0, 0, k, n));
        return sum;
      });
}

Outcome runRowsAsKernel(RealCase &program) {
  Array x = randomArray(shape(1, 16, 64), 31);
  Array w = randomArray(shape(1, 64, 64), 32);
  program.input(6, x);
  program.input(5, w);
  program.output(4, shape(1, 16, 64));
  return Outcome(program.run(4), product(x, w, false));
}

/// The last task of the program is not known; it has to multiply with the rows
/// in scratch, four interleaved.
Outcome runInterleavedRows(RealCase &program) {
  td::RegisterImage multiply = neuralTask(shape(64, 1, 64), shape(64, 1, 64));
  multiply.set(Field::RuntimeKernel, 1);
  multiply.set(Field::OCGSize, 2);
  setLanes(multiply, 16, 0x200, 0x200);
  multiply.set(Field::KBase0, scratchBar);
  setL2Source(multiply, 0, 0x90, 0x2400);
  setResult(multiply, 4, packedLayout(shape(64, 1, 64)));
  program.tasks.push_back(makeTask(multiply));
  Array x = randomArray(shape(1, 64, 64), 33);
  Array w = randomArray(shape(1, 64, 64), 34);
  program.input(6, x);
  program.input(5, w);
  program.output(4, shape(1, 64, 64));
  return Outcome(program.run(4), product(x, w, true));
}

/// Normalises rows of exponentials and multiplies with v. What makes the
/// exponentials and their sums is not known; here surfaces bring them.
Outcome runAttentionContext(RealCase &program) {
  Array exponentials = randomArray(shape(64, 1, 64), 35, 0, 1);
  Array inverse = randomArray(shape(1, 1, 64), 36, 0, 1);
  Array v = randomArray(shape(1, 64, 64), 37);
  auto prependCopy = [&](unsigned bar, const Array &array, int64_t base,
                         int64_t row, bool isFirst) {
    td::RegisterImage task = planarTask(td::TaskType::OneSource, array.extents);
    setSource(task, bar, packedLayout(array.extents));
    setL2Result(task, base, 0x80, row);
    task.set(Field::LinkOut, 1);
    task.set(Field::LinkIn, !isFirst);
    program.tasks.insert(program.tasks.begin(), makeTask(task));
    program.input(bar, array);
  };
  prependCopy(8, exponentials, 0x80, 0x2000, /*isFirst=*/false);
  prependCopy(9, inverse, 0, 0x80, /*isFirst=*/true);
  // The wait for the task that normalises.
  program.tasks.back().image.set(Field::DTID, program.tasks.size() - 2);
  program.input(6, v);
  program.output(7, shape(1, 64, 64));
  Array rows = generate(shape(1, 64, 64), [&](auto, auto m, auto k) {
    return rounded(exponentials.at(0, 0, m, 0, k) * inverse.values[m]);
  });
  return Outcome(program.run(7), product(rows, v, false));
}

} // namespace

std::vector<Exemplar> test::productExemplars() {
  std::vector<Exemplar> all;
  for (const Product &p : table)
    all.push_back({p.name, "x times constant, transposed",
                   [p](RealCase &program) { return runProduct(program, p); }});
  all.push_back({"env_mm_tx1_m1_k256_n512",
                 "transposed x times constant, transposed",
                 runTransposedVector});
  all.push_back({"env_mm_r2rb_m256_k2048_n2048_tx0_ty1_tasks0to3",
                 "x times constant, transposed, in parts", runPartitioned});
  all.push_back(
      {"rrmm_r2rr_m16_k64_n64_tx0_ty0", "x times w", runRowsAsKernel});
  all.push_back({"rrmm_r2rr_m64_k64_n64_tx0_ty1_tasks0to1",
                 "x times w, transposed", runInterleavedRows});
  all.push_back({"env_chain_attention_s64_d64_tasks7to8", "(exp / sum) times v",
                 runAttentionContext});
  return all;
}
