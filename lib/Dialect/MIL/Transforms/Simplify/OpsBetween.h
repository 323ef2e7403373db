//===- OpsBetween.h - The ops between a value and others --------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_OPSBETWEEN_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_OPSBETWEEN_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"

namespace ane::mil {

/// The ops of the block of `entry` on the ways from its result to exits, in the
/// order of the program: those of a kind that goes along.
llvm::SetVector<mlir::Operation *>
opsBetween(mlir::Operation *entry,
           llvm::function_ref<bool(mlir::Operation *)> goesAlong,
           llvm::function_ref<bool(mlir::Operation *)> isExit);

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_SIMPLIFY_OPSBETWEEN_H
