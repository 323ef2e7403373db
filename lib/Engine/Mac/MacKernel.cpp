//===- MacKernel.cpp - Dense weighted sums --------------------------------===//

#include "Mac/MacKernel.h"
#include "HalfConversion.h"
#include "Mac/Accumulator.h"
#include "Mac/MacImage.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <bit>
#include <cstring>

using namespace ane;
using namespace ane::engine;

namespace {

/// Tiles of a part: the packed pixels and the sums of a part stay in the
/// second-level cache.
constexpr uint64_t partTiles = 8;
constexpr uint64_t partBlocks = 32;
constexpr uint64_t partTaps = 256;
static_assert(partTaps % tileTaps == 0);
/// With fewer pixels a tile would mostly be empty.
constexpr uint64_t fewPixels = 4;
/// Coefficients converted at once.
constexpr uint64_t conversionRun = 1 << 12;

/// Calls `use(first, values, count)` for the coefficients of a plane in stream
/// order, in runs of whole rows; all runs but the last have a multiple of
/// tileTaps rows.
template <typename Use>
void forEachRun(const Kernel &kernel, const td::KernelPlane &plane, Use use) {
  uint64_t rows = std::max<uint64_t>(
      llvm::alignDown(conversionRun / plane.channels, tileTaps), tileTaps);
  uint64_t taps = kernel.layout.shape().taps;
  ScratchVector<float> values(rows * plane.channels);
  for (uint64_t first = 0; first < taps; first += rows) {
    uint64_t count = std::min(rows, taps - first);
    readCoefficients(kernel.lanes[plane.lane] +
                         kernel.layout.tapOffset(plane, first, 0),
                     values.data(), count * plane.channels);
    use(first, values.data(), count);
  }
}

/// The planes of one group.
llvm::ArrayRef<td::KernelPlane> planesOf(const Kernel &kernel, uint32_t group) {
  llvm::ArrayRef<td::KernelPlane> planes = kernel.layout.planes();
  uint64_t perGroup = planes.size() / kernel.layout.shape().groups;
  return planes.slice(perGroup * group, perGroup);
}

/// Copies whole rows of the tile that has most, `pitch` floats apart: a length
/// that is known takes no call for each.
constexpr unsigned mostRows = 8;
void copyRows(const float *from, uint64_t pitch, float *to, uint64_t count) {
  for (uint64_t k = 0; k < count; ++k, from += pitch, to += mostRows)
    std::memcpy(to, from, mostRows * sizeof(float));
}

/// Adds the squares of rows of `columns` values to one sum for each column.
void addSquares(const float *values, uint64_t rows, unsigned columns,
                float *sums) {
  for (uint64_t k = 0; k < rows; ++k, values += columns)
    for (unsigned n = 0; n < columns; ++n)
      sums[n] += values[n] * values[n];
}

/// The largest of numbers that are not negative, or one that is none: as bits
/// they have that order.
float largestOf(llvm::ArrayRef<float> numbers) {
  uint32_t bits = 0;
  for (float number : numbers)
    bits = std::max(bits, std::bit_cast<uint32_t>(number));
  return std::bit_cast<float>(bits);
}

/// One image of a dense sum: the channels of a group at one depth.
struct Plane {
  const MacImage &image;
  const float *source;
  float *target;

