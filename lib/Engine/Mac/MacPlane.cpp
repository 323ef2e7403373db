//===- MacPlane.cpp - Weighted sums of planes -----------------------------===//
//
// Sums where one row of coefficients belongs to one plane of the result: the
// channel-wise sum, and sums without coefficients, whose coefficients are 1.
//
//===----------------------------------------------------------------------===//

#include "Mac/Accumulator.h"
#include "Mac/MacImage.h"
#include "Mac/MacKernel.h"
#include "llvm/Support/MathExtras.h"

using namespace ane;
using namespace ane::engine;

namespace {

/// Sums of one plane.
class PlaneSum {
public:
  PlaneSum(const MacMode &mode, const Window &window, const Extents &input,
           uint32_t channels, const Extents &output)
      : mode(mode), image(window, input, channels, output),
        sourceWidth(input.width), sourceChannels(channels),
        sourceElements(uint64_t(input.height) * input.width), output(output),
        dense(window.strideX == 1 && window.strideY == 1) {
    for (uint64_t k = 0; k < image.taps(); ++k)
      packedOffsets.push_back(k * mode.unit->columns);
  }

  uint64_t taps() const { return image.taps(); }

  /// Rows [begin, end) of a plane.
  void run(const float *weights, const float *source, float *target,
           uint32_t begin, uint32_t end) const {
    if (dense)
      sumDense(weights, source, target, begin, end);
    else
      sumPacked(weights, source, target, begin, end);
    if (!isSafe(weights, source))
      sumAgain(weights, source, target, begin, end);
  }

private:
  /// As if every row had the width of the source, so that pixels and sums are
  /// contiguous; what is too much of a row is dropped.
  void sumDense(const float *weights, const float *source, float *target,
                uint32_t begin, uint32_t end) const {
    unsigned columns = mode.unit->columns;
    uint64_t first = uint64_t(begin) * sourceWidth;
    uint64_t count = uint64_t(end - begin - 1) * sourceWidth + output.width;
    ScratchVector<float> sums(llvm::alignTo(count, columns));
    for (uint64_t i = 0; i < count; i += columns)
      mode.loops().row(weights, source + first + i, image.offsets(), taps(),
                       sums.data() + i);
    for (uint32_t y = begin; y < end; ++y)
      std::copy_n(sums.data() + uint64_t(y - begin) * sourceWidth, output.width,
                  target + uint64_t(y) * output.width);
  }

  void sumPacked(const float *weights, const float *source, float *target,
                 uint32_t begin, uint32_t end) const {
    unsigned columns = mode.unit->columns;
    ScratchVector<float> packed(taps() * columns + tensorSlack);
    ScratchVector<float> sums(columns);
    uint64_t endPixel = uint64_t(end) * output.width;
    for (uint64_t pixel = uint64_t(begin) * output.width; pixel < endPixel;
         pixel += columns) {
      image.pack(*mode.unit, source, 0, taps(), pixel, packed.data());
      mode.loops().row(weights, packed.data(), packedOffsets.data(), taps(),
                       sums.data());
      std::copy_n(sums.data(), std::min<uint64_t>(columns, endPixel - pixel),
                  target + pixel);
    }
  }

  /// No partial sum exceeds the largest operand times the sum of coefficients.
  bool isSafe(const float *weights, const float *source) const {
    if (!mode.saturates)
      return true;
    float coefficients = 0;
    for (uint64_t k = 0; k < taps(); ++k)
      coefficients += std::fabs(weights[k]);
    // Of magnitudes, floats and their bits have the same order, and compilers
    // make vectors of the maximum of integers only.
    int32_t largest = 0;
    for (uint64_t i = 0; i < sourceChannels * sourceElements; ++i)
      largest = std::max(
          largest, static_cast<int32_t>(std::bit_cast<uint32_t>(source[i]) &
                                        ~floatSignMask));
    return mode.isSafe(coefficients * std::bit_cast<float>(largest));
  }

