//===- OpsBetween.h - The ops between a value and others --------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_OPSBETWEEN_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_OPSBETWEEN_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"

namespace ane::mil {

/// Whether an op has the elements of a static tensor in another shape.
bool isReshape(mlir::Operation *op);

/// The ops of the block of `entry` on the ways from its result to exits, in the
/// order of the program: those of a kind that goes along.
llvm::SetVector<mlir::Operation *>
opsBetween(mlir::Operation *entry,
           llvm::function_ref<bool(mlir::Operation *)> goesAlong,
           llvm::function_ref<bool(mlir::Operation *)> isExit);

/// Calls `cancel` with each entry of a block, from the front on, and says
/// whether one was cancelled. Ops around such an entry are others then, so that
/// the next one is looked for behind the last op that was no entry.
bool cancelFromEntries(mlir::Block &body,
                       llvm::function_ref<bool(mlir::Operation *)> isEntry,
                       llvm::function_ref<bool(mlir::Operation *)> cancel);

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_OPSBETWEEN_H
