//===- OpsBehind.h - What waits for results of a region ---------*- C++ -*-===//

#ifndef ANE_SUPPORT_OPSBEHIND_H
#define ANE_SUPPORT_OPSBEHIND_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace ane {

/// Of the ops from `first` to `last` of a block, those outside of a region that
/// need one of its results, and all that need a result of those. A region
/// without them can run at one place: nothing in it needs what is made of its
/// own results outside.
inline llvm::DenseSet<mlir::Operation *>
opsBehind(mlir::Operation *first, mlir::Operation *last,
          llvm::function_ref<bool(mlir::Operation *)> isInside) {
  llvm::DenseSet<mlir::Operation *> behind;
  for (mlir::Operation *op = first;; op = op->getNextNode()) {
    bool needsBehind = false, needsInside = false;
    op->walk([&](mlir::Operation *nested) {
      for (mlir::Value operand : nested->getOperands()) {
        mlir::Operation *maker = operand.getDefiningOp();
        needsBehind |= behind.contains(maker);
        needsInside |= isInside(maker);
      }
    });
    if (needsBehind || (needsInside && !isInside(op)))
      behind.insert(op);
    if (op == last)
      return behind;
  }
}

} // namespace ane

#endif // ANE_SUPPORT_OPSBEHIND_H
