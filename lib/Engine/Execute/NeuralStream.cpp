//===- NeuralStream.cpp - Tasks of the neural engine in one go ------------===//

#include "Execute/NeuralStream.h"
#include "Activation/ActivationVectors.h"
#include "Execute/Bands.h"
#include "Mac/Accumulator.h"
#include "Mac/MacImage.h"
#include "Mac/MacKernel.h"
#include "StreamVectors.h"
#include "ane/Support/Half.h"
#include "llvm/Support/MathExtras.h"

using namespace ane;
using namespace ane::engine;

namespace {

/// What follows the sum of a task.
struct NeuralFinish {
  const NeuralTask &task;
  const VectorTable *table;
  bool hasArithmetic; ///< a bias, a scale or a limit
};

/// Loops over a row, for one set of instructions.
struct NeuralLoops {
  /// From fp16 to fp16.
  void (*pass)(const NeuralFinish &, const uint8_t *source, uint8_t *target,
               uint32_t count);
  /// From sums to fp16. `rowBias` is null for none. Reads up to tensorSlack
  /// floats behind the sums.
  void (*finish)(const NeuralFinish &, const float *rowBias, const float *sums,
                 uint8_t *target, uint32_t count);
  /// All rows of a plane, `pitch` floats and `targetStride` bytes apart, for
  /// windows of 3 x 3 whose pixels and rows follow each other, as `documented`
  /// sums. Reads up to tensorSlack floats behind the last row. With
  /// `isBounded` no sum reaches a limit or is NaN, whatever follows it.
  void (*sum3x3)(const NeuralFinish &, const float *rowBias, bool isBounded,
                 const float *weights, const float *input, uint64_t pitch,
                 uint8_t *target, int64_t targetStride, uint32_t height,
                 uint32_t width);
  /// The rows of a plane from fp16 to floats, `sourceStride` bytes and `pitch`
  /// floats apart; yields the largest magnitude.
  float (*widen)(const Operand &, const uint8_t *source, int64_t sourceStride,
                 float *target, uint64_t pitch, uint32_t height,
                 uint32_t width);
};

/// The result is that of each element of the operand for itself.
bool isElementwise(const NeuralTask &task) {
  return task.accumulation == Accumulation::Pass && !task.kernel &&
         task.window == Window() && task.source.extents == task.result.extents;
}

bool hasVectorTable(const NeuralTask &task) {
  return task.nonlinearity != Nonlinearity::Table ||
         VectorTable(task.table->form()).kind != VectorTable::Kind::None;
}

/// Operand and result are rows of fp16 in memory.
bool hasRows(const NeuralTask &task) {
  const Operand &operand = task.source;
  return operand.source && isRow(operand.source->strides) && !operand.copy &&
         !operand.cropped && task.result.destinations.size() == 1 &&
         isRow(task.result.destinations.front().strides);
}

} // namespace

#if defined(__x86_64__)

#define ANE_LOOPS "Execute/NeuralStream.inc"
#include "EachInstructions.inc"

static NeuralLoops loopsFor(Instructions instructions,
                            const NeuralFinish &finish) {
  return instructions == Instructions::AVX512 ? avx512::loopsFor(finish)
                                              : avx2::loopsFor(finish);
}

#else

static NeuralLoops loopsFor(Instructions, const NeuralFinish &) { return {}; }

#endif

namespace {

/// What follows the sum of a task, and its loops.
class Finisher {
public:
  Finisher(Instructions instructions, const NeuralTask &task) {
    if (task.nonlinearity == Nonlinearity::Table)
      table.emplace(task.table->form());
    if (task.kernel && task.kernel->layout.shape().bias)
      biases = biasRows(*task.kernel);
    finish.emplace(NeuralFinish{task, table ? &*table : nullptr,
                                !biases.empty() || task.bias != 0 ||
                                    task.saturates || task.scale != 1});
    loops = loopsFor(instructions, *finish);
  }
  Finisher(const Finisher &) = delete;

