//===- SparseOrder.cpp - Taps of a zero-skipping kernel -------------------===//
//
// A stride of 2 splits a window into four phases, by row and column modulo 2.
// Each phase has room for as many taps as the largest of them.
//
//===----------------------------------------------------------------------===//

#include "SparseOrder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <climits>

using namespace ane::td;

namespace {

constexpr uint32_t mostStride = 2;
constexpr uint32_t maxChannels = 32; ///< side by side

/// Bits that a mask has for a tap at least, and a channel-wise one for each.
constexpr uint32_t minTapBits = 4, channelwiseTapBits = 2;
/// Bits of a phase at least.
constexpr size_t minPhaseBits = 4;

} // namespace

bool ane::td::canSkipZeros(const KernelLayout &layout,
                           const KernelWindow &window) {
  return window.strideX == window.strideY && window.strideX <= mostStride &&
         layout.shape().taps % (window.width * window.height) == 0 &&
         (!layout.shape().channelwise ||
          layout.shape().taps == window.width * window.height) &&
         llvm::all_of(layout.planes(), [](const KernelPlane &plane) {
           return plane.channels <= maxChannels;
         });
}

SparseOrder::SparseOrder(const KernelWindow &window, const KernelShape &shape,
                         uint32_t planeChannels)
    : windowTaps(window.width * window.height) {
  uint32_t tapBits = shape.channelwise ? channelwiseTapBits
                                       : std::max(minTapBits, planeChannels);
  uint32_t rows = llvm::divideCeil(window.height, window.strideY);
  uint32_t columns = llvm::divideCeil(window.width, window.strideX);
  for (uint32_t phaseY = 0; phaseY < window.strideY; ++phaseY)
    for (uint32_t phaseX = 0; phaseX < window.strideX; ++phaseX) {
      size_t begin = bits.size();
      for (uint32_t row = 0; row < rows; ++row)
        for (uint32_t column = 0; column < columns; ++column) {
          uint32_t y = phaseY + row * window.strideY;
          uint32_t x = phaseX + column * window.strideX;
          bool inside = y < window.height && x < window.width;
          for (uint32_t bit = 0; bit < tapBits; ++bit)
            bits.push_back(
                inside && bit < planeChannels
                    ? std::optional(SparsePlace{y * window.width + x, bit})
                    : std::nullopt);
        }
      bits.resize(std::max(bits.size(), begin + minPhaseBits));
    }
  bits.resize(llvm::alignTo(bits.size(), CHAR_BIT));
}
