//===- NumericsProbes.cpp - Programs of measured arithmetic ---------------===//

#include "NumericsProbes.h"

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;

Array test::row(llvm::ArrayRef<double> values) {
  Array array({1, 1, 1, 1, uint32_t(values.size())});
  array.values.assign(values.begin(), values.end());
  return array;
}
Array test::channels(llvm::ArrayRef<double> values) {
  Array array({1, 1, uint32_t(values.size()), 1, 1});
  array.values.assign(values.begin(), values.end());
  return array;
}

std::vector<uint16_t> test::bitsOf(const Array &array) {
  std::vector<uint16_t> bits;
  for (double value : array.values)
    bits.push_back(halfBits(value));
  return bits;
}

Array test::convolve(const Array &x, llvm::ArrayRef<double> weights,
                     Numerics numerics, llvm::ArrayRef<double> bias) {
  Extents out = x.extents;
  out.channels = 1;
  Model model;
  model.input("x", x.extents);
  model.output("y", out);
  td::RegisterImage task = neuralTask(x.extents, out);
  model.readFirst(task, "x");
  model.write(task, "y");
  Coefficients coefficients;
  coefficients.taps = weights.size();
  coefficients.weights.assign(weights.begin(), weights.end());
  coefficients.bias.assign(bias.begin(), bias.end());
  addKernel(model, task, coefficients, 0);
  model.add(task);
  return run(model, {{"x", x}}, numerics)["y"];
}

double test::sum(llvm::ArrayRef<double> values, Numerics numerics) {
  std::vector<double> ones(values.size(), 1.0);
  return convolve(channels(values), ones, numerics).values.front();
}

double test::channelSum(llvm::ArrayRef<double> values, Numerics numerics) {
  Array x = channels(values);
  Model model;
  model.input("x", x.extents);
  model.output("y", {1, 1, 1, 1, 1});
  td::RegisterImage task = neuralTask(x.extents, {1, 1, 1, 1, 1});
  task.set(Field::KernelMode, 1);
  model.readFirst(task, "x");
  model.write(task, "y");
  model.add(task);
  return run(model, {{"x", x}}, numerics)["y"].values.front();
}
double test::rowSum(llvm::ArrayRef<double> values, uint32_t post) {
  Array x = row(values);
  Model model;
  model.input("x", x.extents);
  model.output("y", {1, 1, 1, 1, 1});
  td::RegisterImage task = planarTask(td::TaskType::Reduction, x.extents);
  task.set(Field::PEPostFunction, post);
  model.readFirst(task, "x");
  model.write(task, "y");
  model.add(task);
  return run(model, {{"x", x}})["y"].values.front();
}
