//===- CutProgram.h - Programs for engine and processor ---------*- C++ -*-===//

#ifndef ANE_LIB_PIPELINE_PARTITION_CUTPROGRAM_H
#define ANE_LIB_PIPELINE_PARTITION_CUTPROGRAM_H

#include "Generate.h"
#include "ane/Dialect/MIL/Transforms/Partition.h"
#include "ane/Support/FilePlan.h"
#include "mlir/IR/OwningOpRef.h"

namespace ane {

/// A program that was cut into segments, compiled.
struct CutProgram {
  /// The program as it was cut: shapes bound, weights loaded, states values.
  mlir::OwningOpRef<mlir::ModuleOp> source;
  mil::FunctionSegments cut;
  /// The segments of the engine, which all passes have gone over.
  mlir::OwningOpRef<mlir::ModuleOp> engine;
  /// Their procedures, in order.
  GeneratedProgram generated;
};

/// Cuts the function of a program where the engine cannot run it, if it cannot
/// run all of it; gives nothing where it can. Says at each op that the
/// processor gets why it does. Reports and fails where a cut does not help:
/// nothing is left for the engine, there are several functions, a value that
/// would cross has no form on the host.
llvm::FailureOr<std::optional<CutProgram>>
cutProgram(mlir::ModuleOp module, const CompileOptions &options);

/// Makes functions of those segments whose index is wanted.
mlir::OwningOpRef<mlir::ModuleOp>
makeSegmentModule(const mil::FunctionSegments &cut,
                  llvm::function_ref<bool(size_t)> isWanted);
/// The same of those of the engine.
mlir::OwningOpRef<mlir::ModuleOp>
makeEngineModule(const mil::FunctionSegments &cut);

/// The type of a tensor that a dispatch descriptor can hold. Nothing for
/// others: another element type, unknown or no extents, rank above 5.
std::optional<e5::TensorDataType> hostTensorType(mlir::Type type);

/// Emits a program that was cut; `original` is what it was before, for
/// `--verify`, or null.
llvm::LogicalResult emitCutProgram(CutProgram program, mlir::ModuleOp original,
                                   const CompileOptions &options,
                                   FilePlan &plan);

} // namespace ane

#endif // ANE_LIB_PIPELINE_PARTITION_CUTPROGRAM_H
