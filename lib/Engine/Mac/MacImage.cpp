//===- MacImage.cpp - The operands of a weighted sum ----------------------===//

#include "Mac/MacImage.h"
#include "llvm/ADT/SmallVector.h"

using namespace ane::engine;

MacImage::MacImage(const Window &window, const Extents &input,
                   uint32_t channels, const Extents &output)
    : width(output.width), stride(window.strideX) {
  for (uint32_t c = 0; c < channels; ++c)
    for (uint32_t y = 0; y < window.height; ++y)
      for (uint32_t x = 0; x < window.width; ++x)
        tapOffsets.push_back((uint64_t(c) * input.height + y) * input.width +
                             x);
  for (uint32_t y = 0; y < output.height; ++y)
    for (uint32_t x = 0; x < output.width; ++x)
      pixelOffsets.push_back(uint64_t(y) * window.strideY * input.width +
                             uint64_t(x) * window.strideX);
}

void MacImage::pack(const MacUnit &unit, const float *source, uint64_t tap,
                    uint64_t count, uint64_t pixel, float *packed) const {
  unsigned columns = unit.columns;
  unsigned valid = std::min<uint64_t>(columns, pixels() - pixel);
  if (!isDense()) {
    for (uint64_t k = 0; k < count; ++k, packed += columns) {
      const float *from = source + tapOffsets[tap + k];
      for (unsigned n = 0; n < columns; ++n)
        packed[n] = from[pixelOffsets[pixel + std::min(n, valid - 1)]];
    }
    return;
  }
  // Parts of rows are copied in pieces of one size; what a piece has too much,
  // the next one overwrites.
  llvm::SmallVector<MacPiece, 64> pieces;
  for (unsigned n = 0; n < valid;) {
    unsigned rest = width - (pixel + n) % width;
    unsigned end = std::min(valid, n + rest);
    uint64_t from = pixelOffsets[pixel + n];
    for (; n < end; n += unit.piece, from += unit.piece)
      pieces.push_back({from, n});
    n = end;
  }
  unit.pack(source, tapOffsets.data() + tap, count, pieces, packed);
  if (valid < columns)
    for (uint64_t k = 0; k < count; ++k, packed += columns)
      std::fill(packed + valid, packed + columns, packed[valid - 1]);
}