  void pass(const uint8_t *source, uint8_t *target, uint32_t count) const {
    loops.pass(*finish, source, target, count);
  }
  void store(const RowPosition &at, const float *sums, uint8_t *target,
             uint32_t count) const {
    loops.finish(*finish, biasOf(at), sums, target, count);
  }
  /// No sum without its bias has a larger magnitude than `bound`.
  void sum3x3(const RowPosition &at, float bound, const float *weights,
              const float *input, uint64_t pitch, uint8_t *target,
              int64_t targetStride) const {
    const NeuralTask &task = finish->task;
    const Extents &extents = task.result.extents;
    const float *rowBias = biasOf(at);
    bound += std::fabs(task.bias) + (rowBias ? std::fabs(*rowBias) : 0);
    // Half the limit leaves room for the rounding of sums and bound.
    bool isBounded = bound < portLimit / 2 && std::isfinite(task.scale);
    loops.sum3x3(*finish, rowBias, isBounded, weights, input, pitch, target,
                 targetStride, extents.height, extents.width);
  }
  float widen(const uint8_t *source, int64_t sourceStride, float *target,
              uint64_t pitch) const {
    const Operand &operand = finish->task.source;
    return loops.widen(operand, source, sourceStride, target, pitch,
                       operand.extents.height, operand.extents.width);
  }

private:
  const float *biasOf(const RowPosition &at) const {
    if (biases.empty())
      return nullptr;
    const NeuralTask &task = finish->task;
    uint64_t group = task.kernel->shared ? 0 : at.g;
    return &biases[group * task.result.extents.channels + at.c];
  }

  std::optional<VectorTable> table;
  ScratchVector<float> biases;
  std::optional<NeuralFinish> finish;
  NeuralLoops loops;
};

/// Channel-wise sums, plane by plane.
class PlaneStream {
public:
  PlaneStream(const Execution &execution, const NeuralTask &task)
      : task(task), output(task.result.extents),
        padded(task.window.paddedExtents(task.source.extents, output)),
        image(task.window, padded, 1, output),
        finisher(execution.instructions, task),
        mode{execution.numerics, task.saturates,
             &macUnitFor(execution.instructions)},
        is3x3(task.window.width == 3 && task.window.height == 3 &&
              task.window.strideY == 1 &&
              (!task.saturates || mode.numerics == Numerics::Documented)) {}

  /// Planes [begin, end), counted through groups, depth and channels.
  void run(uint64_t begin, uint64_t end) const {
    Buffer input(padded.height * uint64_t(padded.width) + mode.unit->columns +
                 tensorSlack);
    std::fill_n(input.data(),
                padded.height * uint64_t(padded.width) + mode.unit->columns,
                0.0f);
    Buffer sums(llvm::alignTo(output.width, mode.unit->columns) + tensorSlack);
    ScratchVector<float> weights(image.taps(), 1.0f);
    for (uint64_t plane = begin; plane < end; ++plane) {
      RowPosition at(output, plane * output.height);
      if (task.kernel)
        readChannel(*task.kernel, channelOf(at), weights.data());
      run(at, weights.data(), input.data(), sums.data());
    }
  }

private:
  void run(RowPosition at, const float *coefficients, float *input,
           float *sums) const {
    float largest = read(at, input);
    float total = 0;
    for (uint64_t k = 0; k < image.taps(); ++k)
      total += std::fabs(coefficients[k]);
    // No partial sum exceeds the largest operand times the sum of coefficients.
    float bound = total * largest;
    bool isSafe = mode.isSafe(bound);
    const Destination &destination = task.result.destinations.front();
    if (isSafe && is3x3) {
      uint8_t *target = destination.origin +
                        destination.strides.rowOffset(at.g, at.d, at.c, 0);
      finisher.sum3x3(at, bound, coefficients, input, padded.width, target,
                      destination.strides.row);
      return;
    }
    for (at.h = 0; at.h < output.height; ++at.h) {
      if (isSafe)
        sumRow(coefficients,
               input + uint64_t(at.h) * task.window.strideY * padded.width,
               sums);
      else
        sumRowAgain(coefficients, input, at.h, sums);
      finisher.store(at, sums,
                     destination.origin +
                         destination.strides.rowOffset(at.g, at.d, at.c, at.h),
                     output.width);
    }
  }

