//===- ExportCheck.h - What MIL text can say --------------------*- C++ -*-===//

#ifndef ANE_LIB_FRONTEND_EXPORT_EXPORTCHECK_H
#define ANE_LIB_FRONTEND_EXPORT_EXPORTCHECK_H

#include "mlir/IR/BuiltinOps.h"

namespace ane::frontend {

/// The version of a program, 1.3 where the module does not say.
llvm::StringRef getVersion(mlir::ModuleOp module);

/// Whether a version of MIL text writes a scalar as `int32(1)`.
bool hasBareScalars(llvm::StringRef version);

/// `1.N`; nothing is known of another major version.
bool isKnownVersion(llvm::StringRef version);

/// Reports, at the op, what a module holds that MIL text cannot say.
llvm::LogicalResult checkExportable(mlir::ModuleOp module);

} // namespace ane::frontend

#endif // ANE_LIB_FRONTEND_EXPORT_EXPORTCHECK_H
