//===- ExecuteNeural.cpp - Tasks of the neural engine ---------------------===//

#include "Execute/Bands.h"
#include "Execute/NeuralStream.h"
#include "Mac/Accumulator.h"
#include "Mac/MacKernel.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace ane;
using namespace ane::engine;

namespace {

constexpr float lowest = -std::numeric_limits<float>::infinity();

/// The maximum over the window and, with `acrossChannels`, over all channels of
/// the input.
void maximum(Workers &workers, const Window &window, bool acrossChannels,
             const Tensor &input, Tensor &output) {
  const Extents &extents = output.shape();
  uint32_t channels = acrossChannels ? input.shape().channels : 1;
  workers.forEach(output.numRows(), 1, [&](uint64_t begin, uint64_t end) {
    for (uint64_t index = begin; index < end; ++index) {
      RowPosition at(extents, index);
      float *row = output.row(index);
      std::fill_n(row, extents.width, lowest);
      for (uint32_t c = 0; c < channels; ++c)
        for (uint32_t y = 0; y < window.height; ++y) {
          const float *from = input.row(
              input.rowIndex(at.g, at.d, at.c + c, at.h * window.strideY + y));
          for (uint32_t x = 0; x < window.width; ++x)
            for (uint32_t i = 0; i < extents.width; ++i)
              row[i] = std::max(row[i], from[uint64_t(i) * window.strideX + x]);
        }
    }
  });
}

/// The product of each even channel and the one behind it.
void pairProduct(Workers &workers, const Tensor &input, Tensor &output) {
  const Extents &extents = output.shape();
  workers.forEach(output.numRows(), 1, [&](uint64_t begin, uint64_t end) {
    for (uint64_t index = begin; index < end; ++index) {
      RowPosition at(extents, index);
      const float *first =
          input.row(input.rowIndex(at.g, at.d, 2 * at.c, at.h));
      const float *second =
          input.row(input.rowIndex(at.g, at.d, 2 * at.c + 1, at.h));
      float *row = output.row(index);
      for (uint32_t i = 0; i < extents.width; ++i)
        row[i] = first[i] * second[i];
    }
  });
}

/// What follows the sum, on the rows of a result.
class Epilogue {
public:
  Epilogue(const NeuralTask &task, Instructions instructions)
      : task(task), instructions(instructions) {
    if (task.kernel && task.kernel->layout.shape().bias)
      biases = biasRows(*task.kernel);
  }

  void operator()(const RowPosition &at, float *row) const {
    uint32_t count = task.result.extents.width;
    // Adding 0 would lose the sign of -0, which a copy keeps.
    if (!biases.empty())
      for (uint32_t i = 0; i < count; ++i)
        row[i] += bias(at);
    if (task.bias != 0)
      for (uint32_t i = 0; i < count; ++i)
        row[i] += task.bias;
    if (task.saturates)
      for (uint32_t i = 0; i < count; ++i)
        row[i] = saturate(row[i], portLimit);
    if (task.scale != 1)
      for (uint32_t i = 0; i < count; ++i)
        row[i] *= task.scale;
    if (task.nonlinearity == Nonlinearity::Relu)
      for (uint32_t i = 0; i < count; ++i)
        row[i] = row[i] > 0 ? row[i] : 0;
    if (task.nonlinearity == Nonlinearity::Table)
      task.table->apply(row, count, instructions);
  }

private:
  float bias(const RowPosition &at) const {
    uint64_t group = task.kernel->shared ? 0 : at.g;
    return biases[group * task.result.extents.channels + at.c];
  }

  const NeuralTask &task;
  Instructions instructions;
  ScratchVector<float> biases;
};

Tensor sum(Execution &execution, const NeuralTask &task) {
  Workers &workers = execution.workers;
  const Tensor &chain = execution.chain;
  const Extents &output = task.result.extents;
  const Window &window = task.window;
  if (task.accumulation == Accumulation::Pass && window == Window() &&
      output == task.source.extents)
    return read(workers, task.source, chain);

  Tensor input = read(workers, task.source, chain,
                      window.paddedExtents(task.source.extents, output),
                      window.top, window.left, window.padLowest ? lowest : 0);
  Tensor result(output);
  MacMode mode{execution.numerics, task.saturates,
               &macUnitFor(execution.instructions)};
  switch (task.accumulation) {
  case Accumulation::Dense:
    denseMac(workers, mode, *task.kernel, window, input, result);
    break;
  case Accumulation::Channelwise:
    channelwiseMac(workers, mode, *task.kernel, window, input, result);
    break;
  case Accumulation::ChannelSum:
  case Accumulation::WindowSum:
    plainMac(workers, mode, task.accumulation == Accumulation::ChannelSum,
             window, input, result);
    break;
  case Accumulation::PairProduct:
    pairProduct(workers, input, result);
    break;
  case Accumulation::ChannelMax:
  case Accumulation::WindowMax:
  case Accumulation::Pass: // the maximum of one
    maximum(workers, window, task.accumulation == Accumulation::ChannelMax,
            input, result);
    break;
  }
  return result;
}

} // namespace

static void executeWhole(Execution &execution, const NeuralTask &task) {
  Tensor values = sum(execution, task);
  Epilogue epilogue(task, execution.instructions);
  execution.odd = write(execution.workers, task.result, values, epilogue);
  execution.chain = task.result.chained() ? std::move(values) : Tensor();
}

/// Bands do not know which elements of the result they have.
static bool hasByteResult(const NeuralTask &task) {
  return llvm::any_of(task.result.destinations, [](const Destination &d) {
    return d.strides.element != Element::Half;
  });
}

static void executeBand(Execution &execution, const NeuralTask &task) {
  if (canStream(execution.instructions, task))
    stream(execution.instructions, task);
  else
    executeWhole(execution, task);
}

bool engine::tabulate(NeuralTask &task) {
  constexpr size_t numHalves = 1 << 16;
  // Below, filling it takes longer than what it saves.
  constexpr uint64_t leastElements = 4 * numHalves;
  if (task.result.extents.elements() < leastElements || !canTabulate(task))
    return false;
  std::vector<uint16_t> all(numHalves);
  for (size_t bits = 0; bits < numHalves; ++bits)
    all[bits] = bits;
  auto results = std::make_shared<std::vector<uint16_t>>(numHalves);
  NeuralTask each = task;
  each.source.extents = each.result.extents = {1, 1, 1, 1, numHalves};
  each.source.source = {reinterpret_cast<const uint8_t *>(all.data()), {}};
  each.result.destinations = {
      {reinterpret_cast<uint8_t *>(results->data()), {}}};
  Execution serial{Workers(1), defaultNumerics, {}, Instructions::Portable};
  executeWhole(serial, each);
  task.halves = std::move(results);
  return true;
}

void engine::execute(Execution &execution, const NeuralTask &task) {
  if (streamPlanes(execution, task))
    return;
  if (hasByteResult(task)) {
    executeWhole(execution, task);
    return;
  }
  if (!executeInBands(execution, task, executeBand))
    executeWhole(execution, task);
}
