//===- SourceProgram.h - A MIL file as IR -----------------------*- C++ -*-===//

#ifndef ANE_PIPELINE_SOURCEPROGRAM_H
#define ANE_PIPELINE_SOURCEPROGRAM_H

#include "ane/Dialect/MIL/IR/MIL.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"
#include <memory>
#include <string>

namespace ane {

/// A MIL program as IR, with the context it lives in and the text that its
/// diagnostics quote. Diagnostics go to standard error.
class SourceProgram {
public:
  /// Imports the MIL text in the file `path`, or in standard input for "-", or
  /// reads the IR of any phase in a file *.mlir or *.mlirbc, and keeps one
  /// function of it: the one named `function`, or the only one if
  /// that is empty. With `allowSeveral` all of them stay where none is named.
  /// Null after reporting what is wrong.
  static std::unique_ptr<SourceProgram> load(const std::string &path,
                                             const std::string &function,
                                             bool allowSeveral = false);

  /// The same of text in memory, of one function. Its identifier names it.
  static std::unique_ptr<SourceProgram>
  parse(std::unique_ptr<llvm::MemoryBuffer> text);

  mlir::ModuleOp getModule() { return *module; }
  mil::FuncOp getFunction() { return *module->getOps<mil::FuncOp>().begin(); }

private:
  SourceProgram();

  llvm::SourceMgr sources;
  mlir::MLIRContext context;
  mlir::SourceMgrDiagnosticHandler diagnostics;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace ane

#endif // ANE_PIPELINE_SOURCEPROGRAM_H
