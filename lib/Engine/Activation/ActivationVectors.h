//===- ActivationVectors.h - Activation tables for vectors ------*- C++ -*-===//

#ifndef ANE_LIB_ENGINE_ACTIVATION_ACTIVATIONVECTORS_H
#define ANE_LIB_ENGINE_ACTIVATION_ACTIVATIONVECTORS_H

#include "Activation/ActivationTable.h"

namespace ane::engine {

/// A table as ActivationVectors.inc looks it up.
struct VectorTable {
  enum class Kind {
    None,  ///< value by value
    Plain, ///< entered with x itself
    Exp2,  ///< powers of two whose exponents a float has
  };

  explicit VectorTable(const ActivationForm &form);

  const ActivationForm &form;
  Kind kind;
  /// From `first` to `last`, which may be none, the table alone counts. There
  /// are such x outside, too.
  float first, last;
  /// The same of fp16 bits, if 0 is between them, of which NaN has none: those
  /// that are at most `lastBits` as signed and at most `firstBits` as unsigned
  /// numbers; of magnitudes, for a table of those.
  bool hasBits = false;
  int16_t lastBits = 0;
  uint16_t firstBits = 0;
};

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_ACTIVATION_ACTIVATIONVECTORS_H
