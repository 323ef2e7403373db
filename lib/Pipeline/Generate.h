//===- Generate.h - From IR to container contents ---------------*- C++ -*-===//

#ifndef ANE_LIB_PIPELINE_GENERATE_H
#define ANE_LIB_PIPELINE_GENERATE_H

#include "ane/Codegen/Codegen.h"
#include "ane/Pipeline/Compile.h"
#include "mlir/IR/BuiltinOps.h"
#include <functional>

namespace ane {

/// Runs the passes up to the phase that is emitted, all of them for one behind
/// the IR. `lookAtLayers` sees the layers before they become tasks. `ahead`
/// begins as soon as kernels are as they will be.
llvm::LogicalResult
runPhases(mlir::ModuleOp module, const CompileOptions &options,
          const std::function<void(mlir::ModuleOp)> &lookAtLayers = nullptr,
          NameAhead *ahead = nullptr);

/// Generates the contents of a container from a module that all passes have
/// gone over, which must outlive them.
llvm::FailureOr<GeneratedProgram> generate(mlir::ModuleOp module,
                                           const CompileOptions &options,
                                           NameAhead *ahead = nullptr);

} // namespace ane

#endif // ANE_LIB_PIPELINE_GENERATE_H
