//===- TrialFunction.h - Rewriting all of a function or nothing -*- C++ -*-===//
//
// A pass whose rules have to hold for all ops of a function works on a clone,
// and puts that in its place where they did.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_TRIALFUNCTION_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_TRIALFUNCTION_H

#include "ane/Dialect/MIL/IR/MIL.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace ane::mil {

/// Erases what nobody reads any more, and makes the type of the function that
/// of its parameters and results.
inline void finishTrial(FuncOp trial) {
  for (mlir::Operation &op :
       llvm::make_early_inc_range(llvm::reverse(trial.getBody().front())))
    if (mlir::isOpTriviallyDead(&op))
      op.erase();
  trial.updateFunctionType();
}

/// Makes a function what has become of its clone.
inline void adoptTrial(FuncOp func, FuncOp trial) {
  func.getBody().takeBody(trial.getBody());
  func->setAttrs(trial->getAttrDictionary());
}

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_TRIALFUNCTION_H
