//===- MacTile.h - Many weighted sums at once -------------------*- C++ -*-===//
//
// The inner loops. They give the bits of Accumulator as long as no partial sum
// overflows and no operand is an infinity; whoever calls them makes sure of
// that. Of fp16 operands a product is exact in fp32, so a fused
// multiply-addition gives the same bits as a product and a sum.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_ENGINE_MAC_MACTILE_H
#define ANE_LIB_ENGINE_MAC_MACTILE_H

#include "Instructions.h"
#include "ane/Engine/Numerics.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstddef>
#include <cstdint>

namespace ane::engine {

/// sums[m][n] += weights[k][m] * pixels[k][n] for all k in order. The rows of
/// all three are packed. In tile4, `taps` is a multiple of four in all calls
/// but the last.
using MacTile = void (*)(const float *weights, const float *pixels,
                         uint64_t taps, float *sums);

/// sums[n] = sum over k of weights[k] * pixels[offsets[k] + n], for as many n
/// as a row has.
using MacRow = void (*)(const float *weights, const float *pixels,
                        const uint64_t *offsets, uint64_t taps, float *sums);

/// sums[n] += the squares of pixels[k][n] for all k, for the columns of a tile.
using MacSquares = void (*)(const float *pixels, uint64_t taps, float *sums);

/// Floats that are moved at once, as many as a unit says: from where in a
/// source to where in a row.
struct MacPiece {
  uint64_t from;
  unsigned to;
};

/// rows[k] = the pieces of source + offsets[k], one after the other, of which
/// the last one may end in the row behind.
using MacPack = void (*)(const float *source, const uint64_t *offsets,
                         uint64_t taps, llvm::ArrayRef<MacPiece> pieces,
                         float *rows);

/// The loops of one accumulator.
struct MacLoops {
  MacTile tile;
  MacTile narrow; ///< a tile of one row
  MacRow row;
};

/// The loops for one set of instructions.
struct MacUnit {
  unsigned rows;    ///< of a tile: output channels
  unsigned columns; ///< of a tile, and of a row: pixels
  unsigned piece;   ///< floats moved at once
  MacLoops documented;
  MacLoops tile4;
  MacSquares squares;
  MacPack pack;

  const MacLoops &loops(Numerics numerics) const {
    return numerics == Numerics::Tile4 ? tile4 : documented;
  }
};

extern const MacUnit portableMacUnit;
#if defined(__x86_64__)
extern const MacUnit avx2MacUnit;
extern const MacUnit avx512MacUnit;
bool hasAVX2();   ///< and FMA
bool hasAVX512(); ///< the parts F, DQ and BW
#endif

/// The fastest that the processor has.
const MacUnit &bestMacUnit();
const MacUnit &macUnitFor(Instructions instructions);

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_MAC_MACTILE_H
