//===- Emit.h - Writing what a phase produced -------------------*- C++ -*-===//

#ifndef ANE_LIB_PIPELINE_OUTPUT_EMIT_H
#define ANE_LIB_PIPELINE_OUTPUT_EMIT_H

#include "ane/Codegen/Codegen.h"
#include "ane/Object/Object.h"
#include "ane/Pipeline/Compile.h"
#include "ane/Support/FilePlan.h"
#include "mlir/IR/BuiltinOps.h"

namespace ane {

/// The input and the outputs whose names are known from the command line.
/// Refuses a name under which one would replace another.
llvm::FailureOr<FilePlan> planFiles(const CompileOptions &options);

/// Adds the files that the weights of the program come from.
llvm::LogicalResult planWeights(mlir::ModuleOp module,
                                const CompileOptions &options, FilePlan &plan);

/// Adds the files of several descriptors, and those that one of a program that
/// was cut takes the place of.
llvm::LogicalResult planDescriptors(llvm::ArrayRef<e5::Descriptor> descriptors,
                                    const CompileOptions &options,
                                    FilePlan &plan);

/// Where the constants of a network description go.
llvm::SmallString<128> netWeightsPath(const CompileOptions &options);

/// Where lines about the output go: standard error if the output itself goes to
/// standard output.
llvm::raw_ostream &messageStream(const CompileOptions &options);

llvm::LogicalResult emitIR(mlir::ModuleOp module,
                           const CompileOptions &options);
llvm::LogicalResult emitTaskDescriptors(const GeneratedProgram &program,
                                        const CompileOptions &options);

/// Writes the layers as a network description, and their constants beside it.
llvm::LogicalResult emitNetPlist(mlir::ModuleOp module,
                                 const CompileOptions &options);

/// Writes the firmware package of a laid-out container.
llvm::LogicalResult emitFirmware(const object::Object &container,
                                 const CompileOptions &options);

/// Lays out the container; what does not fit is reported at the input file.
llvm::FailureOr<object::Object> layout(GeneratedProgram &program,
                                       const CompileOptions &options);

/// Completes what a descriptor says of its container, all but path and hash.
e5::Descriptor describe(const object::Object &container,
                        e5::Descriptor descriptor,
                        const CompileOptions &options);

/// The descriptors of all procedures.
std::vector<e5::Descriptor> descriptorsOf(const GeneratedProgram &program);

/// Writes a laid-out container and a descriptor for each procedure, or nothing;
/// for `--emit=e5` the descriptor alone.
llvm::LogicalResult writeFiles(const object::Object &container,
                               std::vector<e5::Descriptor> descriptors,
                               const CompileOptions &options);

} // namespace ane

#endif // ANE_LIB_PIPELINE_OUTPUT_EMIT_H