  float *sums(uint64_t channel) const {
    return target + channel * image.pixels();
  }
};

/// Coefficients of a group with a tile's channels side by side, zeros for
/// channels beyond the last.
class PackedWeights {
public:
  PackedWeights(Workers &workers, const MacMode &mode, const Kernel &kernel,
                uint32_t group)
      : taps(kernel.layout.shape().taps), rows(mode.unit->rows),
        blocks(llvm::divideCeil(kernel.layout.shape().outputChannels, rows)),
        values(blocks * taps * rows), squares(blocks * rows) {
    uint64_t beyond = kernel.layout.shape().outputChannels % rows;
    if (beyond)
      for (uint64_t k = 0; k < taps; ++k)
        for (uint64_t m = beyond; m < rows; ++m)
          values.data()[((blocks - 1) * taps + k) * rows + m] = 0;
    llvm::ArrayRef<td::KernelPlane> planes = planesOf(kernel, group);
    workers.forEach(planes.size(), 1, [&](uint64_t begin, uint64_t end) {
      for (const td::KernelPlane &plane : planes.slice(begin, end - begin))
        pack(kernel, plane);
    });
    if (mode.saturates)
      workers.forEach(blocks, 1, [&](uint64_t begin, uint64_t end) {
        for (uint64_t b = begin; b < end; ++b)
          addSquares(block(b, 0), taps, rows, squares.data() + b * rows);
      });
  }

  uint64_t numBlocks() const { return blocks; }
  const float *block(uint64_t block, uint64_t tap) const {
    return values.data() + (block * taps + tap) * rows;
  }
  float at(uint64_t channel, uint64_t tap) const {
    return block(channel / rows, tap)[channel % rows];
  }
  /// The sum of squares of a channel.
  float squareOf(uint64_t channel) const { return squares[channel]; }

private:
  void pack(const Kernel &kernel, const td::KernelPlane &plane) {
    forEachRun(
        kernel, plane, [&](uint64_t first, const float *run, uint64_t count) {
          // The channels of the plane that one block holds.
          for (uint32_t i = 0; i < plane.channels;) {
            uint64_t channel = plane.firstChannel + i;
            uint64_t part =
                std::min<uint64_t>(plane.channels - i, rows - channel % rows);
            float *to = values.data() + (channel / rows * taps + first) * rows +
                        channel % rows;
            if (part == mostRows)
              copyRows(run + i, plane.channels, to, count);
            else
              for (uint64_t k = 0; k < count; ++k)
                std::copy_n(run + k * plane.channels + i, part, to + k * rows);
            i += part;
          }
        });
  }

  uint64_t taps;
  unsigned rows;
  uint64_t blocks;
  Buffer values;
  ScratchVector<float> squares;
};

/// Sums a block of pixels for a range of channel blocks.
class Part {
public:
  Part(const MacMode &mode, const PackedWeights &weights, uint32_t channels,
       const Plane &plane)
      : mode(mode), weights(weights), channels(channels), plane(plane),
        rows(mode.unit->rows), columns(mode.unit->columns) {}

