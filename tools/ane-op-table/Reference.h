//===- Reference.h - The inputs of ops in the reference ---------*- C++ -*-===//

#ifndef ANE_TOOLS_ANE_OP_TABLE_REFERENCE_H
#define ANE_TOOLS_ANE_OP_TABLE_REFERENCE_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"

namespace ane {

/// Prints the file that mlir-tblgen wrote of the dialect, where each table of
/// operands, which all are of any type to ODS, is replaced by one of what the
/// op takes. False if there is no such file.
bool printReference(llvm::raw_ostream &os, mlir::MLIRContext *context,
                    llvm::StringRef path);

} // namespace ane

#endif // ANE_TOOLS_ANE_OP_TABLE_REFERENCE_H
