//===- DiagnosticLog.h - What a part of the compiler says -------*- C++ -*-===//

#ifndef ANE_LIB_PIPELINE_DIAGNOSTICLOG_H
#define ANE_LIB_PIPELINE_DIAGNOSTICLOG_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>
#include <vector>

namespace ane {

/// Keeps the diagnostics of a context to itself while it listens.
class DiagnosticLog {
public:
  explicit DiagnosticLog(mlir::MLIRContext *context) : context(context) {
    handler.emplace(context, [this](mlir::Diagnostic &diagnostic) {
      all.push_back(std::move(diagnostic));
      return llvm::success();
    });
  }

  llvm::ArrayRef<mlir::Diagnostic> diagnostics() const { return all; }

  /// Stops to listen.
  void stop() { handler.reset(); }

  /// Stops to listen, and says what was kept.
  void replay() {
    stop();
    for (mlir::Diagnostic &diagnostic : all)
      context->getDiagEngine().emit(std::move(diagnostic));
    all.clear();
  }

private:
  mlir::MLIRContext *context;
  std::vector<mlir::Diagnostic> all;
  std::optional<mlir::ScopedDiagnosticHandler> handler;
};

} // namespace ane

#endif // ANE_LIB_PIPELINE_DIAGNOSTICLOG_H
