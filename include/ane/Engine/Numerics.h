//===- Numerics.h - How the machine accumulates -----------------*- C++ -*-===//
//
// docs/numerics.md tells what either model does and what is known of the
// hardware.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_ENGINE_NUMERICS_H
#define ANE_ENGINE_NUMERICS_H

#include "llvm/ADT/StringRef.h"

namespace ane::engine {

/// The accumulator of the multiply-accumulate array. Everything else is the
/// same in both.
enum class Numerics {
  /// Exact products summed in fp32 in the order of the coefficient stream.
  /// Documented.
  Documented,
  /// Tiles of four products summed with 12 bits of significand, bits shifted
  /// out being dropped; the tiles summed in fp32. The only model among those
  /// tried that gives every sum measured on M1.
  Tile4,
};

/// The model that a run uses unless told otherwise.
constexpr Numerics defaultNumerics = Numerics::Documented;

/// `documented` or `tile4`.
llvm::StringRef numericsName(Numerics numerics);

} // namespace ane::engine

#endif // ANE_ENGINE_NUMERICS_H
