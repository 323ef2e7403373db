//===- NumericsProbes.h - Programs of measured arithmetic -------*- C++ -*-===//
//
// The programs that the tests of docs/numerics.md run: sums of products, chains
// of element-wise tasks, sums of rows.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TEST_UNIT_ENGINE_NUMERICSPROBES_H
#define ANE_TEST_UNIT_ENGINE_NUMERICSPROBES_H

#include "Kernels.h"
#include "Tables.h"
#include "ane/Support/Half.h"
#include <limits>

namespace ane::engine::test {

/// Common.Cfg.TaskType, PE.Cfg.OpMode.
enum { Add = 0, Multiply = 1, Maximum = 2, SquareOfSum = 4 };

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Numerics both[] = {Numerics::Documented, Numerics::Tile4};

/// The values side by side in a row, or one in each channel.
Array row(llvm::ArrayRef<double> values);
Array channels(llvm::ArrayRef<double> values);

/// The values of fp16 as they are stored, so that -0 differs from 0.
std::vector<uint16_t> bitsOf(const Array &array);

/// A convolution 1x1: one output channel of all of x, with these weights.
Array convolve(const Array &x, llvm::ArrayRef<double> weights,
               Numerics numerics, llvm::ArrayRef<double> bias = {});

/// The sum of products with ones, one channel each.
double sum(llvm::ArrayRef<double> values, Numerics numerics);

/// The same without coefficients.
double channelSum(llvm::ArrayRef<double> values, Numerics numerics);

/// Sums a row in the PE.
double rowSum(llvm::ArrayRef<double> values, uint32_t post = 0);

/// A program of element-wise tasks from x (and w) to y, each of which reads
/// what the one before left in the scratchpad.
class Chain {
public:
  explicit Chain(const Array &x, const Array *w = nullptr) {
    inputs["x"] = x;
    model.input("x", x.extents);
    if (w) {
      inputs["w"] = *w;
      model.input("w", w->extents);
    }
    model.output("y", x.extents);
  }

  /// A pass through the NE with a table.
  Chain &table(const td::LutRecord &record, double scale = 1) {
    td::RegisterImage task = neural();
    task.set(Field::NonlinearMode, 2);
    task.set(Field::PostScale, halfBits(scale));
    uint64_t base = model.constants.size();
    appendTable(model.constants, record);
    setLanes(task, 1, 128, 0, base);
    tasks.push_back(task);
    return *this;
  }
  Chain &relu() {
    td::RegisterImage task = neural();
    task.set(Field::NonlinearMode, 1);
    tasks.push_back(task);
    return *this;
  }
  /// A task of the PE with one source: (x + bias) * scale.
  Chain &affine(double scale, double bias) {
    td::RegisterImage task = planarTask(td::TaskType::OneSource, extents());
    task.set(Field::PEScale, halfBits(scale));
    task.set(Field::PEBias, halfBits(bias));
    tasks.push_back(task);
    return *this;
  }
  Chain &square() {
    td::RegisterImage task = planarTask(td::TaskType::OneSource, extents());
    task.set(Field::PEOpMode, SquareOfSum);
    tasks.push_back(task);
    return *this;
  }
  /// A task of the PE with w as its second source.
  Chain &with(uint32_t op, bool negative = false) {
    td::RegisterImage task = planarTask(td::TaskType::TwoSources, extents());
    task.set(Field::PEOpMode, op);
    task.set(Field::PESrc2Negate, negative);
    model.readSecond(task, "w");
    tasks.push_back(task);
    return *this;
  }

  Array run() {
    constexpr int64_t step = 0x10000;
    for (size_t i = 0; i < tasks.size(); ++i) {
      if (i == 0)
        model.readFirst(tasks[i], "x");
      else
        setL2Source(tasks[i], i * step, step / 2, step / 2);
      if (i + 1 == tasks.size())
        model.write(tasks[i], "y");
      else
        setL2Result(tasks[i], (i + 1) * step, step / 2, step / 2);
      model.add(tasks[i]);
    }
    return test::run(model, inputs)["y"];
  }

private:
  const Extents &extents() { return inputs["x"].extents; }
  td::RegisterImage neural() {
    td::RegisterImage task = passTask(extents());
    task.set(Field::UnicastEn, 1);
    return task;
  }

  Model model;
  Arrays inputs;
  std::vector<td::RegisterImage> tasks;
};

} // namespace ane::engine::test

#endif // ANE_TEST_UNIT_ENGINE_NUMERICSPROBES_H
