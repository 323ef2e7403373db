//===- MacKernel.h - Weighted sums ------------------------------*- C++ -*-===//
//
// Every output sums its products in the order of the coefficient stream, as
// Accumulator defines it. So results depend neither on the blocking, nor on the
// vector length, nor on the threads.
//
// The fast loops know no overflow. By the inequality of Cauchy and Schwarz no
// partial sum exceeds the product of the norms of its coefficients and its
// operands; outputs where that product comes near the limit are summed again,
// product by product.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_ENGINE_MAC_MACKERNEL_H
#define ANE_LIB_ENGINE_MAC_MACKERNEL_H

#include "Mac/MacTile.h"
#include "Transfer.h"

namespace ane::engine {

/// How a task sums.
struct MacMode {
  Numerics numerics = defaultNumerics;
  /// Partial sums overflow at 2^15; without it, as in a task of one product per
  /// output, the product is exact.
  bool saturates = true;
  const MacUnit *unit = &bestMacUnit();

  const MacLoops &loops() const {
    return unit->loops(saturates ? numerics : Numerics::Documented);
  }
  /// Whether partial sums up to `bound` cannot overflow, the rounding of sum
  /// and bound included.
  bool isSafe(float bound) const;
};

/// The dense or grouped sum: `input` is padded, `sums` has the extents of the
/// result.
void denseMac(Workers &workers, const MacMode &mode, const Kernel &kernel,
              const Window &window, const Tensor &input, Tensor &sums);

/// The channel-wise sum: each output has an equal share of the inputs.
void channelwiseMac(Workers &workers, const MacMode &mode, const Kernel &kernel,
                    const Window &window, const Tensor &input, Tensor &sums);

/// The sum with coefficients of 1 over the window and, with `acrossChannels`,
/// over all channels of the input.
void plainMac(Workers &workers, const MacMode &mode, bool acrossChannels,
              const Window &window, const Tensor &input, Tensor &sums);

/// Converts and sanitises coefficients; denormals are 0 in products. Measured
/// on M1.
void readCoefficients(const uint8_t *source, float *dest, size_t count);

/// The coefficients of one output channel of a channel-wise kernel, counted
/// through the groups: each has a plane of its own, in this order.
void readChannel(const Kernel &kernel, uint64_t channel, float *weights);

/// The coefficients of a channel-wise kernel, by group of the layout, channel
/// and tap.
ScratchVector<float> channelwiseWeights(const Kernel &kernel);

/// The bias rows of a kernel, by group of the layout and channel.
ScratchVector<float> biasRows(const Kernel &kernel);

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_MAC_MACKERNEL_H
