//===- MacImage.h - The operands of a weighted sum --------------*- C++ -*-===//

#ifndef ANE_LIB_ENGINE_MAC_MACIMAGE_H
#define ANE_LIB_ENGINE_MAC_MACIMAGE_H

#include "Mac/MacTile.h"
#include "Transfer.h"

namespace ane::engine {

/// The taps of every pixel of an output plane: tap k of pixel p is the element
/// tap(k) + pixel(p) behind the source.
class MacImage {
public:
  /// `input` is padded; the taps run over `channels` of its channels and the
  /// window.
  MacImage(const Window &window, const Extents &input, uint32_t channels,
           const Extents &output);

  uint64_t taps() const { return tapOffsets.size(); }
  uint64_t pixels() const { return pixelOffsets.size(); }
  const uint64_t *offsets() const { return tapOffsets.data(); }

  /// Whether pixels that follow each other in a row do so in the source, too.
  bool isDense() const { return stride == 1; }

  float at(const float *source, uint64_t tap, uint64_t pixel) const {
    return source[tapOffsets[tap] + pixelOffsets[pixel]];
  }

  /// Packs taps [tap, tap + count) of a tile's pixels from `pixel` on, a tap's
  /// pixels side by side. What lies beyond the last pixel is one of the others.
  /// Writes up to tensorSlack floats behind.
  void pack(const MacUnit &unit, const float *source, uint64_t tap,
            uint64_t count, uint64_t pixel, float *packed) const;

private:
  ScratchVector<uint64_t> tapOffsets, pixelOffsets;
  uint32_t width;  ///< pixels in a row
  uint32_t stride; ///< between them
};

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_MAC_MACIMAGE_H
