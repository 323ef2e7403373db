//===- MacKernel.h - Weighted sums ------------------------------*- C++ -*-===//
//
// Every output sums its taps one after the other in the order of the
// coefficient stream, in fp32, with a product and an addition that each round.
// So results depend neither on the blocking nor on the vector length. Of fp16
// operands the product is exact.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_ENGINE_MACKERNEL_H
#define ANE_LIB_ENGINE_MACKERNEL_H

#include "Transfer.h"

namespace ane::engine {

/// Output channels and pixels of one tile.
constexpr unsigned macRows = 4;
constexpr unsigned macColumns = 16;

/// sums[m][n] += weights[k][m] * pixels[k][n] for all k in order.
using MacTile = void (*)(const float *weights, const float *pixels,
                         uint64_t taps, float *sums);
void macTilePortable(const float *weights, const float *pixels, uint64_t taps,
                     float *sums);
#if defined(__x86_64__)
bool hasAVX2();
void macTileAVX2(const float *weights, const float *pixels, uint64_t taps,
                 float *sums);
#endif
MacTile bestMacTile();

/// row[i] += weight * pixels[i * stride]
void macRow(const float *pixels, unsigned stride, float weight, float *row,
            uint32_t count);

/// The dense or grouped sum: `input` is padded, `sums` has the extents of the
/// result.
void denseMac(Workers &workers, const Kernel &kernel, const Window &window,
              const Tensor &input, Tensor &sums);

/// The channel-wise sum.
void channelwiseMac(Workers &workers, const Kernel &kernel,
                    const Window &window, const Tensor &input, Tensor &sums);

/// The bias rows of a kernel, by group of the layout and channel.
std::vector<float> biasRows(const Kernel &kernel);

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_MACKERNEL_H
