//===- Refuse.h - What is wrong with a layer or task ------------*- C++ -*-===//

#ifndef ANE_DIALECT_ZIN_IR_REFUSE_H
#define ANE_DIALECT_ZIN_IR_REFUSE_H

#include "mlir/IR/Operation.h"

namespace ane::zin {

/// Reports what is wrong with an op, and the id of the constraint.
llvm::LogicalResult refuse(mlir::Operation *op, llvm::StringRef constraint,
                           const llvm::Twine &message);

} // namespace ane::zin

#endif // ANE_DIALECT_ZIN_IR_REFUSE_H
