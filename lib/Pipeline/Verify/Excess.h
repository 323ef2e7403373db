//===- Excess.h - Results beyond the numbers of the engine ------*- C++ -*-===//

#ifndef ANE_LIB_PIPELINE_VERIFY_EXCESS_H
#define ANE_LIB_PIPELINE_VERIFY_EXCESS_H

#include "Verify/TrialInputs.h"

namespace ane {

/// The first op of a function whose result the engine has no numbers for.
struct Excess {
  mlir::Location location;
  std::string text; ///< a sentence
};

/// What may be why a container does not agree with the reference: on the inputs
/// of a trial a sum of products reaches `accumulatorLimit`, a result is beyond
/// the largest fp16 or NaN, or, where there is nothing of that kind, one is
/// nothing but denormal numbers of fp16. Nothing if none is.
std::optional<Excess> findExcess(mil::FuncOp func, const Trial &trial);

} // namespace ane

#endif // ANE_LIB_PIPELINE_VERIFY_EXCESS_H
