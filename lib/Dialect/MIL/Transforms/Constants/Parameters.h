//===- Parameters.h - Inputs that must be constants -------------*- C++ -*-===//
//
// MIL marks inputs that must be known at compile time. A program may compute
// them of constants, and not all that is computed of constants is folded.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_CONSTANTS_PARAMETERS_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_CONSTANTS_PARAMETERS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringRef.h"

namespace ane::mil {

/// Such an input of an op without elements at hand.
struct UnknownParameter {
  llvm::StringRef name;
  mlir::Value value;
};

/// The first one of an op, if it has one.
std::optional<UnknownParameter> findUnknownParameter(mlir::Operation *op);

/// Whether a rule may read all of them: there is no default for one that the
/// program gives.
inline bool knowsParameters(mlir::Operation *op) {
  return !findUnknownParameter(op);
}

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_CONSTANTS_PARAMETERS_H
