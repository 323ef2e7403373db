//===- ExecutePlanar.cpp - Tasks of the planar engine ---------------------===//

#include "Execute/Bands.h"
#include "Execute/PlanarStream.h"
#include "Execute/PostFunction.h"
#include <cmath>
#include <limits>

using namespace ane;
using namespace ane::engine;

namespace {

/// An indeterminate value is +0; measured on M1.
float determinate(float value) { return value != value ? 0 : value; }

/// A row of an operand that may be broadcast.
class OperandRow {
public:
  OperandRow(const Tensor &tensor, const RowPosition &at)
      : values(tensor.row(tensor.rowIndex(pick(at.g, tensor.shape().groups),
                                          pick(at.d, tensor.shape().depth),
                                          pick(at.c, tensor.shape().channels),
                                          pick(at.h, tensor.shape().height)))),
        step(tensor.shape().width == 1 ? 0 : 1) {}

  float operator[](uint32_t i) const { return values[i * step]; }

private:
  static uint32_t pick(uint32_t index, uint32_t extent) {
    return extent == 1 ? 0 : index;
  }

  const float *values;
  uint32_t step;
};

/// The operands of a task in memory of ours.
struct Operands {
  Tensor first, second, factor;

  Operands(Workers &workers, const PlanarTask &task, const Tensor &chain)
      : first(read(workers, task.first, chain)) {
    if (task.second)
      second = read(workers, *task.second, chain);
    if (task.pairFactor)
      factor = read(workers, *task.pairFactor, chain);
  }
};

/// The element-wise operation without bias and scale.
void operate(const PlanarTask &task, const Operands &operands,
             const RowPosition &at, float *row) {
  uint32_t count = task.extents.width;
  OperandRow first(operands.first, at);
  for (uint32_t i = 0; i < count; ++i)
    row[i] = first[i] * task.firstFactor;
  if (task.second) {
    OperandRow second(operands.second, at);
    float factor = task.secondFactor;
    switch (task.op) {
    case PlanarOp::Add:
    case PlanarOp::SquareOfSum:
      for (uint32_t i = 0; i < count; ++i)
        row[i] += second[i] * factor;
      break;
    case PlanarOp::Multiply:
      for (uint32_t i = 0; i < count; ++i)
        row[i] *= second[i] * factor;
      break;
    case PlanarOp::Max:
      for (uint32_t i = 0; i < count; ++i)
        row[i] = std::max(row[i], second[i] * factor);
      break;
    case PlanarOp::Min:
      for (uint32_t i = 0; i < count; ++i)
        row[i] = std::min(row[i], second[i] * factor);
      break;
    }
  }
  for (uint32_t i = 0; i < count; ++i)
    row[i] = determinate(row[i]);
  if (task.op == PlanarOp::SquareOfSum)
    for (uint32_t i = 0; i < count; ++i)
      row[i] *= row[i];
  if (task.pairFactor) {
    OperandRow factor(operands.factor, at);
    for (uint32_t i = 0; i < count; ++i)
      row[i] *= factor[i];
  }
}

void finish(const PlanarTask &task, float *row) {
  uint32_t count = task.extents.width;
  if (task.bias != 0)
    for (uint32_t i = 0; i < count; ++i)
      row[i] += task.bias;
  if (task.scale != 1)
    for (uint32_t i = 0; i < count; ++i)
      row[i] *= task.scale;
  if (task.absolute)
    for (uint32_t i = 0; i < count; ++i)
      row[i] = std::fabs(row[i]);
  if (task.relu)
    for (uint32_t i = 0; i < count; ++i)
      row[i] = row[i] > 0 ? row[i] : 0;
}

/// One element of a reduction; the order is depth, rows, columns.
float reduce(const PlanarTask &task, const Operands &operands,
             const RowPosition &at, float *buffer) {
  const Reduction &reduction = *task.reduction;
  const Extents &extents = task.extents;
  double sum = 0;
  float maximum = -std::numeric_limits<float>::infinity();
  for (uint32_t d = 0; d < (reduction.depth ? extents.depth : 1); ++d)
    for (uint32_t h = 0; h < (reduction.height ? extents.height : 1); ++h) {
      RowPosition row = at;
      if (reduction.depth)
        row.d = d;
      if (reduction.height)
        row.h = h;
      operate(task, operands, row, buffer);
      if (task.absolute)
        for (uint32_t i = 0; i < extents.width; ++i)
          buffer[i] = std::fabs(buffer[i]);
      for (uint32_t i = 0; i < extents.width; ++i) {
        sum += buffer[i];
        maximum = std::max(maximum, buffer[i]);
      }
    }
  return applyPost(reduction, reduction.maximum ? maximum : sum);
}

} // namespace

static void executeWhole(Execution &execution, const PlanarTask &task) {
  Workers &workers = execution.workers;
  Operands operands(workers, task, execution.chain);
  Tensor values(task.result.extents);
  uint64_t width = task.extents.width;
  uint64_t grain = Workers::grainOf(width);
  workers.forEach(values.numRows(), grain, [&](uint64_t begin, uint64_t end) {
    ScratchVector<float> buffer(task.reduction ? width : 0);
    for (uint64_t index = begin; index < end; ++index) {
      RowPosition at(values.shape(), index);
      if (task.reduction) {
        *values.row(index) = reduce(task, operands, at, buffer.data());
        continue;
      }
      operate(task, operands, at, values.row(index));
      finish(task, values.row(index));
    }
  });
  write(workers, task.result, values, nullptr);
  execution.chain = task.result.chained() ? std::move(values) : Tensor();
}

static void executeBand(Execution &execution, const PlanarTask &task) {
  if (canStream(execution.instructions, task))
    stream(execution.instructions, task);
  else
    executeWhole(execution, task);
}

void engine::execute(Execution &execution, const PlanarTask &task) {
  if (!executeInBands(execution, task, executeBand))
    executeWhole(execution, task);
}
