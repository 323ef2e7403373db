//===- Emit.h - Writing what a phase produced -------------------*- C++ -*-===//

#ifndef ANE_LIB_PIPELINE_EMIT_H
#define ANE_LIB_PIPELINE_EMIT_H

#include "ane/Codegen/Codegen.h"
#include "ane/Object/Object.h"
#include "ane/Pipeline/Compile.h"
#include "mlir/IR/BuiltinOps.h"

namespace ane {

/// Refuses a name under which an output would replace the input or another
/// output.
llvm::LogicalResult checkOutput(const CompileOptions &options);

llvm::LogicalResult emitIR(mlir::ModuleOp module,
                           const CompileOptions &options);
llvm::LogicalResult emitTaskDescriptors(const GeneratedProgram &program,
                                        const CompileOptions &options);

/// Writes the container and the descriptor beside it, or the descriptor alone.
llvm::LogicalResult emitContainer(GeneratedProgram program,
                                  const CompileOptions &options);

/// Lays out the container; what does not fit is reported at the input file.
llvm::FailureOr<object::Object> layout(GeneratedProgram &program,
                                       const CompileOptions &options);

/// Writes both files of a laid-out container, or neither.
llvm::LogicalResult writeFiles(const object::Object &container,
                               e5::Descriptor descriptor,
                               const CompileOptions &options);

} // namespace ane

#endif // ANE_LIB_PIPELINE_EMIT_H
