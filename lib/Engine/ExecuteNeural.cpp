//===- ExecuteNeural.cpp - Tasks of the neural engine ---------------------===//

#include "Execute.h"
#include "MacKernel.h"
#include <limits>

using namespace ane;
using namespace ane::engine;

namespace {

constexpr float lowest = -std::numeric_limits<float>::infinity();

/// An indeterminate value is +0; measured on M1.
float determinate(float value) { return value != value ? 0 : value; }

/// A sum or maximum whose coefficients are all 1, over the window and, with
/// `acrossChannels`, over all channels of the input.
void accumulate(Workers &workers, const Window &window, bool maximum,
                bool acrossChannels, const Tensor &input, Tensor &output) {
  const Extents &extents = output.shape();
  uint32_t channels = acrossChannels ? input.shape().channels : 1;
  workers.forEach(output.numRows(), 1, [&](uint64_t begin, uint64_t end) {
    for (uint64_t index = begin; index < end; ++index) {
      RowPosition at(extents, index);
      float *row = output.row(index);
      std::fill_n(row, extents.width, maximum ? lowest : 0.0f);
      for (uint32_t c = 0; c < channels; ++c)
        for (uint32_t y = 0; y < window.height; ++y) {
          const float *from = input.row(
              input.rowIndex(at.g, at.d, at.c + c, at.h * window.strideY + y));
          for (uint32_t x = 0; x < window.width; ++x)
            for (uint32_t i = 0; i < extents.width; ++i) {
              float value = from[uint64_t(i) * window.strideX + x];
              row[i] = !maximum ? row[i] + value : std::max(row[i], value);
            }
        }
    }
  });
}

/// What follows the sum, on the rows of a result.
class Epilogue {
public:
  explicit Epilogue(const NeuralTask &task) : task(task) {
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
    if (task.scale != 1)
      for (uint32_t i = 0; i < count; ++i)
        row[i] *= task.scale;
    if (task.nonlinearity == Nonlinearity::Relu)
      for (uint32_t i = 0; i < count; ++i)
        row[i] = row[i] > 0 ? row[i] : 0;
    if (task.nonlinearity == Nonlinearity::Table)
      for (uint32_t i = 0; i < count; ++i)
        row[i] = (*task.table)(determinate(row[i]));
  }

private:
  float bias(const RowPosition &at) const {
    uint64_t group = task.kernel->shared ? 0 : at.g;
    return biases[group * task.result.extents.channels + at.c];
  }

  const NeuralTask &task;
  std::vector<float> biases;
};

Tensor sum(Workers &workers, const NeuralTask &task, const Tensor &chain) {
  const Extents &output = task.result.extents;
  const Window &window = task.window;
  if (task.accumulation == Accumulation::Pass)
    return read(workers, task.source, chain);

  Extents padded = task.source.extents;
  padded.height =
      std::max(window.top + padded.height,
               (output.height - 1) * window.strideY + window.height);
  padded.width = std::max(window.left + padded.width,
                          (output.width - 1) * window.strideX + window.width);
  Tensor input = read(workers, task.source, chain, padded, window.top,
                      window.left, window.padLowest ? lowest : 0);
  Tensor result(output);
  switch (task.accumulation) {
  case Accumulation::Dense:
    denseMac(workers, *task.kernel, window, input, result);
    break;
  case Accumulation::Channelwise:
    channelwiseMac(workers, *task.kernel, window, input, result);
    break;
  case Accumulation::ChannelSum:
  case Accumulation::WindowSum:
  case Accumulation::ChannelMax:
  case Accumulation::WindowMax:
    accumulate(workers, window,
               task.accumulation == Accumulation::ChannelMax ||
                   task.accumulation == Accumulation::WindowMax,
               task.accumulation == Accumulation::ChannelSum ||
                   task.accumulation == Accumulation::ChannelMax,
               input, result);
    break;
  case Accumulation::Pass:
    break;
  }
  return result;
}

} // namespace

void engine::execute(Workers &workers, const NeuralTask &task, Tensor &chain) {
  Tensor values = sum(workers, task, chain);
  Epilogue epilogue(task);
  write(workers, task.result, values, epilogue);
  chain = task.result.chained() ? std::move(values) : Tensor();
}
