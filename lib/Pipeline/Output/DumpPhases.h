//===- DumpPhases.h - A file for each phase ---------------------*- C++ -*-===//

#ifndef ANE_LIB_PIPELINE_OUTPUT_DUMPPHASES_H
#define ANE_LIB_PIPELINE_OUTPUT_DUMPPHASES_H

#include "ane/Codegen/Codegen.h"
#include "ane/Pipeline/Compile.h"
#include "mlir/IR/BuiltinOps.h"

namespace ane {

/// The file of `--dump-phases` for a phase, `DIR/2-zin.mlir`; empty for a phase
/// that has none, and without the option.
std::string dumpPath(const Phase &phase, const CompileOptions &options);

/// Makes the folder of `--dump-phases`, if that was given.
llvm::LogicalResult makeDumpFolder(const CompileOptions &options);

/// Removes the files that an earlier run has left under the names of dumps: a
/// phase that is not reached has none.
llvm::LogicalResult removeDumps(const CompileOptions &options);

/// Writes what a phase produced to its file, if it has one.
llvm::LogicalResult dumpPhase(const Phase &phase, mlir::ModuleOp module,
                              const CompileOptions &options);
llvm::LogicalResult dumpTaskDescriptors(const GeneratedProgram &program,
                                        const CompileOptions &options);

} // namespace ane

#endif // ANE_LIB_PIPELINE_OUTPUT_DUMPPHASES_H
