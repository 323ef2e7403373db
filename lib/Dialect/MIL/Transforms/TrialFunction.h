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

/// Marks a function that stays as it is: an op that is why, and where it is,
/// and what else there is to say.
inline void markLeft(FuncOp func, llvm::StringRef mark, mlir::Operation *op,
                     llvm::ArrayRef<mlir::Attribute> more = {}) {
  mlir::Builder builder(func.getContext());
  llvm::SmallVector<mlir::Attribute> parts = {
      builder.getStringAttr(op->getName().stripDialect()),
      mlir::cast<mlir::LocationAttr>(mlir::Attribute(op->getLoc()))};
  llvm::append_range(parts, more);
  func->setAttr(mark, builder.getArrayAttr(parts));
}

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_TRIALFUNCTION_H
