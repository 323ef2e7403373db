//===- AskEngine.h - Values inside of a program -----------------*- C++ -*-===//

#ifndef ANE_LIB_PIPELINE_VERIFY_ASKENGINE_H
#define ANE_LIB_PIPELINE_VERIFY_ASKENGINE_H

#include "Verify/Decisions.h"
#include "ane/Pipeline/Compile.h"

namespace ane {

/// Compiles a function once more, with some of its values as further outputs,
/// into a container in `folder`, and runs that on the inputs of a trial, which
/// belong to `ports`. Says nothing and gives no values if the engine cannot
/// give them.
NamedTensors askEngine(mil::FuncOp func, llvm::ArrayRef<mlir::Value> values,
                       llvm::ArrayRef<engine::HostPort> ports,
                       const Trial &trial, llvm::StringRef folder,
                       const CompileOptions &options);

} // namespace ane

#endif // ANE_LIB_PIPELINE_VERIFY_ASKENGINE_H
