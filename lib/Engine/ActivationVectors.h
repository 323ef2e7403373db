//===- ActivationVectors.h - Activation tables for vectors ------*- C++ -*-===//

#ifndef ANE_LIB_ENGINE_ACTIVATIONVECTORS_H
#define ANE_LIB_ENGINE_ACTIVATIONVECTORS_H

#include "ActivationTable.h"

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
  static constexpr int lastKnot = td::numLutKnots - 1;
  float knots[lastKnot];
  float steps[lastKnot]; ///< from a knot to the next
  /// From `first` to `last`, which may be none, the table alone counts. There
  /// are such x outside, too.
  float first, last;
};

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_ACTIVATIONVECTORS_H
