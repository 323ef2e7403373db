//===- DecomposeLimits.h - What mil-decompose takes apart -------*- C++ -*-===//
//
// Sorts and samples become products and comparisons that grow with the square
// of what they work on. All limits are assigned.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_TRANSFORMS_DECOMPOSELIMITS_H
#define ANE_DIALECT_MIL_TRANSFORMS_DECOMPOSELIMITS_H

#include "ane/Support/Half.h"
#include "ane/Target/H13.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstdint>

namespace ane::mil {

/// More elements than this are not taken from a sort one after the other: each
/// is eight ops.
constexpr int64_t mostTaken = 32;

/// Elements that others are taken from at a time, so that L2 holds them with
/// what is made of them: five values of that size, and tiles. Of more than the
/// second number zin-split-layers makes blocks, with the layers around.
constexpr int64_t mostTakenFrom = h13.l2Bytes * 3 / 16 / halfBytes;
constexpr int64_t mostInOneValue = h13.largeL2Bytes() / halfBytes;

/// The largest comparison of all elements along an axis with each other: 8 MB.
/// A sort may need 64 of them, one after the other.
constexpr int64_t mostPairs = int64_t(1) << 22;
constexpr int64_t mostAllPairs = mostPairs << 6;

/// The largest matrix of weights that samples an image at a time: 8 MB. All
/// samples may need 128 of them, 16 where they are constants.
constexpr int64_t mostWeights = int64_t(1) << 22;
constexpr int64_t mostAllWeights = mostWeights << 7;
constexpr int64_t mostKnownWeights = mostWeights << 4;

/// Its sides are dimensions of the engine: elements of an image, and samples.
constexpr int64_t mostSamples = h13.maxWidth;

/// How images are taken at computed places, as many of each.
struct Sampling {
  /// Numbers that L2 keeps while others are made from them: 2/5 of it
  /// (assigned, from what images of many shapes cost).
  static constexpr int64_t mostKept = h13.l2Bytes * 2 / 5 / halfBytes;

  int64_t images, channels, height, width, samples;

  int64_t elements() const { return height * width; }
  /// Whether a product takes the places along rows, and what is left of the
  /// columns is summed, which then has as many numbers for each channel of a
  /// sample as an image has rows. The other way the image is transposed, which
  /// many samples of a tall one are worth.
  bool contractsRows() const {
    return width >= height || (height - width) * samples <= 4 * elements();
  }
  int64_t summed() const { return contractsRows() ? height : width; }
  /// Whether L2 keeps an image beside weights, of which it keeps as many.
  bool keepsImage() const { return channels * elements() <= mostKept; }
  /// Whether weights of rows and columns stay apart. Together they are one
  /// product, with a weight for each element of an image and sample. Each of
  /// those costs half as much as a number of what is left of columns, and twice
  /// as much where the image does not stay in L2 (from images of many shapes).
  bool isBySides() const {
    if (elements() > mostSamples)
      return true;
    return keepsImage() ? 2 * channels * summed() <= elements()
                        : channels * summed() <= 2 * elements();
  }
  /// The numbers between, for all images.
  uint64_t numbers() const {
    uint64_t perSample =
        isBySides() ? llvm::SaturatingMultiply<uint64_t>(channels, summed())
                    : elements();
    return llvm::SaturatingMultiply<uint64_t>(
        perSample, llvm::SaturatingMultiply<uint64_t>(images, samples));
  }
};

/// Channels of one image whose blocks of pixels are moved with rows that stay
/// rows: with channels along columns they fill a third of a step of the DMA.
/// Blocks of more columns than these would turn rows too often on the way from
/// pixels to channels, once for each.
constexpr int64_t leastRowChannels = 11, mostRowTurns = 2;

/// More updates of one element than this are not made one after the other, nor
/// more updates at computed places: each is three ops, two of which compare
/// indices.
constexpr int64_t mostRounds = 32;

/// A quotient by a known number is a product with a normal fp16 number and up
/// to two such powers. What that does not reach makes infinities of all fp16
/// numbers but 0.
constexpr double reciprocalStep = 0x1p12;
constexpr double leastDivisor =
    1 / (largestHalf * reciprocalStep * reciprocalStep);
inline bool isSmallDivisor(double number) {
  return number != 0 && std::fabs(number) < leastDivisor;
}

/// Boxes of images in one op: each is two products.
constexpr int64_t mostBoxes = 64;

/// Weights of one resized dimension: a constant section of fp16. Rows of an
/// image that need more are made in pieces.
constexpr int64_t mostResizeWeights = h13.maxKernelSectionBytes / 2;

/// Taps of a computed kernel: one of 64 by 64. Each is a slice of the input.
constexpr int64_t mostComputedTaps = 4096;

/// Taps of such a kernel for one channel whose products are added up one after
/// the other, each sum rounded to fp16: of 8 by 8, 0.1 % of a sum.
constexpr int64_t mostAddedTaps = 64;

/// Pools that one over a volume becomes, and slices and products that a
/// convolution with a computed kernel does: far more than programs have tasks.
constexpr int64_t mostPieces = int64_t(1) << 16;

/// A mask of zeros and ones that an op becomes a product with: as large.
constexpr int64_t mostMaskElements = mostResizeWeights;

/// Pairs of known places and positions that are compared, as many as targets
/// compare. Where there are more, what the places say is moved otherwise: by a
/// gather where it is the same for all, cut and joined in so many runs of the
/// batch at most where it is reversed.
constexpr int64_t mostKnownPlaces = h13.maxChosenElements;
constexpr size_t mostReversedRuns = 256;

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_TRANSFORMS_DECOMPOSELIMITS_H
