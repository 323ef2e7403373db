//===- PostFunction.h - What follows a reduction ----------------*- C++ -*-===//

#ifndef ANE_LIB_ENGINE_EXECUTE_POSTFUNCTION_H
#define ANE_LIB_ENGINE_EXECUTE_POSTFUNCTION_H

#include "HalfConversion.h"
#include "Plan/Plan.h"
#include <cmath>

namespace ane::engine {

/// The result for the sum or maximum of a reduction; an indeterminate one is
/// +0, measured on M1.
inline float applyPost(const Reduction &reduction, double value) {
  // Adding even an epsilon of 0 turns -0 into +0, whose reciprocal is +inf as
  // measured on M1.
  double result = value * reduction.scale + reduction.epsilon;
  switch (reduction.post) {
  case PostFunction::None:
    break;
  case PostFunction::Reciprocal:
    result = 1 / result;
    break;
  case PostFunction::ReciprocalSquareRoot:
    result = 1 / std::sqrt(result);
    break;
  }
  float narrow = narrowToOdd(result);
  return narrow != narrow ? 0 : narrow;
}

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_EXECUTE_POSTFUNCTION_H
