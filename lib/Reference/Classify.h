//===- Classify.h - The head of a classifier --------------------*- C++ -*-===//

#ifndef ANE_LIB_REFERENCE_CLASSIFY_H
#define ANE_LIB_REFERENCE_CLASSIFY_H

#include "List.h"

namespace ane::reference {

/// The likeliest class and the dictionary of probabilities, in this order.
/// Reports at the op.
llvm::FailureOr<llvm::SmallVector<Datum>> classify(mil::ClassifyOp op,
                                                   const Tensor &probabilities);

} // namespace ane::reference

#endif // ANE_LIB_REFERENCE_CLASSIFY_H
