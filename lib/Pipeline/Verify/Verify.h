//===- Verify.h - Comparing container and reference -------------*- C++ -*-===//

#ifndef ANE_LIB_PIPELINE_VERIFY_VERIFY_H
#define ANE_LIB_PIPELINE_VERIFY_VERIFY_H

#include "ane/Codegen/Codegen.h"
#include "ane/Object/Object.h"
#include "ane/Pipeline/Compile.h"
#include "mlir/IR/BuiltinOps.h"

namespace ane {

/// Runs a container with its descriptors, loaded from the files that
/// `writeFiles` makes of them, and the reference interpreter on the same random
/// inputs (TrialInputs.h), and prints for each output how far apart they are.
/// Fails if they do not agree (CompareOutputs.h).
llvm::LogicalResult verifyFiles(mlir::ModuleOp original,
                                const object::Object &container,
                                const std::vector<e5::Descriptor> &descriptors,
                                const CompileOptions &options);

} // namespace ane

#endif // ANE_LIB_PIPELINE_VERIFY_VERIFY_H