  void sumAgain(const float *weights, const float *source, float *target,
                uint32_t begin, uint32_t end) const {
    for (uint64_t pixel = uint64_t(begin) * output.width;
         pixel < uint64_t(end) * output.width; ++pixel) {
      Accumulator accumulator(mode.numerics);
      for (uint64_t k = 0; k < taps(); ++k)
        accumulator.add(weights[k] * image.at(source, k, pixel));
      target[pixel] = accumulator.result();
    }
  }

  const MacMode &mode;
  MacImage image;
  uint64_t sourceWidth;
  uint64_t sourceChannels;
  uint64_t sourceElements;
  Extents output;
  bool dense;
  ScratchVector<uint64_t> packedOffsets;
};

/// The sums of all planes; `weightsOf(group, channel)` are the coefficients,
/// and `inputs` channels later come the first inputs of the next output.
template <typename WeightsOf>
void sumPlanes(Workers &workers, const PlaneSum &sum, const Tensor &input,
               uint32_t inputs, Tensor &sums, WeightsOf weightsOf) {
  const Extents &output = sums.shape();
  uint64_t planes = uint64_t(output.groups) * output.depth * output.channels;
  uint64_t work = sum.taps() * output.height * output.width;
  uint64_t grain = Workers::grainOf(work);
  auto run = [&](uint64_t plane, uint32_t begin, uint32_t end) {
    RowPosition at(output, plane * output.height);
    sum.run(weightsOf(at.g, at.c), input.plane(at.g, at.d, at.c * inputs),
            sums.plane(at.g, at.d, at.c), begin, end);
  };
  if (planes < workers.threads()) {
    for (uint64_t plane = 0; plane < planes; ++plane)
      workers.forEach(output.height, 1, [&](uint64_t begin, uint64_t end) {
        run(plane, begin, end);
      });
    return;
  }
  workers.forEach(planes, grain, [&](uint64_t begin, uint64_t end) {
    for (uint64_t plane = begin; plane < end; ++plane)
      run(plane, 0, output.height);
  });
}

} // namespace

void engine::readChannel(const Kernel &kernel, uint64_t channel,
                         float *weights) {
  const td::KernelPlane &plane = kernel.layout.planes()[channel];
  readCoefficients(kernel.lanes[plane.lane] +
                       kernel.layout.tapOffset(plane, 0, 0),
                   weights, kernel.layout.shape().taps);
}

ScratchVector<float> engine::channelwiseWeights(const Kernel &kernel) {
  const td::KernelShape &shape = kernel.layout.shape();
  ScratchVector<float> weights(uint64_t(shape.groups) * shape.outputChannels *
                               shape.taps);
  for (uint64_t c = 0; c < kernel.layout.planes().size(); ++c)
    readChannel(kernel, c, weights.data() + c * shape.taps);
  return weights;
}

void engine::channelwiseMac(Workers &workers, const MacMode &mode,
                            const Kernel &kernel, const Window &window,
                            const Tensor &input, Tensor &sums) {
  const td::KernelShape &shape = kernel.layout.shape();
  ScratchVector<float> weights = channelwiseWeights(kernel);
  auto weightsOf = [&](uint32_t group, uint32_t channel) {
    return weights.data() +
           (uint64_t(kernel.shared ? 0 : group) * shape.outputChannels +
            channel) *
               shape.taps;
  };
  uint32_t inputs = input.shape().channels / sums.shape().channels;
  PlaneSum sum(mode, window, input.shape(), inputs, sums.shape());
  sumPlanes(workers, sum, input, inputs, sums, weightsOf);
}

void engine::plainMac(Workers &workers, const MacMode &mode,
                      bool acrossChannels, const Window &window,
                      const Tensor &input, Tensor &sums) {
  PlaneSum sum(mode, window, input.shape(),
               acrossChannels ? input.shape().channels : 1, sums.shape());
  ScratchVector<float> ones(sum.taps(), 1.0f);
  sumPlanes(workers, sum, input, 1, sums,
            [&](uint32_t, uint32_t) { return ones.data(); });
}
