//===- Import.h - MIL text to mil dialect -----------------------*- C++ -*-===//

#ifndef ANE_FRONTEND_IMPORT_H
#define ANE_FRONTEND_IMPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace ane::frontend {

/// How strict an import is. The result does not depend on it where there is
/// one.
struct ImportOptions {
  /// Errors reported before the import gives up; 0 for all of them.
  unsigned errorLimit = 20;
  /// Check every op against its signature and infer its result types.
  bool verify = true;
};

/// Reads the file `path`, or standard input for "-", into `sources` as the
/// buffer to import. A failure names the file. Diagnostics over `sources` quote
/// a piece of their line only, as SourceDiagnostic.h describes.
llvm::Error openSource(llvm::SourceMgr &sources, llvm::StringRef path);

/// Imports the MIL text in the main buffer of `sources`.
///
/// The result is a module as dialects/MIL/MILDialect.td describes it. Every op
/// has the file, line and column of its text; the file is the identifier of the
/// buffer. Weight files are not opened: references to them stay
/// `#mil.blob_file` until the pass `mil-load-weights`.
///
/// No other thread may use the context meanwhile.
///
/// Returns null after errors. All errors and warnings go to the diagnostic
/// engine of the context; a `SourceMgrDiagnosticHandler` over `sources` shows
/// them with the line of text.
mlir::OwningOpRef<mlir::ModuleOp> importMIL(const llvm::SourceMgr &sources,
                                            mlir::MLIRContext *context,
                                            const ImportOptions &options = {});

} // namespace ane::frontend

#endif // ANE_FRONTEND_IMPORT_H
