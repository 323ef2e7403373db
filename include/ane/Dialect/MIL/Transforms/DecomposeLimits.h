//===- DecomposeLimits.h - What mil-decompose takes apart -------*- C++ -*-===//
//
// Sorts and samples become products and comparisons that grow with the square
// of what they work on. All limits are assigned.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_TRANSFORMS_DECOMPOSELIMITS_H
#define ANE_DIALECT_MIL_TRANSFORMS_DECOMPOSELIMITS_H

#include "ane/Target/H13.h"
#include <cstdint>

namespace ane::mil {

/// More elements than this are not taken from a sort one after the other: each
/// is eight ops.
constexpr int64_t mostTaken = 32;

/// The largest comparison of all elements along an axis with each other: 8 MB.
/// A sort may need 64 of them, one after the other.
constexpr int64_t mostPairs = int64_t(1) << 22;
constexpr int64_t mostAllPairs = mostPairs << 6;

/// The largest matrix of weights that samples an image at a time: 8 MB. All
/// samples may need 64 of them, 16 where they are constants.
constexpr int64_t mostWeights = int64_t(1) << 22;
constexpr int64_t mostAllWeights = mostWeights << 6;
constexpr int64_t mostKnownWeights = mostWeights << 4;

/// Its sides are dimensions of the engine: elements of an image, and samples.
constexpr int64_t mostSamples = h13.maxWidth;

/// Boxes of images in one op: each is two products.
constexpr int64_t mostBoxes = 64;

/// Weights of one resized dimension: a constant section of fp16. Rows of an
/// image that need more are made in pieces.
constexpr int64_t mostResizeWeights = h13.maxKernelSectionBytes / 2;

/// Taps of a computed kernel: one of 64 by 64. Each is a slice of the input.
constexpr int64_t mostComputedTaps = 4096;

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