  void run(uint64_t pixel, uint64_t firstBlock, uint64_t endBlock) {
    first = pixel;
    const MacImage &image = plane.image;
    tiles =
        std::min(partTiles, llvm::divideCeil(image.pixels() - pixel, columns));
    uint64_t numSums = (endBlock - firstBlock) * tiles * rows * columns;
    sums.reserve(numSums);
    std::fill_n(sums.data(), numSums, 0.0f);
    packed.reserve(tiles * partTaps * columns + tensorSlack);
    squares.assign(tiles * columns, 0);

    MacTile tile = mode.loops().tile;
    for (uint64_t tap = 0; tap < image.taps(); tap += partTaps) {
      uint64_t count = std::min(partTaps, image.taps() - tap);
      // In this order: packing a tile writes beyond its end.
      for (uint64_t t = 0; t < tiles; ++t)
        image.pack(*mode.unit, plane.source, tap, count, first + t * columns,
                   packed.data() + t * partTaps * columns);
      if (mode.saturates)
        for (uint64_t t = 0; t < tiles; ++t)
          mode.unit->squares(packed.data() + t * partTaps * columns, count,
                             squares.data() + t * columns);
      float *sum = sums.data();
      for (uint64_t block = firstBlock; block < endBlock; ++block)
        for (uint64_t t = 0; t < tiles; ++t, sum += rows * columns)
          tile(weights.block(block, tap),
               packed.data() + t * partTaps * columns, count, sum);
    }

    for (uint64_t t = 0; mode.saturates && t < tiles; ++t)
      largest[t] = largestOf({squares.data() + t * columns, columns});
    const float *sum = sums.data();
    for (uint64_t block = firstBlock; block < endBlock; ++block)
      for (uint64_t t = 0; t < tiles; ++t)
        for (unsigned m = 0; m < rows; ++m, sum += columns)
          if (block * rows + m < channels)
            finish(block * rows + m, t, sum);
  }

private:
  /// Stores the sums of a channel and a tile, after summing those again that
  /// may have overflown.
  void finish(uint64_t channel, uint64_t tile, const float *sum) const {
    uint64_t pixel = first + tile * columns;
    uint64_t count = std::min<uint64_t>(columns, plane.image.pixels() - pixel);
    float *to = plane.sums(channel) + pixel;
    std::copy_n(sum, count, to);
    if (!mode.saturates)
      return;
    const float *square = squares.data() + tile * columns;
    float weight = weights.squareOf(channel);
    if (mode.isSafe(std::sqrt(weight * largest[tile])))
      return;
    for (uint64_t n = 0; n < count; ++n) {
      if (mode.isSafe(std::sqrt(weight * square[n])))
        continue;
      Accumulator accumulator(mode.numerics);
      for (uint64_t k = 0; k < plane.image.taps(); ++k)
        accumulator.add(weights.at(channel, k) *
                        plane.image.at(plane.source, k, pixel + n));
      to[n] = accumulator.result();
    }
  }

  const MacMode &mode;
  const PackedWeights &weights;
  uint32_t channels;
  const Plane &plane;
  unsigned rows, columns;
  uint64_t first = 0;
  uint64_t tiles = 0;
  Buffer sums, packed;
  ScratchVector<float> squares;         ///< sums of squares of the pixels
  std::array<float, partTiles> largest; ///< of a tile
};

/// Sums tile by tile.
void sumTiles(Workers &workers, const MacMode &mode,
              const PackedWeights &weights, uint32_t channels,
              const Plane &plane) {
  uint64_t partPixels = partTiles * mode.unit->columns;
  uint64_t pixelParts = llvm::divideCeil(plane.image.pixels(), partPixels);
  uint64_t blocks = weights.numBlocks();
  uint64_t splits =
      std::max(llvm::divideCeil(blocks, partBlocks),
               std::min<uint64_t>(blocks, Workers::partsPerThread *
                                              workers.threads() / pixelParts));
  workers.forEach(pixelParts * splits, 1, [&](uint64_t begin, uint64_t end) {
    Part part(mode, weights, channels, plane);
    for (uint64_t index = begin; index < end; ++index) {
      uint64_t split = index % splits;
      part.run(index / splits * partPixels, blocks * split / splits,
               blocks * (split + 1) / splits);
    }
  });
}

/// For an image of a few pixels: straight from the lanes, the channels of a
/// plane being the columns of a tile and each pixel its row.
void sumFewPixels(Workers &workers, const MacMode &mode, const Kernel &kernel,
                  uint32_t group, const Plane &plane) {
  const MacImage &image = plane.image;
  unsigned columns = mode.unit->columns;
  ScratchVector<float> pixels(image.pixels() * image.taps());
  ScratchVector<float> pixelSquares(image.pixels());
  for (uint64_t p = 0; p < image.pixels(); ++p)
    for (uint64_t k = 0; k < image.taps(); ++k) {
      float pixel = image.at(plane.source, k, p);
      pixels[p * image.taps() + k] = pixel;
      pixelSquares[p] += pixel * pixel;
    }

  llvm::ArrayRef<td::KernelPlane> planes = planesOf(kernel, group);
  auto sumPlane = [&](const td::KernelPlane &coefficients) {
    uint32_t channels = coefficients.channels;
    uint64_t blocks = llvm::divideCeil(channels, columns);
    ScratchVector<float> sums(blocks * columns * image.pixels());
    ScratchVector<float> squares(channels);
    ScratchVector<float> packed;
    forEachRun(kernel, coefficients,
               [&](uint64_t first, const float *run, uint64_t count) {
                 if (mode.saturates)
                   addSquares(run, count, channels, squares.data());
                 for (uint64_t b = 0; b < blocks; ++b) {
                   uint64_t part =
                       std::min<uint64_t>(columns, channels - b * columns);
                   const float *rows = run;
                   if (channels != columns) {
                     packed.assign(count * columns, 0);
                     for (uint64_t k = 0; k < count; ++k)
                       std::copy_n(run + k * channels + b * columns, part,
                                   packed.data() + k * columns);
                     rows = packed.data();
                   }
                   for (uint64_t p = 0; p < image.pixels(); ++p)
                     mode.loops().narrow(
                         pixels.data() + p * image.taps() + first, rows, count,
                         sums.data() + (p * blocks + b) * columns);
                 }
               });
    for (uint64_t p = 0; p < image.pixels(); ++p)
      for (uint32_t i = 0; i < channels; ++i) {
        float &sum = plane.sums(coefficients.firstChannel + i)[p];
        sum = sums[p * blocks * columns + i];
        if (!mode.saturates ||
            mode.isSafe(std::sqrt(squares[i] * pixelSquares[p])))
          continue;
        Accumulator accumulator(mode.numerics);
        forEachRun(kernel, coefficients,
                   [&](uint64_t first, const float *run, uint64_t count) {
                     for (uint64_t k = 0; k < count; ++k)
                       accumulator.add(run[k * channels + i] *
                                       pixels[p * image.taps() + first + k]);
                   });
        sum = accumulator.result();
      }
  };
  workers.forEach(planes.size(), 1, [&](uint64_t begin, uint64_t end) {
    for (const td::KernelPlane &coefficients : planes.slice(begin, end - begin))
      sumPlane(coefficients);
  });
}

} // namespace