  /// Fills the inner part of a padded plane; the largest magnitude.
  float read(const RowPosition &at, float *input) const {
    const Source &source = *task.source.source;
    return finisher.widen(
        source.origin + source.strides.rowOffset(at.g, at.d, at.c, 0),
        source.strides.row,
        input + uint64_t(task.window.top) * padded.width + task.window.left,
        padded.width);
  }

  void sumRow(const float *coefficients, const float *input,
              float *sums) const {
    for (uint32_t x = 0; x < output.width; x += mode.unit->columns)
      mode.loops().row(coefficients, input + x, image.offsets(), image.taps(),
                       sums + x);
  }

  /// Product by product, where partial sums may overflow.
  void sumRowAgain(const float *coefficients, const float *input, uint32_t row,
                   float *sums) const {
    for (uint32_t x = 0; x < output.width; ++x) {
      Accumulator accumulator(mode.numerics);
      for (uint64_t k = 0; k < image.taps(); ++k)
        accumulator.add(coefficients[k] *
                        image.at(input, k, uint64_t(row) * output.width + x));
      sums[x] = accumulator.result();
    }
  }

  uint64_t channelOf(const RowPosition &at) const {
    uint64_t group = task.kernel->shared ? 0 : at.g;
    return group * output.channels + at.c;
  }

  const NeuralTask &task;
  Extents output, padded;
  MacImage image;
  Finisher finisher;
  MacMode mode;
  bool is3x3; ///< and documented
};

} // namespace

/// Each fp16 through a table of all.
static void lookUp(llvm::ArrayRef<uint16_t> results, const uint8_t *from,
                   uint8_t *to, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    uint16_t bits;
    std::memcpy(&bits, from + 2 * uint64_t(i), sizeof(bits));
    std::memcpy(to + 2 * uint64_t(i), &results[bits], sizeof(bits));
  }
}

bool engine::canStream(Instructions instructions, const NeuralTask &task) {
  return instructions != Instructions::Portable && isElementwise(task) &&
         hasRows(task) && (task.halves || hasVectorTable(task));
}

bool engine::canTabulate(const NeuralTask &task) {
  return isElementwise(task) && hasRows(task) && !hasVectorTable(task);
}

void engine::stream(Instructions instructions, const NeuralTask &task) {
  const Extents &extents = task.result.extents;
  const Source &source = *task.source.source;
  const Destination &destination = task.result.destinations.front();
  Finisher finisher(instructions, task);
  RowCopy copy(source.origin == destination.origin ? extents.width : 0);
  uint64_t rows = extents.elements() / extents.width;
  for (uint64_t index = 0; index < rows; ++index) {
    RowPosition at(extents, index);
    const uint8_t *from =
        source.origin + source.strides.rowOffset(at.g, at.d, at.c, at.h);
    uint8_t *to = destination.origin +
                  destination.strides.rowOffset(at.g, at.d, at.c, at.h);
    if (from == to)
      from = copy.of(from);
    if (task.halves)
      lookUp(*task.halves, from, to, extents.width);
    else
      finisher.pass(from, to, extents.width);
  }
}

bool engine::streamPlanes(Execution &execution, const NeuralTask &task) {
  const Extents &output = task.result.extents;
  uint64_t planes = uint64_t(output.groups) * output.depth * output.channels;
  bool isSum = task.accumulation == Accumulation::Channelwise ||
               task.accumulation == Accumulation::WindowSum;
  bool streams =
      execution.instructions != Instructions::Portable && isSum &&
      (task.accumulation == Accumulation::Channelwise || !task.kernel) &&
      task.source.extents.channels == output.channels &&
      task.window.strideX == 1 && !task.window.padLowest &&
      planes >= execution.workers.threads() && hasRows(task) &&
      hasVectorTable(task) && isApart(task.source, task.result);
  if (!streams)
    return false;
  PlaneStream planeStream(execution, task);
  uint64_t grain = Workers::grainOf(uint64_t(output.height) * output.width);
  execution.workers.forEach(planes, grain, [&](uint64_t begin, uint64_t end) {
    planeStream.run(begin, end);
  });
  execution.chain = Tensor();
  return true;
}
