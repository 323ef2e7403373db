//===- WriteReport.h - Costs of a program by its statements -----*- C++ -*-===//

#ifndef ANE_LIB_PIPELINE_OUTPUT_WRITEREPORT_H
#define ANE_LIB_PIPELINE_OUTPUT_WRITEREPORT_H

#include "Output/Ranges.h"
#include "Output/Statements.h"
#include "ane/Codegen/Codegen.h"
#include "ane/Pipeline/Compile.h"
#include "ane/Report/Report.h"
#include "mlir/IR/BuiltinOps.h"

namespace ane {

/// Remembers what passes forget: which statement stands where, and the bounds
/// of what layers compute.
class ReportWriter {
public:
  /// Of a program as it was read.
  explicit ReportWriter(mlir::ModuleOp module) : statements(module) {}

  /// To be called with the layers of the program.
  void lookAtLayers(mlir::ModuleOp module, llvm::ArrayRef<InputRange> inputs);

  /// Before the program is laid out, which takes parts of it.
  report::Report make(mlir::ModuleOp module, const GeneratedProgram &program,
                      const CompileOptions &options) const;

private:
  Statements statements;
  std::vector<RangeHazard> hazards;
};

/// Writes a report as the options say, and has the program emitted: both or
/// neither. `emit` reports what is wrong.
llvm::LogicalResult writeReport(const report::Report &report,
                                const CompileOptions &options,
                                llvm::function_ref<llvm::LogicalResult()> emit);

} // namespace ane

#endif // ANE_LIB_PIPELINE_OUTPUT_WRITEREPORT_H