bool MacMode::isSafe(float bound) const {
  // Half the limit leaves room for the rounding of sums and bound; NaN and
  // infinity are not safe.
  return !saturates || bound < accumulatorLimit / 2;
}

void engine::readCoefficients(const uint8_t *source, float *dest,
                              size_t count) {
  readRow(source, dest, count);
  flushDenormals(dest, count);
}

ScratchVector<float> engine::biasRows(const Kernel &kernel) {
  const td::KernelShape &shape = kernel.layout.shape();
  ScratchVector<float> rows(uint64_t(shape.groups) * shape.outputChannels);
  for (const td::KernelPlane &plane : kernel.layout.planes())
    readRow(kernel.lanes[plane.lane] + kernel.layout.biasOffset(plane, 0),
            rows.data() + uint64_t(plane.group) * shape.outputChannels +
                plane.firstChannel,
            plane.channels);
  return rows;
}

void engine::denseMac(Workers &workers, const MacMode &mode,
                      const Kernel &kernel, const Window &window,
                      const Tensor &input, Tensor &sums) {
  const Extents &output = sums.shape();
  MacImage image(window, input.shape(), input.shape().channels, output);
  bool few = image.pixels() <= fewPixels;
  std::optional<PackedWeights> weights;
  for (uint32_t group = 0; group < output.groups; ++group) {
    uint32_t kernelGroup = kernel.shared ? 0 : group;
    if (!few && (!weights || !kernel.shared))
      weights.emplace(workers, mode, kernel, kernelGroup);
    for (uint32_t depth = 0; depth < output.depth; ++depth) {
      Plane plane{image, input.plane(group, depth, 0),
                  sums.plane(group, depth, 0)};
      if (few)
        sumFewPixels(workers, mode, kernel, kernelGroup, plane);
      else
        sumTiles(workers, mode, *weights, output.channels, plane);
    }
  }
}
