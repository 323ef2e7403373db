//===- Ties.h - Indices of elements that are nearly as good -----*- C++ -*-===//

#ifndef ANE_LIB_PIPELINE_VERIFY_TIES_H
#define ANE_LIB_PIPELINE_VERIFY_TIES_H

#include "Verify/TrialInputs.h"

namespace ane {

/// Where an output has indices of the best elements along an axis, as of
/// reduce_argmax and topk, rounding decides between elements that are nearly
/// equal. Gives `got` the indices of the reference where the elements that both
/// name differ by at most the part `tolerance` of the largest magnitude, in the
/// values of the reference. How many that were; 0 for any other output.
size_t acceptTies(mil::FuncOp func, const Trial &trial, unsigned output,
                  double tolerance, reference::Tensor &got);

/// The largest magnitude among the elements that are finite.
double largestMagnitude(const reference::Tensor &tensor);

} // namespace ane

#endif // ANE_LIB_PIPELINE_VERIFY_TIES_H
