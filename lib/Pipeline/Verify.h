//===- Verify.h - Comparing container and reference -------------*- C++ -*-===//

#ifndef ANE_LIB_PIPELINE_VERIFY_H
#define ANE_LIB_PIPELINE_VERIFY_H

#include "ane/Codegen/Codegen.h"
#include "ane/Object/Object.h"
#include "ane/Pipeline/Compile.h"
#include "mlir/IR/BuiltinOps.h"

namespace ane {

/// Runs the container, loaded from its bytes, and the reference interpreter on
/// the same random inputs (TrialInputs.h), prints for each output how far apart
/// they are, and emits the container if they agree (CompareOutputs.h).
llvm::LogicalResult verifyAndEmit(mlir::ModuleOp original,
                                  GeneratedProgram program,
                                  const CompileOptions &options);

/// The comparison alone, with the files that `writeFiles` makes.
llvm::LogicalResult verifyFiles(mlir::ModuleOp original,
                                const object::Object &container,
                                const std::vector<e5::Descriptor> &descriptors,
                                const CompileOptions &options);

} // namespace ane

#endif // ANE_LIB_PIPELINE_VERIFY_H
