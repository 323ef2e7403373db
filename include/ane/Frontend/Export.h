//===- Export.h - mil dialect to MIL text -----------------------*- C++ -*-===//

#ifndef ANE_FRONTEND_EXPORT_H
#define ANE_FRONTEND_EXPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace ane::frontend {

/// Writes a program as MIL text, the way Apple's coremlc prints it: one that
/// coremlc wrote comes out byte for byte (verified on coremlc's files).
///
/// The program's version decides the spelling: up to 1.2 a scalar is
/// `tensor<int32, []>(1)`, from 1.3 on `int32(1)`. Values without a name in the
/// text, or with one that is taken, get a new one.
///
/// Fails, after reporting it at the op, before anything is written where the
/// module holds something that MIL text cannot say.
llvm::LogicalResult exportMIL(mlir::ModuleOp module, llvm::raw_ostream &os);

} // namespace ane::frontend

#endif // ANE_FRONTEND_EXPORT_H
