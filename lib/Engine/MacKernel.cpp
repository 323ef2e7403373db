//===- MacKernel.cpp - Weighted sums --------------------------------------===//

#include "MacKernel.h"
#include "llvm/Support/MathExtras.h"

using namespace ane;
using namespace ane::engine;

namespace {

/// Pixels and taps of a block: the pixels of a block stay in the second-level
/// cache while all output channels use them.
constexpr uint64_t blockPixels = 4 * macColumns;
constexpr uint64_t blockTaps = 256;
/// With fewer pixels a tile would mostly be empty.
constexpr uint64_t fewPixels = 4;
/// Coefficients converted at once.
constexpr uint64_t conversionRun = 1 << 12;

/// Calls `use(first, values, count)` for the coefficients of a plane in stream
/// order, in runs that hold whole rows.
template <typename Use>
void forEachRun(const Kernel &kernel, const td::KernelPlane &plane, Use use) {
  uint64_t rows = std::max<uint64_t>(conversionRun / plane.channels, 1);
  uint64_t taps = kernel.layout.shape().taps;
  std::vector<float> values(rows * plane.channels);
  for (uint64_t first = 0; first < taps; first += rows) {
    uint64_t count = std::min(rows, taps - first);
    readRow(kernel.lanes[plane.lane] + kernel.layout.tapOffset(plane, first, 0),
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

/// One image of a dense sum: the channels of a group at one depth.
class Image {
public:
  Image(const Window &window, const Tensor &input, Tensor &sums, uint32_t group,
        uint32_t depth)
      : output(sums.shape()), source(input.plane(group, depth, 0)),
        target(sums.plane(group, depth, 0)) {
    const Extents &padded = input.shape();
    for (uint32_t c = 0; c < padded.channels; ++c)
      for (uint32_t y = 0; y < window.height; ++y)
        for (uint32_t x = 0; x < window.width; ++x)
          tapOffsets.push_back(
              (uint64_t(c) * padded.height + y) * padded.width + x);
    for (uint32_t y = 0; y < output.height; ++y)
      for (uint32_t x = 0; x < output.width; ++x)
        pixelOffsets.push_back(uint64_t(y) * window.strideY * padded.width +
                               uint64_t(x) * window.strideX);
  }

  uint64_t pixels() const { return pixelOffsets.size(); }
  uint64_t taps() const { return tapOffsets.size(); }
  float at(uint64_t tap, uint64_t pixel) const {
    return source[tapOffsets[tap] + pixelOffsets[pixel]];
  }
  float *sums(uint64_t channel) const { return target + channel * pixels(); }

  /// Taps [tap, tap + count) of the tile that starts at `pixel`, a tile's
  /// pixels side by side. What lies beyond the image repeats its first pixel.
  void pack(uint64_t tap, uint64_t count, uint64_t pixel, float *packed) const {
    uint64_t offsets[macColumns];
    bool contiguous = pixel + macColumns <= pixels();
    for (unsigned n = 0; n < macColumns; ++n) {
      offsets[n] = pixel + n < pixels() ? pixelOffsets[pixel + n] : 0;
      contiguous &= offsets[n] == offsets[0] + n;
    }
    for (uint64_t k = 0; k < count; ++k, packed += macColumns) {
      const float *from = source + tapOffsets[tap + k];
      if (contiguous)
        std::copy_n(from + offsets[0], macColumns, packed);
      else
        for (unsigned n = 0; n < macColumns; ++n)
          packed[n] = from[offsets[n]];
    }
  }

private:
  Extents output;
  const float *source;
  float *target;
  std::vector<uint64_t> tapOffsets, pixelOffsets;
};

/// Coefficients of a group with macRows channels side by side, zeros for
/// channels beyond the last.
class PackedWeights {
public:
  PackedWeights(Workers &workers, const Kernel &kernel, uint32_t group)
      : taps(kernel.layout.shape().taps),
        blocks(llvm::divideCeil(kernel.layout.shape().outputChannels, macRows)),
        values(blocks * taps * macRows) {
    llvm::ArrayRef<td::KernelPlane> planes = planesOf(kernel, group);
    workers.forEach(planes.size(), 1, [&](uint64_t begin, uint64_t end) {
      for (const td::KernelPlane &plane : planes.slice(begin, end - begin))
        pack(kernel, plane);
    });
  }

  uint64_t numBlocks() const { return blocks; }
  const float *block(uint64_t block, uint64_t tap) const {
    return values.data() + (block * taps + tap) * macRows;
  }

private:
  void pack(const Kernel &kernel, const td::KernelPlane &plane) {
    forEachRun(kernel, plane,
               [&](uint64_t first, const float *run, uint64_t count) {
                 for (uint64_t k = 0; k < count; ++k)
                   for (uint32_t i = 0; i < plane.channels; ++i) {
                     uint64_t channel = plane.firstChannel + i;
                     values[(channel / macRows * taps + first + k) * macRows +
                            channel % macRows] = run[k * plane.channels + i];
                   }
               });
  }

  uint64_t taps;
  uint64_t blocks;
  std::vector<float> values;
};

/// Sums tile by tile; a part of the work is a block of pixels and a range of
/// channel blocks.
void sumTiles(Workers &workers, const PackedWeights &weights, uint32_t channels,
              const Image &image) {
  MacTile macTile = bestMacTile();
  uint64_t pixelBlocks = llvm::divideCeil(image.pixels(), blockPixels);
  uint64_t splits = std::clamp<uint64_t>(4 * workers.threads() / pixelBlocks, 1,
                                         weights.numBlocks());

  auto part = [&](uint64_t index) {
    uint64_t split = index % splits;
    uint64_t firstPixel = index / splits * blockPixels;
    uint64_t tiles = llvm::divideCeil(
        std::min(blockPixels, image.pixels() - firstPixel), macColumns);
    uint64_t firstBlock = weights.numBlocks() * split / splits;
    uint64_t endBlock = weights.numBlocks() * (split + 1) / splits;
    constexpr uint64_t tileSize = macRows * macColumns;
    std::vector<float> sums((endBlock - firstBlock) * tiles * tileSize);
    std::vector<float> packed(tiles * blockTaps * macColumns);

    for (uint64_t tap = 0; tap < image.taps(); tap += blockTaps) {
      uint64_t count = std::min(blockTaps, image.taps() - tap);
      for (uint64_t t = 0; t < tiles; ++t)
        image.pack(tap, count, firstPixel + t * macColumns,
                   packed.data() + t * blockTaps * macColumns);
      float *sum = sums.data();
      for (uint64_t block = firstBlock; block < endBlock; ++block)
        for (uint64_t t = 0; t < tiles; ++t, sum += tileSize)
          macTile(weights.block(block, tap),
                  packed.data() + t * blockTaps * macColumns, count, sum);
    }

    const float *sum = sums.data();
    for (uint64_t block = firstBlock; block < endBlock; ++block)
      for (uint64_t t = 0; t < tiles; ++t, sum += tileSize)
        for (unsigned m = 0; m < macRows; ++m) {
          uint64_t channel = block * macRows + m;
          uint64_t pixel = firstPixel + t * macColumns;
          if (channel < channels)
            std::copy_n(sum + m * macColumns,
                        std::min<uint64_t>(macColumns, image.pixels() - pixel),
                        image.sums(channel) + pixel);
        }
  };
  workers.forEach(pixelBlocks * splits, 1, [&](uint64_t begin, uint64_t end) {
    for (uint64_t index = begin; index < end; ++index)
      part(index);
  });
}

/// For an image of a few pixels: straight from the lanes, a row of coefficients
/// at a time.
void sumFewPixels(Workers &workers, const Kernel &kernel, uint32_t group,
                  const Image &image) {
  llvm::ArrayRef<td::KernelPlane> planes = planesOf(kernel, group);
  workers.forEach(planes.size(), 1, [&](uint64_t begin, uint64_t end) {
    for (const td::KernelPlane &plane : planes.slice(begin, end - begin)) {
      std::vector<float> sums(image.pixels() * plane.channels);
      forEachRun(
          kernel, plane, [&](uint64_t first, const float *run, uint64_t count) {
            for (uint64_t k = 0; k < count; ++k)
              for (uint64_t p = 0; p < image.pixels(); ++p)
                macRow(run + k * plane.channels, 1, image.at(first + k, p),
                       sums.data() + p * plane.channels, plane.channels);
          });
      for (uint64_t p = 0; p < image.pixels(); ++p)
        for (uint32_t i = 0; i < plane.channels; ++i)
          image.sums(plane.firstChannel + i)[p] = sums[p * plane.channels + i];
    }
  });
}

} // namespace

std::vector<float> engine::biasRows(const Kernel &kernel) {
  const td::KernelShape &shape = kernel.layout.shape();
  std::vector<float> rows(uint64_t(shape.groups) * shape.outputChannels);
  for (const td::KernelPlane &plane : kernel.layout.planes())
    readRow(kernel.lanes[plane.lane] + kernel.layout.biasOffset(plane, 0),
            rows.data() + uint64_t(plane.group) * shape.outputChannels +
                plane.firstChannel,
            plane.channels);
  return rows;
}

void engine::denseMac(Workers &workers, const Kernel &kernel,
                      const Window &window, const Tensor &input, Tensor &sums) {
  const Extents &output = sums.shape();
  bool few = uint64_t(output.height) * output.width <= fewPixels;
  std::unique_ptr<PackedWeights> weights;
  for (uint32_t group = 0; group < output.groups; ++group) {
    uint32_t kernelGroup = kernel.shared ? 0 : group;
    if (!few && (!weights || !kernel.shared))
      weights = std::make_unique<PackedWeights>(workers, kernel, kernelGroup);
    for (uint32_t depth = 0; depth < output.depth; ++depth) {
      Image image(window, input, sums, group, depth);
      if (few)
        sumFewPixels(workers, kernel, kernelGroup, image);
      else
        sumTiles(workers, *weights, output.channels, image);
    }
  }
}

void engine::channelwiseMac(Workers &workers, const Kernel &kernel,
                            const Window &window, const Tensor &input,
                            Tensor &sums) {
  const Extents &output = sums.shape();
  const td::KernelShape &shape = kernel.layout.shape();
  std::vector<float> weights(uint64_t(shape.groups) * shape.outputChannels *
                             shape.taps);
  for (const td::KernelPlane &plane : kernel.layout.planes())
    readRow(kernel.lanes[plane.lane] + kernel.layout.tapOffset(plane, 0, 0),
            weights.data() + (uint64_t(plane.group) * shape.outputChannels +
                              plane.firstChannel) *
                                 shape.taps,
            shape.taps);
  workers.forEach(sums.numRows(), 1, [&](uint64_t begin, uint64_t end) {
    for (uint64_t index = begin; index < end; ++index) {
      RowPosition at(output, index);
      uint64_t group = kernel.shared ? 0 : at.g;
      const float *weight =
          weights.data() + (group * shape.outputChannels + at.c) * shape.taps;
      float *row = sums.row(index);
      std::fill_n(row, output.width, 0.0f);
      for (uint32_t y = 0; y < window.height; ++y) {
        const float *pixels = input.row(
            input.rowIndex(at.g, at.d, at.c, at.h * window.strideY + y));
        for (uint32_t x = 0; x < window.width; ++x)
          macRow(pixels + x, window.strideX, *weight++, row, output.width);
      }
    }
  });
}
