//===- WeightChoices.h - What becomes of weight files -----------*- C++ -*-===//

#ifndef ANE_DIALECT_MIL_TRANSFORMS_WEIGHTCHOICES_H
#define ANE_DIALECT_MIL_TRANSFORMS_WEIGHTCHOICES_H

#include "ane/Support/Named.h"

namespace ane::mil {

/// What a weight file that does not exist is.
enum class MissingWeights {
  Error,
  /// Its weights get stand-in values that depend on path, offset, type and use
  /// only, with a warning.
  Seeded,
};
inline constexpr Named<MissingWeights> missingWeightsNames[] = {
    {MissingWeights::Error, "error"}, {MissingWeights::Seeded, "seeded"}};

/// What a weight is whose record in the file names another element type than
/// the program does, or no place.
enum class WeightTypes {
  Strict, ///< an error
  /// Integers of up to 8 bits are read if their size is right, with a warning.
  /// What has no place lies behind its record, as many bytes as the type has.
  BySize,
};
inline constexpr Named<WeightTypes> weightTypesNames[] = {
    {WeightTypes::Strict, "strict"}, {WeightTypes::BySize, "by-size"}};

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_TRANSFORMS_WEIGHTCHOICES_H
